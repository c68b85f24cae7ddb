/* Access to columns and cells of tables in memory, see dataset.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/read/dataset.h"
#include "base/ensure.h"

const struct dataset_column *dataset_column(const struct dataset *dataset, const char *name)
{
	for (uint32_t i = 0; i < dataset->column_count; i++)
		if (strcmp(dataset->columns[i].name, name) == 0)
			return &dataset->columns[i];
	return NULL;
}

static const char *cell(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	ensure(row < dataset->row_count, "row %llu of %llu", (unsigned long long)row,
		(unsigned long long)dataset->row_count);
	return dataset->rows + row * dataset->row_bytes + column->offset;
}

double dataset_real(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	double real = 0;

	if (!column)
		return 0;
	if (column->type == DATASET_REAL)
		memcpy(&real, cell(dataset, column, row), sizeof(real));
	else if (column->type == DATASET_UNSIGNED)
		real = (double)(uint64_t)dataset_integer(dataset, column, row);
	else
		real = (double)dataset_integer(dataset, column, row);
	return real;
}

int64_t dataset_integer(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	int64_t integer = 0;

	if (!column || column->type == DATASET_TEXT)
		return 0;
	if (column->type == DATASET_REAL) {
		double real = dataset_real(dataset, column, row);
		return fabs(real) < 9e18 ? llround(real) : 0;
	}
	memcpy(&integer, cell(dataset, column, row), sizeof(integer));
	return integer;
}

const char *dataset_text(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	return column && column->type == DATASET_TEXT ? cell(dataset, column, row) : "";
}

double dataset_real_of(const struct dataset *dataset, const char *name, uint64_t row)
{
	return dataset_real(dataset, dataset_column(dataset, name), row);
}

int64_t dataset_integer_of(const struct dataset *dataset, const char *name, uint64_t row)
{
	return dataset_integer(dataset, dataset_column(dataset, name), row);
}

const char *dataset_text_of(const struct dataset *dataset, const char *name, uint64_t row)
{
	return dataset_text(dataset, dataset_column(dataset, name), row);
}

double dataset_sum(const struct dataset *dataset, const char *column)
{
	const struct dataset_column *found = dataset_column(dataset, column);
	double sum = 0;

	for (uint64_t row = 0; found && row < dataset->row_count; row++)
		sum += dataset_real(dataset, found, row);
	return sum;
}

int64_t dataset_largest(const struct dataset *dataset, const char *column)
{
	const struct dataset_column *found = dataset_column(dataset, column);
	double most = 0;
	int64_t at = -1;

	for (uint64_t row = 0; found && row < dataset->row_count; row++) {
		double value = dataset_real(dataset, found, row);
		if (value > most) {
			most = value;
			at = (int64_t)row;
		}
	}
	return at;
}

const char *dataset_cell_text(const struct dataset *dataset, const struct dataset_column *column,
	uint64_t row, struct arena *arena)
{
	char spelling[40];

	if (column->type == DATASET_TEXT)
		return dataset_text(dataset, column, row);
	if (column->type == DATASET_INTEGER || column->type == DATASET_UNSIGNED)
		return arena_printf(
			arena, "%lld", (long long)dataset_integer(dataset, column, row));
	for (int digits = 6; digits <= 17; digits++) {
		double value = dataset_real(dataset, column, row);
		snprintf(spelling, sizeof(spelling), "%.*g", digits, value);
		if (strtod(spelling, NULL) == value)
			break;
	}
	return arena_string(arena, spelling);
}

static bool dataset_cells_is_missing(
	const struct dataset *dataset, const struct dataset_column *column, uint64_t row)
{
	if (column->type == DATASET_REAL)
		return isnan(dataset_real(dataset, column, row));
	return column->type == DATASET_TEXT && dataset_text(dataset, column, row)[0] == '\0';
}

void dataset_mark_missing(struct dataset *dataset, struct dataset_column *column, const char *mark,
	struct arena *arena)
{
	enum { BYTES = 40 }; /* room for any number as text */
	bool whole = true, texts = column->type == DATASET_TEXT;
	uint32_t more = texts ? 0 : BYTES, offset = texts ? column->offset : dataset->row_bytes;
	char *rows;

	ensure(strlen(mark) < 8, "a mark of %zu letters", strlen(mark));
	for (uint64_t row = 0; row < dataset->row_count; row++)
		whole &= !dataset_cells_is_missing(dataset, column, row);
	if (whole)
		return;
	rows = arena_array(arena, dataset->row_count, dataset->row_bytes + more);
	for (uint64_t row = 0; row < dataset->row_count; row++) {
		char *to = rows + row * (dataset->row_bytes + more);
		const char *text = dataset_cells_is_missing(dataset, column, row)
					   ? mark
					   : dataset_cell_text(dataset, column, row, arena);
		memcpy(to, dataset->rows + row * dataset->row_bytes, dataset->row_bytes);
		snprintf(to + offset, texts ? column->bytes : BYTES, "%s", text);
	}
	dataset->rows = rows;
	dataset->row_bytes += more;
	column->offset = offset;
	column->bytes = texts ? column->bytes : BYTES;
	column->type = DATASET_TEXT;
}
