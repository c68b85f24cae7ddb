/* Tests the messages of executors that were started with `meshsim executor`. A message of each kind
 * has the same contents after it is written and read. A damaged message is rejected. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "bench/run/enlist.h"
#include "bench/watcher/watcher.h"

static uint8_t payload[sizeof(struct work_counts) + sizeof(struct watched_processor)];

/* Bytes behind the text that a message of this kind may have. */
static uint32_t length_of(enum enlist_kind kind)
{
	switch (kind) {
	case ENLIST_MARKS:
		return 3 * ENLIST_MARK_BYTES;
	case ENLIST_PRINT:
		return 36;
	case ENLIST_FAULT:
		return 16;
	case ENLIST_LOG:
		return 12;
	case ENLIST_SEEN:
		return sizeof(struct watched_processor);
	case ENLIST_END:
		return sizeof(struct work_counts);
	default:
		return 0;
	}
}

static struct enlist message_of(enum enlist_kind kind)
{
	struct enlist message = {.kind = kind,
		.number = 0x01020304,
		.host = 31,
		.run = 77,
		.scenario = UINT64_C(0x1122334455667788),
		.identity = UINT64_C(0x99aabbccddeeff00),
		.session = UINT64_C(0x0f1e2d3c4b5a6978),
		.sent_ns = -1,
		.now_ns = INT64_MAX,
		.cpu_ns = 12345,
		.text = "10.0.0.1:7000",
		.bytes = payload,
		.length = length_of(kind)};

	for (int i = 0; i < ENLIST_NONCE_BYTES; i++)
		message.nonce[i] = (uint8_t)(200 + i);
	for (size_t i = 0; i < sizeof payload; i++)
		payload[i] = (uint8_t)(7 * i);
	return message;
}

TEST(a_message_of_every_kind_is_read_again)
{
	for (enum enlist_kind kind = ENLIST_REGISTER; kind < ENLIST_KIND_COUNT; kind++) {
		struct enlist message = message_of(kind), again;
		struct span span = enlist_write(&message);

		assert_true(enlist_read(span.extent->bytes, span.length, &again));
		assert_int_equal(again.kind, kind);
		assert_int_equal(again.length, message.length);
		assert_memory_equal(again.bytes, payload, message.length + !message.length);
		assert_string_equal(again.text, message.text);
		again.bytes = message.bytes;
		assert_memory_equal(&again, &message, sizeof message);
		span_release(span);
	}
}

TEST(a_message_that_is_cut_or_longer_is_none)
{
	for (enum enlist_kind kind = ENLIST_REGISTER; kind < ENLIST_KIND_COUNT; kind++) {
		struct enlist message = message_of(kind), again;
		struct span span = enlist_write(&message);
		uint8_t more[ENLIST_MESSAGE_BYTES_MAX];
		bool looks_whole;

		memcpy(more, span.extent->bytes, span.length);
		more[span.length] = 0;
		assert_false(enlist_read(more, span.length + 1, &again));
		for (uint32_t length = 0; length < span.length; length++) {
			uint32_t cut = span.length - length;

			/* fewer marks, or the end of the state of cores */
			looks_whole = (kind == ENLIST_MARKS && cut < message.length &&
					      cut % ENLIST_MARK_BYTES == 0) ||
				      (kind == ENLIST_SEEN && cut == message.length);
			assert_int_equal(enlist_read(more, length, &again), looks_whole);
		}
		span_release(span);
	}
}

TEST(what_no_end_sends_is_no_message)
{
	struct enlist message = message_of(ENLIST_REGISTER), again;
	struct span span = enlist_write(&message);
	uint8_t *bytes = span.extent->bytes, *text = bytes + span.length - strlen(message.text);
	const struct {
		const char *what;
		uint8_t *at, value;
	} damages[] = {
		{"kind 0", bytes, 0},
		{"an unknown kind", bytes, ENLIST_KIND_COUNT},
		{"a text longer than the message", text - 2, 14},
		{"a text of 1 KiB", text - 1, 4},
		{"an escape in a text", text, 27},
		{"a newline in a text", text, '\n'},
		{"a NUL in a text", text, 0},
	};

	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		uint8_t before = *damages[i].at;

		*damages[i].at = damages[i].value;
		if (enlist_read(bytes, span.length, &again))
			fail_msg("%s is taken", damages[i].what);
		*damages[i].at = before;
	}
	assert_true(enlist_read(bytes, span.length, &again));
	span_release(span);
}

TEST(log_lines_keep_their_values)
{
	const struct log_line line = {.at_ps = 7,
		.host = 2,
		.type = LOG_TYPE_COUNT - 1,
		.level = LOG_LEVEL_COUNT - 1,
		.thread = "host-2",
		.text = "executed ENQUEUE_PROGRAM"};
	struct span span = enlist_log(&line);
	struct enlist message;
	struct log_line again;

	assert_true(enlist_read(span.extent->bytes, span.length, &message));
	assert_true(enlist_is_log(&message, &again));
	assert_true(again.at_ps == 7 && again.host == 2 && again.type == line.type &&
		    again.level == line.level);
	assert_string_equal(again.thread, line.thread);
	assert_string_equal(again.text, line.text);
	span_release(span);
}

TEST(marks_prints_and_faults_keep_their_values)
{
	const struct enlist_mark mark = {INT64_C(1234567890123), 70000, 31, MARK_BUILT};
	const struct firmware_print print = {.at_ps = 5,
		.chip = 9,
		.tile = 80,
		.processor = "brisc",
		.operation = 4,
		.instruction = 12,
		.number = 7,
		.from = 3,
		.element = true,
		.value = 0xdeadbeef,
		.real = -0.5f};
	const struct firmware_fault fault = {.kind = FAULT_PROGRAM,
		.chip = 63,
		.tile = FAULT_ON_HOST,
		.stage = "trisc1",
		.address = 0x1000,
		.instruction = 99,
		.detail = "it reads\nbeyond its end"};
	uint8_t bytes[ENLIST_MARK_BYTES];
	struct enlist_mark mark_again;
	struct firmware_print print_again;
	struct firmware_fault fault_again;
	struct enlist message;
	struct span span;

	enlist_mark_write(&mark, bytes);
	assert_true(enlist_mark_read(bytes, &mark_again));
	assert_true(mark_again.time_ps == mark.time_ps && mark_again.operation == 70000 &&
		    mark_again.chip == 31 && mark_again.point == MARK_BUILT);
	bytes[ENLIST_MARK_BYTES - 2] = MARK_POINT_COUNT;
	assert_false(enlist_mark_read(bytes, &mark_again));

	span = enlist_print(&print);
	assert_true(enlist_read(span.extent->bytes, span.length, &message));
	assert_true(enlist_is_print(&message, &print_again));
	assert_string_equal(print_again.processor, "brisc");
	assert_true(print_again.at_ps == 5 && print_again.chip == 9 && print_again.tile == 80 &&
		    print_again.operation == 4 && print_again.instruction == 12 &&
		    print_again.number == 7 && print_again.from == 3 && print_again.element &&
		    print_again.value == 0xdeadbeef && print_again.real == -0.5f);
	span_release(span);

	span = enlist_fault(&fault);
	assert_true(enlist_read(span.extent->bytes, span.length, &message));
	assert_true(enlist_is_fault(&message, &fault_again));
	assert_string_equal(fault_again.stage, fault.stage);
	assert_string_equal(fault_again.detail, fault.detail);
	assert_true(fault_again.kind == FAULT_PROGRAM && fault_again.chip == 63 &&
		    fault_again.tile == FAULT_ON_HOST && fault_again.address == 0x1000 &&
		    fault_again.instruction == 99);
	span_release(span);
}

TEST_MAIN(NULL, NULL)
