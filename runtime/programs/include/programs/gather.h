/* How all of a mesh buffer comes back to one host when its parts lie on several devices (spec
 * 3.3.5, 3.8.7): a row for each way. `runtime.gather` of a scenario chooses one.
 *
 * A gather is made for a buffer, and keeps what its reads need: buffers and workloads of its own.
 * Its reads go through a queue like any other, in order with what else the queue has; into traces,
 * too. Each device's kernels wait for those of its neighbours; several queues may gather at once
 * all the same, since launches of a mesh are in one order on all its devices, whichever queue they
 * came through. Refuses parts in an order that no two rounds of neighbours give. */
#ifndef PROGRAMS_GATHER_H
#define PROGRAMS_GATHER_H

#include "mesh/handle.h"
#include "mesh/registry.h"
#include "programs/library.h"

enum { GATHER_ROUNDS_MAX = 2 };

struct mesh_gather; /* opaque */

/* What is gathered. `layout` and `config` are those that the buffer was made with. Open value;
 * refers to the buffer, which has to live longer than the gather. */
struct gather_source {
	struct handle_buffer *buffer;
	struct mesh_layout layout;
	struct buffer_config config;
};

/* A read of all of it, to `data`, or to pinned memory if there is some. */
struct gather_call {
	struct handle_call call;	    /* of the read itself */
	uint32_t rounds[GATHER_ROUNDS_MAX]; /* operations of the rounds before it; 0: unnumbered */
	void *data;			    /* as mesh/queue.h says, until the read is complete */
	struct host_memory *memory;	    /* NULL: to `data` */
};

struct gather_ops {
	struct registry_entry entry;
	bool on_devices; /* they send each other their parts, and one of them is read */
};

/* By index; NULL behind the last. */
const struct gather_ops *gather_row(size_t index);

/* Makes it on `device`; *gather is the caller's, to be freed before buffer and device, and behind
 * the traces that have captured its reads. Errors, with a sentence in `why` (may be NULL): those of
 * buffers (mesh/buffer.h) and of collective_build(), UNSUPPORTED (parts in another order). */
enum status gather_new(const struct gather_ops *row, struct device_handle *device,
	const struct gather_source *source, struct text *why, struct mesh_gather **gather);

/* Frees it. NULL is allowed. */
void gather_free(struct mesh_gather *gather);

/* Programs that each of its reads launches on all devices, one round behind the other; 0: none. And
 * the workers of a device that one of them runs on: the first ones. */
uint32_t gather_rounds(const struct mesh_gather *gather);
uint32_t gather_cores(const struct mesh_gather *gather);

/* The devices that its reads look at: when these are done, the data are there. */
struct device_range gather_read_range(const struct mesh_gather *gather);

/* Enqueues a read: errors of enqueue_workload() and enqueue_read_buffer(), of the former with a
 * sentence in `why` (may be NULL). */
enum status gather_read(
	struct mesh_gather *gather, const struct gather_call *call, struct text *why);

#endif
