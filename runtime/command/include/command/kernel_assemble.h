/* Texts of kernels in readable form, one instruction per line (command/instructions.def):
 *
 *             argument r1, 0            # a comment
 *     again:  jump_not_below r1, r2, done
 *             page r4:5, r1, from       # `from` is a name that the caller gives a value
 *             add r1, r1, r3 + 16
 *             jump again
 *     done:   end
 *
 * Output of kernel_instruction_print() is accepted, too. A register of a pair may stand for it
 * ("r4" for "r4:5"), words in front of numbers may be left out ("semaphore 3", "to 4"), and so may
 * the last number if it is 0; it may also be added to the register before it ("load r1, r2 + 8").
 * Numbers are decimal, 0x hexadecimal, or negative. An `end` is added at the end of every text.
 *
 * Everything that kernel_program_check() would reject is reported, all in one pass. */
#ifndef COMMAND_KERNEL_ASSEMBLE_H
#define COMMAND_KERNEL_ASSEMBLE_H

#include <stdbool.h>

#include "command/kernel_text.h"

/* A name for a number. */
struct kernel_symbol {
	const char *name;
	uint32_t value;
};

/* Receives error messages: lines and columns (bytes) count from 1. */
struct kernel_mistakes {
	void *context;
	void (*tell)(void *context, uint32_t line, uint32_t column, const char *message);
};

/* Appends the instructions of `source` to `text`, which is empty, and finishes it. False after
 * mistakes, all of which were reported; then only kernel_text_fini() may be called on the text. */
bool kernel_assemble(const char *source, const struct kernel_symbol *symbols, uint32_t symbol_count,
	const struct kernel_mistakes *mistakes, struct kernel_text *text);

#endif
