/* Walks back along causes from one moment to an earlier one, and reports how the time between the
 * two moments was spent. When the walk comes to a wait of a thread, it continues at the cause that
 * woke the thread, if this cause belongs to the same operation or a later one. If not, the time of
 * the wait counts as waiting. A wait for free space always counts as waiting. Every picosecond is
 * charged to something. */
#ifndef CAUSE_PATH_H
#define CAUSE_PATH_H

#include "cause/cause.h"

/* A mark: a moment that belongs to the query's operation for certain. If the path leads to an
 * earlier operation, the walk jumps back to the latest mark before that point. The time that this
 * jump skips is charged to `wait`. */
struct path_mark {
	int64_t at_ps;
	cause_id cause;
	enum charge wait;
};

struct path_query {
	cause_id end;
	int64_t end_ps, start_ps;
	uint32_t operation;
	const struct path_mark *marks; /* marks in the order of their times */
	uint32_t mark_count;
};

typedef void path_piece(void *context, enum charge charge, int64_t from_ps, int64_t to_ps);

/* Calls `piece` for each piece of the path, from the last to the first. The pieces cover the time
 * without gaps. */
void path_walk(const struct path_query *query, path_piece *piece, void *context);

/* charge_path() returns the name of the platform constant that a charge comes from, or "" if there
 * is none; the name is valid until charge_ways() is called. charge_stage() returns the stage to
 * which a charge belongs. time_stage_label() returns the label of a stage (lists/stage.def). */
const char *charge_path(enum charge charge);

/* Sets the names of the transport library and of the codec of this run. In the names of constants
 * that exist once per library or codec, charge_path() puts these names in place of the `*`. Both
 * names are static text. With NULL, the default, the `*` remains. */
void charge_ways(const char *transport_name, const char *codec_name);

enum time_stage {
#define X(name, label) TIME_##name,
#include "lists/stage.def"
#undef X
	TIME_STAGE_COUNT
};

enum time_stage charge_stage(enum charge charge);
const char *time_stage_label(enum time_stage stage);

#endif
