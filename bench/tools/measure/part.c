/* Replaces values in a platform file by measured values (measure.h). Keeps comments and order. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/tree.h"
#include "bench/tools/measure/measure.h"

/* A constant to replace, and its position. */
struct place {
	const struct figure *figure;
	const struct constant_spec *spec;
	uint32_t line;
};

/* Sorts constants from the last line to the first, because replacing a constant moves only the
 * lines after it. */
static int part_by_line(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	return (a->line < b->line) - (a->line > b->line);
}

/* The position after the '}' that ends the map at `at`; NULL if there is none. */
static const char *map_end(const char *at)
{
	char quote = '\0';

	for (; *at; at++) {
		if (quote && *at == quote)
			quote = '\0';
		else if (!quote && *at == '"')
			quote = *at;
		else if (!quote && *at == '}')
			return at + 1;
	}
	return NULL;
}

/* Replaces a constant, which is the first map {value: ...} in the constant's line or after it.
 * Returns false if there is no such map. */
static bool part_replace(
	const struct measurement *measurement, const struct place *place, struct text *file)
{
	const char *text = text_string(file), *at = text, *start, *end;
	struct text changed = {0};
	const char *line;

	for (uint32_t i = 1; at && i < place->line; i++)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	start = at ? strstr(at, "{value:") : NULL;
	end = start ? map_end(start) : NULL;
	if (!end)
		return false;
	for (line = start; line > text && line[-1] != '\n';)
		line--;
	/* `line` is the beginning of the line with the constant's key. Its indentation determines
	 * that of the other lines of the map. */
	text_append_bytes(&changed, text, (size_t)(start - text));
	source_write(
		measurement, place->figure, place->spec, (uint32_t)strspn(line, " ") + 1, &changed);
	text_append(&changed, end);
	text_fini(file);
	*file = changed;
	return true;
}

uint32_t part_write(const struct measurement *measurement, const struct platform *platform,
	const struct tree *tree, struct text *file)
{
	struct place *places = allocate(FIGURES_MAX, sizeof *places);
	uint32_t count = 0, written = 0;

	for (uint32_t i = 0; i < measurement->figure_count; i++) {
		const struct figure *figure = &measurement->figures[i];
		const struct platform_constant *constant = platform_find(platform, figure->name);
		const struct tree_node *node = tree_find(tree_root(tree), figure->name);

		if (!figure->refused && constant && node)
			places[count++] = (struct place){figure, constant->spec, node->where.line};
	}
	qsort(places, count, sizeof *places, part_by_line);
	for (uint32_t i = 0; i < count; i++)
		written += part_replace(measurement, &places[i], file);
	free(places);
	return written;
}
