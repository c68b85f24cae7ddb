/* Finds the chips with PCIe that users name by their places in the physical mesh. */
#include "fabric/grids.h"

#include <stdlib.h>

#include "base/refuse.h"

static bool initiator_stands_at(const struct chip_info *chip, struct mesh_offset place)
{
	return chip->mesh_row == (int)place.row && chip->mesh_column == (int)place.column;
}

/* Returns the gateway outside the mesh to which `chip` is linked; CHIP_NONE if there is none. */
static uint16_t gateway_beside(const struct cluster_info *info, uint16_t chip)
{
	uint16_t gateway = CHIP_NONE;

	for (uint32_t i = 0; i < info->connection_count; i++) {
		const uint16_t *ends = info->connections[i].chip;
		uint16_t other = ends[0] == chip ? ends[1] : ends[0];

		if (ends[0] != chip && ends[1] != chip)
			continue;
		if (info->chips[other].has_pcie && info->chips[other].mesh_row < 0 &&
			other < gateway)
			gateway = other;
	}
	return gateway;
}

uint16_t fabric_initiator_at(const struct cluster_info *info, struct mesh_offset place)
{
	for (uint16_t chip = 0; chip < info->chip_count; chip++)
		if (initiator_stands_at(&info->chips[chip], place))
			return info->chips[chip].has_pcie ? chip : gateway_beside(info, chip);
	return CHIP_NONE;
}

/* Appends the place nearest to `place`, counted in rows and columns, that has a chip with PCIe. */
static void add_nearest(const struct cluster_info *info, struct mesh_offset place, struct text *why)
{
	uint32_t best = UINT32_MAX;
	struct mesh_offset nearest = {0, 0};

	for (uint16_t row = 0; row < info->mesh_rows; row++)
		for (uint16_t column = 0; column < info->mesh_columns; column++) {
			struct mesh_offset at = {row, column};
			uint32_t far = (uint32_t)abs(row - place.row) +
				       (uint32_t)abs(column - place.column);

			if (far < best && fabric_initiator_at(info, at) != CHIP_NONE) {
				best = far;
				nearest = at;
			}
		}
	if (why != NULL && best != UINT32_MAX)
		text_printf(why, "; the nearest that has is [%u, %u]", nearest.row, nearest.column);
}

static enum status check_place(const struct cluster_info *info, const struct mesh_offset *places,
	uint32_t at, struct text *why)
{
	struct mesh_offset place = places[at];
	uint16_t chip = fabric_initiator_at(info, place);
	enum status status = STATUS_OK;

	if (chip == CHIP_NONE) {
		bool outside = place.row >= info->mesh_rows || place.column >= info->mesh_columns;

		status = refuse(why, outside ? STATUS_OUT_OF_RANGE : STATUS_NOT_FOUND,
			outside ? "[%u, %u] is outside of the %u x %u chips of platform %s, and "
				  "has "
				  "no chip with PCIe"
				: "[%u, %u] of the %u x %u chips of platform %s has no chip with "
				  "PCIe, and no gateway beside it",
			place.row, place.column, info->mesh_rows, info->mesh_columns,
			info->platform);
		add_nearest(info, place, why);
	}
	for (uint32_t i = 0; i < at && status == STATUS_OK; i++)
		if (fabric_initiator_at(info, places[i]) == chip)
			status = refuse(why, STATUS_EXISTS,
				"[%u, %u] is named twice, but a chip initiates for one part of the "
				"mesh",
				place.row, place.column);
	return status;
}

enum status fabric_initiators_check(const struct cluster_info *info,
	const struct mesh_offset *places, uint32_t count, uint32_t *which, struct text *why)
{
	enum status status = STATUS_OK;

	for (*which = 0; *which < count; ++*which) {
		status = check_place(info, places, *which, why);
		if (status != STATUS_OK)
			return status;
	}
	return status;
}
