/* Computes the sizes of a collective in pages: items, chunks and outputs. */
#include "collective_private.h"

enum { CHUNK_PAGES_MOST = 20, WORKERS_MOST = 4 };

bool collective_adds(const struct collective_config *config)
{
	return config->op == COLLECTIVE_REDUCE_SCATTER || config->op == COLLECTIVE_ALL_REDUCE;
}

struct collective collective_of_pages(const struct collective_config *config)
{
	return (struct collective){.op = config->op,
		.element = ELEMENT_F32,
		.ring = config->ring,
		.one_way = config->one_way,
		.devices = config->device_count,
		.links = config->links,
		.root = config->root,
		.elements = config->pages,
		.chunk_bytes = collective_chunk_pages(config) * sizeof(float)};
}

/* Returns the largest number of pages that one device sends to another. */
static uint32_t item_pages(const struct collective_config *config)
{
	if (config->op == COLLECTIVE_ALL_GATHER || config->op == COLLECTIVE_BROADCAST)
		return config->pages;
	return (config->pages + config->device_count - 1) / config->device_count;
}

/* Returns the number of pages that one link carries of half an item. On a ring, the two halves of
 * an item go in different directions. On a one-way ring, both go the same way, so the function
 * returns the pages that a link carries of a whole item. */
static uint32_t half_pages(const struct collective_config *config)
{
	uint32_t pages = item_pages(config);

	if (!config->ring || !config->one_way)
		pages = (pages + 1) / 2;
	return (pages + config->links - 1) / config->links;
}

/* Returns the number of pages in a chunk: the configured number, or else a default, which is at
 * most CHUNK_PAGES_MOST. While a device adds one chunk, the next chunk should already be on its
 * way, so at least two chunks of an item should go in each direction. So the default is half of
 * half_pages(). There is one exception: on a line, both halves of an item go in the same direction,
 * so the default for collectives that add is half_pages(). */
uint32_t collective_chunk_pages(const struct collective_config *config)
{
	uint32_t pages = half_pages(config) / (config->ring || !collective_adds(config) ? 2 : 1);

	if (config->chunk_pages > 0)
		return config->chunk_pages;
	return pages < 1 ? 1 : pages > CHUNK_PAGES_MOST ? CHUNK_PAGES_MOST : pages;
}

/* Returns the number of workers for one direction, of all links together. Chunks are assigned to
 * these workers in turn. If the collective does not add, the default is 1 worker for each link. If
 * it adds, the default is the number of chunks of a link if chunks had CHUNK_PAGES_MOST pages, but
 * 1 to WORKERS_MOST: more workers would only wait for each other more often. */
uint32_t collective_lanes(const struct collective_config *config)
{
	uint32_t pages = half_pages(config) * (config->ring ? 1 : 2);
	uint32_t workers = (pages + CHUNK_PAGES_MOST - 1) / CHUNK_PAGES_MOST;

	if (config->workers > 0)
		workers = config->workers;
	else if (!collective_adds(config) || workers < 1)
		workers = 1;
	else if (workers > WORKERS_MOST)
		workers = WORKERS_MOST;
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
