/* label: full  timeout: 240
 * Tests several meshes over the same hosts (spec 2.2, 3.1.1): one mesh across both hosts, and one
 * within each host. The meshes use the same numbers of buffers, events, workloads and traces, and
 * must not disturb each other. The host moves data from one mesh to another (spec 3.7, step 6). A
 * host serves until its last mesh is closed. The tests run in both worlds, with every codec and
 * every reader of completions. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "deadline.h"
#include "hosts_sim.h"
#include "sim_case.h"

enum { ACROSS, LOWER, UPPER, MESHES, BYTES = 1 << 15, PAGE = 64, KERNEL = 300 };

/* The meshes. Their machine has 4 x 4 devices, and two hosts with two rows each. */
static const struct mesh_place {
	struct mesh_shape shape;
	struct mesh_offset offset;
	uint32_t launches; /* number of launches of the mesh's program */
} places[MESHES] = {
	[ACROSS] = {{4, 2}, {0, 0}, 3},
	[LOWER] = {{2, 2}, {2, 2}, 2},
	[UPPER] = {{2, 2}, {0, 2}, 1},
};

static struct hosts_case hosts;
static struct device_handle *meshes[MESHES];
static struct handle_buffer *buffers[MESHES];
static uint8_t sent[MESHES][BYTES], back[BYTES];

static const struct handle_call now = {.blocking = true}, later = {.blocking = false};

static struct hosts_choice choice_of(const char *codec, const char *reader, const char *resolution)
{
	return (struct hosts_choice){.transport = "tcp",
		.codec = codec,
		.resolution = resolution,
		.pipeline = reader != NULL ? "stages" : "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 4,
		.columns = 4,
		.links = reader != NULL ? 2 : 0,
		.allocation = reader != NULL ? "requests" : NULL,
		.receive = reader != NULL ? "pinned" : NULL,
		.completion_reader = reader};
}

/* ---- opening and closing ---- */

static enum status open_mesh(
	struct mesh_shape shape, struct mesh_offset offset, struct device_handle **handle)
{
	struct mesh_config config = hosts.one.config;
	struct text why = {0};
	enum status status;

	config.shape = shape;
	config.offset = offset;
	status = distributed_open(hosts.controller, &config, &why, handle);
	check(status == STATUS_OK || why.length > 0, "%s without a reason", status_name(status));
	text_fini(&why);
	return status;
}

static void open_all(struct hosts_choice choice)
{
	struct device_handle *none = NULL;

	hosts_case_init(&hosts, choice);
	hosts_case_start_controller(&hosts);
	for (uint32_t i = 0; i < choice.hosts; i++)
		hosts_case_start_executor(&hosts, i);
	hosts_case_accept(&hosts);
	check_status(
		open_mesh(places[ACROSS].shape, places[ACROSS].offset, &meshes[ACROSS]), STATUS_OK);
	check_status(
		open_mesh(places[LOWER].shape, places[LOWER].offset, &meshes[LOWER]), STATUS_OK);
	/* the first host would have devices for it, and keeps them for the next mesh */
	check_status(
		open_mesh((struct mesh_shape){4, 2}, places[UPPER].offset, &none), STATUS_EXISTS);
	check_status(
		open_mesh(places[UPPER].shape, places[UPPER].offset, &meshes[UPPER]), STATUS_OK);
	check_status(open_mesh((struct mesh_shape){1, 1}, (struct mesh_offset){4, 0}, &none),
		STATUS_OUT_OF_RANGE);
}

static void close_mesh(uint32_t mesh)
{
	meshes[mesh]->ops->buffer_free(buffers[mesh]);
	meshes[mesh]->ops->close(meshes[mesh]);
	check_status(controller_status(hosts.controller), STATUS_OK);
}

/* ---- data ---- */

static void make_buffer(uint32_t mesh)
{
	const struct mesh_layout layout = {.size_bytes = BYTES,
		.sharded = true,
		.global_height = 64,
		.global_width = BYTES / 64,
		.shard_height = (uint32_t)(64 / places[mesh].shape.rows),
		.shard_width = (uint32_t)(BYTES / 64 / places[mesh].shape.columns)};
	const struct buffer_config config = {.page_bytes = PAGE};

	check_status(
		meshes[mesh]->ops->buffer_new(meshes[mesh], &layout, &config, NULL, &buffers[mesh]),
		STATUS_OK);
}

static void expect_data(uint32_t mesh, const uint8_t *expected, const char *what)
{
	memset(back, 0, sizeof back);
	check_status(meshes[mesh]->ops->read(meshes[mesh], now, buffers[mesh], back), STATUS_OK);
	check(memcmp(back, expected, BYTES) == 0, "%s: mesh %u has %u first, expected %u", what,
		mesh, back[0], expected[0]);
}

static void write_all(void)
{
	for (uint32_t i = 0; i < MESHES; i++) {
		make_buffer(i);
		mesh_case_fill(sent[i], BYTES, 40 + i);
		check_status(
			meshes[i]->ops->write(meshes[i], later, buffers[i], sent[i]), STATUS_OK);
	}
	for (uint32_t i = 0; i < MESHES; i++)
		expect_data(i, sent[i], "what was written");
}

/* Moves the data of a mesh to another one. */
static void move_data(uint32_t from, uint32_t to)
{
	expect_data(from, sent[from], "before it is moved");
	memcpy(sent[to], back, BYTES);
	check_status(meshes[to]->ops->write(meshes[to], later, buffers[to], sent[to]), STATUS_OK);
	expect_data(to, sent[from], "what was moved");
}

/* ---- programs, events and traces ---- */

static void run_programs(void)
{
	const struct kernel_config kernel = {
		.cores = {.kind = CORES_ALL}, .bytes = KERNEL, .cycles = 10};

	for (uint32_t i = 0; i < MESHES; i++) {
		const struct handle_ops *ops = meshes[i]->ops;
		struct program *program = ops->program_new(meshes[i], "same");
		struct workload *workload = ops->workload_new(meshes[i]);
		struct handle_event event;
		struct handle_trace *trace;
		uint32_t index;

		check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
		check_status(
			workload_add(workload, program, device_range_all(places[i].shape), NULL),
			STATUS_OK);
		check_status(ops->run(meshes[i], now, workload), STATUS_OK);
		check_status(ops->trace_begin(meshes[i], 0, NULL), STATUS_OK);
		check_status(ops->run(meshes[i], later, workload), STATUS_OK);
		check_status(ops->trace_end(meshes[i], 0, NULL, &trace), STATUS_OK);
		for (uint32_t k = 1; k < places[i].launches; k++)
			check_status(ops->replay(meshes[i], now, trace, 0), STATUS_OK);
		check_status(ops->record(meshes[i], later, device_range_all(places[i].shape), true,
				     &event),
			STATUS_OK);
		check_status(ops->synchronize(meshes[i], &event, DEADLINE_NEVER), STATUS_OK);
		ops->trace_free(trace);
		ops->workload_free(meshes[i], workload);
		ops->program_free(meshes[i], program);
	}
}

static void check_launches(void)
{
	for (uint32_t i = 0; i < MESHES; i++)
		check_status(meshes[i]->ops->rest(meshes[i], DEADLINE_NEVER), STATUS_OK);
	for (uint32_t i = 0; i < MESHES; i++) {
		struct launch_result last;

		check_status(meshes[i]->ops->core_result(
				     meshes[i], (uint16_t)(places[i].shape.rows - 1), 0, 0, &last),
			STATUS_OK);
		check_equal(last.launches, places[i].launches);
	}
}

/* ---- the cases ---- */

static void work(struct hosts_choice choice)
{
	struct device_handle *none = NULL;

	open_all(choice);
	write_all();
	run_programs();
	check_launches();
	move_data(ACROSS, LOWER);
	move_data(UPPER, ACROSS);
	close_mesh(UPPER);
	expect_data(ACROSS, sent[ACROSS], "when another mesh of its host is closed");
	close_mesh(ACROSS); /* the first host has no mesh any more */
	expect_data(LOWER, sent[LOWER], "when the other host has ended");
	check_status(open_mesh(places[UPPER].shape, places[UPPER].offset, &none), STATUS_CLOSED);
	check_status(
		open_mesh((struct mesh_shape){2, 1}, (struct mesh_offset){2, 0}, &meshes[UPPER]),
		STATUS_OK);
	meshes[UPPER]->ops->close(meshes[UPPER]);
	close_mesh(LOWER);
	hosts_case_close(&hosts, STATUS_OK);
}

TEST(meshes_of_the_same_hosts_do_not_disturb_each_other)
{
	static const char *const codecs[] = {"packed", "flatbuffers", "protobuf", "msgpack"};

	for (uint32_t i = 0; i < 4; i++)
		if (wire_codec_find(codecs[i])->ops != NULL)
			work(choice_of(codecs[i], NULL, i % 2 ? "executors" : "mixed"));
	work(choice_of("packed", "thread", "controller"));
	work(choice_of("packed", "loop", "executors"));
}

static void work_simulated(void *argument)
{
	struct hosts_choice choice = *(const struct hosts_choice *)argument;

	choice.ground = &hosts_sim_ground;
	work(choice);
}

static void simulate(const void *argument, void *result)
{
	struct hosts_choice choice = *(const struct hosts_choice *)argument;

	(void)result;
	(void)hosts_sim_run(choice.hosts, NULL, work_simulated, &choice);
}

static void in_simulation(
	void (*run)(const void *argument, void *result), const struct hosts_choice *choice)
{
	struct sim_case end = sim_case_run(run, choice, NULL, 0);

	check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
}

TEST(simulated_meshes_of_the_same_hosts_do_not_disturb_each_other)
{
	struct hosts_choice choices[] = {choice_of("packed", NULL, "controller"),
		choice_of("flatbuffers", "thread", "mixed"),
		choice_of("packed", "loop", "executors")};

	for (uint32_t i = 0; i < 3; i++)
		in_simulation(simulate, &choices[i]);
}

/* Waits for an event of one mesh. Another mesh has an event with the same number, which happens
 * much later; it must not delay this wait. */
static void wait_for_the_sooner(void *argument)
{
	enum { LONG_CYCLES = 100000000 };
	struct hosts_choice choice = *(const struct hosts_choice *)argument;
	const struct kernel_config kernel = {
		.cores = {.kind = CORES_ALL}, .bytes = KERNEL, .cycles = LONG_CYCLES};
	struct handle_event late, soon;
	struct program *program;
	struct workload *workload;
	int64_t from_ns;
	uint32_t index;

	choice.ground = &hosts_sim_ground;
	open_all(choice);
	write_all();
	program = meshes[ACROSS]->ops->program_new(meshes[ACROSS], "long");
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	workload = meshes[ACROSS]->ops->workload_new(meshes[ACROSS]);
	check_status(workload_add(workload, program, device_range_all(places[ACROSS].shape), NULL),
		STATUS_OK);
	from_ns = world->now_ns();
	check_status(meshes[ACROSS]->ops->run(meshes[ACROSS], later, workload), STATUS_OK);
	check_status(meshes[ACROSS]->ops->record(meshes[ACROSS], later,
			     device_range_all(places[ACROSS].shape), true, &late),
		STATUS_OK);
	check_status(meshes[LOWER]->ops->record(meshes[LOWER], later,
			     device_range_all(places[LOWER].shape), true, &soon),
		STATUS_OK);
	check_equal(soon.id, late.id);
	check_status(
		meshes[LOWER]->ops->synchronize(meshes[LOWER], &soon, DEADLINE_NEVER), STATUS_OK);
	check_less(world->now_ns() - from_ns, 50000000);
	check_status(meshes[LOWER]->ops->synchronize(meshes[LOWER], &late, DEADLINE_NEVER),
		STATUS_INVALID);
	check_status(
		meshes[ACROSS]->ops->synchronize(meshes[ACROSS], &late, DEADLINE_NEVER), STATUS_OK);
	check_less(99000000, world->now_ns() - from_ns);
	meshes[ACROSS]->ops->workload_free(meshes[ACROSS], workload);
	meshes[ACROSS]->ops->program_free(meshes[ACROSS], program);
	for (uint32_t i = 0; i < MESHES; i++)
		close_mesh(i);
	hosts_case_close(&hosts, STATUS_OK);
}

static void simulate_events(const void *argument, void *result)
{
	struct hosts_choice choice = *(const struct hosts_choice *)argument;

	(void)result;
	(void)hosts_sim_run(choice.hosts, NULL, wait_for_the_sooner, &choice);
}

TEST(an_event_of_one_mesh_is_not_that_of_another_with_its_number)
{
	struct hosts_choice choice = choice_of("packed", NULL, "mixed");

	in_simulation(simulate_events, &choice);
}

TEST_MAIN(hosts_same_begin, NULL)
