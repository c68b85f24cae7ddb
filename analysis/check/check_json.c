/* `meshsim check` for programs: JSON (its schema is in analysis/check.h) and JUnit. Replaces
 * bytes that XML does not allow. */
#include <string.h>

#include "base/json.h"
#include "check_private.h"

static void write_value(struct json *json, const char *key, const struct measurement *measurement,
	const char *status)
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

static void write_moves(struct json *json, const struct change *change)
{
	json_array_of(json, "stages");
	for (uint32_t i = 0; i < change->move_count; i++) {
		const struct stage_move *move = &change->moves[i];
		char key[32];
		stage_key(move->stage, key, sizeof(key));
		json_object(json);
		json_text(json, "stage", key);
		json_text(json, "label", stage_label(move->stage));
		json_key(json, "old");
		json_real(json, move->old);
		json_key(json, "new");
		json_real(json, move->new);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_change(struct json *json, const struct change *change)
{
	json_object(json);
	json_text(json, "verdict", verdict_names[change->verdict]);
	json_text(json, "what", difference_names[change->difference]);
	json_object_of(json, "keys");
	for (uint32_t i = 0; i < change->run->key_count; i++)
		json_text(json, change->run->keys[i].name, change->run->keys[i].value);
	json_object_end(json);
	json_text(json, "metric", change->metric);
	json_text(json, "unit", change->unit);
	write_value(json, "old", change->old, change->old_status);
	write_value(json, "new", change->new, change->new_status);
	json_key(json, "change");
	if (change->old && change->new &&change_ratio(change) != 0)
		json_real(json, change_ratio(change));
	else
		json_null(json);
	write_moves(json, change);
	json_object_end(json);
}

void check_json(const struct check_print *print, FILE *out)
{
	const struct changes *changes = print->changes;
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "scenario", changes->scenario);
	json_text(&json, "baseline", print->baseline);
	json_key(&json, "runs");
	json_unsigned(&json, changes->run_count);
	json_key(&json, "figures");
	json_unsigned(&json, changes->measurement_count);
	json_object_of(&json, "counts");
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
		json_key(&json, verdict_names[verdict]);
		json_unsigned(&json, changes->counts[verdict]);
	}
	json_object_end(&json);
	json_array_of(&json, "changes");
	for (uint32_t i = 0; i < changes->count; i++)
		write_change(&json, &changes->at[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}

/* ---- JUnit ---- */

static void append_xml(struct text *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			text_append(out, "&lt;");
		else if (*text == '>')
			text_append(out, "&gt;");
		else if (*text == '&')
			text_append(out, "&amp;");
		else if (*text == '"')
			text_append(out, "&quot;");
		else
			text_append_char(
				out, (unsigned char)*text < ' ' && *text != '\n' ? '?' : *text);
	}
}

static void append_change(
	const struct check_print *print, const struct change *change, struct text *out)
{
	struct arena *arena = print->arena;

	append_xml(out, arena_printf(arena, "%s [%s] %s: %s -> %s (%s, %s), stage %s\n",
				print->changes->scenario, change->run->label,
				check_metric(change, arena), change_old(change, arena),
				change_new(change, arena), change_text(change, arena),
				change_percent(change, arena), change_stage(change, arena)));
}

bool check_fails(const struct check_print *print, const struct change *change)
{
	return print->exact || change->verdict == VERDICT_WORSE;
}

/* A case, and in it what fails. */
static void append_case(
	const struct check_print *print, const struct measured_run *run, struct text *out)
{
	uint32_t failed = 0;

	text_append(out, "  <testcase classname=\"");
	append_xml(out, print->changes->scenario);
	text_append(out, "\" name=\"");
	append_xml(out, run->label);
	text_append(out, "\">");
	for (uint32_t i = 0; i < print->changes->count; i++) {
		const struct change *change = &print->changes->at[i];
		if (change->run != run || !check_fails(print, change))
			continue;
		if (failed++ == 0) {
			text_printf(out, "\n    <failure type=\"%s\" message=\"",
				print->exact ? "differs" : "worse");
			append_change(print, change, out);
			out->bytes[--out->length] = '\0'; /* the line end */
			text_append(out, "\">");
		}
		append_change(print, change, out);
	}
	text_append(out, failed ? "</failure>\n  </testcase>\n" : "</testcase>\n");
}

/* The first change that fails of its run. */
static bool is_first(const struct check_print *print, uint32_t index)
{
	const struct changes *changes = print->changes;

	for (uint32_t i = 0; i < index; i++)
		if (changes->at[i].run == changes->at[index].run &&
			check_fails(print, &changes->at[i]))
			return false;
	return check_fails(print, &changes->at[index]);
}

static bool is_missing_run(const struct change *change)
{
	return change->difference == DIFFERENCE_MISSING && !change->metric;
}

void check_junit(const struct check_print *print, struct text *out)
{
	const struct changes *changes = print->changes;
	uint32_t failures = 0, cases = changes->run_count;

	for (uint32_t i = 0; i < changes->count; i++) {
		failures += is_first(print, i);
		cases += is_missing_run(&changes->at[i]);
	}
	text_append(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"meshsim check ");
	append_xml(out, changes->scenario);
	text_printf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\">\n", cases, failures);
	for (uint32_t i = 0; i < changes->run_count; i++)
		append_case(print, &print->result->runs[i], out);
	for (uint32_t i = 0; i < changes->count; i++)
		if (is_missing_run(&changes->at[i]))
			append_case(print, changes->at[i].run, out);
	text_append(out, "</testsuite>\n");
}
