/* Tests activities of SimGrid, such as messages, that run while the engine has events of its own.
 * While an activity is running, simulated time must not be ahead of SimGrid's clock. The loop must
 * handle the end of an activity at the simulated time of this end. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/mailbox.h>

#include "check.h"
#include "engine/engine.h"
#include "sim_case.h"

/* 64 B over 100 ns and 12.5 GB/s: latency and transfer, see the closed form of one hop. */
enum { COMM_PS = 100000 + 5120, TICK_PS = 1000, START_PS = 777777 };

static const struct engine_limits no_limits;
static uint64_t ticks;
static int64_t last_tick_ps;
static bool ticking;

static void wake(void *subject, uint64_t argument)
{
	(void)argument;
	actor_wake(subject);
}

static void tick(void *subject, uint64_t argument)
{
	int64_t clock_ps = (int64_t)(simgrid_get_clock() * 1e12 + 0.5);

	ticks++;
	last_tick_ps = engine_now();
	if (!ticking)
		return; /* leaping */
	check_at_most(llabs(clock_ps - engine_now()), 2);
	engine_push(engine_now() + TICK_PS, tick, subject, argument);
}

static void arrived(void *main_actor, uint64_t unused)
{
	(void)unused;
	ticking = false;
	actor_wake(main_actor);
}

static void one_comm(void *unused)
{
	struct transfer transfer = {engine_endpoint("host-0"), engine_endpoint("host-1"), 64};

	(void)unused;
	engine_push(500, wake, actor_self(), 0);
	actor_block("a start that is not zero");
	ticking = true;
	engine_push(engine_now() + TICK_PS, tick, NULL, 0);
	engine_transfer(&transfer, arrived, actor_self(), 0);
	actor_block("the message");
	check_at_most(llabs(engine_now() - (COMM_PS + 500)), 1);
	check_equal(ticks, COMM_PS / TICK_PS);
	check_equal(last_tick_ps, COMM_PS / TICK_PS * TICK_PS + 500);
	/* Leaping again. */
	engine_push(engine_now() + 1000000000, wake, actor_self(), 0);
	actor_block("a leap");
}

static void comm_body(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	sim_case_open();
	check_equal(engine_run_main("host-0", one_comm, NULL, no_limits), ENGINE_FINISHED);
	check_at_most(llabs(engine_now() - (COMM_PS + 500 + 1000000000)), 1);
}

TEST(a_communication_and_events_interleave_in_time)
{
	sim_case_expect(comm_body, NULL, 0, NULL);
}

/* ---- communications without a waiting receiver ---- */

static struct endpoint *sites[2];
static int64_t ended_ps[3];
static int ended;

static void note_end(void *main_actor, uint64_t number)
{
	ended_ps[number] = engine_now();
	if (++ended == 3)
		actor_wake(main_actor);
}

static void start_transfer(void *main_actor, uint64_t number)
{
	engine_transfer(&(struct transfer){sites[0], sites[1], 64}, note_end, main_actor, number);
}

/* The first transfer has the link to itself, the other two share it. */
static void transfers(void *unused)
{
	(void)unused;
	sites[0] = engine_endpoint("host-0");
	sites[1] = engine_endpoint("host-1");
	engine_push(500, start_transfer, actor_self(), 0);
	engine_push(START_PS, start_transfer, actor_self(), 1);
	engine_push(START_PS, start_transfer, actor_self(), 2);
	actor_block("three ends");
	check_at_most(llabs(ended_ps[0] - (COMM_PS + 500)), 1);
	for (int i = 1; i < 3; i++)
		check_at_most(llabs(ended_ps[i] - (COMM_PS + 5120 + START_PS)), 2);
	/* Leaping again. */
	engine_push(engine_now() + 1000000000, wake, actor_self(), 0);
	actor_block("a leap");
}

TEST(events_start_communications_that_share_a_link)
{
	sim_case_expect_main(transfers, ENGINE_FINISHED, 0, NULL);
}

/* No sender exists: SimGrid detects the deadlock, and the report still names the waiting actor. */
static void receive_nothing(void *unused)
{
	void *data = NULL;

	(void)unused;
	engine_activity_begin();
	sg_mailbox_get_async(sg_mailbox_by_name("box"), &data);
	actor_block("a message that nobody sends");
}

TEST(an_activity_that_never_ends_is_a_stall)
{
	sim_case_expect_main(
		receive_nothing, ENGINE_STALLED, 0, "main waits for a message that nobody sends");
}

/* Checks that simulated time passes without SimGrid's clock, then begins an activity. */
static void begin_unexpected(void *unused)
{
	(void)unused;
	engine_push(START_PS, wake, actor_self(), 0);
	actor_block("an event");
	check_equal(engine_now(), START_PS);
	check_equal((int64_t)(simgrid_get_clock() * 1e12), 0);
	engine_activity_begin();
}

static void without_activities(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	sim_case_open();
	engine_without_activities();
	engine_run_main("host-0", begin_unexpected, NULL, no_limits);
}

TEST(the_clock_of_simgrid_stands_if_there_are_no_activities_and_none_may_begin)
{
	sim_case_expect(without_activities, NULL, 70, "an activity of SimGrid where none");
}

TEST_MAIN(NULL, NULL)
