/* The rows `zeromq` and `zeromq-router`. Refuses nothing itself. */
#include "rows_private.h"
#include "zeromq.h"

#define OPERATIONS                                                                                 \
	.hub_address = zeromq_hub_address, .hub_accept = zeromq_hub_accept,                        \
	.hub_member = zeromq_hub_member, .hub_send = zeromq_hub_send,                              \
	.hub_receive = zeromq_hub_receive, .hub_drop = zeromq_hub_drop,                            \
	.hub_counts = zeromq_hub_counts, .hub_close = zeromq_hub_close,                            \
	.send = zeromq_channel_send, .receive = zeromq_channel_receive, .counts = zeromq_counts,   \
	.close = zeromq_channel_close

static const struct zeromq_style publishing = {"zeromq", true}, routing = {"zeromq-router", false};

static enum status open_publishing(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return zeromq_hub_open(&publishing, settings, hub, why);
}

static enum status join_publishing(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return zeromq_join(&publishing, settings, deadline_ns, channel, why);
}

static enum status open_routing(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return zeromq_hub_open(&routing, settings, hub, why);
}

static enum status join_routing(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return zeromq_join(&routing, settings, deadline_ns, channel, why);
}

const struct channel_ops transport_zeromq = {
	.name = "zeromq",
	.capabilities = CHANNEL_MULTICAST,
	.hub_open = open_publishing,
	.join = join_publishing,
	OPERATIONS,
};

const struct channel_ops transport_zeromq_router = {
	.name = "zeromq-router",
	.hub_open = open_routing,
	.join = join_routing,
	OPERATIONS,
};
