/* Writes, for a report, the load of threads, firmware and queues of one run, and the number of
 * operations in flight over time. Cores are grouped by role, because there may be thousands of
 * cores. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"
#include "base/table/order.h"

enum { GROUPS_MAX = 64, THREADS_APART = 16, QUEUES_SHOWN = 12, POINTS_MAX = 600 };

/* ---- threads ---- */

static const char *const thread_times[] = {
	"busy", "copying", "spinning", "switching", "waiting", "parked"};

enum { THREAD_TIMES = sizeof(thread_times) / sizeof(thread_times[0]) };

struct thread_group {
	const char *name;
	uint32_t count;
	double times[THREAD_TIMES];
};

/* The name of a thread's group: "reader-*" for "reader-12-0". */
static const char *stem(const char *name, struct arena *arena)
{
	size_t length = strcspn(name, "0123456789");

	return name[length] ? arena_printf(arena, "%.*s*", (int)length, name) : name;
}

static uint32_t group_threads(
	const struct dataset *threads, struct thread_group *groups, struct arena *arena)
{
	bool apart = threads->row_count <= THREADS_APART;
	uint32_t count = 0;

	for (uint64_t row = 0; row < threads->row_count; row++) {
		const char *name = dataset_text_of(threads, "name", row);
		uint32_t g = apart ? count : 0;
		name = apart ? name : stem(name, arena);
		while (g < count && strcmp(groups[g].name, name) != 0)
			g++;
		if (g == GROUPS_MAX)
			g--;
		else if (g == count)
			groups[count++] = (struct thread_group){.name = name};
		groups[g].count++;
		for (int t = 0; t < THREAD_TIMES; t++)
			groups[g].times[t] += dataset_real_of(threads, thread_times[t], row);
	}
	return count;
}

static void write_threads(struct json *json, const struct dataset *threads, struct arena *arena)
{
	struct thread_group groups[GROUPS_MAX];
	uint32_t count = group_threads(threads, groups, arena);

	json_array_of(json, "threads");
	for (uint32_t g = 0; g < count; g++) {
		json_object(json);
		json_text(json, "name", groups[g].name);
		json_integer_of(json, "count", groups[g].count);
		json_array_of(json, "times");
		for (int t = 0; t < THREAD_TIMES; t++)
			json_real(json, groups[g].times[t]);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

/* ---- firmware ---- */

/* Writes minimum, quartiles and maximum of the utilization of all cores of one role. */
static void write_spread(
	struct json *json, const struct dataset *cores, const char *role, struct arena *arena)
{
	double *values = arena_array(arena, cores->row_count + 1, sizeof(*values));
	const struct dataset_column *name = dataset_column(cores, "role"),
				    *utilization = dataset_column(cores, "utilization");
	uint64_t count = 0;

	for (uint64_t row = 0; row < cores->row_count; row++)
		if (strcmp(dataset_text(cores, name, row), role) == 0)
			values[count++] = dataset_real(cores, utilization, row);
	sort_reals(values, count);
	json_array_of(json, "spread");
	for (uint64_t quarter = 0; quarter <= 4 && count; quarter++)
		report_short(json, values[(count - 1) * quarter / 4]);
	json_array_end(json);
}

static void write_roles(struct json *json, const struct dataset *cores, struct arena *arena)
{
	uint32_t count;
	struct core_role *roles = core_roles(cores, arena, &count);

	json_array_of(json, "roles");
	for (uint32_t i = 0; i < count; i++) {
		json_object(json);
		json_text(json, "role", roles[i].name);
		json_integer_of(json, "count", (int64_t)roles[i].count);
		json_integer_of(json, "chip", roles[i].chip_most);
		json_real_of(json, "steps", roles[i].steps);
		json_real_of(json, "busy", roles[i].busy);
		json_real_of(json, "blocked", roles[i].blocked);
		json_real_of(json, "blocked_most", roles[i].blocked_most);
		write_spread(json, cores, roles[i].name, arena);
		json_object_end(json);
	}
	json_array_end(json);
}

/* ---- queues ---- */

struct deep {
	uint64_t row;
	double blocked, fill;
};

/* Sorts queues: first by the time for which they blocked, then by how full they were. */
static int compare_deep(const void *a, const void *b)
{
	const struct deep *x = a, *y = b;

	if (x->blocked != y->blocked)
		return x->blocked < y->blocked ? 1 : -1;
	if (x->fill != y->fill)
		return x->fill < y->fill ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void report_load_write_queues(
	struct json *json, const struct dataset *queues, struct arena *arena)
{
	static const char *const columns[] = {
		"capacity", "high_water", "waiting_high_water", "taken", "blocked", "blocked_time"};
	struct deep *deep = arena_array(arena, queues->row_count + 1, sizeof(*deep));
	uint64_t used = 0;

	for (uint64_t row = 0; row < queues->row_count; row++) {
		double capacity = dataset_real_of(queues, "capacity", row);
		double high = dataset_real_of(queues, "high_water", row);
		if (high > 0)
			deep[used++] =
				(struct deep){row, dataset_real_of(queues, "blocked_time", row),
					capacity > 0 ? high / capacity : 0};
	}
	qsort(deep, used, sizeof(*deep), compare_deep);
	json_integer_of(json, "queues_used", (int64_t)used);
	json_integer_of(json, "queues_all", (int64_t)queues->row_count);
	json_array_of(json, "queues");
	for (uint64_t i = 0; i < used && i < QUEUES_SHOWN; i++) {
		json_object(json);
		json_text(json, "name", dataset_text_of(queues, "name", deep[i].row));
		for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++) {
			json_key(json, columns[c]);
			report_cell(json, queues, dataset_column(queues, columns[c]), deep[i].row);
		}
		json_object_end(json);
	}
	json_array_end(json);
}

/* Writes how long the hosts of a native run took to join. Other runs have no such table. */
static void write_opening(struct json *json, const struct dataset *opening)
{
	if (opening->row_count == 0)
		return;
	json_object_of(json, "opening");
	for (uint32_t i = 0; i < opening->column_count; i++) {
		json_key(json, opening->columns[i].name);
		report_cell(json, opening, &opening->columns[i], 0);
	}
	json_object_end(json);
}

void report_loads(const struct run_tables *run, struct arena *arena, struct json *json)
{
	write_threads(json, &run->threads, arena);
	write_opening(json, &run->opening);
	write_roles(json, &run->cores, arena);
	report_load_write_queues(json, &run->queues, arena);
}

/* ---- operations in flight ---- */

struct step {
	int64_t at;
	int change;
};

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->change - y->change; /* at equal times, ends come before beginnings */
}

static int64_t report_load_end_of(const struct operation *operation)
{
	static const enum mark_point ends[] = {MARK_SEEN, MARK_NOTIFIED, MARK_WORKERS_DONE,
		MARK_DISPATCHED, MARK_PREFETCHED, MARK_RETURNED};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (operation->marks[ends[i]].last >= 0)
			return operation->marks[ends[i]].last;
	return -1;
}

static uint32_t take_steps(
	const struct operations *operations, const char *kind, struct step *steps)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];
		int64_t end = report_load_end_of(operation);
		if (strcmp(operation->kind, kind) != 0 || operation->marks[MARK_CALLED].first < 0)
			continue;
		steps[count++] = (struct step){operation->marks[MARK_CALLED].first, 1};
		if (end >= 0)
			steps[count++] = (struct step){end, -1};
	}
	qsort(steps, count, sizeof(*steps), compare_steps);
	return count;
}

/* Writes a list of pairs: a time, and the depth from this time on. The depth is the number of
 * operations in flight. If there are more than POINTS_MAX pairs, combines neighbouring pairs into
 * one pair with their largest depth. */
static void write_depths(struct json *json, const struct step *steps, uint32_t count)
{
	uint32_t each = (count + POINTS_MAX - 1) / POINTS_MAX;
	int depth = 0;

	json_array_of(json, "depth");
	for (uint32_t i = 0; i < count; i += each) {
		int most = 0;
		for (uint32_t j = i; j < i + each && j < count; j++) {
			depth += steps[j].change;
			most = depth > most ? depth : most;
		}
		json_integer(json, steps[i].at);
		json_integer(json, each > 1 ? most : depth);
	}
	json_array_end(json);
}

void report_in_flight(const struct operations *operations, struct arena *arena, struct json *json)
{
	struct step *steps = arena_array(arena, 2 * operations->count + 1, sizeof(*steps));
	const char *kinds[GROUPS_MAX];
	uint32_t count = 0;

	json_array_of(json, "in_flight");
	for (uint32_t i = 0; i < operations->count; i++) {
		uint32_t k = 0, made;
		while (k < count && strcmp(kinds[k], operations->at[i].kind) != 0)
			k++;
		if (k < count || count == GROUPS_MAX)
			continue;
		kinds[count++] = operations->at[i].kind;
		made = take_steps(operations, kinds[k], steps);
		json_object(json);
		json_text(json, "kind", kinds[k]);
		write_depths(json, steps, made);
		json_object_end(json);
	}
	json_array_end(json);
}
