/* Tables of a recording (run_world.h), without empty tracks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run_world.h"

static const char *kind_name(enum watch_kind kind)
{
	static const char *const names[] = {"path", "chip", "processor", "link", "thread", "queue"};

	return names[kind];
}

/* Returns the number of a text among the labels. Adds the text if it is new. If there is no room
 * for it, returns the number of the last label. */
static uint32_t label_of(struct trace_label_row *labels, uint32_t *count, const char *what)
{
	uint32_t at = 0;

	while (at < *count && strcmp(labels[at].label, what) != 0)
		at++;
	if (at == *count && at < TRACE_LABELS_MAX)
		snprintf(labels[(*count)++].label, sizeof labels[0].label, "%s", what);
	return at < TRACE_LABELS_MAX ? at : TRACE_LABELS_MAX - 1;
}

/* Numbers the tracks that were used, from 0, and makes their rows. */
static uint32_t *add_tracks(
	struct run_record *record, const struct watched *watched, struct arena *arena)
{
	uint32_t *numbers = arena_array(arena, watched->track_count + 1, sizeof *numbers);
	struct trace_track_row *rows = arena_array(arena, watched->track_count + 1, sizeof *rows);
	uint32_t count = 0;

	for (uint32_t i = 0; i < watched->slice_count; i++)
		numbers[watched->slices[i].track] = 1;
	for (uint32_t i = 0; i < watched->depth_count; i++)
		numbers[watched->depths[i].track] = 1;
	for (uint32_t i = 1; i < watched->track_count; i++) {
		if (numbers[i] == 0)
			continue;
		numbers[i] = count;
		snprintf(rows[count].name, sizeof rows[count].name, "%s", watched->tracks[i].name);
		snprintf(rows[count].kind, sizeof rows[count].kind, "%s",
			kind_name(watched->tracks[i].kind));
		rows[count++].chip = watched->tracks[i].chip;
	}
	record_table(record, results_trace_tracks(), rows, count);
	return numbers;
}

static void add_slices(struct run_record *record, const struct watched *watched,
	const uint32_t *numbers, struct arena *arena)
{
	struct trace_slice_row *rows = arena_array(arena, watched->slice_count + 1, sizeof *rows);
	struct trace_label_row *labels = arena_array(arena, TRACE_LABELS_MAX, sizeof *labels);
	char label[sizeof labels->label];
	uint32_t count = 0;

	for (uint32_t i = 0; i < watched->slice_count; i++) {
		const struct watch_slice *slice = &watched->slices[i];

		/* The name of a processor's slice is WATCH_BUSY, begins with "halted", or says what
		 * the processor waits for. */
		bool waits = watched->tracks[slice->track].kind == WATCH_PROCESSOR &&
			     strcmp(slice->what, WATCH_BUSY) != 0 &&
			     strncmp(slice->what, "halted", strlen("halted")) != 0;

		snprintf(label, sizeof label, "%s%s", waits ? "waits for " : "", slice->what);
		rows[i] = (struct trace_slice_row){slice->operation, numbers[slice->track],
			(uint16_t)label_of(labels, &count, label), slice->start_ps, slice->end_ps};
	}
	record_table(record, results_trace_slices(), rows, watched->slice_count);
	record_table(record, results_trace_labels(), labels, count);
}

void watch_record(struct run_record *record, struct arena *arena)
{
	const struct watched *watched = watch_end();
	struct trace_depth_row *depths;
	const uint32_t *numbers;

	if (!watched)
		return;
	numbers = add_tracks(record, watched, arena);
	add_slices(record, watched, numbers, arena);
	depths = arena_array(arena, watched->depth_count + 1, sizeof *depths);
	for (uint32_t i = 0; i < watched->depth_count; i++)
		depths[i] = (struct trace_depth_row){numbers[watched->depths[i].track],
			watched->depths[i].depth, watched->depths[i].at_ps};
	record_table(record, results_trace_depths(), depths, watched->depth_count);
	if (watched->lost > 0)
		fprintf(stderr, "trace: %" PRIu64 " moments more than the %d that are kept\n",
			watched->lost, WATCH_MOST);
}
