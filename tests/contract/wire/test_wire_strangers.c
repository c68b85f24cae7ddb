/* Tests message bodies that no codec writes. The bodies are made by hand, and state larger sizes
 * than they have. Each is rejected with the right status, and decoding uses no more memory than any
 * command may use. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "wire_commands.h"

enum { BODY_MAX = 1 << 20 };

struct stranger {
	_Alignas(WIRE_ALIGN) uint8_t bytes[WIRE_HEADER_BYTES + BODY_MAX];
	size_t used;
};

static struct stranger stranger;

static void begin(const struct wire_codec *codec, enum wire_kind kind)
{
	memset(stranger.bytes, 0, WIRE_HEADER_BYTES);
	memcpy(stranger.bytes, "mshw", 4);
	stranger.bytes[4] = WIRE_MAJOR;
	stranger.bytes[5] = (uint8_t)codec->id;
	stranger.bytes[12] = (uint8_t)kind;
	stranger.used = WIRE_HEADER_BYTES;
}

static void say(const void *bytes, size_t count)
{
	memcpy(stranger.bytes + stranger.used, bytes, count);
	stranger.used += count;
}

static void say_number(int width, uint64_t value)
{
	for (int i = 0; i < width; i++)
		stranger.bytes[stranger.used++] = (uint8_t)(value >> 8 * i);
}

static void expect(const struct wire_codec *codec, enum status expected)
{
	size_t body = stranger.used - WIRE_HEADER_BYTES;
	struct wire_rig rig;

	for (int i = 0; i < 4; i++)
		stranger.bytes[8 + i] = (uint8_t)(body >> 8 * i);
	wire_rig_init(&rig, codec);
	check_status(wire_rig_try(&rig, stranger.bytes, stranger.used), expected);
	wire_rig_fini(&rig);
}

/* Returns the codec of this name. Skips the test if the codec is not in this build. */
static const struct wire_codec *codec_of(const char *name)
{
	const struct wire_codec *codec = wire_codec_find(name);

	if (!codec->ops)
		skip();
	return codec;
}

/* ---- packed ---- */

/* Decodes a command ENQUEUE_RECORD_EVENT. The command refers to its list of ranges by the given
 * offset, count and record size. The 8 bytes of one range follow the command. */
static enum status ranges_at(uint32_t offset, uint32_t count, uint32_t record_bytes)
{
	const struct wire_codec *packed = wire_codec_find("packed");
	struct wire_command command;
	struct wire_rig rig;
	enum status status;

	begin(packed, WIRE_record_event);
	say_number(4, 8 + 4 + 8 + 1 + 12);
	say_number(8, 1);
	say_number(4, 0);
	say_number(8, 1);
	say_number(1, 0);
	say_number(4, offset);
	say_number(4, count);
	say_number(4, record_bytes);
	say_number(3, 0);
	say_number(8, 0x0004000300020001);
	stranger.bytes[8] = (uint8_t)(stranger.used - WIRE_HEADER_BYTES);
	wire_rig_init(&rig, packed);
	status = wire_rig_decode(&rig, stranger.bytes, stranger.used, &command, NULL);
	wire_rig_fini(&rig);
	return status;
}

TEST(a_packed_reference_stays_in_the_body)
{
	check_status(ranges_at(40, 1, 8), STATUS_OK);
	check_status(ranges_at(0, 6, 8), STATUS_OK); /* overlaps other fields */
	check_status(ranges_at(41, 1, 8), STATUS_INVALID);
	check_status(ranges_at(40, 2, 8), STATUS_INVALID);
	check_status(ranges_at(40, 1, 9), STATUS_INVALID);
	check_status(ranges_at(UINT32_MAX, 1, 1), STATUS_INVALID);
	check_status(ranges_at(0, 1024, UINT32_MAX), STATUS_INVALID);
	check_status(ranges_at(40, 1, UINT32_MAX), STATUS_INVALID);
	check_status(ranges_at(40, 1024, 0), STATUS_INVALID);
	check_status(ranges_at(40, 1025, 8), STATUS_OUT_OF_RANGE);
	check_status(ranges_at(UINT32_MAX, 0, 0), STATUS_OK); /* an empty list may be anywhere */
}

/* ---- msgpack ---- */

TEST(msgpack_counts_are_of_what_is_there)
{
	const uint8_t numbers[] = {1, 0, 2, 0};
	const uint8_t huge_array[] = {0xdd, 0xff, 0xff, 0xff, 0xff};
	const uint8_t huge_map[] = {0xdf, 0xff, 0xff, 0xff, 0xff};
	const uint8_t huge_bytes[] = {0xc6, 0xff, 0xff, 0xff, 0xff};
	const uint8_t *const huge[] = {huge_array, huge_map, huge_bytes};
	const struct wire_codec *msgpack = codec_of("msgpack");

	for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
		begin(msgpack, WIRE_record_event);
		say(huge[i], 5);
		expect(msgpack, STATUS_INVALID);
		/* in the place of the ranges, followed by as many bytes as possible */
		begin(msgpack, WIRE_record_event);
		say("\x95", 1);
		say(numbers, sizeof numbers);
		say(huge[i], 5);
		memset(stranger.bytes + stranger.used, 0x90, BODY_MAX / 2);
		stranger.used += BODY_MAX / 2;
		expect(msgpack, STATUS_INVALID);
	}
}

TEST(msgpack_in_a_deep_hole_is_refused)
{
	const struct wire_codec *msgpack = codec_of("msgpack");

	begin(msgpack, WIRE_enqueue_finish);
	memset(stranger.bytes + stranger.used, 0x91, 100000);
	stranger.used += 100000;
	say("\x01", 1);
	expect(msgpack, STATUS_INVALID);
}

TEST(msgpack_of_another_type_is_refused)
{
	const char *const bodies[] = {"\x93\x01\xa1x\x02", "\x93\x01\xff\x02", "\x93\x01\x90\x02",
		"\x93\x01\xc3\x02", "\x01", "\x81\x01\x02", "\x93\x01\x01\xc1", "\x92\x01\x01\x01"};
	const struct wire_codec *msgpack = codec_of("msgpack");

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		begin(msgpack, WIRE_enqueue_finish);
		say(bodies[i], strlen(bodies[i]));
		expect(msgpack, STATUS_INVALID);
	}
}

/* ---- protobuf ---- */

TEST(protobuf_with_more_records_than_any_command_is_out_of_range)
{
	const struct wire_codec *protobuf = codec_of("protobuf");

	begin(protobuf, WIRE_enqueue_program);
	for (int i = 0; i < 1025; i++)
		say("\x3a\x00", 2); /* an empty kernel */
	expect(protobuf, STATUS_OUT_OF_RANGE);
	while (stranger.used < sizeof stranger.bytes - 2)
		say("\x3a\x00", 2);
	expect(protobuf, STATUS_OUT_OF_RANGE);
}

/* ---- flatbuffers ---- */

TEST(flatbuffers_that_point_outside_are_refused)
{
	const struct wire_codec *flatbuffers = codec_of("flatbuffers");

	for (uint32_t root = 0; root < 64; root++) {
		begin(flatbuffers, WIRE_enqueue_finish);
		say_number(4, root * 0x08000001);
		say_number(8, UINT64_MAX);
		expect(flatbuffers, STATUS_INVALID);
	}
}

TEST_MAIN(NULL, NULL)
