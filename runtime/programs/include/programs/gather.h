/* Brings a mesh buffer whose parts lie on several devices to one host (spec 3.3.5, 3.8.7). There
 * are several implementations; `runtime.gather` of a scenario chooses one.
 *
 * A gather belongs to one buffer, and owns the additional buffers and workloads that its reads
 * need. A queue executes these reads in order with its other work, and traces can capture them.
 * During a gather, the kernels of a device wait for the kernels of its neighbours. Several queues
 * may still gather at once, because all devices of a mesh execute launches in the same order, even
 * if the launches come through different queues. Devices exchange their parts in at most two
 * rounds: one along rows of devices, one along columns. If these rounds cannot bring the parts into
 * the order of the buffer's data, gather_new() returns UNSUPPORTED. */
#ifndef PROGRAMS_GATHER_H
#define PROGRAMS_GATHER_H

#include "base/table/registry.h"
#include "mesh/handle.h"
#include "programs/library.h"

enum { GATHER_ROUNDS_MAX = 2 };

struct mesh_gather; /* opaque */

/* The buffer that is gathered, and the layout and config with which it was created. The buffer must
 * outlive the gather. */
struct gather_source {
	struct handle_buffer *buffer;
	struct mesh_layout layout;
	struct buffer_config config;
};

/* A read of the whole buffer. The data go to `data`, or to the pinned memory `memory` if it is
 * set. */
struct gather_call {
	struct handle_call call;	    /* the call of the read itself */
	uint32_t rounds[GATHER_ROUNDS_MAX]; /* operation numbers of the rounds before the read; 0:
					     * the round has no number */
	/* host memory for the data, as in enqueue_read_buffer() (mesh/queue.h); must stay valid
	 * until the read is complete */
	void *data;
	struct host_memory *memory; /* pinned memory for the data; NULL: the data go to
				     * `data` */
};

struct gather_ops {
	struct registry_entry entry;
	bool on_devices; /* devices send each other their parts, and the host reads one device */
};

REGISTRY_DECLARE(gather)

/* Creates a gather on `device`. The caller owns *gather. It must free the gather before the buffer
 * and the device, and after all traces that captured reads of the gather. Returns OK. Returns
 * UNSUPPORTED if the parts are in an order that the devices cannot gather. Also returns the errors
 * of buffers (mesh/buffer.h) and of collective_build(). An error comes with a reason in `why` (may
 * be NULL). */
enum status gather_new(const struct gather_ops *row, struct device_handle *device,
	const struct gather_source *source, struct text *why, struct mesh_gather **gather);

/* Frees a gather. NULL is allowed. */
void gather_free(struct mesh_gather *gather);

/* gather_rounds() returns the number of rounds before each read (0: none); a round launches one
 * program on all devices. gather_cores() returns the number of workers that a round uses on each
 * device. These are the first workers of the device. */
uint32_t gather_rounds(const struct mesh_gather *gather);
uint32_t gather_cores(const struct mesh_gather *gather);

/* Returns the devices that a read accesses. When these devices are done, the data are complete. */
struct device_range gather_read_range(const struct mesh_gather *gather);

/* Enqueues a read. Returns OK. Otherwise returns an error of enqueue_workload(), with a reason in
 * `why` (may be NULL), or an error of enqueue_read_buffer() or enqueue_read_pinned(). */
enum status gather_read(
	struct mesh_gather *gather, const struct gather_call *call, struct text *why);

#endif
