/* Prints layouts in the text form of the specification. */
#include "layout/layout_text.h"

void layout_print_map(const struct layout *layout, struct text *out)
{
	text_append(out, "(");
	for (uint32_t d = 0; d < layout->tensor.rank; d++)
		text_printf(out, "%sd%u", d ? ", " : "", d);
	text_append(out, ") -> (");
	for (uint32_t r = 0; r < layout->grid.rank; r++) {
		bool some = false;

		text_append(out, r ? ", " : "");
		for (uint32_t d = 0; d < layout->tensor.rank; d++) {
			uint64_t stride = layout->stride[r][d];

			if (stride == 0)
				continue;
			text_printf(out, "%sd%u", some ? " + " : "", d);
			if (stride != 1)
				text_printf(out, " * %llu", (unsigned long long)stride);
			some = true;
		}
		if (!some)
			text_append(out, "0");
	}
	text_append(out, ")");
}

void layout_print_memref(const struct layout *layout, struct text *out)
{
	text_append(out, "memref<");
	layout_shape_print(&layout->memref, "x", out);
	if (layout->tile_height)
		text_printf(out, "x!tt.tile<%u x %u, %s>", layout->tile_height, layout->tile_width,
			element_name(layout->element));
	else
		text_printf(out, "x%s", element_name(layout->element));
	text_printf(out, ", #tt.memory_space<%s>>", layout_space_name(layout->space));
}

void layout_print(const struct layout *layout, struct text *out)
{
	text_append(out, "tensor<");
	layout_shape_print(&layout->tensor, "x", out);
	text_printf(out, "x%s, #tt.layout<", element_name(layout->tensor_element));
	layout_print_map(layout, out);
	text_printf(out, ", %s, <", fill_name(layout->fill));
	layout_shape_print(&layout->grid, "x", out);
	text_append(out, ">, ");
	layout_print_memref(layout, out);
	text_append(out, ">>");
}
