/* The hub over UCX, for hub.c: a listener, and one line for each connection. While WAITING_MAX
 * parties wait for admission, the hub rejects further connections. */
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "stream.h"
#include "ucx_line.h"

enum { LINGER_NS = 1000000000 };

struct ucx_hub {
	struct hub hub;
	struct ucx ucx;
	ucp_listener_h listener;
};

struct ucx_party {
	struct party party;
	struct ucx_line *line; /* NULL: this end has left the line */
};

static struct ucx_party *at(struct party *party)
{
	return (struct ucx_party *)party;
}

/* ---- receiving ---- */

static void heard(struct ucx_line *line, const uint8_t *header, struct span payload)
{
	hub_hear((struct hub *)line->ucx->end, line->owner, header, payload);
}

static void lost(struct ucx_line *line)
{
	hub_lose((struct hub *)line->ucx->end, line->owner);
}

static void knock(ucp_conn_request_h request, void *argument)
{
	struct ucx_hub *self = argument;
	struct ucx_line *line;
	struct ucx_party *newcomer;

	if (self->hub.waiting_count == WAITING_MAX) {
		(void)self->ucx.api->ucp_listener_reject(self->listener, request);
		return;
	}
	line = ucx_line_new(&self->ucx, NULL, 0, request);
	if (!line)
		return;
	newcomer = allocate(1, sizeof *newcomer);
	newcomer->line = line;
	line->owner = newcomer;
	line->session = &newcomer->party.session;
	line->heard = heard;
	line->lost = lost;
	line->length_max = PROOF_PAYLOAD_MAX;
	hub_add(&self->hub, &newcomer->party);
}

static uint32_t list(struct end *end, struct pollfd *polls)
{
	return ucx_list(&((struct ucx_hub *)end)->ucx, polls);
}

static void ucx_hub_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	struct ucx_hub *self = (struct ucx_hub *)end;

	(void)polls;
	(void)count;
	ucx_hear(&self->ucx);
	hub_sweep(&self->hub);
}

/* ---- callbacks for hub.c ---- */

static void ucx_hub_tell(struct hub *hub, struct party *party, enum frame_kind kind,
	uint32_t credit, struct span payload)
{
	if (!ucx_line_tell(at(party)->line, kind, credit, payload))
		hub_lose(hub, party);
}

static void welcome(struct hub *hub, struct party *party)
{
	at(party)->line->length_max = hub->end.settings.message_bytes_max;
	ucx_hub_tell(hub, party, FRAME_WELCOME, 0, (struct span){0});
}

/* Called after messages were sent. Receives the messages that have arrived. Sending may have
 * consumed the event of the UCX worker's descriptor, and then the descriptor does not report these
 * messages. Afterwards, makes the polling thread arm the worker again. */
static void told(struct hub *hub)
{
	ucx_hear(&((struct ucx_hub *)hub)->ucx);
	end_ring(&hub->end);
}

static bool ucx_hub_is_leaving(const struct hub *hub, const struct party *party)
{
	const struct ucx_line *line = ((const struct ucx_party *)party)->line;

	(void)hub;
	return line && line->sending > 0;
}

/* Leaves the line of a party. A member that gets a goodbye closes the connection itself. */
static void ucx_hub_part(struct hub *hub, struct party *party, bool bye)
{
	struct ucx_line *line = at(party)->line;

	(void)hub;
	if (!line)
		return;
	at(party)->line = NULL;
	bye = bye && ucx_line_tell(line, FRAME_BYE, 0, (struct span){0});
	ucx_line_leave(line, bye);
}

static void ucx_hub_close_library(struct hub *hub)
{
	struct ucx_hub *self = (struct ucx_hub *)hub;

	pthread_mutex_lock(&hub->end.mutex);
	hub_say_goodbye(hub, world->now_ns() + LINGER_NS);
	if (self->listener)
		self->ucx.api->ucp_listener_destroy(self->listener);
	pthread_mutex_unlock(&hub->end.mutex);
	ucx_close(&self->ucx);
}

static const struct hub_library library = {
	.greeting = hub_plain_greeting,
	.is_ready = hub_plain_ready,
	.welcome = welcome,
	.tell = ucx_hub_tell,
	.say = hub_plain_say,
	.publish = hub_plain_publish,
	.told = told,
	.is_leaving = ucx_hub_is_leaving,
	.part = ucx_hub_part,
	.close = ucx_hub_close_library,
};

/* ---- opening ---- */

static enum status ucx_hub_listen_at(struct ucx_hub *self, const struct sockaddr_storage *address,
	socklen_t length, struct text *why)
{
	ucp_listener_params_t params = {.field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR |
						      UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
		.sockaddr = {(const struct sockaddr *)address, length},
		.conn_handler = {knock, self}};
	ucp_listener_attr_t attributes = {.field_mask = UCP_LISTENER_ATTR_FIELD_SOCKADDR};
	ucs_status_t status;

	pthread_mutex_lock(&self->hub.end.mutex);
	status = self->ucx.api->ucp_listener_create(self->ucx.worker, &params, &self->listener);
	if (status == UCS_OK)
		status = self->ucx.api->ucp_listener_query(self->listener, &attributes);
	pthread_mutex_unlock(&self->hub.end.mutex);
	if (status == UCS_OK) {
		stream_print(&attributes.sockaddr, self->hub.address, sizeof self->hub.address);
		return STATUS_OK;
	}
	if (why)
		text_append(why, status == UCS_ERR_BUSY ? "cannot listen there: somebody does"
							: "cannot listen there");
	return status == UCS_ERR_BUSY ? STATUS_EXISTS : STATUS_IO;
}

enum status ucx_hub_open(const struct ucx_style *style, const struct channel_settings *settings,
	struct hub **result, struct text *why)
{
	struct sockaddr_storage address;
	struct hub *hub = NULL;
	struct ucx_hub *self;
	socklen_t length;
	enum status status = end_check(settings, why);

	if (status == STATUS_OK)
		status = ucx_resolve(settings, &address, &length, why);
	if (status == STATUS_OK)
		status = hub_new(&library, settings, sizeof *self, 1, &hub);
	if (status != STATUS_OK)
		return status;
	self = (struct ucx_hub *)hub;
	hub->end.list = list;
	hub->end.found = ucx_hub_found;
	status = ucx_open(&self->ucx, style, &hub->end);
	if (status == STATUS_OK)
		status = ucx_hub_listen_at(self, &address, length, why);
	if (status == STATUS_OK)
		*result = hub;
	else
		hub_close(hub);
	return status;
}
