/* Reads the charges of runs, see charges.h. */
#include "analysis/operations/charges.h"

#include <string.h>

#include "analysis/metrics/completions.h"

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

/* The columns of a run's charges. If a file has charges by kind only, `step` is NULL. */
struct charge_columns {
	const struct dataset_column *kind, *step, *metric, *path, *time;
};

/* True if a row belongs to `subject`. A step's name that was too long for its column was cut in the
 * file; then only the beginnings of the names are compared. */
static bool is_of(const struct dataset *rows, const struct charge_columns *columns, uint64_t row,
	const char *subject)
{
	const char *kind = dataset_text(rows, columns->kind, row), *step, *name;
	size_t length = subject ? strcspn(subject, "/") : 0;

	if (!subject)
		return true;
	if (strlen(kind) != length || strncmp(kind, subject, length) != 0)
		return false;
	if (!subject[length] || !columns->step)
		return true;
	step = dataset_text(rows, columns->step, row);
	name = subject + length + 1;
	return strcmp(step, name) == 0 ||
	       (strlen(step) + 2 >= columns->step->bytes && strncmp(step, name, strlen(step)) == 0);
}

/* True if a row counts for a metric. If `metric` is NULL, all rows count, except those whose times
 * are part of the times of other rows. */
static bool is_of_metric(const char *name, const char *metric)
{
	return metric ? strcmp(name, metric) == 0 : strcmp(name, CHARGES_LATE) != 0;
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

static void charges_add_rows(struct charges *charges, const struct dataset *rows,
	const char *subject, const char *metric, struct arena *arena)
{
	const struct charge_columns columns = {dataset_column(rows, "kind"),
		dataset_column(rows, "step"), dataset_column(rows, "metric"),
		dataset_column(rows, "constant"), dataset_column(rows, "time")};
	struct charge *grown =
		arena_array(arena, charges->count + rows->row_count + 1, sizeof(*grown));

	if (charges->count > 0)
		memcpy(grown, charges->at, charges->count * sizeof(*grown));
	charges->at = grown;
	for (uint64_t i = 0; i < rows->row_count; i++)
		if (is_of(rows, &columns, i, subject) &&
			is_of_metric(dataset_text(rows, columns.metric, i), metric))
			add(charges, dataset_text(rows, columns.path, i),
				dataset_real(rows, columns.time, i), arena);
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
	if (status == STATUS_OK)
		charges_add_rows(charges, &rows, kind, metric, arena);
	arena_fini(&scratch);
	return status == STATUS_OK || status == STATUS_NOT_FOUND;
}

/* The time from the first to the last completion of the operations of a subject. */
struct flight {
	int64_t first, last;
};

static bool completes_in(const struct operation *operation, const struct flight *flight)
{
	int64_t end = completed_at(operation);

	return !operation->warmup && end >= flight->first && end <= flight->last;
}

/* Returns true if no earlier operation of the step completes in the flight. */
static bool is_first_in(
	const struct operations *operations, uint32_t index, const struct flight *flight)
{
	const struct operation *operation = &operations->at[index];
	uint32_t i = 0;

	while (operations->at[i].step != operation->step ||
		operations->at[i].mesh_number != operation->mesh_number ||
		strcmp(operations->at[i].kind, operation->kind) != 0 ||
		!completes_in(&operations->at[i], flight))
		i++;
	return i == index;
}

bool charges_add_flight(struct charges *charges, struct summary *summary, const char *group,
	const struct operations *operations, const char *subject, struct arena *arena,
	struct text *why)
{
	struct flight flight = {INT64_MAX, -1};
	size_t length = strcspn(subject, "/");
	bool good = true;

	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t end = completed_at(&operations->at[i]);

		if (!operation_is(&operations->at[i], subject) || operations->at[i].warmup ||
			end < 0)
			continue;
		flight.first = end < flight.first ? end : flight.first;
		flight.last = end > flight.last ? end : flight.last;
	}
	for (uint32_t i = 0; i < operations->count && good; i++) {
		const struct operation *operation = &operations->at[i];

		if (strlen(operation->kind) == length &&
			strncmp(operation->kind, subject, length) == 0 &&
			completes_in(operation, &flight) && is_first_in(operations, i, &flight))
			good = charges_add(charges, summary, group,
				arena_printf(arena, "%s/%s", operation->kind, operation->step_name),
				CHARGES_INTERVAL, arena, why);
	}
	return good;
}

void charges_merge(
	struct charges *charges, const struct charges *more, double factor, struct arena *arena)
{
	struct charge *grown = arena_array(arena, charges->count + more->count + 1, sizeof(*grown));

	if (charges->count > 0)
		memcpy(grown, charges->at, charges->count * sizeof(*grown));
	charges->at = grown;
	charges->known &= more->known;
	charges->whole += more->whole * factor;
	for (uint32_t i = 0; i < more->count; i++)
		add(charges, more->at[i].path, more->at[i].time * factor, arena);
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
