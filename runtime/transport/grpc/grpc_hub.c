/* The hub over gRPC, for hub.c. The hub is a gRPC server that creates a line (grpc_line.h) for each
 * call. It rejects calls of other methods than GRPC_LINE_METHOD. While WAITING_MAX parties wait for
 * admission, it accepts no call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "grpc_line.h"
#include "stream.h"
#include "world/world.h"

enum { LINGER_NS = 1000000000 };

struct grpc_hub {
	struct hub hub;
	struct grpc_queue queue;
	grpc_server *server;
	struct grpc_task asked, down;
	bool asks; /* the library is processing a request for the next call */
	grpc_call *call;
	grpc_call_details details;
	grpc_metadata_array metadata;
	struct grpc_line **left; /* lines that this end has left; the library may still use them */
	uint32_t left_count, left_capacity;
};

struct grpc_party {
	struct party party;
	struct grpc_line *line; /* NULL: this end has left the line */
};

static struct grpc_party *at(struct party *party)
{
	return (struct grpc_party *)party;
}

/* ---- lines ---- */

static void heard(struct grpc_line *line, const uint8_t *header, struct span payload)
{
	hub_hear((struct hub *)line->queue->end, line->owner, header, payload);
}

static void ended(struct grpc_line *line)
{
	hub_lose((struct hub *)line->queue->end, line->owner);
}

static void leave(struct grpc_hub *self, struct grpc_line *line, grpc_status_code code)
{
	if (self->left_count == self->left_capacity) {
		self->left_capacity = self->left_capacity > 0 ? 2 * self->left_capacity : 8;
		self->left = allocate_more(self->left, self->left_capacity, sizeof *self->left);
	}
	self->left[self->left_count++] = line;
	grpc_line_leave(line, code);
}

static void grpc_hub_free_lines(struct grpc_hub *self)
{
	for (uint32_t i = self->left_count; i-- > 0;)
		if (self->left[i]->asked == 0) {
			grpc_line_free(self->left[i]);
			self->left[i] = self->left[--self->left_count];
		}
}

/* ---- incoming calls ---- */

static void ask_for_calls(struct grpc_hub *self)
{
	if (self->asks || !self->server || self->hub.waiting_count == WAITING_MAX)
		return;
	self->asks = self->queue.api->grpc_server_request_call(self->server, &self->call,
			     &self->details, &self->metadata, self->queue.queue, self->queue.queue,
			     &self->asked) == GRPC_CALL_OK;
}

/* Writes the peer's address in the library's form, for example "ipv4:127.0.0.1:1234". */
static void grpc_hub_whence(const struct grpc_hub *self, char from[FROM_BYTES])
{
	char *peer = self->queue.api->grpc_call_get_peer(self->call);

	snprintf(from, FROM_BYTES, "%s", peer ? peer : "");
	self->queue.api->gpr_free(peer);
}

static void begin_line(struct grpc_hub *self)
{
	struct grpc_line *line = grpc_line_new(&self->queue, self->call, true);
	struct grpc_party *newcomer;
	char from[FROM_BYTES];

	grpc_hub_whence(self, from);
	if (self->queue.api->grpc_slice_str_cmp(self->details.method, GRPC_LINE_METHOD) != 0) {
		hub_refuse_stranger(&self->hub, from, "it calls what there is not");
		leave(self, line, GRPC_STATUS_UNIMPLEMENTED);
		return;
	}
	newcomer = allocate(1, sizeof *newcomer);
	memcpy(newcomer->party.from, from, sizeof from);
	newcomer->line = line;
	line->owner = newcomer;
	line->session = &newcomer->party.session;
	line->heard = heard;
	line->ended = ended;
	hub_add(&self->hub, &newcomer->party);
	grpc_line_start(line);
}

static void grpc_hub_called(struct grpc_task *task, bool good)
{
	struct grpc_hub *self = task->owner;
	const struct grpc_api *api = self->queue.api;

	self->asks = false;
	if (!good)
		return; /* the server is shutting down */
	begin_line(self);
	api->grpc_call_details_destroy(&self->details);
	api->grpc_metadata_array_destroy(&self->metadata);
	api->grpc_call_details_init(&self->details);
	api->grpc_metadata_array_init(&self->metadata);
	ask_for_calls(self);
}

static void is_down(struct grpc_task *task, bool good)
{
	(void)task;
	(void)good;
}

static void grpc_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct grpc_hub *self = (struct grpc_hub *)end;

	(void)polls;
	(void)count;
	hub_sweep(&self->hub);
	grpc_hub_free_lines(self);
	ask_for_calls(self);
}

/* ---- callbacks for hub.c ---- */

static void grpc_hub_tell(struct hub *hub, struct party *party, enum frame_kind kind,
	uint32_t credit, struct span payload)
{
	if (!grpc_line_tell(at(party)->line, kind, credit, payload))
		hub_lose(hub, party);
}

static void welcome(struct hub *hub, struct party *party)
{
	grpc_hub_tell(hub, party, FRAME_WELCOME, 0, (struct span){0});
}

static void grpc_hub_part(struct hub *hub, struct party *party, bool bye)
{
	struct grpc_line *line = at(party)->line;

	if (!line)
		return;
	at(party)->line = NULL;
	if (bye)
		(void)grpc_line_tell(line, FRAME_BYE, 0, (struct span){0});
	leave((struct grpc_hub *)hub, line, GRPC_STATUS_OK);
}

static bool lines_are_left(struct grpc_hub *self)
{
	grpc_hub_free_lines(self);
	return self->left_count > 0;
}

/* Sends a goodbye to all members, and waits until they have ended their calls. At the deadline,
 * ends the remaining calls. */
static void say_goodbye(struct grpc_hub *self)
{
	int64_t deadline_ns = world->now_ns() + LINGER_NS;
	struct hub *hub = &self->hub;

	pthread_mutex_lock(&hub->end.mutex);
	for (uint32_t i = 0; i < hub->waiting_count; i++)
		hub_lose(hub, hub->waiting[i]);
	hub_say_goodbye(hub, deadline_ns);
	while (lines_are_left(self) && end_wait(&hub->end, deadline_ns))
		continue;
	for (uint32_t i = 0; i < hub->accepted_count; i++)
		hub_lose(hub, hub->accepted[i]);
	for (uint32_t i = 0; i < self->left_count; i++)
		grpc_line_stop(self->left[i]);
	pthread_mutex_unlock(&hub->end.mutex);
}

static void grpc_hub_close_library(struct hub *hub)
{
	struct grpc_hub *self = (struct grpc_hub *)hub;
	const struct grpc_api *api = self->queue.api;
	grpc_server *server = self->server;

	if (self->queue.hears)
		say_goodbye(self);
	self->server = NULL; /* from now on, ask_for_calls() requests no more calls */
	if (server) {
		api->grpc_server_shutdown_and_notify(server, self->queue.queue, &self->down);
		api->grpc_server_cancel_all_calls(server);
	}
	grpc_queue_stop(&self->queue);
	for (uint32_t i = 0; i < self->left_count; i++)
		grpc_line_free(self->left[i]);
	free(self->left);
	if (server) {
		api->grpc_server_destroy(server);
		api->grpc_call_details_destroy(&self->details);
		api->grpc_metadata_array_destroy(&self->metadata);
	}
	grpc_queue_close(&self->queue);
}

static const struct hub_library library = {
	.greeting = hub_plain_greeting,
	.is_ready = hub_plain_ready,
	.welcome = welcome,
	.tell = grpc_hub_tell,
	.say = hub_plain_say,
	.publish = hub_plain_publish,
	.told = hub_plain_told,
	.is_leaving = hub_plain_leaving,
	.part = grpc_hub_part,
	.close = grpc_hub_close_library,
};

/* ---- opening ---- */

bool grpc_somebody_listens(const struct sockaddr_storage *address, socklen_t length)
{
	int fd = stream_socket(address->ss_family), yes = 1;
	bool taken = false;

	if (fd < 0)
		return false;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	taken = bind(fd, (const struct sockaddr *)address, length) != 0;
	close(fd);
	return taken;
}

static void make_server(struct grpc_hub *self)
{
	const struct grpc_api *api = self->queue.api;
	const uint32_t most = FRAME_HEADER_BYTES + self->hub.end.settings.message_bytes_max;
	grpc_arg arguments[] = {
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ALLOW_REUSEPORT, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
			.value.integer = (int)most},
	};
	const grpc_channel_args all = {sizeof arguments / sizeof arguments[0], arguments};

	self->server = api->grpc_server_create(&all, NULL);
	api->grpc_server_register_completion_queue(self->server, self->queue.queue, NULL);
	api->grpc_call_details_init(&self->details);
	api->grpc_metadata_array_init(&self->metadata);
	self->asked = (struct grpc_task){grpc_hub_called, self};
	self->down = (struct grpc_task){is_down, self};
}

static enum status grpc_hub_listen_at(struct grpc_hub *self, const struct sockaddr_storage *address,
	socklen_t length, struct text *why)
{
	const struct grpc_api *api = self->queue.api;
	const char *text = self->hub.end.settings.address;
	grpc_server_credentials *none = api->grpc_insecure_server_credentials_create();
	int port = 0;
	bool taken = grpc_somebody_listens(address, length);

	make_server(self);
	if (!taken)
		port = api->grpc_server_add_http2_port(self->server, text, none);
	api->grpc_server_credentials_release(none);
	api->grpc_server_start(self->server);
	if (port <= 0) {
		if (why)
			text_append(why, taken ? "cannot listen there: somebody does"
					       : "cannot listen there");
		return taken ? STATUS_EXISTS : STATUS_IO;
	}
	snprintf(self->hub.address, sizeof self->hub.address, "%.*s:%d",
		(int)(strrchr(text, ':') - text), text, port);
	pthread_mutex_lock(&self->hub.end.mutex);
	ask_for_calls(self);
	pthread_mutex_unlock(&self->hub.end.mutex);
	return STATUS_OK;
}

enum status grpc_hub_open(
	const struct channel_settings *settings, struct hub **result, struct text *why)
{
	struct sockaddr_storage address;
	struct hub *hub = NULL;
	struct grpc_hub *self;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status =
			stream_resolve(settings->address, settings->remote, &address, &length, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof *self, 1, &hub);
	if (status != STATUS_OK)
		return status;
	self = (struct grpc_hub *)hub;
	hub->end.list = end_plain_list;
	hub->end.found = grpc_hub_found;
	status = grpc_queue_open(&self->queue, &hub->end, why);
	if (status == STATUS_OK)
		status = grpc_hub_listen_at(self, &address, length, why);
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
