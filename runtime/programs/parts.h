/* Building blocks that programs share. All kernels of a core iterate over the same numbers, for
 * example page numbers or numbers of result tiles. This iteration is called a walk. Core i of n
 * takes the numbers i, i + n and so on. */
#ifndef PROGRAMS_PARTS_H
#define PROGRAMS_PARTS_H

#include "command/kernel_text.h"
#include "command/kernel_tile.h"
#include "programs/library.h"

/* Registers that a walk uses. WALK_FREE is the first register that it does not use. */
enum { WALK_NUMBER = 1, WALK_COUNT, WALK_STEP, WALK_FREE };

/* Number of pages or blocks in a circular buffer, for double buffering. */
enum { PARTS_BUFFERED = 2 };

/* The state while a program is built. Kernels are added to the program one after another. `status`
 * is the first error; after an error, the functions add nothing. Initialize the struct with
 * parts_init(). */
struct parts {
	struct program *program;
	const struct library_use *use;
	struct text *why;
	enum status status;
	/* the members below concern the kernel that is being built */
	struct library_use cores; /* the cores that run the current kernel: all cores of `use`, or
				   * some of them */
	enum processor processor;
	struct kernel_text text;
	/* the kernel's common arguments */
	uint32_t words[LIBRARY_PORTS_MAX * PAGES_WORDS_MAX], count;
	/* labels of the kernel's walk */
	uint32_t again, out;
};

void parts_init(struct parts *parts, struct program *program, const struct library_use *use,
	struct text *why);

/* Begin the text of a kernel, either for all cores of the use or for a rectangle of cores. */
struct kernel_text *parts_begin(struct parts *parts, enum processor processor);
struct kernel_text *parts_begin_on(
	struct parts *parts, enum processor processor, struct worker_rect rect);

/* Adds the description of a port's buffer to the kernel's common arguments, and returns the number
 * of the first of these arguments. If kernels cannot address the layout, sets parts->status. */
uint32_t parts_port(struct parts *parts, uint32_t port, const char *name);

/* Ends the text and adds the kernel to the program. Argument 0 of a core is the core's number among
 * the cores that run the kernel, row by row. */
void parts_end(struct parts *parts);

/* Adds a circular buffer on all cores that run the program. Buffers are numbered in the order in
 * which they are added. */
void parts_circular_buffer(struct parts *parts, uint32_t pages, uint32_t page_bytes);

/* Append the start and the end of a walk: for (WALK_NUMBER = number of the core; WALK_NUMBER <
 * count; WALK_NUMBER += cores). */
void parts_walk(struct parts *parts, uint32_t count);
void parts_walk_end(struct parts *parts);

/* parts_packer() adds the kernel of TRISC2. The destination registers have two halves, which are
 * used in turn. For each number of the walk, the kernel packs register 0 of the next half into a
 * circular buffer. parts_writer() adds the kernel of BRISC, which writes the contents of a circular
 * buffer to the pages with the numbers of the walk. */
void parts_packer(struct parts *parts, uint8_t buffer, uint32_t tiles);
void parts_writer(
	struct parts *parts, uint8_t buffer, uint32_t port, const char *name, uint32_t tiles);

/* loop_begin() appends the start of a loop like `for (counter = 0; counter < count;
 * counter++)`. `counter` and `limit` are registers; `limit` stores `count`, which is at least 1.
 * Returns the label for loop_end(). */
uint32_t loop_begin(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t count);
void loop_end(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t label);

/* Check the buffers and the element type for which a program is built. Return OK, or INVALID with
 * a reason in `why`. parts_check_tiles() checks that the port's buffer has `tiles` pages, and that
 * each page is a tile of the element type use->element. parts_check_element() checks that this
 * type supports arithmetic. parts_check_rows() also checks that matrices of this type can be
 * stored in rows, without tiles. */
enum status parts_check_tiles(const struct library_use *use, uint32_t port, const char *name,
	uint64_t tiles, struct text *why);
enum status parts_check_element(const struct library_use *use, struct text *why);
enum status parts_check_rows(const struct library_use *use, struct text *why);

/* parts_kernel_element() returns the code that instructions use for an element type.
 * parts_element() returns this code for the use's element type. parts_tile_bytes() returns the
 * bytes of a tile of this type. */
enum kernel_element parts_kernel_element(enum element element);
enum kernel_element parts_element(const struct library_use *use);
uint32_t parts_tile_bytes(const struct library_use *use);

/* Returns the element type of registers, and of matrices that are stored in rows. It is
 * use->element, or f32 if use->element is a block format. */
enum element parts_registers(const struct library_use *use);

/* parts_rows_new() converts consecutive tiles to a row-major matrix that is `columns` tiles wide;
 * the caller frees it. parts_rows_put() converts this matrix back to tiles, and frees it. The
 * matrix has elements of type parts_registers(). */
void *parts_rows_new(
	const struct library_use *use, const void *tiles, uint64_t rows, uint64_t columns);
void parts_rows_put(
	const struct library_use *use, void *matrix, uint64_t rows, uint64_t columns, void *tiles);

/* The ports, checks, entries and expected results of programs that multiply matrices. */

/* Numbers of the ports, which are also the numbers of the circular buffers. */
enum { PRODUCT_LEFT, PRODUCT_RIGHT, PRODUCT_TO };

/* Indices in library_use.tiles. */
enum { PRODUCT_ROWS, PRODUCT_COLUMNS, PRODUCT_INNER };

/* Defines the library entry of a program that multiplies matrices. `of` is PRODUCT_OF_ONE or
 * PRODUCT_OF_EACH, and ends the description of each port. `heads` is "h" if there are several
 * matrices, otherwise "". */
#define PRODUCT_ROW(row, sentence, of, heads, building, referring)                                 \
	const struct library_row library_##row = {                                                 \
		.name = #row,                                                                      \
		.what = (sentence),                                                                \
		.section = "3.4.2, flow 7",                                                        \
		.parameters = LIBRARY_ELEMENT | LIBRARY_TILES | LIBRARY_INNER,                     \
		.port_count = 3,                                                                   \
		.ports = {[PRODUCT_LEFT] = {"left", "rows x inner tiles" of, false},               \
			[PRODUCT_RIGHT] = {"right", "inner x columns tiles" of, false},            \
			[PRODUCT_TO] = {"to", "rows x columns tiles" of, true}},                   \
		.shapes = {heads "rk", heads "kc", heads "rc"},                                    \
		.build = (building),                                                               \
		.reference = (referring),                                                          \
	};

#define PRODUCT_OF_ONE	", row by row"
#define PRODUCT_OF_EACH " of each matrix"

/* Returns OK, or INVALID with a reason in `why` if buffers and extents do not match. */
enum status product_check(const struct library_use *use, struct text *why);

/* Computes the expected product. Each sum accumulates in one register along the inner extent. */
void product_reference(const struct library_use *use, const struct library_values *values);

#endif
