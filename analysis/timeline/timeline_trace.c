/* Draws everything that measure.trace recorded over time: paths of operations, chips, threads,
 * processors, links, queues. If a chip has many processors with the same role, one counter shows
 * how many of them are busy, because sixty lanes would make the other tracks hard to find. */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

enum { ROLE_TRACKS_MAX = 4, KINDS = 6 };

static const struct {
	const char *kind, *process;
} kinds[KINDS] = {
	{"path", "traced: where the latency of operations went"},
	{"chip", "traced: chips, from mark to mark of an operation"},
	{"thread", "traced: host threads"},
	{"processor", "traced: processors"},
	{"link", "traced: links"},
	{"queue", "traced: queues, slots in use"},
};

/* A track of the file, while it is added to the picture. */
struct traced {
	uint32_t kind, track; /* `kind` is an index in kinds; KINDS: unknown */
	bool counts;	      /* true: the processor shares a counter with others of its role */
	const char *role;     /* role of a processor: "chip 3 worker" */
};

static uint32_t timeline_trace_kind_of(const char *name)
{
	uint32_t kind = 0;

	while (kind < KINDS && strcmp(kinds[kind].kind, name) != 0)
		kind++;
	return kind;
}

static struct traced *read_tracks(struct timeline *timeline)
{
	const struct dataset *tracks = &timeline->trace.tracks;
	struct traced *all = arena_array(timeline->arena, tracks->row_count + 1, sizeof(*all));

	for (uint64_t row = 0; row < tracks->row_count; row++) {
		const char *name = dataset_text_of(tracks, "name", row);

		all[row].kind = timeline_trace_kind_of(dataset_text_of(tracks, "kind", row));
		all[row].role =
			arena_printf(timeline->arena, "%.*s", (int)strcspn(name, ","), name);
	}
	return all;
}

struct role {
	const char *name;
	uint64_t row;
};

static int by_role(const void *a, const void *b)
{
	const struct role *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* If more than ROLE_TRACKS_MAX processors of a chip have the same role, they share one counter. For
 * each of these processors, sets `counts`, and sets `track` to the row of the first of them, for
 * timeline_trace_add_kind(). */
static void group_roles(struct timeline *timeline, struct traced *all, uint64_t count)
{
	struct role *roles = arena_array(timeline->arena, count + 1, sizeof(*roles));
	uint64_t role_count = 0, end;

	for (uint64_t row = 0; row < count; row++)
		if (strcmp(kinds[all[row].kind].kind, "processor") == 0)
			roles[role_count++] = (struct role){all[row].role, row};
	qsort(roles, role_count, sizeof(*roles), by_role);
	for (uint64_t first = 0; first < role_count; first = end) {
		for (end = first + 1;
			end < role_count && strcmp(roles[end].name, roles[first].name) == 0;)
			end++;
		for (uint64_t i = first; i < end && end - first > ROLE_TRACKS_MAX; i++) {
			all[roles[i].row].counts = true;
			all[roles[i].row].track = (uint32_t)roles[first].row;
		}
	}
}

/* Adds the tracks and counters of one kind, in a separate process of the trace. */
static void timeline_trace_add_kind(struct timeline *timeline, struct traced *all, uint32_t kind)
{
	const struct dataset *tracks = &timeline->trace.tracks;
	uint32_t process = UINT32_MAX;

	for (uint64_t row = 0; row < tracks->row_count; row++) {
		if (all[row].kind != kind)
			continue;
		if (process == UINT32_MAX)
			process = picture_process(timeline->picture, kinds[kind].process);
		if (all[row].counts && all[row].track != row)
			/* track of the first processor of the role */
			all[row].track = all[all[row].track].track;
		else if (all[row].counts)
			all[row].track = picture_counter(timeline->picture, process,
				arena_printf(timeline->arena, "%s, busy", all[row].role));
		else if (strcmp(kinds[kind].kind, "queue") == 0)
			all[row].track = picture_counter(
				timeline->picture, process, dataset_text_of(tracks, "name", row));
		else
			all[row].track = picture_track(
				timeline->picture, process, dataset_text_of(tracks, "name", row));
	}
}

static void add_slice(struct timeline *timeline, const struct traced *all, uint64_t row)
{
	const struct dataset *slices = &timeline->trace.slices;
	const struct dataset *labels = &timeline->trace.labels;
	uint64_t track = (uint64_t)dataset_integer_of(slices, "track", row);
	uint64_t label = (uint64_t)dataset_integer_of(slices, "label", row);
	struct picture_slice slice = {.start = dataset_integer_of(slices, "start", row),
		.end = dataset_integer_of(slices, "end", row)};
	int64_t operation = dataset_integer_of(slices, "operation", row);

	if (track >= timeline->trace.tracks.row_count || label >= labels->row_count ||
		all[track].kind == KINDS || slice.start < 0 || slice.end < slice.start)
		return; /* the file is damaged */
	slice.name = dataset_text_of(labels, "label", label);
	if (all[track].counts && strcmp(slice.name, "busy") == 0) {
		picture_count(timeline->picture, all[track].track, slice.start, 1);
		picture_count(timeline->picture, all[track].track, slice.end, -1);
	}
	if (all[track].counts || strcmp(kinds[all[track].kind].kind, "queue") == 0)
		return;
	if (operation > 0)
		picture_number(&slice, "operation", operation);
	picture_slice(timeline->picture, all[track].track, &slice);
}

static void add_depths(struct timeline *timeline, const struct traced *all)
{
	const struct dataset *depths = &timeline->trace.depths;
	uint64_t count = timeline->trace.tracks.row_count;
	int64_t *before = arena_array(timeline->arena, count + 1, sizeof(*before));

	for (uint64_t row = 0; row < depths->row_count; row++) {
		uint64_t track = (uint64_t)dataset_integer_of(depths, "track", row);
		int64_t depth = dataset_integer_of(depths, "depth", row);

		if (track >= count || all[track].kind == KINDS ||
			strcmp(kinds[all[track].kind].kind, "queue") != 0)
			continue; /* the file is damaged */
		picture_count(timeline->picture, all[track].track,
			dataset_integer_of(depths, "at", row), depth - before[track]);
		before[track] = depth;
	}
}

void timeline_trace(struct timeline *timeline)
{
	uint64_t count = timeline->trace.tracks.row_count;
	struct traced *all;

	if (count == 0)
		return;
	all = read_tracks(timeline);
	for (uint64_t row = 0; row < count; row++)
		if (all[row].kind == KINDS)
			return; /* the file is damaged */
	group_roles(timeline, all, count);
	for (uint32_t kind = 0; kind < KINDS; kind++)
		timeline_trace_add_kind(timeline, all, kind);
	for (uint64_t row = 0; row < timeline->trace.slices.row_count; row++)
		add_slice(timeline, all, row);
	add_depths(timeline, all);
}
