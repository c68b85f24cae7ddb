/* Fuzzes the text form of layouts. Any input gives either an error with its place, or a layout
 * within the limits. Printing such a layout gives a text that parses to the same layout, and every
 * query about it ends. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "layout/layout_text.h"
#include "layout/machine.h"
#include "layout/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Queries the first and the last element of the tensor. The place of each element must lie within
 * its shard and not in padding, and must map back to the element. */
static void query(const struct layout *layout)
{
	struct layout_machine machine = {8, 8, 8, 8, 12};
	struct ttnn_view view;

	(void)ttnn_view_init(&view, layout, NULL);
	for (int last = 0; last < 2; last++) {
		struct layout_shape index = {.rank = layout->tensor.rank}, back;
		struct layout_place place;

		for (uint32_t d = 0; last && d < index.rank; d++)
			index.size[d] = layout->tensor.size[d] - 1;
		place = layout_place(layout, &index);
		ensure(place.byte < layout->shard_bytes, "byte %llu",
			(unsigned long long)place.byte);
		ensure(layout_index(layout, &place.shard, &place.local, &back) &&
				memcmp(&back, &index, sizeof index) == 0,
			"the element is not found again");
		ensure(padding_elements(layout, &place.shard) > 0, "a shard without its element");
		ensure(padding_count(layout, &place.shard) < layout_volume(&layout->padded),
			"more padding than places");
		for (uint32_t r = 0; r < layout->grid.rank; r++)
			ensure(padding_run(layout, r, place.shard.size[r], place.local.size[r])
						.kind == PLACE_DATA,
				"an element on padding");
		if (layout_machine_check(layout, &machine, NULL) == STATUS_OK)
			(void)layout_unit(layout, &machine, &place.shard);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct text once = {0}, twice = {0};
	struct layout layout, read;
	bool encoded;

	if (!layout_parse("fuzz", (const char *)data, size, diag, &layout, &encoded)) {
		ensure(diag_errors(diag) == 1, "%zu errors", diag_errors(diag));
	} else if (encoded) {
		layout_print(&layout, &once);
		ensure(layout_parse(
			       "printed", text_string(&once), once.length, diag, &read, &encoded),
			"not read: %s", text_string(&once));
		layout_print(&read, &twice);
		ensure(strcmp(text_string(&once), text_string(&twice)) == 0, "%s",
			text_string(&twice));
		query(&layout);
	}
	text_fini(&once);
	text_fini(&twice);
	diag_free(diag);
	return 0;
}
