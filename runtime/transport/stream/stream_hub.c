/* The hub over stream sockets, for hub.c: one listener, and one connection for each party. While
 * WAITING_MAX parties wait, further connections stay in the listener's backlog. */
#define _GNU_SOURCE /* accept4 */
#include "stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "hub.h"

struct stream_hub {
	struct hub hub;
	const struct stream_family *family;
	int listener; /* -1: there is no listener */
};

struct stream_party {
	struct party party;
	struct connection connection;
};

static struct stream_party *at(struct party *party)
{
	return (struct stream_party *)party;
}

static const struct connection *connection_of(const struct party *party)
{
	return &((const struct stream_party *)party)->connection;
}

/* ---- receiving ---- */

/* Reads all frames that a party has sent so far. */
static void stream_hub_hear(struct hub *hub, struct party *party)
{
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	enum status status = STATUS_OK;

	while (party->standing != LOST && status == STATUS_OK) {
		payload = (struct span){0};
		fault = FRAME_GOOD;
		status =
			connection_read(&at(party)->connection, &frame, &payload, &fault, &version);
		if (status == STATUS_OK || status == STATUS_INVALID)
			hub_hear_frame(hub, party, fault, version, &frame, payload);
		else if (status == STATUS_CLOSED)
			hub_lose(hub, party);
	}
}

/* Accepts new connections, and reads from each of them at once. A member sends its greeting as soon
 * as it has connected, so this first read usually finds the greeting. The member then never counts
 * as a party that has sent nothing. */
static void stream_hub_admit(struct stream_hub *self)
{
	struct hub *hub = &self->hub;
	int fd;

	for (uint32_t i = 0; i < NEWCOMERS_MAX && hub->waiting_count < WAITING_MAX; i++) {
		struct stream_party *newcomer;

		fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		newcomer = allocate(1, sizeof *newcomer);
		self->family->prepare(fd);
		connection_init(
			&newcomer->connection, fd, &newcomer->party.session, PROOF_PAYLOAD_MAX);
		hub_add(hub, &newcomer->party);
		if (self->family->meet(fd, newcomer->party.from, FROM_BYTES))
			stream_hub_hear(hub, &newcomer->party);
		else
			hub_refuse(
				hub, &newcomer->party, REFUSAL_FAULT, "it is %s", "another user's");
	}
}

/* ---- polling ---- */

static short wanted(const struct connection *connection)
{
	return (short)(connection->count > 0 ? POLLIN | POLLOUT : POLLIN);
}

static uint32_t stream_hub_list(struct end *end, struct pollfd *polls)
{
	struct hub *hub = (struct hub *)end;
	uint32_t count = 0;

	polls[count++] = (struct pollfd){((struct stream_hub *)hub)->listener, POLLIN, 0};
	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		const struct connection *connection = connection_of(hub->accepted[i]);

		polls[count++] = (struct pollfd){connection->fd, wanted(connection), 0};
	}
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		polls[count++] = (struct pollfd){connection_of(hub->waiting[i])->fd, POLLIN, 0};
	return count;
}

static void stream_hub_serve(struct hub *hub, struct party *party, short events)
{
	if (events & POLLOUT && connection_write(&at(party)->connection) == STATUS_CLOSED)
		hub_lose(hub, party);
	if (events & (POLLIN | POLLHUP | POLLERR))
		stream_hub_hear(hub, party);
}

/* Returns the party with a descriptor, or NULL. Looks at waiting and at accepted parties: a party
 * that was waiting when the list of descriptors was made may have been accepted since. */
static struct party *stream_hub_party_with(const struct hub *hub, int fd)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (connection_of(hub->waiting[i])->fd == fd)
			return hub->waiting[i];
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (connection_of(hub->accepted[i])->fd == fd)
			return hub->accepted[i];
	return NULL;
}

static void stream_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct hub *hub = (struct hub *)end;

	for (uint32_t i = 1; i < count; i++) {
		struct party *party = NULL;

		if (polls[i].revents && polls[i].fd >= 0)
			party = i <= hub->accepted_count &&
						connection_of(hub->accepted[i - 1])->fd ==
							polls[i].fd
					? hub->accepted[i - 1]
					: stream_hub_party_with(hub, polls[i].fd);
		if (party)
			stream_hub_serve(hub, party, polls[i].revents);
	}
	if (count > 0 && polls[0].revents)
		stream_hub_admit((struct stream_hub *)hub);
	hub_sweep(hub);
}

/* ---- callbacks for hub.c ---- */

static void stream_hub_tell(struct hub *hub, struct party *party, enum frame_kind kind,
	uint32_t credit, struct span payload)
{
	struct connection *connection = &at(party)->connection;
	enum status status;

	connection_put(connection, kind, credit, payload);
	status = connection_write(connection);
	if (status == STATUS_CLOSED)
		hub_lose(hub, party);
	else if (status == STATUS_FULL)
		end_ring(&hub->end);
}

static void stream_hub_welcome(struct hub *hub, struct party *party)
{
	at(party)->connection.length_max = hub->end.settings.message_bytes_max;
	stream_hub_tell(hub, party, FRAME_WELCOME, 0, (struct span){0});
	end_ring(&hub->end); /* the party is now listed among the accepted parties */
}

static bool is_leaving(const struct hub *hub, const struct party *party)
{
	(void)hub;
	return connection_of(party)->count > 0;
}

/* Ends the connection. Sends no goodbye, because the other end sees that the connection closes. */
static void stream_hub_part(struct hub *hub, struct party *party, bool bye)
{
	(void)hub;
	(void)bye;
	connection_end(&at(party)->connection);
}

static void stream_hub_close_library(struct hub *hub)
{
	struct stream_hub *self = (struct stream_hub *)hub;
	struct connection *connections[CHANNEL_MEMBERS_MAX];

	for (uint32_t i = 0; i < hub->accepted_count; i++)
		connections[i] = &at(hub->accepted[i])->connection;
	end_linger(connections, hub->accepted_count);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		connection_end(&at(hub->waiting[i])->connection);
	if (self->listener >= 0)
		close(self->listener);
}

static const struct hub_library library = {
	.greeting = hub_plain_greeting,
	.is_ready = hub_plain_ready,
	.welcome = stream_hub_welcome,
	.tell = stream_hub_tell,
	.say = hub_plain_say,
	.publish = hub_plain_publish,
	.told = hub_plain_told,
	.is_leaving = is_leaving,
	.part = stream_hub_part,
	.close = stream_hub_close_library,
};

/* ---- opening ---- */

static enum status stream_hub_listen_at(struct stream_hub *self,
	const struct sockaddr_storage *address, socklen_t length, struct text *why)
{
	const struct stream_family *family = self->family;
	const struct sockaddr *where = (const struct sockaddr *)address;
	int good, error;

	self->listener = stream_socket(where->sa_family);
	if (self->listener < 0)
		return STATUS_IO;
	family->prepare(self->listener);
	good = bind(self->listener, where, length);
	if (good < 0 && errno == EADDRINUSE && family->clear) {
		family->clear(address);
		good = bind(self->listener, where, length);
	}
	if (good == 0 && listen(self->listener, WAITING_MAX) == 0) {
		family->print(self->listener, self->hub.address, sizeof self->hub.address);
		return STATUS_OK;
	}
	error = errno;
	if (why)
		text_printf(why, "cannot listen there: %s", strerror(error));
	return error == EADDRINUSE ? STATUS_EXISTS : STATUS_IO;
}

enum status stream_hub_open(const struct stream_family *family,
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	struct sockaddr_storage address;
	struct stream_hub *self;
	struct hub *hub = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = family->resolve(
			settings->address, settings->remote, &address, &length, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof *self,
			WAITING_MAX + CHANNEL_MEMBERS_MAX + 1, &hub);
	if (status != STATUS_OK)
		return status;
	self = (struct stream_hub *)hub;
	self->listener = -1;
	self->family = family;
	hub->end.list = stream_hub_list;
	hub->end.found = stream_hub_found;
	status = stream_hub_listen_at(self, &address, length, why);
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
