/* Registers, and loops whose count may depend on the group, for all kernels of a chain. Only for
 * files of this folder. */
#ifndef PROGRAMS_CHAIN_TEXT_H
#define PROGRAMS_CHAIN_TEXT_H

#include "chain.h"

/* Registers. They follow the registers of the walk. */
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
	/* number of rows of an image in the group; the next register is the number of elements in a
	 * row */
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

/* Begin and end a loop in which `counter` counts from 0. `limit` is the register with the number of
 * rounds. */
struct chain_loop chain_varying_begin(struct kernel_text *text, uint8_t counter, uint8_t limit,
	uint32_t fixed, struct chain_varying varying);
void chain_varying_end(struct kernel_text *text, const struct chain_loop *loop);

/* Returns true if the tiles of a circular buffer go to a buffer of the program. */
bool chain_is_output(const struct chain *chain, uint32_t buffer);

/* Returns true if the tiles of a circular buffer are read once for all groups. */
bool chain_is_kept(const struct chain *chain, uint32_t buffer);

/* For a chain with an image. chain_make_zeros() makes the pixel of zeros, in the circular buffer
 * after all others, and is called first. chain_image_begin() sets ROWS and COLUMNS for the group.
 * chain_read_image() reads the rows of the group into a circular buffer. */
void chain_make_zeros(struct kernel_text *text, const struct chain *chain);
void chain_image_begin(struct kernel_text *text, const struct chain *chain);
void chain_read_image(
	struct kernel_text *text, const struct chain *chain, uint8_t buffer, uint32_t description);

/* Add the kernels of NCRISC and BRISC. */
void chain_add_reader(struct parts *parts, const struct chain *chain);
void chain_add_writer(struct parts *parts, const struct chain *chain);

#endif
