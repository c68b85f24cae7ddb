/* Allocates places in the kernel cache, which is the ring in every prefetcher's L1 that holds
 * kernel binaries. Each new place follows the previous place. Callers must not ask for more bytes
 * than the cache has. */
#include "mesh/device/config_ring.h"

#include "base/ensure.h"

bool kernel_cache_take(struct kernel_cache *cache, uint32_t bytes, uint64_t *place)
{
	uint32_t at;

	ensure(bytes > 0 && bytes <= cache->bytes, "%u B in a kernel cache of %u B", bytes,
		cache->bytes);
	if (*place != KERNEL_CACHE_NEVER && cache->end - *place <= cache->bytes)
		return true;
	at = kernel_cache_offset(cache, cache->end);
	if (at + bytes > cache->bytes)
		cache->end += cache->bytes - at;
	*place = cache->end;
	cache->end += bytes;
	return false;
}

void kernel_cache_forget(struct kernel_cache *cache)
{
	if (cache->bytes > 0)
		cache->end += 2 * (uint64_t)cache->bytes - cache->end % cache->bytes;
}
