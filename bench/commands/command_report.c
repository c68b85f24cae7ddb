/* `meshsim report`: a page of a result file. All of it is analysis/report.h, but for the runs that
 * verdicts ask for and for the error table against hardware. */
#include <argp.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/platform_directory.h"
#include "analysis/report.h"
#include "base/ensure.h"
#include "base/text.h"
#include "bench/run/runner.h"
#include "bench/results/version.h"
#include "chip/sim_device.h"
#include "command.h"
#include "bench/reference/report_errors.h"
#include "rerun.h"

enum {
	KEY_BY = 256,
	KEY_KIND,
	KEY_METRIC,
	KEY_ROBUST,
	KEY_REFINE,
	KEY_NO_ERRORS,
	KEY_MODEL,
	JOBS_MAX = 1024
};

struct options {
	const char *file, *output, **by;
	struct report_options report;
	bool no_errors;
	uint32_t jobs;
};

static const struct argp_option option_table[] = {
	{"output", 'o', "FILE.html", 0, "where to write the page; - is standard output", 0},
	{"by", KEY_BY, "KEY", 0, "ask about this swept key; all by default; may be repeated", 0},
	{"kind", KEY_KIND, "K", 0, "kind of operation; enqueue_workload by default", 0},
	{"metric", KEY_METRIC, "M", 0, "what is compared, as of `meshsim compare`", 0},
	{"robust", KEY_ROBUST, NULL, 0, "try every verdict with other costs and networks", 0},
	{"refine", KEY_REFINE, NULL, 0, "run more points until crossovers are known to 2 %", 0},
	{"no-errors", KEY_NO_ERRORS, NULL, 0,
		"leave out the error table against hardware; to make it takes seconds, once", 0},
	{"model", KEY_MODEL, NULL, 0, "write only the figures, as JSON", 0},
	{"jobs", 'j', "N", 0, "runs at a time; the number of cores by default", 0},
	{0},
};

static uint32_t parse_jobs(struct argp_state *state, const char *text)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > JOBS_MAX)
		argp_error(state, "-j: '%s' is no number from 1 to %d", text, JOBS_MAX);
	return (uint32_t)value;
}

static void take_argument(struct options *options, struct argp_state *state, const char *argument)
{
	if (options->file)
		argp_error(state, "one result file at a time");
	options->file = argument;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	struct compare_options *compare = &options->report.compare;

	switch (key) {
	case 'o':
		options->output = argument;
		break;
	case KEY_BY:
		options->by[compare->by_count++] = argument;
		break;
	case KEY_KIND:
		compare->kind = argument;
		break;
	case KEY_METRIC:
		compare->metric = argument;
		break;
	case KEY_ROBUST:
		compare->robust = true;
		break;
	case KEY_REFINE:
		compare->refine = true;
		break;
	case KEY_NO_ERRORS:
		options->no_errors = true;
		break;
	case KEY_MODEL:
		options->report.model_only = true;
		break;
	case 'j':
		options->jobs = parse_jobs(state, argument);
		break;
	case ARGP_KEY_ARG:
		take_argument(options, state, argument);
		break;
	case ARGP_KEY_END:
		if (!options->file || !options->output)
			argp_error(state, "give a result file, and -o with a name for the page");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5 -o FILE.html",
	.doc = "Writes a result file as one HTML page that needs nothing else."
	       "\vVerdicts come first, then latencies, scaling, load of links, critical paths, "
	       "threads and firmware, queues, the errors of this program against figures "
	       "measured on hardware, scenario and constants.",
};

static uint32_t usable_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

static void write_errors(void *context, struct text *out)
{
	const struct options *options = context;

	report_errors(options->jobs, out);
}

static int run(int argc, char **argv)
{
	struct compare_runner runner = {.networks = sim_network_names(), .run = rerun_run};
	struct options options = {.jobs = usable_cores()};
	struct compare_options *compare = &options.report.compare;
	struct rerun_folder *folder = NULL;
	int code = EXIT_BAD_INPUT;

	options.by = calloc((size_t)argc, sizeof(*options.by));
	ensure(options.by, "no memory for %d arguments", argc);
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	compare->by = options.by;
	if (!options.no_errors)
		options.report.errors = write_errors;
	options.report.errors_context = &options;
	options.report.writer_version = version_number();
	options.report.writer_commit = version_commit();
	if (compare->robust || compare->refine) {
		folder = rerun_folder_new(platform_directory(), options.jobs);
		if (!folder) {
			fprintf(stderr, "meshsim: no folder for runs: %s\n", strerror(errno));
			goto out;
		}
	}
	runner.context = folder;
	code = analysis_report(
		options.file, &options.report, folder ? &runner : NULL, options.output);
out:
	rerun_folder_free(folder);
	free(options.by);
	return code;
}

const struct command command_report = {
	.name = "report",
	.arguments = "FILE.h5 -o FILE.html",
	.help = "writes a result file as one HTML page",
	.run = run,
};
