/* The code that the members of all libraries have in common (member.h). Until the hub's welcome
 * arrives, only frames of the handshake are allowed. */
#include "member.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "world/world.h"

enum { AGAIN_NS = 20000000 };

enum status member_new(const struct member_library *library,
	const struct channel_settings *settings, size_t bytes, uint32_t polls_max,
	struct channel **result, struct text *why)
{
	enum status status = end_check_name(settings, why);
	struct channel *channel;

	if (status != STATUS_OK)
		return status;
	channel = allocate(1, bytes);
	channel->library = library;
	status = end_init(&channel->end, settings, polls_max);
	if (status == STATUS_OK)
		*result = channel;
	else
		free(channel);
	return status;
}

/* ---- incoming frames ---- */

/* Handles a bad frame from the hub. */
static void take_fault(struct channel *channel, enum frame_fault fault, uint32_t version)
{
	char detail[FRAME_FAULT_BYTES];

	channel->end.counts.refused++;
	frame_fault_print(fault, version, detail);
	text_printf(&channel->why, "the hub sent %s", detail);
	if (!channel->welcome)
		channel->refused = STATUS_UNSUPPORTED;
	channel->lost = true;
}

/* Checks the hub's proof that it has the key (transport/proof.h), and answers with the member's
 * proof. If the hub's proof is wrong, the hub has another key or session, and the member gives up.
 */
static void take_challenge(struct channel *channel, struct span challenge)
{
	struct span payload;

	if (!proof_is_challenge(&channel->proof, challenge)) {
		text_append(&channel->why, "the hub has another key, or is of another session");
		channel->refused = STATUS_UNSUPPORTED;
		channel->lost = true;
		return;
	}
	channel->proved = true;
	channel->session = proof_session(&channel->proof);
	payload = span_of(extent_new(PROOF_BYTES));
	proof_make(&channel->proof, PROOF_MEMBER, payload.extent->bytes);
	channel->library->tell(channel, FRAME_PROOF, 0, payload);
	span_release(payload);
	if (!channel->lost)
		channel->library->proved(channel);
}

void member_hear_frame(struct channel *channel, enum frame_fault fault, uint32_t version,
	const struct frame *frame, struct span payload)
{
	if (fault == FRAME_GOOD && channel->welcome && frame->kind != FRAME_BYE &&
		frame->kind != FRAME_REFUSED) {
		if (!end_frame(&channel->end, &channel->flow, 0, frame, payload))
			take_fault(channel, FRAME_BROKEN, 0);
		return;
	}
	if (fault != FRAME_GOOD) {
		take_fault(channel, fault, version);
	} else if (frame->kind == FRAME_CHALLENGE && !channel->proved) {
		take_challenge(channel, payload);
	} else if (frame->kind == FRAME_REFUSED && channel->proved) {
		channel->refused = refusal_read(payload, &channel->why);
		channel->lost = true;
	} else if (frame->kind == FRAME_WELCOME && channel->proved && !channel->welcome &&
		   channel->library->welcome(channel, payload)) {
		channel->welcome = true;
	} else {
		channel->lost = true;
	}
	span_release(payload);
}

void member_hear_as(struct channel *channel, uint64_t session, uint64_t *next,
	const uint8_t *header, struct span payload)
{
	const struct frame_bounds bounds = {
		session, *next, channel->end.settings.message_bytes_max};
	enum frame_fault fault = FRAME_STRANGER;
	struct frame frame = {0};
	uint32_t version = 0;

	if (header)
		fault = frame_read(header, &bounds, &frame, &version);
	if (fault == FRAME_GOOD && frame.length != payload.length)
		fault = FRAME_BROKEN;
	++*next;
	member_hear_frame(channel, fault, version, &frame, payload);
}

void member_hear(
	struct channel *channel, uint64_t *next, const uint8_t *header, struct span payload)
{
	member_hear_as(channel, channel->session, next, header, payload);
}

void member_plain_proved(struct channel *channel)
{
	(void)channel;
}

bool member_plain_welcome(struct channel *channel, struct span payload)
{
	(void)channel;
	(void)payload;
	return true;
}

void member_plain_told(struct channel *channel)
{
	(void)channel;
}

bool member_plain_leaving(const struct channel *channel)
{
	(void)channel;
	return false;
}

/* ---- joining ---- */

void member_greet_as(struct channel *channel, const char *greeting)
{
	struct span payload = proof_hello(&channel->proof, greeting, (uint32_t)strlen(greeting));

	channel->library->tell(channel, FRAME_HELLO, 0, payload);
	span_release(payload);
}

void member_greet(struct channel *channel)
{
	member_greet_as(channel, channel->end.settings.name);
}

/* Waits until the hub has accepted or rejected this member, or is lost. */
static enum status hear_answer(struct channel *channel, int64_t deadline_ns)
{
	enum status status;
	bool more = true;

	pthread_mutex_lock(&channel->end.mutex);
	while (!channel->welcome && !channel->lost && more)
		more = end_wait(&channel->end, deadline_ns);
	status = channel->welcome		 ? STATUS_OK
		 : channel->refused != STATUS_OK ? channel->refused
		 : channel->lost		 ? STATUS_CLOSED
						 : STATUS_TIMEOUT;
	pthread_mutex_unlock(&channel->end.mutex);
	return status;
}

/* Joins the hub. Tries again if the connection ends, because a hub that is starting or closing ends
 * all connections that it has not accepted. */
static enum status transport_member_join(struct channel *channel, int64_t deadline_ns)
{
	for (;;) {
		enum status status;

		channel->lost = channel->proved = false;
		channel->session = 0;
		channel->proof = (struct proof){
			.key = channel->end.settings.key, .session = channel->end.settings.session};
		status = channel->library->greet(channel, deadline_ns);
		if (status == STATUS_OK)
			status = hear_answer(channel, deadline_ns);
		if (status != STATUS_CLOSED)
			return status;
		channel->library->part(channel, false);
		if (world->now_ns() + AGAIN_NS >= deadline_ns)
			return STATUS_TIMEOUT;
		world->sleep_until(world->now_ns() + AGAIN_NS);
	}
}

enum status member_join(
	struct channel *channel, int64_t deadline_ns, struct channel **result, struct text *why)
{
	enum status status = transport_member_join(channel, deadline_ns);

	if (status == STATUS_OK) {
		*result = channel;
		return STATUS_OK;
	}
	if (why)
		text_append(why, channel->why.length > 0    ? text_string(&channel->why)
				 : status == STATUS_TIMEOUT ? "the hub does not answer"
							    : "");
	channel->lost = true;
	member_close(channel);
	return status;
}

/* ---- operations ---- */

enum status member_send(struct channel *channel, struct span message, int64_t deadline_ns)
{
	struct end *end = &channel->end;
	struct span payload;
	enum status status = span_payload(message, end->settings.message_bytes_max, &payload);
	bool more = true;

	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&end->mutex);
	end->counts.full += channel->flow.under_way >= end->settings.window;
	while (!channel->lost && channel->flow.under_way >= end->settings.window && more)
		more = end_wait(end, deadline_ns);
	if (channel->lost) {
		status = STATUS_CLOSED;
	} else if (channel->flow.under_way >= end->settings.window) {
		status = STATUS_TIMEOUT;
	} else {
		channel->flow.under_way++;
		end->counts.sent++;
		end->counts.sent_bytes += payload.length;
		channel->library->tell(channel, FRAME_MESSAGE, 0, payload);
		channel->library->told(channel);
		while (!channel->lost && channel->library->is_leaving(channel) &&
			end_wait(end, deadline_ns))
			continue;
	}
	pthread_mutex_unlock(&end->mutex);
	span_release(payload);
	return status;
}

enum status member_receive(struct channel *channel, int64_t deadline_ns, struct span *message)
{
	struct end *end = &channel->end;
	enum status status = STATUS_TIMEOUT;
	struct arrived *arrived;
	bool more = true;

	pthread_mutex_lock(&end->mutex);
	while (!(arrived = end_take(end)) && !channel->lost && more)
		more = end_wait(end, deadline_ns);
	if (arrived) {
		uint32_t credit = end_received(end, &channel->flow, arrived->message);

		*message = arrived->message;
		status = STATUS_OK;
		if (credit > 0 && !channel->lost) {
			channel->library->tell(channel, FRAME_CREDIT, credit, (struct span){0});
			channel->library->told(channel);
		}
	} else if (channel->lost) {
		status = STATUS_CLOSED;
	}
	pthread_mutex_unlock(&end->mutex);
	free(arrived);
	return status;
}

void member_counts(struct channel *channel, struct channel_counts *counts)
{
	end_counts(&channel->end, counts);
}

void member_close(struct channel *channel)
{
	bool lost;

	if (!channel)
		return;
	/* take the mutex, because the library's threads may still be delivering */
	pthread_mutex_lock(&channel->end.mutex);
	lost = channel->lost;
	pthread_mutex_unlock(&channel->end.mutex);
	channel->library->part(channel, !lost);
	end_fini(&channel->end);
	text_fini(&channel->why);
	free(channel);
}
