/* Checks and expected results of the programs that multiply matrices; see parts.h. */
#include "parts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "programs/reference/reference.h"

enum status product_check(const struct library_use *use, struct text *why)
{
	uint64_t rows = use->tiles[PRODUCT_ROWS], columns = use->tiles[PRODUCT_COLUMNS];
	uint64_t inner = use->tiles[PRODUCT_INNER];
	enum status status = parts_check_element(use, why);

	if (status == STATUS_OK && (rows == 0 || columns == 0 || inner == 0)) {
		library_refuses(use, LIBRARY_OF_TILES, PRODUCT_LEFT);
		status = refuse(why, STATUS_INVALID, "a product of no tiles");
	}
	if (status == STATUS_OK)
		status = parts_check_tiles(use, PRODUCT_LEFT, "left", rows * inner, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, PRODUCT_RIGHT, "right", inner * columns, why);
	if (status == STATUS_OK)
		status = parts_check_tiles(use, PRODUCT_TO, "to", rows * columns, why);
	return status;
}

void product_reference(const struct library_use *use, const struct library_values *values)
{
	uint64_t rows = use->tiles[PRODUCT_ROWS], columns = use->tiles[PRODUCT_COLUMNS];
	uint64_t inner = use->tiles[PRODUCT_INNER], side = KERNEL_TILE_SIDE;
	struct matrix_order order = {
		.registers = parts_registers(use), .partial = parts_registers(use)};
	struct matrix left = {parts_registers(use), rows * side, inner * side,
		parts_rows_new(use, values->ports[PRODUCT_LEFT], rows, inner)};
	struct matrix right = {parts_registers(use), inner * side, columns * side,
		parts_rows_new(use, values->ports[PRODUCT_RIGHT], inner, columns)};
	struct matrix out = {parts_registers(use), rows * side, columns * side,
		allocate(rows * columns, COMPUTE_ELEMENTS * element_bytes(parts_registers(use)))};

	matrix_multiply(&left, &right, &order, &out);
	parts_rows_put(use, out.bytes, rows, columns, values->ports[PRODUCT_TO]);
	free(left.bytes);
	free(right.bytes);
}
