/* Tests the marks of operations on several hosts, in the native world and in the simulation. A mark
 * is the time at which an operation passes a point. There must be the same marks as on one host.
 * The controller makes the marks for the start of the call, for its return, and for the time at
 * which it sees the end. Executors make the marks for the work of their chips. Marks contain the
 * numbers that chips have in the whole machine. */
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "check.h"
#include "deadline.h"
#include "hosts_sim.h"
#include "layout/layout_text.h"
#include "sim_case.h"
#include "world/native/native.h"

enum { ROWS = 2, COLUMNS = 4, CHIPS = ROWS * COLUMNS, BYTES = 1 << 13 };

/* ---- marks ---- */

/* The operations. TRACED_* are the operations of a replay, in the order of their capture. */
enum operation {
	NONE,
	WRITE,
	RUN,
	RECORD,
	READ,
	WRITE_NOW,
	RUN_NOW,
	READ_NOW,
	WRITE_TENSOR,
	FINISH,
	REPLAY,
	TRACED_WRITE_LAST,
	TRACED_READ_LAST,
	TRACED_RUN_FIRST,
	TRACED_READ_FIRST,
	TRACED_RUN,
	TRACED_READ,
	COUNT
};

static const char *const operation_names[] = {"none", "write", "run", "record", "read",
	"blocking write", "blocking run", "blocking read", "write of a tensor", "finish", "replay",
	"traced write of the last device", "traced read of the last device",
	"traced run on the first row", "traced read of the first device", "traced run",
	"traced read"};

struct tally {
	uint32_t marks[COUNT][MARK_POINT_COUNT][CHIPS];
	int64_t first_ps[COUNT][MARK_POINT_COUNT], last_ps[COUNT][MARK_POINT_COUNT];
	uint32_t strange; /* marks of unknown chips */
};

static struct tally tally;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void keep(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	(void)context;
	pthread_mutex_lock(&guard);
	if (operation >= COUNT || chip >= CHIPS) {
		tally.strange++;
	} else {
		if (tally.last_ps[operation][point] == 0)
			tally.first_ps[operation][point] = time_ps;
		tally.last_ps[operation][point] = time_ps;
		tally.marks[operation][point][chip]++;
	}
	pthread_mutex_unlock(&guard);
}

static const struct recorder recorder = {.mark = keep};

/* ---- the program ---- */

static struct handle_call call(enum operation operation)
{
	return (struct handle_call){.operation = operation,
		.blocking = operation == WRITE_NOW || operation == RUN_NOW ||
			    operation == READ_NOW || operation == REPLAY};
}

static struct workload *workload_on(
	struct device_handle *device, struct device_range range, struct program **program)
{
	const struct cores cores = {.kind = CORES_ALL};
	const struct kernel_config kernel = {.cores = cores, .bytes = 600, .cycles = 1000};
	struct workload *workload = device->ops->workload_new(device);
	uint32_t index;

	*program = device->ops->program_new(device, "marked");
	check_status(program_add_kernel(*program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, *program, range, NULL), STATUS_OK);
	return workload;
}

/* Writes a tensor with a part for each device. The call returns when it is on all devices. */
static void write_tensor(struct device_handle *device)
{
	static const char text[] =
		"tensor<2x32xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, "
		"memref<1x8xf32, #tt.memory_space<dram>>>>";
	static const float data[2 * 32];
	const struct tensor_source source = {.bytes = (const uint8_t *)data};
	struct diag *diag = diag_new();
	struct handle_tensor *tensor;
	struct layout layout;
	bool encoded;

	check(layout_parse("layout", text, strlen(text), diag, &layout, &encoded), "%s", text);
	diag_free(diag);
	check_status(device->ops->tensor_new(device, &layout, NULL, &tensor), STATUS_OK);
	check_status(
		device->ops->write_tensor(device, call(WRITE_TENSOR), tensor, &source), STATUS_OK);
	device->ops->tensor_free(tensor);
}

static void enqueue_all(
	struct device_handle *device, struct handle_buffer *buffer, struct workload *workload)
{
	const struct handle_ops *ops = device->ops;
	const struct device_range all = device_range_all(ops->shape(device));
	static uint8_t data[BYTES], back[BYTES];
	struct handle_event event;

	check_status(ops->write(device, call(WRITE), buffer, data), STATUS_OK);
	check_status(ops->run(device, call(RUN), workload), STATUS_OK);
	check_status(ops->record(device, call(RECORD), all, true, &event), STATUS_OK);
	check_status(ops->synchronize(device, &event, DEADLINE_NEVER), STATUS_OK);
	check_status(ops->read(device, call(READ), buffer, back), STATUS_OK);
	check_status(ops->write(device, call(WRITE_NOW), buffer, data), STATUS_OK);
	check_status(ops->run(device, call(RUN_NOW), workload), STATUS_OK);
	check_status(ops->read(device, call(READ_NOW), buffer, back), STATUS_OK);
	write_tensor(device);
	check_status(ops->finish(device, 0, FINISH, DEADLINE_NEVER), STATUS_OK);
}

/* Captures calls and replays them. No host takes part in all of these calls. */
static void replay(
	struct device_handle *device, struct handle_buffer *buffer, struct workload *workload)
{
	const struct handle_ops *ops = device->ops;
	const struct device_range first_row = {0, 0, 0, COLUMNS - 1};
	const struct handle_call later = {.queue = 0};
	static uint8_t data[BYTES], last[BYTES], first[BYTES], back[BYTES];
	struct program *upper;
	struct workload *on_upper = workload_on(device, first_row, &upper);
	struct handle_trace *trace;

	memset(data, 0x5a, sizeof data);
	check_status(ops->trace_begin(device, 0, NULL), STATUS_OK);
	check_status(
		ops->write_shard(device, later, buffer, ROWS - 1, COLUMNS - 1, data), STATUS_OK);
	check_status(
		ops->read_shard(device, later, buffer, ROWS - 1, COLUMNS - 1, last), STATUS_OK);
	check_status(ops->run(device, later, on_upper), STATUS_OK);
	check_status(ops->read_shard(device, later, buffer, 0, 0, first), STATUS_OK);
	check_status(ops->run(device, later, workload), STATUS_OK);
	check_status(ops->read(device, later, buffer, back), STATUS_OK);
	check_status(ops->trace_end(device, 0, NULL, &trace), STATUS_OK);
	check_status(ops->replay(device, call(REPLAY), trace, TRACED_WRITE_LAST), STATUS_OK);
	check_equal(last[0], 0x5a);
	check_equal(first[0], 0);
	check(memcmp(back + BYTES - BYTES / CHIPS, data, BYTES / CHIPS) == 0,
		"the last device's part was not read as it was written before");
	ops->trace_free(trace);
	ops->workload_free(device, on_upper);
	ops->program_free(device, upper);
}

static void run_program(struct device_handle *device)
{
	const struct mesh_layout layout = {.sharded = true,
		.size_bytes = BYTES,
		.global_height = ROWS,
		.global_width = BYTES / ROWS,
		.shard_height = 1,
		.shard_width = BYTES / CHIPS};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 128};
	struct handle_buffer *buffer;
	struct program *program;
	struct workload *workload =
		workload_on(device, device_range_all(device->ops->shape(device)), &program);

	check_status(device->ops->buffer_new(device, &layout, &config, NULL, &buffer), STATUS_OK);
	enqueue_all(device, buffer, workload);
	replay(device, buffer, workload);
	device->ops->workload_free(device, workload);
	device->ops->program_free(device, program);
	device->ops->buffer_free(buffer);
}

/* ---- one host or two ---- */

static struct tally on_one_host(void)
{
	struct device_handle *device = NULL;
	struct mesh_case test;

	tally = (struct tally){0};
	mesh_case_init(&test, ROWS, COLUMNS, TEST_PCIE_LEFT);
	world = &native_world;
	device_row = &native_device;
	native_world_start(&recorder);
	deadline_start("the program on one host");
	test.info = test_cluster_info_new(&test.cluster_config);
	test.cluster = native_cluster_new(test.info);
	test.system = mesh_system_new(test.cluster);
	check_status(handle_row(0)->open(test.system, &test.config, NULL, &device), STATUS_OK);
	run_program(device);
	device->ops->close(device);
	native_cluster_free(test.cluster);
	mesh_system_free(test.system);
	test_cluster_info_free(test.info);
	deadline_stop();
	return tally;
}

static void on_two_hosts(const struct hosts_ground *ground)
{
	const struct hosts_choice choice = {.transport = "tcp",
		.codec = "packed",
		.resolution = "mixed",
		.pipeline = "stages",
		.executor_threads = true,
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = ROWS,
		.columns = COLUMNS,
		.ground = ground};
	static struct hosts_case hosts;

	hosts_case_init(&hosts, choice);
	hosts.recorder = &recorder;
	hosts_case_open(&hosts);
	run_program(hosts.handle);
	hosts_case_close(&hosts, STATUS_OK);
}

static void run_simulated(void *unused)
{
	(void)unused;
	on_two_hosts(&hosts_sim_ground);
}

static void simulate(const void *unused, void *result)
{
	struct tally *to = result;

	(void)unused;
	tally = (struct tally){0};
	(void)hosts_sim_run(2, &recorder, run_simulated, NULL);
	*to = tally;
}

/* ---- tests ---- */

static void check_point(
	const struct tally *one, const struct tally *two, uint32_t operation, enum mark_point point)
{
	for (uint32_t chip = 0; chip < CHIPS; chip++)
		check(two->marks[operation][point][chip] == one->marks[operation][point][chip],
			"%s: %s of chip or queue %u: %u on one host, %u on two",
			operation_names[operation], mark_point_name(point), chip,
			one->marks[operation][point][chip], two->marks[operation][point][chip]);
}

/* Compares all marks except BUILT. If the commands are the same for all devices, each host builds
 * them and makes this mark, so two hosts have more of these marks than one host. */
static void check_marks(const struct tally *one, const struct tally *two)
{
	check_equal(two->strange, 0);
	for (uint32_t operation = WRITE; operation < COUNT; operation++)
		for (int point = 0; point < MARK_POINT_COUNT; point++)
			if (point != MARK_BUILT)
				check_point(one, two, operation, (enum mark_point)point);
}

/* Checks the order of marks of a replay that launches programs and reads. The host must see the end
 * of the reads after the launches are done, and before the end of the whole replay. */
static void check_traced(const struct tally *two)
{
	check_less(
		two->last_ps[TRACED_RUN][MARK_WORKERS_DONE], two->first_ps[TRACED_READ][MARK_SEEN]);
	check_less(two->last_ps[TRACED_READ][MARK_SEEN], two->first_ps[REPLAY][MARK_SEEN]);
}

TEST(natively_two_hosts_mark_what_one_does)
{
	struct tally one = on_one_host();

	tally = (struct tally){0};
	on_two_hosts(NULL);
	check_marks(&one, &tally);
}

TEST(simulated_hosts_mark_what_one_does_and_in_its_order)
{
	struct tally one = on_one_host();
	static struct tally two;
	struct sim_case end = sim_case_run(simulate, NULL, &two, sizeof two);

	check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	check_marks(&one, &two);
	check_traced(&two);
	for (uint32_t operation = WRITE; operation <= FINISH; operation++) {
		bool runs = operation == RUN || operation == RUN_NOW;
		bool seen = operation != WRITE && operation != RUN;
		const int64_t *last = two.last_ps[operation], *first = two.first_ps[operation];

		check_less(first[MARK_CALLED], first[MARK_BUILT]);
		if (runs) {
			check_less(first[MARK_BUILT], first[MARK_GO]);
			check_less(last[MARK_GO], last[MARK_WORKERS_DONE]);
		}
		if (runs && seen)
			check_less(last[MARK_WORKERS_DONE], first[MARK_SEEN]);
		if (seen)
			check_less(last[MARK_NOTIFIED], first[MARK_SEEN]);
		check_equal(first[MARK_RETURNED] != 0, true);
	}
}

TEST_MAIN(NULL, NULL)
