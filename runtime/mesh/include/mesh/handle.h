/* One handle for every kind of device on which a program can run: a single device, a mesh of
 * devices, or a distributed device of several hosts (spec 3.1.5, 4.2). A program that calls only
 * these operations runs on all three kinds. Two implementations of the operations exist: one for
 * mesh devices (a single device is a mesh of one device), and one for distributed devices. An
 * operation that an implementation does not offer returns an error.
 *
 * Each implementation has its own buffers, tensors and traces. So buffers, tensors and traces are
 * opaque, belong to the handle that made them, and must not be given to another handle. Programs
 * and workloads are descriptions that the host holds (mesh/description.h). They are made and freed
 * through the handle, and the implementation manages their state on devices. Queues are numbers,
 * and events are values without addresses, so that both can be sent to another host.
 *
 * The distributed device uses one mesh device per host. Each call becomes a message to the hosts
 * that own devices of the range. A range counts rows and columns over all hosts. A buffer consists
 * of one mesh buffer per host; all hosts allocate it in lock-step at one address. An event has one
 * id on all hosts, and is reached when all hosts report it. A call that does not block returns
 * before the other hosts have received the message.
 *
 * A buffer in system memory (spec 3.3.3) has a copy on each host. The host's executor maps this
 * copy for its devices, and writes and reads it. A write stores the data on every host that has
 * devices of the mesh; a read gets the data from the first of these hosts.
 *
 * The distributed device returns UNSUPPORTED for pinned memory of the caller (spec 4.9): the
 * controller has no devices, and an executor's devices read only memory that this executor maps.
 * Instead, executors pin memory of their own and receive data into it. The distributed device also
 * returns UNSUPPORTED for buffers in the trace region, which each host allocates by itself. */
#ifndef MESH_HANDLE_H
#define MESH_HANDLE_H

#include "command/launch.h"
#include "mesh/mesh.h"
#include "mesh/queue.h"
#include "mesh/sub_device.h"
#include "mesh/tensor.h"

struct handle_buffer; /* opaque: a buffer of the implementation (mesh/buffer.h) */
struct handle_tensor; /* opaque: a tensor of the implementation (mesh/tensor.h) */
struct handle_trace;  /* opaque: a trace of the implementation (mesh/trace.h) */

/* The head of a device of any kind. open() of the implementation makes the device. */
struct device_handle {
	const struct handle_ops *ops;
	uint32_t number; /* number of the device, different for each device that the system opens;
			  * handle_event.device contains this number */
};

/* A point in the stream of a queue (mesh/event.h). Filled in by record(). Callers may read and copy
 * the members. */
struct handle_event {
	struct device_range range;
	uint32_t device; /* number of the handle that recorded the event */
	uint32_t queue;
	uint32_t id;
	uint32_t operation; /* operation number of the recording call */
	bool to_host;	    /* if false, only other queues can wait for the event */
	uint32_t capture;   /* id of the trace that captured the event; 0: none */
};

/* How a call is made: through which queue, whether it blocks, and under which operation number it
 * is recorded. */
struct handle_call {
	uint32_t queue;
	bool blocking;
	uint32_t operation;
};

/* The position of the devices in their machine. If links join several hosts, the machine has the
 * chips of all these hosts. */
struct handle_machine {
	/* the cluster of the devices; NULL: the devices belong to several hosts that links join */
	struct cluster *cluster;
	struct mesh_shape shape;
	struct mesh_offset offset;
};

/* The operations of one implementation, which sets every member. An operation without a comment
 * acts like the function of the same name in mesh/mesh.h, mesh/buffer.h, mesh/program.h,
 * mesh/queue.h, mesh/event.h, mesh/sub_device.h, mesh/tensor.h or mesh/trace.h, and returns the
 * same results and errors. An operation that returns a status returns UNSUPPORTED if the
 * implementation cannot perform it. */
struct handle_ops {
	const char *name; /* name of the implementation, for example "mesh" */

	/* Like mesh_open() and mesh_close(). */
	enum status (*open)(struct mesh_system *system, const struct mesh_config *config,
		struct text *why, struct device_handle **handle);
	void (*close)(struct device_handle *handle);

	/* The shape covers the devices of all hosts together. */
	struct mesh_shape (*shape)(const struct device_handle *handle);
	uint32_t (*queue_count)(const struct device_handle *handle);

	/* Return properties that are the same on all devices (spec 3.1.3): the tiles, the limits of
	 * programs, and the memory used in every bank or worker. */
	const struct chip_geometry *(*geometry)(const struct device_handle *handle);
	const struct program_limits *(*limits)(const struct device_handle *handle);
	struct allocator_usage (*memory_usage)(
		const struct device_handle *handle, enum buffer_type type);

	enum status (*sub_devices_load)(struct device_handle *handle,
		const struct sub_devices_config *config, struct text *why);
	enum status (*sub_devices_clear)(struct device_handle *handle, struct text *why);
	enum status (*sub_devices_create)(struct device_handle *handle,
		const struct sub_devices_config *config, uint32_t *division, struct text *why);
	enum status (*sub_devices_switch)(
		struct device_handle *handle, uint32_t division, uint32_t queue, struct text *why);
	struct allocator_usage (*sub_device_usage)(
		const struct device_handle *handle, uint32_t sub_device);

	/* Like mesh_caller_place(). */
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
	/* Write and read the part of one device. `row` and `column` are its position in shape(). */
	enum status (*write_shard)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, uint16_t row, uint16_t column, const void *data);
	enum status (*read_shard)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, uint16_t row, uint16_t column, void *data);
	/* Write and read a part of a buffer (mesh/queue.h). Return UNSUPPORTED if the part has
	 * pages on devices of several hosts. */
	enum status (*write_region)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, const struct buffer_region *region, const void *data);
	enum status (*read_region)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, const struct buffer_region *region, void *data);
	enum status (*write_pinned)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, const struct host_memory *memory, uint64_t offset);
	enum status (*read_pinned)(struct device_handle *handle, struct handle_call call,
		struct handle_buffer *buffer, struct host_memory *memory, uint64_t offset);
	enum status (*run)(
		struct device_handle *handle, struct handle_call call, struct workload *workload);
	/* Runs a program on all devices (spec 3.7, EnqueueProgram) by enqueueing the program's own
	 * workload. */
	enum status (*run_program)(
		struct device_handle *handle, struct handle_call call, struct program *program);

	/* write_tensor() and read_tensor() write or read a whole tensor and always block: they
	 * ignore `call.blocking`. */
	enum status (*tensor_new)(struct device_handle *handle, const struct layout *layout,
		struct text *why, struct handle_tensor **tensor);
	void (*tensor_free)(struct handle_tensor *tensor);
	struct handle_buffer *(*tensor_buffer)(const struct handle_tensor *tensor);
	struct device_range (*tensor_read_range)(const struct handle_tensor *tensor);
	enum status (*write_tensor)(struct device_handle *handle, struct handle_call call,
		struct handle_tensor *tensor, const struct tensor_source *source);
	enum status (*read_tensor)(struct device_handle *handle, struct handle_call call,
		struct handle_tensor *tensor, const struct tensor_sink *sink);

	/* record() and wait() ignore `call.blocking`. wait() blocks the queue, and synchronize()
	 * blocks the calling thread. wait() and synchronize() return INVALID for an event of
	 * another handle. */
	enum status (*record)(struct device_handle *handle, struct handle_call call,
		struct device_range range, bool to_host, struct handle_event *event);
	enum status (*wait)(struct device_handle *handle, struct handle_call call,
		const struct handle_event *event);
	enum status (*synchronize)(struct device_handle *handle, const struct handle_event *event,
		int64_t deadline_ns);
	enum status (*finish)(struct device_handle *handle, uint32_t queue, uint32_t operation,
		int64_t deadline_ns);
	/* Like queue_finish_of(). */
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

	/* resources() returns the resources of the machines that the device uses. counters() copies
	 * the counters of the device (spec 3.1.3). Both are meant for reports and checks; programs
	 * should not use them. */
	const struct mesh_resources *(*resources)(const struct device_handle *handle);
	void (*counters)(const struct device_handle *handle, struct mesh_counters *counters);

	/* Blocks until all activity on the machines of the device has ended, including activity of
	 * other mesh devices. Returns OK or TIMEOUT. Takes no time on the machines. */
	enum status (*rest)(struct device_handle *handle, int64_t deadline_ns);

	/* Fills in *result with the result that the latest launches have left on a core of one
	 * device. `row` and `column` are the device's position in shape(). `core` is a worker's
	 * index in row-major order; Ethernet cores follow the workers. Call this only while the
	 * device is at rest. Returns OK. Returns OUT_OF_RANGE if there is no such device or core,
	 * and ELIDED if the bytes are not simulated. */
	enum status (*core_result)(struct device_handle *handle, uint16_t row, uint16_t column,
		uint32_t core, struct launch_result *result);

	/* Fills in *machine with the chips on which the device runs. Code that measures the fabric
	 * places its own stages on these chips, beside the stages of the runtime. Returns OK.
	 * Returns UNSUPPORTED if the devices belong to several hosts that no links join. */
	enum status (*machine)(const struct device_handle *handle, struct handle_machine *machine);
};

/* Returns implementation `index`, counted from 0; NULL if there is no such implementation. */
const struct handle_ops *handle_row(size_t index);

#endif
