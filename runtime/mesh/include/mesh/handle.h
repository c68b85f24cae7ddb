/* One handle for whatever a program runs on: a device, a mesh of devices, a distributed
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
 * What it refuses, with UNSUPPORTED: pinned and system memory (spec 3.3.3, 4.9), which are of the
 * host whose PCIe the devices are behind, and no other host's devices reach them; executors pin
 * what they receive into themselves. Buffers in the trace region, where each host allocates.
 */
#ifndef MESH_HANDLE_H
#define MESH_HANDLE_H

#include "command/launch.h"
#include "mesh/mesh.h"
#include "mesh/queue.h"
#include "mesh/sub_device.h"
#include "mesh/tensor.h"

struct handle_buffer; /* opaque: a buffer of the row (mesh/buffer.h) */
struct handle_tensor; /* opaque: a tensor of the row (mesh/tensor.h) */
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

/* Where the devices are, if they are all of one cluster that this host reaches. */
struct handle_machine {
	struct cluster *cluster;
	struct mesh_shape shape;
	struct mesh_offset offset;
};

/* A kind of device. Every row has every operation. Where nothing is said, functions are those of
 * mesh/mesh.h, mesh/buffer.h, mesh/event.h, mesh/host_memory.h, mesh/program.h, mesh/queue.h,
 * mesh/sub_device.h, mesh/tensor.h and mesh/trace.h with the same results and errors; those that
 * give a status may also say UNSUPPORTED, in a row that cannot do it at all. */
struct handle_ops {
	const char *name; /* "mesh" */

	/* As mesh_open() and mesh_close(). */
	enum status (*open)(struct mesh_system *system, const struct mesh_config *config,
		struct text *why, struct device_handle **handle);
	void (*close)(struct device_handle *handle);

	/* Devices, all hosts' together, and queues. */
	struct mesh_shape (*shape)(const struct device_handle *handle);
	uint32_t (*queue_count)(const struct device_handle *handle);

	/* Queries (spec 3.1.3) of what all devices have alike: their tiles; what programs may use
	 * of them; memory, of every bank or worker. */
	const struct chip_geometry *(*geometry)(const struct device_handle *handle);
	const struct program_limits *(*limits)(const struct device_handle *handle);
	struct allocator_usage (*memory_usage)(
		const struct device_handle *handle, enum buffer_type type);

	enum status (*sub_devices_load)(struct device_handle *handle,
		const struct sub_devices_config *config, struct text *why);
	enum status (*sub_devices_clear)(struct device_handle *handle, struct text *why);
	struct allocator_usage (*sub_device_usage)(
		const struct device_handle *handle, uint32_t sub_device);

	/* As mesh_caller_place(). */
	struct affinity (*caller_place)(struct device_handle *handle);

	enum status (*buffer_new)(struct device_handle *handle, const struct mesh_layout *layout,
		const struct buffer_config *config, struct text *why,
		struct handle_buffer **buffer);
	void (*buffer_free)(struct handle_buffer *buffer);
	uint32_t (*buffer_address)(const struct handle_buffer *buffer);
	uint64_t (*buffer_bytes)(const struct handle_buffer *buffer);
	uint64_t (*buffer_device_bytes)(const struct handle_buffer *buffer);
	struct device_range (*buffer_read_range)(const struct handle_buffer *buffer);
	const struct placement *(*buffer_placement)(const struct handle_buffer *buffer);
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
	/* One program on all devices (spec 3.7, EnqueueProgram): its own workload. */
	enum status (*run_program)(
		struct device_handle *handle, struct handle_call call, struct program *program);

	/* Tensors are written and read as a whole: `call.blocking` says nothing. */
	enum status (*tensor_new)(struct device_handle *handle, const struct layout *layout,
		struct text *why, struct handle_tensor **tensor);
	void (*tensor_free)(struct handle_tensor *tensor);
	struct handle_buffer *(*tensor_buffer)(const struct handle_tensor *tensor);
	struct device_range (*tensor_read_range)(const struct handle_tensor *tensor);
	enum status (*write_tensor)(struct device_handle *handle, struct handle_call call,
		struct handle_tensor *tensor, const struct tensor_source *source);
	enum status (*read_tensor)(struct device_handle *handle, struct handle_call call,
		struct handle_tensor *tensor, const struct tensor_sink *sink);

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
	/* As queue_finish_of(). */
	enum status (*finish_of)(struct device_handle *handle, uint32_t queue, uint32_t sub_devices,
		uint32_t operation, int64_t deadline_ns);

	enum status (*trace_begin)(struct device_handle *handle, uint32_t queue, struct text *why);
	enum status (*trace_end)(struct device_handle *handle, uint32_t queue, struct text *why,
		struct handle_trace **trace);
	enum status (*replay)(struct device_handle *handle, struct handle_call call,
		struct handle_trace *trace, uint32_t first_operation);
	enum status (*trace_event)(struct device_handle *handle, const struct handle_trace *trace,
		const struct handle_event *captured, struct handle_event *event);
	uint32_t (*trace_sub_devices)(const struct handle_trace *trace);
	void (*trace_free)(struct handle_trace *trace);

	/* For reports and checks, not for programs. What it takes of its machines; what it has
	 * counted (spec 3.1.3). */
	const struct mesh_resources *(*resources)(const struct device_handle *handle);
	void (*counters)(const struct device_handle *handle, struct mesh_counters *counters);

	/* Blocks until nothing is under way on any machine of its devices, also of others' doing:
	 * OK, or TIMEOUT. Takes no time of theirs. */
	enum status (*rest)(struct device_handle *handle, int64_t deadline_ns);

	/* What the launches so far have left on a core (a worker's index in row-major order, or
	 * behind them an Ethernet core's) of the device at a row and column of shape(). Only while
	 * it rests. OUT_OF_RANGE (no such device or core); ELIDED. */
	enum status (*core_result)(struct device_handle *handle, uint16_t row, uint16_t column,
		uint32_t core, struct launch_result *result);

	/* For measurements that put stages of their own on the devices, beside the runtime's.
	 * UNSUPPORTED if the devices are of several machines, or of another host's. */
	enum status (*machine)(const struct device_handle *handle, struct handle_machine *machine);
};

/* The kinds in the order in which they came; `index` counts from 0, NULL behind the last. */
const struct handle_ops *handle_row(size_t index);

#endif
