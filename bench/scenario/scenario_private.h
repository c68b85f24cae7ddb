/* What the files of the scenario reader share. */
#ifndef BENCH_SCENARIO_PRIVATE_H
#define BENCH_SCENARIO_PRIVATE_H

#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"

/* Names of the presets; NULL behind the last. */
extern const char *const preset_names[];

/* Adds to `tree` what its runtime.preset, if it has one, says about keys that are not there. */
bool preset_apply(struct tree *tree, struct diag *diag);

/* True if the preset of a scenario gives `path` the value that it has. */
bool preset_says(const struct tree_node *root, const char *path);

/* The table of `measure`. */
extern const struct schema measure_schema;

/* Tables of enqueue_workload steps, and of a rectangle of devices. */
extern const struct schema workload_schema, devices_schema;

/* Keys of steps of several kinds. */
#define QUEUE_FIELD(type)                                                                          \
	SCHEMA_INT(type, queue, "queue", .max = MESH_COMMAND_QUEUES_MAX - 1, .fallback = "0",      \
		.help = "virtual command queue; events and finishes order what several queues do " \
			"to a buffer")
#define BLOCKING_FIELD(type)                                                                       \
	SCHEMA_BOOL(type, blocking, "blocking", .fallback = "false",                               \
		.help = "return when the operation is complete")

/* Keys that no run may have of its own; NULL behind the last. */
extern const char *const sweep_refused[];

/* Conditions between keys, and against the machine; every error goes to `diag`, located. `run` is
 * bound and has its platform. */
void scenario_check(const struct run_plan *run, struct diag *diag);

#endif
