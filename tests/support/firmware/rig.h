/* Firmware without a mesh device, for tests of firmware stages in the native and the simulated
 * world. The rig has the prefetchers, dispatchers and workers of one chip, of a chip that is
 * reached through a gateway, or of the chips of a broadcast. Nothing is mocked. A test need not
 * free anything, because its process ends. */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include "command/completion.h"
#include "command/issue_queue.h"
#include "fabric/graph.h"
#include "firmware/broadcast/broadcast.h"
#include "firmware/completion/upstream.h"
#include "firmware/dispatch/dispatch.h"
#include "firmware/prefetch/prefetch.h"
#include "firmware/worker/worker.h"

#define RIG_PATIENCE_NS INT64_C(20000000000) /* shorter than the deadline of deadline.h */

enum {
	RIG_CHIPS = 8,
	RIG_FAULTS = 8,
	RIG_STAGES = 64,
	RIG_QUEUES = 16,
	/* addresses on every worker */
	RIG_GO_WORD = 0x10,
	RIG_RESULT_WORDS = 0x20,
	RIG_PROCESSOR_WORDS = 0x100,
	RIG_SEMAPHORE_WORDS = 0x400,
	RIG_LAUNCH_RING = 0x8000,
	RIG_CONFIG = 0x10000,
	RIG_KERNELS = 0x20000,
	RIG_DATA = 0x80000,
};

/* One chip with a dispatcher, for one command queue. */
struct rig_chip {
	struct rig *rig;
	uint16_t chip;
	struct device *device;
	const struct chip_geometry *geometry;
	struct tile_plan prefetch_plan, dispatch_plan, broadcast_plan;
	struct prefetch_layout prefetch;
	struct dispatch_layout dispatch;
	struct dispatch_config dispatcher_config;
	struct depacketizer_layout depacketizer;
	struct prefetch_layout broadcast; /* layout of the second prefetch_d */
	bool has_broadcast;
	struct stage *dispatcher, *depacketizer_stage;
	struct stage *dispatch_s; /* NULL: no dispatch_s */
	struct worker_group *workers;
	struct issue_queue *issue;	     /* issue queue for unicast commands */
	struct completion_queue *completion; /* this chip's; another chip may write it */
	uint64_t event_slot;		     /* address of a word in host memory, for events */
	uint32_t behind;		     /* number of chips that this chip leads to */
};

struct rig {
	struct cluster *cluster;
	const struct cluster_info *info;
	struct arena arena;
	struct fabric_graph graph;
	struct firmware_costs costs;
	struct firmware_limits limits; /* default values; may be changed before rig_start() */
	struct firmware *firmware;
	uint32_t fault_claims, fault_count; /* atomic */
	struct firmware_fault faults[RIG_FAULTS];
	struct rig_chip chips[RIG_CHIPS];
	/* objects that the rig must free */
	uint32_t stage_count, queue_count;
	struct stage *stages[RIG_STAGES]; /* all stages but the workers */
	struct issue_queue *queues[RIG_QUEUES];
	uint16_t queue_chips[RIG_QUEUES]; /* (first) chip that reads the queue */
	/* only for a broadcast */
	struct issue_queue *broadcast_issue;
	struct stage *packetizer;
	uint16_t receivers;
	uint16_t members;		 /* most receivers of a multicast; 0: a whole tree */
	bool credits;			 /* default true */
	enum dispatch_ordering ordering; /* default: by arrival */
	bool dispatch_s; /* default false; true: the test starts a dispatch_s on each chip */
};

/* Initializes the rig, which runs stages of firmware for tests; there is one rig per process. The
 * limits of firmware get default values, and every operation of firmware costs only a few
 * cycles. */
struct rig *rig_init(struct cluster *cluster);

/* Makes the firmware context from the rig's costs and limits. */
void rig_start(struct rig *rig);

/* Starts prefetch_hd, dispatcher and workers on a chip with PCIe. */
struct rig_chip *rig_local(struct rig *rig, uint16_t chip);

/* Starts the dispatch_s of a chip, if the rig uses them. */
void rig_start_dispatch_s(const struct rig_chip *chip);

/* Calls rig_local() for chips 0 to count - 1, which share one issue queue. */
void rig_local_shared(struct rig *rig, uint16_t count);

/* Starts prefetch_h and dispatch_h on the gateway of the chip, and prefetch_d, dispatcher and
 * workers on the chip itself. */
struct rig_chip *rig_remote(struct rig *rig, uint16_t chip);

/* Starts the chips in the first `rows` rows and `columns` columns: chips with PCIe like
 * rig_local(), and all other chips like rig_remote(). Each dispatcher has two inputs. For
 * broadcasts, also starts a depacketizer and a second prefetch_d on every chip, and a prefetch_h
 * and a packetizer on chip `initiator`. Tree 0 reaches all chips. */
void rig_broadcast(struct rig *rig, uint16_t initiator, uint16_t rows, uint16_t columns);

/* Registers a sub-grid with the packetizer. Returns its number. */
uint16_t rig_add_tree(struct rig *rig, uint16_t initiator, struct grid_rect rect);

/* Finishes a stream, submits it in as many pieces as necessary, and frees it. Records the marks
 * COPIED and DOORBELL of its operation. */
void rig_submit(struct issue_queue *queue, struct command_stream *stream);

/* rig_route_open() begins the commands that a ROUTE command contains, and rig_route_close() ends
 * them. RELAY_HOST must not be among these commands. The result of rig_route_open() is the argument
 * `route` of rig_route_close(). */
uint32_t rig_route_open(struct command_stream *stream, uint16_t tree, struct grid_rect rect);
void rig_route_close(struct command_stream *stream, uint32_t route);

/* Starts a rig of one chip with PCIe. Returns this chip. */
struct rig_chip *rig_start_local(struct cluster *cluster);

/* Waits until the chip has written `event` to its slot in the host's table. */
void rig_wait_event(const struct rig_chip *chip, uint32_t event);

/* Waits for the next record of the chip's completion queue. */
struct completion_record rig_next_record(const struct rig_chip *chip);

/* Ends the stream with event number `event` and submits it. Waits for the event, and then until
 * nothing is in flight. */
void rig_run(const struct rig_chip *chip, struct command_stream *stream, uint32_t event);

/* Waits until nothing is in flight. */
void rig_drain(struct rig *rig);

/* Reads the memory of a tile. Call rig_drain() before it. */
void rig_inspect(
	const struct rig_chip *chip, uint16_t tile, uint32_t address, uint32_t length, void *out);
uint32_t rig_inspect_word(const struct rig_chip *chip, uint16_t tile, uint32_t address);
struct launch_result rig_result(const struct rig_chip *chip, uint32_t worker);

/* ---- streams ---- */

/* Appends a write to all workers of a chip. */
void rig_append_multicast(struct command_stream *stream, const struct rig_chip *chip,
	uint32_t address, const void *bytes, uint32_t length);

/* A program for all workers of a chip. */
struct rig_program {
	uint32_t id;
	uint32_t kernel_bytes; /* number of bytes of each of the five kernels */
	uint64_t cycles;
	uint16_t steps;
	uint32_t unique_args, common_args; /* number of words, whose values depend on `seed` */
	uint32_t seed;
};

/* Appends configuration, binaries, launch message, WAIT and GO. */
void rig_append_program(struct command_stream *stream, const struct rig_chip *chip,
	const struct rig_program *program, uint8_t slot);

/* Returns the checksum that worker `worker` must report. */
uint32_t rig_checksum(const struct rig_program *program, uint32_t worker);

/* Returns the cycles for which every worker runs the program, computed by a formula. */
uint64_t rig_launch_cycles(const struct rig_chip *chip, const struct rig_program *program);

/* Appends a WAIT for the workers, and an event for the table. */
void rig_append_event(struct command_stream *stream, uint32_t event, bool table);

/* Appends a write of `length` bytes to `tile`. The bytes are generated from `seed`. */
void rig_append_write(struct command_stream *stream, uint16_t tile, uint32_t address,
	uint32_t length, uint32_t seed);

/* Generates bytes from `seed`. */
void rig_fill(void *bytes, uint32_t length, uint32_t seed);

/* Fails the case unless the tile contains the bytes of `seed`. */
void rig_check_bytes(const struct rig_chip *chip, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t seed);

#endif
