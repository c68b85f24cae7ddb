/* Finds the candidate that is most similar to a name. The distance of two strings is the number of
 * changes that turn one into the other. A change inserts, deletes or replaces one character, or
 * swaps two neighbours (optimal string alignment). Upper and lower case are the same, and so are
 * '-' and '_'. A candidate is taken only if its distance is at most a third of the name's length
 * (rounded up), at most 4, and less than the lengths of both strings. */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { NAME_BYTES_MAX = 64 }; /* longer names have no nearest name */

static bool nearest_same(char a, char b)
{
	if (a == '_')
		a = '-';
	if (b == '_')
		b = '-';
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b, unsigned limit)
{
	unsigned rows[3][NAME_BYTES_MAX + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];
	size_t m = strlen(a), n = strlen(b);

	if (m > NAME_BYTES_MAX || n > NAME_BYTES_MAX)
		return limit + 1;
	for (size_t j = 0; j <= n; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned *spare = before;

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = last[j - 1] + !nearest_same(a[i - 1], b[j - 1]);
			row[j] = least(row[j], least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && nearest_same(a[i - 1], b[j - 2]) &&
				nearest_same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = spare;
	}
	return least(last[n], limit + 1);
}

void nearest_start(struct nearest *nearest, const char *name)
{
	size_t limit = (strlen(name) + 2) / 3, most = 4;

	/* A candidate is taken only if its distance is below nearest->distance. So the initial
	 * value is one more than the greatest distance that is still close enough. */
	*nearest = (struct nearest){
		.name = name, .distance = (unsigned)(limit < most ? limit : most) + 1};
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	unsigned limit = nearest->distance - 1, distance;

	if (nearest->distance == 0)
		return;
	distance = nearest_distance(nearest->name, candidate, limit);
	if (distance > limit || distance >= strlen(candidate) || distance >= strlen(nearest->name))
		return;
	nearest->best = candidate;
	nearest->distance = distance;
}
