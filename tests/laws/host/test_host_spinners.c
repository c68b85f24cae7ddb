/* label: full
 * Tests the scheduler `fair` with threads that spin on a core while another thread has work. The
 * thread with work must get the core after a few quanta of each spinning thread, no matter how long
 * these have spun before. unit/base/test_base_earliest tests the data structure that limits the
 * cost of each quantum. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/stream.h"
#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

enum { FAIR = 1, SPINNERS_MAX = 16, ROUNDS = 16, HEAVY_US = 1000, WALKERS = 6, STEPS = 200 };

static const struct affinity anywhere = {.core = -1};

static struct host_constants fair_cores(uint16_t cores)
{
	struct host_constants constants = sim_host_free_constants();

	constants.scheduler = FAIR;
	constants.cores_per_socket = cores;
	constants.quantum_ps = 100 * US;
	constants.switch_ps = US;
	return constants;
}

/* ---- one word for all spinners ---- */

static struct monitor *monitor;
static bool over;
static uint32_t spinners;
static int64_t silence_ps;

static void spin_until_over(void *mode)
{
	world->monitor_enter(monitor);
	while (!over)
		world->monitor_wait_until(monitor, DEADLINE_NEVER, (enum wait_mode)(uintptr_t)mode);
	world->monitor_exit(monitor);
}

static void end_it(void)
{
	world->monitor_enter(monitor);
	over = true;
	world->monitor_notify_all(monitor);
	world->monitor_exit(monitor);
}

/* A separate thread provides the word. It wakes when the spinners have spun for `silence_ps`. */
static void provide(void *unused)
{
	(void)unused;
	world->sleep_until(silence_ps / NS);
	check_at_most(engine_now() - silence_ps, (spinners + 2) * 101 * (int64_t)US);
	sim_host_compute(10);
	end_it();
}

static void spin_for_a_word(void *unused)
{
	struct thread *threads[SPINNERS_MAX], *provider;

	(void)unused;
	over = false;
	monitor = world->monitor_new("the word");
	provider = world->spawn("provider", anywhere, provide, NULL);
	for (uint32_t i = 0; i < spinners; i++)
		threads[i] = world->spawn(
			"spinner", anywhere, spin_until_over, (void *)(uintptr_t)WAIT_SPIN);
	for (uint32_t i = 0; i < spinners; i++)
		world->join(threads[i]);
	world->join(provider);
	check_at_most(engine_now() - silence_ps, (3 * spinners + 4) * 101 * (int64_t)US);
	world->monitor_free(monitor);
}

TEST(a_thread_with_work_waits_a_quantum_for_each_spinner_however_long_they_spun)
{
	for (uint16_t cores = 1; cores <= 2; cores++) {
		for (spinners = 1; spinners <= SPINNERS_MAX; spinners *= 2) {
			for (silence_ps = MS; silence_ps <= 10000 * (int64_t)MS; silence_ps *= 100)
				sim_host_case(fair_cores(cores), spin_for_a_word);
		}
	}
}

/* ---- two threads answer each other, each on a core with spinners ---- */

static struct monitor *turns;
static uint32_t turn;

/* A round is: wait for the turn, compute, pass the turn on. */
static void answer(void *argument)
{
	uint32_t own = (uint32_t)(uintptr_t)argument;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		world->monitor_enter(turns);
		while (turn % 2 != own)
			world->monitor_wait_until(turns, DEADLINE_NEVER, WAIT_PARK);
		world->monitor_exit(turns);
		sim_host_compute(HEAVY_US);
		world->monitor_enter(turns);
		turn++;
		world->monitor_notify_all(turns);
		world->monitor_exit(turns);
	}
}

/* Two threads compute alternately, each on a core that it shares with spinning threads. Each must
 * wait for its core when its turn comes; meanwhile the threads on the other core spin. If one wait
 * made the next wait longer, the waits would grow from round to round without limit. */
static void answer_each_other(void *unused)
{
	struct thread *threads[2 * SPINNERS_MAX], *ends[2];

	(void)unused;
	over = false;
	turn = 0;
	monitor = world->monitor_new("the end");
	turns = world->monitor_new("the turn");
	for (uint32_t i = 0; i < 2 * spinners; i++)
		threads[i] = world->spawn("spinner", (struct affinity){.core = (int16_t)(i % 2)},
			spin_until_over, (void *)(uintptr_t)WAIT_SPIN);
	for (uint32_t i = 0; i < 2; i++)
		ends[i] = world->spawn(
			"end", (struct affinity){.core = (int16_t)i}, answer, (void *)(uintptr_t)i);
	for (uint32_t i = 0; i < 2; i++)
		world->join(ends[i]);
	check_at_most(engine_now(),
		2 * ROUNDS * (HEAVY_US / 100 + 2) * (spinners + 1) * 101 * (int64_t)US);
	end_it();
	for (uint32_t i = 0; i < 2 * spinners; i++)
		world->join(threads[i]);
	world->monitor_free(turns);
	world->monitor_free(monitor);
}

TEST(rounds_among_spinners_do_not_grow)
{
	struct host_constants constants = fair_cores(3);

	for (spinners = 2; spinners <= SPINNERS_MAX / 2; spinners *= 2)
		sim_host_case(constants, answer_each_other);
}

/* ---- random programs ---- */

/* The time from an event until the woken thread has the core. */
struct word {
	struct host_waiter waiter;
	int64_t at_ps;
};

static struct word words[WALKERS][STEPS];

static int64_t wait_for(struct stream *stream, struct word *word)
{
	static const int64_t waits_us[] = {1, 50, 500, 50000};
	bool switched;

	world->settle();
	word->at_ps = engine_now() + US * waits_us[stream_below(stream, 4)] *
					     (1 + (int64_t)stream_below(stream, 20));
	engine_push(word->at_ps, sim_host_wake, &word->waiter, 0);
	if (stream_below(stream, 2))
		host_thread_poll(&word->waiter, DEADLINE_NEVER, "a word", &switched);
	else
		host_thread_wait(&word->waiter, DEADLINE_NEVER,
			(enum wait_mode)stream_below(stream, WAIT_MODE_COUNT), "a word");
	return engine_now() - word->at_ps;
}

static void walk(void *argument)
{
	uint32_t own = (uint32_t)(uintptr_t)argument;
	struct stream stream;
	char role[32];

	snprintf(role, sizeof(role), "walker-%u-%u", own, spinners);
	stream_init(&stream, spinners, role);
	for (uint32_t i = 0; i < STEPS; i++) {
		int64_t late_ps = wait_for(&stream, &words[own][i]);

		/* This thread may have had up to two quanta more than each other thread. Then it
		 * must wait until all others have had as much time. */
		check(late_ps <= 2 * WALKERS * (WALKERS + 1) * 101 * (int64_t)US,
			"seed %u, walker %u: in step %u its core comes %lld us late", spinners, own,
			i, (long long)(late_ps / US));
		sim_host_compute(stream_below(&stream, 2) ? 1 : stream_below(&stream, 3000));
	}
}

static void walk_all(void *unused)
{
	struct thread *threads[WALKERS];

	(void)unused;
	for (uint32_t i = 0; i < WALKERS; i++)
		threads[i] = world->spawn("walker",
			(struct affinity){.core = spinners % 2 && i % 3 == 0 ? 0 : -1}, walk,
			(void *)(uintptr_t)i);
	for (uint32_t i = 0; i < WALKERS; i++)
		world->join(threads[i]);
}

TEST(in_drawn_programs_waits_are_bounded_by_what_the_others_are_owed)
{
	for (spinners = 0; spinners < 24; spinners++)
		sim_host_case(fair_cores(1 + (uint16_t)(spinners / 2 % 3)), walk_all);
}

TEST_MAIN(NULL, NULL)
