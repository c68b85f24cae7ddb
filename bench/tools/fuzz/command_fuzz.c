/* `meshsim fuzz`: parses options and runs the campaign of bench/tools/fuzz/fuzz.h. */
#include <stdio.h>

#include "bench/tools/fuzz/fuzz.h"
#include "bench/scenario/load.h"
#include "bench/tools/options/option.h"

struct options {
	const char *scenario, *folder;
	struct option_number seed;
	uint32_t seeds, jobs, world;
	bool print, keep, hosts;
};

static const struct option_row option_table[] = {
	{NULL, 0, "SCENARIO", NULL, OPTION_TEXT, .offset = offsetof(struct options, scenario),
		.extra = "one scenario at a time"},
	{"seeds", 'n', "N", "how many scenarios; 100 by default", OPTION_COUNT,
		.offset = offsetof(struct options, seeds), .least = 1, .most = 1000000,
		.fallback = 100},
	{"seed", 0, "S", "the first seed; 1 by default", OPTION_NUMBER,
		.offset = offsetof(struct options, seed), .most = INT64_MAX / 2},
	{"output", 'o', "FOLDER", "where the files of failing seeds go; here by default",
		OPTION_TEXT, .offset = offsetof(struct options, folder)},
	{"keep", 0, NULL, "write failing scenarios as they were drawn, not shrunk", OPTION_FLAG,
		.offset = offsetof(struct options, keep)},
	{"print", 0, NULL, "print the scenarios, and run none", OPTION_FLAG,
		.offset = offsetof(struct options, print)},
	{"hosts", 0, NULL, "draw machines of several hosts alone", OPTION_FLAG,
		.offset = offsetof(struct options, hosts)},
	{"world", 0, "sim|native|both",
		"simulate (default), run on threads of this machine, or hold one against the other",
		OPTION_CHOICE, .offset = offsetof(struct options, world)},
	OPTION_JOBS(struct options, jobs),
	{0},
};

static int command_fuzz_run(const void *given)
{
	const struct options *options = given;
	struct fuzz_request request = {
		.scenario = options->scenario ? shipped_scenario(options->scenario) : NULL,
		.directory = platform_directory(),
		.folder = options->folder ? options->folder : ".",
		.first = options->seed.given ? options->seed.value : 1,
		.seeds = options->seeds,
		.jobs = options->jobs,
		.world = (enum fuzz_world)options->world,
		.hosts = options->hosts,
		.print = options->print,
		.keep = options->keep,
	};

	return (int)fuzz_run(&request);
}

const struct command_work command_fuzz = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_fuzz_run,
};
