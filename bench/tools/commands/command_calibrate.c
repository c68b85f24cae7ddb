/* `meshsim calibrate`: fits constants, or measures this machine. --fit fits the constants of kind
 * `fitted` to reference figures. With --folds, it also reports the errors on figures that were left
 * out of the fit. --host measures this machine (bench/tools/measure). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/measure/measure.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "bench/tools/reference/errors.h"
#include "bench/tools/reference/fit.h"
#include "bench/scenario/load.h"

struct options {
	const char *reference, *family, *output, *errors;
	struct option_texts names, group;
	struct validate_keys keys; /* the keys of all --group options */
	uint32_t jobs, evaluations, folds;
	bool fit, host;
	struct option_texts probes;
	struct calibrate_host calibrate;
};

static const struct option_row option_table[] = {
	{"fit", 0, NULL, "fit constants to reference figures", OPTION_FLAG,
		.offset = offsetof(struct options, fit)},
	{"host", 0, NULL, "measure this machine: the host's work, each codec, each transport",
		OPTION_FLAG, .offset = offsetof(struct options, host)},
	{"reference", 0, "FILE.csv", "figures to fit", OPTION_TEXT,
		.offset = offsetof(struct options, reference)},
	{"family", 0, "NAME", "of this family; 'fabric' is both of the fabric's", OPTION_TEXT,
		.offset = offsetof(struct options, family)},
	{"constant", 0, "NAME",
		"fit this constant (chip.router_send); by default all that the figures depend on",
		OPTION_TEXTS, .offset = offsetof(struct options, names)},
	{"folds", 0, "N",
		"predict each of N parts of the rows from constants fitted to the other parts",
		OPTION_COUNT, .offset = offsetof(struct options, folds), .least = 2, .most = 1000},
	{"group", 0, "KEY[,KEY]",
		"rows that agree in these stay in one fold; by default in all but sizes; 'system': "
		"each machine is a fold, and borrows constants that only its own rows show",
		OPTION_TEXTS, .offset = offsetof(struct options, group)},
	{"errors", 0, "FILE.yaml",
		"write the errors of the folds, which verdicts are weighed with, as "
		"bench/reference/errors.yaml",
		OPTION_TEXT, .offset = offsetof(struct options, errors)},
	{"evaluations", 0, "N", "most runs of all rows in one fit (120)", OPTION_COUNT,
		.offset = offsetof(struct options, evaluations), .least = 1, .most = 100000,
		.fallback = 120},
	{"probe", 0, "NAME",
		"with --host: measure only this; may be repeated (a wrong name lists them)",
		OPTION_TEXTS, .offset = offsetof(struct options, probes)},
	{"quick", 0, NULL, "with --host: few repetitions, to look at and not to keep", OPTION_FLAG,
		.offset = offsetof(struct options, calibrate.measure.quick)},
	{"platform", 0, "NAME", "with --host: what -o extends (n150)", OPTION_TEXT,
		.offset = offsetof(struct options, calibrate.platform)},
	{"into", 0, "FILE.yaml",
		"with --host: put the values into this part of platforms (_transports.yaml)",
		OPTION_TEXT, .offset = offsetof(struct options, calibrate.into)},
	OPTION_JSON(struct options, calibrate.json),
	{"output", 'o', "FILE.yaml",
		"write _wormhole.yaml with the fitted values; with --host, a platform with those "
		"of "
		"this machine",
		OPTION_TEXT, .offset = offsetof(struct options, output)},
	OPTION_JOBS(struct options, jobs),
	{0},
};

/* Checks that options of --fit and of --host are not mixed. */
static bool check_ways(struct options *options, struct text *why)
{
	const struct calibrate_host *calibrate = &options->calibrate;
	bool of_host = options->probes.count > 0 || calibrate->measure.quick ||
		       calibrate->platform || calibrate->into || calibrate->json;
	bool of_fit = options->reference || options->family || options->errors || options->folds ||
		      options->names.count > 0 || options->group.count > 0;

	if (options->fit == options->host)
		text_append(why, options->fit ? "--fit and --host are two ways: give one"
					      : "say --fit, or --host");
	else if (options->fit && of_host)
		text_append(
			why, "--probe, --quick, --platform, --into and --json are about --host");
	else if (options->host && of_fit)
		text_append(why, "--reference, --family, --constant, --folds, --group and "
				 "--errors are about --fit");
	else if (options->host)
		return calibrate_host_check(
			&options->calibrate, options->probes.at, options->probes.count, why);
	return why->length == 0;
}

/* With --group system, each machine is a fold, and only the table of machines is printed. */
static bool by_machine(const struct options *options)
{
	return options->keys.count == 1 && strcmp(options->keys.names[0], "system") == 0;
}

static bool command_calibrate_check_usage(void *given, struct text *why)
{
	struct options *options = given;

	if (!check_ways(options, why) || options->host)
		return why->length == 0;
	for (uint32_t i = 0; i < options->group.count; i++)
		if (!validate_keys_parse(&options->keys, "--group", options->group.at[i], why))
			return false;
	while (options->group.count == 0 && folds_keys[options->keys.count]) {
		options->keys.names[options->keys.count] = folds_keys[options->keys.count];
		options->keys.count++;
	}
	if (options->names.count > FIT_CONSTANTS_MAX)
		text_printf(why, "--constant: %d constants at most", FIT_CONSTANTS_MAX);
	else if (options->family && !experiment_find(options->family) &&
		 strcmp(options->family, "fabric") != 0)
		text_printf(why, "--family: there is no family '%s'", options->family);
	else if (!options->folds && (options->errors || options->group.count > 0))
		text_append(why, "--group and --errors are about folds: say --folds N");
	else if (options->errors && by_machine(options))
		text_append(
			why, "--errors is about folds of all rows, too: leave --group system out");
	else if (options->errors && options->names.count > 0)
		text_append(why, "--errors is about all constants: leave --constant out");
	else if (options->folds && options->output)
		text_append(why, "-o: folds change no platform");
	return why->length == 0;
}

static void command_calibrate_print_errors(const char *when, const struct family_errors *errors)
{
	printf("%-10s %3u rows: mean %6.2f %%, median %6.2f %%, p90 %6.2f %%, worst %6.2f %%, "
	       "ranking %.3f\n",
		when, errors->rows - errors->refused, 100 * errors->mean, 100 * errors->median,
		100 * errors->p90, 100 * errors->worst, errors->ranking);
}

static void print_fit(const struct fit *fit)
{
	printf("%-46s %-20s %12s %12s\n", "constant", "", "before", "after");
	for (uint32_t i = 0; i < fit->count; i++)
		printf("%-46s %-20s %12.4g %12.4g %s\n", fit->constants[i].name,
			fit->constants[i].place, fit->constants[i].before, fit->constants[i].after,
			fit->constants[i].unit);
	command_calibrate_print_errors("before", &fit->errors_before);
	command_calibrate_print_errors("after", &fit->errors_after);
	printf("%u runs of rows\n", fit->rows_run);
}

static bool write_platform(const struct options *options, const struct fit *fit)
{
	struct text why = {0};
	char from[4096];
	uint32_t left = 0;
	bool good;

	if (!options->output)
		return true;
	snprintf(from, sizeof from, "%s/_wormhole.yaml", platform_directory());
	good = fit_write(fit, from, options->output, &left, &why);
	if (!good)
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
	else if (left > 0)
		fprintf(stderr, "meshsim: %u constants stand in other files: not written\n", left);
	text_fini(&why);
	return good;
}

static bool fit_rows(const struct options *options, const struct reference *reference,
	struct arena *arena, struct diag *diag)
{
	struct fit fit = {.evaluations_max = options->evaluations,
		.named = options->names.count > 0,
		.run = {.jobs = options->jobs}};

	if (!fit_choose(&fit, reference, (const char *const *)options->names.at,
		    options->names.count, arena, diag))
		return false;
	if (!fit_run(&fit, reference)) {
		fprintf(stderr, "meshsim: no row of these runs, or nothing to fit\n");
		return false;
	}
	print_fit(&fit);
	return write_platform(options, &fit);
}

/* ---- folds ---- */

static void print_folds(const struct options *options, const struct reference *reference,
	const struct errors_file *file, const struct folds *folds, const struct fit *fit)
{
	bool machines = by_machine(options);

	if (!machines) {
		printf("%u rows in %u groups, %u folds, %u constants, %u runs of rows\n",
			reference->count, folds->groups, folds->count, fit->count, fit->rows_run);
		printf("%u rows depend on a constant that only rows of their fold show\n\n",
			folds->alone);
		errors_print_folds(file);
		printf("\n");
	}
	printf("each of %u machines predicted from the others: %u rows depend on a constant that "
	       "no other machine has\n\n",
		folds->machines, folds->machines_alone);
	errors_print_machines(file);
}

static bool cross_validate(const struct options *options, const struct reference *reference,
	struct arena *arena, struct diag *diag)
{
	struct fit fit = {.named = options->names.count > 0,
		.keeps_all = true,
		.run = {.jobs = options->jobs, .progress = true}};
	struct folds folds = {.keys = options->keys.names,
		.key_count = options->keys.count,
		.count = options->folds,
		.machines_only = by_machine(options)};
	struct errors_file *file = allocate(1, sizeof *file);
	struct prediction *predictions[FOLDS_WAYS];
	bool good;

	for (int way = 0; way < FOLDS_WAYS; way++)
		predictions[way] = allocate(reference->count, sizeof *predictions[way]);
	good = fit_choose(&fit, reference, (const char *const *)options->names.at,
		       options->names.count, arena, diag) &&
	       folds_run(&folds, &fit, reference, predictions);
	if (good) {
		errors_file_make(file, reference, predictions, &folds);
		print_folds(options, reference, file, &folds, &fit);
	}
	good = good && (!options->errors || errors_file_write(file, options->errors));
	free(file);
	for (int way = 0; way < FOLDS_WAYS; way++)
		predictions_free(predictions[way], reference->count);
	return good;
}

/* ---- the command ---- */

static bool wanted(const struct options *options, const struct reference_row *row)
{
	if (options->family == NULL && options->folds)
		return experiment_find(row->family) != NULL;
	if (options->family == NULL || strcmp(options->family, "fabric") == 0)
		return strncmp(row->family, "fabric_", 7) == 0;
	return strcmp(row->family, options->family) == 0;
}

static bool command_calibrate_read_rows(const struct options *options, struct arena *arena,
	struct diag *diag, struct reference *reference)
{
	uint32_t kept = 0;

	if (!reference_read(options->reference ? options->reference : shipped_reference(), arena,
		    diag, reference))
		return false;
	for (uint32_t i = 0; i < reference->count; i++) {
		if (!experiment_check(&reference->rows[i], diag))
			continue;
		if (wanted(options, &reference->rows[i]))
			reference->rows[kept++] = reference->rows[i];
	}
	reference->count = kept;
	return diag_errors(diag) == 0;
}

static int run_host(const struct options *options)
{
	struct calibrate_host calibrate = options->calibrate;

	calibrate.output = options->output;
	return calibrate_host(&calibrate);
}

static int command_calibrate_run(const void *given)
{
	const struct options *options = given;
	struct diag *diag;
	struct reference reference;
	struct arena arena;
	bool good;

	if (options->host)
		return run_host(options);
	diag = diag_new();
	if ((options->output && !output_check_or_say(options->output, &fit_output)) ||
		(options->errors && !output_check_or_say(options->errors, &errors_output))) {
		diag_free(diag);
		return EXIT_BAD_INPUT;
	}
	arena_init(&arena);
	good = command_calibrate_read_rows(options, &arena, diag, &reference) &&
	       (options->folds ? cross_validate(options, &reference, &arena, diag)
			       : fit_rows(options, &reference, &arena, diag));
	diag_print(diag, stderr);
	arena_fini(&arena);
	diag_free(diag);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

const struct command_work command_calibrate = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_calibrate_check_usage,
	.run = command_calibrate_run,
};
