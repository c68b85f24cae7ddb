/* Loads a scenario file with command-line options, and expands it to runs. Each combination of the
 * sweep's values, with each seed, is a run. From one run to the next, the seed changes fastest, and
 * the first key of the sweep changes slowest. The whole file is validated when it is opened, before
 * a run starts. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include "base/output.h"
#include "bench/scenario/scenario.h"
#include "platform/platform.h"
#include <stdbool.h>
#include "programs/messages.h"

struct scenario_file; /* opaque: a scenario with all its runs */
struct load_options {
	const char *const *sets; /* "KEY=VALUE", in the order of the command line */
	uint32_t set_count;
	bool has_seed; /* --seed: one run per point, with this seed */
	uint64_t seed;
	const char *platform_directory;
	bool native; /* the runs are for the native world, where some keys have no effect */

	/* Called after each validated run; may be NULL. */
	void (*validated)(void *context, const struct scenario_file *file, uint32_t done);
	void *context;
};

/* The keys of one run, as structs, with its platform. */
struct run_plan {
	uint32_t index;
	struct tree *tree; /* the tree of the run, to which preset, sweep and options were applied,
			    * and in which equal steps were folded */
	const struct tree_node *written; /* the steps before folding; NULL: no step was folded */
	struct arena arena;
	struct scenario *scenario;
	const struct platform *platform; /* belongs to the file */
	const char *platform_text;	 /* the effective platform as YAML */
	bool native;
};

/* Reads the file, applies the options, and validates every run. Returns NULL after errors, which
 * are in `diag`. The result contains the source texts that its locations cite, so it may outlive
 * `diag`. */
struct scenario_file *scenario_open(
	const char *path, const struct load_options *options, struct diag *diag);

/* Returns a copy of the scenario that has `seeds` seeds for each point of the sweep, without
 * reading files again. The scenario must have the key measure.precision. `seeds` must not exceed
 * the number that scenario_precision() stores in *most. Never returns NULL. */
struct scenario_file *scenario_with_seeds(const struct scenario_file *file, uint32_t seeds);

/* Frees the scenario. NULL is allowed. */
void scenario_close(struct scenario_file *file);

/* Contents. */
const char *scenario_path(const struct scenario_file *file);
const char *scenario_name(const struct scenario_file *file);
const char *scenario_description(const struct scenario_file *file);
/* Returns measure.precision as a fraction, or 0 if the key is missing. Sets *seeds to the number of
 * seeds that each point of the sweep has now, and *most to the largest number that it may get. */
double scenario_precision(const struct scenario_file *file, uint32_t *seeds, uint32_t *most);

uint32_t scenario_run_count(const struct scenario_file *file);
uint64_t scenario_hash(const struct scenario_file *file); /* hash of all runs and of this program */

/* Facts of one run. `scenario_text` and `platform_text` are the effective scenario and platform as
 * YAML, and `hash` is the hash of both texts. `identity` is a hash of run, scenario and program; it
 * identifies the part file that the run writes. `wall_s` is the wall-clock limit in seconds; 0
 * means no limit. */
struct run_facts {
	uint64_t seed, hash, identity;
	const char *scenario_text, *platform_text;
	uint32_t wall_s;
};
const struct run_facts *scenario_run(const struct scenario_file *file, uint32_t run);

/* These functions return the columns of swept keys: their number, their names, and the value that a
 * run has in a column, as text in `arena`. The text is "-" if the run does not set the key. */
uint32_t scenario_swept_count(const struct scenario_file *file);
const char *scenario_swept_name(const struct scenario_file *file, uint32_t column);
const char *scenario_swept_value(
	const struct scenario_file *file, uint32_t column, uint32_t run, struct arena *arena);

/* Appends the run and its swept keys, like "run 3 (runtime.completion=table, seed=2)". */
void scenario_label_run(const struct scenario_file *file, uint32_t run, struct text *out);

/* Builds the plan of one run again, for the child that executes it. False after errors. */
bool run_plan_open(
	struct scenario_file *file, uint32_t run, struct diag *diag, struct run_plan *plan);
void run_plan_close(struct run_plan *plan);

/* Scenario files, as output of commands. */
extern const struct output_kind scenario_output_kind;

/* The tables of constants that the model and the firmware need; static. */
const struct constant_table *constant_tables(size_t *count);

/* Sweeps. A sweep is a map from dotted keys to lists of values, and every combination of values is
 * a point of the sweep. Empty lists, overlapping keys and more than SCENARIO_RUNS_MAX runs are
 * errors. */
struct sweep_axis {
	const char *path;
	struct location where;
	const struct tree_node *values; /* the sequence of the axis's values */
};

struct sweep {
	struct sweep_axis *axes;
	uint32_t axis_count;
	uint32_t points; /* number of points; 1 if there are no axes */
};

/* Reads the sweep of a scenario from the root of the scenario's tree. `seeds` is the number of runs
 * per point. Returns false after errors. */
bool sweep_read(struct sweep *sweep, const struct tree_node *root, uint32_t seeds,
	struct arena *arena, struct diag *diag);

/* Returns the value that axis `axis` has at point `point`. */
const struct tree_node *sweep_value(const struct sweep *sweep, uint32_t axis, uint32_t point);

/* Puts the values of `point` into `tree`. If a value is a map, its keys are merged into the map in
 * the tree; only the map of a platform replaces the whole map. If some values have errors, puts the
 * other values into the tree, and returns false. */
bool sweep_apply(const struct sweep *sweep, uint32_t point, struct tree *tree, struct diag *diag);

/* Called if the option --set gives a value to the key `path`. Removes the axis of this key from the
 * sweep. Returns false, with an error in `diag`, if another axis sets the key, a key above it or a
 * key below it, because this axis would overwrite the value of the option. */
bool sweep_unset(struct tree *tree, const char *path, struct location where, struct diag *diag);

/* The columns of the summary. Each axis has one column. If the values of an axis are maps, each
 * leaf of the maps has a column instead. */
uint32_t sweep_columns(const struct sweep *sweep, struct arena *arena, const char ***names);

/* Returns the text of column `name` at `point`, in `arena`. The text is "-" if the point does not
 * set the column. */
const char *sweep_cell(
	const struct sweep *sweep, const char *name, uint32_t point, struct arena *arena);

/* Locations of files that come with the program: platforms, scenarios, reference figures. */

/* Returns the folder of platforms, which contains NAME.yaml for the platform NAME. It is
 * $MESHSIM_PLATFORMS if this is set, and otherwise the shipped folder. */
const char *platform_directory(void);

/* False, with a message on standard error, if $MESHSIM_PLATFORMS is set and names no folder. */
bool platform_directory_check(void);

/* Returns the path of the file with published figures, with which constants are compared. */
const char *shipped_reference(void);

/* Returns the path of the file with decisions whose outcome was measured on hardware. */
const char *shipped_decisions(void);

/* Returns the path of the file that lists how far simulated figures are from measured figures
 * (bench/reference/errors.yaml). */
const char *shipped_errors(void);

/* Returns the path of the scenario `name`. If the file `name` exists, or if `name` contains a
 * slash, returns `name`. Otherwise returns the path of the shipped scenario with this name, with or
 * without .yaml. If there is no such scenario, returns `name`. The text is valid until the next
 * call. */
const char *shipped_scenario(const char *name);

/* Converts the messages of `collective` steps with `op: messages` to the lists of
 * programs/messages.h. */
/* Returns an array in `arena` with the list of each of `device_count` devices. The list of a device
 * that the step does not name is empty. */
struct messages_list *step_messages_lists(const struct run_plan *run,
	const struct collective_step *step, uint32_t device_count, struct arena *arena);

/* Returns the bytes of all messages. */
uint64_t step_messages_bytes(const struct collective_step *step);

/* True if the groups of a `collective` step are rings: its topology is one, and in each group links
 * join the devices in a ring. order[place] is a device of a mesh of shape `shape`. */
bool step_groups_are_rings(const struct collective_step *step, struct mesh_shape shape,
	const uint32_t *order);


#endif
