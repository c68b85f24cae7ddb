/* Inside of programs: what most of them are made of. A core's kernels walk over the same numbers
 * (pages, tiles of a result): core i of n takes i, i + n and so on. Knows no program. */
#ifndef PROGRAMS_PARTS_H
#define PROGRAMS_PARTS_H

#include "command/kernel_text.h"
#include "command/kernel_tile.h"
#include "programs/pages.h"

/* Registers that a walk has. */
enum { WALK_NUMBER = 1, WALK_COUNT, WALK_STEP, WALK_FREE /* the first that it has not */ };

enum { PARTS_BUFFERED = 2 /* pages or blocks of a circular buffer: double buffering */ };

/* Kernels are added to a program one after the other; after the first error nothing more is done.
 * Open value; begin with parts_init(). */
struct parts {
	struct program *program;
	const struct library_use *use;
	struct text *why;
	enum status status;
	/* of the kernel that is made */
	struct library_use cores; /* those that run it: as `use`, but perhaps on fewer cores */
	enum processor processor;
	struct kernel_text text;
	uint32_t words[LIBRARY_PORTS_MAX * PAGES_WORDS_MAX], count; /* common arguments */
	uint32_t again, out;					    /* of its walk */
};

void parts_init(struct parts *parts, struct program *program, const struct library_use *use,
	struct text *why);

/* Begins a kernel on all cores of the use, or on a rectangle of them. */
struct kernel_text *parts_begin(struct parts *parts, enum processor processor);
struct kernel_text *parts_begin_on(
	struct parts *parts, enum processor processor, struct worker_rect rect);

/* Describes the buffer of a port to it; returns the number of its first common argument. Refuses a
 * layout that kernels do not know. */
uint32_t parts_port(struct parts *parts, uint32_t port, const char *name);

/* Ends the text, and adds the kernel. Argument 0 of a core is its number among those that run it,
 * row by row. */
void parts_end(struct parts *parts);

/* A circular buffer on all cores of the use; they are numbered in the order in which they are
 * added. */
void parts_circular_buffer(struct parts *parts, uint32_t pages, uint32_t page_bytes);

/* for (WALK_NUMBER = own number; WALK_NUMBER < count; WALK_NUMBER += cores) { */
void parts_walk(struct parts *parts, uint32_t count);
void parts_walk_end(struct parts *parts);

/* TRISC2: packs destination 0 of one half after the other into a circular buffer, one for each
 * number of the walk. BRISC: writes what comes out of one to the pages of those numbers. */
void parts_packer(struct parts *parts, uint8_t buffer, uint32_t tiles);
void parts_writer(
	struct parts *parts, uint8_t buffer, uint32_t port, const char *name, uint32_t tiles);

/* for (counter = 0; counter < count; counter++) {, where `count` is 1 or more; `limit` becomes the
 * count. Returns the label for the end. */
uint32_t loop_begin(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t count);
void loop_end(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t label);

/* Checks for rows, with a sentence: pages that are tiles of the use's element, and as many. */
enum status parts_check_tiles(const struct library_use *use, uint32_t port, const char *name,
	uint64_t tiles, struct text *why);
enum status parts_check_element(const struct library_use *use, struct text *why);

/* The use's element as instructions name it; bytes of a tile. */
enum kernel_element parts_element(const struct library_use *use);
uint32_t parts_tile_bytes(const struct library_use *use);

/* Tiles, one after the other, as a matrix in rows of elements, `columns` tiles wide, and back;
 * memory is the caller's, to be freed. */
void *parts_rows_new(
	const struct library_use *use, const void *tiles, uint64_t rows, uint64_t columns);
void parts_rows_put(
	const struct library_use *use, void *matrix, uint64_t rows, uint64_t columns, void *tiles);

#endif
