/* Links between routers (links.h): paths, and reservations of links. A transfer to one tile waits
 * for each link of its path in the router before the link. The bytes that arrive during the wait
 * fill this router's buffer. When the buffer is full, the transfer waits one router earlier, or at
 * its source. A multicast waits at its source until all its links are free at the times at which it
 * needs them. While a multicast waits, other transfers may use its links if they finish in time. A
 * message of several packets keeps its links from the first packet to the last. */
#include "chip/noc/links.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void sim_links_open(struct cluster *cluster)
{
	uint32_t most = 0;
	struct sim_links *links = allocate(1, sizeof *links);

	links->chips = allocate(cluster->info->chip_count, sizeof *links->chips);
	for (uint16_t i = 0; i < cluster->info->chip_count; i++) {
		const struct sim_grid *grid = cluster->chips[i].grid;

		links->chips[i].sources = allocate(grid->tile_count, sizeof(struct noc_source));
		if (sim_noc_link_count(grid) > most)
			most = sim_noc_link_count(grid);
	}
	ensure(most <= UINT16_MAX, "%u links on a chip", most);
	links->way.steps = allocate(most, sizeof *links->way.steps);
	links->seen = allocate(most, sizeof *links->seen);
	links->at_ps = allocate(most, sizeof *links->at_ps);
	links->least_ps = allocate(most, sizeof *links->least_ps);
	cluster->links = links;
}

void sim_links_close(struct cluster *cluster)
{
	struct sim_links *links = cluster->links;

	if (links == NULL)
		return;
	for (uint16_t i = 0; i < cluster->info->chip_count; i++) {
		struct noc_links *chip = &links->chips[i];

		for (uint32_t k = 0;
			chip->links != NULL && k < sim_noc_link_count(cluster->chips[i].grid);
			k++) {
			free(chip->links[k].holds);
			free(chip->links[k].turns);
		}
		free(chip->links);
		free(chip->sources);
	}
	free(links->chips);
	free(links->way.steps);
	free(links->seen);
	free(links->at_ps);
	free(links->least_ps);
	free(links);
	cluster->links = NULL;
}

/* ---- paths ---- */

/* A position on a NoC while a path is computed. */
struct walk {
	const struct sim_grid *grid;
	uint32_t noc;
	uint32_t x, y;
	uint8_t hops;
};

static void step(struct walk *walk, bool column)
{
	uint32_t *at = column ? &walk->y : &walk->x;
	uint32_t size = column ? walk->grid->rows : walk->grid->columns;

	walk->hops++;
	if (walk->noc == 0)
		*at = *at + 1 < size ? *at + 1 : 0;
	else
		*at = *at > 0 ? *at - 1 : size - 1;
}

/* Appends the links from `walk` to a tile, except the links that the tree has already. */
static void go(struct walk walk, const struct tile_info *to, uint32_t *seen, uint32_t tree,
	struct noc_way *way)
{
	bool column = walk.noc == 1;

	while (walk.x != to->x || walk.y != to->y) {
		uint16_t link;

		if (column ? walk.y == to->y : walk.x == to->x)
			column = !column;
		link = sim_noc_link(walk.grid, walk.noc, walk.x, walk.y, column);
		if (seen == NULL || seen[link] != tree)
			way->steps[way->count++] = (struct noc_step){link, walk.hops};
		if (seen != NULL)
			seen[link] = tree;
		step(&walk, column);
	}
}

static struct walk walk_from(const struct sim_grid *grid, uint32_t noc, uint16_t tile)
{
	const struct tile_info *at = &grid->geometry->tiles[tile];

	return (struct walk){.grid = grid, .noc = noc, .x = at->x, .y = at->y};
}

void sim_way_unicast(
	const struct sim_grid *grid, uint32_t noc, uint16_t from, uint16_t to, struct noc_way *way)
{
	way->count = 0;
	go(walk_from(grid, noc, from), &grid->geometry->tiles[to], NULL, 0, way);
}

void sim_way_multicast(struct sim_links *links, const struct sim_grid *grid, uint32_t noc,
	const struct sim_multicast *multicast, struct noc_way *way)
{
	struct walk walk = walk_from(grid, noc, multicast->source);

	way->count = 0;
	links->trees++;
	for (uint32_t i = 0; i < multicast->count; i++)
		go(walk, &grid->geometry->tiles[multicast->tiles[i]], links->seen, links->trees,
			way);
}

uint32_t sim_links_nearer(const struct device *device, uint16_t from, uint16_t to)
{
	return sim_grid_hops(device->grid, to, from) < sim_grid_hops(device->grid, from, to);
}

/* ---- reservations ---- */

static void links_forget(struct noc_link *link)
{
	uint32_t past = 0;

	for (uint32_t i = link->turn_count; i-- > 0;)
		if (link->turns[i].until_ps <= engine_now())
			link->turns[i] = link->turns[--link->turn_count];
	while (past < link->count && link->holds[past].until_ps <= engine_now())
		past++;
	if (past == 0)
		return;
	if (link->holds[past - 1].until_ps > link->forgotten_ps)
		link->forgotten_ps = link->holds[past - 1].until_ps;
	link->count -= past;
	memmove(link->holds, &link->holds[past], link->count * sizeof *link->holds);
}

/* Returns the first time, not before `at_ps`, from which the link is free for `hold_ps`. */
static int64_t fit(const struct noc_link *link, int64_t at_ps, int64_t hold_ps)
{
	for (uint32_t i = 0; i < link->count; i++) {
		const struct noc_hold *hold = &link->holds[i];

		if (at_ps + hold_ps <= hold->from_ps)
			break;
		if (hold->until_ps > at_ps)
			at_ps = hold->until_ps;
	}
	return at_ps;
}

/* Adds a hold. Merges holds that touch each other, so that the list of a busy link stays short. */
static void hold(struct noc_link *link, struct noc_hold new)
{
	uint32_t i = link->count;
	int64_t counts_ps = new.from_ps > link->forgotten_ps ? new.from_ps : link->forgotten_ps;

	if (new.until_ps > counts_ps)
		link->busy_ps += new.until_ps - counts_ps;
	while (i > 0 && link->holds[i - 1].from_ps >= new.until_ps)
		i--;
	if (i > 0 && link->holds[i - 1].until_ps == new.from_ps) {
		link->holds[i - 1].until_ps = new.until_ps;
		return;
	}
	if (i < link->count && link->holds[i].from_ps == new.until_ps) {
		link->holds[i].from_ps = new.from_ps;
		return;
	}
	if (link->count == link->capacity) {
		link->capacity = link->capacity > 0 ? 2 * link->capacity : 8;
		link->holds = allocate_more(link->holds, link->capacity, sizeof *link->holds);
	}
	memmove(&link->holds[i + 1], &link->holds[i], (link->count - i) * sizeof *link->holds);
	link->holds[i] = new;
	link->count++;
}

static struct noc_turn *links_turn(const struct noc_link *link, uint32_t stream)
{
	for (uint32_t i = 0; i < link->turn_count; i++)
		if (link->turns[i].stream == stream)
			return &link->turns[i];
	return NULL;
}

/* Returns the time at which the stream's last transfer over the link has ended, or `at_ps` if this
 * is later. */
static int64_t not_before_turn(const struct noc_link *link, uint32_t stream, int64_t at_ps)
{
	const struct noc_turn *turn = links_turn(link, stream);

	return turn != NULL && turn->until_ps > at_ps ? turn->until_ps : at_ps;
}

/* Stores when the stream's last transfer over the link ends. */
static void links_take_turn(struct noc_link *link, uint32_t stream, int64_t until_ps)
{
	struct noc_turn *turn = links_turn(link, stream);

	if (turn == NULL) {
		if (link->turn_count == link->turn_capacity) {
			link->turn_capacity = link->turn_capacity > 0 ? 2 * link->turn_capacity : 8;
			link->turns = allocate_more(
				link->turns, link->turn_capacity, sizeof *link->turns);
		}
		turn = &link->turns[link->turn_count++];
	}
	*turn = (struct noc_turn){stream, until_ps};
}

/* Returns the earliest time, not before `start_ps`, at which a multicast can start. The multicast
 * needs each link for `hold_ps`. It needs a link that is n hops from the source n hops later than
 * the start. Sets *last to the last link that delayed the start, or to NULL if no link did. */
static int64_t links_place(const struct sim_timing *timing, struct noc_link *links,
	const struct noc_way *way, int64_t start_ps, int64_t hold_ps, struct noc_link **last)
{
	uint32_t good = 0;

	*last = NULL;
	for (uint32_t i = 0; good < way->count; i = i + 1 < way->count ? i + 1 : 0) {
		struct noc_link *link = &links[way->steps[i].link];
		int64_t later_ps = way->steps[i].hops * timing->noc_hop_ps;
		int64_t at_ps = fit(link, start_ps + later_ps, hold_ps) - later_ps;

		good++;
		if (at_ps == start_ps)
			continue;
		start_ps = at_ps;
		*last = link;
		good = 1;
	}
	return start_ps;
}

/* Computes when a transfer to one tile enters each link of its path, and stores these times in
 * at_ps of struct sim_links. The transfer enters a link one hop after the link before. It may enter
 * later, because it can wait in the router between the two links, as far as the router's buffer
 * allows. The stream's previous transfer must have left a link before this transfer enters it. Sets
 * *last to the last link for which the transfer waits, or to NULL if it does not wait. */
static void links_place_each(const struct device *device, const struct noc_way *way,
	uint32_t stream, int64_t start_ps, int64_t hold_ps, struct noc_link **last)
{
	const struct sim_timing *timing = &device->cluster->timing;
	const struct sim_links *all = device->cluster->links;
	struct noc_link *links = all->chips[device->number].links;
	uint32_t i = 0;

	*last = NULL;
	for (uint32_t k = 0; k < way->count; k++)
		all->least_ps[k] = start_ps;
	while (i < way->count) {
		struct noc_link *link = &links[way->steps[i].link];
		int64_t hop_ps =
			i == 0 ? 0
			       : (way->steps[i].hops - way->steps[i - 1].hops) * timing->noc_hop_ps;
		int64_t come_ps = i == 0 ? start_ps : all->at_ps[i - 1] + hop_ps;
		int64_t from_ps = come_ps > all->least_ps[i] ? come_ps : all->least_ps[i];

		all->at_ps[i] = fit(link, not_before_turn(link, stream, from_ps), hold_ps);
		if (all->at_ps[i] > from_ps)
			*last = link;
		if (i > 0 && all->at_ps[i] - come_ps > timing->noc_buffer_ps) {
			i--;
			all->least_ps[i] = all->at_ps[i + 1] - timing->noc_buffer_ps - hop_ps;
		} else {
			i++;
		}
	}
}

/* Reserves each link of the path, from its time in at_ps on. */
static void links_hold(struct device *device, const struct noc_way *way, uint32_t stream,
	const struct noc_load *load, int64_t hold_ps)
{
	const struct sim_links *all = device->cluster->links;

	for (uint32_t i = 0; i < way->count; i++) {
		struct noc_link *link = &all->chips[device->number].links[way->steps[i].link];

		link->bytes += load->bytes;
		link->messages++;
		if (hold_ps > 0)
			hold(link, (struct noc_hold){all->at_ps[i], all->at_ps[i] + hold_ps});
		if (!load->tree)
			links_take_turn(link, stream, all->at_ps[i] + load->takes_ps);
	}
}

int64_t sim_links_take(struct device *device, uint32_t noc, uint16_t from,
	const struct noc_way *way, const struct noc_load *load)
{
	const struct sim_timing *timing = &device->cluster->timing;
	const struct sim_links *all = device->cluster->links;
	struct noc_links *chip = &all->chips[device->number];
	int64_t *free_ps = &chip->sources[from].free_ps[noc][load->stream];
	int64_t first_ps = *free_ps > load->first_ps ? *free_ps : load->first_ps, start_ps;
	int64_t hold_ps = server_transfer_ps(load->bytes, timing->noc_link_bytes_per_s);
	uint32_t stream = (uint32_t)(from * NOC_STREAMS + load->stream);
	struct noc_link *last = NULL;

	if (hold_ps > load->takes_ps)
		hold_ps = load->takes_ps; /* links never slow down a transfer that is alone */
	if (chip->links == NULL)
		chip->links = allocate(sim_noc_link_count(device->grid), sizeof *chip->links);
	for (uint32_t i = 0; i < way->count; i++)
		links_forget(&chip->links[way->steps[i].link]);
	start_ps = first_ps;
	if (load->tree) {
		start_ps = links_place(timing, chip->links, way, first_ps, hold_ps, &last);
		for (uint32_t i = 0; i < way->count; i++)
			all->at_ps[i] = start_ps + way->steps[i].hops * timing->noc_hop_ps;
		*free_ps = start_ps + load->takes_ps;
	} else if (way->count > 0) {
		const uint32_t end = way->count - 1;

		links_place_each(device, way, stream, first_ps, hold_ps, &last);
		start_ps = all->at_ps[end] - way->steps[end].hops * timing->noc_hop_ps;
		*free_ps = all->at_ps[0] + load->takes_ps;
	}
	if (last != NULL)
		last->waited_ps += start_ps - first_ps;
	links_hold(device, way, stream, load, hold_ps);
	return start_ps;
}

int64_t sim_links_pass(struct device *device, uint32_t noc, uint16_t from, uint16_t to,
	const struct noc_load *load)
{
	struct noc_way *way = &device->cluster->links->way;

	if (from == TILE_AT_NONE || to == TILE_AT_NONE)
		return load->first_ps;
	sim_way_unicast(device->grid, noc, from, to, way);
	return sim_links_take(device, noc, from, way, load);
}
