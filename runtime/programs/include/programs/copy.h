/* A program that copies a buffer to another on every device, page by page, through the L1 of its
 * cores: NCRISC reads, BRISC writes, two pages of a circular buffer between them. Core i of n takes
 * pages i, i + n and so on. Refuses buffers that are not cut into the same pages. */
#ifndef PROGRAMS_COPY_H
#define PROGRAMS_COPY_H

#include "mesh/buffer.h"
#include "mesh/program.h"

/* Makes the program; *program is the caller's, to be freed before the buffers are. Errors, with a
 * sentence in `why` (may be NULL): INVALID (pages of other sizes or numbers), UNSUPPORTED (a layout
 * that pages_describe() does not know), and those of program_add_kernel(). */
enum status copy_program_new(struct mesh_device *mesh, const char *name,
	const struct mesh_buffer *from, const struct mesh_buffer *to, uint16_t cores,
	struct text *why, struct program **program);

#endif
