/* Determines which cores compute a product on a grid or a line, and to which cores each of them
 * sends (matmul_place.h). */
#include "matmul_place.h"

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t blocks_of(uint32_t tiles, uint32_t block)
{
	return (tiles + block - 1) / block;
}

/* Reduces the rectangle to the cores that a line of this many blocks needs. */
static uint32_t line_fit(struct worker_rect *rect, uint32_t blocks)
{
	uint32_t width = least(rect->column1 - rect->column0 + 1u, blocks);
	uint32_t rows = least(rect->row1 - rect->row0 + 1u, blocks_of(blocks, width));

	rect->column1 = (uint8_t)(rect->column0 + width - 1);
	rect->row1 = (uint8_t)(rect->row0 + rows - 1);
	return width * rows;
}

struct grid matmul_place_grid(const struct library_use *use, enum form form)
{
	const struct chip_geometry *geometry = use->buffers[0].placement->geometry;
	struct grid grid = {.rect = use->cores.rect,
		.form = form,
		.high = least(BLOCK, use->tiles[PRODUCT_ROWS]),
		.wide = least(BLOCK, use->tiles[PRODUCT_COLUMNS])};
	uint32_t high = blocks_of(use->tiles[PRODUCT_ROWS], grid.high);
	uint32_t wide = blocks_of(use->tiles[PRODUCT_COLUMNS], grid.wide);

	if (use->cores.kind == CORES_ALL)
		grid.rect = (struct worker_rect){0, 0, (uint8_t)(geometry->worker_columns - 1),
			(uint8_t)(geometry->worker_rows - 1)};
	if (form != FORM_GRID) {
		grid.rows = form == FORM_TALL ? line_fit(&grid.rect, high) : 1;
		grid.columns = form == FORM_WIDE ? line_fit(&grid.rect, wide) : 1;
		return grid;
	}
	grid.rows = least(grid.rect.row1 - grid.rect.row0 + 1u, high);
	grid.columns = least(grid.rect.column1 - grid.rect.column0 + 1u, wide);
	grid.rect.row1 = (uint8_t)(grid.rect.row0 + grid.rows - 1);
	grid.rect.column1 = (uint8_t)(grid.rect.column0 + grid.columns - 1);
	return grid;
}

struct side matmul_place_side(const struct grid *grid, bool left)
{
	bool first = grid->form == (left ? FORM_WIDE : FORM_TALL);

	return left ? (struct side){PRODUCT_LEFT, "left", PROCESSOR_NCRISC, grid->columns - 1,
			      grid->high, true, first}
		    : (struct side){PRODUCT_RIGHT, "right", PROCESSOR_BRISC, grid->rows - 1,
			      grid->wide, false, first};
}

uint32_t matmul_place_semaphore(const struct side *side, uint32_t which)
{
	return (side->left ? 0 : SEMAPHORES_EACH) + which;
}

struct worker_rect matmul_place_cores(const struct grid *grid, const struct side *side, bool sends)
{
	struct worker_rect rect = grid->rect;

	if (side->left && sends)
		rect.column1 = rect.column0;
	else if (side->left)
		rect.column0++;
	else if (sends)
		rect.row1 = rect.row0;
	else
		rect.row0++;
	return rect;
}

void matmul_place_find(
	struct kernel_text *text, const struct grid *grid, const struct worker_rect *rect)
{
	uint32_t columns = rect->column1 - rect->column0 + 1u;
	uint32_t row = rect->row0 - grid->rect.row0, column = rect->column0 - grid->rect.column0;
	uint32_t width = grid->rect.column1 - grid->rect.column0 + 1u;

	kernel_text_add(text, KERNEL_ARGUMENT, AT, 0, 0, 0);
	if (grid->form != FORM_GRID) {
		kernel_text_add(text, KERNEL_ADD, grid->form == FORM_WIDE ? COLUMN : ROW, AT, 0,
			row * width + column);
		kernel_text_set(text, grid->form == FORM_WIDE ? ROW : COLUMN, 0);
		return;
	}
	kernel_text_add(text, KERNEL_DIVIDE, ROW, AT, 0, columns);
	kernel_text_add(text, KERNEL_ADD, ROW, ROW, 0, row);
	kernel_text_add(text, KERNEL_REMAINDER, COLUMN, AT, 0, columns);
	kernel_text_add(text, KERNEL_ADD, COLUMN, COLUMN, 0, column);
}

static uint32_t corners(uint32_t column0, uint32_t row0, const struct worker_rect *rect)
{
	return column0 | row0 << 8 | (uint32_t)rect->column1 << 16 | (uint32_t)rect->row1 << 24;
}

/* Does on a line what matmul_place_others() does on a grid. */
static void line_find_others(struct kernel_text *text, const struct worker_rect *rect,
	const struct side *side, bool sends)
{
	struct worker_rect first_row = *rect;

	first_row.row1 = rect->row0;
	kernel_text_set(text, TARGET, corners(rect->column0 + 1u, rect->row0, &first_row));
	kernel_text_set(text, BELOW, corners(rect->column0, rect->row0 + 1u, rect));
	if (sends)
		return;
	kernel_text_set(text, WHERE, rect->column0);
	kernel_text_add(text, KERNEL_WORKER, SENDER, WHERE, 0, rect->row0);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, SENDER + 1, 0, 0, matmul_place_semaphore(side, READY));
}

void matmul_place_others(
	struct kernel_text *text, const struct grid *grid, const struct side *side, bool sends)
{
	const struct worker_rect *rect = &grid->rect;

	if (grid->form != FORM_GRID) {
		line_find_others(text, rect, side, sends);
	} else if (!sends) {
		kernel_text_add(text, KERNEL_ADD, WHERE, side->left ? 0 : COLUMN, 0, rect->column0);
		kernel_text_add(
			text, KERNEL_WORKER, SENDER, WHERE, side->left ? ROW : 0, rect->row0);
		kernel_text_add(text, KERNEL_SEMAPHORE, SENDER + 1, 0, 0,
			matmul_place_semaphore(side, READY));
	} else if (side->left) { /* TARGET becomes the rectangle of the cores of this core's row,
				  * from column 1 on. Both corners of the rectangle are in the same
				  * row */
		kernel_text_add(text, KERNEL_ADD, TARGET, ROW, 0, rect->row0);
		kernel_text_add(text, KERNEL_MULTIPLY, TARGET, TARGET, 0, 1u << 8 | 1u << 24);
		kernel_text_add(text, KERNEL_ADD, TARGET, TARGET, 0,
			(rect->column0 + 1u) | (uint32_t)rect->column1 << 16);
	} else {
		kernel_text_add(text, KERNEL_ADD, TARGET, COLUMN, 0, rect->column0);
		kernel_text_add(text, KERNEL_MULTIPLY, TARGET, TARGET, 0, 1u | 1u << 16);
		kernel_text_add(text, KERNEL_ADD, TARGET, TARGET, 0,
			(rect->row0 + 1u) << 8 | (uint32_t)rect->row1 << 24);
	}
}
