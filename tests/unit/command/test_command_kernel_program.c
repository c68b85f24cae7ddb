/* Instructions of kernels: round trips, errors, whole texts, the builder and the listing. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "command/kernel.h"
#include "command/kernel_text.h"
#include "command/kernel_tile.h"

TEST(random_bytes_are_refused_or_written_as_they_were_read)
{
	uint32_t seen[KERNEL_OPCODES] = {0};
	struct stream random;

	stream_init(&random, 1, "instructions");
	for (uint32_t i = 0; i < 2000000; i++) {
		uint64_t draw = stream_below(&random, UINT64_MAX);
		uint8_t bytes[KERNEL_INSTRUCTION_BYTES], again[KERNEL_INSTRUCTION_BYTES];
		struct kernel_instruction instruction;

		for (uint32_t at = 0; at < sizeof bytes; at++)
			bytes[at] = (uint8_t)(draw >> 8 * at);
		bytes[0] = (uint8_t)(bytes[0] % (KERNEL_OPCODES + 2));
		for (uint32_t at = 1; at < sizeof bytes; at++)
			bytes[at] = bytes[at] % 3 == 0 || at > 5 ? 0 : (uint8_t)(bytes[at] % 40);
		if (kernel_instruction_decode(bytes, &instruction) != STATUS_OK)
			continue;
		kernel_instruction_encode(&instruction, again);
		assert_memory_equal(bytes, again, sizeof bytes);
		seen[instruction.opcode]++;
	}
	for (uint32_t opcode = 1; opcode < KERNEL_OPCODES; opcode++) {
		assert_non_null(kernel_opcode_word(opcode));
		assert_non_null(kernel_opcode_what(opcode));
		assert_true(seen[opcode] > 0);
	}
	assert_null(kernel_opcode_word(KERNEL_NOTHING));
	assert_null(kernel_opcode_word(KERNEL_OPCODES));
}

struct decoding {
	uint8_t bytes[KERNEL_INSTRUCTION_BYTES];
	enum status expected;
};

static void check_decoding(const struct decoding *cases, size_t count)
{
	struct kernel_instruction instruction;

	for (size_t i = 0; i < count; i++)
		assert_int_equal(
			kernel_instruction_decode(cases[i].bytes, &instruction), cases[i].expected);
}

TEST(malformed_instructions_are_refused)
{
	static const struct decoding cases[] = {
		{{KERNEL_END}, STATUS_OK},
		{{KERNEL_NOTHING}, STATUS_INVALID},
		{{KERNEL_OPCODES}, STATUS_INVALID},
		{{255}, STATUS_INVALID},
		{{KERNEL_END, 1}, STATUS_INVALID},
		{{KERNEL_END, 0, 0, 0, 1}, STATUS_INVALID},
		{{KERNEL_PRINT, 1, 1}, STATUS_INVALID},
		{{KERNEL_FABRIC_WRITE, 30, 30}, STATUS_OK},
		{{KERNEL_FABRIC_WRITE, 31, 30}, STATUS_OUT_OF_RANGE},
		{{KERNEL_FABRIC_READ, 30, 30}, STATUS_OK},
		{{KERNEL_FABRIC_READ, 30, 31}, STATUS_OUT_OF_RANGE},
		{{KERNEL_FABRIC_INCREMENT, 30, 29}, STATUS_OK},
		{{KERNEL_FABRIC_INCREMENT, 30, 30}, STATUS_OUT_OF_RANGE},
		{{KERNEL_ADD, 31, 31, 31, 255, 255, 255, 255}, STATUS_OK},
		{{KERNEL_ADD, 0, 1, 1}, STATUS_OUT_OF_RANGE},
		{{KERNEL_ADD, 32, 1, 1}, STATUS_OUT_OF_RANGE},
		{{KERNEL_ADD, 1, 32, 1}, STATUS_OUT_OF_RANGE},
		{{KERNEL_ADD, 1, 1, 32}, STATUS_OUT_OF_RANGE},
		{{KERNEL_PAGE, 30}, STATUS_OK},
		{{KERNEL_PAGE, 31}, STATUS_OUT_OF_RANGE},
		{{KERNEL_PAGE, 0}, STATUS_OUT_OF_RANGE},
		{{KERNEL_READ, 0, 30}, STATUS_OK},
		{{KERNEL_READ, 0, 31}, STATUS_OUT_OF_RANGE},
		{{KERNEL_PUSH, 31}, STATUS_OK},
		{{KERNEL_PUSH, 32}, STATUS_OUT_OF_RANGE},
		{{KERNEL_PUSH, 1, 1}, STATUS_INVALID},
		{{KERNEL_UNTIL, 1, 0, 0, 63}, STATUS_OK},
		{{KERNEL_UNTIL, 1, 0, 0, 64}, STATUS_OUT_OF_RANGE},
		{{KERNEL_UNTIL, 1, 0, 0, 0, 1}, STATUS_OUT_OF_RANGE},
	};

	check_decoding(cases, sizeof cases / sizeof *cases);
}

TEST(malformed_instructions_on_tiles_are_refused)
{
	static const struct decoding cases[] = {
		{{KERNEL_TILE_MATMUL, 15}, STATUS_OK},
		{{KERNEL_TILE_MATMUL, 16}, STATUS_OUT_OF_RANGE},
		{{KERNEL_TILE_MATMUL, 0, 1}, STATUS_INVALID},
		{{KERNEL_TILE_ADD, 0, KERNEL_SCALAR}, STATUS_OK},
		{{KERNEL_TILE_ADD, 0, KERNEL_BROADCASTS}, STATUS_INVALID},
		{{KERNEL_TILE_REDUCE, 0, KERNEL_ALONG_BOTH, KERNEL_MAX}, STATUS_OK},
		{{KERNEL_TILE_REDUCE, 0, KERNEL_ALONGS}, STATUS_INVALID},
		{{KERNEL_TILE_REDUCE, 0, 0, KERNEL_REDUCTIONS}, STATUS_INVALID},
		{{KERNEL_TILE_FUNCTION, 15, KERNEL_TANH}, STATUS_OK},
		{{KERNEL_TILE_FUNCTION, 16, KERNEL_TANH}, STATUS_OUT_OF_RANGE},
		{{KERNEL_TILE_FUNCTION, 0, KERNEL_FUNCTIONS}, STATUS_INVALID},
		{{KERNEL_TILE_ACQUIRE, KERNEL_BF16}, STATUS_OK},
		{{KERNEL_TILE_ACQUIRE, KERNEL_ELEMENTS}, STATUS_INVALID},
		{{KERNEL_TILE_UNPACK, 31, KERNEL_RIGHT, 31, KERNEL_BF16}, STATUS_OK},
		{{KERNEL_TILE_UNPACK, 32}, STATUS_OUT_OF_RANGE},
		{{KERNEL_TILE_UNPACK, 0, KERNEL_SOURCES}, STATUS_INVALID},
		{{KERNEL_TILE_UNPACK, 0, 0, 0, KERNEL_BFP4}, STATUS_OK},
		{{KERNEL_TILE_UNPACK, 0, 0, 0, KERNEL_FORMATS}, STATUS_INVALID},
		{{KERNEL_TILE_UNPACK_ROWS, 0, 1, 0, KERNEL_BFP8}, STATUS_INVALID},
		{{KERNEL_TILE_UNPACK_ROWS, 0, 30}, STATUS_OK},
		{{KERNEL_TILE_UNPACK_ROWS, 0, 31}, STATUS_OUT_OF_RANGE},
		{{KERNEL_TILE_PACK, 0, 0, 31, 15, KERNEL_BF16}, STATUS_OK},
		{{KERNEL_TILE_PACK, 0, 0, 0, 16}, STATUS_OUT_OF_RANGE},
		{{KERNEL_TILE_PACK, 0, 0, 0, 0, KERNEL_BFP8}, STATUS_OK},
		{{KERNEL_TILE_PACK_ROWS, 0, 1, 0, 0, KERNEL_BFP8}, STATUS_INVALID},
		{{KERNEL_TILE_PACK, 0, 0, 0, 0, KERNEL_FORMATS}, STATUS_INVALID},
		{{KERNEL_TILE_PACK, 0, 0, 0, 0, 0, 1}, STATUS_INVALID},
	};

	check_decoding(cases, sizeof cases / sizeof *cases);
}

/* A loop that reads ten pages. */
static void build(struct kernel_text *text)
{
	uint32_t again, out;

	kernel_text_init(text);
	out = kernel_text_label(text);
	kernel_text_set(text, 1, 0);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_EQUAL, 1, 2, out);
	kernel_text_add(text, KERNEL_PAGE, 3, 1, 0, 4);
	kernel_text_add(text, KERNEL_READ, 5, 3, 6, 32);
	kernel_text_add(text, KERNEL_ADD, 1, 1, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
	kernel_text_add(text, KERNEL_AWAIT, 2, 0, 7, 0);
	kernel_text_add(text, KERNEL_UNTIL, 7, 0, 0, 3);
	kernel_text_finish(text);
}

TEST(a_text_is_listed_as_it_was_built)
{
	struct kernel_text text;
	struct text out = {0};

	build(&text);
	assert_int_equal(text.length % 16, 0);
	assert_int_equal(kernel_program_check(text.bytes, text.length, NULL), STATUS_OK);
	kernel_program_print(text.bytes, text.length, &out);
	assert_string_equal(text_string(&out), "   0  add r1, r0, 0\n"
					       "   1  jump_equal r1, r2, to 6\n"
					       "   2  page r3:4, r1, 4\n"
					       "   3  read r5, r3:4, r6 + 32\n"
					       "   4  add r1, r1, 1\n"
					       "   5  jump to 1\n"
					       "   6  await buffer 2, r7\n"
					       "   7  until r7, semaphore 3\n"
					       "   8  end\n"
					       "   9  end\n");
	text_clear(&out);
	text.bytes[8] = 0;
	kernel_program_print(text.bytes, 16, &out);
	assert_string_equal(text_string(&out), "   0  add r1, r0, 0\n   1  ? 00020100 00000006\n");
	text_fini(&out);
	kernel_text_fini(&text);
}

TEST(instructions_on_tiles_are_listed_by_name)
{
	struct kernel_text text;
	struct text out = {0};

	kernel_text_init(&text);
	kernel_text_add(&text, KERNEL_TILE_UNPACK, 3, KERNEL_RIGHT, 4, KERNEL_BF16);
	kernel_text_add(&text, KERNEL_TILE_UNPACK_ROWS, 3, 6, 4, KERNEL_F32);
	kernel_text_add(&text, KERNEL_TILE_ACQUIRE, KERNEL_BF16, 0, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_MULTIPLY, 2, KERNEL_ROW, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_REDUCE, 1, KERNEL_ALONG_COLUMNS, KERNEL_MAX, 0);
	kernel_text_add(&text, KERNEL_TILE_PACK, 1, 0, 9, kernel_tile_result(7, KERNEL_BF16));
	kernel_text_add(&text, KERNEL_TILE_FUNCTION, 1, KERNEL_GELU, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_SCALE, 2, 0, 0, 0x3f000000);
	kernel_text_finish(&text);
	kernel_program_print(text.bytes, 64, &out);
	assert_string_equal(text_string(&out), "   0  tile_unpack buffer 3, right, r4, bf16\n"
					       "   1  tile_unpack_rows buffer 3, r6:7, r4, f32\n"
					       "   2  tile_acquire bf16\n"
					       "   3  tile_multiply destination 2, row\n"
					       "   4  tile_reduce destination 1, columns, max\n"
					       "   5  tile_pack buffer 1, r9, destination 7, bf16\n"
					       "   6  tile_function destination 1, gelu\n"
					       "   7  tile_scale destination 2, 1056964608\n");
	text_fini(&out);
	kernel_text_fini(&text);
}

static void check_refusal(
	const struct kernel_text *text, uint32_t length, enum status expected, const char *sentence)
{
	struct text why = {0};

	assert_int_equal(kernel_program_check(text->bytes, length, &why), expected);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

TEST(a_text_is_refused_by_its_first_bad_instruction)
{
	struct kernel_text text;

	build(&text);
	check_refusal(&text, 0, STATUS_INVALID, "a text has whole units of 16 B, not 0 B");
	check_refusal(&text, 24, STATUS_INVALID, "a text has whole units of 16 B, not 24 B");
	check_refusal(&text, 32, STATUS_OUT_OF_RANGE, "instruction 1 jumps out of the text");
	check_refusal(&text, 64, STATUS_OUT_OF_RANGE,
		"instruction 7 is the last, and runs out of the text");
	text.bytes[5 * 8 + 4] = 10;
	check_refusal(
		&text, text.length, STATUS_OUT_OF_RANGE, "instruction 5 jumps out of the text");
	text.bytes[3 * 8] = KERNEL_OPCODES;
	check_refusal(&text, text.length, STATUS_INVALID, "instruction 3 is none");
	text.bytes[2 * 8 + 1] = 31;
	check_refusal(&text, text.length, STATUS_OUT_OF_RANGE,
		"instruction 2 names a register, circular buffer or semaphore that no core has");
	text.bytes[0] = 0;
	check_refusal(&text, text.length, STATUS_INVALID, "instruction 0 is none");
	kernel_text_fini(&text);
}

TEST(an_image_holds_programs_beside_filler)
{
	struct kernel kernels[] = {
		{.processor = PROCESSOR_BRISC, .steps = 1, .cycles = 9, .text_bytes = 40},
		{.processor = PROCESSOR_NCRISC,
			.flags = KERNEL_PROGRAM | KERNEL_COPIED,
			.steps = 1,
			.first_argument = 3,
			.first_common = 300},
	};
	struct launch_message message = {0};
	struct kernel_text text;
	struct kernel seen;
	uint8_t *image;

	build(&text);
	kernels[1].text = text.bytes;
	kernels[1].text_bytes = text.length;
	image = malloc(kernel_image_bytes(kernels, 2));
	kernel_image_write(kernels, 2, 5, image, &message);
	assert_int_equal(kernel_decode(image + KERNEL_HEADER_BYTES, &seen), STATUS_OK);
	assert_int_equal(seen.flags, KERNEL_PROGRAM | KERNEL_COPIED);
	assert_int_equal(seen.first_argument, 3);
	assert_int_equal(seen.first_common, 300);
	assert_int_equal(seen.text_bytes, text.length);
	assert_memory_equal(
		image + KERNEL_HEADER_BYTES + seen.text_offset, text.bytes, text.length);
	image[KERNEL_HEADER_BYTES + 8] = 1; /* cycles */
	assert_int_equal(kernel_decode(image + KERNEL_HEADER_BYTES, &seen), STATUS_INVALID);
	image[24] = 1; /* filler has no first argument */
	assert_int_equal(kernel_decode(image, &seen), STATUS_INVALID);
	free(image);
	kernel_text_fini(&text);
}

/* The text is in a memory block of exactly its length, so that a sanitizer detects reads past its
 * end. */
TEST(a_text_of_any_length_is_padded_with_zeros)
{
	static const uint8_t zeros[16];
	uint8_t *text = malloc(24), *image;
	struct kernel kernel = {.processor = PROCESSOR_BRISC,
		.flags = KERNEL_PROGRAM,
		.steps = 1,
		.text = text,
		.text_bytes = 24};
	uint32_t length = kernel_image_bytes(&kernel, 1);

	memset(text, 0x55, 24);
	image = malloc(length);
	memset(image, 0xaa, length);
	kernel_image_write(&kernel, 1, 5, image, NULL);
	assert_int_equal(kernel.text_bytes, 32);
	assert_memory_equal(image + kernel.text_offset, text, 24);
	assert_memory_equal(image + kernel.text_offset + 24, zeros, 8);
	free(image);
	free(text);
}

TEST_MAIN(NULL, NULL)
