/* Fuzzes commands that msgpack-c reads. A command is either rejected, or its values are in bounds
 * and do not change when it is written and read again. */
#include "wire_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	wire_fuzz("msgpack", bytes, size);
	return 0;
}
