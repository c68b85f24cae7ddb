/* Makes a scenario from a profiler's report, and runs it with the device profiler on. Reads from
 * the results when the kernels of each operation started and ended (op_gaps.h). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/results/table.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/import/import.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "bench/tools/op_gaps/op_gaps.h"
#include "op_gaps_fit.h"
#include "platform/platform.h"
#include "simgrid/library.h"

enum { PATH_BYTES = 512, ARGUMENTS = OP_GAPS_ARGUMENTS, IMBALANCE_PERCENT = 30 };

/* First and last start, and last end of an operation's kernels, in ps; INT64_MIN: not printed. */
struct times {
	int64_t first, last, end;
};

struct op_gaps_job {
	char scenario[PATH_BYTES], part[PATH_BYTES];
	const struct op_gaps_request *request;
	struct op_gaps *gaps;
	struct diag *diag;
	const char *const *sets; /* of the request, and those of the profiler */
	uint32_t set_count;
	bool ran;
	struct text reason;
};

static void run_one(void *context, uint32_t number)
{
	const struct op_gaps_job *job = context;
	struct load_options load = {.sets = job->sets,
		.set_count = job->set_count,
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

/* The prints of a run. Each operation with prints is a launch. Chips with prints are the devices,
 * in the order of their numbers. */
struct prints {
	struct print_row *rows;
	uint32_t count;
	uint32_t *device_of; /* [chip] its number from 1; 0: no prints */
	uint32_t chips;	     /* one more than the highest number of a chip */
};

static int by_launch(const void *left, const void *right)
{
	const struct print_row *a = left, *b = right;

	return a->operation < b->operation ? -1 : a->operation > b->operation;
}

static void prints_read(struct prints *prints, const char *part)
{
	struct table layout = results_prints();
	struct h5_file *file = part_open(part);
	void *rows = NULL;
	uint32_t number = 0;

	*prints = (struct prints){0};
	if (file && part_table(file, "/run", &layout, &rows, &prints->count))
		prints->rows = rows;
	h5_close(file);
	for (uint32_t i = 0; prints->rows && i < prints->count; i++)
		if (prints->rows[i].chip >= prints->chips)
			prints->chips = prints->rows[i].chip + 1;
	prints->device_of = allocate(prints->chips + 1u, sizeof(uint32_t));
	if (prints->count > 0)
		qsort(prints->rows, prints->count, sizeof *prints->rows, by_launch);
	for (uint32_t i = 0; prints->rows && i < prints->count; i++)
		prints->device_of[prints->rows[i].chip] = 1;
	for (uint32_t i = 0; i < prints->chips; i++)
		if (prints->device_of[i] > 0)
			prints->device_of[i] = ++number;
}

static void prints_fini(struct prints *prints)
{
	free(prints->rows);
	free(prints->device_of);
}

/* The launches of one device. */
struct launched {
	uint32_t first,
		room; /* place of its first launch in the array of times, and their number */
	uint32_t count, operation;
};

/* Returns a new array with the times of each operation, in which the operations of a device follow
 * each other. The caller frees it. Sets launched[device].first. */
static struct times *op_gaps_times(
	const struct op_gaps *gaps, const struct prints *prints, struct launched *launched)
{
	uint32_t devices = gaps->report->device_count;
	struct times *times = allocate(gaps->count + 1u, sizeof *times);

	for (uint32_t i = 0; i < gaps->count; i++) {
		times[i] = (struct times){INT64_MIN, INT64_MIN, INT64_MIN};
		launched[gaps->at[i].entry->device].room++;
	}
	for (uint32_t d = 1; d < devices; d++)
		launched[d].first = launched[d - 1].first + launched[d - 1].room;
	for (uint32_t i = 0; prints->rows && i < prints->count; i++) {
		const struct print_row *row = &prints->rows[i];
		uint32_t device = prints->device_of[row->chip] - 1;

		if (device >= devices)
			continue;
		if (launched[device].count == 0 || row->operation != launched[device].operation)
			launched[device].count++;
		launched[device].operation = row->operation;
		if (launched[device].count <= launched[device].room)
			op_gaps_take(
				&times[launched[device].first + launched[device].count - 1], row);
	}
	return times;
}

static void op_gaps_fill(struct op_gaps *gaps, const struct prints *prints)
{
	uint32_t devices = gaps->report->device_count;
	struct launched *launched = allocate(devices + 1u, sizeof *launched);
	struct times *times = op_gaps_times(gaps, prints, launched);
	int64_t *before = allocate(devices + 1u, sizeof *before);

	for (uint32_t d = 0; d < devices; d++)
		before[d] = INT64_MIN;
	for (uint32_t i = 0; i < gaps->count; i++) {
		struct op_gap *gap = &gaps->at[i];
		uint32_t device = gap->entry->device;
		const struct times *at = &times[launched[device].first++];

		gap->gap = gap->skew = gap->kernel = gap->start = NAN;
		if (at->first == INT64_MIN)
			continue;
		gap->start = (double)at->first / 1000;
		if (before[device] != INT64_MIN)
			gap->gap = (double)(at->first - before[device]) / 1000;
		gap->skew = (double)(at->last - at->first) / 1000;
		gap->kernel = (double)(at->end - at->first) / 1000;
		before[device] = at->end;
	}
	free(before);
	free(times);
	free(launched);
}

/* ---- the report ---- */

static void find_first_uses(struct op_gaps *gaps)
{
	uint32_t programs = gaps->report->program_count;
	uint32_t *first = allocate(programs + 1u, sizeof *first); /* number of the call, from 1 */

	for (uint32_t i = 0; i < gaps->count; i++) {
		const struct op_gap *gap = &gaps->at[i];

		if (first[gap->entry->program] == 0 || gap->call < first[gap->entry->program] - 1)
			first[gap->entry->program] = gap->call + 1;
	}
	for (uint32_t i = 0; i < gaps->count; i++)
		gaps->at[i].first_use = gaps->at[i].call == first[gaps->at[i].entry->program] - 1;
	free(first);
}

static void op_gaps_init(struct op_gaps *gaps, const struct op_report *report, struct arena *arena)
{
	uint32_t *calls;

	*gaps = (struct op_gaps){.report = report,
		.at = arena_array(arena, report->count + 1u, sizeof *gaps->at),
		.count = report->count,
		.program_args =
			arena_array(arena, report->program_count + 1u, sizeof *gaps->program_args)};
	calls = op_report_calls(report, arena, &gaps->call_count);
	gaps->from = gaps->call_count / 2;
	for (uint32_t i = 0; i < report->count; i++)
		gaps->at[i] = (struct op_gap){.entry = &report->entries[i],
			.call = calls[i],
			.start = NAN,
			.gap = NAN,
			.skew = NAN,
			.kernel = NAN,
			.formula = NAN};
	for (uint32_t i = 0; i < report->program_count; i++)
		gaps->program_args[i] = ARGUMENTS;
	find_first_uses(gaps);
}

/* ---- the machine ---- */

static const char *profiled_machine(const struct op_report *report)
{
	return report->blackhole ? "p150-profiled" : "n150-profiled";
}

static const char *op_gaps_machine(
	const struct op_gaps_request *request, const struct op_report *report)
{
	if (request->platform)
		return request->platform;
	return report->device_count > 1 ? op_report_platform(report) : profiled_machine(report);
}

/* Adds changes of the scenario that make the profiler's marks take time on a machine of several
 * devices: the constants of one device whose profiler is on. Returns false after an error. */
static bool add_profiler(const struct op_gaps_request *request, const struct op_report *report,
	struct arena *arena, struct diag *diag, struct op_gaps_job *job)
{
	static const char *const names[] = {
		"firmware.worker_launch", "firmware.worker_processor", "firmware.worker_start"};
	enum { COUNT = sizeof names / sizeof *names };
	const char **sets = arena_array(arena, request->set_count + COUNT, sizeof *sets);
	struct platform *platform = NULL;

	job->sets = sets;
	if (!request->platform && report->device_count > 1) {
		platform = machine_platform(profiled_machine(report), diag);
		if (!platform)
			return false;
		for (int i = 0; i < COUNT; i++)
			sets[job->set_count++] = arena_printf(arena, "platform.%s=%.0f", names[i],
				platform_real(platform, names[i]));
		platform_free(platform);
	}
	for (uint32_t i = 0; i < request->set_count; i++)
		sets[job->set_count++] = request->sets[i];
	return true;
}

/* ---- the run ---- */

/* Writes the scenario of the report to `job`. */
static bool op_gaps_write_scenario(const struct op_gaps_request *request,
	const struct op_gaps *gaps, const struct op_gaps_job *job, struct diag *diag)
{
	const struct import_request import = {.path = request->path,
		.platform = gaps->machine,
		.program_args = gaps->program_args,
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
	struct prints prints;
	uint32_t number = 0;

	text_clear(&job->reason);
	if (!children_run(&op_gaps_children, job, &number, 1, 1)) {
		fprintf(stderr, "meshsim: cannot run the report: %s\n", strerror(errno));
		return false;
	}
	if (!job->ran) {
		fprintf(stderr, "meshsim: the report did not run: %s\n", text_string(&job->reason));
		return false;
	}
	prints_read(&prints, job->part);
	op_gaps_fill(gaps, &prints);
	prints_fini(&prints);
	return true;
}

/* Simulates the report with the numbers of arguments in gaps->program_args. */
static bool op_gaps_simulate(void *context)
{
	struct op_gaps_job *job = context;

	return op_gaps_write_scenario(job->request, job->gaps, job, job->diag) &&
	       run_job(job->gaps, job);
}

/* The programs of a replay are one operation of the run, so its prints do not tell them apart. */
static bool check_dispatched(const struct op_report *report, const char *path, struct diag *diag)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->entries[i].trace != OP_ABSENT) {
			diag_error(diag,
				location_at(diag_source(diag, path, NULL, 0),
					report->entries[i].line, 1),
				"an operation that trace %" PRIu64 " replays: gaps are predicted "
				"only where the host dispatches",
				report->entries[i].trace);
			return false;
		}
	return true;
}

bool op_gaps_run(const struct op_gaps_request *request, struct arena *arena, struct diag *diag,
	struct op_gaps *gaps)
{
	const struct op_report *report = op_report_read(request->path, NULL, NULL, arena, diag);
	struct op_gaps_job job = {.request = request, .gaps = gaps, .diag = diag};
	struct scratch *scratch = NULL;
	bool good = false;

	if (!report)
		return false;
	if (!check_dispatched(report, request->path, diag))
		return false;
	op_gaps_init(gaps, report, arena);
	gaps->machine = op_gaps_machine(request, report);
	if (!add_profiler(request, report, arena, diag, &job))
		return false;
	scratch = scratch_open("validate");
	if (scratch) {
		snprintf(job.scenario, PATH_BYTES, "%s/report.yaml", scratch_path(scratch));
		snprintf(job.part, PATH_BYTES, "%s/report.part", scratch_path(scratch));
		simgrid_library_load();
		good = request->fits ? op_gaps_fit(gaps, op_gaps_simulate, &job)
				     : op_gaps_simulate(&job);
	}
	text_fini(&job.reason);
	scratch_close(scratch);
	return good;
}
