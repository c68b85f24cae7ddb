/* Sets of cores, and how to cover a set with rectangles. The code finds the first row that has
 * uncovered cores, and takes the first run of uncovered cores in it. It extends this run downwards
 * while all cores of the run are also uncovered in the next row. It repeats these steps until all
 * cores are covered. So the first n workers need at most two rectangles, and a rectangular set
 * needs one rectangle. */
#include "mesh/program/sub_devices.h"

#include "base/refuse.h"

/* Divides the columns from `column0` to `column1` into cores.parts bands of adjacent columns. Keeps
 * only the cores of band number cores.part in the set. */
static enum status keep_part(struct core_set *set, struct cores cores, uint32_t columns,
	uint32_t column0, uint32_t column1, struct text *why)
{
	uint32_t width = column1 - column0 + 1, from, to;

	if (cores.part >= cores.parts)
		return refuse(why, STATUS_INVALID, "part %u of %u", cores.part, cores.parts);
	if (cores.parts > width)
		return refuse(why, STATUS_INVALID,
			"%u groups of cores, but the cores span %u column%s", cores.parts, width,
			width == 1 ? "" : "s");
	from = column0 + cores.part * width / cores.parts;
	to = column0 + (cores.part + 1u) * width / cores.parts;
	for (uint32_t core = 0; core < CORES_MAX; core++)
		if (core % columns < from || core % columns >= to)
			set->bits[core / 64] &= ~(UINT64_C(1) << core % 64);
	return STATUS_OK;
}

/* Sets *set to the cores that `cores` describes, before they are divided into parts. Sets the
 * columns of *extent to the first and last column of the set. */
static enum status named_set(struct core_set *set, struct cores cores, uint32_t columns,
	uint32_t rows, struct worker_rect *extent, struct text *why)
{
	struct worker_rect rect = cores.rect;

	*set = (struct core_set){0};
	*extent = rect;
	switch (cores.kind) {
	case CORES_ALL:
		cores.count = columns * rows;
		break;
	case CORES_COUNT:
		if (cores.count == 0)
			return refuse(why, STATUS_INVALID, "no cores");
		if (cores.count > columns * rows)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"%u cores, but the grid has %u x %u", cores.count, columns, rows);
		break;
	case CORES_RECTANGLE:
		if (rect.column0 > rect.column1 || rect.row0 > rect.row1)
			return refuse(why, STATUS_INVALID, "no cores from %u,%u to %u,%u",
				rect.column0, rect.row0, rect.column1, rect.row1);
		if (rect.column1 >= columns || rect.row1 >= rows)
			return refuse(why, STATUS_OUT_OF_RANGE,
				"cores from %u,%u to %u,%u reach outside the grid of %u x %u",
				rect.column0, rect.row0, rect.column1, rect.row1, columns, rows);
		for (uint32_t row = rect.row0; row <= rect.row1; row++)
			for (uint32_t column = rect.column0; column <= rect.column1; column++)
				core_set_add(set, row * columns + column);
		return STATUS_OK;
	default:
		return refuse(why, STATUS_INVALID, "unknown kind of cores");
	}
	for (uint32_t core = 0; core < cores.count; core++)
		core_set_add(set, core);
	extent->column0 = 0;
	extent->column1 = (uint8_t)((cores.count < columns ? cores.count : columns) - 1);
	return STATUS_OK;
}

/* Sets *set to Ethernet cores. Their numbers follow the numbers of the workers. */
static enum status ethernet_set(struct core_set *set, struct cores cores, uint32_t workers,
	uint32_t ethernet, struct text *why)
{
	uint32_t count = cores.kind == CORES_ALL ? ethernet : cores.count;

	*set = (struct core_set){0};
	if (ethernet == 0)
		return refuse(why, STATUS_INVALID, "links and dispatch leave no Ethernet core");
	if (cores.kind == CORES_RECTANGLE || cores.parts > 1 || count == 0)
		return refuse(why, STATUS_INVALID, "%s Ethernet cores",
			count == 0 ? "no" : "a rectangle or part of the");
	if (count > ethernet)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"%u Ethernet cores, but links and dispatch leave %u", count, ethernet);
	for (uint32_t i = 0; i < count; i++)
		core_set_add(set, workers + i);
	return STATUS_OK;
}

enum status core_set_of(struct core_set *set, struct cores cores, uint32_t columns, uint32_t rows,
	uint32_t ethernet, struct text *why)
{
	struct worker_rect extent;
	enum status status;

	if (cores.ethernet)
		return ethernet_set(set, cores, columns * rows, ethernet, why);
	status = named_set(set, cores, columns, rows, &extent, why);
	if (status != STATUS_OK || cores.parts <= 1)
		return status;
	return keep_part(set, cores, columns, extent.column0, extent.column1, why);
}

enum status cores_check(const struct program_limits *limits, struct cores cores, struct text *why)
{
	struct core_set set;

	return core_set_of(&set, cores, limits->worker_columns, limits->worker_rows,
		limits->ethernet_cores, why);
}

uint32_t core_set_count(const struct core_set *set)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < CORES_MAX / 64; i++)
		count += (uint32_t)__builtin_popcountll(set->bits[i]);
	return count;
}

uint32_t core_set_rank(const struct core_set *set, uint32_t core)
{
	uint32_t rank = 0;

	for (uint32_t i = 0; i < core / 64; i++)
		rank += (uint32_t)__builtin_popcountll(set->bits[i]);
	return rank + (uint32_t)__builtin_popcountll(
			      set->bits[core / 64] & ((UINT64_C(1) << core % 64) - 1));
}

static bool row_has(
	const struct core_set *set, uint32_t columns, uint32_t row, uint32_t from, uint32_t to)
{
	for (uint32_t column = from; column <= to; column++)
		if (!core_set_has(set, row * columns + column))
			return false;
	return true;
}

uint32_t core_set_rects(
	const struct core_set *set, uint32_t columns, uint32_t rows, struct worker_rect *rects)
{
	struct core_set left = *set;
	uint32_t count = 0;

	for (uint32_t core = 0; core < columns * rows; core++) {
		uint32_t row0 = core / columns, column0 = core % columns;
		uint32_t row1 = row0, column1 = column0;

		if (!core_set_has(&left, core))
			continue;
		while (column1 + 1 < columns && core_set_has(&left, row0 * columns + column1 + 1))
			column1++;
		while (row1 + 1 < rows && row_has(&left, columns, row1 + 1, column0, column1))
			row1++;
		for (uint32_t row = row0; row <= row1; row++)
			for (uint32_t column = column0; column <= column1; column++) {
				uint32_t taken = row * columns + column;

				left.bits[taken / 64] &= ~(UINT64_C(1) << taken % 64);
			}
		rects[count++] = (struct worker_rect){
			(uint8_t)column0, (uint8_t)row0, (uint8_t)column1, (uint8_t)row1};
	}
	return count;
}
