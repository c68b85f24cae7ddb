/* State of a cluster for `model.noc: links`: links, and operations that wait for them. The
 * device.h implementation that uses it is sim_device_links (chip/sim_device.h). */
#ifndef CHIP_DEVICE_DEPARTURE_H
#define CHIP_DEVICE_DEPARTURE_H

#include "chip/machine/cluster.h"

/* Open after the chips have been created, close before they are freed. Closing without opening is
 * allowed. */
void sim_departures_open(struct cluster *cluster);
void sim_departures_close(struct cluster *cluster);

#endif
