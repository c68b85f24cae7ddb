/* The platforms of a scenario's runs (scenario_private.h). Each distinct platform is read once. */
#include "scenario_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/cables/cables.h"
#include "bench/scenario/load.h"

struct known_machine {
	struct known_machine *next;
	char *key; /* the node as text */
	struct tree *tree;
	struct platform *platform; /* NULL: the platform has errors, which were already reported */
	struct text text;
};

struct machines {
	const char *directory;
	struct known_machine *first;
};

struct machines *machines_new(const char *platform_directory)
{
	struct machines *machines = allocate(1, sizeof *machines);

	machines->directory = platform_directory;
	return machines;
}

void machines_free(struct machines *machines)
{
	if (!machines)
		return;
	for (struct known_machine *machine = machines->first; machine;) {
		struct known_machine *next = machine->next;

		platform_free(machine->platform);
		tree_free(machine->tree);
		text_fini(&machine->text);
		free(machine->key);
		free(machine);
		machine = next;
	}
	free(machines);
}

static void machine_read_machine(struct known_machine *machine, const struct machines *machines,
	const struct tree_node *node, const struct tree_node *dispatch_cores, struct diag *diag)
{
	const struct constant_table *tables;
	size_t count;

	tables = constant_tables(&count);
	machine->tree = tree_new();
	if (!tree_put(machine->tree, "platform", node->where, node, diag) ||
		!cables_expand(machine->tree, "platform", machines->directory, diag))
		return;
	if (dispatch_cores && !tree_put(machine->tree, "platform.tiles.dispatch_cores",
				      dispatch_cores->where, dispatch_cores, diag))
		return;
	node = tree_get(tree_root(machine->tree), "platform");
	machine->platform = platform_new(node, tables, count, diag);
	tree_write(node, &machine->text);
}

const struct platform *machines_find(struct machines *machines, const struct tree_node *node,
	const struct tree_node *dispatch_cores, const char **text, struct diag *diag)
{
	struct known_machine *machine;
	struct text key;

	text_init(&key);
	tree_write(node, &key);
	if (dispatch_cores)
		tree_write(dispatch_cores, &key);
	for (machine = machines->first; machine; machine = machine->next)
		if (strcmp(machine->key, text_string(&key)) == 0)
			break;
	if (!machine) {
		machine = allocate(1, sizeof *machine);
		machine->key = allocate_text(text_string(&key));
		text_init(&machine->text);
		machine_read_machine(machine, machines, node, dispatch_cores, diag);
		machine->next = machines->first;
		machines->first = machine;
	}
	text_fini(&key);
	*text = text_string(&machine->text);
	return machine->platform;
}
