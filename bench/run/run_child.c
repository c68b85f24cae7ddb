/* The child of the runner. It executes one run, from its plan to its part of the result file, and
 * ends the process. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/record/recorder.h"
#include "bench/results/metrics.h"
#include "cause/cause.h"
#include "bench/run/conservation.h"
#include "bench/run/executors.h"
#include "bench/run/runner.h"
#include "bench/watcher/watcher.h"
#include "run_world.h"

/* Default time limit in the native world, which cannot detect stalls. Every good run is shorter. */
enum { NATIVE_WALL_S = 300 };

static void record_work(
	struct run_record *record, const struct work_counts *counts, struct arena *arena)
{
	const struct work_row *rows;
	uint32_t count = work_rows(counts, arena, &rows);

	record_table(record, results_work(), rows, count);
}

static void record_steps(
	struct run_record *record, const struct scenario *scenario, struct arena *arena)
{
	uint32_t count = steps_count(scenario->steps, scenario->step_count);
	const char **names = arena_array(arena, count, sizeof *names);
	const char **programs = arena_array(arena, count, sizeof *programs);

	const char **called = arena_array(arena, count, sizeof *called);

	steps_name(scenario->steps, scenario->step_count, names, programs, called, arena);
	record->steps = names;
	record->programs = programs;
	record->names = called;
	record->step_count = count;
}

static void record_operations(
	struct run_record *record, const struct op_recorder *recorder, struct arena *arena)
{
	struct step_names names = {record->names, record->step_count};
	struct metrics metrics;

	record->ops = op_recorder_rows(recorder, &record->op_count);
	metrics_compute(&metrics, record->ops, record->op_count, &names, arena);
	record_table(record, results_metrics(), metrics.metrics, metrics.metric_count);
	record_table(record, results_kinds(), metrics.kinds, metrics.kind_count);
	record_table(record, results_histograms(), metrics.histograms, metrics.histogram_count);
}

/* Records the time of operations by stage and by charge. */
static void record_paths(
	struct run_record *record, struct op_recorder *recorder, struct arena *arena)
{
	struct op_paths *paths = op_recorder_paths(recorder);
	struct stage_row *stages = arena_array(arena, TIME_STAGE_COUNT, sizeof *stages);
	const struct path_row *rows;
	struct charge_row *charges;
	uint32_t count;

	if (!paths)
		return;
	rows = op_paths_rows(paths, &count);
	record_table(record, results_paths(), rows, count);
	for (int i = 0; i < TIME_STAGE_COUNT; i++)
		snprintf(stages[i].label, sizeof stages[i].label, "%s",
			time_stage_label((enum time_stage)i));
	record_table(record, results_stages(), stages, TIME_STAGE_COUNT);
	charges = op_paths_charges(paths, arena, &count);
	record_table(record, results_charges(), charges, count);
}

/* One run and its state. */
struct job {
	const struct run_world *row;
	struct client client;
	struct machine_constants constants;
	struct firmware_faults notes;
	struct run_record record;
	struct step_names names; /* names of the run's steps */
	struct arena arena;
	struct prints *prints; /* prints of kernels */
	struct logbook *log;
	struct text hazards; /* hazards by design, the cause of any firmware faults; or empty */
	struct fault_note *fault;
	struct text message;
	bool inside;	/* the world has started and not ended */
	bool abandoned; /* threads of the run may still be running */
	bool collected;
};

/* Context of the time limit of a run. */
struct late {
	const struct run_request *request;
	const char *part;
	struct job *job;
	uint32_t run;
};

static void note_fault(void *context, const struct firmware_fault *fault)
{
	struct job *job = context;

	if (fault_note_take(job->fault, fault) && job->row->faulted)
		job->row->faulted();
}

static void note_print(void *context, const struct firmware_print *print)
{
	struct job *job = context;

	prints_take(job->prints, print);
}

/* Sets the status and the message of a run that failed. Its scenario has choices that may fail by
 * design (run_hazards()), so the message also contains these hazards. */
static void tell_hazard(struct job *job, const char *what)
{
	const char *fault = fault_note_text(job->fault);

	text_printf(&job->message, "%s%s%s; %s", fault, fault[0] && what[0] ? "; " : "", what,
		text_string(&job->hazards));
	job->record.status = RUN_STATUS_HAZARD;
	job->record.message = text_string(&job->message);
}

/* True if the client finished, and no wait returned before the work that it waits for was done. */
static bool run_child_is_done(const struct job *job, struct client *client)
{
	uint32_t count;
	const struct op_row *ops = op_recorder_rows(client->recorder, &count);

	if (client->outcome == CLIENT_DONE &&
		!promises_kept(ops, count, job->row->marks_at_once, &client->why))
		client->outcome = CLIENT_FAILED;
	return client->outcome == CLIENT_DONE;
}

/* Decides status, message and exit code of the run. */
static enum exit_code run_child_judge(struct job *job, enum run_end end, const struct text *why)
{
	struct run_record *record = &job->record;
	struct client *client = &job->client;
	enum exit_code code = EXIT_BUG;
	struct text cores = {0};
	const char *fault = fault_note_text(job->fault);

	record->status = RUN_STATUS_OK;
	record->message = "";
	if (end == RUN_LOST || end == RUN_CRASHED) {
		fprintf(stderr, "meshsim: %s\n", text_string(why));
		return end == RUN_LOST ? EXIT_LOST : EXIT_BUG;
	}
	if (end != RUN_FINISHED) {
		record->status = end == RUN_STALLED ? RUN_STATUS_STALLED : RUN_STATUS_LIMIT;
		record->message = text_plain(text_string(why), true, &job->arena);
		watch_cores(job->row, client, record, &job->arena, &cores);
		if (fault[0] && job->hazards.length)
			tell_hazard(job, record->message);
		else if (fault[0]) /* other kernels may wait for the faulty kernel */
			record->message =
				arena_printf(&job->arena, "%s\n%s", fault, record->message);
		else if (end == RUN_STALLED && job->hazards.length)
			record->message = arena_printf(
				&job->arena, "%s\n%s", record->message, text_string(&job->hazards));
		fprintf(stderr, "%s\n%s", record->message, text_string(&cores));
		return EXIT_STALLED;
	}
	if (run_child_is_done(job, client) && !fault[0])
		return EXIT_GOOD;
	if (client->outcome == CLIENT_REFUSED) {
		diag_print(client->diag, stderr);
		return EXIT_BAD_INPUT;
	}
	if (client->outcome == CLIENT_LOST && !job->hazards.length) {
		record->status = RUN_STATUS_STALLED;
		record->message = text_string(&client->why);
		watch_cores(job->row, client, record, &job->arena, &cores);
		fprintf(stderr, "%s\n%s", record->message, text_string(&cores));
		return EXIT_STALLED;
	}
	if (job->hazards.length) {
		tell_hazard(job, text_string(&client->why));
		code = EXIT_STALLED;
	}
	fprintf(stderr, "%s\n", job->hazards.length ? record->message : text_string(&client->why));
	return code;
}

/* Collects statistics, at the first call only. The client calls it after its last step, so that the
 * closing of the mesh is not counted. It is called again when the run has ended, for runs that stop
 * before their last step. */
static void run_child_collect(void *context)
{
	struct job *job = context;
	struct memory_row *memory = arena_array(&job->arena, CLIENT_MEMORIES_MAX, sizeof *memory);

	if (job->collected)
		return;
	job->collected = true;
	executors_settle();
	record_operations(&job->record, job->client.recorder, &job->arena);
	record_paths(&job->record, job->client.recorder, &job->arena);
	job->row->collect(&job->client, &job->record, &job->arena);
	prints_record(job->prints, &job->record, &job->arena);
	logbook_record(job->log, &job->record, &job->arena);
	if (job->abandoned)
		return;
	client_saved_record(&job->client, &job->record, &job->arena);
	record_table(&job->record, results_memory(), memory, client_memory(&job->client, memory));
	client_models_record(&job->client, &job->record, &job->arena);
	for (uint32_t i = 0; job->client.first && i < client_count(&job->client); i++)
		totals_add_commands(client_of_mesh(&job->client, i),
			!job->client.first->ground || job->inside, &job->record.totals);
}

/* Collects statistics on the client's thread. */
static void collect_inside(void *context)
{
	struct job *job = context;

	job->inside = true;
	run_child_collect(job);
	job->inside = false;
}

/* Sets the fields that identify the run of a part. */
static void identify(const struct run_request *request, uint32_t run, const struct run_world *row,
	struct run_record *record)
{
	const struct run_facts *facts = scenario_run(request->file, run);

	record->seed = facts->seed;
	record->scenario_hash = facts->hash;
	record->identity = facts->identity;
	record->world = row->name;
	record->scenario = facts->scenario_text;
	record->platform = facts->platform_text;
}

static enum exit_code run_child_write_part(
	const struct run_request *request, const char *part, uint32_t run, struct job *job)
{
	struct run_record *record = &job->record;
	struct work_counts counts;
	struct left_row *left;
	uint32_t left_count;

	run_child_collect(job);
	job->row->counts(&counts);
	record_work(record, &counts, &job->arena);
	identify(request, run, job->row, record);
	left = client_left(&job->client, &job->arena, &left_count);
	if (left_count > 0)
		record_table(record, results_left(), left, left_count);
	totals_add_meshes(&job->client, &record->totals);
	if (results_write_part(part, record) == STATUS_OK)
		return EXIT_GOOD;
	fprintf(stderr, "meshsim: cannot write %s: %s\n", part, strerror(errno));
	return EXIT_UNWRITTEN;
}

static void job_open(struct job *job, const struct run_request *request,
	const struct run_plan *plan, struct diag *diag)
{
	const struct scenario *scenario = plan->scenario;
	enum log_level least[LOG_TYPE_COUNT];

	memset(job, 0, sizeof *job);
	job->row = request->native ? &run_native : &run_sim;
	arena_init(&job->arena);
	job->fault = fault_note_new();
	machine_constants_bind(plan->platform, scenario_host_model(scenario), &job->constants);
	run_hazards(scenario, &job->hazards);
	record_steps(&job->record, scenario, &job->arena);
	job->names = (struct step_names){job->record.names, job->record.step_count};
	job->prints = prints_new(scenario->measure.prints, job->row->now_ps);
	log_keys_least(&scenario->measure.log, least);
	job->log = logbook_new(least, scenario->measure.log.lines);
	job->notes = (struct firmware_faults){job, note_fault, note_print};
	job->client = (struct client){
		.plan = plan,
		.diag = diag,
		.costs = &job->constants.firmware_costs,
		.limits = &job->constants.firmware_limits,
		.faults = job->hazards.length || scenario->measure.kernels ||
					  steps_act(scenario->steps, scenario->step_count)
				  ? &job->notes
				  : NULL,
		.recorder =
			op_recorder_new((uint32_t)scenario_operations(scenario), request->native),
		.log = logbook_sink(job->log),
		.finished = collect_inside,
		.finished_context = job,
	};
}

/* ---- choosing operations to watch ---- */

static void collect_nothing(void *job)
{
	(void)job;
}

/* Header of a rehearsal's answer. `count` windows follow it. */
struct chosen {
	uint32_t count, left_out;
};

/* Runs the scenario once, only to find the times of its operations. Ignores errors, because the
 * real run will report them. */
_Noreturn static void rehearse(
	const struct run_request *request, const struct run_plan *plan, int out)
{
	struct diag *diag = diag_new();
	enum run_end end;
	struct watch_window *windows;
	struct chosen chosen;
	struct text why;
	struct job job;
	size_t length;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!freopen("/dev/null", "w", stderr))
		_Exit(EXIT_BUG);
	text_init(&why);
	job_open(&job, request, plan, diag);
	job.client.finished = collect_nothing;
	if (job.row->run(plan, &job.constants, &job.client, &end, &why) != STATUS_OK)
		_Exit(EXIT_BUG);
	windows = watch_choose(&plan->scenario->measure.trace, job.client.recorder, &job.names,
		&chosen.count, &chosen.left_out, &job.arena);
	length = chosen.count * sizeof *windows;
	if (write(out, &chosen, sizeof chosen) != (ssize_t)sizeof chosen ||
		write(out, windows, length) != (ssize_t)length)
		_Exit(EXIT_BUG);
	_Exit(EXIT_GOOD);
}

static bool run_child_read_all(int in, void *to, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t some = read(in, (char *)to + done, length - done);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return false;
		done += (size_t)some;
	}
	return true;
}

/* Chooses the operations that the scenario wants to trace, and makes the run watch them. To find
 * the times at which these operations begin and end, first runs the scenario in a child process. If
 * this rehearsal does not finish, nothing is watched; the real run will report the reason. */
static void watch_chosen(const struct run_request *request, const struct run_plan *plan)
{
	struct watch_window windows[TRACE_OPERATIONS_MAX];
	struct chosen chosen;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	fflush(NULL);
	child = fork();
	if (child == 0)
		rehearse(request, plan, ends[1]);
	close(ends[1]);
	if (child > 0 && run_child_read_all(ends[0], &chosen, sizeof chosen) &&
		chosen.count <= TRACE_OPERATIONS_MAX &&
		run_child_read_all(ends[0], windows, chosen.count * sizeof *windows)) {
		watch_start(windows, chosen.count);
		if (chosen.left_out > 0)
			fprintf(stderr, "trace: %u operations more than the %d that are traced\n",
				chosen.left_out, TRACE_OPERATIONS_MAX);
	}
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static bool is_traced(const struct run_request *request, const struct scenario *scenario)
{
	const struct trace_keys *keys = &scenario->measure.trace;

	return (keys->operations || keys->slowest > 0) && !request->native &&
	       !request->marks_only && !request->unrecorded;
}

/* ---- native runs that take too long ---- */

/* Ends a run that takes too long or has lost an executor. Writes the part file of the run without
 * its operations, because operations may still be in flight. Does not return. */
static void run_child_give_up(void *context, const char *why)
{
	struct late *late = context;
	struct job *job = late->job;
	struct run_record record = {.status = why ? RUN_STATUS_STALLED : RUN_STATUS_LIMIT};
	const char *fault = fault_note_text(job->fault);
	struct text told = {0}, message = {0};
	struct arena arena;

	arena_init(&arena);
	watch_cores(job->row, &job->client, &record, &arena, &told);
	prints_record(job->prints, &record, &arena);
	logbook_record(job->log, &record, &arena);
	text_printf(&message, "given up after %u s (limits.wall_s)",
		run_wall_s(late->request, late->run));
	if (why)
		text_clear(&message);
	text_printf(&message, "%s%s%s", why ? why : "", fault[0] ? "\n" : "", fault);
	record.message = text_string(&message);
	identify(late->request, late->run, job->row, &record);
	fprintf(stderr, "%s\n%s", record.message, text_string(&told));
	_Exit(results_write_part(late->part, &record) == STATUS_OK ? EXIT_STALLED : EXIT_UNWRITTEN);
}

static enum exit_code run_plan(const struct run_request *request, const struct run_plan *plan,
	struct diag *diag, const char *part)
{
	enum run_end end = RUN_FINISHED;
	enum exit_code code, written;
	enum status status;
	struct text why;
	struct job job;
	struct late late = {.request = request, .part = part, .job = &job, .run = plan->index};

	text_init(&why);
	job_open(&job, request, plan, diag);
	if (is_traced(request, plan->scenario)) {
		watch_chosen(request, plan);
		op_recorder_watch(job.client.recorder);
	}
	if (request->unrecorded)
		op_recorder_stop(job.client.recorder);
	else if (!request->native && !request->marks_only)
		op_recorder_follow(job.client.recorder, request->paths, &job.names);
	if (job.row->limit)
		job.row->limit(run_wall_s(request, plan->index), run_child_give_up, &late);
	if (request->executors)
		executors_expect(request->executors, scenario_run(request->file, plan->index),
			scenario_hash(request->file), plan->index);
	status = job.row->run(plan, &job.constants, &job.client, &end, &why);
	if (status != STATUS_OK) {
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
		return status == STATUS_IO				     ? EXIT_UNWRITTEN
		       : status == STATUS_TIMEOUT || status == STATUS_CLOSED ? EXIT_LOST
									     : EXIT_BAD_INPUT;
	}
	job.abandoned = job.row->has_threads && end != RUN_FINISHED;
	code = run_child_judge(&job, end, &why);
	if (code == EXIT_BAD_INPUT || code == EXIT_BUG || code == EXIT_LOST)
		return code;
	written = run_child_write_part(request, part, plan->index, &job);
	return written == EXIT_GOOD ? code : written;
}

uint32_t run_wall_s(const struct run_request *request, uint32_t run)
{
	uint32_t wall_s = scenario_run(request->file, run)->wall_s;

	return wall_s > 0 || !request->native ? wall_s : NATIVE_WALL_S;
}

_Noreturn void run_child(const struct run_request *request, uint32_t run, const char *part)
{
	struct diag *diag = diag_new();
	struct run_plan plan;
	enum exit_code code = EXIT_BUG;

	if (run_plan_open(request->file, run, diag, &plan))
		code = run_plan(request, &plan, diag, part);
	else
		diag_print(diag, stderr);
	fflush(NULL);
	_Exit(code);
}
