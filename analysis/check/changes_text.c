/* Prints changes in words and numbers (see changes.h). Times are exact to the picosecond. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/value_text.h"
#include "base/text.h"
#include "changes.h"

static const char *change_time_text(int64_t time, bool with_sign, struct arena *arena)
{
	const char *sign = time < 0 ? "-" : with_sign ? "+" : "";
	uint64_t size = time < 0 ? -(uint64_t)time : (uint64_t)time;

	return arena_printf(
		arena, "%s%" PRIu64 ".%03" PRIu64 " ns", sign, size / 1000, size % 1000);
}

static const char *number_text(double number, bool with_sign, struct arena *arena)
{
	return arena_printf(arena, with_sign ? "%+.7g" : "%.7g", number);
}

static const char *with_unit(const char *number, const char *unit, struct arena *arena)
{
	if (!unit[0] || strcmp(unit, "1") == 0)
		return number;
	return arena_printf(arena, "%s %s", number, unit);
}

/* Returns a value with its unit as a text in `arena`, such as "47.144 ns". All digits of a time are
 * printed, down to the picosecond. If there is no value, the text is "-". */
static const char *measurement_text(
	const struct measurement *measurement, const char *unit, struct arena *arena)
{
	if (!measurement)
		return "-";
	if (!measurement->is_real && strcmp(unit, "ps") == 0)
		return change_time_text(measurement->integer, false, arena);
	if (!measurement->is_real)
		return with_unit(
			arena_printf(arena, "%" PRId64, measurement->integer), unit, arena);
	return with_unit(number_text(measurement->real, false, arena), unit, arena);
}

/* Units of text output, from the largest to the smallest. */
struct people_unit {
	const char *of, *unit;
	double factor;
	int decimals; /* largest number of decimals of a value */
};

static const struct people_unit people_units[] = {{"ps", "s", 1e12, 12}, {"ps", "ms", 1e9, 9},
	{"ps", "us", 1e6, 6}, {"ps", "ns", 1e3, 3}, {"B/s", "GB/s", 1e9, 9},
	{"B/s", "MB/s", 1e6, 6}};

static struct people_unit unit_for(const char *unit, double value)
{
	for (size_t i = 0; i < sizeof(people_units) / sizeof(people_units[0]); i++)
		if (strcmp(people_units[i].of, unit) == 0 && value >= people_units[i].factor)
			return people_units[i];
	return (struct people_unit){
		unit, strcmp(unit, "1") == 0 ? "" : unit, 1, strcmp(unit, "ps") == 0 ? 0 : 9};
}

/* Returns the number of decimals with which two values must be printed. Then the larger value has
 * at least three digits, and the difference of the printed values is exact to 5 %. Returns at most
 * `most`, so very small differences may not be visible. */
static int decimals_for(double old, double new, int most)
{
	double size = fabs(old) > fabs(new) ? fabs(old) : fabs(new);

	for (int decimals = 0; decimals < most; decimals++) {
		double scale = pow(10, decimals);
		double seen = (round(new *scale) - round(old * scale)) / scale;
		if (size * scale >= 100 && fabs(seen - (new - old)) <= 0.05 * fabs(new - old))
			return decimals;
	}
	return most;
}

const char *change_pair(const struct change *change, struct arena *arena)
{
	const struct measurement *old = change->old, *new = change->new;
	struct people_unit unit;
	int decimals = 0;
	double a, b;

	if (!old || !new) {
		const char *before = change_old(change, arena), *after = change_new(change, arena);
		if (before[0] == '-' || after[0] == '-')
			return before[0] == '-' ? after : before;
		return arena_printf(arena, "%s -> %s", before, after);
	}
	a = measurement_value(old);
	b = measurement_value(new);
	unit = unit_for(change->unit, fabs(a) > fabs(b) ? fabs(a) : fabs(b));
	if (old->is_real || new->is_real || strcmp(change->unit, "ps") == 0)
		decimals = decimals_for(a / unit.factor, b / unit.factor, unit.decimals);
	return arena_printf(arena, "%.*f -> %.*f%s%s", decimals, a / unit.factor, decimals,
		b / unit.factor, unit.unit[0] ? " " : "", unit.unit);
}

const char *change_text(const struct change *change, struct arena *arena)
{
	const struct measurement *old = change->old, *new = change->new;

	if (!old || !new)
		return "-";
	if (old->is_real || new->is_real)
		return with_unit(
			number_text(measurement_value(new) - measurement_value(old), true, arena),
			change->unit, arena);
	if (strcmp(change->unit, "ps") == 0)
		return change_time_text(new->integer - old->integer, true, arena);
	return with_unit(
		arena_printf(arena, "%+" PRId64, new->integer - old->integer), change->unit, arena);
}

double change_ratio(const struct change *change)
{
	if (!change->old || !change->new || measurement_value(change->old) == 0)
		return 0;
	return measurement_value(change->new) / measurement_value(change->old) - 1;
}

double change_size(const struct change *change)
{
	double ratio = fabs(change_ratio(change));

	return ratio == 0 ? 1 : ratio;
}

bool change_is_felt(const struct change *change)
{
	return strcmp(change->unit, "ps") == 0 || strchr(change->unit, '/');
}

const char *change_time(double time, struct arena *arena)
{
	struct people_unit unit = unit_for("ps", fabs(time));

	return arena_printf(arena, "%+.3g %s", time / unit.factor, unit.unit);
}

const char *change_percent(const struct change *change, struct arena *arena)
{
	if (!change->old || !change->new || measurement_value(change->old) == 0)
		return "-";
	return ratio_change(change_ratio(change), arena);
}

const char *change_stage(const struct change *change, struct arena *arena)
{
	return change->move_count ? stage_move_text(&change->moves[0], arena) : "-";
}

const char *stage_move_text(const struct stage_move *move, struct arena *arena)
{
	double moved = move->new - move->old;

	return arena_printf(arena, "%s %s", stage_label(move->stage),
		change_time_text((int64_t)(moved < 0 ? moved - 0.5 : moved + 0.5), true, arena));
}

const char *change_old(const struct change *change, struct arena *arena)
{
	if (change->old_status)
		return change->old_status;
	return measurement_text(change->old, change->unit, arena);
}

const char *change_new(const struct change *change, struct arena *arena)
{
	if (change->new_status)
		return change->new_status;
	return measurement_text(change->new, change->unit, arena);
}

const char *change_metric(const struct change *change, struct arena *arena)
{
	const char *what = "";

	if (change->difference == DIFFERENCE_MISSING)
		what = "missing";
	else if (change->difference == DIFFERENCE_EXTRA)
		what = "extra, not in the baseline";
	else if (change->difference == DIFFERENCE_STATUS)
		return "status";
	if (!change->metric)
		return arena_printf(arena, "run %s", what);
	return what[0] ? arena_printf(arena, "%s (%s)", change->metric, what) : change->metric;
}

const char *change_markdown(const char *text, struct arena *arena)
{
	struct text escaped = {0};
	const char *markdown;

	text_append_markdown(&escaped, text);
	markdown = arena_printf(arena, "%s", text_string(&escaped));
	text_fini(&escaped);
	return markdown;
}
