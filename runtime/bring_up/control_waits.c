/* The waits between channels that routes and trees cause, and the search for a circle of them. */
#include <stdlib.h>

#include "base/allocate.h"
#include "check_private.h"

enum { WAITS_BYTES_MAX = 1 << 30 };

/* Returns the number of hops out of a chip. */
static uint32_t states_of(const struct check *check, uint32_t device)
{
	const struct chip_tables *tables = check->tables[device];

	return tables ? tables->port_count * tables->vcs : 0;
}

enum status check_waits_begin(struct check *check)
{
	uint64_t waits = 0;
	uint32_t states = 0;

	check->first = allocate((size_t)check->count + 1, sizeof(*check->first));
	for (uint32_t i = 0; i < check->count; i++) {
		check->first[i] = states;
		states += states_of(check, i);
	}
	check->first[check->count] = states;
	check->device = allocate((size_t)states + 1, sizeof(*check->device));
	check->first_wait = allocate((size_t)states + 1, sizeof(*check->first_wait));
	for (uint32_t i = 0; i < check->count; i++)
		for (uint32_t state = check->first[i]; state < check->first[i + 1]; state++) {
			check->device[state] = i;
			check->first_wait[state] = waits;
			waits += states_of(
				check, check->tables[i]->ports[check_hop(check, state).port].peer);
		}
	if (waits > WAITS_BYTES_MAX)
		return refuse(check->why, STATUS_NO_SPACE, "chips have too many links to check");
	check->waits = allocate((size_t)waits + 1, sizeof(*check->waits));
	return STATUS_OK;
}

void check_waits_end(struct check *check)
{
	free(check->first);
	free(check->device);
	free(check->first_wait);
	free(check->waits);
}

/* Returns the device at which a state arrives. */
static uint32_t arrives_at(const struct check *check, uint32_t state)
{
	return check->tables[check->device[state]]->ports[check_hop(check, state).port].peer;
}

void check_waits_add(struct check *check, uint32_t in, struct hop out)
{
	uint32_t at = arrives_at(check, in);

	check->waits[check->first_wait[in] + check_state(check, at, out) - check->first[at]] = true;
}

/* Names the circle of which `path` ends with: from the state `again` on. */
static enum status waits_say_circle(
	const struct check *check, const uint32_t *path, uint32_t depth, uint32_t again)
{
	enum { SAID_MAX = 8 };
	uint32_t from = depth - 1;

	while (path[from] != again)
		from--;
	if (!check->why)
		return STATUS_INVALID;
	text_append(check->why, "packets could wait for each other in a circle:");
	for (uint32_t i = from; i < depth && i < from + SAID_MAX; i++) {
		const struct chip_tables *tables = check->tables[check->device[path[i]]];

		text_printf(check->why, " mesh %u chip %u port %u VC %u,", tables->mesh,
			tables->chip, check_hop(check, path[i]).port, check_hop(check, path[i]).vc);
	}
	if (depth - from > SAID_MAX)
		text_printf(check->why, " and %u more,", depth - from - SAID_MAX);
	text_append(check->why, " and the first again");
	return STATUS_INVALID;
}

enum status check_waits_circles(const struct check *check)
{
	enum { NEW, OPEN, DONE };
	uint32_t states = check->first[check->count], depth = 0;
	uint8_t *mark = allocate((size_t)states + 1, sizeof(*mark));
	uint32_t *path = allocate((size_t)states + 1, sizeof(*path));
	uint32_t *next = allocate((size_t)states + 1, sizeof(*next));
	enum status status = STATUS_OK;

	for (uint32_t root = 0; root < states && status == STATUS_OK; root++) {
		if (mark[root] != NEW)
			continue;
		mark[root] = OPEN;
		path[depth++] = root;
		while (depth > 0 && status == STATUS_OK) {
			uint32_t in = path[depth - 1], at = arrives_at(check, in);
			uint32_t k = next[in]++, out = check->first[at] + k;

			if (out >= check->first[at + 1]) {
				mark[in] = DONE;
				depth--;
			} else if (!check->waits[check->first_wait[in] + k] || mark[out] == DONE) {
				continue;
			} else if (mark[out] == OPEN) {
				status = waits_say_circle(check, path, depth, out);
			} else {
				mark[out] = OPEN;
				path[depth++] = out;
			}
		}
	}
	free(mark);
	free(path);
	free(next);
	return status;
}
