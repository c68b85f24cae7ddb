/* The row `nng`. Every member has a PAIR socket of the hub's to itself, at a port that it is told
 * when it asks: the REP socket at the hub's address answers greetings. PAIR is the protocol of nng
 * that keeps order, waits where there is no room and says who is lost. PUB, BUS and polyamorous
 * PAIR were refused, since each drops what does not fit into a queue; PUB, too, sends to everybody
 * what is for one. Addresses are those of tcp. A process that has used the library may not fork and
 * use it again. Refuses nothing itself. */
#include "nng_ends.h"

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
