/* What a cluster keeps for `model.noc: links`: links, and what waits for them. The table of
 * device.h that goes with it is sim_device_links (chip/sim_device.h). */
#ifndef CHIP_DEVICE_DEPARTURE_H
#define CHIP_DEVICE_DEPARTURE_H

#include "chip/machine/cluster.h"

/* After the chips have been made; before they are freed. Closing what was not opened is allowed. */
void sim_departures_open(struct cluster *cluster);
void sim_departures_close(struct cluster *cluster);

#endif
