/* Tests how often a simulated executor copies data that it receives. To count the copies, the test
 * doubles the cost of a copy and measures the difference in time. Data that arrive in ordinary
 * memory are copied twice. If the executor receives into pinned memory, there are two cases: a
 * transport that can write directly into this memory needs no copy, and a transport that receives
 * into its own memory needs one copy. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "hosts_sim.h"
#include "sim_case.h"
#include "sim_host.h"
#include "sim_network.h"

/* DATA_PS is the time of one copy of the data at RATE; BESIDE_PS allows for commands and polls. */
enum { BYTES = 1 << 15, RATE = 1000000000, DATA_PS = BYTES * 1000, BESIDE_PS = DATA_PS / 4 };

struct scene {
	const char *transport, *receive;
	uint64_t copied_per_s; /* bytes of every kind of copy */
};

static int64_t measured_ps;

static void run(void *argument)
{
	const struct scene *scene = argument;
	const struct hosts_choice choice = {.transport = scene->transport,
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "main",
		.receive = scene->receive,
		.hosts = 1,
		.axis = HOSTS_IN_ROWS,
		.rows = 1,
		.columns = 1,
		.ground = &hosts_sim_ground};
	const struct mesh_layout layout = {.size_bytes = BYTES};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	const struct handle_call now = {.blocking = true};
	static uint8_t data[BYTES];
	static struct hosts_case hosts;
	struct handle_buffer *buffer;
	int64_t begin_ps;

	hosts_case_init(&hosts, choice);
	hosts.poll_ns = 1000;
	hosts_case_open(&hosts);
	check_status(hosts.handle->ops->buffer_new(hosts.handle, &layout, &config, NULL, &buffer),
		STATUS_OK);
	check_status(hosts.handle->ops->write(hosts.handle, now, buffer, data), STATUS_OK);
	world->sleep_until(world->now_ns() / 1000000 * 1000000 + 2000000);
	begin_ps = host_thread_paid_at_ps();
	check_status(hosts.handle->ops->write(hosts.handle, now, buffer, data), STATUS_OK);
	world->settle();
	measured_ps = host_thread_paid_at_ps() - begin_ps;
	hosts.handle->ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
}

static void simulate(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;
	struct host_constants host = sim_host_free_constants();
	struct hostnet_constants network = sim_network_free_constants();
	int64_t *to = result;

	for (int from = 0; from < MEMORY_KIND_COUNT; from++)
		for (int into = 0; into < MEMORY_KIND_COUNT; into++)
			host.copy[from][into].bandwidth_bytes_per_s = scene.copied_per_s;
	(void)hosts_sim_run_on(1, &host, &network, NULL, run, &scene);
	*to = measured_ps;
}

static int64_t time_of(const char *transport, const char *receive, uint64_t copied_per_s)
{
	const struct scene scene = {transport, receive, copied_per_s};
	int64_t time_ps = 0;
	struct sim_case end = sim_case_run(simulate, &scene, &time_ps, sizeof time_ps);

	check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	return time_ps;
}

/* Checks that the host makes `copies` copies of the data. If a copy costs twice as much, the total
 * time must grow by the time of `copies` copies, plus at most BESIDE_PS. */
static void check_copies(const char *transport, const char *receive, int64_t copies)
{
	int64_t more_ps = time_of(transport, receive, RATE / 2) - time_of(transport, receive, RATE);

	check_at_most(copies * DATA_PS, more_ps);
	check_at_most(more_ps, copies * DATA_PS + BESIDE_PS);
}

TEST(data_are_copied_as_often_as_the_row_says)
{
	check_copies("tcp", "heap", 2);
	check_copies("unix", "heap", 2);
	check_copies("tcp", "pinned", 0);
	check_copies("unix", "pinned", 0);
	check_copies("zeromq", "heap", 2);
	check_copies("zeromq", "pinned", 1);
}

TEST_MAIN(NULL, NULL)
