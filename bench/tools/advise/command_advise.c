/* `meshsim advise`: prints what each change of the runtime's design gains or costs, for a model, a
 * report or a scenario. advise.h describes the parts of the command. */
#include <stdio.h>

#include "advise.h"
#include "bench/run/runner.h"
#include "bench/tools/options/option.h"
#include "bench/tools/rerun/rerun.h"

struct options {
	const char *file, *platform, *command_line;
	struct option_texts sets, only;
	uint32_t rounds, seeds, tokens, jobs;
	bool json;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = "no model file, report or scenario given",
		.extra = "one file at a time"},
	{"platform", 0, "NAME", "another platform than the file's, by name or as a file",
		OPTION_TEXT, .offset = offsetof(struct options, platform)},
	{"set", 0, "KEY=VALUE", "set a key of today's design, as runtime.completion=table",
		OPTION_TEXTS, .offset = offsetof(struct options, sets)},
	{"only", 0, "CHANGE",
		"try this change alone: a name as trace, or a key as runtime.completion; may be "
		"repeated",
		OPTION_TEXTS, .offset = offsetof(struct options, only)},
	{"rounds", 0, "N", "iterations that count; 5 by default", OPTION_COUNT,
		.offset = offsetof(struct options, rounds), .least = 4, .most = 1000,
		.fallback = 5},
	{"seeds", 0, "N", "runs of each design, with as many seeds; 1 by default", OPTION_COUNT,
		.offset = offsetof(struct options, seeds), .least = 1, .most = 100, .fallback = 1},
	{"tokens", 0, "N", "tokens of an iteration, to print tokens a second", OPTION_COUNT,
		.offset = offsetof(struct options, tokens), .least = 1, .most = 1000000000},
	OPTION_JSON(struct options, json),
	OPTION_JOBS(struct options, jobs),
	{.kind = OPTION_COMMAND_LINE, .offset = offsetof(struct options, command_line)},
	{0},
};

static int command_advise_run(const void *given)
{
	const struct options *options = given;
	const struct advise_request request = {.path = options->file,
		.platform = options->platform,
		.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.only = (const char *const *)options->only.at,
		.only_count = options->only.count,
		.rounds = options->rounds,
		.seeds = options->seeds,
		.jobs = options->jobs,
		.tokens = options->tokens};
	struct advice advice = {.request = &request};
	struct diag *diag = diag_new();
	struct rerun rerun = {0};
	int code = EXIT_BAD_INPUT;

	if (rerun_open(&rerun, options->command_line, options->jobs) &&
		advice_make(&advice, &rerun, diag)) {
		if (options->json)
			advise_write_json(&advice, stdout);
		else
			advise_write_page(&advice, stdout);
		code = EXIT_GOOD;
	}
	diag_print(diag, stderr);
	advice_fini(&advice);
	rerun_stop(&rerun);
	diag_free(diag);
	return code;
}

const struct command_work command_advise = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_advise_run,
};
