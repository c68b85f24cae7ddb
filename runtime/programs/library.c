/* The table of the library's programs, and the functions that all of them share (library.h). */
#include "programs/library.h"

#include <string.h>

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
