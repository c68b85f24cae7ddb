/* `meshsim validate`: reference figures against what their experiments give when simulated. Refuses
 * files with rows that their family cannot have. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/shipped.h"
#include "base/ensure.h"
#include "bench/run/runner.h"
#include "bench/options/options.h"
#include "commands.h"
#include "bench/reference/validate_print.h"

enum { KEYS_MAX = 12 };

struct options {
	const char *reference, *family;
	const char **sets;
	const char *keys[KEYS_MAX];
	uint32_t set_count, key_count, jobs;
	bool rows, json;
};

enum { KEY_REFERENCE = 256, KEY_FAMILY, KEY_ROWS, KEY_BY, KEY_JSON, KEY_SET };

static const struct argp_option option_table[] = {
	{"reference", KEY_REFERENCE, "FILE.csv", 0, "figures to compare with", 0},
	{"family", KEY_FAMILY, "NAME", 0, "only the rows of this family", 0},
	{"rows", KEY_ROWS, NULL, 0, "print every row", 0},
	{"by", KEY_BY, "KEY[,KEY]", 0,
		"split the table by system, metric or parameters of the rows", 0},
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{"set", KEY_SET, "KEY=VALUE", 0, "change a key of every row's scenario", 0},
	{0},
};

/* Cuts "system,op" into keys; the argument is changed. */
static void parse_keys(struct argp_state *state, char *argument, struct options *options)
{
	char *key;

	while ((key = strsep(&argument, ",")) != NULL) {
		struct nearest nearest;

		if (!validate_has_key(key, &nearest)) {
			if (nearest.best)
				argp_error(state, "--by: no row has a key '%s', did you mean '%s'?",
					key, nearest.best);
			else
				argp_error(state, "--by: no row has a key '%s'", key);
		} else if (options->key_count == KEYS_MAX) {
			argp_error(state, "--by: %d keys at most", KEYS_MAX);
		} else {
			options->keys[options->key_count++] = key;
		}
	}
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->jobs;
		break;
	case KEY_REFERENCE:
		options->reference = argument;
		break;
	case KEY_FAMILY:
		if (!experiment_find(argument))
			argp_error(state, "--family: there is no family '%s'", argument);
		options->family = argument;
		break;
	case KEY_ROWS:
		options->rows = true;
		break;
	case KEY_BY:
		parse_keys(state, argument, options);
		break;
	case KEY_JSON:
		options->json = true;
		break;
	case KEY_SET:
		options->sets[options->set_count++] = argument;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", argument);
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
	.doc = "Simulates the experiments behind figures measured on hardware, and prints how far "
	       "it is off.",
};

/* Leaves only the rows of the family that was asked for. */
static void keep_family(const char *family, struct reference *reference)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < reference->count; i++)
		if (strcmp(reference->rows[i].family, family) == 0)
			reference->rows[kept++] = reference->rows[i];
	reference->count = kept;
}

static void print(const struct options *options, const struct reference *reference,
	const struct prediction *predictions)
{
	const struct validate_json json = {options->keys, options->key_count, options->rows};

	if (options->json) {
		validate_print_json(reference, predictions, &json);
		return;
	}
	if (options->rows)
		validate_print_rows(reference, predictions);
	if (options->key_count > 0) {
		validate_print_groups(reference, predictions, options->keys, options->key_count);
		printf("\n");
	}
	validate_print_families(reference, predictions);
}

static int validate(const struct options *options)
{
	struct validate_options run = {options->sets, options->set_count, options->jobs, true};
	const char *path = options->reference ? options->reference : shipped_reference();
	struct prediction *predictions = NULL;
	struct diag *diag = diag_new();
	struct reference reference = {0};
	struct arena arena;
	int code = EXIT_BAD_INPUT;

	arena_init(&arena);
	if (!reference_read(path, &arena, diag, &reference))
		goto out;
	if (options->family)
		keep_family(options->family, &reference);
	predictions = calloc(reference.count + 1u, sizeof *predictions);
	ensure(predictions, "no memory for %u rows", reference.count);
	if (!validate_check(&reference, predictions, diag))
		goto out;
	if (!validate_run(&reference, &run, predictions))
		goto out;
	print(options, &reference, predictions);
	code = EXIT_GOOD;
out:
	diag_print(diag, stderr);
	predictions_free(predictions, reference.count);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	int code;

	options.sets = calloc((size_t)argc, sizeof *options.sets);
	ensure(options.sets, "no memory for %d arguments", argc);
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	code = validate(&options);
	free(options.sets);
	return code;
}

const struct command command_validate = {
	.name = "validate",
	.help = "error table against figures measured on hardware",
	.parser = &parser,
	.reads_platforms = true,
	.run = run,
};
