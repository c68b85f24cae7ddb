/* Plants the faults of bring_up/faults.def, in the machine as it is or in the user's files. */
#include <string.h>

#include "bench/bring_up/bring_up.h"

#define X(name, word, ...) #word,
static const char *const names[BRING_UP_FAULT_COUNT] = {
#include "bring_up/faults.def"
};
#undef X

#define X(name, word, what) what,
static const char *const whats[BRING_UP_FAULT_COUNT] = {
#include "bring_up/faults.def"
};
#undef X

const char *bring_up_fault_name(enum bring_up_fault fault)
{
	return names[fault];
}

const char *bring_up_fault_what(enum bring_up_fault fault)
{
	return whats[fault];
}

/* A channel of the planted machine: both of its ends. */
struct cable {
	uint32_t a, b;
	uint8_t channel_a, channel_b;
};

/* The machine while it is changed. */
struct bench {
	const struct machine *from;
	struct cable *cables;
	uint32_t count;
	uint32_t lost; /* chip that is not there, or MACHINE_NONE */
};

static void bench_make(struct bench *bench, const struct machine *from, struct arena *arena)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < from->link_count; i++)
		total += from->links[i].channels;
	*bench = (struct bench){.from = from, .lost = MACHINE_NONE};
	bench->cables = arena_array(arena, total + 1u, sizeof(*bench->cables));
	for (uint32_t i = 0; i < from->link_count; i++)
		for (uint32_t k = 0; k < from->links[i].channels; k++) {
			const struct machine_cable *cable =
				&from->cables[from->links[i].first_cable + k];

			bench->cables[bench->count++] = (struct cable){from->links[i].a,
				from->links[i].b, cable->channel_a, cable->channel_b};
		}
}

/* Returns the machine with its changed cables. */
static struct machine *bench_finish(const struct bench *bench)
{
	struct machine *machine = machine_new();

	for (uint32_t i = 0; i < bench->from->host_count; i++)
		machine_host(machine, bench->from->hosts[i].name);
	for (uint32_t i = 0; i < bench->from->chip_count; i++)
		if (i != bench->lost)
			(void)machine_add_chip(machine, bench->from->chips[i]);
	for (uint32_t i = 0; i < bench->count; i++) {
		const struct cable *cable = &bench->cables[i];
		uint32_t a = machine_find(machine, bench->from->chips[cable->a].id);
		uint32_t b = machine_find(machine, bench->from->chips[cable->b].id);

		if (a != MACHINE_NONE && b != MACHINE_NONE)
			(void)machine_add_channel(
				machine, a, cable->channel_a, b, cable->channel_b);
	}
	machine_finish(machine);
	return machine;
}

static uint32_t host_of(const struct machine *machine, uint32_t chip)
{
	return machine->chips[chip].host;
}

/* Returns the first link between hosts `one` and `other`, or within one host if they are the same,
 * whose chips are neither those of `apart` nor joined with them; NULL if there is none. */
static const struct machine_link *find_link(const struct machine *machine, uint32_t one,
	uint32_t other, const struct machine_link *apart)
{
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];
		uint32_t a = host_of(machine, link->a), b = host_of(machine, link->b);

		if (!((a == one && b == other) || (a == other && b == one)))
			continue;
		if (!apart || (link->a != apart->a && link->a != apart->b && link->b != apart->a &&
				      link->b != apart->b && link->channels == apart->channels &&
				      !machine_link_of(machine, link->a, apart->b) &&
				      !machine_link_of(machine, apart->a, link->b)))
			return link;
	}
	return NULL;
}

/* Returns the link in which a fault is planted: between hosts in the middle, if links join hosts.
 */
static const struct machine_link *weak_link(const struct machine *machine)
{
	const struct machine_link *link = NULL;

	if (machine->host_count > 2)
		link = find_link(machine, 1, 2, NULL);
	if (!link && machine->host_count > 1)
		link = find_link(machine, 0, 1, NULL);
	return link ? link : find_link(machine, 0, 0, NULL);
}

static bool is_of(const struct cable *cable, const struct machine_link *link)
{
	return cable->a == link->a && cable->b == link->b;
}

/* Takes out the channels of a link, except the first `keep`. */
static void cut_cable(struct bench *bench, const struct machine_link *link, uint32_t keep)
{
	uint32_t kept = 0, left = 0;

	for (uint32_t i = 0; i < bench->count; i++)
		if (!is_of(&bench->cables[i], link) || kept++ < keep)
			bench->cables[left++] = bench->cables[i];
	bench->count = left;
}

/* Exchanges the far ends of two links with equally many channels. */
static void swap_cables(
	struct bench *bench, const struct machine_link *one, const struct machine_link *other)
{
	struct cable *of_other = bench->cables;

	for (uint32_t i = 0; i < bench->count; i++) {
		struct cable *cable = &bench->cables[i], keep = *cable;

		if (!is_of(cable, one))
			continue;
		while (!is_of(of_other, other))
			of_other++;
		cable->b = of_other->b;
		cable->channel_b = of_other->channel_b;
		of_other->b = keep.b;
		of_other->channel_b = keep.channel_b;
		of_other++;
	}
}

static const char *plant_swap(struct bench *bench)
{
	const struct machine *from = bench->from;
	const struct machine_link *one = weak_link(from), *other = NULL;
	uint32_t hosts = from->host_count;

	for (uint32_t a = 0; one && a < hosts && !other; a++)
		for (uint32_t b = a + 1; b < hosts && !other; b++)
			if (host_of(from, one->a) != a || host_of(from, one->b) != b)
				other = find_link(from, a, b, one);
	if (one && !other)
		other = find_link(from, host_of(from, one->a), host_of(from, one->b), one);
	if (!other)
		return "no two cables can be exchanged";
	swap_cables(bench, one, other);
	return NULL;
}

/* Returns the chip of host 2 that has the place of a chip of host 1, and the other way round. Chips
 * of a host follow each other. */
static uint32_t traded(const struct machine *from, uint32_t chip, uint32_t first, uint32_t second)
{
	if (host_of(from, chip) == 1)
		return second + (chip - first);
	if (host_of(from, chip) == 2)
		return first + (chip - second);
	return chip;
}

/* Two hosts have each other's places in the rack, with the cables that are there. */
static const char *plant_stale(struct bench *bench)
{
	const struct machine *from = bench->from;
	uint32_t first = 0, second = 0;

	if (from->host_count < 3 || !find_link(from, 0, 1, NULL))
		return "hosts that are joined by cables: fewer than three";
	while (host_of(from, first) != 1)
		first++;
	while (host_of(from, second) != 2)
		second++;
	for (uint32_t i = 0; i < bench->count; i++) {
		struct cable *cable = &bench->cables[i];

		if (host_of(from, cable->a) == host_of(from, cable->b))
			continue;
		cable->a = traded(from, cable->a, first, second);
		cable->b = traded(from, cable->b, first, second);
	}
	return NULL;
}

static const char *plant_machine(struct bring_up_case *made, enum bring_up_fault fault)
{
	const struct machine_link *link = weak_link(made->described);
	const char *why = NULL;
	struct bench bench;

	bench_make(&bench, made->described, &made->arena);
	if (!link && fault != BRING_UP_FAULT_MISSING_CHIP)
		return "the machine has no cables";
	if (fault == BRING_UP_FAULT_MISSING_CABLE) {
		cut_cable(&bench, link, 0);
	} else if (fault == BRING_UP_FAULT_FEW_CHANNELS) {
		if (link->channels < 2)
			return "each cable has one channel";
		cut_cable(&bench, link, link->channels - 1);
	} else if (fault == BRING_UP_FAULT_SWAPPED_CABLES) {
		why = plant_swap(&bench);
	} else if (fault == BRING_UP_FAULT_STALE_DESCRIPTOR) {
		why = plant_stale(&bench);
	} else {
		bench.lost = link ? link->b : 0;
	}
	if (!why)
		made->planted = bench_finish(&bench);
	return why;
}

/* The second block of a file of bindings was copied from the first, and one number was not
 * changed. In a file of one block, a device is missing. */
static const char *plant_binding(struct bring_up_case *made)
{
	struct binding *copy = arena_array(&made->arena, made->bindings->count + 1u, sizeof(*copy));

	memcpy(copy, made->bindings->bindings, made->bindings->count * sizeof(*copy));
	made->wrong_bindings = *made->bindings;
	made->wrong_bindings.bindings = copy;
	if (made->bindings->count > 1) {
		copy[1].mesh = copy[0].mesh;
		copy[1].mesh_host_rank = copy[0].mesh_host_rank;
	} else if (copy[0].device_count > 1) {
		copy[0].device_count--;
	} else {
		return "one rank with one device";
	}
	made->use_bindings = &made->wrong_bindings;
	return NULL;
}

static const char *plant_hosts(struct bring_up_case *made)
{
	uint32_t count = made->rankfile->count, one = count > 2 ? 1 : 0;
	struct rankfile_line *copy =
		arena_array(&made->arena, made->rankfile->count + 1u, sizeof(*copy));

	memcpy(copy, made->rankfile->lines, count * sizeof(*copy));
	if (count < 2)
		return "one rank";
	copy[one].host = made->rankfile->lines[one + 1].host;
	copy[one + 1].host = made->rankfile->lines[one].host;
	if (strcmp(copy[one].host, copy[one + 1].host) == 0)
		return "all ranks are on one host";
	made->wrong_rankfile = *made->rankfile;
	made->wrong_rankfile.lines = copy;
	made->use_rankfile = &made->wrong_rankfile;
	return NULL;
}

const char *bring_up_plant(
	struct bring_up_case *made, enum flow_kind flow, enum bring_up_fault fault)
{
	bool managed = flow_has_step(flow, FLOW_STEP_PLACE);
	bool files = flow_has_step(flow, FLOW_STEP_READ_FILES) ||
		     flow_has_step(flow, FLOW_STEP_RETRIEVE);

	switch (fault) {
	case BRING_UP_FAULT_NONE:
		return NULL;
	case BRING_UP_FAULT_WRONG_BINDING:
		return files ? plant_binding(made) : "the job has no file of bindings";
	case BRING_UP_FAULT_WRONG_HOST:
		return files ? plant_hosts(made) : "the launcher gets the hosts from the manager";
	case BRING_UP_FAULT_DEAD_MANAGER:
		made->manager_dies = managed;
		return managed ? NULL : "there is no manager";
	default:
		return plant_machine(made, fault);
	}
}
