/* Checks all objects below a path of a file (h5/reader.h). */
#include <string.h>

#include "base/text.h"
#include "private.h"

/* The state of a check. In a forged file, links may form circles, and many names may lead to one
 * object. So the check reads at most as many bytes as the file has, and reports an error at this
 * limit. In other files, the check never reaches the limit. */
struct checking {
	struct h5_file *file;
	uint64_t left; /* number of bytes that may still be read */
};

/* Counts `bytes` more bytes as read. Returns OK, or INVALID if the check has now read more bytes
 * than the file has. */
static enum status spend(struct checking *checking, uint64_t bytes)
{
	if (bytes > checking->left)
		return h5_file_refuse(checking->file, NULL);
	checking->left -= bytes;
	return STATUS_OK;
}

static enum status check_attributes(struct checking *checking, uint64_t address)
{
	struct arena arena = {0};
	struct attributes attributes;
	uint64_t bytes = 0;
	enum status status = attributes_load(checking->file, address, &arena, &attributes);

	if (status == STATUS_OK)
		status = attributes_check(checking->file, &attributes, &arena, &bytes);
	arena_fini(&arena);
	return status == STATUS_OK ? spend(checking, bytes) : status;
}

/* Checks a table or a dataset of texts. */
static enum status check_dataset(struct checking *checking, const char *path)
{
	struct h5_file *file = checking->file;
	struct h5_table table;
	struct arena arena = {0};
	const char **texts;
	uint32_t count = 0;
	enum status status = h5_table_open(file, path, &table);

	h5_table_close(&table);
	if (status != STATUS_OK)
		status = h5_texts(file, path, &arena, &texts, &count);
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
		status = spend(checking, strlen(texts[i]));
	arena_fini(&arena);
	return status;
}

static enum status check_object(struct checking *checking, const char *path, uint32_t depth)
{
	enum { LINK_BYTES_LEAST = 12 };
	struct h5_file *file = checking->file;
	struct arena arena = {0};
	struct links links = {0};
	struct object object;
	uint64_t address;
	enum status status = link_find(file, path, &address);

	if (status == STATUS_OK)
		status = object_load(file, address, &arena, &object);
	if (status == STATUS_OK)
		status = spend(checking, object.bytes);
	if (status == STATUS_OK)
		status = check_attributes(checking, address);
	if (status != STATUS_OK)
		goto out;
	if (object_message(&object, MESSAGE_LAYOUT)) {
		status = check_dataset(checking, path);
		goto out;
	}
	status = depth == GROUP_DEPTH_MAX ? h5_file_refuse(file, NULL)
					  : links_load(file, address, &arena, &links);
	if (status == STATUS_OK)
		status = spend(checking, UINT64_C(1) * links.count * LINK_BYTES_LEAST);
	for (uint32_t i = 0; i < links.count && status == STATUS_OK; i++)
		status = check_object(
			checking, arena_printf(&arena, "%s/%s", path, links.at[i].name), depth + 1);
out:
	arena_fini(&arena);
	return status == STATUS_NOT_FOUND && depth > 0 ? h5_file_refuse(file, NULL) : status;
}

enum status h5_check(struct h5_file *file, const char *path)
{
	struct checking checking = {file, file->length};

	return check_object(&checking, strcmp(path, "/") == 0 ? "" : path, 0);
}
