/* Builds the physical system, one chip and one channel at a time. Links can be queried only after
 * machine_finish() was called. */
#include "topology/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

/* a power of two, as masks of slots need, and several times as many as chips */
enum { CHIP_SLOTS = 1 << 18 };

/* A channel, as an entry of one of its ends describes it. */
struct channel {
	uint32_t a, b;
	uint32_t channel_a, channel_b;
	unsigned lists;	       /* set of bits of enum machine_list: the lists in which chip `a` has
				* an entry for the channel */
	struct location where; /* position of the first of these entries */
};

/* State that is needed only while the machine is built. Both tables use open addressing. */
struct machine_build {
	uint32_t *chips; /* number of a chip + 1, by the id of the chip */
	size_t chip_slots;
	struct channel *channels; /* both directions of all channels, by chip and channel number */
	size_t channel_slots, channel_count;
	uint32_t chip_capacity, host_capacity;
};

struct machine *machine_new(void)
{
	struct machine *machine = allocate(1, sizeof(*machine));

	machine->build = allocate(1, sizeof(*machine->build));
	return machine;
}

static void free_build(struct machine *machine)
{
	if (!machine->build)
		return;
	free(machine->build->chips);
	free(machine->build->channels);
	free(machine->build);
	machine->build = NULL;
}

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	free_build(machine);
	free(machine->chips);
	free(machine->hosts);
	free(machine->links);
	arena_fini(&machine->arena);
	free(machine);
}

static void *machine_grow(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 32;
	array = allocate_more(array, *capacity, size);
	return array;
}

uint32_t machine_host(struct machine *machine, const char *name)
{
	for (uint32_t i = 0; i < machine->host_count; i++)
		if (strcmp(machine->hosts[i].name, name) == 0)
			return i;
	machine->hosts = machine_grow(machine->hosts, machine->host_count,
		&machine->build->host_capacity, sizeof(*machine->hosts));
	machine->hosts[machine->host_count] = (struct machine_host){
		.name = arena_string(&machine->arena, name), .rank = MACHINE_NONE};
	return machine->host_count++;
}

static size_t slot_of_id(const struct machine *machine, uint64_t id)
{
	const struct machine_build *build = machine->build;
	size_t slot = hash_mix(id ^ HASH_EMPTY) & (build->chip_slots - 1);

	while (build->chips[slot] && machine->chips[build->chips[slot] - 1].id != id)
		slot = (slot + 1) & (build->chip_slots - 1);
	return slot;
}

uint32_t machine_find(const struct machine *machine, uint64_t id)
{
	if (!machine->build) {
		for (uint32_t i = 0; i < machine->chip_count; i++)
			if (machine->chips[i].id == id)
				return i;
		return MACHINE_NONE;
	}
	if (!machine->build->chip_slots)
		return MACHINE_NONE;
	return machine->build->chips[slot_of_id(machine, id)] - 1;
}

enum status machine_add_chip(struct machine *machine, struct machine_chip chip)
{
	struct machine_build *build = machine->build;

	if (!build->chip_slots) {
		build->chip_slots = CHIP_SLOTS;
		build->chips = allocate(build->chip_slots, sizeof(*build->chips));
	}
	if (machine->chip_count == MACHINE_CHIPS_MAX)
		return STATUS_NO_SPACE;
	if (machine_find(machine, chip.id) != MACHINE_NONE)
		return STATUS_EXISTS;
	machine->chips = machine_grow(machine->chips, machine->chip_count, &build->chip_capacity,
		sizeof(*machine->chips));
	build->chips[slot_of_id(machine, chip.id)] = machine->chip_count + 1;
	machine->chips[machine->chip_count++] = chip;
	return STATUS_OK;
}

static struct channel *slot_of_channel(
	const struct machine_build *build, uint32_t chip, uint32_t channel)
{
	size_t slot = hash_mix(((uint64_t)chip << 32 | channel) ^ HASH_EMPTY) &
		      (build->channel_slots - 1);

	while (build->channels[slot].a &&
		(build->channels[slot].a != chip + 1 || build->channels[slot].channel_a != channel))
		slot = (slot + 1) & (build->channel_slots - 1);
	return &build->channels[slot];
}

static void grow_channels(struct machine_build *build)
{
	struct machine_build old = *build;

	if (2 * (build->channel_count + 2) < build->channel_slots)
		return;
	build->channel_slots = old.channel_slots ? 2 * old.channel_slots : 1024;
	build->channels = allocate(build->channel_slots, sizeof(*build->channels));
	for (size_t i = 0; i < old.channel_slots; i++)
		if (old.channels[i].a)
			*slot_of_channel(build, old.channels[i].a - 1, old.channels[i].channel_a) =
				old.channels[i];
	free(old.channels);
}

static void machine_mark(struct channel *channel, unsigned lists, struct location where)
{
	if (!channel->lists)
		channel->where = where;
	channel->lists |= lists;
}

enum machine_listing machine_list_channel(struct machine *machine, uint32_t a, uint32_t channel_a,
	uint32_t b, uint32_t channel_b, enum machine_list list, struct location where)
{
	struct machine_build *build = machine->build;
	unsigned back = list == MACHINE_LIST_BOTH ? list : 0;
	struct channel *one, *two;
	bool again;

	if (a == b)
		return LISTED_WITH_ITSELF;
	if (build->channel_count + 2 > 2 * MACHINE_CHANNELS_MAX || channel_a > UINT8_MAX ||
		channel_b > UINT8_MAX)
		return LISTED_TOO_MANY;
	grow_channels(build);
	one = slot_of_channel(build, a, channel_a);
	two = slot_of_channel(build, b, channel_b);
	if (!one->a && !two->a) {
		*one = (struct channel){a + 1, b + 1, channel_a, channel_b, 0, {0}};
		two = slot_of_channel(build, b, channel_b);
		*two = (struct channel){b + 1, a + 1, channel_b, channel_a, 0, {0}};
		build->channel_count += 2;
	} else if (one->b != b + 1 || one->channel_b != channel_b || two->b != a + 1 ||
		   two->channel_b != channel_a) {
		return LISTED_ELSEWHERE;
	}
	again = ((one->lists | (back ? two->lists : 0)) & list) != 0;
	machine_mark(one, list, where);
	machine_mark(two, back, where);
	return again ? LISTED_AGAIN : LISTED;
}

enum status machine_add_channel(
	struct machine *machine, uint32_t a, uint32_t channel_a, uint32_t b, uint32_t channel_b)
{
	static const enum status statuses[] = {[LISTED] = STATUS_OK,
		[LISTED_AGAIN] = STATUS_OK,
		[LISTED_ELSEWHERE] = STATUS_EXISTS,
		[LISTED_WITH_ITSELF] = STATUS_INVALID,
		[LISTED_TOO_MANY] = STATUS_NO_SPACE};

	return statuses[machine_list_channel(
		machine, a, channel_a, b, channel_b, MACHINE_LIST_BOTH, (struct location){0})];
}

static int compare_channels(const void *left, const void *right)
{
	const struct channel *a = left, *b = right;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	return (a->channel_a > b->channel_a) - (a->channel_a < b->channel_a);
}

/* Returns a sorted array of channels, and sets *count to their number. If `both` is set, these are
 * the channels that the descriptions of both ends list; otherwise, those that the description of
 * only one end lists. Each channel occurs once. */
static struct channel *machine_collect(const struct machine_build *build, bool both, size_t *count)
{
	struct channel *out = allocate(build->channel_count / 2 + 1, sizeof(*out));

	*count = 0;
	for (size_t i = 0; i < build->channel_slots; i++) {
		const struct channel *one = &build->channels[i], *two;

		if (!one->lists)
			continue;
		two = slot_of_channel(build, one->b - 1, one->channel_b);
		if (both ? two->lists && one->a < one->b : !two->lists)
			out[(*count)++] = *one;
	}
	if (*count)
		qsort(out, *count, sizeof(*out), compare_channels);
	return out;
}

static void make_links(struct machine *machine)
{
	size_t count;
	struct channel *channels = machine_collect(machine->build, true, &count);

	machine->links = allocate(count + 1, sizeof(*machine->links));
	machine->cables = arena_array(&machine->arena, count, sizeof(*machine->cables));
	for (size_t i = 0; i < count; i++) {
		const struct channel *channel = &channels[i];
		struct machine_link *last = &machine->links[machine->link_count];

		machine->cables[i] = (struct machine_cable){
			(uint8_t)channel->channel_a, (uint8_t)channel->channel_b};
		if (i && channel[-1].a == channel->a && channel[-1].b == channel->b) {
			last[-1].channels++;
			continue;
		}
		*last = (struct machine_link){channel->a - 1, channel->b - 1, 1,
			(uint8_t)channel->channel_a, (uint8_t)channel->channel_b, (uint32_t)i};
		machine->link_count++;
	}
	free(channels);
}

void machine_finish(struct machine *machine)
{
	size_t count;
	struct channel *lone = machine_collect(machine->build, false, &count);

	machine->claims = arena_array(&machine->arena, count, sizeof(*machine->claims));
	for (size_t i = 0; i < count; i++)
		machine->claims[machine->claim_count++] = (struct machine_claim){lone[i].a - 1,
			lone[i].b - 1, (uint8_t)lone[i].channel_a, (uint8_t)lone[i].channel_b,
			lone[i].where};
	free(lone);
	make_links(machine);
	free_build(machine);
}

const struct machine_link *machine_link_of(const struct machine *machine, uint32_t a, uint32_t b)
{
	uint32_t low = 0, high = machine->link_count, one = a < b ? a : b, two = a < b ? b : a;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct machine_link *link = &machine->links[middle];

		if (link->a == one && link->b == two)
			return link;
		if (link->a < one || (link->a == one && link->b < two))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

void machine_chip_name(const struct machine *machine, uint32_t chip, struct text *out)
{
	const struct machine_chip *at = &machine->chips[chip];

	text_printf(
		out, "%s tray %u asic %u", machine->hosts[at->host].name, at->tray, at->location);
}
