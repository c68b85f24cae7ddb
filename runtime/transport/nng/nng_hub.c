/* The hub over nng, for hub.c. When a member sends a request to the hub's REP socket, the hub
 * creates a line for the member and answers with the line's port. If the member does not connect to
 * the port within a second, the hub closes the line. */
#include <netinet/in.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "nng_line.h"
#include "stream.h"
#include "world/world.h"

enum { LINGER_NS = 1000000000, GRACE_NS = 100000000 };

struct nng_hub {
	struct hub hub;
	nng_socket asked;
	bool is_open;
	int asked_fd;
	char host[NNG_URL_BYTES]; /* "tcp://HOST" without the port */
	struct nng_line **over;	  /* lines that the hub has left; they are freed later, when the
				   * mutex is not held */
	uint32_t over_count, over_capacity;
};

struct nng_party {
	struct party party;
	struct nng_line *line; /* NULL: this end has left the line */
};

static struct nng_party *at(struct party *party)
{
	return (struct nng_party *)party;
}

/* ---- lines ---- */

static void heard(struct nng_line *line, const uint8_t *header, struct span payload)
{
	hub_hear((struct hub *)line->end, line->owner, header, payload);
}

static void ended(struct nng_line *line)
{
	hub_lose((struct hub *)line->end, line->owner);
}

/* Stores a line (connection) that the hub no longer uses. Threads of the library may still use the
 * line. So the line is freed later, by nng_hub_free_lines(), when the mutex is not held. */
static void keep_for_later(struct nng_hub *self, struct nng_line *line)
{
	if (self->over_count == self->over_capacity) {
		self->over_capacity = self->over_capacity > 0 ? 2 * self->over_capacity : 8;
		self->over = allocate_more(self->over, self->over_capacity, sizeof *self->over);
	}
	self->over[self->over_count++] = line;
}

/* Frees lines that the hub has left: those whose connection has ended, and those that the hub left
 * at least GRACE_NS ago, so that their last frames could be sent. The caller must not hold the
 * mutex. */
static void nng_hub_free_lines(struct nng_hub *self)
{
	struct nng_line *line;

	do {
		line = NULL;
		pthread_mutex_lock(&self->hub.end.mutex);
		for (uint32_t i = 0; i < self->over_count && !line; i++)
			if (atomic_load(&self->over[i]->gone) ||
				self->over[i]->over_ns + GRACE_NS <= world->now_ns()) {
				line = self->over[i];
				self->over[i] = self->over[--self->over_count];
			}
		pthread_mutex_unlock(&self->hub.end.mutex);
		nng_line_free(line);
	} while (line);
}

/* ---- requests at the REP socket ---- */

static void answer(struct nng_hub *self, enum frame_kind kind, struct span payload)
{
	const struct frame frame = {kind, 0, 0, 0, payload.length};
	uint8_t header[FRAME_HEADER_BYTES];
	nng_msg *message;

	frame_write(&frame, header);
	if (nng_msg_alloc(&message, 0) != 0)
		return;
	if (nng_msg_append(message, header, sizeof header) != 0 ||
		nng_msg_append(message, payload.extent->bytes + payload.offset, payload.length) !=
			0 ||
		nng_sendmsg(self->asked, message, NNG_FLAG_NONBLOCK) != 0)
		nng_msg_free(message);
}

/* Writes the address of the message's sender. */
static void nng_hub_whence(const nng_msg *message, char from[FROM_BYTES])
{
	struct sockaddr_storage address = {0};
	struct sockaddr_in *four = (struct sockaddr_in *)(void *)&address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)&address;
	nng_sockaddr peer;

	from[0] = '\0';
	if (nng_pipe_get_addr(nng_msg_get_pipe(message), NNG_OPT_REMADDR, &peer) != 0)
		return;
	if (peer.s_family == NNG_AF_INET) {
		four->sin_family = AF_INET;
		four->sin_port = peer.s_in.sa_port;
		four->sin_addr.s_addr = peer.s_in.sa_addr;
	} else if (peer.s_family == NNG_AF_INET6) {
		six->sin6_family = AF_INET6;
		six->sin6_port = peer.s_in6.sa_port;
		memcpy(&six->sin6_addr, peer.s_in6.sa_addr, sizeof six->sin6_addr);
	}
	stream_print(&address, from, FROM_BYTES);
}

/* Opens a line for the member that has sent a request, and answers with the port of the line. */
static void open_line(struct nng_hub *self, const char from[FROM_BYTES])
{
	struct nng_line *line = nng_line_new(&self->hub.end);
	struct nng_party *newcomer;
	char text[NNG_URL_BYTES + 8];
	struct span where;
	nng_listener listener;
	int port = 0;

	if (!line)
		return;
	snprintf(text, sizeof text, "%s:0", self->host);
	if (nng_listen(line->socket, text, &listener, 0) != 0 ||
		nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port) != 0) {
		keep_for_later(self, line);
		return;
	}
	newcomer = allocate(1, sizeof *newcomer);
	newcomer->line = line;
	memcpy(newcomer->party.from, from, FROM_BYTES);
	line->owner = newcomer;
	line->session = &newcomer->party.session;
	line->heard = heard;
	line->ended = ended;
	nng_line_start(line);
	hub_add(&self->hub, &newcomer->party);
	snprintf(text, sizeof text, "%s:%d", self->host, port);
	where = span_copy(text, (uint32_t)strlen(text));
	answer(self, FRAME_HELLO, where);
	span_release(where);
}

/* Answers a valid request. Strangers get no answer. */
static void be_asked(struct nng_hub *self, nng_msg *message)
{
	const uint8_t *bytes = nng_msg_body(message);
	const size_t length = nng_msg_len(message);
	const struct frame_bounds bounds = {0, 0, CHANNEL_NAME_BYTES - 1};
	enum frame_fault fault = FRAME_STRANGER;
	struct frame frame;
	uint32_t version = 0;
	char from[FROM_BYTES];

	nng_hub_whence(message, from);
	if (length >= FRAME_HEADER_BYTES)
		fault = frame_read(bytes, &bounds, &frame, &version);
	if (fault == FRAME_GOOD &&
		(frame.kind != FRAME_HELLO || frame.length != length - FRAME_HEADER_BYTES))
		fault = FRAME_BROKEN;
	if (fault == FRAME_GOOD)
		open_line(self, from);
	else
		hub_refuse_stranger(&self->hub, from, frame_fault_text(fault));
}

static uint32_t list(struct end *end, struct pollfd *polls)
{
	polls[0] = (struct pollfd){((struct nng_hub *)end)->asked_fd, POLLIN, 0};
	return 1;
}

static void nng_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct nng_hub *self = (struct nng_hub *)end;
	nng_msg *message;

	(void)polls;
	(void)count;
	while (self->hub.waiting_count < WAITING_MAX &&
		nng_recvmsg(self->asked, &message, NNG_FLAG_NONBLOCK) == 0) {
		be_asked(self, message);
		nng_msg_free(message);
	}
	hub_sweep(&self->hub);
}

/* ---- callbacks for hub.c ---- */

static void nng_hub_tell(struct hub *hub, struct party *party, enum frame_kind kind,
	uint32_t credit, struct span payload)
{
	if (!nng_line_tell(at(party)->line, kind, credit, payload))
		hub_lose(hub, party);
}

static void welcome(struct hub *hub, struct party *party)
{
	nng_hub_tell(hub, party, FRAME_WELCOME, 0, (struct span){0});
}

/* Leaves the line of a party. A member that gets a goodbye closes the connection itself. */
static void nng_hub_part(struct hub *hub, struct party *party, bool bye)
{
	struct nng_line *line = at(party)->line;

	if (!line)
		return;
	bye = bye && nng_line_tell(line, FRAME_BYE, 0, (struct span){0});
	nng_line_leave(line, bye);
	keep_for_later((struct nng_hub *)hub, line);
	at(party)->line = NULL;
}

static void nng_hub_close_library(struct hub *hub)
{
	struct nng_hub *self = (struct nng_hub *)hub;

	if (self->is_open)
		nng_close(self->asked);
	self->asked_fd = -1;
	pthread_mutex_lock(&hub->end.mutex);
	hub_say_goodbye(hub, world->now_ns() + LINGER_NS);
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		hub_lose(hub, hub->accepted[i]);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		hub_lose(hub, hub->waiting[i]);
	pthread_mutex_unlock(&hub->end.mutex);
	for (uint32_t i = 0; i < self->over_count; i++)
		nng_line_free(self->over[i]);
	free(self->over);
}

static const struct hub_library library = {
	.greeting = hub_plain_greeting,
	.is_ready = hub_plain_ready,
	.welcome = welcome,
	.tell = nng_hub_tell,
	.say = hub_plain_say,
	.publish = hub_plain_publish,
	.told = hub_plain_told,
	.is_leaving = hub_plain_leaving,
	.part = nng_hub_part,
	.close = nng_hub_close_library,
};

/* ---- operations ---- */

enum status nng_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member)
{
	enum status status = hub_accept(hub, deadline_ns, member);

	nng_hub_free_lines((struct nng_hub *)hub);
	return status;
}

enum status nng_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message)
{
	enum status status = hub_receive(hub, deadline_ns, member, message);

	if (status != STATUS_OK)
		nng_hub_free_lines((struct nng_hub *)hub);
	return status;
}

static enum status nng_hub_listen_at(struct nng_hub *self, const char *url, struct text *why)
{
	nng_listener listener;
	int error = nng_rep0_open(&self->asked), port = 0;

	self->is_open = error == 0;
	if (error == 0)
		error = nng_line_prepare(self->asked, &self->hub.end.settings);
	if (error == 0)
		error = nng_listen(self->asked, url, &listener, 0);
	if (error == 0)
		error = nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port);
	if (error == 0)
		error = nng_socket_get_int(self->asked, NNG_OPT_RECVFD, &self->asked_fd);
	if (error != 0) {
		if (why)
			text_printf(why, "cannot listen there: %s", nng_strerror(error));
		return error == NNG_EADDRINUSE ? STATUS_EXISTS : STATUS_IO;
	}
	snprintf(self->host, sizeof self->host, "%.*s", (int)(strrchr(url, ':') - url), url);
	snprintf(self->hub.address, sizeof self->hub.address, "%s:%d",
		self->host + strlen("tcp://"), port);
	return STATUS_OK;
}

enum status nng_hub_open(
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	char url[NNG_URL_BYTES];
	struct hub *hub = NULL;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = nng_library(why);
	if (status == STATUS_OK)
		status = nng_line_url(settings, url, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof(struct nng_hub), 1, &hub);
	if (status != STATUS_OK)
		return status;
	hub->end.list = list;
	hub->end.found = nng_hub_found;
	((struct nng_hub *)hub)->asked_fd = -1;
	status = nng_hub_listen_at((struct nng_hub *)hub, url, why);
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
