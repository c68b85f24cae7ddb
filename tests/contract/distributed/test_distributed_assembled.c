/* timeout: 300
 * Tests launches whose commands the controller assembles for all hosts (spec 4.8.2.1). The
 * controller sends the commands once, and again only if arguments change; executors insert the
 * parts that differ between devices. The tests run in the native world, with every codec. The test
 * plays the executors, except in the last test, whose executors are real. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "check.h"
#include "deadline.h"
#include "hosts_choices.h"
#include "hosts_counts.h"
#include "hosts_script.h"
#include "mesh/description.h"
#include "wire/codec.h"

enum { KERNEL = 1500, ARGS = 4, BYTES_MOST = 1 << 18 };

static struct hosts_case hosts;

static struct hosts_choice choice_of(const char *codec)
{
	struct hosts_choice choice = hosts_choices_alone(codec);

	choice.allocation = "controller";
	return choice;
}

static struct kernel_config kernel_of(void)
{
	return (struct kernel_config){
		.cores = {.kind = CORES_ALL}, .bytes = KERNEL, .cycles = 10, .unique_args = ARGS};
}

/* ---- a real controller ---- */

struct received {
	struct hosts_script by;
	uint8_t bytes[BYTES_MOST];
	uint32_t count, generation, gifts, arguments, runs;
	uint32_t run_with; /* `commands` of the last run */
};

static bool serve(struct hosts_script *by, const struct wire_command *command)
{
	struct received *received = by->context;
	const struct wire_give_commands *gift = &command->give_commands;
	const struct wire_command done = {
		.kind = WIRE_completed, .completed = {.number = command->head.number}};

	if (command->kind == WIRE_give_commands) {
		check_at_most(gift->data.count, BYTES_MOST);
		memcpy(received->bytes, gift->data.at, gift->data.count);
		received->count = gift->data.count;
		received->generation = gift->generation;
		received->gifts++;
	}
	received->arguments += command->kind == WIRE_set_runtime_args;
	if (command->kind == WIRE_enqueue_program && !command->enqueue_program.describe) {
		received->run_with = command->enqueue_program.commands;
		received->runs++;
	}
	if (command->kind == WIRE_enqueue_finish || command->kind == WIRE_close_mesh ||
		command->kind == WIRE_end_trace)
		hosts_script_say(by, &done);
	return true;
}

static void open_with(struct received *received, const struct hosts_choice *choice, bool cache)
{
	struct mesh_config config;

	hosts_case_init(&hosts, *choice);
	hosts_case_start_controller(&hosts);
	received->by = (struct hosts_script){.hosts = &hosts, .serve = serve, .context = received};
	hosts_script_start(&received->by);
	hosts_case_accept(&hosts);
	config = hosts.one.config;
	config.shape = (struct mesh_shape){choice->rows, choice->columns};
	config.command_cache = cache;
	check_status(distributed_open(hosts.controller, &config, NULL, &hosts.handle), STATUS_OK);
}

static void close_it(struct received *received)
{
	hosts.handle->ops->close(hosts.handle);
	controller_close(hosts.controller);
	world->join(received->by.thread);
	hosts_case_end_executors(&hosts, STATUS_OK);
	deadline_stop();
}

static struct workload *workload_of(struct program **program)
{
	const struct handle_ops *ops = hosts.handle->ops;
	struct workload *workload = ops->workload_new(hosts.handle);
	const struct kernel_config kernel = kernel_of();
	uint32_t index;

	*program = ops->program_new(hosts.handle, "called");
	check_status(program_add_kernel(*program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, *program, DEVICES_UNBOUND, NULL), STATUS_OK);
	return workload;
}

static void run(struct workload *workload)
{
	const struct handle_ops *ops = hosts.handle->ops;

	check_status(ops->run(hosts.handle, (struct handle_call){.queue = 0}, workload), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
}

static bool is_in(const void *wanted, uint64_t bytes, const uint8_t *memory, uint64_t all)
{
	for (uint64_t i = 0; i + bytes <= all; i++)
		if (memcmp(memory + i, wanted, bytes) == 0)
			return true;
	return false;
}

static void check_holds(const struct received *received, const uint32_t *words)
{
	check(is_in(words, ARGS * sizeof *words, received->bytes, received->count),
		"%s: the arguments did not come", hosts.choice.codec);
}

/* Checks that commands are sent again only if they changed. If only arguments changed, all commands
 * of the launch are sent again, and not only the arguments. */
static void send_once(const struct hosts_choice *choice)
{
	struct received *received = allocate(1, sizeof *received);
	const struct handle_ops *ops;
	struct workload *workload;
	struct program *program;
	struct work_counts work;

	open_with(received, choice, true);
	ops = hosts.handle->ops;
	workload = workload_of(&program);
	program_refresh_args(program, 4);
	run(workload);
	check_holds(received, program_arguments(program).words);
	run(workload);
	check_equal(received->gifts, 1);
	check_equal(received->run_with, 1);
	program_refresh_args(program, 5);
	run(workload);
	check_holds(received, program_arguments(program).words);
	check_equal(received->gifts, 2);
	check_equal(received->generation, 2);
	check_equal(received->run_with, 2);
	check_equal(received->arguments, 0);
	ops->workload_free(hosts.handle, workload);
	ops->program_free(hosts.handle, program);
	close_it(received);
	hosts_case_work(&hosts, &work);
	check_equal(work.units[WORK_CREATE_OPERATION], 1 + 1); /* 1 more, because creating the
								* program counts as an operation,
								* too */
	free(received);
}

TEST(the_controller_sends_commands_once_and_again_with_new_arguments)
{
	hosts_choices_codecs(choice_of("packed"), send_once);
}

TEST(without_a_command_cache_every_launch_is_assembled)
{
	const struct hosts_choice choice = choice_of("packed");
	struct received *received = allocate(1, sizeof *received);
	struct workload *workload;
	struct program *program;
	struct work_counts work;

	open_with(received, &choice, false);
	workload = workload_of(&program);
	run(workload);
	run(workload);
	check_equal(received->gifts, 2);
	check_equal(received->run_with, 2);
	hosts.handle->ops->workload_free(hosts.handle, workload);
	hosts.handle->ops->program_free(hosts.handle, program);
	close_it(received);
	hosts_case_work(&hosts, &work);
	check_equal(work.units[WORK_CREATE_OPERATION], 1 + 2);
	free(received);
}

/* Executors receive the arguments and assemble the commands themselves. */
TEST(executors_assemble_traces_and_arguments_of_ranges)
{
	const uint32_t words[ARGS] = {1, 2, 3, 4};
	const struct hosts_choice choice = choice_of("packed");
	struct received *received = allocate(1, sizeof *received);
	const struct handle_ops *ops;
	struct handle_trace *trace = NULL;
	struct workload *workload;
	struct program *program;

	open_with(received, &choice, true);
	ops = hosts.handle->ops;
	workload = workload_of(&program);
	run(workload);
	check_equal(received->run_with, 1);
	check_status(ops->trace_begin(hosts.handle, 0, NULL), STATUS_OK);
	check_status(ops->run(hosts.handle, (struct handle_call){.queue = 0}, workload), STATUS_OK);
	check_status(ops->trace_end(hosts.handle, 0, NULL, &trace), STATUS_OK);
	check_equal(received->run_with, 0);
	check_equal(received->arguments, 1);
	ops->trace_free(trace);
	run(workload);
	check_equal(received->run_with, 1);
	check_status(workload_set_args(
			     workload, (struct device_range){0, 1, 0, 1}, 0, 0, words, ARGS, NULL),
		STATUS_OK);
	run(workload);
	check_equal(received->run_with, 0);
	check_equal(received->arguments, 2);
	check_equal(received->gifts, 1);
	ops->workload_free(hosts.handle, workload);
	ops->program_free(hosts.handle, program);
	close_it(received);
	free(received);
}

/* ---- a real controller and real executors ---- */

struct built {
	struct hosts_counts counts;
	uint64_t created;
};

static struct built build_with(const char *allocation)
{
	struct hosts_choice choice = choice_of("packed");
	struct built built = {.created = 0};
	struct workload *workload;
	struct program *program;

	choice.allocation = allocation;
	choice.hosts = 2;
	choice.rows = 2;
	hosts_case_init(&hosts, choice);
	hosts_counts_init(&hosts, &built.counts);
	hosts_case_open(&hosts);
	workload = workload_of(&program);
	run(workload);
	run(workload);
	hosts.handle->ops->counters(hosts.handle, &built.counts.mesh);
	hosts.handle->ops->workload_free(hosts.handle, workload);
	hosts.handle->ops->program_free(hosts.handle, program);
	hosts_case_close(&hosts, STATUS_OK);
	hosts_case_work(&hosts, &built.counts.work);
	built.created = built.counts.work.units[WORK_CREATE_OPERATION];
	return built;
}

TEST(executors_build_nothing_and_commands_go_over_the_network)
{
	struct built split = build_with("split"), controller = build_with("controller");

	check_equal(split.counts.mesh.streams_built, 2);
	check_equal(split.created, 1 + 2 + 2); /* the program, also on executors */
	check_equal(controller.counts.mesh.streams_built, 0);
	check_equal(controller.counts.mesh.streams_reused, 4);
	check_equal(controller.created, 1 + 2 + 1);
	check_less(controller.counts.work.units[WORK_BUILD_BYTES],
		split.counts.work.units[WORK_BUILD_BYTES]);
	check_less(split.counts.hub.sent_bytes, controller.counts.hub.sent_bytes);
}

TEST_MAIN(NULL, NULL)
