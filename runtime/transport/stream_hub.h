/* Hubs and members over streams, for the rows of the families (stream.h). Private to the room. */
#ifndef TRANSPORT_STREAM_HUB_H
#define TRANSPORT_STREAM_HUB_H

#include "stream.h"

/* See hub_open() and join() in world/channel.h; the other operations are those of hub.h and
 * member.h. */
enum status stream_hub_open(const struct stream_family *family,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);

#endif
