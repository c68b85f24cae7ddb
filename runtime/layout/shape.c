/* Shapes: volumes, row-major numbers and their text. */
#include "layout/layout.h"

uint64_t layout_volume(const struct layout_shape *shape)
{
	uint64_t volume = 1;

	for (uint32_t i = 0; i < shape->rank; i++)
		volume *= shape->size[i];
	return volume;
}

uint64_t layout_number(const struct layout_shape *extents, const struct layout_shape *index)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < extents->rank; i++)
		number = number * extents->size[i] + index->size[i];
	return number;
}

struct layout_shape layout_at(const struct layout_shape *extents, uint64_t number)
{
	struct layout_shape index = {.rank = extents->rank};

	for (uint32_t i = extents->rank; i-- > 0;) {
		index.size[i] = number % extents->size[i];
		number /= extents->size[i];
	}
	return index;
}

void layout_shape_print(const struct layout_shape *shape, const char *between, struct text *out)
{
	for (uint32_t i = 0; i < shape->rank; i++)
		text_printf(out, "%s%llu", i ? between : "", (unsigned long long)shape->size[i]);
}
