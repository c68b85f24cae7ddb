/* label: full
 * Tests the metrics, the percentiles and the stages of paths in a result file. They must be equal
 * to those that are computed from the marks in the file. There are percentiles for each kind of
 * operation and for each step. The files come from shipped scenarios. */
#include "test.h"

#include <string.h>

#include "analysis/metrics/metric.h"
#include "analysis/operations/measure.h"
#include "analysis/read/summary.h"
#include "shell.h"

enum { NEAR = 64 }; /* runs record no stages if a more distant operation shows the end */

/* Compares the columns and paths of a run's operations; returns the number of values compared. */
static uint32_t compare_operations(
	const struct operations *operations, const struct dataset *rows, uint32_t *paths)
{
	uint32_t compared = 0;

	for (int m = 0; m < METRIC_COUNT; m++) {
		const struct dataset_column *column = dataset_column(rows, metric_names[m]);

		assert_non_null(column);
		for (uint32_t i = 0; i < operations->count; i++) {
			int64_t stored = dataset_integer(rows, column, i);
			int64_t value = metric_value(operations, i, (enum metric)m);
			struct split split;

			if (stored != value)
				fail_msg("%s of operation %u: %lld stored, %lld from its marks",
					metric_names[m], i + 1, (long long)stored,
					(long long)value);
			compared += value >= 0;
			if (value < 0 || !metric_has_stages((enum metric)m) ||
				(m == METRIC_COMPLETION && operations->waiter[i] >= i + NEAR))
				continue;
			if (!path_split(operations, i, (enum metric)m, &split))
				fail_msg("stages of %s do not sum to it: operation %u, %s",
					metric_names[m], i + 1, operations->at[i].kind);
			*paths += operations->pieces != NULL;
		}
	}
	return compared;
}

/* Compares the percentiles of a run in the summary. */
static uint32_t compare_summary(const struct summary *summary, uint64_t row,
	const struct operations *operations, struct arena *arena)
{
	static const uint32_t per_mille[SUMMARY_PERCENTILES] = {500, 900, 990, 999, 1000};
	uint32_t compared = 0;

	for (uint32_t k = 0; k < summary->kind_count; k++)
		for (uint32_t m = 0; m < summary->kinds[k].metric_count; m++) {
			const struct summary_metric *metric = &summary->kinds[k].metrics[m];
			struct samples samples = samples_take(operations, summary->kinds[k].name,
				metric_named(metric->name), arena);

			for (int p = 0; p < SUMMARY_PERCENTILES; p++) {
				int64_t stored = dataset_integer(
					&summary->dataset, metric->percentiles[p], row);
				int64_t value = samples.count
							? samples_at(&samples, per_mille[p])->value
							: -1;

				if (stored != value)
					fail_msg("%s.%s.%s of run %u: %lld stored, %lld from "
						 "samples",
						summary->kinds[k].name, metric->name,
						summary_percentile_names[p], (unsigned)row,
						(long long)stored, (long long)value);
				compared += value >= 0;
			}
		}
	return compared;
}

static void stores_what_follows_from_marks(const char *scenario)
{
	const char *file = test_path("stored.h5");
	struct summary summary;
	struct arena arena;
	struct text why;
	uint32_t operations_compared = 0, summaries_compared = 0, paths = 0;

	text_init(&why);
	arena_init(&arena);
	assert_int_equal(shell("\"$MESHSIM_BINARY\" run \"$MESHSIM_SOURCE_DIR/scenarios/%s\" "
			       "-o '%s' >/dev/null",
				 scenario, file),
		0);
	if (!summary_open(&summary, file, &why))
		fail_msg("%s: %s", scenario, text_string(&why));
	for (uint64_t row = 0; row < summary.dataset.row_count; row++) {
		const char *group = summary_group(&summary, row);
		struct operations operations;
		struct dataset rows;

		if (!operations_read(&summary, group, &arena, &operations, &why) ||
			!operations_rows(&summary, group, &arena, &rows, &why))
			fail_msg("%s: %s", scenario, text_string(&why));
		operations_compared += compare_operations(&operations, &rows, &paths);
		summaries_compared += compare_summary(&summary, row, &operations, &arena);
	}
	print_message("%s: %u values, %u percentiles, %u paths\n", scenario, operations_compared,
		summaries_compared, paths);
	assert_true(operations_compared > 0 && summaries_compared > 0 && paths > 0);
	summary_close(&summary);
	arena_fini(&arena);
}

TEST(one_mesh_stores_what_follows_from_marks)
{
	stores_what_follows_from_marks("quickstart.yaml");
}

TEST(two_meshes_store_what_follows_from_marks)
{
	stores_what_follows_from_marks("two-meshes.yaml");
}

TEST(sub_devices_store_what_follows_from_marks)
{
	stores_what_follows_from_marks("tgg-sub-devices.yaml");
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
