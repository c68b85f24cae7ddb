/* The row `grpc`. A member makes one call to the hub, on a connection of its own, and both stream
 * frames on it: streams keep order, and end when their other end does. A process that has used the
 * library may not fork and use it again. Addresses are those of tcp. Refuses nothing itself. */
#include "grpc_ends.h"

const struct channel_ops transport_grpc = {
	.name = "grpc",
	.hub_open = grpc_hub_open,
	.hub_close = hub_close,
	.join = grpc_join,
	SHARED_OPERATIONS,
};
