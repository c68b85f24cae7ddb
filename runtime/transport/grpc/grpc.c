/* The implementation of channels over gRPC, named `grpc`. A member opens one connection to the hub
 * and makes one call on it. Both ends send frames on the streams of this call. A stream keeps the
 * order of frames, and ends when either end closes it. After a fork, only the parent process may
 * use the library. Addresses have the same form as for `tcp`. */
#include "grpc_line.h"

const struct channel_ops transport_grpc = {
	.name = "grpc",
	.hub_open = grpc_hub_open,
	.hub_close = hub_close,
	.join = grpc_join,
	SHARED_OPERATIONS,
};
