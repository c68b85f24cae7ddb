/* The registries of design choices of mesh: one row per variant, one file per row. Scenarios,
 * `meshsim list`, the JSON schema and the tests take their values from here. */
#ifndef MESH_REGISTRY_H
#define MESH_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

struct forward_ops;    /* a forward path: how commands reach devices (spec 3.8, 3.10.2) */
struct feed_ops;       /* the issue queue that initiators of broadcasts read (spec 3.8.8.2) */
struct packetizer_ops; /* how broadcasts enter the fabric (spec 3.8.1) */
struct ordering_ops;   /* how broadcasts and unicasts stay in order (spec 3.8.4) */
struct route_ops;      /* the links that broadcasts use (spec 3.8.8.2) */
struct channels_ops;   /* the virtual channel of broadcasts (spec 3.8.2) */
struct credits_ops;    /* flow control of broadcasts (spec 3.8.2) */
struct go_ops;	       /* workers that receive go signals of a launch (spec 3.8.5) */
struct dispatcher_ops; /* the dispatcher that executes broadcasts (spec 3.8.3) */
struct lowering_ops;   /* the order of a workload's commands (spec 3.10.2) */
struct completion_ops; /* an event path: how the host learns of completion (spec 3.8.7) */
struct threads_ops;    /* host threads: which works for which device (spec 3.9) */
struct pin_ops;	       /* binding of host threads to processors (spec 3.9.1) */
struct initiators_ops; /* one initiator per row, column or gateway (spec 3.8.8.2) */
struct create_ops;     /* the thread that creates operations (spec 3.9.2) */
struct readers_ops;    /* readers of completion queues (spec 3.9.1, 3.9.2) */
struct queues_ops;     /* queues of tasks of a pool (spec 3.9.2) */

/* Description of a row. */
struct registry_entry {
	const char *name;	 /* as in scenarios: "per-device" */
	const char *description; /* one line */
	const char *section;	 /* of the specification: "3.8.7.1" */
	const char *resources;	 /* the resources it needs, in words: "one thread per device and
				  * queue" */
	const char *hazard;	 /* a fault that its design can cause, or NULL */
	const char *const *keys; /* scenario keys that have an effect only with rows that list them;
				  * or NULL */
};

/* A whole registry. */
struct registry {
	const char *key;  /* the scenario key that chooses a row: "runtime.forward.path" */
	const char *what; /* the kind of its rows, for messages: "forward path" */

	/* Descriptions of its rows in the order in which they are printed; `index` counts from 0,
	 * NULL behind the last. */
	const struct registry_entry *(*entry)(size_t index);
};

extern const struct registry forward_registry, feed_registry, packetizer_registry, route_registry,
	ordering_registry, channels_registry, credits_registry, go_registry, dispatcher_registry,
	lowering_registry, completion_registry, threads_registry, queues_registry, pin_registry,
	readers_registry, create_registry, initiators_registry;

/* Every registry; `index` counts from 0, NULL behind the last. */
const struct registry *registry_at(size_t index);

/* True if `key` is among the keys of a row. */
bool registry_entry_has_key(const struct registry_entry *entry, const char *key);

/* The keys of other rows that have no effect with `row`, each once: `index` counts from 0, NULL
 * behind the last. */
const char *registry_idle_key(
	const struct registry *registry, const struct registry_entry *row, size_t index);

/* Rows in the order in which they are printed; `index` counts from 0, NULL behind the last. */
const struct forward_ops *forward_row(size_t index);
const struct feed_ops *feed_row(size_t index);
const struct packetizer_ops *packetizer_row(size_t index);
const struct dispatcher_ops *dispatcher_row(size_t index);
const struct ordering_ops *ordering_row(size_t index);
const struct route_ops *route_row(size_t index);
const struct go_ops *go_row(size_t index);
const struct lowering_ops *lowering_row(size_t index);
const struct channels_ops *channels_row(size_t index);
const struct credits_ops *credits_row(size_t index);
const struct completion_ops *completion_row(size_t index);
const struct threads_ops *threads_row(size_t index);
const struct queues_ops *queues_row(size_t index);
const struct pin_ops *pin_row(size_t index);
const struct initiators_ops *initiators_row(size_t index);
const struct create_ops *create_row(size_t index);
const struct readers_ops *readers_row(size_t index);

/* Names of rows, or NULL behind the last. */
const char *forward_name(size_t index);
const char *feed_name(size_t index);
const char *packetizer_name(size_t index);
const char *dispatcher_name(size_t index);
const char *ordering_name(size_t index);
const char *route_name(size_t index);
const char *go_name(size_t index);
const char *lowering_name(size_t index);
const char *channels_name(size_t index);
const char *credits_name(size_t index);
const char *completion_name(size_t index);
const char *threads_name(size_t index);
const char *queues_name(size_t index);
const char *pin_name(size_t index);
const char *initiators_name(size_t index);
const char *create_name(size_t index);
const char *readers_name(size_t index);

/* The row of a name, or NULL: for programs that choose a row by its name in struct mesh_config. The
 * harness uses indices instead, as a scenario's schema lists the rows. */
const struct forward_ops *forward_find(const char *name);
const struct feed_ops *feed_find(const char *name);
const struct packetizer_ops *packetizer_find(const char *name);
const struct dispatcher_ops *dispatcher_find(const char *name);
const struct ordering_ops *ordering_find(const char *name);
const struct route_ops *route_find(const char *name);
const struct go_ops *go_find(const char *name);
const struct lowering_ops *lowering_find(const char *name);
const struct channels_ops *channels_find(const char *name);
const struct credits_ops *credits_find(const char *name);
const struct completion_ops *completion_find(const char *name);
const struct threads_ops *threads_find(const char *name);
const struct queues_ops *queues_find(const char *name);
const struct pin_ops *pin_find(const char *name);
const struct initiators_ops *initiators_find(const char *name);
const struct create_ops *create_find(const char *name);
const struct readers_ops *readers_find(const char *name);

#endif
