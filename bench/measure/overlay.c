/* A measurement as a layer over a platform, see print.h. Refuses constants that the platform does
 * not have, and figures without a value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/measure/print.h"
#include "unit.h"

static int by_name(const void *one, const void *other)
{
	const struct figure *const *a = one, *const *b = other;

	return strcmp((*a)->name, (*b)->name);
}

/* Those that are written, by name: so that maps are not opened twice. */
static uint32_t choose(const struct measurement *measurement, const struct platform *platform,
	const struct figure **chosen)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < measurement->figure_count; i++) {
		const struct figure *figure = &measurement->figures[i];

		if (!figure->refused && platform_find(platform, figure->name))
			chosen[count++] = figure;
	}
	qsort(chosen, count, sizeof *chosen, by_name);
	return count;
}

/* Length of what two names have in common up to a dot, that dot included. */
static size_t common(const char *one, const char *other)
{
	size_t same = 0;

	for (size_t i = 0; one[i] && one[i] == other[i]; i++)
		if (one[i] == '.')
			same = i + 1;
	return same;
}

static uint32_t dots(const char *name, size_t length)
{
	uint32_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += name[i] == '.';
	return count;
}

static void indent(struct text *out, uint32_t level)
{
	for (uint32_t i = 0; i < level; i++)
		text_append(out, "  ");
}

/* Maps from the one that the name before is in to the constant's own key. */
static void open_maps(struct text *out, const char *before, const char *name)
{
	size_t at = common(before, name);
	uint32_t level = dots(name, at);

	for (;;) {
		size_t length = strcspn(name + at, ".");

		indent(out, level);
		text_append_bytes(out, name + at, length);
		text_append(out, ":\n");
		at += length;
		if (name[at] != '.')
			return;
		at++;
		level++;
	}
}

/* A text in double quotes. */
static void put_quoted(struct text *out, const char *string)
{
	text_append_char(out, '"');
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			text_append_char(out, '\\');
		text_append_char(out, *string);
	}
	text_append_char(out, '"');
}

static void put_readable(struct text *out, const char *what, double value, const char *unit)
{
	struct readable as = unit_readable(value, unit);

	text_printf(out, ", %s %.4g %s", what, value * as.scale, as.unit);
}

static void put_source(
	const struct measurement *measurement, const struct figure *figure, struct text *out)
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
	put_quoted(out, text_string(&source));
	text_fini(&source);
}

/* Whole units of the consumer's, as integers there must be; four digits otherwise. */
static void put_value(
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
	/* Thousandths of a unit that is a thousand of the consumer's or more are whole ones. */
	text_printf(out, "{value: %.15g, unit: %s, kind: measured,\n",
		as.scale < 1 ? round(value * as.scale * 1e3) / 1e3 : round(value), as.unit);
}

uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out)
{
	const struct figure **chosen = allocate(FIGURES_MAX, sizeof *chosen);
	struct text description = {0};
	const char *before = "";
	uint32_t count = choose(measurement, platform, chosen);

	text_append(out,
		"# What one machine takes for the host's part, as `meshsim calibrate --host` "
		"measured it\n# there. Loopback is no network: transports have what libraries "
		"cost in CPU time.\nmeshsim_platform: 1\nextends: ");
	put_quoted(out, base);
	text_printf(out, "\nname: %s-measured\ndescription: ", platform_name(platform));
	text_printf(&description, "%s, on the host of this file", platform_description(platform));
	put_quoted(out, text_string(&description));
	text_fini(&description);
	text_append_char(out, '\n');
	for (uint32_t i = 0; i < count; i++) {
		uint32_t level = dots(chosen[i]->name, strlen(chosen[i]->name)) + 1;

		open_maps(out, before, chosen[i]->name);
		indent(out, level);
		put_value(chosen[i], platform_find(platform, chosen[i]->name)->spec, out);
		indent(out, level);
		text_append(out, " source: ");
		put_source(measurement, chosen[i], out);
		text_append(out, "}\n");
		before = chosen[i]->name;
	}
	free(chosen);
	return count;
}
