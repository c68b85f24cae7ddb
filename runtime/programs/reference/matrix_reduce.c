/* Reductions of whole matrices, see programs/reference/matrix.h. Padding values do not change the
 * result. */
#include <math.h>

#include "base/ensure.h"
#include "matrix_private.h"

void matrix_reduce(enum compute_reduction op, enum compute_along along, const struct matrix *in,
	enum element registers, struct matrix *out)
{
	bool each_row = along == COMPUTE_ALONG_ROWS, each_column = along == COMPUTE_ALONG_COLUMNS;
	uint64_t high = matrix_tiles(in->rows), wide = matrix_tiles(in->columns);
	uint64_t results = each_row ? high : each_column ? wide : 1, count = high * wide / results;
	float memory[COMPUTE_ELEMENTS];
	struct compute_registers held;
	struct matrix_tile tile;

	ensure(out->rows == (each_row ? in->rows : 1) &&
			out->columns == (each_column ? in->columns : 1),
		"a reduction of other extents");
	compute_registers_init(&held, 1, registers, memory);
	for (uint64_t i = 0; i < results; i++) {
		compute_clear(&held, 0, op == COMPUTE_MAX ? -INFINITY : 0);
		for (uint64_t j = 0; j < count; j++) {
			uint64_t row = each_row ? i : each_column ? j : j / wide;
			uint64_t column = each_row ? j : each_column ? i : j % wide;

			matrix_tile_get(in, row, column, op == COMPUTE_MAX, &tile);
			compute_reduce(&held, 0, op, along, &tile.tile);
		}
		matrix_tile_put(&held, each_row ? i : 0, each_column ? i : 0, out);
	}
}
