/* Functions that tables, JSON and drawings of a layout share (see parts.h). */
#include "parts.h"

struct shard_places shard_places(const struct layout *layout, const struct layout_shape *shard)
{
	uint64_t inside = 1, whole = layout_volume(&layout->shard);
	struct shard_places places;

	for (uint32_t r = 0; r < shard->rank; r++) {
		uint64_t first = shard->size[r] * layout->shard.size[r];
		uint64_t left =
			first < layout->physical.size[r] ? layout->physical.size[r] - first : 0;

		inside *= left < layout->shard.size[r] ? left : layout->shard.size[r];
	}
	places.count[PLACE_DATA] = padding_elements(layout, shard);
	places.count[PLACE_GAP] = inside - places.count[PLACE_DATA];
	places.count[PLACE_GRID] = whole - inside;
	places.count[PLACE_TILE] = layout_volume(&layout->padded) - whole;
	return places;
}

uint64_t padding_total(const struct layout *layout)
{
	return layout_volume(&layout->padded) * layout->shards - layout_volume(&layout->tensor);
}

const char *index_text(const struct layout_shape *index, struct text *out)
{
	text_clear(out);
	layout_shape_print(index, ",", out);
	return text_string(out);
}

uint64_t panel_count(const struct layout *layout)
{
	uint64_t count = 1;

	for (uint32_t r = 0; r + 2 < layout->grid.rank; r++)
		count *= layout->grid.size[r];
	return count;
}

struct panel panel_at(const struct layout *layout, uint64_t number)
{
	uint32_t rank = layout->grid.rank, leading = rank > 2 ? rank - 2 : 0;
	struct panel panel = {.shard.rank = rank};

	panel.rows = rank > 1 ? layout->grid.size[rank - 2] : 1;
	panel.columns = layout->grid.size[rank - 1];
	for (uint32_t r = leading; r-- > 0;) {
		panel.shard.size[r] = number % layout->grid.size[r];
		number /= layout->grid.size[r];
	}
	return panel;
}

struct layout_shape panel_shard(const struct panel *panel, uint64_t row, uint64_t column)
{
	struct layout_shape shard = panel->shard;

	if (shard.rank > 1)
		shard.size[shard.rank - 2] = row;
	shard.size[shard.rank - 1] = column;
	return shard;
}

void shape_json(struct json *json, const char *key, const struct layout_shape *shape)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < shape->rank; i++)
		json_unsigned(json, shape->size[i]);
	json_array_end(json);
}
