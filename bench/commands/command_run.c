/* `meshsim run`: validates every scenario given, then runs one after the other. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/show.h"
#include "base/ensure.h"
#include "bench/options/options.h"
#include "bench/run/runner.h"
#include "bench/scenario/shipped.h"
#include "commands.h"

enum { KEY_SET = 256, KEY_SEED, KEY_RESUME, KEY_WORLD, KEY_JSON, KEY_WIDE };

struct options {
	const char **scenarios, **sets;
	uint32_t scenario_count, set_count;
	const char *output;
	bool has_seed, resume, native, json, wide;
	uint64_t seed;
	uint32_t jobs;
};

static const struct argp_option option_table[] = {
	{"output", 'o', "FILE", 0, "result file; the scenario's name with .h5 by default", 0},
	{"set", KEY_SET, "KEY=VALUE", 0, "set a key of the scenario, as runtime.completion=table",
		0},
	{"seed", KEY_SEED, "N", 0, "seed of everything random, in place of the scenario's", 0},
	{"resume", KEY_RESUME, NULL, 0, "run only what an earlier, killed run left out", 0},
	{"world", KEY_WORLD, "sim|native", 0,
		"simulate (default), or run on threads of this machine", 0},
	{"json", KEY_JSON, NULL, 0, "print the table as JSON", 0},
	{"wide", KEY_WIDE, NULL, 0, "whole rows, even if they are wider than the terminal", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->jobs;
		break;
	case 'o':
		options->output = argument;
		break;
	case KEY_SET:
		options->sets[options->set_count++] = argument;
		break;
	case KEY_SEED:
		options->seed = option_number(state, "--seed", argument, 0, INT64_MAX);
		options->has_seed = true;
		break;
	case KEY_RESUME:
		options->resume = true;
		break;
	case KEY_WORLD:
		if (strcmp(argument, "sim") != 0 && strcmp(argument, "native") != 0)
			argp_error(state, "--world: 'sim' or 'native', not '%s'", argument);
		options->native = strcmp(argument, "native") == 0;
		break;
	case KEY_WIDE:
		options->wide = true;
		break;
	case KEY_JSON:
		options->json = true;
		break;
	case ARGP_KEY_ARG:
		options->scenarios[options->scenario_count++] = argument;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no scenario given");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {{&option_jobs, 0, NULL, 0}, {0}};

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "SCENARIO...",
	.doc = "Runs every point of the scenarios' sweeps, writes one result file for each "
	       "scenario, "
	       "and prints its table.",
};

/* "NAME.h5" in the current directory, or in the directory given by -o. */
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
	ensure(length >= 0, "no memory for a path");
	for (char *c = path; !options->output && *c; c++)
		if (*c == '/')
			*c = '_';
	return path;
}

static char *join(int argc, char **argv)
{
	struct text text;

	text_init(&text);
	for (int i = 0; i < argc; i++)
		text_printf(&text, "%s%s", i ? " " : "", argv[i]);
	return text.bytes;
}

static int run_file(const struct options *options, struct scenario_file *file, const char *line)
{
	char *path = output_path(options, file);
	struct run_request request = {
		.file = file,
		.output = path,
		.jobs = options->jobs,
		.resume = options->resume,
		.native = options->native,
		.command_line = line,
	};
	bool written;
	int code = runner_run(&request, &written);

	if (written) {
		analysis_show(path, options->json ? SHOW_JSON : SHOW_BRIEF, options->wide, stdout);
		fprintf(options->json ? stderr : stdout, "%s\n", path);
	}
	free(path);
	return code;
}

/* Opens all scenarios: what cannot run stops everything before anything has started. */
static bool open_files(
	const struct options *options, struct scenario_file **files, struct diag *diag)
{
	struct load_options load = {
		.sets = options->sets,
		.set_count = options->set_count,
		.has_seed = options->has_seed,
		.seed = options->seed,
		.platform_directory = platform_directory(),
	};
	bool good = true;

	for (uint32_t i = 0; i < options->scenario_count; i++) {
		files[i] = scenario_open(shipped_scenario(options->scenarios[i]), &load, diag);
		good &= files[i] != NULL;
	}
	diag_print(diag, stderr);
	return good;
}

static int run_all(const struct options *options, const char *line)
{
	struct scenario_file **files = calloc(options->scenario_count, sizeof *files);
	struct diag *diag = diag_new();
	int worst = EXIT_BAD_INPUT;

	ensure(files, "no memory for %u scenarios", options->scenario_count);
	if (open_files(options, files, diag)) {
		worst = EXIT_GOOD;
		for (uint32_t i = 0; i < options->scenario_count; i++) {
			int code = run_file(options, files[i], line);

			worst = code > worst ? code : worst;
		}
	}
	for (uint32_t i = 0; i < options->scenario_count; i++)
		scenario_close(files[i]);
	diag_free(diag);
	free(files);
	return worst;
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	char *line = join(argc, argv);
	struct stat info;
	int code = EXIT_BAD_INPUT;

	options.scenarios = calloc((size_t)argc, sizeof *options.scenarios);
	options.sets = calloc((size_t)argc, sizeof *options.sets);
	ensure(options.scenarios && options.sets, "no memory for %d arguments", argc);
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	if (options.output && options.scenario_count > 1 &&
		(stat(options.output, &info) != 0 || !S_ISDIR(info.st_mode)))
		fprintf(stderr, "meshsim: -o with several scenarios must name a directory\n");
	else
		code = run_all(&options, line);
	free(options.scenarios);
	free(options.sets);
	free(line);
	return code;
}

const struct command command_run = {
	.name = "run",
	.help = "runs scenarios, writes result files, prints tables",
	.parser = &parser,
	.reads_platforms = true,
	.run = run,
};
