/* Allocates places in the config ring, which is the ring in every worker's L1 that holds the data
 * of launches. Each new place follows the previous place. If the rest of the ring is too short, the
 * new place begins at the start of the ring. */
#include "mesh/device/config_ring.h"

#include "base/ensure.h"

void config_ring_init(struct config_ring *ring, uint32_t base, uint32_t bytes)
{
	*ring = (struct config_ring){.base = base, .bytes = bytes, .next = base};
}

/* Returns true if a part of [begin, end) may still be in use by launch `oldest` or a later one.
 * Sets *user to the latest launch that uses it. If the history does not go back to such a launch,
 * *user is the oldest launch in the history. */
static bool in_use(const struct config_ring *ring, uint32_t begin, uint32_t end, uint32_t oldest,
	uint32_t *user)
{
	uint32_t known = ring->count < CONFIG_RING_HISTORY ? ring->count : CONFIG_RING_HISTORY;

	for (uint32_t i = 1; i <= known; i++) {
		const struct config_place *place =
			&ring->history[(ring->count - i) % CONFIG_RING_HISTORY];

		if ((int32_t)(place->run - oldest) < 0)
			return false;
		*user = place->run;
		if (place->begin < end && begin < place->end)
			return true;
	}
	return ring->count > CONFIG_RING_HISTORY;
}

uint32_t config_ring_take(struct config_ring *ring, uint32_t bytes, uint32_t run, uint32_t oldest,
	struct config_use *use)
{
	uint32_t end = ring->base + ring->bytes, begin = ring->next;

	bytes = (bytes + CONFIG_RING_ALIGN - 1) / CONFIG_RING_ALIGN * CONFIG_RING_ALIGN;
	ensure(bytes <= ring->bytes, "%u B in a config ring of %u B", bytes, ring->bytes);
	if (bytes > end - begin)
		begin = ring->base;
	use->run = run;
	use->used = in_use(ring, begin, begin + bytes, oldest, &use->run);
	ring->next = begin + bytes;
	ring->history[ring->count % CONFIG_RING_HISTORY] =
		(struct config_place){begin, begin + bytes, run};
	ring->count++;
	return begin;
}

void config_ring_fill(struct config_ring *ring, uint32_t run)
{
	ring->history[ring->count % CONFIG_RING_HISTORY] =
		(struct config_place){ring->base, ring->base + ring->bytes, run};
	ring->count++;
	ring->next = ring->base;
}
