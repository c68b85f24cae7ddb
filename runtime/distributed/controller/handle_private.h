/* Declarations for the files of the distributed device. Only the main thread uses them. */
#ifndef DISTRIBUTED_HANDLE_PRIVATE_H
#define DISTRIBUTED_HANDLE_PRIVATE_H

#include "controller_private.h"
#include "distributed/common/described.h"
#include "memory/placement.h"
#include "mesh/event.h"
#include "mesh/program.h"
#include "mesh/sub_device.h"

/* A set of numbers. Free numbers are reused, the lowest first. */
struct numbers {
	bool *used;
	uint32_t count;
};

/* The state of a set of arguments at the executors. */
struct sent_set {
	uint32_t generation;
	bool sent;
};

struct sent_workload {
	uint64_t generation; /* generation of the whole workload at the last check */
	uint32_t number, hosts;
	struct claim *claim;   /* the claim of memory for the binaries; NULL if the controller
				* allocates no memory for them */
	struct sent_set *sets; /* argument sets: first one set for each program, for all devices,
				* and then the sets for ranges of devices (slot_of()) */
	uint32_t set_count;
	struct sent_commands *commands; /* [program] assembled commands; NULL: none */
	uint32_t command_count, commands_as;
	uint64_t commands_generation; /* generation that the workload had when `commands` were
				       * assembled */
	bool commands_too_long;	      /* true: the commands are too long for a message, so the
				       * executors assemble them */
};

/* The assembled commands that launch a program, in two versions. A host gets to[1] if all of its
 * devices run the program, to[0] if only some of them do, and nothing if none does. If parts->spans
 * is set, all hosts get the same version: to[1] if all devices of the mesh run the program,
 * otherwise to[0]. */
struct sent_commands {
	struct assembled *to[2];
};

/* A captured read, which is call number `call` (from 1) of a trace. Every replay of the trace
 * stores the data of the read in `data`. */
struct captured_read {
	uint32_t call, hosts;
	bool one; /* the read is from a single device */
	struct mesh_spread spread;
	void *data;
};

/* The trace that a queue is capturing; its number is 0 if the queue captures nothing. */
struct capturing {
	uint32_t number, calls, records;
	struct captured_read *reads;
	uint32_t read_count;
	uint32_t launches, waits; /* sub-devices of all captured launches and waits, one bit each */
};

struct distributed {
	struct device_handle handle; /* must be the first member */
	struct controller *controller;
	struct mesh_parts *parts;
	struct mesh_config config;
	struct mesh_shape shape;
	struct allocator *memory[BUFFER_TYPE_COUNT];
	struct monitor *shared;	     /* protects the allocator of DRAM; NULL if only the main thread
				      * allocates, because executors do not request DRAM */
	uint32_t under_way;	     /* number of memory requests that are not served yet, plus
				      * the number of releases that wait for such requests;
				      * protected by `shared` */
	uint64_t l1_first, l1_bytes; /* range of a worker's L1 that buffers may use */
	struct allocator *sub_device_l1[SUB_DEVICES_MAX]; /* [sub-device] allocator of its local L1;
							   * NULL: the sub-device has no local L1 */
	const struct chip_geometry *geometry;
	struct mesh_resources resources; /* resources of all hosts together */
	struct program_site *site;
	struct numbers buffers, workloads, traces;
	struct sent_workload **sent; /* [workload_id] */
	uint32_t sent_count;
	uint32_t event;	      /* id of the last event */
	uint32_t routes_sent; /* number of routes of the site that were sent to hosts */
	struct compiled compiled;
	struct capturing capturing[MESH_COMMAND_QUEUES_MAX];
	/* [queue] the sub-devices on which programs were launched since the last finish, one bit
	 * each. Also the bit QUEUE_SENT, if anything was sent since then */
	uint32_t busy[MESH_COMMAND_QUEUES_MAX];
};

struct spread_buffer {
	struct distributed *of;
	uint32_t number;
	uint64_t address;
	struct allocator *local; /* allocator of the sub-device, if the buffer lies in a
				  * sub-device's local L1; otherwise NULL, and memory.c allocated
				  * the buffer */
	uint32_t sub_devices;	 /* sub-devices whose programs may use the buffer, one bit each */
	struct mesh_spread spread;
	struct placement placement;
};

struct spread_trace {
	struct distributed *of;
	uint32_t number, queue, capture, records;
	struct captured_read *reads;
	uint32_t read_count;
	uint32_t launches, waits;
	bool replayed;
};

static inline struct distributed *distributed_of(const struct device_handle *handle)
{
	union {
		const struct device_handle *from;
		struct distributed *to;
	} cast = {handle};

	return cast.to;
}

static inline const struct allocation_ops *distributed_allocation(const struct distributed *of)
{
	const struct allocation_ops *row = of->controller->settings.allocation;

	return row != NULL ? row : allocation_row(0);
}

static inline const struct compile_ops *distributed_compile(const struct distributed *of)
{
	const struct compile_ops *row = of->controller->settings.compile;

	return row != NULL ? row : compile_row(0);
}

uint32_t numbers_take(struct numbers *numbers);
void numbers_give_back(struct numbers *numbers, uint32_t number);

/* Returns the hosts with devices in the range. */
uint32_t distributed_hosts(const struct distributed *of, struct device_range range);

/* Returns the hosts that get a command for the devices in the range. If every host opens the
 * devices of all hosts as one mesh, all hosts of the mesh get the command, because all of them must
 * count it. */
uint32_t distributed_takers(const struct distributed *of, struct device_range range);

/* Returns OUT_OF_RANGE if the queue does not exist, and INVALID if the call would block while the
 * queue captures a trace. Otherwise returns the fault of a host, or OK if no host has a fault. */
enum status distributed_check(const struct distributed *of, struct handle_call call);

/* Counts the call, and returns the operation number that is sent to executors. If the call's queue
 * captures a trace, this is the number of the call in the trace; otherwise it is the operation
 * number of the call itself. */
uint32_t distributed_counted(struct distributed *of, struct handle_call call);

/* If the queue is capturing, adds the sub-devices of launches and of waits to its capture. */
void distributed_capture(struct distributed *of, uint32_t queue, uint32_t launches, uint32_t waits);

void distributed_called(uint32_t operation, uint32_t queue);
enum status distributed_returned(uint32_t operation, uint32_t queue, enum status status);

/* Sends an order. If the call blocks, waits for the answers of its hosts and marks SEEN. */
enum status distributed_forward(
	struct distributed *of, struct order *order, struct handle_call call);

/* Returns the address of the lowest buffer in the L1 of a sub-device's workers. */
uint64_t distributed_lowest(const struct distributed *of, uint32_t sub_device);
void distributed_forget_sub_devices(struct distributed *of);

/* Writes `data` to one device. The size of `data` is the buffer's device_bytes. If `device` is
 * NULL, writes `data` to all devices of a replicated buffer. Takes ownership of `data`. Does not
 * block. */
enum status distributed_write_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, const struct device_range *device, uint8_t *data);

/* Requests the data of the buffer on one device. The caller waits with table_wait(); until then,
 * `data` must stay valid. */
struct awaited *distributed_read_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, struct device_range device, uint8_t *data);

/* Waits until all work of a queue is complete on all hosts, and then marks the operation as SEEN.
 * Does not wait for programs that run only on sub-devices outside `sub_devices` (one bit each). */
enum status distributed_finish(
	struct distributed *of, struct handle_call call, uint32_t sub_devices, int64_t deadline_ns);

/* Sets the sentence that controller_why() returns, and returns the status. */
enum status distributed_refuse(struct distributed *of, enum status status, const char *why);

/* ---- operations of the table ---- */
extern const struct handle_ops distributed_row;

enum status on_distributed_buffer_new(struct device_handle *handle,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why,
	struct handle_buffer **buffer);
void on_distributed_buffer_free(struct handle_buffer *buffer);
uint64_t on_distributed_buffer_bytes(const struct handle_buffer *buffer);
uint64_t on_distributed_buffer_device_bytes(const struct handle_buffer *buffer);
struct device_range on_distributed_buffer_read_range(const struct handle_buffer *buffer);
const struct placement *on_distributed_buffer_placement(const struct handle_buffer *buffer);

enum status on_distributed_write(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const void *data);
enum status on_distributed_read(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, void *data);
enum status on_distributed_write_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, const void *data);
enum status on_distributed_read_shard(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, uint16_t row, uint16_t column, void *data);

struct program *on_distributed_program_new(struct device_handle *handle, const char *name);
void on_distributed_program_free(struct device_handle *handle, struct program *program);
struct workload *on_distributed_workload_new(struct device_handle *handle);
void on_distributed_workload_free(struct device_handle *handle, struct workload *workload);
enum status on_distributed_workload_check(
	const struct device_handle *handle, const struct workload *workload, struct text *why);
enum status on_distributed_run(
	struct device_handle *handle, struct handle_call call, struct workload *workload);
void distributed_forget_workloads(struct distributed *of);

/* ---- memory.c: for the main thread ---- */

/* Finds the memory that is free at the same addresses on all hosts, from the reports of the
 * executors, and makes the allocators for it. Returns INVALID, with a sentence in `why`, if there
 * is no such memory. */
enum status memory_find(struct distributed *of, struct text *why);

/* Allocates memory like allocator_take(). If there is no space while an executor's request is not
 * served yet, waits and then tries to allocate again, because other memory may have been released
 * in the meantime. So this function returns NO_SPACE only if all earlier requests are served. */
enum status memory_take(struct distributed *of, enum buffer_type type, uint64_t bytes,
	bool bottom_up, uint64_t *address, struct text *why);

/* Frees memory at the controller. `order` must be the command that frees the memory at the
 * executors; the caller must forward it after this call. */
void memory_release(
	struct distributed *of, enum buffer_type type, uint64_t address, struct order *order);
/* Frees the memory of a claim like memory_release(). Takes ownership of the claim; NULL is
 * allowed. */
void memory_drop(struct distributed *of, struct claim *claim, struct order *order);

/* Returns a claim for memory whose size is not known yet. The executors report the size in their
 * answers, which `asked` collects. `order` is the command that will tell the executors the address
 * of this memory. The caller must forward `order` at once. */
struct claim *memory_ask(struct distributed *of, struct awaited *asked, struct order *order);

/* Waits until all requests are served. */
void memory_settle(struct distributed *of);

/* ---- handle_binaries.c ---- */

/* The variants of `compile` and `allocation` decide what these functions do. binaries_compile()
 * compiles the kernels of a workload if the controller compiles. binaries_place() sends the
 * description of the workload. It also sends the binaries if the controller compiles, and the
 * address of the binaries' memory unless executors allocate this memory. It returns OK, or NO_SPACE
 * with a sentence in controller_why(). If executors first report how much memory they need
 * (allocation_ops.asks), the address is sent later; call binaries_refused() to find out whether
 * memory was missing. */
void binaries_compile(struct distributed *of, struct workload *workload);
enum status binaries_place(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue, struct order *description);
/* Frees the memory of the binaries when the order passes the stage of resolution. */
void binaries_release(struct distributed *of, struct sent_workload *sent, struct order *order);
/* Returns true if there was not enough memory for the executors' request. */
bool binaries_refused(const struct sent_workload *sent);

/* In the variants of `allocation` in which the controller assembles commands: ensures that
 * executors have the commands of the workload's next launch, and returns the generation of these
 * commands. Returns 0 if executors must assemble this launch themselves. */
uint32_t commands_assemble(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue);
void commands_forget(struct sent_workload *sent);

enum status on_distributed_record(struct device_handle *handle, struct handle_call call,
	struct device_range range, bool to_host, struct handle_event *event);
enum status on_distributed_wait(
	struct device_handle *handle, struct handle_call call, const struct handle_event *event);
enum status on_distributed_synchronize(
	struct device_handle *handle, const struct handle_event *event, int64_t deadline_ns);
enum status on_distributed_finish(
	struct device_handle *handle, uint32_t queue, uint32_t operation, int64_t deadline_ns);
enum status on_distributed_finish_of(struct device_handle *handle, uint32_t queue,
	uint32_t sub_devices, uint32_t operation, int64_t deadline_ns);

enum status on_distributed_trace_begin(
	struct device_handle *handle, uint32_t queue, struct text *why);
enum status on_distributed_trace_end(struct device_handle *handle, uint32_t queue, struct text *why,
	struct handle_trace **trace);
enum status on_distributed_replay(struct device_handle *handle, struct handle_call call,
	struct handle_trace *trace, uint32_t first_operation);
enum status on_distributed_trace_event(struct device_handle *handle,
	const struct handle_trace *trace, const struct handle_event *captured,
	struct handle_event *event);
uint32_t on_distributed_trace_sub_devices(const struct handle_trace *trace);
void on_distributed_trace_free(struct handle_trace *trace);

const struct chip_geometry *on_distributed_geometry(const struct device_handle *handle);
const struct program_limits *on_distributed_limits(const struct device_handle *handle);
struct allocator_usage on_distributed_memory_usage(
	const struct device_handle *handle, enum buffer_type type);
struct affinity on_distributed_caller_place(struct device_handle *handle);
const struct mesh_resources *on_distributed_resources(const struct device_handle *handle);
void on_distributed_counters(const struct device_handle *handle, struct mesh_counters *counters);
enum status on_distributed_rest(struct device_handle *handle, int64_t deadline_ns);
enum status on_distributed_core_result(struct device_handle *handle, uint16_t row, uint16_t column,
	uint32_t core, struct launch_result *result);
enum status on_distributed_machine(
	const struct device_handle *handle, struct handle_machine *machine);
enum status on_distributed_sub_devices_load(
	struct device_handle *handle, const struct sub_devices_config *config, struct text *why);
enum status on_distributed_sub_devices_clear(struct device_handle *handle, struct text *why);
enum status on_distributed_sub_devices_create(struct device_handle *handle,
	const struct sub_devices_config *config, uint32_t *division, struct text *why);
enum status on_distributed_sub_devices_switch(
	struct device_handle *handle, uint32_t division, uint32_t queue, struct text *why);
struct allocator_usage on_distributed_sub_device_usage(
	const struct device_handle *handle, uint32_t sub_device);
enum status on_distributed_tensor_new(struct device_handle *handle, const struct layout *layout,
	struct text *why, struct handle_tensor **tensor);
void on_distributed_tensor_free(struct handle_tensor *tensor);
struct handle_buffer *on_distributed_tensor_buffer(const struct handle_tensor *tensor);
struct device_range on_distributed_tensor_read_range(const struct handle_tensor *tensor);
enum status on_distributed_write_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_source *source);
enum status on_distributed_read_tensor(struct device_handle *handle, struct handle_call call,
	struct handle_tensor *tensor, const struct tensor_sink *sink);
uint32_t on_distributed_buffer_address(const struct handle_buffer *buffer);
enum status on_distributed_run_program(
	struct device_handle *handle, struct handle_call call, struct program *program);

#endif
