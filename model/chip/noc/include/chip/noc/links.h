/* `model.noc: links`: the links between the routers of a chip's two NoCs. A transfer occupies the
 * links of its path one after another, each one hop later than the previous link. If a link is
 * busy, the transfer waits in the router before this link. When the buffer of this router is full,
 * it waits one router earlier, or at its source. Transfers of a source do not overtake each other
 * on their way. A multicast does not wait on its way: it starts so late that every link of its tree
 * is free when the multicast reaches it. On a torus, NoC 0 routes right, then down; NoC 1 routes
 * up, then left. Single words use no links, because they pass between the flits of other transfers.
 * Times are in ps. */
#ifndef CHIP_LINKS_H
#define CHIP_LINKS_H

#include "chip/machine/cluster.h"

struct departure; /* chip/device/departure.c */

enum { NOC_COUNT = 2 };

/* The links of a path in order, or the links of a multicast's tree. */
struct noc_way {
	uint32_t count;
	struct noc_step {
		uint16_t link; /* number of the link, see sim_noc_link() */
		uint8_t hops;  /* number of hops of the path before this link */
	} * steps;	       /* links of the path; has space for all links of a NoC */
};

/* An interval during which a link is in use. */
struct noc_hold {
	int64_t from_ps, until_ps;
};

/* The end of a stream's last transfer over a link. Transfers of a stream do not overtake each other
 * on a link: they have come to it on the same path. */
struct noc_turn {
	uint32_t stream; /* number of the source's tile, times NOC_STREAMS, plus the stream */
	int64_t until_ps;
};

struct noc_link {
	struct noc_hold *holds; /* holds that have not ended yet, sorted by time, disjoint */
	uint32_t count, capacity;
	struct noc_turn *turns; /* turns that have not ended yet, one for each stream */
	uint32_t turn_count, turn_capacity;
	int64_t forgotten_ps; /* end of the last hold that was removed from `holds` */
	int64_t busy_ps, waited_ps;
	uint64_t bytes, messages;
};

/* The two streams of data that leave a tile: data that the tile sends, and answers to reads of the
 * tile's memory. The transfers of a stream leave one after another. */
enum noc_stream { NOC_SENDS, NOC_ANSWERS, NOC_STREAMS };

/* A tile that sends transfers. */
struct noc_source {
	int64_t free_ps[NOC_COUNT][NOC_STREAMS]; /* end of the last transfer */
	struct departure *first, *last;		 /* operations that wait for the NIU or for links */
};

/* The links and the sending tiles of one chip. */
struct noc_links {
	struct noc_link *links; /* [number of the link]; NULL: no transfer has used the links yet */
	struct noc_source *sources;
};

struct sim_links {
	struct noc_links *chips;
	struct noc_way way; /* working memory: the path of the present request */
	uint32_t *seen;	    /* [link] number of the last tree that contains the link */
	uint32_t trees;
	int64_t *at_ps, *least_ps; /* working memory, for each link of `way`: the time at which
				    * the first byte enters the link, and the earliest time at
				    * which the byte could enter it */
	struct sim_pool departures;
};

/* The bytes of a transfer, and the time in which the source can send them: from `first_ps` to
 * `first_ps` + `takes_ps`, if no other transfer uses the links. */
struct noc_load {
	int64_t first_ps, takes_ps;
	uint64_t bytes; /* bytes with headers */
	enum noc_stream stream;
	bool tree; /* the transfer is a multicast */
};

/* Create and free cluster->links, which is NULL before and after. */
void sim_links_open(struct cluster *cluster);
void sim_links_close(struct cluster *cluster);

/* Returns the number of the link that leaves the router at (x, y), along its row if `column` is 0,
 * or along its column if `column` is 1. */
static inline uint16_t sim_noc_link(
	const struct sim_grid *grid, uint32_t noc, uint32_t x, uint32_t y, uint32_t column)
{
	return (uint16_t)(((y * grid->columns + x) * NOC_COUNT + noc) * 2 + column);
}

static inline uint32_t sim_noc_link_count(const struct sim_grid *grid)
{
	return (uint32_t)grid->columns * grid->rows * NOC_COUNT * 2;
}

/* Both functions write links of NoC `noc` to *way. sim_way_unicast() writes the path between two
 * tiles. sim_way_multicast() writes the tree of a multicast, which is the union of the paths to its
 * tiles. way->steps must have space for all links of a NoC. */
void sim_way_unicast(
	const struct sim_grid *grid, uint32_t noc, uint16_t from, uint16_t to, struct noc_way *way);
void sim_way_multicast(struct sim_links *links, const struct sim_grid *grid, uint32_t noc,
	const struct sim_multicast *multicast, struct noc_way *way);

/* Reserves the links of the path for the transfer. The transfer leaves after earlier transfers of
 * the same stream, source and NoC, and may wait on its way for busy links. Returns load->first_ps
 * plus the sum of the transfer's waits. */
int64_t sim_links_take(struct device *device, uint32_t noc, uint16_t from,
	const struct noc_way *way, const struct noc_load *load);

/* Like sim_links_take(), for the path from tile `from` to tile `to`. If `from` or `to` is
 * TILE_AT_NONE, reserves nothing and returns load->first_ps. */
int64_t sim_links_pass(struct device *device, uint32_t noc, uint16_t from, uint16_t to,
	const struct noc_load *load);

/* Returns the NoC on which the path between the tiles has fewer hops. */
uint32_t sim_links_nearer(const struct device *device, uint16_t from, uint16_t to);

static inline struct noc_source *sim_links_source(const struct device *device, uint16_t tile)
{
	return &device->cluster->links->chips[device->number].sources[tile];
}

#endif
