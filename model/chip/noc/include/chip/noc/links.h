/* `model.noc: links`: the links between the routers of a chip's two NoCs. Each link is a server. A
 * transfer starts when all links of its path are free for it, each one hop later than the one
 * before, and then holds them. On a torus, NoC 0 routes right, then down; NoC 1 up, then left.
 * Words take no links: they pass between the flits of others. Times in ps. */
#ifndef CHIP_LINKS_H
#define CHIP_LINKS_H

#include "chip/machine/cluster.h"

struct departure; /* chip/device/departure.c */

enum { NOC_COUNT = 2 };

/* The links of a path in order, or those of a multicast's tree. */
struct noc_way {
	uint32_t count;
	struct noc_step {
		uint16_t link; /* sim_noc_link() */
		uint8_t hops;  /* before it */
	} * steps;	       /* as many as there are links on a NoC */
};

/* An interval during which a link is taken. */
struct noc_hold {
	int64_t from_ps, until_ps;
};

struct noc_link {
	struct noc_hold *holds; /* not yet past, in order of time, disjoint */
	uint32_t count, capacity;
	int64_t forgotten_ps; /* end of the last past hold */
	int64_t busy_ps, waited_ps;
	uint64_t bytes, messages;
};

/* Streams of data that leave a tile: its own sends, and answers to reads of its memory. Within a
 * stream transfers leave one after the other. */
enum noc_stream { NOC_SENDS, NOC_ANSWERS, NOC_STREAMS };

/* A tile as the source of transfers. */
struct noc_source {
	int64_t free_ps[NOC_COUNT][NOC_STREAMS]; /* time by which its last transfer has left */
	struct departure *first, *last;		 /* waiting for the NIU or for links */
};

/* Of one chip. */
struct noc_links {
	struct noc_link *links; /* NULL: nothing went over them yet */
	struct noc_source *sources;
};

struct sim_links {
	struct noc_links *chips;
	struct noc_way way; /* scratch: the path of the present request */
	uint32_t *seen;	    /* by link: the last tree that has it */
	uint32_t trees;
	struct sim_pool departures;
};

/* Bytes that a source would send from `first_ps` on for `takes_ps`, without contention. */
struct noc_load {
	int64_t first_ps, takes_ps;
	uint64_t bytes; /* with headers */
	enum noc_stream stream;
};

/* Create and free cluster->links, which is NULL before and after. */
void sim_links_open(struct cluster *cluster);
void sim_links_close(struct cluster *cluster);

/* The link that leaves the router at (x, y) along its row (`column` 0) or its column (1). */
static inline uint16_t sim_noc_link(
	const struct sim_grid *grid, uint32_t noc, uint32_t x, uint32_t y, uint32_t column)
{
	return (uint16_t)(((y * grid->columns + x) * NOC_COUNT + noc) * 2 + column);
}

static inline uint32_t sim_noc_link_count(const struct sim_grid *grid)
{
	return (uint32_t)grid->columns * grid->rows * NOC_COUNT * 2;
}

/* The path of a NoC from one tile to another, and that of a multicast: the union of the paths to
 * its tiles. *way has room for all links of a NoC. */
void sim_way_unicast(
	const struct sim_grid *grid, uint32_t noc, uint16_t from, uint16_t to, struct noc_way *way);
void sim_way_multicast(struct sim_links *links, const struct sim_grid *grid, uint32_t noc,
	const struct sim_multicast *multicast, struct noc_way *way);

/* Takes the links of the path. Returns the time at which the first byte leaves the source, which is
 * after the source's earlier transfers over this NoC in this stream. */
int64_t sim_links_take(struct device *device, uint32_t noc, uint16_t from,
	const struct noc_way *way, const struct noc_load *load);

/* The same between two tiles. If either is TILE_AT_NONE, takes no links. */
int64_t sim_links_pass(struct device *device, uint32_t noc, uint16_t from, uint16_t to,
	const struct noc_load *load);

/* The NoC with fewer hops between the tiles. */
uint32_t sim_links_nearer(const struct device *device, uint16_t from, uint16_t to);

static inline struct noc_source *sim_links_source(const struct device *device, uint16_t tile)
{
	return &device->cluster->links->chips[device->number].sources[tile];
}

#endif
