/* Tests the event loop: exact times, one actor at a time, events that run while SimGrid's clock is
 * behind simulated time, single steps while SimGrid has activities, and every way to end. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/engine.h>

#include "check.h"
#include "engine/engine.h"
#include "sim_case.h"

static const struct engine_limits no_limits;

/* Runs `main_fn` in a child process that must succeed. */
static void run_good(void (*body)(const void *argument, void *result))
{
	char none;

	assert_int_equal(sim_case_run(body, NULL, &none, 0).exit_code, 0);
}

static void wake(void *subject, uint64_t argument)
{
	(void)argument;
	actor_wake(subject);
}

/* ---- a semaphore ping ---- */

struct side {
	struct actor *actor;
	int value;
};

static struct side sides[2];

enum { PING_PS = 105120, PINGS = 1000 };

static void give(void *subject, uint64_t argument)
{
	struct side *side = subject;

	(void)argument;
	side->value++;
	actor_wake(side->actor);
}

static void take(struct side *side)
{
	while (side->value == 0)
		actor_block("a ping");
	side->value--;
}

static void pong(void *unused)
{
	(void)unused;
	sides[1].actor = actor_self();
	for (int i = 0; i < PINGS; i++) {
		take(&sides[1]);
		engine_push(engine_now() + PING_PS, give, &sides[0], 0);
	}
}

static void ping(void *unused)
{
	(void)unused;
	sides[0].actor = actor_self();
	sides[1].actor = actor_start("pong", "host-1", pong, NULL);
	for (int i = 0; i < PINGS; i++) {
		engine_push(engine_now() + PING_PS, give, &sides[1], 0);
		take(&sides[0]);
		check_equal(engine_now(), 2 * (int64_t)PING_PS * (i + 1));
		check_at_most(llabs((int64_t)(simgrid_get_clock() * 1e12 + 0.5) - engine_now()), 1);
	}
}

static void ping_body(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	sim_case_open();
	check_equal(engine_run_main("host-0", ping, NULL, no_limits), ENGINE_FINISHED);
	check_equal(engine_now(), 2 * (int64_t)PING_PS * PINGS);
}

TEST(a_ping_between_actors_takes_exactly_its_time)
{
	run_good(ping_body);
}

/* ---- turns ---- */

static char trace[256];

static void note(void *subject, uint64_t argument)
{
	(void)argument;
	strcat(trace, subject);
	strcat(trace, " ");
}

static void noted_actor(void *name)
{
	note(name, 0);
	actor_block("the second turn");
	note(name, 0);
}

static void wake_two(void *subject, uint64_t argument)
{
	struct actor **actors = subject;

	(void)argument;
	note("event", 0);
	actor_wake(actors[1]);
	actor_wake(actors[0]);
	note("event-end", 0);
}

static void turns(void *unused)
{
	struct actor *actors[2];

	(void)unused;
	actors[0] = actor_start("a", "host-0", noted_actor, "a");
	actors[1] = actor_start("b", "host-0", noted_actor, "b");
	note("main", 0);
	engine_push(1000, wake_two, actors, 0);
	engine_push(1000, note, "later", 0);
	engine_push(2000, wake, actor_self(), 0);
	actor_block("the end");
	check(actor_self() != NULL, "no actor runs");
}

static void turns_body(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	sim_case_open();
	engine_run_main("host-0", turns, NULL, no_limits);
	check(strcmp(trace, "main a b event event-end b a later ") == 0, "order is %s", trace);
}

TEST(woken_actors_run_in_order_after_the_event_and_before_the_next)
{
	run_good(turns_body);
}

static void keep(void *unused)
{
	(void)unused;
	actor_wake(actor_self());
	actor_wake(actor_self());
	actor_block("nothing: a wake is kept");
	engine_push(engine_now() + 7, wake, actor_self(), 0);
	actor_block("the event: only one wake was kept");
	check_equal(engine_now(), 7);
}

static void keep_body(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	sim_case_open();
	check_equal(engine_run_main("host-0", keep, NULL, no_limits), ENGINE_FINISHED);
}

TEST(one_early_wake_is_kept)
{
	run_good(keep_body);
}

/* ---- ends ---- */

static void wait_for_ever(void *what)
{
	engine_push(engine_now() + 1500, wake, actor_self(), 0);
	actor_block("a timer");
	actor_block(what);
}

static void stall(void *unused)
{
	(void)unused;
	actor_start("worker-1", "host-1", wait_for_ever, "room in the queue");
	actor_start("worker-2", "host-1", wait_for_ever, "an item");
	actor_block("worker-1");
}

enum { REPORT_BYTES = 1024 };

static void report_ports(void *context, FILE *out)
{
	fprintf(out, "%s\n", (const char *)context);
}

static void stall_body(const void *argument, void *result)
{
	FILE *out = fmemopen(result, REPORT_BYTES, "w");

	(void)argument;
	check(out != NULL, "no stream");
	sim_case_open();
	engine_set_stall_stream(out);
	engine_on_stall(report_ports, "first reporter");
	engine_on_stall(report_ports, "second reporter");
	check_equal(engine_run_main("host-0", stall, NULL, no_limits), ENGINE_STALLED);
}

TEST(a_stall_names_each_waiter_with_its_cause_and_its_start)
{
	static const char expected[] = "stalled at 1.500 ns: nothing can happen any more\n"
				       "main waits for worker-1 since 0.000 ns\n"
				       "worker-1 waits for room in the queue since 1.500 ns\n"
				       "worker-2 waits for an item since 1.500 ns\n"
				       "first reporter\n"
				       "second reporter\n";
	char report[REPORT_BYTES] = "";

	assert_int_equal(sim_case_run(stall_body, NULL, report, sizeof(report)).exit_code, 0);
	assert_string_equal(report, expected);
}

static void tick(void *subject, uint64_t argument)
{
	(void)argument;
	engine_push(engine_now() + 10, tick, subject, 0);
}

static void tick_for_ever(void *unused)
{
	(void)unused;
	engine_push(10, tick, NULL, 0);
	actor_block("the end of all ticks");
}

static void limits_body(const void *argument, void *result)
{
	const struct engine_limits *limits = argument;

	(void)result;
	sim_case_open();
	check_equal(engine_run_main("host-0", tick_for_ever, NULL, *limits), ENGINE_LIMIT);
	check_equal(engine_events(), 100);
	check_equal(engine_now(), 1000);
}

TEST(bounds_on_events_and_on_time_end_the_run)
{
	static const struct engine_limits limits[] = {{.events = 100}, {.time_ps = 1005}};
	char none;

	for (int i = 0; i < 2; i++)
		assert_int_equal(sim_case_run(limits_body, &limits[i], &none, 0).exit_code, 0);
}

static void block_in_event(void *subject, uint64_t argument)
{
	(void)subject;
	(void)argument;
	actor_block("something");
}

static void call_blocking_event(void *unused)
{
	(void)unused;
	engine_push(0, block_in_event, NULL, 0);
	actor_block("the event");
}

TEST(an_event_that_blocks_is_a_bug)
{
	sim_case_expect_main(
		call_blocking_event, ENGINE_FINISHED, 70, "an event would block: something");
}

TEST_MAIN(NULL, NULL)
