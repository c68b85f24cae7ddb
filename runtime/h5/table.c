/* Opens tables with their columns, and reads ranges of rows (h5/reader.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "private.h"

struct h5_storage {
	struct h5_file *file;
	struct arena arena;
	struct layout layout;
	struct attributes attributes;
	unsigned char *rows; /* the rows of the chunk that was read last */
	uint64_t number;     /* the number of the chunk that was read last */
};

/* Reads the types, row count, layout and attributes of the table from its object's messages. */
static enum status read_about(struct h5_storage *storage, uint64_t address, struct h5_table *table)
{
	struct h5_file *file = storage->file;
	struct object object;
	struct type type = {0};
	struct cursor at;
	bool is_scalar = false;
	enum status status = object_load(file, address, &storage->arena, &object);
	const struct message *of = object_message(&object, MESSAGE_DATATYPE),
			     *space = object_message(&object, MESSAGE_DATASPACE);

	if (status == STATUS_OK && (!of || !space || of->is_shared || space->is_shared))
		status = h5_file_refuse(file, NULL);
	if (status == STATUS_OK) {
		at = of->body;
		status = type_read(file, &at, &storage->arena, &type);
	}
	if (status == STATUS_OK) {
		at = space->body;
		status = space_read(file, &at, &table->row_count, &is_scalar);
	}
	if (status == STATUS_OK && (type.form != TYPE_COMPOUND || is_scalar))
		status = h5_file_refuse(file, NULL);
	if (status == STATUS_OK)
		status = layout_read(file, &object, table->row_count, type.bytes, &storage->arena,
			&storage->layout);
	if (status == STATUS_OK)
		status = attributes_load(file, address, &storage->arena, &storage->attributes);
	if (status == STATUS_OK)
		status = attributes_check(file, &storage->attributes, &storage->arena, NULL);
	for (uint32_t i = 0; status == STATUS_OK && i < storage->attributes.count; i++)
		if (storage->attributes.at[i].kind != H5_KIND_TEXT)
			status = h5_file_refuse(file, "an attribute of another type or shape");
	table->columns = type.columns;
	table->column_count = type.column_count;
	table->row_bytes = type.bytes;
	return status;
}

enum status h5_table_open(struct h5_file *file, const char *path, struct h5_table *table)
{
	uint64_t address;
	enum status status = link_find(file, path, &address);

	memset(table, 0, sizeof *table);
	if (status != STATUS_OK)
		return status;
	table->storage = allocate(1, sizeof *table->storage);
	table->storage->file = file;
	table->storage->number = UINT64_MAX;
	status = read_about(table->storage, address, table);
	if (status != STATUS_OK)
		h5_table_close(table);
	return status;
}

void h5_table_close(struct h5_table *table)
{
	if (table->storage) {
		free(table->storage->rows);
		arena_fini(&table->storage->arena);
	}
	free(table->storage);
	memset(table, 0, sizeof *table);
}

const char *h5_table_text(const struct h5_table *table, const char *name)
{
	struct h5_storage *storage = table->storage;
	const struct attribute *attribute = attributes_find(&storage->attributes, name);
	const char *text;

	if (!attribute ||
		attribute_text(storage->file, attribute, &storage->arena, &text) != STATUS_OK)
		return NULL;
	return text;
}

/* Loads chunk `number` into storage->rows, unless it is there already. */
static enum status take_chunk(struct h5_storage *storage, uint64_t number, uint32_t row_bytes)
{
	enum status status;

	if (storage->number == number)
		return STATUS_OK;
	if (!storage->rows)
		storage->rows = allocate(storage->layout.chunk_rows, row_bytes);
	storage->number = UINT64_MAX;
	status = chunk_read(storage->file, &storage->layout, number, row_bytes, storage->rows);
	if (status == STATUS_OK)
		storage->number = number;
	return status;
}

enum status h5_table_read(struct h5_table *table, uint64_t first, uint64_t count, void *rows)
{
	struct h5_storage *storage = table->storage;
	const uint64_t bytes = table->row_bytes, most = storage->layout.chunk_rows;
	unsigned char *to = rows;

	if (first > table->row_count || count > table->row_count - first)
		return h5_file_refuse(storage->file, NULL);
	if (!storage->layout.is_chunked)
		return count == 0 || h5_file_read(storage->file,
					     storage->layout.address + first * bytes, to,
					     count * bytes)
			       ? STATUS_OK
			       : h5_file_refuse(storage->file, NULL);
	while (count > 0) {
		uint64_t at = first % most, some = most - at < count ? most - at : count;
		enum status status = take_chunk(storage, first / most, table->row_bytes);

		if (status != STATUS_OK)
			return status;
		memcpy(to, storage->rows + at * bytes, some * bytes);
		to += some * bytes;
		first += some;
		count -= some;
	}
	return STATUS_OK;
}
