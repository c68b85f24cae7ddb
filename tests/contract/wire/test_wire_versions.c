/* Tests frames of other minor versions, with every codec. If a newer writer has more fields or
 * longer records, the reader uses the part that it knows. If an older writer does not have some
 * fields, the reader sets these fields to 0. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "next.h"
#include "wire_commands.h"

struct other_frame {
	_Alignas(WIRE_ALIGN) uint8_t bytes[4096];
	size_t length;
};

/* Makes a body with the header of version 1.`minor`. */
static void frame_make(struct other_frame *frame, const struct wire_codec *codec, uint8_t minor)
{
	const struct next_writer *writer = next_writer_of(codec->entry.name);
	const uint8_t header[NEXT_HEADER_BYTES] = {'m', 's', 'h', 'w', WIRE_MAJOR,
		(uint8_t)codec->id, minor, 0, 0, 0, 0, 0, WIRE_record_event, 0, 0, 0};
	size_t bytes;

	check(writer, "nobody writes other versions of %s", codec->entry.name);
	bytes = (minor > WIRE_MINOR ? writer->newer : writer->older)(
		frame->bytes + NEXT_HEADER_BYTES, sizeof frame->bytes - NEXT_HEADER_BYTES);
	memcpy(frame->bytes, header, sizeof header);
	frame->bytes[8] = (uint8_t)bytes;
	frame->bytes[9] = (uint8_t)(bytes >> 8);
	frame->length = NEXT_HEADER_BYTES + bytes;
}

static void what_a_newer_version_added_is_skipped(void **codec)
{
	const struct wire_range expected[NEXT_RANGES] = {{11, 12, 13, 14}, {15, 16, 17, 18}};
	const struct wire_command same = {.kind = WIRE_record_event,
		.record_event = {.number = NEXT_NUMBER,
			.queue = NEXT_QUEUE,
			.event = NEXT_EVENT,
			.reach = NEXT_REACH,
			.ranges = {expected, NEXT_RANGES},
			.operation = NEXT_OPERATION}};
	struct wire_command command;
	struct other_frame frame;
	struct wire_rig rig;
	struct text why = {0};

	wire_rig_init(&rig, *codec);
	frame_make(&frame, *codec, WIRE_MINOR + 1);
	check(wire_rig_decode(&rig, frame.bytes, frame.length, &command, &why) == STATUS_OK, "%s",
		text_string(&why));
	check(!wire_difference(&same, &command), "%s differs", wire_difference(&same, &command));
	/* it is longer than what this version writes, so something was skipped */
	wire_rig_encode(&rig, &same);
	check_less(rig.bytes, frame.length);
	text_fini(&why);
	wire_rig_fini(&rig);
}

static void what_an_older_version_lacks_is_zero(void **codec)
{
	const struct wire_command same = {.kind = WIRE_record_event,
		.record_event = {.number = NEXT_NUMBER, .queue = NEXT_QUEUE}};
	struct wire_command command;
	struct other_frame frame;
	struct wire_rig rig;
	struct text why = {0};

	wire_rig_init(&rig, *codec);
	frame_make(&frame, *codec, 0);
	check(wire_rig_decode(&rig, frame.bytes, frame.length, &command, &why) == STATUS_OK, "%s",
		text_string(&why));
	check(!wire_difference(&same, &command), "%s differs", wire_difference(&same, &command));
	text_fini(&why);
	wire_rig_fini(&rig);
}

static void no_damage_to_a_newer_frame_does_harm(void **codec)
{
	struct other_frame frame;
	struct wire_rig rig;

	wire_rig_init(&rig, *codec);
	frame_make(&frame, *codec, WIRE_MINOR + 1);
	for (size_t at = 0; at < frame.length; at++)
		for (int bit = 0; bit < 8; bit++) {
			frame.bytes[at] ^= (uint8_t)(1 << bit);
			wire_rig_try(&rig, frame.bytes, frame.length);
			frame.bytes[at] ^= (uint8_t)(1 << bit);
		}
	wire_rig_fini(&rig);
}

int main(void)
{
	static const struct wire_case cases[] = {
		WIRE_CASE(what_a_newer_version_added_is_skipped),
		WIRE_CASE(what_an_older_version_lacks_is_zero),
		WIRE_CASE(no_damage_to_a_newer_frame_does_harm),
	};

	return wire_cases_run("wire versions", cases, sizeof cases / sizeof cases[0]);
}
