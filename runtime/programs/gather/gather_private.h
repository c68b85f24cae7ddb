/* The structures of a gather. Only for files of this folder. */
#ifndef PROGRAMS_GATHER_PRIVATE_H
#define PROGRAMS_GATHER_PRIVATE_H

#include "programs/gather.h"

/* A round: all-gathers along all rows of devices at once, or along all columns. */
struct gather_round {
	struct handle_buffer *output; /* the same on all devices of a row or a column */
	struct workload *workload;
	struct program **programs; /* by place on a line, or by line and place */
	uint32_t program_count;
};

struct mesh_gather {
	struct device_handle *device;
	struct handle_buffer *read; /* the host reads this: the user's buffer, or the last output */
	struct gather_round rounds[GATHER_ROUNDS_MAX];
	uint32_t round_count, cores;
};

/* ---- gather_rounds.c ---- */

/* Creates the rounds that the source needs, or none if each device already has all of it. After an
 * error, the gather still owns the rounds created so far. */
enum status gather_rounds_make(
	struct mesh_gather *gather, const struct gather_source *source, struct text *why);
void gather_round_fini(struct mesh_gather *gather, struct gather_round *round);

#endif
