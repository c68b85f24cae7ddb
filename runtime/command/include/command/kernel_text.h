/* Builds the text of an executing kernel (command/kernel_program.h), instruction by instruction,
 * with labels as targets of jumps. Jumps and the length of the text are checked later, by
 * kernel_program_check().
 *
 *     struct kernel_text text;
 *     uint32_t again;
 *
 *     kernel_text_init(&text);
 *     kernel_text_set(&text, 1, 0);                           r1 = 0
 *     again = kernel_text_here(&text);
 *     ...
 *     kernel_text_add(&text, KERNEL_ADD, 1, 1, 0, 1);         r1 = r1 + (r0 + 1)
 *     kernel_text_jump(&text, KERNEL_JUMP_BELOW, 1, 2, again);
 *     kernel_text_finish(&text); */
#ifndef COMMAND_KERNEL_TEXT_H
#define COMMAND_KERNEL_TEXT_H

#include "command/kernel_program.h"

enum { KERNEL_LABELS_MAX = 64 };

struct kernel_text {
	uint8_t *bytes;
	uint32_t length, capacity; /* bytes */
	uint32_t label_count;
	uint32_t label[KERNEL_LABELS_MAX]; /* number of the instruction behind it, or UINT32_MAX */
};

/* Initializes an empty text; allocates nothing. */
void kernel_text_init(struct kernel_text *text);

/* Frees the bytes and empties the text. */
void kernel_text_fini(struct kernel_text *text);

/* Appends an instruction; unused fields must be 0. An instruction that kernel_instruction_decode()
 * would reject is a bug. */
void kernel_text_add(struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b,
	uint8_t c, uint32_t immediate);

/* Register a = value. */
void kernel_text_set(struct kernel_text *text, uint8_t a, uint32_t value);

/* Makes a label that kernel_text_place() places before the next instruction later; or one placed
 * there now. At most KERNEL_LABELS_MAX. */
uint32_t kernel_text_label(struct kernel_text *text);
void kernel_text_place(struct kernel_text *text, uint32_t label);
uint32_t kernel_text_here(struct kernel_text *text);

/* Appends a jump to a label of this text; `a` and `b` are compared (0 for KERNEL_JUMP). */
void kernel_text_jump(
	struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b, uint32_t label);

/* Ends the text: appends END, pads it with more of them to whole units, and resolves jumps to
 * labels. A label that was not placed is a bug. Nothing can be appended afterwards. */
void kernel_text_finish(struct kernel_text *text);

#endif
