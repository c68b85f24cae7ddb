/* The dispatcher (spec flow 6.4, spec 3.8.3, 3.8.4, 3.8.7).
 *
 * A dispatcher has one or two input rings: one from the unicast prefetcher, one from the broadcast
 * prefetcher. It switches between them only at the end of a transaction (DISPATCH_LAST). If
 * `ordering` is DISPATCH_ORDER_COUNTER, every transaction begins with its 8-bit number. The
 * dispatcher looks for the next number at the heads of the rings, and runs the transactions in the
 * order of their numbers. A transaction may contain a trace; a trace contains no numbers. If
 * `ordering` is DISPATCH_ORDER_ARRIVAL, the rings take turns. That is correct only if the
 * prefetchers keep the order themselves, by notifications.
 *
 * The dispatcher reaches the host over PCIe if its chip has it, else over a link to a dispatch_h on
 * the gateway (firmware/completion/upstream.h). */
#ifndef FIRMWARE_DISPATCH_DISPATCH_H
#define FIRMWARE_DISPATCH_DISPATCH_H

#include "command/dispatch.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/firmware.h"
#include "firmware/core/tile_plan.h"
#include "firmware/link/link.h"

enum dispatch_ordering {
	DISPATCH_ORDER_ARRIVAL, /* no transaction numbers */
	DISPATCH_ORDER_COUNTER,
};

struct dispatch_layout {
	uint32_t ring[2];	  /* limits.dispatch_ring_bytes each */
	uint32_t arrival_word[2]; /* consecutive words */
	uint32_t done_words;	  /* DISPATCH_GROUPS words */
	uint32_t event_words;	  /* words for other queues' events, DISPATCH_EVENT_WORDS */
	uint32_t read_word;	  /* of the completion queue */
	uint32_t credit_word;	  /* of the link to dispatch_h */
	uint32_t prepared_word;	  /* number of starts handed to dispatch_s, and number sent by it */
	uint32_t sent_word;
	uint32_t open_word; /* of the gate */
};

enum { DISPATCH_EVENT_WORDS = 8 };

/* Allocates words and bytes for a dispatcher with `inputs` rings in `plan`. Returns OK or
 * NO_SPACE. */
enum status dispatch_place(struct tile_plan *plan, const struct firmware_limits *limits,
	uint32_t inputs, struct dispatch_layout *layout);

struct dispatch_config {
	struct stage_place place; /* tile below GO_TILES_MAX */
	struct dispatch_layout layout;
	uint32_t input_count; /* 1 or 2 */
	struct link_layout input[2];
	enum dispatch_ordering ordering;
	uint32_t worker_go_word;  /* struct worker_words.go */
	uint16_t release_tile[2]; /* prefetcher of each input; DISPATCH_RELEASE ends its STALL */
	uint32_t release_word[2];
	uint64_t event_base;	   /* host address of the device's slot in the table of events. The
				    * dispatcher adds it to the address in a command with
				    * DISPATCH_TABLE, so one command fits all devices */
	bool remote;		   /* true: no PCIe, `output` leads to a dispatch_h */
	struct host_queue host;	   /* if not remote; ring_bytes 0: no completion queue */
	struct link_layout output; /* if remote */
	struct gate_config gate;   /* if not remote */
	struct launch_lead *lead;  /* of the chip's workers; NULL: they need none */
};

struct stage *dispatcher_new(const struct firmware *firmware, const struct dispatch_config *config);

/* Creates a dispatch_s, a stage on processor `processor` of the dispatcher's tile. It waits for
 * workers and sends go signals, so that other work of the dispatcher does not delay go signals.
 * Without a dispatch_s, the dispatcher sends go signals itself. Create the dispatch_s before the
 * dispatcher is started. */
struct stage *dispatch_s_new(
	const struct firmware *firmware, struct stage *dispatcher, uint8_t processor);

#endif
