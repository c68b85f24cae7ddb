/* Tests the assembly language of kernels. Every instruction can be parsed in the form in which it
 * is printed, labels and short forms have the right meaning, and all errors in a text are reported
 * at once, each with its place. */
#include "test.h"

#include <string.h>

#include "base/stream.h"
#include "base/text.h"
#include "command/kernel_text.h"

static const struct kernel_symbol symbols[] = {{"from", 8}, {"to", 12}};

static void tell(void *context, uint32_t line, uint32_t column, const char *message)
{
	text_printf(context, "%u:%u: %s\n", line, column, message);
}

static bool assemble(const char *source, struct kernel_text *text, struct text *told)
{
	struct kernel_mistakes mistakes = {told, tell};

	kernel_text_init(text);
	return kernel_assemble(source, symbols, 2, &mistakes, text);
}

TEST(instructions_are_read_as_they_are_printed)
{
	uint32_t seen[KERNEL_OPCODES] = {0};
	struct stream random;

	stream_init(&random, 1, "assemble");
	for (uint32_t i = 0; i < 400000; i++) {
		uint64_t draw = stream_below(&random, UINT64_MAX);
		uint8_t bytes[KERNEL_INSTRUCTION_BYTES];
		struct kernel_instruction instruction;
		struct kernel_text text;
		struct text line = {0}, told = {0};

		for (uint32_t at = 0; at < sizeof bytes; at++)
			bytes[at] = (uint8_t)(draw >> 8 * at);
		bytes[0] = (uint8_t)(1 + bytes[0] % (KERNEL_OPCODES - 1));
		for (uint32_t at = 1; at < sizeof bytes; at++)
			bytes[at] = bytes[at] % 3 == 0 || at > 5 ? 0 : (uint8_t)(bytes[at] % 40);
		if (bytes[0] >= KERNEL_JUMP && bytes[0] <= KERNEL_JUMP_NOT_BELOW)
			memset(bytes + 4, 0, 4); /* changes it to a valid instruction */
		if (kernel_instruction_decode(bytes, &instruction) != STATUS_OK)
			continue;
		seen[instruction.opcode]++;
		kernel_instruction_print(&instruction, &line);
		if (!assemble(text_string(&line), &text, &told))
			fail_msg("'%s': %s", text_string(&line), text_string(&told));
		if (memcmp(text.bytes, bytes, sizeof bytes) != 0)
			fail_msg("read as another: %s", text_string(&line));
		kernel_text_fini(&text);
		text_fini(&line);
	}
	for (uint32_t opcode = 1; opcode < KERNEL_OPCODES; opcode++)
		assert_true(seen[opcode] > 0);
}

TEST(labels_names_and_short_forms_mean_what_they_say)
{
	static const char source[] = "# a comment\n"
				     "start: again: argument r1, r2 + 3\n"
				     "\tcommon r2, to + 2 # and another\n"
				     "  page r4, r1, from\n"
				     "\n"
				     "  write_word r1, r2:3\n"
				     "  add r7, r0, -0x10\n"
				     "  jump_below r1, r2, out\n"
				     "  jump to again\n"
				     "  until_least r1, 3\n"
				     "out: reserve buffer 2, r3 + from + 1";
	struct text told = {0}, listed = {0};
	struct kernel_text text;

	if (!assemble(source, &text, &told))
		fail_msg("%s", text_string(&told));
	assert_int_equal(kernel_program_check(text.bytes, text.length, NULL), STATUS_OK);
	kernel_program_print(text.bytes, text.length, &listed);
	assert_string_equal(text_string(&listed), "   0  argument r1, r2, 3\n"
						  "   1  common r2, r0, 14\n"
						  "   2  page r4:5, r1, 8\n"
						  "   3  write_word r1, r2:3, 0\n"
						  "   4  add r7, r0, 4294967280\n"
						  "   5  jump_below r1, r2, to 8\n"
						  "   6  jump to 0\n"
						  "   7  until_least r1, semaphore 3\n"
						  "   8  reserve buffer 2, r3 + 9\n"
						  "   9  end\n");
	kernel_text_fini(&text);
	text_fini(&told);
	text_fini(&listed);
}

TEST(mistakes_are_told_at_their_places)
{
	static const char source[] = "  rad r1, r2\n"
				     "a: add r1, r2, r32\n"
				     "a: add r0, r2, 1\n"
				     "  page r31, r1, form\n"
				     "  page r4:6, r1, from\n"
				     "  jump there\n"
				     "  jump 16\n"
				     "  print\n"
				     "  until r1, semaphore 64\n"
				     "  busy\n"
				     "  add r1, r2, , 5\n"
				     "  add r1, r2, 4294967296\n"
				     "  tile_acquire f16\n"
				     "  tile_function 0, gelo\n"
				     "  tile_function 16, tanh\n";
	struct text told = {0};
	struct kernel_text text;

	assert_false(assemble(source, &text, &told));
	assert_string_equal(text_string(&told),
		"3:1: label 'a' stands twice\n"
		"1:3: unknown instruction 'rad', did you mean 'read'?\n"
		"2:16: there is no r32: a core has r0 to r31\n"
		"3:8: r0 is always 0, and is not written\n"
		"4:8: there is no r32: a core has r0 to r31\n"
		"4:17: 'form' is no number, did you mean 'from'?\n"
		"5:8: these registers are r4 and those behind it\n"
		"6:8: 'there' is no label\n"
		"7:8: there is no instruction 16, but 0 to 15\n"
		"8:3: 'print' takes 2 operands, not 0: prints register a under the number i\n"
		"9:23: there is no semaphore 64, but 0 to 63\n"
		"10:3: 'busy' takes 1 operand, not 0: takes c + i cycles\n"
		"11:3: 'add' takes 3 operands, not 4: a = b + (c + i)\n"
		"12:15: '4294967296' is no number\n"
		"13:16: 'f16' is none of f32, bf16, ..., did you mean 'bf16'?\n"
		"14:20: 'gelo' is none of exp, reciprocal, ..., did you mean 'gelu'?\n"
		"15:17: there is no destination 16, but 0 to 15\n");
	kernel_text_fini(&text);
	text_fini(&told);
}

TEST_MAIN(NULL, NULL)
