/* Reads and writes the headers of frames (frame.h). The fields are magic, version, kind, session,
 * sequence, credit and length. After an invalid header, a reader cannot find the next frame, so it
 * closes the connection. */
#include "transport/frame.h"

#include <stdio.h>
#include <string.h>

static const uint8_t magic[4] = {'m', 's', 'h', 'T'};

static void put(uint8_t *bytes, uint64_t value, int count)
{
	for (int i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *bytes, int count)
{
	uint64_t value = 0;

	for (int i = count; i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

void frame_write(const struct frame *frame, uint8_t *bytes)
{
	memcpy(bytes, magic, sizeof magic);
	put(bytes + 4, FRAME_VERSION, 2);
	put(bytes + 6, frame->kind, 2);
	put(bytes + 8, frame->session, 8);
	put(bytes + 16, frame->sequence, 8);
	put(bytes + 24, frame->credit, 4);
	put(bytes + 28, frame->length, 4);
}

enum frame_fault frame_read(const uint8_t *bytes, const struct frame_bounds *bounds,
	struct frame *frame, uint32_t *version)
{
	uint64_t kind = get(bytes + 6, 2);

	memset(frame, 0, sizeof *frame);
	*version = 0;
	if (memcmp(bytes, magic, sizeof magic) != 0)
		return FRAME_STRANGER;
	*version = (uint32_t)get(bytes + 4, 2);
	if (*version != FRAME_VERSION)
		return FRAME_OTHER_VERSION;
	frame->session = get(bytes + 8, 8);
	frame->sequence = get(bytes + 16, 8);
	frame->credit = (uint32_t)get(bytes + 24, 4);
	frame->length = (uint32_t)get(bytes + 28, 4);
	if (kind == 0 || kind >= FRAME_KIND_COUNT)
		return FRAME_BROKEN;
	frame->kind = (enum frame_kind)kind;
	if ((frame->kind == FRAME_CREDIT) != (frame->credit > 0) ||
		(frame->kind == FRAME_CREDIT && frame->length > 0))
		return FRAME_BROKEN;
	if (frame->session != bounds->session)
		return FRAME_OTHER_SESSION;
	if (frame->sequence != bounds->sequence)
		return FRAME_OUT_OF_ORDER;
	return frame->length > bounds->length_max ? FRAME_TOO_LONG : FRAME_GOOD;
}

const char *frame_fault_text(enum frame_fault fault)
{
	static const char *const texts[] = {
		[FRAME_GOOD] = "nothing",
		[FRAME_STRANGER] = "not a frame of meshsim",
		[FRAME_OTHER_VERSION] = "a frame of another version",
		[FRAME_OTHER_SESSION] = "a frame of another session",
		[FRAME_TOO_LONG] = "a frame that is too long",
		[FRAME_OUT_OF_ORDER] = "a frame out of order",
		[FRAME_BROKEN] = "a broken frame",
	};

	return texts[fault];
}

void frame_fault_print(enum frame_fault fault, uint32_t version, char text[FRAME_FAULT_BYTES])
{
	if (fault == FRAME_OTHER_VERSION)
		snprintf(text, FRAME_FAULT_BYTES, "%s: %u, and this is %d", frame_fault_text(fault),
			version, FRAME_VERSION);
	else
		snprintf(text, FRAME_FAULT_BYTES, "%s", frame_fault_text(fault));
}
