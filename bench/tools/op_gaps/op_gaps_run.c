/* Makes a scenario from a profiler's report, and runs it with the device profiler on. Reads from
 * the results when the kernels of each operation started and ended (op_gaps.h). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/results/table.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/tools/import/import.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "bench/tools/op_gaps/op_gaps.h"
#include "simgrid/library.h"

enum { PATH_BYTES = 512, ARGUMENTS = 12, IMBALANCE_PERCENT = 30 };

/* First and last start, and last end of an operation's kernels, in ps; INT64_MIN: not printed. */
struct times {
	int64_t first, last, end;
};

struct op_gaps_job {
	char scenario[PATH_BYTES], part[PATH_BYTES];
	const struct op_gaps_request *request;
	bool ran;
	struct text reason;
};

static void run_one(void *context, uint32_t number)
{
	const struct op_gaps_job *job = context;
	struct load_options load = {.sets = job->request->sets,
		.set_count = job->request->set_count,
		.platform_directory = platform_directory()};
	struct run_request request = {.jobs = 1, .command_line = "meshsim validate"};

	(void)number;
	run_child_of_file(job->scenario, &load, &request, job->part);
}

static bool run_ended(void *context, const struct child_end *end)
{
	struct op_gaps_job *job = context;

	job->ran = end->code == EXIT_GOOD;
	if (!job->ran)
		replay_say_why(end, &job->reason);
	return true;
}

static const struct children_ops op_gaps_children = {
	.work = run_one, .ended = run_ended, .limit_s = replay_limit};

/* ---- the prints of the run ---- */

static void op_gaps_take(struct times *times, const struct print_row *row)
{
	if (row->number == 0 && (times->first == INT64_MIN || row->time < times->first))
		times->first = row->time;
	else if (row->number == 1 && row->time > times->last)
		times->last = row->time;
	else if (row->number == 2 && row->time > times->end)
		times->end = row->time;
}

/* Returns a new array: entry i has the times of operation number i, up to number `most`. The caller
 * frees it. */
static struct times *read_times(const char *part, uint32_t most)
{
	struct table layout = results_prints();
	struct times *times = allocate(most + 1u, sizeof *times);
	struct h5_file *file = part_open(part);
	void *prints = NULL;
	uint32_t rows = 0;

	for (uint32_t i = 0; i <= most; i++)
		times[i] = (struct times){INT64_MIN, INT64_MIN, INT64_MIN};
	if (file && part_table(file, "/run", &layout, &prints, &rows))
		for (uint32_t i = 0; i < rows; i++) {
			const struct print_row *row = (const struct print_row *)prints + i;

			if (row->operation <= most)
				op_gaps_take(&times[row->operation], row);
		}
	free(prints);
	h5_close(file);
	return times;
}

/* Operations with prints are the launches, in the order of the report. */
static void op_gaps_fill(struct op_gaps *gaps, const struct times *times, uint32_t most)
{
	int64_t before = INT64_MIN;
	uint32_t at = 0;

	for (uint32_t i = 1; i <= most && at < gaps->count; i++) {
		struct op_gap *gap = &gaps->at[at];

		if (times[i].first == INT64_MIN)
			continue;
		if (before != INT64_MIN)
			gap->gap = (double)(times[i].first - before) / 1000;
		gap->skew = (double)(times[i].last - times[i].first) / 1000;
		gap->kernel = (double)(times[i].end - times[i].first) / 1000;
		before = times[i].end;
		at++;
	}
}

/* ---- the run ---- */

static void find_first_uses(struct op_gaps *gaps)
{
	bool *used = allocate(gaps->report->program_count + 1u, sizeof *used);

	for (uint32_t i = 0; i < gaps->count; i++) {
		gaps->at[i].first_use = !used[gaps->at[i].entry->program];
		used[gaps->at[i].entry->program] = true;
	}
	free(used);
}

static const char *op_gaps_machine(
	const struct op_gaps_request *request, const struct op_report *report)
{
	if (request->platform)
		return request->platform;
	return report->blackhole ? "p150-profiled" : "n150-profiled";
}

/* Writes the scenario of the report to `job`. */
static bool op_gaps_write_scenario(const struct op_gaps_request *request,
	const struct op_gaps *gaps, const struct op_gaps_job *job, struct diag *diag)
{
	const struct import_request import = {.path = request->path,
		.platform = gaps->machine,
		.runtime_args = ARGUMENTS,
		.imbalance_percent = IMBALANCE_PERCENT};
	struct text scenario = {0}, notes = {0}, kept = {0};
	bool good = importer_named("op-report")->import(&import, &scenario, &notes, diag);

	text_append(&scenario, "model: {noise: none}\n"
			       "measure: {kernels: true, prints: 1000000, verify: false}\n");
	if (request->folder)
		text_printf(&kept, "%s/op-report.yaml", request->folder);
	good = good && replay_write(job->scenario, &scenario) &&
	       (!request->folder || replay_write(text_string(&kept), &scenario));
	text_fini(&scenario);
	text_fini(&notes);
	text_fini(&kept);
	return good;
}

static bool run_job(struct op_gaps *gaps, struct op_gaps_job *job)
{
	uint32_t number = 0, most = 4 * gaps->count + 100;
	struct times *times;

	simgrid_library_load();
	if (!children_run(&op_gaps_children, job, &number, 1, 1)) {
		fprintf(stderr, "meshsim: cannot run the report: %s\n", strerror(errno));
		return false;
	}
	if (!job->ran) {
		fprintf(stderr, "meshsim: the report did not run: %s\n", text_string(&job->reason));
		return false;
	}
	times = read_times(job->part, most);
	op_gaps_fill(gaps, times, most);
	free(times);
	return true;
}

bool op_gaps_run(const struct op_gaps_request *request, struct arena *arena, struct diag *diag,
	struct op_gaps *gaps)
{
	const struct op_report *report = op_report_read(request->path, NULL, NULL, arena, diag);
	struct op_gaps_job job = {.request = request};
	struct scratch *scratch = NULL;
	bool good = false;

	if (!report)
		return false;
	if (report->device_count > 1) {
		diag_error(diag, location_at(diag_source(diag, request->path, NULL, 0), 0, 0),
			"operations of %u devices: gaps are predicted of one",
			report->device_count);
		return false;
	}
	*gaps = (struct op_gaps){.report = report,
		.machine = op_gaps_machine(request, report),
		.at = arena_array(arena, report->count + 1u, sizeof *gaps->at),
		.count = report->count};
	for (uint32_t i = 0; i < report->count; i++)
		gaps->at[i] = (struct op_gap){.entry = &report->entries[i],
			.gap = NAN,
			.skew = NAN,
			.kernel = NAN,
			.formula = NAN};
	find_first_uses(gaps);
	scratch = scratch_open("validate");
	if (scratch) {
		snprintf(job.scenario, PATH_BYTES, "%s/report.yaml", scratch_path(scratch));
		snprintf(job.part, PATH_BYTES, "%s/report.part", scratch_path(scratch));
		good = op_gaps_write_scenario(request, gaps, &job, diag) && run_job(gaps, &job);
	}
	text_fini(&job.reason);
	scratch_close(scratch);
	return good;
}
