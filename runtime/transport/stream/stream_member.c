/* A member's end over a stream, for member.c: one connection to the hub. */
#include "member.h"
#include "stream.h"

struct stream_member {
	struct channel channel;
	const struct stream_family *family;
	struct connection connection;
	struct sockaddr_storage address;
	socklen_t length;
};

static struct stream_member *at(struct channel *channel)
{
	return (struct stream_member *)channel;
}

static void lose(struct channel *channel)
{
	channel->lost = true;
	connection_end(&at(channel)->connection);
}

/* ---- receiving ---- */

static void stream_member_hear(struct channel *channel)
{
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	enum status status = STATUS_OK;

	while (!channel->lost && status == STATUS_OK) {
		payload = (struct span){0};
		fault = FRAME_GOOD;
		status = connection_read(
			&at(channel)->connection, &frame, &payload, &fault, &version);
		if (status == STATUS_OK || status == STATUS_INVALID)
			member_hear_frame(channel, fault, version, &frame, payload);
		else if (status == STATUS_CLOSED)
			channel->lost = true;
	}
	if (channel->lost)
		lose(channel);
}

static uint32_t stream_member_list(struct end *end, struct pollfd *polls)
{
	const struct connection *connection = &at((struct channel *)end)->connection;

	polls[0] = (struct pollfd){
		connection->fd, (short)(connection->count > 0 ? POLLIN | POLLOUT : POLLIN), 0};
	return 1;
}

static void stream_member_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct channel *channel = (struct channel *)end;

	if (count == 0 || channel->lost)
		return;
	if (polls[0].revents & POLLOUT &&
		connection_write(&at(channel)->connection) == STATUS_CLOSED)
		lose(channel);
	if (polls[0].revents & (POLLIN | POLLHUP | POLLERR))
		stream_member_hear(channel);
}

/* ---- callbacks for member.c ---- */

static enum status stream_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct stream_member *self = at(channel);
	int fd = stream_connect(&self->address, self->length, deadline_ns);

	if (fd < 0)
		return STATUS_CLOSED;
	self->family->prepare(fd);
	connection_init(
		&self->connection, fd, &channel->session, channel->end.settings.message_bytes_max);
	self->connection.memory = channel->end.settings.memory;
	member_greet(channel);
	return STATUS_OK;
}

static void stream_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	struct connection *connection = &at(channel)->connection;
	enum status status;

	connection_put(connection, kind, credit, payload);
	status = connection_write(connection);
	if (status == STATUS_CLOSED)
		lose(channel);
	if (status != STATUS_OK)
		end_ring(&channel->end);
}

static bool is_leaving(const struct channel *channel)
{
	return ((const struct stream_member *)channel)->connection.count > 0;
}

/* Ends the connection. No goodbye is needed, because the hub sees that the connection closes. */
static void stream_member_part(struct channel *channel, bool bye)
{
	struct connection *connection = &at(channel)->connection;

	if (bye)
		end_linger(&connection, 1);
	else
		connection_end(connection);
}

static const struct member_library library = {
	.greet = stream_member_greet,
	.proved = member_plain_proved,
	.welcome = member_plain_welcome,
	.tell = stream_member_tell,
	.told = member_plain_told,
	.is_leaving = is_leaving,
	.part = stream_member_part,
};

enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **result, struct text *why)
{
	struct sockaddr_storage address;
	struct channel *channel = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = family->resolve(
			settings->address, settings->remote, &address, &length, why);
	if (status == STATUS_OK)
		status = member_new(
			&library, settings, sizeof(struct stream_member), 1, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = stream_member_list;
	channel->end.found = stream_member_found;
	at(channel)->family = family;
	at(channel)->connection.fd = -1;
	at(channel)->address = address;
	at(channel)->length = length;
	return member_join(channel, deadline_ns, result, why);
}
