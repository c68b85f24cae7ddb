/* Command streams: building, patching and sharing. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/stream.h"
#include "world/native/native.h"

static struct prefetch_command prefetch_at(const struct command_stream *stream, uint64_t offset)
{
	uint8_t bytes[COMMAND_BYTES];
	struct prefetch_command command;

	assert_int_equal(command_stream_read(stream, offset, sizeof(bytes), bytes), STATUS_OK);
	assert_int_equal(prefetch_decode(bytes, &command), STATUS_OK);
	return command;
}

static struct dispatch_command dispatch_at(const struct command_stream *stream, uint64_t offset)
{
	uint8_t bytes[DISPATCH_HEADER_MAX] = {0};
	struct dispatch_command command;

	assert_int_equal(command_stream_read(stream, offset, COMMAND_BYTES, bytes), STATUS_OK);
	assert_int_equal(dispatch_decode(bytes, sizeof(bytes), &command), STATUS_OK);
	return command;
}

static const struct dispatch_command nothing = {.kind = DISPATCH_WAIT};
static const struct prefetch_command stall = {.kind = PREFETCH_STALL};

static struct dispatch_command write_of(uint32_t length)
{
	return (struct dispatch_command){
		.kind = DISPATCH_WRITE_LINEAR, .write_linear = {.length = length}};
}

TEST(inline_commands_are_counted_and_padded)
{
	struct dispatch_command write = write_of(5);
	struct command_stream stream;
	struct prefetch_command relay;
	uint8_t seen[32];

	command_stream_init(&stream, 77);
	assert_int_equal(command_stream_dispatch(&stream, &write), 16);
	assert_int_equal(command_stream_bytes(&stream, "abcde", 5), 32);
	assert_int_equal(command_stream_dispatch(&stream, &nothing), 48);
	assert_int_equal(command_stream_prefetch(&stream, &stall), 64);
	assert_int_equal(command_stream_dispatch(&stream, &nothing), 96);
	command_stream_finish(&stream);
	assert_int_equal(stream.bytes, 112);
	relay = prefetch_at(&stream, 0);
	assert_int_equal(relay.kind, PREFETCH_RELAY_INLINE);
	assert_int_equal(relay.relay_inline.length, 48);
	assert_int_equal(relay.relay_inline.operation, 77);
	assert_int_equal(relay.flags, 0);
	relay = prefetch_at(&stream, 80);
	assert_int_equal(relay.relay_inline.length, 16);
	assert_int_equal(relay.flags, PREFETCH_OPERATION_END);
	assert_int_equal(command_stream_read(&stream, 32, 16, seen), STATUS_OK);
	assert_memory_equal(seen, "abcde\0\0\0\0\0\0\0\0\0\0\0", 16);
	assert_int_equal(dispatch_at(&stream, 48).flags, 0);
	assert_int_equal(dispatch_at(&stream, 96).flags, DISPATCH_LAST);
	assert_int_equal(dispatch_at(&stream, 96).wait.operation, 77);
	command_stream_fini(&stream);
}

TEST(large_data_stay_where_they_are)
{
	enum { LENGTH = 10001 };
	struct dispatch_command write = write_of(LENGTH);
	struct extent *extent = extent_new(LENGTH);
	struct command_stream stream;
	uint8_t seen[LENGTH];

	memset(extent->bytes, 0xab, LENGTH);
	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	assert_int_equal(command_stream_data(&stream, span_of(extent), MEMORY_CACHED), 32);
	assert_int_equal(extent->references, 2);
	command_stream_finish(&stream);
	assert_int_equal(stream.bytes, 32 + 10016);
	assert_int_equal(command_stream_read(&stream, 32, LENGTH, seen), STATUS_OK);
	assert_memory_equal(seen, extent->bytes, LENGTH);
	command_stream_fini(&stream);
	assert_int_equal(extent->references, 1);
	extent_release(extent);
}

TEST(a_patch_never_changes_what_others_hold)
{
	struct dispatch_command write = write_of(64);
	uint8_t bytes[64] = {0}, seen[4];
	struct command_stream stream;
	uint64_t offset;
	struct span held;

	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	offset = command_stream_bytes(&stream, bytes, sizeof(bytes));
	command_stream_finish(&stream);
	held = stream.pieces[0].span;
	span_hold(held);
	command_stream_patch_word(&stream, offset + 8, 0x01020304);
	assert_ptr_not_equal(stream.pieces[0].span.extent, held.extent);
	assert_int_equal(held.extent->references, 1);
	assert_int_equal(bytes_get32(held.extent->bytes + held.offset + offset + 8), 0);
	assert_int_equal(command_stream_read(&stream, offset + 8, 4, seen), STATUS_OK);
	assert_int_equal(bytes_get32(seen), 0x01020304);
	span_release(held);
	held = stream.pieces[0].span;
	command_stream_patch_word(&stream, offset + 8, 5);
	assert_ptr_equal(stream.pieces[0].span.extent, held.extent);
	command_stream_fini(&stream);
}

TEST(an_operation_is_replaced_everywhere)
{
	struct dispatch_command go = {.kind = DISPATCH_GO};
	struct dispatch_command notify = {.kind = DISPATCH_NOTIFY_HOST};
	struct dispatch_command header = {.kind = DISPATCH_TRANSACTION};
	struct prefetch_command route = {
		.kind = PREFETCH_ROUTE, .route = {.tree = 2, .rect = {0, 0, 1, 1}, .length = 64}};
	struct command_stream stream;
	uint64_t at[3];

	command_stream_init(&stream, 1);
	command_stream_prefetch(&stream, &route);
	at[0] = command_stream_dispatch(&stream, &header);
	at[1] = command_stream_dispatch(&stream, &go);
	at[2] = command_stream_dispatch(&stream, &notify);
	command_stream_finish(&stream);
	command_stream_set_operation(&stream, 0xabcdef);
	assert_int_equal(prefetch_at(&stream, 0).route.operation, 0xabcdef);
	assert_int_equal(prefetch_at(&stream, 16).relay_inline.operation, 0xabcdef);
	assert_int_equal(dispatch_at(&stream, at[0]).transaction.operation, 0xabcdef);
	assert_int_equal(dispatch_at(&stream, at[1]).go.operation, 0xabcdef);
	assert_int_equal(dispatch_at(&stream, at[2]).notify_host.operation, 0xabcdef);
	assert_int_equal(stream.operation, 0xabcdef);
	command_stream_fini(&stream);
}

/* Thousands of small appends: no byte is lost where extents grow and end. */
TEST(long_streams_keep_every_byte)
{
	enum { COUNT = 20000 };
	struct dispatch_command write = write_of(20);
	uint64_t *offsets = malloc(COUNT * sizeof(*offsets));
	struct command_stream stream;
	uint8_t bytes[20];

	command_stream_init(&stream, 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		memset(bytes, (int)i, sizeof(bytes));
		bytes_put32(bytes, i);
		command_stream_dispatch(&stream, &write);
		offsets[i] = command_stream_bytes(&stream, bytes, sizeof(bytes));
	}
	command_stream_finish(&stream);
	assert_int_equal(stream.bytes, 16 + COUNT * 48);
	assert_int_equal(stream.commands, COUNT + 1);
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(command_stream_read(&stream, offsets[i], 20, bytes), STATUS_OK);
		assert_int_equal(bytes_get32(bytes), i);
		assert_int_equal(bytes[19], (uint8_t)i);
	}
	command_stream_fini(&stream);
	free(offsets);
}

TEST(work_is_charged_per_command_and_byte)
{
	struct dispatch_command write = write_of(20);
	struct work_counts before, after;
	struct command_stream stream;
	uint8_t bytes[20] = {0};

	native_world_counts(&before);
	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	command_stream_bytes(&stream, bytes, sizeof(bytes));
	command_stream_prefetch(&stream, &stall);
	command_stream_fini(&stream);
	native_world_counts(&after);
	assert_int_equal(after.units[WORK_BUILD_COMMAND] - before.units[WORK_BUILD_COMMAND], 3);
	assert_int_equal(after.units[WORK_BUILD_BYTES] - before.units[WORK_BUILD_BYTES], 20);
}

/* ---- streams of more than 4 GiB ---- */

/* The data are not simulated, so they take no memory. */
TEST(a_stream_of_more_than_4_gib_is_finished_and_read_at_its_end)
{
	const struct dispatch_command write = {
		.kind = DISPATCH_WRITE_LINEAR, .write_linear = {.length = 1 << 30}};
	const uint64_t each = (UINT64_C(1) << 30) + 2 * COMMAND_BYTES;
	struct command_stream stream;
	struct dispatch_command last;
	uint8_t bytes[DISPATCH_HEADER_MAX];
	uint64_t offset = 0;

	command_stream_init(&stream, 7);
	for (int i = 0; i < 5; i++) {
		struct span span = span_of(extent_new_elided(1 << 30));

		offset = command_stream_dispatch(&stream, &write);
		(void)command_stream_data(&stream, span, MEMORY_CACHED);
		span_release(span);
		command_stream_break(&stream);
	}
	command_stream_finish(&stream);
	check_equal(stream.bytes, 5 * each);
	check_equal(offset, 4 * each + COMMAND_BYTES);
	command_stream_set_operation(&stream, 9);
	assert_int_equal(
		command_stream_read(&stream, offset, dispatch_header_bytes(write.kind), bytes),
		STATUS_OK);
	assert_int_equal(
		dispatch_decode(bytes, dispatch_header_bytes(write.kind), &last), STATUS_OK);
	assert_int_equal(last.kind, DISPATCH_WRITE_LINEAR);
	assert_int_equal(last.flags & DISPATCH_LAST, DISPATCH_LAST);
	command_stream_fini(&stream);
}

int main(void)
{
	world = &native_world;
	device_row = &native_device;
	native_world_start(NULL);
	return TEST_RUN(NULL, NULL);
}
