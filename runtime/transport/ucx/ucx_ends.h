/* Hub and member over UCX, for the rows. Private to the room. */
#ifndef TRANSPORT_UCX_ENDS_H
#define TRANSPORT_UCX_ENDS_H

#include "rows_private.h"
#include "ucx_line.h"

/* See hub_open() and join() in world/channel.h. */
enum status ucx_hub_open(const struct ucx_style *style, const struct channel_settings *settings,
	struct hub **hub, struct text *why);
enum status ucx_join(const struct ucx_style *style, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif
