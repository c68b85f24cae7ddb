/* Reads the files that a platform names, and replaces the keys with their contents (cables.h). */
#include "bench/cables/cables.h"

#include <stdio.h>
#include <string.h>

#include "cables_private.h"
#include "platform/platform.h"

static const struct tree_node *find_key(const struct tree *tree, const char *path, const char *key)
{
	char full[TREE_PATH_BYTES_MAX];

	snprintf(full, sizeof(full), "%s.%s", path, key);
	return tree_find(tree_root(tree), full);
}

static bool put_key(struct tree *tree, const char *path, const char *key,
	const struct tree_node *value, struct diag *diag)
{
	char full[TREE_PATH_BYTES_MAX];

	snprintf(full, sizeof(full), "%s.%s", path, key);
	return tree_put(tree, full, value->where, value, diag);
}

static bool cables_put_text(struct tree *tree, const char *path, const char *key,
	struct location where, const char *text, struct diag *diag)
{
	return put_key(tree, path, key,
		tree_new_scalar(tree_arena(tree), where, text, strlen(text), true), diag);
}

/* Sets *files to an array of the file names in a key's value, which is either one name or a list
 * with a name for each host. Returns the number of names, or 0 after an error in `diag`. */
static uint32_t list_files(
	const struct tree_node *node, struct arena *arena, const char ***files, struct diag *diag)
{
	bool many = node->kind == TREE_SEQUENCE;
	uint32_t count = many ? node->count : 1;

	*files = arena_array(arena, count, sizeof(**files));
	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *item = many ? node->items[i] : node;

		if (item->kind != TREE_SCALAR || item->text[0] == '\0') {
			diag_error(diag, item->where, "expected the path of a file");
			return 0;
		}
		(*files)[i] = platform_named_file(arena, item, NULL, diag);
	}
	if (count == 0)
		diag_error(diag, node->where, "a list of no files");
	return count;
}

/* Reads the machine from the files. Returns NULL after errors. */
static struct machine *cables_read_machine(
	const struct tree *tree, const char *path, struct arena *arena, struct diag *diag)
{
	const struct tree_node *cluster = find_key(tree, path, "cluster");
	const struct tree_node *psd = find_key(tree, path, "psd");
	size_t errors = diag_errors(diag);
	struct machine *machine;
	const char **files;
	uint32_t count;

	if (cluster && psd) {
		diag_error(
			diag, psd->where, "a machine is found in 'cluster' or in 'psd', not both");
		return NULL;
	}
	count = list_files(cluster ? cluster : psd, arena, &files, diag);
	if (count > 1 && psd) {
		diag_error(diag, psd->where, "'psd' is one file, which has all hosts");
		return NULL;
	}
	if (count == 0)
		return NULL;
	machine =
		cluster ? machine_read_clusters(files, count, false, diag)
			: machine_read_psd(tree_read_text_format_file(files[0], diag), false, diag);
	if (diag_errors(diag) == errors)
		return machine;
	machine_free(machine);
	return NULL;
}

/* Returns the name of the shipped platform that provides the constants if the key `extends` is
 * missing. The choice depends on the architecture and the number of the chips, and on whether all
 * chips have PCIe. */
static const char *base_of(const struct machine *machine)
{
	uint32_t pcie = 0;

	for (uint32_t i = 0; i < machine->chip_count; i++)
		pcie += machine->chips[i].pcie;
	if (machine->chips[0].arch == ARCH_BLACKHOLE) {
		if (machine->chip_count <= 2)
			return machine->chip_count == 1 ? "p150" : "p300";
		return machine->chip_count < 32 ? "p150-x8" : "blackhole-galaxy";
	}
	if (machine->chip_count <= 2)
		return machine->chip_count == 1 ? "n150" : "n300";
	return pcie < machine->chip_count ? "t3k" : "galaxy";
}

static bool put_base(struct tree *tree, const char *path, struct location where, struct diag *diag)
{
	struct diag *unheard =
		diag_new(); /* later, the files are read again, and errors are reported then */
	struct arena arena = {0};
	struct machine *machine = cables_read_machine(tree, path, &arena, unheard);
	const char *base = machine && machine->chip_count > 0 ? base_of(machine) : "t3k";
	bool good = true;

	for (uint32_t i = 0; machine && good && i < machine->chip_count; i++)
		if (machine->chips[i].arch != ARCH_INVALID &&
			machine->chips[i].arch != ARCH_WORMHOLE_B0 &&
			machine->chips[i].arch != ARCH_BLACKHOLE) {
			diag_error(diag, where,
				"no shipped platform has constants of %s: name a platform that "
				"has them with 'extends'",
				topology_arch_name(machine->chips[i].arch));
			good = false;
		}
	good = good && cables_put_text(tree, path, "extends", where, base, diag);
	machine_free(machine);
	arena_fini(&arena);
	diag_free(unheard);
	return good;
}

/* Writes a description of the machine into the platform. */
static bool cables_describe(struct tree *tree, const char *path, const struct machine *machine,
	const struct cables_mesh *mesh, struct location where, struct diag *diag)
{
	const struct tree_node *name = find_key(tree, path, "name");
	char text[128];

	snprintf(text, sizeof(text), "%u chips found, %u x %u as the mesh; constants of %.40s",
		machine->chip_count, mesh->rows, mesh->columns,
		name && name->kind == TREE_SCALAR ? name->text : "?");
	return cables_put_text(tree, path, "description", where, text, diag);
}

static void remove_keys(struct tree *tree, const char *path)
{
	static const char *const keys[] = {"cluster", "psd", "mgd", "mesh"};
	char full[TREE_PATH_BYTES_MAX];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		snprintf(full, sizeof(full), "%s.%s", path, keys[i]);
		tree_remove(tree, full);
	}
}

static bool put_wiring(struct tree *tree, const char *path, const struct machine *machine,
	struct arena *arena, struct diag *diag)
{
	const struct tree_node *file = find_key(tree, path, "cluster");
	struct cables_tiles tiles = cables_tiles(find_key(tree, path, "tiles"));
	size_t errors = diag_errors(diag);
	struct cables_mesh mesh;
	struct tree *made = NULL;
	struct text text;
	bool good;

	cables_check_masks(machine, &tiles, diag);
	if (diag_errors(diag) > errors)
		return false;
	file = file ? file : find_key(tree, path, "psd");
	text_init(&text);
	good = cables_place(machine, find_key(tree, path, "mgd"), find_key(tree, path, "mesh"),
		       &mesh, arena, diag) &&
	       cables_wiring(machine, &mesh, cables_harvest(machine, &tiles, arena, diag),
		       file->where, &text, diag);
	if (good)
		made = tree_read_text("wiring", text_string(&text), text.length, diag);
	good = made &&
	       put_key(tree, path, "topology", tree_get(tree_root(made), "topology"), diag) &&
	       cables_describe(tree, path, machine, &mesh, file->where, diag);
	tree_free(made);
	text_fini(&text);
	return good;
}

bool cables_expand(struct tree *tree, const char *path, const char *directory, struct diag *diag)
{
	const struct tree_node *node = tree_find(tree_root(tree), path), *missing;
	struct arena arena = {0};
	struct machine *machine;
	bool good;

	if (node && node->kind == TREE_MAP &&
		(tree_get(node, "cluster") || tree_get(node, "psd")) &&
		!tree_get(node, "extends") && !put_base(tree, path, node->where, diag))
		return false;
	if (!platform_expand(tree, path, directory, diag))
		return false;
	if (!find_key(tree, path, "cluster") && !find_key(tree, path, "psd"))
		return true;
	missing = find_key(tree, path, "topology.missing");
	if (missing) {
		diag_error(diag, missing->where,
			"with 'cluster' or 'psd', missing chips and links are those missing in the "
			"files");
		return false;
	}
	machine = cables_read_machine(tree, path, &arena, diag);
	good = machine && put_wiring(tree, path, machine, &arena, diag);
	if (good)
		remove_keys(tree, path);
	machine_free(machine);
	arena_fini(&arena);
	return good;
}
