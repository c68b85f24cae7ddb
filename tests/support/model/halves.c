/* Fixture for tests of sub-devices (see halves.h). */
#include "test.h"

#include "halves.h"

#include <string.h>

#include "mesh/choice.h"

const struct test_cluster halves_cluster = {.rows = HALVES_SIDE,
	.columns = HALVES_SIDE,
	.pcie = TEST_PCIE_LEFT,
	.dispatch_tiles = 12,
	.idle_ethernet = HALVES_ETHERNET};

struct cores halves_cores(uint32_t half)
{
	return (struct cores){.kind = CORES_RECTANGLE,
		.rect = {(uint8_t)(2 * half), 0, (uint8_t)(2 * half + 1), 2}};
}

void halves_open(struct mesh_case *test, struct cluster *cluster, const char *forward,
	const char *go, const char *dispatcher)
{
	mesh_case_init(test, HALVES_SIDE, HALVES_SIDE, TEST_PCIE_LEFT);
	mesh_case_choose(test, forward, 1, "table", "main");
	test->config.forward.go = go_find(go);
	test->config.forward.dispatcher = dispatcher_find(dispatcher);
	if (strcmp(dispatcher, "dedicated") == 0)
		test->config.forward.ordering = ordering_find("event");
	test->config.ethernet_programs = true;
	test->cluster = cluster;
	mesh_case_attach(test);
}

void halves_load(struct mesh_case *test)
{
	const struct sub_device_config halves[HALVES] = {
		{halves_cores(0), false}, {halves_cores(1), true}};
	const struct sub_devices_config config = {halves, HALVES, HALVES_LOCAL};
	struct text why = {0};
	enum status status = sub_devices_load(test->mesh, &config, &why);

	assert_string_equal(text_string(&why), "");
	assert_int_equal(status, STATUS_OK);
	text_fini(&why);
}

void halves_finish(struct mesh_case *test)
{
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(
			queue_finish(mesh_queue(test->mesh, i), 0, DEADLINE_NEVER), STATUS_OK);
}

struct workload *halves_slow(struct mesh_case *test, uint32_t half, struct program **program)
{
	struct kernel_config config = {.processor = PROCESSOR_BRISC,
		.cores = halves_cores(half),
		.bytes = 500,
		.cycles = HALVES_CYCLES};
	uint32_t kernel;

	*program = program_new(test->mesh, "slow");
	assert_int_equal(program_add_kernel(*program, &config, NULL, &kernel), STATUS_OK);
	return mesh_case_workload(test, *program);
}

int64_t halves_mark(uint32_t operation, enum mark_point point, bool last)
{
	const struct row_mark *marks;
	uint32_t count = row_marks(&marks);
	int64_t time = -1;

	for (uint32_t i = 0; i < count; i++)
		if (marks[i].operation == operation && marks[i].point == point &&
			(time < 0 || (last ? marks[i].time_ps > time : marks[i].time_ps < time)))
			time = marks[i].time_ps;
	assert_true(time >= 0);
	return time;
}
