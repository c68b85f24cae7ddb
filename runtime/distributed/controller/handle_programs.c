/* Workloads. The controller describes a workload to the executors once, and then refers to it by
 * number (spec 4.4). If only the arguments of a workload have changed, the controller sends only
 * the arguments. It rejects a workload whose description does not fit into a message. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "handle_private.h"
#include "mesh/description.h"
#include "mesh/assembled.h"

_Static_assert((int)BOUND_PROCESSORS == (int)PROCESSOR_COUNT, "kernels of a core in a message");

struct program *on_distributed_program_new(struct device_handle *handle, const char *name)
{
	return program_new_at(distributed_of(handle)->site, name, 0);
}

struct workload *on_distributed_workload_new(struct device_handle *handle)
{
	return workload_new_at(distributed_of(handle)->site);
}

static void handle_programs_forget(struct distributed *of, uint32_t id)
{
	struct sent_workload *sent = of->sent[id];

	of->sent[id] = NULL;
	if (sent != NULL) {
		commands_forget(sent);
		free(sent->sets);
		free(sent->claim);
	}
	free(sent);
}

void distributed_forget_workloads(struct distributed *of)
{
	for (uint32_t i = 0; i < of->sent_count; i++)
		handle_programs_forget(of, i);
	free(of->sent);
}

static struct sent_workload *sent_of(const struct distributed *of, const struct workload *workload)
{
	uint32_t id = workload_id(workload);

	return id < of->sent_count ? of->sent[id] : NULL;
}

/* Makes the executors drop the workload, and drops the controller's record of it. */
static void handle_programs_drop(struct distributed *of, const struct workload *workload)
{
	const struct sent_workload *sent = sent_of(of, workload);
	struct order *order;

	if (sent == NULL)
		return;
	order = order_new(of->parts, WIRE_free_workload, 0, sent->hosts);
	order->command.free_workload.workload = sent->number;
	numbers_give_back(&of->workloads, sent->number);
	binaries_release(of, of->sent[workload_id(workload)], order);
	forward(of->controller, order);
	handle_programs_forget(of, workload_id(workload));
}

void on_distributed_workload_free(struct device_handle *handle, struct workload *workload)
{
	if (workload != NULL)
		handle_programs_drop(distributed_of(handle), workload);
	workload_free(workload);
}

void on_distributed_program_free(struct device_handle *handle, struct program *program)
{
	if (program != NULL)
		handle_programs_drop(distributed_of(handle), program_workload(program));
	program_free(program);
}

/* ---- checks ---- */

static enum status handle_programs_check_l1(
	const struct distributed *of, const struct workload *workload, struct text *why)
{
	for (uint32_t i = 0; i < workload_program_count(workload); i++) {
		const struct program *program = workload_program(workload, i).program;
		uint64_t lowest = distributed_lowest(of, program_of_sub_device(program));

		if (program_buffers_end(program) > lowest)
			return refuse(why, STATUS_NO_SPACE,
				"the circular buffers of program %s end at %u of L1, where a "
				"buffer begins at %llu",
				program_name(program), program_buffers_end(program),
				(unsigned long long)lowest);
	}
	return STATUS_OK;
}

/* Returns the bytes of all kernels' texts, over all programs. */
static uint64_t text_bytes(const struct workload *workload)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < workload_program_count(workload); i++) {
		const struct program *program = workload_program(workload, i).program;

		for (uint32_t k = 0; k < program_kernel_count(program); k++)
			if (program_kernel(program, k)->text != NULL)
				bytes += program_kernel(program, k)->bytes;
	}
	return bytes;
}

/* Numbers of kernels and other parts, over all programs. */
struct counts {
	uint32_t programs, kernels, buffers, semaphores;
};

static struct counts counts_of(const struct workload *workload)
{
	struct counts counts = {.programs = workload_program_count(workload)};

	for (uint32_t i = 0; i < counts.programs; i++) {
		const struct program *program = workload_program(workload, i).program;

		counts.kernels += program_kernel_count(program);
		counts.buffers += program_circular_buffer_count(program);
		counts.semaphores += program_semaphore_count(program);
	}
	return counts;
}

/* Returns the number of sets of cores that a message contains: a set for each kernel, each buffer
 * and each semaphore. */
static uint32_t parts_of(struct counts counts)
{
	return counts.kernels + counts.buffers + counts.semaphores;
}

static enum status check_program(const struct program *program, struct text *why)
{
	if (strlen(program_name(program)) <= BOUND_NAME_BYTES &&
		program_arguments(program).count <= BOUND_ARGUMENT_WORDS)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"program %s: a name above %d B or more than %d words of arguments",
		program_name(program), BOUND_NAME_BYTES, BOUND_ARGUMENT_WORDS);
}

static enum status check_message(const struct workload *workload, struct text *why)
{
	struct counts counts = counts_of(workload);
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < counts.programs && status == STATUS_OK; i++)
		status = check_program(workload_program(workload, i).program, why);
	if (status != STATUS_OK)
		return status;
	if (counts.programs > BOUND_PROGRAMS || parts_of(counts) > BOUND_PARTS)
		return refuse(why, STATUS_UNSUPPORTED,
			"%u programs with %u kernels, circular buffers and semaphores, at most %d "
			"and %d for other hosts",
			counts.programs, parts_of(counts), BOUND_PROGRAMS, BOUND_PARTS);
	if (text_bytes(workload) > BOUND_TEXT_BYTES)
		return refuse(why, STATUS_UNSUPPORTED,
			"kernels that act of %llu B together, at most %d for other hosts",
			(unsigned long long)text_bytes(workload), BOUND_TEXT_BYTES);
	return STATUS_OK;
}

enum status on_distributed_workload_check(
	const struct device_handle *handle, const struct workload *workload, struct text *why)
{
	enum status status = workload_check(workload, why);

	if (status == STATUS_OK)
		status = check_message(workload, why);
	return status == STATUS_OK ? handle_programs_check_l1(distributed_of(handle), workload, why)
				   : status;
}

/* ---- descriptions ---- */

struct lists {
	struct wire_program *programs;
	struct wire_cores *cores;
	struct wire_kernel *kernels;
	struct wire_circular_buffer *buffers;
	struct wire_semaphore *semaphores;
	uint8_t *texts;
	struct wire_enqueue_program *message;
};

static uint16_t add_cores(struct lists *lists, struct cores cores)
{
	uint16_t index = (uint16_t)lists->message->cores.count++;

	lists->cores[index] = cores_to_wire(cores);
	return index;
}

static void handle_programs_add_kernel(
	struct lists *lists, uint16_t program, const struct kernel_config *kernel)
{
	lists->kernels[lists->message->kernels.count++] = (struct wire_kernel){.program = program,
		.cores = add_cores(lists, kernel->cores),
		.processor = (uint8_t)kernel->processor,
		.copied = kernel->copied,
		.steps = kernel->steps,
		.bytes = kernel->bytes,
		.cycles = kernel->cycles,
		.unique_args = kernel->unique_args,
		.common_args = kernel->common_args,
		.acts = kernel->text != NULL,
		.table = kernel->table};
	if (kernel->text == NULL)
		return;
	memcpy(lists->texts + lists->message->texts.count, kernel->text, kernel->bytes);
	lists->message->texts.count += kernel->bytes;
}

static void handle_programs_add_program(
	struct lists *lists, struct arena *arena, const struct workload_program *part)
{
	const struct program *program = part->program;
	struct wire_range range = part_to_wire(part->range);
	uint16_t index = (uint16_t)lists->message->programs.count++;
	const char *name = arena_string(arena, program_name(program));

	lists->programs[index] =
		(struct wire_program){range.row, range.column, range.rows, range.columns,
			{(const uint8_t *)name, (uint32_t)strlen(name)}, program_id(program)};
	for (uint32_t i = 0; i < program_kernel_count(program); i++)
		handle_programs_add_kernel(lists, index, program_kernel(program, i));
	for (uint32_t i = 0; i < program_circular_buffer_count(program); i++) {
		struct circular_buffer_config from = program_circular_buffer(program, i);

		lists->buffers[lists->message->circular_buffers.count++] =
			(struct wire_circular_buffer){
				index, add_cores(lists, from.cores), from.pages, from.page_bytes};
	}
	for (uint32_t i = 0; i < program_semaphore_count(program); i++) {
		struct semaphore_config from = program_semaphore(program, i);

		lists->semaphores[lists->message->semaphores.count++] =
			(struct wire_semaphore){index, add_cores(lists, from.cores), from.initial};
	}
}

static struct order *description(const struct distributed *of, const struct sent_workload *sent,
	const struct workload *workload, uint32_t queue)
{
	struct order *order = order_new(of->parts, WIRE_enqueue_program, queue, sent->hosts);
	struct wire_enqueue_program *message = &order->command.enqueue_program;
	struct arena *arena = &order->arena;
	struct counts counts = counts_of(workload);
	struct lists lists = {arena_array(arena, counts.programs, sizeof *lists.programs),
		arena_array(arena, parts_of(counts), sizeof *lists.cores),
		arena_array(arena, counts.kernels, sizeof *lists.kernels),
		arena_array(arena, counts.buffers, sizeof *lists.buffers),
		arena_array(arena, counts.semaphores, sizeof *lists.semaphores),
		arena_array(arena, text_bytes(workload) + 1, 1), message};

	message->workload = sent->number;
	message->describe = 1;
	message->programs.at = lists.programs;
	message->cores.at = lists.cores;
	message->kernels.at = lists.kernels;
	message->circular_buffers.at = lists.buffers;
	message->semaphores.at = lists.semaphores;
	message->texts.at = lists.texts;
	for (uint32_t i = 0; i < workload_program_count(workload); i++) {
		struct workload_program part = workload_program(workload, i);

		handle_programs_add_program(&lists, arena, &part);
	}
	return order;
}

/* Sends to the hosts the routes that programs have added since the last call. Must be called before
 * the descriptions of programs are sent, so that a program's routes exist when it runs. */
static void send_routes(struct distributed *of, uint32_t queue)
{
	const struct route_config *route;
	uint32_t number;

	for (; (route = program_site_route(of->site, of->routes_sent, &number)) != NULL;
		of->routes_sent++) {
		uint16_t row = (uint16_t)(route->devices[0] / of->shape.columns);
		uint16_t column = (uint16_t)(route->devices[0] % of->shape.columns);
		struct order *order = order_new(of->parts, WIRE_add_route, queue,
			distributed_hosts(of, (struct device_range){row, column, row, column}));
		struct wire_add_route *message = &order->command.add_route;
		uint32_t *devices = arena_array(&order->arena, route->count, sizeof *devices);

		memcpy(devices, route->devices, route->count * sizeof *devices);
		message->route = number;
		message->each = route->each;
		message->round = route->round;
		message->link = route->link;
		message->devices = (struct wire_words){devices, route->count};
		forward(of->controller, order);
	}
}

static enum status handle_programs_describe(struct distributed *of, struct workload *workload,
	uint32_t queue, struct sent_workload **sent)
{
	struct sent_workload *made = allocate(1, sizeof *made);
	uint32_t id = workload_id(workload);

	if (id >= of->sent_count) {
		uint32_t count = 2 * id + 8;

		of->sent = allocate_more(of->sent, count, sizeof *of->sent);
		memset(of->sent + of->sent_count, 0, (count - of->sent_count) * sizeof *of->sent);
		of->sent_count = count;
	}
	of->sent[id] = made;
	made->number = numbers_take(&of->workloads);
	for (uint32_t i = 0; i < workload_program_count(workload); i++)
		made->hosts |= distributed_takers(of, workload_program(workload, i).range);
	workload_seal(workload);
	send_routes(of, queue);
	binaries_compile(of, workload);
	*sent = made;
	return binaries_place(of, made, workload, queue, description(of, made, workload, queue));
}

/* ---- arguments ---- */

/* Returns the record of the argument set in slot `slot`; slot_of() explains slots. Makes the array
 * of records larger if necessary. */
static struct sent_set *handle_programs_note(struct sent_workload *sent, uint32_t slot)
{
	if (slot >= sent->set_count) {
		uint32_t count = 2 * slot + 8;

		sent->sets = allocate_more(sent->sets, count, sizeof *sent->sets);
		memset(sent->sets + sent->set_count, 0,
			(count - sent->set_count) * sizeof *sent->sets);
		sent->set_count = count;
	}
	return &sent->sets[slot];
}

/* Returns the slot of a program's arguments for all devices (range 0), or for one range of devices.
 * Program i has the slots i, i + programs, i + 2 * programs and so on. A range is added when its
 * arguments are first set; this does not change the slots of earlier ranges. */
static uint32_t slot_of(uint32_t program, uint32_t range, uint32_t programs)
{
	return program + range * programs;
}

/* Sends a set of arguments if executors hold another generation of this set. */
static void send_set(struct distributed *of, struct sent_workload *sent, uint32_t queue,
	uint32_t slot, struct wire_argument_set set, struct arguments arguments)
{
	struct sent_set *known = handle_programs_note(sent, slot);
	struct order *order;
	struct wire_argument_set *sets;
	uint32_t *words;

	if (arguments.count == 0 || (known->sent && known->generation == arguments.generation))
		return;
	*known = (struct sent_set){arguments.generation, true};
	order = order_new(of->parts, WIRE_set_runtime_args, queue, sent->hosts);
	words = arena_array(&order->arena, arguments.count, sizeof *words);
	sets = arena_alloc(&order->arena, sizeof *sets);
	memcpy(words, arguments.words, arguments.count * sizeof *words);
	world->work_copy(arguments.count * sizeof *words, MEMORY_CACHED, MEMORY_CACHED);
	*sets = set;
	sets->all = 1;
	sets->count = arguments.count;
	order->command.set_runtime_args.workload = sent->number;
	order->command.set_runtime_args.sets.at = sets;
	order->command.set_runtime_args.sets.count = 1;
	order->command.set_runtime_args.words = (struct wire_words){words, arguments.count};
	forward(of->controller, order);
}

static void send_arguments(struct distributed *of, struct sent_workload *sent,
	const struct workload *workload, uint32_t queue)
{
	uint32_t programs = workload_program_count(workload);

	if (sent->generation == workload_generation(workload))
		return;
	sent->generation = workload_generation(workload);
	for (uint32_t i = 0; i < programs; i++) {
		struct workload_program part = workload_program(workload, i);
		struct wire_argument_set set = {.program = (uint16_t)i};

		send_set(of, sent, queue, slot_of(i, 0, programs), set,
			program_arguments(part.program));
		for (uint32_t k = 0; k < part.range_count; k++) {
			struct workload_arguments own = workload_arguments(workload, i, k);
			struct wire_range range = part_to_wire(own.range);

			set.row = range.row;
			set.column = range.column;
			set.rows = range.rows;
			set.columns = range.columns;
			send_set(of, sent, queue, slot_of(i, k + 1, programs), set, own.arguments);
		}
	}
}

static enum status handle_programs_check_division(const struct workload *workload, struct text *why)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < workload_program_count(workload) && status == STATUS_OK; i++)
		status = program_check_division(workload_program(workload, i).program, why);
	return status;
}

enum status on_distributed_run(
	struct device_handle *handle, struct handle_call call, struct workload *workload)
{
	struct distributed *of = distributed_of(handle);
	enum status status = distributed_check(of, call);
	struct text *why = &of->controller->why;

	distributed_called(call.operation, call.queue);
	if (status == STATUS_OK) {
		text_clear(why);
		status = on_distributed_workload_check(handle, workload, why);
		if (status == STATUS_OK)
			status = handle_programs_check_division(workload, why);
	}
	if (status == STATUS_OK) {
		struct sent_workload *sent = sent_of(of, workload);
		struct order *order;
		uint32_t commands;

		if (sent != NULL && binaries_refused(sent)) {
			handle_programs_drop(of, workload);
			sent = NULL;
		}
		if (sent == NULL)
			status = handle_programs_describe(of, workload, call.queue, &sent);
		if (status != STATUS_OK) {
			handle_programs_drop(of, workload);
			return distributed_returned(call.operation, call.queue, status);
		}
		commands = commands_assemble(of, sent, workload, call.queue);
		if (commands == 0)
			send_arguments(of, sent, workload, call.queue);
		order = order_new(of->parts, WIRE_enqueue_program, call.queue, sent->hosts);
		order->launches = workload_sub_devices(workload);
		order->command.enqueue_program.workload = sent->number;
		order->command.enqueue_program.blocking = call.blocking;
		order->command.enqueue_program.operation = distributed_counted(of, call);
		order->command.enqueue_program.commands = commands;
		status = distributed_forward(of, order, call);
	}
	return distributed_returned(call.operation, call.queue, status);
}

enum status on_distributed_run_program(
	struct device_handle *handle, struct handle_call call, struct program *program)
{
	return on_distributed_run(handle, call, program_workload(program));
}
