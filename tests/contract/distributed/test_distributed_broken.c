/* label: slow  timeout: 300
 * Tests faults while a device over several hosts runs: a host is cut off, dies, is slow, receives
 * nothing or joins late, or the controller dies. Each fault ends before a deadline, with a status
 * that names the host; nothing waits for ever. No launch runs twice or out of order: each worker
 * has run launches 1 to N and no others. Each test runs in the native and in the simulated world.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "deadline.h"
#include "hosts_broken.h"
#include "hosts_choices.h"
#include "hosts_sim.h"
#include "hostnet/hostnet.h"
#include "world/world.h"

enum { LAUNCHES = 10, ROWS = 2, COLUMNS = 2, BUSY_NS = 10000000, CYCLES = 300000 };
#define SECOND_NS INT64_C(1000000000)

/* In the native world, only the first NATIVES choices of hosts are tested. In the simulation, all
 * choices are tested, with transport libraries that work across a network. */
enum { NATIVES = 2, SIMULATED = HOSTS_CHOICES_UNLIKE };
static struct hosts_choice simulated[SIMULATED];

static struct hosts_case hosts;
static struct program *program;
static struct workload *workload;
static uint32_t expected[ROWS][COLUMNS][LAUNCHES + 1]; /* checksums after so many launches */

static void in_both(void (*body)(const struct hosts_choice *choice))
{
	hosts_broken_in_both(hosts_choices_unlike, NATIVES, simulated, SIMULATED, body);
}

static bool is_native(void)
{
	return hosts.choice.ground == NULL;
}

/* ---- the program ---- */

static void prepare(const struct hosts_choice *choice, int64_t reply_ns, uint32_t window)
{
	hosts_case_init(&hosts, *choice);
	hosts_broken_init(&hosts);
	hosts.settings.reply_ns = (uint64_t)reply_ns;
	if (window > 0)
		hosts.settings.channel.window = window;
}

static void make_workload(void)
{
	const struct kernel_config kernel = {.cores = {.kind = CORES_ALL},
		.bytes = 600,
		.cycles = CYCLES,
		.unique_args = 3,
		.common_args = 2};
	uint32_t index;

	program = hosts.handle->ops->program_new(hosts.handle, "counted");
	workload = hosts.handle->ops->workload_new(hosts.handle);
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	check_status(workload_add(workload, program,
			     device_range_all(hosts.handle->ops->shape(hosts.handle)), NULL),
		STATUS_OK);
}

static void open_device(const struct hosts_choice *choice, int64_t reply_ns, uint32_t window)
{
	prepare(choice, reply_ns, window);
	hosts_case_open(&hosts);
	make_workload();
}

/* Launches with different arguments each time. */
static enum status launch(uint32_t number)
{
	program_refresh_args(program, number);
	return hosts.handle->ops->run(hosts.handle, (struct handle_call){.queue = 0}, workload);
}

static enum status finish(void)
{
	return hosts.handle->ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER);
}

static void launch_and_finish(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		check_status(launch(i), STATUS_OK);
		check_status(finish(), STATUS_OK);
	}
}

static void close_device(enum status ended)
{
	hosts.handle->ops->workload_free(hosts.handle, workload);
	hosts.handle->ops->program_free(hosts.handle, program);
	hosts_case_close(&hosts, ended);
}

/* ---- what ran ---- */

/* Runs the launches one by one to learn the sums that the workers must have. */
static void learn(const struct hosts_choice *choice)
{
	open_device(choice, 60 * SECOND_NS, 0);
	for (uint32_t i = 0; i < LAUNCHES; i++) {
		launch_and_finish(i, i + 1);
		hosts_case_drain(&hosts);
		for (uint16_t d = 0; d < ROWS * COLUMNS; d++)
			expected[d / COLUMNS][d % COLUMNS][i + 1] =
				hosts_case_result(&hosts, d / COLUMNS, d % COLUMNS).sum;
	}
	close_device(STATUS_OK);
}

static uint32_t host_of(uint16_t row, uint16_t column)
{
	return hosts.choice.axis == HOSTS_IN_ROWS ? row : column;
}

/* Checks that each device of a host has run the first n launches, each of them once, where n is a
 * number from `least` to `most`. */
static void expect_ran(uint32_t host, uint32_t least, uint32_t most)
{
	for (uint16_t row = 0; row < ROWS; row++)
		for (uint16_t column = 0; column < COLUMNS; column++) {
			struct launch_result result;

			if (host_of(row, column) != host)
				continue;
			result = hosts_case_result(&hosts, row, column);
			check_at_most(least, result.launches);
			check_at_most(result.launches, most);
			check_equal(result.sum, expected[row][column][result.launches]);
		}
}

static void expect_why(const char *why)
{
	check(strcmp(controller_why(hosts.controller), why) == 0, "'%s', expected '%s'",
		controller_why(hosts.controller), why);
}

/* Checks that everything fails from now on, immediately. */
static void expect_refused(enum status status, const char *why)
{
	int64_t since_ns = world->now_ns();

	check_status(launch(0), status);
	check_status(finish(), status);
	expect_why(why);
	check_at_most(world->now_ns() - since_ns, is_native() ? SECOND_NS : 1000000);
}

/* Closes a device after a fault, and checks how many launches its chips ran. In the native world,
 * chips may still be busy with commands from their host; before it checks, the function waits until
 * they have finished. */
static void close_failed(uint32_t least_of_first, uint32_t least, uint32_t most)
{
	hosts.handle->ops->workload_free(hosts.handle, workload);
	hosts.handle->ops->program_free(hosts.handle, program);
	hosts.handle->ops->close(hosts.handle);
	controller_close(hosts.controller);
	hosts_case_join_executors(&hosts);
	if (is_native())
		hosts_case_drain(&hosts);
	expect_ran(0, least_of_first, most);
	expect_ran(1, least, most);
	hosts_case_end_executors(&hosts, STATUS_CLOSED);
	deadline_stop();
}

/* ---- faults ---- */

/* Measures the time of the launches. After half of them, a host is away for `away_ns`. */
static int64_t take_with_absence(int64_t away_ns)
{
	int64_t since_ns = world->now_ns();

	launch_and_finish(0, LAUNCHES / 2);
	check_status(launch(LAUNCHES / 2), STATUS_OK);
	if (away_ns > 0)
		hosts_broken_away(&hosts, away_ns);
	check_status(finish(), STATUS_OK);
	launch_and_finish(LAUNCHES / 2 + 1, LAUNCHES);
	if (away_ns > 0)
		hosts_broken_await_return();
	return world->now_ns() - since_ns;
}

static void short_absence(const struct hosts_choice *choice)
{
	int64_t plain_ns, longer_ns, most_ns;

	learn(choice);
	open_device(choice, 20 * SECOND_NS, 0);
	plain_ns = take_with_absence(0);
	close_device(STATUS_OK);
	open_device(choice, 20 * SECOND_NS, 0);
	longer_ns = take_with_absence(SECOND_NS) - plain_ns;
	/* lost messages are sent again every 200 ms, and wake-ups vary */
	most_ns = is_native() ? 15 * SECOND_NS : SECOND_NS + SECOND_NS / 5 + 200000;
	check_at_most(SECOND_NS - (is_native() ? plain_ns : 200000), longer_ns);
	check_at_most(longer_ns, most_ns);
	hosts_case_drain(&hosts);
	for (uint32_t host = 0; host < 2; host++)
		expect_ran(host, LAUNCHES, LAUNCHES);
	close_device(STATUS_OK);
}

TEST(a_host_that_is_away_for_a_second_costs_a_second_and_no_launch)
{
	in_both(short_absence);
}

static void long_absence(const struct hosts_choice *choice)
{
	const int64_t reply_ns = SECOND_NS / 2, native_away_ns = 2 * SECOND_NS;
	int64_t since_ns, took_ns;

	learn(choice);
	open_device(choice, reply_ns, 0);
	launch_and_finish(0, LAUNCHES / 2);
	hosts_broken_away(&hosts, is_native() ? native_away_ns : 30 * SECOND_NS);
	check_status(launch(LAUNCHES / 2), STATUS_OK);
	since_ns = world->now_ns();
	check_status(finish(), STATUS_TIMEOUT);
	took_ns = world->now_ns() - since_ns;
	expect_why("no answer from host host-1");
	check_at_most(reply_ns, took_ns);
	check_at_most(took_ns, reply_ns + (is_native() ? native_away_ns : 1000000));
	expect_refused(STATUS_TIMEOUT, "no answer from host host-1");
	/* natively the command is in the socket, and may still run, once */
	close_failed(LAUNCHES / 2 + 1, LAUNCHES / 2, LAUNCHES / 2 + 1);
	hosts_broken_await_return();
}

TEST(a_host_that_is_away_for_longer_than_it_may_be_silent_is_named)
{
	in_both(long_absence);
}

static void death(const struct hosts_choice *choice)
{
	int64_t since_ns;

	learn(choice);
	open_device(choice, 20 * SECOND_NS, 0);
	launch_and_finish(0, LAUNCHES / 2);
	check_status(launch(LAUNCHES / 2), STATUS_OK);
	world->sleep_until(world->now_ns() + 150000); /* the launch is on its chips now */
	hosts_broken_kill(&hosts);
	since_ns = world->now_ns();
	check_status(finish(), STATUS_CLOSED);
	check_at_most(world->now_ns() - since_ns, is_native() ? 5 * SECOND_NS : 1000000);
	expect_why("host host-1 is lost");
	expect_refused(STATUS_CLOSED, "host host-1 is lost");
	close_failed(LAUNCHES / 2 + 1, LAUNCHES / 2, LAUNCHES / 2 + 1);
}

TEST(a_host_that_dies_while_a_workload_runs_is_named_at_once)
{
	in_both(death);
}

/* Runs in the simulation only, because natively a controller that dies is a process. */
static void controller_death(const struct hosts_choice *choice)
{
	int64_t since_ns;

	learn(choice);
	open_device(choice, 20 * SECOND_NS, 0);
	launch_and_finish(0, LAUNCHES / 2);
	check_status(launch(LAUNCHES / 2), STATUS_OK);
	world->sleep_until(world->now_ns() + 150000);
	since_ns = world->now_ns();
	hostnet_kill((uint16_t)hosts.choice.hosts);
	hosts_case_join_executors(&hosts); /* without being told to */
	check_at_most(world->now_ns() - since_ns, 10000000);
	for (uint32_t host = 0; host < 2; host++) {
		const char *why = text_string(&hosts.executors[host].why);

		expect_ran(host, LAUNCHES / 2, LAUNCHES / 2 + 1);
		check(strstr(why, hosts.names[host]) == why &&
				strstr(why, ": the controller is lost"),
			"%s", why);
	}
	check_status(finish(), STATUS_CLOSED);
	close_device(STATUS_CLOSED);
}

TEST(executors_of_a_controller_that_dies_end_by_themselves)
{
	hosts_broken_in_both(NULL, 0, simulated, SIMULATED, controller_death);
}

/* ---- windows ---- */

static void slow_host(const struct hosts_choice *choice)
{
	const uint32_t window = 2;
	int64_t since_ns, called_ns;

	learn(choice);
	open_device(choice, 60 * SECOND_NS, window);
	hosts_broken_slow(BUSY_NS);
	since_ns = world->now_ns();
	for (uint32_t i = 0; i < LAUNCHES; i++)
		check_status(launch(i), STATUS_OK);
	called_ns = world->now_ns() - since_ns;
	check_status(finish(), STATUS_OK);
	/* arguments are a separate command; the first launch carries its own */
	check_at_most((LAUNCHES - 1) * BUSY_NS, world->now_ns() - since_ns);
	if (strcmp(choice->pipeline, "main") == 0)
		check_at_most((LAUNCHES - window - 2) * BUSY_NS, called_ns);
	check_less(0, hosts_broken_counts().full);
	hosts_broken_slow(0);
	hosts_case_drain(&hosts);
	for (uint32_t host = 0; host < 2; host++)
		expect_ran(host, LAUNCHES, LAUNCHES);
	close_device(STATUS_OK);
}

TEST(a_slow_host_holds_the_controller_up_and_loses_nothing)
{
	in_both(slow_host);
}

/* A host that receives nothing at all, so that its window fills and stays full. */
static void stuck_host(const struct hosts_choice *choice)
{
	const int64_t reply_ns = SECOND_NS, stuck_ns = 4 * SECOND_NS;
	enum status status = STATUS_OK;
	uint32_t launched = LAUNCHES / 2;
	int64_t since_ns;

	learn(choice);
	open_device(choice, reply_ns, 2);
	launch_and_finish(0, launched);
	hosts_broken_slow(stuck_ns);
	since_ns = world->now_ns();
	while (status == STATUS_OK && world->now_ns() < since_ns + stuck_ns)
		status = launch(launched < LAUNCHES ? launched++ : LAUNCHES - 1);
	check_status(status, STATUS_TIMEOUT);
	check_at_most(reply_ns, world->now_ns() - since_ns);
	expect_refused(STATUS_TIMEOUT, "host host-1 does not take commands");
	hosts_broken_slow(0);
	close_failed(LAUNCHES / 2, LAUNCHES / 2, LAUNCHES);
}

TEST(a_host_whose_window_stays_full_is_named)
{
	in_both(stuck_host);
}

/* ---- joining ---- */

static void late_host(const struct hosts_choice *choice)
{
	struct mesh_config config;
	struct text why = {0};

	learn(choice);
	prepare(choice, 20 * SECOND_NS, 0);
	hosts_case_start_controller(&hosts);
	hosts_case_start_executor(&hosts, 0);
	check_status(
		controller_accept(hosts.controller, hosts_case_in_ms(200), &why), STATUS_TIMEOUT);
	check(strcmp(text_string(&why), "host host-1 has not joined") == 0, "%s",
		text_string(&why));
	text_fini(&why);
	hosts_case_start_executor(&hosts, 1); /* after a late join, the next accept admits it */
	hosts_case_accept(&hosts);
	config = hosts.one.config;
	config.shape = (struct mesh_shape){ROWS, COLUMNS};
	check_status(distributed_open(hosts.controller, &config, NULL, &hosts.handle), STATUS_OK);
	make_workload();
	launch_and_finish(0, LAUNCHES);
	hosts_case_drain(&hosts);
	for (uint32_t host = 0; host < 2; host++)
		expect_ran(host, LAUNCHES, LAUNCHES);
	close_device(STATUS_OK);
}

TEST(a_host_that_joins_late_is_taken_in_when_asked_again)
{
	in_both(late_host);
}

static int begin(void **state)
{
	static const char *const transports[SIMULATED] = {"tcp", "zeromq", "nng"};

	(void)state;
	for (int i = 0; i < SIMULATED; i++) {
		simulated[i] = hosts_choices_unlike[i];
		simulated[i].transport = transports[i];
	}
	hosts_case_learn_results();
	return 0;
}

TEST_MAIN(begin, NULL)
