/* The registries of design choices. A registry lists the variants of one choice; a row is the entry
 * of one variant. Scenarios, `meshsim list`, the JSON schema and the tests take their values from
 * here. mesh/rows.def lists the choices of a mesh device. Other registries are declared with
 * REGISTRY_DECLARE() in the headers where they are used. */
#ifndef MESH_REGISTRY_H
#define MESH_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/* Description of a row. */
struct registry_entry {
	const char *name;	 /* as in scenarios: "per-device" */
	const char *description; /* one line */
	const char *section;	 /* of the specification: "3.8.7.1" */
	const char *resources;	 /* needed resources, in words: "one thread per device and queue" */
	const char *hazard;	 /* a fault that its design can cause, or NULL */
	const char *const *keys; /* scenario keys that have an effect only with this variant, or
				  * with others that list them; or NULL */
};

/* A whole registry. */
struct registry {
	const char *key;  /* the scenario key that chooses a row: "runtime.forward.path" */
	const char *what; /* the kind of its rows, for messages: "forward path" */

	/* Returns the description of row `index`, counted from 0, in the order in which rows are
	 * printed. Returns NULL if there is no such row. */
	const struct registry_entry *(*entry)(size_t index);
};

/* Declares the registry KIND_registry and the functions below. A row is a struct KIND_ops, whose
 * first member is the row's description. Rows have the order in which they are printed.
 *
 *     KIND_row(index), KIND_name(index)  the row, or its name; NULL if there is no such row
 *     KIND_find(name)                    the row with this name, or NULL: for programs that choose
 *                                        a row by its name. The harness uses indices instead,
 *                                        because a scenario's schema lists the rows. */
#define REGISTRY_DECLARE(kind)                                                                     \
	struct kind##_ops;                                                                         \
	extern const struct registry kind##_registry;                                              \
	const struct kind##_ops *kind##_row(size_t index);                                         \
	const char *kind##_name(size_t index);                                                     \
	const struct kind##_ops *kind##_find(const char *name);

/* Defines the registry and the functions of REGISTRY_DECLARE(). `lookup` is a function that returns
 * the same as registry.entry. */
#define REGISTRY_DEFINE(kind, key_, what_, lookup)                                                 \
	const struct registry kind##_registry = {key_, what_, lookup};                             \
	const struct kind##_ops *kind##_row(size_t index)                                          \
	{                                                                                          \
		_Static_assert(offsetof(struct kind##_ops, entry) == 0, "entry is first");         \
		return (const struct kind##_ops *)lookup(index);                                   \
	}                                                                                          \
	const char *kind##_name(size_t index)                                                      \
	{                                                                                          \
		return lookup(index) ? lookup(index)->name : NULL;                                 \
	}                                                                                          \
	const struct kind##_ops *kind##_find(const char *name)                                     \
	{                                                                                          \
		return (const struct kind##_ops *)registry_find(&kind##_registry, name);           \
	}

/* Like REGISTRY_DEFINE(), for rows in an array of struct KIND_ops. */
#define REGISTRY_OF_ARRAY(kind, key_, what_, rows)                                                 \
	static const struct registry_entry *kind##_entry(size_t index)                             \
	{                                                                                          \
		return index < sizeof(rows) / sizeof *(rows) ? &(rows)[index].entry : NULL;        \
	}                                                                                          \
	REGISTRY_DEFINE(kind, key_, what_, kind##_entry)

#define KIND(kind, member, what)	    REGISTRY_DECLARE(kind)
#define OTHER_KIND(kind, member, key, what) REGISTRY_DECLARE(kind)
#include "mesh/rows.def"

/* Returns registry `index` of mesh/rows.def, counted from 0; NULL if there is no such registry. */
const struct registry *registry_at(size_t index);

/* Returns the registry whose key in scenarios is `key`, or NULL. */
const struct registry *registry_of(const char *key);

/* Returns the description of the row with this name, or NULL. */
const struct registry_entry *registry_find(const struct registry *registry, const char *name);

/* Returns true if `key` is among the keys of a row. */
bool registry_entry_has_key(const struct registry_entry *entry, const char *key);

/* Returns key `index`, counted from 0, of the keys that have no effect if `row` is chosen because
 * only other rows list them. Each such key is counted once. Returns NULL if there is no such
 * key. */
const char *registry_idle_key(
	const struct registry *registry, const struct registry_entry *row, size_t index);

#endif
