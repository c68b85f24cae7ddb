/* Builds texts of kernels. kernel_program.c checks the operands of instructions. */
#include "command/kernel_text.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "command/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_NOWHERE = UINT32_MAX };

/* Until the text is finished, the immediate of a jump is the label's number plus this mark. */
static const uint32_t label_mark = UINT32_C(0x80000000);

void kernel_text_init(struct kernel_text *text)
{
	memset(text, 0, sizeof *text);
}

void kernel_text_fini(struct kernel_text *text)
{
	free(text->bytes);
	kernel_text_init(text);
}

void kernel_text_add(struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b,
	uint8_t c, uint32_t immediate)
{
	struct kernel_instruction instruction = {opcode, a, b, c, immediate};

	if (text->length == text->capacity) {
		text->capacity = text->capacity > 0 ? 2 * text->capacity : 256;
		text->bytes = allocate_more(text->bytes, text->capacity, 1);
	}
	kernel_instruction_encode(&instruction, text->bytes + text->length);
	text->length += KERNEL_INSTRUCTION_BYTES;
}

void kernel_text_set(struct kernel_text *text, uint8_t a, uint32_t value)
{
	kernel_text_add(text, KERNEL_ADD, a, 0, 0, value);
}

/* ---- labels ---- */

uint32_t kernel_text_label(struct kernel_text *text)
{
	ensure(text->label_count < KERNEL_LABELS_MAX, "more than %d labels", KERNEL_LABELS_MAX);
	text->label[text->label_count] = LABEL_NOWHERE;
	return text->label_count++;
}

void kernel_text_place(struct kernel_text *text, uint32_t label)
{
	ensure(label < text->label_count && text->label[label] == LABEL_NOWHERE,
		"label %u of %u is placed twice, or there is none", label, text->label_count);
	text->label[label] = text->length / KERNEL_INSTRUCTION_BYTES;
}

uint32_t kernel_text_here(struct kernel_text *text)
{
	uint32_t label = kernel_text_label(text);

	kernel_text_place(text, label);
	return label;
}

void kernel_text_jump(
	struct kernel_text *text, enum kernel_opcode opcode, uint8_t a, uint8_t b, uint32_t label)
{
	ensure(label < text->label_count, "a jump to label %u of %u", label, text->label_count);
	kernel_text_add(text, opcode, a, b, 0, label_mark | label);
}

static bool is_jump(uint8_t opcode)
{
	return opcode >= KERNEL_JUMP && opcode <= KERNEL_JUMP_NOT_BELOW;
}

void kernel_text_finish(struct kernel_text *text)
{
	do
		kernel_text_add(text, KERNEL_END, 0, 0, 0, 0);
	while (text->length % COMMAND_ALIGN != 0);
	for (uint32_t at = 0; at < text->length; at += KERNEL_INSTRUCTION_BYTES) {
		uint32_t label = bytes_get32(text->bytes + at + 4);

		if (!is_jump(text->bytes[at]) || !(label & label_mark))
			continue;
		label = text->label[label & ~label_mark];
		ensure(label != LABEL_NOWHERE, "instruction %u jumps to a label that is nowhere",
			at / KERNEL_INSTRUCTION_BYTES);
		bytes_put32(text->bytes + at + 4, label);
	}
}
