/* Makes the bytes of one shard from a tensor, or copies a shard back into the tensor; see
 * convert.h. The first step makes scalars of the shard's element type (f32 for block formats),
 * row by row, with padding. The second step makes tiles from these scalars. */
#include "layout/data/convert.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "layout/layout.h"

enum { PIECE = 1024 }; /* number of elements that are converted at a time in local memory */

/* Returns the type of the scalars in the scratch memory. */
static enum element scalar(const struct layout *layout)
{
	return element_is_block(layout->element) ? ELEMENT_F32 : layout->element;
}

enum status shard_data_check(const struct layout *layout, struct text *why)
{
	if (element_is_block(layout->tensor_element))
		return refuse(why, STATUS_INVALID, "a tensor of %s: on the host it has scalars",
			element_name(layout->tensor_element));
	if (!element_converts(layout->tensor_element, layout->element))
		return refuse(why, STATUS_INVALID, "%s elements as %s",
			element_name(layout->tensor_element), element_name(layout->element));
	return STATUS_OK;
}

/* The scratch memory contains all scalars of a shard and, for block formats, also their tiles. */
uint64_t shard_data_scratch_bytes(const struct layout *layout)
{
	uint64_t scalars = layout_volume(&layout->padded) * element_bytes(scalar(layout));

	if (layout->tile_height == 0)
		return 1;
	return element_is_block(layout->element) ? 2 * scalars : scalars;
}

struct shard_data_work shard_data_work(const struct layout *layout)
{
	uint64_t elements = layout_volume(&layout->padded);
	struct shard_data_work work = {.scalar_bytes = elements * element_bytes(scalar(layout))};

	if (layout->tile_height)
		work.tiled_bytes = work.scalar_bytes;
	if (element_is_block(layout->element))
		work.blocks = elements / ELEMENT_BLOCK;
	return work;
}

/* ---- scalars ---- */

struct cut {
	const struct layout *layout;
	const struct tensor_source *source;
	const struct tensor_sink *sink;
	struct layout_shape first; /* physical place of the shard's first element */
	/* only while a shard is made: the shard's scalars, row by row, with padding */
	uint8_t *made;
	/* only while a shard is copied back into the tensor: the shard's scalars */
	const uint8_t *taken;
	/* [result] number of scalars from one index of the result to the next */
	uint64_t pitch[LAYOUT_RANK_MAX];
	/* number of scalars from one element of a run (struct layout_run) to the next */
	uint64_t step;
};

static struct cut cut_of(const struct layout *layout, const struct layout_shape *shard)
{
	struct cut cut = {.layout = layout, .first.rank = shard->rank};
	uint64_t pitch = 1;

	for (uint32_t r = shard->rank; r-- > 0;) {
		cut.pitch[r] = pitch;
		pitch *= layout->padded.size[r];
		cut.first.size[r] = shard->size[r] * layout->shard.size[r];
		cut.step += layout->stride[r][layout->tensor.rank - 1] * cut.pitch[r];
	}
	return cut;
}

static void shard_data_walk(
	struct cut *cut, bool (*visit)(void *context, const struct layout_run *run))
{
	struct layout_shape to = cut->first;

	for (uint32_t r = 0; r < to.rank; r++)
		to.size[r] += cut->layout->shard.size[r];
	layout_walk(cut->layout, &cut->first, &to, visit, cut);
}

/* Returns the position of the first element of a run among the scalars of the shard. */
static uint64_t run_start(const struct cut *cut, const struct layout_run *run)
{
	uint64_t start = 0;

	for (uint32_t r = 0; r < cut->first.rank; r++)
		start += (run->physical.size[r] - cut->first.size[r]) * cut->pitch[r];
	return start;
}

/* Copies dense elements to places whose distance is `step` elements. */
static void scatter(
	uint8_t *apart, uint64_t step, const uint8_t *dense, uint64_t count, uint32_t bytes)
{
	for (uint64_t i = 0; i < count; i++)
		memcpy(apart + i * step * bytes, dense + i * bytes, bytes);
}

static void shard_data_gather(
	uint8_t *dense, const uint8_t *apart, uint64_t step, uint64_t count, uint32_t bytes)
{
	for (uint64_t i = 0; i < count; i++)
		memcpy(dense + i * bytes, apart + i * step * bytes, bytes);
}

static bool read_run(void *context, const struct layout_run *run)
{
	const struct cut *cut = context;
	enum element from = cut->layout->tensor_element, to = scalar(cut->layout);
	uint32_t from_bytes = element_bytes(from), bytes = element_bytes(to);
	uint8_t *out = cut->made + run_start(cut, run) * bytes;
	uint8_t read[PIECE * sizeof(float)], turned[PIECE * sizeof(float)];

	for (uint64_t done = 0; done < run->count;) {
		uint64_t count = run->count - done < PIECE ? run->count - done : PIECE;
		const uint8_t *in = read;
		uint8_t *there = out + done * cut->step * bytes;

		if (cut->source->bytes)
			in = (const uint8_t *)cut->source->bytes +
			     (run->element + done) * from_bytes;
		else
			cut->source->read(cut->source->context, run->element + done, count, read);
		if (cut->step == 1 || count == 1) {
			convert_elements(from, in, to, there, count);
		} else {
			convert_elements(from, in, to, turned, count);
			scatter(there, cut->step, turned, count, bytes);
		}
		done += count;
	}
	return true;
}

static bool write_run(void *context, const struct layout_run *run)
{
	const struct cut *cut = context;
	enum element from = scalar(cut->layout), to = cut->layout->tensor_element;
	uint32_t bytes = element_bytes(from), to_bytes = element_bytes(to);
	const uint8_t *in = cut->taken + run_start(cut, run) * bytes;
	uint8_t dense[PIECE * sizeof(float)], turned[PIECE * sizeof(float)];

	for (uint64_t done = 0; done < run->count;) {
		uint64_t count = run->count - done < PIECE ? run->count - done : PIECE;
		const uint8_t *there = in + done * cut->step * bytes;
		uint8_t *out = turned;

		if (cut->sink->bytes)
			out = (uint8_t *)cut->sink->bytes + (run->element + done) * to_bytes;
		if (cut->step != 1 && count > 1) {
			shard_data_gather(dense, there, cut->step, count, bytes);
			there = dense;
		}
		convert_elements(from, there, to, out, count);
		if (!cut->sink->bytes)
			cut->sink->write(cut->sink->context, run->element + done, count, out);
		done += count;
	}
	return true;
}

/* Fills all scalars with the out-of-bounds value. Does nothing if the shard has no padding. */
static void pad(const struct layout *layout, const struct layout_shape *shard, uint8_t *scalars)
{
	uint32_t bytes = element_bytes(scalar(layout)), bits = 0;
	uint64_t left = layout_volume(&layout->padded) * bytes, done = bytes;
	enum status status = element_fill(scalar(layout), layout->fill, &bits, NULL);

	ensure(status == STATUS_OK, "%s of %s", fill_name(layout->fill),
		element_name(layout->element));
	if (padding_count(layout, shard) == 0)
		return;
	/* copies the lowest bytes, because the host is little-endian, like devices */
	memcpy(scalars, &bits, bytes);
	for (left -= bytes; left > 0;) {
		uint64_t more = done < left ? done : left;

		memcpy(scalars + done, scalars, more);
		done += more;
		left -= more;
	}
}

/* ---- tiles ---- */

/* Computes the size of the matrix that contains all scalars of the shard, and is split into tiles.
 * The last result of the layout's map gives the columns of the matrix. All other results together
 * give its rows. */
static void plane_extents(const struct layout *layout, uint64_t *rows, uint64_t *columns)
{
	*columns = layout->padded.size[layout->padded.rank - 1];
	*rows = layout_volume(&layout->padded) / *columns;
}

static void pack_tiles(const struct layout *layout, const float *tiled, uint8_t *out)
{
	uint32_t volume = layout->tile_height * layout->tile_width, blocks = volume / ELEMENT_BLOCK;
	uint64_t tiles = layout_volume(&layout->memref);

	for (uint64_t i = 0; i < tiles; i++, out += blocks + volume)
		convert_to_blocks(tiled + i * volume, out, out + blocks, blocks);
}

static void unpack_tiles(const struct layout *layout, const uint8_t *in, float *tiled)
{
	uint32_t volume = layout->tile_height * layout->tile_width, blocks = volume / ELEMENT_BLOCK;
	uint64_t tiles = layout_volume(&layout->memref);

	for (uint64_t i = 0; i < tiles; i++, in += blocks + volume)
		convert_from_blocks(in, in + blocks, tiled + i * volume, blocks);
}

void shard_data_make(const struct layout *layout, const struct tensor_source *source,
	const struct layout_shape *shard, void *out, void *scratch)
{
	struct tile_shape tile = {layout->tile_height, layout->tile_width};
	uint8_t *scalars = layout->tile_height ? scratch : out;
	struct cut cut = cut_of(layout, shard);
	uint32_t bytes = element_bytes(scalar(layout));
	uint64_t rows, columns;

	cut.source = source;
	cut.made = scalars;
	pad(layout, shard, scalars);
	shard_data_walk(&cut, read_run);
	if (layout->tile_height == 0)
		return;
	plane_extents(layout, &rows, &columns);
	if (element_is_block(layout->element)) {
		float *tiled = (float *)scratch + rows * columns;

		tilize(scalars, tiled, rows, columns, tile, bytes);
		pack_tiles(layout, tiled, out);
	} else {
		tilize(scalars, out, rows, columns, tile, bytes);
	}
}

void shard_data_take(const struct layout *layout, const struct tensor_sink *sink,
	const struct layout_shape *shard, const void *in, void *scratch)
{
	struct tile_shape tile = {layout->tile_height, layout->tile_width};
	struct cut cut = cut_of(layout, shard);
	uint32_t bytes = element_bytes(scalar(layout));
	uint64_t rows, columns;

	cut.sink = sink;
	if (layout->tile_height) {
		plane_extents(layout, &rows, &columns);
		if (element_is_block(layout->element)) {
			float *tiled = (float *)scratch + rows * columns;

			unpack_tiles(layout, in, tiled);
			in = tiled;
		}
		untilize(in, scratch, rows, columns, tile, bytes);
		in = scratch;
	}
	cut.taken = in;
	shard_data_walk(&cut, write_run);
}
