/* Decides which swept keys distinguish contexts, and returns the run number of a point (best.h). */
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/compare/verdict_items.h"

/* True if a design choice is swept. */
static bool best_has_choice(const struct summary *summary)
{
	for (uint32_t i = 0; i < summary->swept_count; i++)
		if (!key_is_condition(swept_key(summary, i)))
			return true;
	return false;
}

/* Returns true if a key distinguishes contexts, that is, if it is a condition and not a design
 * choice. If no design choice is swept, the keys of the platform count as choices. */
bool best_is_context(const struct summary *summary, uint32_t key)
{
	const char *name = swept_key(summary, key);

	return key_is_condition(name) &&
	       (best_has_choice(summary) || strncmp(name, "platform", strlen("platform")) != 0);
}

long long best_run(const struct sweep_point *point)
{
	return (long long)dataset_integer(
		&point->summary->dataset, point->summary->run, point->row);
}
