/* Reads the charges of runs, see charges.h. */
#include "analysis/operations/charges.h"

#include <string.h>

static struct charge *charges_find(const struct charges *charges, const char *path, uint32_t *place)
{
	uint32_t low = 0, high = charges->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(charges->at[middle].path, path);
		if (order == 0)
			return &charges->at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*place = low;
	return NULL;
}

/* True if charges of `kind` belong to `subject`. Files hold charges by kind, not by step. */
static bool is_of(const char *kind, const char *subject)
{
	size_t length = subject ? strcspn(subject, "/") : 0;

	return !subject || (strlen(kind) == length && strncmp(kind, subject, length) == 0);
}

static void add(struct charges *charges, const char *path, double time, struct arena *arena)
{
	uint32_t place = 0;
	struct charge *charge = charges_find(charges, path, &place);

	if (!path[0]) {
		charges->whole += time;
		return;
	}

	if (charge) {
		charge->time += time;
		return;
	}
	for (uint32_t i = charges->count++; i > place; i--)
		charges->at[i] = charges->at[i - 1];
	charges->at[place] = (struct charge){arena_string(arena, path), time};
}

bool charges_add(struct charges *charges, struct summary *summary, const char *group,
	const char *kind, const char *metric, struct arena *arena, struct text *why)
{
	struct dataset rows;
	struct arena scratch;
	enum status status;

	arena_init(&scratch);
	status = result_table_in(
		summary->result, arena_printf(&scratch, "%s/charges", group), &scratch, &rows, why);
	charges->known &= status == STATUS_OK;
	if (status == STATUS_OK) {
		struct charge *grown =
			arena_array(arena, charges->count + rows.row_count + 1, sizeof(*grown));
		const struct dataset_column *kinds = dataset_column(&rows, "kind"),
					    *metrics = dataset_column(&rows, "metric"),
					    *paths = dataset_column(&rows, "constant"),
					    *times = dataset_column(&rows, "time");
		if (charges->count > 0)
			memcpy(grown, charges->at, charges->count * sizeof(*grown));
		charges->at = grown;
		for (uint64_t i = 0; i < rows.row_count; i++)
			if (is_of(dataset_text(&rows, kinds, i), kind) &&
				(!metric || strcmp(dataset_text(&rows, metrics, i), metric) == 0))
				add(charges, dataset_text(&rows, paths, i),
					dataset_real(&rows, times, i), arena);
	}
	arena_fini(&scratch);
	return status == STATUS_OK || status == STATUS_NOT_FOUND;
}

double charges_of(const struct charges *charges, const char *path)
{
	uint32_t place;
	const struct charge *charge = charges_find(charges, path, &place);

	return charge ? charge->time : 0;
}

double charge_growth(const char *unit, double factor)
{
	return strchr(unit, '/') ? 1 / factor - 1 : factor - 1;
}
