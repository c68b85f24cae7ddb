/* Tests the watcher, which shows what cores are doing. Cores in the same state form one group, and
 * the order in which cores are visited does not matter. Output and memory have an upper bound. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "bench/watcher/watcher.h"

static const struct stage_ops brisc = {.name = "brisc"}, worker = {.name = "worker"};

static void see(struct watcher *watcher, uint32_t chip, uint16_t tile, const struct stage_ops *ops,
	const char *waits)
{
	struct stage stage = {.ops = ops,
		.tile = tile,
		.processor = ops == &brisc ? 1 : 0,
		.wait = {.idle = waits == NULL, .what = waits}};

	watcher_see(watcher, chip, &stage, true);
}

static void assert_group(const struct watch_row *row, uint32_t group, uint32_t cores,
	const char *chips, const char *tiles, const char *processor, const char *state)
{
	assert_int_equal(row->group, group);
	assert_int_equal(row->cores, cores);
	assert_string_equal(row->chips, chips);
	assert_string_equal(row->tiles, tiles);
	assert_string_equal(row->processor, processor);
	assert_string_equal(row->state, state);
}

TEST(cores_that_are_at_the_same_are_one_group)
{
	struct watcher *watcher = watcher_new();
	struct arena arena;
	struct watch_row *rows;
	uint32_t count;

	arena_init(&arena);
	for (uint16_t tile = 63; tile >= 2; tile--) {
		see(watcher, 3, tile, &brisc, tile == 40 ? "a barrier" : "semaphore 1");
		see(watcher, 3, tile, &worker, "its kernels");
		see(watcher, 4, tile, &worker, NULL);
		see(watcher, 4, tile, &brisc, NULL);
	}
	rows = watcher_rows(watcher, &arena, &count);
	assert_int_equal(count, 5);
	assert_group(&rows[0], 0, 61, "3", "2-39, 41-63", "worker", "waits");
	assert_group(&rows[1], 0, 61, "3", "2-39, 41-63", "brisc", "waits");
	assert_string_equal(rows[1].waits, "semaphore 1");
	assert_group(&rows[2], 1, 1, "3", "40", "worker", "waits");
	assert_group(&rows[3], 1, 1, "3", "40", "brisc", "waits");
	assert_string_equal(rows[3].waits, "a barrier");
	assert_group(&rows[4], 2, 62, "4", "2-63", "all", "idle");
	watcher_free(watcher);
	arena_fini(&arena);
}

TEST(groups_beyond_the_bound_are_counted)
{
	struct watcher *watcher = watcher_new();
	struct arena arena;
	struct watch_row *rows;
	char waits[WATCHER_GROUPS_MAX + 7][16];
	uint32_t count;

	arena_init(&arena);
	for (uint16_t i = 0; i < WATCHER_GROUPS_MAX + 7; i++) {
		snprintf(waits[i], sizeof waits[i], "thing %u", i);
		see(watcher, 0, i, &worker, waits[i]);
	}
	rows = watcher_rows(watcher, &arena, &count);
	assert_int_equal(count, WATCHER_GROUPS_MAX + 1);
	assert_group(&rows[WATCHER_GROUPS_MAX], WATCHER_GROUPS_MAX, 7, "", "", "all", "others");
	watcher_free(watcher);
	arena_fini(&arena);
}

static struct watch_row acting(uint32_t group, uint32_t cores)
{
	struct watch_row row = {.group = group, .cores = cores, .chip_count = 1, .instruction = 2};

	snprintf(row.chips, sizeof row.chips, "3");
	snprintf(row.tiles, sizeof row.tiles, "2-63");
	snprintf(row.processor, sizeof row.processor, "brisc");
	snprintf(row.state, sizeof row.state, "waits");
	snprintf(row.at, sizeof row.at, "until r3, semaphore 1");
	snprintf(row.waits, sizeof row.waits, "semaphore 1 to be 1, which is 0");
	return row;
}

TEST(only_kernels_that_act_are_told_and_so_many)
{
	struct watch_row rows[4] = {acting(0, 62), acting(1, 5), acting(2, 8), acting(3, 9)};
	struct text told = {0};

	rows[1].instruction = -1;
	watcher_tell(rows, 4, 1, &told);
	assert_string_equal(text_string(&told),
		"watcher: 62 cores of chip 3 (tiles 2-63): brisc at instruction 2 (until r3, "
		"semaphore 1) waits for semaphore 1 to be 1, which is 0\n"
		"watcher: and 17 more cores with kernels that act\n");
	text_fini(&told);
}

TEST_MAIN(NULL, NULL)
