/* Flushes caches (probe.h) with instructions for single lines. To evict lines by reading other
 * memory would be too slow, since some caches hold half a GiB. */
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
