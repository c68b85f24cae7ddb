/* Walks from a moment back to another, and says what the time between them went into. Follows who
 * ended a wait if that was done for the same operation or a later one; else the time is waiting.
 * Waiting for room is always waiting. Every picosecond is charged for something. */
#ifndef CAUSE_PATH_H
#define CAUSE_PATH_H

#include "cause/cause.h"

/* A moment of an operation's own life, by which its way is found again where others were before it:
 * `wait` is what it waits for behind it. */
struct path_mark {
	int64_t at_ps;
	cause_id cause;
	enum charge wait;
};

struct path_query {
	cause_id end;
	int64_t end_ps, start_ps;
	uint32_t operation;
	const struct path_mark *marks; /* by time */
	uint32_t mark_count;
};

/* One piece of the way, from its end to its start. */
typedef void path_piece(void *context, enum charge charge, int64_t from_ps, int64_t to_ps);

/* Calls `piece` for each, the last first; they join each other. */
void path_walk(const struct path_query *query, path_piece *piece, void *context);

/* Platform path of a charge's constant, "" if it is none; its stage's number and label, from
 * cause/stage.def. The path is good until charge_ways() is called. */
const char *charge_path(enum charge charge);

/* The library that messages between hosts take in this run, and the codec that they are written
 * with, which stand for the `*` of paths of their constants. Static texts; NULL, as at first: they
 * keep it. */
void charge_ways(const char *transport_name, const char *codec_name);

enum time_stage {
#define X(name, label) TIME_##name,
#include "cause/stage.def"
#undef X
	TIME_STAGE_COUNT
};

enum time_stage charge_stage(enum charge charge);
const char *time_stage_label(enum time_stage stage);

#endif
