/* Declarations for the files that parse kernels from readable text: pieces of a line, and the
 * state of the parser. */
#ifndef KERNEL_READING_H
#define KERNEL_READING_H

#include <stddef.h>

#include "command/kernel_text.h"

enum { FIELDS_MAX = 6, WORD_BYTES = 64 };

/* A piece of a line. */
struct piece {
	const char *at;
	size_t length;
};

struct label {
	char name[WORD_BYTES];
	uint32_t number; /* number of the instruction after the label */
};

struct reading {
	const struct kernel_symbol *symbols;
	uint32_t symbol_count;
	const struct kernel_mistakes *mistakes;
	struct kernel_text *text;
	struct label *labels;
	uint32_t label_count, instructions;
	const char *line_start;
	uint32_t line;
	bool good;
};

/* Reports a mistake at a piece of the current line. */
void kernel_reading_refuse(struct reading *reading, struct piece where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns the piece without the blanks around it. */
struct piece piece_trimmed(struct piece piece);

/* Both functions cut a part off the start of a piece and return this part. piece_take_word() cuts
 * off the first word. piece_take_until() cuts off everything before the first `c`, and removes the
 * `c` too; if there is no `c`, it cuts off the whole piece. */
struct piece piece_take_word(struct piece *piece);
struct piece piece_take_until(struct piece *piece, char c);

bool piece_is(struct piece piece, const char *word);

/* Copies the piece, or its first 60 characters, to `out` as a string. Returns `out`. */
const char *piece_copy(struct piece piece, char out[WORD_BYTES]);

/* Functions of kernel_operands.c. The operands of an instruction are the pieces after its first
 * word. kernel_operands_count() returns the number of operands. kernel_operands_spare() returns
 * true if the last operand may be left out. kernel_operands_read() reads the operands into
 * *made. */
uint32_t kernel_operands_count(enum kernel_opcode opcode);
bool kernel_operands_spare(enum kernel_opcode opcode);
void kernel_operands_read(struct reading *reading, const struct piece *pieces, uint32_t count,
	struct kernel_instruction *made);

#endif
