/* Defines the registries of all design choices from the list in mesh/rows.def. mesh_config_init(),
 * which sets the default variants, is also here. */
#include "mesh/config.h"
#include "mesh/defaults.h"

#include "mesh/choice/rows.h"

/* The variants of all registries. */
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
	REGISTRY_DEFINE(kind, kind##_ops, key, what, kind##_entry)
#define KIND(kind, member, what) OTHER_KIND(kind, member, "runtime." #member, what)
#include "mesh/rows.def"

const struct registry *registry_at(size_t index)
{
	return index < sizeof registries / sizeof *registries ? registries[index] : NULL;
}

/* Sets the default variant of each design choice, and the rest of the configuration. */
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
		.kernel_cache = true,
		.command_buffers = 2,
		.launch_preload = true,
	};
#define KIND(kind, member, what) config->member = &MESH_DEFAULT_ROW(kind##_, MESH_DEFAULT_##kind);
#include "mesh/rows.def"
}
