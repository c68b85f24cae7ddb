/* gRPC without meshsim's own code (see bare.h). Both ends send streams of messages within one call.
 * Each thread waits on its own completion queue. */
#include "bare.h"

#if MESHSIM_GRPC
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct bare_grpc {
	grpc_completion_queue *queue;
	grpc_server *server; /* NULL: this end makes the call */
	grpc_call *call;
	grpc_call_details details;
	grpc_metadata_array metadata;
	bool has_begun, has_heard;
};

static void bare_grpc_wait(struct bare_grpc *self)
{
	grpc_event event =
		grpc_completion_queue_next(self->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);

	ensure(event.type == GRPC_OP_COMPLETE && event.success, "the call has ended");
}

static void bare_grpc_ask(struct bare_grpc *self, const grpc_op *operations, size_t count)
{
	ensure(grpc_call_start_batch(self->call, operations, count, self, NULL) == GRPC_CALL_OK,
		"no batch");
	bare_grpc_wait(self);
}

static struct bare_grpc *new_end(void)
{
	struct bare_grpc *self = allocate(1, sizeof *self);

	grpc_init();
	self->queue = grpc_completion_queue_create_for_next(NULL);
	grpc_call_details_init(&self->details);
	grpc_metadata_array_init(&self->metadata);
	return self;
}

static grpc_channel_args no_bounds(grpc_arg *bound)
{
	*bound = (grpc_arg){.type = GRPC_ARG_INTEGER,
		.key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
		.value.integer = -1};
	return (grpc_channel_args){1, bound};
}

static void *bare_grpc_listen_at(char address[BARE_ADDRESS_BYTES])
{
	struct bare_grpc *self = new_end();
	grpc_server_credentials *none = grpc_insecure_server_credentials_create();
	grpc_arg bound;
	grpc_channel_args arguments = no_bounds(&bound);
	int port;

	self->server = grpc_server_create(&arguments, NULL);
	grpc_server_register_completion_queue(self->server, self->queue, NULL);
	port = grpc_server_add_http2_port(self->server, "127.0.0.1:0", none);
	ensure(port > 0, "cannot listen");
	grpc_server_start(self->server);
	snprintf(address, BARE_ADDRESS_BYTES, "ipv4:127.0.0.1:%d", port);
	return self;
}

static void *bare_grpc_connect_to(const char *address)
{
	struct bare_grpc *self = new_end();
	grpc_arg bound;
	grpc_channel_args arguments = no_bounds(&bound);
	grpc_channel *channel =
		grpc_channel_create(address, grpc_insecure_credentials_create(), &arguments);

	self->call = grpc_channel_create_call(channel, NULL, GRPC_PROPAGATE_DEFAULTS, self->queue,
		grpc_slice_from_static_string("/bare/rounds"), NULL,
		gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
	return self;
}

/* The listening end accepts the call when it first receives. */
static void be_called(struct bare_grpc *self)
{
	if (self->call != NULL)
		return;
	ensure(grpc_server_request_call(self->server, &self->call, &self->details, &self->metadata,
		       self->queue, self->queue, self) == GRPC_CALL_OK,
		"no call");
	bare_grpc_wait(self);
}

static void bare_grpc_say(void *argument, const uint8_t *payload, uint32_t bytes)
{
	struct bare_grpc *self = argument;
	grpc_slice slice = grpc_slice_from_copied_buffer((const char *)payload, bytes);
	grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
	grpc_op operations[2] = {
		{.op = GRPC_OP_SEND_MESSAGE, .data.send_message.send_message = buffer},
		{.op = GRPC_OP_SEND_INITIAL_METADATA}};

	bare_grpc_ask(self, operations, self->has_begun ? 1 : 2);
	self->has_begun = true;
	grpc_slice_unref(slice);
	grpc_byte_buffer_destroy(buffer);
}

static void bare_grpc_hear(void *argument, uint8_t *payload, uint32_t bytes)
{
	struct bare_grpc *self = argument;
	grpc_byte_buffer *buffer = NULL;
	grpc_op operations[2] = {
		{.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &buffer},
		{.op = GRPC_OP_RECV_INITIAL_METADATA,
			.data.recv_initial_metadata.recv_initial_metadata = &self->metadata}};
	grpc_byte_buffer_reader reader;
	grpc_slice all;

	be_called(self);
	bare_grpc_ask(self, operations, self->server != NULL || self->has_heard ? 1 : 2);
	self->has_heard = true;
	ensure(buffer != NULL && grpc_byte_buffer_length(buffer) == bytes, "nothing came");
	grpc_byte_buffer_reader_init(&reader, buffer);
	all = grpc_byte_buffer_reader_readall(&reader);
	memcpy(payload, GRPC_SLICE_START_PTR(all), bytes);
	grpc_slice_unref(all);
	grpc_byte_buffer_reader_destroy(&reader);
	grpc_byte_buffer_destroy(buffer);
}

const struct bare_library bare_grpc = {.row = "grpc",
	.listen = bare_grpc_listen_at,
	.connect = bare_grpc_connect_to,
	.say = bare_grpc_say,
	.hear = bare_grpc_hear};

#else

const struct bare_library bare_grpc = {.row = "grpc"};

#endif
