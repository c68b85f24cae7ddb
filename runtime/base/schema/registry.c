/* Registries of choices (base/table/registry.h). */
#include "base/table/registry.h"

#include <string.h>

const char *registry_name(const struct registry *registry, size_t index)
{
	const struct registry_entry *entry = registry->entry(index);

	return entry ? entry->name : NULL;
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

/* Returns true if an entry before the one at `end` lists the key. */
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
