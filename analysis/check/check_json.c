/* The JSON output of `meshsim check`; analysis/check.h describes it. Figures are not rounded. */

#include "base/json.h"
#include "check_private.h"

static void check_json_write_value(struct json *json, const char *key,
	const struct measurement *measurement, const char *status)
{
	json_key(json, key);
	if (status)
		json_string(json, status);
	else if (!measurement)
		json_null(json);
	else if (measurement->is_real)
		json_real(json, measurement->real);
	else
		json_integer(json, measurement->integer);
}

static void check_json_write_stage(struct json *json, const struct stage_move *move)
{
	char key[32];

	stage_key(move->stage, key, sizeof(key));
	json_text(json, "stage", key);
	json_text(json, "label", stage_label(move->stage));
	json_real_of(json, "old", move->old);
	json_real_of(json, "new", move->new);
}

static void write_moves(struct json *json, const struct change *change)
{
	json_array_of(json, "stages");
	for (uint32_t i = 0; i < change->move_count; i++) {
		json_object(json);
		check_json_write_stage(json, &change->moves[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_change(
	struct json *json, const struct check_part *part, const struct change *change)
{
	json_object(json);
	json_text(json, "scenario", part->changes.scenario);
	json_text(json, "verdict", verdict_names[change->verdict]);
	json_text(json, "what", difference_names[change->difference]);
	json_object_of(json, "keys");
	for (uint32_t i = 0; i < change->run->key_count; i++)
		json_text(json, change->run->keys[i].name, change->run->keys[i].value);
	json_object_end(json);
	json_text(json, "metric", change->metric);
	json_text(json, "unit", change->unit);
	check_json_write_value(json, "old", change->old, change->old_status);
	check_json_write_value(json, "new", change->new, change->new_status);
	json_key(json, "change");
	if (change->old && change->new &&change_ratio(change) != 0)
		json_real(json, change_ratio(change));
	else
		json_null(json);
	write_moves(json, change);
	json_object_end(json);
}

static void write_explained(struct json *json, const struct explained *explained)
{
	json_unsigned_of(json, "figures", explained->figures);
	json_unsigned_of(json, "runs", explained->runs);
	json_unsigned_of(json, "scenarios", explained->scenarios);
}

static const char *const basis_names[] = {[BASIS_CHARGED] = "charged",
	[BASIS_WAITS] = "waits",
	[BASIS_ONLY] = "only",
	[BASIS_NONE] = NULL};

static void write_cause(struct json *json, const struct cause *cause)
{
	const struct constant_move *constant = cause->constant;

	json_object(json);
	json_text(json, "constant", constant ? constant->path : NULL);
	json_text(json, "old", constant ? constant->old : NULL);
	json_text(json, "new", constant ? constant->new : NULL);
	write_explained(json, &cause->explained);
	json_unsigned_of(json, "worse", cause->counts[VERDICT_WORSE]);
	json_unsigned_of(json, "better", cause->counts[VERDICT_BETTER]);
	json_text(json, "basis", constant ? basis_names[cause->basis] : NULL);
	json_key(json, "first_order");
	if (constant && cause->charges_known)
		json_real(json, cause->first_order);
	else
		json_null(json);
	json_array_of(json, "stages");
	for (int i = 0; i < STAGE_COUNT && cause->stages[i].explained.figures > 0; i++) {
		const struct cause_stage *stage = &cause->stages[i];
		json_object(json);
		check_json_write_stage(json, stage->largest);
		write_explained(json, &stage->explained);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void write_causes(struct json *json, const struct check_print *print)
{
	struct causes causes = causes_find(print);

	json_array_of(json, "causes");
	for (uint32_t i = 0; i < causes.count; i++)
		if (causes.at[i].constant || causes.at[i].explained.figures > 0)
			write_cause(json, &causes.at[i]);
	json_array_end(json);
}

/* Writes the counts of one file, or the sums of the counts over several files. */
static void write_counts(struct json *json, const struct check_part *parts, uint32_t count)
{
	uint32_t runs = 0, figures = 0, counts[VERDICT_COUNT] = {0};

	for (uint32_t p = 0; p < count; p++) {
		runs += parts[p].changes.run_count;
		figures += parts[p].changes.measurement_count;
		for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
			counts[verdict] += parts[p].changes.counts[verdict];
	}
	json_text(json, "scenario", count == 1 ? parts->changes.scenario : NULL);
	json_text(json, "baseline", count == 1 ? parts->path : NULL);
	json_unsigned_of(json, "runs", runs);
	json_unsigned_of(json, "figures", figures);
	json_object_of(json, "counts");
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
		json_unsigned_of(json, verdict_names[verdict], counts[verdict]);
	json_object_end(json);
}

void check_json(const struct check_print *print, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	write_counts(&json, print->parts, print->count);
	json_array_of(&json, "files");
	for (uint32_t p = 0; p < print->count; p++) {
		json_object(&json);
		json_text(&json, "file", print->parts[p].file);
		write_counts(&json, &print->parts[p], 1);
		json_object_end(&json);
	}
	json_array_end(&json);
	write_causes(&json, print);
	json_array_of(&json, "changes");
	for (uint32_t p = 0; p < print->count; p++)
		for (uint32_t i = 0; i < print->parts[p].changes.count; i++)
			write_change(&json, &print->parts[p], &print->parts[p].changes.at[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}
