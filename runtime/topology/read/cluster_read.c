/* Reads UMD cluster descriptors: the chips that hosts discover, with one file for each host.
 * Channels to remote chips connect the hosts. It is an error if a file is a JSON Schema, or if a
 * connection names an unknown chip. It is also an error if a channel is connected twice or to two
 * different ends, or if a chip is on two boards. */
#include <stdlib.h>
#include <string.h>

#include "read_private.h"

/* A chip, found by its number on its host. */
struct local {
	uint32_t number, chip; /* number: on the host; chip: in the machine */
	bool pcie;
	uint32_t device; /* number of its PCIe device */
	enum topology_arch arch;
	uint32_t location, board;
	const struct machine_mask *masks;
	int32_t place[4];
	uint64_t id;
};

struct reading {
	struct cluster cluster;
	struct local *locals;
	uint32_t count, file;
	struct diag *diag;
};

static struct local *cluster_read_find(const struct reading *reading, uint32_t number)
{
	for (uint32_t i = 0; i < reading->count; i++)
		if (reading->locals[i].number == number)
			return &reading->locals[i];
	return NULL;
}

static struct local *find_text(const struct reading *reading, const char *text)
{
	uint32_t number;

	return read_number_text(text, &number) ? cluster_read_find(reading, number) : NULL;
}

/* Returns the chip whose number is `text`; NULL after an error. `what` is the name of the list, for
 * the error message. */
static struct local *cluster_read_expect(
	const struct reading *reading, const char *text, struct location where, const char *what)
{
	struct local *local = find_text(reading, text);

	if (!local)
		diag_error(reading->diag, where, "%s: no chip '%.40s' in this file", what, text);
	return local;
}

static enum topology_arch take_arch(const struct reading *reading, const struct tree_node *node)
{
	static const char *const names[] = {NULL, "wormhole_b0", "blackhole", "quasar"};

	for (unsigned k = 1; k < 4; k++)
		if (node->kind == TREE_SCALAR && strcasecmp(node->text, names[k]) == 0)
			return (enum topology_arch)k;
	if (node->kind == TREE_SCALAR && strcasecmp(node->text, "wormhole") == 0)
		return ARCH_WORMHOLE_B0;
	diag_error(reading->diag, node->where,
		"'arch': expected wormhole_b0, blackhole or quasar, found '%.40s'",
		node->kind == TREE_SCALAR ? node->text : "a list");
	return ARCH_INVALID;
}

static void cluster_read_list_chips(struct reading *reading, struct arena *arena)
{
	const struct cluster *cluster = &reading->cluster;
	uint32_t count = cluster->arch_count ? cluster->arch_count : cluster->chip_count;

	if (count > MACHINE_CHIPS_MAX)
		diag_error(reading->diag, location_at(cluster->where.source, 0, 0),
			"more than %d chips", MACHINE_CHIPS_MAX);
	if (count == 0)
		diag_error(reading->diag, location_at(cluster->where.source, 0, 0),
			"it lists no chip: arch");
	if (count == 0 || count > MACHINE_CHIPS_MAX)
		return;
	reading->locals = arena_array(arena, count, sizeof(*reading->locals));
	for (uint32_t i = 0; i < count; i++) {
		const char *key =
			cluster->arch_count ? cluster->arch[i].key : cluster->chips[i].key;
		struct local local = {
			.board = MACHINE_NONE, .device = MACHINE_NONE, .place = {-1, -1, -1, -1}};

		if (!read_number_text(key, &local.number) ||
			cluster_read_find(reading, local.number)) {
			diag_error(reading->diag,
				cluster->arch_count ? cluster->arch[i].value->where
						    : cluster->chips[i].where,
				"'%s': expected numbers of chips, found '%s'",
				cluster->arch_count ? "arch" : "chips", key);
			continue;
		}
		if (cluster->arch_count)
			local.arch = take_arch(reading, cluster->arch[i].value);
		local.id = (uint64_t)reading->file << 32 | local.number;
		reading->locals[reading->count++] = local;
	}
}

static void take_ids(struct reading *reading)
{
	const struct cluster *cluster = &reading->cluster;
	struct local *local;

	for (uint32_t i = 0; i < cluster->id_count; i++) {
		local = cluster_read_expect(
			reading, cluster->ids[i].key, cluster->ids[i].where, "chip_unique_ids");
		if (local)
			local->id = cluster->ids[i].id;
	}
	for (uint32_t i = 0; i < cluster->location_count; i++) {
		local = cluster_read_expect(reading, cluster->locations[i].key,
			cluster->locations[i].where, "asic_locations");
		if (local)
			local->location = cluster->locations[i].number;
	}
	for (uint32_t i = 0; i < cluster->chip_count; i++) {
		local = find_text(reading, cluster->chips[i].key);
		for (int k = 0; local && k < 4; k++)
			local->place[k] = cluster->chips[i].at[k];
	}
}

static void take_harvesting(struct reading *reading, struct machine *machine)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->harvesting_count; i++) {
		const struct chip_harvest *row = &cluster->harvesting[i];
		struct local *local =
			cluster_read_expect(reading, row->key, row->where, "harvesting");
		struct machine_mask *masks;

		if (!local)
			continue;
		masks = arena_array(&machine->arena, HARVEST_KINDS, sizeof(*masks));
		memcpy(masks, row->masks, HARVEST_KINDS * sizeof(*masks));
		local->masks = masks;
	}
}

/* Reads the list of chips with PCIe, which has one of three forms: a list of pairs such as [0: 2,
 * 1: 3], a map with the same pairs, or a list of chips such as [0, 1]. */
static void take_mmio(struct reading *reading, const struct tree_node *node)
{
	struct local *local;

	if (!node || tree_is_null(node))
		return;
	if (node->kind == TREE_SCALAR) {
		local = cluster_read_expect(reading, node->text, node->where, "chips_with_mmio");
		if (local) {
			local->pcie = true;
			local->device = local->number;
		}
	}
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++)
		if (node->items[i]->kind != TREE_SEQUENCE)
			take_mmio(reading, node->items[i]);
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
		const struct tree_node *value = node->pairs[i].value;

		local = cluster_read_expect(
			reading, node->pairs[i].key, node->pairs[i].where, "chips_with_mmio");
		if (!local)
			continue;
		local->pcie = true;
		if (value->kind != TREE_SCALAR || !read_number_text(value->text, &local->device))
			diag_error(reading->diag, value->where,
				"'chips_with_mmio': expected the number of a PCIe device");
	}
}

/* Sets the board of each chip in the list of boards. Also sets the PCIe device of each chip without
 * PCIe to the device of a chip of the same board. */
static void take_boards(struct reading *reading, uint32_t first_board)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->board_count; i++)
		for (uint32_t p = 0; p < cluster->boards[i].count; p++) {
			const struct cluster_board_part *part = &cluster->boards[i].parts[p];

			for (uint32_t c = 0; c < part->chip_count; c++) {
				struct local *local = cluster_read_find(reading, part->chips[c]);

				if (!local)
					diag_error(reading->diag, part->where,
						"boards: no chip %u in this file", part->chips[c]);
				else if (local->board != MACHINE_NONE)
					diag_error(reading->diag, part->where,
						"boards: chip %u is on two boards", part->chips[c]);
				else
					local->board = first_board + i;
			}
		}
	/* a chip without PCIe is reached through the first chip of its board that has PCIe */
	for (uint32_t i = 0; i < reading->count; i++)
		for (uint32_t k = 0; k < reading->count && !reading->locals[i].pcie; k++)
			if (reading->locals[k].pcie && reading->locals[i].board != MACHINE_NONE &&
				reading->locals[k].board == reading->locals[i].board) {
				reading->locals[i].device = reading->locals[k].device;
				break;
			}
}

/* If the file has no asic_locations, sets the locations of chips: numbers the chips of each board
 * from 0, beginning with the chips that have PCIe. */
static void number_locations(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->count && !reading->cluster.location_count; i++)
		for (uint32_t k = 0; k < reading->count; k++) {
			const struct local *one = &reading->locals[i], *two = &reading->locals[k];
			bool before = two->pcie != one->pcie ? two->pcie : k < i;

			if (one->board != MACHINE_NONE && two->board == one->board && k != i &&
				before)
				reading->locals[i].location++;
		}
}

/* Returns the board of a chip if some chip of this board has no PCIe: all chips of the board must
 * then be used together. Returns MACHINE_NONE if all chips of the board have PCIe. */
static uint32_t board_of(const struct reading *reading, const struct local *local)
{
	for (uint32_t i = 0; i < reading->count; i++)
		if (reading->locals[i].board == local->board && !reading->locals[i].pcie)
			return local->board;
	return MACHINE_NONE;
}

static int compare_devices(const void *left, const void *right)
{
	const struct local *a = left, *b = right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Adds the chips. All chips of a board have one tray; a chip without a board has a tray of its own.
 * Trays are numbered from 1, in the order of the PCIe devices. */
static void cluster_read_add_chips(
	struct reading *reading, struct machine *machine, struct arena *arena)
{
	struct local *order = arena_array(arena, reading->count, sizeof(*order));
	char host[32];
	uint32_t tray = 0;

	snprintf(host, sizeof(host), "host%u", reading->file);
	if (reading->count) {
		memcpy(order, reading->locals, reading->count * sizeof(*order));
		qsort(order, reading->count, sizeof(*order), compare_devices);
	}
	for (uint32_t i = 0; i < reading->count; i++) {
		struct local *local = cluster_read_find(reading, order[i].number);
		struct machine_chip chip = {.id = local->id,
			.host = machine_host(machine, host),
			.location = local->location,
			.board = board_of(reading, local),
			.device = local->device,
			.masks = local->masks,
			.pcie = local->pcie,
			.arch = local->arch};

		memcpy(chip.place, local->place, sizeof(chip.place));
		for (uint32_t k = 0; k < i && !chip.tray; k++)
			if (local->board != MACHINE_NONE && order[k].board == local->board)
				chip.tray =
					machine->chips[cluster_read_find(reading, order[k].number)
							       ->chip]
						.tray;
		if (!chip.tray)
			chip.tray = ++tray;
		local->chip = machine->chip_count;
		if (machine_add_chip(machine, chip) != STATUS_OK) {
			local->chip = 0;
			diag_error(reading->diag, location_at(reading->cluster.where.source, 0, 0),
				"chip %u: its unique id %llu is there twice", local->number,
				(unsigned long long)local->id);
		}
	}
}

static void cluster_read_add_channel(const struct reading *reading, struct machine *machine,
	const struct cluster_end *from, uint32_t a, const struct cluster_end *to, uint32_t b,
	enum machine_list list)
{
	switch (machine_list_channel(
		machine, a, from->channel, b, to->channel, list, from->where)) {
	case LISTED:
		break;
	case LISTED_WITH_ITSELF:
		diag_error(reading->diag, from->where, "a chip is joined with itself");
		break;
	case LISTED_AGAIN:
		diag_error(reading->diag, from->where,
			"the link between channels %u and %u of these two chips is there twice",
			from->channel, to->channel);
		break;
	case LISTED_ELSEWHERE:
		diag_error(reading->diag, from->where,
			"channel %u or %u has another partner elsewhere in the file", from->channel,
			to->channel);
		break;
	case LISTED_TOO_MANY:
		diag_error(reading->diag, from->where, "more channels than a machine may have");
		break;
	}
}

static void add_connections(const struct reading *reading, struct machine *machine)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct cluster_end *ends = cluster->connections[i].ends;
		struct local *chips[2] = {NULL, NULL};

		for (int e = 0; e < 2; e++)
			if (ends[e].chip_node && ends[e].chip_node->kind == TREE_SCALAR)
				chips[e] = cluster_read_expect(reading, ends[e].chip_node->text,
					ends[e].where, "ethernet_connections");
			else
				diag_error(reading->diag, ends[e].where,
					"'ethernet_connections': an end needs a chip and a chan");
		if (chips[0] && chips[1])
			cluster_read_add_channel(reading, machine, &ends[0], chips[0]->chip,
				&ends[1], chips[1]->chip, MACHINE_LIST_BOTH);
	}
}

/* Adds the channels to remote chips. Called after the chips of all hosts were added. */
static void add_remote(const struct reading *reading, struct machine *machine)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->remote_count; i++) {
		const struct cluster_end *ends = cluster->remote[i].ends;
		struct local *chip = NULL;
		uint64_t id;
		uint32_t to = MACHINE_NONE;

		if (ends[0].chip_node && ends[0].chip_node->kind == TREE_SCALAR)
			chip = cluster_read_expect(reading, ends[0].chip_node->text, ends[0].where,
				"ethernet_connections_to_remote_devices");
		if (ends[1].remote_node && ends[1].remote_node->kind == TREE_SCALAR &&
			read_id_text(ends[1].remote_node->text, &id))
			to = machine_find(machine, id);
		else
			diag_error(reading->diag, ends[1].where,
				"'ethernet_connections_to_remote_devices': expected "
				"remote_chip_id");
		if (chip && to != MACHINE_NONE)
			cluster_read_add_channel(reading, machine, &ends[0], chip->chip, &ends[1],
				to, MACHINE_LIST_HOST);
		else
			machine->leaving++;
	}
}

static void read_one(struct reading *reading, const struct tree *tree, struct machine *machine,
	bool strict, struct arena *arena)
{
	const struct tree_node *root = tree_root(tree);

	if (tree_get(root, "$schema")) {
		diag_error(reading->diag, tree_get_pair(root, "$schema")->where,
			"this is a JSON Schema, not a cluster descriptor");
		return;
	}
	if (!schema_bind_foreign(&cluster_schema, root, &reading->cluster, arena, reading->diag,
		    NULL, strict ? 0 : SCHEMA_UNKNOWN_WARNS))
		return;
	cluster_read_list_chips(reading, arena);
	take_ids(reading);
	take_harvesting(reading, machine);
	take_mmio(reading, reading->cluster.mmio);
	take_boards(reading, machine->board_count);
	machine->board_count += reading->cluster.board_count;
	number_locations(reading);
	cluster_read_add_chips(reading, machine, arena);
	add_connections(reading, machine);
}

/* Reads the trees and frees them. After errors, some of them may be NULL. */
static struct machine *cluster_read_join(
	struct tree **trees, uint32_t count, bool strict, struct diag *diag)
{
	size_t errors = diag_errors(diag);
	struct machine *machine = machine_new();
	struct arena arena = {0};
	struct reading *readings = arena_array(&arena, count, sizeof(*readings));
	bool all = true;

	for (uint32_t i = 0; i < count; i++) {
		readings[i].file = i;
		readings[i].diag = diag;
		all = all && trees[i];
		if (trees[i])
			read_one(&readings[i], trees[i], machine, strict, &arena);
	}
	for (uint32_t i = 0; i < count && all && diag_errors(diag) == errors; i++)
		add_remote(&readings[i], machine);
	machine_finish(machine);
	read_say_claims(machine, diag);
	for (uint32_t i = 0; i < count; i++)
		tree_free(trees[i]);
	arena_fini(&arena);
	if (all && diag_errors(diag) == errors)
		return machine;
	machine_free(machine);
	return NULL;
}

struct machine *machine_read_clusters(
	const char *const *paths, uint32_t count, bool strict, struct diag *diag)
{
	struct arena arena = {0};
	struct tree **trees = arena_array(&arena, count, sizeof(struct tree *));
	struct machine *machine;

	for (uint32_t i = 0; i < count; i++)
		trees[i] = tree_read_file(paths[i], diag);
	machine = cluster_read_join(trees, count, strict, diag);
	arena_fini(&arena);
	return machine;
}

struct machine *machine_read_cluster_text(
	const char *name, const char *text, size_t length, bool strict, struct diag *diag)
{
	struct tree *tree = tree_read_text(name, text, length, diag);

	return cluster_read_join(&tree, 1, strict, diag);
}
