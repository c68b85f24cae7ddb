/* Builds the cluster description that devices and the runtime use, from the platform's shape and
 * constants. The description has the geometry of the chips, the chips of the mesh, the gateways
 * (chips with PCIe), the connections, and for each chip the gateway through which the host reaches
 * it. Rejects machines that have a chip which the host cannot reach. */
#include <string.h>

#include "base/ensure.h"
#include "private.h"

/* Memory sizes that the description of the cluster contains. */
struct memory_sizes {
	uint32_t l1_bytes, ethernet_l1_bytes, words_bytes, worker_base_bytes, fabric_packet_bytes;
	uint64_t dram_bank_bytes;
};

#define SIZE_SPEC(name, member, what, ...)                                                         \
	CONSTANT_SPEC(struct memory_sizes, name, member, "B", what, .least = 1, __VA_ARGS__)

static const struct constant_spec specs[] = {
	SIZE_SPEC("memory.l1", l1_bytes, "L1 of a Tensix tile", .most = 1 << 30),
	SIZE_SPEC(
		"memory.ethernet_l1", ethernet_l1_bytes, "L1 of an Ethernet tile", .most = 1 << 30),
	SIZE_SPEC("memory.words", words_bytes,
		"start of every L1 that holds semaphores, ring pointers and doorbells",
		.most = 1 << 20),
	SIZE_SPEC("memory.worker_base", worker_base_bytes,
		"first byte of a worker's L1 for programs' buffers; firmware and its config ring "
		"lie below",
		.most = 1 << 30),
	SIZE_SPEC("memory.dram_bank", dram_bank_bytes, "DRAM behind one bank's tile",
		.most = 4294967296.0),
	/* A packet of the smallest size must hold two records that the firmware sends. */
	CONSTANT_SPEC(struct memory_sizes, "fabric.packet", fabric_packet_bytes, "B",
		"largest payload of one fabric packet", .least = 64, .most = 65536),
};

const struct constant_table platform_table = {
	.consumer = "platform", .specs = specs, .count = sizeof(specs) / sizeof(specs[0])};

static bool is_in(const struct indices *lines, unsigned value)
{
	for (uint32_t i = 0; i < lines->count; i++)
		if (lines->items[i] == value)
			return true;
	return false;
}

static uint16_t tile_at(const struct tiles_shape *tiles, unsigned x, unsigned y)
{
	return (uint16_t)(y * tiles->grid[0] + x);
}

/* Returns the physical number of the row (or column) whose virtual number is `number`. The NIU
 * translates virtual numbers into physical ones (spec 2.3): the first virtual numbers belong to the
 * rows in use, the last ones to those that are switched off. `lines` lists all rows, and
 * `harvested` the rows that are switched off, by their physical numbers. */
static uint8_t line_behind(
	const struct indices *lines, const struct indices *harvested, unsigned number)
{
	uint32_t live = lines->count - harvested->count, seen = 0, at = 0;

	while (lines->items[at] != number)
		at++;
	for (uint32_t i = 0; i < lines->count; i++) {
		bool off = is_in(harvested, lines->items[i]);

		if (off == (at >= live) && seen++ == (off ? at - live : at))
			return lines->items[i];
	}
	ensure(false, "no row or column has number %u", number);
}

/* Creates one entry for every node of the NoC grid, also for nodes without a modelled tile. */
static struct tile_info *make_tiles(struct arena *arena, const struct tiles_shape *tiles,
	const struct harvest *harvested, uint16_t *count)
{
	*count = (uint16_t)(tiles->grid[0] * tiles->grid[1]);
	struct tile_info *info = arena_array(arena, *count, sizeof(*info));

	for (unsigned y = 0; y < tiles->grid[1]; y++)
		for (unsigned x = 0; x < tiles->grid[0]; x++) {
			bool tensix =
				is_in(&tiles->tensix_columns, x) && is_in(&tiles->tensix_rows, y);
			uint8_t row = (uint8_t)y, column = (uint8_t)x;

			if (tensix) {
				row = line_behind(&tiles->tensix_rows, &harvested->rows, y);
				column =
					line_behind(&tiles->tensix_columns, &harvested->columns, x);
			}
			if (is_in(&harvested->rows, row) || is_in(&harvested->columns, column))
				tensix = false;
			info[tile_at(tiles, x, y)] = (struct tile_info){
				.kind = tensix ? TILE_TENSIX : TILE_OTHER, .x = column, .y = row};
		}
	for (uint32_t i = 0; i < tiles->ethernet.count; i++)
		info[tile_at(tiles, tiles->ethernet.items[i].at[0], tiles->ethernet.items[i].at[1])]
			.kind = TILE_ETHERNET;
	for (uint32_t i = 0; i < tiles->dram.count; i++)
		info[tile_at(tiles, tiles->dram.items[i].at[0], tiles->dram.items[i].at[1])].kind =
			TILE_DRAM;
	info[tile_at(tiles, tiles->pcie[0], tiles->pcie[1])].kind = TILE_PCIE;
	return info;
}

/* Fills the table that maps a place of the grid to its tile. */
static void make_places(
	struct arena *arena, const struct tiles_shape *tiles, struct chip_geometry *geometry)
{
	uint16_t *tile_at_place = arena_array(arena, geometry->tile_count, sizeof(*tile_at_place));

	for (uint16_t i = 0; i < geometry->tile_count; i++)
		tile_at_place[tile_at(tiles, geometry->tiles[i].x, geometry->tiles[i].y)] = i;
	geometry->noc_columns = tiles->grid[0];
	geometry->noc_rows = tiles->grid[1];
	geometry->tile_at = tile_at_place;
}

/* The tiles of a chip that are reserved for dispatch, if dispatch runs on Tensix tiles. */
struct reserved {
	unsigned rows, columns;
};

/* Lists the Tensix tiles row by row. The first rows and columns are for programs, the last ones for
 * dispatch. */
static void make_grid(struct arena *arena, const struct tiles_shape *tiles,
	const struct harvest *harvested, struct reserved reserved, struct chip_geometry *geometry)
{
	unsigned columns = tiles->tensix_columns.count - harvested->columns.count;
	unsigned rows = tiles->tensix_rows.count - harvested->rows.count;
	unsigned worker_columns = columns - reserved.columns, worker_rows = rows - reserved.rows;
	unsigned workers = worker_columns * worker_rows, dispatch = workers, worker = 0;
	uint16_t *all = arena_array(arena, (size_t)rows * columns, sizeof(*all));

	for (unsigned row = 0; row < rows; row++)
		for (unsigned column = 0; column < columns; column++) {
			bool works = row < worker_rows && column < worker_columns;

			all[works ? worker++ : dispatch++] = tile_at(tiles,
				tiles->tensix_columns.items[column], tiles->tensix_rows.items[row]);
		}
	geometry->worker_columns = (uint16_t)worker_columns;
	geometry->worker_rows = (uint16_t)worker_rows;
	geometry->worker_tiles = all;
	geometry->dispatch_tile_count = (uint16_t)(rows * columns - workers);
	geometry->dispatch_tiles = all + workers;
}

/* Lists the Ethernet tiles. Links use the first tiles of the list; the other tiles are idle. All
 * chips with this geometry have the same list, so one plan of the firmware fits all of them. */
static void make_ethernet(struct arena *arena, const struct tiles_shape *tiles, unsigned links,
	struct chip_geometry *geometry)
{
	uint32_t count = tiles->ethernet.count, taken = links < count ? links : count;
	uint16_t *all = arena_array(arena, count + 1, sizeof(*all)), *idle = all + taken;

	for (uint32_t i = 0; i < count; i++)
		all[i] = tile_at(
			tiles, tiles->ethernet.items[i].at[0], tiles->ethernet.items[i].at[1]);
	geometry->ethernet_count = (uint16_t)count;
	geometry->ethernet_tiles = all;
	geometry->idle_ethernet_count = (uint16_t)(count - taken);
	geometry->idle_ethernet_tiles = idle;
	if (tiles->dispatch_cores == DISPATCH_CORES_ETHERNET) {
		geometry->dispatch_tiles = idle;
		geometry->dispatch_tile_count = geometry->idle_ethernet_count;
	}
}

static const struct chip_geometry *make_geometry(struct platform *platform,
	const struct harvest *harvested, struct reserved reserved, unsigned links,
	const struct memory_sizes *memory)
{
	const struct tiles_shape *tiles = &platform->shape.tiles;
	struct arena *arena = &platform->arena;
	struct chip_geometry *geometry = arena_alloc(arena, sizeof(*geometry));
	uint16_t *dram = arena_array(arena, tiles->dram.count, sizeof(*dram));

	geometry->tiles = make_tiles(arena, tiles, harvested, &geometry->tile_count);
	make_places(arena, tiles, geometry);
	if (tiles->dispatch_cores == DISPATCH_CORES_ETHERNET)
		reserved = (struct reserved){0};
	make_grid(arena, tiles, harvested, reserved, geometry);
	make_ethernet(arena, tiles, links, geometry);
	for (uint32_t i = 0; i < tiles->dram.count; i++)
		dram[i] = tile_at(tiles, tiles->dram.items[i].at[0], tiles->dram.items[i].at[1]);
	geometry->dram_bank_count = (uint16_t)tiles->dram.count;
	geometry->dram_tiles = dram;
	geometry->pcie_tile = tile_at(tiles, tiles->pcie[0], tiles->pcie[1]);
	geometry->l1_bytes = memory->l1_bytes;
	geometry->ethernet_l1_bytes = memory->ethernet_l1_bytes;
	geometry->dram_bank_bytes = memory->dram_bank_bytes;
	geometry->word_bytes = memory->words_bytes;
	geometry->worker_l1_base = memory->worker_base_bytes;
	return geometry;
}

static struct reserved reserved_of_mesh(const struct tiles_shape *tiles)
{
	return (struct reserved){tiles->dispatch_rows, tiles->dispatch_columns};
}

/* Returns the number of links of the chip at this place of a host's mesh, including links to chips
 * of other hosts. If this number differs between hosts, returns the largest. */
static unsigned chip_links(const struct platform_shape *shape, unsigned row, unsigned column)
{
	const struct hosts_shape *hosts = shape->hosts;
	bool in_rows = hosts && hosts->along == PLATFORM_ALONG_ROWS;
	unsigned at = in_rows ? row : column;
	unsigned last = shape->topology.mesh[in_rows ? 0 : 1] - 1u, ends = 0;

	if (hosts && hosts->count > 1 && (at == 0 || at == last))
		ends = at == last && at == 0 && hosts->count > 2
			       ? 2
			       : 1; /* a host in the middle of a row or column of hosts has links to
				     * two of them */
	return shape_links(&shape->topology, row, column) + (ends > 0 ? ends * hosts->links : 0);
}

/* Number of links of the busiest chip of the mesh. */
static unsigned most_links(const struct platform_shape *shape)
{
	const struct topology_shape *topology = &shape->topology;
	unsigned most = 0;

	if (topology->wiring)
		return wired_links_most(topology->wiring) +
		       (shape->hosts ? shape->hosts->links : 0);
	for (unsigned row = 0; row < topology->mesh[0]; row++)
		for (unsigned column = 0; column < topology->mesh[1]; column++) {
			unsigned links = chip_links(shape, row, column);

			most = links > most ? links : most;
		}
	return most;
}

static unsigned harvest_kinds(const struct tiles_shape *tiles)
{
	return tiles->harvested_count > 0 ? tiles->harvested_count : 1;
}

static bool same_lines(const struct indices *a, const struct indices *b)
{
	return a->count == b->count && (!a->count || memcmp(a->items, b->items, a->count) == 0);
}

static bool same_harvest(const struct harvest *a, const struct harvest *b)
{
	return same_lines(&a->rows, &b->rows) && same_lines(&a->columns, &b->columns);
}

/* Creates the chips of `topology.wiring`. Chips with the same harvesting share a geometry. */
static struct chip_info *make_wired_chips(
	struct platform *platform, const struct memory_sizes *memory)
{
	const struct platform_shape *shape = &platform->shape;
	const struct wiring_shape *wiring = shape->topology.wiring;
	struct chip_info *chips = arena_array(&platform->arena, wiring->chip_count, sizeof(*chips));
	unsigned links = most_links(shape);

	for (uint32_t i = 0; i < wiring->chip_count; i++) {
		const struct wired_chip *chip = &wiring->chips[i];
		bool placed = chip->at_count > 0;

		chips[i] = (struct chip_info){.has_pcie = chip->pcie,
			.gateway = CHIP_NONE,
			.mesh_row = placed ? (int16_t)chip->at[0] : -1,
			.mesh_column = placed ? (int16_t)chip->at[1] : -1};
		for (uint32_t k = 0; k < i && chips[i].geometry == NULL; k++)
			if (same_harvest(&chip->harvested, &wiring->chips[k].harvested))
				chips[i].geometry = chips[k].geometry;
		if (chips[i].geometry == NULL)
			chips[i].geometry = make_geometry(platform, &chip->harvested,
				reserved_of_mesh(&shape->tiles), links, memory);
	}
	platform->cluster.chip_count = (uint16_t)wiring->chip_count;
	return chips;
}

/* Creates the chips: first the existing chips of the mesh, row by row, then the gateways. Writes
 * the number of each chip of the mesh to `numbers`, indexed by the chip's place. */
static struct chip_info *make_mesh_chips(
	struct platform *platform, const struct memory_sizes *memory, uint16_t *numbers)
{
	const struct platform_shape *shape = &platform->shape;
	const struct topology_shape *topology = &shape->topology;
	unsigned rows = topology->mesh[0], columns = topology->mesh[1], count = 0;
	struct chip_info *chips =
		arena_array(&platform->arena, shape_chips(topology), sizeof(*chips));
	unsigned links = most_links(shape), kinds = harvest_kinds(&shape->tiles);
	const struct chip_geometry **kind = arena_array(&platform->arena, kinds, sizeof(*kind));
	const struct chip_geometry *geometry;

	for (unsigned i = 0; i < kinds; i++) {
		struct harvest harvested = shape_harvested(&shape->tiles, i);

		kind[i] = make_geometry(
			platform, &harvested, reserved_of_mesh(&shape->tiles), links, memory);
	}
	for (unsigned i = 0; i < rows * columns; i++) {
		numbers[i] = CHIP_NONE;
		if (missing_chip(topology, i / columns, i % columns))
			continue;
		numbers[i] = (uint16_t)count;
		chips[count++] = (struct chip_info){.geometry = kind[i % kinds],
			.has_pcie =
				topology->pcie_all || is_in(&topology->pcie_columns, i % columns),
			.gateway = CHIP_NONE,
			.mesh_row = (int16_t)(i / columns),
			.mesh_column = (int16_t)(i % columns)};
	}
	if (topology->gateways) {
		geometry = make_geometry(platform, &topology->gateways->harvested,
			(struct reserved){.rows = topology->gateways->dispatch_rows},
			topology->gateways->links, memory);
		for (unsigned row = 0; row < rows; row++)
			chips[count++] = (struct chip_info){.geometry = geometry,
				.has_pcie = true,
				.gateway = CHIP_NONE,
				.mesh_row = -1,
				.mesh_column = -1};
	}
	platform->cluster.chip_count = (uint16_t)count;
	return chips;
}

static struct chip_info *make_chips(
	struct platform *platform, const struct memory_sizes *memory, uint16_t *numbers)
{
	const struct topology_shape *topology = &platform->shape.topology;
	struct chip_info *chips = topology->wiring ? make_wired_chips(platform, memory)
						   : make_mesh_chips(platform, memory, numbers);

	platform->cluster.chips = chips;
	platform->cluster.mesh_rows = topology->mesh[0];
	platform->cluster.mesh_columns = topology->mesh[1];
	return chips;
}

/* Sets the gateway of each chip: the chip with PCIe to which the path has the fewest hops. If there
 * are several, it is the chip with the lowest number. */
static void assign_gateways(struct platform *platform, struct chip_info *chips)
{
	struct cluster_info *cluster = &platform->cluster;
	bool changed = true;

	for (uint32_t i = 0; i < cluster->chip_count; i++)
		if (chips[i].has_pcie)
			chips[i].gateway = (uint16_t)i;
	while (changed) {
		uint16_t *next = arena_array(&platform->arena, cluster->chip_count, sizeof(*next));
		changed = false;
		memset(next, 0xff, cluster->chip_count * sizeof(*next));
		for (uint32_t i = 0; i < 2 * cluster->connection_count; i++) {
			const struct fabric_connection *connection = &cluster->connections[i / 2];
			uint16_t from = connection->chip[i % 2], to = connection->chip[1 - i % 2];
			if (chips[to].gateway == CHIP_NONE && chips[from].gateway < next[to])
				next[to] = chips[from].gateway;
		}
		for (uint32_t i = 0; i < cluster->chip_count; i++)
			if (next[i] != CHIP_NONE) {
				chips[i].gateway = next[i];
				changed = true;
			}
	}
}

/* Checks that the memory sizes fit together. Reports each error at the constant that is wrong.
 * Returns false after errors. */
static bool check_sizes(struct platform *platform, struct diag *diag)
{
	const struct platform_constant *words = platform_find(platform, "memory.words");
	const struct platform_constant *base = platform_find(platform, "memory.worker_base");
	double l1 = platform_real(platform, "memory.l1");
	double smallest = platform_real(platform, "memory.ethernet_l1");
	size_t errors = diag_errors(diag);

	if (words->value > l1 || words->value > smallest)
		diag_error(diag, words->given.where,
			"constant '%s' is larger than the L1 of a tile", words->name);
	if (base->value < words->value || base->value > l1)
		diag_error(diag, base->given.where,
			"constant '%s' must lie between 'memory.words' and 'memory.l1'",
			base->name);
	return diag_errors(diag) == errors;
}

/* Checks that there are enough Ethernet tiles. Each link, also one between hosts, needs its own
 * tile at both ends. Returns false after errors. */
static bool check_host_links(const struct platform_shape *shape, struct diag *diag)
{
	unsigned most = most_links(shape);
	unsigned along = shape->hosts && shape->hosts->along == PLATFORM_ALONG_COLUMNS;

	if (shape->hosts && shape->hosts->wrap &&
		shape->topology.mesh[along] * shape->hosts->count < 3) {
		diag_error(diag, shape->hosts->where,
			"a ring of two chips: 'wrap' takes three %s of all hosts or more",
			along ? "columns" : "rows");
		return false;
	}
	if (!shape->hosts || shape->hosts->links == 0 || most <= shape->tiles.ethernet.count)
		return true;
	diag_error(diag, shape->hosts->where,
		"a chip has %u links with those to other hosts (hosts.links), and %u Ethernet "
		"tiles",
		most, shape->tiles.ethernet.count);
	return false;
}

bool cluster_build(struct platform *platform, struct diag *diag)
{
	const struct platform_constant *channels = platform_find(platform, "chip.router_channels");
	struct memory_sizes memory;
	struct chip_info *chips;
	struct cluster_info *cluster = &platform->cluster;
	uint16_t *numbers = arena_array(
		&platform->arena, shape_chips(&platform->shape.topology), sizeof(*numbers));

	if (!check_sizes(platform, diag) || !check_host_links(&platform->shape, diag))
		return false;
	platform_bind(platform, &platform_table, &memory);
	chips = make_chips(platform, &memory, numbers);
	wiring_connect(platform, numbers);
	assign_gateways(platform, chips);
	cluster->platform = platform->shape.name;
	cluster->fabric_channels = channels ? (uint32_t)channels->value : 1;
	cluster->fabric_packet_bytes = memory.fabric_packet_bytes;
	cluster->clock_mhz = (uint32_t)(platform_real(platform, "chip.aiclk") / 1e6 + 0.5);
	for (uint32_t i = 0; i < cluster->chip_count; i++)
		if (cluster->chips[i].gateway == CHIP_NONE) {
			diag_error(diag, platform->shape.topology.where,
				"no way from the host to the chip at row %d, column %d",
				cluster->chips[i].mesh_row, cluster->chips[i].mesh_column);
			return false;
		}
	return true;
}

uint32_t platform_tensix_tiles(const struct platform *platform)
{
	bool tensix = platform->shape.tiles.dispatch_cores != DISPATCH_CORES_ETHERNET;
	uint32_t tiles = 0;

	for (uint32_t i = 0; i < platform->cluster.chip_count; i++) {
		const struct chip_geometry *geometry = platform->cluster.chips[i].geometry;
		tiles += (uint32_t)geometry->worker_columns * geometry->worker_rows +
			 (tensix ? geometry->dispatch_tile_count : 0);
	}
	return tiles;
}

bool platform_has_cores(const struct platform *platform)
{
	return platform_tensix_tiles(platform) <= PLATFORM_CORES_MAX;
}
