/* Tests model binaries. A binary that was written can be read again. Any other bytes are rejected
 * with a reason. */
#include "binary/model_binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "small_binary.h"
#include "test.h"

static struct text small_bytes(void)
{
	struct small *small = malloc(sizeof *small);
	struct text bytes = {0}, why = {0};

	small_with_cost(small);
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
	const struct model_cost *cost;
	struct arena arena = {0};

	(void)state;
	assert_int_equal(
		model_binary_read(bytes.bytes, bytes.length, &arena, NULL, &binary), STATUS_OK);
	assert_string_equal(binary->name, "small");
	assert_string_equal(binary->system.platform, "n150");
	assert_int_equal(binary->tensor_count, 4);
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
	assert_null(binary->programs[0].operations[0].cost);
	assert_non_null(binary->programs[1].operations[0].cost);
	cost = binary->programs[1].operations[0].cost;
	assert_int_equal(cost->cycles, 1350);
	assert_int_equal(cost->ns, 1000);
	assert_int_equal(cost->kernel_bytes, 512);
	assert_int_equal(cost->slots, 2);
	assert_int_equal(cost->slot_rows, 1);
	assert_int_equal(cost->slot_columns, 2);
	assert_string_equal(cost->bound, "DRAM");
	assert_int_equal(cost->matrix_cycles, 1);
	assert_int_equal(cost->vector_cycles, 2);
	assert_int_equal(cost->dram_bytes, 3);
	assert_int_equal(cost->noc_bytes, 4);
	assert_int_equal(cost->link_bytes, 5);
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

/* Returns the position of the version in a file. The version consists of the 16-bit numbers 1, 1, 0
 * and 0, and is followed by the checksum. */
static size_t version_at(const struct text *bytes)
{
	static const char version[8] = {MODEL_BINARY_MAJOR, 0, MODEL_BINARY_MINOR};
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
	assert_int_equal(
		read_status(bytes.bytes, bytes.length,
			"it has version 2.1 of the format, but this meshsim reads 1.0 to 1.1"),
		STATUS_UNSUPPORTED);
	bytes.bytes[at] = MODEL_BINARY_MAJOR;
	bytes.bytes[at + 2] = MODEL_BINARY_MINOR + 1;
	model_binary_seal((uint8_t *)bytes.bytes, bytes.length);
	assert_int_equal(
		read_status(bytes.bytes, bytes.length, "it has version 1.2"), STATUS_UNSUPPORTED);
	bytes.bytes[at + 2] = MODEL_BINARY_MINOR;
	bytes.bytes[at + 4] = 9; /* a patch does not matter */
	model_binary_seal((uint8_t *)bytes.bytes, bytes.length);
	assert_int_equal(read_status(bytes.bytes, bytes.length, ""), STATUS_OK);
	text_fini(&bytes);
}

static void another_machine_is_refused(void **state)
{
	struct chip_geometry chip = small_geometry(), other = small_geometry();
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
	};

	if (!model_binary_available())
		return 77; /* this build has no FlatBuffers */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
