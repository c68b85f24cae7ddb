/* Maps the rectangle of a virtual mesh to chips of the physical mesh. Links between neighbours are
 * checked later, when trees are made. */
#include "fabric/shape.h"

#include "base/refuse.h"

static enum status check_extent(const struct cluster_info *info, struct mesh_shape shape,
	struct mesh_offset offset, struct text *why)
{
	if (shape.rows == 0 || shape.columns == 0)
		return refuse(why, STATUS_INVALID, "a mesh of %u x %u devices is empty", shape.rows,
			shape.columns);
	if (shape.rows > info->mesh_rows || shape.columns > info->mesh_columns)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"a mesh of %u x %u devices is larger than the %u x %u of platform %s",
			shape.rows, shape.columns, info->mesh_rows, info->mesh_columns,
			info->platform);
	if ((uint32_t)offset.row + shape.rows > info->mesh_rows ||
		(uint32_t)offset.column + shape.columns > info->mesh_columns)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"a mesh of %u x %u devices at offset %u,%u leaves the %u x %u of platform "
			"%s",
			shape.rows, shape.columns, offset.row, offset.column, info->mesh_rows,
			info->mesh_columns, info->platform);
	return STATUS_OK;
}

enum status virtual_mesh_init(struct virtual_mesh *mesh, const struct cluster_info *info,
	struct mesh_shape shape, struct mesh_offset offset, struct arena *arena, struct text *why)
{
	enum status status = check_extent(info, shape, offset, why);
	uint32_t count = mesh_shape_count(shape);
	uint16_t *chips;

	if (status != STATUS_OK)
		return status;
	chips = arena_array(arena, count, sizeof(*chips));
	for (uint32_t i = 0; i < count; i++)
		chips[i] = CHIP_NONE;
	for (uint16_t chip = 0; chip < info->chip_count; chip++) {
		int32_t row = info->chips[chip].mesh_row - offset.row;
		int32_t column = info->chips[chip].mesh_column - offset.column;

		if (info->chips[chip].mesh_row < 0 || info->chips[chip].mesh_column < 0)
			continue;
		if (row >= 0 && row < shape.rows && column >= 0 && column < shape.columns)
			chips[row * shape.columns + column] = chip;
	}
	for (uint32_t i = 0; i < count; i++)
		if (chips[i] == CHIP_NONE)
			return refuse(why, STATUS_NOT_FOUND,
				"platform %s has no chip at row %u, column %u of its mesh",
				info->platform, offset.row + i / shape.columns,
				offset.column + i % shape.columns);
	*mesh = (struct virtual_mesh){.shape = shape, .offset = offset, .chips = chips};
	return STATUS_OK;
}
