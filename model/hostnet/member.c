/* A member's end: joining a hub, and the operations of channel.h on a member. */
#include "hostnet_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "world/world.h"

enum { LOOK_NS = 1000000 }; /* interval between attempts to join, in ns, while there is no hub */

struct channel {
	struct end end;
	struct line *line; /* connection to the hub; NULL: not joined yet */
};

static void member_leave(struct channel *channel)
{
	if (channel->line)
		net_end_leave(&channel->end, channel->line);
	channel->line = NULL;
}

/* Tries once to join. Returns CLOSED if the hub was lost before it answered. */
static enum status try_join(struct channel *channel, struct end *hub, int64_t deadline_ns)
{
	struct line *line = net_line_new(hub, &channel->end);
	enum status status = STATUS_OK;

	channel->line = line;
	line->session = channel->end.settings.session;
	snprintf(line->name, sizeof line->name, "%s", channel->end.settings.name);
	net_line_watch(line);
	net_transmit(net_parcel_new(line, SIDE_MEMBER, PARCEL_HELLO, (struct span){0}));
	host_thread_settle();
	while (!line->answered && !line->halves[SIDE_MEMBER].lost && status == STATUS_OK)
		status = net_end_wait(
			&channel->end, &channel->end.receiver, deadline_ns, "an answer of the hub");
	if (line->answered)
		status = line->refusal;
	else if (line->halves[SIDE_MEMBER].lost)
		status = STATUS_CLOSED;
	if (status != STATUS_OK)
		member_leave(channel);
	return status;
}

static void say_why(const struct channel_settings *settings, enum status status, struct text *why)
{
	if (!why)
		return;
	if (status == STATUS_EXISTS)
		text_printf(why, "another member is called '%s'", settings->name);
	else if (status == STATUS_UNSUPPORTED)
		text_append(why, "the hub is of another session");
	else if (status == STATUS_TIMEOUT)
		text_printf(why, "no hub at %s has accepted in time", settings->address);
}

static enum status check(const struct channel_settings *settings, struct text *why)
{
	size_t length = settings->name ? strlen(settings->name) : 0;

	if (length > 0 && length < CHANNEL_NAME_BYTES)
		return net_end_check(settings, why);
	if (why)
		text_printf(why, "a name has 1 to %d letters", CHANNEL_NAME_BYTES - 1);
	return STATUS_INVALID;
}

enum status net_join(enum hostnet_transport transport, bool places,
	const struct channel_settings *settings, int64_t deadline_ns, struct channel **result,
	struct text *why)
{
	enum status status = check(settings, why);
	struct channel *channel;

	if (status != STATUS_OK)
		return status;
	host_thread_settle();
	channel = allocate(1, sizeof *channel);
	net_end_init(
		&channel->end, SIDE_MEMBER, &hostnet.constants.transports[transport], settings);
	if (!places)
		channel->end.settings.memory = (struct channel_memory){0};
	for (;;) {
		struct end *hub = net_hub_find(transport, settings->address, channel->end.host);
		int64_t look_ns = world->now_ns() + LOOK_NS;

		status = hub && !channel->end.dead ? try_join(channel, hub, deadline_ns)
						   : STATUS_CLOSED;
		if (status == STATUS_CLOSED && channel->end.dead)
			break;
		if (status == STATUS_CLOSED && world->now_ns() >= deadline_ns)
			status = STATUS_TIMEOUT;
		if (status != STATUS_CLOSED)
			break;
		world->sleep_until(look_ns < deadline_ns ? look_ns : deadline_ns);
	}
	if (status == STATUS_OK) {
		net_end_start(&channel->end, settings->name);
		*result = channel;
		return STATUS_OK;
	}
	say_why(settings, status, why);
	net_end_fini(&channel->end);
	free(channel);
	return status;
}

enum status net_send(struct channel *channel, struct span message, int64_t deadline_ns)
{
	struct half *half = &channel->line->halves[SIDE_MEMBER];
	struct end *end = &channel->end;
	struct span payload;
	bool counted = false;
	enum status status = span_payload(message, end->settings.message_bytes_max, &payload);

	if (status != STATUS_OK)
		return status;
	host_thread_settle();
	while (!half->lost && half->under_way >= end->settings.window && status == STATUS_OK) {
		end->counts.full += !counted;
		counted = true;
		status = net_end_wait(end, &end->sender, deadline_ns, "room in the hub's window");
	}
	if (half->lost)
		status = STATUS_CLOSED;
	if (status == STATUS_OK)
		net_end_send(end, &channel->line, 1, payload);
	span_release(payload);
	return status;
}

/* Moves a received message to the memory that the user of the channel has provided; a real library
 * would receive it there directly. The move takes no simulated time, because the cost of receiving
 * includes it. */
static struct span member_place(const struct end *end, struct span message)
{
	const struct channel_memory *memory = &end->settings.memory;
	struct span room = {0};

	if (memory->take)
		room = memory->take(memory->context, message.length);
	if (!room.extent)
		return message;
	(void)span_read(message, 0, message.length, room.extent->bytes + room.offset);
	span_release(message);
	return room;
}

enum status net_receive(struct channel *channel, int64_t deadline_ns, struct span *message)
{
	struct end *end = &channel->end;
	struct parcel *parcel;

	host_thread_settle();
	while (!(parcel = net_end_take(end))) {
		if (channel->line->halves[SIDE_MEMBER].lost)
			return STATUS_CLOSED;
		if (net_end_wait(end, &end->receiver, deadline_ns, "a message of the hub") !=
			STATUS_OK)
			return STATUS_TIMEOUT;
	}
	*message = member_place(end, net_end_receive(end, parcel));
	return STATUS_OK;
}

void net_counts(struct channel *channel, struct channel_counts *counts)
{
	*counts = channel->end.counts;
}

void net_close(struct channel *channel)
{
	if (!channel)
		return;
	net_end_stop(&channel->end);
	member_leave(channel);
	net_end_fini(&channel->end);
	free(channel);
}
