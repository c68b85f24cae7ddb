/* The emulated cluster of the native implementation of device.h. Only for the files of this folder.
 *
 * Each chip has a thread. Only this thread accesses the chip's memories, its stages and the ring of
 * stages that can run. Host threads may access them while the cluster is at rest. The host and
 * other chips send messages to the chip's inbox. The messages of one sender arrive in the order of
 * sending.
 *
 * Rest: `cluster->busy` counts the chips that are not at rest. A chip goes to rest when its inbox
 * is empty and all its stages are idle or have ended; its thread does this under the lock of the
 * inbox. A sender ends the rest of a chip under the same lock. So busy == 0 means that all activity
 * has ended. */
#ifndef WORLD_NATIVE_NATIVE_CHIP_H
#define WORLD_NATIVE_NATIVE_CHIP_H

#include <pthread.h>

#include "base/ensure.h"
#include "base/sparse.h"
#include "world/device_entries.h"
#include "world/space.h"
#include "world/world.h"

/* The window of host memory that emulated devices may access. It is contiguous memory, so copies by
 * the host take real time. Devices store and load words atomically and in address order, so a host
 * thread may read any word at any time. */

struct window_waiter;
struct peer; /* native_links.h */
struct links;

struct window {
	uint8_t *bytes; /* memory that begins at address 0 of the window */
	uint64_t size;
	uint64_t used; /* end of the highest range that was ever reserved; atomic */
	pthread_mutex_t lock;
	struct space space;	       /* reserved ranges; protected by the lock */
	struct window_waiter *waiters; /* parked threads; protected by the lock */
	uint32_t waiter_count;	       /* number of waiters; atomic */
	bool any_elided;	       /* true if any range was ever elided; atomic */
	struct sparse elided;	       /* marks the elided ranges; protected by the lock */
};

/* Opens the window. Returns NO_MEMORY if not enough addresses are available. */
enum status native_window_open(struct window *window);
void native_window_close(struct window *window);

enum status native_window_reserve(struct window *window, uint64_t bytes, uint64_t *address);

/* Releases a range that was reserved. */
void native_window_release(struct window *window, uint64_t address, uint64_t bytes);

/* ---- host ---- */
uint8_t *native_window_bytes(struct window *window, uint64_t address, uint64_t bytes);
void native_window_write(struct window *window, uint64_t address, struct span span);
enum status native_window_read(struct window *window, uint64_t address, uint32_t length, void *out);
uint32_t native_window_word(struct window *window, uint64_t address);
enum status native_window_wait(struct window *window, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode);

/* ---- device ---- */
void native_window_store(struct window *window, uint64_t address, struct span span);

/* Stores a word, for the host or a device, and wakes the threads that wait for the word. */
void native_window_store_word(struct window *window, uint64_t address, uint32_t value);

/* Returns a span of the window's bytes, beginning at `address`. The span has at least one byte and
 * at most `length` bytes. All of them are elided, or all are real. The caller releases the span. */
struct span native_window_view(struct window *window, uint64_t address, uint32_t length);

enum stage_state { STAGE_STATE_READY, STAGE_STATE_BLOCKED, STAGE_STATE_ENDED };

struct tile {
	uint32_t word_bytes;
	uint8_t *words;	      /* allocated at the first write; while it is NULL, words read as
			       * zeros */
	struct sparse memory; /* memory of the tile above the words, at the addresses that the tile
			       * uses; its size is 0 if the tile has no memory */
	struct stage *stages; /* stages of this tile that have not ended */
};

enum message_kind {
	MESSAGE_START,
	MESSAGE_STOP,
	MESSAGE_WRITE,
	MESSAGE_READ,
	MESSAGE_PEEK,
	MESSAGE_SHOW
};

/* A host thread that waits for its read. Protected by the lock of the inbox. */
struct peek {
	uint32_t length;
	void *out;
	enum status status;
	bool done;
	pthread_cond_t cond;
};

/* A request to see the stages of the chip. */
struct show {
	void (*see)(void *context, uint32_t chip, const struct stage *stage, bool blocked);
	void *context;
	bool done; /* protected by the lock of the inbox, as is `cond` */
	pthread_cond_t cond;
};

struct message {
	enum message_kind kind;
	uint16_t tile;
	/* MESSAGE_WRITE, MESSAGE_READ: the chip that sent the message over the fabric; NULL: the
	 * host sent it */
	struct device *source;
	uint32_t address;
	uint32_t increment_address, delta; /* MESSAGE_WRITE: the increment that follows the bytes;
					    * none if delta is 0 */
	struct span span;		   /* MESSAGE_WRITE: the bytes, with a reference */
	/* MESSAGE_START, MESSAGE_STOP: the stage to start or stop. MESSAGE_READ: the reading stage,
	 * on chip `source`. MESSAGE_WRITE: if the bytes complete a read, the stage that reads;
	 * otherwise NULL */
	struct stage *stage;
	uint32_t length, local_address; /* MESSAGE_READ: number of bytes to read, and address in the
					 * reader's L1 to which they are written */
	uint16_t reader_tile;		/* MESSAGE_READ: the tile of the reader */
	uint32_t read;			/* MESSAGE_READ of another process: number of the read in
					 * that process */
	struct peek *peek;		/* MESSAGE_PEEK: the read */
	struct show *show;		/* MESSAGE_SHOW: the request */
};

struct messages {
	struct message *items;
	uint32_t count, capacity;
};

struct inbox {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct messages incoming;
	bool started;  /* the chip's thread exists */
	bool sleeping; /* the thread waits for `cond` */
	bool resting;  /* the chip is at rest, see above */
	bool returned; /* fabric quota was returned while stages waited for it */
	bool stopping;
};

struct device {
	struct cluster *cluster; /* NULL for a stand-in */
	struct peer *peer;	 /* the process to which the chip belongs; NULL: this process. For a
				  * chip of another process, only `peer` and `number` (in the
				  * machine) are used */
	const struct chip_info *info;
	uint16_t number;
	pthread_t thread;
	void *(*main)(void *device); /* body of the thread */
	struct inbox inbox;
	struct messages taken; /* messages taken out of the inbox that are being delivered */
	struct tile *tiles;
	struct stage **ready; /* a ring of the stages that can run */
	uint32_t ready_first, ready_count;
	uint32_t stage_count, stage_capacity; /* number of stages that have not ended, and size of
					       * the arrays `ready` and `fabric_waiters` */
	uint32_t idle_count;		      /* number of stages that are blocked and have
					       * wait.idle set */
	struct stage **fabric_waiters;
	uint32_t fabric_waiter_count; /* number of stages that wait for the fabric; atomic, because
				       * threads of other chips, which return quota, read it */
	uint32_t outgoing;	      /* number of deliveries of the chip's own packets that are
				       * in progress; atomic */
};

struct cluster {
	const struct cluster_info *info;
	struct device *chips;
	struct device **machine; /* the chips of all joined clusters; NULL: this cluster is not
				  * joined */
	struct links *links;	 /* the connections to clusters of other processes; NULL: none */
	struct window window;
	uint32_t busy; /* number of chips that are not at rest, plus number of deliveries on their
			* way to other processes; atomic */
	pthread_mutex_t rest_lock;
	pthread_cond_t rest_cond;
};

/* Returns the tile with this number. The tile must exist on the chip. */
static inline struct tile *native_chip_tile(struct device *device, uint16_t tile)
{
	ensure(tile < device->info->geometry->tile_count, "tile %u of chip %u, which has %u", tile,
		device->number, device->info->geometry->tile_count);
	return &device->tiles[tile];
}

/* ---- native_tile.c: the memories of a tile; these functions wake no stages ---- */

void native_tile_init(struct tile *tile, const struct chip_geometry *geometry, uint16_t number);
void native_tile_fini(struct tile *tile);

/* Writes `span` to [address, address + length of the span), which must lie inside the tile's
 * memory. The range may contain both words and bulk. Words cannot be elided. */
void native_tile_write(struct tile *tile, uint32_t address, struct span span);
void native_tile_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length);
enum status native_tile_read(struct tile *tile, uint32_t address, uint32_t length, void *out);
struct span native_tile_view(struct tile *tile, uint32_t address, uint32_t length);

/* Returns the longest piece from the start of the range in which either all bytes are elided
 * (base/extent.h), or none. `length` must be above 0. */
struct span native_tile_view_piece(struct tile *tile, uint32_t address, uint32_t length);

uint32_t native_tile_word(const struct tile *tile, uint32_t address);
void native_tile_set_word(struct tile *tile, uint32_t address, uint32_t value);

/* ---- native_schedule.c: the stages of a chip; only for the chip's thread ---- */

/* Adds a new stage, which is ready to run. */
void native_schedule_start(struct device *device, struct stage *stage);

/* Removes a stage that is idle or has ended. */
void native_schedule_stop(struct device *device, struct stage *stage);

/* Runs one step of the stage that has been ready longest. A stage must be ready. */
void native_schedule_step(struct device *device);

/* Called after a write has changed [address, address + length) of the tile. Makes ready all stages
 * that wait for a change in this range. */
void native_schedule_touched(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length);

/* Called after fabric quota was returned. Makes the stages ready whose packets are accepted now. */
void native_schedule_wake_fabric(struct device *device);

/* Called when a fabric read of the stage is done. Makes the stage ready if it waits for it. */
void native_schedule_read_done(struct device *device, struct stage *stage);

/* ---- native_inbox.c: functions for any thread ---- */

/* Puts a message into the inbox. Takes ownership of the references in the message. */
void native_inbox_send(struct device *device, const struct message *message);

/* Notifies the chip that fabric quota was returned while its stages wait for quota. */
void native_inbox_returned(struct device *device);

/* Takes and releases the lock of the inbox. After this, if the chip's thread sleeps, the caller
 * sees all memory that this thread wrote before it fell asleep. */
void native_inbox_meet(struct device *device);

/* Reads from the chip for a host thread, by a message to the inbox. Blocks until the answer. */
enum status native_inbox_peek(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

/* Calls show->see() for the stages of the chip, on the chip's thread. Blocks until this is done.
 * Does nothing if the thread is not running. */
void native_inbox_show(struct device *device, struct show *show);

/* ---- native_chip.c: the thread ---- */

void native_chip_init(struct device *device, struct cluster *cluster, uint16_t number);

/* native_chip_stop() ends the chip's thread, if it is running. After this, native_chip_fini() frees
 * the memory of the chip. */
void native_chip_stop(struct device *device);
void native_chip_fini(struct device *device);

/* ---- native_quota.c: what packets on their way hold ---- */

/* Takes the quota of a chip for `count` deliveries, and returns the quota of one. */
void native_quota_take(struct device *source, uint32_t count);
void native_quota_return(struct device *source);

bool native_fabric_accepts(struct device *device, const struct fabric_tree *tree);

/* Keep the cluster from rest, and end that. */
static inline void native_rest_hold(struct cluster *cluster)
{
	__atomic_add_fetch(&cluster->busy, 1, __ATOMIC_SEQ_CST);
}

void native_rest_release(struct cluster *cluster);

/* ---- native_fabric.c ---- */

/* Answers a read of another chip. */
void native_fabric_answer(struct device *device, const struct message *message);

/* Called after a delivery of a packet of chip `source` was applied. Returns the quota of this
 * delivery to the chip, which may belong to another host. */
void native_fabric_returned(struct device *source);

/* ---- functions for the table of the device implementation ---- */

DEVICE_NOC_ENTRIES(native_);
DEVICE_PCIE_READ_ENTRY(native_);
DEVICE_PCIE_WRITE_ENTRIES(native_);
DEVICE_FABRIC_ENTRIES(native_);

#endif
