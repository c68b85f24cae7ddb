/* The registries, made from mesh/rows.def, and the defaults of mesh_config_init(). */
#include "mesh/config.h"
#include "mesh/defaults.h"
#include "mesh/registry.h"

#include <string.h>

#include "mesh/choice/rows.h"

/* The rows of all registries. */
static const struct row {
	const struct registry *of;
	const struct registry_entry *entry;
} rows[] = {
#define ROW(kind, name) {&kind##_registry, &kind##_##name.entry},
#include "mesh/rows.def"
};

static const struct registry *const registries[] = {
#define KIND(kind, member, what)	    &kind##_registry,
#define OTHER_KIND(kind, member, key, what) &kind##_registry,
#include "mesh/rows.def"
};

static const struct registry_entry *row_of(const struct registry *registry, size_t index)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].of == registry && index-- == 0)
			return rows[i].entry;
	return NULL;
}

#define OTHER_KIND(kind, member, key, what)                                                        \
	static const struct registry_entry *kind##_entry(size_t index)                             \
	{                                                                                          \
		return row_of(&kind##_registry, index);                                            \
	}                                                                                          \
	REGISTRY_DEFINE(kind, key, what, kind##_entry)
#define KIND(kind, member, what) OTHER_KIND(kind, member, "runtime." #member, what)
#include "mesh/rows.def"

const struct registry *registry_at(size_t index)
{
	return index < sizeof registries / sizeof *registries ? registries[index] : NULL;
}

const struct registry *registry_of(const char *key)
{
	for (size_t i = 0; registry_at(i) != NULL; i++)
		if (strcmp(registry_at(i)->key, key) == 0)
			return registry_at(i);
	return NULL;
}

const struct registry_entry *registry_find(const struct registry *registry, const char *name)
{
	const struct registry_entry *entry;

	for (size_t i = 0; (entry = registry->entry(i)) != NULL; i++)
		if (strcmp(entry->name, name) == 0)
			return entry;
	return NULL;
}

bool registry_entry_has_key(const struct registry_entry *entry, const char *key)
{
	for (size_t i = 0; entry->keys != NULL && entry->keys[i] != NULL; i++)
		if (strcmp(entry->keys[i], key) == 0)
			return true;
	return false;
}

/* Returns true if a row with an index below `end` has the key. */
static bool is_listed(const struct registry *registry, size_t end, const char *key)
{
	for (size_t i = 0; i < end; i++)
		if (registry_entry_has_key(registry->entry(i), key))
			return true;
	return false;
}

const char *registry_idle_key(
	const struct registry *registry, const struct registry_entry *row, size_t index)
{
	for (size_t i = 0; registry->entry(i) != NULL; i++) {
		const char *const *keys = registry->entry(i)->keys;

		for (size_t k = 0; keys != NULL && keys[k] != NULL; k++)
			if (!registry_entry_has_key(row, keys[k]) &&
				!is_listed(registry, i, keys[k]) && index-- == 0)
				return keys[k];
	}
	return NULL;
}

/* Sets the default variant of each choice, and the other members of a configuration. */
void mesh_config_init(struct mesh_config *config)
{
	*config = (struct mesh_config){
		.shape = {1, 1},
		.topology = FABRIC_MESH,
		.command_queues = 1,
		.host = {.caller_wait = WAIT_SPIN,
			.worker_wait = WAIT_PARK,
			.reader_wait = WAIT_PARK},
		.command_cache = true,
	};
#define KIND(kind, member, what) config->member = &MESH_DEFAULT_ROW(kind##_, MESH_DEFAULT_##kind);
#include "mesh/rows.def"
}
