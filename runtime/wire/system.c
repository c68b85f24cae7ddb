/* Converts descriptions of machines to messages and back. A message is rejected if it refers to a
 * chip, shape, tile or word that the message does not contain, if a tile has an unknown kind, or if
 * a tile or chip lies outside its grid. */
#include "wire/system_file.h"

#include <string.h>

#include "base/ensure.h"

enum { NOWHERE = UINT16_MAX, TILE_KINDS = TILE_OTHER + 1 };

/* Returns the total length of the lists of tile numbers of a chip's geometry. The lists follow each
 * other in the order of the members in the sum below. */
static uint32_t numbers_of(const struct wire_geometry *shape)
{
	return (uint32_t)shape->worker_columns * shape->worker_rows + shape->dispatch_tile_count +
	       shape->ethernet_count + shape->idle_ethernet_count + shape->dram_bank_count;
}

/* ---- describing ---- */

struct description {
	const struct chip_geometry *shapes[256]; /* a message has at most 256 shapes */
	struct wire_geometry *geometries;
	uint32_t count, tiles, numbers;
};

/* Returns the index of the shape, or `count` if the shape is new. */
static uint32_t shape_index(
	const struct description *description, const struct chip_geometry *geometry)
{
	for (uint32_t i = 0; i < description->count; i++)
		if (description->shapes[i] == geometry)
			return i;
	return description->count;
}

static void add_shape(struct description *description, const struct chip_geometry *geometry)
{
	struct wire_geometry *shape = &description->geometries[description->count];

	*shape = (struct wire_geometry){
		.first_tile = description->tiles,
		.tile_count = geometry->tile_count,
		.noc_columns = geometry->noc_columns,
		.noc_rows = geometry->noc_rows,
		.first_number = description->numbers,
		.worker_columns = geometry->worker_columns,
		.worker_rows = geometry->worker_rows,
		.dispatch_tile_count = geometry->dispatch_tile_count,
		.ethernet_count = geometry->ethernet_count,
		.idle_ethernet_count = geometry->idle_ethernet_count,
		.dram_bank_count = geometry->dram_bank_count,
		.pcie_tile = geometry->pcie_tile,
		.l1_bytes = geometry->l1_bytes,
		.ethernet_l1_bytes = geometry->ethernet_l1_bytes,
		.dram_bank_bytes = geometry->dram_bank_bytes,
		.word_bytes = geometry->word_bytes,
		.worker_l1_base = geometry->worker_l1_base,
	};
	description->shapes[description->count++] = geometry;
	description->tiles += geometry->tile_count;
	description->numbers += numbers_of(shape);
}

static uint32_t *add_numbers(uint32_t *at, const uint16_t *tiles, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		*at++ = tiles[i];
	return at;
}

static void add_words(const struct description *description, uint32_t *tiles, uint32_t *numbers)
{
	for (uint32_t i = 0; i < description->count; i++) {
		const struct chip_geometry *from = description->shapes[i];
		uint32_t workers = (uint32_t)from->worker_columns * from->worker_rows;

		for (uint16_t tile = 0; tile < from->tile_count; tile++)
			*tiles++ = (uint32_t)from->tiles[tile].kind << 16 |
				   (uint32_t)from->tiles[tile].x << 8 | from->tiles[tile].y;
		numbers = add_numbers(numbers, from->worker_tiles, workers);
		numbers = add_numbers(numbers, from->dispatch_tiles, from->dispatch_tile_count);
		numbers = add_numbers(numbers, from->ethernet_tiles, from->ethernet_count);
		numbers =
			add_numbers(numbers, from->idle_ethernet_tiles, from->idle_ethernet_count);
		numbers = add_numbers(numbers, from->dram_tiles, from->dram_bank_count);
	}
}

static struct wire_chip chip_described(const struct chip_info *chip, uint32_t shape)
{
	return (struct wire_chip){
		.geometry = (uint16_t)shape,
		.has_pcie = chip->has_pcie,
		.gateway = chip->gateway,
		.mesh_row = (uint16_t)chip->mesh_row,
		.mesh_column = (uint16_t)chip->mesh_column,
		.host = chip->host,
	};
}

struct wire_command wire_system_describe(const struct cluster_info *info, struct arena *arena)
{
	struct wire_command command = {.kind = WIRE_system_descriptor};
	struct wire_system_descriptor *out = &command.system_descriptor;
	struct wire_connection *connections =
		arena_array(arena, info->connection_count, sizeof *connections);
	struct wire_chip *chips = arena_array(arena, info->chip_count, sizeof *chips);
	struct description *description = arena_alloc(arena, sizeof *description);
	enum { SHAPES_MAX = sizeof description->shapes / sizeof description->shapes[0] };
	uint32_t *tiles, *numbers;

	description->geometries = arena_array(arena, SHAPES_MAX, sizeof *description->geometries);
	for (uint16_t i = 0; i < info->chip_count; i++) {
		uint32_t shape = shape_index(description, info->chips[i].geometry);

		/* If there are more than SHAPES_MAX shapes, the others are not added. Their index
		 * is above the limit, so the message cannot be encoded. */
		if (shape == description->count && shape < SHAPES_MAX)
			add_shape(description, info->chips[i].geometry);
		chips[i] = chip_described(&info->chips[i], shape);
	}
	for (uint32_t i = 0; i < info->connection_count; i++)
		connections[i] = (struct wire_connection){info->connections[i].chip[0],
			info->connections[i].chip[1], info->connections[i].links};
	tiles = arena_array(arena, description->tiles, sizeof *tiles);
	numbers = arena_array(arena, description->numbers, sizeof *numbers);
	add_words(description, tiles, numbers);
	out->platform.at = (const uint8_t *)info->platform;
	out->platform.count = (uint32_t)strlen(info->platform);
	out->mesh_rows = info->mesh_rows;
	out->mesh_columns = info->mesh_columns;
	out->fabric_channels = info->fabric_channels;
	out->fabric_packet_bytes = info->fabric_packet_bytes;
	out->geometries.at = description->geometries;
	out->geometries.count = description->count;
	out->chips.at = chips;
	out->chips.count = info->chip_count;
	out->connections.at = connections;
	out->connections.count = info->connection_count;
	out->tiles = (struct wire_words){tiles, description->tiles};
	out->numbers = (struct wire_words){numbers, description->numbers};
	return command;
}

/* ---- reading ---- */

struct reading {
	const struct wire_system_descriptor *message;
	struct arena *arena;
	struct text *why;
};

/* Returns true if `value` is below `count`. Otherwise appends a sentence to `why`, in which `thing`
 * is the name of the value, and returns false. */
static bool is_below(
	const struct reading *reading, const char *thing, uint32_t value, uint32_t count)
{
	if (value < count)
		return true;
	if (reading->why)
		text_printf(reading->why, "SYSTEM_DESCRIPTOR: %s %u of %u", thing, value, count);
	return false;
}

static bool is_inside(const struct reading *reading, const char *thing, uint32_t first,
	uint32_t count, uint32_t length)
{
	return is_below(reading, thing, first, length + 1) &&
	       is_below(reading, thing, first + count, length + 1);
}

/* Reads the next list of tile numbers. Returns NULL if a number is not below `tile_count`. */
static const uint16_t *read_numbers(
	const struct reading *reading, uint32_t *at, uint32_t count, uint32_t tile_count)
{
	uint16_t *tiles = arena_array(reading->arena, count, sizeof *tiles);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t tile = reading->message->numbers.at[(*at)++];

		if (!is_below(reading, "tile", tile, tile_count))
			return NULL;
		tiles[i] = (uint16_t)tile;
	}
	return tiles;
}

/* Reads the tiles, and fills in the map from coordinates to tiles. */
static bool read_tiles(
	const struct reading *reading, const struct wire_geometry *shape, struct chip_geometry *out)
{
	uint32_t places = (uint32_t)shape->noc_columns * shape->noc_rows;
	struct tile_info *tiles = arena_array(reading->arena, shape->tile_count, sizeof *tiles);
	uint16_t *tile_at = arena_array(reading->arena, places, sizeof *tile_at);

	for (uint32_t i = 0; i < places; i++)
		tile_at[i] = TILE_AT_NONE;
	for (uint16_t i = 0; i < shape->tile_count; i++) {
		uint32_t word = reading->message->tiles.at[shape->first_tile + i];
		uint8_t x = (uint8_t)(word >> 8), y = (uint8_t)word;

		if (!is_below(reading, "kind of tile", word >> 16, TILE_KINDS) ||
			!is_below(reading, "column", x, shape->noc_columns) ||
			!is_below(reading, "row", y, shape->noc_rows))
			return false;
		tiles[i] = (struct tile_info){(enum tile_kind)(word >> 16), x, y};
		tile_at[(uint32_t)y * shape->noc_columns + x] = i;
	}
	out->tiles = tiles;
	out->tile_at = tile_at;
	return true;
}

static bool read_shape(
	const struct reading *reading, const struct wire_geometry *shape, struct chip_geometry *out)
{
	uint32_t at = shape->first_number, tiles = shape->tile_count;
	uint32_t workers = (uint32_t)shape->worker_columns * shape->worker_rows;

	*out = (struct chip_geometry){
		.tile_count = shape->tile_count,
		.noc_columns = shape->noc_columns,
		.noc_rows = shape->noc_rows,
		.worker_columns = shape->worker_columns,
		.worker_rows = shape->worker_rows,
		.dispatch_tile_count = shape->dispatch_tile_count,
		.ethernet_count = shape->ethernet_count,
		.idle_ethernet_count = shape->idle_ethernet_count,
		.dram_bank_count = shape->dram_bank_count,
		.pcie_tile = shape->pcie_tile,
		.l1_bytes = shape->l1_bytes,
		.ethernet_l1_bytes = shape->ethernet_l1_bytes,
		.dram_bank_bytes = shape->dram_bank_bytes,
		.word_bytes = shape->word_bytes,
		.worker_l1_base = shape->worker_l1_base,
	};
	return is_inside(reading, "word of tiles", shape->first_tile, tiles,
		       reading->message->tiles.count) &&
	       is_inside(reading, "word of numbers", shape->first_number, numbers_of(shape),
		       reading->message->numbers.count) &&
	       is_below(reading, "tile", shape->pcie_tile, tiles) &&
	       read_tiles(reading, shape, out) &&
	       (out->worker_tiles = read_numbers(reading, &at, workers, tiles)) &&
	       (out->dispatch_tiles =
			       read_numbers(reading, &at, shape->dispatch_tile_count, tiles)) &&
	       (out->ethernet_tiles = read_numbers(reading, &at, shape->ethernet_count, tiles)) &&
	       (out->idle_ethernet_tiles =
			       read_numbers(reading, &at, shape->idle_ethernet_count, tiles)) &&
	       (out->dram_tiles = read_numbers(reading, &at, shape->dram_bank_count, tiles));
}

static bool read_chip(const struct reading *reading, const struct wire_chip *chip,
	const struct chip_geometry *shapes, struct chip_info *out)
{
	const struct wire_system_descriptor *message = reading->message;

	if (!is_below(reading, "shape", chip->geometry, message->geometries.count) ||
		!is_below(reading, "gateway", chip->gateway, message->chips.count))
		return false;
	if ((chip->mesh_row != NOWHERE || chip->mesh_column != NOWHERE) &&
		(!is_below(reading, "row of chips", chip->mesh_row, message->mesh_rows) ||
			!is_below(reading, "column of chips", chip->mesh_column,
				message->mesh_columns)))
		return false;
	*out = (struct chip_info){
		.geometry = &shapes[chip->geometry],
		.has_pcie = chip->has_pcie,
		.gateway = chip->gateway,
		.mesh_row = (int16_t)chip->mesh_row,
		.mesh_column = (int16_t)chip->mesh_column,
		.host = chip->host,
	};
	return true;
}

enum status wire_system_read(const struct wire_system_descriptor *message, struct arena *arena,
	struct cluster_info *info, struct text *why)
{
	struct reading reading = {message, arena, why};
	struct chip_geometry *shapes =
		arena_array(arena, message->geometries.count, sizeof *shapes);
	struct chip_info *chips = arena_array(arena, message->chips.count, sizeof *chips);
	struct fabric_connection *connections =
		arena_array(arena, message->connections.count, sizeof *connections);
	bool good = true;

	for (uint32_t i = 0; good && i < message->geometries.count; i++)
		good = read_shape(&reading, &message->geometries.at[i], &shapes[i]);
	for (uint32_t i = 0; good && i < message->chips.count; i++)
		good = read_chip(&reading, &message->chips.at[i], shapes, &chips[i]);
	for (uint32_t i = 0; good && i < message->connections.count; i++) {
		const struct wire_connection *from = &message->connections.at[i];

		good = is_below(&reading, "chip", from->one, message->chips.count) &&
		       is_below(&reading, "chip", from->other, message->chips.count);
		connections[i] = (struct fabric_connection){{from->one, from->other}, from->links};
	}
	*info = (struct cluster_info){
		.platform = message->platform.count == 0 ? ""
							 : arena_copy(arena, message->platform.at,
								   message->platform.count),
		.chip_count = (uint16_t)message->chips.count,
		.chips = chips,
		.mesh_rows = message->mesh_rows,
		.mesh_columns = message->mesh_columns,
		.connection_count = message->connections.count,
		.connections = connections,
		.fabric_channels = message->fabric_channels,
		.fabric_packet_bytes = message->fabric_packet_bytes,
	};
	return good ? STATUS_OK : STATUS_OUT_OF_RANGE;
}
