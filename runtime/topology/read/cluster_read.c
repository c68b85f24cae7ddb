/* Reads UMD cluster descriptors, what a host discovers of its chips: one file a host, joined by
 * channels to remote chips. Refuses JSON Schemas, connections of chips that are not there, and
 * channels with two other ends. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "read_private.h"
#include "topology/machine.h"

enum { CHIPS_MAX = 4096 };

/* A chip's value in a map of chips. */
struct per_chip {
	const char *key;
	const struct tree_node *value;
};

/* An end of a connection, or what else stands beside the ends. */
struct cluster_end {
	uint32_t chip, channel;
	uint64_t remote;
	bool routing;
	const struct tree_node *chip_node, *remote_node;
	struct location where;
};

struct cluster_connection {
	struct cluster_end ends[3];
	uint32_t count;
};

/* A part of a board's row: each is a map of one key. */
struct cluster_board_part {
	uint64_t id;
	const char *type;
	const uint32_t *chips;
	uint32_t chip_count;
};

struct cluster_board {
	struct cluster_board_part parts[4];
	uint32_t count;
};

struct cluster {
	const struct per_chip *arch, *chips, *ids, *harvesting, *bus_ids, *locations, *pci, *types;
	uint32_t arch_count, chip_count, id_count, harvesting_count, bus_id_count, location_count,
		pci_count, type_count;
	const struct cluster_connection *connections, *remote;
	uint32_t connection_count, remote_count;
	const struct tree_node *mmio, *remote_mmio, *io, *schema, *cluster_id;
	const struct cluster_board *boards;
	uint32_t board_count;
	struct location where;
};

static const struct schema_field per_chip_item =
	SCHEMA_ITEM_NODE(.offset = offsetof(struct per_chip, value));
#define PER_CHIP(member, count, key_)                                                              \
	SCHEMA_DICT(struct cluster, member, count, key_, &per_chip_item, struct per_chip, key,     \
		.allow_null = true)

static const struct schema_field end_fields[] = {
	SCHEMA_INT(struct cluster_end, channel, "chan", .min = 0, .max = 255),
	SCHEMA_NODE(struct cluster_end, chip_node, "chip"),
	SCHEMA_NODE(struct cluster_end, remote_node, "remote_chip_id"),
	SCHEMA_BOOL(struct cluster_end, routing, "routing_enabled"),
};
static const struct schema end_schema = SCHEMA(
	"cluster_end", struct cluster_end, end_fields, SCHEMA_WHERE(struct cluster_end, where));
static const struct schema_field end_item = SCHEMA_ITEM_MAP(struct cluster_end, &end_schema);
static const struct schema_field connection_item = SCHEMA_ITEM_ARRAY(struct cluster_connection,
	&end_item, SCHEMA_COUNT(struct cluster_connection, count), .min = 2, .max = 3);

static const struct schema_field chip_number = SCHEMA_ITEM_INT(uint32_t);
static const struct schema_field part_fields[] = {
	READ_ID(struct cluster_board_part, id, "board_id"),
	SCHEMA_STRING(struct cluster_board_part, type, "board_type"),
	SCHEMA_LIST(struct cluster_board_part, chips, chip_count, "chips", &chip_number),
};
static const struct schema part_schema =
	SCHEMA("cluster_board_part", struct cluster_board_part, part_fields);
static const struct schema_field part_item =
	SCHEMA_ITEM_MAP(struct cluster_board_part, &part_schema);
static const struct schema_field board_item = SCHEMA_ITEM_ARRAY(struct cluster_board, &part_item,
	SCHEMA_COUNT(struct cluster_board, count), .min = 1, .max = 4);

static const struct schema_field file_fields[] = {
	PER_CHIP(arch, arch_count, "arch"),
	PER_CHIP(chips, chip_count, "chips"),
	PER_CHIP(ids, id_count, "chip_unique_ids"),
	SCHEMA_LIST(struct cluster, connections, connection_count, "ethernet_connections",
		&connection_item, .allow_null = true),
	SCHEMA_LIST(struct cluster, remote, remote_count, "ethernet_connections_to_remote_devices",
		&connection_item, .allow_null = true),
	SCHEMA_NODE(struct cluster, mmio, "chips_with_mmio"),
	PER_CHIP(harvesting, harvesting_count, "harvesting"),
	PER_CHIP(bus_ids, bus_id_count, "chip_to_bus_id"),
	PER_CHIP(locations, location_count, "asic_locations"),
	PER_CHIP(pci, pci_count, "chip_pci_bdfs"),
	PER_CHIP(types, type_count, "boardtype"),
	SCHEMA_LIST(struct cluster, boards, board_count, "boards", &board_item, .allow_null = true),
	SCHEMA_NODE(struct cluster, io, "io_device_type"),
	SCHEMA_NODE(struct cluster, schema, "$schema"),
};
static const struct schema file_schema =
	SCHEMA("cluster", struct cluster, file_fields, SCHEMA_WHERE(struct cluster, where));

/* A chip as its host numbers it. */
struct local {
	uint32_t number, chip; /* chip: of the machine */
	bool pcie;
	uint32_t device; /* of PCIe */
	enum topology_arch arch;
	uint32_t location, harvested, board;
	int32_t place[4];
	uint64_t id;
};

struct reading {
	struct cluster cluster;
	struct local *locals;
	uint32_t count, file;
	struct diag *diag;
};

static struct local *find(const struct reading *reading, uint32_t number)
{
	for (uint32_t i = 0; i < reading->count; i++)
		if (reading->locals[i].number == number)
			return &reading->locals[i];
	return NULL;
}

static struct local *find_text(const struct reading *reading, const char *text)
{
	uint32_t number;

	return read_number_text(text, &number) ? find(reading, number) : NULL;
}

/* The chip whose number a node is; NULL after an error that says `what` it stands in. */
static struct local *expect(
	const struct reading *reading, const char *text, struct location where, const char *what)
{
	struct local *local = find_text(reading, text);

	if (!local)
		diag_error(reading->diag, where, "%s: no chip '%.40s' in this file", what, text);
	return local;
}

static void list_chips(struct reading *reading, struct arena *arena)
{
	static const char *const names[] = {NULL, "wormhole_b0", "blackhole", "quasar"};
	const struct cluster *cluster = &reading->cluster;
	const struct per_chip *rows = cluster->arch_count ? cluster->arch : cluster->chips;
	uint32_t count = cluster->arch_count ? cluster->arch_count : cluster->chip_count;

	if (count == 0 || count > CHIPS_MAX) {
		diag_error(reading->diag, location_at(cluster->where.source, 0, 0),
			count ? "more than 4096 chips" : "it lists no chip: arch");
		return;
	}
	reading->locals = arena_array(arena, count, sizeof(*reading->locals));
	for (uint32_t i = 0; i < count; i++) {
		struct local local = {.board = MACHINE_NONE,
			.device = MACHINE_NONE,
			.place = {-1, -1, -1, -1}};
		const struct tree_node *value = rows[i].value;

		if (!read_number_text(rows[i].key, &local.number) || find(reading, local.number)) {
			diag_error(reading->diag, value->where,
				"'arch': expected numbers of chips, found '%s'", rows[i].key);
			continue;
		}
		for (unsigned k = 1; cluster->arch_count && k < 4; k++)
			if (value->kind == TREE_SCALAR && strcasecmp(value->text, names[k]) == 0)
				local.arch = (enum topology_arch)k;
		if (value->kind == TREE_SCALAR && strcasecmp(value->text, "wormhole") == 0)
			local.arch = ARCH_WORMHOLE_B0;
		if (cluster->arch_count && local.arch == ARCH_INVALID)
			diag_error(reading->diag, value->where,
				"'arch': expected wormhole_b0, blackhole or quasar, found '%.40s'",
				value->kind == TREE_SCALAR ? value->text : "a list");
		local.id = (uint64_t)reading->file << 32 | local.number;
		reading->locals[reading->count++] = local;
	}
}

static void take_ids(struct reading *reading)
{
	const struct cluster *cluster = &reading->cluster;
	struct local *local;
	uint64_t value;

	for (uint32_t i = 0; i < cluster->id_count; i++) {
		const struct tree_node *node = cluster->ids[i].value;

		local = expect(reading, cluster->ids[i].key, node->where, "chip_unique_ids");
		if (local && (node->kind != TREE_SCALAR || !read_id_text(node->text, &local->id)))
			diag_error(reading->diag, node->where,
				"'chip_unique_ids': expected an id of 64 bits");
	}
	for (uint32_t i = 0; i < cluster->location_count; i++) {
		const struct tree_node *node = cluster->locations[i].value;

		local = expect(reading, cluster->locations[i].key, node->where, "asic_locations");
		if (!local)
			continue;
		if (node->kind == TREE_SCALAR && read_number_text(node->text, &local->location))
			continue;
		diag_error(reading->diag, node->where, "'asic_locations': expected a number");
	}
	for (uint32_t i = 0; i < cluster->chip_count; i++) {
		local = find_text(reading, cluster->chips[i].key);
		if (local)
			read_place(cluster->chips[i].value, local->place);
	}
	for (uint32_t i = 0; i < cluster->harvesting_count; i++) {
		const struct tree_node *node = cluster->harvesting[i].value;
		const struct tree_node *mask = tree_get(node, "harvest_mask");

		local = expect(reading, cluster->harvesting[i].key, node->where, "harvesting");
		if (local && mask && mask->kind == TREE_SCALAR && read_id_text(mask->text, &value))
			local->harvested = (uint32_t)value;
	}
}

/* [0: 2, 1: 3], or a map of the same, or [0, 1]. */
static void take_mmio(struct reading *reading, const struct tree_node *node)
{
	struct local *local;

	if (!node || tree_is_null(node))
		return;
	if (node->kind == TREE_SCALAR) {
		local = expect(reading, node->text, node->where, "chips_with_mmio");
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

		local = expect(
			reading, node->pairs[i].key, node->pairs[i].where, "chips_with_mmio");
		if (!local)
			continue;
		local->pcie = true;
		if (value->kind != TREE_SCALAR || !read_number_text(value->text, &local->device))
			diag_error(reading->diag, value->where,
				"'chips_with_mmio': expected the number of a PCIe device");
	}
}

/* Chips of one board where some are reached through others may not be given out apart. */
static void take_boards(struct reading *reading, uint32_t first_board)
{
	const struct cluster *cluster = &reading->cluster;
	struct location where = cluster->where;

	for (uint32_t i = 0; i < cluster->board_count; i++)
		for (uint32_t p = 0; p < cluster->boards[i].count; p++) {
			const struct cluster_board_part *part = &cluster->boards[i].parts[p];

			for (uint32_t c = 0; c < part->chip_count; c++) {
				struct local *local = find(reading, part->chips[c]);

				if (local)
					local->board = first_board + i;
				else
					diag_error(reading->diag, where,
						"boards: no chip %u in this file", part->chips[c]);
			}
		}
	/* A chip without PCIe is reached through the first of its board that has it. */
	for (uint32_t i = 0; i < reading->count; i++)
		for (uint32_t k = 0; k < reading->count && !reading->locals[i].pcie; k++)
			if (reading->locals[k].pcie && reading->locals[i].board != MACHINE_NONE &&
				reading->locals[k].board == reading->locals[i].board) {
				reading->locals[i].device = reading->locals[k].device;
				break;
			}
}

/* Without asic_locations, a board's chips are counted from the one with PCIe. */
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

/* Boards whose chips all have PCIe may be split. */
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

/* Trays are boards, counted from 1 in the order of their PCIe devices. */
static void add_chips(struct reading *reading, struct machine *machine, struct arena *arena)
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
		struct local *local = find(reading, order[i].number);
		struct machine_chip chip = {.id = local->id,
			.host = machine_host(machine, host),
			.location = local->location,
			.board = board_of(reading, local),
			.device = local->device,
			.harvested = local->harvested,
			.pcie = local->pcie,
			.arch = local->arch};

		memcpy(chip.place, local->place, sizeof(chip.place));
		for (uint32_t k = 0; k < i && !chip.tray; k++)
			if (local->board != MACHINE_NONE && order[k].board == local->board)
				chip.tray =
					machine->chips[find(reading, order[k].number)->chip].tray;
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

static void add_channel(const struct reading *reading, struct machine *machine,
	const struct cluster_end *from, uint32_t a, const struct cluster_end *to, uint32_t b)
{
	enum status status = machine_add_channel(machine, a, from->channel, b, to->channel);

	if (status == STATUS_INVALID)
		diag_error(reading->diag, from->where, "a chip is joined with itself");
	else if (status == STATUS_EXISTS)
		diag_error(reading->diag, from->where,
			"channel %u or %u has another partner elsewhere in the file", from->channel,
			to->channel);
	else if (status != STATUS_OK)
		diag_error(reading->diag, from->where, "more channels than a machine may have");
}

static void add_connections(const struct reading *reading, struct machine *machine)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct cluster_end *ends = cluster->connections[i].ends;
		struct local *chips[2] = {NULL, NULL};

		for (int e = 0; e < 2; e++)
			if (ends[e].chip_node && ends[e].chip_node->kind == TREE_SCALAR)
				chips[e] = expect(reading, ends[e].chip_node->text, ends[e].where,
					"ethernet_connections");
			else
				diag_error(reading->diag, ends[e].where,
					"'ethernet_connections': an end needs a chip and a chan");
		if (chips[0] && chips[1])
			add_channel(reading, machine, &ends[0], chips[0]->chip, &ends[1],
				chips[1]->chip);
	}
}

/* Once all hosts have their chips. */
static void add_remote(const struct reading *reading, struct machine *machine)
{
	const struct cluster *cluster = &reading->cluster;

	for (uint32_t i = 0; i < cluster->remote_count; i++) {
		const struct cluster_end *ends = cluster->remote[i].ends;
		struct local *chip = NULL;
		uint64_t id;
		uint32_t to = MACHINE_NONE;

		if (ends[0].chip_node && ends[0].chip_node->kind == TREE_SCALAR)
			chip = expect(reading, ends[0].chip_node->text, ends[0].where,
				"ethernet_connections_to_remote_devices");
		if (ends[1].remote_node && ends[1].remote_node->kind == TREE_SCALAR &&
			read_id_text(ends[1].remote_node->text, &id))
			to = machine_find(machine, id);
		else
			diag_error(reading->diag, ends[1].where,
				"'ethernet_connections_to_remote_devices': expected "
				"remote_chip_id");
		if (chip && to != MACHINE_NONE)
			add_channel(reading, machine, &ends[0], chip->chip, &ends[1], to);
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
	if (!schema_bind_foreign(&file_schema, root, &reading->cluster, arena, reading->diag, NULL,
		    strict ? 0 : SCHEMA_UNKNOWN_WARNS))
		return;
	list_chips(reading, arena);
	take_ids(reading);
	take_mmio(reading, reading->cluster.mmio);
	take_boards(reading, machine->board_count);
	machine->board_count += reading->cluster.board_count;
	number_locations(reading);
	add_chips(reading, machine, arena);
	add_connections(reading, machine);
}

/* Reads the trees, some of which may be NULL after errors. Frees them. */
static struct machine *join(struct tree **trees, uint32_t count, bool strict, struct diag *diag)
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
	machine = join(trees, count, strict, diag);
	arena_fini(&arena);
	return machine;
}

struct machine *machine_read_cluster_text(
	const char *name, const char *text, size_t length, bool strict, struct diag *diag)
{
	struct tree *tree = tree_read_text(name, text, length, diag);

	return join(&tree, 1, strict, diag);
}
