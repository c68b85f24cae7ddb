/* label: full  timeout: 300
 * Tests hosts that die, send nothing, or send unexpected messages. Each fault ends before a
 * deadline, with a status that names the host; nothing waits for ever, and nothing runs twice. The
 * tests run in the native world. In each test, either the controller or the executor is real; the
 * test plays the other one, and sends its messages. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "deadline.h"
#include "hosts_choices.h"
#include "hosts_orders.h"
#include "hosts_script.h"
#include "transport/rows.h"

enum { BYTES = 4096, SOON_MS = 5000, SILENT_MS = 500 };

static struct hosts_case hosts;

/* ---- a scripted executor ---- */

enum end { END_DEAD, END_SILENT, END_NOISE };

/* A scripted executor. At the first command of a kind, it fails in the way that `end` says. */
struct script {
	struct hosts_script by;
	enum end end;
	enum wire_kind at;
};

static bool serve(struct hosts_script *by, const struct wire_command *command)
{
	const struct script *script = by->context;
	struct span noise = span_copy("what is this", 12);
	bool met = command->kind == script->at;

	if (command->kind == WIRE_end_trace)
		hosts_script_say(by, &(struct wire_command){.kind = WIRE_completed,
					     .completed = {.number = command->head.number}});
	if (met && script->end == END_NOISE)
		check_status(hosts.settings.transport->send(
				     by->channel, noise, hosts_case_in_ms(SOON_MS)),
			STATUS_OK);
	span_release(noise);
	return !met || script->end != END_DEAD;
}

/* Host 0 is real, host 1 is the script. */
static void open_with(struct script *script, const struct hosts_choice *choice)
{
	struct mesh_config config;
	struct text why = {0};

	hosts_case_init(&hosts, *choice);
	hosts.settings.reply_ns =
		UINT64_C(1000000) * (script->end == END_SILENT ? SILENT_MS : SOON_MS);
	hosts_case_start_controller(&hosts);
	hosts_case_start_executor(&hosts, 0);
	script->by = (struct hosts_script){
		.hosts = &hosts, .host = 1, .serve = serve, .context = script};
	hosts_script_start(&script->by);
	hosts_case_accept(&hosts);
	config = hosts.one.config;
	config.shape = (struct mesh_shape){choice->rows, choice->columns};
	check(distributed_open(hosts.controller, &config, &why, &hosts.handle) == STATUS_OK, "%s",
		text_string(&why));
}

static void expect_why(const char *expected)
{
	const char *why = controller_why(hosts.controller);

	check(strncmp(why, expected, strlen(expected)) == 0, "'%s', expected '%s'", why, expected);
}

static void fails_so(enum end end, enum status expected, const char *why)
{
	const struct handle_call later = {.queue = 0};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	const struct mesh_layout layout = {.size_bytes = BYTES};
	static uint8_t data[BYTES];

	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		struct script script = {.end = end, .at = WIRE_write_buffer};
		const struct handle_ops *ops;
		struct handle_buffer *buffer;
		enum status status;

		open_with(&script, &hosts_choices_unlike[i]);
		ops = hosts.handle->ops;
		check_status(
			ops->buffer_new(hosts.handle, &layout, &config, NULL, &buffer), STATUS_OK);
		status = ops->write(hosts.handle, later, buffer, data);
		check(status == STATUS_OK || status == expected, "write: %s", status_name(status));
		check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), expected);
		expect_why(why);
		/* from now on everything fails immediately */
		check_status(ops->write(hosts.handle, later, buffer, data), expected);
		check_status(ops->finish(hosts.handle, 1, 0, DEADLINE_NEVER), expected);
		ops->buffer_free(buffer);
		ops->close(hosts.handle);
		controller_close(hosts.controller);
		world->join(script.by.thread);
		hosts_case_end_executors(&hosts, STATUS_CLOSED);
		deadline_stop();
	}
}

TEST(a_host_that_dies_is_named)
{
	fails_so(END_DEAD, STATUS_CLOSED, "host host-1 is lost");
}

/* Before any wait, the calls themselves report the fault of the host. */
TEST(a_call_that_waits_for_nothing_names_the_host_too)
{
	const struct handle_call later = {.queue = 0};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	const struct mesh_layout layout = {.size_bytes = BYTES};
	static uint8_t data[BYTES];
	struct script script = {.end = END_DEAD, .at = WIRE_write_buffer};
	int64_t until_ns;
	const struct handle_ops *ops;
	struct handle_buffer *buffer;
	enum status status = STATUS_OK;

	open_with(&script, &hosts_choices_unlike[0]);
	ops = hosts.handle->ops;
	check_status(ops->buffer_new(hosts.handle, &layout, &config, NULL, &buffer), STATUS_OK);
	until_ns = hosts_case_in_ms(SOON_MS);
	while (status == STATUS_OK && world->now_ns() < until_ns)
		status = ops->write(hosts.handle, later, buffer, data);
	check_status(status, STATUS_CLOSED);
	expect_why("host host-1 is lost");
	ops->buffer_free(buffer);
	ops->close(hosts.handle);
	controller_close(hosts.controller);
	world->join(script.by.thread);
	hosts_case_end_executors(&hosts, STATUS_CLOSED);
	deadline_stop();
}

/* One of two hosts fails at the first replay of a trace. The other host sends its data for this
 * replay and for later ones. The failure must be reported with status `expected` and message
 * `why`. */
static void replays_fail_so(enum end end, enum status expected, const char *why)
{
	const struct handle_call later = {.queue = 0};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	const struct mesh_layout layout = {.sharded = true,
		.size_bytes = BYTES,
		.global_height = 2,
		.global_width = BYTES / 2,
		.shard_height = 1,
		.shard_width = BYTES / 4};
	static uint8_t back[BYTES];

	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		struct script script = {.end = end, .at = WIRE_enqueue_trace};
		const struct handle_ops *ops;
		struct handle_buffer *buffer;
		struct handle_trace *trace;
		enum status status = STATUS_OK;

		open_with(&script, &hosts_choices_unlike[i]);
		ops = hosts.handle->ops;
		check_status(
			ops->buffer_new(hosts.handle, &layout, &config, NULL, &buffer), STATUS_OK);
		check_status(ops->trace_begin(hosts.handle, 0, NULL), STATUS_OK);
		check_status(ops->read(hosts.handle, later, buffer, back), STATUS_OK);
		check_status(ops->trace_end(hosts.handle, 0, NULL, &trace), STATUS_OK);
		for (uint32_t k = 0; k < 3 && status == STATUS_OK; k++)
			status = ops->replay(hosts.handle, later, trace, 0);
		check(status == STATUS_OK || status == expected, "%s", status_name(status));
		check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), expected);
		expect_why(why);
		ops->trace_free(trace);
		ops->buffer_free(buffer);
		ops->close(hosts.handle);
		controller_close(hosts.controller);
		world->join(script.by.thread);
		hosts_case_end_executors(&hosts, STATUS_CLOSED);
		deadline_stop();
	}
}

TEST(a_host_that_dies_in_a_replay_is_named)
{
	replays_fail_so(END_DEAD, STATUS_CLOSED, "host host-1 is lost");
}

TEST(a_host_that_sends_nothing_of_a_replay_is_named_in_time)
{
	replays_fail_so(END_SILENT, STATUS_TIMEOUT, "no answer from host host-1");
}

TEST(a_host_that_is_silent_is_named_in_time)
{
	fails_so(END_SILENT, STATUS_TIMEOUT, "no answer from host host-1");
}

TEST(a_host_that_says_what_is_no_answer_is_dropped)
{
	fails_so(END_NOISE, STATUS_INVALID, "host host-1 ");
}

/* ---- a scripted controller ---- */

TEST(an_executor_whose_controller_dies_ends)
{
	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++)
		for (int opened = 0; opened < 2; opened++) {
			struct hosts_orders by = {0};

			hosts_orders_open(&by, &hosts, &hosts_choices_unlike[i], opened);
			hosts_orders_close(&by, STATUS_CLOSED);
		}
}

static struct wire_command create_buffer(uint64_t number, uint64_t buffer)
{
	return (struct wire_command){.kind = WIRE_create_buffer,
		.create_buffer = {.number = number,
			.buffer = buffer,
			.address = 1 << 20,
			.size_bytes = BYTES,
			.page_bytes = 256}};
}

TEST(nothing_runs_twice_or_out_of_order)
{
	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		const struct wire_command finish = {
			.kind = WIRE_enqueue_finish, .enqueue_finish = {.number = 9}};
		const struct wire_command close = {
			.kind = WIRE_close_mesh, .close_mesh = {.number = 12}};
		struct hosts_orders by = {0};

		hosts_orders_open(&by, &hosts, &hosts_choices_unlike[i], true);
		hosts_orders_send(&by, create_buffer(6, 1));
		hosts_orders_send(&by, create_buffer(6, 1));
		hosts_orders_completed(
			&by, 6, STATUS_INVALID, "command 6 behind command 6: out of order");
		hosts_orders_send(&by, create_buffer(4, 2));
		hosts_orders_completed(
			&by, 4, STATUS_INVALID, "command 4 behind command 6: out of order");
		hosts_orders_send(&by, create_buffer(8, 1));
		hosts_orders_completed(&by, 8, STATUS_EXISTS, "no mesh, or a buffer 1 already");
		hosts_orders_send(&by, finish);
		hosts_orders_completed(&by, 9, STATUS_OK, "");
		hosts_orders_send(&by, finish);
		hosts_orders_completed(
			&by, 9, STATUS_INVALID, "command 9 behind command 9: out of order");
		hosts_orders_send(&by, (struct wire_command){.kind = WIRE_mesh_opened,
					       .mesh_opened = {.number = 11}});
		hosts_orders_completed(&by, 11, STATUS_INVALID, "MESH_OPENED is not for executors");
		hosts_orders_send(&by, close);
		hosts_orders_completed(&by, 12, STATUS_OK, "");
		hosts_orders_close(&by, STATUS_OK);
	}
}

/* The controller chooses the memory for binaries. If an executor chose it by itself, the controller
 * could give the same memory to buffers. So an executor must reject a program whose binaries have
 * no place. */
TEST(an_executor_runs_nothing_whose_binaries_lie_nowhere)
{
	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		struct wire_command program = {.kind = WIRE_enqueue_program,
			.enqueue_program = {.number = 6, .workload = 3, .describe = 1}};
		const struct wire_command place = {.kind = WIRE_place_workload,
			.place_workload = {.number = 8, .workload = 3, .address = 4096}};
		const struct wire_command close = {
			.kind = WIRE_close_mesh, .close_mesh = {.number = 10}};
		struct hosts_orders by = {.asks = true};

		hosts_orders_open(&by, &hosts, &hosts_choices_unlike[i], true);
		hosts_orders_send(&by, program);
		program.enqueue_program.describe = 0;
		program.enqueue_program.number = 7;
		hosts_orders_send(&by, program);
		hosts_orders_completed(&by, 7, STATUS_NO_SPACE, "workload 3 lies nowhere");
		hosts_orders_send(&by, place);
		program.enqueue_program.number = 9;
		hosts_orders_send(&by, program);
		hosts_orders_send(&by, close);
		hosts_orders_completed(&by, 10, STATUS_OK, "");
		hosts_orders_close(&by, STATUS_OK);
	}
}

/* Commands after a failed description fail for the same reason, except for its release. */
TEST(what_could_not_be_made_is_freed_without_a_failure)
{
	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		struct wire_program nowhere = {0};
		struct wire_command program = {.kind = WIRE_enqueue_program,
			.enqueue_program = {.number = 6,
				.workload = 3,
				.describe = 1,
				.programs = {&nowhere, 1}}};
		struct wire_command run = {.kind = WIRE_enqueue_program,
			.enqueue_program = {.number = 7, .workload = 3}};
		struct wire_command freed = {
			.kind = WIRE_free_workload, .free_workload = {.number = 8, .workload = 3}};
		const struct wire_command close = {
			.kind = WIRE_close_mesh, .close_mesh = {.number = 12}};
		struct hosts_orders by = {0};

		hosts_orders_open(&by, &hosts, &hosts_choices_unlike[i], true);
		hosts_orders_send(&by, program);
		hosts_orders_completed(&by, 6, STATUS_OUT_OF_RANGE, "program 0 has no devices");
		hosts_orders_send(&by, run);
		hosts_orders_completed(&by, 7, STATUS_OUT_OF_RANGE, "workload 3 could not be made");
		hosts_orders_send(&by, freed);
		program.enqueue_program.number = 9;
		program.enqueue_program.programs.count = 0;
		hosts_orders_send(&by, program);
		freed.free_workload.number = 10;
		hosts_orders_send(&by, freed);
		freed.free_workload.number = 11;
		hosts_orders_send(&by, freed);
		hosts_orders_completed(&by, 11, STATUS_NOT_FOUND, "");
		hosts_orders_send(&by, close);
		hosts_orders_completed(&by, 12, STATUS_OK, "");
		hosts_orders_close(&by, STATUS_OK);
	}
}

TEST(an_executor_refuses_what_is_no_command)
{
	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		struct span noise = span_copy("what is this", 12);
		struct hosts_orders by = {0};
		uint32_t who;

		hosts_orders_open(&by, &hosts, &hosts_choices_unlike[i], true);
		check_status(hosts.settings.transport->hub_send(
				     by.hub, 0, noise, hosts_case_in_ms(SOON_MS), &who),
			STATUS_OK);
		span_release(noise);
		hosts_orders_close(&by, STATUS_INVALID);
	}
}

/* ---- joining ---- */

TEST(a_host_that_does_not_join_is_named)
{
	struct text why = {0};

	hosts_case_init(&hosts, hosts_choices_unlike[0]);
	hosts_case_start_controller(&hosts);
	hosts_case_start_executor(&hosts, 0);
	check_status(
		controller_accept(hosts.controller, hosts_case_in_ms(500), &why), STATUS_TIMEOUT);
	check(strcmp(text_string(&why), "host host-1 has not joined") == 0, "%s",
		text_string(&why));
	text_fini(&why);
	hosts_case_close(&hosts, STATUS_CLOSED);
}

/* ---- later failures ---- */

TEST(what_fails_on_a_host_is_told_by_the_next_call_that_waits)
{
	const struct handle_call later = {.queue = 0};
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 60000, .cycles = 10};
	uint32_t index;

	for (size_t i = 0; i < HOSTS_CHOICES_UNLIKE; i++) {
		const struct handle_ops *ops;
		struct program *program;
		struct workload *workload;

		hosts_case_init(&hosts, hosts_choices_unlike[i]);
		hosts.one.config.sizes.binary_region_bytes = 4096;
		hosts_case_open(&hosts);
		ops = hosts.handle->ops;
		program = ops->program_new(hosts.handle, "large");
		workload = ops->workload_new(hosts.handle);
		check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
		check_status(workload_add(workload, program, DEVICES_UNBOUND, NULL), STATUS_OK);
		check_status(ops->run(hosts.handle, later, workload), STATUS_OK);
		check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_NO_SPACE);
		expect_why("host host-");
		check(strstr(controller_why(hosts.controller),
			      "the binaries of program large take"),
			"%s", controller_why(hosts.controller));
		ops->workload_free(hosts.handle, workload);
		ops->program_free(hosts.handle, program);
		hosts_case_close(&hosts, STATUS_OK);
	}
}

TEST_MAIN(NULL, NULL)
