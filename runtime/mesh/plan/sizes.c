/* Sizes of the memory that the runtime reserves. A size is either configured or a default, and is
 * rounded to a size that queues or pages can have. Constants of the machine are not here, because
 * platforms define them. */
#include "mesh/plan/plan.h"

#include "mesh/defaults.h"

enum {
	DRAM_ALIGNMENT_DEFAULT = 32,
	L1_ALIGNMENT_DEFAULT = 16,
	DIRECT_RUN_DEFAULT = 32768,
};

#define QUEUE_BYTES_MAX (UINT64_C(2) << 30)

static uint32_t queue_bytes(uint64_t bytes, uint64_t otherwise)
{
	if (bytes == 0)
		bytes = otherwise;
	if (bytes > QUEUE_BYTES_MAX)
		bytes = QUEUE_BYTES_MAX;
	return (uint32_t)(window_pages(bytes));
}

uint32_t sizes_issue_queue(const struct mesh_config *config)
{
	uint64_t bytes = config->sizes.issue_queue_bytes;
	uint64_t least = UINT64_C(2) * config->limits->fetch_entry_bytes;

	if (bytes != 0 && bytes < least)
		bytes = least;
	return queue_bytes(bytes, MESH_DEFAULT_ISSUE_QUEUE_BYTES);
}

uint32_t sizes_kernel_cache(const struct mesh_config *config)
{
	return config->kernel_cache ? config->limits->cache_bytes : 0;
}

uint32_t sizes_completion_queue(const struct mesh_config *config)
{
	return queue_bytes(
		config->sizes.completion_queue_bytes, MESH_DEFAULT_COMPLETION_QUEUE_BYTES);
}

uint32_t sizes_binary_page(const struct mesh_config *config)
{
	uint32_t bytes = config->sizes.binary_page_bytes;
	uint32_t alignment = sizes_page_alignment(config, BUFFER_DRAM);

	if (bytes == 0)
		bytes = MESH_DEFAULT_BINARY_PAGE_BYTES;
	return (bytes + alignment - 1) / alignment * alignment;
}

uint32_t sizes_page_alignment(const struct mesh_config *config, enum buffer_type type)
{
	uint32_t bytes = config->sizes.page_alignment_bytes;

	if (bytes == 0)
		bytes = buffer_type_in_dram(type) || type == BUFFER_SYSTEM ? DRAM_ALIGNMENT_DEFAULT
									   : L1_ALIGNMENT_DEFAULT;
	return bytes;
}

uint32_t sizes_direct_run(const struct mesh_config *config)
{
	uint32_t bytes = config->sizes.direct_run_bytes;

	return bytes ? bytes : DIRECT_RUN_DEFAULT;
}

enum memory_kind sizes_user_memory(const struct mesh_config *config, uint64_t bytes)
{
	return bytes <= config->sizes.cached_bytes ? MEMORY_CACHED : MEMORY_UNCACHED_SOURCE;
}

uint32_t sizes_pool_threads(const struct mesh_config *config)
{
	return config->host.count ? config->host.count : MESH_DEFAULT_POOL_THREADS;
}
