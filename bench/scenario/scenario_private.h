/* Functions that make the plans of runs from a scenario file: presets, schemas of steps, folding of
 * equal steps, checks, and platforms. Only for files of this folder and its subfolders. */
#ifndef BENCH_SCENARIO_PRIVATE_H
#define BENCH_SCENARIO_PRIVATE_H

#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"
#include "base/diag.h"
#include "base/tree.h"
#include "platform/platform.h"

/* Names of the presets, terminated by NULL. */
extern const char *const preset_names[];

/* Adds the keys of runtime.preset, if there is one, that `tree` does not set itself. */
bool preset_apply(struct tree *tree, struct diag *diag);

/* True if the value at `path` equals the value that the scenario's preset gives to this key. */
bool preset_says(const struct tree_node *root, const char *path);

/* The schema of `measure`. */
extern const struct schema measure_schema;

/* Schemas of enqueue_workload steps, and of a rectangle of devices. */
extern const struct schema workload_schema, devices_schema, think_schema, run_model_schema,
	bring_up_schema;

/* Returns the maximum number of operations that the step makes; 0 if its binary is not loaded. */
uint64_t model_operations(const struct model_step *step);

/* Returns a hash of the contents of all model binaries that the steps of a run name, or HASH_EMPTY
 * if there are none. Results depend on these contents, too. */
uint64_t models_hash(struct run_plan *run);

/* Keys of steps of several kinds. */
#define QUEUE_FIELD(type)                                                                          \
	SCHEMA_INT(type, queue, "queue", .max = MESH_COMMAND_QUEUES_MAX - 1, .fallback = "0",      \
		.help = "virtual command queue; events and finishes order what several queues do " \
			"to a buffer")
#define BLOCKING_FIELD(type)                                                                       \
	SCHEMA_BOOL(type, blocking, "blocking", .fallback = "false",                               \
		.help = "return when the operation is complete")

/* Keys that must not be swept, terminated by NULL. */
extern const char *const sweep_refused[];

/* True if one dotted path is above the other, or they are equal. */
bool sweep_overlap(const char *a, const char *b);

/* Folds a list of steps: if a step, or a block of up to 256 steps, occurs several times in a row, a
 * `repeat` replaces them. `tree` is the tree of a run, with the values of the sweep. Steps that
 * contain a key of the sweep are not folded. Nothing is folded if the sweep sets measure.warmup or
 * measure.trace.operations, or if measure.trace.operations names a step by its place. Returns the
 * list of steps as it was before folding, or NULL if nothing was folded. */
const struct tree_node *steps_fold(struct tree *tree, const struct sweep *sweep, struct diag *diag);

/* Returns true for a repeat that steps_fold() made. It can be recognized by its location, which is
 * that of its first step. A repeat in the file is written before its first step. */
bool step_is_folded(const struct step *step);

/* Returns how many steps of the file a step stands for: more than 1 if steps_fold() made it. */
uint32_t step_written(const struct step *step);

/* step_program.c: the name of element type `index`; NULL past the last. */
const char *step_element_name(size_t index);

/* Numbers the steps in their order. The steps under `do` follow the step that has the `do`. */
void steps_number(struct step *steps, uint32_t count, uint32_t *number);

/* Checks conditions between keys, and between keys and the machine. The schemas must already have
 * read the keys into `run`, and its platform must be open. Located errors go to `diag`. */
void scenario_check(const struct run_plan *run, struct diag *diag);

/* Cache of the platforms of a scenario's runs, since most runs of a sweep share one. */

struct machines; /* opaque: the platforms read so far */

struct machines *machines_new(const char *platform_directory);
void machines_free(struct machines *machines);

/* Returns the platform of `node`, which is a name, a path or a map. `dispatch_cores` is the node of
 * the key runtime.dispatch_cores, which selects the cores for dispatch, or NULL. Sets *text to the
 * effective YAML of the platform. Platform and text belong to `machines`. Returns NULL after
 * errors, which are in `diag`. */
const struct platform *machines_find(struct machines *machines, const struct tree_node *node,
	const struct tree_node *dispatch_cores, const char **text, struct diag *diag);

#endif
