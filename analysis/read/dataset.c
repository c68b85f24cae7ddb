/* Reads compound datasets, see dataset.h. Rejects nested, variable-length and unnamed
 * columns. */
#include "analysis/read/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <hdf5.h>

#include "base/text.h"

enum { COLUMNS_MAX = 65536, TEXT_BYTES_MAX = 1 << 16, ABOUT_BYTES_MAX = 512 };

/* How one member of the file's type comes to us; false if it is none of ours. */
static bool plan_column(
	hid_t type, unsigned index, struct arena *arena, struct dataset_column *column)
{
	hid_t member = H5Tget_member_type(type, index);
	H5T_class_t kind = H5Tget_class(member);
	size_t size = H5Tget_size(member);
	char *name = H5Tget_member_name(type, index);
	bool good = name && size > 0 && size < TEXT_BYTES_MAX;

	column->name = text_plain(name ? name : "", false, arena);
	column->unit = "";
	column->bytes = 8;
	if (kind == H5T_INTEGER)
		column->type =
			H5Tget_sign(member) == H5T_SGN_NONE ? DATASET_UNSIGNED : DATASET_INTEGER;
	else if (kind == H5T_FLOAT)
		column->type = DATASET_REAL;
	else if (kind == H5T_STRING && H5Tis_variable_str(member) == 0)
		column->type = DATASET_TEXT;
	else
		good = false;
	if (good && column->type == DATASET_TEXT)
		column->bytes = (uint32_t)(size + 1 + 7) & ~7u;
	H5free_memory(name);
	H5Tclose(member);
	return good;
}

/* In memory; HDF5 refuses to change the character set of a text, so that stays the file's. */
static hid_t memory_type_of(const struct dataset_column *column, hid_t file_type, unsigned index)
{
	hid_t type, member;

	switch (column->type) {
	case DATASET_INTEGER:
		return H5Tcopy(H5T_NATIVE_INT64);
	case DATASET_UNSIGNED:
		return H5Tcopy(H5T_NATIVE_UINT64);
	case DATASET_REAL:
		return H5Tcopy(H5T_NATIVE_DOUBLE);
	default:
		type = H5Tcopy(H5T_C_S1);
		H5Tset_size(type, column->bytes);
		H5Tset_strpad(type, H5T_STR_NULLTERM);
		member = H5Tget_member_type(file_type, index);
		H5Tset_cset(type, H5Tget_cset(member));
		H5Tclose(member);
		return type;
	}
}

/* The compound type of our rows, or a negative number. */
static hid_t make_row_type(const struct dataset *dataset, hid_t file_type)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, dataset->row_bytes);

	for (uint32_t i = 0; type >= 0 && i < dataset->column_count; i++) {
		const struct dataset_column *column = &dataset->columns[i];
		hid_t member = memory_type_of(column, file_type, i);
		herr_t bad = H5Tinsert(type, column->name, column->offset, member);
		H5Tclose(member);
		if (bad < 0) {
			H5Tclose(type);
			return -1;
		}
	}
	return type;
}

static enum status plan_columns(hid_t type, struct arena *arena, struct dataset *dataset)
{
	int count = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : -1;

	if (count <= 0 || count > COLUMNS_MAX)
		return STATUS_INVALID;
	dataset->columns = arena_array(arena, (size_t)count, sizeof(*dataset->columns));
	dataset->column_count = (uint32_t)count;
	for (uint32_t i = 0; i < dataset->column_count; i++) {
		struct dataset_column *column = &dataset->columns[i];
		if (!plan_column(type, i, arena, column))
			return STATUS_INVALID;
		column->offset = dataset->row_bytes;
		dataset->row_bytes += column->bytes;
	}
	return STATUS_OK;
}

/* The text attribute "WHAT:COLUMN", in `arena`; NULL if there is none. */
static const char *read_about(hid_t set, const char *what, const char *column, struct arena *arena)
{
	char name[512], value[ABOUT_BYTES_MAX] = "";
	snprintf(name, sizeof(name), "%s:%s", what, column);
	if (H5Aexists(set, name) <= 0)
		return NULL;
	hid_t attribute = H5Aopen(set, name, H5P_DEFAULT);
	hid_t type = H5Aget_type(attribute);
	if (H5Tis_variable_str(type) > 0) {
		char *text = NULL;
		if (H5Aread(attribute, type, &text) >= 0 && text)
			snprintf(value, sizeof(value), "%s", text);
		H5free_memory(text);
	} else if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < sizeof(value)) {
		if (H5Aread(attribute, type, value) < 0)
			value[0] = '\0';
	}
	H5Tclose(type);
	H5Aclose(attribute);
	return arena_string(arena, value);
}

/* After the type of rows was made: until then columns have the names of the file. */
static void read_abouts(hid_t set, struct arena *arena, struct dataset *dataset)
{
	for (uint32_t i = 0; i < dataset->column_count; i++) {
		struct dataset_column *column = &dataset->columns[i];
		const char *unit = read_about(set, "unit", column->name, arena);
		const char *key = read_about(set, "key", column->name, arena);
		column->unit = unit ? unit : "";
		column->name = key ? key : column->name;
	}
}

/* Times that were reals, so that they could be missing. */
static void round_times(struct dataset *dataset)
{
	for (uint32_t i = 0; i < dataset->column_count; i++) {
		struct dataset_column *column = &dataset->columns[i];
		if (column->type != DATASET_REAL || strcmp(column->unit, "ps") != 0)
			continue;
		for (uint64_t row = 0; row < dataset->row_count; row++) {
			char *cell = dataset->rows + row * dataset->row_bytes + column->offset;
			double real;
			memcpy(&real, cell, sizeof(real));
			int64_t time = fabs(real) < 9e18 ? llround(real) : -1;
			memcpy(cell, &time, sizeof(time));
		}
		column->type = DATASET_INTEGER;
	}
}

/* The rows that are wanted of a dataset: all, or `count` from `first` on. */
struct range {
	bool all;
	uint64_t first, count;
};

/* Selects them in `space`. */
static enum status select_rows(hid_t space, const struct range *range, struct dataset *dataset)
{
	hssize_t count = H5Sget_simple_extent_npoints(space);
	hsize_t first = range->first, some = range->count;

	if (H5Sget_simple_extent_ndims(space) != 1 || count < 0)
		return STATUS_INVALID;
	if (!range->all &&
		(range->first > (uint64_t)count || range->count > (uint64_t)count - range->first))
		return STATUS_INVALID;
	dataset->row_count = range->all ? (uint64_t)count : range->count;
	if (dataset->row_count > DATASET_BYTES_MAX / dataset->row_bytes)
		return STATUS_NO_SPACE;
	if (!range->all && some > 0 &&
		H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &some, NULL) < 0)
		return STATUS_INVALID;
	return STATUS_OK;
}

/* Printable ASCII and ends of lines, which most texts are. */
static bool is_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((text[i] < ' ' || text[i] > '~') && text[i] != '\n')
			return false;
	return true;
}

/* Whatever is read may be printed. */
static void clean_texts(struct dataset *dataset, struct arena *arena)
{
	for (uint32_t i = 0; i < dataset->column_count; i++) {
		const struct dataset_column *column = &dataset->columns[i];

		for (uint64_t row = 0; column->type == DATASET_TEXT && row < dataset->row_count;
			row++) {
			char *cell =
				(char *)dataset->rows + row * dataset->row_bytes + column->offset;
			size_t length = strnlen(cell, column->bytes);
			const char *plain;

			if (is_ascii(cell, length))
				continue;
			plain = text_plain(arena_copy(arena, cell, length), true, arena);
			memset(cell, 0, column->bytes);
			memcpy(cell, plain, strlen(plain));
		}
	}
}

/* How rows are transferred: HDF5 clears the whole of its buffer for each read, a megabyte unless
 * told otherwise, and most tables are small. */
static hid_t transfer_of(hid_t set, const struct dataset *dataset)
{
	enum { BUFFER_MOST = 1 << 20 };
	hid_t transfer = H5Pcreate(H5P_DATASET_XFER), type = H5Dget_type(set);
	size_t row =
		H5Tget_size(type) > dataset->row_bytes ? H5Tget_size(type) : dataset->row_bytes;

	if (dataset->row_count < BUFFER_MOST / row)
		H5Pset_buffer(transfer, dataset->row_count * row, NULL, NULL);
	H5Tclose(type);
	return transfer;
}

static enum status read_rows(hid_t set, hid_t type, const struct range *range, struct arena *arena,
	struct dataset *dataset)
{
	hid_t space = H5Dget_space(set), memory = -1, transfer = -1;
	hsize_t rows;
	enum status status = select_rows(space, range, dataset);

	if (status != STATUS_OK)
		goto out;
	dataset->rows = arena_array(arena, dataset->row_count, dataset->row_bytes);
	if (dataset->row_count == 0)
		goto out;
	rows = dataset->row_count;
	memory = H5Screate_simple(1, &rows, NULL);
	transfer = transfer_of(set, dataset);
	if (H5Dread(set, type, memory, space, transfer, dataset->rows) < 0)
		status = STATUS_INVALID;
	else
		clean_texts(dataset, arena);
out:
	if (transfer >= 0)
		H5Pclose(transfer);
	if (memory >= 0)
		H5Sclose(memory);
	H5Sclose(space);
	return status;
}

/* ---- plans ---- */

struct dataset_plan {
	const char *table; /* the last part of its path */
	hid_t file_type, row_type;
	struct dataset columns;
	struct dataset_plan *next;
};

void dataset_plans_free(struct dataset_plan *plans)
{
	for (; plans; plans = plans->next) {
		H5Tclose(plans->file_type);
		H5Tclose(plans->row_type);
	}
}

/* Columns, types and attributes of a table; NULL: none of ours. */
static struct dataset_plan *plan_new(
	hid_t set, hid_t file_type, const char *table, struct arena *arena)
{
	struct dataset_plan *plan = arena_array(arena, 1, sizeof(*plan));

	memset(plan, 0, sizeof(*plan));
	if (plan_columns(file_type, arena, &plan->columns) != STATUS_OK)
		return NULL;
	plan->row_type = make_row_type(&plan->columns, file_type);
	if (plan->row_type < 0)
		return NULL;
	plan->file_type = H5Tcopy(file_type);
	plan->table = arena_string(arena, table);
	read_abouts(set, arena, &plan->columns);
	return plan;
}

/* The plan of a table: tables of one name and type are alike. */
static const struct dataset_plan *plan_of(
	struct dataset_source *source, hid_t set, hid_t file_type, const char *path)
{
	const char *slash = strrchr(path, '/'), *table = slash ? slash + 1 : path;
	struct dataset_plan *plan = source->plans;

	while (plan &&
		(strcmp(plan->table, table) != 0 || H5Tequal(plan->file_type, file_type) <= 0))
		plan = plan->next;
	if (plan)
		return plan;
	plan = plan_new(set, file_type, table, source->arena);
	if (plan) {
		plan->next = source->plans;
		source->plans = plan;
	}
	return plan;
}

static enum status read_range(struct dataset_source *source, const char *path,
	const struct range *range, struct arena *arena, struct dataset *dataset)
{
	enum status status = STATUS_INVALID;

	memset(dataset, 0, sizeof(*dataset));
	if (H5Lexists(source->file, path, H5P_DEFAULT) <= 0)
		return STATUS_NOT_FOUND;
	hid_t set = H5Dopen2(source->file, path, H5P_DEFAULT);
	if (set < 0)
		return STATUS_INVALID;
	hid_t type = H5Dget_type(set);
	const struct dataset_plan *plan = plan_of(source, set, type, path);
	if (plan) {
		*dataset = plan->columns;
		dataset->columns =
			arena_array(arena, dataset->column_count, sizeof(*dataset->columns));
		memcpy(dataset->columns, plan->columns.columns,
			dataset->column_count * sizeof(*dataset->columns));
		status = read_rows(set, plan->row_type, range, arena, dataset);
	}
	if (status == STATUS_OK)
		round_times(dataset);
	H5Tclose(type);
	H5Dclose(set);
	if (status != STATUS_OK)
		memset(dataset, 0, sizeof(*dataset));
	return status;
}

enum status dataset_read(struct dataset_source *source, const char *path, struct arena *arena,
	struct dataset *dataset)
{
	const struct range range = {.all = true};

	return read_range(source, path, &range, arena, dataset);
}

enum status dataset_read_rows(struct dataset_source *source, const char *path, uint64_t first,
	uint64_t count, struct arena *arena, struct dataset *dataset)
{
	const struct range range = {false, first, count};

	return read_range(source, path, &range, arena, dataset);
}
