/* Combines rows of tables: links, cores and queues whose names differ only in numbers, and whose
 * figures are nearly equal, become one row (explain_private.h). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain_private.h"

enum { NUMBERS_MAX = 8 };

/* Figures count as equal if they differ by at most this share. */
#define ALIKE 0.05

/* A name in which ranges replace the numbers. */
struct pattern {
	const char *name; /* name of one of the rows */
	unsigned long low[NUMBERS_MAX], high[NUMBERS_MAX];
	uint32_t numbers;
};

/* Reads the numbers in a name. If there are too many, reads only the first ones. */
static void pattern_read(struct pattern *pattern, const char *name)
{
	*pattern = (struct pattern){.name = name};
	for (const char *at = name; *at && pattern->numbers < NUMBERS_MAX;) {
		char *end;
		if (!isdigit((unsigned char)*at)) {
			at++;
			continue;
		}
		pattern->low[pattern->numbers] = pattern->high[pattern->numbers] =
			strtoul(at, &end, 10);
		pattern->numbers++;
		at = end;
	}
}

/* True if two names differ only in their numbers. */
static bool is_same_pattern(const char *a, const char *b)
{
	while (*a && *b) {
		bool digit = isdigit((unsigned char)*a);
		if (digit != (isdigit((unsigned char)*b) != 0) || (!digit && *a != *b))
			return false;
		a += digit ? strspn(a, "0123456789") : 1;
		b += digit ? strspn(b, "0123456789") : 1;
	}
	return *a == *b;
}

static const char *pattern_text(const struct pattern *pattern, struct arena *arena)
{
	const char *text = "", *at = pattern->name;

	for (uint32_t i = 0; i < pattern->numbers; i++) {
		size_t before = strcspn(at, "0123456789");
		const char *range =
			pattern->low[i] == pattern->high[i]
				? arena_printf(arena, "%lu", pattern->low[i])
				: arena_printf(arena, "%lu-%lu", pattern->low[i], pattern->high[i]);
		text = arena_printf(arena, "%s%.*s%s", text, (int)before, at, range);
		at += before + strspn(at + before, "0123456789");
	}
	return arena_printf(arena, "%s%s", text, at);
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= ALIKE * fmax(fabs(a), fabs(b));
}

/* True if two depths differ by at most one place, or by at most the share ALIKE. */
static bool is_near_depth(int64_t a, int64_t b)
{
	return (a - b <= 1 && b - a <= 1) || is_near((double)a, (double)b);
}

static bool folds_with(const struct load *a, const struct load *b)
{
	for (int side = 0; side < 2; side++)
		if (!is_near_depth(a->high_water[side], b->high_water[side]) ||
			!is_near(a->busy[side], b->busy[side]) ||
			!is_near(a->blocked[side], b->blocked[side]) ||
			a->capacity[side] != b->capacity[side])
			return false;
	return is_same_pattern(a->name, b->name);
}

static void pattern_widen(struct pattern *pattern, const char *name)
{
	struct pattern other;

	pattern_read(&other, name);
	for (uint32_t i = 0; i < pattern->numbers && i < other.numbers; i++) {
		if (other.low[i] < pattern->low[i])
			pattern->low[i] = other.low[i];
		if (other.high[i] > pattern->high[i])
			pattern->high[i] = other.high[i];
	}
}

/* Adds `load` to a row. After the call, the row stands for `count` loads. The busy times of the row
 * are the means of its loads, and the depths of queues are the maxima. */
static void load_take(struct load *row, const struct load *load, uint32_t count)
{
	for (int side = 0; side < 2; side++) {
		row->busy[side] += (load->busy[side] - row->busy[side]) / count;
		row->blocked[side] += (load->blocked[side] - row->blocked[side]) / count;
		if (load->high_water[side] > row->high_water[side])
			row->high_water[side] = load->high_water[side];
	}
}

struct folded_loads explain_fold(const struct loads *loads, struct arena *arena)
{
	struct folded_loads folded = {
		arena_array(arena, loads->count + 1, sizeof(*folded.at)), 0, 0};
	const struct load **firsts = arena_array(arena, loads->count + 1, sizeof(*firsts));
	struct pattern *patterns = arena_array(arena, loads->count + 1, sizeof(*patterns));

	for (uint32_t i = 0; i < loads->count; i++) {
		const struct load *load = &loads->at[i];
		uint32_t at = 0;
		while (at < folded.count && !folds_with(firsts[at], load))
			at++;
		struct folded_load *row = &folded.at[at];
		if (at == folded.count) {
			folded.count++;
			firsts[at] = load;
			row->load = *load;
			row->count = 1;
			pattern_read(&patterns[at], load->name);
			continue;
		}
		load_take(&row->load, load, ++row->count);
		pattern_widen(&patterns[at], load->name);
	}
	for (uint32_t i = 0; i < folded.count; i++)
		folded.at[i].load.name = pattern_text(&patterns[i], arena);
	folded.rows = loads->count;
	return folded;
}
