/* The code that the hubs of all libraries have in common (hub.h). A message to all members is sent
 * only when every member has room in its window. */
#include "hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

enum { PROOF_NS = 1000000000 };

enum status hub_new(const struct hub_library *library, const struct channel_settings *settings,
	size_t bytes, uint32_t polls_max, struct hub **result)
{
	struct hub *hub = allocate(1, bytes);
	enum status status = end_init(&hub->end, settings, polls_max);

	hub->library = library;
	if (status == STATUS_OK)
		*result = hub;
	else
		free(hub);
	return status;
}

/* ---- parties ---- */

void hub_add(struct hub *hub, struct party *party)
{
	ensure(hub->waiting_count < WAITING_MAX, "%u wait already", hub->waiting_count);
	party->come_ns = world->now_ns();
	party->proof =
		(struct proof){.key = hub->end.settings.key, .session = hub->end.settings.session};
	hub->waiting[hub->waiting_count++] = party;
}

static bool is_stranger(const struct party *party)
{
	return party->standing == NEWCOMER || party->standing == CHALLENGED;
}

void hub_refuse_stranger(struct hub *hub, const char *from, const char *what)
{
	snprintf(hub->end.counts.stranger, CHANNEL_STRANGER_BYTES, "%s: %s",
		from[0] ? from : "from an unknown place", what);
	hub->end.counts.refused++;
}

static void transport_hub_lose(struct hub *hub, struct party *party)
{
	bool was_accepted = party->standing == ACCEPTED;

	if (party->standing == LOST)
		return;
	party->standing = LOST;
	hub->library->part(hub, party, party->dropped);
	if (was_accepted && !party->dropped)
		end_arrive(&hub->end, party->number, true, (struct span){0});
	end_ring(&hub->end);
}

/* Marks a party as lost. A party that leaves before it has answered the challenge is counted as a
 * stranger, because it has not proved that it belongs to this run. */
void hub_lose(struct hub *hub, struct party *party)
{
	if (party->standing == CHALLENGED)
		hub_refuse_stranger(hub, party->from, "it went before it proved anything");
	transport_hub_lose(hub, party);
}

void hub_refuse(struct hub *hub, struct party *party, enum refusal refusal, const char *format,
	const char *detail)
{
	char what[CHANNEL_STRANGER_BYTES - FROM_BYTES - 2];
	struct span payload;

	if (is_stranger(party)) {
		snprintf(what, sizeof what, format, detail);
		hub_refuse_stranger(hub, party->from, what);
	} else {
		payload = refusal_text(refusal, format, detail);
		hub->library->tell(hub, party, FRAME_REFUSED, 0, payload);
		span_release(payload);
		hub->end.counts.refused++;
	}
	transport_hub_lose(hub, party);
}

/* Rejects a party because of an invalid frame. If the versions differ, the text names both. */
static void refuse_fault(
	struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version)
{
	char detail[FRAME_FAULT_BYTES];

	frame_fault_print(fault, version, detail);
	hub_refuse(hub, party, REFUSAL_FAULT, "the hub received %s", detail);
}

static void take_out_waiting(struct hub *hub, uint32_t index)
{
	hub->waiting_count--;
	memmove(&hub->waiting[index], &hub->waiting[index + 1],
		(hub->waiting_count - index) * sizeof hub->waiting[0]);
}

/* Keeps the newest NEWCOMERS_MAX parties with this standing, each for a second; rejects others. */
static void sweep_strangers(struct hub *hub, enum standing standing)
{
	uint32_t count = 0;

	for (uint32_t i = hub->waiting_count; i-- > 0;) {
		struct party *party = hub->waiting[i];

		if (party->standing != standing)
			continue;
		if (++count > NEWCOMERS_MAX)
			hub_refuse(hub, party, REFUSAL_FAULT, "%s came at once", "too many");
		else if (party->come_ns + PROOF_NS <= world->now_ns())
			hub_refuse(hub, party, REFUSAL_FAULT, "it %s for a second",
				standing == NEWCOMER ? "said nothing" : "proved nothing");
	}
}

void hub_sweep(struct hub *hub)
{
	sweep_strangers(hub, NEWCOMER);
	sweep_strangers(hub, CHALLENGED);
	for (uint32_t i = hub->waiting_count; i-- > 0;) {
		struct party *party = hub->waiting[i];

		if (party->standing != LOST)
			continue;
		take_out_waiting(hub, i);
		free(party);
	}
}

/* ---- incoming frames ---- */

static bool name_is_taken(const struct hub *hub, const char *name)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->standing == ACCEPTED &&
			strcmp(hub->accepted[i]->name, name) == 0)
			return true;
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (hub->waiting[i]->standing == JOINED && strcmp(hub->waiting[i]->name, name) == 0)
			return true;
	return false;
}

/* Handles the greeting of a party. Answers with the hub's proof that it has the key, and asks the
 * party for such a proof. */
static void hub_meet(
	struct hub *hub, struct party *party, const struct frame *frame, struct span payload)
{
	struct span greeting, challenge;

	if (frame->kind != FRAME_HELLO || !proof_is_hello(&party->proof, payload, &greeting) ||
		!hub->library->greeting(party, greeting)) {
		hub_refuse(hub, party, REFUSAL_FAULT, "%s is no greeting", "what came first");
		return;
	}
	party->greeted_ns = world->now_ns();
	party->standing = CHALLENGED;
	challenge = proof_challenge(&party->proof);
	hub->library->tell(hub, party, FRAME_CHALLENGE, 0, challenge);
	span_release(challenge);
	party->session = proof_session(&party->proof);
}

static void be_proved(
	struct hub *hub, struct party *party, const struct frame *frame, struct span payload)
{
	bool taken;

	if (frame->kind != FRAME_PROOF || payload.length == 0 ||
		!proof_holds(&party->proof, PROOF_MEMBER, payload.extent->bytes + payload.offset,
			payload.length)) {
		hub_refuse(hub, party, REFUSAL_FAULT, "%s proves nothing", "what it said");
		return;
	}
	taken = name_is_taken(hub, party->name);
	party->proof_ns = world->now_ns() - party->greeted_ns;
	party->standing = JOINED;
	if (taken)
		hub_refuse(hub, party, REFUSAL_NAME, "there is a member '%s' already", party->name);
}

void hub_hear_frame(struct hub *hub, struct party *party, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload)
{
	if (fault == FRAME_GOOD && party->standing == ACCEPTED && frame->kind != FRAME_BYE) {
		if (!end_frame(&hub->end, &party->flow, party->number, frame, payload))
			refuse_fault(hub, party, FRAME_BROKEN, 0);
		return;
	}
	if (fault != FRAME_GOOD)
		refuse_fault(hub, party, fault, version);
	else if (party->standing == NEWCOMER)
		hub_meet(hub, party, frame, payload);
	else if (party->standing == CHALLENGED)
		be_proved(hub, party, frame, payload);
	else if (frame->kind == FRAME_BYE)
		hub_lose(hub, party);
	else
		refuse_fault(hub, party, FRAME_BROKEN, 0);
	span_release(payload);
}

void hub_hear(struct hub *hub, struct party *party, const uint8_t *header, struct span payload)
{
	const struct frame_bounds bounds = {party->session, party->next_in,
		is_stranger(party) ? PROOF_PAYLOAD_MAX : hub->end.settings.message_bytes_max};
	enum frame_fault fault = FRAME_STRANGER;
	struct frame frame = {0};
	uint32_t version = 0;

	if (header)
		fault = frame_read(header, &bounds, &frame, &version);
	if (fault == FRAME_GOOD && frame.length != payload.length)
		fault = FRAME_BROKEN;
	party->next_in++;
	hub_hear_frame(hub, party, fault, version, &frame, payload);
}

/* ---- defaults for libraries without special handling ---- */

bool hub_plain_greeting(struct party *party, struct span payload)
{
	const char *name = (const char *)payload.extent->bytes + payload.offset;

	if (!end_name_is_plain(name, payload.length))
		return false;
	memcpy(party->name, name, payload.length);
	return true;
}

bool hub_plain_ready(const struct hub *hub, const struct party *party)
{
	(void)hub;
	(void)party;
	return true;
}

void hub_plain_say(struct hub *hub, struct party *party, struct span payload)
{
	hub->library->tell(hub, party, FRAME_MESSAGE, 0, payload);
}

bool hub_plain_publish(struct hub *hub, struct span payload)
{
	(void)hub;
	(void)payload;
	return false;
}

void hub_plain_told(struct hub *hub)
{
	(void)hub;
}

bool hub_plain_leaving(const struct hub *hub, const struct party *party)
{
	(void)hub;
	(void)party;
	return false;
}

static bool somebody_is_left(const struct hub *hub)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->standing != LOST)
			return true;
	return false;
}

void hub_say_goodbye(struct hub *hub, int64_t deadline_ns)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->standing != LOST)
			hub->library->tell(hub, hub->accepted[i], FRAME_BYE, 0, (struct span){0});
	while (somebody_is_left(hub) && end_wait(&hub->end, deadline_ns))
		continue;
}

/* ---- operations ---- */

const char *hub_address(const struct hub *hub)
{
	return hub->address;
}

static void count_opening(struct channel_counts *counts, const struct party *party)
{
	int64_t opening_ns = world->now_ns() - party->come_ns;

	counts->opening_ns += opening_ns;
	counts->proof_ns += party->proof_ns;
	if (opening_ns > counts->opening_most_ns)
		counts->opening_most_ns = opening_ns;
	if (party->proof_ns > counts->proof_most_ns)
		counts->proof_most_ns = party->proof_ns;
}

/* Accepts the first party that is ready. Returns NULL if no party is ready. */
static struct party *hub_accept_one(struct hub *hub)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++) {
		struct party *party = hub->waiting[i];

		if (party->standing != JOINED || !hub->library->is_ready(hub, party))
			continue;
		hub->library->welcome(hub, party);
		if (party->standing == LOST)
			continue;
		take_out_waiting(hub, i);
		party->standing = ACCEPTED;
		count_opening(&hub->end.counts, party);
		party->number = hub->accepted_count;
		hub->accepted[hub->accepted_count++] = party;
		return party;
	}
	return NULL;
}

enum status hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *number)
{
	enum status status = STATUS_OK;
	struct party *party = NULL;
	bool more = true;

	pthread_mutex_lock(&hub->end.mutex);
	if (hub->accepted_count == CHANNEL_MEMBERS_MAX)
		status = STATUS_NO_SPACE;
	while (status == STATUS_OK && !(party = hub_accept_one(hub)) && more)
		more = end_wait(&hub->end, deadline_ns);
	if (party) {
		*number = party->number;
		hub->library->told(hub);
	} else if (status == STATUS_OK) {
		status = STATUS_TIMEOUT;
	}
	pthread_mutex_unlock(&hub->end.mutex);
	return status;
}

static struct party *party_at(const struct hub *hub, uint32_t member)
{
	ensure(member < hub->accepted_count, "member %u of %u", member, hub->accepted_count);
	return hub->accepted[member];
}

const char *hub_member(const struct hub *hub, uint32_t member)
{
	return party_at(hub, member)->name;
}

static bool is_addressed(const struct party *party, uint32_t to)
{
	return to == CHANNEL_ALL ? !party->dropped : party->number == to;
}

/* Returns OK if all addressed members have room; otherwise FULL or CLOSED, because of *who. */
static enum status room(const struct hub *hub, uint32_t to, uint32_t *who)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < hub->accepted_count && status != STATUS_CLOSED; i++) {
		const struct party *party = hub->accepted[i];

		if (!is_addressed(party, to))
			continue;
		if (party->standing == LOST) {
			status = STATUS_CLOSED;
			*who = i;
		} else if (status == STATUS_OK &&
			   party->flow.under_way >= hub->end.settings.window) {
			status = STATUS_FULL;
			*who = i;
		}
	}
	return status;
}

/* Sends to all addressed members. room() must have returned OK. */
static void hub_post(struct hub *hub, uint32_t to, struct span payload)
{
	bool once = to == CHANNEL_ALL && hub->library->publish(hub, payload);

	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		struct party *party = hub->accepted[i];

		if (!is_addressed(party, to))
			continue;
		party->flow.under_way++;
		hub->end.counts.sent++;
		hub->end.counts.sent_bytes += payload.length;
		if (!once)
			hub->library->say(hub, party, payload);
	}
	hub->library->told(hub);
}

static bool hub_is_leaving(const struct hub *hub, uint32_t to)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (is_addressed(hub->accepted[i], to) && hub->accepted[i]->standing != LOST &&
			hub->library->is_leaving(hub, hub->accepted[i]))
			return true;
	return false;
}

enum status hub_send(
	struct hub *hub, uint32_t to, struct span message, int64_t deadline_ns, uint32_t *who)
{
	struct span payload;
	enum status status = span_payload(message, hub->end.settings.message_bytes_max, &payload);
	bool more = true;

	*who = to;
	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&hub->end.mutex);
	ensure(to == CHANNEL_ALL || party_at(hub, to), "no member %u", to);
	status = room(hub, to, who);
	hub->end.counts.full += status == STATUS_FULL;
	while (status == STATUS_FULL && more) {
		more = end_wait(&hub->end, deadline_ns);
		status = room(hub, to, who);
	}
	if (status == STATUS_OK) {
		hub_post(hub, to, payload);
		while (hub_is_leaving(hub, to) && end_wait(&hub->end, deadline_ns))
			continue;
	}
	pthread_mutex_unlock(&hub->end.mutex);
	span_release(payload);
	return status == STATUS_FULL ? STATUS_TIMEOUT : status;
}

enum status hub_receive(
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
		struct party *party = hub->accepted[arrived->member];
		uint32_t credit;

		*message = arrived->message;
		credit = end_received(&hub->end, &party->flow, *message);
		if (credit > 0 && party->standing == ACCEPTED) {
			hub->library->tell(hub, party, FRAME_CREDIT, credit, (struct span){0});
			hub->library->told(hub);
		}
	}
	pthread_mutex_unlock(&hub->end.mutex);
	free(arrived);
	return status;
}

void hub_drop(struct hub *hub, uint32_t number)
{
	pthread_mutex_lock(&hub->end.mutex);
	party_at(hub, number)->dropped = true;
	hub_lose(hub, party_at(hub, number));
	hub->library->told(hub);
	pthread_mutex_unlock(&hub->end.mutex);
}

void hub_counts(struct hub *hub, struct channel_counts *counts)
{
	end_counts(&hub->end, counts);
}

void hub_close(struct hub *hub)
{
	if (!hub)
		return;
	hub->library->close(hub);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		free(hub->accepted[i]);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		free(hub->waiting[i]);
	end_fini(&hub->end);
	free(hub);
}
