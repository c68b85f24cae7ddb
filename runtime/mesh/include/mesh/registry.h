/* The registries of design choices of this room: one row per variant, one file per row. Used by
 * `meshsim list`, by scenario validation and by the contract tests. */
#ifndef MESH_REGISTRY_H
#define MESH_REGISTRY_H

#include <stddef.h>

struct forward_ops;    /* a forward path: how commands reach devices (spec 3.8, 3.10.2) */
struct completion_ops; /* an event path: how the host learns of completion (spec 3.8.7) */
struct threads_ops;    /* host threads: who works for which device (spec 3.9) */

/* What `meshsim list` prints of a row. */
struct registry_entry {
	const char *name;	 /* as in scenarios: "per-device" */
	const char *description; /* one line */
	const char *section;	 /* of the specification: "3.8.7.1" */
	const char *resources;	 /* what it takes, in words: "one thread per device and queue" */
	const char *hazard;	 /* what goes wrong with it by design, or NULL */
};

/* Rows in the order in which they are printed; `index` counts from 0, NULL behind the last. */
const struct forward_ops *forward_row(size_t index);
const struct completion_ops *completion_row(size_t index);
const struct threads_ops *threads_row(size_t index);

/* The row of a name, or NULL. */
const struct forward_ops *forward_find(const char *name);
const struct completion_ops *completion_find(const char *name);
const struct threads_ops *threads_find(const char *name);

/* Description of a row. */
const struct registry_entry *forward_entry(const struct forward_ops *row);
const struct registry_entry *completion_entry(const struct completion_ops *row);
const struct registry_entry *threads_entry(const struct threads_ops *row);

#endif
