/* label: full  timeout: 240
 * Tests that the simulated hosts of a distributed device do the same as native hosts, and the same
 * as one host. A random program must read the same bytes, leave the same memory, and take the same
 * time in every simulation. Tests a few choices of hosts; test_distributed_sim_all.c tests more. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "hosts_sim.h"

enum { SEED = 40 };

static struct hosts_outcome one;

static int begin(void **state)
{
	(void)hosts_same_begin(state);
	one = hosts_same_one(SEED);
	return 0;
}

static struct hosts_sim_end check_same(struct hosts_choice choice)
{
	struct hosts_outcome many;
	struct hosts_sim_end end = hosts_sim_same(choice, SEED, &many);

	hosts_same_check(choice, &one, &many);
	return end;
}

TEST(two_hosts_leave_what_one_does_in_the_same_time_every_time)
{
	const struct hosts_choice choice = {.transport = "tcp",
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS};
	struct hosts_sim_end first = check_same(choice), again = check_same(choice);

	check_less(0, first.simulated_ps);
	check_equal(again.simulated_ps, first.simulated_ps);
	check_equal(again.events, first.events);
}

TEST(four_hosts_with_a_thread_for_each_stage_leave_what_one_does)
{
	check_same((struct hosts_choice){.transport = "zeromq",
		.codec = "msgpack",
		.resolution = "mixed",
		.pipeline = "stages",
		.executor_threads = true,
		.hosts = 4,
		.axis = HOSTS_IN_COLUMNS});
}

/* The caller waits for an answer, and the thread that sends messages waits for space in the
 * window. While a thread waits, it receives messages itself. Only one of the two threads may
 * receive at a time. */
TEST(a_sender_that_receives_beside_a_caller_that_does_leaves_what_one_host_does)
{
	const struct pipeline_ops sends = {.entry = {.name = "own"}, .resolve = true};
	const struct pipeline_ops each = {
		.entry = {.name = "own"}, .resolve = true, .serialize = true, .send = true};

	for (int i = 0; i < 2; i++)
		check_same((struct hosts_choice){.transport = "tcp",
			.codec = "packed",
			.resolution = "mixed",
			.own_pipeline = i ? &each : &sends,
			.hosts = 2,
			.axis = HOSTS_IN_ROWS,
			.window = 1,
			.look_ns = 1000});
}

TEST_MAIN(begin, NULL)
