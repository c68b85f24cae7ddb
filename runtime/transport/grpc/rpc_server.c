/* The server of rpc.h. All work is in the thread that calls rpc_server_next(). A slot follows one
 * call: the library finds a caller, receives its request, and sends the reply. The number of slots
 * bounds the memory that callers can take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "rpc_private.h"
#include "world/world.h"

enum { RPC_SWEEP_NS = 100000000 };

enum rpc_phase { RPC_IDLE, RPC_WAITS, RPC_READS, RPC_REPLIES };

struct rpc_slot {
	enum rpc_phase phase;
	grpc_call *call;
	grpc_call_details details;
	grpc_metadata_array metadata;
	grpc_byte_buffer *request, *reply;
	int64_t since_ns;
	int cancelled;
};

struct rpc_server {
	const struct grpc_api *api;
	struct rpc_settings settings;
	char address[RPC_PEER_BYTES];
	grpc_completion_queue *queue;
	grpc_server *server;
	struct rpc_slot slots[RPC_CALLS_MAX];
	uint64_t refused;
	bool closing;
};

/* ---- slots ---- */

static void rpc_slot_wait(struct rpc_server *server, struct rpc_slot *slot)
{
	const struct grpc_api *api = server->api;

	if (server->closing)
		return;
	api->grpc_call_details_init(&slot->details);
	api->grpc_metadata_array_init(&slot->metadata);
	slot->phase = RPC_WAITS;
	if (api->grpc_server_request_call(server->server, &slot->call, &slot->details,
		    &slot->metadata, server->queue, server->queue, slot) != GRPC_CALL_OK)
		slot->phase = RPC_IDLE;
}

static void rpc_slot_fini(struct rpc_server *server, struct rpc_slot *slot)
{
	const struct grpc_api *api = server->api;

	if (slot->phase == RPC_IDLE)
		return;
	api->grpc_call_details_destroy(&slot->details);
	api->grpc_metadata_array_destroy(&slot->metadata);
	api->grpc_byte_buffer_destroy(slot->request);
	api->grpc_byte_buffer_destroy(slot->reply);
	if (slot->call)
		api->grpc_call_unref(slot->call);
	*slot = (struct rpc_slot){0};
}

static void rpc_slot_renew(struct rpc_server *server, struct rpc_slot *slot)
{
	rpc_slot_fini(server, slot);
	rpc_slot_wait(server, slot);
}

/* Sends the reply, or a status that refuses if there is none. */
static void rpc_slot_reply(struct rpc_server *server, struct rpc_slot *slot, grpc_status_code code)
{
	grpc_op operations[4] = {
		{.op = GRPC_OP_SEND_INITIAL_METADATA},
		{.op = GRPC_OP_RECV_CLOSE_ON_SERVER,
			.data.recv_close_on_server.cancelled = &slot->cancelled},
		{.op = GRPC_OP_SEND_STATUS_FROM_SERVER,
			.data.send_status_from_server.status = code},
		{.op = GRPC_OP_SEND_MESSAGE, .data.send_message.send_message = slot->reply},
	};

	server->refused += code != GRPC_STATUS_OK;
	slot->phase = RPC_REPLIES;
	if (server->api->grpc_call_start_batch(
		    slot->call, operations, slot->reply ? 4 : 3, slot, NULL) != GRPC_CALL_OK)
		rpc_slot_renew(server, slot);
}

/* A caller was found: receives its request. */
static void rpc_slot_called(struct rpc_server *server, struct rpc_slot *slot)
{
	const grpc_op read = {
		.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &slot->request};

	slot->since_ns = world->now_ns();
	if (server->api->grpc_slice_str_cmp(slot->details.method, server->settings.method) != 0) {
		rpc_slot_reply(server, slot, GRPC_STATUS_UNIMPLEMENTED);
		return;
	}
	slot->phase = RPC_READS;
	if (server->api->grpc_call_start_batch(slot->call, &read, 1, slot, NULL) != GRPC_CALL_OK)
		rpc_slot_renew(server, slot);
}

/* A request is complete: asks the handler. */
static void rpc_slot_answer(
	struct rpc_server *server, struct rpc_slot *slot, const struct rpc_handler *handler)
{
	const struct grpc_api *api = server->api;
	struct text request = {0}, reply = {0};
	char *peer = api->grpc_call_get_peer(slot->call);
	grpc_status_code code = GRPC_STATUS_UNAUTHENTICATED;

	if (!rpc_message_read(api, slot->request, server->settings.message_bytes_max, &request)) {
		code = GRPC_STATUS_RESOURCE_EXHAUSTED;
	} else if (handler->handle(handler->context, peer ? peer : "", text_string(&request),
			   request.length, &reply)) {
		code = reply.length > server->settings.message_bytes_max
			       ? GRPC_STATUS_RESOURCE_EXHAUSTED
			       : GRPC_STATUS_OK;
		if (code == GRPC_STATUS_OK)
			slot->reply = rpc_message(api, text_string(&reply), reply.length);
	}
	rpc_slot_reply(server, slot, code);
	api->gpr_free(peer);
	text_fini(&request);
	text_fini(&reply);
}

/* Handles an event of a slot. Returns true if the handler was called. */
static bool rpc_slot_event(struct rpc_server *server, struct rpc_slot *slot, bool good,
	const struct rpc_handler *handler)
{
	switch (slot->phase) {
	case RPC_WAITS:
		if (good)
			rpc_slot_called(server, slot);
		else
			rpc_slot_fini(server, slot); /* the server is closing */
		return false;
	case RPC_READS:
		if (handler && !server->closing) {
			rpc_slot_answer(server, slot, handler);
			return true;
		}
		rpc_slot_reply(server, slot, GRPC_STATUS_UNAVAILABLE);
		return false;
	default:
		rpc_slot_renew(server, slot);
		return false;
	}
}

/* Cancels requests that take too long, so that slow callers do not keep all slots. */
static void rpc_server_sweep(struct rpc_server *server)
{
	const int64_t patience_ns = (int64_t)RPC_PATIENCE_MS * 1000000;

	for (uint32_t i = 0; i < RPC_CALLS_MAX; i++) {
		struct rpc_slot *slot = &server->slots[i];

		if (slot->phase < RPC_READS || world->now_ns() - slot->since_ns < patience_ns)
			continue;
		server->api->grpc_call_cancel(slot->call, NULL);
	}
}

/* ---- the server ---- */

static void rpc_server_make(struct rpc_server *server)
{
	const struct grpc_api *api = server->api;
	grpc_arg arguments[] = {
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ALLOW_REUSEPORT, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
			.value.integer = (int)server->settings.message_bytes_max},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_MAX_CONCURRENT_STREAMS,
			.value.integer = RPC_CALLS_MAX},
	};
	const grpc_channel_args all = {sizeof arguments / sizeof arguments[0], arguments};

	server->queue = api->grpc_completion_queue_create_for_next(NULL);
	server->server = api->grpc_server_create(&all, NULL);
	api->grpc_server_register_completion_queue(server->server, server->queue, NULL);
}

enum status rpc_server_open(
	const struct rpc_settings *settings, struct rpc_server **result, struct text *why)
{
	struct sockaddr_storage address;
	socklen_t length;
	char target[RPC_PEER_BYTES];
	grpc_server_credentials *none;
	struct rpc_server *server;
	enum status status = rpc_target(settings, target, &address, &length, why);
	bool taken;
	int port = 0;

	if (status != STATUS_OK)
		return status;
	server = allocate(1, sizeof *server);
	server->settings = *settings;
	server->api = rpc_library(why);
	if (!server->api) {
		free(server);
		return STATUS_UNSUPPORTED;
	}
	taken = grpc_somebody_listens(&address, length);
	rpc_server_make(server);
	none = server->api->grpc_insecure_server_credentials_create();
	if (!taken)
		port = server->api->grpc_server_add_http2_port(
			server->server, settings->address, none);
	server->api->grpc_server_credentials_release(none);
	server->api->grpc_server_start(server->server);
	if (port <= 0) {
		if (why)
			text_append(why, taken ? "somebody listens there" : "cannot listen there");
		rpc_server_close(server);
		return taken ? STATUS_EXISTS : STATUS_IO;
	}
	snprintf(server->address, sizeof server->address, "%.*s:%d",
		(int)(strrchr(settings->address, ':') - settings->address), settings->address,
		port);
	for (uint32_t i = 0; i < RPC_CALLS_MAX; i++)
		rpc_slot_wait(server, &server->slots[i]);
	*result = server;
	return STATUS_OK;
}

const char *rpc_server_address(const struct rpc_server *server)
{
	return server->address;
}

enum status rpc_server_next(
	struct rpc_server *server, const struct rpc_handler *handler, int64_t deadline_ns)
{
	for (;;) {
		int64_t now_ns = world->now_ns();
		int64_t next_ns =
			deadline_ns < now_ns + RPC_SWEEP_NS ? deadline_ns : now_ns + RPC_SWEEP_NS;
		grpc_event event = server->api->grpc_completion_queue_next(
			server->queue, rpc_until(next_ns), NULL);

		rpc_server_sweep(server);
		if (event.type == GRPC_OP_COMPLETE &&
			rpc_slot_event(server, event.tag, event.success != 0, handler))
			return STATUS_OK;
		if (event.type != GRPC_OP_COMPLETE && world->now_ns() >= deadline_ns)
			return STATUS_TIMEOUT;
	}
}

uint64_t rpc_server_refused(const struct rpc_server *server)
{
	return server->refused;
}

void rpc_server_close(struct rpc_server *server)
{
	const struct grpc_api *api;
	bool down = false;

	if (!server)
		return;
	api = server->api;
	server->closing = true;
	api->grpc_server_shutdown_and_notify(server->server, server->queue, server);
	api->grpc_server_cancel_all_calls(server->server);
	while (!down) {
		grpc_event event = api->grpc_completion_queue_next(
			server->queue, api->gpr_inf_future(GPR_CLOCK_REALTIME), NULL);

		down = event.tag == server;
		if (!down)
			(void)rpc_slot_event(server, event.tag, event.success != 0, NULL);
	}
	api->grpc_server_destroy(server->server);
	rpc_queue_close(api, server->queue);
	for (uint32_t i = 0; i < RPC_CALLS_MAX; i++)
		rpc_slot_fini(server, &server->slots[i]);
	api->grpc_shutdown_blocking();
	free(server);
}
