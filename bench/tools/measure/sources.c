/* Writes figures as constants of a platform file (measure.h). Long sources are wrapped. */
#include "bench/tools/measure/measure.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 100 };

static void put_character(struct text *out, char character)
{
	if (character == '"' || character == '\\')
		text_append_char(out, '\\');
	text_append_char(out, character);
}

void source_quote(const char *string, struct text *out)
{
	text_append_char(out, '"');
	for (; *string; string++)
		put_character(out, *string);
	text_append_char(out, '"');
}

/* Like source_quote(), but divides the text into several lines. Within a quoted text, YAML reads
 * the end of a line as a blank. */
static void quote_wrapped(const char *string, uint32_t column, struct text *out)
{
	uint32_t at = column + 9; /* column after the key */

	text_append_char(out, '"');
	while (*string) {
		size_t word = strcspn(string + 1, " ") + 1;

		if (*string == ' ' && at + word > COLUMNS - 2) {
			text_printf(out, "\n%*s", (int)column + 1, "");
			at = column;
			string++;
			word--;
		}
		for (size_t i = 0; i < word; i++)
			put_character(out, string[i]);
		at += (uint32_t)word;
		string += word;
	}
	text_append_char(out, '"');
}

static void put_readable(struct text *out, const char *what, double value, const char *unit)
{
	struct readable as = unit_readable(value, unit);

	text_printf(out, ", %s %.4g %s", what, value * as.scale, as.unit);
}

static void put_source(const struct measurement *measurement, const struct figure *figure,
	uint32_t column, struct text *out)
{
	const struct machine_text *machine = &measurement->machine;
	struct text source = {0};

	text_printf(&source, "calibrate --host%s: %s; %s, %s, %u cores, %s",
		measurement->quick ? " --quick" : "", figure->how, machine->processor,
		machine->kernel, machine->cores, machine->date);
	if (figure->repetitions > 1)
		text_printf(&source, "; %u repetitions", figure->repetitions);
	if (figure->spread > 0) {
		text_printf(&source, ", spread %.2g %%", 100 * figure->spread / figure->value);
		put_readable(&source, "p50", figure->p50, figure->unit);
		put_readable(&source, "p99", figure->p99, figure->unit);
	}
	if (figure->fitted)
		text_printf(&source, "; line off by %.2g %%, worst %.2g %%", 100 * figure->error,
			100 * figure->worst);
	quote_wrapped(text_string(&source), column, out);
	text_fini(&source);
}

/* Writes the value and its unit. A constant that is read into a floating-point member gets four
 * significant digits. A constant that is read into an integer member gets a value that is whole in
 * the unit of this member. */
static void sources_put_value(
	const struct figure *figure, const struct constant_spec *spec, struct text *out)
{
	struct readable as = unit_readable(figure->value, figure->unit);
	double value = figure->value;

	if (spec->real || strcmp(figure->unit, "ratio") == 0) {
		text_printf(out, "{value: %.4g, unit: %s, kind: measured,\n", value * as.scale,
			as.unit);
		return;
	}
	if (strcmp(figure->unit, "ps") != 0 && strcmp(figure->unit, "B/s") != 0) {
		text_printf(out, "{value: %.15g, unit: %s, kind: measured,\n", round(value),
			figure->unit);
		return;
	}
	/* The member that receives the value is an integer. Its unit is at most a thousandth of
	 * as.unit, so a value with three decimals is a whole number of these units. */
	text_printf(out, "{value: %.15g, unit: %s, kind: measured,\n",
		as.scale < 1 ? round(value * as.scale * 1e3) / 1e3 : round(value), as.unit);
}

void source_write(const struct measurement *measurement, const struct figure *figure,
	const struct constant_spec *spec, uint32_t column, struct text *out)
{
	sources_put_value(figure, spec, out);
	text_printf(out, "%*ssource: ", (int)column + 1, "");
	put_source(measurement, figure, column, out);
	text_append_char(out, '}');
}
