/* A hash map with open addressing and linear probing. At most half of the slots are used. */
#include "tree_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

enum { CAPACITY_FIRST = 64 };

struct names_slot {
	const char *name; /* NULL if the slot is free */
	uint32_t value;
};

void names_init(struct names *names)
{
	*names = (struct names){0};
}

void names_fini(struct names *names)
{
	free(names->slots);
	names_init(names);
}

/* Returns the slot of `name`, or the free slot where `name` belongs. */
static struct names_slot *names_slot_of(const struct names *names, const char *name)
{
	size_t at = hash_string(name) & (names->capacity - 1);

	while (names->slots[at].name && strcmp(names->slots[at].name, name) != 0)
		at = (at + 1) & (names->capacity - 1);
	return &names->slots[at];
}

static void names_grow(struct names *names)
{
	struct names old = *names;

	names->capacity = old.capacity ? 2 * old.capacity : CAPACITY_FIRST;
	names->slots = allocate(names->capacity, sizeof(names->slots[0]));
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.slots[i].name)
			*names_slot_of(names, old.slots[i].name) = old.slots[i];
	}
	free(old.slots);
}

uint32_t *names_find(const struct names *names, const char *name)
{
	struct names_slot *slot = names->capacity ? names_slot_of(names, name) : NULL;

	return slot && slot->name ? &slot->value : NULL;
}

bool names_add(struct names *names, const char *name, uint32_t value)
{
	struct names_slot *slot;

	if (names_find(names, name))
		return false;
	if (2 * (names->count + 1) > names->capacity)
		names_grow(names);
	slot = names_slot_of(names, name);
	*slot = (struct names_slot){name, value};
	names->count++;
	return true;
}
