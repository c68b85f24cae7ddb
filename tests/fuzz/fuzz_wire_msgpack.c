/* Commands that a stranger wrote, read by msgpack-c: bounded values or a refusal, and what is
 * read comes back when it is written again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("msgpack", bytes, size);
	return 0;
}
