/* A member's end over UCX, for member.c: one line to the hub. */
#include <string.h>

#include "stream.h"
#include "ucx_line.h"

enum { LINGER_NS = 1000000000 };

struct ucx_member {
	struct channel channel;
	const struct ucx_style *style;
	struct sockaddr_storage address;
	socklen_t length;
	struct ucx ucx;
	struct ucx_line *line;
	uint64_t next_in; /* next sequence number */
};

static struct ucx_member *at(struct channel *channel)
{
	return (struct ucx_member *)channel;
}

/* ---- receiving ---- */

static void ucx_member_heard(struct ucx_line *line, const uint8_t *header, struct span payload)
{
	struct channel *channel = line->owner;

	member_hear(channel, &at(channel)->next_in, header, payload);
	if (channel->lost) {
		at(channel)->line = NULL;
		ucx_line_leave(line, false);
	}
}

static void ucx_member_lost(struct ucx_line *line)
{
	struct channel *channel = line->owner;

	channel->lost = true;
	at(channel)->line = NULL;
	ucx_line_leave(line, false);
}

static uint32_t list(struct end *end, struct pollfd *polls)
{
	return ucx_list(&((struct ucx_member *)end)->ucx, polls);
}

static void ucx_member_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)polls;
	(void)count;
	ucx_hear(&((struct ucx_member *)end)->ucx);
}

/* ---- callbacks for member.c ---- */

static void ucx_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	struct ucx_line *line = at(channel)->line;

	if (!line || !ucx_line_tell(line, kind, credit, payload))
		channel->lost = true;
}

static enum status ucx_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct ucx_member *self = at(channel);
	enum status status = ucx_open(&self->ucx, self->style, &channel->end);

	(void)deadline_ns;
	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&channel->end.mutex);
	self->next_in = 0;
	self->line = ucx_line_new(&self->ucx, &self->address, self->length, NULL);
	if (self->line) {
		self->line->owner = channel;
		self->line->session = &channel->session;
		self->line->heard = ucx_member_heard;
		self->line->lost = ucx_member_lost;
		member_greet(channel);
	}
	status = self->line ? STATUS_OK : STATUS_CLOSED;
	pthread_mutex_unlock(&channel->end.mutex);
	return status;
}

/* UCX itself chooses the transport of a connection. The results are recorded under the name of the
 * configured transport. So rejects the connection if UCX chose another transport. */
static bool ucx_member_welcome(struct channel *channel, struct span payload)
{
	(void)payload;
	if (ucx_line_uses(at(channel)->line, at(channel)->style->uses))
		return true;
	channel->refused = STATUS_UNSUPPORTED;
	text_printf(&channel->why, "UCX does not use its transport '%s' here",
		at(channel)->style->transports);
	return false;
}

/* Like told() of the hub: receives messages, and makes the polling thread arm the worker. */
static void told(struct channel *channel)
{
	ucx_hear(&at(channel)->ucx);
	end_ring(&channel->end);
}

static bool ucx_member_is_leaving(const struct channel *channel)
{
	const struct ucx_line *line = ((const struct ucx_member *)channel)->line;

	return line && line->sending > 0;
}

/* Waits until the hub closes the connection, which it does when it has received all frames. */
static void ucx_member_part(struct channel *channel, bool bye)
{
	int64_t deadline_ns = world->now_ns() + LINGER_NS;

	pthread_mutex_lock(&channel->end.mutex);
	if (bye && !channel->lost) {
		ucx_member_tell(channel, FRAME_BYE, 0, (struct span){0});
		while (!channel->lost && end_wait(&channel->end, deadline_ns))
			continue;
	}
	pthread_mutex_unlock(&channel->end.mutex);
	if (at(channel)->ucx.api)
		ucx_close(&at(channel)->ucx);
	at(channel)->line = NULL;
}

static const struct member_library library = {
	.greet = ucx_member_greet,
	.proved = member_plain_proved,
	.welcome = ucx_member_welcome,
	.tell = ucx_member_tell,
	.told = told,
	.is_leaving = ucx_member_is_leaving,
	.part = ucx_member_part,
};

enum status ucx_join(const struct ucx_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **result, struct text *why)
{
	struct sockaddr_storage address;
	struct channel *channel = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = ucx_resolve(settings, &address, &length, why);
	if (status == STATUS_OK)
		status =
			member_new(&library, settings, sizeof(struct ucx_member), 1, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = list;
	channel->end.found = ucx_member_found;
	at(channel)->style = style;
	at(channel)->address = address;
	at(channel)->length = length;
	return member_join(channel, deadline_ns, result, why);
}
