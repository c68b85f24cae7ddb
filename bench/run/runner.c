/* The runner, see bench/run/runner.h: decides which runs are missing, listens to their children,
 * merges. Refuses to start anything before it knows that the result can be written. */
#include "bench/run/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "bench/run/children.h"
#include "merge.h"
#include "bench/run/partial.h"
#include "bench/run/progress.h"

/* The native world does not see that it stalls: nothing in it takes as long as this. */
enum { NATIVE_WALL_S = 300 };

struct runner {
	const struct run_request *request;
	struct partial *partial;
	struct progress progress;
	struct part_summary *failed; /* status and message of runs without a part */
	enum exit_code code;
};

static void child_work(void *context, uint32_t run)
{
	struct runner *runner = context;

	run_child(runner->request, run, partial_part(runner->partial, run));
}

static uint32_t child_limit(void *context, uint32_t run)
{
	struct runner *runner = context;
	uint32_t wall_s = scenario_run(runner->request->file, run)->wall_s;

	return wall_s || !runner->request->native ? wall_s : NATIVE_WALL_S;
}

/* Prints what a child wrote, each line labelled with its run. */
static void print_output(struct runner *runner, const struct child_end *end)
{
	const char *line = text_string(&end->output);
	bool several = scenario_run_count(runner->request->file) > 1;

	while (*line) {
		size_t length = strcspn(line, "\n");

		if (several)
			fprintf(stderr, "run %u: ", end->number);
		fprintf(stderr, "%.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

/* Remembers a run that left no part. */
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
	if (code > runner->code) /* 70 before 4 before 0 */
		runner->code = code;
}

static bool child_ended(void *context, const struct child_end *end)
{
	struct runner *runner = context;
	char message[128];

	progress_hide(&runner->progress);
	if (end->code == EXIT_REFUSED || end->code == EXIT_BAD_INPUT) {
		fputs(text_string(&end->output), stderr);
		runner->code = end->code;
		return false;
	}
	print_output(runner, end);
	if (end->timed_out) {
		snprintf(message, sizeof message, "given up after %u s (limits.wall_s)",
			child_limit(runner, end->number));
		note_failure(runner, end, RUN_STATUS_LIMIT, message);
		worsen(runner, EXIT_STALLED);
	} else if (end->code == EXIT_GOOD || end->code == EXIT_STALLED) {
		worsen(runner, end->code);
		partial_keep_figures(runner->partial, end->number,
			&(struct host_figures){end->wall_s, end->cpu_s, end->peak_bytes});
	} else {
		snprintf(message, sizeof message,
			end->code > 128 ? "crashed by signal %d: a bug of meshsim"
					: "failed with exit code %d: a bug of meshsim",
			end->code > 128 ? end->code - 128 : end->code);
		note_failure(runner, end, RUN_STATUS_FAILED, message);
		worsen(runner, EXIT_BUG);
	}
	progress_step(&runner->progress);
	return true;
}

static const struct children_ops run_children = {
	.work = child_work,
	.ended = child_ended,
	.limit_s = child_limit,
};

/* Runs what is missing. False if everything has to stop; the code says why. */
static bool run_missing(struct runner *runner)
{
	uint32_t count = scenario_run_count(runner->request->file), missing = 0;
	uint32_t *numbers = calloc(count, sizeof *numbers);
	bool good;

	ensure(numbers, "no memory for %u runs", count);
	for (uint32_t run = 0; run < count; run++)
		if (!partial_has(runner->partial, run))
			numbers[missing++] = run;
	progress_start(
		&runner->progress, scenario_name(runner->request->file), count, count - missing);
	good = children_run(&run_children, runner, numbers, missing, runner->request->jobs);
	progress_hide(&runner->progress);
	if (!good && runner->code != EXIT_REFUSED && runner->code != EXIT_BAD_INPUT) {
		fprintf(stderr, "meshsim: cannot start a run: %s\n", strerror(errno));
		runner->code = EXIT_BUG;
	}
	free(numbers);
	return good;
}

/* With --resume and no parts: the file may be there already, and complete. */
static bool is_complete(const struct run_request *request, enum exit_code *code)
{
	uint64_t hash = 0;
	enum status status;

	if (!request->resume || partial_exists(request->output))
		return false;
	status = results_read_hash(request->output, &hash);
	if (status == STATUS_NOT_FOUND)
		return false;
	if (status == STATUS_OK && hash == scenario_hash(request->file)) {
		*code = EXIT_GOOD;
		return true;
	}
	fprintf(stderr, "meshsim: cannot resume: %s %s\n", request->output,
		status == STATUS_OK ? "holds another scenario, other options, or results of "
				      "another version of meshsim"
				    : "is no result file of this layout");
	*code = EXIT_BAD_INPUT;
	return true;
}

enum exit_code runner_run(const struct run_request *request)
{
	struct runner runner = {.request = request};
	uint32_t count = scenario_run_count(request->file);
	struct text why;

	if (!output_check_or_say(request->output, &results_output))
		return EXIT_BAD_INPUT;
	if (is_complete(request, &runner.code))
		return runner.code;
	text_init(&why);
	if (partial_open(request->output, scenario_hash(request->file), request->resume, &why,
		    &runner.partial) != STATUS_OK) {
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
		text_fini(&why);
		return EXIT_BAD_INPUT;
	}
	runner.failed = calloc(count, sizeof *runner.failed);
	ensure(runner.failed, "no memory for %u runs", count);

	double started_s = progress_clock_s();

	if (run_missing(&runner)) {
		enum status status = merge_runs(request, runner.partial, runner.failed,
			progress_clock_s() - started_s, &why);

		if (status != STATUS_OK) {
			fprintf(stderr, "meshsim: %s\n", text_string(&why));
			runner.code = EXIT_BAD_INPUT;
			partial_close(runner.partial, false); /* for --resume, once there is room */
			runner.partial = NULL;
		}
	}
	partial_close(runner.partial, true);
	free(runner.failed);
	text_fini(&why);
	return runner.code;
}
