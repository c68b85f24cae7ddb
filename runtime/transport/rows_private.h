/* The operation tables of all transports, for rows.c. Only for files of this folder and its
 * subfolders. */
#ifndef TRANSPORT_ROWS_PRIVATE_H
#define TRANSPORT_ROWS_PRIVATE_H

#include "base/library.h"
#include "hub.h"
#include "member.h"

/* The operations of a transport, transport_SYMBOL, and the capabilities of these operations. */
#define TRANSPORT(row, symbol, name, library, capabilities, ...)                                   \
	extern const struct channel_ops transport_##symbol;                                        \
	enum { capabilities_of_##symbol = (capabilities) };
#include "world/transports.def"

/* Length of nng's queues in messages. A window must not be larger. */
enum { NNG_QUEUE_MAX = 8192 };

/* All operations except hub_open, hub_close and join. Each transport sets these three itself. */
#define SHARED_OPERATIONS                                                                          \
	.hub_address = hub_address, .hub_accept = hub_accept, .hub_member = hub_member,            \
	.hub_send = hub_send, .hub_receive = hub_receive, .hub_drop = hub_drop,                    \
	.hub_counts = hub_counts, .send = member_send, .receive = member_receive,                  \
	.counts = member_counts, .close = member_close

#endif
