/* Writes the launches of one layer of a run, with the times in which the devices have no kernel to
 * run (report_private.h). A layer is what lies between two launches of one name. */
#include <string.h>

#include "analysis/operations/gaps.h"
#include "report_private.h"

enum { LAYER_MOST = 64, LAYER_LEAST = 4 };

/* The launches of a run, in the order of their ends. */
struct launches {
	const struct operations *operations;
	const uint32_t *at;
	uint32_t count;
};

static const char *launch_name(const struct launches *launches, uint32_t i)
{
	return idle_launch_name(&launches->operations->at[launches->at[i]]);
}

static bool is_same_launch(const struct launches *launches, uint32_t a, uint32_t b)
{
	const struct operation *at = launches->operations->at;

	return at[launches->at[a]].mesh_number == at[launches->at[b]].mesh_number &&
	       strcmp(launch_name(launches, a), launch_name(launches, b)) == 0;
}

/* Returns how many launches after `i` the next launch of the same name is; 0: not near. */
static uint32_t period_at(const struct launches *launches, uint32_t i)
{
	for (uint32_t k = 1; k <= LAYER_MOST && i + k < launches->count; k++)
		if (is_same_launch(launches, i, i + k))
			return k;
	return 0;
}

/* Returns the first launch of the name of launch `i`. */
static uint32_t first_of(const struct launches *launches, uint32_t i)
{
	uint32_t k = 0;

	while (!is_same_launch(launches, k, i))
		k++;
	return k;
}

/* Chooses a layer in the middle of the run: *first and *count. It begins with the launch whose name
 * occurs first in the run. If names occur again soon, several layers are taken. */
static void choose_layer(const struct launches *launches, uint32_t *first, uint32_t *count)
{
	uint32_t middle = launches->count / 2, period = period_at(launches, middle);
	uint32_t best = middle;

	for (uint32_t i = middle; i < middle + period && i < launches->count; i++)
		if (first_of(launches, i) < first_of(launches, best))
			best = i;
	*first = best > 0 ? best : 1; /* the gap before it needs the launch before it */
	*count = period > 0 ? period : LAYER_LEAST;
	while (period > 0 && *count < LAYER_LEAST)
		*count += period;
	if (*first + *count > launches->count)
		*count = launches->count - *first;
}

static void write_gap(const struct operations *operations, const struct idle_gap *gap,
	int64_t start, struct json *json)
{
	const struct operation *operation = &operations->at[gap->index];

	json_object(json);
	json_text(json, "name", idle_launch_name(operation));
	json_integer_of(json, "called", operation->marks[MARK_CALLED].last - start);
	json_integer_of(json, "returned", operation->marks[MARK_RETURNED].last - start);
	json_integer_of(json, "free", gap->start - start);
	json_integer_of(json, "end", gap->end - start);
	json_integer_of(json, "kernel", gap->kernel);
	json_array_of(json, "causes");
	for (int cause = 0; cause < IDLE_CAUSES; cause++)
		report_short(json, gap->causes[cause]);
	json_array_end(json);
	json_object_end(json);
}

void report_gaps(const struct operations *operations, struct arena *arena, struct json *json)
{
	struct launches launches = {.operations = operations};
	uint32_t first, count;
	int64_t start;

	launches.at = idle_launches(operations, arena, &launches.count);
	if (launches.count < 2)
		return;
	choose_layer(&launches, &first, &count);
	start = operations->at[launches.at[first - 1]].marks[MARK_WORKERS_DONE].last;
	json_object_of(json, "layer");
	json_integer_of(json, "start", start);
	json_integer_of(json, "launches_all", launches.count);
	json_array_of(json, "causes");
	for (int cause = 0; cause < IDLE_CAUSES; cause++)
		json_string(json, idle_cause_name((enum idle_cause)cause));
	json_array_end(json);
	json_array_of(json, "launches");
	for (uint32_t i = first; i < first + count; i++) {
		struct idle_gap gap;

		if (idle_gap_find(operations, launches.at[i], launches.at[i - 1], &gap))
			write_gap(operations, &gap, start, json);
	}
	json_array_end(json);
	json_object_end(json);
}
