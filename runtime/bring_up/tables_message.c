/* Writes the tables of a chip as a message, and reads them. Writer and reader go through the fields
 * together: each field is described once, with its bound. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "bring_up/tables.h"
#include "topology/mesh_graph.h"

static const char magic[] = "mshroute"; /* without its NUL */

/* room for each port on each VC, and more */
enum { ROW_HOPS_MAX = 4096, SEEN_COUNT = 256 * 256 };

enum { MAGIC_BYTES = 8, HEAD_BYTES = 16, HASH_BYTES = 8, DEVICES_MAX = TOPOLOGY_DEVICES_MAX };

/* A message that is written, or read. */
struct pass {
	struct text *out; /* NULL: the message is read */
	const uint8_t *at;
	size_t left;
	const char *wrong; /* the first field that is not within its bound; NULL: none */
	struct arena *arena;
};

/* Writes `value`, or returns the value that is read, at most `most`. */
static uint64_t pass_field(
	struct pass *pass, uint64_t value, uint32_t bytes, uint64_t most, const char *name)
{
	if (pass->out) {
		for (uint32_t i = 0; i < bytes; i++)
			text_append_char(pass->out, (char)(value >> 8 * i));
		return value;
	}
	value = 0;
	if (pass->left < bytes) {
		pass->wrong = pass->wrong ? pass->wrong : name;
		return 0;
	}
	for (uint32_t i = 0; i < bytes; i++)
		value |= (uint64_t)pass->at[i] << 8 * i;
	pass->at += bytes;
	pass->left -= bytes;
	if (value > most) {
		pass->wrong = pass->wrong ? pass->wrong : name;
		return 0;
	}
	return value;
}

#define FIELD8(value, most)  ((value) = (uint8_t)pass_field(pass, value, 1, most, #value))
#define FIELD16(value, most) ((value) = (uint16_t)pass_field(pass, value, 2, most, #value))
#define FIELD32(value, most) ((value) = (uint32_t)pass_field(pass, value, 4, most, #value))

/* Returns the array of a list: the one that is written, or a new one if at least `least` bytes of
 * each element are left. The caller checks pass->wrong before it uses elements. */
static void *pass_list(
	struct pass *pass, const void *array, size_t count, size_t size, size_t least)
{
	if (pass->out)
		return (void *)(uintptr_t)array;
	if (pass->left / least < count) {
		pass->wrong = pass->wrong ? pass->wrong : "a count";
		return NULL;
	}
	return arena_array(pass->arena, count, size);
}

static void pass_counts(struct pass *pass, struct chip_tables *tables)
{
	FIELD32(tables->device_count, DEVICES_MAX);
	FIELD32(tables->mesh_count, DEVICES_MAX);
	FIELD32(tables->mesh_chips, tables->device_count);
	FIELD32(tables->first_device, tables->device_count - tables->mesh_chips);
	FIELD32(tables->device, DEVICES_MAX - 1);
	FIELD32(tables->mesh, tables->mesh_count - 1);
	FIELD32(tables->chip, DEVICES_MAX - 1);
	tables->asic = pass_field(pass, tables->asic, 8, UINT64_MAX, "asic");
	FIELD8(tables->vcs, TABLES_VCS_MAX);
	FIELD32(tables->port_count, TABLES_PORTS_MAX);
	FIELD32(tables->router_count, UINT16_MAX);
	FIELD32(tables->part_count, DEVICES_MAX);
	FIELD32(tables->hop_count, TABLES_ENTRIES_MAX);
	if (!pass->wrong && (tables->vcs == 0 || tables->mesh_count == 0 ||
				    tables->chip >= tables->mesh_chips ||
				    tables->device != tables->first_device + tables->chip))
		pass->wrong = "tables->device";
}

static void pass_ports(struct pass *pass, struct chip_tables *tables)
{
	struct router_port *ports =
		pass_list(pass, tables->ports, tables->port_count, sizeof(*ports), 10);

	for (uint32_t i = 0; i < tables->port_count && !pass->wrong; i++) {
		struct router_port *port = &ports[i];

		FIELD32(port->peer, tables->device_count - 1);
		FIELD8(port->peer_port, TABLES_PORTS_MAX - 1);
		FIELD8(port->role, ROUTER_ROLES - 1);
		FIELD8(port->direction, ROUTER_DIRECTIONS - 1);
		FIELD16(port->first_router, tables->router_count);
		FIELD8(port->router_count, tables->router_count - port->first_router);
	}
	tables->ports = ports;
}

static void pass_routers(struct pass *pass, struct chip_tables *tables)
{
	struct router *routers =
		pass_list(pass, tables->routers, tables->router_count, sizeof(*routers), 15);

	for (uint32_t i = 0; i < tables->router_count && !pass->wrong; i++) {
		struct router *router = &routers[i];

		FIELD8(router->channel, UINT8_MAX);
		FIELD8(router->peer_channel, UINT8_MAX);
		FIELD8(router->role, ROUTER_ROLES - 1);
		FIELD8(router->direction, ROUTER_DIRECTIONS - 1);
		FIELD8(router->port, HOP_NONE);
		FIELD8(router->plane, UINT8_MAX);
		router->other_host = pass_field(pass, router->other_host, 1, 1, "other_host") != 0;
		router->peer = pass_field(pass, router->peer, 8, UINT64_MAX, "peer");
		if (!pass->wrong && router->port >= tables->port_count && router->port != HOP_NONE)
			pass->wrong = "router->port";
	}
	tables->routers = routers;
}

/* A hop that a message may contain: out of a port that exists, or none. */
static void pass_hop(struct pass *pass, const struct chip_tables *tables, struct hop *hop)
{
	FIELD8(hop->port, HOP_NONE);
	FIELD8(hop->vc, tables->vcs - 1);
	if (!pass->wrong && hop->port >= tables->port_count && hop->port < HOP_HERE)
		pass->wrong = "hop->port";
}

/* ---- rows ---- */

/* Returns how many bits number `count` things. */
static uint32_t bits_of(uint32_t count)
{
	uint32_t bits = 1;

	while (1u << bits < count)
		bits++;
	return bits;
}

/* A row: the hops that occur in it, and the number of each entry's hop. */
struct row {
	struct hop *hops;
	uint32_t hop_count, entries;
	uint16_t *numbers; /* [entry] */
	uint16_t *seen;	   /* [port * 256 + vc] number + 1 of a hop; used by the writer */
};

static void row_number(struct row *row, struct hop hop, uint32_t entry)
{
	uint16_t *seen = &row->seen[hop.port * 256u + hop.vc];

	if (!*seen) {
		row->hops[row->hop_count++] = hop;
		*seen = (uint16_t)row->hop_count;
	}
	row->numbers[entry] = (uint16_t)(*seen - 1);
}

static void pass_bits(struct pass *pass, struct row *row)
{
	uint32_t bits = bits_of(row->hop_count), held = 0;
	uint64_t value = 0;

	for (uint32_t i = 0; i < row->entries && !pass->wrong; i++) {
		if (pass->out) {
			value |= (uint64_t)row->numbers[i] << held;
			held += bits;
			for (; held >= 8; held -= 8, value >>= 8)
				pass_field(pass, value & 0xff, 1, 0xff, "a row");
			continue;
		}
		for (; held < bits; held += 8)
			value |= pass_field(pass, 0, 1, 0xff, "a row") << held;
		row->numbers[i] = (uint16_t)(value & ((1u << bits) - 1));
		value >>= bits;
		held -= bits;
		if (row->numbers[i] >= row->hop_count)
			pass->wrong = "a row";
	}
	if (pass->out && held)
		pass_field(pass, value, 1, 0xff, "a row");
}

/* The tables are public as constants. */
static struct hop *pass_hops_of(const struct hop *hops)
{
	return (struct hop *)(uintptr_t)hops;
}

/* The `entries` of a row stand in two tables, `within` and `between`. */
static void pass_row(struct pass *pass, const struct chip_tables *tables, struct row *row,
	struct hop *within, struct hop *between)
{
	row->hop_count = 0;
	for (uint32_t i = 0; i < row->entries && pass->out; i++)
		row_number(row,
			i < tables->mesh_chips ? within[i] : between[i - tables->mesh_chips], i);
	for (uint32_t i = 0; i < row->hop_count; i++)
		row->seen[row->hops[i].port * 256u + row->hops[i].vc] = 0;
	FIELD16(row->hop_count, ROW_HOPS_MAX);
	if (!pass->wrong && row->hop_count == 0)
		pass->wrong = "row->hop_count";
	for (uint32_t i = 0; i < row->hop_count && !pass->wrong; i++)
		pass_hop(pass, tables, &row->hops[i]);
	pass_bits(pass, row);
	for (uint32_t i = 0; i < row->entries && !pass->out && !pass->wrong; i++)
		*(i < tables->mesh_chips ? &within[i] : &between[i - tables->mesh_chips]) =
			row->hops[row->numbers[i]];
}

static void pass_rows(struct pass *pass, struct chip_tables *tables)
{
	size_t rows = tables_rows(tables);
	struct row row = {.entries = tables->mesh_chips + tables->mesh_count};
	struct hop *within = pass_hops_of(tables->within), *between = pass_hops_of(tables->between);

	/* each entry takes a bit at least */
	if (rows * row.entries > TABLES_ENTRIES_MAX ||
		(!pass->out && rows * row.entries / 8 > pass->left))
		pass->wrong = "the number of table entries";
	if (pass->wrong)
		return;
	if (!pass->out) {
		within = arena_array(pass->arena, rows * tables->mesh_chips, sizeof(*within));
		between = arena_array(pass->arena, rows * tables->mesh_count, sizeof(*between));
	}
	row.hops = allocate(ROW_HOPS_MAX, sizeof(*row.hops));
	row.numbers = allocate(row.entries, sizeof(*row.numbers));
	row.seen = allocate(SEEN_COUNT, sizeof(*row.seen));
	for (size_t i = 0; i < rows && !pass->wrong; i++)
		pass_row(pass, tables, &row, within + i * tables->mesh_chips,
			between + i * tables->mesh_count);
	free(row.hops);
	free(row.numbers);
	free(row.seen);
	tables->within = within;
	tables->between = between;
}

/* ---- the rest ---- */

static void pass_exits(struct pass *pass, struct chip_tables *tables)
{
	struct router_exit *exits =
		pass_list(pass, tables->exits, tables->mesh_count, sizeof(*exits), 6);

	for (uint32_t i = 0; i < tables->mesh_count && !pass->wrong; i++) {
		FIELD32(exits[i].device, TABLES_NONE);
		FIELD8(exits[i].port, TABLES_PORTS_MAX - 1);
		FIELD8(exits[i].channel, UINT8_MAX);
		if (exits[i].device >= tables->device_count && exits[i].device != TABLES_NONE)
			pass->wrong = "exits[i].device";
	}
	tables->exits = exits;
}

static void pass_parts(struct pass *pass, struct chip_tables *tables)
{
	struct tree_part *parts =
		pass_list(pass, tables->parts, tables->part_count, sizeof(*parts), 11);
	struct hop *hops;

	for (uint32_t i = 0; i < tables->part_count && !pass->wrong; i++) {
		struct tree_part *part = &parts[i];

		FIELD32(part->source, tables->device_count - 1);
		FIELD8(part->in_port, HOP_HERE);
		FIELD8(part->in_vc, tables->vcs - 1);
		FIELD32(part->first_out, tables->hop_count);
		FIELD8(part->out_count, tables->hop_count - part->first_out);
		if (!pass->wrong &&
			((i > 0 && part->source <= parts[i - 1].source) ||
				(part->in_port >= tables->port_count && part->in_port != HOP_HERE)))
			pass->wrong = "part->source";
	}
	tables->parts = parts;
	hops = pass_list(pass, tables->hops, tables->hop_count, sizeof(*hops), 2);
	for (uint32_t i = 0; i < tables->hop_count && !pass->wrong; i++)
		pass_hop(pass, tables, &hops[i]);
	tables->hops = hops;
}

static void pass_tables(struct pass *pass, struct chip_tables *tables)
{
	void (*const parts[])(struct pass *, struct chip_tables *) = {
		pass_counts, pass_ports, pass_routers, pass_rows, pass_exits, pass_parts};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !pass->wrong; i++)
		parts[i](pass, tables);
}

size_t tables_write(const struct chip_tables *tables, struct text *out)
{
	struct chip_tables copy = *tables;
	size_t first = out->length, bytes;
	struct pass pass = {.out = out};

	text_append_bytes(out, magic, MAGIC_BYTES);
	pass_field(&pass, TABLES_VERSION, 4, UINT32_MAX, "version");
	pass_field(&pass, 0, 4, UINT32_MAX, "bytes");
	pass_tables(&pass, &copy);
	bytes = out->length - first + HASH_BYTES;
	for (uint32_t i = 0; i < 4; i++)
		out->bytes[first + MAGIC_BYTES + 4 + i] = (char)(bytes >> 8 * i);
	pass_field(&pass, hash_bytes(out->bytes + first, out->length - first), HASH_BYTES,
		UINT64_MAX, "hash");
	return bytes;
}

/* Checks head and hash. Sets *pass to what is between them. */
static enum status tables_check_frame(
	const uint8_t *message, size_t bytes, struct pass *pass, struct text *why)
{
	struct pass end = {.left = HASH_BYTES};
	uint64_t version, length;

	if (bytes > TABLES_BYTES_MAX)
		return refuse(why, STATUS_NO_SPACE, "tables of %zu B, %u allowed", bytes,
			TABLES_BYTES_MAX);
	if (bytes < HEAD_BYTES + HASH_BYTES || memcmp(message, magic, MAGIC_BYTES) != 0)
		return refuse(why, STATUS_INVALID, "no tables of a chip");
	end.at = message + bytes - HASH_BYTES;
	*pass = (struct pass){
		.at = message + MAGIC_BYTES, .left = bytes - MAGIC_BYTES - HASH_BYTES};
	version = pass_field(pass, 0, 4, UINT32_MAX, "version");
	length = pass_field(pass, 0, 4, UINT32_MAX, "bytes");
	if (version != TABLES_VERSION)
		return refuse(why, STATUS_UNSUPPORTED,
			"tables of version %u, this meshsim reads %u", (uint32_t)version,
			TABLES_VERSION);
	if (length != bytes || pass_field(&end, 0, HASH_BYTES, UINT64_MAX, "hash") !=
				       hash_bytes(message, bytes - HASH_BYTES))
		return refuse(why, STATUS_INVALID, "tables that were cut or changed");
	return STATUS_OK;
}

enum status tables_read(const uint8_t *message, size_t bytes, struct arena *arena,
	struct chip_tables *tables, struct text *why)
{
	struct pass pass;
	enum status status = tables_check_frame(message, bytes, &pass, why);

	if (status != STATUS_OK)
		return status;
	pass.arena = arena;
	*tables = (struct chip_tables){0};
	pass_tables(&pass, tables);
	if (!pass.wrong && pass.left)
		pass.wrong = "the end";
	return pass.wrong ? refuse(why, STATUS_INVALID, "tables whose field %s is out of bounds",
				    pass.wrong)
			  : STATUS_OK;
}
