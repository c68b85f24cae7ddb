/* `meshsim timeline` (analysis/timeline.h). Reads one run, and writes it as a picture. It is an
 * error if the run recorded no operations. */
#include "analysis/timeline.h"

#include <string.h>

#include "analysis/read/result.h"
#include "base/ensure.h"
#include "base/output.h"
#include "picture.h"

struct work {
	const char *file;
	uint32_t run;
	uint64_t row; /* row of the run in the summary */
	struct arena arena;
	struct summary summary;
	struct timeline timeline;
};

/* Finds the row of the run in the summary. */
static bool find_row(const struct work *work, uint64_t *row, struct text *why)
{
	const struct summary *summary = &work->summary;

	for (*row = 0; *row < summary->dataset.row_count; (*row)++)
		if (dataset_integer(&summary->dataset, summary->run, *row) == (int64_t)work->run)
			return true;
	text_printf(why, "no run %u; it has %llu", work->run,
		(unsigned long long)summary->dataset.row_count);
	return false;
}

/* Returns the time in ps at which the simulation ended according to the summary. If a mark is
 * later, as in a damaged file, returns the time of the last mark. */
static int64_t timeline_end_of(const struct work *work, uint64_t row)
{
	int64_t end = dataset_integer_of(&work->summary.dataset, "simulated", row);
	const struct operations *operations = &work->timeline.operations;

	for (uint32_t i = 0; i < operations->count; i++) {
		int64_t last = operation_last(&operations->at[i]);

		end = last > end ? last : end;
	}
	return end;
}

static bool timeline_read_run(void *context, struct text *why)
{
	struct work *work = context;
	struct timeline *timeline = &work->timeline;
	const char *group;
	uint64_t row;

	arena_init(&work->arena);
	timeline->arena = &work->arena;
	if (!summary_open(&work->summary, work->file, why) || !find_row(work, &row, why))
		return false;
	group = summary_group(&work->summary, row);
	work->row = row;
	if (!run_tables_read(&work->summary, row, &work->arena, &timeline->run, why) ||
		!run_trace_read(&work->summary, row, &work->arena, &timeline->trace, why) ||
		!operations_read(&work->summary, group, &work->arena, &timeline->operations, why) ||
		!operations_rows(&work->summary, group, &work->arena, &timeline->rows, why))
		return false;
	timeline->end = timeline_end_of(work, row);
	return true;
}

static bool timeline_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_picture(const char *head, size_t length)
{
	return picture_is_chrome(head, length) || picture_is_perfetto(head, length);
}

static const struct output_kind picture_output = {"timeline of meshsim", true, is_picture};

static bool write_picture(const struct work *work, const char *path)
{
	struct text text = {0};
	bool good;

	if (timeline_ends_with(path, ".json"))
		picture_write_chrome(work->timeline.picture, &text);
	else
		picture_write_perfetto(work->timeline.picture, &text);
	good = output_write_or_say(path, &picture_output, &text);
	text_fini(&text);
	return good;
}

int analysis_timeline(const char *file, uint32_t run, const char *path, FILE *out)
{
	struct work work = {.file = file, .run = run};
	struct text why = {0};
	int code;

	if (!output_check_or_say(path, &picture_output))
		return EXIT_BAD_INPUT;
	code = probe_file(file, timeline_read_run, &work);
	if (code != EXIT_GOOD)
		return code;
	ensure(timeline_read_run(&work, &why), "%s: %s", file, text_string(&why));
	summary_say_end(&work.summary, work.row);
	work.timeline.picture = picture_new(&work.arena);
	timeline_operations(&work.timeline);
	timeline_trace(&work.timeline);
	timeline_prints(&work.timeline);
	timeline_log(&work.timeline);
	timeline_sums(&work.timeline);
	if (!write_picture(&work, path))
		code = EXIT_BAD_INPUT;
	else if (!output_is_stdout(path, &picture_output))
		fprintf(out, "%s: %u operations; open it in ui.perfetto.dev\n", path,
			work.timeline.operations.count);
	text_fini(&why);
	summary_close(&work.summary);
	arena_fini(&work.arena);
	return code;
}
