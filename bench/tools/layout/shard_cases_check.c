/* Cases about mesh buffers: which configurations are valid, on which devices shards are placed, and
 * whether data that are written are read back unchanged. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "parts.h"
#include "fabric/shape.h"
#include "memory/allocator.h"
#include "world/native/native.h"

enum { ROUND_TRIP_BYTES_MAX = 64 << 20 };

static const char *layout_label(struct shard_cases *cases, const struct mesh_layout *layout)
{
	return arena_printf(&cases->arena, "global %llux%llu in shards of %llux%llu, %s",
		(unsigned long long)layout->global_height, (unsigned long long)layout->global_width,
		(unsigned long long)layout->shard_height, (unsigned long long)layout->shard_width,
		layout->orientation == ORIENTATION_ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR");
}

/* ---- configurations ---- */

/* Checks that a configuration is valid or invalid, as the case expects. If a valid configuration's
 * case gives the size of the buffer on each device, this size must agree. */
static void check_config(struct shard_cases *cases, const struct tree_node *item,
	const struct mesh_layout *layout, const char *label, const char *expected)
{
	struct mesh_spread spread;
	struct mapper_mesh mesh;
	struct text why = {0};
	uint64_t bytes = UINT64_MAX;
	bool refused;

	if (!cases_mesh(cases, item, &mesh) ||
		!cases_optional_number(cases, item, "device_local_size_B", &bytes))
		return;
	refused = mesh_spread_init(&spread, layout, mesh.rows, mesh.columns, &why) != STATUS_OK;
	if (!refused && bytes != UINT64_MAX && bytes != spread.device_bytes)
		cases_add(cases, item, OUTCOME_DIFFERS, label,
			arena_printf(
				&cases->arena, "%llu B on a device", (unsigned long long)bytes),
			arena_printf(
				&cases->arena, "%llu B", (unsigned long long)spread.device_bytes));
	else
		cases_add_verdict(cases, item, label, expected, refused, text_string(&why));
	text_fini(&why);
}

static void sharded_config(
	struct shard_cases *cases, const struct tree_node *item, const char *expected)
{
	uint32_t datum = 1;
	uint64_t bytes = 0;
	struct mesh_layout layout;

	if (!cases_element_bytes(cases, item, &datum) ||
		!cases_optional_number(cases, item, "global_size_B", &bytes) ||
		!cases_layout(cases, item, datum, &layout))
		return;
	if (tree_get(item, "global_size_B") && tree_get(item, "datum_B") &&
		bytes != layout.size_bytes) {
		cases_add_verdict(cases, item, layout_label(cases, &layout), expected, true,
			arena_printf(&cases->arena, "%llu B are not %llux%llu elements of %u B",
				(unsigned long long)bytes, (unsigned long long)layout.global_height,
				(unsigned long long)layout.global_width, datum));
		return;
	}
	if (tree_get(item, "global_size_B"))
		layout.size_bytes = bytes;
	check_config(cases, item, &layout, layout_label(cases, &layout), expected);
}

static void replicated_config(
	struct shard_cases *cases, const struct tree_node *item, const char *expected)
{
	struct mesh_layout layout = {.sharded = false};

	if (cases_optional_number(cases, item, "size_B", &layout.size_bytes))
		check_config(cases, item, &layout,
			arena_printf(&cases->arena, "replicated, %llu B",
				(unsigned long long)layout.size_bytes),
			expected);
}

/* Checks that the allocator returns freed memory again. */
static void allocate_again(
	struct shard_cases *cases, const struct tree_node *item, const char *expected)
{
	const struct world_ops *before = world;
	struct allocator *allocator;
	uint64_t first = 0, second = 1;
	enum status status;

	world = &native_world;
	native_world_start(NULL);
	allocator = allocator_new("DRAM bank", 0, 1 << 20, 32);
	status = allocator_take(allocator, 4096, true, &first, NULL);
	ensure(status == STATUS_OK, "4096 B of 1 MiB");
	allocator_release(allocator, first);
	status = allocator_take(allocator, 4096, true, &second, NULL);
	ensure(status == STATUS_OK, "4096 B of 1 MiB, again");
	allocator_free(allocator);
	world = before;
	cases_add(cases, item, first == second ? OUTCOME_AGREES : OUTCOME_DIFFERS,
		"alloc, free, alloc same size", expected,
		first == second ? "same address" : "another address");
}

/* True if enqueue_read_shard() and enqueue_write_shard() would accept the device. */
static bool device_exists(const struct mapper_mesh *mesh, unsigned row, unsigned column)
{
	struct device_range range = {
		(uint16_t)row, (uint16_t)column, (uint16_t)row, (uint16_t)column};

	return row <= UINT16_MAX && column <= UINT16_MAX &&
	       device_range_valid(
		       range, (struct mesh_shape){(uint16_t)mesh->rows, (uint16_t)mesh->columns});
}

static void call(struct shard_cases *cases, const struct tree_node *item, const char *text,
	const char *expected)
{
	static const char *const known[] = {
		"get_device_buffer(ROW,COLUMN)", "alloc, free, alloc same size", NULL};
	struct mapper_mesh mesh;
	unsigned row, column;
	char rest;

	if (!cases_mesh(cases, item, &mesh))
		return;
	if (sscanf(text, "get_device_buffer ( %9u , %9u )%c", &row, &column, &rest) == 2)
		cases_add_verdict(cases, item, text, expected, !device_exists(&mesh, row, column),
			arena_printf(&cases->arena, "device %u,%u is outside a mesh of %u x %u",
				row, column, mesh.rows, mesh.columns));
	else if (strcmp(text, "alloc, free, alloc same size") == 0)
		allocate_again(cases, item, expected);
	else
		cases_add_unknown(cases, item->where, "call", text, known);
}

static void config(struct shard_cases *cases, const struct tree_node *item)
{
	static const char *const layouts[] = {"replicated", "sharded", NULL};
	const char *expected = cases_text(item, "expect"), *text = cases_text(item, "call");
	const char *layout = cases_text(item, "layout");

	if (!expected)
		diag_error(cases->diag, item->where, "a case without expect");
	else if (text)
		call(cases, item, text, expected);
	else if (!layout || strcasecmp(layout, "sharded") == 0)
		sharded_config(cases, item, expected);
	else if (strcasecmp(layout, "replicated") == 0)
		replicated_config(cases, item, expected);
	else
		cases_add_unknown(
			cases, tree_get(item, "layout")->where, "layout", layout, layouts);
}

void cases_config(struct shard_cases *cases, const struct tree_node *section)
{
	static const char *const keys[] = {"global", "shard", "orientation", "datum_B",
		"global_size_B", "device_local_size_B", "layout", "size_B", "call", "expect", NULL};
	uint32_t count = cases_in(cases, section);

	for (uint32_t i = 0; i < count; i++)
		if (cases_known_keys(cases, section->items[i], keys))
			config(cases, section->items[i]);
}

/* ---- placement ---- */

/* Returns true if each device in `devices` holds the shard in row `y` and column `x` of the shards.
 * `devices` is a list of devices, or a single device. Adds their number to *listed. */
static bool shard_cases_check_shard(struct shard_cases *cases, const struct tree_node *devices,
	const struct mesh_spread *spread, uint32_t y, uint32_t x, uint32_t *listed)
{
	bool one = devices->kind == TREE_SEQUENCE && devices->count == 2 &&
		   devices->items[0]->kind == TREE_SCALAR;
	uint32_t count = one ? 1 : devices->kind == TREE_SEQUENCE ? devices->count : 0;
	bool same = count > 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *device = one ? devices : devices->items[i];
		struct placed placed;
		uint32_t at[2];

		if (!cases_numbers(cases, device, NULL, at, 2))
			return false;
		same = same && at[0] < spread->device_rows && at[1] < spread->device_columns &&
		       placed_on(spread, at[0], at[1], &placed) && placed.shard_y == y &&
		       placed.shard_x == x;
		++*listed;
	}
	return same;
}

static void check_placement(struct shard_cases *cases, const struct tree_node *item,
	const struct tree_node *expected, const struct mesh_spread *spread, const char *label)
{
	uint32_t listed = 0, holding = 0;
	struct text wrong = {0};

	for (uint32_t i = 0; i < expected->count; i++) {
		const struct tree_pair *pair = &expected->pairs[i];
		unsigned y, x;
		char rest;

		if (sscanf(pair->key, "%9u , %9u%c", &y, &x, &rest) != 2) {
			diag_error(cases->diag, pair->where, "expected a shard as in \"0,1\"");
			goto out;
		}
		if (!shard_cases_check_shard(cases, pair->value, spread, y, x, &listed))
			text_printf(&wrong, "%s%s", wrong.length ? ", " : "", pair->key);
	}
	for (uint32_t i = 0; i < spread->device_rows * spread->device_columns; i++) {
		struct placed placed;

		holding += placed_on(
			spread, i / spread->device_columns, i % spread->device_columns, &placed);
	}
	if (wrong.length == 0 && listed == holding)
		cases_add(cases, item, OUTCOME_AGREES, label,
			arena_printf(&cases->arena, "%u places", listed), "the same");
	else
		cases_add(cases, item, OUTCOME_DIFFERS, label,
			arena_printf(&cases->arena, "%u places", listed),
			arena_printf(&cases->arena, "%u places; shards elsewhere: %s", holding,
				wrong.length ? text_string(&wrong) : "none"));
out:
	text_fini(&wrong);
}

/* Checks a placement. The case either gives the placement, or expects a rejection. */
static void placement(struct shard_cases *cases, const struct tree_node *item)
{
	const struct tree_node *expected = tree_get(item, "placement_shard_to_device");
	const char *verdict = cases_text(item, "expect"), *label;
	struct mesh_layout layout;
	struct mesh_spread spread;
	struct mapper_mesh mesh;
	struct text why = {0};
	bool refused;

	if (!cases_layout(cases, item, 1, &layout) || !cases_mesh(cases, item, &mesh))
		return;
	if (!verdict && (!expected || expected->kind != TREE_MAP)) {
		diag_error(cases->diag, item->where,
			"expected placement_shard_to_device, a map, or expect");
		return;
	}
	label = layout_label(cases, &layout);
	refused = mesh_spread_init(&spread, &layout, mesh.rows, mesh.columns, &why) != STATUS_OK;
	if (refused || !expected || expected->kind != TREE_MAP)
		cases_add_verdict(cases, item, label, verdict ? verdict : "a placement", refused,
			text_string(&why));
	else
		check_placement(cases, item, expected, &spread, label);
	text_fini(&why);
}

void cases_placement(struct shard_cases *cases, const struct tree_node *section)
{
	static const char *const keys[] = {"global", "shard", "orientation", "datum_B", "expect",
		"placement_shard_to_device", NULL};
	uint32_t count = cases_in(cases, section);

	for (uint32_t i = 0; i < count; i++)
		if (cases_known_keys(cases, section->items[i], keys))
			placement(cases, section->items[i]);
}

/* ---- round trips ---- */

/* Copies a device's shard back to its place in the global buffer, row by row. */
static void put_back(const struct shard_rows *rows, const uint8_t *local, uint8_t *global)
{
	for (uint32_t i = 0; i < rows->rows; i++)
		memcpy(global + rows->first_byte + i * rows->stride, local + i * rows->row_bytes,
			rows->row_bytes);
}

/* Copies the shard of every device out of a buffer, and back into a second, empty buffer. Returns
 * true if both buffers are then equal. */
static bool comes_back(const struct mesh_spread *spread)
{
	uint64_t bytes = spread->layout.size_bytes;
	uint8_t *global = allocate(1, bytes), *back = allocate(1, bytes),
		*local = allocate(1, spread->device_bytes);
	bool same;

	for (uint64_t i = 0; i < bytes; i++)
		global[i] = (uint8_t)(i * 2654435761u >> 13 | 1);
	for (uint32_t row = 0; row < spread->device_rows; row++)
		for (uint32_t column = 0; column < spread->device_columns; column++) {
			struct shard_rows rows;

			if (!mesh_spread_shard(spread, row, column, &rows))
				continue;
			mesh_spread_gather(spread, row, column, global, local);
			put_back(&rows, local, back);
		}
	same = memcmp(global, back, bytes) == 0;
	free(global);
	free(back);
	free(local);
	return same;
}

static void round_trip(
	struct shard_cases *cases, const struct tree_node *item, const struct mesh_layout *layout)
{
	const char *label = layout_label(cases, layout), *expected = cases_text(item, "expect");
	struct mesh_spread spread;
	struct mapper_mesh mesh;
	struct text why = {0};
	bool same;

	expected = expected ? expected : "data that come back";

	if (!cases_mesh(cases, item, &mesh))
		return;
	if (mesh_spread_init(&spread, layout, mesh.rows, mesh.columns, &why) != STATUS_OK) {
		cases_add_verdict(cases, item, label, expected, true, text_string(&why));
	} else if (layout->size_bytes > ROUND_TRIP_BYTES_MAX) {
		cases_add(cases, item, OUTCOME_NOT_RUN, label, "data that come back",
			"larger than 64 MiB");
	} else {
		same = comes_back(&spread);
		cases_add_verdict(cases, item, label, expected, !same, "other data come back");
	}
	text_fini(&why);
}

void cases_round_trip(struct shard_cases *cases, const struct tree_node *section,
	const struct tree_node *orientations, uint32_t element_bytes)
{
	static const char *const keys[] = {
		"global", "shard", "orientation", "datum_B", "expect", NULL};
	bool listed = orientations && orientations->kind == TREE_SEQUENCE;
	uint32_t count = cases_in(cases, section);

	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *item = section->items[i];
		struct mesh_layout layout;
		uint32_t datum = element_bytes;

		if (!cases_known_keys(cases, item, keys) ||
			!cases_element_bytes(cases, item, &datum) ||
			!cases_layout(cases, item, datum, &layout))
			continue;
		if (!listed || tree_get(item, "orientation"))
			round_trip(cases, item, &layout);
		for (uint32_t o = 0;
			listed && !tree_get(item, "orientation") && o < orientations->count; o++)
			if (cases_orientation(cases, orientations->items[o], &layout.orientation))
				round_trip(cases, item, &layout);
	}
}
