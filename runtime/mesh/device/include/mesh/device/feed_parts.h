/* Rectangles of devices that the broadcasts of a feed go to, each with its own tree at every
 * initiator (spec 3.8.8.2). */
#ifndef MESH_DEVICE_FEED_PARTS_H
#define MESH_DEVICE_FEED_PARTS_H

#include "mesh/device/device.h"

/* Returns the part of a feed with the devices of `range`, which lies inside the feed. A new part is
 * registered with the packetizers and kept. When their table of trees is full, the part uses the
 * trees of the whole feed; then devices outside the part drop the data. Valid until the next call.
 * Called by the enqueuing thread. */
struct feed_part *feed_part(struct command_queue *queue, uint32_t feed, struct device_range range);

/* Makes the first part, which is the whole feed. */
void feed_parts_init(struct feed *feed);

/* Has the device row drop the trees of a feed's parts; nothing may be under way along them. */
void feed_parts_forget(struct feed *feed);

void feed_parts_fini(struct feed *feed);

#endif
