/* Internal declarations of the scenario reader. */
#ifndef BENCH_SCENARIO_PRIVATE_H
#define BENCH_SCENARIO_PRIVATE_H

#include "bench/scenario/load.h"
#include "bench/scenario/scenario.h"

/* Names of the presets, terminated by NULL. */
extern const char *const preset_names[];

/* Adds the keys of runtime.preset, if there is one, that `tree` does not set itself. */
bool preset_apply(struct tree *tree, struct diag *diag);

/* True if the value at `path` equals the one of the scenario's preset. */
bool preset_says(const struct tree_node *root, const char *path);

/* The schema of `measure`. */
extern const struct schema measure_schema;

/* Schemas of enqueue_workload steps, and of a rectangle of devices. */
extern const struct schema workload_schema, devices_schema;

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

/* Checks conditions between keys, and between keys and the machine; located errors go to `diag`.
 * `run` is bound and has its platform. */
void scenario_check(const struct run_plan *run, struct diag *diag);

#endif
