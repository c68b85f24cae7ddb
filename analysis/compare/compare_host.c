/* Divides the CPU time of host threads into computing, spinning and switching, for verdicts on host
 * CPU (comparison.h). */
#include "analysis/compare/comparison.h"
#include "analysis/read/run_tables.h"

static const struct {
	const char *column, *words;
} parts_of[HOST_PARTS] = {
	[HOST_COMPUTING] = {"busy", "computing"},
	[HOST_SPINNING] = {"spinning", "spinning"},
	[HOST_SWITCHING] = {"switching", "switching"},
};

const char *compare_host_words(enum host_part part)
{
	return parts_of[part].words;
}

bool compare_host(const struct sweep_point *point, double parts[HOST_PARTS])
{
	struct arena scratch;
	struct dataset threads;
	struct text why;
	double sum = 0;
	bool good;

	arena_init(&scratch);
	text_init(&why);
	good = !point->shares_run &&
	       run_threads_read(point->summary, point->row, &scratch, &threads, &why) &&
	       threads.row_count > 0;
	for (int i = 0; good && i < HOST_PARTS; i++)
		sum += parts[i] = dataset_sum(&threads, parts_of[i].column);
	good &= sum > 0;
	for (int i = 0; good && i < HOST_PARTS; i++)
		parts[i] *= sweep_point_cpu(point) / sum;
	text_fini(&why);
	arena_fini(&scratch);
	return good;
}

/* The hosts with chips are numbered first, so the controller is the host with the highest number.
 */
double compare_controller_cpu(const struct sweep_point *point)
{
	int64_t controller = 0, host;
	struct dataset threads;
	struct arena scratch;
	struct text why;
	double taken_ps = 0, all_ps = 0;

	arena_init(&scratch);
	text_init(&why);
	if (point->made == 0 ||
		!run_threads_read(point->summary, point->row, &scratch, &threads, &why))
		goto out;
	for (uint64_t row = 0; row < threads.row_count; row++) {
		host = (int64_t)dataset_real_of(&threads, "host", row);
		if (host > controller)
			taken_ps = 0;
		for (int i = 0; i < HOST_PARTS; i++)
			all_ps += dataset_real_of(&threads, parts_of[i].column, row);
		if (host < controller)
			continue;
		controller = host;
		for (int i = 0; i < HOST_PARTS; i++)
			taken_ps += dataset_real_of(&threads, parts_of[i].column, row);
	}
out:
	text_fini(&why);
	arena_fini(&scratch);
	return controller > 0 && all_ps > 0 ? sweep_point_cpu(point) * taken_ps / all_ps : 0;
}

bool compare_host_pair(const struct question *question, const struct sweep_point *const pair[2],
	double more[HOST_PARTS])
{
	double less[HOST_PARTS];

	if (question->points->figure != FIGURE_HOST_CPU || !compare_host(pair[0], less) ||
		!compare_host(pair[1], more))
		return false;
	for (int i = 0; i < HOST_PARTS; i++)
		more[i] -= less[i];
	return true;
}

enum host_part compare_host_most(const double more[HOST_PARTS])
{
	int most = 0;

	for (int i = 1; i < HOST_PARTS; i++)
		if (more[i] > more[most])
			most = i;
	return (enum host_part)most;
}
