/* Rectangles of devices that the broadcasts of a feed go to, each with a tree of its own at every
 * initiator (spec 3.8.8.2). Sends nothing. */
#ifndef MESH_DEVICE_FEED_PARTS_H
#define MESH_DEVICE_FEED_PARTS_H

#include "mesh/device/device.h"

/* The part of a feed that holds the devices of `range`, which lies inside the feed. A new one is
 * made known to the packetizers, and kept. When these know no more trees, it is one that takes the
 * trees of the whole feed, at whose other devices the data end. Valid until the next call. Called
 * by the thread that enqueues. */
struct feed_part *feed_part(struct command_queue *queue, uint32_t feed, struct device_range range);

/* The part that is all of the feed, once and for all. */
void feed_parts_init(struct feed *feed);

/* Has the device row forget the trees of a feed's parts, along which nothing is under way. */
void feed_parts_forget(struct feed *feed);

void feed_parts_fini(struct feed *feed);

#endif
