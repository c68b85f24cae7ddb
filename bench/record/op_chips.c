/* Adds slices of watched operations to the timelines of chips (recorder_private.h). A slice lasts
 * from the operation's previous mark on the chip, or from its call, to a mark. A mark that comes
 * out of the order of time gives no slice. This happens, for example, if a chip both sends and
 * receives. */
#include "recorder_private.h"

#include "base/allocate.h"
#include "cause/cause.h"
#include "watch/watch.h"

/* The progress of one operation on one chip. Few operations are watched, so a linear search from
 * the last element is fast enough. */
struct place {
	uint32_t operation, chip, track;
	int64_t at_ps;
};

static struct place *places;
static uint32_t place_count, place_capacity;

static enum time_stage stage_before(enum mark_point point)
{
	static const enum time_stage stages[MARK_POINT_COUNT] = {
#define X(name, what, stage, wait) [MARK_##name] = TIME_##stage,
#include "lists/mark.def"
#undef X
	};

	return stages[point];
}

static struct place *op_chips_place_of(uint32_t operation, uint32_t chip, int64_t called_ps)
{
	struct place *place;

	for (uint32_t i = place_count; i-- > 0;)
		if (places[i].operation == operation && places[i].chip == chip)
			return &places[i];
	if (place_count == place_capacity) {
		place_capacity = place_capacity ? 2 * place_capacity : 256;
		places = allocate_more(places, place_capacity, sizeof *places);
	}
	place = &places[place_count++];
	*place = (struct place){operation, chip,
		watch_track(WATCH_CHIP, (int32_t)chip, "operation %u, chip %u", operation, chip),
		called_ps};
	return place;
}

void op_chips_mark(uint32_t operation, int64_t called_ps, int64_t time_ps, enum mark_point point,
	uint32_t chip)
{
	const struct watch_window *window = watch_window_of(operation);
	struct place *place;

	if (window == NULL || point <= MARK_RETURNED || point == MARK_POLLED || point == MARK_SEEN)
		return;
	if (time_ps > window->end_ps)
		time_ps = window->end_ps;
	place = op_chips_place_of(operation, chip, called_ps);
	if (time_ps <= place->at_ps)
		return;
	watch_slice_of(place->track, operation, place->at_ps, time_ps,
		place->at_ps == called_ps ? "on its way" : time_stage_label(stage_before(point)));
	place->at_ps = time_ps;
}
