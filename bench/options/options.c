/* See bench/options/options.h. Parses and refuses; starts nothing. */
#include "bench/options/options.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

enum { KEY_BY = 0x1000, KEY_KIND, KEY_METRIC, KEY_ROBUST, KEY_REFINE, JOBS_MAX = 1024 };

uint64_t option_number(
	struct argp_state *state, const char *name, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < least || value > most)
		argp_error(state, "%s: '%s' is no number from %llu to %llu", name, text,
			(unsigned long long)least, (unsigned long long)most);
	return value;
}

uint32_t option_run(struct argp_state *state, const char *text)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > UINT32_MAX)
		argp_error(state, "'%s' is no number of a run", text);
	return (uint32_t)value;
}

error_t option_file(struct argp_state *state, int key, const char *argument, const char **file)
{
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "no result file given");
	if (key != ARGP_KEY_ARG)
		return key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
	if (*file)
		argp_error(state, "one result file at a time");
	*file = argument;
	return 0;
}

static uint32_t usable_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof cores, &cores) != 0)
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

static error_t parse_jobs(int key, char *argument, struct argp_state *state)
{
	uint32_t *jobs = state->input;

	/* Help and manual pages have no input. */
	if (!jobs)
		return ARGP_ERR_UNKNOWN;
	if (key == ARGP_KEY_INIT)
		*jobs = usable_cores();
	else if (key == 'j')
		*jobs = (uint32_t)option_number(state, "-j", argument, 1, JOBS_MAX);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static error_t parse_question(int key, char *argument, struct argp_state *state)
{
	struct question_options *options = state->input;

	if (!options)
		return ARGP_ERR_UNKNOWN;
	switch (key) {
	case ARGP_KEY_INIT:
		options->compare.by = options->by;
		state->child_inputs[0] = &options->jobs;
		break;
	case KEY_BY:
		if (options->compare.by_count == OPTION_BY_MAX)
			argp_error(state, "--by: more than %d", OPTION_BY_MAX);
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
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option jobs_table[] = {
	{"jobs", 'j', "N", 0, "runs at a time; the number of cores by default", 0},
	{0},
};

const struct argp option_jobs = {.options = jobs_table, .parser = parse_jobs};

static const struct argp_option question_table[] = {
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
	{0},
};

static const struct argp_child question_children[] = {{&option_jobs, 0, NULL, 0}, {0}};

const struct argp option_questions = {
	.options = question_table, .parser = parse_question, .children = question_children};
