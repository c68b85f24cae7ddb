/* Prints the outcome of reference rows (see validate.h). */
#include "bench/tools/reference/validate.h"
#include "bench/tools/reference/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/json.h"

enum { KEYS_MAX = VALIDATE_KEYS_MAX + 1, FAMILY_WIDTH = 18 };

void validate_print_rows(const struct reference *reference, const struct prediction *predictions)
{
	for (uint32_t i = 0; i < reference->count; i++) {
		const struct reference_row *row = &reference->rows[i];
		const struct prediction *prediction = &predictions[i];

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

/* ---- tables ---- */

static void print_head(void)
{
	printf(" %4s %4s  %6s  %6s  %6s  %6s  %7s  %9s", "rows", "ran", "mean", "median", "p90",
		"worst", "ranking", "in spread");
}

static void print_units(void)
{
	printf(" %4s %4s  %6s  %6s  %6s  %6s", "", "", "%", "%", "%", "%");
}

static void validate_print_errors(const struct family_errors *errors)
{
	uint32_t ran = errors->rows - errors->refused;
	char spread[32] = "-";

	printf(" %4u %4u", errors->rows, ran);
	if (ran == 0) {
		printf("  %6s  %6s  %6s  %6s  %7s  %9s", "-", "-", "-", "-", "-", "-");
		return;
	}
	if (errors->with_spread > 0)
		snprintf(spread, sizeof spread, "%u of %u", errors->within_spread,
			errors->with_spread);
	printf("  %6.2f  %6.2f  %6.2f  %6.2f  %7.3f  %9s", 100 * errors->mean, 100 * errors->median,
		100 * errors->p90, 100 * errors->worst, errors->ranking, spread);
}

/* Prints the names of the two halves of a table. The first columns are `width` wide. */
static void print_halves(const struct errors_file *kept_out, int width)
{
	if (kept_out)
		printf("%-*s %9s  %-49s  %s\n", width, "", "", "as fitted to all rows",
			"kept out of the fit");
}

static void print_kept_out_head(const struct errors_file *kept_out)
{
	printf("%s\n", kept_out ? "  median     p90  ranking" : "");
}

static void print_kept_out_units(const struct errors_file *kept_out)
{
	printf("%s\n", kept_out ? "                           %       %" : "");
}

/* Prints the errors of a family, or of one machine, on rows that were kept out of the fit. */
static void print_kept_out(
	const struct errors_file *kept_out, const char *family, const char *machine)
{
	const struct validity *validity =
		kept_out ? errors_file_find(kept_out, family, machine) : NULL;
	const struct family_errors *errors = validity ? &validity->by[FOLDS_HELD_OUT] : NULL;

	if (errors && errors->rows > errors->refused)
		printf("  %6.2f  %6.2f  %7.3f", 100 * errors->median, 100 * errors->p90,
			errors->ranking);
	printf("\n");
}

void validate_print_families(const struct reference *reference,
	const struct prediction *predictions, const struct errors_file *kept_out)
{
	struct family_errors errors;
	const char *family;

	print_halves(kept_out, FAMILY_WIDTH);
	printf("%-*s", FAMILY_WIDTH, "family");
	print_head();
	print_kept_out_head(kept_out);
	printf("%-*s", FAMILY_WIDTH, "");
	print_units();
	print_kept_out_units(kept_out);
	for (size_t i = 0; (family = validate_family(reference, i)) != NULL; i++) {
		errors = validate_errors(reference, predictions, family);
		printf("%-*s", FAMILY_WIDTH, family);
		validate_print_errors(&errors);
		print_kept_out(kept_out, family, NULL);
	}
	errors = validate_errors(reference, predictions, NULL);
	printf("%-*s", FAMILY_WIDTH, "all");
	validate_print_errors(&errors);
	printf("\n");
}

/* ---- split by keys ---- */

struct split {
	const char *keys[KEYS_MAX]; /* the family is the first key */
	uint32_t key_count;
	uint32_t *groups, group_count;
	uint32_t *first; /* first[group] is one row of the group */
};

static void split_init(struct split *split, const struct reference *reference,
	const char *const *keys, uint32_t key_count)
{
	split->keys[0] = "family";
	split->key_count = 1;
	for (uint32_t i = 0; i < key_count && split->key_count < KEYS_MAX; i++)
		if (strcmp(keys[i], "family") != 0)
			split->keys[split->key_count++] = keys[i];
	split->groups = allocate(reference->count + 1u, sizeof *split->groups);
	split->first = allocate(reference->count + 1u, sizeof *split->first);
	split->group_count =
		validate_group(reference, split->keys, split->key_count, split->groups);
	for (uint32_t row = reference->count; row-- > 0;)
		split->first[split->groups[row]] = row;
}

static void split_fini(struct split *split)
{
	free(split->groups);
	free(split->first);
}

static const char *value_of(
	const struct split *split, const struct reference *reference, uint32_t group, uint32_t key)
{
	return validate_key(&reference->rows[split->first[group]], split->keys[key]);
}

static int validate_print_width_of(
	const struct split *split, const struct reference *reference, uint32_t key)
{
	size_t width = strlen(split->keys[key]);

	for (uint32_t group = 0; group < split->group_count; group++) {
		size_t length = strlen(value_of(split, reference, group, key));

		if (length > width)
			width = length;
	}
	return (int)width;
}

/* Prints the heads of the columns of keys, and finds their widths. */
static void print_key_heads(const struct split *split, const struct reference *reference,
	const struct errors_file *kept_out, int *widths)
{
	int all = -2;

	for (uint32_t k = 0; k < split->key_count; k++) {
		widths[k] = validate_print_width_of(split, reference, k);
		all += widths[k] + 2;
	}
	print_halves(kept_out, all);
	for (uint32_t k = 0; k < split->key_count; k++)
		printf("%s%-*s", k ? "  " : "", widths[k], split->keys[k]);
	print_head();
	print_kept_out_head(kept_out);
	printf("%-*s", all, "");
	print_units();
	print_kept_out_units(kept_out);
}

void validate_print_groups(const struct reference *reference, const struct prediction *predictions,
	const char *const *keys, uint32_t key_count, const struct errors_file *kept_out)
{
	int widths[KEYS_MAX];
	struct split split;

	split_init(&split, reference, keys, key_count);
	if (split.key_count != 2 || strcmp(split.keys[1], "system") != 0)
		kept_out = NULL;
	print_key_heads(&split, reference, kept_out, widths);
	for (uint32_t group = 0; group < split.group_count; group++) {
		struct family_errors errors =
			validate_group_errors(reference, predictions, split.groups, group);

		for (uint32_t k = 0; k < split.key_count; k++)
			printf("%s%-*s", k ? "  " : "", widths[k],
				value_of(&split, reference, group, k));
		validate_print_errors(&errors);
		print_kept_out(kept_out, value_of(&split, reference, group, 0),
			value_of(&split, reference, group, split.key_count - 1));
	}
	split_fini(&split);
}

/* ---- JSON ---- */

static void json_errors(struct json *json, const struct family_errors *errors)
{
	json_unsigned_of(json, "n", errors->rows - errors->refused);
	json_unsigned_of(json, "not_run", errors->refused);
	json_real_of(json, "mean", errors->mean);
	json_real_of(json, "median", errors->median);
	json_real_of(json, "p90", errors->p90);
	json_real_of(json, "worst", errors->worst);
	json_real_of(json, "ranking", errors->ranking);
	json_unsigned_of(json, "with_spread", errors->with_spread);
	json_unsigned_of(json, "within_spread", errors->within_spread);
	json_object_end(json);
}

static void json_families(
	struct json *json, const struct reference *reference, const struct prediction *predictions)
{
	const char *family;

	json_object_of(json, "families");
	for (size_t i = 0; (family = validate_family(reference, i)) != NULL; i++) {
		struct family_errors errors = validate_errors(reference, predictions, family);

		json_object_of(json, family);
		json_errors(json, &errors);
	}
	json_object_end(json);
}

static void json_groups(struct json *json, const struct reference *reference,
	const struct prediction *predictions, const struct validate_json *what)
{
	struct split split;

	split_init(&split, reference, what->keys, what->key_count);
	json_array_of(json, "by");
	for (uint32_t group = 0; group < split.group_count; group++) {
		struct family_errors errors =
			validate_group_errors(reference, predictions, split.groups, group);

		json_object(json);
		for (uint32_t k = 0; k < split.key_count; k++)
			json_text(json, split.keys[k], value_of(&split, reference, group, k));
		json_errors(json, &errors);
	}
	json_array_end(json);
	split_fini(&split);
}

static void json_row(
	struct json *json, const struct reference_row *row, const struct prediction *prediction)
{
	json_object(json);
	json_text(json, "family", row->family);
	json_text(json, "system", row->system);
	json_text(json, "params", row->params_text);
	json_text(json, "metric", row->metric);
	json_text(json, "unit", row->unit);
	json_real_of(json, "reference", row->value);
	json_real_of(json, "predicted", prediction->ran ? prediction->value : NAN);
	if (prediction->ran)
		json_real_of(json, "error", prediction->error);
	else
		json_text(json, "reason", text_string(&prediction->reason));
	json_object_end(json);
}

void validate_print_json(const struct reference *reference, const struct prediction *predictions,
	const struct validate_json *what)
{
	struct json json;

	json_start(&json, NULL);
	json.flat_from = 3;
	json_object(&json);
	json_families(&json, reference, predictions);
	if (what->key_count > 0)
		json_groups(&json, reference, predictions, what);
	if (what->rows)
		json_array_of(&json, "rows");
	for (uint32_t i = 0; what->rows && i < reference->count; i++)
		json_row(&json, &reference->rows[i], &predictions[i]);
	if (what->rows)
		json_array_end(&json);
	json_object_end(&json);
	json_print(&json, stdout);
}
