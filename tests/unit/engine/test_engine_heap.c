/* Tests the event heap. Events must run in the order of their times, even if they are far in the
 * future, and never in the past. Events with the same time must run in the order of their ranks,
 * and with the same rank in the order in which they were pushed. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "check.h"
#include "engine/engine.h"
#include "sim_case.h"

enum { EVENTS = 20000 };

struct pushed {
	int64_t at_ps;
	uint32_t order;
};

static struct pushed pushed[EVENTS], ran[EVENTS];
static uint32_t pushed_count, ran_count;
static struct stream stream;
static struct actor *main_actor;

/* Returns distances from zero to seconds, many of them equal. */
static int64_t distance_ps(void)
{
	switch (stream_below(&stream, 4)) {
	case 0:
		return 0;
	case 1:
		return (int64_t)stream_below(&stream, 4) * 5120;
	case 2:
		return (int64_t)stream_below(&stream, 1000000);
	default:
		return (int64_t)(stream_next(&stream) >> (24 + stream_below(&stream, 30)));
	}
}

static void run(void *subject, uint64_t argument);

static void push_one(void)
{
	int64_t at_ps = engine_now() + distance_ps();

	pushed[pushed_count] = (struct pushed){at_ps, pushed_count};
	engine_push(at_ps, run, &stream, pushed_count);
	pushed_count++;
}

static void run(void *subject, uint64_t argument)
{
	check(subject == &stream, "the subject of event %llu is %p", (unsigned long long)argument,
		subject);
	ran[ran_count++] = (struct pushed){engine_now(), (uint32_t)argument};
	for (uint64_t more = stream_below(&stream, 3); more > 0 && pushed_count < EVENTS; more--)
		push_one();
	if (ran_count == EVENTS)
		actor_wake(main_actor);
	else if (ran_count == pushed_count)
		push_one();
}

static void push_and_wait(void *unused)
{
	(void)unused;
	main_actor = actor_self();
	for (int i = 0; i < 500; i++)
		push_one();
	actor_block("all events");
}

static int compare(const void *a, const void *b)
{
	const struct pushed *x = a, *y = b;

	if (x->at_ps != y->at_ps)
		return x->at_ps < y->at_ps ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void order_body(const void *argument, void *result)
{
	enum engine_end end;

	(void)result;
	stream_init(&stream, *(const uint64_t *)argument, "heap");
	sim_case_open();
	end = engine_run_main("host-0", push_and_wait, NULL, (struct engine_limits){0});
	check_equal(end, ENGINE_FINISHED);
	check_equal(ran_count, EVENTS);
	qsort(pushed, EVENTS, sizeof(pushed[0]), compare);
	for (uint32_t i = 0; i < EVENTS; i++) {
		check_equal(ran[i].order, pushed[i].order);
		check_equal(ran[i].at_ps, pushed[i].at_ps);
	}
	check_equal(engine_events(), EVENTS);
	check_at_most(500, engine_heap_high_water());
	check_at_most(engine_heap_high_water(), EVENTS);
}

TEST(events_run_in_order_of_time_and_then_of_pushing)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		char none;

		assert_int_equal(sim_case_run(order_body, &seed, &none, 0).exit_code, 0);
	}
}

/* ---- one moment ---- */

static char moment[16];

static void note(void *subject, uint64_t letter)
{
	(void)subject;
	moment[strlen(moment)] = (char)letter;
	if (letter == 'a') {
		engine_push_last(engine_now(), note, NULL, 'f');
		engine_push_second(engine_now(), note, NULL, 'd');
		engine_push(engine_now(), note, NULL, 'b');
	} else if (letter == 'e') {
		engine_push(engine_now(), note, NULL, 'g');
	} else if (letter == 'h') {
		actor_wake(main_actor);
	}
}

static void push_a_moment(void *unused)
{
	(void)unused;
	main_actor = actor_self();
	engine_push(1001, note, NULL, 'h');
	engine_push_last(1000, note, NULL, 'e');
	engine_push_second(1000, note, NULL, 'c');
	engine_push_alone(1000, note, NULL, 'a');
	actor_block("the moment and the next");
	check(strcmp(moment, "abcdefgh") == 0, "ran as %s", moment);
}

TEST(those_of_one_moment_run_rank_by_rank)
{
	sim_case_expect_main(push_a_moment, ENGINE_FINISHED, 0, "");
}

static void push_into_the_past(void *unused)
{
	(void)unused;
	engine_push(1000, run, NULL, 0);
	engine_push(999, run, NULL, 0);
	pushed_count = EVENTS;
	ran_count = EVENTS - 1;
	engine_push(engine_now() - 1, run, NULL, 0);
}

TEST(an_event_in_the_past_is_a_bug)
{
	sim_case_expect_main(
		push_into_the_past, ENGINE_FINISHED, 70, "an event at -1 ps, now 0 ps");
}

TEST_MAIN(NULL, NULL)
