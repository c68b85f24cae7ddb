/* Finds chips that may initiate broadcasts by their place in the physical mesh (spec 3.8.8.2). A
 * chip of the mesh with PCIe has its own place. A gateway outside the mesh has the place of the
 * chip to which it is linked, because its broadcasts enter the mesh there. */
#ifndef FABRIC_INITIATOR_H
#define FABRIC_INITIATOR_H

#include "base/status.h"
#include "base/text.h"
#include "fabric/shape.h"
#include "world/device.h"

/* Returns the chip with PCIe at a place. Returns CHIP_NONE if there is none at the place, or if the
 * place is outside the mesh. If several gateways are linked to the chip at the place, returns the
 * gateway with the lowest number. */
uint16_t fabric_initiator_at(const struct cluster_info *info, struct mesh_offset place);

/* Checks that each place has a chip with PCIe, and that no two places have the same chip. Returns
 * OK; OUT_OF_RANGE if a place is outside the mesh; NOT_FOUND if a place has no chip with PCIe;
 * EXISTS if an earlier place has the same chip. On an error, sets *which to the index of the first
 * wrong place, and writes a sentence to `why` (may be NULL). For OUT_OF_RANGE and NOT_FOUND, the
 * sentence names the nearest place that has a chip with PCIe. */
enum status fabric_initiators_check(const struct cluster_info *info,
	const struct mesh_offset *places, uint32_t count, uint32_t *which, struct text *why);

#endif
