/* A member's end over MPI, for member.c: a lifeline, and one line to the hub. */
#include <string.h>

#include "mpi_line.h"
#include "mpi_process.h"
#include "stream.h"

enum { LINGER_NS = 1000000000, MEETING_LOOK_NS = 500000, DRAIN_LOOK_NS = 10000 };

enum stage {
	GREETED,   /* the member has sent its greeting */
	BEGINNING, /* it initializes MPI */
	THERE,	   /* it has an MPI world */
	MEETING,   /* it is connecting to the hub over MPI */
	MET	   /* it has a line */
};

struct mpi_member {
	struct channel channel;
	struct sockaddr_storage address;
	socklen_t length;
	struct mpi_lifeline lifeline;
	struct mpi mpi;
	struct mpi_invitation invitation;
	enum stage stage;
	struct mpi_meeting *meeting;
	struct mpi_line *line; /* NULL: the member has not met the hub yet, or has left the line */
	uint64_t next_in;      /* next sequence number */
};

static struct mpi_member *at(struct channel *channel)
{
	return (struct mpi_member *)channel;
}

static void mpi_member_lose(struct channel *channel)
{
	struct mpi_line *line = at(channel)->line;

	channel->lost = true;
	at(channel)->line = NULL;
	if (line)
		mpi_line_leave(line);
	connection_end(&at(channel)->lifeline.connection);
}

/* ---- meeting ---- */

static void mpi_member_heard(struct mpi_line *line, const uint8_t *header, struct span payload)
{
	struct channel *channel = line->owner;

	member_hear(channel, &at(channel)->next_in, header, payload);
	if (channel->lost)
		mpi_member_lose(channel);
}

static void mpi_member_line_up(struct mpi_member *self, MPI_Comm comm)
{
	const int tag = self->invitation.tag;

	self->stage = MET;
	self->line = mpi_line_new(&self->mpi, comm, 0, tag + 1, tag);
	if (!self->line) {
		mpi_member_lose(&self->channel);
		return;
	}
	self->line->owner = self;
	self->line->session = &self->channel.session;
	self->line->heard = mpi_member_heard;
}

static void say_there(struct mpi_member *self)
{
	const uint64_t cookie = mpi_process_cookie();
	struct span payload = span_copy(&cookie, sizeof cookie);

	if (!mpi_lifeline_tell(&self->lifeline, FRAME_MESSAGE, payload))
		mpi_member_lose(&self->channel);
	span_release(payload);
}

static void follow_invitation(struct mpi_member *self)
{
	if (self->invitation.cookie == mpi_process_cookie()) {
		say_there(self);
		mpi_member_line_up(self, mpi_process_own());
		return;
	}
	self->stage = BEGINNING;
	self->meeting = mpi_meeting_begin(self->invitation.server);
}

static void take_failure(struct channel *channel, enum status status)
{
	const char *why = mpi_meeting_why(at(channel)->meeting);

	channel->refused = status;
	text_printf(&channel->why, "%s", why[0] ? why : "Open MPI does not meet the hub");
	mpi_member_lose(channel);
}

/* If the current meeting is over, takes the next step. */
static void mpi_member_advance(struct channel *channel)
{
	struct mpi_member *self = at(channel);
	enum status status;

	if (self->lifeline.ended_ns != 0 && !channel->lost &&
		mpi_lifeline_is_over(&self->lifeline, &self->mpi)) {
		mpi_member_lose(channel);
		channel->end.news = true;
	}
	if (!self->meeting || !mpi_meeting_ended(self->meeting, &status))
		return;
	channel->end.news = true;
	if (channel->lost)
		;
	else if (status != STATUS_OK)
		take_failure(channel, status);
	else if (self->stage == MEETING)
		mpi_member_line_up(self, mpi_meeting_comm(self->meeting));
	else
		say_there(self);
	if (self->stage == BEGINNING)
		self->stage = THERE;
	mpi_meeting_leave(self->meeting);
	self->meeting = NULL;
}

/* ---- incoming frames on the lifeline ---- */

static bool is_invitation(struct mpi_member *self, const struct frame *frame, struct span payload)
{
	if (self->stage != GREETED || !self->channel.proved || frame->kind != FRAME_WELCOME ||
		!mpi_invitation_read(payload, &self->invitation))
		return false;
	follow_invitation(self);
	return true;
}

static bool is_port(struct mpi_member *self, const struct frame *frame, struct span payload)
{
	char port[MPI_MAX_PORT_NAME];

	if (self->stage != THERE || frame->kind != FRAME_MESSAGE ||
		!mpi_text_read(payload, port, sizeof port))
		return false;
	self->stage = MEETING;
	self->meeting = mpi_meeting_connect(port);
	return true;
}

static void mpi_member_hear(struct channel *channel)
{
	struct mpi_member *self = at(channel);
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	enum status status = STATUS_OK;

	while (!channel->lost && status == STATUS_OK) {
		payload = (struct span){0};
		fault = FRAME_GOOD;
		status = connection_read(
			&self->lifeline.connection, &frame, &payload, &fault, &version);
		if (status == STATUS_OK &&
			(is_invitation(self, &frame, payload) || is_port(self, &frame, payload))) {
			span_release(payload);
		} else if (status == STATUS_OK || status == STATUS_INVALID) {
			if (fault == FRAME_GOOD && frame.kind != FRAME_REFUSED &&
				frame.kind != FRAME_CHALLENGE)
				fault = FRAME_BROKEN;
			member_hear_frame(channel, fault, version, &frame, payload);
			if (channel->lost)
				mpi_member_lose(channel);
		} else if (status == STATUS_CLOSED) {
			mpi_lifeline_lost(&self->lifeline, &self->mpi);
		}
	}
}

static uint32_t mpi_member_list(struct end *end, struct pollfd *polls)
{
	struct channel *channel = (struct channel *)end;
	struct mpi_member *self = at(channel);
	bool few = mpi_look(&self->mpi);
	int64_t look_ns = self->lifeline.ended_ns != 0 ? DRAIN_LOOK_NS : MEETING_LOOK_NS;

	mpi_member_advance(channel);
	if ((self->meeting || self->lifeline.ended_ns != 0) && end->look_ns > look_ns)
		end->look_ns = look_ns;
	if (few)
		return 0;
	polls[0] = (struct pollfd){self->lifeline.connection.fd, POLLIN, 0};
	return 1;
}

static void mpi_member_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct channel *channel = (struct channel *)end;

	if (count > 0 && polls[0].revents && !channel->lost)
		mpi_member_hear(channel);
}

/* ---- callbacks for member.c ---- */

static void mpi_member_tell(
	struct channel *channel, enum frame_kind kind, uint32_t credit, struct span payload)
{
	struct mpi_member *self = at(channel);

	if (self->line ? !mpi_line_tell(self->line, kind, credit, payload)
		       : !mpi_lifeline_tell(&self->lifeline, kind, payload))
		mpi_member_lose(channel);
}

static enum status mpi_member_greet(struct channel *channel, int64_t deadline_ns)
{
	struct mpi_member *self = at(channel);
	int fd = stream_connect(&self->address, self->length, deadline_ns);
	enum status status;

	if (fd < 0)
		return STATUS_CLOSED;
	stream_prepare(fd);
	self->lifeline = (struct mpi_lifeline){0};
	connection_init(&self->lifeline.connection, fd, &channel->session,
		sizeof self->invitation + MPI_MAX_PORT_NAME);
	self->next_in = 0;
	self->stage = GREETED;
	status = mpi_open(&self->mpi, &channel->end);
	if (status != STATUS_OK)
		return status;
	pthread_mutex_lock(&channel->end.mutex);
	member_greet(channel);
	pthread_mutex_unlock(&channel->end.mutex);
	return STATUS_OK;
}

static void told(struct channel *channel)
{
	mpi_told(&at(channel)->mpi);
}

static bool mpi_member_is_leaving(const struct channel *channel)
{
	const struct mpi_line *line = ((const struct mpi_member *)channel)->line;

	return line && line->first;
}

/* Waits until the hub closes the lifeline, which it does when it has received all frames. */
static void mpi_member_part(struct channel *channel, bool bye)
{
	struct mpi_member *self = at(channel);
	int64_t deadline_ns = world->now_ns() + LINGER_NS;

	pthread_mutex_lock(&channel->end.mutex);
	if (bye && !channel->lost && self->line) {
		mpi_member_tell(channel, FRAME_BYE, 0, (struct span){0});
		while (!channel->lost && self->lifeline.connection.fd >= 0 &&
			end_wait(&channel->end, deadline_ns))
			continue;
	}
	mpi_meeting_leave(self->meeting);
	self->meeting = NULL;
	connection_end(&self->lifeline.connection);
	self->line = NULL;
	pthread_mutex_unlock(&channel->end.mutex);
	mpi_close(&self->mpi);
}

static const struct member_library library = {
	.greet = mpi_member_greet,
	.proved = member_plain_proved,
	.welcome = member_plain_welcome,
	.tell = mpi_member_tell,
	.told = told,
	.is_leaving = mpi_member_is_leaving,
	.part = mpi_member_part,
};

enum status mpi_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **result, struct text *why)
{
	struct sockaddr_storage address;
	struct channel *channel = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = mpi_resolve(settings, &address, &length, why);
	if (status == STATUS_OK)
		status =
			member_new(&library, settings, sizeof(struct mpi_member), 1, &channel, why);
	if (status != STATUS_OK)
		return status;
	channel->end.list = mpi_member_list;
	channel->end.found = mpi_member_found;
	at(channel)->lifeline.connection.fd = -1;
	at(channel)->mpi.stop_fd = -1;
	at(channel)->address = address;
	at(channel)->length = length;
	return member_join(channel, deadline_ns, result, why);
}
