/* Reads compound datasets, see dataset.h. Refuses nested, variable-length and unnamed columns. */
#include "analysis/read/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <hdf5.h>

#include "base/ensure.h"

enum { COLUMNS_MAX = 65536, TEXT_BYTES_MAX = 1 << 16, UNIT_BYTES_MAX = 256 };

/* How one member of the file's type comes to us; false if it is none of ours. */
static bool plan_column(hid_t type, unsigned index, struct arena *arena, struct data_column *column)
{
	hid_t member = H5Tget_member_type(type, index);
	H5T_class_t kind = H5Tget_class(member);
	size_t size = H5Tget_size(member);
	char *name = H5Tget_member_name(type, index);
	bool good = name && size > 0 && size < TEXT_BYTES_MAX;

	column->name = arena_string(arena, name ? name : "");
	column->unit = "";
	column->bytes = 8;
	if (kind == H5T_INTEGER)
		column->type = H5Tget_sign(member) == H5T_SGN_NONE ? DATA_UNSIGNED : DATA_INTEGER;
	else if (kind == H5T_FLOAT)
		column->type = DATA_REAL;
	else if (kind == H5T_STRING && H5Tis_variable_str(member) == 0)
		column->type = DATA_TEXT;
	else
		good = false;
	if (good && column->type == DATA_TEXT)
		column->bytes = (uint32_t)(size + 1 + 7) & ~7u;
	H5free_memory(name);
	H5Tclose(member);
	return good;
}

/* In memory; HDF5 refuses to change the character set of a text, so that stays the file's. */
static hid_t memory_type_of(const struct data_column *column, hid_t file_type, unsigned index)
{
	hid_t type, member;

	switch (column->type) {
	case DATA_INTEGER:
		return H5Tcopy(H5T_NATIVE_INT64);
	case DATA_UNSIGNED:
		return H5Tcopy(H5T_NATIVE_UINT64);
	case DATA_REAL:
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
static hid_t make_row_type(const struct data_table *table, hid_t file_type)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, table->row_bytes);

	for (uint32_t i = 0; type >= 0 && i < table->column_count; i++) {
		const struct data_column *column = &table->columns[i];
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

static enum status plan_columns(hid_t type, struct arena *arena, struct data_table *table)
{
	int count = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : -1;

	if (count <= 0 || count > COLUMNS_MAX)
		return STATUS_INVALID;
	table->columns = arena_array(arena, (size_t)count, sizeof(*table->columns));
	table->column_count = (uint32_t)count;
	for (uint32_t i = 0; i < table->column_count; i++) {
		struct data_column *column = &table->columns[i];
		if (!plan_column(type, i, arena, column))
			return STATUS_INVALID;
		column->offset = table->row_bytes;
		table->row_bytes += column->bytes;
	}
	return STATUS_OK;
}

/* Units stand in attributes "unit:COLUMN"; a column without one has none. */
static void read_units(hid_t set, struct arena *arena, struct data_table *table)
{
	for (uint32_t i = 0; i < table->column_count; i++) {
		char name[512], unit[UNIT_BYTES_MAX] = "";
		snprintf(name, sizeof(name), "unit:%s", table->columns[i].name);
		if (H5Aexists(set, name) <= 0)
			continue;
		hid_t attribute = H5Aopen(set, name, H5P_DEFAULT);
		hid_t type = H5Aget_type(attribute);
		if (H5Tis_variable_str(type) > 0) {
			char *text = NULL;
			if (H5Aread(attribute, type, &text) >= 0 && text)
				snprintf(unit, sizeof(unit), "%s", text);
			H5free_memory(text);
		} else if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < sizeof(unit)) {
			if (H5Aread(attribute, type, unit) < 0)
				unit[0] = '\0';
		}
		H5Tclose(type);
		H5Aclose(attribute);
		table->columns[i].unit = arena_string(arena, unit);
	}
}

static enum status read_rows(
	hid_t set, hid_t file_type, struct arena *arena, struct data_table *table)
{
	hid_t space = H5Dget_space(set);
	hssize_t count = H5Sget_simple_extent_npoints(space);
	enum status status = STATUS_INVALID;

	if (H5Sget_simple_extent_ndims(space) != 1 || count < 0)
		goto out;
	if ((uint64_t)count > DATA_BYTES_MAX / table->row_bytes) {
		status = STATUS_NO_SPACE;
		goto out;
	}
	table->row_count = (uint64_t)count;
	table->rows = arena_array(arena, table->row_count, table->row_bytes);
	status = STATUS_OK;
	if (count == 0)
		goto out;
	hid_t type = make_row_type(table, file_type);
	if (type < 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table->rows) < 0)
		status = STATUS_INVALID;
	if (type >= 0)
		H5Tclose(type);
out:
	H5Sclose(space);
	return status;
}

enum status data_read(
	int64_t location, const char *path, struct arena *arena, struct data_table *table)
{
	enum status status;

	memset(table, 0, sizeof(*table));
	if (H5Lexists(location, path, H5P_DEFAULT) <= 0)
		return STATUS_NOT_FOUND;
	hid_t set = H5Dopen2(location, path, H5P_DEFAULT);
	if (set < 0)
		return STATUS_INVALID;
	hid_t type = H5Dget_type(set);
	status = plan_columns(type, arena, table);
	if (status == STATUS_OK)
		status = read_rows(set, type, arena, table);
	if (status == STATUS_OK)
		read_units(set, arena, table);
	H5Tclose(type);
	H5Dclose(set);
	if (status != STATUS_OK)
		memset(table, 0, sizeof(*table));
	return status;
}

const struct data_column *data_column(const struct data_table *table, const char *name)
{
	for (uint32_t i = 0; i < table->column_count; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return &table->columns[i];
	return NULL;
}

static const char *cell(
	const struct data_table *table, const struct data_column *column, uint64_t row)
{
	ensure(row < table->row_count, "row %llu of %llu", (unsigned long long)row,
		(unsigned long long)table->row_count);
	return table->rows + row * table->row_bytes + column->offset;
}

double data_real(const struct data_table *table, const struct data_column *column, uint64_t row)
{
	double real = 0;

	if (!column)
		return 0;
	if (column->type == DATA_REAL)
		memcpy(&real, cell(table, column, row), sizeof(real));
	else if (column->type == DATA_UNSIGNED)
		real = (double)(uint64_t)data_integer(table, column, row);
	else
		real = (double)data_integer(table, column, row);
	return real;
}

int64_t data_integer(const struct data_table *table, const struct data_column *column, uint64_t row)
{
	int64_t integer = 0;

	if (!column || column->type == DATA_TEXT)
		return 0;
	if (column->type == DATA_REAL) {
		double real = data_real(table, column, row);
		return fabs(real) < 9e18 ? llround(real) : 0;
	}
	memcpy(&integer, cell(table, column, row), sizeof(integer));
	return integer;
}

const char *data_text(
	const struct data_table *table, const struct data_column *column, uint64_t row)
{
	return column && column->type == DATA_TEXT ? cell(table, column, row) : "";
}

double data_real_of(const struct data_table *table, const char *name, uint64_t row)
{
	return data_real(table, data_column(table, name), row);
}

int64_t data_integer_of(const struct data_table *table, const char *name, uint64_t row)
{
	return data_integer(table, data_column(table, name), row);
}

const char *data_text_of(const struct data_table *table, const char *name, uint64_t row)
{
	return data_text(table, data_column(table, name), row);
}
