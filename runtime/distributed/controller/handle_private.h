/* The distributed device inside its room. Of the main thread alone. */
#ifndef DISTRIBUTED_HANDLE_PRIVATE_H
#define DISTRIBUTED_HANDLE_PRIVATE_H

#include "controller_private.h"
#include "distributed/common/compiled.h"
#include "memory/placement.h"
#include "mesh/program.h"
#include "mesh/sub_device.h"

/* Numbers that are given back, the lowest first. */
struct numbers {
	bool *used;
	uint32_t count;
};

/* What executors know of a workload. */
struct sent_set {
	uint32_t generation;
	bool sent;
};

struct sent_workload {
	uint64_t generation; /* of the whole, when it was looked at last */
	uint32_t number, hosts;
	struct claim *claim;   /* on memory of its binaries; NULL: the controller gives none */
	struct sent_set *sets; /* of each program, then of its ranges */
	uint32_t set_count;
	struct sent_commands *commands; /* [program]; NULL: none were assembled */
	uint32_t command_count, commands_as;
	uint64_t commands_generation; /* of the whole, that is in them */
	bool commands_too_long;	      /* for a message: executors assemble */
};

/* Launches of a program, assembled for hosts with devices that do not run it, and without. */
struct sent_commands {
	struct assembled *to[2];
};

/* A read of a trace, which is its call `call` (from 1); every replay fills `data`. */
struct captured_read {
	uint32_t call, hosts;
	bool one; /* of one device */
	struct mesh_spread spread;
	void *data;
};

/* A trace that a queue captures; number 0: none. */
struct capturing {
	uint32_t number, calls, records;
	struct captured_read *reads;
	uint32_t read_count;
	uint32_t launches, waits; /* of all that was captured */
};

struct distributed {
	struct device_handle handle; /* first */
	struct controller *controller;
	struct mesh_config config;
	struct mesh_shape shape;
	struct allocator *memory[BUFFER_TYPE_COUNT];
	struct monitor *shared;	     /* of DRAM, which executors ask for, too; NULL: they do not */
	uint32_t under_way;	     /* requests, and what is freed behind them; in it */
	uint64_t l1_first, l1_bytes; /* that buffers may take of a worker's */
	struct allocator *sub_device_l1[SUB_DEVICES_MAX]; /* NULL: none of its own */
	const struct chip_geometry *geometry;
	struct mesh_resources resources; /* of all hosts together */
	struct program_site *site;
	struct numbers buffers, workloads, traces;
	struct sent_workload **sent; /* [workload_id] */
	uint32_t sent_count;
	uint32_t event; /* the last one */
	struct compiled compiled;
	struct capturing capturing[MESH_COMMAND_QUEUES_MAX];
	/* Since a finish: sub-devices with launches, a bit each, and QUEUE_SENT. */
	uint32_t busy[MESH_COMMAND_QUEUES_MAX];
};

struct spread_buffer {
	struct distributed *of;
	uint32_t number;
	uint64_t address;
	struct allocator *local; /* of its sub-device, which gave it; NULL: memory.c did */
	uint32_t sub_devices;	 /* whose programs may use it, a bit each */
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

/* Hosts that have devices of a range. */
uint32_t distributed_hosts(const struct distributed *of, struct device_range range);

/* Whether the queue is there; INVALID if the call would block while it captures. */
enum status distributed_check(const struct distributed *of, struct handle_call call);

/* What executors are told that the call is: its operation; or, where its queue captures, the number
 * among the trace's calls, as which it is counted. */
uint32_t distributed_counted(struct distributed *of, struct handle_call call);

/* If the queue captures: what is captured launches on these sub-devices, and waits for those. */
void distributed_capture(struct distributed *of, uint32_t queue, uint32_t launches, uint32_t waits);

void distributed_called(uint32_t operation, uint32_t queue);
enum status distributed_returned(uint32_t operation, uint32_t queue, enum status status);

/* Sends an order and, if the call blocks, waits for the answers of its hosts and marks SEEN. */
enum status distributed_forward(
	struct distributed *of, struct order *order, struct handle_call call);

/* Where the lowest buffer begins in the L1 of a sub-device's workers. */
uint64_t distributed_lowest(const struct distributed *of, uint32_t sub_device);
void distributed_forget_sub_devices(struct distributed *of);

/* Writes a part of device_bytes, which it takes, to one device, or to all of a replicated buffer
 * (NULL), without blocking. */
enum status distributed_write_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, const struct device_range *device, uint8_t *data);

/* Asks for the part of one device, to be waited for by table_wait(); `data` takes it until then. */
struct awaited *distributed_read_part(struct distributed *of, struct handle_call call,
	struct handle_buffer *buffer, struct device_range device, uint8_t *data);

/* Waits until all that a queue was sent is complete on all hosts, programs on these sub-devices
 * among it and no others (a bit each), and marks SEEN. */
enum status distributed_finish(
	struct distributed *of, struct handle_call call, uint32_t sub_devices, int64_t deadline_ns);

/* A sentence for controller_why(). */
enum status distributed_refuse(struct distributed *of, enum status status, const char *why);

/* ---- what the table calls ---- */
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

/* ---- memory.c: what the main thread does ---- */

/* As allocator_take(): where requests are under way, only with them is there no space. */
enum status memory_take(struct distributed *of, enum buffer_type type, uint64_t bytes,
	bool bottom_up, uint64_t *address, struct text *why);

/* Frees what the order, which is to be forwarded then, tells executors is free. */
void memory_release(
	struct distributed *of, enum buffer_type type, uint64_t address, struct order *order);
/* The same of a claim, which it takes; NULL is allowed. */
void memory_drop(struct distributed *of, struct claim *claim, struct order *order);

/* Executors that `asked` was made of are to say what they want; forward the order, which says where
 * it is, at once. */
struct claim *memory_ask(struct distributed *of, struct awaited *asked, struct order *order);

/* Waits until no request is under way. */
void memory_settle(struct distributed *of);

/* ---- handle_binaries.c ---- */

/* Makes and places the binaries of a workload, before and after executors are told of it; whatever
 * the rows of allocation and compile leave to the controller. NO_SPACE, with controller_why(). */
void binaries_compile(struct distributed *of, struct workload *workload);
enum status binaries_place(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue, struct order *description);
/* Behind the order, they are free. */
void binaries_release(struct distributed *of, struct sent_workload *sent, struct order *order);
/* Whether there was no memory for them when executors asked. */
bool binaries_refused(const struct sent_workload *sent);

/* Has executors hold the commands of the next launch of a workload, where the rows of allocation
 * have the controller assemble them: their generation. 0: executors assemble this one. */
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
