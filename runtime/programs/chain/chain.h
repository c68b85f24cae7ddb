/* Programs that are chains of operations on tiles, for example a softmax. Results are computed in
 * groups. A chain describes the tiles that a core reads for a group, and the stages that compute
 * the results of the group. chain_build() makes kernels from the description. chain_reference()
 * computes the same results on the host, with the same operations in the same order.
 *
 * NCRISC reads the tiles of a group. TRISC0 to 2 execute one stage after the other. A stage unpacks
 * tiles from circular buffers, computes, and packs its results into a separate circular buffer.
 * Later stages unpack the results from there. BRISC writes the results of the last stage. Core i of
 * n computes groups i, i + n and so on, so the results have the same bytes for any number of cores.
 * Only for files of this folder. */
#ifndef PROGRAMS_CHAIN_H
#define PROGRAMS_CHAIN_H

#include "parts.h"

enum { CHAIN_INPUTS = LIBRARY_PORTS_MAX - 1, CHAIN_STAGES = 10, CHAIN_LATER = 4 };

/* A term of a tile number. Its value for group g is (g / divide % modulus) * multiply, or 0 if
 * `modulus` is 0. The number of the first tile that group g reads is the sum of two terms. */
struct chain_term {
	uint32_t divide, modulus, multiply;
};

/* A number that may differ between groups: `times` * share - `less`. The share of a group is
 * defined at struct chain. If `times` is 0, all groups have the same number, which is then in
 * another member: for `results_of`, it is in `results`. */
struct chain_varying {
	uint32_t times, less;
};

/* An input: a port whose tiles are read. Each group uses `tiles` tiles; successive tiles are
 * `stride` pages apart. If `kept` is set, the tiles are read once and kept for all groups. If
 * `read` varies, only the first `read` of these tiles are read. Input i is port i, and uses
 * circular buffer i.
 *
 * An input with `mask` is not a port: the reading kernel makes its only tile, an f32 tile that is 0
 * up to the diagonal and -infinity after it. This input comes after the inputs that are ports.
 *
 * An input with `image` is read in rows. Each row is a page of the circular buffer (struct
 * chain_image). */
struct chain_input {
	const char *name;
	uint32_t tiles, stride;
	struct chain_term first[2];
	struct chain_varying read;
	bool kept, mask, image;
};

/* The matrix that im2col makes of images. There is one row for each pixel of the convolution's
 * result. It contains the image pixels from which this result pixel is computed. Rows are in the
 * order of the result pixels, image by image. A group takes 32 rows as its left operand. The
 * channels may be divided into `channel_parts` parts. Then a row contains only one part of each
 * pixel, of `part_bytes` bytes. Successive groups take successive parts of the same 32 rows, and
 * the share of a group is the number of its part. */
struct chain_image {
	struct library_image of;
	uint32_t images, channel_parts, part_bytes;
	uint32_t out[2];	/* height and width of the result of an image */
	uint32_t rows, columns; /* extents of the matrix in elements */
};

/* The tiles that a stage takes from a circular buffer. For each result and each inner step, the
 * number of the tile is first + result * by_result + inner * by_inner; `first_of` describes how
 * `first` varies. If `last` is set, no later stage takes tiles of this buffer, so this stage
 * empties it. */
struct chain_operand {
	uint8_t buffer;
	uint32_t first, by_result, by_inner;
	struct chain_varying first_of;
	bool last;
};

/* An operation of the vector unit on a result. `value` is the number of a function or the bits of a
 * float, depending on the opcode. */
struct chain_vector {
	enum kernel_opcode opcode;
	uint32_t value;
};

/* A stage computes `results` results. For each result, it executes the instruction `inner` times on
 * successive operands, and then the operations of the vector unit. It packs the results into a
 * circular buffer of its own or, if `joins` is set, after the results of the previous stage. If the
 * numbers of results or of inner steps vary, `results` and `inner` are the maxima. A group with
 * fewer results leaves a part of the buffer unused. */
struct chain_stage {
	enum kernel_opcode opcode;
	/* operands of the instruction: broadcast, or direction and kind of a reduction */
	uint8_t b, c;
	struct chain_operand left, right;
	uint32_t results, inner;
	struct chain_varying results_of, inner_of;
	struct chain_vector later[CHAIN_LATER];
	uint32_t later_count;
	bool joins;
	uint8_t to; /* set by chain_add() */
};

/* A chain. The results of the last stage go, page by page, to the port after the input ports.
 * Numbers that vary (struct chain_varying) depend on the share of the group. Group g has the share
 * g % rising + least. */
struct chain {
	uint32_t groups, input_count, stage_count;
	uint32_t buffer_count; /* number of circular buffers; the buffers of inputs come first;
				* set by chain_add() */
	struct chain_input inputs[CHAIN_INPUTS];
	struct chain_stage stages[CHAIN_STAGES];
	enum element inside; /* element type of registers, and of tiles between stages */
	uint32_t rising, least;
	struct chain_image image; /* used if an input is an image */
};

/* make() describes the chain for `use`: it fills in the empty *chain. It returns OK, or INVALID
 * with a reason in `why` (may be NULL). chain_build() adds the kernels of the chain to an empty
 * program. chain_reference() computes the contents of the port that the chain writes. */
enum status chain_build(struct program *program, const struct library_use *use,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why),
	struct text *why);
void chain_reference(const struct library_use *use, const struct library_values *values,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why));

/* Returns the element type of the tiles in circular buffer `buffer`. */
enum element chain_element(
	const struct library_use *use, const struct chain *chain, uint32_t buffer);

/* Returns the number of tiles that circular buffer `buffer` has for a group. */
uint32_t chain_tiles(const struct chain *chain, uint32_t buffer);

/* Returns the number of ports that are read. The port with this number is written. */
uint32_t chain_output(const struct chain *chain);

/* Returns true if the stage takes a right operand. */
bool chain_takes_right(const struct chain_stage *stage);

/* Appends a stage and returns the number of the circular buffer that it packs into. */
uint8_t chain_add(struct chain *chain, struct chain_stage stage);

/* Appends an operation of the vector unit to the last stage. */
void chain_then(struct chain *chain, enum kernel_opcode opcode, uint32_t value);
void chain_then_float(struct chain *chain, enum kernel_opcode opcode, float value);

/* Appends an input. Its port must have `whole` tiles. Returns OK, or INVALID with a reason in `why`
 * (may be NULL). */
enum status chain_take(const struct library_use *use, struct chain *chain, uint64_t whole,
	struct chain_input input, struct text *why);

/* Appends an input for the mask, after the inputs that are ports, and returns the number of its
 * circular buffer. */
uint8_t chain_take_mask(struct chain *chain);

/* chain_take_image() appends an input that is an image, at port 0, and returns OK, or INVALID with
 * a reason in `why`. chain_image_bytes() returns the number of bytes of a row of the image's
 * matrix. chain_image_tiles() returns the width of the matrix in tiles. */
enum status chain_take_image(
	const struct library_use *use, struct chain *chain, const char *name, struct text *why);
uint32_t chain_image_bytes(const struct library_use *use, const struct chain *chain);
uint32_t chain_image_tiles(const struct chain *chain);

/* Computes, from the pixels of the port, the tiles of the matrix that a group takes. */
void chain_image_rows(const struct library_use *use, const struct chain *chain, uint32_t group,
	const uint8_t *pixels, uint8_t *tiles);

/* Defines build() and reference() of a library entry that is a chain. */
#define CHAIN_FUNCTIONS(name, make)                                                                \
	static enum status name##_build(                                                           \
		struct program *program, const struct library_use *use, struct text *why)          \
	{                                                                                          \
		return chain_build(program, use, make, why);                                       \
	}                                                                                          \
                                                                                                   \
	static void name##_reference(                                                              \
		const struct library_use *use, const struct library_values *values)                \
	{                                                                                          \
		chain_reference(use, values, make);                                                \
	}

/* The registers that all kernels of a chain use, and loops whose count may depend on the group.
 * Only for files of this folder. */

/* The numbers of the registers. Registers below WALK_FREE are in use already (parts.h). */
enum {
	PLACE = WALK_FREE,
	LOCAL = WALK_FREE + 2,
	PAGE,
	TERM,
	COUNT,
	LIMIT,
	RESULT,
	RESULTS,
	LEFT,
	RIGHT,
	LEFT_FIRST,
	RIGHT_FIRST,
	SHARE, /* share of the group */
	/* ROWS: number of rows that the group takes from an image's matrix; COLUMNS: number of
	 * elements in such a row */
	ROWS,
	COLUMNS,
	CHAIN_FREE /* first free register */
};

enum { LEAST_BITS = 0xff800000 /* -infinity */ };

/* A loop whose count may vary with the group, and may be 0. */
struct chain_loop {
	uint8_t counter, limit;
	uint32_t again, out;
	bool guarded;
};

/* Begins the walk over groups, and computes the share of each group. */
void chain_groups_begin(struct parts *parts, const struct chain *chain);

/* Sets a register to `fixed`, or to a number that varies with the group. */
void chain_set_varying(
	struct kernel_text *text, uint8_t to, uint32_t fixed, struct chain_varying varying);

/* chain_varying_begin() and chain_varying_end() append the begin and the end of a loop. Register
 * `counter` counts the rounds from 0, and register `limit` contains their number. This is `fixed`,
 * or the number that `varying` describes if it varies with the group. */
struct chain_loop chain_varying_begin(struct kernel_text *text, uint8_t counter, uint8_t limit,
	uint32_t fixed, struct chain_varying varying);
void chain_varying_end(struct kernel_text *text, const struct chain_loop *loop);

/* Returns true if the tiles of a circular buffer go to a buffer of the program. */
bool chain_is_output(const struct chain *chain, uint32_t buffer);

/* Returns true if the tiles of a circular buffer are read once for all groups. */
bool chain_is_kept(const struct chain *chain, uint32_t buffer);

/* Append code of the reader for a chain with an image. Call chain_make_zeros() first: its code
 * makes a pixel of zeros in an additional circular buffer, the one with the highest number. The
 * code of chain_image_begin() sets ROWS and COLUMNS for the group. The code of chain_read_image()
 * reads the rows of the group into circular buffer `buffer`. */
void chain_make_zeros(struct kernel_text *text, const struct chain *chain);
void chain_image_begin(struct kernel_text *text, const struct chain *chain);
void chain_read_image(
	struct kernel_text *text, const struct chain *chain, uint8_t buffer, uint32_t description);

/* Add the kernels of NCRISC and BRISC. */
void chain_add_reader(struct parts *parts, const struct chain *chain);
void chain_add_writer(struct parts *parts, const struct chain *chain);

#endif
