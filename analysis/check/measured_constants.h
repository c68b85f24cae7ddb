/* The constants of a run's platform as `check` compares them: value and unit by path. Shapes, lists
 * and sources are not constants. */
#ifndef ANALYSIS_CHECK_MEASURED_CONSTANTS_H
#define ANALYSIS_CHECK_MEASURED_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/operations/path.h"
#include "base/arena.h"

struct measured_constant {
	const char *path;  /* below the platform: "chip.noc_hop" */
	const char *value; /* "10 cycles"; NULL: only other runs have this constant */
};

struct measured_constants {
	struct measured_constant *at; /* sorted by path */
	uint32_t count;
};

/* Reads the constants of an effective platform into `arena`; none if the text is no YAML. */
struct measured_constants measured_constants_read(const char *platform, struct arena *arena);

/* Sorts constants by path. */
void measured_constants_sort(struct measured_constants *constants);

/* The value at a path, or NULL. */
const char *measured_constant(const struct measured_constants *constants, const char *path);

/* A constant that has different values in two runs. */
struct constant_move {
	const char *path;
	const char *old, *new; /* NULL: there is none */
};

struct constant_moves {
	struct constant_move *at; /* sorted by path */
	uint32_t count;
};

/* Finds the constants that differ, allocated in `arena`. */
struct constant_moves constant_moves_find(const struct measured_constants *old,
	const struct measured_constants *new, struct arena *arena);

/* A move as text, "+1 ns (350 to 351 ns)", allocated in `arena`. */
const char *constant_move_text(const struct constant_move *move, struct arena *arena);

/* The relative change, as an absolute value, of the time that is charged for the constant; 1 if it
 * cannot be computed. */
double constant_move_growth(const struct constant_move *move);

/* The stage that a constant, or the noise on it, is charged to. STAGE_COUNT if it is never charged
 * itself, such as a clock or a size. */
enum stage constant_stage(const char *path);

#endif
