/* The hub over ZeroMQ: a ROUTER that everybody talks to, and, if the style has one, an XPUB for
 * what it says itself. Refuses to accept a member before its subscriptions are known. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "zeromq_peers.h"

static struct party *party_at(const struct end *end, uint32_t member)
{
	return &((const struct hub *)end)->accepted[member]->party;
}

/* What descriptors said may have been heard already by who sent: looked at again before a wait. */
static uint32_t list(struct end *end, struct pollfd *polls)
{
	struct hub *hub = (struct hub *)end;
	uint32_t count = zeromq_polls(&hub->talk, polls);

	if (peers_hear(hub))
		end_ring(end);
	return count + zeromq_polls(&hub->publish, polls + count);
}

static void found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)polls;
	(void)count;
	peers_hear((struct hub *)end);
}

/* Sending may have taken a descriptor's word for what has come: whoever polls looks again. */
static void have_sent(struct hub *hub)
{
	peers_hear(hub);
	end_ring(&hub->end);
}

/* ---- the operations ---- */

static enum status bind_to(void *socket, const char *endpoint, struct text *why)
{
	int error;

	if (zmq_bind(socket, endpoint) == 0)
		return STATUS_OK;
	error = zmq_errno();
	if (why)
		text_printf(why, "cannot listen there: %s", zmq_strerror(error));
	return error == EADDRINUSE ? STATUS_EXISTS : STATUS_IO;
}

/* Where it stands, without "tcp://". */
static const char *place(void *socket, char text[ZEROMQ_ADDRESS_BYTES])
{
	size_t size = ZEROMQ_ADDRESS_BYTES;

	if (zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, text, &size) != 0)
		text[0] = '\0';
	return strstr(text, "://") ? strstr(text, "://") + 3 : text;
}

static enum status listen_at(
	struct hub *hub, const char *talk, const char *publish, struct text *why)
{
	const struct channel_settings *settings = &hub->end.settings;
	char text[ZEROMQ_ADDRESS_BYTES];
	enum status status = zeromq_open(hub->context, ZMQ_ROUTER, settings, &hub->talk);

	if (status == STATUS_OK)
		status = bind_to(hub->talk.socket, talk, why);
	if (status == STATUS_OK && hub->style->publish)
		status = zeromq_open(hub->context, ZMQ_XPUB, settings, &hub->publish);
	if (status == STATUS_OK && hub->style->publish)
		status = bind_to(hub->publish.socket, publish, why);
	if (status != STATUS_OK)
		return status;
	snprintf(hub->address, sizeof hub->address, "%s", place(hub->talk.socket, text));
	if (hub->style->publish) {
		size_t length = strlen(hub->address);

		snprintf(hub->address + length, sizeof hub->address - length, ",%s",
			strrchr(place(hub->publish.socket, text), ':') + 1);
	}
	return STATUS_OK;
}

enum status zeromq_hub_open(const struct zeromq_style *style,
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	char talk[ZEROMQ_ADDRESS_BYTES], publish[ZEROMQ_ADDRESS_BYTES];
	struct hub *hub;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = zeromq_endpoints(settings, talk, publish, why);
	if (status != STATUS_OK)
		return status;
	hub = allocate(1, sizeof *hub);
	hub->style = style;
	status = end_init(&hub->end, settings, 4);
	if (status != STATUS_OK) {
		free(hub);
		return status;
	}
	hub->end.list = list;
	hub->end.found = found;
	hub->subscribed = allocate(SUBSCRIBED_MAX, sizeof *hub->subscribed);
	hub->context = zmq_ctx_new();
	status = hub->context ? listen_at(hub, talk, publish, why) : STATUS_IO;
	if (status == STATUS_OK)
		*result = hub;
	else
		zeromq_hub_close(hub);
	return status;
}

const char *zeromq_hub_address(const struct hub *hub)
{
	return hub->address;
}

enum status zeromq_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *number)
{
	enum status status = STATUS_OK;
	struct peer *peer = NULL;
	bool more = true;

	pthread_mutex_lock(&hub->end.mutex);
	if (hub->accepted_count == CHANNEL_MEMBERS_MAX)
		status = STATUS_NO_SPACE;
	while (status == STATUS_OK && !(peer = peers_accept(hub)) && more)
		more = end_wait(&hub->end, deadline_ns);
	if (peer) {
		*number = peer->party.number;
		have_sent(hub);
	} else if (status == STATUS_OK) {
		status = STATUS_TIMEOUT;
	}
	pthread_mutex_unlock(&hub->end.mutex);
	return status;
}

const char *zeromq_hub_member(const struct hub *hub, uint32_t member)
{
	ensure(member < hub->accepted_count, "member %u of %u", member, hub->accepted_count);
	return hub->accepted[member]->party.name;
}

/* To all that are addressed, which have room. */
static void post(struct hub *hub, uint32_t to, struct span payload)
{
	bool once = hub->style->publish && to == CHANNEL_ALL;

	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		struct peer *peer = hub->accepted[i];

		if (!end_is_addressed(&peer->party, to))
			continue;
		if (!once)
			peers_say(hub, peer, FRAME_MESSAGE, payload);
		peer->party.flow.under_way++;
		hub->end.counts.sent++;
		hub->end.counts.sent_bytes += payload.length;
	}
	if (once) {
		const struct frame frame = {FRAME_MESSAGE, hub->end.settings.session,
			hub->next_all++, 0, payload.length};

		(void)zeromq_send(&hub->publish, "*", 1, &frame, payload);
	}
}

enum status zeromq_hub_send(
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
		have_sent(hub);
	}
	pthread_mutex_unlock(&hub->end.mutex);
	span_release(payload);
	return status == STATUS_FULL ? STATUS_TIMEOUT : status;
}

enum status zeromq_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *number, struct span *message)
{
	enum status status = STATUS_TIMEOUT;
	struct arrived *arrived;
	bool more = true;

	pthread_mutex_lock(&hub->end.mutex);
	while (!(arrived = end_take(&hub->end)) && more)
		more = end_wait(&hub->end, deadline_ns);
	if (arrived) {
		*number = arrived->member;
		status = arrived->lost ? STATUS_CLOSED : STATUS_OK;
	}
	if (status == STATUS_OK) {
		struct peer *peer = hub->accepted[arrived->member];
		uint32_t credit;

		*message = arrived->message;
		credit = end_received(&hub->end, &peer->party.flow, *message);
		if (credit > 0 && peer->party.standing == ACCEPTED) {
			peers_tell(hub, peer, FRAME_CREDIT, credit, (struct span){0});
			have_sent(hub);
		}
	}
	pthread_mutex_unlock(&hub->end.mutex);
	free(arrived);
	return status;
}

void zeromq_hub_drop(struct hub *hub, uint32_t number)
{
	struct peer *peer;

	pthread_mutex_lock(&hub->end.mutex);
	ensure(number < hub->accepted_count, "member %u of %u", number, hub->accepted_count);
	peer = hub->accepted[number];
	peer->party.dropped = true;
	if (peer->party.standing != LOST)
		peers_say(hub, peer, FRAME_BYE, (struct span){0});
	peers_lose(hub, peer, false);
	have_sent(hub);
	pthread_mutex_unlock(&hub->end.mutex);
}

void zeromq_hub_counts(struct hub *hub, struct channel_counts *counts)
{
	pthread_mutex_lock(&hub->end.mutex);
	*counts = hub->end.counts;
	pthread_mutex_unlock(&hub->end.mutex);
}

void zeromq_hub_close(struct hub *hub)
{
	if (!hub)
		return;
	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		if (hub->accepted[i]->party.standing != LOST)
			peers_say(hub, hub->accepted[i], FRAME_BYE, (struct span){0});
		free(hub->accepted[i]);
	}
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		free(hub->waiting[i]);
	zeromq_close(&hub->talk, ZEROMQ_LINGER_MS);
	zeromq_close(&hub->publish, ZEROMQ_LINGER_MS);
	if (hub->context)
		zmq_ctx_term(hub->context);
	end_fini(&hub->end);
	free(hub->subscribed);
	free(hub);
}
