/* Opens and closes files (h5/reader.h), and reads bytes from them. Before a read, checks that the
 * bytes lie within the file (private.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "private.h"

/* ---- cursors ---- */

const unsigned char *cursor_bytes(struct cursor *cursor, size_t length)
{
	const unsigned char *at = cursor->at;

	if (cursor->bad || length > cursor->left) {
		cursor->bad = true;
		return NULL;
	}
	cursor->at += length;
	cursor->left -= length;
	return at;
}

uint64_t cursor_number(struct cursor *cursor, unsigned bytes)
{
	const unsigned char *at = cursor_bytes(cursor, bytes);
	uint64_t number = 0;

	while (at && bytes-- > 0)
		number = number << 8 | at[bytes];
	return number;
}

bool cursor_signature(struct cursor *cursor, const char *letters)
{
	const unsigned char *at = cursor_bytes(cursor, 4);

	return at && memcmp(at, letters, 4) == 0;
}

/* ---- the file ---- */

enum status h5_file_refuse(struct h5_file *file, const char *reason)
{
	if (reason)
		file->reason = reason;
	return STATUS_INVALID;
}

const char *h5_reason(const struct h5_file *file)
{
	return file->reason;
}

bool h5_file_holds(const struct h5_file *file, uint64_t address, uint64_t bytes)
{
	return address <= file->length && bytes <= file->length - address;
}

static bool read_exactly(int descriptor, uint64_t address, unsigned char *into, size_t bytes)
{
	while (bytes > 0) {
		ssize_t more = pread(descriptor, into, bytes, (off_t)address);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		into += more;
		address += (uint64_t)more;
		bytes -= (size_t)more;
	}
	return true;
}

/* Moves the window to begin at `address`. */
static bool move_window(struct h5_file *file, uint64_t address)
{
	uint64_t left = file->length - address;

	if (!file->window)
		file->window = allocate(1, WINDOW_BYTES);
	file->window_bytes = 0;
	file->window_at = address;
	if (!read_exactly(file->descriptor, address, file->window,
		    left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES))
		return false;
	file->window_bytes = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
	return true;
}

bool h5_file_read(struct h5_file *file, uint64_t address, void *into, size_t bytes)
{
	if (!h5_file_holds(file, address, bytes))
		return false;
	if (bytes > WINDOW_BYTES / 2)
		return read_exactly(file->descriptor, address, into, bytes);
	if (address < file->window_at || address - file->window_at > file->window_bytes ||
		bytes > file->window_bytes - (address - file->window_at))
		if (!move_window(file, address))
			return false;
	if (bytes > 0)
		memcpy(into, file->window + (address - file->window_at), bytes);
	return true;
}

bool h5_file_load(struct h5_file *file, uint64_t address, uint64_t bytes, struct arena *arena,
	struct cursor *cursor)
{
	unsigned char *into;

	*cursor = (struct cursor){.bad = true};
	if (!h5_file_holds(file, address, bytes))
		return false;
	into = arena_alloc(arena, bytes);
	if (!h5_file_read(file, address, into, bytes))
		return false;
	*cursor = (struct cursor){into, bytes, false};
	return true;
}

/* ---- opening ---- */

/* Finds the root group from the superblock. Files of meshsim have superblocks of version 2 or 3.
 * Versions 0 and 1 are read only so that a file of another program is not reported as damaged. */
static enum status read_superblock(struct h5_file *file)
{
	static const char signature[] = "\x89HDF\r\n\x1a\n";
	enum { SIGNATURE_BYTES = 8, MOST_BYTES = 96 };
	unsigned char head[MOST_BYTES] = {0};
	size_t bytes = file->length < sizeof head ? (size_t)file->length : sizeof head;
	struct cursor at = {head, bytes, false};
	uint64_t version, base, end;

	if (bytes < SIGNATURE_BYTES || !h5_file_read(file, 0, head, bytes) ||
		memcmp(head, signature, SIGNATURE_BYTES) != 0)
		return STATUS_NOT_FOUND;
	cursor_bytes(&at, SIGNATURE_BYTES);
	version = cursor_number(&at, 1);
	if (version > 3)
		return STATUS_INVALID;
	if (version <= 1)
		cursor_bytes(&at, 4);
	if (cursor_number(&at, 1) != 8 || cursor_number(&at, 1) != 8)
		return STATUS_INVALID;
	cursor_bytes(&at, version == 0 ? 9 : version == 1 ? 13 : 1);
	base = cursor_number(&at, 8);
	cursor_bytes(&at, 8);
	end = cursor_number(&at, 8);
	cursor_bytes(&at, version <= 1 ? 16 : 0);
	file->root = cursor_number(&at, 8);
	if (at.bad || base != 0 || end > file->length || !h5_file_holds(file, file->root, 1))
		return STATUS_INVALID;
	return STATUS_OK;
}

enum status h5_open(int descriptor, struct h5_file **file)
{
	struct stat info;
	enum status status;

	*file = allocate(1, sizeof **file);
	(*file)->descriptor = descriptor;
	if (fstat(descriptor, &info) != 0) {
		status = STATUS_IO;
	} else if (!S_ISREG(info.st_mode)) {
		status = STATUS_NOT_FOUND;
	} else {
		(*file)->length = (uint64_t)info.st_size;
		status = read_superblock(*file);
	}
	if (status != STATUS_OK) {
		h5_close(*file);
		*file = NULL;
	}
	return status;
}

void h5_close(struct h5_file *file)
{
	if (!file)
		return;
	for (int i = 0; i < GROUP_DEPTH_MAX; i++)
		arena_fini(&file->visited[i].arena);
	arena_fini(&file->attribute_arena);
	close(file->descriptor);
	free(file->window);
	free(file);
}
