/* `meshsim validate`: reference figures against what their experiments give when simulated. Refuses
 * files with rows that no experiment knows. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/shipped.h"
#include "base/ensure.h"
#include "bench/run/runner.h"
#include "bench/options/options.h"
#include "commands.h"
#include "bench/results/hdf5_write.h"
#include "bench/reference/validate.h"

struct options {
	const char *reference, *family;
	const char **sets;
	uint32_t set_count, jobs;
	bool rows, json;
};

enum { KEY_REFERENCE = 256, KEY_FAMILY, KEY_ROWS, KEY_JSON, KEY_SET };

static const struct argp_option option_table[] = {
	{"reference", KEY_REFERENCE, "FILE.csv", 0, "figures to compare with", 0},
	{"family", KEY_FAMILY, "NAME", 0, "only the rows of this family", 0},
	{"rows", KEY_ROWS, NULL, 0, "print every row", 0},
	{"json", KEY_JSON, NULL, 0, "print JSON", 0},
	{"set", KEY_SET, "KEY=VALUE", 0, "change a key of every row's scenario", 0},
	{0},
};

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

static void print_rows(const struct reference *reference, const struct prediction *predictions)
{
	for (uint32_t i = 0; i < reference->count; i++) {
		const struct reference_row *row = &reference->rows[i];
		const struct prediction *prediction = &predictions[i];

		if (!prediction->experiment)
			continue;
		if (prediction->ran)
			printf("%10.4g %10.4g %-5s %+7.1f %%  ", row->value, prediction->value,
				row->unit, 100 * (prediction->value / row->value - 1));
		else
			printf("%10.4g %10s %-5s %7s    ", row->value, "-", row->unit, "-");
		printf("%s %s %s\n", row->family, row->system, row->params_text);
		if (!prediction->ran)
			printf("    not runnable: %s\n", text_string(&prediction->reason));
	}
	printf("\n");
}

static void print_line(const char *name, const struct family_errors *errors)
{
	uint32_t ran = errors->rows - errors->refused;

	printf("%-18s %4u %4u", name, errors->rows, ran);
	if (ran > 0)
		printf("  %6.2f  %6.2f  %6.2f  %6.2f  %7.3f\n", 100 * errors->mean,
			100 * errors->median, 100 * errors->p90, 100 * errors->worst,
			errors->ranking);
	else
		printf("  %6s  %6s  %6s  %6s  %7s\n", "-", "-", "-", "-", "-");
}

static void print_table(const struct reference *reference, const struct prediction *predictions)
{
	struct family_errors errors;

	printf("%-18s %4s %4s  %6s  %6s  %6s  %6s  %7s\n", "family", "rows", "ran", "mean",
		"median", "p90", "worst", "ranking");
	printf("%-18s %4s %4s  %6s  %6s  %6s  %6s\n", "", "", "", "%", "%", "%", "%");
	for (size_t i = 0; experiment_at(i); i++) {
		errors = validate_errors(reference, predictions, experiment_at(i)->family);
		if (errors.rows > 0)
			print_line(experiment_at(i)->family, &errors);
	}
	errors = validate_errors(reference, predictions, NULL);
	print_line("all", &errors);
}

static void json_row(
	const struct reference_row *row, const struct prediction *prediction, struct text *json)
{
	text_append(json, "    {\"family\": ");
	text_append_json(json, row->family);
	text_append(json, ", \"system\": ");
	text_append_json(json, row->system);
	text_append(json, ", \"params\": ");
	text_append_json(json, row->params_text);
	text_append(json, ", \"metric\": ");
	text_append_json(json, row->metric);
	text_append(json, ", \"unit\": ");
	text_append_json(json, row->unit);
	text_printf(json, ", \"reference\": %.9g", row->value);
	if (prediction->ran) {
		text_printf(json, ", \"predicted\": %.9g, \"error\": %.9g}", prediction->value,
			prediction->error);
		return;
	}
	text_append(json, ", \"predicted\": null, \"reason\": ");
	text_append_json(json, text_string(&prediction->reason));
	text_append(json, "}");
}

static void print_json(
	const struct reference *reference, const struct prediction *predictions, bool rows)
{
	const char *comma = "";
	struct text json;

	text_init(&json);
	text_append(&json, "{\n  \"families\": {");
	for (size_t i = 0; experiment_at(i); i++) {
		const char *name = experiment_at(i)->family;
		struct family_errors errors = validate_errors(reference, predictions, name);

		if (errors.rows == 0)
			continue;
		text_printf(&json,
			"%s\n    \"%s\": {\"n\": %u, \"not_run\": %u, \"mean\": %.9g, \"median\": "
			"%.9g, \"p90\": %.9g, \"worst\": %.9g, \"ranking\": %.9g}",
			comma, name, errors.rows - errors.refused, errors.refused, errors.mean,
			errors.median, errors.p90, errors.worst, errors.ranking);
		comma = ",";
	}
	text_append(&json, "\n  }");
	comma = "";
	if (rows)
		text_append(&json, ",\n  \"rows\": [");
	for (uint32_t i = 0; rows && i < reference->count; i++) {
		if (!predictions[i].experiment)
			continue;
		text_printf(&json, "%s\n", comma);
		json_row(&reference->rows[i], &predictions[i], &json);
		comma = ",";
	}
	if (rows)
		text_append(&json, "\n  ]");
	printf("%s\n}\n", text_string(&json));
	text_fini(&json);
}

static bool check_rows(const struct options *options, const struct reference *reference,
	struct prediction *predictions, struct diag *diag)
{
	for (uint32_t i = 0; i < reference->count; i++) {
		const struct experiment *experiment = experiment_check(&reference->rows[i], diag);

		if (!options->family || strcmp(reference->rows[i].family, options->family) == 0)
			predictions[i].experiment = experiment;
	}
	return diag_errors(diag) == 0;
}

/* Leaves only the rows of the family that was asked for. */
static void keep_family(const char *family, struct reference *reference)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < reference->count; i++)
		if (strcmp(reference->rows[i].family, family) == 0)
			reference->rows[kept++] = reference->rows[i];
	reference->count = kept;
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
	predictions = calloc(reference.count, sizeof *predictions);
	ensure(predictions, "no memory for %u rows", reference.count);
	if (!check_rows(options, &reference, predictions, diag))
		goto out;
	if (options->family) {
		keep_family(options->family, &reference);
		check_rows(options, &reference, predictions, diag);
	}
	if (!validate_run(&reference, &run, predictions))
		goto out;
	if (options->rows && !options->json)
		print_rows(&reference, predictions);
	if (options->json)
		print_json(&reference, predictions, options->rows);
	else
		print_table(&reference, predictions);
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
