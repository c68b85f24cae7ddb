/* Firmware on real rows: broadcasts from an initiator to every chip of a mesh (rig.h). */
#include "check.h"
#include "fabric/pattern.h"
#include "fabric/tree.h"
#include "fabric/shape.h"
#include "rig_private.h"

/* Starts depacketizer and broadcast prefetch_d of a chip, the second input of its dispatcher. */
static void receiver_start(struct rig_chip *chip, const struct rig_chip *initiator,
	struct broadcast_layout layout, uint16_t columns)
{
	struct rig *rig = chip->rig;
	struct prefetch_layout prefetch = chip->broadcast;
	struct prefetch_config config_d = {.counterpart_tile = rig_tile_at(chip, AT_D),
		.counterpart_word = chip->prefetch.counterpart_word};
	struct depacketizer_config config = {.place = rig_place(chip, AT_DEPACKETIZER)};
	uint32_t ring;

	check_status(tile_plan_bytes(&chip->broadcast_plan, rig->limits.receive_ring_bytes, &ring),
		STATUS_OK);
	config.broadcast = layout;
	config.layout = chip->depacketizer;
	config.output = rig_link_make(rig, chip, AT_DEPACKETIZER, chip->depacketizer.credit_word,
		chip, AT_DEPACKETIZER, prefetch.arrival_word, ring, rig->limits.receive_ring_bytes);
	config.backward = chip != initiator ? rig_way(rig, chip->chip, initiator->chip) : NULL;
	config.receiver = chip->chip;
	config.row = (uint8_t)(chip->chip / columns);
	config.column = (uint8_t)(chip->chip % columns);
	config.spill_tile = chip->geometry->dram_tiles[0];
	config.spill = 0x100000;
	config_d.place = rig_place(chip, AT_DEPACKETIZER);
	config_d.layout = prefetch;
	config_d.input = config.output;
	config_d.output = rig_dispatch_link(chip, AT_DEPACKETIZER, &prefetch, 1);
	config_d.grid_index = chip->chip;
	chip->dispatcher_config.input_count = 2;
	chip->depacketizer_stage = depacketizer_new(rig->firmware, &config);
	rig_attach(chip, chip->depacketizer_stage);
	rig_attach(chip, prefetch_d_new(rig->firmware, &config_d));
}

static struct broadcast_tree piece_make(
	struct rig *rig, uint16_t initiator, struct device_range range)
{
	struct virtual_mesh mesh;
	struct mesh_shape shape = {rig->info->mesh_rows, rig->info->mesh_columns};
	uint16_t *receivers = arena_array(&rig->arena, rig->receivers, sizeof(*receivers));
	struct broadcast_tree tree = {.receivers = receivers};

	check_status(virtual_mesh_init(&mesh, rig->info, shape, (struct mesh_offset){0, 0},
			     &rig->arena, NULL),
		STATUS_OK);
	check_status(fabric_line_columns(
			     &rig->graph, &mesh, range, initiator, &rig->arena, NULL, &tree.tree),
		STATUS_OK);
	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++)
			receivers[tree.receiver_count++] = (uint16_t)(row * shape.columns + column);
	return tree;
}

/* Makes the multicasts to a rectangle: one, or as many as rig->members demands. */
static struct broadcast_tree tree_make(struct rig *rig, uint16_t initiator, struct grid_rect rect)
{
	struct device_range range = {rect.row0, rect.column0, rect.row1, rect.column1};
	uint32_t most = rig->members > 0 ? rig->members : device_range_count(range);
	uint32_t count = fabric_piece_count(range, most);
	struct device_range *pieces = arena_array(&rig->arena, count, sizeof(*pieces));
	struct broadcast_tree *trees = arena_array(&rig->arena, count, sizeof(*trees));

	fabric_pieces(range, most, pieces);
	for (uint32_t i = 0; i < count; i++) {
		trees[i] = piece_make(rig, initiator, pieces[i]);
		if (i > 0)
			trees[i - 1].next = &trees[i];
	}
	return trees[0];
}

static void sender_start(struct rig *rig, struct rig_chip *initiator,
	struct packetizer_layout layout, struct broadcast_layout broadcast)
{
	struct grid_rect all = {
		0, 0, (uint8_t)(rig->info->mesh_rows - 1), (uint8_t)(rig->info->mesh_columns - 1)};
	struct broadcast_tree tree = tree_make(rig, initiator->chip, all);
	struct packetizer_config config = {.place = rig_place(initiator, AT_PACKETIZER),
		.socket_count = 1,
		.sockets = {{.broadcast = broadcast,
			.receiver_count = rig->receivers,
			.local_receiver =
				initiator->chip < rig->receivers ? initiator->chip : RECEIVER_NONE,
			.tree_count = 1,
			.trees = &tree}}};
	struct prefetch_config config_h;
	struct prefetch_layout layout_h;
	struct tile_plan plan;

	tile_plan_init(&plan, initiator->geometry, rig_tile_at(initiator, AT_BROADCAST_H));
	check_status(prefetch_place(&plan, PREFETCH_ROLE_H, &rig->limits, &layout_h), STATUS_OK);
	rig->broadcast_issue = rig_issue_make(initiator, AT_BROADCAST_H, &layout_h);
	config_h = rig_issue_reader(initiator, AT_BROADCAST_H, rig->broadcast_issue, 0);
	config_h.layout = layout_h;
	config_h.output = rig_link_make(rig, initiator, AT_BROADCAST_H, layout_h.credit_word,
		initiator, AT_PACKETIZER, layout.arrival_word, layout.ring,
		rig->limits.packetizer_ring_bytes);
	config.sockets[0].input = config_h.output;
	rig->packetizer = packetizer_new(rig->firmware, &config);
	rig_attach(initiator, rig->packetizer);
	rig_attach(initiator, prefetch_h_new(rig->firmware, &config_h));
}

void rig_broadcast(struct rig *rig, uint16_t initiator_number, uint16_t rows, uint16_t columns)
{
	struct rig_chip *initiator = rig_chip_get(rig, initiator_number);
	struct broadcast_layout layout = {.credits = rig->credits};
	struct packetizer_layout packetizer;
	struct tile_plan plan;

	rig->receivers = (uint16_t)(rows * columns);
	tile_plan_init(&plan, initiator->geometry, rig_tile_at(initiator, AT_PACKETIZER));
	check_status(packetizer_place(&plan, &rig->limits, rig->receivers, &packetizer), STATUS_OK);
	layout.packetizer_tile = rig_tile_at(initiator, AT_PACKETIZER);
	layout.account_words = packetizer.account_words;
	for (uint16_t i = 0; i < rig->receivers; i++) {
		struct rig_chip *chip = rig_chip_get(rig, i);

		tile_plan_init(
			&chip->broadcast_plan, chip->geometry, rig_tile_at(chip, AT_DEPACKETIZER));
		check_status(depacketizer_place(
				     &chip->broadcast_plan, &rig->limits, &chip->depacketizer),
			STATUS_OK);
		check_status(prefetch_place(&chip->broadcast_plan, PREFETCH_ROLE_D, &rig->limits,
				     &chip->broadcast),
			STATUS_OK);
		chip->has_broadcast = true;
		if (rig->info->chips[i].has_pcie)
			rig_local_plan(rig, i);
		else
			rig_remote_plan(rig, i);
		layout.landing_tile = rig_tile_at(chip, AT_DEPACKETIZER);
		layout.landing_ring = chip->depacketizer.landing_ring;
		layout.arrival_words = chip->depacketizer.arrival_words;
		receiver_start(chip, initiator, layout, columns);
		rig_dispatcher_start(chip);
	}
	sender_start(rig, initiator, packetizer, layout);
}

uint16_t rig_add_tree(struct rig *rig, uint16_t initiator, struct grid_rect rect)
{
	struct broadcast_tree tree = tree_make(rig, initiator, rect);
	uint16_t number;

	check_status(packetizer_add_tree(rig->packetizer, 0, &tree, &number), STATUS_OK);
	return number;
}
