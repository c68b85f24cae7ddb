/* Draws the log lines of a run. Each thread that wrote log lines has a track, on which each line is
 * an instant (a slice without duration). */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/* A line, by its row, and the thread that logged it. */
struct logged {
	int64_t host;
	const char *thread;
	uint64_t row;
};

static int compare_threads(const struct logged *a, const struct logged *b)
{
	int by = (a->host > b->host) - (a->host < b->host);

	return by != 0 ? by : strcmp(a->thread, b->thread);
}

static int compare_logged(const void *left, const void *right)
{
	const struct logged *a = left, *b = right;
	int by = compare_threads(a, b);

	return by != 0 ? by : (a->row > b->row) - (a->row < b->row);
}

static void add_line(struct timeline *timeline, uint32_t track, uint64_t row)
{
	const struct dataset *log = &timeline->run.log;
	int64_t time = dataset_integer_of(log, "time", row);
	struct picture_slice slice = {.start = time,
		.end = time,
		.name = arena_printf(timeline->arena, "%s %s: %s",
			dataset_text_of(log, "type", row), dataset_text_of(log, "level", row),
			dataset_text_of(log, "text", row))};

	if (time >= 0) /* else it is damaged */
		picture_slice(timeline->picture, track, &slice);
}

void timeline_log(struct timeline *timeline)
{
	const struct dataset *log = &timeline->run.log;
	uint64_t count = log->row_count;
	struct logged *all = arena_array(timeline->arena, count + 1, sizeof(*all));
	uint32_t process, track = 0;

	if (count == 0)
		return;
	for (uint64_t row = 0; row < count; row++)
		all[row] = (struct logged){dataset_integer_of(log, "host", row),
			dataset_text_of(log, "thread", row), row};
	qsort(all, count, sizeof(*all), compare_logged);
	process = picture_process(timeline->picture, "log lines");
	for (uint64_t i = 0; i < count; i++) {
		if (i == 0 || compare_threads(&all[i - 1], &all[i]) != 0)
			track = picture_track(timeline->picture, process,
				arena_printf(timeline->arena, "host %lld %s",
					(long long)all[i].host, all[i].thread));
		add_line(timeline, track, all[i].row);
	}
}
