/* label: full  needs: simgrid timeout: 300
 * Tests that the chips of a closed mesh device are free for new mesh devices, with every forward
 * path, in the native and the simulated world. A new device may have another shape and other
 * settings of the runtime, and its chips work as if they were new. Mesh devices that are still open
 * are not affected. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/choice.h"
#include "mesh_case.h"
#include "row.h"

enum { BYTES = 3072, LAUNCHES = 9, ARGS = 4, TURNS = 3 };

static const struct test_cluster left = {
	.rows = 3, .columns = 4, .pcie = TEST_PCIE_LEFT, .dispatch_tiles = 16};
static const struct test_cluster gateways = {
	.rows = 3, .columns = 4, .pcie = TEST_PCIE_GATEWAYS, .dispatch_tiles = 16};

static const struct test_cluster all = {
	.rows = 3, .columns = 4, .pcie = TEST_PCIE_ALL, .dispatch_tiles = 16};

static struct mesh_system *mesh_system;

/* ---- use of a mesh device ---- */

static void open_at(struct mesh_case *test, struct cluster *cluster, struct device_range range)
{
	struct text why = {0};
	enum status status;

	test->config.shape = (struct mesh_shape){(uint16_t)(range.row1 - range.row0 + 1),
		(uint16_t)(range.column1 - range.column0 + 1)};
	test->config.offset.row = range.row0;
	test->config.offset.column = range.column0;
	test->cluster = cluster;
	test->system = mesh_system;
	status = mesh_open(mesh_system, &test->config, &why, &test->mesh);
	assert_string_equal(text_string(&why), "");
	assert_int_equal(status, STATUS_OK);
	text_fini(&why);
}

/* Checks that every worker has run all launches of this mesh device and no others. */
static void run_workloads(struct mesh_case *test, uint32_t generation)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct program *program = mesh_case_program(test, "again", cores, 600, ARGS);
	struct workload *workload = mesh_case_workload(test, program);
	uint32_t workers = mesh_worker_columns(test->mesh) * mesh_worker_rows(test->mesh);

	for (uint32_t i = 0; i < LAUNCHES; i++) {
		mesh_case_set_args(test, program, cores, ARGS, generation + i);
		assert_int_equal(
			enqueue_workload(mesh_queue(test->mesh, i % 2), workload, i % 4 == 3, 0),
			STATUS_OK);
	}
	for (uint32_t queue = 0; queue < 2; queue++)
		assert_int_equal(
			queue_finish(mesh_queue(test->mesh, queue), 0, DEADLINE_NEVER), STATUS_OK);
	for (uint32_t device = 0; device < mesh_device_count(test->mesh); device++)
		for (uint32_t core = 0; core < workers; core++) {
			struct launch_result result = mesh_case_result(test, device, core);

			assert_int_equal(result.launches, LAUNCHES);
			assert_int_equal(result.checksum,
				mesh_case_checksum(core, ARGS, generation + LAUNCHES - 1));
		}
	workload_free(workload);
	program_free(program);
}

static void write_and_read(struct mesh_case *test, uint64_t seed)
{
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 256};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_buffer *buffer;
	uint8_t data[BYTES], back[BYTES];

	mesh_case_fill(data, BYTES, seed);
	assert_int_equal(mesh_buffer_new(test->mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t queue = 0; queue < 2; queue++) {
		memset(back, 0, BYTES);
		data[0]++;
		assert_int_equal(
			enqueue_write_buffer(mesh_queue(test->mesh, queue), buffer, data, false, 0),
			STATUS_OK);
		assert_int_equal(
			enqueue_read_buffer(mesh_queue(test->mesh, queue), buffer, back, true, 0),
			STATUS_OK);
		assert_memory_equal(back, data, BYTES);
	}
	mesh_buffer_free(buffer);
}

static void use(struct mesh_case *test, uint32_t generation)
{
	run_workloads(test, generation);
	write_and_read(test, generation);
}

static void check_refused(struct mesh_case *test)
{
	struct mesh_device *other;
	struct text why = {0};

	assert_int_equal(mesh_open(mesh_system, &test->config, &why, &other), STATUS_EXISTS);
	assert_non_null(strstr(text_string(&why), "belongs to another mesh device"));
	text_fini(&why);
}

/* ---- rows ---- */

/* Chooses rows about broadcasts in turn, except those that show a hazard. */
static void choose_broadcast(struct forward_config *forward, uint32_t variant)
{
	bool by_events = variant % 3 == 2;

	forward->initiators = 1 + variant % 2;
	forward->packetizer = packetizer_row(variant % 4);
	forward->ordering = ordering_find(by_events ? "event" : "counter");
	forward->dispatcher = dispatcher_row(by_events && variant % 2 ? 1 : 0);
	forward->feed = feed_row(variant / 2 % 2);
	forward->channels = channels_row(variant / 3 % 2);
	forward->route = route_row(variant % 3 == 1 ? 2 : 0);
}

static void choose(struct mesh_case *test, uint32_t forward, uint32_t variant)
{
	static const char *const threads[] = {"main", "pool", "per-device"};

	mesh_case_init(test, left.rows, left.columns, left.pcie);
	mesh_case_choose(
		test, forward_name(forward), 1, sound_name(variant % 3), threads[variant / 3 % 3]);
	test->config.forward.go = go_row(variant / 2 % 2);
	if (test->config.forward.path->broadcasts)
		choose_broadcast(&test->config.forward, variant);
}

/* ---- cases ---- */

static const struct device_range whole = {0, 0, 2, 3}, corner = {0, 0, 1, 2}, rest = {1, 1, 2, 3},
				 right = {0, 2, 2, 3}, west = {0, 0, 2, 1};

static void in_turn(struct cluster *cluster, uint32_t first, uint32_t second)
{
	const struct device_range ranges[] = {whole, corner, rest, whole};
	uint32_t variant = first + 2 * second;

	for (uint32_t turn = 0; turn < TURNS; turn++)
		for (uint32_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
			struct mesh_case test;

			choose(&test, i % 2 ? second : first, variant++);
			open_at(&test, cluster, ranges[i]);
			use(&test, 100 * variant);
			check_refused(&test);
			mesh_close(test.mesh);
		}
}

static void a_closed_mesh_opens_again_by_every_path(struct cluster *cluster)
{
	mesh_system = mesh_system_new(cluster);
	for (uint32_t first = 0; forward_row(first) != NULL; first++)
		for (uint32_t second = 0; forward_row(second) != NULL; second++)
			in_turn(cluster, first, second);
}

/* Closes and reopens each of two mesh devices while the other one is open. */
static void in_alternation(struct cluster *cluster, uint32_t forward)
{
	struct mesh_case other, test;

	choose(&other, forward, 0);
	open_at(&other, cluster, right);
	for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
		uint32_t begun = 100 * turn;

		choose(&test, turn % 2 ? 0 : forward, turn);
		open_at(&test, cluster, turn % 2 ? right : west);
		run_workloads(&test, begun);
		write_and_read(&other, begun + 1);
		write_and_read(&test, begun + 2);
		mesh_close(other.mesh);
		write_and_read(&test, begun + 3);
		/* swap them: each keeps its configuration and its side */
		other = test;
		if (turn % 2 == 0)
			continue;
		mesh_close(other.mesh);
		choose(&other, forward, turn);
		open_at(&other, cluster, right);
	}
	mesh_close(other.mesh);
}

static void what_is_open_works_on_while_others_close(struct cluster *cluster)
{
	mesh_system = mesh_system_new(cluster);
	for (uint32_t forward = 0; forward_row(forward) != NULL; forward++)
		in_alternation(cluster, forward);
}

/* Opens and closes meshes many times. If closing a mesh did not return all of its resources, the
 * host window or the tiles of gateways would at some time be full. */
static void nothing_is_lost_by_opening(struct cluster *cluster)
{
	struct mesh_resources first = {0};

	mesh_system = mesh_system_new(cluster);
	for (uint32_t i = 0; i < 40; i++) {
		uint64_t begin, end;
		struct mesh_case test;

		choose(&test, 1, 2);
		test.config.sizes.issue_queue_bytes = 8 << 20;
		assert_int_equal(
			device_row->window_reserve(cluster, "probe", 1, &begin), STATUS_OK);
		open_at(&test, cluster, whole);
		if (i == 0)
			first = *mesh_device_resources(test.mesh);
		assert_memory_equal(&first, mesh_device_resources(test.mesh), sizeof(first));
		write_and_read(&test, i);
		mesh_close(test.mesh);
		assert_int_equal(device_row->window_reserve(cluster, "probe", 1, &end), STATUS_OK);
		assert_int_equal(end, begin + WINDOW_PAGE_BYTES);
		device_row->window_release(cluster, end, 1);
		device_row->window_release(cluster, begin, 1);
	}
}

int main(void)
{
	static const struct row_case cases[] = {
		{"reopened, PCIe on the left", a_closed_mesh_opens_again_by_every_path, &left},
		{"reopened, behind gateways", a_closed_mesh_opens_again_by_every_path, &gateways},
		{"others close, PCIe on all chips", what_is_open_works_on_while_others_close, &all},
		{"others close, behind gateways", what_is_open_works_on_while_others_close,
			&gateways},
		ROW_CASE(nothing_is_lost_by_opening, gateways),
	};

	return ROW_RUN_SUITE("mesh_reopen", cases);
}
