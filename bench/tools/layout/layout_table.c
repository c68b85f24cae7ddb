/* Prints a layout as text: its derived figures, the TTNN view, a table of its shards, and a
 * drawing. */
#include "analysis/print/text_table.h"
#include "analysis/print/wrap.h"
#include "layout/layout_text.h"
#include "parts.h"

enum { MARGIN = 2, INDENT = 14 };

static void line(const struct layout_view *view, const char *head, struct text *text, FILE *out)
{
	wrap_print(head, text_string(text), MARGIN, INDENT, view->columns, out);
	text_clear(text);
}

static void print_pair(struct text *text, const char *head, const uint64_t pair[2])
{
	text_printf(text, "%s%llux%llu", head, (unsigned long long)pair[0],
		(unsigned long long)pair[1]);
}

static void print_ttnn(const struct layout_view *view, FILE *out)
{
	struct ttnn_view ttnn;
	struct text text = {0};

	if (ttnn_view_init(&ttnn, view->layout, &text) != STATUS_OK) {
		struct text said = {0};

		text_printf(&said, "none: %s", text_string(&text));
		line(view, "TTNN", &said, out);
		text_fini(&said);
	} else {
		if (ttnn.mesh.rank) {
			text_append(&text, "mesh ");
			layout_shape_print(&ttnn.mesh, "x", &text);
			text_append(&text, ", ");
		}
		text_append(&text, "shape ");
		layout_shape_print(&ttnn.shape, "x", &text);
		text_append(&text, ", stride ");
		layout_shape_print(&ttnn.stride, ", ", &text);
		print_pair(&text, "; shard_shape ", ttnn.shard_shape);
		print_pair(&text, ", physical_shard_shape ", ttnn.physical_shard_shape);
		print_pair(&text, ", grid_shape ", ttnn.grid_shape);
		line(view, "TTNN", &text, out);
	}
	text_fini(&text);
}

static void print_facts(const struct layout_view *view, FILE *out)
{
	const struct layout *layout = view->layout;
	uint64_t padding = padding_total(layout), elements = layout_volume(&layout->tensor);
	struct text text = {0};

	layout_print(layout, &text);
	fprintf(out, "%s\n", text_string(&text));
	text_clear(&text);
	layout_shape_print(&layout->tensor, "x", &text);
	text_printf(&text, " %s, %llu elements", element_name(layout->tensor_element),
		(unsigned long long)elements);
	line(view, "logical", &text, out);
	layout_shape_print(&layout->physical, "x", &text);
	line(view, "physical", &text, out);
	layout_shape_print(&layout->grid, "x", &text);
	text_printf(&text, ", %llu shards", (unsigned long long)layout->shards);
	line(view, "grid", &text, out);
	layout_shape_print(&layout->shard, "x", &text);
	line(view, "shard", &text, out);
	layout_shape_print(&layout->memref, "x", &text);
	if (layout->tile_height)
		text_printf(&text, " tiles of %ux%u %s", layout->tile_height, layout->tile_width,
			element_name(layout->element));
	else
		text_printf(&text, " %s", element_name(layout->element));
	text_printf(&text, ", %llu B in %s", (unsigned long long)layout->shard_bytes,
		layout_space_name(layout->space));
	line(view, "memref", &text, out);
	text_printf(&text, "%llu of %llu places (%.1f %%), %s", (unsigned long long)padding,
		(unsigned long long)(padding + elements),
		100.0 * (double)padding / (double)(padding + elements), fill_name(layout->fill));
	line(view, "padding", &text, out);
	text_fini(&text);
	print_ttnn(view, out);
}

static void print_unit(
	const struct layout_view *view, const struct layout_unit *unit, struct text_table *table)
{
	struct text text = {0};

	if (view->layout->space != SPACE_L1 && view->layout->space != SPACE_DRAM) {
		text_table_text(table, "host");
		text_table_blank(table);
		return;
	}
	text_printf(&text, "%u,%u", unit->device_row, unit->device_column);
	text_table_text(table, text_string(&text));
	text_clear(&text);
	if (view->layout->space == SPACE_L1)
		text_printf(&text, "%u,%u", unit->core_row, unit->core_column);
	else
		text_printf(&text, "%u", unit->bank);
	text_table_text(table, text_string(&text));
	text_fini(&text);
}

static void print_shards(const struct layout_view *view, FILE *out)
{
	const struct layout *layout = view->layout;
	static const struct text_column columns[] = {{"shard", COLUMN_TEXT, 0, NULL},
		{"device", COLUMN_TEXT, 0, NULL}, {"core", COLUMN_TEXT, 0, NULL},
		{"address", COLUMN_COUNT, 0, NULL}, {"data", COLUMN_COUNT, 0, NULL},
		{"gap", COLUMN_COUNT, 0, NULL}, {"grid", COLUMN_COUNT, 0, NULL},
		{"tile", COLUMN_COUNT, 0, NULL}};
	struct arena arena = {0};
	struct text_table *table = text_table_new(&arena);
	struct text text = {0};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		struct text_column column = columns[i];

		if (i == 2 && layout->space == SPACE_DRAM)
			column.heading = "bank";
		text_table_columns(table, &column, 1);
	}
	for (uint64_t i = 0; i < layout->shards && i < LAYOUT_VIEW_SHARDS_MAX; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);
		struct layout_unit unit = layout_unit(layout, view->machine, &shard);
		struct shard_places places = shard_places(layout, &shard);

		text_table_row(table);
		text_table_text(table, index_text(&shard, &text));
		print_unit(view, &unit, table);
		text_table_number(table, (double)(unit.slot * layout->shard_bytes));
		for (uint32_t kind = 0; kind < PLACE_KIND_COUNT; kind++)
			text_table_number(table, (double)places.count[kind]);
	}
	fprintf(out,
		"\nshards: address in bytes from the buffer's; places that hold data, and padding"
		" by cause\n");
	text_table_print_within(table, view->columns, out);
	if (layout->shards > LAYOUT_VIEW_SHARDS_MAX)
		fprintf(out, "  and %llu more\n",
			(unsigned long long)(layout->shards - LAYOUT_VIEW_SHARDS_MAX));
	text_fini(&text);
	arena_fini(&arena);
}

static void print_element(const struct layout_view *view, FILE *out)
{
	const struct layout *layout = view->layout;
	struct layout_place place = layout_place(layout, view->index);
	struct layout_unit unit = layout_unit(layout, view->machine, &place.shard);
	struct layout_shape physical = layout_map(layout, view->index);
	struct text text = {0}, part = {0};

	text_printf(&text, "physical (%s)", index_text(&physical, &part));
	text_printf(&text, ", shard (%s)", index_text(&place.shard, &part));
	text_printf(&text, ", there (%s)", index_text(&place.local, &part));
	if (layout->space == SPACE_L1 || layout->space == SPACE_DRAM)
		text_printf(&text, "; device %u,%u", unit.device_row, unit.device_column);
	if (layout->space == SPACE_L1)
		text_printf(&text, ", core %u,%u", unit.core_row, unit.core_column);
	if (layout->space == SPACE_DRAM)
		text_printf(&text, ", bank %u", unit.bank);
	text_printf(&text, ", byte %llu",
		(unsigned long long)(unit.slot * layout->shard_bytes + place.byte));
	if (element_is_block(layout->element))
		text_printf(&text, ", exponent at %llu",
			(unsigned long long)(unit.slot * layout->shard_bytes +
					     layout_exponent_byte(layout, &place.local)));
	fprintf(out, "\nelement (%s)\n", index_text(view->index, &part));
	wrap_print("", text_string(&text), 0, MARGIN, view->columns, out);
	text_fini(&text);
	text_fini(&part);
}

void layout_view_print(const struct layout_view *view, FILE *out)
{
	print_facts(view, out);
	print_shards(view, out);
	layout_draw(view->layout, view->columns, out);
	if (view->index)
		print_element(view, out);
}
