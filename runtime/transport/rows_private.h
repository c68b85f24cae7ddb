/* The tables of the rows, for the registry; and what rows over streams share. Private to the room.
 */
#ifndef TRANSPORT_ROWS_PRIVATE_H
#define TRANSPORT_ROWS_PRIVATE_H

#include "world/channel.h"

extern const struct channel_ops transport_tcp, transport_unix, transport_zeromq,
	transport_zeromq_router;

#endif
