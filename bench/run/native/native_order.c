/* Orders native runs so that a change of this machine's speed during a sweep affects all points of
 * the sweep equally (processes.h). */
#include "processes.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "base/table/order.h"

/* Fills `places` with the place of each point in a random order for a pair of seeds. */
static void place_points(uint32_t *places, uint32_t points, uint32_t pair)
{
	struct stream stream;

	stream_init(&stream, pair, "native/order");
	for (uint32_t i = 0; i < points; i++) {
		uint32_t other = (uint32_t)stream_below(&stream, i + 1);

		places[i] = places[other];
		places[other] = i;
	}
}

void native_order(const struct scenario_file *file, uint32_t *numbers, uint32_t count)
{
	int64_t *keys = allocate(count, sizeof *keys);
	uint32_t seeds, most, points, pair = UINT32_MAX, *places;

	scenario_precision(file, &seeds, &most);
	points = scenario_run_count(file) / seeds;
	places = allocate(points, sizeof *places);
	for (uint32_t seed = 0, found = 0; seed < seeds; seed++) {
		if (seed / 2 != pair)
			place_points(places, points, pair = seed / 2);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t place = places[numbers[i] / seeds];

			if (numbers[i] % seeds != seed)
				continue;
			place = seed % 2 ? points - 1 - place : place;
			keys[found++] = ((int64_t)seed * points + place) << 32 | numbers[i];
		}
	}
	sort_integers(keys, count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = (uint32_t)keys[i];
	free(places);
	free(keys);
}
