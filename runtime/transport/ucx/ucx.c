/* The implementations of channels over UCX, named `ucx-tcp` and `ucx-shm`. Frames go over the
 * library's streams. Streams keep messages of any size in order and identify the sender; the
 * library's active messages and tags do this only for small messages. After a fork, only the parent
 * process may use the library. Only processes of this machine may connect: some malformed bytes
 * cause a failed assertion in UCX 1.13, which ends the listening process. */
#include "ucx_line.h"

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
