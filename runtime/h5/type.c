/* Reads types and dataspaces (private.h). Supports little-endian numbers, texts, rows that consist
 * of these, and dataspaces with at most one dimension. */
#include <string.h>

#include "private.h"

enum class {
	CLASS_INTEGER = 0,
	CLASS_REAL = 1,
	CLASS_TEXT = 3,
	CLASS_COMPOUND = 6,
	CLASS_LIST = 9
};

/* The head of a type. */
struct head {
	enum class class;
	unsigned version;
	uint32_t bits, bytes;
};

static bool type_read_head(struct cursor *cursor, struct head *head)
{
	uint64_t first = cursor_number(cursor, 1);

	head->class = (enum class)(first & 15);
	head->version = (unsigned)first >> 4;
	head->bits = (uint32_t)cursor_number(cursor, 3);
	head->bytes = (uint32_t)cursor_number(cursor, 4);
	return !cursor->bad && head->bytes > 0;
}

/* Reads an integer type. The integers must use all bits of 1, 2, 4 or 8 bytes. */
static bool read_integer(struct cursor *cursor, const struct head *head, struct type *type)
{
	uint64_t offset = cursor_number(cursor, 2), precision = cursor_number(cursor, 2);
	uint32_t bytes = head->bytes;

	type->kind = head->bits & 8 ? H5_KIND_SIGNED : H5_KIND_UNSIGNED;
	return !cursor->bad && (head->bits & 1) == 0 && offset == 0 && bytes <= 8 &&
	       (bytes & (bytes - 1)) == 0 && precision == 8 * bytes;
}

/* Reads a type of reals, which must be IEEE 754 with 4 or 8 bytes. */
static bool read_real(struct cursor *cursor, const struct head *head, struct type *type)
{
	static const unsigned char single[12] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0};
	static const unsigned char twice[12] = {0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0};
	const unsigned char *about = cursor_bytes(cursor, sizeof twice);
	const uint32_t orders = 1 | 64, normal = 2 << 4, normals = 3 << 4;

	type->kind = H5_KIND_REAL;
	if (!about || (head->bits & orders) != 0 || (head->bits & normals) != normal)
		return false;
	return head->bytes == 4	  ? memcmp(about, single, sizeof single) == 0
	       : head->bytes == 8 ? memcmp(about, twice, sizeof twice) == 0
				  : false;
}

/* Reads the type of a number or of a text of fixed length. */
static bool read_plain(struct cursor *cursor, const struct head *head, struct type *type)
{
	type->form = TYPE_PLAIN;
	type->bytes = head->bytes;
	type->kind = H5_KIND_TEXT;
	switch (head->class) {
	case CLASS_INTEGER:
		return read_integer(cursor, head, type);
	case CLASS_REAL:
		return read_real(cursor, head, type);
	case CLASS_TEXT:
		return head->bytes < H5_TEXT_BYTES_MAX;
	default:
		return false;
	}
}

/* Reads the type of a variable-length text: a list of characters that is marked as a text. */
static bool read_variable(struct cursor *cursor, const struct head *head, struct type *type)
{
	struct head base;

	type->form = TYPE_VARIABLE_TEXT;
	type->bytes = head->bytes;
	type->kind = H5_KIND_TEXT;
	return (head->bits & 15) == 1 && head->bytes == VARIABLE_BYTES &&
	       type_read_head(cursor, &base) && base.bytes == 1 &&
	       (base.class == CLASS_TEXT || base.class == CLASS_INTEGER);
}

/* Returns the number of bytes of a member offset in the file, which depends on the row's size. */
static unsigned offset_bytes(uint32_t row_bytes)
{
	return row_bytes < 1u << 8 ? 1 : row_bytes < 1u << 16 ? 2 : row_bytes < 1u << 24 ? 3 : 4;
}

/* Reads a member of a row, in the format of version 3, which meshsim writes. */
static bool read_member(
	struct cursor *cursor, uint32_t row_bytes, struct arena *arena, struct h5_column *column)
{
	const unsigned char *end = cursor->left ? memchr(cursor->at, '\0', cursor->left) : NULL;
	size_t length = end ? (size_t)(end - cursor->at) : 0;
	const unsigned char *name = cursor_bytes(cursor, length + 1);
	struct type type = {0};
	struct head head;
	uint64_t offset;

	if (!end || !name || length == 0)
		return false;
	offset = cursor_number(cursor, offset_bytes(row_bytes));
	if (!type_read_head(cursor, &head) || !read_plain(cursor, &head, &type) ||
		type.bytes > row_bytes || offset > row_bytes - type.bytes)
		return false;
	*column = (struct h5_column){
		arena_copy(arena, name, length), type.kind, (uint32_t)offset, type.bytes};
	return true;
}

static bool read_compound(
	struct cursor *cursor, const struct head *head, struct arena *arena, struct type *type)
{
	enum { MEMBER_BYTES_LEAST = 12 };
	uint32_t count = head->bits & 0xffff;

	type->form = TYPE_COMPOUND;
	type->bytes = head->bytes;
	if (head->version != 3 || count == 0 || count > cursor->left / MEMBER_BYTES_LEAST + 1 ||
		head->bytes > CHUNK_BYTES_MAX)
		return false;
	type->columns = arena_array(arena, count, sizeof *type->columns);
	type->column_count = count;
	for (uint32_t i = 0; i < count; i++)
		if (!read_member(cursor, head->bytes, arena, &type->columns[i]))
			return false;
	return true;
}

enum status type_read(
	struct h5_file *file, struct cursor *cursor, struct arena *arena, struct type *type)
{
	struct head head;
	bool good = type_read_head(cursor, &head);

	memset(type, 0, sizeof *type);
	if (good && head.class == CLASS_COMPOUND)
		good = read_compound(cursor, &head, arena, type);
	else if (good && head.class == CLASS_LIST)
		good = read_variable(cursor, &head, type);
	else if (good)
		good = read_plain(cursor, &head, type);
	return good ? STATUS_OK : h5_file_refuse(file, "a type that meshsim does not write");
}

enum status space_read(
	struct h5_file *file, struct cursor *cursor, uint64_t *count, bool *is_scalar)
{
	enum { SIMPLE_RANK_MOST = 1, NULL_SPACE = 2 };
	uint64_t version = cursor_number(cursor, 1), rank = cursor_number(cursor, 1);
	uint64_t kind;

	cursor_bytes(cursor, 1);
	kind = version == 1 ? 0 : cursor_number(cursor, 1);
	cursor_bytes(cursor, version == 1 ? 5 : 0);
	*is_scalar = rank == 0;
	*count = rank == 1 ? cursor_number(cursor, 8) : 1;
	if (cursor->bad || (version != 1 && version != 2) || rank > SIMPLE_RANK_MOST ||
		kind == NULL_SPACE)
		return h5_file_refuse(file, "a shape that meshsim does not write");
	return STATUS_OK;
}
