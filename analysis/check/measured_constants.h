/* The constants of the platform of a run, as `check` compares them: value and unit by path. Refuses
 * what is no constant: shapes, lists, sources. */
#ifndef ANALYSIS_CHECK_MEASURED_CONSTANTS_H
#define ANALYSIS_CHECK_MEASURED_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/operations/path.h"
#include "base/arena.h"

struct measured_constant {
	const char *path;  /* below the platform: "chip.noc_hop" */
	const char *value; /* "10 cycles"; NULL: this run has none, but others have */
};

struct measured_constants {
	struct measured_constant *at; /* by path */
	uint32_t count;
};

/* Those of an effective platform, in `arena`; none if it is no YAML. */
struct measured_constants measured_constants_read(const char *platform, struct arena *arena);

/* Sorts by path. */
void measured_constants_sort(struct measured_constants *constants);

/* The value at a path, or NULL. */
const char *measured_constant(const struct measured_constants *constants, const char *path);

/* A constant with other values in two runs. */
struct constant_move {
	const char *path;
	const char *old, *new; /* NULL: there is none */
};

struct constant_moves {
	struct constant_move *at; /* by path */
	uint32_t count;
};

/* Those that differ, in `arena`. */
struct constant_moves constant_moves_find(const struct measured_constants *old,
	const struct measured_constants *new, struct arena *arena);

/* "+1 ns (350 to 351 ns)"; in `arena`. */
const char *constant_move_text(const struct constant_move *move, struct arena *arena);

/* By how much what is charged for the constant grows, as a part of it, either way; 1 if it cannot
 * be said. */
double constant_move_growth(const struct constant_move *move);

/* The stage that a constant is charged to, also of the noise on it; STAGE_COUNT if it is never
 * charged by itself, as a clock or a size. */
enum stage constant_stage(const char *path);

#endif
