/* Probe of wake-ups. A thread waits in a monitor, and another thread wakes it. Measures three
 * figures: (1) the time until the woken thread runs, on a core that was busy recently, (2) the same
 * time on a core that was idle for 2 ms, and (3) the cost of the call that wakes. For (1), two
 * threads wake each other in turn, and each of them waits after its call. For (2) and (3), the
 * waking thread computes after the call, so its core stays busy. The cores of the two threads may
 * be hyper-threads of one physical core. The monitors are those of the native world, so native
 * scenarios have the same costs. */
#include <math.h>

#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "world/world.h"

/* Pauses before a wake-up, in ns. HOT_NS is shorter than the time after which a core counts as idle
 * on the platforms (host.idle_after), and IDLE_NS is much longer. */
enum { HOT_NS = 60000, IDLE_NS = 2000000, TAIL_TIMES = 3 };

/* On virtual cores, the time of wake-ups changes about once in a second, and stays the same in
 * between. So LONGER times as many wake-ups are measured as other costs. */
enum { LONGER = 20 };

struct waking {
	struct monitor *monitor;
	uint32_t asked, answered; /* number of wake-ups; protected by the monitor */
	bool waits;		  /* the other thread is waiting */
	int64_t woken_ns;	  /* time at which it last woke */
	uint32_t count;
};

static void be_woken(void *argument)
{
	struct waking *waking = argument;

	world->monitor_enter(waking->monitor);
	while (waking->answered < waking->count) {
		waking->waits = true;
		while (waking->asked == waking->answered)
			world->monitor_wait_until(waking->monitor, DEADLINE_NEVER, WAIT_PARK);
		waking->woken_ns = clock_now_ns();
		waking->waits = false;
		waking->answered++;
	}
	world->monitor_exit(waking->monitor);
}

static void pause_for(int64_t pause_ns, bool asleep)
{
	int64_t until_ns = clock_now_ns() + pause_ns;

	if (asleep)
		world->sleep_until(world->now_ns() + pause_ns);
	while (clock_now_ns() < until_ns)
		;
}

/* Polls the monitor until the other thread is waiting, or has answered. */
static void await(struct waking *waking, uint32_t answered, bool waits)
{
	for (;;) {
		bool reached;

		world->monitor_enter(waking->monitor);
		reached = waking->answered >= answered && (waking->waits || !waits);
		world->monitor_exit(waking->monitor);
		if (reached)
			return;
		pause_for(5000, false);
	}
}

static void wake_measure(
	struct probing *probing, int64_t pause_ns, struct samples *wakes, struct samples *calls)
{
	struct waking waking = {
		.monitor = world->monitor_new("measured"), .count = probing->pace->events};
	struct thread *other = world->spawn("woken", (struct affinity){0, 1}, be_woken, &waking);

	for (uint32_t i = 0; i < waking.count; i++) {
		int64_t begin_ns, called_ns;

		await(&waking, i, true);
		pause_for(pause_ns, pause_ns >= IDLE_NS);
		world->monitor_enter(waking.monitor);
		waking.asked++;
		begin_ns = clock_now_ns();
		world->monitor_notify_one(waking.monitor);
		called_ns = clock_now_ns();
		world->monitor_exit(waking.monitor);
		await(&waking, i + 1, false);
		samples_add(wakes, (double)(waking.woken_ns - begin_ns));
		if (calls)
			samples_add(calls, (double)(called_ns - begin_ns));
	}
	world->join(other);
	world->monitor_free(waking.monitor);
}

/* ---- two threads that wake each other in turn ---- */

struct turns {
	struct monitor *monitor;
	uint32_t done, count;	      /* turns so far, turns in total; protected by the monitor */
	int64_t called_ns, before_ns; /* `before_ns` is the duration of the previous wake-up */
	struct samples *wakes, *pairs;
};

/* Takes every second turn, starting with `turn`. */
static void take_turns(struct turns *turns, uint32_t turn)
{
	int64_t took_ns;

	world->monitor_enter(turns->monitor);
	for (; turn < turns->count; turn += 2) {
		while (turns->done < turn)
			world->monitor_wait_until(turns->monitor, DEADLINE_NEVER, WAIT_PARK);
		took_ns = clock_now_ns() - turns->called_ns;
		if (turn > 0)
			samples_add(turns->wakes, (double)took_ns);
		if (turn > 1)
			samples_add(turns->pairs, (double)(took_ns + turns->before_ns) / 2);
		turns->before_ns = took_ns;
		turns->done++;
		turns->called_ns = clock_now_ns();
		world->monitor_notify_one(turns->monitor);
	}
	world->monitor_exit(turns->monitor);
}

static void take_odd_turns(void *turns)
{
	take_turns(turns, 1);
}

/* Measures single wake-ups, and pairs of successive wake-ups. The sample for a pair is half its
 * time. On virtual cores, a wake-up takes one of several typical times, and a series of wake-ups
 * takes about their mean for each. The median of pairs is closer to this mean than the median of
 * single wake-ups. */
static void measure_turns(uint32_t count, struct samples *wakes, struct samples *pairs)
{
	struct turns turns = {.monitor = world->monitor_new("turns"),
		.count = count,
		.wakes = wakes,
		.pairs = pairs};
	struct thread *other =
		world->spawn("turns", (struct affinity){0, 1}, take_odd_turns, &turns);

	take_turns(&turns, 0);
	world->join(other);
	world->monitor_free(turns.monitor);
}

/* Adds figures for the noise of wake-ups, in the form that the host model uses: a variation around
 * the median, and rare long delays. */
static void add_noise(struct probing *probing, struct samples *wakes)
{
	struct quantiles of = samples_quantiles(wakes);
	double late_ns = 0;
	uint32_t late = 0;
	struct figure *figure;

	for (uint32_t i = 0; i < wakes->count; i++)
		if (wakes->at[i] > TAIL_TIMES * of.p50) {
			late_ns += wakes->at[i] - of.p50;
			late++;
		}
	figure = probe_figure(probing, "host.wake_noise.variation", "ratio",
		"hot wake-ups: distance of the quartiles by 1.349 medians");
	/* Quartiles of a normal distribution are 1.349 standard deviations apart. */
	figure->value = fmin(1, 2 * of.spread / 1.349 / of.p50);
	figure->repetitions = wakes->count;
	figure->p50 = figure->p90 = figure->p99 = figure->value;
	if (late == 0) {
		probe_refuse(probing, "host.wake_noise.tail_probability",
			"hot wake-ups later than 3 medians", "there were none");
		return;
	}
	figure = probe_figure(probing, "host.wake_noise.tail_probability", "ratio",
		"part of hot wake-ups later than 3 medians");
	figure->value = (double)late / wakes->count;
	figure->repetitions = wakes->count;
	figure->p50 = figure->p90 = figure->p99 = figure->value;
	figure = probe_figure(probing, "host.wake_noise.tail", "ps",
		"hot wake-ups later than 3 medians: mean of what is above the median");
	figure->value = 1e3 * late_ns / late;
	figure->repetitions = late;
	figure->p50 = figure->p90 = figure->p99 = figure->value;
}

/* Measures the call that wakes a thread on the caller's own core. The work of the woken thread is
 * not included. */
static void measure_queued(struct probing *probing, struct samples *calls)
{
	struct waking waking = {
		.monitor = world->monitor_new("measured"), .count = probing->pace->events};
	struct thread *other = world->spawn("woken", (struct affinity){0, 0}, be_woken, &waking);

	for (uint32_t i = 0; i < waking.count; i++) {
		int64_t look_ns, begin_ns, called_ns;

		world->sleep_until(world->now_ns() + HOT_NS);
		await(&waking, i, true);
		world->monitor_enter(waking.monitor);
		waking.asked++;
		look_ns = clock_thread_ns();
		begin_ns = clock_thread_ns();
		world->monitor_notify_one(waking.monitor);
		called_ns = clock_thread_ns();
		world->monitor_exit(waking.monitor);
		world->sleep_until(world->now_ns() + HOT_NS);
		await(&waking, i + 1, false);
		samples_add(calls, (double)(called_ns - begin_ns - (begin_ns - look_ns)));
	}
	world->join(other);
	world->monitor_free(waking.monitor);
}

static void wake_run(struct probing *probing)
{
	static const char hot_how[] =
		"two that wake each other by turns and park, half of a wake-up and the next, from "
		"the call until it runs on another core",
			  idle_how[] =
				  "parked for 2 ms, from the call until it runs on another core",
			  call_how[] = "the call that wakes a thread parked on another core",
			  queued_how[] = "the call that wakes a thread parked on the caller's "
					 "own core, CPU time";
	struct samples hot = {0}, idle = {0}, calls = {0}, queued = {0}, beside = {0}, pairs = {0};

	ensure(world->bind(0) == STATUS_OK, "cannot be bound to a core");
	measure_queued(probing, &queued);
	world->bind(-1);
	probe_median(probing, "host.wake_queued", "ps", 1e3, &queued, queued_how);
	samples_fini(&queued);
	if (world->core_count(0) < 2) {
		probe_refuse(probing, "host.wake_hot", hot_how, "there is one core only");
		probe_refuse(probing, "host.wake_idle", idle_how, "there is one core only");
		probe_refuse(probing, "host.wake_call", call_how, "there is one core only");
		return;
	}
	ensure(world->bind(0) == STATUS_OK, "cannot be bound to a core");
	measure_turns(LONGER * probing->pace->events, &hot, &pairs);
	wake_measure(probing, HOT_NS, &beside, &calls);
	wake_measure(probing, IDLE_NS, &idle, NULL);
	world->bind(-1);
	probe_median(probing, "host.wake_hot", "ps", 1e3, &pairs, hot_how);
	probe_median(probing, "host.wake_idle", "ps", 1e3, &idle, idle_how);
	probe_median(probing, "host.wake_call", "ps", 1e3, &calls, call_how);
	add_noise(probing, &hot);
	samples_fini(&hot);
	samples_fini(&beside);
	samples_fini(&pairs);
	samples_fini(&idle);
	samples_fini(&calls);
}

const struct probe probe_wake = {"wake", "a parked thread woken, its core hot or idle", wake_run};
