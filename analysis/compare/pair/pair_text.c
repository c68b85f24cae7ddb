/* Prints differences between two result files other than their figures (comparison.h). */
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/print/wrap.h"

enum { DIFFERENCE_LINES = 8, ALONE_LINES = 3 };

/* "NAME OLD -> NEW", without the ".value" at the end of a constant's name. */
static const char *spell(const struct pair_difference *difference, struct arena *arena)
{
	size_t length = strlen(difference->what), tail = strlen(".value");

	if (length > tail && strcmp(difference->what + length - tail, ".value") == 0)
		length -= tail;
	return arena_printf(arena, "%.*s %s -> %s", (int)length, difference->what,
		difference->first, difference->second);
}

static void print_parts(struct comparison *comparison, const char *head, const char *noun,
	const char *const *parts, uint32_t count, uint32_t lines, FILE *out)
{
	if (count > 0)
		paragraph_print(head,
			paragraph_fit(parts, count, "; ", 1, noun, lines, comparison->columns,
				&comparison->arena),
			"", "", comparison->columns, out);
}

void compare_pair_text(struct comparison *comparison, FILE *out)
{
	struct arena *arena = &comparison->arena;
	const struct file_pair *pair = comparison->pair;
	const char *parts[PAIR_DIFFERENCES_MAX + 2], *none = "nothing but figures";

	fprintf(out, "%s against %s\n", pair->labels[0], pair->labels[1]);
	for (uint32_t i = 0; i < pair->difference_count; i++)
		parts[i] = spell(&pair->differences[i], arena);
	if (pair->difference_count)
		print_parts(comparison, "differs", "difference", parts, pair->difference_count,
			DIFFERENCE_LINES, out);
	else
		print_parts(comparison, "differs", "difference", &none, 1, 1, out);
	for (int file = 0; file < 2; file++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < pair->alone_count && i < PAIR_ALONE_MAX; i++)
			if (pair->alone[i].file == file)
				parts[count++] = pair->alone[i].what;
		print_parts(comparison, file ? "only second" : "only first", "item", parts, count,
			ALONE_LINES, out);
	}
}

void compare_pair_json(struct comparison *comparison, struct json *json)
{
	const struct file_pair *pair = comparison->pair;

	json_object_of(json, "pair");
	json_array_of(json, "files");
	for (int file = 0; file < 2; file++)
		json_string(json, pair->labels[file]);
	json_array_end(json);
	json_array_of(json, "differences");
	for (uint32_t i = 0; i < pair->difference_count; i++) {
		json_object(json);
		json_text(json, "what", pair->differences[i].what);
		json_text(json, "first", pair->differences[i].first);
		json_text(json, "second", pair->differences[i].second);
		json_object_end(json);
	}
	json_array_end(json);
	json_bool_of(json, "more", pair->more);
	json_array_of(json, "alone");
	for (uint32_t i = 0; i < pair->alone_count && i < PAIR_ALONE_MAX; i++) {
		json_object(json);
		json_text(json, "file", pair->labels[pair->alone[i].file]);
		json_text(json, "what", pair->alone[i].what);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}
