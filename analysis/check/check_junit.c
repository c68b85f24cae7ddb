/* The JUnit output of `meshsim check`, for continuous integration. */
#include "base/text.h"
#include "check_private.h"

static void append_change(const struct check_print *print, const struct check_part *part,
	const struct change *change, struct text *out)
{
	struct arena *arena = print->arena;

	text_append_xml(out, arena_printf(arena, "%s [%s] %s: %s -> %s (%s, %s), stage %s\n",
				     part->changes.scenario, change->run->label,
				     change_metric(change, arena), change_old(change, arena),
				     change_new(change, arena), change_text(change, arena),
				     change_percent(change, arena), change_stage(change, arena)));
}

bool check_fails(const struct check_print *print, const struct change *change)
{
	return print->exact || change->verdict == VERDICT_WORSE;
}

/* Appends the test case of a run, with a failure that lists all failing changes. */
static void append_case(const struct check_print *print, const struct check_part *part,
	const struct measured_run *run, struct text *out)
{
	uint32_t failed = 0;

	text_append(out, "  <testcase classname=\"");
	text_append_xml(out, part->changes.scenario);
	text_append(out, "\" name=\"");
	text_append_xml(out, run->label);
	text_append(out, "\">");
	for (uint32_t i = 0; i < part->changes.count; i++) {
		const struct change *change = &part->changes.at[i];
		if (change->run != run || !check_fails(print, change))
			continue;
		if (failed++ == 0) {
			text_printf(out, "\n    <failure type=\"%s\" message=\"",
				print->exact ? "differs" : "worse");
			append_change(print, part, change, out);
			out->bytes[--out->length] = '\0'; /* removes the line end */
			text_append(out, "\">");
		}
		append_change(print, part, change, out);
	}
	text_append(out, failed ? "</failure>\n  </testcase>\n" : "</testcase>\n");
}

/* True if this change is the first one of its run that makes the check fail. */
static bool is_first(const struct check_print *print, const struct changes *changes, uint32_t index)
{
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

static void append_suite(
	const struct check_print *print, const struct check_part *part, struct text *out)
{
	const struct changes *changes = &part->changes;
	uint32_t failures = 0, cases = changes->run_count;

	for (uint32_t i = 0; i < changes->count; i++) {
		failures += is_first(print, changes, i);
		cases += is_missing_run(&changes->at[i]);
	}
	text_append(out, "<testsuite name=\"meshsim check ");
	text_append_xml(out, changes->scenario);
	text_printf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\">\n", cases, failures);
	for (uint32_t i = 0; i < changes->run_count; i++)
		append_case(print, part, &part->measured.runs[i], out);
	for (uint32_t i = 0; i < changes->count; i++)
		if (is_missing_run(&changes->at[i]))
			append_case(print, part, changes->at[i].run, out);
	text_append(out, "</testsuite>\n");
}

void check_junit(const struct check_print *print, struct text *out)
{
	text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	if (print->count > 1)
		text_append(out, "<testsuites name=\"meshsim check\">\n");
	for (uint32_t p = 0; p < print->count; p++)
		append_suite(print, &print->parts[p], out);
	if (print->count > 1)
		text_append(out, "</testsuites>\n");
}
