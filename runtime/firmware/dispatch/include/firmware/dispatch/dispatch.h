/* The dispatcher (spec, flow 6.4; spec 3.8.3, 3.8.4, 3.8.7).
 *
 * A dispatcher has one or two input rings. One ring comes from the unicast prefetcher, the other
 * from the broadcast prefetcher. The dispatcher switches between rings only at the end of a
 * transaction (DISPATCH_LAST). If `ordering` is DISPATCH_ORDER_COUNTER, every transaction begins
 * with its 8-bit number. The dispatcher looks for the next number at the heads of the rings, and
 * executes the transactions in the order of their numbers. A transaction may contain a trace;
 * commands of a trace contain no such numbers. If `ordering` is DISPATCH_ORDER_ARRIVAL, the
 * dispatcher takes transactions from the rings in turn. This order is correct only if the
 * prefetchers keep the order themselves, by notifying each other.
 *
 * If its chip has PCIe, the dispatcher reaches the host over PCIe. Otherwise it reaches the host
 * over a link to a dispatch_h on the gateway (firmware/completion/upstream.h). */
#ifndef FIRMWARE_DISPATCH_DISPATCH_H
#define FIRMWARE_DISPATCH_DISPATCH_H

#include "command/dispatch.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/firmware.h"
#include "firmware/core/stage.h"
#include "firmware/link/link.h"

enum dispatch_ordering {
	DISPATCH_ORDER_ARRIVAL, /* transactions have no numbers; the rings take turns */
	DISPATCH_ORDER_COUNTER,
};

struct dispatch_layout {
	uint32_t ring[2];	  /* addresses of the rings, of limits.dispatch_ring_bytes each */
	uint32_t arrival_word[2]; /* addresses of the arrival words, which follow each other */
	uint32_t done_words;	  /* address of DISPATCH_GROUPS words */
	uint32_t event_words;	  /* address of DISPATCH_EVENT_WORDS words, which store events of
				   * other queues */
	uint32_t read_word;	  /* read word of the completion queue */
	uint32_t credit_word;	  /* credit word of the link to dispatch_h */
	uint32_t prepared_word;	  /* address of two words: the number of starts handed to
				   * dispatch_s, and the number that it has sent */
	uint32_t sent_word;
	uint32_t open_word; /* open word of the gate */
};

enum { DISPATCH_EVENT_WORDS = 8 };

/* Allocates in `plan` the words and bytes for a dispatcher with `inputs` rings. Returns OK or
 * NO_SPACE. */
enum status dispatch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint32_t inputs, struct dispatch_layout *layout);

struct dispatch_config {
	struct stage_place place; /* the tile number must be below GO_TILES_MAX */
	struct dispatch_layout layout;
	uint32_t input_count; /* number of inputs, 1 or 2 */
	struct link_layout input[2];
	enum dispatch_ordering ordering;
	uint32_t worker_go_word;  /* address of struct worker_words.go */
	uint16_t release_tile[2]; /* [input] tile of the input's prefetcher; a WAIT with
				   * DISPATCH_RELEASE increments release_word there, which ends a
				   * STALL of the prefetcher */
	uint32_t release_word[2];
	/* host address of the device's slot in the table of events. The dispatcher adds it to the
	 * address in a command with DISPATCH_TABLE, so the same command works on all devices */
	uint64_t event_base;
	bool remote;		   /* true: the chip has no PCIe, and `output` leads to a
				    * dispatch_h */
	struct host_queue host;	   /* the completion queue, used if `remote` is not set; ring_bytes
				    * 0: there is no completion queue */
	struct link_layout output; /* used if `remote` is set */
	struct gate_config gate;   /* used if `remote` is not set */
	struct launch_lead *lead;  /* lead of the chip's workers; NULL: the workers do not use it */
};

struct stage *dispatcher_new(const struct firmware *firmware, const struct dispatch_config *config);

/* Creates a dispatch_s: a stage on another processor, `processor`, of the dispatcher's tile. It
 * waits for workers and sends go signals, so that other work of the dispatcher does not delay go
 * signals. Without a dispatch_s, the dispatcher sends go signals itself. The dispatch_s must be
 * created before the dispatcher is started. */
struct stage *dispatch_s_new(
	const struct firmware *firmware, struct stage *dispatcher, uint8_t processor);

#endif
