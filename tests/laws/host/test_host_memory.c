/* Tests that copies take the times that formulas give: alone, with other copies on the same socket
 * or on different sockets, and if the copying thread is preempted. Also tests in which order a
 * thread pays the costs that were charged to it, and the fence after write-combining stores. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "check.h"
#include "sim_host.h"

#define FROM MEMORY_CACHED
#define TO   MEMORY_PINNED

/* A thread's copy: its size, its start, and its expected end. */
struct copier {
	int64_t start_ns;
	uint64_t bytes;
	enum memory_kind from;
	int64_t end_ps;
	int16_t core;
};

static void copy(void *argument)
{
	struct copier *copier = argument;

	world->sleep_until(copier->start_ns);
	world->work_copy(copier->bytes, copier->from, TO);
	world->settle();
	check_equal(engine_now(), copier->end_ps);
}

static void copy_all(struct copier *copiers, uint32_t count)
{
	struct thread *threads[8];
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "copier-%u", i);
		threads[i] = world->spawn(
			name, (struct affinity){.core = copiers[i].core}, copy, &copiers[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		world->join(threads[i]);
}

/* Each core copies at 20 GB/s, the full rate of the socket's memory: 20 KB take 1 us alone. */
static struct host_constants memory_constants(void)
{
	struct host_constants constants = sim_host_free_constants();

	constants.copy[FROM][TO].bandwidth_bytes_per_s = 20000000000u;
	constants.copy[MEMORY_UNCACHED_SOURCE][TO].bandwidth_bytes_per_s = 4000000000u;
	return constants;
}

static void one_copy(void *unused)
{
	struct host_thread_statistics statistics;
	struct copier copier = {0, 20000, FROM, US, 1};

	(void)unused;
	copy_all(&copier, 1);
	host_thread_statistics(1, &statistics);
	check_equal(statistics.busy_ps, US);
	check_equal(statistics.copying_ps, US);
	check_equal(statistics.work.copied_bytes[FROM][TO], 20000);
}

static void two_copies(void *unused)
{
	struct copier copiers[] = {{0, 20000, FROM, 2 * US, 1}, {0, 20000, FROM, 2 * US, 2}};

	(void)unused;
	copy_all(copiers, 2);
}

/* The second copy starts 0.5 us after the first one. The copies share the memory for 1 us, until
 * the first one ends. The second copy then has the memory alone for 0.5 us. */
static void staggered_copies(void *unused)
{
	struct copier copiers[] = {{0, 20000, FROM, 1500 * NS, 1}, {500, 20000, FROM, 2 * US, 2}};

	(void)unused;
	copy_all(copiers, 2);
}

/* A copier limited to 4 GB/s gets that, and leaves 16 GB/s for the other. */
static void unequal_copies(void *unused)
{
	struct copier copiers[] = {
		{0, 4000, MEMORY_UNCACHED_SOURCE, US, 1}, {0, 16000 + 20000, FROM, 2 * US, 2}};

	(void)unused;
	copy_all(copiers, 2);
}

static void copies_on_two_sockets(void *unused)
{
	struct copier copiers[] = {{0, 20000, FROM, US, 1}, {0, 20000, FROM, US, 2}};

	(void)unused;
	copy_all(copiers, 2);
}

TEST(a_copy_alone_takes_its_bytes_over_its_bandwidth)
{
	sim_host_case(memory_constants(), one_copy);
}

TEST(two_copies_that_each_want_all_memory_take_twice_as_long)
{
	sim_host_case(memory_constants(), two_copies);
	sim_host_case(memory_constants(), staggered_copies);
}

TEST(a_small_demand_is_met_and_the_others_share_the_rest)
{
	sim_host_case(memory_constants(), unequal_copies);
}

TEST(sockets_and_copies_without_traffic_do_not_share)
{
	struct host_constants constants = memory_constants();

	constants.sockets = 2;
	constants.cores_per_socket = 2;
	sim_host_case(constants, copies_on_two_sockets);
	constants = memory_constants();
	constants.copy[FROM][TO].traffic_percent = 0;
	sim_host_case(constants, copies_on_two_sockets);
	constants.copy[FROM][TO].traffic_percent = 50;
	sim_host_case(constants, copies_on_two_sockets);
}

/* ---- the end of a quantum inside a copy ---- */

static void compute_one_ms(void *unused)
{
	(void)unused;
	sim_host_compute(1000);
	check_equal(engine_now(), 2 * (int64_t)MS);
}

static void copy_and_compute(void *unused)
{
	struct copier copier = {0, 60000000, FROM, 4 * (int64_t)MS, -1};
	struct thread *threads[2];

	(void)unused;
	threads[0] = world->spawn("copier", (struct affinity){.core = -1}, copy, &copier);
	threads[1] = world->spawn("computes", (struct affinity){.core = -1}, compute_one_ms, NULL);
	world->join(threads[0]);
	world->join(threads[1]);
}

TEST(a_preempted_copy_goes_on_where_it_was)
{
	sim_host_case(sim_host_one_core(memory_constants()), copy_and_compute);
}

/* ---- accounts ---- */

static void several_parts(void *unused)
{
	(void)unused;
	world->work(WORK_API_CALL, 3);
	world->work(WORK_RESERVE, 2);
	world->work_copy(10000, FROM, MEMORY_CACHED);
	world->work_copy(20000, FROM, TO);
	check_equal(engine_now(), 0);
	check_equal(host_thread_paid_at_ps(), 3 * US + 2 * NS + US + US);
	world->settle();
	check_equal(engine_now(), 3 * US + 2 * NS + US + US);
	world->settle();
	check_equal(engine_now(), 3 * US + 2 * NS + US + US);
}

TEST(an_account_is_the_sum_of_its_parts)
{
	sim_host_case(memory_constants(), several_parts);
}

static void doorbells(void *unused)
{
	struct host_thread_statistics statistics;

	(void)unused;
	world->work(WORK_DOORBELL, 1);
	check_equal(host_thread_paid_at_ps(), 1 * NS);
	world->work_copy(10000, MEMORY_CACHED, MEMORY_WRITE_COMBINING);
	world->settle();
	check_equal(engine_now(), US + 1 * NS);
	host_thread_statistics(0, &statistics);
	check_equal(statistics.copying_ps, US); /* although it takes no bandwidth of the memory */
	world->work(WORK_DOORBELL, 1);
	check_equal(host_thread_paid_at_ps(), US + 202 * NS);
	world->work(WORK_DOORBELL, 1);
	check_equal(host_thread_paid_at_ps(), US + 203 * NS);
}

TEST(the_first_doorbell_after_write_combining_stores_drains_them)
{
	sim_host_case(memory_constants(), doorbells);
}

TEST_MAIN(NULL, NULL)
