/* Reads attributes with one value: numbers and texts (private.h, h5/reader.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "private.h"

/* The attributes collected so far. */
struct gathering {
	struct h5_file *file;
	struct arena *arena;
	struct attribute *at; /* the attributes; not const, for free() */
	uint32_t count, capacity;
};

/* The parts of the message of an attribute. */
struct parts {
	struct cursor name, type, space, value;
};

/* Splits a message into its parts. In version 1, each part is padded to a multiple of 8 bytes. */
static bool attribute_cut(struct cursor body, struct parts *parts)
{
	uint64_t version = cursor_number(&body, 1), flags = cursor_number(&body, 1);
	uint64_t lengths[3];
	struct cursor *of[] = {&parts->name, &parts->type, &parts->space};

	for (int i = 0; i < 3; i++)
		lengths[i] = cursor_number(&body, 2);
	cursor_bytes(&body, version == 3 ? 1 : 0);
	for (int i = 0; i < 3; i++) {
		uint64_t padded = version == 1 ? (lengths[i] + 7) & ~UINT64_C(7) : lengths[i];
		const unsigned char *at = cursor_bytes(&body, padded);

		*of[i] = (struct cursor){at, lengths[i], at == NULL};
	}
	parts->value = body;
	/* In versions 2 and 3, a flag says that the type or the dataspace is stored elsewhere in
	 * the file. This is not supported. */
	return !body.bad && version >= 1 && version <= 3 && (version == 1 || flags == 0) &&
	       lengths[0] > 0 && memchr(parts->name.at, '\0', lengths[0]);
}

static enum status take_attribute(void *context, struct cursor body)
{
	struct gathering *gathering = context;
	struct attribute attribute = {0};
	struct parts parts;
	struct arena scratch = {0};
	struct type type = {0};
	const char *reason = gathering->file->reason;
	uint64_t count = 0;
	bool is_scalar;

	if (!attribute_cut(body, &parts))
		return STATUS_INVALID;
	attribute.name = (const char *)parts.name.at;
	attribute.is_odd =
		type_read(gathering->file, &parts.type, &scratch, &type) != STATUS_OK ||
		space_read(gathering->file, &parts.space, &count, &is_scalar) != STATUS_OK ||
		type.form == TYPE_COMPOUND || count != 1 || type.bytes > parts.value.left;
	attribute.kind = type.kind;
	attribute.bytes = type.bytes;
	attribute.is_variable = type.form == TYPE_VARIABLE_TEXT;
	attribute.value = parts.value.at;
	arena_fini(&scratch);
	/* This attribute cannot be read. That is an error only if a caller asks for the attribute.
	 * So restore the reason that the file had before. */
	gathering->file->reason = reason;
	if (gathering->count == gathering->capacity) {
		gathering->capacity = gathering->capacity ? 2 * gathering->capacity : 32;
		gathering->at =
			allocate_more(gathering->at, gathering->capacity, sizeof *gathering->at);
	}
	gathering->at[gathering->count++] = attribute;
	return STATUS_OK;
}

/* Adds the attributes of an object that are in a heap. The message `info` refers to the heap. */
static enum status attribute_take_heap(struct gathering *gathering, struct cursor info)
{
	uint64_t version = cursor_number(&info, 1), flags = cursor_number(&info, 1), heap, tree;

	cursor_bytes(&info, flags & 1 ? 2 : 0);
	heap = cursor_number(&info, 8);
	tree = cursor_number(&info, 8);
	if (info.bad || version != 0)
		return STATUS_INVALID;
	return heap == H5_NOWHERE ? STATUS_OK
				  : heap_visit(gathering->file, heap, tree, 0, gathering->arena,
					    take_attribute, gathering);
}

static int compare_attributes(const void *a, const void *b)
{
	return strcmp(((const struct attribute *)a)->name, ((const struct attribute *)b)->name);
}

enum status attributes_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct attributes *attributes)
{
	struct gathering gathering = {.file = file, .arena = arena};
	struct object object;
	enum status status = object_load(file, address, arena, &object);

	memset(attributes, 0, sizeof *attributes);
	for (uint32_t i = 0; i < object.count && status == STATUS_OK; i++) {
		const struct message *message = &object.messages[i];

		if (message->type != MESSAGE_ATTRIBUTE && message->type != MESSAGE_ATTRIBUTE_INFO)
			continue;
		if (message->is_shared)
			status = STATUS_INVALID;
		else if (message->type == MESSAGE_ATTRIBUTE)
			status = take_attribute(&gathering, message->body);
		else
			status = attribute_take_heap(&gathering, message->body);
	}
	if (status == STATUS_OK && gathering.count > 0) {
		qsort(gathering.at, gathering.count, sizeof *gathering.at, compare_attributes);
		attributes->at = arena_array(arena, gathering.count, sizeof *attributes->at);
		memcpy(attributes->at, gathering.at, gathering.count * sizeof *attributes->at);
		attributes->count = gathering.count;
	}
	free(gathering.at);
	return status == STATUS_OK ? STATUS_OK : h5_file_refuse(file, NULL);
}

const struct attribute *attributes_find(const struct attributes *attributes, const char *name)
{
	const struct attribute wanted = {.name = name};

	return attributes->count == 0 ? NULL
				      : bsearch(&wanted, attributes->at, attributes->count,
						sizeof wanted, compare_attributes);
}

enum status attribute_text(struct h5_file *file, const struct attribute *attribute,
	struct arena *arena, const char **text)
{
	*text = "";
	if (attribute->is_odd || attribute->kind != H5_KIND_TEXT)
		return h5_file_refuse(file, "an attribute of another type or shape");
	if (attribute->is_variable)
		return variable_text(file, attribute->value, arena, text);
	*text = arena_copy(arena, attribute->value, attribute->bytes);
	return STATUS_OK;
}

enum status attributes_check(struct h5_file *file, const struct attributes *attributes,
	struct arena *arena, uint64_t *bytes)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < attributes->count && status == STATUS_OK; i++) {
		const struct attribute *attribute = &attributes->at[i];
		const char *text = "";

		if (attribute->is_odd)
			status = h5_file_refuse(file, "an attribute of another type or shape");
		else if (attribute->kind == H5_KIND_TEXT)
			status = attribute_text(file, attribute, arena, &text);
		if (bytes)
			*bytes += attribute->is_variable ? strlen(text) : 0;
	}
	return status;
}

/* Loads the attributes of `path` into file->attributes, unless they are already there. */
static enum status load_attributes(struct h5_file *file, const char *path)
{
	uint64_t address;
	enum status status = link_find(file, path, &address);

	if (status != STATUS_OK || (file->attributes_known && file->attribute_object == address))
		return status;
	arena_fini(&file->attribute_arena);
	status = attributes_load(file, address, &file->attribute_arena, &file->attributes);
	file->attribute_object = address;
	file->attributes_known = status == STATUS_OK;
	return status;
}

/* Sets *attribute to attribute `name` of `path`. Returns OK, NOT_FOUND or INVALID. */
static enum status find_attribute(struct h5_file *file, const char *path, const char *name,
	const struct attribute **attribute)
{
	enum status status = load_attributes(file, path);

	if (status != STATUS_OK)
		return status;
	*attribute = attributes_find(&file->attributes, name);
	return *attribute ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status h5_attributes_check(struct h5_file *file, const char *path)
{
	enum status status = load_attributes(file, path);
	struct arena scratch = {0};

	if (status == STATUS_OK)
		status = attributes_check(file, &file->attributes, &scratch, NULL);
	arena_fini(&scratch);
	return status;
}

enum status h5_text(struct h5_file *file, const char *path, const char *name, struct arena *arena,
	const char **text)
{
	const struct attribute *attribute;
	enum status status = find_attribute(file, path, name, &attribute);

	*text = "";
	return status == STATUS_OK ? attribute_text(file, attribute, arena, text) : status;
}

enum status h5_number(struct h5_file *file, const char *path, const char *name, uint64_t *number)
{
	const struct attribute *attribute;
	enum status status = find_attribute(file, path, name, &attribute);
	struct cursor at;
	uint64_t value;

	*number = 0;
	if (status != STATUS_OK)
		return status;
	if (attribute->is_odd || attribute->kind > H5_KIND_UNSIGNED)
		return h5_file_refuse(file, "an attribute of another type or shape");
	at = (struct cursor){attribute->value, attribute->bytes, false};
	value = cursor_number(&at, attribute->bytes);
	if (attribute->kind == H5_KIND_SIGNED && attribute->bytes < 8 &&
		value >> (8 * attribute->bytes - 1))
		value |= UINT64_MAX << (8 * attribute->bytes);
	*number = value;
	return STATUS_OK;
}
