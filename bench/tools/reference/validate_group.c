/* Checks rows, and groups those that belong together (see validate.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/reference/validate.h"

/* ---- families ---- */

/* Returns the first row of the same family. */
static uint32_t first_of_family(const struct reference *reference, uint32_t row)
{
	uint32_t first = 0;

	while (strcmp(reference->rows[first].family, reference->rows[row].family) != 0)
		first++;
	return first;
}

/* Warns that a family has no experiment. Warns only once for each family. */
static void warn_of_family(const struct reference *reference, uint32_t first, struct diag *diag)
{
	const struct reference_row *row = &reference->rows[first];
	struct nearest nearest;
	uint32_t count = 0;

	nearest_start(&nearest, row->family);
	for (size_t i = 0; experiment_at(i); i++)
		nearest_offer(&nearest, experiment_at(i)->family);
	for (uint32_t i = first; i < reference->count; i++)
		count += strcmp(reference->rows[i].family, row->family) == 0;
	if (nearest.best)
		diag_warning(diag, row->family_where,
			"unknown family '%s', did you mean '%s'? rows that are not run: %u",
			row->family, nearest.best, count);
	else
		diag_warning(diag, row->family_where,
			"unknown family '%s', rows that are not run: %u", row->family, count);
}

bool validate_check(
	const struct reference *reference, struct prediction *predictions, struct diag *diag)
{
	for (uint32_t i = 0; i < reference->count; i++) {
		const struct reference_row *row = &reference->rows[i];

		predictions[i].experiment = experiment_check(row, diag);
		if (predictions[i].experiment)
			continue;
		text_printf(&predictions[i].reason, "no experiment of family '%s'", row->family);
		if (first_of_family(reference, i) == i)
			warn_of_family(reference, i, diag);
	}
	return diag_errors(diag) == 0;
}

static bool has_family(const struct reference *reference, const char *family)
{
	for (uint32_t i = 0; i < reference->count; i++)
		if (strcmp(reference->rows[i].family, family) == 0)
			return true;
	return false;
}

const char *validate_family(const struct reference *reference, size_t index)
{
	size_t seen = 0;

	for (size_t i = 0; experiment_at(i); i++)
		if (has_family(reference, experiment_at(i)->family) && seen++ == index)
			return experiment_at(i)->family;
	for (uint32_t i = 0; i < reference->count; i++) {
		const char *family = reference->rows[i].family;

		if (!experiment_find(family) && first_of_family(reference, i) == i &&
			seen++ == index)
			return family;
	}
	return NULL;
}

/* ---- groups ---- */

const char *validate_key(const struct reference_row *row, const char *key)
{
	const struct experiment *experiment = experiment_find(row->family);
	const char *fallback = "-";

	if (strcmp(key, "family") == 0)
		return row->family;
	if (strcmp(key, "system") == 0)
		return row->system;
	if (strcmp(key, "metric") == 0)
		return row->metric;
	for (const struct experiment_param *param = experiment ? experiment->params : NULL;
		param && param->key; param++)
		if (strcmp(param->key, key) == 0 && param->fallback)
			fallback = param->fallback;
	return reference_text(row, key, fallback);
}

/* Returns true if the key is family, system or metric, or a parameter of some family. Offers all
 * these names to `nearest`. */
static bool has_key(const char *key, struct nearest *nearest)
{
	static const char *const columns[] = {"family", "system", "metric"};
	bool found = false;

	nearest_start(nearest, key);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		nearest_offer(nearest, columns[i]);
		found |= strcmp(columns[i], key) == 0;
	}
	for (size_t i = 0; experiment_at(i); i++)
		for (const struct experiment_param *param = experiment_at(i)->params; param->key;
			param++) {
			nearest_offer(nearest, param->key);
			found |= strcmp(param->key, key) == 0;
		}
	return found;
}

bool validate_keys_parse(
	struct validate_keys *keys, const char *option, char *text, struct text *why)
{
	char *key;

	while ((key = strsep(&text, ",")) != NULL) {
		struct nearest nearest;

		if (!has_key(key, &nearest)) {
			text_printf(why, "%s: no row has a key '%s'", option, key);
			if (nearest.best)
				text_printf(why, ", did you mean '%s'?", nearest.best);
			return false;
		}
		if (keys->count == VALIDATE_KEYS_MAX) {
			text_printf(why, "%s: %d keys at most", option, VALIDATE_KEYS_MAX);
			return false;
		}
		keys->names[keys->count++] = key;
	}
	return true;
}

struct grouping {
	const struct reference *reference;
	const char *const *keys;
	uint32_t key_count;
};

/* Compares rows by the values of the keys. Values that are numbers are compared by size. */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct grouping *grouping = context;
	const struct reference_row *x = &grouping->reference->rows[*(const uint32_t *)a];
	const struct reference_row *y = &grouping->reference->rows[*(const uint32_t *)b];

	for (uint32_t i = 0; i < grouping->key_count; i++) {
		int order = strverscmp(
			validate_key(x, grouping->keys[i]), validate_key(y, grouping->keys[i]));

		if (order != 0)
			return order;
	}
	return 0;
}

uint32_t validate_group(const struct reference *reference, const char *const *keys,
	uint32_t key_count, uint32_t *groups)
{
	struct grouping grouping = {reference, keys, key_count};
	uint32_t *order = allocate(reference->count + 1u, sizeof *order);
	uint32_t count = 0;

	for (uint32_t i = 0; i < reference->count; i++)
		order[i] = i;
	qsort_r(order, reference->count, sizeof *order, compare_rows, &grouping);
	for (uint32_t i = 0; i < reference->count; i++) {
		if (i == 0 || compare_rows(&order[i - 1], &order[i], &grouping) != 0)
			count++;
		groups[order[i]] = count - 1;
	}
	free(order);
	return count;
}
