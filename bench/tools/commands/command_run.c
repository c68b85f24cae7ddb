/* `meshsim run`: validates all given scenarios, then runs one after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/compare.h"
#include "analysis/show.h"
#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/results/results.h"
#include "bench/run/executors.h"
#include "bench/run/part_folder.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "commands.h"

struct options {
	struct option_texts scenarios, sets;
	const char *output, *command_line;
	struct option_number seed, jobs;
	bool resume, json, wide;
	uint32_t world;
	struct executors_request executors; /* `listen` is NULL: native runs fork executors */
};

enum { WORLD_SIM, WORLD_NATIVE };

static const struct option_row option_table[] = {
	{NULL, 0, "SCENARIO", NULL, OPTION_TEXTS, .offset = offsetof(struct options, scenarios),
		.missing = "no scenario given"},
	{"output", 'o', "FILE", "result file; the scenario's name with .h5 by default", OPTION_TEXT,
		.offset = offsetof(struct options, output)},
	{"set", 0, "KEY=VALUE", "set a key of the scenario, as runtime.completion=table",
		OPTION_TEXTS, .offset = offsetof(struct options, sets)},
	{"seed", 0, "N", "one run of each point with this seed, in place of the scenario's",
		OPTION_NUMBER, .offset = offsetof(struct options, seed), .most = INT64_MAX},
	{"resume", 0, NULL, "run only what an earlier run left out, lost or failed", OPTION_FLAG,
		.offset = offsetof(struct options, resume)},
	{"world", 0, "sim|native", "simulate (default), or run on threads of this machine",
		OPTION_CHOICE, .offset = offsetof(struct options, world)},
	{"listen", 0, "HOST:PORT",
		"natively: wait there for `meshsim executor` of every host; port 0: a free one for "
		"each run",
		OPTION_TEXT, .offset = offsetof(struct options, executors.listen)},
	{"token", 0, "FILE", "for --listen: the secret that executors share", OPTION_TEXT,
		.offset = offsetof(struct options, executors.token)},
	{"start", 0, "COMMAND",
		"for --listen: run it for each host, as `ssh node$MESHSIM_HOST ... --controller "
		"$MESHSIM_CONTROLLER`",
		OPTION_TEXT, .offset = offsetof(struct options, executors.start)},
	{"wait", 0, "S", "for --listen: seconds for all executors to register; 60 by default",
		OPTION_COUNT, .offset = offsetof(struct options, executors.wait_s), .least = 1,
		.most = EXECUTORS_WAIT_S_MAX, .fallback = EXECUTORS_WAIT_S},
	OPTION_JSON(struct options, json),
	OPTION_WIDE(struct options, wide),
	{"jobs", 'j', "N", "runs at a time; by default the number of cores, and natively 1",
		OPTION_NUMBER, .offset = offsetof(struct options, jobs), .least = 1, .most = 1024},
	{.kind = OPTION_COMMAND_LINE, .offset = offsetof(struct options, command_line)},
	{0},
};

/* Returns the path of the result file: the path in -o or, if it is a directory, "NAME.h5" in this
 * directory. Without -o, it is "NAME.h5" in the current directory. */
static char *output_path(const struct options *options, const struct scenario_file *file)
{
	struct stat info;
	char *path = NULL;
	int length;

	if (!options->output)
		length = asprintf(&path, "%s.h5", scenario_name(file));
	else if (stat(options->output, &info) == 0 && S_ISDIR(info.st_mode))
		length = asprintf(&path, "%s/%s.h5", options->output, scenario_name(file));
	else
		length = asprintf(&path, "%s", options->output);
	ensure_memory(length >= 0, "a path");
	for (char *c = path; !options->output && *c; c++)
		if (*c == '/')
			*c = '_';
	return path;
}

static struct load_options load_options(const struct options *options)
{
	return (struct load_options){
		.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.has_seed = options->seed.given,
		.seed = options->seed.value,
		.platform_directory = platform_directory(),
		.native = options->world == WORLD_NATIVE,
	};
}

/* Estimates from the result file `path` how many seeds are needed to reach the scenario's
 * precision. Returns this number, limited to the number that the scenario allows. Returns 0 if the
 * runs so far had enough seeds, or as many as are allowed. */
static uint32_t seeds_wanted(const struct scenario_file *file, const char *path)
{
	uint32_t seeds, most, wanted;
	double precision = scenario_precision(file, &seeds, &most);

	if (precision <= 0 || seeds >= most)
		return 0;
	wanted = analysis_seeds(path, precision);
	if (wanted <= seeds)
		return 0;
	return wanted < most ? wanted : most;
}

/* Finds out how many seeds an earlier, interrupted command had reached, from the parts or the
 * result file that it left. Returns 0 if this number is unknown, or if it is not above the
 * scenario's number of seeds. */
static uint32_t seeds_before(const struct scenario_file *file, const char *path)
{
	uint32_t seeds, most, count = part_folder_runs(path), points;
	struct run_status *rows = NULL;

	if (scenario_precision(file, &seeds, &most) <= 0)
		return 0;
	if (count == 0 && results_read_statuses(path, &rows, &count) != STATUS_OK)
		return 0;
	free(rows);
	points = scenario_run_count(file) / seeds;
	return count % points == 0 && count / points > seeds && count / points <= most
		       ? count / points
		       : 0;
}

static void take_seeds(struct scenario_file **file, struct run_request *request, uint32_t seeds)
{
	struct scenario_file *more = scenario_with_seeds(*file, seeds);

	fprintf(stderr, "meshsim: %s: %u seeds for measure.precision\n", scenario_name(more),
		seeds);
	scenario_close(*file);
	request->file = *file = more;
}

/* Runs a file, and repeats this with more seeds until the scenario's precision is reached. With
 * --resume, begins with the number of seeds that an interrupted command had reached. */
static int run_seeds(struct scenario_file **file, struct run_request *request, bool *written)
{
	uint32_t wanted = request->resume ? seeds_before(*file, request->output) : 0;
	int code;

	if (wanted > 0)
		take_seeds(file, request, wanted);
	code = runner_run(request, written);
	while (*written && code != EXIT_REFUSED &&
		(wanted = seeds_wanted(*file, request->output)) > 0) {
		take_seeds(file, request, wanted);
		request->resume = false;
		code = runner_run(request, written);
	}
	return code;
}

/* Returns how many runs are executed at the same time: the number that the user has set, or as many
 * as there are usable cores. Native runs are executed one after another by default, because runs
 * that compete for cores become slower. */
static uint32_t jobs_of(const struct options *options)
{
	if (options->jobs.given)
		return (uint32_t)options->jobs.value;
	return options->world == WORLD_NATIVE ? 1 : options_usable_cores();
}

static int run_file(const struct options *options, struct scenario_file **file)
{
	char *path = output_path(options, *file);
	struct run_request request = {
		.file = *file,
		.output = path,
		.jobs = jobs_of(options),
		.resume = options->resume,
		.native = options->world == WORLD_NATIVE,
		.executors = options->executors.listen ? &options->executors : NULL,
		.command_line = options->command_line,
	};
	bool written;
	int code = run_seeds(file, &request, &written);

	if (written) {
		analysis_show(path, options->json ? SHOW_JSON : SHOW_BRIEF, options->wide, stdout);
		if (!options->json)
			analysis_best(path, options->wide, stdout);
		fprintf(options->json ? stderr : stdout, "%s\n", path);
	}
	free(path);
	return code;
}

/* Shows progress while a sweep is checked, if that takes longer than half a second. */
struct checking {
	struct progress progress;
	char name[256];
	double from_s, shown_s;
};

static void show_checking(void *context, const struct scenario_file *file, uint32_t done)
{
	enum { AFTER_MS = 500, AGAIN_MS = 100 };
	struct checking *checking = context;
	uint32_t total = scenario_run_count(file);
	double now_s = progress_clock_s();

	if (done == 1) {
		*checking = (struct checking){.from_s = now_s};
	} else if (done == total) {
		progress_hide(&checking->progress);
	} else if (now_s - checking->from_s < 1e-3 * AFTER_MS ||
		   now_s - checking->shown_s < 1e-3 * AGAIN_MS) {
		return;
	} else if (checking->shown_s == 0) {
		snprintf(checking->name, sizeof checking->name, "checking %s", scenario_name(file));
		progress_start(&checking->progress, checking->name, total, done);
		checking->shown_s = now_s;
	} else {
		checking->progress.done = done - 1;
		progress_step(&checking->progress);
		checking->shown_s = now_s;
	}
}

/* Opens all scenarios. If one of them cannot run, ends the command before any run starts. */
static bool open_files(
	const struct options *options, struct scenario_file **files, struct diag *diag)
{
	struct load_options load = load_options(options);
	struct checking checking = {0};
	uint32_t seeds, most;
	bool good = true;

	load.validated = show_checking;
	load.context = &checking;
	for (uint32_t i = 0; i < options->scenarios.count; i++) {
		files[i] = scenario_open(shipped_scenario(options->scenarios.at[i]), &load, diag);
		good &= files[i] != NULL;
		progress_hide(&checking.progress);
		if (files[i] != NULL && options->executors.listen &&
			scenario_precision(files[i], &seeds, &most) > 0) {
			fputs("meshsim: " EXECUTORS_NO_PRECISION "\n", stderr);
			good = false;
		}
	}
	diag_print(diag, stderr);
	return good;
}

static int command_run_all(const struct options *options)
{
	struct scenario_file **files = allocate(options->scenarios.count, sizeof *files);
	struct diag *diag = diag_new();
	int worst = EXIT_BAD_INPUT;

	if (open_files(options, files, diag)) {
		worst = EXIT_GOOD;
		for (uint32_t i = 0; i < options->scenarios.count; i++) {
			int code = run_file(options, &files[i]);

			worst = code > worst ? code : worst;
		}
	}
	for (uint32_t i = 0; i < options->scenarios.count; i++)
		scenario_close(files[i]);
	diag_free(diag);
	free(files);
	return worst;
}

static int command_run_run(const void *given)
{
	const struct options *options = given;
	struct stat info;

	if (options->output && options->scenarios.count > 1 &&
		(stat(options->output, &info) != 0 || !S_ISDIR(info.st_mode))) {
		fprintf(stderr, "meshsim: -o with several scenarios must name a directory\n");
		return EXIT_BAD_INPUT;
	}
	return command_run_all(options);
}

/* Checks options of executors. Executors register at one address, for one run at a time. */
static bool command_run_check(void *given, struct text *why)
{
	const struct options *options = given;
	const struct executors_request *executors = &options->executors;
	const char *colon = executors->listen ? strrchr(executors->listen, ':') : NULL;

	if (!executors->listen && (executors->token || executors->start))
		text_append(why, "--token and --start are for --listen HOST:PORT");
	else if (!executors->listen)
		return true;
	else if (options->world != WORLD_NATIVE)
		text_append(why, "--listen is for --world native");
	else if (!executors->token)
		text_append(why, "--listen takes a token, too: --token FILE");
	else if (!colon || colon == executors->listen || !colon[1])
		text_append(why, "--listen takes HOST:PORT, as 10.0.0.1:7000");
	else if (options->jobs.given && options->jobs.value > 1)
		text_append(why, "--listen takes one run at a time, so no -j");
	else
		return true;
	return false;
}

const struct command_work command_run = {
	OPTION_TABLE(option_table, struct options),
	.check = command_run_check,
	.reads_platforms = true,
	.run = command_run_run,
};
