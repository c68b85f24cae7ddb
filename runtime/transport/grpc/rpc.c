/* What the server and the caller of rpc.h share (rpc_private.h). */
#include "rpc_private.h"

#include <stdio.h>
#include <string.h>

#include "stream.h"
#include "world/world.h"

enum { RPC_NS_PER_S = 1000000000 };

gpr_timespec rpc_until(int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns - world->now_ns();

	if (left_ns < 0)
		left_ns = 0;
	return (gpr_timespec){.tv_sec = left_ns / RPC_NS_PER_S,
		.tv_nsec = (int32_t)(left_ns % RPC_NS_PER_S),
		.clock_type = GPR_TIMESPAN};
}

grpc_byte_buffer *rpc_message(const struct grpc_api *api, const char *bytes, size_t length)
{
	grpc_slice slice = api->grpc_slice_malloc(length);
	grpc_byte_buffer *message;

	if (length > 0)
		memcpy(GRPC_SLICE_START_PTR(slice), bytes, length);
	message = api->grpc_raw_byte_buffer_create(&slice, 1);
	api->grpc_slice_unref(slice);
	return message;
}

bool rpc_message_read(
	const struct grpc_api *api, grpc_byte_buffer *message, uint32_t most, struct text *text)
{
	grpc_byte_buffer_reader reader;
	grpc_slice slice;

	if (!message || api->grpc_byte_buffer_length(message) > most ||
		!api->grpc_byte_buffer_reader_init(&reader, message))
		return false;
	while (api->grpc_byte_buffer_reader_next(&reader, &slice)) {
		text_append_bytes(text, GRPC_SLICE_START_PTR(slice), GRPC_SLICE_LENGTH(slice));
		api->grpc_slice_unref(slice);
	}
	api->grpc_byte_buffer_reader_destroy(&reader);
	return true;
}

enum status rpc_target(const struct rpc_settings *settings, char *target,
	struct sockaddr_storage *address, socklen_t *length, struct text *why)
{
	enum status status =
		stream_resolve(settings->address, settings->remote, address, length, why);

	if (status == STATUS_OK)
		snprintf(target, RPC_PEER_BYTES, "ipv%d:%s", address->ss_family == AF_INET6 ? 6 : 4,
			settings->address);
	return status;
}

const struct grpc_api *rpc_library(struct text *why)
{
	const struct grpc_api *api = grpc_api();

	if (api)
		api->grpc_init();
	else if (why)
		text_append(why, "gRPC is not on this machine");
	return api;
}

void rpc_queue_close(const struct grpc_api *api, grpc_completion_queue *queue)
{
	const gpr_timespec never = api->gpr_inf_future(GPR_CLOCK_REALTIME);

	api->grpc_completion_queue_shutdown(queue);
	while (api->grpc_completion_queue_next(queue, never, NULL).type != GRPC_QUEUE_SHUTDOWN)
		continue;
	api->grpc_completion_queue_destroy(queue);
}
