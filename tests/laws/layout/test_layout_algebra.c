/* label: full  timeout: 120
 * Tests the algebra of layouts on 10,000 random layouts: the map and its inverse, places and
 * indices, counts of padding, composition of the map with the grid, and the text form. Shards must
 * not overlap, and together they must contain the whole tensor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "layout/layout_text.h"
#include "layout/machine.h"
#include "layout/layout.h"
#include "random_layout.h"

enum { SEEDS = 10000, ELEMENTS = 600 };

/* Checks physical places with the definition alone: sums, then division by the shard. */
static void check_places(const struct layout *layout, uint8_t *taken)
{
	uint64_t elements = layout_volume(&layout->tensor), padded = layout_volume(&layout->padded);

	memset(taken, 0, layout->shards * padded);
	for (uint64_t i = 0; i < elements; i++) {
		struct layout_shape index = layout_at(&layout->tensor, i), back;
		struct layout_place place = layout_place(layout, &index);
		uint64_t shard = layout_number(&layout->grid, &place.shard), local;

		for (uint32_t r = 0; r < layout->grid.rank; r++) {
			uint64_t sum = 0;

			for (uint32_t d = 0; d < layout->tensor.rank; d++)
				sum += index.size[d] * layout->stride[r][d];
			check_equal(place.shard.size[r], sum / layout->shard.size[r]);
			check_equal(place.local.size[r], sum % layout->shard.size[r]);
			check_less(place.shard.size[r], layout->grid.size[r]);
		}
		check(layout_index(layout, &place.shard, &place.local, &back), "no element");
		check(memcmp(&index, &back, sizeof index) == 0, "another element");
		local = layout_number(&layout->padded, &place.local);
		check(!taken[shard * padded + local], "two elements at one place");
		taken[shard * padded + local] = 1;
		check_less(place.byte, layout->shard_bytes);
	}
}

/* Checks for each place whether it is data or padding. It must be data if an element of the tensor
 * has this place, and padding if none has. The counts of data and padding must add up to the number
 * of places. */
static void check_padding(const struct layout *layout, const uint8_t *taken)
{
	uint64_t padded = layout_volume(&layout->padded), total = 0;

	for (uint64_t s = 0; s < layout->shards; s++) {
		struct layout_shape shard = layout_at(&layout->grid, s);
		uint64_t data = 0;

		for (uint64_t i = 0; i < padded; i++) {
			struct layout_shape local = layout_at(&layout->padded, i);
			enum place_kind kind = padding_at(layout, &shard, &local);

			check_equal(kind == PLACE_DATA, taken[s * padded + i]);
			data += kind == PLACE_DATA;
		}
		check_equal(padding_elements(layout, &shard), data);
		check_equal(padding_count(layout, &shard), padded - data);
		total += data;
	}
	check_equal(total, layout_volume(&layout->tensor));
}

/* Along an axis, runs are contiguous, and are data where there is an element. */
static void check_runs(const struct layout *layout)
{
	for (uint32_t r = 0; r < layout->grid.rank; r++)
		for (uint64_t c = 0; c < layout->grid.size[r]; c++)
			for (uint64_t at = 0; at < layout->padded.size[r];) {
				struct padding_run run = padding_run(layout, r, c, at);

				check_equal(run.at, at);
				check_less(0, run.count);
				for (uint64_t i = at; i < at + run.count; i++)
					check_equal(padding_run(layout, r, c, i).kind, run.kind);
				at += run.count;
				check_at_most(at, layout->padded.size[r]);
			}
}

static bool visit(void *context, const struct layout_run *run)
{
	*(uint64_t *)context += run->count;
	return true;
}

/* Any partition of the physical space into boxes covers the tensor, by counts and by walks. */
static void check_boxes(const struct layout *layout, struct stream *stream)
{
	uint32_t axis = (uint32_t)stream_below(stream, layout->grid.rank);
	struct layout_shape from = {.rank = layout->grid.rank}, to = layout->physical;
	uint64_t cut = stream_below(stream, layout->physical.size[axis] + 1);
	uint64_t counted = 0, walked = 0;

	for (int half = 0; half < 2; half++) {
		from.size[axis] = half ? cut : 0;
		to.size[axis] = half ? layout->physical.size[axis] : cut;
		counted += padding_elements_within(layout, &from, &to);
		layout_walk(layout, &from, &to, visit, &walked);
		check_equal(walked, counted);
	}
	check_equal(counted, layout_volume(&layout->tensor));
}

/* On a machine that fits the shards, each has its own memory, and can be found by it. */
static void check_machine(const struct layout *layout)
{
	struct layout_machine machine = {8, 32, 8, 8, 5};

	if (layout_machine_check(layout, &machine, NULL) != STATUS_OK)
		return;
	for (uint64_t s = 0; s < layout->shards; s++) {
		struct layout_shape shard = layout_at(&layout->grid, s), back;
		struct layout_unit unit = layout_unit(layout, &machine, &shard);

		check(layout_unit_shard(layout, &machine, &unit, &back), "no shard");
		check(memcmp(&shard, &back, sizeof shard) == 0, "another shard");
		check_at_most(
			(unit.slot + 1) * layout->shard_bytes, layout_unit_bytes(layout, &machine));
	}
}

/* Printing and parsing a layout gives the same layout. */
static void check_text(const struct layout *layout)
{
	struct diag *diag = diag_new();
	struct text once = {0}, twice = {0};
	struct layout read;
	bool encoded;

	layout_print(layout, &once);
	if (!layout_parse("printed", text_string(&once), once.length, diag, &read, &encoded))
		diag_print(diag, stderr);
	check_equal(diag_errors(diag), 0);
	layout_print(&read, &twice);
	check(strcmp(text_string(&once), text_string(&twice)) == 0, "%s read as %s",
		text_string(&once), text_string(&twice));
	check_equal(read.shard_bytes, layout->shard_bytes);
	text_fini(&once);
	text_fini(&twice);
	diag_free(diag);
}

/* If the layout can be described in the terms of TTNN, checks that TTNN's strides and shards place
 * each element in the same shard as the layout, and returns 1. Otherwise returns 0. */
static uint32_t check_ttnn(const struct layout *layout)
{
	struct ttnn_view view;
	uint32_t results = layout->grid.rank;

	if (ttnn_view_init(&view, layout, NULL) != STATUS_OK || view.mesh.rank)
		return 0;
	check_equal(view.physical_shape[0], layout->physical.size[results - 2]);
	check_equal(view.physical_shape[1], layout->physical.size[results - 1]);
	for (uint64_t i = 0; i < layout_volume(&layout->tensor); i++) {
		struct layout_shape index = layout_at(&layout->tensor, i);
		struct layout_place place = layout_place(layout, &index);
		uint64_t flat = 0, row, column;

		for (uint32_t d = 0; d < index.rank; d++)
			flat += index.size[d] * view.stride.size[d];
		row = flat / view.physical_shape[1];
		column = flat % view.physical_shape[1];
		check_equal(row / view.shard_shape[0], place.shard.size[results - 2]);
		check_equal(column / view.shard_shape[1], place.shard.size[results - 1]);
		check_less(row / view.shard_shape[0], view.grid_shape[0]);
		check_less(column / view.shard_shape[1], view.grid_shape[1]);
	}
	return 1;
}

int main(void)
{
	uint8_t *taken = malloc(1 << 20);
	uint32_t expressed = 0, ranks[8] = {0};

	check(taken, "memory");
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct stream stream;
		struct layout layout;

		stream_init(&stream, seed, "layout/algebra");
		random_layout(&stream, ELEMENTS, &layout);
		ranks[layout.tensor.rank]++;
		check_at_most(layout_volume(&layout.padded) * layout.shards, 1 << 20);
		check_places(&layout, taken);
		check_padding(&layout, taken);
		check_runs(&layout);
		check_boxes(&layout, &stream);
		check_machine(&layout);
		check_text(&layout);
		expressed += check_ttnn(&layout);
	}
	free(taken);
	for (int rank = 1; rank <= 7; rank++)
		check_less(SEEDS / 20, ranks[rank]);
	check_less(SEEDS / 20, expressed);
	printf("%d layouts, %u of them TTNN's\n", SEEDS, expressed);
	return 0;
}
