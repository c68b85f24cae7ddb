/* Writes, for a report, the timeline of traced operations (measure.trace): the critical path of
 * each operation, what the chips did for it, and the deepest queues during this time. Times count
 * from the operation's call. Links, processors and threads are only in the output of `meshsim
 * timeline`. */
#include <stdlib.h>
#include <string.h>

#include "report_private.h"

enum { OPERATIONS_MOST = 8, CHIPS_MOST = 72, QUEUES_MOST = 8, POINTS_MOST = 400 };

/* One traced operation, with its start and end and the track of its critical path. */
struct life {
	int64_t operation, start, end;
	uint64_t path; /* index of the track */
};

struct trace_writer {
	const struct run_trace *trace;
	struct arena *arena;
	struct json *json;
	uint64_t track_count;
	const char **kinds; /* kind of each track */
};

struct place {
	int64_t start, end;
	uint64_t track, row;
};

static bool is_kind(const struct trace_writer *writer, uint64_t track, const char *kind)
{
	return track < writer->track_count && strcmp(writer->kinds[track], kind) == 0;
}

static uint64_t track_at(const struct dataset *rows, uint64_t row)
{
	return (uint64_t)dataset_integer_of(rows, "track", row);
}

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int first_of(int first, int next)
{
	return first != 0 ? first : next;
}

/* ---- operations ---- */

/* Sorts operations by duration, the longest first; equally long ones by time. */
static int by_duration(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	return first_of(order(y->end - y->start, x->end - x->start), order(x->start, y->start));
}

static int by_start(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	return first_of(order(x->start, y->start), order(x->operation, y->operation));
}

/* Finds the operations that have a recorded path, and sets *all to their number. The slowest of
 * them, at most OPERATIONS_MOST, are shown. They come first in the result, sorted by their start,
 * and *shown is their number. */
static struct life *find_lives(const struct trace_writer *writer, uint32_t *shown, uint64_t *all)
{
	const struct dataset *slices = &writer->trace->slices;
	struct life *of = arena_array(writer->arena, writer->track_count + 1, sizeof(*of));

	for (uint64_t row = 0; row < slices->row_count; row++) {
		uint64_t track = track_at(slices, row);
		int64_t start = dataset_integer_of(slices, "start", row);
		int64_t end = dataset_integer_of(slices, "end", row);
		struct life *life;
		if (!is_kind(writer, track, "path"))
			continue;
		life = &of[track];
		if (life->operation == 0)
			*life = (struct life){
				dataset_integer_of(slices, "operation", row), start, end, track};
		life->start = start < life->start ? start : life->start;
		life->end = end > life->end ? end : life->end;
	}
	*all = 0;
	for (uint64_t track = 0; track < writer->track_count; track++)
		if (of[track].operation > 0)
			of[(*all)++] = of[track];
	qsort(of, *all, sizeof(*of), by_duration);
	*shown = *all < OPERATIONS_MOST ? (uint32_t)*all : OPERATIONS_MOST;
	qsort(of, *shown, sizeof(*of), by_start);
	return of;
}

/* ---- slices ---- */

static int report_trace_by_time(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return first_of(order(x->start, y->start), order((int64_t)x->row, (int64_t)y->row));
}

static int report_trace_by_track(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return first_of(order((int64_t)x->track, (int64_t)y->track), report_trace_by_time(x, y));
}

/* Finds the slices of an operation on tracks of one kind, sorted by track and time. */
static uint64_t find_slices(const struct trace_writer *writer, const struct life *life,
	const char *kind, struct place *places)
{
	const struct dataset *slices = &writer->trace->slices;
	uint64_t count = 0;

	for (uint64_t row = 0; row < slices->row_count; row++) {
		struct place place = {dataset_integer_of(slices, "start", row),
			dataset_integer_of(slices, "end", row), track_at(slices, row), row};
		if (dataset_integer_of(slices, "operation", row) == life->operation &&
			is_kind(writer, place.track, kind) && place.start >= life->start &&
			place.end >= place.start)
			places[count++] = place;
	}
	qsort(places, count, sizeof(*places), report_trace_by_track);
	return count;
}

/* Writes label, start and end of each slice; adjacent slices with the same label become one. */
static void write_slices(const struct trace_writer *writer, const struct life *life,
	const struct place *places, uint64_t count)
{
	const struct dataset *slices = &writer->trace->slices;

	for (uint64_t i = 0, next; i < count; i = next) {
		int64_t label = dataset_integer_of(slices, "label", places[i].row);
		int64_t end = places[i].end;
		for (next = i + 1; next < count && places[next].start == end &&
				   dataset_integer_of(slices, "label", places[next].row) == label;
			next++)
			end = places[next].end;
		json_integer(writer->json, label);
		json_integer(writer->json, places[i].start - life->start);
		json_integer(writer->json, end - life->start);
	}
}

struct chip {
	uint64_t first, count; /* range of the chip's slices in the array of places */
	int64_t end;
};

static int by_end(const void *a, const void *b)
{
	const struct chip *x = a, *y = b;

	return first_of(order(x->end, y->end), order((int64_t)x->first, (int64_t)y->first));
}

/* Writes the chips of an operation in the order in which they finished. If there are more than
 * CHIPS_MOST chips, writes only CHIPS_MOST of them, evenly spaced in this order. */
static void report_trace_write_chips(
	const struct trace_writer *writer, const struct life *life, struct place *places)
{
	uint64_t count = find_slices(writer, life, "chip", places), all = 0;
	struct chip *chips = arena_array(writer->arena, count + 1, sizeof(*chips));
	uint64_t shown;

	for (uint64_t i = 0; i < count; i++) {
		if (i == 0 || places[i].track != places[i - 1].track)
			chips[all++] = (struct chip){i, 0, 0};
		chips[all - 1].count++;
		if (places[i].end > chips[all - 1].end)
			chips[all - 1].end = places[i].end;
	}
	qsort(chips, all, sizeof(*chips), by_end);
	shown = all < CHIPS_MOST ? all : CHIPS_MOST;
	json_integer_of(writer->json, "chips_all", (int64_t)all);
	json_array_of(writer->json, "chips");
	for (uint64_t i = 0; i < shown; i++) {
		const struct chip *chip = &chips[shown > 1 ? i * (all - 1) / (shown - 1) : 0];
		json_object(writer->json);
		json_integer_of(writer->json, "chip",
			dataset_integer_of(
				&writer->trace->tracks, "chip", places[chip->first].track));
		json_array_of(writer->json, "slices");
		write_slices(writer, life, &places[chip->first], chip->count);
		json_array_end(writer->json);
		json_object_end(writer->json);
	}
	json_array_end(writer->json);
}

/* ---- queues ---- */

struct deep_queue {
	uint64_t track, changes;
	int64_t before, most; /* depth at the start of the operation; largest depth during it */
};

/* Sorts queues by depth, the deepest first; equally deep ones by number of changes. */
static int report_trace_by_depth(const void *a, const void *b)
{
	const struct deep_queue *x = a, *y = b;

	return first_of(
		order(y->most, x->most), first_of(order((int64_t)y->changes, (int64_t)x->changes),
						 order((int64_t)x->track, (int64_t)y->track)));
}

/* Finds the queues that were not always empty while the operation lasted, the deepest first. */
static uint64_t find_queues(
	const struct trace_writer *writer, const struct life *life, struct deep_queue *queues)
{
	const struct dataset *depths = &writer->trace->depths;
	uint64_t used = 0;

	for (uint64_t track = 0; track < writer->track_count; track++)
		queues[track] = (struct deep_queue){.track = track};
	for (uint64_t row = 0; row < depths->row_count; row++) {
		uint64_t track = track_at(depths, row);
		int64_t at = dataset_integer_of(depths, "at", row);
		int64_t depth = dataset_integer_of(depths, "depth", row);
		if (!is_kind(writer, track, "queue") || at > life->end)
			continue;
		if (at <= life->start)
			queues[track].before = queues[track].most = depth;
		else
			queues[track].changes++;
		if (depth > queues[track].most)
			queues[track].most = depth;
	}
	for (uint64_t track = 0; track < writer->track_count; track++)
		if (queues[track].most > 0)
			queues[used++] = queues[track];
	qsort(queues, used, sizeof(*queues), report_trace_by_depth);
	return used;
}

/* Writes the depth of a queue over time as a list of pairs: a time, and the depth that the queue
 * has from this time on. If there are more than POINTS_MOST pairs, combines neighbouring pairs into
 * one pair with their largest depth. */
static void write_queue(
	const struct trace_writer *writer, const struct life *life, const struct deep_queue *queue)
{
	const struct dataset *depths = &writer->trace->depths;
	uint64_t each = queue->changes / POINTS_MOST + 1, seen = 0;
	int64_t most = 0, first = 0;

	json_object(writer->json);
	json_text(writer->json, "name",
		dataset_text_of(&writer->trace->tracks, "name", queue->track));
	json_array_of(writer->json, "depth");
	json_integer(writer->json, 0);
	json_integer(writer->json, queue->before);
	for (uint64_t row = 0; row < depths->row_count; row++) {
		int64_t at = dataset_integer_of(depths, "at", row);
		int64_t depth = dataset_integer_of(depths, "depth", row);
		if (track_at(depths, row) != queue->track || at <= life->start || at > life->end)
			continue;
		first = seen % each == 0 ? at : first;
		most = seen % each == 0 || depth > most ? depth : most;
		if (++seen % each == 0 || seen == queue->changes) {
			json_integer(writer->json, first - life->start);
			json_integer(writer->json, most);
		}
	}
	json_array_end(writer->json);
	json_object_end(writer->json);
}

static void report_trace_write_queues(const struct trace_writer *writer, const struct life *life)
{
	struct deep_queue *queues =
		arena_array(writer->arena, writer->track_count + 1, sizeof(*queues));
	uint64_t used = find_queues(writer, life, queues);

	json_integer_of(writer->json, "queues_all", (int64_t)used);
	json_array_of(writer->json, "queues");
	for (uint64_t i = 0; i < used && i < QUEUES_MOST; i++)
		write_queue(writer, life, &queues[i]);
	json_array_end(writer->json);
}

/* ---- all of it ---- */

static void write_life(
	const struct trace_writer *writer, const struct life *life, struct place *places)
{
	uint64_t count;

	json_object(writer->json);
	json_text(
		writer->json, "name", dataset_text_of(&writer->trace->tracks, "name", life->path));
	json_integer_of(writer->json, "start", life->start);
	json_integer_of(writer->json, "end", life->end - life->start);
	count = find_slices(writer, life, "path", places);
	json_array_of(writer->json, "path");
	write_slices(writer, life, places, count);
	json_array_end(writer->json);
	report_trace_write_chips(writer, life, places);
	report_trace_write_queues(writer, life);
	json_object_end(writer->json);
}

void report_trace(const struct run_trace *trace, struct arena *arena, struct json *json)
{
	struct trace_writer writer = {trace, arena, json, trace->tracks.row_count, NULL};
	struct life *lives;
	struct place *places;
	uint64_t all;
	uint32_t count;

	json_key(json, "trace");
	writer.kinds = arena_array(arena, writer.track_count + 1, sizeof(*writer.kinds));
	for (uint64_t track = 0; track < writer.track_count; track++)
		writer.kinds[track] = dataset_text_of(&trace->tracks, "kind", track);
	lives = find_lives(&writer, &count, &all);
	if (count == 0) {
		json_null(json);
		return;
	}
	places = arena_array(arena, trace->slices.row_count + 1, sizeof(*places));
	json_object(json);
	json_integer_of(json, "operations_all", (int64_t)all);
	json_array_of(json, "labels");
	for (uint64_t row = 0; row < trace->labels.row_count; row++)
		json_string(json, dataset_text_of(&trace->labels, "label", row));
	json_array_end(json);
	json_array_of(json, "operations");
	for (uint32_t i = 0; i < count; i++)
		write_life(&writer, &lives[i], places);
	json_array_end(json);
	json_object_end(json);
}
