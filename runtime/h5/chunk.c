/* Finds and decodes the rows of a dataset (private.h). The rows are contiguous, in a single chunk,
 * or in a fixed array of chunks. The filters shuffle and deflate are supported. */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/allocate.h"
#include "private.h"

enum { CLASS_CONTIGUOUS = 1, CLASS_CHUNKED = 2, CLASS_VIRTUAL = 3 };

enum { INDEX_SINGLE = 1, INDEX_FIXED_ARRAY = 3 };

static enum status read_filters(
	struct h5_file *file, const struct object *object, struct layout *layout)
{
	const struct message *message = object_message(object, MESSAGE_FILTERS);
	struct cursor at;
	uint64_t count;

	if (!message)
		return STATUS_OK;
	at = message->body;
	if (message->is_shared || cursor_number(&at, 1) != 2)
		return h5_file_refuse(file, NULL);
	count = cursor_number(&at, 1);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t id = cursor_number(&at, 2), numbers;

		if (at.bad || i >= FILTERS_MAX || (id != FILTER_DEFLATE && id != FILTER_SHUFFLE) ||
			(i > 0 && (layout->filters[0] != FILTER_SHUFFLE || id != FILTER_DEFLATE)))
			return h5_file_refuse(file, "a filter that meshsim does not use");
		cursor_bytes(&at, 2); /* flags */
		numbers = cursor_number(&at, 2);
		cursor_bytes(&at, numbers * 4);
		layout->filters[layout->filter_count++] = (enum filter)id;
	}
	return at.bad ? h5_file_refuse(file, NULL) : STATUS_OK;
}

/* Returns true if a chunk lies in the file and its size is plausible: the filters turn `whole`
 * bytes of rows into at most 2 * `whole` + 64 bytes. */
static bool is_good_chunk(
	const struct h5_file *file, const struct layout *layout, uint64_t whole, uint64_t number)
{
	const struct chunk *chunk = &layout->chunks[number];

	return h5_file_holds(file, chunk->address, chunk->bytes) && chunk->bytes > 0 &&
	       chunk->bytes <= 2 * whole + 64 && chunk->mask >> layout->filter_count == 0;
}

/* Reads the entries of a fixed array, one for each chunk. A few entries follow directly after the
 * head of the array. If there are more than fit into a page, they are in pages, each with a
 * checksum at its end. */
static bool read_entries(struct h5_file *file, uint64_t address, unsigned page_bits,
	unsigned entry_bytes, uint64_t whole, struct layout *layout)
{
	enum { HEAD_BYTES = 14, CHECKSUM_BYTES = 4 };
	uint64_t count = layout->chunk_count, page = UINT64_C(1) << page_bits, at;
	/* limit for the total size of the remaining chunks: chunks do not overlap, so all of them
	 * together are not longer than the file */
	uint64_t left = file->length;
	bool is_paged = count > page, is_filtered = layout->filter_count > 0;
	unsigned char head[HEAD_BYTES], bytes[20];
	struct cursor cursor = {head, sizeof head, false};

	if (!h5_file_read(file, address, head, sizeof head) || !cursor_signature(&cursor, "FADB"))
		return false;
	at = address + HEAD_BYTES;
	if (is_paged)
		at += ((count + page - 1) / page + 7) / 8 + CHECKSUM_BYTES;
	for (uint64_t i = 0; i < count; i++, at += entry_bytes) {
		struct chunk *chunk = &layout->chunks[i];

		if (is_paged && i > 0 && i % page == 0)
			at += CHECKSUM_BYTES;
		if (!h5_file_read(file, at, bytes, entry_bytes))
			return false;
		cursor = (struct cursor){bytes, entry_bytes, false};
		chunk->address = cursor_number(&cursor, 8);
		chunk->bytes = is_filtered ? cursor_number(&cursor, entry_bytes - 12) : whole;
		chunk->mask = is_filtered ? (uint32_t)cursor_number(&cursor, 4) : 0;
		if (!is_good_chunk(file, layout, whole, i) || chunk->bytes > left)
			return false;
		left -= chunk->bytes;
	}
	return true;
}

static bool read_fixed_array(
	struct h5_file *file, struct cursor *index, uint64_t whole, struct layout *layout)
{
	enum { ARRAY_BYTES = 28, PAGE_BITS_MAX = 30 };
	unsigned char bytes[ARRAY_BYTES];
	struct cursor at = {bytes, sizeof bytes, false};
	uint64_t address, client, entry_bytes, page_bits, count, block;

	cursor_number(index, 1);
	address = cursor_number(index, 8);
	if (index->bad || !h5_file_read(file, address, bytes, sizeof bytes) ||
		!cursor_signature(&at, "FAHD") || cursor_number(&at, 1) != 0)
		return false;
	client = cursor_number(&at, 1);
	entry_bytes = cursor_number(&at, 1);
	page_bits = cursor_number(&at, 1);
	count = cursor_number(&at, 8);
	block = cursor_number(&at, 8);
	if (client != (layout->filter_count > 0) || count != layout->chunk_count ||
		page_bits > PAGE_BITS_MAX ||
		(client ? entry_bytes < 13 || entry_bytes > 20 : entry_bytes != 8))
		return false;
	return read_entries(file, block, (unsigned)page_bits, (unsigned)entry_bytes, whole, layout);
}

static bool read_single(
	struct h5_file *file, struct cursor *index, uint64_t whole, struct layout *layout)
{
	struct chunk *chunk = &layout->chunks[0];

	chunk->bytes = layout->filter_count > 0 ? cursor_number(index, 8) : whole;
	chunk->mask = layout->filter_count > 0 ? (uint32_t)cursor_number(index, 4) : 0;
	chunk->address = cursor_number(index, 8);
	return !index->bad && layout->chunk_count == 1 && is_good_chunk(file, layout, whole, 0);
}

static bool read_chunks(struct h5_file *file, struct cursor at, uint64_t row_count,
	uint32_t row_bytes, struct arena *arena, struct layout *layout)
{
	enum { CHUNK_PLACE_BYTES = 8 };
	uint64_t flags = cursor_number(&at, 1), rank = cursor_number(&at, 1);
	uint64_t width = cursor_number(&at, 1), rows, element, index, whole;

	if (rank != 2 || width == 0 || width > 8)
		return false;
	rows = cursor_number(&at, (unsigned)width);
	element = cursor_number(&at, (unsigned)width);
	index = cursor_number(&at, 1);
	if (at.bad || element != row_bytes || rows == 0 || rows > CHUNK_BYTES_MAX / row_bytes)
		return false;
	whole = rows * row_bytes;
	layout->is_chunked = true;
	layout->chunk_rows = rows;
	layout->chunk_count = row_count / rows + (row_count % rows != 0);
	if (layout->chunk_count > file->length / CHUNK_PLACE_BYTES + 1)
		return false;
	layout->chunks = arena_array(arena, layout->chunk_count + 1, sizeof *layout->chunks);
	if (row_count == 0)
		return true;
	if (index == INDEX_SINGLE)
		return (flags & 2) == (layout->filter_count > 0 ? 2 : 0) &&
		       read_single(file, &at, whole, layout);
	return index == INDEX_FIXED_ARRAY && read_fixed_array(file, &at, whole, layout);
}

static bool read_contiguous(const struct h5_file *file, struct cursor at, uint64_t row_count,
	uint32_t row_bytes, struct layout *layout)
{
	uint64_t bytes;

	layout->address = cursor_number(&at, 8);
	bytes = cursor_number(&at, 8);
	if (at.bad || layout->filter_count > 0)
		return false;
	return row_count == 0 ||
	       (row_count <= file->length / row_bytes && bytes == row_count * row_bytes &&
		       h5_file_holds(file, layout->address, bytes));
}

enum status layout_read(struct h5_file *file, const struct object *object, uint64_t row_count,
	uint32_t row_bytes, struct arena *arena, struct layout *layout)
{
	const struct message *message = object_message(object, MESSAGE_LAYOUT);
	struct cursor at;
	uint64_t version, class;
	enum status status;
	bool good;

	memset(layout, 0, sizeof *layout);
	if (object_message(object, MESSAGE_EXTERNAL))
		return h5_file_refuse(file, "rows in another file");
	if (!message || message->is_shared)
		return h5_file_refuse(file, NULL);
	at = message->body;
	version = cursor_number(&at, 1);
	class = cursor_number(&at, 1);
	if (class == CLASS_VIRTUAL)
		return h5_file_refuse(file, "rows of other datasets");
	status = read_filters(file, object, layout);
	if (status != STATUS_OK)
		return status;
	good = version == 3 || version == 4;
	if (good && class == CLASS_CHUNKED && version == 4)
		good = read_chunks(file, at, row_count, row_bytes, arena, layout);
	else
		good = good && class == CLASS_CONTIGUOUS &&
		       read_contiguous(file, at, row_count, row_bytes, layout);
	return good ? STATUS_OK : h5_file_refuse(file, NULL);
}

/* ---- decoding ---- */

/* Reverses the shuffle filter, which sorts bytes by their position in a row. */
static void unshuffle(
	const unsigned char *from, uint64_t rows, uint32_t row_bytes, unsigned char *to)
{
	for (uint32_t byte = 0; byte < row_bytes; byte++)
		for (uint64_t row = 0; row < rows; row++)
			to[row * row_bytes + byte] = *from++;
}

/* Inflates to exactly `bytes` bytes. Returns false if the data are damaged or of another length. */
static bool inflate_all(
	const unsigned char *from, uint64_t length, unsigned char *to, uint64_t bytes)
{
	uLongf made = bytes;

	return uncompress(to, &made, from, length) == Z_OK && made == bytes;
}

enum status chunk_read(struct h5_file *file, const struct layout *layout, uint64_t number,
	uint32_t row_bytes, unsigned char *rows)
{
	const struct chunk *chunk = &layout->chunks[number];
	uint64_t whole = layout->chunk_rows * row_bytes, bytes = chunk->bytes;
	unsigned char *stored = allocate(1, bytes), *other = NULL;
	bool good = h5_file_read(file, chunk->address, stored, bytes);

	for (uint32_t i = layout->filter_count; i-- > 0 && good;) {
		if (chunk->mask >> i & 1)
			continue;
		other = allocate(1, whole);
		if (layout->filters[i] == FILTER_DEFLATE)
			good = inflate_all(stored, bytes, other, whole);
		else if ((good = bytes == whole))
			unshuffle(stored, layout->chunk_rows, row_bytes, other);
		free(stored);
		stored = other;
		bytes = whole;
	}
	good = good && bytes == whole;
	if (good)
		memcpy(rows, stored, whole);
	free(stored);
	return good ? STATUS_OK : h5_file_refuse(file, NULL);
}
