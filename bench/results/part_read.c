/* Reads files that hdf5_write.c wrote (table.h). */
#include "bench/results/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "results_file.h"

enum { BLOCK_BYTES = 1 << 18 };

struct h5_file *part_open(const char *path)
{
	int descriptor = file_open_own(path);
	struct h5_file *file = NULL;

	if (descriptor >= 0 && h5_open(descriptor, &file) != STATUS_OK)
		file = NULL;
	return file;
}

/* True if a column in a file has the type and the size of a column in memory. */
static bool is_of_column(const struct h5_column *from, const struct column *to)
{
	static const enum h5_kind kinds[] = {
		[COLUMN_U8] = H5_KIND_UNSIGNED,
		[COLUMN_U16] = H5_KIND_UNSIGNED,
		[COLUMN_U32] = H5_KIND_UNSIGNED,
		[COLUMN_U64] = H5_KIND_UNSIGNED,
		[COLUMN_I16] = H5_KIND_SIGNED,
		[COLUMN_I32] = H5_KIND_SIGNED,
		[COLUMN_I64] = H5_KIND_SIGNED,
		[COLUMN_F64] = H5_KIND_REAL,
		[COLUMN_TIME] = H5_KIND_REAL,
		[COLUMN_TEXT] = H5_KIND_TEXT,
	};

	return from->kind == kinds[to->type] && from->bytes == to->bytes;
}

/* Sets offsets[i] to the offset of column i of `layout` in the rows of the file. Returns false if a
 * column is missing or has another type or size. */
static bool find_columns(
	const struct h5_table *table, const struct table *layout, uint32_t *offsets)
{
	char(*names)[COLUMN_NAME_BYTES] = column_names(layout);
	bool good = true;

	for (uint32_t i = 0; i < layout->column_count && good; i++) {
		uint32_t j = 0;

		while (j < table->column_count && strcmp(table->columns[j].name, names[i]) != 0)
			j++;
		good = j < table->column_count &&
		       is_of_column(&table->columns[j], &layout->columns[i]);
		offsets[i] = good ? table->columns[j].offset : 0;
	}
	free(names);
	return good;
}

/* Converts a time to its form in memory (table.h). */
static void read_time(const char *from, char *to)
{
	double real;
	int64_t time;

	memcpy(&real, from, sizeof real);
	time = fabs(real) < 9e18 ? (int64_t)real : -1;
	memcpy(to, &time, sizeof time);
}

static void convert_rows(const struct h5_table *table, const struct table *layout,
	const uint32_t *offsets, const char *from, uint64_t count, char *to)
{
	for (uint64_t row = 0; row < count; row++)
		for (uint32_t i = 0; i < layout->column_count; i++) {
			const struct column *column = &layout->columns[i];
			const char *cell = from + row * table->row_bytes + offsets[i];
			char *into = to + row * layout->row_bytes + column->offset;

			if (column->type == COLUMN_TIME)
				read_time(cell, into);
			else
				memcpy(into, cell, column->bytes);
			if (column->type == COLUMN_TEXT) /* in memory, texts end with a NUL */
				into[column->bytes - 1] = '\0';
		}
}

/* Reads all rows, one block at a time. */
static bool part_read_rows(
	struct h5_table *table, const struct table *layout, const uint32_t *offsets, char *rows)
{
	uint64_t most = BLOCK_BYTES / table->row_bytes + 1;
	char *block = malloc(most * table->row_bytes);
	bool good = block != NULL;

	for (uint64_t done = 0; done < table->row_count && good; done += most) {
		uint64_t left = table->row_count - done, some = left < most ? left : most;

		good = h5_table_read(table, done, some, block) == STATUS_OK;
		if (good)
			convert_rows(table, layout, offsets, block, some,
				rows + done * layout->row_bytes);
	}
	free(block);
	return good;
}

bool part_table(struct h5_file *file, const char *group, const struct table *layout, void **rows,
	uint32_t *row_count)
{
	struct arena arena = {0};
	struct h5_table table = {0};
	uint32_t *offsets = arena_array(&arena, layout->column_count + 1u, sizeof *offsets);
	bool good = h5_table_open(file, arena_printf(&arena, "%s/%s", group, layout->name),
			    &table) == STATUS_OK;

	*rows = NULL;
	*row_count = 0;
	good = good && table.row_count <= UINT32_MAX && find_columns(&table, layout, offsets);
	if (good && table.row_count > 0) {
		*rows = calloc(table.row_count, layout->row_bytes);
		good = *rows && part_read_rows(&table, layout, offsets, *rows);
		*row_count = (uint32_t)table.row_count;
	}
	if (!good) {
		free(*rows);
		*rows = NULL;
		*row_count = 0;
	}
	h5_table_close(&table);
	arena_fini(&arena);
	return good;
}

bool part_row_count(struct h5_file *file, const char *path, uint32_t *row_count)
{
	struct h5_table table = {0};
	bool good = h5_table_open(file, path, &table) == STATUS_OK && table.row_count <= UINT32_MAX;

	*row_count = good ? (uint32_t)table.row_count : 0;
	h5_table_close(&table);
	return good;
}

bool part_text(struct h5_file *file, const char *object, const char *name, char *out, size_t size)
{
	struct arena arena = {0};
	const char *text;
	bool good = h5_text(file, object, name, &arena, &text) == STATUS_OK;

	strncpy(out, text, size - 1);
	out[size - 1] = '\0';
	arena_fini(&arena);
	return good;
}
