/* The row `grpc`. A member opens one connection and makes one call to the hub; both stream frames
 * on that call. A stream keeps order, and ends when either end does. A process that has used the
 * library may not fork and use it in the child. Addresses are those of tcp. */
#include "grpc_line.h"

const struct channel_ops transport_grpc = {
	.name = "grpc",
	.hub_open = grpc_hub_open,
	.hub_close = hub_close,
	.join = grpc_join,
	SHARED_OPERATIONS,
};
