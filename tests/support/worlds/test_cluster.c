/* Cluster descriptions for tests, each allocated in one arena. */
#include "test_cluster.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/allocate.h"

struct built {
	struct cluster_info info; /* must be the first member: callers see only this */
	struct arena arena;
};

static uint16_t or_else(uint16_t value, uint16_t otherwise)
{
	return value ? value : otherwise;
}

enum { NOC_SIDE = 32 }; /* enough for every cluster of tests */

static uint16_t *make_places(struct arena *arena, const struct tile_info *tiles, uint16_t count)
{
	uint16_t *places = arena_array(arena, NOC_SIDE * NOC_SIDE, sizeof(*places));

	for (uint32_t i = 0; i < NOC_SIDE * NOC_SIDE; i++)
		places[i] = TILE_AT_NONE;
	for (uint16_t i = 0; i < count; i++)
		places[tiles[i].y * NOC_SIDE + tiles[i].x] = i;
	return places;
}

static struct chip_geometry *make_geometry(
	struct arena *arena, const struct test_cluster *config, uint16_t dispatch_count)
{
	struct chip_geometry *geometry = arena_alloc(arena, sizeof(*geometry));
	uint16_t columns = or_else(config->worker_columns, 4),
		 rows = or_else(config->worker_rows, 3);
	uint16_t workers = (uint16_t)(columns * rows), banks = or_else(config->dram_banks, 4);
	uint16_t idle = (uint16_t)(config->idle_ethernet + (config->ethernet ? dispatch_count : 0));
	uint16_t count = (uint16_t)(workers + dispatch_count + config->idle_ethernet + banks + 1),
		 at = 0;
	struct tile_info *tiles = arena_array(arena, count, sizeof(*tiles));
	uint16_t *worker_tiles = arena_array(arena, workers, sizeof(*worker_tiles));
	uint16_t *dispatch_tiles = arena_array(arena, dispatch_count, sizeof(*dispatch_tiles));
	uint16_t *idle_tiles = arena_array(arena, idle + 1u, sizeof(*idle_tiles));
	uint16_t *dram_tiles = arena_array(arena, banks, sizeof(*dram_tiles));

	for (uint16_t i = 0; i < workers; i++, at++) {
		worker_tiles[i] = at;
		tiles[at] = (struct tile_info){
			TILE_TENSIX, (uint8_t)(1 + i % columns), (uint8_t)(1 + i / columns)};
	}
	for (uint16_t i = 0; i < dispatch_count; i++, at++) {
		dispatch_tiles[i] = at;
		tiles[at] = (struct tile_info){config->ethernet ? TILE_ETHERNET : TILE_TENSIX,
			(uint8_t)(1 + i % columns), (uint8_t)(1 + rows + i / columns)};
		if (config->ethernet)
			idle_tiles[i] = at;
	}
	for (uint16_t i = (uint16_t)(idle - config->idle_ethernet); i < idle; i++, at++) {
		idle_tiles[i] = at;
		tiles[at] = (struct tile_info){TILE_ETHERNET, (uint8_t)(1 + i), 0};
	}
	for (uint16_t i = 0; i < banks; i++, at++) {
		dram_tiles[i] = at;
		tiles[at] = (struct tile_info){TILE_DRAM, 0, (uint8_t)(1 + i)};
	}
	tiles[at] = (struct tile_info){TILE_PCIE, 0, 0};
	*geometry = (struct chip_geometry){
		.tile_count = count,
		.tiles = tiles,
		.noc_columns = NOC_SIDE,
		.noc_rows = NOC_SIDE,
		.tile_at = make_places(arena, tiles, count),
		.worker_columns = columns,
		.worker_rows = rows,
		.worker_tiles = worker_tiles,
		.dispatch_tile_count = dispatch_count,
		.dispatch_tiles = dispatch_tiles,
		.idle_ethernet_count = idle,
		.idle_ethernet_tiles = idle_tiles,
		.dram_bank_count = banks,
		.dram_tiles = dram_tiles,
		.pcie_tile = at,
		.l1_bytes = 1464 * 1024,
		.ethernet_l1_bytes = 256 * 1024,
		.dram_bank_bytes = UINT64_C(1) << 30,
		.word_bytes = 16 * 1024,
		.worker_l1_base = 32 * 1024,
	};
	return geometry;
}

static void connect(const struct test_cluster *config, struct fabric_connection *connections,
	uint32_t *count, uint16_t a, uint16_t b)
{
	connections[(*count)++] =
		(struct fabric_connection){{a, b}, config->links ? config->links : 2};
}

static void join_mesh(
	const struct test_cluster *config, struct fabric_connection *connections, uint32_t *count)
{
	uint16_t rows = config->rows, columns = config->columns;

	for (uint16_t row = 0; row < rows; row++)
		for (uint16_t column = 0; column < columns; column++) {
			uint16_t chip = (uint16_t)(row * columns + column);

			if (column + 1 < columns)
				connect(config, connections, count, chip, (uint16_t)(chip + 1));
			else if (config->wrap && columns > 2)
				connect(config, connections, count, chip,
					(uint16_t)(row * columns));
			if (row + 1 < rows)
				connect(config, connections, count, chip,
					(uint16_t)(chip + columns));
			else if (config->wrap && rows > 2)
				connect(config, connections, count, chip, column);
		}
}

struct cluster_info *test_cluster_info_new(const struct test_cluster *config)
{
	struct built *built = allocate(1, sizeof(*built));
	uint16_t mesh_chips = (uint16_t)(config->rows * config->columns);
	uint16_t gateways = config->pcie == TEST_PCIE_GATEWAYS ? config->rows : 0;
	struct fabric_connection *connections;
	struct chip_geometry *geometry, *gateway_geometry;
	struct chip_info *chips;
	uint32_t count = 0;

	arena_init(&built->arena);
	geometry = make_geometry(&built->arena, config, or_else(config->dispatch_tiles, 8));
	gateway_geometry = make_geometry(&built->arena, config, 16);
	chips = arena_array(&built->arena, mesh_chips + gateways, sizeof(*chips));
	connections = arena_array(&built->arena, 3u * mesh_chips + gateways, sizeof(*connections));
	for (uint16_t i = 0; i < mesh_chips; i++) {
		uint16_t row = i / config->columns, column = i % config->columns;
		uint16_t gateway = i;

		if (config->pcie == TEST_PCIE_LEFT)
			gateway = (uint16_t)(row * config->columns);
		else if (config->pcie == TEST_PCIE_GATEWAYS)
			gateway = (uint16_t)(mesh_chips + row);
		chips[i] = (struct chip_info){.geometry = geometry,
			.has_pcie = gateway == i,
			.gateway = gateway,
			.mesh_row = (int16_t)row,
			.mesh_column = (int16_t)column};
	}
	join_mesh(config, connections, &count);
	for (uint16_t i = 0; i < gateways; i++) {
		uint16_t chip = (uint16_t)(mesh_chips + i);

		chips[chip] = (struct chip_info){.geometry = gateway_geometry,
			.has_pcie = true,
			.gateway = chip,
			.mesh_row = -1,
			.mesh_column = -1};
		connect(config, connections, &count, chip, (uint16_t)(i * config->columns));
	}
	built->info = (struct cluster_info){.platform = "test",
		.chip_count = (uint16_t)(mesh_chips + gateways),
		.chips = chips,
		.mesh_rows = config->rows,
		.mesh_columns = config->columns,
		.connection_count = count,
		.connections = connections,
		.fabric_channels = config->channels ? config->channels : 2,
		.fabric_packet_bytes = 4096};
	return &built->info;
}

void test_cluster_info_free(struct cluster_info *info)
{
	struct built *built = (struct built *)info;

	if (built == NULL)
		return;
	arena_fini(&built->arena);
	free(built);
}
