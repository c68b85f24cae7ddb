/* The tables of UMD cluster descriptors: the keys, and the bounds of their numbers. */
#include "read_private.h"

static const struct schema_field per_chip_item =
	SCHEMA_ITEM_NODE(.offset = offsetof(struct per_chip, value));
#define PER_CHIP(member, count, key_)                                                              \
	SCHEMA_DICT(struct cluster, member, count, key_, &per_chip_item, struct per_chip, key,     \
		.allow_null = true)

static const struct schema_field axis_item = SCHEMA_ITEM_INT(uint16_t);
static const struct schema_field place_item = SCHEMA_ITEM_ARRAY(uint16_t[4], &axis_item,
	.offset = offsetof(struct chip_place, at), SCHEMA_WHERE(struct chip_place, where));
static const struct schema_field location_item = SCHEMA_ITEM_INT(uint32_t,
	.offset = offsetof(struct chip_number, number), SCHEMA_WHERE(struct chip_number, where));
static const struct schema_field id_item = {.name = "chip_unique_ids",
	.kind = SCHEMA_KIND_CUSTOM,
	.size = sizeof(uint64_t),
	.offset = offsetof(struct chip_id, id),
	.bind = read_id,
	SCHEMA_WHERE(struct chip_id, where)};

#define MASK(kind, key)                                                                            \
	SCHEMA_INT(struct chip_harvest, masks[kind].bits, key,                                     \
		SCHEMA_WHERE(struct chip_harvest, masks[kind].where))
static const struct schema_field harvest_fields[] = {
	MASK(HARVEST_TENSIX, "harvest_mask"),
	MASK(HARVEST_DRAM, "dram_harvesting_mask"),
	MASK(HARVEST_ETHERNET, "eth_harvesting_mask"),
	MASK(HARVEST_PCIE, "pcie_harvesting_mask"),
	MASK(HARVEST_L2CPU, "l2cpu_harvesting_mask"),
	SCHEMA_NODE(struct chip_harvest, translation, "noc_translation"),
};
static const struct schema harvest_schema = SCHEMA("cluster_harvest", struct chip_harvest,
	harvest_fields, SCHEMA_WHERE(struct chip_harvest, where));
static const struct schema_field harvest_item =
	SCHEMA_ITEM_MAP(struct chip_harvest, &harvest_schema);

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
static const struct schema part_schema = SCHEMA("cluster_board_part", struct cluster_board_part,
	part_fields, SCHEMA_WHERE(struct cluster_board_part, where));
static const struct schema_field part_item =
	SCHEMA_ITEM_MAP(struct cluster_board_part, &part_schema);
static const struct schema_field board_item = SCHEMA_ITEM_ARRAY(struct cluster_board, &part_item,
	SCHEMA_COUNT(struct cluster_board, count), .min = 1, .max = 4);

static const struct schema_field file_fields[] = {
	PER_CHIP(arch, arch_count, "arch"),
	SCHEMA_DICT(struct cluster, chips, chip_count, "chips", &place_item, struct chip_place, key,
		.allow_null = true),
	SCHEMA_DICT(struct cluster, ids, id_count, "chip_unique_ids", &id_item, struct chip_id, key,
		.allow_null = true),
	SCHEMA_LIST(struct cluster, connections, connection_count, "ethernet_connections",
		&connection_item, .allow_null = true),
	SCHEMA_LIST(struct cluster, remote, remote_count, "ethernet_connections_to_remote_devices",
		&connection_item, .allow_null = true),
	SCHEMA_NODE(struct cluster, mmio, "chips_with_mmio"),
	SCHEMA_DICT(struct cluster, harvesting, harvesting_count, "harvesting", &harvest_item,
		struct chip_harvest, key, .allow_null = true),
	PER_CHIP(bus_ids, bus_id_count, "chip_to_bus_id"),
	SCHEMA_DICT(struct cluster, locations, location_count, "asic_locations", &location_item,
		struct chip_number, key, .allow_null = true),
	PER_CHIP(pci, pci_count, "chip_pci_bdfs"),
	PER_CHIP(types, type_count, "boardtype"),
	SCHEMA_LIST(struct cluster, boards, board_count, "boards", &board_item, .allow_null = true),
	SCHEMA_NODE(struct cluster, io, "io_device_type"),
	SCHEMA_NODE(struct cluster, schema, "$schema"),
};
const struct schema cluster_schema =
	SCHEMA("cluster", struct cluster, file_fields, SCHEMA_WHERE(struct cluster, where));
