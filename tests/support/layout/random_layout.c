/* Draws layouts (see random_layout.h). */
#include "random_layout.h"

#include <string.h>

#include "base/ensure.h"

uint64_t random_between(struct stream *stream, uint64_t least, uint64_t most)
{
	return least + stream_below(stream, most - least + 1);
}

static void random_tensor(struct stream *stream, uint64_t elements, struct layout_shape *shape)
{
	shape->rank = (uint32_t)random_between(stream, 1, 7);
	for (uint32_t d = 0; d < shape->rank; d++) {
		uint64_t most = stream_below(stream, 4) ? 9 : 80;

		most = most < elements ? most : elements;
		shape->size[d] = random_between(stream, 1, most ? most : 1);
		elements /= shape->size[d];
	}
}

/* Splits the dimensions into intervals with one result each, adds gaps, and swaps some results. */
static void random_map(struct stream *stream, struct layout *layout)
{
	uint32_t rank = layout->tensor.rank, results = 0;
	uint32_t leading = (uint32_t)stream_below(stream, 2);

	memset(layout->stride, 0, sizeof layout->stride);
	if (rank == 1 && leading)
		results = 1; /* adds a result of 0 in front */
	for (uint32_t first = 0; first < rank;) {
		uint32_t end = (uint32_t)random_between(stream, first + 1, rank);
		uint64_t stride = 1;

		if (results == 4)
			end = rank;
		for (uint32_t i = end; i-- > first;) {
			layout->stride[results][i] = stride;
			stride *= layout->tensor.size[i];
			if (stream_below(stream, 5) == 0)
				stride += stream_below(stream, 5); /* a gap */
		}
		results++;
		first = end;
	}
	layout->grid.rank = results;
	/* another dimension contributes as well, as in (d0 * 96 + d1, d1, d2) */
	if (results > 1 && layout->tensor.size[rank - 1] <= 4 && stream_below(stream, 6) == 0 &&
		layout->stride[0][rank - 1] == 0) {
		for (uint32_t d = 0; d < rank; d++)
			layout->stride[0][d] *= layout->tensor.size[rank - 1];
		layout->stride[0][rank - 1] = 1;
	}
}

static void random_memory(struct stream *stream, struct layout *layout)
{
	static const enum element plain[] = {
		ELEMENT_F32, ELEMENT_BF16, ELEMENT_U32, ELEMENT_U16, ELEMENT_U8};
	static const enum element floats[] = {ELEMENT_F32, ELEMENT_BF16};
	bool tiled = layout->grid.rank > 1 && stream_below(stream, 2);

	layout->tensor_element = plain[stream_below(stream, stream_below(stream, 2) ? 2 : 5)];
	layout->element = layout->tensor_element;
	if (layout->tensor_element <= ELEMENT_BF16 && stream_below(stream, 2))
		layout->element = tiled && stream_below(stream, 2)
					  ? ELEMENT_BFP_BF8
					  : floats[stream_below(stream, 2)];
	if (tiled) {
		layout->tile_height =
			1u << random_between(stream, element_is_block(layout->element) ? 4 : 0, 5);
		layout->tile_width = 16u << stream_below(stream, 2);
	}
	layout->fill = (enum fill)stream_below(stream, FILL_COUNT);
	layout->space = (enum layout_space)stream_below(stream, SPACE_COUNT);
}

void random_layout(struct stream *stream, uint64_t elements, struct layout *layout)
{
	struct text why = {0};
	enum status status;

	do {
		*layout = (struct layout){0};
		random_tensor(stream, elements, &layout->tensor);
		random_map(stream, layout);
		for (uint32_t r = 0; r < layout->grid.rank; r++)
			layout->grid.size[r] = random_between(stream, 1, 4);
		random_memory(stream, layout);
		text_clear(&why);
		status = layout_init(layout, &why);
		/* only the fill value may be rejected, because of the type */
		ensure(status == STATUS_OK || layout->fill >= FILL_INF, "%s", text_string(&why));
	} while (status != STATUS_OK ||
		 layout_volume(&layout->padded) * layout->shards > 64 * elements + (1 << 14));
	text_fini(&why);
}
