/* Converts a mesh buffer to the form that programs use, and lists the worker cores on which a
 * program runs (programs/library.h). */
#include "programs/library.h"

#include "base/ensure.h"

struct library_buffer library_buffer(const struct mesh_buffer *buffer)
{
	return (struct library_buffer){mesh_buffer_placement(buffer), mesh_buffer_address(buffer)};
}

void library_refuses(const struct library_use *use, enum library_input input, uint32_t port)
{
	if (use->blame)
		*use->blame = (struct library_blame){input, port};
}

static const struct chip_geometry *geometry_of(const struct library_use *use)
{
	return use->buffers[0].placement->geometry;
}

uint32_t library_core_count(const struct library_use *use)
{
	const struct worker_rect *rect = &use->cores.rect;

	if (use->cores.kind == CORES_COUNT)
		return use->cores.count;
	if (use->cores.kind == CORES_ALL)
		return (uint32_t)geometry_of(use)->worker_columns * geometry_of(use)->worker_rows;
	return (rect->column1 - rect->column0 + 1u) * (rect->row1 - rect->row0 + 1u);
}

uint32_t library_core(const struct library_use *use, uint32_t i)
{
	const struct worker_rect *rect = &use->cores.rect;
	uint32_t width = rect->column1 - rect->column0 + 1u;

	ensure(i < library_core_count(use), "core %u of %u", i, library_core_count(use));
	if (use->cores.kind != CORES_RECTANGLE)
		return i;
	return (rect->row0 + i / width) * geometry_of(use)->worker_columns + rect->column0 +
	       i % width;
}
