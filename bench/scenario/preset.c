/* Presets (`runtime.preset`), each of which stands for a release of the runtime (spec 3.3-3.12). A
 * preset gives values to keys that no file, option or sweep sets. */
#include <string.h>

#include "scenario_private.h"

const char *const preset_names[] = {"today", "v1", "v1.1", "v1.2", NULL};

struct preset_key {
	const char *preset, *path, *value;
};

static const struct preset_key preset_keys[] = {
	{"today", "runtime.forward.path", "unicast"},
	{"today", "runtime.completion", "per-device"},
	{"today", "runtime.host.threads", "per-device"},
	{"today", "runtime.command_cache", "false"},
	{"v1", "runtime.forward.path", "unicast"},
	{"v1", "runtime.completion", "table"},
	{"v1", "runtime.host.threads", "main"},
	{"v1.1", "runtime.forward.path", "unicast"},
	{"v1.1", "runtime.completion", "table"},
	{"v1.1", "runtime.host.threads", "pool"},
	{"v1.2", "runtime.forward.path", "broadcast"},
	{"v1.2", "runtime.completion", "table"},
	{"v1.2", "runtime.host.threads", "pool"},
};

bool preset_apply(struct tree *tree, struct diag *diag)
{
	const struct tree_node *preset = tree_find(tree_root(tree), "runtime.preset");

	if (!preset || preset->kind != TREE_SCALAR)
		return true;
	for (size_t i = 0; i < sizeof preset_keys / sizeof *preset_keys; i++) {
		const struct preset_key *key = &preset_keys[i];

		if (strcmp(key->preset, preset->text) != 0 || tree_find(tree_root(tree), key->path))
			continue;
		if (!tree_set(tree, key->path, key->value, "preset", diag))
			return false;
	}
	return true;
}

bool preset_says(const struct tree_node *root, const char *path)
{
	const struct tree_node *preset = tree_find(root, "runtime.preset");
	const struct tree_node *node = tree_find(root, path);

	if (!preset || preset->kind != TREE_SCALAR || !node || node->kind != TREE_SCALAR)
		return false;
	for (size_t i = 0; i < sizeof preset_keys / sizeof *preset_keys; i++)
		if (strcmp(preset_keys[i].preset, preset->text) == 0 &&
			strcmp(preset_keys[i].path, path) == 0 &&
			strcmp(preset_keys[i].value, node->text) == 0)
			return true;
	return false;
}
