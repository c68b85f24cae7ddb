/* The code that the fuzzers of all codecs share. It puts a valid frame header in front of the
 * input, so that the frame is not rejected before the codec decodes it. */
#include <string.h>

#include "wire_commands.h"

enum { AS_IT_IS = 0xff, INPUT_MAX = 1 << 20 };

void wire_fuzz(const char *name, const uint8_t *input, size_t size)
{
	static struct wire_rig rig;
	static uint8_t frame[WIRE_HEADER_BYTES + INPUT_MAX];
	const struct wire_codec *codec = wire_codec_find(name);
	size_t bytes = size - 1;

	if (!codec->ops || size == 0 || size > INPUT_MAX)
		return;
	rig.codec = codec;
	if (input[0] == AS_IT_IS) {
		wire_rig_try(&rig, input + 1, bytes);
		return;
	}
	memcpy(frame, "mshw", 4);
	frame[4] = WIRE_MAJOR;
	frame[5] = (uint8_t)codec->id;
	for (int i = 0; i < 4; i++)
		frame[8 + i] = (uint8_t)(bytes >> 8 * i);
	frame[12] = (uint8_t)(1 + input[0] % (WIRE_KIND_COUNT - 1));
	memcpy(frame + WIRE_HEADER_BYTES, input + 1, bytes);
	wire_rig_try(&rig, frame, WIRE_HEADER_BYTES + bytes);
}
