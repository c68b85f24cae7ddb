/* Fuzzes the headers of frames, which strangers may send, and the messages of executors that were
 * started with `meshsim executor`. A header is decoded or rejected, and decoding does not read past
 * the header. If a decoded header is encoded again, the bytes are the same. */
#include <string.h>

#include "base/ensure.h"
#include "bench/run/enlist.h"
#include "transport/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void look_inside(struct enlist *message)
{
	const uint8_t *bytes = message->bytes;
	struct firmware_print print;
	struct firmware_fault fault;
	struct enlist_mark mark;

	for (uint32_t at = 0; message->kind == ENLIST_MARKS && at < message->length;
		at += ENLIST_MARK_BYTES)
		if (enlist_mark_read(bytes + at, &mark))
			ensure(mark.point < MARK_POINT_COUNT, "point %d", (int)mark.point);
	if (message->kind == ENLIST_PRINT && enlist_is_print(message, &print))
		ensure(strlen(print.processor) < ENLIST_TEXT_BYTES, "a processor");
	if (message->kind == ENLIST_FAULT && enlist_is_fault(message, &fault))
		ensure(strlen(fault.stage) + strlen(fault.detail) < ENLIST_TEXT_BYTES, "a fault");
}

/* A message that was read is written as the same bytes, and its parts are plain. */
static void fuzz_message(const uint8_t *bytes, size_t size)
{
	struct enlist message;
	struct span again;

	if (size > UINT32_MAX || !enlist_read(bytes, (uint32_t)size, &message))
		return;
	again = enlist_write(&message);
	ensure(again.length == size && memcmp(again.extent->bytes, bytes, size) == 0,
		"a message changed");
	span_release(again);
	look_inside(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct frame_bounds bounds = {.length_max = 4096};
	uint8_t again[FRAME_HEADER_BYTES];
	struct frame frame;
	uint32_t version;

	fuzz_message(bytes, size);
	for (size_t at = 0; size - at >= FRAME_HEADER_BYTES; at += FRAME_HEADER_BYTES) {
		enum frame_fault fault;

		memcpy(&bounds.session, bytes + at + 8, 8);
		memcpy(&bounds.sequence, bytes + at + 16, 8);
		fault = frame_read(bytes + at, &bounds, &frame, &version);
		ensure(frame_fault_text(fault)[0], "fault %d has no text", (int)fault);
		if (fault != FRAME_GOOD)
			continue;
		ensure(frame.length <= bounds.length_max, "%u B", frame.length);
		frame_write(&frame, again);
		ensure(memcmp(again, bytes + at, sizeof again) == 0, "a header changed");
	}
	return 0;
}
