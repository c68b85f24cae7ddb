/* Draws the values that kernels printed. Each processor that printed values has a track, on which
 * each value is an instant (a slice without duration). */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/* A printed value, by its row, and the processor that printed it. */
struct printed {
	int64_t chip, tile;
	const char *processor;
	uint64_t row;
};

static int compare_places(const struct printed *a, const struct printed *b)
{
	int by = (a->chip > b->chip) - (a->chip < b->chip);

	if (by == 0)
		by = (a->tile > b->tile) - (a->tile < b->tile);
	return by != 0 ? by : strcmp(a->processor, b->processor);
}

static int compare_printed(const void *left, const void *right)
{
	const struct printed *a = left, *b = right;
	int by = compare_places(a, b);

	return by != 0 ? by : (a->row > b->row) - (a->row < b->row);
}

static void add_print(struct timeline *timeline, uint32_t track, uint64_t row)
{
	const struct dataset *prints = &timeline->run.prints;
	int64_t time = dataset_integer_of(prints, "time", row);
	struct picture_slice slice = {.start = time,
		.end = time,
		.name = arena_printf(timeline->arena, "%lld: %s = %.9g",
			(long long)dataset_integer_of(prints, "number", row),
			dataset_text_of(prints, "what", row),
			dataset_real_of(prints, "value", row))};

	if (time < 0)
		return; /* the file is damaged */
	picture_number(&slice, "operation", dataset_integer_of(prints, "operation", row));
	picture_number(&slice, "instruction", dataset_integer_of(prints, "instruction", row));
	picture_slice(timeline->picture, track, &slice);
}

void timeline_prints(struct timeline *timeline)
{
	const struct dataset *prints = &timeline->run.prints;
	uint64_t count = prints->row_count;
	struct printed *all = arena_array(timeline->arena, count + 1, sizeof(*all));
	uint32_t process, track = 0;

	if (count == 0)
		return;
	for (uint64_t row = 0; row < count; row++)
		all[row] = (struct printed){dataset_integer_of(prints, "chip", row),
			dataset_integer_of(prints, "tile", row),
			dataset_text_of(prints, "processor", row), row};
	qsort(all, count, sizeof(*all), compare_printed);
	process = picture_process(timeline->picture, "prints of kernels");
	for (uint64_t i = 0; i < count; i++) {
		if (i == 0 || compare_places(&all[i - 1], &all[i]) != 0)
			track = picture_track(timeline->picture, process,
				arena_printf(timeline->arena, "chip %lld tile %lld %s",
					(long long)all[i].chip, (long long)all[i].tile,
					all[i].processor));
		add_print(timeline, track, all[i].row);
	}
}
