/* One handle for whatever a program runs on: a device, a mesh of devices, and later a distributed
 * device of several hosts (spec 3.1.5, 4.2). A program that calls nothing but these operations runs
 * on all three. Refuses nothing itself: what a kind cannot do, its row refuses.
 *
 * A device is a mesh of one. Objects that differ between the kinds (buffers, workloads, traces) are
 * opaque, belong to the handle that made them, and may be given to no other. Programs and workloads
 * are descriptions that the host holds (mesh/description.h), made and freed through the handle:
 * what devices keep of them is the row's. Queues have numbers, not addresses, and events are values
 * without addresses, so that both can be named to another host.
 *
 * What this decides for the distributed device: it is a row of this table over one mesh device per
 * host. Each call becomes a message to the hosts whose devices the range has. A range counts rows
 * and columns over all hosts; a buffer is one mesh buffer per host at one address, allocated in
 * lock-step; an event has one id on all hosts, reached when all of them say so; and a call returns
 * before the others have it unless it blocks.
 *
 * Tensors, fabric measurements and the look into cores' memory are of meshes still (below:
 * handle_mesh()).
 */
#ifndef MESH_HANDLE_H
#define MESH_HANDLE_H

#include "mesh/mesh.h"
#include "mesh/queue.h"

struct handle_buffer; /* opaque: a buffer of the row (mesh/buffer.h) */
struct handle_trace;  /* opaque: a trace of the row (mesh/trace.h) */

/* What each kind of device is known by; made by its row's open(). */
struct device_handle {
	const struct handle_ops *ops;
	uint32_t number; /* among those that its system has opened; its events have it, too */
};

/* A point in the stream of a queue (mesh/event.h). Open value, filled by record(). */
struct handle_event {
	struct device_range range;
	uint32_t device; /* number of the handle that recorded it */
	uint32_t queue;
	uint32_t id;
	uint32_t operation; /* that recorded it */
	bool to_host;	    /* false: other queues only */
	uint32_t capture;   /* the trace that it was captured for; 0: none */
};

/* How a call is made: through which queue, whether it waits, its number for the recorder. */
struct handle_call {
	uint32_t queue;
	bool blocking;
	uint32_t operation;
};

/* A kind of device. Where nothing is said, functions are those of mesh/buffer.h, mesh/event.h,
 * mesh/host_memory.h, mesh/program.h, mesh/queue.h and mesh/trace.h with the same results and
 * errors. */
struct handle_ops {
	const char *name; /* "mesh" */

	/* As mesh_open() and mesh_close(). */
	enum status (*open)(struct mesh_system *system, const struct mesh_config *config,
		struct text *why, struct device_handle **handle);
	void (*close)(struct device_handle *handle);

	/* Devices, all hosts' together, and queues. */
	struct mesh_shape (*shape)(const struct device_handle *handle);
	uint32_t (*queue_count)(const struct device_handle *handle);

	enum status (*buffer_new)(struct device_handle *handle, const struct mesh_layout *layout,
		const struct buffer_config *config, struct text *why,
		struct handle_buffer **buffer);
	void (*buffer_free)(struct handle_buffer *buffer);
	uint64_t (*buffer_bytes)(const struct handle_buffer *buffer);
	uint64_t (*buffer_device_bytes)(const struct handle_buffer *buffer);
	struct device_range (*buffer_read_range)(const struct handle_buffer *buffer);
	enum status (*host_memory_new)(struct device_handle *handle, uint64_t bytes,
		struct text *why, struct host_memory **memory);

	struct program *(*program_new)(struct device_handle *handle, const char *name);
	void (*program_free)(struct device_handle *handle, struct program *program);
	struct workload *(*workload_new)(struct device_handle *handle);
	void (*workload_free)(struct device_handle *handle, struct workload *workload);
	enum status (*workload_check)(const struct device_handle *handle,
		const struct workload *workload, struct text *why);

	enum status (*write)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, const void *data);
	enum status (*read)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, void *data);
	/* Of one device's part, at a row and column of shape(). */
	enum status (*write_shard)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, uint16_t row, uint16_t column, const void *data);
	enum status (*read_shard)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, uint16_t row, uint16_t column, void *data);
	enum status (*write_pinned)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, const struct host_memory *memory, uint64_t offset);
	enum status (*read_pinned)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, struct host_memory *memory, uint64_t offset);
	enum status (*run)(
		struct device_handle *handle, struct handle_call call, struct workload *workload);

	/* `call.blocking` says nothing of the next two. wait() holds the queue, synchronize() the
	 * calling thread. Both are INVALID for an event of another handle. */
	enum status (*record)(struct device_handle *handle, struct handle_call call,
		struct device_range range, bool to_host, struct handle_event *event);
	enum status (*wait)(struct device_handle *handle, struct handle_call call,
		const struct handle_event *event);
	enum status (*synchronize)(struct device_handle *handle, const struct handle_event *event,
		int64_t deadline_ns);
	enum status (*finish)(struct device_handle *handle, uint32_t queue, uint32_t operation,
		int64_t deadline_ns);

	enum status (*trace_begin)(struct device_handle *handle, uint32_t queue, struct text *why);
	enum status (*trace_end)(struct device_handle *handle, uint32_t queue, struct text *why,
		struct handle_trace **trace);
	enum status (*replay)(struct device_handle *handle, struct handle_call call,
		struct handle_trace *trace, uint32_t first_operation);
	enum status (*trace_event)(struct device_handle *handle, const struct handle_trace *trace,
		const struct handle_event *captured, struct handle_event *event);
	void (*trace_free)(struct handle_trace *trace);
};

/* The kinds in the order in which they came; `index` counts from 0, NULL behind the last. */
const struct handle_ops *handle_row(size_t index);

/* The mesh device below, or NULL if the handle is of more than one. */
struct mesh_device *handle_mesh(const struct device_handle *handle);

#endif
