/* Finds the packets among recorded events (see fabric_trace.h).
 *
 * To send a packet, a kernel writes the payload and then the header into the L1 of a router. The
 * profiler records both writes, one of them as an event "send of a packet". A header without such
 * an event before or after it is a packet without payload, which increments a semaphore. This
 * increment goes to all devices that earlier packets of the kernel have reached over this
 * channel. */
#include "fabric_private.h"

enum { HEADER_BYTES = 128 }; /* most bytes of a header; payloads of interest are larger */

static bool writes_to(const struct noc_trace_event *event, const struct fabric_channel *channel)
{
	return event->kind == NOC_TRACE_WRITE && channel->known && event->x == channel->x &&
	       event->y == channel->y;
}

/* Combines the two events of a packet: its "send", and the write just before or after it. One of
 * the two wrote the payload, the other the header. */
static void join_packet(
	const struct fabric_wiring *wiring, struct noc_trace_kernel *kernel, uint32_t number)
{
	struct noc_trace_event *packet = &kernel->events[number];
	struct noc_trace_event *before = number > 0 ? packet - 1 : NULL;
	struct noc_trace_event *after = number + 1 < kernel->event_count ? packet + 1 : NULL;
	const struct fabric_channel *channel = &wiring->channels[packet->channel];
	bool header = packet->bytes <= HEADER_BYTES;

	if (header && before && writes_to(before, channel)) {
		packet->bytes = before->bytes;
		before->kind = NOC_TRACE_MARK;
	} else if (after && writes_to(after, channel) && after->bytes <= HEADER_BYTES) {
		after->kind = NOC_TRACE_MARK;
	} else if (header && packet->increment) {
		packet->bytes = 0;
	}
}

/* Turns headers without a send into increments. */
static void find_increments(const struct fabric_wiring *wiring, struct noc_trace_kernel *kernel)
{
	uint32_t reach[FABRIC_CHANNELS] = {0};

	for (uint32_t i = 0; i < kernel->event_count; i++) {
		struct noc_trace_event *event = &kernel->events[i];
		uint32_t channel = 0;

		if (event->kind == NOC_TRACE_PACKET && event->hops > reach[event->channel])
			reach[event->channel] = event->hops;
		if (event->kind != NOC_TRACE_WRITE || event->bytes > HEADER_BYTES)
			continue;
		while (channel < FABRIC_CHANNELS &&
			(reach[channel] == 0 || !writes_to(event, &wiring->channels[channel])))
			channel++;
		if (channel == FABRIC_CHANNELS)
			continue;
		event->kind = NOC_TRACE_PACKET;
		event->increment = event->each = true;
		event->channel = channel;
		event->hops = reach[channel];
		event->bytes = 0;
	}
}

/* Checks that a packet has a route, and that its receivers have files. */
static bool packets_check(const struct preparing *preparing, const struct fabric_device *device,
	const struct noc_trace_event *event)
{
	const struct fabric_trace *trace = preparing->trace;
	const struct fabric_wiring *wiring = trace->wiring;
	uint32_t most = platform_cluster(preparing->platform)->fabric_packet_bytes;
	uint32_t places[FABRIC_DEVICES_MAX + 1], parallel, hops;

	if (event->bytes > most) {
		diag_error(preparing->diag, event->where,
			"a packet of %u bytes, but those of the machine have at most %u",
			event->bytes, most);
		return false;
	}
	if (event->hops >= wiring->device_count) {
		diag_error(preparing->diag, event->where, "%u hops on a %s of %u devices",
			event->hops, wiring->ring ? "ring" : "line", wiring->device_count);
		return false;
	}
	hops = fabric_wiring_way(
		wiring, device->id, event->channel, event->hops, places, &parallel);
	if (hops < event->hops) {
		diag_error(preparing->diag, event->where,
			hops == 0 ? "channel %u of device %u has no cable in %s"
				  : "a packet over channel %u of device %u ends before its last "
				    "hop, for routers hand it on nowhere in %s",
			event->channel, device->id, wiring->path);
		return false;
	}
	if (fabric_device_at(trace, places[hops]))
		return true;
	diag_error(preparing->diag, event->where,
		"a packet goes to device %u, but the folder has no trace of it",
		wiring->devices[places[hops]]);
	return false;
}

struct fabric_device *fabric_device_at(const struct fabric_trace *trace, uint32_t place)
{
	for (uint32_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].place == place)
			return &trace->devices[i];
	return NULL;
}

bool fabric_packets(const struct preparing *preparing, struct fabric_device *device)
{
	const struct fabric_wiring *wiring = preparing->trace->wiring;
	bool good = true;

	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		struct noc_trace_kernel *kernel = &device->trace.kernels[i];

		for (uint32_t k = 0; k < kernel->event_count; k++) {
			kernel->events[k].counter_tile = TILE_AT_NONE;
			if (kernel->events[k].kind == NOC_TRACE_PACKET)
				join_packet(wiring, kernel, k);
		}
		find_increments(wiring, kernel);
		for (uint32_t k = 0; k < kernel->event_count; k++)
			if (kernel->events[k].kind == NOC_TRACE_PACKET)
				good = packets_check(preparing, device, &kernel->events[k]) && good;
	}
	return good;
}
