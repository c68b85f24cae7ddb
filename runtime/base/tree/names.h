/* A hash map from strings to indices, for large maps and for anchors. Stores pointers to the
 * strings, which must outlive it. Entries cannot be removed. Private to base. */
#ifndef BASE_TREE_NAMES_H
#define BASE_TREE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	struct names_slot *slots;
	size_t capacity, count;
};

void names_init(struct names *names);
void names_fini(struct names *names);

/* Address of the value of `name`, or NULL if it is unknown. Valid until the next names_add(). */
uint32_t *names_find(const struct names *names, const char *name);

/* Adds `name` with `value` and returns true; false if it exists already. */
bool names_add(struct names *names, const char *name, uint32_t value);

#endif
