/* Plans which binaries stay in the config ring during a trace. */
#include "mesh/trace/trace_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/device/config_ring.h"

/* number of launches that count as recent: the launch that runs, and the next one */
enum { RECENT = 2 };

/* A possible place in the ring, and the cost of overwriting it. */
struct choice {
	bool found, stall;
	/* one of the last RECENT launches uses the contents of this place. So the next launch
	 * would have to wait long before it could overwrite the contents */
	bool recent;
	uint32_t begin;
	uint32_t next; /* earliest next use of the binaries that would be overwritten */
	uint32_t run;  /* latest launch that uses the contents that would be overwritten */
};

void trace_ring_init(struct trace_ring *ring, uint32_t base, uint32_t bytes)
{
	*ring = (struct trace_ring){.base = base, .bytes = bytes};
}

void trace_ring_fini(struct trace_ring *ring)
{
	free(ring->regions);
	*ring = (struct trace_ring){.count = 0};
}

static uint32_t align_up(uint32_t bytes)
{
	return (bytes + CONFIG_RING_ALIGN - 1) / CONFIG_RING_ALIGN * CONFIG_RING_ALIGN;
}

static struct trace_region *region_of(const struct trace_ring *ring, const void *owner)
{
	for (uint32_t i = 0; i < ring->count; i++)
		if (ring->regions[i].owner == owner)
			return &ring->regions[i];
	return NULL;
}

/* Frees the configurations of launches that came before launch `over`. */
static void remove_over(struct trace_ring *ring, uint32_t over)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ring->count; i++)
		if (ring->regions[i].owner != NULL || ring->regions[i].run >= over)
			ring->regions[kept++] = ring->regions[i];
	ring->count = kept;
}

static void trace_ring_insert(struct trace_ring *ring, struct trace_region region)
{
	uint32_t at = ring->count;

	if (ring->count == ring->capacity) {
		ring->capacity = ring->capacity ? 2 * ring->capacity : 16;
		ring->regions =
			allocate_more(ring->regions, ring->capacity, sizeof(*ring->regions));
	}
	while (at > 0 && ring->regions[at - 1].begin > region.begin) {
		ring->regions[at] = ring->regions[at - 1];
		at--;
	}
	ring->regions[at] = region;
	ring->count++;
}

/* Removes the regions that overlap [begin, end), which a new launch will overwrite. Before the new
 * launch overwrites them, its devices finish the earlier launches that use these regions. If the
 * new launch runs on all devices, the whole regions are then free. Otherwise, other devices may
 * still use them, so the parts of these regions outside [begin, end) stay in use. */
static void remove_overlap(
	struct trace_ring *ring, const struct trace_wish *wish, uint32_t begin, uint32_t end)
{
	struct trace_region rests[2]; /* the parts of a region before and after the range */
	uint32_t kept = 0, rest_count = 0;

	for (uint32_t i = 0; i < ring->count; i++) {
		struct trace_region region = ring->regions[i], rest = region;

		if (region.end <= begin || region.begin >= end) {
			ring->regions[kept++] = region;
			continue;
		}
		rest.owner = NULL;
		rest.next = TRACE_RING_NEVER;
		rest.end = begin;
		if (rest.begin < begin && !wish->everywhere)
			rests[rest_count++] = rest;
		rest.begin = end;
		rest.end = region.end;
		if (end < region.end && !wish->everywhere)
			rests[rest_count++] = rest;
	}
	ring->count = kept;
	for (uint32_t i = 0; i < rest_count; i++)
		trace_ring_insert(ring, rests[i]);
}

/* Returns a choice that says what it costs to overwrite the place [begin, begin + bytes) of the
 * ring. Skips the regions before index `from`, which end before this place. */
static struct choice choice_at(const struct trace_ring *ring, uint32_t begin, uint32_t bytes,
	uint32_t from, const struct trace_wish *wish)
{
	struct choice choice = {.found = bytes <= ring->base + ring->bytes - begin,
		.begin = begin,
		.next = TRACE_RING_NEVER};

	for (uint32_t i = from; i < ring->count && ring->regions[i].begin < begin + bytes; i++) {
		const struct trace_region *region = &ring->regions[i];

		if (region->owner == wish->owner)
			choice.found = false;
		choice.stall |= region->run >= wish->oldest;
		choice.recent |= region->run + RECENT >= wish->run;
		if (region->next < choice.next)
			choice.next = region->next;
		if (region->run > choice.run)
			choice.run = region->run;
	}
	return choice;
}

static bool better(const struct choice *a, const struct choice *b)
{
	if (!a->found || !b->found)
		return a->found;
	if (a->recent != b->recent)
		return b->recent;
	if (a->recent && a->run != b->run)
		return a->run < b->run;
	if (a->next != b->next)
		return a->next > b->next;
	return a->run < b->run;
}

/* Returns the cheapest place for `bytes` bytes that does not overlap the launch's own binaries. */
static struct choice trace_ring_choose(
	const struct trace_ring *ring, uint32_t bytes, const struct trace_wish *wish)
{
	struct choice best = choice_at(ring, ring->base, bytes, 0, wish);

	for (uint32_t i = 0; i < ring->count; i++) {
		struct choice choice = choice_at(ring, ring->regions[i].end, bytes, i + 1, wish);

		if (better(&choice, &best))
			best = choice;
	}
	return best;
}

static void trace_trace_ring_take(struct trace_ring *ring, const struct trace_wish *wish,
	const void *owner, uint32_t begin, uint32_t bytes)
{
	if (bytes == 0)
		return;
	remove_overlap(ring, wish, begin, begin + bytes);
	trace_ring_insert(ring, (struct trace_region){begin, begin + bytes, owner, wish->run,
					owner != NULL ? wish->next : TRACE_RING_NEVER});
}

/* Places the configuration and the binaries of a launch next to each other. Called if the binaries
 * already have a place that leaves no room for the configuration in the ring. */
static void take_together(
	struct trace_ring *ring, const struct trace_wish *wish, struct trace_grant *grant)
{
	uint32_t config = align_up(wish->config_bytes), image = align_up(wish->image_bytes);
	struct trace_region *own = region_of(ring, wish->owner);
	struct choice choice;

	if (own != NULL)
		remove_overlap(ring, wish, own->begin, own->end);
	grant->kept = false;
	grant->stall = true; /* the launch's own binaries may be in use */
	grant->after = wish->run - 1;
	choice = trace_ring_choose(ring, config + image, wish);
	ensure(choice.found, "%u B in a config ring of %u B", config + image, ring->bytes);
	grant->config_base = choice.begin;
	grant->kernel_base = choice.begin + config;
	trace_trace_ring_take(ring, wish, NULL, choice.begin, config);
	trace_trace_ring_take(ring, wish, wish->owner, grant->kernel_base, image);
}

struct trace_grant trace_ring_take(struct trace_ring *ring, const struct trace_wish *wish)
{
	uint32_t config = align_up(wish->config_bytes), image = align_up(wish->image_bytes);
	struct trace_grant grant = {.config_base = ring->base};
	struct trace_region *own;
	struct choice choice;

	remove_over(ring, wish->over);
	own = region_of(ring, wish->owner);
	grant.kept = own != NULL;
	if (own != NULL) {
		grant.kernel_base = own->begin;
		own->run = wish->run;
		own->next = wish->next;
	} else {
		choice = trace_ring_choose(ring, image, wish);
		ensure(choice.found, "%u B in a config ring of %u B", image, ring->bytes);
		grant.kernel_base = choice.begin;
		grant.stall = choice.stall;
		grant.after = choice.run;
		trace_trace_ring_take(ring, wish, wish->owner, choice.begin, image);
	}
	if (config == 0)
		return grant;
	choice = trace_ring_choose(ring, config, wish);
	if (!choice.found) {
		take_together(ring, wish, &grant);
		return grant;
	}
	grant.config_base = choice.begin;
	if (choice.stall && (!grant.stall || choice.run > grant.after))
		grant.after = choice.run;
	grant.stall |= choice.stall;
	trace_trace_ring_take(ring, wish, NULL, choice.begin, config);
	return grant;
}
