/* Opens result files and reads their attributes and tables, see result.h. */
#include "analysis/read/result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "h5/reader.h"

/* A cache with rows of the tables that were read last. Callers read the operations of all runs from
 * one large table, a few rows at a time, and in between read smaller tables of each run. So the
 * cache reads BLOCK_ROWS rows at once, and keeps the rows of BLOCK_COUNT tables. */
enum { BLOCK_ROWS = 4096, BLOCK_COUNT = 3 };

struct block {
	const char *path; /* path of the table; NULL: none yet */
	uint64_t first;
	uint64_t used; /* value of `uses` when the block was last used */
	struct h5_table table;
	struct dataset columns, rows; /* `rows` is in `arena`, `columns` in that of the result */
	struct arena arena;
};

struct result {
	struct h5_file *file;
	struct block blocks[BLOCK_COUNT];
	uint64_t uses; /* number of uses of blocks so far */
	struct arena arena;
	const char *damage; /* description of the first damage that was found; NULL: none */
};

bool result_has(struct result *result, const char *object)
{
	return h5_has(result->file, object);
}

/* If `status` is INVALID, records that attribute `what` of `object` is damaged. Keeps only the
 * first damage that was found. */
static void note_damage(
	struct result *result, enum status status, const char *object, const char *what)
{
	const char *reason = h5_reason(result->file);

	if (status != STATUS_INVALID || result->damage)
		return;
	result->damage = arena_printf(&result->arena, "damaged: cannot read '%s%s%s'%s%s", object,
		what[0] ? ":" : "", what, reason ? ": " : "", reason ? reason : "");
}

static const char *read_text(
	struct result *result, const char *object, const char *name, bool lines)
{
	const char *text;
	enum status status = h5_text(result->file, object, name, &result->arena, &text);

	note_damage(result, status, object, name);
	return text_plain(text, lines, &result->arena);
}

const char *result_text(struct result *result, const char *object, const char *name)
{
	return read_text(result, object, name, false);
}

const char *result_lines(struct result *result, const char *object, const char *name)
{
	return read_text(result, object, name, true);
}

const char *result_document(struct result *result, const char *path, struct arena *arena)
{
	const char **texts;
	uint32_t count;
	enum status status = h5_texts(result->file, path, arena, &texts, &count);

	note_damage(result, status, path, "");
	return count == 1 ? texts[0] : "";
}

bool result_has_number(struct result *result, const char *object, const char *name)
{
	uint64_t number;
	enum status status = h5_number(result->file, object, name, &number);

	note_damage(result, status, object, name);
	return status == STATUS_OK;
}

uint64_t result_number(struct result *result, const char *object, const char *name)
{
	uint64_t number;

	note_damage(result, h5_number(result->file, object, name, &number), object, name);
	return number;
}

/* Returns true if an open HDF5 file is a complete result file. Otherwise returns false with a
 * sentence in `why`. `sealed` is true if the file ends with a seal. A file with a seal and without
 * a summary is either damaged, or the part of a single run that was not merged yet. */
static bool check_layout(struct result *result, bool sealed, struct text *why)
{
	uint64_t version;

	if (h5_number(result->file, "/", "layout_version", &version) != STATUS_OK) {
		text_append(why, "an HDF5 file, but not a result file of meshsim");
		return false;
	}
	if (version != RESULTS_LAYOUT_VERSION) {
		text_printf(why, "written by layout version %llu, this reads %d: %s",
			(unsigned long long)version, RESULTS_LAYOUT_VERSION,
			version < RESULTS_LAYOUT_VERSION ? "run its scenario again"
							 : "read it with a newer meshsim");
		return false;
	}
	if (!sealed) {
		text_append(
			why, "damaged, cut off, or changed by another program: it lost its seal");
		return false;
	}
	if (h5_has(result->file, "/summary"))
		return true;
	if (h5_reason(result->file))
		text_printf(why, "damaged: cannot read '/summary': %s", h5_reason(result->file));
	else if (h5_has(result->file, "/run"))
		text_append(why, "one run's part of an unfinished file; finish it with --resume");
	else
		text_append(why, "damaged: it has no summary");
	return false;
}

/* Opens the HDF5 file of an open file descriptor, and becomes the owner of the descriptor. Returns
 * NULL, with a sentence in `why`, on failure. */
static struct h5_file *open_file(int descriptor, struct text *why)
{
	struct h5_file *file;

	switch (h5_open(descriptor, &file)) {
	case STATUS_OK:
		return file;
	case STATUS_NOT_FOUND:
		text_append(why, "not a result file of meshsim: not HDF5");
		return NULL;
	default:
		text_append(why, "damaged or cut off: HDF5 cannot open it");
		return NULL;
	}
}

struct result *result_open(const char *path, struct text *why)
{
	struct text reason = {0};
	int descriptor = file_open_input(path, &reason);
	struct result *result;
	struct h5_file *file;
	enum status seal;
	uint64_t identity;

	if (descriptor < 0)
		text_printf(why, "cannot read: %s", text_string(&reason));
	text_fini(&reason);
	if (descriptor < 0)
		return NULL;
	seal = seal_read_file(descriptor, &identity);
	if (seal == STATUS_INVALID) {
		text_append(why, "damaged: its bytes are not those that meshsim wrote");
		close(descriptor);
		return NULL;
	}
	file = open_file(descriptor, why);
	if (!file)
		return NULL;
	result = allocate(1, sizeof(*result));
	result->file = file;
	if (!check_layout(result, seal == STATUS_OK, why)) {
		result_close(result);
		return NULL;
	}
	return result;
}

static void close_block(struct block *block)
{
	h5_table_close(&block->table);
	arena_fini(&block->arena);
	memset(block, 0, sizeof(*block));
}

void result_close(struct result *result)
{
	if (!result)
		return;
	for (uint32_t i = 0; i < BLOCK_COUNT; i++)
		close_block(&result->blocks[i]);
	h5_close(result->file);
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
	const char *reason = h5_reason(result->file);

	note_damage(result, status, path, "");
	if (status == STATUS_INVALID)
		text_printf(why, "damaged: cannot read '%s'%s%s", path, reason ? ": " : "",
			reason ? reason : "");
	else if (status == STATUS_NO_SPACE)
		text_printf(why, "'%s' is larger than %llu bytes", path,
			(unsigned long long)DATASET_BYTES_MAX);
	return status;
}

enum status result_table_in(struct result *result, const char *path, struct arena *arena,
	struct dataset *dataset, struct text *why)
{
	return explain(result, dataset_read(result->file, path, arena, dataset), path, why);
}

/* Reads the block that begins with row `first`. */
static enum status fill_block(struct block *block, uint64_t first)
{
	uint64_t left = block->table.row_count - first;

	arena_fini(&block->arena);
	block->first = first;
	return dataset_read_rows(&block->table, first, left < BLOCK_ROWS ? left : BLOCK_ROWS,
		&block->arena, &block->rows);
}

/* Sets *taken to the block in which the table `path` is open. If there is no such block, opens the
 * table in the block that was not used for the longest time, and reads the columns of the table. */
static enum status take_block(struct result *result, const char *path, struct block **taken)
{
	struct block *block = &result->blocks[0];
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < BLOCK_COUNT; i++) {
		struct block *other = &result->blocks[i];

		if (other->path && strcmp(other->path, path) == 0) {
			block = other;
			break;
		}
		if (other->used < block->used)
			block = other;
	}
	if (!block->path || strcmp(block->path, path) != 0) {
		close_block(block);
		status = h5_table_open(result->file, path, &block->table);
		if (status == STATUS_OK)
			status = dataset_read_rows(
				&block->table, 0, 0, &result->arena, &block->columns);
		block->path = status == STATUS_OK ? arena_string(&result->arena, path) : NULL;
	}
	block->used = ++result->uses;
	*taken = block;
	return status;
}

static enum status result_read_rows(struct result *result, const char *path, uint64_t first,
	uint64_t count, struct arena *arena, struct dataset *dataset)
{
	struct block *block;
	enum status status = take_block(result, path, &block);
	size_t bytes;

	if (status == STATUS_OK && count > BLOCK_ROWS)
		return dataset_read_rows(&block->table, first, count, arena, dataset);
	if (status == STATUS_OK &&
		(first > block->table.row_count || count > block->table.row_count - first))
		status = STATUS_INVALID;
	if (status == STATUS_OK &&
		(first < block->first || first + count > block->first + block->rows.row_count))
		status = fill_block(block, first);
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
	return explain(
		result, result_read_rows(result, path, first, count, arena, dataset), path, why);
}

enum status result_count_in(
	struct result *result, const char *path, uint64_t *count, struct text *why)
{
	struct block *block;
	enum status status = take_block(result, path, &block);

	*count = status == STATUS_OK ? block->table.row_count : 0;
	return explain(result, status, path, why);
}

bool result_attributes(struct result *result, const char *object, struct text *why)
{
	enum status status = h5_attributes_check(result->file, object);

	return explain(result, status == STATUS_NOT_FOUND ? STATUS_OK : status, object, why) ==
	       STATUS_OK;
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
