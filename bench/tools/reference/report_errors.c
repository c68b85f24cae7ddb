/* Writes the errors of the model as JSON, for pages (see errors.h). */
#include "bench/tools/reference/errors.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/json.h"
#include "bench/results/version.h"

static void member(struct json *json, const char *key, const char *value)
{
	json_key(json, key);
	json_string(json, value);
}

static void report_errors_number(struct json *json, const char *key, bool known, double value)
{
	json_key(json, key);
	if (known)
		json_real(json, value);
	else
		json_null(json);
}

/* Writes four numbers about the errors of predictions: median, p90, worst error, and ranking. `way`
 * says with which constants the rows were predicted (enum folds_way), for example with constants
 * fitted to the other machines. Writes null for each number if no row was predicted in this way. */
static void report_errors_way(struct json *json, const char *const keys[4],
	const struct validity *validity, enum folds_way way)
{
	const struct family_errors *errors = validity ? &validity->by[way] : NULL;
	bool known = errors && errors->rows > errors->refused;

	report_errors_number(json, keys[0], known, known ? errors->median : 0);
	report_errors_number(json, keys[1], known, known ? errors->p90 : 0);
	report_errors_number(json, keys[2], known, known ? errors->worst : 0);
	report_errors_number(json, keys[3], known, known ? errors->ranking : 0);
}

/* Writes the errors of a family, or of one machine of it. */
static void write_family(struct json *json, const char *name, const char *machine,
	const struct family_errors *errors, const struct validity *validity)
{
	static const char *const kept[] = {"kept_median", "kept_p90", "kept_worst", "kept_ranking"};
	static const char *const others[] = {
		"others_median", "others_p90", "others_worst", "others_ranking"};
	uint32_t ran = errors->rows - errors->refused;

	json_object(json);
	member(json, "family", name);
	if (machine)
		member(json, "machine", machine);
	report_errors_number(json, "rows", true, errors->rows);
	report_errors_number(json, "ran", true, ran);
	report_errors_number(json, "mean", ran > 0, errors->mean);
	report_errors_number(json, "median", ran > 0, errors->median);
	report_errors_number(json, "p90", ran > 0, errors->p90);
	report_errors_number(json, "worst", ran > 0, errors->worst);
	report_errors_number(json, "ranking", ran > 0, errors->ranking);
	report_errors_way(json, kept, validity, FOLDS_HELD_OUT);
	report_errors_way(json, others, validity, FOLDS_OTHER_MACHINES);
	json_object_end(json);
}

static void write_row(
	struct json *json, const struct reference_row *row, const struct prediction *prediction)
{
	json_object(json);
	member(json, "family", row->family);
	member(json, "system", row->system);
	member(json, "params", row->params_text);
	member(json, "metric", row->metric);
	member(json, "unit", row->unit);
	report_errors_number(json, "reference", true, row->value);
	report_errors_number(json, "predicted", prediction->ran, prediction->value);
	if (!prediction->ran)
		member(json, "reason", text_string(&prediction->reason));
	member(json, "source", row->source);
	json_object_end(json);
}

/* Writes the errors of each machine of each family. */
static void write_machines(struct json *json, const struct reference *reference,
	const struct prediction *predictions, const struct errors_file *kept_out)
{
	static const char *const keys[] = {"family", "system"};
	uint32_t *groups = allocate(reference->count + 1u, sizeof *groups);
	uint32_t count = validate_group(reference, keys, 2, groups);

	json_array_of(json, "machines");
	for (uint32_t group = 0; group < count; group++) {
		struct family_errors errors =
			validate_group_errors(reference, predictions, groups, group);
		uint32_t row = 0;

		while (groups[row] != group)
			row++;
		write_family(json, reference->rows[row].family, reference->rows[row].system,
			&errors,
			kept_out ? errors_file_find(kept_out, reference->rows[row].family,
					   reference->rows[row].system)
				 : NULL);
	}
	json_array_end(json);
	free(groups);
}

static void write_table(struct json *json, const struct reference *reference,
	const struct prediction *predictions, bool is_shipped)
{
	struct errors_file *kept_out = allocate(1, sizeof *kept_out);
	bool known = is_shipped && errors_file_read(kept_out);
	struct family_errors errors;
	const char *name;

	json_array_of(json, "families");
	for (size_t i = 0; (name = validate_family(reference, i)) != NULL; i++) {
		errors = validate_errors(reference, predictions, name);
		write_family(json, name, NULL, &errors,
			known ? errors_file_find(kept_out, name, NULL) : NULL);
	}
	errors = validate_errors(reference, predictions, NULL);
	write_family(json, "all", NULL, &errors, NULL);
	json_array_end(json);
	write_machines(json, reference, predictions, known ? kept_out : NULL);
	free(kept_out);
	json_array_of(json, "rows");
	for (uint32_t i = 0; i < reference->count; i++)
		write_row(json, &reference->rows[i], &predictions[i]);
	json_array_end(json);
}

/* Begins the object. `why` is NULL, or the reason why there is no table. */
static void report_errors_open(struct json *json, const char *why, struct text *out)
{
	json_start(json, out);
	json->flat_from = 2;
	json_object(json);
	json_key(json, "why");
	if (why)
		json_string(json, why);
	else
		json_null(json);
	member(json, "version", version_number());
	member(json, "commit", version_commit());
}

void report_errors_of(const struct reference *reference, const struct prediction *predictions,
	bool is_shipped, struct text *out)
{
	struct json json;

	report_errors_open(&json, NULL, out);
	write_table(&json, reference, predictions, is_shipped);
	json_object_end(&json);
	json_end(&json);
}

static void write_kept(struct json *json, const struct errors_file *file)
{
	json_array_of(json, "families");
	for (uint32_t f = 0; f < file->family_count; f++)
		write_family(json, file->families[f].name, NULL,
			&file->families[f].errors.by[FOLDS_IN_SAMPLE], &file->families[f].errors);
	json_array_end(json);
	json_array_of(json, "machines");
	for (uint32_t f = 0; f < file->family_count; f++)
		for (uint32_t m = 0; m < file->families[f].machine_count; m++) {
			const struct machine_validity *machine = &file->families[f].machines[m];

			write_family(json, file->families[f].name, machine->name,
				&machine->errors.by[FOLDS_IN_SAMPLE], &machine->errors);
		}
	json_array_end(json);
	json_array_of(json, "rows");
	json_array_end(json);
}

void report_errors(struct text *out)
{
	struct errors_file *file = allocate(1, sizeof *file);
	bool known = errors_file_read(file);
	struct json json;

	report_errors_open(&json,
		known ? NULL : "errors.yaml beside the reference figures cannot be read", out);
	if (known)
		write_kept(&json, file);
	json_object_end(&json);
	json_end(&json);
	free(file);
}
