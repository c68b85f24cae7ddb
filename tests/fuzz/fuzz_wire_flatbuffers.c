/* Fuzzes commands that FlatBuffers reads. They are rejected, or their values are in bounds and stay
 * the same if they are written and read again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("flatbuffers", bytes, size);
	return 0;
}
