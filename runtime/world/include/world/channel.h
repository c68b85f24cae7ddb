/* The third seam: messages between hosts. Declared with the other two; its rows
 * (one per transport library, and one simulated file from their fitted costs) belong to the
 * distributed layer. */
#ifndef WORLD_CHANNEL_H
#define WORLD_CHANNEL_H

#include <stdint.h>

#include "base/extent.h"
#include "base/status.h"

struct channel; /* opaque */

enum channel_capability {
	CHANNEL_ORDERED = 1 << 0,   /* messages arrive in the order sent */
	CHANNEL_ZERO_COPY = 1 << 1, /* a received message may be used in place */
	CHANNEL_MULTICAST = 1 << 2, /* one send reaches several peers */
};

struct channel_ops {
	const char *name;
	uint32_t capabilities; /* of enum channel_capability */

	/* Opens a channel to `peer` (a name that the row resolves). Blocks until connected.
	 * TIMEOUT, NOT_FOUND, IO. On OK the caller owns *channel. */
	enum status (*open)(const char *peer, int64_t deadline_ns, struct channel **channel);

	/* Sends one message. Blocks while the peer's window is full. On OK the channel has taken
	 * its own reference. TIMEOUT, CLOSED, IO. */
	enum status (*send)(struct channel *channel, struct span message, int64_t deadline_ns);

	/* Receives one message into *message, which the caller releases. TIMEOUT, CLOSED, IO. */
	enum status (*receive)(struct channel *channel, int64_t deadline_ns, struct span *message);

	/* Closes and frees. NULL is allowed. */
	void (*close)(struct channel *channel);
};

#endif
