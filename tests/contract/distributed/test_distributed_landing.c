/* timeout: 300
 * Tests writes whose data the devices read directly from the memory into which the transport
 * received them. The data must reach the devices correctly. If codec and transport allow it, the
 * host does not copy a write that fits into one message. Otherwise the host copies the write and
 * counts the copied bytes. The tests run in the native world. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hosts_case.h"
#include "transport/rows.h"

enum { BYTES = 1 << 15, WRITES = 70, COMMANDS = 1 << 15 /* copied, too */ };

static struct hosts_case hosts;
static uint8_t data[2][BYTES], back[BYTES];

static struct hosts_choice choice_of(const char *transport, const char *codec)
{
	return (struct hosts_choice){.transport = transport,
		.codec = codec,
		.resolution = "controller",
		.pipeline = "stages",
		.executor_threads = true,
		.receive = "pinned",
		.hosts = 1,
		.rows = 1,
		.columns = 2};
}

static void write_often(struct handle_buffer *buffer, uint32_t times, bool blocking)
{
	const struct handle_call call = {.blocking = blocking}, now = {.blocking = true};
	const struct handle_ops *ops = hosts.handle->ops;

	for (uint32_t i = 0; i < times; i++)
		check_status(ops->write(hosts.handle, call, buffer, data[i % 2]), STATUS_OK);
	check_status(ops->read(hosts.handle, now, buffer, back), STATUS_OK);
	check(memcmp(back, data[(times - 1) % 2], BYTES) == 0, "%u writes: other bytes", times);
}

/* The bytes that all threads have copied into pinned memory. */
static uint64_t copied(struct hosts_choice choice, uint64_t bytes, uint32_t times, bool blocking)
{
	const struct mesh_layout layout = {.size_bytes = bytes};
	const struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct handle_buffer *buffer;
	struct work_counts counts;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	check_status(hosts.handle->ops->buffer_new(hosts.handle, &layout, &config, NULL, &buffer),
		STATUS_OK);
	mesh_case_fill(data[0], bytes, 1);
	mesh_case_fill(data[1], bytes, 2);
	write_often(buffer, times, blocking);
	hosts.handle->ops->buffer_free(buffer);
	hosts_case_close(&hosts, STATUS_OK);
	hosts_case_work(&hosts, &counts);
	return counts.copied_bytes[MEMORY_CACHED][MEMORY_PINNED];
}

TEST(writes_of_one_message_are_not_copied)
{
	static const char *const transports[] = {"tcp", "unix"};
	struct hosts_choice others = choice_of("tcp", "protobuf");

	for (uint32_t i = 0; i < 2; i++) {
		uint64_t landed = copied(choice_of(transports[i], "packed"), BYTES, WRITES, true);

		if (wire_codec_find("protobuf")->ops != NULL)
			check_equal(copied(others, BYTES, WRITES, true),
				landed + (uint64_t)WRITES * BYTES);
	}
}

/* There are more writes than places for data that need no copy; the remaining writes are copied. */
TEST(writes_that_nobody_waits_for_are_whole)
{
	static const char *const transports[] = {"tcp", "unix", "zeromq"};

	for (uint32_t i = 0; i < 3; i++)
		if (transport_find(transports[i])->ops != NULL)
			check_at_most(
				copied(choice_of(transports[i], "packed"), BYTES, WRITES, false),
				(uint64_t)WRITES * BYTES + COMMANDS);
}

TEST_MAIN(NULL, NULL)
