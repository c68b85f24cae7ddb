/* Who comes to the hub of a stream, and goes, see hub_members.h. Refuses connections that do not
 * say who they are within a second, and forgets them. */
#define _GNU_SOURCE /* accept4 */
#include "hub_members.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "world/world.h"

enum { HELLO_NS = 1000000000 };

static void take_out_waiting(struct hub *hub, uint32_t index)
{
	hub->waiting_count--;
	memmove(&hub->waiting[index], &hub->waiting[index + 1],
		(hub->waiting_count - index) * sizeof hub->waiting[0]);
}

void hub_lose(struct hub *hub, struct member *member, bool tell)
{
	if (member->party.standing == LOST)
		return;
	connection_end(&member->connection);
	if (member->party.standing == ACCEPTED && tell)
		end_arrive(&hub->end, member->party.number, true, (struct span){0});
	member->party.standing = LOST;
}

/* Says why, if that leaves at once, and ends the connection. */
static void refuse(struct hub *hub, struct member *member, enum refusal refusal, const char *format,
	const char *detail)
{
	struct span payload = refusal_text(refusal, format, detail);

	connection_put(&member->connection, FRAME_REFUSED, 0, payload);
	span_release(payload);
	connection_write(&member->connection);
	hub->end.counts.refused++;
	hub_lose(hub, member, true);
}

static bool name_is_taken(const struct hub *hub, const struct member *newcomer)
{
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (hub->accepted[i]->party.standing == ACCEPTED &&
			strcmp(hub->accepted[i]->party.name, newcomer->party.name) == 0)
			return true;
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (hub->waiting[i]->party.standing == JOINED &&
			strcmp(hub->waiting[i]->party.name, newcomer->party.name) == 0)
			return true;
	return false;
}

static void meet(
	struct hub *hub, struct member *member, const struct frame *frame, struct span payload)
{
	const char *name = payload.length > 0 ? (const char *)payload.extent->bytes : "";

	if (frame->kind != FRAME_HELLO || !end_name_is_plain(name, payload.length)) {
		refuse(hub, member, REFUSAL_FAULT, "%s is no greeting", "what came first");
		return;
	}
	memcpy(member->party.name, name, payload.length);
	if (name_is_taken(hub, member)) {
		refuse(hub, member, REFUSAL_NAME, "there is a member '%s' already",
			member->party.name);
		return;
	}
	member->party.standing = JOINED;
}

/* What its own fault was, with both versions if that is it. */
static void refuse_fault(
	struct hub *hub, struct member *member, enum frame_fault fault, uint32_t version)
{
	char detail[FRAME_FAULT_BYTES];

	frame_fault_print(fault, version, detail);
	refuse(hub, member, REFUSAL_FAULT, "the hub received %s", detail);
}

/* Takes a frame of one that has joined; before it is accepted it has nothing to say. */
static bool may_say(
	struct hub *hub, struct member *member, const struct frame *frame, struct span payload)
{
	if (member->party.standing == ACCEPTED)
		return end_frame(
			&hub->end, &member->party.flow, member->party.number, frame, payload);
	span_release(payload);
	return false;
}

void hub_hear(struct hub *hub, struct member *member)
{
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	enum status status = STATUS_OK;

	while (member->party.standing != LOST && status == STATUS_OK) {
		status = connection_read(&member->connection, &frame, &payload, &fault, &version);
		if (status == STATUS_INVALID)
			refuse_fault(hub, member, fault, version);
		else if (status == STATUS_CLOSED)
			hub_lose(hub, member, true);
		else if (status == STATUS_OK && member->party.standing == NEWCOMER) {
			meet(hub, member, &frame, payload);
			span_release(payload);
		} else if (status == STATUS_OK && !may_say(hub, member, &frame, payload)) {
			refuse_fault(hub, member, FRAME_BROKEN, 0);
		}
	}
}

void hub_admit(struct hub *hub)
{
	int fd;

	while (hub->waiting_count < CONNECTIONS_MAX &&
		(fd = accept4(hub->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		struct member *member = allocate(1, sizeof *member);

		hub->family->prepare(fd);
		connection_init(
			&member->connection, fd, hub->end.settings.session, CHANNEL_NAME_BYTES);
		member->until_ns = world->now_ns() + HELLO_NS;
		hub->waiting[hub->waiting_count++] = member;
	}
}

void hub_sweep(struct hub *hub)
{
	uint32_t newcomers = 0;

	for (uint32_t i = hub->waiting_count; i-- > 0;) {
		struct member *member = hub->waiting[i];

		newcomers += member->party.standing == NEWCOMER;
		if (member->party.standing == NEWCOMER &&
			(newcomers > NEWCOMERS_MAX || member->until_ns <= world->now_ns())) {
			hub->end.counts.refused++;
			hub_lose(hub, member, false);
		}
		if (member->party.standing != LOST)
			continue;
		take_out_waiting(hub, i);
		free(member);
	}
}

struct member *hub_take_joined(struct hub *hub)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (hub->waiting[i]->party.standing == JOINED) {
			struct member *member = hub->waiting[i];

			take_out_waiting(hub, i);
			return member;
		}
	return NULL;
}
