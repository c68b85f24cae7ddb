/* Computes the number of bytes that collectives send over each link
 * (programs/reference/reference.h). For the data that each device sends or receives (an item),
 * checks whether a hop is on their route. Needs no memory for the data of devices. */
#include "base/ensure.h"
#include "programs/reference/reference.h"

/* One direction of one link of a hop. */
struct hop {
	const struct collective *collective;
	uint32_t device;
	enum collective_direction direction;
	uint32_t link;
};

/* Returns the number of steps from device `from` to device `to` in the direction of the hop. On a
 * line, `to` must lie in this direction. */
static uint32_t collective_links_steps(const struct hop *hop, uint32_t from, uint32_t to)
{
	uint32_t devices = hop->collective->devices;

	return (hop->direction == COLLECTIVE_UP ? to + devices - from : from + devices - to) %
	       devices;
}

static enum collective_direction opposite(enum collective_direction direction)
{
	return direction == COLLECTIVE_UP ? COLLECTIVE_DOWN : COLLECTIVE_UP;
}

/* Returns how many bytes of one half of an item go over link number hop->link of a hop that the
 * half crosses. The half is divided into chunks, and the links of the hop take turns: one chunk
 * each. */
static uint64_t share(const struct hop *hop, uint64_t elements, uint32_t half)
{
	const struct collective *collective = hop->collective;
	uint64_t chunk = collective->chunk_bytes, links = collective->links, whole, bytes;

	bytes = collective_half(collective, elements);
	bytes = (half == 0 ? bytes : elements - bytes) * element_bytes(collective->element);
	whole = bytes / chunk;
	return (whole / links + (hop->link < whole % links)) * chunk +
	       (hop->link == whole % links ? bytes % chunk : 0);
}

/* Returns the bytes of an item over the hop if one device sends the item to all others. */
static uint64_t to_all(const struct hop *hop, uint32_t source, uint64_t elements)
{
	uint64_t bytes = 0;

	for (uint32_t half = 0; half < 2; half++)
		if (collective_links_steps(hop, source, hop->device) <
			collective_reach(hop->collective, source, hop->direction, half))
			bytes += share(hop, elements, half);
	return bytes;
}

/* Returns the bytes over the hop of sums for one device. */
static uint64_t to_one(const struct hop *hop, uint32_t owner, uint64_t elements)
{
	uint32_t away = collective_links_steps(hop, hop->device, owner);
	uint64_t bytes = 0;

	for (uint32_t half = 0; half < 2; half++)
		if (away > 0 && away <= collective_sums_reach(hop->collective, owner,
						opposite(hop->direction), half))
			bytes += share(hop, elements, half);
	return bytes;
}

/* Returns the bytes of an item over the hop if one device sends the item to another. */
static uint64_t between(const struct hop *hop, uint32_t source, uint32_t target, uint64_t elements)
{
	uint32_t away = collective_links_steps(hop, source, target);
	uint64_t bytes = 0;

	for (uint32_t half = 0; half < 2; half++)
		if (away <= collective_reach(hop->collective, source, hop->direction, half) &&
			collective_links_steps(hop, source, hop->device) < away)
			bytes += share(hop, elements, half);
	return bytes;
}

uint64_t collective_link_bytes(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t link)
{
	struct hop hop = {collective, device, direction, link};
	uint64_t bytes = 0;

	ensure(collective_check(collective, NULL) == STATUS_OK && device < collective->devices &&
			link < collective->links,
		"link %u of device %u", link, device);
	if (collective->op == COLLECTIVE_BROADCAST)
		return to_all(&hop, collective->root, collective->elements);
	for (uint32_t i = 0; i < collective->devices; i++) {
		uint64_t part = collective_part(collective, i).elements;

		if (collective->op == COLLECTIVE_ALL_GATHER)
			bytes += to_all(&hop, i, collective->elements);
		if (collective->op == COLLECTIVE_REDUCE_SCATTER ||
			collective->op == COLLECTIVE_ALL_REDUCE)
			bytes += to_one(&hop, i, part);
		if (collective->op == COLLECTIVE_ALL_REDUCE)
			bytes += to_all(&hop, i, part);
		for (uint32_t j = 0; j < collective->devices; j++)
			if (collective->op == COLLECTIVE_ALL_TO_ALL && i != j)
				bytes += between(&hop, j, i, part);
	}
	return bytes;
}
