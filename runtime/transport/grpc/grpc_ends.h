/* Hub and member over gRPC, for the row. Private to the room. */
#ifndef TRANSPORT_GRPC_ENDS_H
#define TRANSPORT_GRPC_ENDS_H

#include "rows_private.h"

/* See the operations of the same names in world/channel.h. */
enum status grpc_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status grpc_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

#endif
