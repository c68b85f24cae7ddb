/* Makes the text of a kernel: builds it instruction by instruction, or assembles it from the text
 * of a scenario. */
#ifndef COMMAND_KERNEL_TEXT_H
#define COMMAND_KERNEL_TEXT_H

#include <stdbool.h>

#include "command/kernel_program.h"

enum { KERNEL_LABELS_MAX = 64 };

struct kernel_text {
	uint8_t *bytes;
	uint32_t length, capacity; /* in bytes */
	uint32_t label_count;
	uint32_t label[KERNEL_LABELS_MAX]; /* [label] number of the instruction that follows the
					    * label; UINT32_MAX: the label is not placed yet */
};

/* Initializes an empty text; allocates nothing. */
void kernel_text_init(struct kernel_text *text);

/* Frees the bytes and empties the text. */
void kernel_text_fini(struct kernel_text *text);

/* Appends an instruction. Unused fields must be 0, and the instruction must be one that
 * kernel_instruction_decode() accepts. */
void kernel_text_add(struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b,
	uint8_t c, uint32_t immediate);

/* Appends the instruction that sets register a to `value`. */
void kernel_text_set(struct kernel_text *text, uint8_t a, uint32_t value);

/* kernel_text_label() returns a new label, and kernel_text_place() places a label before the
 * instruction that is appended next. kernel_text_here() does both: it returns a new label that it
 * has placed. A text has at most KERNEL_LABELS_MAX labels. */
uint32_t kernel_text_label(struct kernel_text *text);
void kernel_text_place(struct kernel_text *text, uint32_t label);
uint32_t kernel_text_here(struct kernel_text *text);

/* Appends a jump to a label of this text. The jump compares registers `a` and `b` (both 0 for
 * KERNEL_JUMP). */
void kernel_text_jump(
	struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b, uint32_t label);

/* Ends the text: appends END, pads the text to whole units with further ENDs, and writes the
 * targets of jumps to labels. All labels to which jumps lead must have been placed. Nothing can be
 * appended afterwards. */
void kernel_text_finish(struct kernel_text *text);

/* Texts of kernels in readable form, one instruction per line (command/instructions.def):
 *
 *             argument r1, 0            # a comment
 *     again:  jump_not_below r1, r2, done
 *             page r4:5, r1, from       # `from` is a name that the caller gives a value
 *             add r1, r1, r3 + 16
 *             jump again
 *     done:   end
 *
 * The output of kernel_instruction_print() is also accepted. The first register of a pair may stand
 * for the pair ("r4" for "r4:5"). Words before numbers ("semaphore 3", "to 4") may be left out. The
 * last number may be left out if it is 0, and may be added to the register before it ("load r1, r2
 * + 8"). A number is decimal, or hexadecimal after 0x, and may be negative. An `end` is added at
 * the end of every text.
 *
 * All mistakes that kernel_program_check() would reject are reported in one pass. */

/* A name that stands for a number. */
struct kernel_symbol {
	const char *name;
	uint32_t value;
};

/* Receives error messages. Lines and columns (in bytes) count from 1. */
struct kernel_mistakes {
	void *context;
	void (*tell)(void *context, uint32_t line, uint32_t column, const char *message);
};

/* Assembles `source`: appends its instructions to `text`, which must be empty, and finishes the
 * text. Returns true if there are no mistakes. Otherwise reports all mistakes to `mistakes` and
 * returns false; the caller may then only call kernel_text_fini() on the text. */
bool kernel_assemble(const char *source, const struct kernel_symbol *symbols, uint32_t symbol_count,
	const struct kernel_mistakes *mistakes, struct kernel_text *text);

#endif
