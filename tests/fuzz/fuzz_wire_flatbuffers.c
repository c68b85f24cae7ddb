/* Fuzzes the decoder of the codec `flatbuffers`. A command is either rejected, or its values are
 * within their bounds and are the same after it is encoded and decoded again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("flatbuffers", bytes, size);
	return 0;
}
