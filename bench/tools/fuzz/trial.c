/* Runs trials (see trial.h). The child process of a trial writes its scenario to a file and opens
 * this file. It executes each run of the scenario in a process that it forks, as the runner does.
 * If the run ends well, it may execute the run again, in the same world or in the other world. It
 * exits with the first bad exit code of a run. */
#include "trial.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "simgrid/library.h"

/* Time limits of a trial, in seconds. The limit of a native trial is short, because a native run
 * without an error does not take long. Stalls are not detected in the native world, so only this
 * limit ends a native run that stalls. */
enum { LIMIT_S = 600, NATIVE_LIMIT_S = 60 };

/* The exit code that is recorded for a trial that exceeded its time limit. */
enum { CODE_LATE = 124 };

struct trials {
	const struct trial_options *options;
	trial_text *text;
	trial_ended *ended;
	void *context;
};

/* ---- in the child ---- */

static int wait_code(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_BUG;
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "killed by signal %d (%s)\n", WTERMSIG(status),
		strsignal(WTERMSIG(status)));
	return 128 + WTERMSIG(status);
}

static int trial_run_once(const struct run_request *request, uint32_t run, const char *part)
{
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return EXIT_UNWRITTEN;
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run_child(request, run, part);
	}
	return wait_code(child);
}

static bool same_bytes(const char *first, const char *second)
{
	struct text bytes[2] = {{0}, {0}};
	bool good = file_read(first, SIZE_MAX, &bytes[0], NULL) &&
		    file_read(second, SIZE_MAX, &bytes[1], NULL) &&
		    bytes[0].length == bytes[1].length &&
		    memcmp(bytes[0].bytes, bytes[1].bytes, bytes[0].length) == 0;

	text_fini(&bytes[0]);
	text_fini(&bytes[1]);
	return good;
}

/* The scenario of a trial, opened for the world in which it runs. */
struct tried {
	const struct trials *trials;
	struct run_request request, other; /* `other`: the native run, to compare both worlds */
	const char *base;		   /* prefix of the names of the trial's files */
};

static uint64_t identity(const struct run_request *request, uint32_t run)
{
	return scenario_run(request->file, run)->identity;
}

/* Executes a run for the second time, and compares the file `second` with the file `first` of the
 * first execution, which ended well. With FUZZ_BOTH, the second execution is in the native world.
 */
static int try_again(const struct tried *tried, uint32_t run, const char *first, const char *second)
{
	bool both = tried->trials->options->world == FUZZ_BOTH;
	const struct run_request *request = both ? &tried->other : &tried->request;
	int code = trial_run_once(request, run, second);

	if (both && code == EXIT_GOOD)
		return worlds_agree(&(struct world_part){first, identity(&tried->request, run)},
			       &(struct world_part){second, identity(request, run)}, stderr)
			       ? EXIT_GOOD
			       : EXIT_REFUSED;
	if (both)
		return code;
	if (code != EXIT_GOOD) {
		fprintf(stderr, "run %u ends well, and not when it runs again\n", run);
	} else if (!same_bytes(first, second)) {
		fprintf(stderr, "run %u gives other bytes when it runs again\n", run);
		code = EXIT_REFUSED;
	}
	return code;
}

static int try_run(const struct tried *tried, uint32_t run)
{
	const struct trial_options *options = tried->trials->options;
	bool once = options->world == FUZZ_NATIVE || (options->world == FUZZ_SIM && options->once);
	char first[512], second[512];
	int code;

	snprintf(first, sizeof first, "%s.part", tried->base);
	snprintf(second, sizeof second, "%s.again", tried->base);
	code = trial_run_once(&tried->request, run, first);
	if (code == EXIT_GOOD && !once)
		code = try_again(tried, run, first, second);
	unlink(first);
	unlink(second);
	return code;
}

static struct run_request open_file(const struct trials *trials, const char *path, bool native)
{
	struct load_options load = {
		.platform_directory = trials->options->directory, .native = native};
	struct run_request request = {.native = native};
	struct diag *diag = diag_new();

	request.file = scenario_open(path, &load, diag);
	if (request.file)
		return request;
	diag_print(diag, stderr);
	unlink(path);
	_Exit(EXIT_BAD_INPUT);
}

/* The work of the child. Never returns. */
static void trial_work(void *context, uint32_t number)
{
	const struct trials *trials = context;
	struct tried tried = {.trials = trials};
	struct text text = {0};
	char base[384], path[400];
	int code = EXIT_GOOD;

	snprintf(base, sizeof base, "%s/%u", trials->options->folder, number);
	snprintf(path, sizeof path, "%s.yaml", base);
	trials->text(trials->context, number, &text);
	if (!file_write(path, 0600, &text)) {
		fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
		_Exit(EXIT_UNWRITTEN);
	}
	tried.base = base;
	tried.request = open_file(trials, path, trials->options->world == FUZZ_NATIVE);
	if (trials->options->world == FUZZ_BOTH)
		tried.other = open_file(trials, path, true);
	for (uint32_t i = 0; code == EXIT_GOOD && i < scenario_run_count(tried.request.file); i++)
		code = try_run(&tried, i);
	unlink(path);
	_Exit(code);
}

/* ---- in the parent ---- */

/* Returns the text after the first ": error: ", or NULL if there is none. */
static const char *after_place(const char *text)
{
	const char *error = strstr(text, ": error: ");

	return error ? error + strlen(": error: ") : NULL;
}

/* Returns true if a run failed because of its model.fault and reported it correctly. This requires
 * that the run ended by itself, and that its message names the host or controller with the
 * fault. */
static bool names_fault(const char *said)
{
	const char *fault = strstr(said, "; model.fault: "), *name;
	size_t length;

	if (fault == NULL)
		return false;
	name = fault + strlen("; model.fault: ");
	length = strcspn(name, " ");
	for (const char *at = said; at < fault; at++)
		if (strncmp(name, "host-", 5) == 0 && strncmp(at, name, length) == 0 &&
			!isdigit((unsigned char)at[length]))
			return strstr(at, "; told at ") != NULL;
	return strncmp(name, "the controller", strlen("the controller")) == 0 &&
	       strstr(said, ": executors have ended at ") != NULL;
}

static void trial_judge(struct trial_end *end, const struct child_end *child, bool late)
{
	const char *said = text_string(&child->output), *error = after_place(said);
	size_t length = strcspn(said, "\n");

	end->code = late ? CODE_LATE : child->code;
	end->kind = TRIAL_FAILED;
	if (late)
		text_append(&end->what, "not over in time\n");
	if (end->code == EXIT_GOOD)
		end->kind = TRIAL_RAN;
	else if (end->code == EXIT_BAD_INPUT && error && memchr(said, ':', length))
		end->kind = TRIAL_REFUSED;
	else if (end->code == EXIT_STALLED &&
		 (strstr(said, "is a hazard by design") || names_fault(said)))
		end->kind = TRIAL_HAZARD;
	else if (end->code == EXIT_STALLED && (strstr(said, "which no step has recorded") ||
						      strstr(said, "was recorded only after")))
		end->kind = TRIAL_REFUSED;
	text_append(&end->what, end->kind == TRIAL_REFUSED && error ? error : said);
}

static bool trials_child_ended(void *context, const struct child_end *child)
{
	const struct trials *trials = context;
	struct trial_end end = {.what = {0}};
	bool go_on;

	trial_judge(&end, child, child->timed_out);
	go_on = trials->ended(trials->context, child->number, &end);
	text_fini(&end.what);
	return go_on;
}

static uint32_t limit_s(void *context, uint32_t number)
{
	const struct trials *trials = context;

	(void)number;
	return trials->options->world == FUZZ_NATIVE ? NATIVE_LIMIT_S : LIMIT_S;
}

bool trials_run(const struct trial_options *options, uint32_t count, trial_text *text,
	trial_ended *heard, void *context)
{
	static const struct children_ops ops = {trial_work, trials_child_ended, limit_s, NULL};
	struct trials trials = {options, text, heard, context};
	uint32_t *numbers = allocate(count ? count : 1, sizeof *numbers);
	bool good;

	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	errno = 0;
	simgrid_library_load();
	good = children_run(&ops, &trials, numbers, count, options->jobs);
	free(numbers);
	return good || errno == 0;
}

void trial_signature(const struct trial_end *end, char *out, size_t size)
{
	const char *said = text_string(&end->what);
	size_t length = 0;

	while (said[length] && said[length] != '\n' && said[length] != '\'' &&
		!isdigit((unsigned char)said[length]))
		length++;
	snprintf(out, size, "%d %.*s", end->code, (int)(length < 60 ? length : 60), said);
}
