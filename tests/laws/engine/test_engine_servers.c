/* Tests that the engine's servers take the times that formulas give, to the picosecond: for one
 * hop, a chain, FIFO order and rounding. Also tests the fairness and the counters of ports. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "engine/engine.h"
#include "engine/server.h"
#include "sim_case.h"

/* The Ethernet link of the closed form: 12.5 GB/s and 100 ns. */
#define LINK                                                                                       \
	{                                                                                          \
		.bandwidth_bytes_per_s = 12500000000u, .latency_ps = 100000                        \
	}

TEST(one_hop_of_64_bytes_takes_105120_ps)
{
	struct pipe pipe = LINK;
	int64_t free_ps;

	assert_int_equal(server_transfer_ps(64, pipe.bandwidth_bytes_per_s), 5120);
	free_ps = pipe_pass(&pipe, 0, 64, 0);
	assert_int_equal(free_ps + pipe.latency_ps, 105120);
	assert_int_equal(pipe.busy_ps, 5120);
	assert_int_equal(pipe.waited_ps, 0);
}

TEST(three_messages_at_once_arrive_one_transfer_apart)
{
	struct pipe pipe = LINK;

	for (int i = 0; i < 3; i++)
		assert_int_equal(pipe_pass(&pipe, 0, 64, 0) + pipe.latency_ps, 105120 + i * 5120);
	assert_int_equal(pipe.waited_ps, 5120 + 2 * 5120);
	assert_int_equal(pipe.bytes, 3 * 64);
	assert_int_equal(pipe.messages, 3);
}

TEST(a_short_message_waits_behind_a_long_one)
{
	struct pipe pipe = LINK;
	int64_t long_ps = server_transfer_ps(1 << 20, pipe.bandwidth_bytes_per_s);

	pipe_pass(&pipe, 1000, 1 << 20, 0);
	assert_int_equal(pipe_pass(&pipe, 2000, 64, 0), 1000 + long_ps + 5120);
	assert_int_equal(pipe.waited_ps, long_ps - 1000);
}

TEST(extra_time_occupies_the_pipe)
{
	struct pipe pipe = LINK;

	assert_int_equal(pipe_pass(&pipe, 0, 64, 700), 5820);
	assert_int_equal(pipe_pass(&pipe, 0, 0, 700), 6520);
	assert_int_equal(pipe.busy_ps, 6520);
}

/* Sends the messages of a series one by one, and compares when each of them starts. */
static void pass_each(
	struct pipe *pipe, const struct pipe_series *series, int64_t first_ps, const char *what)
{
	for (uint32_t i = 0; i < series->count; i++) {
		int64_t start_ps = pipe_pass(pipe, series->ready_ps + i * series->pace_ps,
					   series->bytes, series->takes_ps) -
				   series->takes_ps;
		int64_t given_ps = pipe_series_start_ps(series, first_ps, i);

		if (given_ps != start_ps)
			fail_msg("%s: message %u starts at %lld ps, alone at %lld ps", what, i,
				(long long)given_ps, (long long)start_ps);
	}
}

TEST(a_series_does_the_same_as_its_messages_one_by_one)
{
	uint32_t random = 1;

	for (int i = 0; i < 2000; i++) {
		struct pipe_series series = {.bytes = 64};
		struct pipe together = {0}, alone = {0};
		char what[120];
		int64_t first_ps;

		random = random * 1664525 + 1013904223;
		together.busy_until_ps = alone.busy_until_ps = random >> 8 & 255;
		series.ready_ps = (int64_t)(random >> 16 & 127) - 20;
		series.pace_ps = random >> 24 & 15;
		series.takes_ps = random >> 28;
		series.count = random >> 5 & 31;
		snprintf(what, sizeof what, "free at %lld, ready at %lld, pace %lld, takes %lld",
			(long long)alone.busy_until_ps, (long long)series.ready_ps,
			(long long)series.pace_ps, (long long)series.takes_ps);
		first_ps = pipe_pass_series(&together, &series);
		pass_each(&alone, &series, first_ps, what);
		if (memcmp(&together, &alone, sizeof alone) != 0)
			fail_msg("%s: %u messages together end at %lld, waited %lld; alone at "
				 "%lld, waited %lld",
				what, series.count, (long long)together.busy_until_ps,
				(long long)together.waited_ps, (long long)alone.busy_until_ps,
				(long long)alone.waited_ps);
	}
}

/* Links are cut-through: a link forwards the header of a message after its latency, without waiting
 * for the rest. The last byte follows one transfer time after the header. */
TEST(a_chain_adds_latencies_and_one_transfer)
{
	struct pipe pipes[5] = {LINK, LINK, LINK, LINK, LINK};
	int64_t header_ps = 0, last_ps = 0;

	for (int i = 0; i < 5; i++) {
		int64_t transfer_ps = server_transfer_ps(2048, pipes[i].bandwidth_bytes_per_s);

		last_ps = pipe_pass(&pipes[i], header_ps, 2048, 0) + pipes[i].latency_ps;
		header_ps = last_ps - transfer_ps;
	}
	assert_int_equal(last_ps, 5 * 100000 + 163840);
}

TEST(transfers_round_up_and_never_overflow)
{
	assert_int_equal(server_transfer_ps(1, 3000000000000u), 1);
	assert_int_equal(server_transfer_ps(0, 12500000000u), 0);
	assert_int_equal(server_transfer_ps(100, 0), 0);
	assert_int_equal(server_transfer_ps(32, 32000000000u), 1000);
	/* 18,446,744 is the largest number of bytes whose product with 10^12 fits in 64 bits. For
	 * the next larger number, and for 1 TiB, it does not fit. */
	assert_int_equal(server_transfer_ps(18446744, 1000000000), 18446744000);
	assert_int_equal(server_transfer_ps(18446745, 1000000000), 18446745000);
	assert_int_equal(server_transfer_ps(1u << 20, 3), 349525333333333334);
	assert_int_equal(server_transfer_ps(UINT64_C(1) << 40, 1000000000), 1099511627776000);
}

/* ---- ports ---- */

enum { HOLD_PS = 1000, USERS = 6 };

static struct port port;
static struct port_waiter waiters[USERS];
static int64_t granted_ps[USERS];
static struct actor *main_actor;
static uint32_t left;

static void give_back(void *subject, uint64_t argument)
{
	(void)subject;
	port_give(&port, (uint32_t)argument % 2);
	if (--left == 0)
		actor_wake(main_actor);
}

static void granted(void *subject, uint64_t argument)
{
	granted_ps[argument] = engine_now();
	engine_push(engine_now() + HOLD_PS, give_back, subject, argument);
}

static void ask(void *subject, uint64_t argument)
{
	waiters[argument] =
		(struct port_waiter){.granted = granted, .subject = subject, .argument = argument};
	if (port_take(&port, (uint32_t)argument % 2, &waiters[argument]))
		granted(subject, argument);
}

/* Six users arrive within 100 ps, and each of them wants one slot. Users 0, 2 and 4 use channel 0,
 * users 1, 3 and 5 use channel 1. */
static void use_port(void *unused)
{
	(void)unused;
	main_actor = actor_self();
	left = USERS;
	port_init(&port, "port", 1, 2);
	for (uint64_t i = 0; i < USERS; i++)
		engine_push((int64_t)i * 20, ask, NULL, i);
	actor_block("six users");
}

static void port_body(const void *argument, void *result)
{
	static const int64_t expected_ps[USERS] = {0, 20, 1000, 1020, 2000, 2020};

	(void)argument;
	(void)result;
	sim_case_open();
	engine_run_main("host-0", use_port, NULL, (struct engine_limits){0});
	for (int i = 0; i < USERS; i++)
		check_equal(granted_ps[i], expected_ps[i]);
	check_equal(port.taken, USERS);
	check_equal(port.blocked, 4);
	check_equal(port.blocked_ps, (1000 - 40) + (1020 - 60) + (2000 - 80) + (2020 - 100));
	check_equal(port.free[0], 1);
	check_equal(port.free[1], 1);
	check_equal(port.high_water[0], 1);
	check_equal(port.waiting, 0);
	check_equal(port.waiting_high_water, 4);
}

TEST(ports_grant_in_order_of_arrival_per_channel)
{
	sim_case_expect(port_body, NULL, 0, NULL);
}

static uint32_t order[4], order_count;

static void note_order(void *subject, uint64_t argument)
{
	(void)subject;
	order[order_count++] = (uint32_t)argument;
	if (order_count == 2)
		actor_wake(main_actor);
}

/* A returned slot belongs to the first waiter, even before the waiter's event has run. */
static void overtake(void *unused)
{
	(void)unused;
	main_actor = actor_self();
	port_init(&port, "port", 1, 1);
	for (uint64_t i = 0; i < 2; i++)
		waiters[i] = (struct port_waiter){.granted = note_order, .argument = i};
	check(port_try_take(&port, 0), "a free slot is refused");
	check(!port_take(&port, 0, &waiters[0]), "a slot that is not there");
	check(!port_take(&port, 0, &waiters[1]), "a slot that is not there");
	check_equal(port.waiting, 2);
	port_give(&port, 0);
	check(!port_try_take(&port, 0), "overtook a waiter");
	port_give(&port, 0);
	check(!port_try_take(&port, 0), "overtook a waiter");
	actor_block("both waiters");
	check_equal(order[0], 0);
	check_equal(order[1], 1);
	port_give(&port, 0);
	check(port_try_take(&port, 0), "a free slot is refused");
	check_equal(port.high_water[0], 1);
}

TEST(no_request_overtakes_waiting_ones)
{
	sim_case_expect_main(overtake, ENGINE_FINISHED, 0, NULL);
}

static void give_too_much(const void *argument, void *result)
{
	(void)argument;
	(void)result;
	port_init(&port, "inbox", 2, 1);
	port_give(&port, 0);
}

TEST(a_slot_that_was_not_taken_is_refused)
{
	sim_case_expect(give_too_much, NULL, 70, "port 'inbox', channel 0");
}

TEST_MAIN(NULL, NULL)
