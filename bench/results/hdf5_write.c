/* Writes HDF5 files that are equal for equal data (hdf5_write.h). The only filters are shuffle and
 * deflate, so readers need no plugins. */
#include "bench/results/hdf5_write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ensure.h"
#include "results_file.h"

enum {
	CHUNK_BYTES = 1 << 20, /* a chunk fits into HDF5's chunk cache */
	PLAIN_BYTES = 4096,    /* tables up to this size are stored without filters */
	CHUNK_ROWS = 16384,
	COMPACT_ATTRIBUTES = 4096, /* most attributes that are kept in an object's header */
	/* Tables with more columns than this keep their attributes in an index of HDF5. An index is
	 * faster, because HDF5 searches all attributes in an object's header whenever it adds one.
	 */
	COMPACT_COLUMNS = 256,
	CONVERT_BYTES = 1 << 16, /* bytes of texts that HDF5 converts at a time */
	TEXT_BYTES = 16,	 /* size of a reference to a text in a file */
	UNIT_BYTES = 16
};

void hdf5_quiet(void)
{
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	H5PLset_loading_state(0);
}

hid_t hdf5_create(const char *path)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);

	H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
	H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
	H5Pset_obj_track_times(create, false);
	H5Pset_attr_phase_change(create, COMPACT_ATTRIBUTES, 0);

	/* Removes an existing file and creates a new one. Never opens an existing file, because it
	 * may be a link or a file of another user. */
	hid_t file = unlink(path) == 0 || errno == ENOENT
			     ? H5Fcreate(path, H5F_ACC_EXCL, create, access)
			     : -1;

	H5Pclose(access);
	H5Pclose(create);
	return file;
}

hid_t hdf5_group(hid_t parent, const char *name)
{
	hid_t create = H5Pcreate(H5P_GROUP_CREATE);

	H5Pset_obj_track_times(create, false);
	H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
	/* HDF5 1.10 crashes when it copies variable-length texts that are not compact. */
	H5Pset_attr_phase_change(create, COMPACT_ATTRIBUTES, 0);

	hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, create, H5P_DEFAULT);

	H5Pclose(create);
	return group;
}

/* Returns transfer properties for `count` texts, with the size of HDF5's conversion buffer. HDF5
 * clears the whole buffer, so a larger buffer than needed costs time. */
static hid_t text_transfer(uint32_t count)
{
	hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
	size_t bytes = (size_t)count * TEXT_BYTES;

	if (bytes > CONVERT_BYTES)
		bytes = CONVERT_BYTES;
	H5Pset_buffer(transfer, bytes < TEXT_BYTES ? TEXT_BYTES : bytes, NULL, NULL);
	return transfer;
}

static hid_t text_type(void)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, H5T_VARIABLE);
	H5Tset_cset(type, H5T_CSET_UTF8);
	return type;
}

static hid_t fixed_text_type(size_t bytes)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, bytes);
	H5Tset_cset(type, H5T_CSET_UTF8);
	H5Tset_strpad(type, H5T_STR_NULLPAD);
	return type;
}

static herr_t set_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, type, value);

	if (attribute >= 0 && H5Aclose(attribute) < 0)
		status = -1;
	H5Sclose(space);
	return status;
}

herr_t hdf5_set_text(hid_t object, const char *name, const char *value)
{
	hid_t type = text_type();
	const char *text = value ? value : "";
	herr_t status = set_attribute(object, name, type, &text);

	H5Tclose(type);
	return status;
}

herr_t hdf5_set_u64(hid_t object, const char *name, uint64_t value)
{
	return set_attribute(object, name, H5T_NATIVE_UINT64, &value);
}

herr_t hdf5_set_i64(hid_t object, const char *name, int64_t value)
{
	return set_attribute(object, name, H5T_NATIVE_INT64, &value);
}

herr_t hdf5_set_f64(hid_t object, const char *name, double value)
{
	return set_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

static hid_t dataset_properties(uint32_t columns)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE);

	H5Pset_obj_track_times(create, false);
	H5Pset_attr_phase_change(create, columns > COMPACT_COLUMNS ? 0 : COMPACT_ATTRIBUTES, 0);
	return create;
}

/* Closes `space`. */
static herr_t write_texts(
	hid_t group, const char *name, hid_t space, const char *const *texts, uint32_t count)
{
	hid_t create = dataset_properties(0), type = text_type();
	hid_t transfer = text_transfer(count);
	hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
	herr_t status = set < 0 ? -1 : 0;

	if (status >= 0 && count > 0)
		status = H5Dwrite(set, type, H5S_ALL, H5S_ALL, transfer, texts);
	if (set >= 0 && H5Dclose(set) < 0)
		status = -1;
	H5Pclose(transfer);
	H5Sclose(space);
	H5Tclose(type);
	H5Pclose(create);
	return status;
}

herr_t hdf5_text(hid_t group, const char *name, const char *value)
{
	const char *text = value ? value : "";

	return write_texts(group, name, H5Screate(H5S_SCALAR), &text, 1);
}

herr_t hdf5_texts(hid_t group, const char *name, const char *const *texts, uint32_t count)
{
	hsize_t rows = count;

	return write_texts(group, name, H5Screate_simple(1, &rows, NULL), texts, count);
}

static hid_t scalar_type(const struct column *column)
{
	switch (column->type) {
	case COLUMN_U8:
		return H5Tcopy(H5T_STD_U8LE);
	case COLUMN_U16:
		return H5Tcopy(H5T_STD_U16LE);
	case COLUMN_U32:
		return H5Tcopy(H5T_STD_U32LE);
	case COLUMN_U64:
		return H5Tcopy(H5T_STD_U64LE);
	case COLUMN_I16:
		return H5Tcopy(H5T_STD_I16LE);
	case COLUMN_I32:
		return H5Tcopy(H5T_STD_I32LE);
	case COLUMN_I64:
		return H5Tcopy(H5T_STD_I64LE);
	case COLUMN_F64:
	case COLUMN_TIME:
		return H5Tcopy(H5T_IEEE_F64LE);
	case COLUMN_TEXT:
		break;
	}
	return fixed_text_type(column->bytes);
}

/* Returns the compound type of a row, whose members have the given names. */
static hid_t row_type(const struct table *table, char (*names)[COLUMN_NAME_BYTES])
{
	hid_t type = H5Tcreate(H5T_COMPOUND, table->row_bytes);

	for (uint32_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		hid_t scalar = scalar_type(column);

		ensure(H5Tinsert(type, names[i], column->offset, scalar) >= 0, "column %s of %s",
			column->name, table->name);
		H5Tclose(scalar);
	}
	return type;
}

/* The objects for setting attributes about columns. Most of these attributes have the same type. */
struct abouts {
	hid_t dataset, space;
	hid_t type; /* type of a text of UNIT_BYTES bytes */
};

/* Sets an attribute about a column, as a text of fixed length. */
static herr_t set_about(
	const struct abouts *abouts, const char *what, const char *column, const char *value)
{
	char name[COLUMN_NAME_BYTES + 8], unit[UNIT_BYTES] = {0};
	size_t length = strlen(value);
	bool is_long = length > UNIT_BYTES;
	hid_t type = is_long ? fixed_text_type(length) : abouts->type, attribute;
	herr_t status;

	if (!is_long)
		memcpy(unit, value, length);
	snprintf(name, sizeof name, "%s:%s", what, column);
	attribute =
		H5Acreate2(abouts->dataset, name, type, abouts->space, H5P_DEFAULT, H5P_DEFAULT);
	status = attribute < 0 ? -1 : H5Awrite(attribute, type, is_long ? value : unit);
	if (attribute >= 0 && H5Aclose(attribute) < 0)
		status = -1;
	if (is_long)
		H5Tclose(type);
	return status;
}

static herr_t set_abouts(hid_t dataset, const struct table *table, char (*names)[COLUMN_NAME_BYTES])
{
	struct abouts abouts = {dataset, H5Screate(H5S_SCALAR), fixed_text_type(UNIT_BYTES)};
	herr_t status = 0;

	for (uint32_t i = 0; i < table->column_count && status >= 0; i++) {
		const struct column *column = &table->columns[i];

		status = set_about(&abouts, "unit", names[i], column->unit);
		if (status >= 0 && strcmp(names[i], column->name) != 0)
			status = set_about(&abouts, "key", names[i], column->name);
	}
	H5Tclose(abouts.type);
	H5Sclose(abouts.space);
	return status;
}

static hsize_t chunk_rows(const struct table *table, uint32_t chunk_bytes)
{
	hsize_t rows = chunk_bytes / table->row_bytes;

	if (rows > CHUNK_ROWS)
		rows = CHUNK_ROWS;
	return rows < 1 ? 1 : rows;
}

static void set_chunks(hid_t create, const struct table *table, uint32_t chunk_bytes)
{
	hsize_t rows = chunk_rows(table, chunk_bytes);

	if (table->row_count <= PLAIN_BYTES / table->row_bytes)
		return; /* contiguous, since filters would cost more than they save */
	if (rows > table->row_count)
		rows = table->row_count;
	H5Pset_chunk(create, 1, &rows);
	H5Pset_shuffle(create);
	H5Pset_deflate(create, 1);
}

hid_t hdf5_table_create(hid_t group, const struct table *table, uint32_t chunk_bytes)
{
	char(*names)[COLUMN_NAME_BYTES] = column_names(table);
	hsize_t rows = table->row_count;
	hid_t create = dataset_properties(table->column_count),
	      space = H5Screate_simple(1, &rows, NULL);
	hid_t type = row_type(table, names);

	H5Tpack(type);
	set_chunks(create, table, chunk_bytes);

	hid_t set = H5Dcreate2(group, table->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);

	if (set >= 0 && set_abouts(set, table, names) < 0) {
		H5Dclose(set);
		set = -1;
	}
	free(names);
	H5Tclose(type);
	H5Sclose(space);
	H5Pclose(create);
	return set;
}

/* ---- rows in the form of files: columns in the order of their offsets, without gaps ---- */

struct piece {
	uint32_t from, to, bytes;
};

struct packing {
	struct piece *pieces; /* groups of columns without gaps between them */
	uint32_t *times;      /* offsets of times in the packed row */
	uint32_t piece_count, time_count, row_bytes;
};

static int by_offset(const void *a, const void *b)
{
	const struct column *const *one = a, *const *other = b;

	return (one[0]->offset > other[0]->offset) - (one[0]->offset < other[0]->offset);
}

static struct packing packing_of(const struct table *table, struct arena *arena)
{
	const uint32_t count = table->column_count;
	const struct column **columns = arena_array(arena, count, sizeof *columns);
	struct packing packing = {.pieces = arena_array(arena, count, sizeof *packing.pieces),
		.times = arena_array(arena, count, sizeof *packing.times)};

	for (uint32_t i = 0; i < count; i++)
		columns[i] = &table->columns[i];
	qsort(columns, count, sizeof *columns, by_offset);
	for (uint32_t i = 0; i < count; i++) {
		struct piece *last = &packing.pieces[packing.piece_count - (i > 0)];

		if (columns[i]->type == COLUMN_TIME)
			packing.times[packing.time_count++] = packing.row_bytes;
		if (i == 0 || columns[i]->offset != last->from + last->bytes)
			packing.pieces[packing.piece_count++] =
				(struct piece){columns[i]->offset, packing.row_bytes, 0};
		packing.pieces[packing.piece_count - 1].bytes += columns[i]->bytes;
		packing.row_bytes += columns[i]->bytes;
	}
	return packing;
}

/* Converts a time to its form in files. */
static void spell_time(char *cell)
{
	int64_t time;
	double real;

	memcpy(&time, cell, sizeof time);
	real = time < 0 ? NAN : (double)time;
	memcpy(cell, &real, sizeof real);
}

static void pack(const struct packing *packing, const char *row, char *to)
{
	for (uint32_t i = 0; i < packing->piece_count; i++)
		memcpy(to + packing->pieces[i].to, row + packing->pieces[i].from,
			packing->pieces[i].bytes);
	for (uint32_t i = 0; i < packing->time_count; i++)
		spell_time(to + packing->times[i]);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows are written as they are in memory");

/* Converts rows to their type in the file, and writes them. HDF5 could convert the rows itself, but
 * for a small table its preparation of the conversion takes longer than the writing. */
herr_t hdf5_table_put(
	hid_t set, const struct table *table, uint64_t first, const void *rows, uint64_t count)
{
	struct arena arena = {0};
	struct packing packing = packing_of(table, &arena);
	hsize_t most = chunk_rows(table, CHUNK_BYTES);
	hid_t type = H5Dget_type(set), file = H5Dget_space(set);
	char *block = malloc((count < most ? count : most) * packing.row_bytes + 1);
	herr_t status = 0;

	ensure_memory(block, "rows of %s", table->name);
	ensure(H5Tget_size(type) == packing.row_bytes, "rows of %s have gaps", table->name);
	for (hsize_t done = 0; done < count && status >= 0; done += most) {
		hsize_t start = first + done, some = count - done < most ? count - done : most;
		hid_t memory = H5Screate_simple(1, &some, NULL);

		for (hsize_t i = 0; i < some; i++)
			pack(&packing, (const char *)rows + (done + i) * table->row_bytes,
				block + i * packing.row_bytes);
		status = H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &some, NULL);
		if (status >= 0)
			status = H5Dwrite(set, type, memory, file, H5P_DEFAULT, block);
		H5Sclose(memory);
	}
	free(block);
	H5Sclose(file);
	H5Tclose(type);
	arena_fini(&arena);
	return status;
}

herr_t hdf5_table(hid_t group, const struct table *table)
{
	hid_t set = hdf5_table_create(group, table, CHUNK_BYTES);
	herr_t status = set < 0 ? -1 : hdf5_table_put(set, table, 0, table->rows, table->row_count);

	if (set >= 0 && H5Dclose(set) < 0)
		status = -1;
	return status;
}
