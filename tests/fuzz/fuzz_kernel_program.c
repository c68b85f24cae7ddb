/* Fuzzes the texts of kernels. Any input gives a status. If an instruction is accepted, encoding it
 * gives the bytes from which it was decoded. Every text can be listed, and an accepted text never
 * jumps to a place outside itself. */
#include <stdint.h>
#include <stdbool.h>
#include <string.h>

#include "base/ensure.h"
#include "command/kernel_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_instruction(const uint8_t *bytes, uint32_t count, bool accepted)
{
	uint8_t again[KERNEL_INSTRUCTION_BYTES];
	struct kernel_instruction instruction;
	enum status status = kernel_instruction_decode(bytes, &instruction);

	ensure(status == STATUS_OK || !accepted, "a text holds what is %s", status_name(status));
	if (status != STATUS_OK)
		return;
	kernel_instruction_encode(&instruction, again);
	ensure(memcmp(bytes, again, sizeof again) == 0, "%s is not written as it was read",
		kernel_opcode_word(instruction.opcode));
	ensure(!accepted || instruction.opcode < KERNEL_JUMP ||
			instruction.opcode > KERNEL_JUMP_NOT_BELOW || instruction.immediate < count,
		"a jump to %u of %u", instruction.immediate, count);
}

static void tell(void *context, uint32_t line, uint32_t column, const char *message)
{
	ensure(line > 0 && column > 0 && message[0], "a mistake nowhere");
	*(bool *)context = true;
}

/* Reads the input as a source text. It must give either errors or an accepted text. */
static void check_source(const uint8_t *data, size_t size)
{
	bool told = false, good;
	struct kernel_mistakes mistakes = {&told, tell};
	struct text source = {0};
	struct kernel_text text;

	text_append_bytes(&source, (const char *)data, size);
	kernel_text_init(&text);
	good = kernel_assemble(text_string(&source), NULL, 0, &mistakes, &text);
	ensure(good == !told, "%s", good ? "good with mistakes" : "bad without one");
	ensure(!good || kernel_program_check(text.bytes, text.length, NULL) == STATUS_OK,
		"a text that was read is refused");
	kernel_text_fini(&text);
	text_fini(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t length = (uint32_t)size, count = length / KERNEL_INSTRUCTION_BYTES;
	struct text out = {0};
	enum status status = kernel_program_check(data, length, &out);

	ensure((status == STATUS_OK) == (out.length == 0), "%s with '%s'", status_name(status),
		text_string(&out));
	for (uint32_t i = 0; i < count; i++)
		check_instruction(data + i * KERNEL_INSTRUCTION_BYTES, count, status == STATUS_OK);
	kernel_program_print(data, length, &out);
	check_source(data, size);
	text_fini(&out);
	return 0;
}
