/* Converts instructions of kernels to bytes and back. Checks operands against the kinds in
 * instructions.def. Decoding rejects every instruction that encoding would not write. */
#include "command/kernel_program.h"

#include "base/ensure.h"
#include "command/bytes.h"
#include "command/kernel_tile.h"
#include "command/launch.h"

#include <stdbool.h>
#include <string.h>

enum operand {
	OPERAND_NONE,
	OPERAND_TO,
	OPERAND_FROM,
	OPERAND_PAIR_TO,
	OPERAND_PAIR,
	OPERAND_TRIPLE,
	OPERAND_BUFFER,
	OPERAND_VALUE,
	OPERAND_TARGET,
	OPERAND_SEMAPHORE,
	OPERAND_SOURCE,
	OPERAND_DESTINATION,
	OPERAND_ELEMENT,
	OPERAND_BROADCAST,
	OPERAND_ALONG,
	OPERAND_REDUCTION,
	OPERAND_FUNCTION,
	OPERAND_FORMAT,
	OPERAND_RESULT,
	OPERAND_ROWS_RESULT,
	OPERAND_KINDS
};

struct form {
	const char *word, *what;
	uint8_t operand[4]; /* kinds of a, b, c and the immediate */
	uint8_t class;
};

static const struct form forms[KERNEL_OPCODES] = {
#define X(name, text, a, b, c, immediate, kind, sentence)                                          \
	[KERNEL_##name] = {.word = (text),                                                         \
		.what = (sentence),                                                                \
		.operand = {OPERAND_##a, OPERAND_##b, OPERAND_##c, OPERAND_##immediate},           \
		.class = KERNEL_CLASS_##kind},
#include "command/instructions.def"
#undef X
};

const char *kernel_opcode_word(uint32_t opcode)
{
	return opcode < KERNEL_OPCODES ? forms[opcode].word : NULL;
}

const char *kernel_opcode_what(uint32_t opcode)
{
	return opcode < KERNEL_OPCODES ? forms[opcode].what : NULL;
}

enum kernel_class kernel_opcode_class(enum kernel_opcode opcode)
{
	return forms[opcode].class;
}

/* ---- checks, the same for both directions ---- */

/* The words for the values of an operand of instructions on tiles. */
struct choice {
	uint32_t count;
	const char *words[KERNEL_FUNCTIONS];
};

static const struct choice choices[OPERAND_KINDS] = {
	[OPERAND_SOURCE] = {KERNEL_SOURCES, {"left", "right"}},
	[OPERAND_ELEMENT] = {KERNEL_ELEMENTS, {"f32", "bf16"}},
	[OPERAND_FORMAT] = {KERNEL_FORMATS, {"f32", "bf16", "bfp8", "bfp4"}},
	[OPERAND_BROADCAST] = {KERNEL_BROADCASTS, {"each", "row", "column", "scalar"}},
	[OPERAND_ALONG] = {KERNEL_ALONGS, {"rows", "columns", "both"}},
	[OPERAND_REDUCTION] = {KERNEL_REDUCTIONS, {"sum", "max"}},
	[OPERAND_FUNCTION] = {KERNEL_FUNCTIONS,
		{"exp", "reciprocal", "sqrt", "gelu", "silu", "tanh"}},
};

static enum status result_check(uint32_t value, uint32_t formats)
{
	if (kernel_tile_element(value) >= formats)
		return STATUS_INVALID;
	return kernel_tile_destination(value) < KERNEL_DESTINATIONS ? STATUS_OK
								    : STATUS_OUT_OF_RANGE;
}

static enum status operand_check(enum operand operand, uint32_t value)
{
	if (choices[operand].count > 0)
		return value < choices[operand].count ? STATUS_OK : STATUS_INVALID;
	switch (operand) {
	case OPERAND_NONE:
		return value == 0 ? STATUS_OK : STATUS_INVALID;
	case OPERAND_TO:
		return value > 0 && value < KERNEL_REGISTERS ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_FROM:
		return value < KERNEL_REGISTERS ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_PAIR_TO:
		return value > 0 && value < KERNEL_REGISTERS - 1 ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_PAIR:
		return value < KERNEL_REGISTERS - 1 ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_TRIPLE:
		return value < KERNEL_REGISTERS - 2 ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_BUFFER:
		return value < CIRCULAR_BUFFERS_MAX ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_SEMAPHORE:
		return value < SEMAPHORES_MAX + STANDING_SEMAPHORES_MAX ? STATUS_OK
									: STATUS_OUT_OF_RANGE;
	case OPERAND_DESTINATION:
		return value < KERNEL_DESTINATIONS ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case OPERAND_RESULT:
		return result_check(value, KERNEL_FORMATS);
	case OPERAND_ROWS_RESULT:
		return result_check(value, KERNEL_ELEMENTS);
	case OPERAND_VALUE:
	case OPERAND_TARGET:
		return STATUS_OK;
	default:
		return STATUS_INVALID;
	}
}

static enum status instruction_check(const struct kernel_instruction *instruction)
{
	const struct form *form = &forms[instruction->opcode];
	const uint32_t values[] = {
		instruction->a, instruction->b, instruction->c, instruction->immediate};
	enum status status = STATUS_OK;

	for (int i = 0; i < 4 && status == STATUS_OK; i++)
		status = operand_check((enum operand)form->operand[i], values[i]);
	return status;
}

void kernel_instruction_encode(
	const struct kernel_instruction *instruction, uint8_t bytes[KERNEL_INSTRUCTION_BYTES])
{
	ensure(instruction->opcode > KERNEL_NOTHING && instruction->opcode < KERNEL_OPCODES &&
			instruction_check(instruction) == STATUS_OK,
		"instruction %d with %u, %u, %u, 0x%x is malformed", (int)instruction->opcode,
		instruction->a, instruction->b, instruction->c, instruction->immediate);
	bytes[0] = (uint8_t)instruction->opcode;
	bytes[1] = instruction->a;
	bytes[2] = instruction->b;
	bytes[3] = instruction->c;
	bytes_put32(bytes + 4, instruction->immediate);
}

enum status kernel_instruction_decode(
	const uint8_t bytes[KERNEL_INSTRUCTION_BYTES], struct kernel_instruction *instruction)
{
	if (bytes[0] == KERNEL_NOTHING || bytes[0] >= KERNEL_OPCODES)
		return STATUS_INVALID;
	instruction->opcode = (enum kernel_opcode)bytes[0];
	instruction->a = bytes[1];
	instruction->b = bytes[2];
	instruction->c = bytes[3];
	instruction->immediate = bytes_get32(bytes + 4);
	return instruction_check(instruction);
}

/* ---- whole texts ---- */

static enum status kernel_program_refuse(
	struct text *why, enum status status, uint32_t number, const char *reason)
{
	if (why != NULL)
		text_printf(why, "instruction %u %s", number, reason);
	return status;
}

static const char *reason_of(enum status status)
{
	return status == STATUS_OUT_OF_RANGE
		       ? "names a register, circular buffer or semaphore that no core has"
		       : "is none";
}

static bool jumps(const struct kernel_instruction *instruction)
{
	return forms[instruction->opcode].operand[3] == OPERAND_TARGET;
}

enum status kernel_program_check(const uint8_t *text, uint32_t length, struct text *why)
{
	uint32_t count = length / KERNEL_INSTRUCTION_BYTES;
	struct kernel_instruction instruction = {.opcode = KERNEL_NOTHING};

	if (length == 0 || length % COMMAND_ALIGN != 0) {
		if (why != NULL)
			text_printf(why, "a text has whole units of %d B, not %u B", COMMAND_ALIGN,
				length);
		return STATUS_INVALID;
	}
	for (uint32_t i = 0; i < count; i++) {
		enum status status = kernel_instruction_decode(
			text + i * KERNEL_INSTRUCTION_BYTES, &instruction);

		if (status != STATUS_OK)
			return kernel_program_refuse(why, status, i, reason_of(status));
		if (jumps(&instruction) && instruction.immediate >= count)
			return kernel_program_refuse(
				why, STATUS_OUT_OF_RANGE, i, "jumps out of the text");
	}
	if (instruction.opcode != KERNEL_END && instruction.opcode != KERNEL_JUMP)
		return kernel_program_refuse(why, STATUS_OUT_OF_RANGE, count - 1,
			"is the last, and runs out of the text");
	return STATUS_OK;
}

/* ---- printing ---- */

static void print_register(enum operand operand, uint8_t value, struct text *out)
{
	if (choices[operand].count > 0) {
		text_append(out, choices[operand].words[value]);
		return;
	}
	switch (operand) {
	case OPERAND_DESTINATION:
		text_printf(out, "destination %u", value);
		break;
	case OPERAND_PAIR_TO:
	case OPERAND_PAIR:
		text_printf(out, "r%u:%u", value, value + 1);
		break;
	case OPERAND_TRIPLE:
		text_printf(out, "r%u:%u", value, value + 2);
		break;
	case OPERAND_BUFFER:
		text_printf(out, "buffer %u", value);
		break;
	default:
		text_printf(out, "r%u", value);
		break;
	}
}

/* Prints, for example, "r3 + 16", "16" or "r3". Leaves out register 0. */
static void print_sum(const struct kernel_instruction *instruction, bool with, struct text *out)
{
	bool named = with && instruction->c != 0;

	if (named)
		text_printf(out, "r%u", instruction->c);
	if (named && instruction->immediate != 0)
		text_append(out, " + ");
	if (!named || instruction->immediate != 0)
		text_printf(out, "%u", instruction->immediate);
}

static void print_immediate(
	const struct kernel_instruction *instruction, const struct form *form, struct text *out)
{
	switch (form->operand[3]) {
	case OPERAND_TARGET:
		text_printf(out, "to %u", instruction->immediate);
		break;
	case OPERAND_SEMAPHORE:
		text_printf(out, "semaphore %u", instruction->immediate);
		break;
	case OPERAND_ELEMENT:
	case OPERAND_FORMAT:
		text_append(out, choices[OPERAND_FORMAT].words[instruction->immediate]);
		break;
	case OPERAND_RESULT:
	case OPERAND_ROWS_RESULT:
		text_printf(out, "destination %u, %s",
			kernel_tile_destination(instruction->immediate),
			choices[OPERAND_FORMAT].words[kernel_tile_element(instruction->immediate)]);
		break;
	default:
		print_sum(instruction, form->operand[2] != OPERAND_NONE, out);
		break;
	}
}

void kernel_instruction_print(const struct kernel_instruction *instruction, struct text *out)
{
	const struct form *form = &forms[instruction->opcode];
	const uint8_t values[] = {instruction->a, instruction->b, instruction->c};
	bool sum = form->operand[2] != OPERAND_NONE && form->operand[3] == OPERAND_VALUE;
	const char *between = " ";

	text_append(out, form->word);
	for (int i = 0; i < 3; i++) {
		if (form->operand[i] == OPERAND_NONE || (i == 2 && sum))
			continue;
		text_append(out, between);
		print_register((enum operand)form->operand[i], values[i], out);
		between = ", ";
	}
	if (form->operand[3] == OPERAND_NONE)
		return;
	text_append(out, between);
	print_immediate(instruction, form, out);
}

void kernel_program_print(const uint8_t *text, uint32_t length, struct text *out)
{
	for (uint32_t i = 0; i < length / KERNEL_INSTRUCTION_BYTES; i++) {
		const uint8_t *bytes = text + i * KERNEL_INSTRUCTION_BYTES;
		struct kernel_instruction instruction;

		text_printf(out, "%4u  ", i);
		if (kernel_instruction_decode(bytes, &instruction) == STATUS_OK)
			kernel_instruction_print(&instruction, out);
		else
			text_printf(out, "? %08x %08x", bytes_get32(bytes), bytes_get32(bytes + 4));
		text_append_char(out, '\n');
	}
}
