/* Programs that are chains of operations on tiles, such as a softmax. A chain is a description: the
 * tiles that a core reads for a group of results, and the stages that compute these results. From
 * it chain_build() makes the kernels, and chain_reference() computes the same on the host, with the
 * same operations in the same order.
 *
 * NCRISC reads the tiles of a group. TRISC0 to 2 execute one stage after the other; a stage unpacks
 * tiles from circular buffers, computes, and packs its results into a circular buffer of its own,
 * from which later stages unpack them. BRISC writes the results of the last stage. Core i of n
 * computes groups i, i + n and so on, so the number of cores does not change any byte. Only for
 * files of this folder. */
#ifndef PROGRAMS_CHAIN_H
#define PROGRAMS_CHAIN_H

#include "parts.h"

enum { CHAIN_INPUTS = LIBRARY_PORTS_MAX - 1, CHAIN_STAGES = 10, CHAIN_LATER = 4 };

/* The first tile of group g: (g / divide % modulus) * multiply, summed over both terms. A modulus
 * of 0 means that there is no such term. */
struct chain_term {
	uint32_t divide, modulus, multiply;
};

/* A number that follows from the group: `times` the share of the group (struct chain) less `less`.
 * If `times` is 0, the number is the same for all groups, and is given elsewhere. */
struct chain_varying {
	uint32_t times, less;
};

/* A port whose tiles are read: `tiles` for each group, which are `stride` pages apart; or once for
 * all groups, if `kept` is set. Only the first `read` of the tiles are read if `read` varies. Input
 * i is port i, in circular buffer i. A `mask` is no port: the kernel that reads makes its one tile
 * of f32, 0 up to the diagonal and -infinity behind it. Inputs of ports come first. */
struct chain_input {
	const char *name;
	uint32_t tiles, stride;
	struct chain_term first[2];
	struct chain_varying read;
	bool kept, mask;
};

/* The tiles of a circular buffer that a stage takes: tile first + result * by_result + inner *
 * by_inner for each, where `first` may vary. `last` says that no later stage takes tiles of this
 * buffer, so it is emptied. */
struct chain_operand {
	uint8_t buffer;
	uint32_t first, by_result, by_inner;
	struct chain_varying first_of;
	bool last;
};

/* An operation of the vector unit on a result. `value` is a function, or the bits of a float. */
struct chain_vector {
	enum kernel_opcode opcode;
	uint32_t value;
};

/* For each of `results`, the instruction is executed `inner` times on the next operands, and then
 * the vector unit's operations. A stage packs into a circular buffer of its own, or, if `joins` is
 * set, behind the results of the stage before it. If results or inner vary, `results` and `inner`
 * are the most that they can be; what a group has less, it leaves free at the end of the buffer. */
struct chain_stage {
	enum kernel_opcode opcode;
	uint8_t b, c; /* operands of the instruction: broadcast; or along and reduction */
	struct chain_operand left, right;
	uint32_t results, inner;
	struct chain_varying results_of, inner_of;
	struct chain_vector later[CHAIN_LATER];
	uint32_t later_count;
	bool joins;
	uint8_t to; /* set by chain_add() */
};

/* The tiles of the last circular buffer are the next pages of the port behind those of inputs. The
 * share of group g is g % rising + least, if something varies with it. */
struct chain {
	uint32_t groups, input_count, stage_count;
	uint32_t buffer_count; /* circular buffers, those of inputs first; set by chain_add() */
	struct chain_input inputs[CHAIN_INPUTS];
	struct chain_stage stages[CHAIN_STAGES];
	enum element inside; /* of registers, and of tiles between stages */
	uint32_t rising, least;
};

/* chain_build() fills an empty program with the kernels of the chain that `make` describes, and
 * chain_reference() computes the port that it writes. `make` fills the empty *chain for a use, and
 * returns OK, or INVALID with a reason in `why` (may be NULL). */
enum status chain_build(struct program *program, const struct library_use *use,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why),
	struct text *why);
void chain_reference(const struct library_use *use, const struct library_values *values,
	enum status (*make)(const struct library_use *use, struct chain *chain, struct text *why));

/* The element type of tiles in circular buffer `buffer`. */
enum element chain_element(
	const struct library_use *use, const struct chain *chain, uint32_t buffer);

/* The number of tiles in circular buffer `buffer` for a group. */
uint32_t chain_tiles(const struct chain *chain, uint32_t buffer);

/* The number of ports that are read; the port with this number is written. */
uint32_t chain_output(const struct chain *chain);

/* Returns true if the stage takes a right operand. */
bool chain_takes_right(const struct chain_stage *stage);

/* Appends a stage and returns the number of the circular buffer that it packs into. */
uint8_t chain_add(struct chain *chain, struct chain_stage stage);

/* Appends an operation of the vector unit to the last stage. */
void chain_then(struct chain *chain, enum kernel_opcode opcode, uint32_t value);
void chain_then_float(struct chain *chain, enum kernel_opcode opcode, float value);

/* Appends an input, whose port has to have `whole` tiles. Returns OK, or INVALID with a reason in
 * `why` (may be NULL). */
enum status chain_take(const struct library_use *use, struct chain *chain, uint64_t whole,
	struct chain_input input, struct text *why);

/* Appends the input that is a mask, behind those of ports, and returns its circular buffer. */
uint8_t chain_take_mask(struct chain *chain);

/* A row of the library that is a chain: its build() and reference(). */
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

#endif
