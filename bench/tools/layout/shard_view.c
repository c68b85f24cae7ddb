/* Prints a lowered mapper: the configuration of the buffer, and the shard of each device. */
#include "bench/tools/layout/layout_view.h"

#include "analysis/print/text_table.h"
#include "analysis/print/wrap.h"
#include "base/ensure.h"
#include "base/json.h"
#include "parts.h"

enum { MARGIN = 2, INDENT = 18, DEVICES_MAX = 64, SIDE_MAX = 32, SHARD_NAME_BYTES = 48 };

bool placed_on(
	const struct mesh_spread *spread, uint32_t row, uint32_t column, struct placed *placed)
{
	const struct mesh_layout *layout = &spread->layout;
	struct shard_rows rows;
	uint64_t element;

	*placed = (struct placed){0};
	if (!mesh_spread_shard(spread, row, column, &rows))
		return false;
	if (!layout->sharded)
		return true;
	element = rows.first_byte / spread->element_bytes;
	placed->first_row = element / layout->global_width;
	placed->first_column = element % layout->global_width;
	placed->shard_y = placed->first_row / layout->shard_height;
	placed->shard_x = placed->first_column / layout->shard_width;
	return true;
}

static struct mesh_spread shard_view_spread_of(const struct shard_view *view)
{
	struct mesh_spread spread;
	enum status status = mesh_spread_init(
		&spread, &view->lowering->config, view->mesh->rows, view->mesh->columns, NULL);

	ensure(status == STATUS_OK, "a lowering for this mesh");
	return spread;
}

static const char *orientation_name(enum orientation orientation)
{
	return orientation == ORIENTATION_ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR";
}

static void line(const struct shard_view *view, const char *head, struct text *text, FILE *out)
{
	wrap_print(head, text_string(text), MARGIN, INDENT, view->columns, out);
	text_clear(text);
}

/* Returns the name of the shard that a device holds, like "1,3". */
static const char *shard_name(const struct placed *placed, char *name, size_t size)
{
	snprintf(name, size, "%llu,%llu", (unsigned long long)placed->shard_y,
		(unsigned long long)placed->shard_x);
	return name;
}

static void print_config(const struct shard_view *view, FILE *out)
{
	const struct mapper_lowering *lowering = view->lowering;
	const struct mesh_layout *config = &lowering->config;
	struct mesh_spread spread = shard_view_spread_of(view);
	struct text text = {0};

	text_printf(&text, "(x = %llu, y = %llu), %llu B", (unsigned long long)config->global_width,
		(unsigned long long)config->global_height, (unsigned long long)config->size_bytes);
	line(view, "global buffer", &text, out);
	if (config->sharded) {
		text_printf(&text, "(x = %llu, y = %llu)%s",
			(unsigned long long)config->shard_width,
			(unsigned long long)config->shard_height,
			config->shard_width == 0    ? "; x is replicated"
			: config->shard_height == 0 ? "; y is replicated"
						    : "");
		line(view, "shard", &text, out);
		text_append(&text, orientation_name(config->orientation));
		line(view, "orientation", &text, out);
	} else {
		text_append(&text, "none: replicated on every device");
		line(view, "shard", &text, out);
	}
	layout_shape_print(&lowering->device, "x", &text);
	text_printf(&text, ", %llu B", (unsigned long long)spread.device_bytes);
	line(view, "on each device", &text, out);
	if (lowering->packed) {
		text_printf(&text, "shards are packed on the host: %llu B read and written once",
			(unsigned long long)lowering->copied_bytes);
		line(view, "cost", &text, out);
	}
	text_fini(&text);
}

/* Prints the rows, or the columns, of the global buffer that a device holds. */
static void print_range(uint64_t first, uint64_t count, struct text *text)
{
	text_printf(text, "%llu..%llu", (unsigned long long)first,
		(unsigned long long)(first + count - 1));
}

static void print_devices(const struct shard_view *view, FILE *out)
{
	static const struct text_column columns[] = {{"device", COLUMN_TEXT, 0, NULL},
		{"shard", COLUMN_TEXT, 0, NULL}, {"y", COLUMN_TEXT, 0, NULL},
		{"x", COLUMN_TEXT, 0, NULL}};
	struct mesh_spread spread = shard_view_spread_of(view);
	const struct mesh_layout *layout = &spread.layout;
	uint64_t high = layout->sharded ? layout->shard_height : layout->global_height;
	uint64_t wide = layout->sharded ? layout->shard_width : layout->global_width;
	uint64_t devices = (uint64_t)view->mesh->rows * view->mesh->columns;
	struct arena arena = {0};
	struct text_table *table = text_table_new(&arena);
	struct text text = {0};

	text_table_columns(table, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < devices && i < DEVICES_MAX; i++) {
		uint32_t row = i / view->mesh->columns, column = i % view->mesh->columns;
		struct placed placed;
		char name[SHARD_NAME_BYTES];

		text_table_row(table);
		text_clear(&text);
		text_printf(&text, "%u,%u", row, column);
		text_table_text(table, text_string(&text));
		if (!placed_on(&spread, row, column, &placed)) {
			text_table_text(table, "none");
			continue;
		}
		text_table_text(table, shard_name(&placed, name, sizeof name));
		text_clear(&text);
		print_range(placed.first_row, high, &text);
		text_table_text(table, text_string(&text));
		text_clear(&text);
		print_range(placed.first_column, wide, &text);
		text_table_text(table, text_string(&text));
	}
	fprintf(out, "\ndevices: the shard (y, x) that each holds, as rows and columns of the %s\n",
		view->lowering->packed ? "packed buffer" : "global buffer");
	text_table_print_within(table, view->columns, out);
	if (devices > DEVICES_MAX)
		fprintf(out, "  and %llu more\n", (unsigned long long)(devices - DEVICES_MAX));
	text_fini(&text);
	arena_fini(&arena);
}

static void draw_rule(
	uint32_t columns, const char *left, const char *cross, const char *right, FILE *out)
{
	fprintf(out, "  ");
	for (uint32_t column = 0; column < columns; column++)
		fprintf(out, "%s───────────", column ? cross : left);
	fprintf(out, "%s\n", right);
}

/* Draws the mesh. Each device is a cell with the name of its shard. */
static void draw(const struct shard_view *view, FILE *out)
{
	struct mesh_spread spread = shard_view_spread_of(view);
	uint32_t most = view->columns > 15 ? (view->columns - 3) / 12 : 1;
	uint32_t columns = view->mesh->columns < most ? view->mesh->columns : most;
	uint32_t rows = view->mesh->rows < SIDE_MAX ? view->mesh->rows : SIDE_MAX;

	fprintf(out, "\nmesh\n");
	for (uint32_t row = 0; row < rows; row++) {
		if (row == 0)
			draw_rule(columns, "┌", "┬", "┐", out);
		else
			draw_rule(columns, "├", "┼", "┤", out);
		fprintf(out, "  ");
		for (uint32_t column = 0; column < columns; column++) {
			char cell[SHARD_NAME_BYTES] = "-";
			struct placed placed;

			if (placed_on(&spread, row, column, &placed))
				(void)shard_name(&placed, cell, sizeof cell);
			fprintf(out, "│ %-9.9s ", cell);
		}
		fprintf(out, "│\n");
	}
	draw_rule(columns, "└", "┴", "┘", out);
	if (rows < view->mesh->rows || columns < view->mesh->columns)
		fprintf(out, "  %ux%u of %ux%u devices\n", rows, columns, view->mesh->rows,
			view->mesh->columns);
}

static void shard_view_print_head(const struct shard_view *view, FILE *out)
{
	struct text text = {0};

	layout_shape_print(&view->tensor->shape, "x", &text);
	fprintf(out, "%s of %s, %u B each, on a mesh of %ux%u\n", view->mapper, text_string(&text),
		view->tensor->element_bytes, view->mesh->rows, view->mesh->columns);
	text_fini(&text);
}

void shard_view_print(const struct shard_view *view, FILE *out)
{
	struct text text = {0};

	shard_view_print_head(view, out);
	if (view->refusal == MAPPER_NONE) {
		print_config(view, out);
		print_devices(view, out);
		draw(view, out);
		return;
	}
	text_printf(&text, "%s: %s", mapper_refusal_name(view->refusal), view->why);
	line(view, "refused", &text, out);
	text_printf(&text, "%s", mapper_refusal_limit(view->refusal));
	line(view, "limit", &text, out);
	text_fini(&text);
}

/* ---- JSON ---- */

static void shard_view_pair(struct json *json, const char *key, uint64_t first, uint64_t second)
{
	json_array_of(json, key);
	json_unsigned(json, first);
	json_unsigned(json, second);
	json_array_end(json);
}

static void write_config(const struct shard_view *view, struct json *json)
{
	const struct mesh_layout *config = &view->lowering->config;
	struct mesh_spread spread = shard_view_spread_of(view);

	json_object_of(json, "config");
	json_bool_of(json, "sharded", config->sharded);
	shard_view_pair(json, "global", config->global_height, config->global_width);
	shard_view_pair(json, "shard", config->shard_height, config->shard_width);
	json_text(json, "orientation", orientation_name(config->orientation));
	json_unsigned_of(json, "size_bytes", config->size_bytes);
	json_unsigned_of(json, "device_bytes", spread.device_bytes);
	shape_json(json, "device_shape", &view->lowering->device);
	json_bool_of(json, "packed", view->lowering->packed);
	json_unsigned_of(json, "copied_bytes", view->lowering->copied_bytes);
	json_object_end(json);
	json_array_of(json, "devices");
	for (uint32_t row = 0; row < view->mesh->rows; row++)
		for (uint32_t column = 0; column < view->mesh->columns; column++) {
			struct placed placed;

			json_object(json);
			shard_view_pair(json, "device", row, column);
			if (placed_on(&spread, row, column, &placed)) {
				shard_view_pair(json, "shard", placed.shard_y, placed.shard_x);
				shard_view_pair(
					json, "first", placed.first_row, placed.first_column);
			}
			json_object_end(json);
		}
	json_array_end(json);
}

void shard_view_json(const struct shard_view *view, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json.flat_from = 3;
	json_object(&json);
	json_text(&json, "mapper", view->mapper);
	shape_json(&json, "shape", &view->tensor->shape);
	json_unsigned_of(&json, "element_bytes", view->tensor->element_bytes);
	shard_view_pair(&json, "mesh", view->mesh->rows, view->mesh->columns);
	if (view->refusal == MAPPER_NONE) {
		json_text(&json, "refused", NULL);
		write_config(view, &json);
	} else {
		json_text(&json, "refused", mapper_refusal_name(view->refusal));
		json_text(&json, "why", view->why);
	}
	json_object_end(&json);
	json_print(&json, out);
}

void shard_view_svg(const struct shard_view *view, struct text *out)
{
	struct mesh_spread spread = shard_view_spread_of(view);
	uint32_t rows = view->mesh->rows < SIDE_MAX ? view->mesh->rows : SIDE_MAX;
	uint32_t columns = view->mesh->columns < SIDE_MAX ? view->mesh->columns : SIDE_MAX;

	svg_start(out, 16 + 110.0 * columns, 16 + 50.0 * rows);
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column < columns; column++) {
			double x = 8 + 110.0 * column, y = 8 + 50.0 * row;
			struct text words = {0};
			struct placed placed;
			char name[SHARD_NAME_BYTES];
			bool holds = placed_on(&spread, row, column, &placed);

			svg_rect(out, holds ? "tile" : "grid", x, y, 106, 46);
			svg_rect(out, "frame", x, y, 106, 46);
			text_printf(&words, "device %u,%u", row, column);
			svg_words(out, x + 6, y + 18, text_string(&words));
			text_clear(&words);
			if (holds)
				text_printf(
					&words, "shard %s", shard_name(&placed, name, sizeof name));
			svg_words(out, x + 6, y + 36, text_string(&words));
			text_fini(&words);
		}
	svg_end(out);
}
