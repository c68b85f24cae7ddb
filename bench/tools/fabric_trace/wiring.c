/* Reads the wiring of recorded operations from topology.json, and follows packets along its cables
 * (see fabric_trace.h). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/tree.h"
#include "bench/tools/fabric_trace/fabric_trace.h"

enum { COORDINATE_MAX = 255 };

struct wiring_reading {
	struct fabric_wiring *wiring;
	struct arena *arena;
	struct diag *diag;
};

/* ---- fields ---- */

static bool wiring_value(const struct wiring_reading *reading, const struct tree_node *node,
	const char *key, uint32_t most, uint32_t *out)
{
	int64_t value = 0;

	if (node->kind == TREE_SCALAR && tree_integer(node, &value) == STATUS_OK && value >= 0 &&
		value <= (int64_t)most) {
		*out = (uint32_t)value;
		return true;
	}
	diag_error(reading->diag, node->where, "'%s' is a whole number from 0 to %u", key, most);
	return false;
}

static bool wiring_number(const struct wiring_reading *reading, const struct tree_node *map,
	const char *key, uint32_t most, uint32_t *out)
{
	const struct tree_node *node = map->kind == TREE_MAP ? tree_get(map, key) : NULL;

	if (!node) {
		diag_error(reading->diag, map->where, "'%s' is missing", key);
		return false;
	}
	return wiring_value(reading, node, key, most, out);
}

static const struct tree_node *wiring_list(
	const struct wiring_reading *reading, const struct tree_node *root, const char *key)
{
	const struct tree_node *node = tree_get(root, key);

	if (node && node->kind == TREE_SEQUENCE)
		return node;
	diag_error(reading->diag, node ? node->where : root->where, "'%s' must be a list", key);
	return NULL;
}

/* ---- cables and channels ---- */

static bool at_end(const struct fabric_cable *cable, int end, uint32_t device, uint32_t channel)
{
	return cable->device[end] == device && cable->channel[end] == channel;
}

static const struct fabric_cable *cable_at(
	const struct fabric_wiring *wiring, uint32_t device, uint32_t channel, int *end)
{
	for (uint32_t i = 0; i < wiring->cable_count; i++)
		for (*end = 0; *end < 2; (*end)++)
			if (at_end(&wiring->cables[i], *end, device, channel))
				return &wiring->cables[i];
	return NULL;
}

static bool joins(const struct fabric_cable *cable, uint32_t a, uint32_t b)
{
	return (cable->device[0] == a && cable->device[1] == b) ||
	       (cable->device[0] == b && cable->device[1] == a);
}

static bool add_cable(struct wiring_reading *reading, const struct tree_node *node)
{
	struct fabric_wiring *wiring = reading->wiring;
	struct fabric_cable cable = {.where = node->where};
	bool good = wiring_number(
		reading, node, "local_device_id", FABRIC_DEVICES_MAX - 1, &cable.device[0]);
	int end;

	good = wiring_number(reading, node, "local_eth_channel", FABRIC_CHANNELS - 1,
		       &cable.channel[0]) &&
	       good;
	good = wiring_number(reading, node, "remote_device_id", FABRIC_DEVICES_MAX - 1,
		       &cable.device[1]) &&
	       good;
	good = wiring_number(reading, node, "remote_eth_channel", FABRIC_CHANNELS - 1,
		       &cable.channel[1]) &&
	       good;
	if (!good)
		return false;
	if (cable.device[0] == cable.device[1]) {
		diag_error(reading->diag, node->where, "a cable from device %u to itself",
			cable.device[0]);
		return false;
	}
	for (int i = 0; i < 2; i++) {
		const struct fabric_cable *other =
			cable_at(wiring, cable.device[i], cable.channel[i], &end);

		if (other && at_end(other, !end, cable.device[!i], cable.channel[!i]))
			return true; /* the same cable, seen from its other end */
		if (!other)
			continue;
		diag_error(reading->diag, node->where, "channel %u of device %u has two cables",
			cable.channel[i], cable.device[i]);
		return false;
	}
	for (uint32_t i = 0; i < wiring->cable_count; i++)
		cable.parallel += joins(&wiring->cables[i], cable.device[0], cable.device[1]);
	if (cable.parallel + 1 > wiring->links)
		wiring->links = cable.parallel + 1;
	wiring->cables[wiring->cable_count++] = cable;
	location_keep(reading->arena, node->where);
	return true;
}

static bool add_handover(struct wiring_reading *reading, const struct tree_node *node)
{
	struct fabric_wiring *wiring = reading->wiring;
	struct fabric_handover *handover = &wiring->handovers[wiring->handover_count];
	const struct tree_node *channels;

	if (!wiring_number(reading, node, "device_id", FABRIC_DEVICES_MAX - 1, &handover->device))
		return false;
	channels = wiring_list(reading, node, "channels");
	if (!channels)
		return false;
	if (channels->count != 2) {
		diag_error(reading->diag, channels->where, "'channels' are two");
		return false;
	}
	for (uint32_t i = 0; i < 2; i++)
		if (!wiring_value(reading, channels->items[i], "channels", FABRIC_CHANNELS - 1,
			    &handover->channel[i]))
			return false;
	wiring->handover_count++;
	return true;
}

static bool add_channel(struct wiring_reading *reading, const struct tree_pair *pair)
{
	char *end;
	unsigned long channel = strtoul(pair->key, &end, 10);
	struct fabric_channel *place;
	uint32_t at[2];

	if (*end || end == pair->key || channel >= FABRIC_CHANNELS) {
		diag_error(reading->diag, pair->where, "a channel is a whole number from 0 to %d",
			FABRIC_CHANNELS - 1);
		return false;
	}
	if (pair->value->kind != TREE_SEQUENCE || pair->value->count != 2) {
		diag_error(reading->diag, pair->value->where,
			"the coordinates of a channel are [x, y]");
		return false;
	}
	for (uint32_t i = 0; i < 2; i++)
		if (!wiring_value(
			    reading, pair->value->items[i], "coordinate", COORDINATE_MAX, &at[i]))
			return false;
	place = &reading->wiring->channels[channel];
	*place = (struct fabric_channel){true, (uint16_t)at[0], (uint16_t)at[1]};
	return true;
}

/* ---- the line or ring ---- */

int fabric_wiring_place(const struct fabric_wiring *wiring, uint32_t device)
{
	for (uint32_t i = 0; i < wiring->device_count; i++)
		if (wiring->devices[i] == device)
			return (int)i;
	return -1;
}

/* Finds the neighbours of a device. Returns their number, counted up to 3. */
static uint32_t neighbours_of(
	const struct fabric_wiring *wiring, uint32_t device, uint32_t neighbours[3])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < 2 * wiring->cable_count && count < 3; i++) {
		const struct fabric_cable *cable = &wiring->cables[i / 2];
		uint32_t other = cable->device[(i + 1) % 2], k = 0;

		if (cable->device[i % 2] != device)
			continue;
		while (k < count && neighbours[k] != other)
			k++;
		if (k == count)
			neighbours[count++] = other;
	}
	return count;
}

/* Finds the device from which the order of the devices is determined: one at an end of the line, or
 * any device of a ring. Returns false after an error. */
static bool first_device(
	const struct wiring_reading *reading, const struct tree_node *root, uint32_t *first)
{
	const struct fabric_wiring *wiring = reading->wiring;
	uint32_t neighbours[3];
	bool end = false;

	if (wiring->cable_count == 0) {
		diag_error(reading->diag, root->where, "no cable joins devices");
		return false;
	}
	*first = wiring->cables[0].device[0];
	for (uint32_t i = 0; i < 2 * wiring->cable_count; i++) {
		uint32_t device = wiring->cables[i / 2].device[i % 2];
		uint32_t count = neighbours_of(wiring, device, neighbours);

		if (count > 2) {
			diag_error(reading->diag, wiring->cables[i / 2].where,
				"device %u has more than two neighbours; the devices of a replay "
				"form a line or a ring",
				device);
			return false;
		}
		if (count == 1 && !end)
			*first = device;
		end = end || count == 1;
	}
	return true;
}

static bool order_devices(struct wiring_reading *reading, const struct tree_node *root)
{
	struct fabric_wiring *wiring = reading->wiring;
	uint32_t neighbours[3], count, next = 0;

	wiring->devices =
		arena_array(reading->arena, 2 * wiring->cable_count + 1, sizeof *wiring->devices);
	if (!first_device(reading, root, &next))
		return false;
	do {
		wiring->devices[wiring->device_count++] = next;
		count = neighbours_of(wiring, next, neighbours);
		next = neighbours[0];
		if (count > 1 && fabric_wiring_place(wiring, next) >= 0)
			next = neighbours[1];
	} while (fabric_wiring_place(wiring, next) < 0);
	wiring->ring = wiring->device_count > 2 && count == 2;
	for (uint32_t i = 0; i < 2 * wiring->cable_count; i++) {
		uint32_t device = wiring->cables[i / 2].device[i % 2];

		if (fabric_wiring_place(wiring, device) >= 0)
			continue;
		diag_error(reading->diag, wiring->cables[i / 2].where,
			"no cables lead from device %u to device %u", wiring->devices[0], device);
		return false;
	}
	return true;
}

/* ---- files ---- */

static bool wiring_read(struct wiring_reading *reading, const struct tree_node *root)
{
	struct fabric_wiring *wiring = reading->wiring;
	const struct tree_node *cables, *handovers, *channels = NULL;
	bool good = true;

	if (root->kind != TREE_MAP) {
		diag_error(reading->diag, root->where, "expected a map");
		return false;
	}
	cables = wiring_list(reading, root, "inter_device_channel_pairs");
	handovers = wiring_list(reading, root, "forwarding_channel_pairs");
	channels = tree_get(root, "eth_chan_to_coord");
	if (!channels || channels->kind != TREE_MAP) {
		diag_error(reading->diag, channels ? channels->where : root->where,
			"'eth_chan_to_coord' must be a map");
		return false;
	}
	if (!cables || !handovers)
		return false;
	wiring->cables = arena_array(reading->arena, cables->count + 1u, sizeof *wiring->cables);
	wiring->handovers =
		arena_array(reading->arena, handovers->count + 1u, sizeof *wiring->handovers);
	for (uint32_t i = 0; i < cables->count; i++)
		good = add_cable(reading, cables->items[i]) && good;
	for (uint32_t i = 0; i < handovers->count; i++)
		good = add_handover(reading, handovers->items[i]) && good;
	for (uint32_t i = 0; i < channels->count; i++)
		good = add_channel(reading, &channels->pairs[i]) && good;
	return good && order_devices(reading, root);
}

bool fabric_wiring_read(
	const char *path, struct arena *arena, struct diag *diag, struct fabric_wiring *wiring)
{
	struct wiring_reading reading = {wiring, arena, diag};
	size_t errors = diag_errors(diag);
	struct tree *tree = tree_read_file(path, diag);
	bool good = tree && diag_errors(diag) == errors;

	*wiring = (struct fabric_wiring){.path = path};
	good = good && wiring_read(&reading, tree_root(tree));
	tree_free(tree);
	return good;
}

/* ---- ways ---- */

/* Returns the channel over which a packet leaves a device if it has arrived over `channel`. Returns
 * FABRIC_CHANNELS if there is no such channel. */
static uint32_t next_channel(const struct fabric_wiring *wiring, uint32_t device, uint32_t channel)
{
	for (uint32_t i = 0; i < wiring->handover_count; i++)
		for (int k = 0; k < 2; k++)
			if (wiring->handovers[i].device == device &&
				wiring->handovers[i].channel[k] == channel)
				return wiring->handovers[i].channel[!k];
	return FABRIC_CHANNELS;
}

uint32_t fabric_wiring_way(const struct fabric_wiring *wiring, uint32_t device, uint32_t channel,
	uint32_t hops, uint32_t *places, uint32_t *parallel)
{
	uint32_t count = 0;

	places[0] = (uint32_t)fabric_wiring_place(wiring, device);
	while (count < hops) {
		int end;
		const struct fabric_cable *cable = cable_at(wiring, device, channel, &end);

		if (!cable)
			break;
		if (count == 0)
			*parallel = cable->parallel;
		device = cable->device[!end];
		places[++count] = (uint32_t)fabric_wiring_place(wiring, device);
		channel = next_channel(wiring, device, cable->channel[!end]);
	}
	return count;
}
