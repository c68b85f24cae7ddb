/* The ways in which a mesh buffer returns to one host if its parts lie on several devices (spec
 * 3.3.5, 3.8.7). There is one row for each way; `runtime.gather` of a scenario chooses the row.
 *
 * A gather belongs to one buffer and owns the buffers and workloads that its reads need. Its reads
 * go through a queue in order with the queue's other work, and can be captured in traces. Although
 * kernels of a device wait for the kernels of its neighbours, several queues may gather at once:
 * all devices of a mesh execute launches in the same order, even if they come through different
 * queues. If two rounds between neighbours cannot produce the order of the parts, the gather is
 * UNSUPPORTED. */
#ifndef PROGRAMS_GATHER_H
#define PROGRAMS_GATHER_H

#include "mesh/handle.h"
#include "mesh/registry.h"
#include "programs/library.h"

enum { GATHER_ROUNDS_MAX = 2 };

struct mesh_gather; /* opaque */

/* The buffer that is gathered, with the layout and config with which it was created. The buffer
 * must outlive the gather. */
struct gather_source {
	struct handle_buffer *buffer;
	struct mesh_layout layout;
	struct buffer_config config;
};

/* A read of the whole buffer to `data`, or to pinned memory if `memory` is set. */
struct gather_call {
	struct handle_call call;	    /* of the read itself */
	uint32_t rounds[GATHER_ROUNDS_MAX]; /* operation numbers of the rounds before the read; 0:
					     * no number */
	void *data;			    /* follows mesh/queue.h, until the read is complete */
	struct host_memory *memory;	    /* NULL: to `data` */
};

struct gather_ops {
	struct registry_entry entry;
	bool on_devices; /* devices send each other their parts, and one of them is read */
};

REGISTRY_DECLARE(gather)

/* Creates a gather on `device`. The caller owns *gather and frees it before the buffer and the
 * device, and after any traces that captured its reads. Errors, with a reason in `why` (may be
 * NULL): those of buffers (mesh/buffer.h) and of collective_build(), UNSUPPORTED (parts in another
 * order). */
enum status gather_new(const struct gather_ops *row, struct device_handle *device,
	const struct gather_source *source, struct text *why, struct mesh_gather **gather);

/* Frees a gather. NULL is allowed. */
void gather_free(struct mesh_gather *gather);

/* gather_rounds() returns the number of programs that each read launches on all devices, one round
 * after another (0: none). gather_cores() returns the number of workers that one such program uses
 * on each device, beginning with the first worker. */
uint32_t gather_rounds(const struct mesh_gather *gather);
uint32_t gather_cores(const struct mesh_gather *gather);

/* Returns the devices that a read accesses. The data are complete when these devices are done. */
struct device_range gather_read_range(const struct mesh_gather *gather);

/* Enqueues a read. Errors: those of enqueue_workload(), with a reason in `why` (may be NULL), and
 * of enqueue_read_buffer(). */
enum status gather_read(
	struct mesh_gather *gather, const struct gather_call *call, struct text *why);

#endif
