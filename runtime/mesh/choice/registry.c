/* The registries: rows in the order in which they are printed. A new variant is one file and one
 * line here. */
#include "mesh/registry.h"

#include <string.h>

#include "registry_rows.h"

static const struct forward_ops *const forward_rows[] = {&forward_unicast, &forward_broadcast};
static const struct completion_ops *const completion_rows[] = {&completion_per_device,
	&completion_table, &completion_table_one_slot, &completion_aggregator,
	&completion_aggregator_naive};
static const struct threads_ops *const threads_rows[] = {
	&threads_per_device, &threads_main, &threads_pool};

/* row(index), find(name) and entry(row) of one registry. */
#define REGISTRY(kind)                                                                             \
	const struct kind##_ops *kind##_row(size_t index)                                          \
	{                                                                                          \
		size_t count = sizeof(kind##_rows) / sizeof(kind##_rows[0]);                       \
                                                                                                   \
		return index < count ? kind##_rows[index] : NULL;                                  \
	}                                                                                          \
                                                                                                   \
	const struct kind##_ops *kind##_find(const char *name)                                     \
	{                                                                                          \
		for (size_t i = 0; kind##_row(i) != NULL; i++)                                     \
			if (strcmp(kind##_row(i)->entry.name, name) == 0)                          \
				return kind##_row(i);                                              \
		return NULL;                                                                       \
	}                                                                                          \
                                                                                                   \
	const struct registry_entry *kind##_entry(const struct kind##_ops *row)                    \
	{                                                                                          \
		return &row->entry;                                                                \
	}

REGISTRY(forward)
REGISTRY(completion)
REGISTRY(threads)
