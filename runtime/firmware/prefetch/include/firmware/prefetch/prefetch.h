/* The three kinds of prefetchers (spec 3.8.1; spec, flow 6.3). Each is a stage:
 *
 *   prefetch_h   issue queue -> PCIe -> ring -> unchanged prefetch commands to the next stage
 *                (over the fabric to a prefetch_d, over the NoC to a packetizer). It reads command
 *                headers only to replace RELAY_HOST by RELAY_INLINE with bytes of host memory.
 *   prefetch_d   ring filled by a link -> executes prefetch commands -> dispatch buffer
 *   prefetch_hd  issue queue -> PCIe -> ring -> executes prefetch commands -> dispatch buffer
 *
 * A prefetcher is divided into two parts. The fetch part reads several pieces at a time over PCIe,
 * and continues while the parse part waits. The parse part handles one command at a time. It reads
 * data from DRAM (or, for RELAY_HOST, over PCIe) into a buffer named scratch. Scratch has two
 * halves: one is filled while the other is relayed. A half is complete when the stage has no
 * outstanding read. EXECUTE reads the commands of a trace in the same way, but into a different
 * buffer of two halves. Between EXECUTE and EXECUTE_END, the stage takes no commands from the ring.
 *
 * A malformed command is a fault and halts the stage. */
#ifndef FIRMWARE_PREFETCH_PREFETCH_H
#define FIRMWARE_PREFETCH_PREFETCH_H

#include "command/issue_queue.h"
#include "firmware/core/firmware.h"
#include "firmware/core/stage.h"
#include "firmware/link/link.h"
#include "firmware/link/ring.h"

/* Addresses in the L1 of a prefetcher; prefetch_place() assigns them. */
struct prefetch_layout {
	uint32_t fetch_queue;	   /* address of limits.fetch_entries words; for prefetch_h and
				    * prefetch_hd */
	uint32_t fetch_ring;	   /* address of limits.fetch_ring_bytes bytes; for prefetch_h
				    * and prefetch_hd */
	uint32_t scratch;	   /* address of limits.scratch_bytes bytes */
	uint32_t cache;		   /* address of limits.cache_bytes bytes; for prefetch_d and
				    * prefetch_hd */
	uint32_t execute_ring;	   /* address of limits.execute_ring_bytes bytes; for prefetch_d
				    * and prefetch_hd */
	uint32_t held_word;	   /* address of the held_word of struct trace_hold_layout; only set
				    * by prefetch_place_held() */
	uint32_t release_word;	   /* the dispatcher increments this word to end a STALL; for
				    * prefetch_d and prefetch_hd */
	uint32_t counterpart_word; /* address of the word that the other prefetcher's notifications
				    * write; for prefetch_d and prefetch_hd */
	uint32_t credit_word;	   /* credit word of the link downstream */
	uint32_t arrival_word;	   /* only for prefetch_d: the arrival word of the link that brings
				    * its commands. The caller allocates the link's ring, of
				    * limits.fetch_ring_bytes or limits.receive_ring_bytes bytes */
};

enum prefetch_role { PREFETCH_ROLE_H, PREFETCH_ROLE_D, PREFETCH_ROLE_HD };

/* Works like prefetch_place(), but for a prefetch_d that reads the commands of a trace into the
 * free part of its ring. Instead of an execute_ring, such a prefetch_d has a held_word (struct
 * trace_hold_layout in firmware/link/link.h). Returns OK or NO_SPACE. */
enum status prefetch_place_held(struct tile_plan *plan, const struct firmware_limits *limits,
	struct prefetch_layout *layout);

/* Allocates words and bytes for a prefetcher in `plan`. Returns OK or NO_SPACE. */
enum status prefetch_place(struct tile_plan *plan, enum prefetch_role role,
	const struct firmware_limits *limits, struct prefetch_layout *layout);

struct prefetch_config {
	struct stage_place place;
	struct prefetch_layout layout;

	/* h, hd: the issue queue (command/issue_queue.h) */
	uint64_t issue_ring;
	uint32_t issue_ring_bytes;
	uint64_t read_word; /* host address of the read word */

	struct link_layout input;      /* d: the link that brings its commands */
	struct trace_hold_layout hold; /* prefetch_d: how commands after traces are held back;
					* TRACE_HOLD_NONE: not at all, as the stage has an
					* execute_ring for traces */
	struct link_layout output;

	/* d, hd */
	uint16_t grid_index;	   /* index of this chip in transaction grids */
	uint16_t counterpart_tile; /* tile of the other prefetcher that feeds the same dispatcher,
				    * if there is one; otherwise CHIP_NONE */
	uint32_t counterpart_word; /* address of the counterpart_word at this prefetcher */
};

/* Creates a prefetcher. The caller starts the stage on its device, and frees it with
 * firmware_stage_free(). Never returns NULL. `config` is copied; the trees in it and `firmware`
 * must outlive the stage. */
struct stage *prefetch_h_new(const struct firmware *firmware, const struct prefetch_config *config);
struct stage *prefetch_d_new(const struct firmware *firmware, const struct prefetch_config *config);
struct stage *prefetch_hd_new(
	const struct firmware *firmware, const struct prefetch_config *config);

/* The fetch: code of a stage that reads an issue queue (command/issue_queue.h). It takes entries
 * from the fetch queue. Each entry gives the length of a piece of the issue queue. The fetch reads
 * several pieces at a time over PCIe into a ring in L1, and tells the host how far it has read.
 * Only the code of stages uses it. */

struct fetch_config {
	uint32_t fetch_queue; /* address of limits.fetch_entries words */
	uint32_t fetch_ring;  /* address of limits.fetch_ring_bytes bytes */
	uint64_t issue_ring;  /* host address of the issue queue */
	uint32_t issue_ring_bytes;
	uint64_t read_word; /* host address of the word for the read position */
};

/* A piece of the issue queue that is being read over PCIe. */
struct fetch_piece {
	uint32_t bytes;
	uint32_t reads; /* value that stage.reads_posted has after the piece's last read */
	bool last;
	uint16_t operation; /* low bits of the operation id */
};

struct fetch {
	struct fetch_config config;
	struct ring ring; /* in L1; its head is the position of the next byte for fetch_take() */
	uint32_t tail;	  /* offset of the next piece in the ring */
	uint32_t landed; /* number of bytes that have arrived and that fetch_take() has not taken */
	uint32_t under_way; /* number of bytes in pieces that have not arrived */
	uint32_t host_end;  /* end of the last piece in the issue queue */
	uint32_t entry;	    /* index of the next fetch-queue entry */
	uint32_t landed_entries;
	uint32_t operation; /* last known operation id */
	/* index of the first piece that has not arrived, and number of these pieces */
	uint32_t first, count;
	struct fetch_piece *pieces; /* [limits.fetch_outstanding], a ring */
	struct fetch_entry next;    /* the entry that begin() has decoded */
	bool lands;		    /* true: the next commit makes a piece available; false: the
				     * next commit posts the reads of `next` */
};

/* fetch_fini() frees the allocations. */
void fetch_init(
	struct fetch *fetch, const struct stage_base *base, const struct fetch_config *config);
void fetch_fini(struct fetch *fetch);

/* Says what fetch_begin() may do while the stage has other reads. */
struct fetch_leave {
	bool mixed; /* other reads may be outstanding, so reads complete in any order */
	bool issue; /* a new piece may be issued */
};

/* Plans a step of the fetch, and returns its cost. If the reads of a piece are complete, the step
 * makes the piece available. Otherwise, it posts the reads of a new piece. `plan` must call
 * fetch_commit(). If no step is possible, returns STAGE_BLOCKED, and the caller must fill in the
 * wait. A malformed entry is a fault. */
int64_t fetch_begin(struct fetch *fetch, struct stage_base *base, struct fetch_leave leave,
	void (*plan)(struct stage_base *base));
void fetch_commit(struct fetch *fetch, struct stage_base *base);

/* Takes `length` bytes that have arrived out of the ring. Call this in commit(). */
void fetch_take(struct fetch *fetch, uint32_t length);

/* Sets *address to the start of the longest contiguous free part of the ring. Returns the length of
 * this part, possibly 0. */
uint32_t fetch_room(const struct fetch *fetch, uint32_t *address);

/* Returns true if all pieces have arrived and no doorbell is pending. */
bool fetch_idle(const struct fetch *fetch, const struct stage *stage);

#endif
