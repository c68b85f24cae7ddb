/* The implementation of channels over nng, named `nng`. A member sends a request to the REP socket
 * at the hub's address. The answer contains the port of a PAIR socket that only this member uses. A
 * PAIR socket keeps messages in order, makes the sender wait while its queue is full, and reports
 * that the other end is lost. PUB, BUS and polyamorous PAIR are not used, because they drop
 * messages that do not fit into a queue. PUB would also send a message for a single member to all
 * members. Addresses have the same form as for `tcp`. After a fork, only the parent process may use
 * the library. */
#include "nng_line.h"

const struct channel_ops transport_nng = {
	.name = "nng",
	.hub_open = nng_hub_open,
	.hub_address = hub_address,
	.hub_accept = nng_hub_accept,
	.hub_member = hub_member,
	.hub_send = hub_send,
	.hub_receive = nng_hub_receive,
	.hub_drop = hub_drop,
	.hub_counts = hub_counts,
	.hub_close = hub_close,
	.join = nng_join,
	.send = member_send,
	.receive = member_receive,
	.counts = member_counts,
	.close = member_close,
};
