/* Commands that a stranger wrote, read by the codec packed: bounded values or a refusal, and what
 * is read comes back when it is written again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("packed", bytes, size);
	return 0;
}
