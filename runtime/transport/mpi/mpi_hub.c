/* The hub over MPI, for hub.c. It listens for lifelines, the sockets on which members send their
 * greetings (mpi_line.h), and makes a line for each member that has sent its greeting. While
 * WAITING_MAX parties wait, further connections stay in the listener's backlog. */
#define _GNU_SOURCE /* accept4 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "mpi_line.h"
#include "mpi_process.h"
#include "stream.h"

enum { LINGER_NS = 1000000000, MEETING_LOOK_NS = 500000, DRAIN_LOOK_NS = 10000 };

/* Maximum time for which a party that has received the port may keep the other parties waiting. */
#define MEETING_NS INT64_C(5000000000)

struct mpi_hub {
	struct hub hub;
	struct mpi mpi;
	int listener;		   /* -1: there is no listener */
	struct mpi_party *meeting; /* the party that is connecting over MPI now; the hub connects
				    * only one party at a time */
};

/* The stages of a party. GREETED: it has sent its greeting. INVITED: the hub has invited it to
 * connect over MPI. THERE: it has started MPI. MEETING: it is connecting over MPI. MET: it is
 * connected. */
enum stage { GREETED, INVITED, THERE, MEETING, MET };

struct mpi_party {
	struct party party;
	struct mpi_lifeline lifeline;
	enum stage stage;
	int tag;
	bool is_here; /* the party is in this process */
	struct mpi_meeting *meeting;
	int64_t until_ns;      /* MEETING: the party is rejected if it has not connected by this
				* time */
	struct mpi_line *line; /* NULL: the party has not met yet, or this end has left the line */
};

static struct mpi_party *at(struct party *party)
{
	return (struct mpi_party *)party;
}

static struct mpi_hub *hub_at(struct hub *hub)
{
	return (struct mpi_hub *)hub;
}

/* ---- meeting ---- */

static void heard(struct mpi_line *line, const uint8_t *header, struct span payload)
{
	hub_hear((struct hub *)line->mpi->end, line->owner, header, payload);
}

static void mpi_hub_line_up(struct mpi_hub *self, struct mpi_party *party, MPI_Comm comm)
{
	party->stage = MET;
	party->line = mpi_line_new(&self->mpi, comm, 0, party->tag, party->tag + 1);
	if (!party->line) {
		hub_lose(&self->hub, &party->party);
		return;
	}
	party->line->owner = party;
	party->line->session = &party->party.session;
	party->line->heard = heard;
}

static bool invite(struct mpi_party *party)
{
	struct mpi_invitation invitation = {
		.cookie = mpi_process_cookie(), .tag = mpi_process_tags()};
	struct span payload;
	bool good;

	snprintf(invitation.server, sizeof invitation.server, "%s", mpi_process_server());
	payload = mpi_invitation_write(&invitation);
	party->tag = invitation.tag;
	party->stage = INVITED;
	good = mpi_lifeline_tell(&party->lifeline, FRAME_WELCOME, payload);
	span_release(payload);
	return good;
}

/* Opens an MPI port for this party, and sends it the port's name. No other party uses this port, so
 * none is blocked if this party dies before it has connected. */
static bool begin_meeting(struct mpi_hub *self, struct mpi_party *party)
{
	const char *port;
	struct span payload;
	bool good;

	party->meeting = mpi_meeting_accept();
	party->stage = MEETING;
	party->until_ns = world->now_ns() + MEETING_NS;
	self->meeting = party;
	port = mpi_meeting_port(party->meeting);
	payload = span_copy(port, (uint32_t)strlen(port));
	good = mpi_lifeline_tell(&party->lifeline, FRAME_MESSAGE, payload);
	span_release(payload);
	return good;
}

static bool end_meeting(struct mpi_hub *self, struct mpi_party *party)
{
	enum status status;

	if (!mpi_meeting_ended(party->meeting, &status)) {
		if (party->until_ns > world->now_ns())
			return true;
		self->hub.end.counts.refused++;
		return false;
	}
	self->meeting = NULL;
	if (status == STATUS_OK)
		mpi_hub_line_up(self, party, mpi_meeting_comm(party->meeting));
	mpi_meeting_leave(party->meeting);
	party->meeting = NULL;
	return status == STATUS_OK;
}

/* Moves a party to the next stage. Returns false if this failed. */
static bool bring_nearer(struct mpi_hub *self, struct mpi_party *party)
{
	if (party->stage == GREETED)
		return invite(party);
	if (party->stage == THERE && party->is_here) {
		mpi_hub_line_up(self, party, mpi_process_own());
		return true;
	}
	if (party->stage == THERE && !self->meeting)
		return begin_meeting(self, party);
	if (party->stage == MEETING)
		return end_meeting(self, party);
	return true;
}

static void look_again_within(struct hub *hub, int64_t look_ns)
{
	if (hub->end.look_ns > look_ns)
		hub->end.look_ns = look_ns;
}

/* Takes parties closer to their lines, and marks parties as lost whose lifelines have ended. */
static void mpi_hub_advance(struct hub *hub)
{
	struct mpi_hub *self = hub_at(hub);

	for (uint32_t i = 0; i < hub->waiting_count; i++) {
		struct mpi_party *party = at(hub->waiting[i]);
		enum stage before = party->stage;

		if (party->party.standing != JOINED)
			continue;
		if (!bring_nearer(self, party))
			hub_lose(hub, &party->party);
		hub->end.news |= party->stage != before;
	}
	for (uint32_t i = 0; i < hub->accepted_count; i++) {
		struct mpi_party *party = at(hub->accepted[i]);

		if (party->party.standing == LOST || party->lifeline.ended_ns == 0)
			continue;
		look_again_within(hub, DRAIN_LOOK_NS);
		if (!mpi_lifeline_is_over(&party->lifeline, &self->mpi))
			continue;
		hub_lose(hub, &party->party);
		hub->end.news = true;
	}
	if (self->meeting)
		look_again_within(hub, MEETING_LOOK_NS);
}

/* ---- incoming frames on lifelines ---- */

/* Handles the message in which a party reports that it has an MPI world. The message contains the
 * cookie, a number that identifies the party's process. */
static bool mpi_hub_is_there(
	struct mpi_party *party, const struct frame *frame, struct span payload)
{
	uint64_t cookie;

	if (party->stage != INVITED || party->party.standing != JOINED ||
		frame->kind != FRAME_MESSAGE || payload.length != sizeof cookie)
		return false;
	memcpy(&cookie, payload.extent->bytes + payload.offset, sizeof cookie);
	party->is_here = cookie == mpi_process_cookie();
	party->stage = THERE;
	return true;
}

static void mpi_hub_hear(struct hub *hub, struct mpi_party *party)
{
	enum frame_fault fault;
	struct frame frame;
	struct span payload;
	uint32_t version;
	enum status status = STATUS_OK;

	while (party->party.standing != LOST && status == STATUS_OK) {
		payload = (struct span){0};
		fault = FRAME_GOOD;
		status = connection_read(
			&party->lifeline.connection, &frame, &payload, &fault, &version);
		if (status == STATUS_OK && mpi_hub_is_there(party, &frame, payload)) {
			span_release(payload);
		} else if (status == STATUS_OK || status == STATUS_INVALID) {
			if (party->party.standing == ACCEPTED && fault == FRAME_GOOD)
				fault = FRAME_BROKEN;
			hub_hear_frame(hub, &party->party, fault, version, &frame, payload);
		} else if (status == STATUS_CLOSED && party->party.standing == ACCEPTED) {
			mpi_lifeline_lost(&party->lifeline, &hub_at(hub)->mpi);
		} else if (status == STATUS_CLOSED) {
			hub_lose(hub, &party->party);
		}
	}
}

static void mpi_hub_admit(struct mpi_hub *self)
{
	struct hub *hub = &self->hub;
	int fd;

	for (uint32_t i = 0; i < NEWCOMERS_MAX && hub->waiting_count < WAITING_MAX; i++) {
		struct mpi_party *newcomer;

		fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		newcomer = allocate(1, sizeof *newcomer);
		stream_prepare(fd);
		connection_init(&newcomer->lifeline.connection, fd, &newcomer->party.session,
			PROOF_PAYLOAD_MAX);
		hub_add(hub, &newcomer->party);
		(void)stream_meet(fd, newcomer->party.from, FROM_BYTES);
		mpi_hub_hear(hub, newcomer);
	}
}

/* ---- polling ---- */

static uint32_t mpi_hub_list(struct end *end, struct pollfd *polls)
{
	struct hub *hub = (struct hub *)end;
	struct mpi_hub *self = hub_at(hub);
	bool few = mpi_look(&self->mpi);
	uint32_t count = 0;

	mpi_hub_advance(hub);
	if (few)
		return 0;
	polls[count++] = (struct pollfd){self->listener, POLLIN, 0};
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		polls[count++] =
			(struct pollfd){at(hub->accepted[i])->lifeline.connection.fd, POLLIN, 0};
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		polls[count++] =
			(struct pollfd){at(hub->waiting[i])->lifeline.connection.fd, POLLIN, 0};
	return count;
}

static struct mpi_party *mpi_hub_party_with(const struct hub *hub, int fd)
{
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		if (at(hub->waiting[i])->lifeline.connection.fd == fd)
			return at(hub->waiting[i]);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		if (at(hub->accepted[i])->lifeline.connection.fd == fd)
			return at(hub->accepted[i]);
	return NULL;
}

static void mpi_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct hub *hub = (struct hub *)end;

	for (uint32_t i = 1; i < count; i++) {
		struct mpi_party *party = NULL;

		if (polls[i].revents && polls[i].fd >= 0)
			party = mpi_hub_party_with(hub, polls[i].fd);
		if (party)
			mpi_hub_hear(hub, party);
	}
	if (count > 0 && polls[0].revents)
		mpi_hub_admit(hub_at(hub));
	hub_sweep(hub);
}

/* ---- callbacks for hub.c ---- */

static bool is_ready(const struct hub *hub, const struct party *party)
{
	(void)hub;
	return ((const struct mpi_party *)party)->line;
}

static void mpi_hub_tell(struct hub *hub, struct party *party, enum frame_kind kind,
	uint32_t credit, struct span payload)
{
	struct mpi_party *to = at(party);

	if (to->line ? !mpi_line_tell(to->line, kind, credit, payload)
		     : !mpi_lifeline_tell(&to->lifeline, kind, payload))
		hub_lose(hub, party);
}

static void welcome(struct hub *hub, struct party *party)
{
	mpi_hub_tell(hub, party, FRAME_WELCOME, 0, (struct span){0});
	end_ring(&hub->end); /* the party is now listed among the accepted parties */
}

static void told(struct hub *hub)
{
	mpi_told(&hub_at(hub)->mpi);
}

static bool mpi_hub_is_leaving(const struct hub *hub, const struct party *party)
{
	const struct mpi_line *line = ((const struct mpi_party *)party)->line;

	(void)hub;
	return line && line->first;
}

/* Leaves the line and ends the lifeline. The end of the lifeline also serves as a goodbye. */
static void mpi_hub_part(struct hub *hub, struct party *party, bool bye)
{
	struct mpi_party *who = at(party);
	struct mpi_line *line = who->line;

	who->line = NULL;
	if (line && bye)
		(void)mpi_line_tell(line, FRAME_BYE, 0, (struct span){0});
	if (line)
		mpi_line_leave(line);
	if (hub_at(hub)->meeting == who)
		hub_at(hub)->meeting = NULL;
	mpi_meeting_leave(who->meeting);
	who->meeting = NULL;
	connection_end(&who->lifeline.connection);
}

static void mpi_hub_close_library(struct hub *hub)
{
	struct mpi_hub *self = hub_at(hub);

	pthread_mutex_lock(&hub->end.mutex);
	hub_say_goodbye(hub, world->now_ns() + LINGER_NS);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		mpi_hub_part(hub, hub->accepted[i], false);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		mpi_hub_part(hub, hub->waiting[i], false);
	if (self->listener >= 0)
		close(self->listener);
	pthread_mutex_unlock(&hub->end.mutex);
	mpi_close(&self->mpi);
}

static const struct hub_library library = {
	.greeting = hub_plain_greeting,
	.is_ready = is_ready,
	.welcome = welcome,
	.tell = mpi_hub_tell,
	.say = hub_plain_say,
	.publish = hub_plain_publish,
	.told = told,
	.is_leaving = mpi_hub_is_leaving,
	.part = mpi_hub_part,
	.close = mpi_hub_close_library,
};

/* ---- opening ---- */

static enum status mpi_hub_listen_at(struct mpi_hub *self, const struct sockaddr_storage *address,
	socklen_t length, struct text *why)
{
	struct sockaddr_storage where;
	socklen_t size = sizeof where;
	int error;

	self->listener = stream_socket(address->ss_family);
	if (self->listener >= 0)
		stream_prepare(self->listener);
	if (self->listener >= 0 &&
		bind(self->listener, (const struct sockaddr *)address, length) == 0 &&
		listen(self->listener, WAITING_MAX) == 0 &&
		getsockname(self->listener, (struct sockaddr *)&where, &size) == 0) {
		stream_print(&where, self->hub.address, sizeof self->hub.address);
		return STATUS_OK;
	}
	error = errno;
	if (why)
		text_printf(why, "cannot listen there: %s", strerror(error));
	return error == EADDRINUSE ? STATUS_EXISTS : STATUS_IO;
}

enum status mpi_hub_open(
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	struct sockaddr_storage address;
	struct hub *hub = NULL;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = mpi_resolve(settings, &address, &length, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof(struct mpi_hub),
			WAITING_MAX + CHANNEL_MEMBERS_MAX + 1, &hub);
	if (status != STATUS_OK)
		return status;
	hub_at(hub)->listener = -1;
	hub->end.list = mpi_hub_list;
	hub->end.found = mpi_hub_found;
	status = mpi_open(&hub_at(hub)->mpi, &hub->end);
	if (status == STATUS_OK)
		status = mpi_hub_listen_at(hub_at(hub), &address, length, why);
	if (status == STATUS_OK)
		status = mpi_process_host(why);
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
