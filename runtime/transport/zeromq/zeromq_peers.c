/* The parties of a hub over ZeroMQ: the programs that have sent a message to it (zeromq.h).
 * The library puts the sender's identity before each message, and the hub finds a party by this
 * identity. */
#include "zeromq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "base/allocate.h"
#include "stream.h"

static struct zeromq_peer *peer_of(struct party *party)
{
	return (struct zeromq_peer *)party;
}

/* ---- arrivals ---- */

void peers_tell(struct hub *hub, struct party *party, enum frame_kind kind, uint32_t credit,
	struct span payload)
{
	struct zeromq_peer *peer = peer_of(party);
	const struct frame frame = {kind, party->session, peer->next_out++, credit, payload.length};

	if (zeromq_send(&((struct zeromq_hub *)hub)->talk, peer->identity, peer->identity_length,
		    &frame, payload) != STATUS_OK)
		hub_lose(hub, party);
}

/* Reads a greeting of the form "name token". */
bool peers_greeting(struct party *party, struct span payload)
{
	const char *text = (const char *)payload.extent->bytes + payload.offset;
	uint32_t name = payload.length - ZEROMQ_TOKEN_DIGITS - 1;

	if (payload.length <= ZEROMQ_TOKEN_DIGITS + 1 || payload.length >= ZEROMQ_GREETING_BYTES ||
		text[name] != ' ' || !end_name_is_plain(text, name) ||
		!end_name_is_plain(text + name + 1, ZEROMQ_TOKEN_DIGITS))
		return false;
	memcpy(party->name, text, name);
	peer_of(party)->topic[0] = '@';
	memcpy(peer_of(party)->topic + 1, text, payload.length);
	return true;
}

/* Returns true if the party's subscription has arrived, or if the hub does not publish and so needs
 * no subscription. */
bool peers_is_ready(const struct hub *hub, const struct party *party)
{
	const struct zeromq_hub *self = (const struct zeromq_hub *)hub;

	if (!self->style->publish)
		return true;
	for (uint32_t i = 0; i < self->subscribed_count; i++)
		if (strcmp(self->subscribed[i], ((const struct zeromq_peer *)party)->topic) == 0)
			return true;
	return false;
}

/* ---- connections ---- */

static void zeromq_peers_cut(const struct hub *hub, int fd)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		peer_of(hub->accepted[i])->cut |= peer_of(hub->accepted[i])->fd == fd;
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		peer_of(hub->waiting[i])->cut |= peer_of(hub->waiting[i])->fd == fd;
}

static void zeromq_peers_note(struct zeromq_hub *self, int fd, bool open)
{
	if (fd < 0)
		return;
	if (fd >= self->open_end) {
		self->open = allocate_more(self->open, (size_t)fd + 1, sizeof *self->open);
		while (self->open_end <= fd)
			self->open[self->open_end++] = false;
	}
	self->open[fd] = open;
	if (!open)
		zeromq_peers_cut(&self->hub, fd);
}

static bool is_failed_handshake(uint16_t event)
{
	return event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL ||
	       event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL ||
	       event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
}

/* Reads the reports of the monitor of `talk`. */
static bool hear_connections(struct zeromq_hub *self)
{
	uint16_t event;
	bool some = false;
	int fd;

	while (zeromq_event(&self->talk, &event, &fd)) {
		some = true;
		if (event == ZMQ_EVENT_ACCEPTED || event == ZMQ_EVENT_DISCONNECTED)
			zeromq_peers_note(self, fd, event == ZMQ_EVENT_ACCEPTED);
		if (is_failed_handshake(event))
			hub_refuse_stranger(&self->hub, "", "it speaks another protocol");
	}
	return some;
}

/* Adds a party for a new identity. First reads the reports of the monitor. One of them may be about
 * the end of an earlier connection that had the same descriptor as the connection of this party. If
 * this report were read later, the hub would believe that the connection of the new party has
 * ended. */
static struct party *zeromq_peers_meet(
	struct zeromq_hub *self, const struct zeromq_message *message)
{
	struct zeromq_peer *peer = allocate(1, sizeof *peer);

	hear_connections(self);
	memcpy(peer->identity, message->prefix, message->prefix_length);
	peer->identity_length = message->prefix_length;
	peer->fd = message->fd;
	peer->cut = peer->fd >= 0 && peer->fd < self->open_end && !self->open[peer->fd];
	hub_add(&self->hub, &peer->party);
	(void)stream_meet(peer->fd, peer->party.from, FROM_BYTES);
	return &peer->party;
}

/* ---- receiving ---- */

static bool is_from(struct party *party, const struct zeromq_message *message)
{
	const struct zeromq_peer *peer = peer_of(party);

	return peer->identity_length == message->prefix_length &&
	       memcmp(peer->identity, message->prefix, message->prefix_length) == 0;
}

static struct party *zeromq_peers_sender_of(
	const struct hub *hub, const struct zeromq_message *message)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (is_from(hub->accepted[i], message))
			return hub->accepted[i];
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (is_from(hub->waiting[i], message))
			return hub->waiting[i];
	return NULL;
}

/* Receives messages. After each message, hub_sweep() frees rejected parties. So a rejected party
 * that sends another message counts as a new party. */
static bool hear_talk(struct zeromq_hub *self)
{
	struct hub *hub = &self->hub;
	struct zeromq_message message;
	bool some = false;

	while (zeromq_receive(&self->talk, true, &message)) {
		struct party *party = zeromq_peers_sender_of(hub, &message);

		some = true;
		if (!party)
			party = zeromq_peers_meet(self, &message);
		if (party->standing != LOST)
			hub_hear(
				hub, party, message.whole ? message.header : NULL, message.payload);
		else
			span_release(message.payload);
		hub_sweep(hub);
	}
	return some;
}

static void subscribe(struct zeromq_hub *self, const char *topic, bool on)
{
	uint32_t at = 0;

	while (at < self->subscribed_count && strcmp(self->subscribed[at], topic) != 0)
		at++;
	if (on && at == self->subscribed_count && at < SUBSCRIBED_MAX)
		memcpy(self->subscribed[self->subscribed_count++], topic, strlen(topic) + 1);
	else if (!on && at < self->subscribed_count)
		memmove(self->subscribed[at], self->subscribed[--self->subscribed_count],
			sizeof self->subscribed[at]);
}

/* Reads subscriptions. Each is a byte, 1 or 0, followed by the topic. */
static bool zeromq_peers_hear_publish(struct zeromq_hub *self)
{
	struct zeromq_message message;
	bool some = false;

	while (self->publish.socket && zeromq_receive(&self->publish, true, &message)) {
		some = true;
		span_release(message.payload);
		if (message.prefix_length < 2 || message.prefix_length > ZEROMQ_GREETING_BYTES ||
			message.prefix[1] != '@')
			continue;
		message.prefix[message.prefix_length] = '\0';
		subscribe(self, (const char *)message.prefix + 1, message.prefix[0] == 1);
	}
	return some;
}

/* Returns true if the client may subscribe, and remembers that it has. The client must be a party
 * that the hub has challenged and that has not subscribed yet. Its password must prove that it
 * knows the key. */
static bool may_read(struct zeromq_hub *self, const struct zeromq_caller *caller)
{
	const struct hub *hub = &self->hub;
	char password[ZEROMQ_PASSWORD_BYTES];

	for (uint32_t i = 0; i < hub->waiting_count; i++) {
		struct zeromq_peer *peer = peer_of(hub->waiting[i]);

		if (peer->reads || strcmp(peer->topic + 1, caller->name) != 0 ||
			(peer->party.standing != CHALLENGED && peer->party.standing != JOINED))
			continue;
		zeromq_password(&peer->party.proof, password);
		peer->reads = proof_is_same(password, caller->password, sizeof password);
		return peer->reads;
	}
	return false;
}

static bool hear_gate(struct zeromq_hub *self)
{
	struct zeromq_caller caller;
	bool some = false;

	while (zeromq_gate_hear(&self->gate, &caller)) {
		bool good = may_read(self, &caller);

		some = true;
		if (!good)
			hub_refuse_stranger(&self->hub, caller.from,
				"it asks for what is published, and proves nothing");
		zeromq_gate_answer(&self->gate, good);
	}
	return some;
}

/* Receives from all sockets. Reads the monitor (ZeroMQ's socket for connection events) first, so
 * that no message is lost. When the monitor reports that a connection is closed, all messages of
 * this connection can already be read from the other sockets. */
bool peers_hear(struct zeromq_hub *self)
{
	struct hub *hub = &self->hub;
	uint16_t event;
	bool some = hear_connections(self);
	int fd;

	while (self->publish.socket && zeromq_event(&self->publish, &event, &fd))
		if (is_failed_handshake(event) && event != ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
			hub_refuse_stranger(hub, "", "it speaks another protocol");
	some |= zeromq_peers_hear_publish(self);
	some |= hear_talk(self);
	some |= hear_gate(self);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (peer_of(hub->accepted[i])->cut)
			hub_lose(hub, hub->accepted[i]);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (peer_of(hub->waiting[i])->cut)
			hub_lose(hub, hub->waiting[i]);
	hub_sweep(hub);
	return some;
}
