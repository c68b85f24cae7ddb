/* Tests several hosts in one simulation. Each host has its own cluster, and opens a mesh device on
 * it. The other hosts must not affect this device: its times must be the same, to the picosecond,
 * as without other hosts. There is no native test, because native hosts are separate processes. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "chip/sim_device.h"
#include "mesh_case.h"
#include "sim_case.h"
#include "sim_chip.h"
#include "sim_host.h"

enum { HOSTS = 3, ROUNDS = 8, ARGS = 5, BYTES = 8192, MARKS = 3 * ROUNDS };

/* The work of one host, and the time from its start at which each part was done. */
struct part {
	bool runs;
	uint32_t rounds; /* each has a workload, a write and a read */
	bool threads;	 /* uses host threads instead of only the program's thread */
	int64_t done_ps[MARKS];
	struct sim_conservation conservation;
	int64_t pcie_busy_ps;
};

struct parts {
	struct part of[HOSTS];
	uint64_t events;
};

struct host_run {
	uint16_t host;
	struct part *part;
	struct mesh_case test;
	int64_t begun_ps;
	uint32_t marks;
};

static struct parts *result; /* set in the child process */

static void done(struct host_run *run)
{
	run->part->done_ps[run->marks++] = engine_now() - run->begun_ps;
}

static void check_workers(struct mesh_case *test, uint32_t generation)
{
	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++)
		for (uint32_t core = 0; core < 3; core++)
			check_equal(mesh_case_result(test, device, core).checksum,
				mesh_case_checksum(core, ARGS, generation));
}

static void play(struct host_run *run)
{
	const struct cores cores = {.kind = CORES_COUNT, .count = 3};
	struct mesh_case *test = &run->test;
	struct program *program = mesh_case_program(test, "counted", cores, 700, ARGS);
	struct workload *workload = mesh_case_workload(test, program);
	struct command_queue *queue = mesh_queue(test->mesh, 0);
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 512};
	uint8_t data[BYTES], back[BYTES];
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 1; i <= run->part->rounds; i++) {
		mesh_case_set_args(test, program, cores, ARGS, i + 100 * run->host);
		assert_int_equal(enqueue_workload(queue, workload, true, 3 * i), STATUS_OK);
		done(run);
		mesh_case_fill(data, BYTES, i + 1000 * run->host);
		assert_int_equal(
			enqueue_write_buffer(queue, buffer, data, true, 3 * i + 1), STATUS_OK);
		done(run);
		memset(back, 0, BYTES);
		assert_int_equal(
			enqueue_read_buffer(queue, buffer, back, true, 3 * i + 2), STATUS_OK);
		done(run);
		assert_memory_equal(data, back, BYTES);
	}
	check_workers(test, run->part->rounds + 100 * run->host);
	mesh_buffer_free(buffer);
	workload_free(workload);
	program_free(program);
}

static void be_host(void *argument)
{
	struct host_run *run = argument;
	struct mesh_case *test = &run->test;

	run->begun_ps = engine_now();
	mesh_case_attach(test);
	play(run);
	check_status(device_row->drain(test->cluster, DEADLINE_NEVER), STATUS_OK);
	sim_conservation(test->cluster, &run->part->conservation);
	mesh_close(test->mesh);
}

static void make_cluster(struct host_run *run, uint16_t host, struct part *part)
{
	struct chip_constants constants = sim_chip_constants();
	struct sim_options options = {.topology = SIM_TOPOLOGY_MESH, .host = host};
	const char *what;

	run->host = host;
	run->part = part;
	mesh_case_init(&run->test, 2, 2, TEST_PCIE_ALL);
	run->test.config.host.server = host;
	mesh_case_choose(
		&run->test, "unicast", 0, "per-device", part->threads ? "per-device" : "main");
	run->test.info = test_cluster_info_new(&run->test.cluster_config);
	check_status(
		sim_cluster_new(run->test.info, &constants, &options, &run->test.cluster, &what),
		STATUS_OK);
}

static void be_controller(void *argument)
{
	struct host_run *runs = argument;
	struct thread *threads[HOSTS];
	char name[16];

	for (uint16_t i = 1; i < HOSTS; i++) {
		snprintf(name, sizeof name, "host %u", i);
		if (runs[i].part->runs)
			threads[i] = world->spawn(
				name, (struct affinity){.host = i, .core = -1}, be_host, &runs[i]);
	}
	for (uint16_t i = 1; i < HOSTS; i++)
		if (runs[i].part->runs)
			world->join(threads[i]);
}

static void run_parts(const void *unused, void *shared)
{
	static const char *const names[HOSTS] = {"host-0", "host-1", "host-2"};
	static struct host_run runs[HOSTS];
	struct host_constants host = sim_host_constants();
	struct host_description hosts[HOSTS];
	struct affinity first = {.host = 0, .core = -1};

	(void)unused;
	result = shared;
	for (int i = 0; i < HOSTS; i++)
		hosts[i] = (struct host_description){.name = names[i], .constants = &host};
	sim_case_open();
	world = &sim_world;
	device_row = &sim_device;
	check_status(sim_world_start(hosts, HOSTS, 1, NULL), STATUS_OK);
	for (uint16_t i = 1; i < HOSTS; i++)
		make_cluster(&runs[i], i, &result->of[i]);
	check_equal(sim_world_run(first, be_controller, runs, (struct engine_limits){0}),
		ENGINE_FINISHED);
	result->events = engine_events();
	for (uint16_t i = 1; i < HOSTS; i++) {
		struct sim_pcie_statistics pcie;

		sim_pcie_statistics(runs[i].test.cluster, 0, &pcie);
		result->of[i].pcie_busy_ps = pcie.down_busy_ps;
		sim_cluster_free(runs[i].test.cluster);
		mesh_system_free(runs[i].test.system); /* NULL if nothing ran there */
		test_cluster_info_free(runs[i].test.info);
	}
	sim_world_stop();
	engine_close();
}

static struct parts run_with(const struct parts *wanted)
{
	struct parts parts = *wanted;

	check_equal(sim_case_run(run_parts, NULL, &parts, sizeof parts).exit_code, 0);
	return parts;
}

static void check_same(const struct part *part, const struct part *alone)
{
	for (uint32_t i = 0; i < MARKS; i++)
		check_equal(part->done_ps[i], alone->done_ps[i]);
	check_equal(part->conservation.noc_sent_bytes, alone->conservation.noc_sent_bytes);
	check_equal(part->conservation.pcie_sent_bytes, alone->conservation.pcie_sent_bytes);
	check_equal(part->pcie_busy_ps, alone->pcie_busy_ps);
}

static void check_conserved(const struct part *part)
{
	const struct sim_conservation *bytes = &part->conservation;

	check_less(0, bytes->noc_sent_bytes);
	check_equal(bytes->noc_delivered_bytes, bytes->noc_sent_bytes);
	check_equal(bytes->pcie_delivered_bytes, bytes->pcie_sent_bytes);
	check_equal(bytes->fabric_delivered_bytes, bytes->fabric_sent_bytes);
}

TEST(each_does_what_it_does_alone)
{
	for (int threads = 0; threads < 2; threads++) {
		struct parts first = {.of[1] = {true, ROUNDS, threads, {0}, {0}, 0}};
		struct parts second = {.of[2] = {true, 3, !threads, {0}, {0}, 0}};
		struct parts both = {.of = {[1] = first.of[1], [2] = second.of[2]}};

		first = run_with(&first);
		second = run_with(&second);
		both = run_with(&both);
		check_less(0, first.of[1].done_ps[MARKS - 1]);
		check_same(&both.of[1], &first.of[1]);
		check_same(&both.of[2], &second.of[2]);
		check_conserved(&both.of[1]);
		check_conserved(&both.of[2]);
		check_equal(first.of[2].conservation.noc_sent_bytes, 0);
	}
}

TEST(the_same_twice)
{
	struct parts both = {.of = {[1] = {true, ROUNDS, true, {0}, {0}, 0},
				     [2] = {true, ROUNDS, false, {0}, {0}, 0}}};
	struct parts one = run_with(&both), other = run_with(&both);

	assert_memory_equal(&one, &other, sizeof one);
}

/* ---- access from another host ---- */

static void reach_over(void *argument)
{
	struct host_run *runs = argument;
	uint64_t address;

	device_row->window_reserve(runs[1].test.cluster, "not its own", 4096, &address);
}

static void run_stranger(const void *unused, void *shared)
{
	static const char *const names[HOSTS] = {"host-0", "host-1", "host-2"};
	static struct host_run runs[HOSTS];
	struct host_constants host = sim_host_constants();
	struct host_description hosts[HOSTS];
	struct part part = {0};

	(void)unused;
	(void)shared;
	for (int i = 0; i < HOSTS; i++)
		hosts[i] = (struct host_description){.name = names[i], .constants = &host};
	sim_case_open();
	world = &sim_world;
	device_row = &sim_device;
	check_status(sim_world_start(hosts, HOSTS, 1, NULL), STATUS_OK);
	make_cluster(&runs[1], 1, &part);
	sim_world_run((struct affinity){.host = 0, .core = -1}, reach_over, runs,
		(struct engine_limits){0});
}

TEST(another_hosts_window_is_out_of_reach)
{
	sim_case_expect(run_stranger, NULL, 70, "a thread of host 0 at the chips of host 1");
}

static void run_fluid(const void *unused, void *shared)
{
	struct chip_constants constants = sim_chip_constants();
	struct sim_options options = {.network = "fluid", .host = 1};
	struct test_cluster config = {.rows = 1, .columns = 1, .pcie = TEST_PCIE_ALL};
	struct cluster_info *info = test_cluster_info_new(&config);
	struct cluster *cluster;
	const char *what = "";

	(void)unused;
	(void)shared;
	check_status(sim_cluster_new(info, &constants, &options, &cluster, &what), STATUS_INVALID);
	check(strcmp(what, "network") == 0, "refuses %s", what);
	test_cluster_info_free(info);
}

TEST(chips_of_one_host_alone_are_simgrids)
{
	sim_case_expect(run_fluid, NULL, 0, NULL);
}

TEST_MAIN(NULL, NULL)
