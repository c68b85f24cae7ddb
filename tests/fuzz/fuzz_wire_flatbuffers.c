/* Commands that a stranger wrote, read by FlatBuffers: bounded values or a refusal, and what is
 * read comes back when it is written again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("flatbuffers", bytes, size);
	return 0;
}
