/* Registries of design choices. A registry belongs to one choice, such as the choice of a
 * scheduler, and has one entry for each variant. Scenarios, `meshsim list`, the JSON schema and the
 * tests get the allowed values of a key, and their descriptions, from its registry. An entry is a
 * struct whose first member is a struct registry_entry. Its other members depend on the choice. */
#ifndef BASE_TABLE_REGISTRY_H
#define BASE_TABLE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/* The description of a variant. */
struct registry_entry {
	const char *name;	 /* the name in scenarios, such as "per-device" */
	const char *description; /* one line of description */
	const char *section;	 /* section of the specification, such as "3.8.7.1", or NULL */
	const char *resources;	 /* the resources that the variant needs, in words ("one thread per
				  * device and queue"), or NULL */
	const char *hazard;	 /* a fault that the design of the variant can cause, or NULL */
	const char *const *keys; /* scenario keys that have an effect only with variants that list
				  * them, as this variant does; NULL: none */
};

/* A whole registry. */
struct registry {
	const char *key;  /* the scenario key that chooses a variant, such as
			   * "runtime.forward.path" */
	const char *what; /* the kind of the variants, for messages, such as "forward path" */

	/* Returns the description of entry `index`, counted from 0, or NULL if there is no such
	 * entry. Entries are in the order in which they are printed. */
	const struct registry_entry *(*entry)(size_t index);
};

/* Returns the name of entry `index`, counted from 0, or NULL if there is no such entry. */
const char *registry_name(const struct registry *registry, size_t index);

/* Returns the description of the entry with this name, or NULL. */
const struct registry_entry *registry_find(const struct registry *registry, const char *name);

/* Returns true if `key` is among the keys that an entry lists. */
bool registry_entry_has_key(const struct registry_entry *entry, const char *key);

/* Returns one of the keys that have no effect if `row` is chosen, because only other entries list
 * them. `index` counts these keys from 0. Returns NULL after the last of them. */
const char *registry_idle_key(
	const struct registry *registry, const struct registry_entry *row, size_t index);

/* Declares the registry KIND_registry, whose entries are of type `struct row`, and three functions.
 * Entries are in the order in which they are printed.
 *
 *     KIND_row(index), KIND_name(index)  the entry, or its name; NULL past the last
 *     KIND_find(name)                    the entry with this name, or NULL
 *
 * KIND_find() is for programs that choose an entry by its name. The harness uses indices instead,
 * because the schema of scenarios lists the entries. */
#define REGISTRY_DECLARE_OF(kind, row)                                                             \
	struct row;                                                                                \
	extern const struct registry kind##_registry;                                              \
	const struct row *kind##_row(size_t index);                                                \
	const char *kind##_name(size_t index);                                                     \
	const struct row *kind##_find(const char *name);

/* Like REGISTRY_DECLARE_OF(), for entries of type struct KIND_ops. */
#define REGISTRY_DECLARE(kind) REGISTRY_DECLARE_OF(kind, kind##_ops)

/* Defines the registry and the functions that REGISTRY_DECLARE_OF declares. `lookup` is the
 * function for the member `entry` of the registry. */
#define REGISTRY_DEFINE(kind, row, key_, what_, lookup)                                            \
	const struct registry kind##_registry = {key_, what_, lookup};                             \
	const struct row *kind##_row(size_t index)                                                 \
	{                                                                                          \
		_Static_assert(offsetof(struct row, entry) == 0, "entry is first");                \
		return (const struct row *)lookup(index);                                          \
	}                                                                                          \
	const char *kind##_name(size_t index)                                                      \
	{                                                                                          \
		return registry_name(&kind##_registry, index);                                     \
	}                                                                                          \
	const struct row *kind##_find(const char *name)                                            \
	{                                                                                          \
		return (const struct row *)registry_find(&kind##_registry, name);                  \
	}

/* Like REGISTRY_DEFINE(), for a registry whose entries are in the array `rows`. */
#define REGISTRY_OF_ARRAY(kind, row, key_, what_, rows)                                            \
	static const struct registry_entry *kind##_entry(size_t index)                             \
	{                                                                                          \
		return index < sizeof(rows) / sizeof *(rows) ? &(rows)[index].entry : NULL;        \
	}                                                                                          \
	REGISTRY_DEFINE(kind, row, key_, what_, kind##_entry)

/* Like REGISTRY_DEFINE(), for a registry with an array `rows` of pointers to its entries. */
#define REGISTRY_OF_POINTERS(kind, row, key_, what_, rows)                                         \
	static const struct registry_entry *kind##_entry(size_t index)                             \
	{                                                                                          \
		return index < sizeof(rows) / sizeof *(rows) ? &(rows)[index]->entry : NULL;       \
	}                                                                                          \
	REGISTRY_DEFINE(kind, row, key_, what_, kind##_entry)

#endif
