/* Records the states of a run's cores with the watcher (bench/watcher/watcher.h), and adds these
 * states to the results (run_world.h). */
#include "run_world.h"

#include "bench/watcher/watcher.h"

enum { LINES_MAX = 16 }; /* most lines in the message; the result file has all cores */

void watch_cores(const struct run_world *row, const struct client *client,
	struct run_record *record, struct arena *arena, struct text *told)
{
	struct watcher *watcher = watcher_new();
	const struct watch_row *rows;
	uint32_t count;

	row->watch(client, watcher);
	rows = watcher_rows(watcher, arena, &count);
	record_table(record, results_watcher(), rows, count);
	watcher_tell(rows, count, LINES_MAX, told);
	watcher_free(watcher);
}
