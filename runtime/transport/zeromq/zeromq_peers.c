/* Who comes to a hub over ZeroMQ, what they say, and who goes, see zeromq_peers.h. Refuses whatever
 * is not exactly the next frame of who sends it. */
#include "zeromq_peers.h"

#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/allocate.h"

/* ---- who comes and goes ---- */

void peers_lose(struct hub *hub, struct peer *peer, bool tell)
{
	if (peer->party.standing == LOST)
		return;
	if (peer->party.standing == ACCEPTED && tell)
		end_arrive(&hub->end, peer->party.number, true, (struct span){0});
	peer->party.standing = LOST;
}

void peers_tell(struct hub *hub, struct peer *peer, enum frame_kind kind, uint32_t credit,
	struct span payload)
{
	const struct frame frame = {
		kind, hub->end.settings.session, peer->next_out++, credit, payload.length};

	if (zeromq_send(&hub->talk, peer->identity, peer->identity_length, &frame, payload) !=
		STATUS_OK)
		peers_lose(hub, peer, true);
}

void peers_say(struct hub *hub, struct peer *peer, enum frame_kind kind, struct span payload)
{
	const struct frame frame = {
		kind, hub->end.settings.session, peer->next_own, 0, payload.length};

	if (!hub->style->publish) {
		peers_tell(hub, peer, kind, 0, payload);
		return;
	}
	peer->next_own++;
	(void)zeromq_send(&hub->publish, peer->topic, strlen(peer->topic), &frame, payload);
}

static void refuse(struct hub *hub, struct peer *peer, enum refusal refusal, const char *format,
	const char *detail)
{
	struct span payload = refusal_text(refusal, format, detail);

	peers_tell(hub, peer, FRAME_REFUSED, 0, payload);
	span_release(payload);
	hub->end.counts.refused++;
	peers_lose(hub, peer, true);
}

static void refuse_fault(
	struct hub *hub, struct peer *peer, enum frame_fault fault, uint32_t version)
{
	char detail[FRAME_FAULT_BYTES];

	frame_fault_print(fault, version, detail);
	refuse(hub, peer, REFUSAL_FAULT, "the hub received %s", detail);
}

static bool name_is_taken(const struct hub *hub, const char *name)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->party.standing == ACCEPTED &&
			strcmp(hub->accepted[i]->party.name, name) == 0)
			return true;
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (strcmp(hub->waiting[i]->party.name, name) == 0)
			return true;
	return false;
}

/* "name token" of a greeting. False: it is none. */
static bool read_greeting(struct peer *peer, struct span payload)
{
	const char *text = payload.length > 0 ? (const char *)payload.extent->bytes : "";
	uint32_t name = payload.length - ZEROMQ_TOKEN_DIGITS - 1;

	if (payload.length <= ZEROMQ_TOKEN_DIGITS + 1 || payload.length >= ZEROMQ_GREETING_BYTES ||
		text[name] != ' ' || !end_name_is_plain(text, name) ||
		!end_name_is_plain(text + name + 1, ZEROMQ_TOKEN_DIGITS))
		return false;
	memcpy(peer->party.name, text, name);
	peer->topic[0] = '@';
	memcpy(peer->topic + 1, text, payload.length);
	return true;
}

/* The first that a connection says. */
static void meet(struct hub *hub, const struct zeromq_message *message)
{
	const struct frame_bounds bounds = {
		hub->end.settings.session, 0, ZEROMQ_GREETING_BYTES - 1};
	struct peer *peer = allocate(1, sizeof *peer);
	enum frame_fault fault = FRAME_STRANGER;
	struct frame frame;
	uint32_t version = 0;

	memcpy(peer->identity, message->prefix, message->prefix_length);
	peer->identity_length = message->prefix_length;
	peer->fd = message->fd;
	peer->next_in = 1;
	if (message->whole)
		fault = frame_read(message->header, &bounds, &frame, &version);
	if (fault == FRAME_GOOD && frame.length != message->payload.length)
		fault = FRAME_BROKEN;
	if (fault != FRAME_GOOD)
		refuse_fault(hub, peer, fault, version);
	else if (frame.kind != FRAME_HELLO || !read_greeting(peer, message->payload))
		refuse(hub, peer, REFUSAL_FAULT, "%s is no greeting", "what came first");
	else if (name_is_taken(hub, peer->party.name))
		refuse(hub, peer, REFUSAL_NAME, "there is a member '%s' already", peer->party.name);
	else if (hub->waiting_count == WAITING_MAX)
		refuse(hub, peer, REFUSAL_FAULT, "%s wait to be accepted", "too many");
	if (peer->party.standing == LOST)
		free(peer);
	else
		hub->waiting[hub->waiting_count++] = peer;
}

/* ---- what has come ---- */

static bool is_from(const struct peer *peer, const struct zeromq_message *message)
{
	return peer->identity_length == message->prefix_length &&
	       memcmp(peer->identity, message->prefix, message->prefix_length) == 0;
}

static struct peer *sender_of(const struct hub *hub, const struct zeromq_message *message)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (is_from(hub->accepted[i], message))
			return hub->accepted[i];
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (is_from(hub->waiting[i], message))
			return hub->waiting[i];
	return NULL;
}

/* Takes the reference to the payload over. */
static void hear_peer(struct hub *hub, struct peer *peer, const struct zeromq_message *message)
{
	const struct frame_bounds bounds = {
		hub->end.settings.session, peer->next_in, hub->end.settings.message_bytes_max};
	enum frame_fault fault = FRAME_BROKEN;
	struct span payload = message->payload;
	struct frame frame = {0};
	uint32_t version = 0;

	if (message->whole)
		fault = frame_read(message->header, &bounds, &frame, &version);
	if (fault == FRAME_GOOD && frame.length != payload.length)
		fault = FRAME_BROKEN;
	peer->next_in++;
	if (fault == FRAME_GOOD && frame.kind == FRAME_BYE) {
		peers_lose(hub, peer, true);
	} else if (fault == FRAME_GOOD && peer->party.standing == ACCEPTED) {
		if (!end_frame(&hub->end, &peer->party.flow, peer->party.number, &frame, payload))
			refuse_fault(hub, peer, FRAME_BROKEN, 0);
		return;
	} else {
		refuse_fault(hub, peer, fault == FRAME_GOOD ? FRAME_BROKEN : fault, version);
	}
	span_release(payload);
}

static bool hear_talk(struct hub *hub)
{
	struct zeromq_message message;
	bool some = false;

	while (zeromq_receive(&hub->talk, true, &message)) {
		struct peer *peer = sender_of(hub, &message);

		some = true;
		if (peer && peer->party.standing != LOST) {
			hear_peer(hub, peer, &message);
			continue;
		}
		if (!peer)
			meet(hub, &message);
		span_release(message.payload);
	}
	return some;
}

static void subscribe(struct hub *hub, const char *topic, bool on)
{
	uint32_t at = 0;

	while (at < hub->subscribed_count && strcmp(hub->subscribed[at], topic) != 0)
		at++;
	if (on && at == hub->subscribed_count && at < SUBSCRIBED_MAX)
		memcpy(hub->subscribed[hub->subscribed_count++], topic, strlen(topic) + 1);
	else if (!on && at < hub->subscribed_count)
		memmove(hub->subscribed[at], hub->subscribed[--hub->subscribed_count],
			sizeof hub->subscribed[at]);
}

/* Subscriptions: 1 or 0, and the topic. */
static bool hear_publish(struct hub *hub)
{
	struct zeromq_message message;
	bool some = false;

	while (hub->publish.socket && zeromq_receive(&hub->publish, true, &message)) {
		some = true;
		span_release(message.payload);
		if (message.prefix_length < 2 || message.prefix_length > ZEROMQ_GREETING_BYTES ||
			message.prefix[1] != '@')
			continue;
		message.prefix[message.prefix_length] = '\0';
		subscribe(hub, (const char *)message.prefix + 1, message.prefix[0] == 1);
	}
	return some;
}

static void cut(const struct hub *hub, int fd)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		hub->accepted[i]->cut |= hub->accepted[i]->fd == fd;
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		hub->waiting[i]->cut |= hub->waiting[i]->fd == fd;
}

/* Forgets those who waited and are gone. */
static void sweep(struct hub *hub)
{
	for (uint32_t i = hub->waiting_count; i-- > 0;) {
		if (hub->waiting[i]->party.standing != LOST)
			continue;
		free(hub->waiting[i]);
		hub->waiting_count--;
		memmove(&hub->waiting[i], &hub->waiting[i + 1],
			(hub->waiting_count - i) * sizeof hub->waiting[0]);
	}
}

static bool is_failed_handshake(uint16_t event)
{
	return event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL ||
	       event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL ||
	       event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
}

/* Events first: what a connection sent before it went can be read when its end is known. */
bool peers_hear(struct hub *hub)
{
	uint16_t event;
	bool some = false;
	int fd;

	while (zeromq_event(&hub->talk, &event, &fd)) {
		some = true;
		if (event == ZMQ_EVENT_DISCONNECTED)
			cut(hub, fd);
		hub->end.counts.refused += is_failed_handshake(event);
	}
	while (hub->publish.socket && zeromq_event(&hub->publish, &event, &fd))
		hub->end.counts.refused += is_failed_handshake(event);
	some |= hear_publish(hub);
	some |= hear_talk(hub);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->cut)
			peers_lose(hub, hub->accepted[i], true);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (hub->waiting[i]->cut)
			peers_lose(hub, hub->waiting[i], true);
	sweep(hub);
	return some;
}

static bool is_ready(const struct hub *hub, const struct peer *peer)
{
	if (!hub->style->publish)
		return true;
	for (uint32_t i = 0; i < hub->subscribed_count; i++)
		if (strcmp(hub->subscribed[i], peer->topic) == 0)
			return true;
	return false;
}

struct peer *peers_accept(struct hub *hub)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++) {
		struct peer *peer = hub->waiting[i];
		uint8_t bytes[ZEROMQ_NUMBER_BYTES];
		struct span first;

		if (peer->party.standing == LOST || !is_ready(hub, peer))
			continue;
		zeromq_put_number(bytes, hub->next_all);
		first = span_copy(bytes, sizeof bytes);
		peers_tell(hub, peer, FRAME_WELCOME, 0, first);
		span_release(first);
		if (peer->party.standing == LOST)
			continue;
		hub->waiting_count--;
		memmove(&hub->waiting[i], &hub->waiting[i + 1],
			(hub->waiting_count - i) * sizeof hub->waiting[0]);
		peer->party.standing = ACCEPTED;
		peer->party.number = hub->accepted_count;
		hub->accepted[hub->accepted_count++] = peer;
		return peer;
	}
	return NULL;
}
