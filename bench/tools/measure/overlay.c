/* Writes a measurement as a platform file that extends another platform (measure.h). Leaves out
 * figures without a value, and figures that are not constants of the other platform. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/measure/measure.h"

static int overlay_by_name(const void *one, const void *other)
{
	const struct figure *const *a = one, *const *b = other;

	return strcmp((*a)->name, (*b)->name);
}

/* The figures to write, sorted by name so that no map is opened twice. */
static uint32_t overlay_choose(const struct measurement *measurement,
	const struct platform *platform, const struct figure **chosen)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < measurement->figure_count; i++) {
		const struct figure *figure = &measurement->figures[i];

		if (!figure->refused && platform_find(platform, figure->name))
			chosen[count++] = figure;
	}
	qsort(chosen, count, sizeof *chosen, overlay_by_name);
	return count;
}

/* Length of the common prefix of two names, up to and including a dot. */
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

/* Writes the keys of the maps that contain the constant `name`, then the constant's own key.
 * `before` is the constant that was written before; maps that also contain `before` were already
 * begun and are not written again. */
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

uint32_t overlay_write(const struct measurement *measurement, const char *base,
	const struct platform *platform, struct text *out)
{
	const struct figure **chosen = allocate(FIGURES_MAX, sizeof *chosen);
	struct text description = {0};
	const char *before = "";
	uint32_t count = overlay_choose(measurement, platform, chosen);

	text_append(out,
		"# What one machine takes for the host's part, as `meshsim calibrate --host` "
		"measured it\n# there. Loopback is no network: transports have what libraries "
		"cost in CPU time.\nmeshsim_platform: 1\nextends: ");
	source_quote(base, out);
	text_printf(out, "\nname: %s-measured\ndescription: ", platform_name(platform));
	text_printf(&description, "%s, on the host of this file", platform_description(platform));
	source_quote(text_string(&description), out);
	text_fini(&description);
	text_append_char(out, '\n');
	for (uint32_t i = 0; i < count; i++) {
		uint32_t level = dots(chosen[i]->name, strlen(chosen[i]->name)) + 1;

		open_maps(out, before, chosen[i]->name);
		indent(out, level);
		source_write(measurement, chosen[i], platform_find(platform, chosen[i]->name)->spec,
			2 * level, out);
		text_append_char(out, '\n');
		before = chosen[i]->name;
	}
	free(chosen);
	return count;
}
