/* Tests that the reader of result files can read everything that the writer writes. HDF5 stores
 * links, attributes, chunks and texts in different ways, depending on whether there are few or many
 * of them. label: full */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/results/hdf5_write.h"
#include "bench/results/table.h"
#include "h5/reader.h"
#include "shell.h"

struct small_row {
	uint32_t number;
	int16_t below;
	double real;
	char text[12];
};

static const struct column small_columns[] = {
	COLUMN(struct small_row, number, "1"),
	COLUMN(struct small_row, below, "cycles"),
	COLUMN(struct small_row, real, "1/s"),
	COLUMN(struct small_row, text, "text"),
};

static struct h5_file *open_file(void)
{
	struct h5_file *file = NULL;
	int descriptor = open("x.h5", O_RDONLY);

	assert_true(descriptor >= 0);
	assert_int_equal(h5_open(descriptor, &file), STATUS_OK);
	return file;
}

/* Writes `count` rows in chunks of about `chunk_bytes`, and reads them back. */
static void assert_rows(uint32_t count, uint32_t chunk_bytes)
{
	struct small_row *rows = allocate(count + 1, sizeof *rows);
	struct table table = {"t", small_columns, 4, sizeof *rows, rows, count};
	hid_t out = hdf5_create("x.h5"), set;
	struct h5_file *file;
	uint32_t read;
	void *back;

	for (uint32_t i = 0; i < count; i++) {
		rows[i].number = i * 2654435761u;
		rows[i].below = (int16_t)-i;
		rows[i].real = i / 7.0;
		snprintf(rows[i].text, sizeof rows[i].text, "%u", i);
	}
	set = hdf5_table_create(out, &table, chunk_bytes);
	assert_true(hdf5_table_put(set, &table, 0, rows, count) >= 0);
	H5Dclose(set);
	H5Fclose(out);
	file = open_file();
	assert_int_equal(h5_check(file, "/"), STATUS_OK);
	assert_true(part_table(file, "", &table, &back, &read));
	assert_int_equal(read, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct small_row *row = (const struct small_row *)back + i;

		if (row->number != rows[i].number || row->below != rows[i].below ||
			row->real != rows[i].real || strcmp(row->text, rows[i].text) != 0)
			fail_msg("row %u of %u: %u, expected %u", i, count, row->number,
				rows[i].number);
	}
	h5_close(file);
	free(back);
	free(rows);
}

TEST(rows_come_back_from_any_number_of_chunks)
{
	assert_rows(0, 1000);
	assert_rows(1, 1000);
	assert_rows(1000, 1 << 20);
	assert_rows(1000, 1000);
	assert_rows(1024 * 8 - 1, 256);	 /* a page of chunks minus one row */
	assert_rows(1024 * 8 + 1, 256);	 /* plus one row */
	assert_rows(10000 * 8 + 3, 256); /* many pages */
}

TEST(objects_are_found_among_any_number)
{
	static const uint32_t counts[] = {1, 8, 9, 100, 3000, 40000};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		hid_t out = hdf5_create("x.h5"), group = hdf5_group(out, "runs");
		struct h5_file *file;
		char path[32];

		for (uint32_t j = 0; j < counts[i]; j++) {
			snprintf(path, sizeof path, "%06u", j);
			H5Gclose(hdf5_group(group, path));
		}
		H5Gclose(group);
		H5Fclose(out);
		file = open_file();
		for (uint32_t j = 0; j < counts[i]; j++) {
			snprintf(path, sizeof path, "/runs/%06u", j);
			if (!h5_has(file, path))
				fail_msg("%s of %u is not found", path, counts[i]);
		}
		snprintf(path, sizeof path, "/runs/%06u", counts[i]);
		assert_false(h5_has(file, path));
		assert_null(h5_reason(file));
		h5_close(file);
	}
}

/* If a table has more than 4,096 attributes, HDF5 stores them in another place. In this test each
 * column has two attributes, so this happens from 2,049 columns on. */
TEST(units_come_back_of_any_number_of_columns)
{
	static const uint32_t counts[] = {1, 100, 2048, 2049, 2500};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		uint32_t count = counts[i];
		struct column *columns = allocate(count, sizeof *columns);
		char(*names)[16] = allocate(count, sizeof *names);
		uint64_t *row = allocate(count, sizeof *row);
		struct table table = {"t", columns, count, count * 8, row, 1};
		hid_t out = hdf5_create("x.h5");
		struct h5_table read;
		struct h5_file *file;
		char name[32];

		for (uint32_t j = 0; j < count; j++) {
			snprintf(names[j], sizeof names[j], "c.%u", j);
			columns[j] = (struct column){
				names[j], j % 2 ? "cycles" : "B/s", COLUMN_U64, j * 8, 8};
		}
		assert_true(hdf5_table(out, &table) >= 0);
		H5Fclose(out);
		file = open_file();
		assert_int_equal(h5_table_open(file, "/t", &read), STATUS_OK);
		assert_int_equal(read.column_count, count);
		for (uint32_t j = 0; j < count; j++) {
			snprintf(name, sizeof name, "c_%u", j);
			assert_string_equal(read.columns[j].name, name);
			snprintf(name, sizeof name, "key:c_%u", j);
			assert_string_equal(h5_table_text(&read, name), names[j]);
			snprintf(name, sizeof name, "unit:c_%u", j);
			assert_string_equal(h5_table_text(&read, name), columns[j].unit);
		}
		h5_table_close(&read);
		h5_close(file);
		free(row);
		free(names);
		free(columns);
	}
}

TEST(texts_come_back_of_any_length)
{
	enum { COUNT = 300 };
	const char *texts[COUNT], **back;
	struct arena arena = {0};
	struct h5_file *file;
	hid_t out = hdf5_create("x.h5");
	uint32_t count;
	const char *text;

	for (uint32_t i = 0; i < COUNT; i++) {
		char *made = arena_alloc(&arena, i * i + 1);

		memset(made, 'a' + (int)(i % 26), i * i);
		texts[i] = made;
	}
	assert_true(hdf5_texts(out, "list", texts, COUNT) >= 0);
	assert_true(hdf5_text(out, "one", texts[250]) >= 0);
	assert_true(hdf5_texts(out, "none", texts, 0) >= 0);
	assert_true(hdf5_set_text(out, "attribute", texts[249]) >= 0);
	assert_true(hdf5_set_i64(out, "number", -5) >= 0);
	H5Fclose(out);
	file = open_file();
	assert_int_equal(h5_texts(file, "/list", &arena, &back, &count), STATUS_OK);
	assert_int_equal(count, COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_string_equal(back[i], texts[i]);
	assert_int_equal(h5_texts(file, "/one", &arena, &back, &count), STATUS_OK);
	assert_int_equal(count, 1);
	assert_string_equal(back[0], texts[250]);
	assert_int_equal(h5_texts(file, "/none", &arena, &back, &count), STATUS_OK);
	assert_int_equal(count, 0);
	assert_int_equal(h5_text(file, "/", "attribute", &arena, &text), STATUS_OK);
	assert_string_equal(text, texts[249]);
	assert_int_equal(h5_number(file, "/", "number", &(uint64_t){0}), STATUS_OK);
	assert_int_equal(h5_text(file, "/", "number", &arena, &text), STATUS_INVALID);
	assert_int_equal(h5_text(file, "/", "none", &arena, &text), STATUS_NOT_FOUND);
	assert_int_equal(h5_check(file, "/"), STATUS_OK);
	h5_close(file);
	arena_fini(&arena);
}

TEST_MAIN(shell_folder_enter, shell_folder_remove)
