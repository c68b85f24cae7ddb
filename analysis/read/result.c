/* Opens result files, see result.h. Rejects files that are incomplete, foreign or of an unknown
 * layout. */
#include "analysis/read/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "base/allocate.h"
#include "base/seal.h"
#include "base/text.h"

/* A table whose rows are asked for run by run, a few at a time: HDF5 takes longer to find a row
 * than to read a thousand. */
enum { BLOCK_ROWS = 4096 };

struct block {
	const char *path; /* NULL: none yet */
	uint64_t first, total;
	struct dataset columns, rows; /* rows: in `arena` */
	struct arena arena;
};

struct result {
	hid_t file;
	struct dataset_source source;
	struct block block;
	struct arena arena;
	const char *damage; /* the first that was found; NULL: none */
};

/* True if every group on the way and the object itself exist. */
static bool has_object(hid_t file, const char *object)
{
	char path[256];

	if (strlen(object) >= sizeof(path))
		return false;
	for (const char *end = strchr(object + 1, '/');; end = strchr(end + 1, '/')) {
		size_t length = end ? (size_t)(end - object) : strlen(object);
		memcpy(path, object, length);
		path[length] = '\0';
		if (strcmp(path, "/") != 0 && H5Lexists(file, path, H5P_DEFAULT) <= 0)
			return false;
		if (!end)
			return true;
	}
}

bool result_has(struct result *result, const char *object)
{
	return has_object(result->file, object);
}

/* Attribute `name` of `object`, or a negative number. */
static hid_t open_attribute(hid_t file, const char *object, const char *name)
{
	if (!has_object(file, object))
		return -1;
	if (H5Aexists_by_name(file, object, name, H5P_DEFAULT) <= 0)
		return -1;
	return H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
}

const char *result_text(struct result *result, const char *object, const char *name)
{
	hid_t attribute = open_attribute(result->file, object, name);
	const char *text = "";
	char *read = NULL;

	if (attribute < 0)
		return text;
	hid_t type = H5Aget_type(attribute);
	if (H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &read) >= 0 && read) {
		text = text_plain(read, true, &result->arena);
		H5free_memory(read);
	}
	H5Tclose(type);
	H5Aclose(attribute);
	return text;
}

const char *result_document(struct result *result, const char *path)
{
	const char *text = "";
	char *read = NULL;

	if (!has_object(result->file, path))
		return text;
	hid_t set = H5Dopen2(result->file, path, H5P_DEFAULT);
	if (set < 0)
		return text;
	hid_t type = H5Dget_type(set), space = H5Dget_space(set);
	if (H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1 &&
		H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read) >= 0 && read) {
		text = arena_string(&result->arena, read);
		H5free_memory(read);
	}
	H5Sclose(space);
	H5Tclose(type);
	H5Dclose(set);
	return text;
}

/* False if there is no such number. */
static bool read_number(hid_t file, const char *object, const char *name, uint64_t *number)
{
	hid_t attribute = open_attribute(file, object, name);
	bool good;

	*number = 0;
	if (attribute < 0)
		return false;
	hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
	good = H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1 &&
	       H5Aread(attribute, H5T_NATIVE_UINT64, number) >= 0;
	H5Tclose(type);
	H5Sclose(space);
	H5Aclose(attribute);
	return good;
}

bool result_has_number(struct result *result, const char *object, const char *name)
{
	uint64_t number;

	return read_number(result->file, object, name, &number);
}

uint64_t result_number(struct result *result, const char *object, const char *name)
{
	uint64_t number;

	read_number(result->file, object, name, &number);
	return number;
}

/* What an open HDF5 file lacks to be a result file; true if nothing. A part has a seal, but is
 * none. */
static bool check_layout(struct result *result, bool sealed, struct text *why)
{
	uint64_t version;

	if (!read_number(result->file, "/", "layout_version", &version)) {
		text_append(why, "an HDF5 file, but not a result file of meshsim");
		return false;
	}
	if (version != LAYOUT_READ) {
		text_printf(why, "written by layout version %llu, this reads %d: %s",
			(unsigned long long)version, LAYOUT_READ,
			version < LAYOUT_READ ? "run its scenario again"
					      : "read it with a newer meshsim");
		return false;
	}
	if (!sealed) {
		text_append(
			why, "damaged, cut off, or changed by another program: it lost its seal");
		return false;
	}
	if (has_object(result->file, "/summary"))
		return true;
	if (has_object(result->file, "/run"))
		text_append(why, "one run's part of an unfinished file; finish it with --resume");
	else
		text_append(why, "damaged: it has no summary");
	return false;
}

struct result *result_open(const char *path, struct text *why)
{
	struct result *result;
	enum status seal;
	uint64_t identity;

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	if (access(path, R_OK) != 0) {
		text_printf(why, "cannot read: %s", strerror(errno));
		return NULL;
	}
	seal = seal_read(path, &identity);
	if (seal == STATUS_INVALID) {
		text_append(why, "damaged: its bytes are not those that meshsim wrote");
		return NULL;
	}
	if (H5Fis_hdf5(path) <= 0) {
		text_append(why, "not a result file of meshsim: not HDF5");
		return NULL;
	}
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	if (file < 0) {
		text_append(why, "damaged or cut off: HDF5 cannot open it");
		return NULL;
	}
	result = allocate(1, sizeof(*result));
	result->file = file;
	result->source = (struct dataset_source){file, &result->arena, NULL};
	if (!check_layout(result, seal == STATUS_OK, why)) {
		result_close(result);
		return NULL;
	}
	return result;
}

void result_close(struct result *result)
{
	if (!result)
		return;
	dataset_plans_free(result->source.plans);
	H5Fclose(result->file);
	arena_fini(&result->block.arena);
	arena_fini(&result->arena);
	free(result);
}

struct arena *result_arena(struct result *result)
{
	return &result->arena;
}

static enum status explain(
	struct result *result, enum status status, const char *path, struct text *why)
{
	if (status == STATUS_INVALID && !result->damage)
		result->damage = arena_printf(&result->arena, "damaged: cannot read '%s'", path);
	if (status == STATUS_INVALID)
		text_printf(why, "damaged: cannot read '%s'", path);
	else if (status == STATUS_NO_SPACE)
		text_printf(why, "'%s' is larger than %llu bytes", path,
			(unsigned long long)DATASET_BYTES_MAX);
	return status;
}

enum status result_table_in(struct result *result, const char *path, struct arena *arena,
	struct dataset *dataset, struct text *why)
{
	return explain(result, dataset_read(&result->source, path, arena, dataset), path, why);
}

/* The columns of a table, and how many rows it has. */
static enum status open_block(struct result *result, const char *path)
{
	struct block *block = &result->block;
	enum status status;
	hid_t set, space;

	arena_fini(&block->arena);
	memset(block, 0, sizeof(*block));
	status = dataset_read_rows(&result->source, path, 0, 0, &result->arena, &block->columns);
	if (status != STATUS_OK)
		return status;
	set = H5Dopen2(result->file, path, H5P_DEFAULT);
	space = H5Dget_space(set);
	block->total = (uint64_t)H5Sget_simple_extent_npoints(space);
	block->path = arena_string(&result->arena, path);
	H5Sclose(space);
	H5Dclose(set);
	return STATUS_OK;
}

/* Makes the block begin with that row. */
static enum status fill_block(struct result *result, uint64_t first)
{
	struct block *block = &result->block;
	uint64_t count = block->total - first < BLOCK_ROWS ? block->total - first : BLOCK_ROWS;

	arena_fini(&block->arena);
	block->first = first;
	return dataset_read_rows(
		&result->source, block->path, first, count, &block->arena, &block->rows);
}

static enum status read_rows(struct result *result, const char *path, uint64_t first,
	uint64_t count, struct arena *arena, struct dataset *dataset)
{
	struct block *block = &result->block;
	enum status status = STATUS_OK;
	size_t bytes;

	if (count > BLOCK_ROWS)
		return dataset_read_rows(&result->source, path, first, count, arena, dataset);
	if (!block->path || strcmp(block->path, path) != 0)
		status = open_block(result, path);
	if (status == STATUS_OK && (first > block->total || count > block->total - first))
		status = STATUS_INVALID;
	if (status == STATUS_OK &&
		(first < block->first || first + count > block->first + block->rows.row_count))
		status = fill_block(result, first);
	if (status != STATUS_OK)
		return status;
	*dataset = block->columns;
	bytes = count * dataset->row_bytes;
	dataset->row_count = count;
	dataset->rows = arena_array(arena, count, dataset->row_bytes);
	if (bytes > 0)
		memcpy(dataset->rows,
			block->rows.rows + (first - block->first) * dataset->row_bytes, bytes);
	return STATUS_OK;
}

enum status result_rows_in(struct result *result, const char *path, uint64_t first, uint64_t count,
	struct arena *arena, struct dataset *dataset, struct text *why)
{
	return explain(result, read_rows(result, path, first, count, arena, dataset), path, why);
}

const char *result_damage(const struct result *result)
{
	return result->damage;
}

enum status result_table(
	struct result *result, const char *path, struct dataset *dataset, struct text *why)
{
	enum status status = result_table_in(result, path, &result->arena, dataset, why);

	if (status == STATUS_NOT_FOUND)
		text_printf(why, "damaged: it has no '%s'", path);
	return status;
}
