/* The experiment on waiting threads. Each device has a host thread. While the devices compute, the
 * threads wait for the next task. */
#include <string.h>

#include "decision.h"

enum { STEPS = 12 };

/* In each step, a large model decodes one token. The time of a step is an assumption. If
 * `window_us` is given, a waiting thread spins for this time before it parks. */
const struct experiment_param decision_wait_params[] = {
	{"wait", "spin|spin-then-park|park", "park"},
	{"window_us", "#", "0"},
	{"step_us", "#", "15000"},
	{0},
};

void decision_wait_scenario(const struct reference_row *row, struct text *yaml)
{
	const char *window_us = reference_text(row, "window_us", "0");
	bool window = strcmp(window_us, "0") != 0;

	experiment_head(yaml, row->family, row->system);
	text_printf(yaml,
		"runtime:\n  host: {threads: per-device, caller_wait: "
		"park, worker_wait: %s",
		window ? "spin-then-park" : reference_text(row, "wait", "park"));
	if (window)
		text_printf(yaml, ", spin_ns: %s000", window_us);
	text_printf(yaml,
		"}\nmeasure: {verify: false}\nworkload:\n  - repeat: %d\n    do:\n"
		"      - enqueue_workload: {cores: all, kernel_bytes: 2048, run_ns: %s000}\n"
		"      - finish: {}\n",
		STEPS, reference_text(row, "step_us", "15000"));
}

static int64_t launch_time(const struct op_row *op)
{
	return op->marks[MARK_DOORBELL].last - op->marks[MARK_CALLED].first;
}

double decision_wait_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	(void)row;
	return experiments_median_us(ops, count, "enqueue_workload", launch_time);
}

/* Returns the fraction of their time in which the devices' threads occupy a core, in percent. */
double decision_wait_threads(
	const struct reference_row *row, const struct thread_row *threads, uint32_t count)
{
	int64_t on_core_ps = 0, life_ps = 0;

	(void)row;
	for (uint32_t i = 0; i < count; i++) {
		const struct thread_row *thread = &threads[i];
		int64_t on_ps = thread->busy + thread->spinning + thread->switching;

		if (strcmp(thread->name, "main") == 0)
			continue;
		on_core_ps += on_ps;
		life_ps += on_ps + thread->waiting + thread->parked;
	}
	return life_ps > 0 ? 100 * (double)on_core_ps / (double)life_ps : 0;
}
