/* Finds the mechanism of the runtime that causes the difference between two options.
 * mechanisms.def gives the mechanism for each parameter in which the experiments of two options
 * can differ. */
#include <string.h>

#include "decision.h"

static const struct {
	const char *family, *key, *mechanism;
} mechanisms[] = {
#define X(family, key, mechanism) {family, key, mechanism},
#include "mechanisms.def"
#undef X
};

static bool differ(const struct reference_row *a, const struct reference_row *b, const char *key)
{
	return strcmp(reference_text(a, key, ""), reference_text(b, key, "")) != 0;
}

const char *decision_rests_on(const struct decisions *decisions, uint32_t a, uint32_t b)
{
	const struct reference_row *one = &decisions->runs.rows[decisions->rows[a].run];
	const struct reference_row *other = &decisions->runs.rows[decisions->rows[b].run];

	for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
		if (strcmp(mechanisms[i].family, one->family) == 0 &&
			differ(one, other, mechanisms[i].key))
			return mechanisms[i].mechanism;
	return NULL;
}
