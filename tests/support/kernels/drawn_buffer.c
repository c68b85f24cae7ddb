/* Random layouts (see drawn_buffer.h). */
#include "drawn_buffer.h"

#include "check.h"
#include "mesh/mesh.h"

enum { MORE = 3 }; /* pages of a shard in addition to those of its row */

/* Returns a random divisor of `pages`. */
static uint32_t divisor_of(struct stream *random, uint32_t pages)
{
	uint32_t divisor = 1 + (uint32_t)stream_below(random, pages);

	while (pages % divisor != 0)
		divisor--;
	return divisor;
}

static uint32_t up_to(struct stream *random, uint32_t most)
{
	return 1 + (uint32_t)stream_below(random, most);
}

static struct shard_parameters draw_shards(const struct mesh_device *mesh, struct stream *random,
	enum buffer_layout layout, uint32_t pages)
{
	uint32_t columns = mesh_worker_columns(mesh), rows = mesh_worker_rows(mesh);
	uint32_t wide = divisor_of(random, pages), high = pages / wide;
	struct shard_parameters shard = {.pages_high = high,
		.pages_wide = wide,
		.shard_pages_high = up_to(random, high),
		.shard_pages_wide = up_to(random, wide),
		.cores = {(uint8_t)stream_below(random, columns),
			(uint8_t)stream_below(random, rows), (uint8_t)(columns - 1),
			(uint8_t)(rows - 1)},
		.orientation =
			stream_below(random, 2) ? ORIENTATION_ROW_MAJOR : ORIENTATION_COLUMN_MAJOR,
		.round_robin = true};

	if (layout == LAYOUT_HEIGHT_SHARDED)
		shard.shard_pages_wide = wide + (uint32_t)stream_below(random, MORE);
	if (layout == LAYOUT_WIDTH_SHARDED)
		shard.shard_pages_high = high + (uint32_t)stream_below(random, MORE);
	return shard;
}

struct mesh_buffer *drawn_buffer_new(
	struct mesh_device *mesh, struct stream *random, uint32_t pages, uint32_t page_bytes)
{
	struct buffer_config config = {.type = stream_below(random, 2) ? BUFFER_DRAM : BUFFER_L1,
		.page_bytes = page_bytes};
	struct mesh_layout layout = {.size_bytes = (uint64_t)pages * page_bytes};
	struct mesh_buffer *buffer;
	struct text why = {0};

	if (stream_below(random, 3) > 0) {
		config.layout =
			(enum buffer_layout)(1 + stream_below(random, BUFFER_LAYOUT_COUNT - 1));
		config.shard = draw_shards(mesh, random, config.layout, pages);
	}
	check(mesh_buffer_new(mesh, &layout, &config, &why, &buffer) == STATUS_OK, "%s",
		text_string(&why));
	text_fini(&why);
	return buffer;
}
