/* Prints a best point in at most three lines of the answer's width (best.h). */
#include "analysis/compare/best.h"
#include "analysis/print/wrap.h"

enum { LINES_MOST = 3, HEAD_INDENT = 6, MARGIN = 2, INDENT = 4 };

/* Returns the number of lines that wrap_hang() needs. */
static uint32_t best_lines_of(const char *text, uint32_t margin, uint32_t indent, uint32_t columns)
{
	uint32_t lines = 0;

	for (uint32_t at = margin; *text; at = indent, lines++) {
		size_t length = hang_next(text, columns > at ? columns - at : 1);

		text += length + (text[length] == ' ');
	}
	return lines;
}

/* Joins the parts that are not empty. */
static const char *best_lines_join(const char *const parts[BEST_PARTS], struct arena *arena)
{
	const char *text = "";

	for (int i = 0; i < BEST_PARTS; i++)
		if (parts[i][0])
			text = arena_printf(arena, "%s%s%s", text, text[0] ? "; " : "", parts[i]);
	return text;
}

/* Fits the parts of an answer into `lines` lines. First, takes the short form of each part that
 * fits, the most important part first. Then replaces short forms by full forms, as long as these
 * fit. Reports and JSON always have the full form of all parts. */
static const char *best_lines_fit(
	const struct best_words *words, uint32_t lines, uint32_t columns, struct arena *arena)
{
	const char *parts[BEST_PARTS] = {"", "", "", ""};

	for (int whole = 0; whole < 2; whole++)
		for (int i = 0; i < BEST_PARTS; i++) {
			const char *before = parts[i];

			if (whole && !before[0])
				continue;
			parts[i] = whole ? words->parts[i] : words->brief[i];
			if (best_lines_of(best_lines_join(parts, arena), MARGIN, INDENT, columns) >
				lines)
				parts[i] = before;
		}
	return best_lines_join(parts, arena);
}

void best_lines_print(const char *head, const struct best_words *words, uint32_t columns,
	struct arena *arena, FILE *out)
{
	uint32_t lines = best_lines_of(head, 0, HEAD_INDENT, columns);

	wrap_hang(head, 0, HEAD_INDENT, columns, "", out);
	if (lines < LINES_MOST)
		wrap_hang(best_lines_fit(words, LINES_MOST - lines, columns, arena), MARGIN, INDENT,
			columns, "", out);
}

const char *best_lines_sentence(const struct best_words *words, struct arena *arena)
{
	const char *rest = best_lines_join(words->parts, arena);

	return arena_printf(arena, "%s%s%s", words->best, rest[0] ? "; " : "", rest);
}
