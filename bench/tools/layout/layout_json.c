/* Prints a layout as JSON. bench/tools/output_schema describes the members. */
#include "base/json.h"
#include "layout/layout_text.h"
#include "parts.h"

static void pair(struct json *json, const char *key, const uint64_t pair[2])
{
	shape_json(json, key, &(struct layout_shape){2, {pair[0], pair[1]}});
}

static void write_unit(
	struct json *json, const struct layout *layout, const struct layout_unit *unit)
{
	bool on_device = layout->space == SPACE_L1 || layout->space == SPACE_DRAM;

	if (on_device)
		shape_json(json, "device",
			&(struct layout_shape){2, {unit->device_row, unit->device_column}});
	if (layout->space == SPACE_L1)
		shape_json(json, "core",
			&(struct layout_shape){2, {unit->core_row, unit->core_column}});
	if (layout->space == SPACE_DRAM)
		json_unsigned_of(json, "bank", unit->bank);
}

static void write_shards(const struct layout_view *view, struct json *json)
{
	const struct layout *layout = view->layout;

	json_array_of(json, "shards");
	for (uint64_t i = 0; i < layout->shards && i < LAYOUT_VIEW_JSON_SHARDS_MAX; i++) {
		struct layout_shape at = layout_at(&layout->grid, i);
		struct layout_unit unit = layout_unit(layout, view->machine, &at);
		struct shard_places places = shard_places(layout, &at);

		json_object(json);
		shape_json(json, "shard", &at);
		write_unit(json, layout, &unit);
		json_unsigned_of(json, "address", unit.slot * layout->shard_bytes);
		for (int kind = 0; kind < PLACE_KIND_COUNT; kind++)
			json_unsigned_of(
				json, place_kind_name((enum place_kind)kind), places.count[kind]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_ttnn(const struct layout *layout, struct json *json)
{
	struct ttnn_view view;
	struct text why = {0};

	json_key(json, "ttnn");
	if (ttnn_view_init(&view, layout, &why) != STATUS_OK) {
		json_null(json);
		json_text(json, "ttnn_refused", text_string(&why));
	} else {
		json_object(json);
		shape_json(json, "mesh", &view.mesh);
		shape_json(json, "shape", &view.shape);
		shape_json(json, "stride", &view.stride);
		pair(json, "physical_shape", view.physical_shape);
		pair(json, "shard_shape", view.shard_shape);
		pair(json, "physical_shard_shape", view.physical_shard_shape);
		pair(json, "tile_shape", view.tile_shape);
		pair(json, "grid_shape", view.grid_shape);
		json_object_end(json);
	}
	text_fini(&why);
}

static void write_located(const struct layout_view *view, struct json *json)
{
	const struct layout *layout = view->layout;
	struct layout_place place = layout_place(layout, view->index);
	struct layout_unit unit = layout_unit(layout, view->machine, &place.shard);
	struct layout_shape physical = layout_map(layout, view->index);

	json_object_of(json, "located");
	shape_json(json, "index", view->index);
	shape_json(json, "physical", &physical);
	shape_json(json, "shard", &place.shard);
	shape_json(json, "local", &place.local);
	write_unit(json, layout, &unit);
	json_unsigned_of(json, "byte", unit.slot * layout->shard_bytes + place.byte);
	json_object_end(json);
}

void layout_view_json(const struct layout_view *view, FILE *out)
{
	const struct layout *layout = view->layout;
	struct text text = {0};
	struct json json;

	json_start(&json, NULL);
	json.flat_from = 3;
	json_object(&json);
	layout_print(layout, &text);
	json_text(&json, "text", text_string(&text));
	text_clear(&text);
	layout_print_map(layout, &text);
	json_text(&json, "map", text_string(&text));
	shape_json(&json, "tensor", &layout->tensor);
	json_text(&json, "tensor_element", element_name(layout->tensor_element));
	shape_json(&json, "physical", &layout->physical);
	shape_json(&json, "grid", &layout->grid);
	shape_json(&json, "shard", &layout->shard);
	shape_json(&json, "memref", &layout->memref);
	shape_json(&json, "tile",
		&(struct layout_shape){
			layout->tile_height ? 2 : 0, {layout->tile_height, layout->tile_width}});
	json_text(&json, "element", element_name(layout->element));
	json_text(&json, "fill", fill_name(layout->fill));
	json_text(&json, "space", layout_space_name(layout->space));
	json_unsigned_of(&json, "shard_bytes", layout->shard_bytes);
	json_unsigned_of(&json, "padding", padding_total(layout));
	write_ttnn(layout, &json);
	write_shards(view, &json);
	json_unsigned_of(&json, "shard_count", layout->shards);
	if (view->index)
		write_located(view, &json);
	json_object_end(&json);
	json_print(&json, out);
	text_fini(&text);
}
