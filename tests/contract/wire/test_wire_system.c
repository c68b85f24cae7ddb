/* Tests the message with the system descriptor, with every codec. The descriptor of each shipped
 * machine is the same after encoding and decoding. A message that refers to objects which it does
 * not contain is rejected. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "bench/scenario/machine_constants.h"
#include "bench/scenario/load.h"
#include "check.h"
#include "platform/platform.h"
#include "wire/system_file.h"
#include "wire_commands.h"

static void check_tiles(const uint16_t *seen, const uint16_t *expected, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		check_equal(seen[i], expected[i]);
}

static void check_shape(const struct chip_geometry *seen, const struct chip_geometry *expected)
{
	check_equal(seen->tile_count, expected->tile_count);
	for (uint16_t i = 0; i < expected->tile_count; i++) {
		check_equal(seen->tiles[i].kind, expected->tiles[i].kind);
		check_equal(seen->tiles[i].x, expected->tiles[i].x);
		check_equal(seen->tiles[i].y, expected->tiles[i].y);
	}
	check_equal(seen->noc_columns, expected->noc_columns);
	check_equal(seen->noc_rows, expected->noc_rows);
	check_tiles(seen->tile_at, expected->tile_at,
		(uint32_t)expected->noc_columns * expected->noc_rows);
	check_equal(seen->worker_columns, expected->worker_columns);
	check_equal(seen->worker_rows, expected->worker_rows);
	check_tiles(seen->worker_tiles, expected->worker_tiles,
		(uint32_t)expected->worker_columns * expected->worker_rows);
	check_equal(seen->dispatch_tile_count, expected->dispatch_tile_count);
	check_tiles(seen->dispatch_tiles, expected->dispatch_tiles, expected->dispatch_tile_count);
	check_equal(seen->ethernet_count, expected->ethernet_count);
	check_tiles(seen->ethernet_tiles, expected->ethernet_tiles, expected->ethernet_count);
	check_equal(seen->idle_ethernet_count, expected->idle_ethernet_count);
	check_tiles(seen->idle_ethernet_tiles, expected->idle_ethernet_tiles,
		expected->idle_ethernet_count);
	check_equal(seen->dram_bank_count, expected->dram_bank_count);
	check_tiles(seen->dram_tiles, expected->dram_tiles, expected->dram_bank_count);
	check_equal(seen->pcie_tile, expected->pcie_tile);
	check_equal(seen->l1_bytes, expected->l1_bytes);
	check_equal(seen->ethernet_l1_bytes, expected->ethernet_l1_bytes);
	check_equal(seen->dram_bank_bytes, expected->dram_bank_bytes);
	check_equal(seen->word_bytes, expected->word_bytes);
	check_equal(seen->worker_l1_base, expected->worker_l1_base);
}

static void check_machine(const struct cluster_info *seen, const struct cluster_info *expected)
{
	assert_string_equal(seen->platform, expected->platform);
	check_equal(seen->chip_count, expected->chip_count);
	check_equal(seen->mesh_rows, expected->mesh_rows);
	check_equal(seen->mesh_columns, expected->mesh_columns);
	check_equal(seen->fabric_channels, expected->fabric_channels);
	check_equal(seen->fabric_packet_bytes, expected->fabric_packet_bytes);
	for (uint16_t i = 0; i < expected->chip_count; i++) {
		const struct chip_info *one = &seen->chips[i], *other = &expected->chips[i];

		check_equal(one->has_pcie, other->has_pcie);
		check_equal(one->gateway, other->gateway);
		check_equal(one->mesh_row, other->mesh_row);
		check_equal(one->mesh_column, other->mesh_column);
		check_equal(one->host, other->host);
		check_shape(one->geometry, other->geometry);
	}
	check_equal(seen->connection_count, expected->connection_count);
	for (uint32_t i = 0; i < expected->connection_count; i++) {
		check_equal(seen->connections[i].chip[0], expected->connections[i].chip[0]);
		check_equal(seen->connections[i].chip[1], expected->connections[i].chip[1]);
		check_equal(seen->connections[i].links, expected->connections[i].links);
	}
}

static void every_shipped_machine_comes_back_as_it_is(void **codec)
{
	struct arena arena;
	const char *const *names;

	arena_init(&arena);
	names = platform_list(platform_directory(), &arena);
	assert_non_null(names[0]);
	for (size_t i = 0; names[i]; i++) {
		struct diag *diag = diag_new();
		struct platform *platform = machine_platform(names[i], diag);
		struct wire_command command, back;
		struct cluster_info info;
		struct text why = {0};
		struct wire_rig rig;

		assert_non_null(platform);
		wire_rig_init(&rig, *codec);
		command = wire_system_describe(platform_cluster(platform), &rig.arena);
		wire_rig_encode(&rig, &command);
		check_status(wire_rig_decode(&rig, rig.frame, rig.bytes, &back, NULL), STATUS_OK);
		check(wire_system_read(&back.system_descriptor, &rig.arena, &info, &why) ==
				STATUS_OK,
			"%s: %s", names[i], text_string(&why));
		check_machine(&info, platform_cluster(platform));
		text_fini(&why);
		wire_rig_fini(&rig);
		platform_free(platform);
		diag_free(diag);
	}
	arena_fini(&arena);
}

/* ---- a chip with two tiles, in forms that a stranger may send ---- */

struct machine {
	struct wire_geometry shape;
	struct wire_chip chip;
	struct wire_connection connection;
	uint32_t tiles[2], numbers[2];
	struct wire_system_descriptor message;
};

static void machine_make(struct machine *machine)
{
	*machine = (struct machine){
		.shape = {.tile_count = 2,
			.noc_columns = 2,
			.noc_rows = 1,
			.worker_columns = 1,
			.worker_rows = 1,
			.dram_bank_count = 1},
		.tiles = {TILE_TENSIX << 16, TILE_DRAM << 16 | 1 << 8},
		.numbers = {0, 1},
		.message = {.mesh_rows = 1,
			.mesh_columns = 1,
			.geometries = {&machine->shape, 1},
			.chips = {&machine->chip, 1},
			.connections = {&machine->connection, 1},
			.tiles = {machine->tiles, 2},
			.numbers = {machine->numbers, 2}},
	};
}

static void expect(struct machine *machine, const char *sentence)
{
	struct cluster_info info;
	struct text why = {0};
	struct arena arena;

	arena_init(&arena);
	check_status(wire_system_read(&machine->message, &arena, &info, &why),
		sentence[0] ? STATUS_OUT_OF_RANGE : STATUS_OK);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
	arena_fini(&arena);
	machine_make(machine);
}

TEST(what_a_message_does_not_hold_is_refused)
{
	struct machine machine;

	machine_make(&machine);
	expect(&machine, "");
	machine.chip.geometry = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: shape 1 of 1");
	machine.chip.gateway = 3;
	expect(&machine, "SYSTEM_DESCRIPTOR: gateway 3 of 1");
	machine.chip.mesh_column = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: column of chips 1 of 1");
	machine.chip.mesh_row = machine.chip.mesh_column = UINT16_MAX;
	expect(&machine, "");
	machine.connection.other = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: chip 1 of 1");
	machine.shape.first_tile = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: word of tiles 3 of 3");
	machine.shape.ethernet_count = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: word of numbers 3 of 3");
	machine.shape.pcie_tile = 2;
	expect(&machine, "SYSTEM_DESCRIPTOR: tile 2 of 2");
	machine.numbers[1] = 2;
	expect(&machine, "SYSTEM_DESCRIPTOR: tile 2 of 2");
	machine.tiles[0] = 9 << 16;
	expect(&machine, "SYSTEM_DESCRIPTOR: kind of tile 9 of 5");
	machine.tiles[1] = 2 << 8;
	expect(&machine, "SYSTEM_DESCRIPTOR: column 2 of 2");
	machine.tiles[1] = 1;
	expect(&machine, "SYSTEM_DESCRIPTOR: row 1 of 1");
}

int main(void)
{
	static const struct wire_case cases[] = {
		WIRE_CASE(every_shipped_machine_comes_back_as_it_is),
		WIRE_CASE(what_a_message_does_not_hold_is_refused),
	};

	return wire_cases_run("wire system", cases, sizeof cases / sizeof cases[0]);
}
