/* The tables of channel operations, one per transport. This file also opens and closes the network.
 * All transports share the same code and differ in their costs. There is one network per process,
 * because there is one engine. */
#include "hostnet_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "host/sim_world.h"

/* Uses the rates of SimGrid's links, so that the loaded platform determines them. */
static void take_rates(uint16_t host)
{
	char name[PLATFORM_NAME_BYTES];
	struct link_rate up = platform_link_rate(platform_nic_link(host, false, name));
	struct link_rate down = platform_link_rate(platform_nic_link(host, true, name));

	hostnet.nics[host].bandwidth_bytes_per_s = up.bandwidth_bytes_per_s;
	hostnet.constants.nic_latency_ps = up.latency_ps;
	hostnet.constants.switch_latency_ps = down.latency_ps - up.latency_ps;
}

/* Passes the costs of the codecs to the host model. The host model charges these costs to the
 * threads that encode and decode. */
static void tell_codings(const struct hostnet_coding *codecs)
{
	struct host_coding_cost costs[WORK_CODECS][2] = {0};

	for (unsigned i = 0; i < HOSTNET_CODEC_COUNT; i++) {
		const struct hostnet_coding *from = &codecs[i];
		uint32_t number = hostnet_codec_number((enum hostnet_codec)i);

		costs[number][false] = (struct host_coding_cost){
			from->encode_message_ps, from->encode_argument_kib_ps, from->encode_kib_ps};
		costs[number][true] = (struct host_coding_cost){
			from->decode_message_ps, from->decode_argument_kib_ps, from->decode_kib_ps};
	}
	sim_world_set_codings(costs);
}

void hostnet_open(const struct hostnet_constants *constants, uint16_t count, bool simgrid)
{
	hostnet =
		(struct hostnet){.constants = *constants, .count = count, .arrive = net_end_arrive};
	tell_codings(constants->codecs);
	hostnet.nics = allocate(count, sizeof *hostnet.nics);
	for (uint16_t i = 0; i < count; i++)
		if (simgrid)
			take_rates(i);
		else
			hostnet.nics[i].bandwidth_bytes_per_s = constants->bandwidth_bytes_per_s;
}

void hostnet_close(void)
{
	ensure(!hostnet.ends, "an end on host %u is open", hostnet.ends->host);
	while (hostnet.free_bursts) {
		struct burst *burst = hostnet.free_bursts;

		hostnet.free_bursts = burst->next;
		free(burst);
	}
	while (hostnet.free_parcels) {
		struct parcel *parcel = hostnet.free_parcels;

		hostnet.free_parcels = parcel->next;
		free(parcel);
	}
	free(hostnet.nics);
	hostnet.nics = NULL;
}

void hostnet_statistics(uint16_t host, struct hostnet_statistics *statistics)
{
	ensure(host < hostnet.count, "host %u of %u", host, hostnet.count);
	*statistics = hostnet.nics[host].counted;
}

bool hostnet_is_quiet(void)
{
	uint64_t under_way = 0;

	for (uint16_t i = 0; i < hostnet.count; i++)
		under_way += hostnet.nics[i].counted.sent - hostnet.nics[i].counted.delivered;
	return under_way == 0;
}

/* ---- the tables ---- */

#define TRANSPORT(row, symbol, name, library, capabilities, ...)                                   \
	static enum status hub_open_##row(                                                         \
		const struct channel_settings *settings, struct hub **hub, struct text *why)       \
	{                                                                                          \
		return net_hub_open(HOSTNET_##row, settings, hub, why);                            \
	}                                                                                          \
	static enum status join_##row(const struct channel_settings *settings,                     \
		int64_t deadline_ns, struct channel **channel, struct text *why)                   \
	{                                                                                          \
		return net_join(HOSTNET_##row, ((capabilities)&CHANNEL_PLACES) != 0, settings,     \
			deadline_ns, channel, why);                                                \
	}
#include "world/transports.def"

const struct channel_ops *hostnet_find(const char *name)
{
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++)
		if (strcmp(hostnet_transport_name((enum hostnet_transport)i), name) == 0)
			return hostnet_row((enum hostnet_transport)i);
	return NULL;
}

static const struct channel_ops rows[] = {
#define TRANSPORT(row, symbol, name_, library, capabilities_, ...)                                 \
	[HOSTNET_##row] = {                                                                        \
		.name = name_,                                                                     \
		.capabilities = capabilities_,                                                     \
		.hub_open = hub_open_##row,                                                        \
		.hub_address = net_hub_address,                                                    \
		.hub_accept = net_hub_accept,                                                      \
		.hub_member = net_hub_member,                                                      \
		.hub_send = net_hub_send,                                                          \
		.hub_receive = net_hub_receive,                                                    \
		.hub_drop = net_hub_drop,                                                          \
		.hub_counts = net_hub_counts,                                                      \
		.hub_close = net_hub_close,                                                        \
		.join = join_##row,                                                                \
		.send = net_send,                                                                  \
		.receive = net_receive,                                                            \
		.counts = net_counts,                                                              \
		.close = net_close,                                                                \
	},
#include "world/transports.def"
};

const struct channel_ops *hostnet_row(enum hostnet_transport transport)
{
	return &rows[transport];
}
