/* The rows of the registries, declared as rows.def lists them. */
#ifndef MESH_CHOICE_ROWS_H
#define MESH_CHOICE_ROWS_H

#include "mesh/choice.h"

#define FORWARD(name)	 extern const struct forward_ops forward_##name;
#define FEED(name)	 extern const struct feed_ops feed_##name;
#define PACKETIZER(name) extern const struct packetizer_ops packetizer_##name;
#define DISPATCHER(name) extern const struct dispatcher_ops dispatcher_##name;
#define ROUTE(name)	 extern const struct route_ops route_##name;
#define ORDERING(name)	 extern const struct ordering_ops ordering_##name;
#define GO(name)	 extern const struct go_ops go_##name;
#define LOWERING(name)	 extern const struct lowering_ops lowering_##name;
#define CHANNELS(name)	 extern const struct channels_ops channels_##name;
#define CREDITS(name)	 extern const struct credits_ops credits_##name;
#define COMPLETION(name) extern const struct completion_ops completion_##name;
#define THREADS(name)	 extern const struct threads_ops threads_##name;
#define QUEUES(name)	 extern const struct queues_ops queues_##name;
#define PIN(name)	 extern const struct pin_ops pin_##name;
#define INITIATORS(name) extern const struct initiators_ops initiators_##name;
#define CREATE(name)	 extern const struct create_ops create_##name;
#define READERS(name)	 extern const struct readers_ops readers_##name;
#include "mesh/choice/rows.def"

#endif
