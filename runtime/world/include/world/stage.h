/* A stage is firmware: the work of one RISC-V processor, in steps of two phases. begin() reads the
 * state of the stage's tile, claims input and space, and returns a cost in cycles. When these
 * cycles have passed, commit() applies the effects. A stage never blocks a thread. If the stage
 * cannot continue, begin() returns the condition for which the stage waits. The scheduler calls
 * begin() again when the condition may have become true. In the native world, one thread per chip
 * runs the stages that are not blocked; in the simulation, stages are handlers on the event heap.
 * Stages of one chip never run at the same time, so they may share the state of the chip without
 * locks. They access other chips only through device_ops. */
#ifndef WORLD_STAGE_H
#define WORLD_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device;
struct fabric_tree;
struct stage;

/* Values that begin() returns instead of a cost. */
#define STAGE_BLOCKED (-1) /* the stage cannot continue; *wait says for what it waits */
#define STAGE_ENDED   (-2) /* the stage has ended; begin() is never called again */

/* The kind of condition for which a blocked stage waits. The scheduler calls begin() again only
 * when the condition may have become true. */
enum stage_wait_on {
	STAGE_WAIT_TILE,   /* waits for a write or increment of one of the tile's words (device.h),
			    * or until an operation of this stage completes */
	STAGE_WAIT_WORD,   /* waits until (int32_t)(word at `address` - value) >= 0 */
	STAGE_WAIT_READS,  /* waits until reads_done >= value; the counters wrap */
	STAGE_WAIT_WRITES, /* waits until writes_done >= value; the counters wrap */
	/* waits until this chip's fabric port towards `fabric` accepts a packet */
	STAGE_WAIT_FABRIC,
};

struct stage_wait {
	enum stage_wait_on on;
	bool idle;	  /* the stage has nothing to do, and no pending operation depends on it. If
			   * all blocked stages are idle, the world is at rest; otherwise it may be
			   * stalled */
	uint32_t address; /* address of the word, in the stage's own tile */
	uint32_t value;
	struct fabric_tree *fabric; /* STAGE_WAIT_FABRIC: the tree along which the stage will
				     * send */
	const char *what; /* text for stall reports, for example "room in the dispatch buffer of
			   * chip"; static */
	/* A hint for STAGE_WAIT_TILE, which implementations may ignore. If range_bytes > 0, the
	 * scheduler need not call begin() before one of two changes: a write in [range, range +
	 * range_bytes), or the word at `address` reaches `value` as in STAGE_WAIT_WORD. */
	uint32_t range, range_bytes;
	bool no_writes; /* a hint for STAGE_WAIT_TILE: the stage does not wait for the completion of
			 * its writes */
};

struct stage_ops {
	const char *name; /* role of the stage, for example "prefetch_h", "dispatcher" or
			   * "worker" */

	/* Claims input. Returns a cost in cycles (>= 0). If the stage cannot continue, fills in
	 * *wait, which is zeroed before the call, and returns STAGE_BLOCKED. If the stage is
	 * finished, returns STAGE_ENDED. May read the stage's own L1, but must not have effects
	 * that other stages or threads can see. */
	int64_t (*begin)(struct stage *stage, struct stage_wait *wait);

	/* Applies the effects of the step that the last begin() planned: stores to the stage's own
	 * L1, posts operations, and records marks. If the next begin() would only wait for a word,
	 * commit() may fill in stage->wait in the same way as begin(), and set stage->waits. The
	 * scheduler then need not call begin() before the word reaches the value. */
	void (*commit)(struct stage *stage);

	/* Describes the stage's current state for stall reports, which also show `wait`. Writes at
	 * most `bytes` bytes to `out`, including the NUL. May be NULL. */
	void (*describe)(const struct stage *stage, char *out, size_t bytes);
};

/* The members that all stages have in common. Firmware has this struct as the first member of its
 * own struct. The creator of the stage sets the members above the line. The device implementation
 * advances the counters below the line, which wrap around; a stage may read them. commit() may set
 * `wait` and `waits`. All other members belong to the scheduler. */
struct stage {
	const struct stage_ops *ops;
	struct device *device; /* the chip of the stage */
	uint16_t tile;	       /* index of the tile in the chip's geometry */
	uint8_t processor; /* index of the RISC-V on the tile, for reports and resource counts */
	uint8_t noc;	   /* number of the chip's NoC that its transfers use, 0 or 1 */
	/* ---- */
	/* counts of noc_read, pcie_read and fabric_read */
	uint32_t reads_posted, reads_done;
	/* counts of noc_write and similar functions, pcie_write and fabric_write */
	uint32_t writes_posted, writes_done;
	int64_t now_ps;		/* time of the current begin() or commit(); always 0 if the time of
				 * stages is not simulated */
	struct stage_wait wait; /* valid while the stage is blocked */
	bool waits;		/* commit() has filled in `wait`; a scheduler may ignore this */
	uint8_t state;		/* private to the scheduler */
	struct stage *next_on_tile; /* private to the scheduler */
	uint64_t busy_cycles;	    /* sum of the costs of all steps */
	uint64_t steps;		    /* number of commits */
};

#endif
