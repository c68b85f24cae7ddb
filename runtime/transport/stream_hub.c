/* The operations of a hub over streams: one listener, one connection a member. Refuses to send to
 * some of all: everybody has room, or nobody gets it. */
#include "hub_members.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"

/* ---- polling ---- */

static short wanted(const struct connection *connection)
{
	return (short)(connection->count > 0 ? POLLIN | POLLOUT : POLLIN);
}

static uint32_t list(struct end *end, struct pollfd *polls)
{
	struct hub *hub = (struct hub *)end;
	uint32_t count = 0;

	polls[count++] = (struct pollfd){hub->listener, POLLIN, 0};
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		polls[count++] = (struct pollfd){
			hub->accepted[i]->connection.fd, wanted(&hub->accepted[i]->connection), 0};
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		polls[count++] = (struct pollfd){hub->waiting[i]->connection.fd, POLLIN, 0};
	return count;
}

static void serve(struct hub *hub, struct member *member, short events)
{
	if (events & POLLOUT && connection_write(&member->connection) == STATUS_CLOSED)
		hub_lose(hub, member, true);
	if (events & (POLLIN | POLLHUP | POLLERR))
		hub_hear(hub, member);
}

/* Those listed may have been accepted meanwhile: found again by what they are connected with. */
static struct member *member_at(const struct hub *hub, int fd)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (hub->waiting[i]->connection.fd == fd)
			return hub->waiting[i];
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->connection.fd == fd)
			return hub->accepted[i];
	return NULL;
}

static void found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct hub *hub = (struct hub *)end;

	for (uint32_t i = 1; i < count; i++) {
		struct member *member = NULL;

		if (polls[i].revents && polls[i].fd >= 0)
			member = i <= hub->accepted_count &&
						 hub->accepted[i - 1]->connection.fd == polls[i].fd
					 ? hub->accepted[i - 1]
					 : member_at(hub, polls[i].fd);
		if (member)
			serve(hub, member, polls[i].revents);
	}
	if (count > 0 && polls[0].revents)
		hub_admit(hub);
	hub_sweep(hub);
}

/* ---- the operations ---- */

static enum status listen_at(
	struct hub *hub, const struct sockaddr_storage *address, socklen_t length, struct text *why)
{
	const struct stream_family *family = hub->family;
	const struct sockaddr *at = (const struct sockaddr *)address;
	int good, error;

	hub->listener = stream_socket(at->sa_family);
	if (hub->listener < 0)
		return STATUS_IO;
	family->prepare(hub->listener);
	good = bind(hub->listener, at, length);
	if (good < 0 && errno == EADDRINUSE && family->clear) {
		family->clear(address);
		good = bind(hub->listener, at, length);
	}
	if (good == 0 && listen(hub->listener, NEWCOMERS_MAX) == 0) {
		family->print(hub->listener, hub->address, sizeof hub->address);
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
	struct hub *hub = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = family->resolve(
			settings->address, settings->remote, &address, &length, why);
	if (status != STATUS_OK)
		return status;
	hub = allocate(1, sizeof *hub);
	hub->listener = -1;
	hub->family = family;
	status = end_init(&hub->end, settings, CONNECTIONS_MAX + CHANNEL_MEMBERS_MAX + 1);
	if (status != STATUS_OK) {
		free(hub);
		return status;
	}
	hub->end.list = list;
	hub->end.found = found;
	status = listen_at(hub, &address, length, why);
	if (status == STATUS_OK)
		*result = hub;
	else
		stream_hub_close(hub);
	return status;
}

const char *stream_hub_address(const struct hub *hub)
{
	return hub->address;
}

enum status stream_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *number)
{
	enum status status = STATUS_OK;
	struct member *member = NULL;
	bool more = true;

	pthread_mutex_lock(&hub->end.mutex);
	if (hub->accepted_count == CHANNEL_MEMBERS_MAX)
		status = STATUS_NO_SPACE;
	while (status == STATUS_OK && !(member = hub_take_joined(hub)) && more)
		more = end_wait(&hub->end, deadline_ns);
	if (member) {
		member->party.standing = ACCEPTED;
		member->connection.length_max = hub->end.settings.message_bytes_max;
		member->party.number = hub->accepted_count;
		hub->accepted[hub->accepted_count++] = member;
		*number = member->party.number;
		connection_put(&member->connection, FRAME_WELCOME, 0, (struct span){0});
		if (connection_write(&member->connection) == STATUS_CLOSED)
			hub_lose(hub, member, true);
		end_ring(&hub->end);
	} else if (status == STATUS_OK) {
		status = STATUS_TIMEOUT;
	}
	pthread_mutex_unlock(&hub->end.mutex);
	return status;
}

const char *stream_hub_member(const struct hub *hub, uint32_t member)
{
	ensure(member < hub->accepted_count, "member %u of %u", member, hub->accepted_count);
	return hub->accepted[member]->party.name;
}

static struct party *party_at(const struct end *end, uint32_t member)
{
	return &((const struct hub *)end)->accepted[member]->party;
}

/* To all that are addressed, which have room. */
static void post(struct hub *hub, uint32_t to, struct span payload)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		struct member *member = hub->accepted[i];

		if (!end_is_addressed(&member->party, to))
			continue;
		connection_put(&member->connection, FRAME_MESSAGE, 0, payload);
		member->party.flow.under_way++;
		hub->end.counts.sent++;
		hub->end.counts.sent_bytes += payload.length;
		if (connection_write(&member->connection) == STATUS_CLOSED)
			hub_lose(hub, member, true);
	}
}

/* Something that was posted has not left yet. */
static bool is_leaving(const struct hub *hub, uint32_t to)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (end_is_addressed(&hub->accepted[i]->party, to) &&
			hub->accepted[i]->connection.count > 0)
			return true;
	return false;
}

enum status stream_hub_send(
	struct hub *hub, uint32_t to, struct span message, int64_t deadline_ns, uint32_t *who)
{
	struct span payload;
	enum status status = end_payload(&hub->end, message, &payload);
	bool more = true;

	*who = to;
	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&hub->end.mutex);
	ensure(to == CHANNEL_ALL || to < hub->accepted_count, "member %u of %u", to,
		hub->accepted_count);
	status = end_room(&hub->end, party_at, hub->accepted_count, to, who);
	hub->end.counts.full += status == STATUS_FULL;
	while (status == STATUS_FULL && more) {
		more = end_wait(&hub->end, deadline_ns);
		status = end_room(&hub->end, party_at, hub->accepted_count, to, who);
	}
	if (status == STATUS_OK) {
		post(hub, to, payload);
		end_ring(&hub->end);
		while (is_leaving(hub, to) && end_wait(&hub->end, deadline_ns))
			continue;
	}
	pthread_mutex_unlock(&hub->end.mutex);
	span_release(payload);
	return status == STATUS_FULL ? STATUS_TIMEOUT : status;
}

enum status stream_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *number, struct span *message)
{
	enum status status = STATUS_TIMEOUT;
	struct arrived *arrived;
	struct member *member = NULL;
	bool more = true;

	pthread_mutex_lock(&hub->end.mutex);
	while (!(arrived = end_take(&hub->end)) && more)
		more = end_wait(&hub->end, deadline_ns);
	if (arrived) {
		member = hub->accepted[arrived->member];
		*number = arrived->member;
		status = arrived->lost ? STATUS_CLOSED : STATUS_OK;
	}
	if (status == STATUS_OK) {
		*message = arrived->message;
		stream_received(&hub->end, &member->party.flow, &member->connection, *message);
	}
	pthread_mutex_unlock(&hub->end.mutex);
	free(arrived);
	return status;
}

void stream_hub_drop(struct hub *hub, uint32_t number)
{
	pthread_mutex_lock(&hub->end.mutex);
	ensure(number < hub->accepted_count, "member %u of %u", number, hub->accepted_count);
	hub->accepted[number]->party.dropped = true;
	hub_lose(hub, hub->accepted[number], false);
	end_ring(&hub->end);
	pthread_mutex_unlock(&hub->end.mutex);
}

void stream_hub_counts(struct hub *hub, struct channel_counts *counts)
{
	pthread_mutex_lock(&hub->end.mutex);
	*counts = hub->end.counts;
	pthread_mutex_unlock(&hub->end.mutex);
}

void stream_hub_close(struct hub *hub)
{
	struct connection *connections[CHANNEL_MEMBERS_MAX];

	if (!hub)
		return;
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		connections[i] = &hub->accepted[i]->connection;
	end_linger(connections, hub->accepted_count);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		free(hub->accepted[i]);
	for (uint32_t i = 0; i < hub->waiting_count; i++) {
		connection_end(&hub->waiting[i]->connection);
		free(hub->waiting[i]);
	}
	if (hub->listener >= 0)
		close(hub->listener);
	end_fini(&hub->end);
	free(hub);
}
