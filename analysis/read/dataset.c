/* Reads tables of result files (dataset.h), and converts their columns to the types that they have
 * in memory. */
#include "analysis/read/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Size of the buffer for rows in the format of the file. */
enum { BLOCK_BYTES = 1 << 18 };

static void plan_column(
	const struct h5_column *from, struct arena *arena, struct dataset_column *column)
{
	static const enum dataset_type types[] = {
		[H5_KIND_SIGNED] = DATASET_INTEGER,
		[H5_KIND_UNSIGNED] = DATASET_UNSIGNED,
		[H5_KIND_REAL] = DATASET_REAL,
		[H5_KIND_TEXT] = DATASET_TEXT,
	};

	column->name = text_plain(from->name, false, arena);
	column->unit = "";
	column->type = types[from->kind];
	column->bytes = from->kind == H5_KIND_TEXT ? (from->bytes + 1 + 7) & ~7u : 8;
}

/* The text of the attribute "WHAT:COLUMN", in `arena`; NULL if there is no such attribute. */
static const char *read_about(
	const struct h5_table *table, const char *what, const char *column, struct arena *arena)
{
	char name[512];
	const char *text;

	if (snprintf(name, sizeof(name), "%s:%s", what, column) >= (int)sizeof(name))
		return NULL;
	text = h5_table_text(table, name);
	return text ? text_plain(text, false, arena) : NULL;
}

static void plan_columns(const struct h5_table *table, struct arena *arena, struct dataset *dataset)
{
	dataset->column_count = table->column_count;
	dataset->columns = arena_array(arena, table->column_count, sizeof(*dataset->columns));
	for (uint32_t i = 0; i < table->column_count; i++) {
		struct dataset_column *column = &dataset->columns[i];
		const char *unit, *key;

		plan_column(&table->columns[i], arena, column);
		unit = read_about(table, "unit", table->columns[i].name, arena);
		key = read_about(table, "key", table->columns[i].name, arena);
		column->unit = unit ? unit : "";
		column->name = key ? key : column->name;
		column->offset = dataset->row_bytes;
		dataset->row_bytes += column->bytes;
	}
}

/* Returns true if a text consists of printable ASCII characters except ':' and '#' (text_commands()
 * looks for these two). Such a text need not be cleaned by text_plain(). Most texts in result files
 * are of this kind. */
static bool is_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == ':' || text[i] == '#')
			return false;
	return true;
}

/* Copies a text, cleaned by text_plain(), because every text may be printed later. */
static void convert_text(const char *from, uint32_t bytes, struct arena *arena, char *to)
{
	size_t length = strnlen(from, bytes);
	const char *plain;

	if (is_ascii(from, length)) {
		memcpy(to, from, length);
		return;
	}
	plain = text_plain(arena_copy(arena, from, length), false, arena);
	memcpy(to, plain, strlen(plain));
}

static int64_t integer_of(const char *from, uint32_t bytes, bool is_signed)
{
	uint64_t value = 0;

	memcpy(&value, from, bytes);
	if (is_signed && bytes < 8 && value >> (8 * bytes - 1))
		value |= UINT64_MAX << (8 * bytes);
	return (int64_t)value;
}

/* Converts a time to an integer. In files, a time is a real number, and NaN stands for a missing
 * time; the integer for a missing time is -1. */
static int64_t time_of(double real)
{
	int64_t whole;

	if (!(fabs(real) < 9e18))
		return -1;
	whole = (int64_t)real;
	return (double)whole == real ? whole : llround(real);
}

static double real_of(const char *from, uint32_t bytes)
{
	double real = 0;
	float single;

	if (bytes == 4) {
		memcpy(&single, from, 4);
		return (double)single;
	}
	memcpy(&real, from, bytes == 8 ? 8 : 0);
	return real;
}

/* The cells of one column, before and after conversion. `from` points to the first cell in the rows
 * of the file's format, `to` to the first cell in the rows of the dataset. */
struct cells {
	const char *from;
	char *to;
	uint64_t count;
	uint32_t from_step, to_step;
};

/* Converts a column of texts. In most rows, the text is the same as in the previous row; the
 * converted text of the previous row is then used again. */
static void convert_texts(
	struct cells cells, uint32_t from_bytes, uint32_t to_bytes, struct arena *arena)
{
	const char *before = NULL;

	for (; cells.count > 0; cells.count--) {
		if (before && memcmp(before, cells.from, from_bytes) == 0)
			memcpy(cells.to, cells.to - cells.to_step, to_bytes);
		else
			convert_text(cells.from, from_bytes, arena, cells.to);
		before = cells.from;
		cells.from += cells.from_step;
		cells.to += cells.to_step;
	}
}

static void convert_reals(struct cells cells, uint32_t bytes, bool are_times)
{
	for (; cells.count > 0; cells.count--) {
		double real = real_of(cells.from, bytes);
		int64_t time = are_times ? time_of(real) : 0;

		memcpy(cells.to, are_times ? (const void *)&time : (const void *)&real, 8);
		cells.from += cells.from_step;
		cells.to += cells.to_step;
	}
}

static void convert_integers(struct cells cells, uint32_t bytes, bool are_signed)
{
	for (; cells.count > 0; cells.count--) {
		int64_t integer = integer_of(cells.from, bytes, are_signed);

		memcpy(cells.to, &integer, sizeof(integer));
		cells.from += cells.from_step;
		cells.to += cells.to_step;
	}
}

/* Converts `count` cells of one column; `from` and `to` point to the first rows. */
static void convert_column(const struct h5_table *table, uint32_t index, uint64_t count,
	const char *from, struct dataset *dataset, struct arena *arena, char *to)
{
	const struct h5_column *source = &table->columns[index];
	const struct dataset_column *column = &dataset->columns[index];
	const struct cells cells = {from + source->offset, to + column->offset, count,
		table->row_bytes, dataset->row_bytes};

	if (column->type == DATASET_TEXT)
		convert_texts(cells, source->bytes, column->bytes, arena);
	else if (column->type == DATASET_REAL)
		convert_reals(cells, source->bytes, strcmp(column->unit, "ps") == 0);
	else
		convert_integers(cells, source->bytes, column->type == DATASET_INTEGER);
}

static enum status read_rows(struct h5_table *table, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset)
{
	uint64_t most = BLOCK_BYTES / table->row_bytes + 1;
	struct arena scratch = {0};
	enum status status = STATUS_OK;
	char *block;

	if (first > table->row_count || count > table->row_count - first)
		return STATUS_INVALID;
	if (count > DATASET_BYTES_MAX / dataset->row_bytes)
		return STATUS_NO_SPACE;
	dataset->row_count = count;
	dataset->rows = arena_array(arena, count, dataset->row_bytes);
	block = arena_array(&scratch, count < most ? count : most, table->row_bytes);
	for (uint64_t done = 0; done < count && status == STATUS_OK; done += most) {
		uint64_t some = count - done < most ? count - done : most;

		status = h5_table_read(table, first + done, some, block);
		for (uint32_t i = 0; i < dataset->column_count && status == STATUS_OK; i++)
			convert_column(table, i, some, block, dataset, arena,
				dataset->rows + done * dataset->row_bytes);
	}
	arena_fini(&scratch);
	return status;
}

/* Changes the type of columns of times to integer, since their cells were converted. */
static void rename_times(struct dataset *dataset)
{
	for (uint32_t i = 0; i < dataset->column_count; i++)
		if (dataset->columns[i].type == DATASET_REAL &&
			strcmp(dataset->columns[i].unit, "ps") == 0)
			dataset->columns[i].type = DATASET_INTEGER;
}

enum status dataset_read_rows(struct h5_table *table, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset)
{
	enum status status;

	memset(dataset, 0, sizeof(*dataset));
	plan_columns(table, arena, dataset);
	status = read_rows(table, first, count, arena, dataset);
	rename_times(dataset);
	if (status != STATUS_OK)
		memset(dataset, 0, sizeof(*dataset));
	return status;
}

enum status dataset_read(
	struct h5_file *file, const char *path, struct arena *arena, struct dataset *dataset)
{
	struct h5_table table;
	enum status status = h5_table_open(file, path, &table);

	memset(dataset, 0, sizeof(*dataset));
	if (status == STATUS_OK)
		status = dataset_read_rows(&table, 0, table.row_count, arena, dataset);
	h5_table_close(&table);
	return status;
}
