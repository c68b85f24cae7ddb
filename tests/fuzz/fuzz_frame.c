/* Fuzzes the headers of frames, which a stranger may send. A header is decoded or rejected, and
 * decoding reads no further than the header. A decoded header is encoded to the same bytes. */
#include <string.h>

#include "base/ensure.h"
#include "transport/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct frame_bounds bounds = {.length_max = 4096};
	uint8_t again[FRAME_HEADER_BYTES];
	struct frame frame;
	uint32_t version;

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
