/* Chooses and writes the runs that a report shows in detail. The details of a run contain the load
 * of each link of the mesh, so the details of a thousand runs would be too large for one page.
 * After the details have exceeded REPORT_DETAIL_BYTES, no further run is written. Runs that
 * verdicts compare are chosen first, then failed runs, then runs that are evenly spaced in the
 * sweep. The page says how many runs it shows. */
#include <string.h>

#include "report_private.h"

struct choice {
	uint64_t *rows;
	bool *taken;
	uint64_t count;
};

static void report_details_choose(struct choice *choice, uint64_t row)
{
	if (choice->taken[row])
		return;
	choice->taken[row] = true;
	choice->rows[choice->count++] = row;
}

static void choose_of_verdicts(const struct report *report, struct choice *choice)
{
	const struct comparison *comparison = &report->comparison;

	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		const struct questions *questions = &comparison->subjects[s].questions;
		for (uint32_t q = 0; q < questions->count; q++) {
			const struct question *question = &questions->at[q];
			const struct context *focus = &question->contexts[question->focus];
			for (uint32_t i = 0; i < focus->count; i++)
				report_details_choose(choice, focus->points[focus->order[i]]->row);
		}
	}
}

/* Returns all rows, the most important first. */
static struct choice order_rows(const struct report *report, struct arena *arena)
{
	const struct summary *summary = &report->comparison.summary;
	uint64_t rows = summary->dataset.row_count;
	struct choice choice = {arena_array(arena, rows + 1, sizeof(uint64_t)),
		arena_array(arena, rows + 1, sizeof(bool)), 0};

	if (!report->compare_why)
		choose_of_verdicts(report, &choice);
	for (uint64_t row = 0; row < rows; row++)
		if (strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") != 0)
			report_details_choose(&choice, row);
	for (uint64_t step = rows; step > 1; step /= 2)
		for (uint64_t row = 0; row < rows; row += step)
			report_details_choose(&choice, row);
	for (uint64_t row = 0; row < rows; row++)
		report_details_choose(&choice, row);
	return choice;
}

static bool report_details_write_detail(
	struct report *report, uint64_t row, struct report_shared *scenarios, struct json *json)
{
	struct summary *summary = &report->comparison.summary;
	const struct operations none = {0}, *operations = &none;
	struct run_tables run;
	struct run_trace trace;
	struct arena arena;
	const char *group;
	bool good;

	arena_init(&arena);
	group = summary_group(summary, row);
	good = run_tables_read(summary, row, &arena, &run, &report->why) &&
	       run_trace_read(summary, row, &arena, &trace, &report->why);
	if (good && operations_recorded(summary, group))
		operations = operations_of(summary, group, true, &report->why);
	good = good && operations;
	if (good) {
		json_object(json);
		json_integer_of(json, "row", (int64_t)row);
		json_integer_of(json, "scenario",
			report_share(scenarios,
				result_document(summary->result,
					arena_printf(&arena, "%s/scenario", group), &arena),
				&report->comparison.arena));
		json_text(json, "simgrid",
			result_lines(summary->result, group, "simgrid_configuration"));
		report_links(report, row, &run, &arena, json);
		report_loads(&run, &arena, json);
		report_in_flight(operations, &arena, json);
		report_gaps(operations, &arena, json);
		report_trace(&trace, &arena, json);
		json_object_end(json);
	}
	arena_fini(&arena);
	return good;
}

static void write_texts(
	struct json *json, const char *key, const struct report_shared *shared, bool is_json)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < shared->count; i++) {
		if (is_json)
			json_raw(json, shared->at[i]);
		else
			json_string(json, shared->at[i]);
	}
	json_array_end(json);
}

static size_t texts_bytes(const struct report_shared *shared)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < shared->count; i++)
		bytes += strlen(shared->at[i]);
	return bytes;
}

bool report_details(struct report *report, struct json *json)
{
	struct choice choice = order_rows(report, &report->comparison.arena);
	struct report_shared scenarios = {NULL, 0};
	size_t before = json->out->length;
	bool good = true;

	json_array_of(json, "details");
	for (uint64_t i = 0; i < choice.count && good; i++) {
		if (i > 0 &&
			json->out->length - before + texts_bytes(&scenarios) > REPORT_DETAIL_BYTES)
			break;
		good = report_details_write_detail(report, choice.rows[i], &scenarios, json);
	}
	json_array_end(json);
	write_texts(json, "geometries", &report->geometries, true);
	write_texts(json, "scenarios", &scenarios, false);
	return good;
}
