/* Finds assumed constants that the best design is charged, while the second design is charged other
 * constants for the same work (verdict_items.h). An assumed cost of 0 or a small one hardly changes
 * the margin, so other tests do not find it. But the best design may be the best only because this
 * cost is so small. */
#include <string.h>

#include "analysis/compare/verdict_items.h"

enum { STEAD_LEAST = 2 };

/* A constant "transports.rdma.peer_kib" is of the row "transports.rdma". */
static size_t row_length(const char *path)
{
	const char *last = strrchr(path, '.');

	return last ? (size_t)(last - path) : 0;
}

/* True if two constants have the same name in different rows of one table. */
static bool are_rivals(const char *a, const char *b)
{
	size_t row_a = row_length(a), row_b = row_length(b), table = 0;
	size_t same = 0;

	while (same < row_a && same < row_b && a[same] == b[same]) {
		same++;
		if (a[same - 1] == '.')
			table = same;
	}
	return table > 0 && row_a > table && row_b > table &&
	       !memchr(a + table, '.', row_a - table) && !memchr(b + table, '.', row_b - table) &&
	       (row_a != row_b || memcmp(a, b, row_a) != 0) && strcmp(a + row_a, b + row_b) == 0;
}

static bool is_charged(const struct sweep_point *point, const char *path)
{
	return charges_of(&point->charges, path) > 0;
}

static bool is_assumed(const struct constant *constant)
{
	return strcmp(constant->kind, constant_kind_words(CONSTANT_ASSUMED)) == 0;
}

/* Looks at the row of constants to which this constant belongs (row_length()). Returns true if the
 * first design is charged for constants of the row, which are all assumed, and the second design
 * is charged for no constant of the row. If a charged constant of the row was measured, the zeros
 * of the row are no guesses: they mean that the row's subject, for example a transport, does no
 * such work. */
static bool is_of_guessed_row(const struct constants *constants, const struct constant *constant,
	const struct sweep_point *const pair[2])
{
	size_t row = row_length(constant->path);
	bool charged = false, guessed = true;
	uint32_t members = 0; /* constants in the row; a row of host work has only one */

	for (uint32_t i = 0; i < constants->count; i++) {
		const struct constant *other = &constants->at[i];

		if (row_length(other->path) != row ||
			strncmp(other->path, constant->path, row) != 0)
			continue;
		members++;
		charged |= is_charged(pair[0], other->path);
		guessed &= !is_charged(pair[1], other->path) &&
			   (!is_charged(pair[0], other->path) || is_assumed(other));
	}
	return charged && guessed && members > 1;
}

/* Looks for a rival of the constant in another row (are_rivals()) for which only the second design
 * is charged. Sets *rival to its path, and returns the time that the second design is charged for
 * it. Returns 0 if there is no such rival. */
static double stead_of(const struct constants *constants, const struct constant *constant,
	const struct sweep_point *const pair[2], const char **rival)
{
	double time = 0;

	for (uint32_t i = 0; i < constants->count && time <= 0; i++) {
		const char *path = constants->at[i].path;

		if (!are_rivals(path, constant->path) || is_charged(pair[0], path))
			continue;
		time = charges_of(&pair[1]->charges, path);
		*rival = path;
	}
	return time;
}

static const char *stead_text(const struct constants *constants,
	const struct sweep_point *const pair[2], struct arena *arena)
{
	const struct constant *heaviest = NULL;
	const char *instead = "", *rival = "";
	double most = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < constants->count; i++) {
		const struct constant *constant = &constants->at[i];
		double time = 0;

		if (is_assumed(constant) && is_of_guessed_row(constants, constant, pair))
			time = stead_of(constants, constant, pair, &rival);
		if (time <= 0)
			continue;
		count++;
		if (time <= most)
			continue;
		most = time;
		heaviest = constant;
		instead = rival;
	}
	if (count < STEAD_LEAST)
		return NULL;
	return arena_printf(arena,
		"%u assumed constants in place of those of %.*s, above all %s %g %s", count,
		(int)row_length(instead), instead, heaviest->path, heaviest->value, heaviest->unit);
}

const char *verdict_stead_text(struct comparison *comparison, const struct question *question)
{
	struct arena scratch = {0}; /* a platform has hundreds of constants */
	const struct sweep_point *pair[2];
	struct constants constants;
	const char *text;

	if (question->points->figure == FIGURE_HOST_CPU || !compare_pair(question, pair))
		return NULL;
	constants = constants_read_all(compare_platform(pair[0], &scratch), &scratch);
	text = stead_text(&constants, pair, &comparison->arena);
	arena_fini(&scratch);
	return text;
}
