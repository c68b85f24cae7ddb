/* Tables of another minor version, written with FlatBuffers. */
#include <cstdlib>
#include <cstring>
#include <vector>

#include "next.h"
#include "next_generated.h"

namespace
{
size_t copy(const flatbuffers::FlatBufferBuilder &builder, uint8_t *body, size_t room)
{
	if (builder.GetSize() > room)
		std::abort();
	std::memcpy(body, builder.GetBufferPointer(), builder.GetSize());
	return builder.GetSize();
}

size_t newer(uint8_t *body, size_t room)
{
	flatbuffers::FlatBufferBuilder builder;
	std::vector<flatbuffers::Offset<next::Range>> ranges;
	std::vector<uint8_t> note = {1, 2, 3};
	std::vector<uint32_t> words = {4, 5, 6};

	for (uint16_t i = 0; i < NEXT_RANGES; i++) {
		uint16_t first = uint16_t(NEXT_FIRST + 4 * i);

		ranges.push_back(next::CreateRange(builder, first, uint16_t(first + 1),
			uint16_t(first + 2), uint16_t(first + 3), UINT32_MAX));
	}
	builder.Finish(next::CreateNewerDirect(builder, NEXT_NUMBER, NEXT_QUEUE, NEXT_EVENT,
		NEXT_REACH, &ranges, NEXT_OPERATION, UINT64_MAX, &note, &ranges, &words));
	return copy(builder, body, room);
}

size_t older(uint8_t *body, size_t room)
{
	flatbuffers::FlatBufferBuilder builder;

	builder.Finish(next::CreateOlder(builder, NEXT_NUMBER, NEXT_QUEUE));
	return copy(builder, body, room);
}
} // namespace

const struct next_writer next_flatbuffers = {"flatbuffers", newer, older};
