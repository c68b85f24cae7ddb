/* The runner (bench/run/runner.h) finds missing runs, executes them in children, and merges their
 * parts. It starts no run before it has checked that the result file can be written. */
#include "bench/run/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "bench/results/results.h"
#include "bench/run/children.h"
#include "bench/run/executors.h"
#include "native/processes.h"
#include "bench/run/part_folder.h"
#include "simgrid/library.h"
#include "run_world.h"

/* Time that a native run above its time limit has to report its state before it is killed. */
enum { NATIVE_GRACE_S = 20 };

struct runner {
	const struct run_request *request;
	struct part_folder *folder;
	struct progress progress;
	struct part_summary *failed; /* status and message of runs without a part */
	uint32_t refused;	     /* runs that were rejected, so they never have a part */
	uint32_t left;		     /* lost or failed runs, which --resume repeats */
	uint32_t kept;		     /* runs with kept parts, while other runs have no part */
	enum exit_code code;
};

static void runner_child_work(void *context, uint32_t run)
{
	struct runner *runner = context;

	run_child(runner->request, run, part_folder_part(runner->folder, run));
}

static uint32_t child_limit(void *context, uint32_t run)
{
	struct runner *runner = context;
	uint32_t wall_s = run_wall_s(runner->request, run);

	if (runner->request->executors && wall_s > 0)
		wall_s += runner->request->executors->wait_s;
	return runner->request->native ? wall_s + NATIVE_GRACE_S : wall_s;
}

/* Prints the output of a child, with the number of the run at the beginning of each line. Leaves
 * out the line that contains the text `but`; if `but` is NULL, prints all lines. */
static void print_output(struct runner *runner, const struct child_end *end, const char *but)
{
	const char *line = text_string(&end->output);
	bool several = scenario_run_count(runner->request->file) > 1;

	while (*line) {
		size_t length = strcspn(line, "\n");
		bool left_out = but >= line && but <= line + length;

		if (several && !left_out)
			fprintf(stderr, "run %u: ", end->number);
		if (!left_out)
			fprintf(stderr, "%.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

/* Records a run that left no part. */
static void note_failure(
	struct runner *runner, const struct child_end *end, const char *status, const char *message)
{
	struct part_summary *failed = &runner->failed[end->number];

	snprintf(failed->status, sizeof failed->status, "%s", status);
	snprintf(failed->message, sizeof failed->message, "%s", message);
	fprintf(stderr, "meshsim: run %u: %s\n", end->number, message);
}

static void worsen(struct runner *runner, enum exit_code code)
{
	if (code > runner->code) /* the largest code is the worst */
		runner->code = code;
}

/* Prints a label such as "meshsim: run 3 (KEY=VALUE): ", and then `what`. Prints nothing if there
 * is only one run. */
static void print_label(const struct runner *runner, uint32_t run, const char *what)
{
	struct text label = {0};

	if (scenario_run_count(runner->request->file) > 1) {
		scenario_label_run(runner->request->file, run, &label);
		fprintf(stderr, "meshsim: %s: %s\n", text_string(&label), what);
	}
	text_fini(&label);
}

/* Records that a run was rejected, because its input is wrong or the machine cannot execute it. The
 * other runs are not affected. The message of the run is the first error in its output or, if there
 * is none, the first line of its output. */
static void note_refusal(struct runner *runner, const struct child_end *end)
{
	struct part_summary *failed = &runner->failed[end->number];
	const char *said = text_string(&end->output), *error = strstr(said, "error: ");

	if (error)
		error += strlen("error: ");
	else
		error = said;
	snprintf(failed->status, sizeof failed->status, "%s", RUN_STATUS_REFUSED);
	snprintf(failed->message, sizeof failed->message, "%.*s", (int)strcspn(error, "\n"), error);
	fputs(said, stderr);
	print_label(runner, end->number, "refused");
	runner->refused++;
	worsen(runner, end->code);
}

/* Returns the reason for the end of a run with exit code EXIT_LOST or EXIT_NO_MEMORY; NULL for all
 * other runs. The reason is in the last line of the output that begins with "meshsim: ", after
 * these words. Helper processes of the run, such as an MPI daemon, may have printed more lines
 * after it. If there is no such line, returns the whole output. */
static const char *reason_of(const struct child_end *end)
{
	static const char own[] = "meshsim: ";
	const char *said = text_string(&end->output), *reason = said;

	if (end->timed_out || (end->code != EXIT_LOST && end->code != EXIT_NO_MEMORY))
		return NULL;
	for (const char *line = said; *line; line += line[0] == '\n') {
		if (strncmp(line, own, sizeof own - 1) == 0)
			reason = line + sizeof own - 1;
		line += strcspn(line, "\n");
	}
	return reason;
}

/* Writes into `message` why a run ended without a part. Returns the status of the run. */
static const char *say_failure(const struct child_end *end, char *message, size_t size)
{
	const char *reason = reason_of(end);

	if (reason) {
		snprintf(message, size, "%.*s", (int)strcspn(reason, "\n"), reason);
		return RUN_STATUS_LOST;
	}
	if (children_say_killed(end, message, size))
		return RUN_STATUS_LOST;
	if (end->signal == 0 && end->code != EXIT_BUG) {
		snprintf(message, size, "a library that it uses ended it, with exit code %d",
			end->code);
		return RUN_STATUS_LOST;
	}
	if (end->signal > 0)
		snprintf(message, size, "crashed by signal %d: a bug of meshsim", end->signal);
	else
		snprintf(message, size, "failed with exit code %d: a bug of meshsim", end->code);
	return RUN_STATUS_FAILED;
}

/* Exit codes of runs, by their status. */
static const struct {
	const char *status;
	enum exit_code code;
} status_codes[] = {
	{RUN_STATUS_OK, EXIT_GOOD},
	{RUN_STATUS_LOST, EXIT_REFUSED},
	{RUN_STATUS_REFUSED, EXIT_BAD_INPUT},
	{RUN_STATUS_STALLED, EXIT_STALLED},
	{RUN_STATUS_LIMIT, EXIT_STALLED},
	{RUN_STATUS_HAZARD, EXIT_STALLED},
};

static enum exit_code code_of(const char *status)
{
	for (size_t i = 0; i < sizeof status_codes / sizeof *status_codes; i++)
		if (strcmp(status_codes[i].status, status) == 0)
			return status_codes[i].code;
	return EXIT_BUG;
}

/* Returns true if a run with this status has a result, or would end in the same way again. */
static bool is_settled(const char *status)
{
	return strcmp(status, RUN_STATUS_LOST) != 0 && strcmp(status, RUN_STATUS_FAILED) != 0;
}

static bool runner_child_ended(void *context, const struct child_end *end)
{
	struct runner *runner = context;
	const char *status;
	char message[240]; /* has space for the address of a foreign process */

	progress_hide(&runner->progress);
	if (end->code == EXIT_UNWRITTEN) {
		fputs(text_string(&end->output), stderr);
		print_label(runner, end->number, "its files cannot be written");
		runner->code = EXIT_BAD_INPUT;
		return false;
	}
	if (end->code == EXIT_REFUSED || end->code == EXIT_BAD_INPUT) {
		note_refusal(runner, end);
		progress_step(&runner->progress);
		return true;
	}
	print_output(runner, end, reason_of(end));
	if (end->timed_out) {
		snprintf(message, sizeof message, "given up after %u s (limits.wall_s)",
			run_wall_s(runner->request, end->number));
		note_failure(runner, end, RUN_STATUS_LIMIT, message);
		worsen(runner, EXIT_STALLED);
	} else if (end->code == EXIT_GOOD || end->code == EXIT_STALLED) {
		worsen(runner, end->code);
		part_folder_keep_figures(runner->folder, end->number,
			&(struct host_figures){end->wall_s, end->cpu_s, end->peak_bytes});
	} else {
		status = say_failure(end, message, sizeof message);
		worsen(runner, code_of(status));
		note_failure(runner, end, status, message);
		runner->left++;
	}
	progress_step(&runner->progress);
	return true;
}

static void child_said(void *context, uint32_t number, const char *line)
{
	struct runner *runner = context;

	progress_hide(&runner->progress);
	fprintf(stderr, "meshsim: run %u: %s\n", number, line);
}

static const struct children_ops run_children = {
	.work = runner_child_work,
	.ended = runner_child_ended,
	.limit_s = child_limit,
	.said = child_said,
};

static bool warm_up_ended(void *context, const struct child_end *end)
{
	struct runner *runner = context;

	unlink(part_folder_part(runner->folder, end->number));
	return true;
}

/* Returns true if the run has a valid part, that is, one that is not damaged and belongs to this
 * run. */
static bool has_part(struct runner *runner, uint32_t run)
{
	enum status status = part_folder_has(
		runner->folder, run, scenario_run(runner->request->file, run)->identity);

	if (status == STATUS_INVALID)
		fprintf(stderr, "meshsim: %s is damaged or of another run: run %u is run again\n",
			part_folder_part(runner->folder, run), run);
	return status == STATUS_OK;
}

/* Executes a native run before the runs of the sweep, and does not keep its results. Without this
 * warm-up, the first run of the sweep would be slower than the others, because caches are cold and
 * cores are idle. Errors are not reported here, because the real run will report them. */
static void warm_up(struct runner *runner, uint32_t run)
{
	static const struct children_ops unheard = {
		.work = runner_child_work, .ended = warm_up_ended, .limit_s = child_limit};

	children_run(&unheard, runner, &run, 1, 1);
}

/* Executes the runs that have no valid part yet. If the command must stop, returns false and sets
 * runner->code to the exit code. */
static bool run_missing(struct runner *runner)
{
	uint32_t count = scenario_run_count(runner->request->file), missing = 0;
	uint32_t *numbers = allocate(count, sizeof *numbers);
	bool good;

	for (uint32_t run = 0; run < count; run++)
		if (!has_part(runner, run))
			numbers[missing++] = run;
	if (missing > 0 && runner->request->native)
		native_order(runner->request->file, numbers, missing);
	else if (missing > 0)
		simgrid_library_load();
	results_start(); /* once in the parent, and not in each child */
	progress_start(
		&runner->progress, scenario_name(runner->request->file), count, count - missing);
	if (missing > 1 && runner->request->native && !runner->request->executors)
		warm_up(runner, numbers[0]);
	good = children_run(&run_children, runner, numbers, missing, runner->request->jobs);
	progress_hide(&runner->progress);
	if (!good && runner->code != EXIT_BAD_INPUT) {
		fprintf(stderr, "meshsim: cannot start a run: %s\n", strerror(errno));
		runner->code = EXIT_BUG;
	}
	free(numbers);
	return good;
}

/* A summary of the rows of a result file: the number of runs, the number of runs that --resume must
 * execute again, and the largest exit code of a run. */
struct seen {
	uint32_t count, left;
	enum exit_code code;
};

/* Reads the summary of a result file. Returns false if the file cannot be read. */
static bool look_at_runs(const char *path, struct seen *seen)
{
	struct run_status *rows;

	*seen = (struct seen){.code = EXIT_GOOD};
	if (results_read_statuses(path, &rows, &seen->count) != STATUS_OK)
		return false;
	for (uint32_t i = 0; i < seen->count; i++) {
		enum exit_code code = code_of(rows[i].status);

		seen->code = code > seen->code ? code : seen->code;
		seen->left += !is_settled(rows[i].status);
	}
	free(rows);
	return true;
}

/* Returns true if there is nothing to run. Without --resume, or if there are parts of runs, returns
 * false. Otherwise looks at the result file. If it is complete, sets *complete to true, and returns
 * true. If it is damaged or belongs to another scenario, reports an error, and returns true. If it
 * does not exist or lacks some runs, returns false; then all runs are executed. */
static bool is_there(struct runner *runner, bool *complete)
{
	const char *output = runner->request->output;
	struct seen seen;
	uint64_t hash = 0;
	enum status status;

	if (!runner->request->resume || part_folder_exists(output))
		return false;
	status = results_read_hash(output, &hash);
	if (status == STATUS_NOT_FOUND)
		return false;
	if (status == STATUS_OK && hash == scenario_hash(runner->request->file) &&
		look_at_runs(output, &seen)) {
		*complete = seen.left == 0;
		worsen(runner, *complete ? seen.code : EXIT_GOOD);
		if (!*complete)
			fprintf(stderr,
				"meshsim: %s lacks %u of %u runs, and no parts are kept: all are "
				"run again\n",
				output, seen.left, seen.count);
		return *complete;
	}
	fprintf(stderr, "meshsim: cannot resume: %s %s\n", output,
		status == STATUS_OK ? "holds another scenario, other options, or results of "
				      "another version of meshsim"
				    : "is damaged, or no result file of this layout");
	runner->code = EXIT_BAD_INPUT;
	return true;
}

/* Merges the parts of all runs. Returns true if the result file was written and can be read. Then
 * the exit code covers all runs of the file, also those that an earlier call of meshsim has
 * executed. */
static bool merge(struct runner *runner, double wall_s)
{
	struct text why = {0};
	struct seen seen;
	enum exit_code code =
		merge_runs(runner->request, runner->folder, runner->failed, wall_s, &why);

	if (code != EXIT_GOOD) {
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
		runner->code = code;
	} else if (look_at_runs(runner->request->output, &seen)) {
		worsen(runner, seen.code);
	} else {
		fprintf(stderr, "meshsim: %s was written, and cannot be read\n",
			runner->request->output);
		runner->code = code = EXIT_BAD_INPUT;
	}
	text_fini(&why);
	return code == EXIT_GOOD;
}

/* Returns the number of finished runs whose parts are kept for --resume. */
static uint32_t count_kept(struct runner *runner)
{
	const struct scenario_file *file = runner->request->file;
	uint32_t kept = 0;

	if (!part_folder_is_there(runner->folder))
		return 0;
	for (uint32_t run = 0; run < scenario_run_count(file); run++)
		kept += part_folder_has(runner->folder, run, scenario_run(file, run)->identity) ==
			STATUS_OK;
	return kept;
}

/* Prints how to continue if runs left no part, or if the file could not be written. */
static void say_kept(struct runner *runner, bool written)
{
	const char *output = runner->request->output;
	uint32_t count = scenario_run_count(runner->request->file);

	if (!part_folder_is_there(runner->folder))
		fprintf(stderr, "meshsim: %s.partial was removed meanwhile: no run is kept\n",
			output);
	else if (written)
		fprintf(stderr, "meshsim: %s lacks %u of %u runs; --resume runs %s again\n", output,
			runner->left, count, runner->left == 1 ? "it" : "them");
	else if (runner->kept > 0)
		fprintf(stderr,
			"meshsim: %s.partial keeps %u of %u runs; --resume goes on from there\n",
			output, runner->kept, count);
}

/* Executes runs and merges their parts. Returns true if the result file was written. Otherwise,
 * keeps the finished parts. */
static bool run_and_merge(struct runner *runner)
{
	uint32_t count = scenario_run_count(runner->request->file);
	double started_s = progress_clock_s();
	bool written = false;

	runner->failed = allocate(count, sizeof *runner->failed);
	if (run_missing(runner) && runner->refused + runner->left < count)
		written = merge(runner, progress_clock_s() - started_s);
	runner->kept = written && runner->left == 0 ? 0 : count_kept(runner);
	if (!written || runner->left > 0)
		say_kept(runner, written);
	free(runner->failed);
	return written;
}

enum exit_code runner_run(const struct run_request *request, bool *written)
{
	struct runner runner = {.request = request};
	struct text why = {0};
	bool done = false;

	if (written)
		*written = false;
	if (!output_check_or_say(request->output, &results_output))
		return EXIT_BAD_INPUT;
	if (!is_there(&runner, &done)) {
		if (part_folder_open(request->output, scenario_hash(request->file),
			    scenario_run_count(request->file), request->resume, &why,
			    &runner.folder) != STATUS_OK) {
			fprintf(stderr, "meshsim: %s\n", text_string(&why));
			text_fini(&why);
			return EXIT_BAD_INPUT;
		}
		done = run_and_merge(&runner);
		part_folder_close(runner.folder, runner.kept == 0);
	}
	if (written)
		*written = done;
	return runner.code;
}

void run_child_of_file(const char *path, const struct load_options *load,
	struct run_request *request, const char *part)
{
	struct diag *diag = diag_new();

	request->file = scenario_open(path, load, diag);
	if (!request->file) {
		diag_print(diag, stderr);
		fflush(NULL);
		_Exit(EXIT_BAD_INPUT);
	}
	run_child(request, 0, part);
}
