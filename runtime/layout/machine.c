/* Maps the virtual grid to the physical grid, and back. Both directions use struct fold, which
 * describes how some dimensions of the virtual grid are mapped to a rectangle of cores or
 * devices. */
#include "layout/machine.h"

#include "base/ensure.h"
#include "base/refuse.h"

/* Some dimensions of the grid, and the rectangle to which they are mapped. */
struct fold {
	uint32_t first, count; /* the dimensions: number of the first, and how many */
	uint64_t number;       /* product of their extents */
	/* true: the two dimensions are the rows and columns of the rectangle */
	bool direct;
	uint32_t rows, columns;
};

static struct fold fold_of(const struct layout *layout, uint32_t first, uint32_t count,
	uint32_t rows, uint32_t columns)
{
	const uint64_t *size = &layout->grid.size[first];
	struct fold fold = {first, count, 1, false, rows, columns};

	for (uint32_t i = 0; i < count; i++)
		fold.number *= size[i];
	fold.direct = count == 2 && size[0] <= rows && size[1] <= columns;
	return fold;
}

static uint32_t device_dimensions(const struct layout *layout)
{
	return layout->grid.rank > 2 ? layout->grid.rank - 2 : 0;
}

static struct fold devices(const struct layout *layout, const struct layout_machine *machine)
{
	return fold_of(
		layout, 0, device_dimensions(layout), machine->mesh_rows, machine->mesh_columns);
}

static struct fold cores(const struct layout *layout, const struct layout_machine *machine)
{
	uint32_t first = device_dimensions(layout);

	return fold_of(layout, first, layout->grid.rank - first, machine->core_rows,
		machine->core_columns);
}

static bool on_device(const struct layout *layout)
{
	return layout->space == SPACE_L1 || layout->space == SPACE_DRAM;
}

static enum status check_fold(const struct fold *fold, const char *what, struct text *why)
{
	if (fold->direct || fold->number <= (uint64_t)fold->rows * fold->columns)
		return STATUS_OK;
	return refuse(why, STATUS_OUT_OF_RANGE, "%llu shards on %u x %u %s",
		(unsigned long long)fold->number, fold->rows, fold->columns, what);
}

enum status layout_machine_check(
	const struct layout *layout, const struct layout_machine *machine, struct text *why)
{
	struct fold on_mesh = devices(layout, machine), on_cores = cores(layout, machine);
	enum status status = STATUS_OK;

	if (on_device(layout))
		status = check_fold(&on_mesh, "devices", why);
	if (status == STATUS_OK && layout->space == SPACE_L1)
		status = check_fold(&on_cores, "cores", why);
	if (status == STATUS_OK && layout->space == SPACE_DRAM && machine->banks == 0)
		status = refuse(why, STATUS_OUT_OF_RANGE, "shards in DRAM without banks");
	return status;
}

/* fold_number() numbers a shard in row-major order within the dimensions of `fold`; it ignores all
 * other dimensions. unfold_number() is the inverse. */
static uint64_t fold_number(
	const struct layout *layout, const struct fold *fold, const struct layout_shape *shard)
{
	uint64_t number = 0;

	for (uint32_t i = fold->first; i < fold->first + fold->count; i++)
		number = number * layout->grid.size[i] + shard->size[i];
	return number;
}

static void unfold_number(const struct layout *layout, const struct fold *fold, uint64_t number,
	struct layout_shape *shard)
{
	for (uint32_t i = fold->first + fold->count; i-- > fold->first;) {
		shard->size[i] = number % layout->grid.size[i];
		number /= layout->grid.size[i];
	}
}

static void fold_place(const struct layout *layout, const struct fold *fold,
	const struct layout_shape *shard, uint32_t *row, uint32_t *column)
{
	uint64_t number = fold_number(layout, fold, shard);

	if (fold->direct) {
		*row = (uint32_t)shard->size[fold->first];
		*column = (uint32_t)shard->size[fold->first + 1];
	} else {
		*row = (uint32_t)(number / fold->columns);
		*column = (uint32_t)(number % fold->columns);
	}
}

/* Inverts fold_place(). Returns false if there is no shard at this place. */
static bool unfold_place(const struct layout *layout, const struct fold *fold, uint32_t row,
	uint32_t column, struct layout_shape *shard)
{
	uint64_t number = (uint64_t)row * fold->columns + column;

	if (fold->direct) {
		shard->size[fold->first] = row;
		shard->size[fold->first + 1] = column;
		return row < layout->grid.size[fold->first] &&
		       column < layout->grid.size[fold->first + 1];
	}
	if (column >= fold->columns || number >= fold->number)
		return false;
	unfold_number(layout, fold, number, shard);
	return true;
}

struct layout_unit layout_unit(const struct layout *layout, const struct layout_machine *machine,
	const struct layout_shape *shard)
{
	struct fold on_mesh = devices(layout, machine), on_cores = cores(layout, machine);
	struct layout_unit unit = {0};

	if (!on_device(layout)) {
		unit.slot = (uint32_t)layout_number(&layout->grid, shard);
		return unit;
	}
	fold_place(layout, &on_mesh, shard, &unit.device_row, &unit.device_column);
	if (layout->space == SPACE_L1) {
		fold_place(layout, &on_cores, shard, &unit.core_row, &unit.core_column);
	} else {
		uint64_t number = fold_number(layout, &on_cores, shard);

		unit.bank = (uint32_t)(number % machine->banks);
		unit.slot = (uint32_t)(number / machine->banks);
	}
	return unit;
}

bool layout_unit_shard(const struct layout *layout, const struct layout_machine *machine,
	const struct layout_unit *unit, struct layout_shape *shard)
{
	struct fold on_mesh = devices(layout, machine), on_cores = cores(layout, machine);

	*shard = (struct layout_shape){.rank = layout->grid.rank};
	if (!on_device(layout)) {
		*shard = layout_at(&layout->grid, unit->slot);
		return unit->slot < layout->shards;
	}
	if (!unfold_place(layout, &on_mesh, unit->device_row, unit->device_column, shard))
		return false;
	if (layout->space == SPACE_L1)
		return unit->slot == 0 &&
		       unfold_place(layout, &on_cores, unit->core_row, unit->core_column, shard);

	uint64_t number = (uint64_t)unit->slot * machine->banks + unit->bank;

	unfold_number(layout, &on_cores, number, shard);
	return unit->bank < machine->banks && number < on_cores.number;
}

uint64_t layout_unit_bytes(const struct layout *layout, const struct layout_machine *machine)
{
	struct fold on_cores = cores(layout, machine);

	if (!on_device(layout))
		return layout->shards * layout->shard_bytes;
	if (layout->space == SPACE_L1)
		return layout->shard_bytes;
	return (on_cores.number + machine->banks - 1) / machine->banks * layout->shard_bytes;
}
