/* Makes the machine that a logical graph asks for: each device is a chip, each rank a host, and
 * each link and connection has as many cables as it needs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "topology/place.h"

enum { TRAY_CHIPS = 8 };

/* Returns the first tray for chips that are not pinned: 1, or behind all trays of pins. */
static uint32_t first_free_tray(const struct logical *logical)
{
	uint32_t tray = 0;

	for (uint32_t i = 0; i < logical->pin_count; i++)
		if (logical->pins[i].position_count &&
			(uint32_t)logical->pins[i].positions[0].tray > tray)
			tray = (uint32_t)logical->pins[i].positions[0].tray;
	return tray + 1;
}

/* Puts the chips of pinned devices at the first of their positions. */
static void place_pinned(const struct logical *logical, struct machine *machine)
{
	for (uint32_t i = 0; i < logical->pin_count; i++) {
		const struct logical_pin *pin = &logical->pins[i];
		const struct logical_mesh *mesh = logical_find(logical, pin->mesh);

		if (!mesh || pin->chip >= mesh->count || pin->position_count == 0)
			continue;
		machine->chips[mesh->first + pin->chip].tray = (uint32_t)pin->positions[0].tray;
		machine->chips[mesh->first + pin->chip].location =
			(uint32_t)pin->positions[0].location;
	}
}

static enum status add_wired_chips(const struct logical *logical, struct machine *machine)
{
	uint32_t *of_rank = allocate((size_t)logical->rank_count + 1, sizeof(*of_rank));
	uint32_t tray = first_free_tray(logical);
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < logical->device_count && status == STATUS_OK; i++) {
		const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, i)];
		uint32_t rank = logical_rank_of(logical, i), at = of_rank[rank]++;
		char host[32];

		snprintf(host, sizeof(host), "host%" PRIu32, rank);
		status = machine_add_chip(machine, (struct machine_chip){.id = (uint64_t)i + 1,
							   .host = machine_host(machine, host),
							   .tray = tray + at / TRAY_CHIPS,
							   .location = at % TRAY_CHIPS,
							   .board = MACHINE_NONE,
							   .device = at,
							   .pcie = true,
							   .place = {-1, -1, -1, -1},
							   .arch = mesh->descriptor->arch});
	}
	free(of_rank);
	return status;
}

/* Adds `channels` channels between two devices; `next` has the next channel of each device. */
static enum status add_wires(
	struct machine *machine, uint32_t *next, uint32_t a, uint32_t b, uint32_t channels)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < channels && status == STATUS_OK; i++)
		status = machine_add_channel(machine, a, next[a]++, b, next[b]++);
	return status;
}

/* Adds the cables of a connection. If it joins meshes as wholes, devices of both take turns, so
 * that connections of one mesh do not all end at one device. */
static enum status add_connection(
	const struct logical *logical, struct machine *machine, uint32_t *next, uint32_t number)
{
	const struct logical_connection *connection = &logical->connections[number];
	const struct logical_mesh *a = &logical->meshes[connection->a.first_mesh];
	const struct logical_mesh *b = &logical->meshes[connection->b.first_mesh];
	enum status status = STATUS_OK;

	for (uint32_t k = 0; k < connection->channels && status == STATUS_OK; k++) {
		uint32_t one = connection->a.device, two = connection->b.device;

		one = one == LOGICAL_NONE ? a->first + (number + k) % a->count : one;
		two = two == LOGICAL_NONE ? b->first + (number + k) % b->count : two;
		status = add_wires(machine, next, one, two, 1);
	}
	return status;
}

struct machine *machine_as_asked(const struct logical *logical, struct text *why)
{
	struct machine *machine = machine_new();
	uint32_t *next = allocate((size_t)logical->device_count + 1, sizeof(*next));
	enum status status = add_wired_chips(logical, machine);

	if (status == STATUS_OK)
		place_pinned(logical, machine);
	for (uint32_t i = 0; i < logical->link_count && status == STATUS_OK; i++)
		status = add_wires(machine, next, logical->links[i].a, logical->links[i].b,
			logical->links[i].channels);
	for (uint32_t i = 0; i < logical->connection_count && status == STATUS_OK; i++)
		status = add_connection(logical, machine, next, i);
	free(next);
	machine_finish(machine);
	if (status == STATUS_OK)
		return machine;
	machine_free(machine);
	return refuse(why, (struct machine *)NULL,
		"a machine with all chips and channels of the descriptor: %s",
		status_message(status));
}
