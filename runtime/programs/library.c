/* The library's rows and what they share, see library.h. Knows no program. */
#include "programs/library.h"

#include <string.h>

#include "base/ensure.h"

#define LIBRARY(name) &library_##name,
static const struct library_row *const rows[] = {
#include "programs/library.def"
	NULL};
#undef LIBRARY

const struct library_row *library_row(size_t index)
{
	return index < sizeof rows / sizeof *rows ? rows[index] : NULL;
}

const char *library_name(size_t index)
{
	const struct library_row *row = library_row(index);

	return row ? row->name : NULL;
}

const struct library_row *library_find(const char *name)
{
	size_t index = 0;

	while (rows[index] && strcmp(rows[index]->name, name) != 0)
		index++;
	return rows[index];
}

int library_port_find(const struct library_row *row, const char *name)
{
	for (uint32_t i = 0; i < row->port_count; i++)
		if (strcmp(row->ports[i].name, name) == 0)
			return (int)i;
	return -1;
}

struct library_buffer library_buffer(const struct mesh_buffer *buffer)
{
	return (struct library_buffer){mesh_buffer_placement(buffer), mesh_buffer_address(buffer)};
}

enum status library_program_new(struct mesh_device *mesh, const char *name,
	const struct library_row *row, const struct library_use *use, struct text *why,
	struct program **program)
{
	struct program *made = program_new(mesh, name);
	enum status status = row->build(made, use, why);

	if (status == STATUS_OK)
		*program = made;
	else
		program_free(made);
	return status;
}

/* ---- cores ---- */

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
