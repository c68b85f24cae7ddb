/* FlatBuffers without meshsim's own code, with a builder that reuses its memory. Decoding verifies
 * the frame and reads it in place, without converting it. */
#include <cstdlib>
#include <vector>

#include "commands_generated.h"
#include "wire_bare.h"

namespace
{
const struct wire_set_runtime_args *args;
flatbuffers::FlatBufferBuilder builder;

void init(const struct wire_set_runtime_args *given)
{
	args = given;
}

size_t encode()
{
	std::vector<flatbuffers::Offset<wire::ArgumentSet>> sets(args->sets.count);

	builder.Clear();
	for (uint32_t i = 0; i < args->sets.count; i++) {
		const struct wire_argument_set &set = args->sets.at[i];

		sets[i] = wire::CreateArgumentSet(
			builder, set.program, set.kernel, set.core, set.first, set.count);
	}
	auto offsets = builder.CreateVector(sets);
	auto words = builder.CreateVector(args->words.at, args->words.count);

	builder.Finish(wire::CreateSetRuntimeArgs(
		builder, args->number, args->queue, args->workload, offsets, words));
	return builder.GetSize();
}

void decode()
{
	flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());

	if (!verifier.VerifyBuffer<wire::SetRuntimeArgs>(nullptr) ||
		flatbuffers::GetRoot<wire::SetRuntimeArgs>(builder.GetBufferPointer())
				->words()
				->size() != args->words.count)
		std::abort();
}
} // namespace

const struct wire_bare wire_bare_flatbuffers = {"flatbuffers", init, encode, decode};
