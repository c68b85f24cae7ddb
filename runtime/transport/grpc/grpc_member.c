/* A member's end over gRPC, for member.c: one connection, and one call on this connection. The
 * library's retries and HTTP proxies are turned off. */
#include <stdio.h>
#include <string.h>

#include "grpc_line.h"
#include "stream.h"
#include "world/world.h"

enum { LINGER_NS = 1000000000 };

struct grpc_member {
	struct channel channel;
	char target[ADDRESS_BYTES];
	struct grpc_queue queue;
	grpc_channel *connection;
	struct grpc_line *line;
	uint64_t next_in; /* next sequence number */
};

static struct grpc_member *at(struct channel *channel)
{
	return (struct grpc_member *)channel;
}

/* ---- receiving ---- */

static void grpc_member_heard(struct grpc_line *line, const uint8_t *header, struct span payload)
{
	struct channel *channel = line->owner;

	member_hear(channel, &at(channel)->next_in, header, payload);
	if (channel->lost)
		grpc_line_leave(line, GRPC_STATUS_OK);
}

static void ended(struct grpc_line *line)
{
	((struct channel *)line->owner)->lost = true;
}

/* ---- callbacks for member.c ---- */

static void grpc_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	if (!grpc_line_tell(at(channel)->line, kind, credit, payload))
		channel->lost = true;
}

static grpc_call *call_hub(struct grpc_member *self)
{
	const struct grpc_api *api = self->queue.api;
	const uint32_t most = FRAME_HEADER_BYTES + self->channel.end.settings.message_bytes_max;
	grpc_arg arguments[] = {
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_HTTP_PROXY, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_RETRIES, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
			.value.integer = 1},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
			.value.integer = (int)most},
	};
	const grpc_channel_args all = {sizeof arguments / sizeof arguments[0], arguments};
	grpc_channel_credentials *none = api->grpc_insecure_credentials_create();

	self->connection = api->grpc_channel_create(self->target, none, &all);
	api->grpc_channel_credentials_release(none);
	return api->grpc_channel_create_call(self->connection, NULL, GRPC_PROPAGATE_DEFAULTS,
		self->queue.queue, api->grpc_slice_from_static_string(GRPC_LINE_METHOD), NULL,
		api->gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
}

/* Starts the call. If no hub listens, the call ends, and ended() is called. */
static enum status grpc_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct grpc_member *self = at(channel);
	enum status status = grpc_queue_open(&self->queue, &channel->end, &channel->why);

	(void)deadline_ns;
	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&channel->end.mutex);
	self->next_in = 0;
	self->line = grpc_line_new(&self->queue, call_hub(self), false);
	self->line->owner = channel;
	self->line->session = &channel->session;
	self->line->heard = grpc_member_heard;
	self->line->ended = ended;
	grpc_line_start(self->line);
	member_greet(channel);
	pthread_mutex_unlock(&channel->end.mutex);
	return STATUS_OK;
}

/* Waits until the hub ends the call, which it does when it has received all frames. */
static void grpc_member_part(struct channel *channel, bool bye)
{
	struct grpc_member *self = at(channel);
	int64_t deadline_ns = world->now_ns() + LINGER_NS;

	if (!self->line)
		return;
	pthread_mutex_lock(&channel->end.mutex);
	if (bye && !channel->lost) {
		grpc_member_tell(channel, FRAME_BYE, 0, (struct span){0});
		while (!channel->lost && end_wait(&channel->end, deadline_ns))
			continue;
	}
	grpc_line_stop(self->line);
	pthread_mutex_unlock(&channel->end.mutex);
	grpc_queue_stop(&self->queue);
	grpc_line_free(self->line);
	self->line = NULL;
	self->queue.api->grpc_channel_destroy(self->connection);
	grpc_queue_close(&self->queue);
}

static const struct member_library library = {
	.greet = grpc_member_greet,
	.proved = member_plain_proved,
	.welcome = member_plain_welcome,
	.tell = grpc_member_tell,
	.told = member_plain_told,
	.is_leaving = member_plain_leaving,
	.part = grpc_member_part,
};

enum status grpc_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **result, struct text *why)
{
	struct sockaddr_storage address;
	struct channel *channel = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status =
			stream_resolve(settings->address, settings->remote, &address, &length, why);
	if (status == STATUS_OK)
		status = member_new(
			&library, settings, sizeof(struct grpc_member), 1, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = end_plain_list;
	channel->end.found = end_plain_found;
	snprintf(at(channel)->target, sizeof at(channel)->target, "ipv%d:%s",
		address.ss_family == AF_INET6 ? 6 : 4, settings->address);
	return member_join(channel, deadline_ns, result, why);
}
