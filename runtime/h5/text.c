/* Reads variable-length texts and lists of such texts (private.h). The texts are in the file's
 * global heap. */
#include <string.h>

#include "private.h"

/* Finds object `index` of the collection at `address`. Sets *object to the address and *length to
 * the length of the object. Returns false if there is no such object. */
static bool find_object(
	struct h5_file *file, uint64_t address, uint64_t index, uint64_t *object, uint64_t *length)
{
	enum { HEAD_BYTES = 16 };
	unsigned char bytes[HEAD_BYTES];
	struct cursor at = {bytes, sizeof bytes, false};
	uint64_t left;

	if (!h5_file_read(file, address, bytes, sizeof bytes) || !cursor_signature(&at, "GCOL") ||
		cursor_number(&at, 1) != 1)
		return false;
	cursor_bytes(&at, 3);
	left = cursor_number(&at, 8);
	if (left < HEAD_BYTES || !h5_file_holds(file, address, left))
		return false;
	for (left -= HEAD_BYTES, address += HEAD_BYTES; left >= HEAD_BYTES;) {
		uint64_t number, padded;

		at = (struct cursor){bytes, sizeof bytes, false};
		if (!h5_file_read(file, address, bytes, sizeof bytes))
			return false;
		number = cursor_number(&at, 2);
		cursor_bytes(&at, 6);
		*length = cursor_number(&at, 8);
		*object = address + HEAD_BYTES;
		if (number == 0) /* free space up to the end of the collection */
			return false;
		if (*length > left - HEAD_BYTES)
			return false;
		if (number == index)
			return true;
		padded = HEAD_BYTES + ((*length + 7) & ~UINT64_C(7));
		if (padded > left)
			return false;
		left -= padded;
		address += padded;
	}
	return false;
}

enum status variable_text(
	struct h5_file *file, const unsigned char *place, struct arena *arena, const char **text)
{
	struct cursor at = {place, VARIABLE_BYTES, false};
	uint64_t length = cursor_number(&at, 4), address = cursor_number(&at, 8);
	uint64_t index = cursor_number(&at, 4), object, room;
	char *copy;

	*text = "";
	if (length == 0)
		return STATUS_OK;
	if (index == 0 || !find_object(file, address, index, &object, &room) || length > room)
		return h5_file_refuse(file, NULL);
	copy = arena_alloc(arena, length + 1);
	if (!h5_file_read(file, object, copy, length))
		return h5_file_refuse(file, NULL);
	*text = copy;
	return STATUS_OK;
}

/* Reads the texts to which `count` references refer. It is an error if all these texts together are
 * longer than the file: then a forged file has many references to the same long text. In files that
 * meshsim writes, no two references share a text. */
static enum status read_texts(struct h5_file *file, const unsigned char *places,
	struct arena *arena, const char **texts, uint32_t count)
{
	uint64_t left = file->length;

	for (uint32_t i = 0; i < count; i++) {
		struct cursor at = {places + (size_t)i * VARIABLE_BYTES, 4, false};
		uint64_t length = cursor_number(&at, 4);
		enum status status;

		if (length > left)
			return h5_file_refuse(file, NULL);
		left -= length;
		status = variable_text(file, places + (size_t)i * VARIABLE_BYTES, arena, &texts[i]);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* Reads the dataset's references into `scratch`, and sets *places and *count. */
static enum status read_places(struct h5_file *file, uint64_t address, struct arena *scratch,
	const unsigned char **places, uint32_t *count)
{
	struct layout layout;
	struct object object;
	struct cursor at, bytes = {0};
	struct type type;
	uint64_t elements;
	bool is_scalar;
	enum status status = object_load(file, address, scratch, &object);
	const struct message *of = object_message(&object, MESSAGE_DATATYPE),
			     *space = object_message(&object, MESSAGE_DATASPACE);

	if (status == STATUS_OK && (!of || !space || of->is_shared || space->is_shared))
		status = h5_file_refuse(file, NULL);
	if (status == STATUS_OK) {
		at = of->body;
		status = type_read(file, &at, scratch, &type);
	}
	if (status == STATUS_OK && type.form != TYPE_VARIABLE_TEXT)
		status = h5_file_refuse(file, "no text");
	if (status == STATUS_OK) {
		at = space->body;
		status = space_read(file, &at, &elements, &is_scalar);
	}
	if (status == STATUS_OK)
		status = layout_read(file, &object, elements, VARIABLE_BYTES, scratch, &layout);
	if (status == STATUS_OK && (layout.is_chunked || elements > UINT32_MAX))
		status = h5_file_refuse(file, NULL);
	if (status == STATUS_OK && elements > 0 &&
		!h5_file_load(file, layout.address, elements * VARIABLE_BYTES, scratch, &bytes))
		status = h5_file_refuse(file, NULL);
	*places = bytes.at;
	*count = status == STATUS_OK ? (uint32_t)elements : 0;
	return status;
}

enum status h5_texts(struct h5_file *file, const char *path, struct arena *arena,
	const char ***texts, uint32_t *count)
{
	const unsigned char *places = NULL;
	struct arena scratch = {0};
	uint64_t address;
	enum status status = link_find(file, path, &address);

	*count = 0;
	*texts = NULL;
	if (status == STATUS_OK)
		status = read_places(file, address, &scratch, &places, count);
	if (status == STATUS_OK) {
		*texts = arena_array(arena, *count + 1u, sizeof **texts);
		status = read_texts(file, places, arena, *texts, *count);
	}
	if (status != STATUS_OK)
		*count = 0;
	arena_fini(&scratch);
	return status;
}
