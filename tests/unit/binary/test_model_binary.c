/* Tests model binaries. A binary that was written can be read again. Any other bytes are rejected
 * with a reason. */
#include "binary/model_binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "test.h"
#include "world/device.h"

enum { ELEMENTS = 32 * 32 };

/* A binary of one program that adds a constant to its input. */
struct small {
	struct model_binary binary;
	struct model_tensor tensors[3];
	struct model_operation operation;
	struct model_program program;
	struct model_values constant, golden[2];
	uint32_t input, output;
	float values[ELEMENTS];
};

static struct chip_geometry geometry(void)
{
	return (struct chip_geometry){.worker_rows = 8,
		.worker_columns = 8,
		.dram_bank_count = 12,
		.l1_bytes = 1 << 20,
		.dram_bank_bytes = 1 << 30};
}

static void small_init(struct small *small)
{
	struct chip_geometry chip = geometry();
	const struct model_tensor tensor = {.rank = 2, .shape = {32, 32}, .element = ELEMENT_BF16};

	*small = (struct small){.tensors = {tensor, tensor, tensor}, .input = 1, .output = 2};
	for (uint32_t i = 0; i < ELEMENTS; i++)
		small->values[i] = (float)i / 8;
	small->tensors[0].name = "weight";
	small->tensors[1].name = "x";
	small->tensors[2].name = "y";
	small->operation = (struct model_operation){
		.name = "sum", .kind = "add", .port_count = 3, .ports = {1, 0, 2}, .line = 7};
	small->program = (struct model_program){
		"forward", false, 1, 1, 1, &small->input, &small->output, &small->operation};
	small->constant = (struct model_values){0, 0, ELEMENTS, small->values};
	small->golden[0] = (struct model_values){1, 0, ELEMENTS, small->values};
	small->golden[1] = (struct model_values){2, 0.5f, ELEMENTS, small->values};
	small->binary = (struct model_binary){.name = "small",
		.tensor_count = 3,
		.program_count = 1,
		.constant_count = 1,
		.golden_count = 2,
		.tensors = small->tensors,
		.programs = &small->program,
		.constants = &small->constant,
		.golden = small->golden,
		.file = "small.yaml",
		.source = "name: small"};
	model_system_init(&small->binary.system, "n150", 1, 1, &chip);
}

static struct text small_bytes(void)
{
	struct small *small = malloc(sizeof *small);
	struct text bytes = {0}, why = {0};

	small_init(small);
	if (model_binary_write(&small->binary, &bytes, &why) != STATUS_OK)
		fail_msg("%s", text_string(&why));
	free(small);
	return bytes;
}

/* Reads a model binary, and returns the status. After an error, the reason must contain `part`. */
static enum status read_status(const void *bytes, size_t count, const char *part)
{
	const struct model_binary *binary;
	struct arena arena = {0};
	struct text why = {0};
	enum status status = model_binary_read(bytes, count, &arena, &why, &binary);

	if (status != STATUS_OK && (binary || !strstr(text_string(&why), part)))
		fail_msg("the reason is '%s', not '%s'", text_string(&why), part);
	text_fini(&why);
	arena_fini(&arena);
	return status;
}

static void what_is_written_is_read(void **state)
{
	struct text bytes = small_bytes();
	const struct model_binary *binary;
	struct arena arena = {0};

	(void)state;
	assert_int_equal(
		model_binary_read(bytes.bytes, bytes.length, &arena, NULL, &binary), STATUS_OK);
	assert_string_equal(binary->name, "small");
	assert_string_equal(binary->system.platform, "n150");
	assert_int_equal(binary->tensor_count, 3);
	assert_string_equal(binary->tensors[2].name, "y");
	assert_int_equal(binary->tensors[2].shape[1], 32);
	assert_int_equal(binary->tensors[0].element, ELEMENT_BF16);
	assert_string_equal(binary->programs[0].operations[0].kind, "add");
	assert_int_equal(binary->programs[0].operations[0].ports[1], 0);
	assert_int_equal(binary->programs[0].operations[0].line, 7);
	assert_int_equal(binary->programs[0].inputs[0], 1);
	assert_true(binary->constants[0].values[9] == 9.0f / 8);
	assert_true(binary->golden[1].tolerance == 0.5f);
	assert_string_equal(binary->source, "name: small");
	arena_fini(&arena);
	text_fini(&bytes);
}

static void the_same_model_gives_the_same_bytes(void **state)
{
	struct text first = small_bytes(), second = small_bytes();

	(void)state;
	assert_int_equal(first.length, second.length);
	assert_memory_equal(first.bytes, second.bytes, first.length);
	text_fini(&first);
	text_fini(&second);
}

static void each_changed_bit_is_refused(void **state)
{
	struct text bytes = small_bytes();
	struct stream stream;

	(void)state;
	stream_init(&stream, 1, "bits");
	for (uint32_t i = 0; i < 20000; i++) {
		uint64_t bit = i < 512 ? i : stream_next(&stream) % (8 * bytes.length);

		bytes.bytes[bit / 8] = (char)(bytes.bytes[bit / 8] ^ 1 << bit % 8);
		if (read_status(bytes.bytes, bytes.length, "") == STATUS_OK)
			fail_msg("bit %llu of %zu bytes was changed, and nobody saw it",
				(unsigned long long)bit, bytes.length);
		bytes.bytes[bit / 8] = (char)(bytes.bytes[bit / 8] ^ 1 << bit % 8);
	}
	assert_int_equal(read_status(bytes.bytes, bytes.length, ""), STATUS_OK);
	text_fini(&bytes);
}

static void truncated_files_are_refused(void **state)
{
	struct text bytes = small_bytes();

	(void)state;
	for (size_t count = 0; count < bytes.length; count += count < 256 ? 1 : 13) {
		char *part = malloc(count + 1); /* so that sanitizers see reads behind the end */

		memcpy(part, bytes.bytes, count);
		assert_int_equal(
			read_status(part, count, count < 8 ? "no model binary" : "truncated"),
			STATUS_INVALID);
		free(part);
	}
	text_fini(&bytes);
}

static void foreign_files_are_refused(void **state)
{
	static const char *const foreign[] = {"", "MSMB", "\x89HDF\r\n\x1a\n0000000000000000",
		"meshsim_graph: 1\nname: small\n",
		"\x7f"
		"ELF\x02\x01\x01"};

	(void)state;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		assert_int_equal(
			read_status(foreign[i], strlen(foreign[i]), "it is no model binary"),
			STATUS_INVALID);
}

/* Returns the position of the version in a file. The version consists of the 16-bit numbers 1, 0, 0
 * and 0, and is followed by the checksum. */
static size_t version_at(const struct text *bytes)
{
	static const char version[8] = {MODEL_BINARY_MAJOR};
	size_t at = 8;

	while (memcmp(bytes->bytes + at, version, sizeof version) != 0)
		at += 4;
	return at;
}

static void other_versions_are_refused(void **state)
{
	struct text bytes = small_bytes();
	size_t at = version_at(&bytes);

	(void)state;
	bytes.bytes[at] = MODEL_BINARY_MAJOR + 1;
	assert_int_equal(read_status(bytes.bytes, bytes.length,
				 "it has version 2.0 of the format, but this meshsim reads 1.0"),
		STATUS_UNSUPPORTED);
	bytes.bytes[at] = MODEL_BINARY_MAJOR;
	bytes.bytes[at + 2] = MODEL_BINARY_MINOR + 1;
	model_binary_seal((uint8_t *)bytes.bytes, bytes.length);
	assert_int_equal(
		read_status(bytes.bytes, bytes.length, "it has version 1.1"), STATUS_UNSUPPORTED);
	bytes.bytes[at + 2] = MODEL_BINARY_MINOR;
	bytes.bytes[at + 4] = 9; /* a patch does not matter */
	model_binary_seal((uint8_t *)bytes.bytes, bytes.length);
	assert_int_equal(read_status(bytes.bytes, bytes.length, ""), STATUS_OK);
	text_fini(&bytes);
}

static void another_machine_is_refused(void **state)
{
	struct chip_geometry chip = geometry(), other = geometry();
	struct model_system built, there;
	struct text why = {0};

	(void)state;
	other.dram_bank_count = 8;
	model_system_init(&built, "n150", 1, 2, &chip);
	model_system_init(&there, "other", 1, 2, &chip);
	assert_int_equal(model_system_check(&built, &there, NULL), STATUS_OK);
	model_system_init(&there, "other", 2, 2, &other);
	assert_int_equal(model_system_check(&built, &there, &why), STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&why),
		"it was built for another machine (n150, here other): 1 rows of devices, here 2; "
		"12 DRAM banks, here 8");
	text_fini(&why);
}

/* ---- contradictions ---- */

static void unknown_tensor(struct small *small)
{
	small->operation.ports[1] = 3;
}

static void read_too_early(struct small *small)
{
	small->operation.ports[1] = 2;
}

static void written_twice(struct small *small)
{
	small->operation.ports[2] = 0;
}

static void output_not_written(struct small *small)
{
	small->operation.ports[2] = 2;
	small->program.input_count = 0;
	small->operation.ports[0] = 0;
	small->output = 1;
}

static void too_few_values(struct small *small)
{
	small->constant.count--;
}

static void values_twice(struct small *small)
{
	small->golden[1].tensor = 1;
}

static void no_rank(struct small *small)
{
	small->tensors[1].rank = 0;
}

static void too_large(struct small *small)
{
	small->tensors[1].shape[0] = small->tensors[1].shape[1] = 1 << 20;
}

static void divided_unevenly(struct small *small)
{
	struct chip_geometry chip = geometry();

	model_system_init(&small->binary.system, "n150", 1, 3, &chip);
	small->tensors[1].split = MODEL_COLUMNS;
}

static void summands_as_input(struct small *small)
{
	small->tensors[1].split = MODEL_PARTIAL;
	small->binary.golden_count = 0;
}

static void other_hash(struct small *small)
{
	small->binary.system.dram_banks++;
}

static void constants_with_inputs(struct small *small)
{
	small->program.constant = true;
}

static void escape_in_a_name(struct small *small)
{
	small->tensors[1].name = "x\033[31m";
}

static void bad_tolerance(struct small *small)
{
	small->golden[1].tolerance = -1;
}

static void no_programs(struct small *small)
{
	small->binary.program_count = 0;
}

static void contradictions_are_refused(void **state)
{
	static const struct {
		void (*change)(struct small *small);
		const char *why;
	} rows[] = {
		{unknown_tensor, "operation 'sum' names tensor 3, but there are 3"},
		{read_too_early,
			"operation 'sum' reads tensor 'y', which nothing before has written"},
		{written_twice, "operation 'sum' writes tensor 'weight' a second time"},
		{output_not_written, "output 'x' of program 'forward' is never written"},
		{too_few_values, "constant of tensor 'weight': 1023 values for 1024 elements"},
		{values_twice, "golden value of tensor 'x' occurs twice"},
		{no_rank, "tensor 'x' has 0 dimensions, but allowed are 1 to 4"},
		{too_large, "tensor 'x' has more than 67108864 elements"},
		{divided_unevenly, "tensor 'x': 32 columns do not divide among 3 devices"},
		{summands_as_input, "tensor 'x' of program 'forward' has split partial, which the "
				    "host cannot write or read"},
		{other_hash, "the description of its machine contradicts its hash"},
		{constants_with_inputs, "program 'forward' computes constants, but has inputs"},
		{escape_in_a_name, "tensor 1 has no proper name"},
		{bad_tolerance, "golden value of tensor 'y' has a tolerance of -1"},
		{no_programs, "3 tensors, 0 programs, 0 operations, 1 constants, 2 golden values "
			      "are too many or none"},
	};
	struct small *small = malloc(sizeof *small);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text why = {0}, bytes = {0};

		small_init(small);
		rows[i].change(small);
		assert_int_equal(model_binary_write(&small->binary, &bytes, &why), STATUS_INVALID);
		assert_string_equal(text_string(&why), rows[i].why);
		text_fini(&why);
		text_fini(&bytes);
	}
	free(small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(the_same_model_gives_the_same_bytes),
		cmocka_unit_test(each_changed_bit_is_refused),
		cmocka_unit_test(truncated_files_are_refused),
		cmocka_unit_test(foreign_files_are_refused),
		cmocka_unit_test(other_versions_are_refused),
		cmocka_unit_test(another_machine_is_refused),
		cmocka_unit_test(contradictions_are_refused),
	};

	if (!model_binary_available())
		return 77; /* this build has no FlatBuffers */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
