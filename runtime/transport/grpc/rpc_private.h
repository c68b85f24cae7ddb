/* What the server and the caller of rpc.h share: waiting at a completion queue, and copying
 * messages. Only for files of this folder. */
#ifndef TRANSPORT_RPC_PRIVATE_H
#define TRANSPORT_RPC_PRIVATE_H

#include "grpc_line.h"
#include "transport/rpc.h"

/* Returns the time until a deadline of world->now_ns(), in the library's form. */
gpr_timespec rpc_until(int64_t deadline_ns);

/* Returns a message with a copy of the bytes. The caller destroys it. */
grpc_byte_buffer *rpc_message(const struct grpc_api *api, const char *bytes, size_t length);

/* Appends the bytes of a message to `text`. Returns false if there is no message, or if it is
 * longer than `most`. */
bool rpc_message_read(
	const struct grpc_api *api, grpc_byte_buffer *message, uint32_t most, struct text *text);

/* Checks an address and resolves it. Returns OK, or INVALID with a sentence in `why`. Writes the
 * address in the library's form to `target`, which has room for RPC_PEER_BYTES. */
enum status rpc_target(const struct rpc_settings *settings, char *target,
	struct sockaddr_storage *address, socklen_t *length, struct text *why);

/* Loads and initializes the library. Returns NULL with a sentence in `why` if it is not on this
 * machine. The caller calls grpc_shutdown_blocking(). */
const struct grpc_api *rpc_library(struct text *why);

/* Takes all that is left of a completion queue, and destroys it. */
void rpc_queue_close(const struct grpc_api *api, grpc_completion_queue *queue);

#endif
