/* Converts buffers and sets of cores to messages and back, field by field. */
#include "distributed/common/described.h"

#include "base/refuse.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Converts the sizes of the buffer and of a shard to the largest unit that divides both. */
static void count_in_units(uint64_t *global, uint64_t *shard)
{
	uint64_t unit = common_divisor(*global, *shard);

	*global /= unit;
	*shard /= unit;
}

/* Returns a copy of `layout` whose height and width fit into the 32 bits of the message, if
 * possible. If the width does not fit, several columns count as one. If the height does not fit,
 * several rows count as one, but only if every shard is as wide as the buffer. */
static struct mesh_layout described_narrow(const struct mesh_layout *layout)
{
	struct mesh_layout narrow = *layout;
	bool whole_rows = !layout->sharded || layout->shard_width == 0 ||
			  layout->shard_width == layout->global_width;

	if (narrow.global_width > UINT32_MAX)
		count_in_units(&narrow.global_width, &narrow.shard_width);
	if (narrow.global_height > UINT32_MAX && whole_rows)
		count_in_units(&narrow.global_height, &narrow.shard_height);
	return narrow;
}

enum status described_check(const struct mesh_layout *layout, struct text *why)
{
	const struct mesh_layout fitting = described_narrow(layout);

	if (fitting.global_width <= UINT32_MAX && fitting.global_height <= UINT32_MAX)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED,
		"a buffer of %llu x %llu elements, each row of them divided: other hosts are told "
		"of at most %u rows",
		(unsigned long long)layout->global_height, (unsigned long long)layout->global_width,
		UINT32_MAX);
}

struct wire_create_buffer described_buffer(
	const struct mesh_layout *given, const struct buffer_config *config)
{
	const struct shard_parameters *shard = &config->shard;
	const struct mesh_layout fitting = described_narrow(given), *layout = &fitting;

	return (struct wire_create_buffer){.sharded = layout->sharded,
		.size_bytes = layout->size_bytes,
		.global_height = (uint32_t)layout->global_height,
		.global_width = (uint32_t)layout->global_width,
		.shard_height = (uint32_t)layout->shard_height,
		.shard_width = (uint32_t)layout->shard_width,
		.mesh_orientation = (uint8_t)layout->orientation,
		.type = (uint8_t)config->type,
		.layout = (uint8_t)config->layout,
		.page_bytes = config->page_bytes,
		.pages_high = shard->pages_high,
		.pages_wide = shard->pages_wide,
		.shard_pages_high = shard->shard_pages_high,
		.shard_pages_wide = shard->shard_pages_wide,
		.column0 = shard->cores.column0,
		.row0 = shard->cores.row0,
		.column1 = shard->cores.column1,
		.row1 = shard->cores.row1,
		.orientation = (uint8_t)shard->orientation,
		.round_robin = shard->round_robin,
		.sub_device = config->sub_device};
}

void described_read(const struct wire_create_buffer *message, struct mesh_layout *layout,
	struct buffer_config *config)
{
	*layout = (struct mesh_layout){.sharded = message->sharded,
		.size_bytes = message->size_bytes,
		.global_height = message->global_height,
		.global_width = message->global_width,
		.shard_height = message->shard_height,
		.shard_width = message->shard_width,
		.orientation = (enum orientation)message->mesh_orientation};
	*config = (struct buffer_config){.type = (enum buffer_type)message->type,
		.layout = (enum buffer_layout)message->layout,
		.page_bytes = message->page_bytes,
		.shard = {.pages_high = message->pages_high,
			.pages_wide = message->pages_wide,
			.shard_pages_high = message->shard_pages_high,
			.shard_pages_wide = message->shard_pages_wide,
			.cores = {message->column0, message->row0, message->column1, message->row1},
			.orientation = (enum orientation)message->orientation,
			.round_robin = message->round_robin},
		.sub_device = message->sub_device};
}

struct wire_cores cores_to_wire(struct cores cores)
{
	return (struct wire_cores){.kind = (uint8_t)cores.kind,
		.ethernet = cores.ethernet,
		.column = cores.rect.column0,
		.row = cores.rect.row0,
		.columns = (uint16_t)(cores.rect.column1 - cores.rect.column0 + 1),
		.rows = (uint16_t)(cores.rect.row1 - cores.rect.row0 + 1),
		.count = cores.count,
		.part = cores.part,
		.parts = cores.parts};
}

struct cores cores_from_wire(const struct wire_cores *from)
{
	return (struct cores){.kind = (enum cores_kind)from->kind,
		.rect = {(uint8_t)from->column, (uint8_t)from->row,
			(uint8_t)(from->column + from->columns - 1),
			(uint8_t)(from->row + from->rows - 1)},
		.count = from->count,
		.ethernet = from->ethernet,
		.part = from->part,
		.parts = from->parts};
}
