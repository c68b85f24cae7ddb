/* Sweeps: a map from dotted keys to lists of values; every combination is a run. Empty lists,
 * overlapping keys and more than SCENARIO_RUNS_MAX runs are errors. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench/scenario/scenario.h"

struct sweep_axis {
	const char *path;
	struct location where;
	const struct tree_node *values; /* sequence */
};

struct sweep {
	struct sweep_axis *axes;
	uint32_t axis_count;
	uint32_t points; /* 1 without axes */
};

/* Reads the sweep of a scenario's root. `seeds`: runs per point. False after errors. */
bool sweep_read(struct sweep *sweep, const struct tree_node *root, uint32_t seeds,
	struct arena *arena, struct diag *diag);

/* Value of axis `axis` at point `point`. */
const struct tree_node *sweep_value(const struct sweep *sweep, uint32_t axis, uint32_t point);

/* Puts the values of `point` into `tree`. A map is merged key by key with the map in the tree,
 * except for a platform, which is replaced. False after errors; valid values are still applied. */
bool sweep_apply(const struct sweep *sweep, uint32_t point, struct tree *tree, struct diag *diag);

/* Prepares for --set `path`: drops the axis of exactly that key. False, with an error, if a swept
 * value sets the key or one above or below it: the option would have no effect. */
bool sweep_unset(struct tree *tree, const char *path, struct location where, struct diag *diag);

/* Columns of the summary: the axes, or the leaves of those swept by maps. */
uint32_t sweep_columns(const struct sweep *sweep, struct arena *arena, const char ***names);

/* Text of column `name` at `point`, "-" if the point does not set it; in `arena`. */
const char *sweep_cell(
	const struct sweep *sweep, const char *name, uint32_t point, struct arena *arena);

#endif
