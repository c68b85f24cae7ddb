/* label: full  timeout: 300
 * Tests executors that request memory for binaries from the controller (spec 4.8.2.1). The caller
 * of the controller continues while a request is pending. Buffers that it allocates or frees after
 * the request must not overlap the memory that the executor gets. The tests run in the native
 * world. The test plays the executor, and decides when each request is sent. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "deadline.h"
#include "hosts_script.h"
#include "world/queue.h"

enum { REPLY_MS = 5000, SILENT_MS = 700 };
enum { LOG = 64, PAGE = 256, BANKS = 4, WANTED = 4096, SMALL_BANK = 1 << 16 };

static const struct hosts_choice choice = {.transport = "unix",
	.codec = "packed",
	.resolution = "mixed",
	.pipeline = "stages",
	.allocation = "requests",
	.hosts = 1,
	.axis = HOSTS_IN_ROWS,
	.rows = 1,
	.columns = 2};

/* In this pipeline, no other thread receives for the resolving thread. */
static const struct pipeline_ops resolves_alone = {.entry = {.name = "resolve"}, .resolve = true};

static const char *const pipelines[] = {"pair", "stages", NULL};

static struct hosts_case hosts;
static const struct handle_ops *ops;
static const struct handle_call later = {.queue = 0};

/* ---- the executor ---- */

enum asked { SAYS, SILENT, DIES };

struct executor {
	struct hosts_script by;
	struct semaphore *lets; /* lets it send one request each time */
	uint64_t wants;
	enum asked asked;
	enum wire_kind kinds[LOG];
	uint64_t addresses[LOG]; /* addresses in PLACE_WORKLOAD */
	uint32_t count, workloads, placed;
};

static void complete(
	struct hosts_script *by, const struct wire_command *command, enum status status)
{
	const struct wire_command answer = {.kind = WIRE_completed,
		.completed = {.number = command->head.number,
			.queue = command->head.queue,
			.status = (uint8_t)status}};

	hosts_script_say(by, &answer);
}

static void want(struct executor *executor, uint64_t number)
{
	const struct wire_command wanted = {.kind = WIRE_memory_wanted,
		.memory_wanted = {.number = number, .bytes = executor->wants}};

	check_status(semaphore_acquire(executor->lets, DEADLINE_NEVER, WAIT_PARK), STATUS_OK);
	if (executor->asked == SAYS)
		hosts_script_say(&executor->by, &wanted);
}

static bool serve(struct hosts_script *by, const struct wire_command *command)
{
	struct executor *executor = by->context;

	check_less(executor->count, LOG);
	executor->kinds[executor->count] = command->kind;
	if (command->kind == WIRE_place_workload) {
		executor->addresses[executor->count] = command->place_workload.address;
		executor->placed++;
	}
	executor->count++;
	if (command->kind == WIRE_enqueue_program && command->enqueue_program.describe) {
		executor->workloads++;
		want(executor, command->head.number);
		return executor->asked != DIES;
	}
	if (command->kind == WIRE_enqueue_program && executor->placed < executor->workloads)
		complete(by, command, STATUS_NO_SPACE);
	if (command->kind == WIRE_free_workload && executor->placed < executor->workloads)
		executor->placed++;
	if (command->kind == WIRE_enqueue_finish || command->kind == WIRE_close_mesh)
		complete(by, command, STATUS_OK);
	return true;
}

static void open_with(struct executor *executor, const char *pipeline, uint64_t dram_bytes)
{
	struct hosts_choice own = choice;
	struct mesh_config config;
	struct text why = {0};

	own.pipeline = pipeline;
	if (pipeline == NULL)
		own.own_pipeline = &resolves_alone;
	hosts_case_init(&hosts, own);
	hosts.settings.reply_ns =
		UINT64_C(1000000) * (executor->asked == SILENT ? SILENT_MS : REPLY_MS);
	hosts_case_start_controller(&hosts);
	executor->by = (struct hosts_script){
		.hosts = &hosts, .serve = serve, .dram_bytes = dram_bytes, .context = executor};
	executor->lets = semaphore_new("says what it wants", 0);
	executor->wants = WANTED;
	hosts_script_start(&executor->by);
	hosts_case_accept(&hosts);
	config = hosts.one.config;
	config.shape = (struct mesh_shape){own.rows, own.columns};
	check(distributed_open(hosts.controller, &config, &why, &hosts.handle) == STATUS_OK, "%s",
		text_string(&why));
	ops = hosts.handle->ops;
}

static void close_it(struct executor *executor)
{
	ops->close(hosts.handle);
	controller_close(hosts.controller);
	world->join(executor->by.thread);
	semaphore_free(executor->lets);
	hosts_case_end_executors(&hosts, STATUS_OK);
	deadline_stop();
}

/* ---- calls of a program ---- */

static struct handle_buffer *buffer_new(uint64_t bank_bytes)
{
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = PAGE};
	const struct mesh_layout layout = {.size_bytes = bank_bytes * BANKS};
	struct handle_buffer *buffer;
	struct text why = {0};
	enum status status = ops->buffer_new(hosts.handle, &layout, &config, &why, &buffer);

	check(status == STATUS_OK, "%s", text_string(&why));
	text_fini(&why);
	return buffer;
}

struct called {
	struct program *program;
	struct workload *workload;
};

static struct called call_new(void)
{
	struct kernel_config kernel = {.cores = {.kind = CORES_ALL}, .bytes = 64, .cycles = 10};
	struct called made = {
		ops->program_new(hosts.handle, "new"), ops->workload_new(hosts.handle)};
	uint32_t index;

	check_status(program_add_kernel(made.program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(made.workload, made.program, DEVICES_UNBOUND, NULL), STATUS_OK);
	check_status(ops->run(hosts.handle, later, made.workload), STATUS_OK);
	return made;
}

static void forget(struct called called)
{
	ops->workload_free(hosts.handle, called.workload);
	ops->program_free(hosts.handle, called.program);
}

static enum status finish(void)
{
	return ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER);
}

static uint64_t free_bytes(void)
{
	return ops->memory_usage(hosts.handle, BUFFER_DRAM).free_bytes;
}

static void check_apart(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
	check(a + a_bytes <= b || b + b_bytes <= a, "%llu B at %llu and %llu B at %llu",
		(unsigned long long)a_bytes, (unsigned long long)a, (unsigned long long)b_bytes,
		(unsigned long long)b);
}

/* ---- tests ---- */

/* Before the executor sends its first request for memory, the caller frees a buffer, makes another
 * buffer that is too large for the freed memory, and calls a second program. The memories of
 * buffers and programs must not overlap. */
TEST(caller_goes_on_and_nothing_overlaps)
{
	static const enum wire_kind expected[] = {WIRE_create_buffer, WIRE_enqueue_program,
		WIRE_place_workload, WIRE_enqueue_program, WIRE_free_buffer, WIRE_create_buffer,
		WIRE_enqueue_program, WIRE_place_workload, WIRE_enqueue_program,
		WIRE_enqueue_finish};

	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
		struct executor executor = {0};
		struct handle_buffer *freed, *made;
		uint64_t freed_at, made_at;
		struct called first, second;

		open_with(&executor, pipelines[i], 0);
		freed = buffer_new(WANTED);
		freed_at = ops->buffer_address(freed);
		first = call_new();
		ops->buffer_free(freed);
		made = buffer_new(4 * WANTED);
		made_at = ops->buffer_address(made);
		second = call_new();
		semaphore_release(executor.lets, 2);
		check_status(finish(), STATUS_OK);
		check_equal(executor.count, sizeof expected / sizeof *expected);
		for (uint32_t k = 0; k < executor.count; k++)
			check_equal(executor.kinds[k], expected[k]);
		check_apart(executor.addresses[2], WANTED, freed_at, WANTED);
		check_apart(executor.addresses[2], WANTED, made_at, 4 * WANTED);
		check_apart(executor.addresses[7], WANTED, made_at, 4 * WANTED);
		check_apart(executor.addresses[7], WANTED, executor.addresses[2], WANTED);
		/* memory freed after the first request is available to the second */
		check_equal(executor.addresses[7], freed_at);
		forget(first);
		forget(second);
		ops->buffer_free(made);
		close_it(&executor);
	}
}

TEST(all_memory_comes_back_in_whatever_order_it_is_freed)
{
	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
		struct executor executor = {0};
		struct handle_buffer *buffer;
		struct called first, second;
		uint64_t before;

		open_with(&executor, pipelines[i], 0);
		before = free_bytes();
		first = call_new();
		buffer = buffer_new(WANTED);
		forget(first); /* before its place is known */
		ops->buffer_free(buffer);
		second = call_new();
		semaphore_release(executor.lets, 2);
		check_equal(free_bytes(), before - WANTED);
		forget(second);
		check_equal(free_bytes(), before);
		check_status(finish(), STATUS_OK);
		close_it(&executor);
	}
}

static void let_soon(void *argument)
{
	struct executor *executor = argument;

	world->sleep_until(hosts_case_in_ms(30));
	semaphore_release(executor->lets, 1);
}

/* Calls a program, so that its executor requests memory, and then frees a buffer. The next buffer
 * fits only into the freed memory. Its allocation must not fail, but wait until the request is
 * served. */
TEST(no_space_is_said_only_when_requests_are_served)
{
	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
		struct executor executor = {0};
		struct handle_buffer *buffer;
		struct called called;
		struct thread *lets;

		open_with(&executor, pipelines[i], SMALL_BANK);
		buffer = buffer_new(SMALL_BANK / 4 * 3);
		called = call_new();
		ops->buffer_free(buffer);
		lets = world->spawn("lets", (struct affinity){0, -1}, let_soon, &executor);
		buffer = buffer_new(SMALL_BANK / 4 * 3);
		world->join(lets);
		check_status(finish(), STATUS_OK);
		forget(called);
		ops->buffer_free(buffer);
		close_it(&executor);
	}
}

/* Also tests the pipeline "main". It has only one thread, so a call itself serves the executor's
 * request. */
TEST(what_has_no_space_fails_later_and_can_be_called_again)
{
	static const char *const all[] = {"main", "pair", "stages", NULL};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct executor executor = {0};
		struct called called;
		uint64_t before;

		open_with(&executor, all[i], SMALL_BANK);
		before = free_bytes();
		executor.wants = 2 * SMALL_BANK;
		semaphore_release(executor.lets, 1);
		called = call_new();
		check_status(finish(), STATUS_NO_SPACE);
		check(strstr(controller_why(hosts.controller), "DRAM bank") != NULL, "'%s'",
			controller_why(hosts.controller));
		executor.wants = WANTED;
		semaphore_release(executor.lets, 1);
		check_status(ops->run(hosts.handle, later, called.workload), STATUS_OK);
		check_status(finish(), STATUS_OK);
		check_equal(free_bytes(), before - WANTED);
		forget(called);
		check_equal(free_bytes(), before);
		close_it(&executor);
	}
}

static void fails_so(enum asked asked, enum status status, const char *why)
{
	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
		struct executor executor = {.asked = asked};
		struct handle_buffer *buffer;
		struct called called;

		open_with(&executor, pipelines[i], 0);
		buffer = buffer_new(WANTED);
		called = call_new();
		ops->buffer_free(buffer);
		semaphore_release(executor.lets, 1);
		check_status(finish(), status);
		check(strcmp(controller_why(hosts.controller), why) == 0, "'%s', expected '%s'",
			controller_why(hosts.controller), why);
		check_status(ops->run(hosts.handle, later, called.workload), status);
		forget(called);
		close_it(&executor);
	}
}

TEST(an_executor_that_dies_when_asked_is_named)
{
	fails_so(DIES, STATUS_CLOSED, "host host-0 is lost");
}

TEST(an_executor_that_wants_nothing_is_named_in_time)
{
	fails_so(SILENT, STATUS_TIMEOUT, "no answer from host host-0");
}

TEST_MAIN(NULL, NULL)
