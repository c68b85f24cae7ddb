/* Replays recorded transfers in child processes. The kernels of a replay print when they begin and
 * end, and before and after each barrier (see noc_trace.h). The figures are computed from the times
 * of these prints. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "simgrid/library.h"

enum { PATH_BYTES = SCRATCH_PATH_BYTES + 64, REPLAYED = NOC_TRACE_PLAIN };

struct replay {
	const struct noc_trace *traces;
	struct noc_trace_outcome *outcomes;
	const struct platform *platform;
	struct scratch *scratch;
	struct progress progress;
	double cycle_ps;
};

static const char *const way_names[NOC_TRACE_WAYS] = {"interfaces", "links", "plain formula"};

const char *noc_trace_way(uint32_t way)
{
	return way_names[way];
}

static void noc_trace_path(
	const struct replay *replay, uint32_t trace, const char *ending, char *path)
{
	snprintf(path, PATH_BYTES, "%s/trace-%u.%s", scratch_path(replay->scratch), trace, ending);
}

static void part_path(const struct replay *replay, uint32_t number, char *path)
{
	snprintf(path, PATH_BYTES, "%s/run-%u.part", scratch_path(replay->scratch), number);
}

/* ---- children ---- */

/* Runs a replay in a child process. Frees nothing, because the process ends. */
static void replay_one(void *context, uint32_t number)
{
	const struct replay *replay = context;
	char path[PATH_BYTES], part[PATH_BYTES], set[64];

	snprintf(set, sizeof set, "model.noc=%s", noc_trace_way(number % REPLAYED));
	noc_trace_path(replay, number / REPLAYED, "yaml", path);
	part_path(replay, number, part);
	replay_run(path, set, part);
}

/* ---- figures ---- */

/* Returns the time of the replay that corresponds to time 0 of the trace. If both are counted from
 * this time, every kernel begins in the replay at the same time as in the trace, or later. At least
 * one kernel begins at the same time. */
static double zero_of(const struct noc_trace *trace, const double *times)
{
	double zero = INFINITY;
	uint32_t number = 0;

	for (uint32_t i = 0; i < trace->kernel_count; i++) {
		const struct noc_trace_kernel *kernel = &trace->kernels[i];

		if (kernel->event_count > 0)
			zero = fmin(zero, times[number] - (double)kernel->begin);
		number += noc_trace_prints(kernel);
	}
	return zero;
}

/* Returns false if a print is missing. */
static bool noc_trace_figures(const struct noc_trace *trace, const double *times, double print,
	double *cycles, double *wait)
{
	double zero = zero_of(trace, times), last = zero, waits = 0;
	uint32_t number = 0;

	for (uint32_t i = 0; i < trace->kernel_count; i++) {
		const struct noc_trace_kernel *kernel = &trace->kernels[i];
		uint32_t prints = noc_trace_prints(kernel);

		for (uint32_t j = 2; j + 1 < prints; j += 2)
			waits += times[number + j] - times[number + j - 1] - print;
		if (prints > 0)
			last = fmax(last, times[number + prints - 1] - print);
		for (uint32_t j = 0; j < prints; j++)
			if (isnan(times[number + j]))
				return false;
		number += prints;
	}
	*cycles = last - zero;
	*wait = trace->barrier_count > 0 ? waits / trace->barrier_count : 0;
	return true;
}

/* Predicts a trace with a simple formula, separately for each kernel. A tile sends its transfers
 * one after another, at its maximum rate. A barrier ends when the answer to the last transfer
 * arrives: twice the NoC latency after the transfer was sent. */
static void noc_trace_plain(const struct replay *replay, const struct noc_trace *trace,
	struct noc_trace_outcome *outcome)
{
	double rate = platform_real(replay->platform, "chip.noc_injection_rate");
	double way = 2 * platform_real(replay->platform, "chip.noc_latency");
	double cycles = 0, waits = 0, recorded = 0;

	for (uint32_t i = 0; i < trace->kernel_count; i++) {
		const struct noc_trace_kernel *kernel = &trace->kernels[i];
		double late = 0, busy = 0, end = (double)kernel->begin;

		for (uint32_t j = 0; j < kernel->event_count; j++) {
			const struct noc_trace_event *event = &kernel->events[j];
			double at = (double)event->at + late;

			end = at;
			if (event->kind == NOC_TRACE_BARRIER) {
				double wait = fmax(busy + way - at, 0);

				recorded += (double)(event->end - event->at);
				waits += wait;
				late += wait - (double)(event->end - event->at);
				end = at + wait;
			} else {
				busy = fmax(busy, at) + event->bytes / rate;
			}
		}
		cycles = fmax(cycles, end);
	}
	outcome->cycles[NOC_TRACE_PLAIN] = cycles;
	if (trace->barrier_count > 0) {
		outcome->wait[NOC_TRACE_PLAIN] = waits / trace->barrier_count;
		outcome->recorded_wait = recorded / trace->barrier_count;
	}
}

static double *read_prints(const struct replay *replay, uint32_t number, uint32_t count)
{
	char part[PATH_BYTES];

	part_path(replay, number, part);
	return replay_prints(part, count, replay->cycle_ps);
}

static bool replay_ended(void *context, const struct child_end *end)
{
	struct replay *replay = context;
	const struct noc_trace *trace = &replay->traces[end->number / REPLAYED];
	struct noc_trace_outcome *outcome = &replay->outcomes[end->number / REPLAYED];
	uint32_t way = end->number % REPLAYED, prints = 0;
	double *times = NULL;

	for (uint32_t i = 0; i < trace->kernel_count; i++)
		prints += noc_trace_prints(&trace->kernels[i]);
	if (end->code == EXIT_GOOD)
		times = read_prints(replay, end->number, prints);
	if (!times || !noc_trace_figures(trace, times,
			      platform_real(replay->platform, "firmware.kernel_print"),
			      &outcome->cycles[way], &outcome->wait[way])) {
		outcome->ran = false;
		replay_say_why(end, &outcome->reason);
	}
	free(times);
	progress_step(&replay->progress);
	return true;
}

static const struct children_ops replay_children = {
	.work = replay_one,
	.ended = replay_ended,
	.limit_s = replay_limit,
};

/* ---- all traces ---- */

static bool noc_trace_prepare(const struct replay *replay, uint32_t number,
	const struct noc_trace_request *request, struct diag *diag)
{
	const struct noc_trace *trace = &replay->traces[number];
	char path[PATH_BYTES];
	struct text yaml, kept;
	bool good;

	text_init(&yaml);
	text_init(&kept);
	good = noc_trace_scenario(trace, request->platform, request->machine, diag, &yaml);
	noc_trace_path(replay, number, "yaml", path);
	if (request->folder)
		text_printf(&kept, "%s/%s.yaml", request->folder, trace->name);
	good = good && replay_write(path, &yaml) &&
	       (!request->folder || replay_write(text_string(&kept), &yaml));
	text_fini(&kept);
	text_fini(&yaml);
	return good;
}

bool noc_trace_run(const struct noc_trace *traces, uint32_t count,
	const struct noc_trace_request *request, struct noc_trace_outcome *outcomes,
	struct diag *diag)
{
	struct replay replay = {traces, outcomes, request->platform,
		.scratch = scratch_open("validate"),
		.cycle_ps = 1e12 / platform_real(request->platform, "chip.aiclk")};
	uint32_t *numbers = allocate(REPLAYED * count + 1u, sizeof *numbers);
	bool good = replay.scratch != NULL;

	for (uint32_t i = 0; i < count && replay.scratch; i++) {
		outcomes[i].ran = true;
		noc_trace_plain(&replay, &traces[i], &outcomes[i]);
		good = noc_trace_prepare(&replay, i, request, diag) && good;
	}
	for (uint32_t i = 0; i < REPLAYED * count; i++)
		numbers[i] = i;
	if (good) {
		progress_start(&replay.progress, "replay", REPLAYED * count, 0);
		simgrid_library_load();
		good = children_run(
			&replay_children, &replay, numbers, REPLAYED * count, request->jobs);
		progress_hide(&replay.progress);
		if (!good)
			fprintf(stderr, "meshsim: cannot run the replays: %s\n", strerror(errno));
	}
	scratch_close(replay.scratch);
	free(numbers);
	return good;
}

void noc_trace_outcomes_free(struct noc_trace_outcome *outcomes, uint32_t count)
{
	for (uint32_t i = 0; outcomes && i < count; i++)
		text_fini(&outcomes[i].reason);
	free(outcomes);
}
