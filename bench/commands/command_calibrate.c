/* `meshsim calibrate --fit`: fits constants of the platform to reference figures, and says how well
 * each figure is predicted by the others. Refuses to touch constants that are not of kind fitted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scenario/shipped.h"
#include "base/allocate.h"
#include "bench/scenario/machine_constants.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "bench/reference/fit.h"

struct options {
	const char *reference, *family, *output;
	struct option_texts names;
	uint32_t jobs, evaluations;
	bool fit, leave_one_out;
};

static const struct option_row option_table[] = {
	{"fit", 0, NULL, "fit constants to reference figures", OPTION_FLAG,
		.offset = offsetof(struct options, fit), .missing = "say --fit"},
	{"reference", 0, "FILE.csv", "figures to fit", OPTION_TEXT,
		.offset = offsetof(struct options, reference)},
	{"family", 0, "NAME", "of this family; 'fabric' is both of the fabric's", OPTION_TEXT,
		.offset = offsetof(struct options, family)},
	{"constant", 0, "NAME",
		"fit this constant (chip.router_send); by default a few that the family says most "
		"about",
		OPTION_TEXTS, .offset = offsetof(struct options, names)},
	{"leave-one-out", 0, NULL, "predict each figure from a fit to the others", OPTION_FLAG,
		.offset = offsetof(struct options, leave_one_out)},
	{"evaluations", 0, "N", "most runs of all rows in one fit (120)", OPTION_COUNT,
		.offset = offsetof(struct options, evaluations), .least = 1, .most = 100000,
		.fallback = 120},
	{"output", 'o', "FILE.yaml", "write _wormhole.yaml with the fitted values", OPTION_TEXT,
		.offset = offsetof(struct options, output)},
	OPTION_JOBS(struct options, jobs),
	{0},
};

static bool check_usage(void *given, struct text *why)
{
	const struct options *options = given;

	if (options->names.count > FIT_CONSTANTS_MAX)
		text_printf(why, "--constant: %d constants at most", FIT_CONSTANTS_MAX);
	else if (options->family && !experiment_find(options->family) &&
		 strcmp(options->family, "fabric") != 0)
		text_printf(why, "--family: there is no family '%s'", options->family);
	return why->length == 0;
}

/* Takes name, unit and value of the constants from a platform that has them all. */
static bool choose_constants(
	const struct options *options, struct arena *arena, struct fit *fit, struct diag *diag)
{
	const char *const *names =
		options->names.count
			? (const char *const *)options->names.at
			: fit_constants_of(options->family && strcmp(options->family, "fabric") != 0
						   ? options->family
						   : "fabric_latency");
	struct platform *platform = machine_platform("t3k", diag);

	for (uint32_t i = 0; platform && names[i] && i < FIT_CONSTANTS_MAX; i++) {
		const struct platform_constant *constant = platform_find(platform, names[i]);

		if (!constant) {
			diag_error(
				diag, (struct location){0}, "there is no constant '%s'", names[i]);
		} else if (constant->given.kind != CONSTANT_FITTED) {
			diag_error(diag, constant->given.where,
				"%s is %s: only constants of kind fitted are fitted", names[i],
				constant_kind_name(constant->given.kind));
		} else {
			fit->constants[fit->count++] = (struct fit_constant){
				.name = names[i],
				.unit = arena_string(arena, constant->given.unit),
				.before = constant->given.value,
				.after = constant->given.value,
			};
		}
	}
	platform_free(platform);
	return diag_errors(diag) == 0;
}

static void print_errors(const char *when, const struct family_errors *errors)
{
	printf("%-8s %3u rows: mean %6.2f %%, median %6.2f %%, worst %6.2f %%, ranking %.3f\n",
		when, errors->rows - errors->refused, 100 * errors->mean, 100 * errors->median,
		100 * errors->worst, errors->ranking);
}

static void print_fit(const struct fit *fit)
{
	printf("%-32s %12s %12s\n", "constant", "before", "after");
	for (uint32_t i = 0; i < fit->count; i++)
		printf("%-32s %12.4g %12.4g %s\n", fit->constants[i].name, fit->constants[i].before,
			fit->constants[i].after, fit->constants[i].unit);
	print_errors("before", &fit->errors_before);
	print_errors("after", &fit->errors_after);
	printf("%u runs of all rows\n", fit->evaluations);
}

/* ---- each from the others ---- */

static bool same_experiment(const struct reference_row *a, const struct reference_row *b)
{
	return strcmp(a->family, b->family) == 0 && strcmp(a->system, b->system) == 0 &&
	       strcmp(a->params_text, b->params_text) == 0;
}

/* Fits to all rows but those of row's experiment, and predicts these. */
static bool predict_one(const struct fit *model, const struct reference *all, uint32_t row,
	struct arena *arena, struct prediction *predictions)
{
	struct reference others = {.rows = arena_array(arena, all->count, sizeof *all->rows)};
	struct reference same = {.rows = arena_array(arena, all->count, sizeof *all->rows)};
	uint32_t *places = arena_array(arena, all->count, sizeof *places);
	struct prediction *predicted = arena_array(arena, all->count, sizeof *predicted);
	struct fit fit = *model;

	for (uint32_t i = 0; i < all->count; i++) {
		if (same_experiment(&all->rows[i], &all->rows[row])) {
			places[same.count] = i;
			same.rows[same.count++] = all->rows[i];
		} else {
			others.rows[others.count++] = all->rows[i];
		}
	}
	if (!fit_run(&fit, &others) || !fit_predict(&fit, &same, predicted))
		return false;
	for (uint32_t i = 0; i < same.count; i++)
		predictions[places[i]] = predicted[i];
	return true;
}

static bool leave_one_out(
	const struct fit *model, const struct reference *reference, struct arena *arena)
{
	struct prediction *predictions = allocate(reference->count, sizeof *predictions);
	struct family_errors errors;
	bool good = true;

	printf("\neach predicted by a fit to the others:\n");
	for (uint32_t row = 0; row < reference->count && good; row++) {
		const struct reference_row *at = &reference->rows[row];

		if (!predictions[row].experiment)
			good = predict_one(model, reference, row, arena, predictions);
		if (good && predictions[row].ran)
			printf("%10.4g %10.4g %-5s %+7.1f %%  %s %s\n", at->value,
				predictions[row].value, at->unit,
				100 * (predictions[row].value / at->value - 1), at->family,
				at->params_text);
		else if (good)
			printf("%10.4g %10s %-5s %9s  %s %s\n", at->value, "-", at->unit, "-",
				at->family, at->params_text);
	}
	errors = validate_errors(reference, predictions, NULL);
	print_errors("others", &errors);
	predictions_free(predictions, reference->count);
	return good;
}

/* ---- the command ---- */

static bool wanted(const char *family, const struct reference_row *row)
{
	if (family == NULL || strcmp(family, "fabric") == 0)
		return strncmp(row->family, "fabric_", 7) == 0;
	return strcmp(row->family, family) == 0;
}

static bool read_rows(const struct options *options, struct arena *arena, struct diag *diag,
	struct reference *reference)
{
	uint32_t kept = 0;

	if (!reference_read(options->reference ? options->reference : shipped_reference(), arena,
		    diag, reference))
		return false;
	for (uint32_t i = 0; i < reference->count; i++) {
		if (!experiment_check(&reference->rows[i], diag))
			continue;
		if (wanted(options->family, &reference->rows[i]))
			reference->rows[kept++] = reference->rows[i];
	}
	reference->count = kept;
	return diag_errors(diag) == 0;
}

static bool write_platform(const struct options *options, const struct fit *fit)
{
	struct text why = {0};
	char from[4096];
	bool good;

	if (!options->output)
		return true;
	snprintf(from, sizeof from, "%s/_wormhole.yaml", platform_directory());
	good = fit_write(fit, from, options->output, &why);
	if (!good)
		fprintf(stderr, "meshsim: %s\n", text_string(&why));
	text_fini(&why);
	return good;
}

static int calibrate(const struct options *options)
{
	struct fit fit = {.evaluations_max = options->evaluations, .run = {.jobs = options->jobs}};
	struct diag *diag = diag_new();
	struct reference reference;
	struct arena arena;
	int code = EXIT_BAD_INPUT;

	arena_init(&arena);
	if (read_rows(options, &arena, diag, &reference) &&
		choose_constants(options, &arena, &fit, diag)) {
		struct fit model = fit;

		if (!fit_run(&fit, &reference)) {
			fprintf(stderr, "meshsim: no row of these runs, or nothing to fit\n");
		} else {
			print_fit(&fit);
			code = write_platform(options, &fit) ? EXIT_GOOD : EXIT_BAD_INPUT;
			if (options->leave_one_out && !leave_one_out(&model, &reference, &arena))
				code = EXIT_BAD_INPUT;
		}
	}
	diag_print(diag, stderr);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

static int run(const void *given)
{
	const struct options *options = given;

	if (options->output && !output_check_or_say(options->output, &fit_output))
		return EXIT_BAD_INPUT;
	return calibrate(options);
}

const struct command_work command_calibrate = {
	.doc = "Fits constants of kind `fitted` so that published figures come out.",
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = check_usage,
	.run = run,
};
