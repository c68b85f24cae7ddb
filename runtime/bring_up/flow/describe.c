/* Descriptors of a host's chips and channels, as messages; and the machine that several of them
 * describe. A chip is written with its place, and each channel with both of its ends. */
#include "flow_private.h"

static bool is_among(const uint32_t *devices, uint32_t count, uint32_t device)
{
	for (uint32_t i = 0; i < count; i++)
		if (devices[i] == device)
			return true;
	return count == 0;
}

static bool is_seen(const struct machine *machine, uint32_t chip, uint32_t host,
	const uint32_t *devices, uint32_t count)
{
	return machine->chips[chip].host == host &&
	       is_among(devices, count, machine->chips[chip].device);
}

uint32_t describe_chips(const struct machine *machine, uint32_t host, const uint32_t *devices,
	uint32_t count, uint32_t *channels)
{
	uint32_t chips = 0;

	*channels = 0;
	for (uint32_t i = 0; i < machine->chip_count; i++)
		chips += is_seen(machine, i, host, devices, count);
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		*channels +=
			link->channels * (is_seen(machine, link->a, host, devices, count) +
						 is_seen(machine, link->b, host, devices, count));
	}
	return chips;
}

static void put_chip(const struct machine_chip *chip, struct text *out)
{
	put_number(out, chip->id, 8);
	put_number(out, chip->host, 4);
	put_number(out, chip->tray, 4);
	put_number(out, chip->location, 4);
	put_number(out, chip->board, 4);
	put_number(out, chip->device, 4);
	put_number(out, chip->pcie, 1);
	put_number(out, chip->arch, 1);
}

/* Appends the channels of one end of a link, and adds their number to *count. */
static void put_channels(const struct machine *machine, const struct machine_link *link,
	bool from_b, struct text *out, uint32_t *count)
{
	for (uint32_t k = 0; k < link->channels; k++) {
		const struct machine_cable *cable = &machine->cables[link->first_cable + k];

		put_number(out, machine->chips[from_b ? link->b : link->a].id, 8);
		put_number(out, machine->chips[from_b ? link->a : link->b].id, 8);
		put_number(out, from_b ? cable->channel_b : cable->channel_a, 1);
		put_number(out, from_b ? cable->channel_a : cable->channel_b, 1);
	}
	*count += link->channels;
}

void describe_host(const struct hardware *there, const struct machine *cables, uint32_t host,
	const uint32_t *devices, uint32_t count, struct text *out)
{
	const struct machine *machine = there->machine;
	uint32_t channels, chips = describe_chips(machine, host, devices, count, &channels);
	struct text listed = {0};

	channels = 0;
	for (uint32_t i = 0; i < cables->link_count; i++) {
		const struct machine_link *link = &cables->links[i];

		for (unsigned end = 0; end < 2; end++) {
			uint32_t near = end ? link->b : link->a;

			if (is_seen(cables, near, host, devices, count) &&
				hardware_find(there, cables->chips[near].id) != MACHINE_NONE)
				put_channels(cables, link, end == 1, &listed, &channels);
		}
	}
	put_number(out, chips, 4);
	put_number(out, channels, 4);
	for (uint32_t i = 0; i < machine->chip_count; i++)
		if (is_seen(machine, i, host, devices, count))
			put_chip(&machine->chips[i], out);
	text_append_bytes(out, text_string(&listed), listed.length);
	text_fini(&listed);
}

static bool read_chips(
	struct machine *machine, const struct machine *named, struct bytes_in *in, uint32_t count)
{
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		struct machine_chip chip = {.id = take_number(in, 8)};

		chip.host = (uint32_t)take_number(in, 4);
		chip.tray = (uint32_t)take_number(in, 4);
		chip.location = (uint32_t)take_number(in, 4);
		chip.board = (uint32_t)take_number(in, 4);
		chip.device = (uint32_t)take_number(in, 4);
		chip.pcie = take_number(in, 1) != 0;
		chip.arch = (enum topology_arch)take_number(in, 1);
		if (in->bad || chip.host >= named->host_count)
			return false;
		/* two ranks may describe the same chip, if their bindings overlap */
		if (machine_add_chip(machine, chip) == STATUS_NO_SPACE)
			return false;
	}
	return !in->bad;
}

/* Adds channels whose ends are both described. Of two ends that differ, the first one counts. */
static bool read_channels(struct machine *machine, struct bytes_in *in, uint32_t count)
{
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		uint32_t near = machine_find(machine, take_number(in, 8));
		uint32_t far = machine_find(machine, take_number(in, 8));
		uint32_t channel = (uint32_t)take_number(in, 1);
		uint32_t other = (uint32_t)take_number(in, 1);

		if (!in->bad && near != MACHINE_NONE && far != MACHINE_NONE)
			(void)machine_add_channel(machine, near, channel, far, other);
	}
	return !in->bad;
}

enum { CHIP_BYTES = 30, CHANNEL_BYTES = 18 };

/* Reads all descriptors in the bytes: their chips or, in a second pass, their channels. */
static bool read_pass(
	struct machine *machine, const struct machine *named, struct bytes_in in, bool channels_now)
{
	while (in.at < in.end) {
		uint64_t chips = take_number(&in, 4), channels = take_number(&in, 4);
		uint64_t left = (uint64_t)(in.end - in.at);
		struct bytes_in part = in;

		if (in.bad || chips * CHIP_BYTES + channels * CHANNEL_BYTES > left)
			return false;
		in.at += chips * CHIP_BYTES + channels * CHANNEL_BYTES;
		if (channels_now)
			part.at += chips * CHIP_BYTES;
		if (channels_now ? !read_channels(machine, &part, (uint32_t)channels)
				 : !read_chips(machine, named, &part, (uint32_t)chips))
			return false;
	}
	return true;
}

struct machine *describe_read(const struct machine *named, const uint8_t *bytes, size_t length)
{
	struct bytes_in in = {bytes, bytes + length, false};
	struct machine *machine = machine_new();

	for (uint32_t i = 0; i < named->host_count; i++)
		machine_host(machine, named->hosts[i].name);
	machine->board_count = named->board_count;
	if (!read_pass(machine, named, in, false) || !read_pass(machine, named, in, true)) {
		machine_free(machine);
		return NULL;
	}
	machine_finish(machine);
	return machine;
}
