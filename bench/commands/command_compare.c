/* `meshsim compare`: who wins, why, where it flips, and whether that can be relied on. All of it is
 * analysis/compare.h, but for the runs that it asks for. */
#include <argp.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/scenario/platform_directory.h"
#include "analysis/compare.h"
#include "base/ensure.h"
#include "bench/run/runner.h"
#include "chip/sim_device.h"
#include "command.h"
#include "rerun.h"

enum { KEY_JSON = 256, KEY_BY, KEY_KIND, KEY_METRIC, KEY_ROBUST, KEY_REFINE, JOBS_MAX = 1024 };

struct options {
	const char *file, **by;
	struct compare_options compare;
	uint32_t jobs;
};

static const struct argp_option option_table[] = {
	{"by", KEY_BY, "KEY[,KEY]", 0,
		"ask about this swept key, or about several as one; all by default; may be "
		"repeated",
		0},
	{"kind", KEY_KIND, "K", 0, "kind of operation; enqueue_workload by default", 0},
	{"metric", KEY_METRIC, "M", 0,
		"round (a call to the next of the same step), latency, host, reach, done, skew; "
		"with .p50 (default), .p90, .p99, .p99_9, .max or .mean",
		0},
	{"robust", KEY_ROBUST, NULL, 0,
		"try every verdict with costs at -30 % and +30 %, group by group, and with the "
		"other network models",
		0},
	{"refine", KEY_REFINE, NULL, 0, "run more points until crossovers are known to 2 %", 0},
	{"jobs", 'j', "N", 0, "runs at a time; the number of cores by default", 0},
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
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

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_BY:
		options->by[options->compare.by_count++] = argument;
		break;
	case KEY_KIND:
		options->compare.kind = argument;
		break;
	case KEY_METRIC:
		options->compare.metric = argument;
		break;
	case KEY_ROBUST:
		options->compare.robust = true;
		break;
	case KEY_REFINE:
		options->compare.refine = true;
		break;
	case 'j':
		options->jobs = parse_jobs(state, argument);
		break;
	case KEY_JSON:
		options->compare.json = true;
		break;
	case ARGP_KEY_ARG:
		if (options->file)
			argp_error(state, "one result file at a time");
		options->file = argument;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no result file given");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "FILE.h5",
	.doc = "Names a winner per question, with margin, mechanism and robustness, or says "
	       "`undecided`."
	       "\vThe JSON has kind, metric, statistic, tie_band; points (run, status, seeds, "
	       "keys, "
	       "operations, value, p50, p90, p99, throughput, host_cpu); questions (question, "
	       "outcome, winner, contexts, mechanism, crossovers, front, rests_on, robust). Times "
	       "are in ps.",
};

static uint32_t usable_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

static int run(int argc, char **argv)
{
	struct options options = {.jobs = usable_cores()};
	struct compare_runner runner = {.networks = sim_network_names(), .run = rerun_run};
	struct rerun_folder *folder = NULL;
	int code = EXIT_BAD_INPUT;

	options.by = calloc((size_t)argc, sizeof(*options.by));
	ensure(options.by, "no memory for %d arguments", argc);
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	options.compare.by = options.by;
	options.compare.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	if (options.compare.robust || options.compare.refine) {
		folder = rerun_folder_new(platform_directory(), options.jobs);
		if (!folder) {
			fprintf(stderr, "meshsim: no folder for runs: %s\n", strerror(errno));
			goto out;
		}
	}
	runner.context = folder;
	code = analysis_compare(options.file, &options.compare, folder ? &runner : NULL, stdout);
out:
	rerun_folder_free(folder);
	free(options.by);
	return code;
}

const struct command command_compare = {
	.name = "compare",
	.arguments = "FILE.h5 [--by KEY] [--robust]",
	.help = "names winners, margins, mechanisms and crossovers",
	.run = run,
};
