/* The implementations of channels over ZeroMQ, named `zeromq` and `zeromq-router`. */
#include "rows_private.h"
#include "zeromq.h"

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
	.capabilities = capabilities_of_zeromq,
	.hub_open = open_publishing,
	.hub_close = hub_close,
	.join = join_publishing,
	SHARED_OPERATIONS,
};

const struct channel_ops transport_zeromq_router = {
	.name = "zeromq-router",
	.hub_open = open_routing,
	.hub_close = hub_close,
	.join = join_routing,
	SHARED_OPERATIONS,
};
