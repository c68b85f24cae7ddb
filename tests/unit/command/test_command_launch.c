/* Launch messages, go words, kernels, completion records and checksums: round trips and errors. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "command/completion.h"
#include "command/kernel.h"

TEST(go_words_hold_all_their_fields)
{
	struct go go = {.run = 0xfedc, .idle = true, .slot = 5, .group = 9, .tile = 200};
	struct go seen = go_decode(go_encode(go));

	assert_int_equal(seen.run, 0xfedc);
	assert_true(seen.idle);
	assert_int_equal(seen.slot, 5);
	assert_int_equal(seen.group, 9);
	assert_int_equal(seen.tile, 200);
}

TEST(a_later_go_is_greater_also_when_runs_wrap)
{
	static const uint16_t runs[] = {0, 1, 77, 0x7fff, 0x8000, 0xfffe, 0xffff};

	for (uint32_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		uint32_t same = go_encode((struct go){
			.run = runs[i], .idle = true, .slot = 7, .group = 15, .tile = 255});
		uint32_t next = go_encode((struct go){.run = (uint16_t)(runs[i] + 1)});

		assert_true((int32_t)(same - go_after(runs[i])) < 0);
		assert_true((int32_t)(next - go_after(runs[i])) >= 0);
	}
}

static struct launch_message sample(void)
{
	struct launch_sizes sizes = {.common_bytes = 20,
		.unique_bytes = 65520,
		.circular_buffers = CIRCULAR_BUFFERS_MAX,
		.semaphores = SEMAPHORES_MAX};
	struct launch_message message = {.program = 1,
		.operation = 2,
		.processors = 0x15,
		.config_base = 0x10000,
		.kernel_base = 0x20000,
		.kernel_offset = {0, 0, 32, 0, 64},
		.run = LAUNCH_RUN_MAX - 1,
		.spread = 0x8001};

	assert_int_equal(launch_lay_out(&sizes, &message), 32 + 512 + 256 + 65520);
	return message;
}

TEST(launch_messages_read_as_they_were_written)
{
	struct launch_message message = sample(), seen;
	uint8_t bytes[LAUNCH_BYTES], again[LAUNCH_BYTES];

	launch_encode(&message, bytes);
	assert_int_equal(launch_decode(bytes, &seen), STATUS_OK);
	assert_int_equal(seen.unique_offset, 32 + 512 + 256);
	assert_int_equal(seen.unique_bytes, 65520);
	assert_int_equal(seen.common_bytes, 20);
	assert_int_equal(seen.kernel_offset[4], 64);
	assert_int_equal(seen.run, LAUNCH_RUN_MAX - 1);
	assert_int_equal(seen.spread, 0x8001);
	assert_int_equal(seen.circular_buffers, CIRCULAR_BUFFERS_MAX);
	launch_encode(&seen, again);
	assert_memory_equal(bytes, again, sizeof(bytes));
	assert_int_equal(bytes_get32(bytes + LAUNCH_CONFIG_BASE), 0x10000);
	assert_int_equal(bytes_get32(bytes + LAUNCH_KERNEL_BASE), 0x20000);
	assert_int_equal(bytes_get32(bytes + LAUNCH_OPERATION), 2);
}

TEST(malformed_launch_messages_are_refused)
{
	static const struct {
		uint32_t at;
		uint8_t value;
		enum status expected;
	} cases[] = {
		{0, 0, STATUS_INVALID},		 /* magic */
		{12, 0x20, STATUS_OUT_OF_RANGE}, /* sixth processor */
		{13, 33, STATUS_OUT_OF_RANGE},
		{14, 17, STATUS_OUT_OF_RANGE},
		{15, 3, STATUS_OUT_OF_RANGE}, /* pages of a pipeline */
		{16, 1, STATUS_INVALID},      /* base */
		{24 + 4, 16, STATUS_INVALID}, /* processor without a kernel */
		{24 + 8, 33, STATUS_INVALID},
	};
	struct launch_message message = sample(), seen;
	uint8_t bytes[LAUNCH_BYTES];

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		launch_encode(&message, bytes);
		bytes[cases[i].at] = cases[i].value;
		assert_int_equal(launch_decode(bytes, &seen), cases[i].expected);
	}
}

TEST(an_image_holds_its_kernels)
{
	struct kernel kernels[] = {
		{.processor = PROCESSOR_NCRISC,
			.flags = KERNEL_COPIED,
			.steps = 1,
			.cycles = 77,
			.text_bytes = 100},
		{.processor = PROCESSOR_TRISC2, .steps = 9, .cycles = 1, .text_bytes = 0},
		{.processor = PROCESSOR_BRISC,
			.steps = 65535,
			.cycles = (UINT64_C(1) << 48) - 1,
			.text_bytes = 16},
	};
	uint32_t length = kernel_image_bytes(kernels, 3);
	uint8_t *image = malloc(length);
	struct launch_message message = {0};

	assert_int_equal(length, 3 * KERNEL_HEADER_BYTES + 112 + 16);
	kernel_image_write(kernels, 3, 5, image, &message);
	assert_int_equal(message.processors, 1 << PROCESSOR_NCRISC | 1 << PROCESSOR_TRISC2 | 1);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t at = message.kernel_offset[kernels[i].processor];
		struct kernel seen;

		assert_int_equal(kernel_decode(image + at, &seen), STATUS_OK);
		assert_int_equal(seen.processor, kernels[i].processor);
		assert_int_equal(seen.flags, kernels[i].flags);
		assert_int_equal(seen.steps, kernels[i].steps);
		assert_true(seen.cycles == kernels[i].cycles);
		assert_true(at + seen.text_offset + seen.text_bytes <= length);
	}
	free(image);
}

TEST(malformed_kernels_are_refused)
{
	static const struct {
		uint32_t at;
		uint8_t value;
		enum status expected;
	} cases[] = {
		{0, 0, STATUS_INVALID},
		{4, 5, STATUS_OUT_OF_RANGE},
		{5, 2, STATUS_INVALID},
		{6, 0, STATUS_OUT_OF_RANGE},
		{14, 1, STATUS_OUT_OF_RANGE},
		{16, 1, STATUS_INVALID},
		{20, 1, STATUS_INVALID},
		{23, 1, STATUS_OUT_OF_RANGE},
		{31, 1, STATUS_INVALID},
	};
	struct kernel kernel = {.steps = 1}, seen;
	uint8_t bytes[KERNEL_HEADER_BYTES];

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		kernel_encode(&kernel, bytes);
		assert_int_equal(kernel_decode(bytes, &seen), STATUS_OK);
		bytes[cases[i].at] = cases[i].value;
		assert_int_equal(kernel_decode(bytes, &seen), cases[i].expected);
	}
}

TEST(a_checksum_changes_with_every_bit_and_place)
{
	enum { BYTES = 133 };
	uint8_t unique[BYTES] = {0}, common[BYTES] = {0};
	uint32_t before;

	for (uint32_t i = 0; i < BYTES; i++)
		unique[i] = common[i] = (uint8_t)(i * 7);
	before = launch_checksum(unique, BYTES, common, BYTES);
	assert_int_equal(launch_checksum(unique, BYTES, common, BYTES), before);
	for (uint32_t bit = 0; bit < 8 * BYTES; bit++) {
		uint8_t *changed = bit % 2 ? unique : common;

		changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_int_not_equal(launch_checksum(unique, BYTES, common, BYTES), before);
		changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	assert_int_not_equal(launch_checksum(unique, BYTES - 1, common, BYTES), before);
	assert_int_not_equal(
		launch_checksum(unique, BYTES, NULL, 0), launch_checksum(NULL, 0, common, BYTES));
	unique[0] = common[8];
	unique[8] = common[0];
	assert_int_not_equal(launch_checksum(unique, BYTES, common, BYTES), before);
}

TEST(completion_records_read_as_they_were_written)
{
	static const struct completion_record records[] = {
		{COMPLETION_DATA, 1, 2, 3, 1u << 30, 0},
		{COMPLETION_DIRECT, 1, 2, 3, 5, 0x1234567890},
		{COMPLETION_EVENT, 0xffff, 0xffffffff, 0xffffffff, 0, 0},
		{COMPLETION_SLOT, 0, 0, 7, 0, 0xfffffffffffffff0},
	};

	for (uint32_t i = 0; i < 4; i++) {
		uint8_t bytes[COMPLETION_BYTES], again[COMPLETION_BYTES];
		struct completion_record seen;

		completion_encode(&records[i], bytes);
		assert_int_equal(completion_decode(bytes, &seen), STATUS_OK);
		assert_int_equal(seen.tag, records[i].tag);
		assert_true(seen.address == records[i].address);
		completion_encode(&seen, again);
		assert_memory_equal(bytes, again, sizeof(bytes));
		bytes[1] = 1;
		assert_int_equal(completion_decode(bytes, &seen), STATUS_INVALID);
	}
}

TEST(random_bytes_are_refused_or_canonical)
{
	struct stream random;

	stream_init(&random, 2, "launch");
	for (uint32_t i = 0; i < 300000; i++) {
		uint8_t bytes[LAUNCH_BYTES], again[LAUNCH_BYTES];
		struct launch_message message;
		struct completion_record record;
		struct kernel kernel;

		for (uint32_t at = 0; at < sizeof(bytes); at += 8)
			bytes_put64(bytes + at, i % 3 ? stream_next(&random) & 0x00f0000000f000f0
						      : stream_next(&random));
		bytes_put32(bytes, i % 2 ? LAUNCH_MAGIC : KERNEL_MAGIC);
		if (launch_decode(bytes, &message) == STATUS_OK) {
			launch_encode(&message, again);
			assert_memory_equal(bytes, again, LAUNCH_BYTES);
		}
		if (kernel_decode(bytes, &kernel) == STATUS_OK) {
			kernel_encode(&kernel, again);
			assert_memory_equal(bytes, again, KERNEL_HEADER_BYTES);
		}
		bytes[0] %= COMPLETION_KIND_COUNT;
		if (completion_decode(bytes, &record) == STATUS_OK) {
			completion_encode(&record, again);
			assert_memory_equal(bytes, again, COMPLETION_BYTES);
		}
	}
}

TEST_MAIN(NULL, NULL)
