/* Names chips that may initiate broadcasts by their place in the physical mesh (spec 3.8.8.2). A
 * chip with PCIe has the place where it stands. A gateway that is not part of the mesh has the
 * place of the chip to which it is linked, where its broadcasts enter the mesh. */
#ifndef FABRIC_INITIATOR_H
#define FABRIC_INITIATOR_H

#include "base/status.h"
#include "base/text.h"
#include "fabric/shape.h"
#include "world/device.h"

/* Returns the chip with PCIe of a place, or CHIP_NONE if the place has none or is outside of the
 * mesh. If several gateways are linked to the chip at the place, returns the one with the lowest
 * number. */
uint16_t fabric_initiator_at(const struct cluster_info *info, struct mesh_offset place);

/* Checks that each place has a chip with PCIe, and that no two places have the same. Returns OK; or
 * OUT_OF_RANGE (outside of the mesh), NOT_FOUND (no chip with PCIe) or EXISTS (named before), with
 * the index of the first wrong place in *which, and a sentence in `why` (may be NULL) that names
 * the nearest place that has such a chip. */
enum status fabric_initiators_check(const struct cluster_info *info,
	const struct mesh_offset *places, uint32_t count, uint32_t *which, struct text *why);

#endif
