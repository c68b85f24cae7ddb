/* The rows `ucx-tcp` and `ucx-shm`. Frames go over the library's streams: they keep order and say
 * whose they are, which its active messages and tags promise of small messages only. A process that
 * has used the library may not fork and use it again. Only this machine may connect: what listens
 * over UCX 1.13 is ended by an assertion of the library on some bytes that are not its own. Refuses
 * nothing itself. */
#include "ucx_ends.h"

static const struct ucx_style tcp = {"ucx-tcp", "tcp", "tcp/"},
			      shm = {"ucx-shm", "posix,tcp", "posix/"};

static enum status open_tcp(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return ucx_hub_open(&tcp, settings, hub, why);
}

static enum status join_tcp(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return ucx_join(&tcp, settings, deadline_ns, channel, why);
}

static enum status open_shm(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	return ucx_hub_open(&shm, settings, hub, why);
}

static enum status join_shm(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	return ucx_join(&shm, settings, deadline_ns, channel, why);
}

const struct channel_ops transport_ucx_tcp = {
	.name = "ucx-tcp",
	.hub_open = open_tcp,
	.hub_close = hub_close,
	.join = join_tcp,
	SHARED_OPERATIONS,
};

const struct channel_ops transport_ucx_shm = {
	.name = "ucx-shm",
	.hub_open = open_shm,
	.hub_close = hub_close,
	.join = join_shm,
	SHARED_OPERATIONS,
};
