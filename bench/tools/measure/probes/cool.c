/* Evicts data from the caches (probe.h), with instructions for single cache lines. Reading other
 * memory instead would be too slow, because some caches have half a GiB. */
#include "probe.h"

#if defined(__x86_64__)
enum { LINE = 64 };

bool cool(const void *memory, uint64_t bytes)
{
	const char *at = memory;

	for (uint64_t i = 0; i < bytes; i += LINE)
		__builtin_ia32_clflush(at + i);
	__builtin_ia32_mfence();
	return true;
}
#else
bool cool(const void *memory, uint64_t bytes)
{
	(void)memory;
	(void)bytes;
	return false;
}
#endif
