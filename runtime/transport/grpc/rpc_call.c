/* One request and its reply over gRPC, with a connection of their own (rpc.h). The library's
 * retries and HTTP proxies are turned off. */
#include "rpc_private.h"

struct rpc_exchange {
	const struct grpc_api *api;
	grpc_completion_queue *queue;
	grpc_channel *connection;
	grpc_call *call;
	grpc_metadata_array initial, trailing;
	grpc_byte_buffer *reply;
	grpc_status_code code;
	grpc_slice details;
};

static void rpc_exchange_connect(struct rpc_exchange *exchange, const struct rpc_settings *settings,
	const char *target, int64_t deadline_ns)
{
	const struct grpc_api *api = exchange->api;
	grpc_arg arguments[] = {
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_HTTP_PROXY, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_RETRIES, .value.integer = 0},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
			.value.integer = 1},
		{.type = GRPC_ARG_INTEGER,
			.key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
			.value.integer = (int)settings->message_bytes_max},
	};
	const grpc_channel_args all = {sizeof arguments / sizeof arguments[0], arguments};
	grpc_channel_credentials *none = api->grpc_insecure_credentials_create();

	exchange->queue = api->grpc_completion_queue_create_for_next(NULL);
	exchange->connection = api->grpc_channel_create(target, none, &all);
	api->grpc_channel_credentials_release(none);
	exchange->call =
		api->grpc_channel_create_call(exchange->connection, NULL, GRPC_PROPAGATE_DEFAULTS,
			exchange->queue, api->grpc_slice_from_static_string(settings->method), NULL,
			rpc_until(deadline_ns), NULL);
}

/* Sends the request, and waits until the call has ended, which it does at its deadline at the
 * latest. */
static void rpc_exchange_run(struct rpc_exchange *exchange, const char *request, size_t length)
{
	const struct grpc_api *api = exchange->api;
	grpc_byte_buffer *message = rpc_message(api, request, length);
	const grpc_op operations[] = {
		{.op = GRPC_OP_SEND_INITIAL_METADATA},
		{.op = GRPC_OP_SEND_MESSAGE, .data.send_message.send_message = message},
		{.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
		{.op = GRPC_OP_RECV_INITIAL_METADATA,
			.data.recv_initial_metadata.recv_initial_metadata = &exchange->initial},
		{.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &exchange->reply},
		{.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
			.data.recv_status_on_client = {.trailing_metadata = &exchange->trailing,
				.status = &exchange->code,
				.status_details = &exchange->details}},
	};

	api->grpc_metadata_array_init(&exchange->initial);
	api->grpc_metadata_array_init(&exchange->trailing);
	exchange->code = GRPC_STATUS_INTERNAL;
	if (api->grpc_call_start_batch(exchange->call, operations,
		    sizeof operations / sizeof operations[0], exchange, NULL) == GRPC_CALL_OK)
		(void)api->grpc_completion_queue_next(
			exchange->queue, api->gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
	api->grpc_byte_buffer_destroy(message);
}

static enum status rpc_exchange_status(const struct rpc_exchange *exchange, struct text *why)
{
	static const struct {
		grpc_status_code code;
		enum status status;
		const char *why;
	} codes[] = {
		{GRPC_STATUS_OK, STATUS_OK, ""},
		{GRPC_STATUS_DEADLINE_EXCEEDED, STATUS_TIMEOUT, "there was no answer in time"},
		{GRPC_STATUS_UNAVAILABLE, STATUS_CLOSED, "nobody answers there"},
		{GRPC_STATUS_UNAUTHENTICATED, STATUS_INVALID, "the request was refused"},
		{GRPC_STATUS_RESOURCE_EXHAUSTED, STATUS_OUT_OF_RANGE,
			"the request or its reply is too long"},
		{GRPC_STATUS_UNIMPLEMENTED, STATUS_UNSUPPORTED, "another service answers there"},
	};

	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (codes[i].code == exchange->code) {
			if (why)
				text_append(why, codes[i].why);
			return codes[i].status;
		}
	if (why)
		text_append(why, "the call failed");
	return STATUS_IO;
}

static void rpc_exchange_fini(struct rpc_exchange *exchange)
{
	const struct grpc_api *api = exchange->api;

	api->grpc_byte_buffer_destroy(exchange->reply);
	api->grpc_metadata_array_destroy(&exchange->initial);
	api->grpc_metadata_array_destroy(&exchange->trailing);
	api->grpc_slice_unref(exchange->details);
	api->grpc_call_unref(exchange->call);
	api->grpc_channel_destroy(exchange->connection);
	rpc_queue_close(api, exchange->queue);
	api->grpc_shutdown_blocking();
}

enum status rpc_call(const struct rpc_settings *settings, const char *request, size_t length,
	int64_t deadline_ns, struct text *reply, struct text *why)
{
	struct rpc_exchange exchange = {0};
	char target[RPC_PEER_BYTES];
	struct sockaddr_storage address;
	socklen_t address_length;
	enum status status = rpc_target(settings, target, &address, &address_length, why);

	if (status != STATUS_OK)
		return status;
	if (length > settings->message_bytes_max) {
		if (why)
			text_append(why, "the request is too long");
		return STATUS_OUT_OF_RANGE;
	}
	exchange.api = rpc_library(why);
	if (!exchange.api)
		return STATUS_UNSUPPORTED;
	exchange.details = exchange.api->grpc_slice_from_static_string("");
	rpc_exchange_connect(&exchange, settings, target, deadline_ns);
	rpc_exchange_run(&exchange, request, length);
	status = rpc_exchange_status(&exchange, why);
	if (status == STATUS_OK && !rpc_message_read(exchange.api, exchange.reply,
					   settings->message_bytes_max, reply)) {
		if (why)
			text_append(why, "the call ended without a reply");
		status = STATUS_IO;
	}
	rpc_exchange_fini(&exchange);
	return status;
}
