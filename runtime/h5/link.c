/* Groups and paths (private.h, h5/reader.h). Only hard links are followed. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "private.h"

/* The links collected so far. */
struct gathering {
	struct arena *arena;
	struct link *at; /* the links; not const, for free() */
	uint32_t count, capacity;
};

static enum status take_link(void *context, struct cursor body)
{
	static const char *const foreign[] = {"a soft link", "an external link"};
	struct gathering *gathering = context;
	struct link link = {.address = H5_NOWHERE};
	uint64_t version = cursor_number(&body, 1), flags = cursor_number(&body, 1), kind = 0;
	const unsigned char *name;
	uint64_t length;

	if (flags & 8)
		kind = cursor_number(&body, 1);
	cursor_bytes(&body, flags & 4 ? 8 : 0);	 /* number of the link in creation order */
	cursor_bytes(&body, flags & 16 ? 1 : 0); /* character set */
	length = cursor_number(&body, 1u << (flags & 3));
	name = cursor_bytes(&body, length);
	if (version != 1 || !name || memchr(name, '\0', length) || memchr(name, '/', length))
		return STATUS_INVALID;
	if (kind == 0)
		link.address = cursor_number(&body, 8);
	else
		link.foreign = foreign[kind != 1];
	if (body.bad)
		return STATUS_INVALID;
	link.name = arena_copy(gathering->arena, name, length);
	if (gathering->count == gathering->capacity) {
		gathering->capacity = gathering->capacity ? 2 * gathering->capacity : 16;
		gathering->at =
			allocate_more(gathering->at, gathering->capacity, sizeof *gathering->at);
	}
	gathering->at[gathering->count++] = link;
	return STATUS_OK;
}

/* Adds the links of a group that are in a heap. The message `info` refers to the heap. */
static enum status link_take_heap(
	struct h5_file *file, struct cursor info, struct gathering *gathering)
{
	enum { HASH_BYTES = 4 };
	uint64_t version = cursor_number(&info, 1), flags = cursor_number(&info, 1), heap, tree;
	struct arena arena = {0};
	enum status status;

	cursor_bytes(&info, flags & 1 ? 8 : 0);
	heap = cursor_number(&info, 8);
	tree = cursor_number(&info, 8);
	if (info.bad || version != 0)
		return STATUS_INVALID;
	if (heap == H5_NOWHERE)
		return STATUS_OK;
	status = heap_visit(file, heap, tree, HASH_BYTES, &arena, take_link, gathering);
	arena_fini(&arena);
	return status;
}

static int compare_links(const void *a, const void *b)
{
	return strcmp(((const struct link *)a)->name, ((const struct link *)b)->name);
}

/* Sorts the links by name. Returns false if a name occurs twice. */
static bool sort_links(struct gathering *gathering)
{
	if (gathering->count > 0)
		qsort(gathering->at, gathering->count, sizeof *gathering->at, compare_links);
	for (uint32_t i = 1; i < gathering->count; i++)
		if (strcmp(gathering->at[i - 1].name, gathering->at[i].name) == 0)
			return false;
	return true;
}

enum status links_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct links *links)
{
	struct gathering gathering = {.arena = arena};
	struct arena scratch = {0};
	struct object object;
	enum status status = object_load(file, address, &scratch, &object);
	bool is_group = false;

	memset(links, 0, sizeof *links);
	for (uint32_t i = 0; i < object.count && status == STATUS_OK; i++) {
		const struct message *message = &object.messages[i];

		if (message->type == MESSAGE_SYMBOLS)
			status = h5_file_refuse(file, "a group of an older kind");
		if (message->type != MESSAGE_LINK && message->type != MESSAGE_LINK_INFO)
			continue;
		is_group = true;
		if (message->is_shared)
			status = STATUS_INVALID;
		else if (message->type == MESSAGE_LINK)
			status = take_link(&gathering, message->body);
		else
			status = link_take_heap(file, message->body, &gathering);
	}
	if (status == STATUS_OK && (!is_group || !sort_links(&gathering)))
		status = STATUS_INVALID;
	if (status == STATUS_OK && gathering.count > 0) {
		links->at = arena_array(arena, gathering.count, sizeof *links->at);
		memcpy(links->at, gathering.at, gathering.count * sizeof *links->at);
		links->count = gathering.count;
	}
	free(gathering.at);
	arena_fini(&scratch);
	return status == STATUS_OK ? STATUS_OK : h5_file_refuse(file, NULL);
}

/* Sets *links to the links of the group at `address`. `depth` is the number of names in the path
 * from the root to this group. Keeps the links in memory, so that a later call for the same group
 * need not read them again. */
static enum status visit(
	struct h5_file *file, uint64_t address, uint32_t depth, const struct links **links)
{
	struct visited *visited = &file->visited[depth];
	enum status status = STATUS_OK;

	if (!visited->known || visited->address != address) {
		arena_fini(&visited->arena);
		visited->known = false;
		status = links_load(file, address, &visited->arena, &visited->links);
		visited->address = address;
		visited->known = status == STATUS_OK;
	}
	*links = &visited->links;
	return status;
}

static const struct link *find(const struct links *links, const char *name, size_t length)
{
	uint32_t low = 0, high = links->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct link *link = &links->at[middle];
		int order = strncmp(name, link->name, length);

		if (order == 0 && link->name[length] == '\0')
			return link;
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

enum status link_find(struct h5_file *file, const char *path, uint64_t *address)
{
	uint64_t at = file->root;
	uint32_t depth = 0;

	file->reason = NULL;
	while (*path == '/')
		path++;
	while (*path) {
		size_t length = strcspn(path, "/");
		const struct links *links;
		const struct link *link;
		enum status status;

		if (depth == GROUP_DEPTH_MAX)
			return STATUS_NOT_FOUND;
		status = visit(file, at, depth++, &links);
		if (status != STATUS_OK)
			return status;
		link = find(links, path, length);
		if (!link)
			return STATUS_NOT_FOUND;
		if (link->foreign)
			return h5_file_refuse(file, link->foreign);
		at = link->address;
		path += length;
		while (*path == '/')
			path++;
	}
	*address = at;
	return STATUS_OK;
}

bool h5_has(struct h5_file *file, const char *path)
{
	uint64_t address;

	return link_find(file, path, &address) == STATUS_OK;
}
