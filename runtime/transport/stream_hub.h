/* Hubs and members over streams, for the rows of their families (stream.h). Private to the room. */
#ifndef TRANSPORT_STREAM_HUB_H
#define TRANSPORT_STREAM_HUB_H

#include "stream.h"

/* As world/channel.h says of the operations of the same names. */
enum status stream_hub_open(const struct stream_family *family,
	const struct channel_settings *settings, struct hub **hub, struct text *why);
const char *stream_hub_address(const struct hub *hub);
enum status stream_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member);
const char *stream_hub_member(const struct hub *hub, uint32_t member);
enum status stream_hub_send(
	struct hub *hub, uint32_t member, struct span message, int64_t deadline_ns, uint32_t *who);
enum status stream_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);
void stream_hub_drop(struct hub *hub, uint32_t member);
void stream_hub_counts(struct hub *hub, struct channel_counts *counts);
void stream_hub_close(struct hub *hub);

enum status stream_join(const struct stream_family *family, const struct channel_settings *settings,
	int64_t deadline_ns, struct channel **channel, struct text *why);
enum status stream_send(struct channel *channel, struct span message, int64_t deadline_ns);
enum status stream_receive(struct channel *channel, int64_t deadline_ns, struct span *message);
void stream_counts(struct channel *channel, struct channel_counts *counts);
void stream_close(struct channel *channel);

/* What the tables of all families share. */
#define STREAM_OPERATIONS                                                                          \
	.hub_address = stream_hub_address, .hub_accept = stream_hub_accept,                        \
	.hub_member = stream_hub_member, .hub_send = stream_hub_send,                              \
	.hub_receive = stream_hub_receive, .hub_drop = stream_hub_drop,                            \
	.hub_counts = stream_hub_counts, .send = stream_send, .receive = stream_receive,           \
	.counts = stream_counts, .close = stream_close

#endif
