/* Computes the sizes of a collective in pages: items, chunks and outputs. */
#include "collective_private.h"

enum { CHUNK_PAGES_MOST = 20 };

bool collective_adds(const struct collective_config *config)
{
	return config->op == COLLECTIVE_REDUCE_SCATTER || config->op == COLLECTIVE_ALL_REDUCE;
}

struct collective collective_of_pages(const struct collective_config *config)
{
	return (struct collective){.op = config->op,
		.element = ELEMENT_F32,
		.ring = config->ring,
		.devices = config->device_count,
		.links = config->links,
		.root = config->root,
		.elements = config->pages,
		.chunk_bytes = collective_chunk_pages(config) * sizeof(float)};
}

/* The largest number of pages that one device sends to another. */
static uint32_t item_pages(const struct collective_config *config)
{
	if (config->op == COLLECTIVE_ALL_GATHER || config->op == COLLECTIVE_BROADCAST)
		return config->pages;
	return (config->pages + config->device_count - 1) / config->device_count;
}

uint32_t collective_chunk_pages(const struct collective_config *config)
{
	uint32_t pages = (item_pages(config) + 1) / 2; /* each item is sent in two halves */

	if (config->chunk_pages > 0)
		return config->chunk_pages;
	pages = (pages + config->links - 1) / config->links / 2;
	return pages < 1 ? 1 : pages > CHUNK_PAGES_MOST ? CHUNK_PAGES_MOST : pages;
}

uint32_t collective_lanes(const struct collective_config *config)
{
	uint32_t workers = config->workers > 0 ? config->workers : collective_adds(config) ? 4 : 1;

	return config->links * workers;
}

uint64_t collective_output_pages(const struct collective_config *config)
{
	struct collective pages = collective_of_pages(config);

	return collective_result_elements(&pages, 0);
}

uint64_t collective_sums_pages(const struct collective_config *config)
{
	return collective_adds(config) ? 2 * (uint64_t)config->pages : 0;
}
