/* Hub and member over nng, for the row. Private to the room. */
#ifndef TRANSPORT_NNG_ENDS_H
#define TRANSPORT_NNG_ENDS_H

#include "rows_private.h"

/* See the operations of the same names in world/channel.h. */
enum status nng_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status nng_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member);
enum status nng_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);
enum status nng_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

#endif
