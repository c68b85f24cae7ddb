/* Opens regular files safely, see base/file/file.h. */
#include "base/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_kind(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISLNK(mode))
		return "a symbolic link";
	if (S_ISFIFO(mode))
		return "a pipe";
	if (S_ISSOCK(mode))
		return "a socket";
	return "a device";
}

static void say(struct text *why, const char *before, const char *reason)
{
	if (why)
		text_printf(why, "%s%s", before, reason);
}

/* Opens a regular file. Checks the kind of the file before opening it, because opening a device may
 * have an effect. Checks the kind again after opening, because another file may have got the name
 * in between. With O_NONBLOCK, open() of a pipe does not wait for a writer. */
static int open_regular(const char *path, int flags, struct text *why)
{
	struct stat info;
	int file = -1;

	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
		say(why, "it is ", file_kind(info.st_mode));
		return -1;
	}
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (file < 0 || fstat(file, &info) != 0)
		say(why, "", strerror(errno));
	else if (!S_ISREG(info.st_mode))
		say(why, "it is ", file_kind(info.st_mode));
	else
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

int file_open_input(const char *path, struct text *why)
{
	return open_regular(path, 0, why);
}

int file_open_own(const char *path)
{
	return open_regular(path, O_NOFOLLOW, NULL);
}

/* Appends the file to `out`, from the file's position on, and closes the file. Stops after reading
 * more than `most` bytes; it may read up to one block more. */
static bool file_read_all(int file, size_t most, struct text *out, struct text *why)
{
	size_t start = out->length;
	char block[65536];
	ssize_t count;

	do {
		count = read(file, block, sizeof block);
		if (count > 0)
			text_append_bytes(out, block, (size_t)count);
	} while ((count > 0 && out->length - start <= most) || (count < 0 && errno == EINTR));
	if (count < 0)
		say(why, "", strerror(errno));
	close(file);
	return count >= 0;
}

bool file_read(const char *path, size_t most, struct text *out, struct text *why)
{
	int file = file_open_input(path, why);

	return file >= 0 && file_read_all(file, most, out, why);
}

bool file_read_own(const char *path, size_t most, struct text *out)
{
	int file = file_open_own(path);

	return file >= 0 && file_read_all(file, most, out, NULL);
}

bool file_read_or_say(const char *path, size_t most, struct text *out, struct diag *diag)
{
	struct text why = {0};
	struct location whole = location_at(diag_source(diag, path, NULL, 0), 0, 0);
	bool good = file_read(path, most, out, &why);

	if (!good)
		diag_error(diag, whole, "cannot read: %s", text_string(&why));
	else if (out->length > most)
		diag_error(diag, whole, "larger than %zu bytes", most);
	text_fini(&why);
	return good && out->length <= most;
}

int file_create(const char *path, mode_t mode)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int file = open(path, flags, mode);

	if (file < 0 && errno == EEXIST && unlink(path) == 0)
		file = open(path, flags, mode);
	return file;
}

bool file_write(const char *path, mode_t mode, const struct text *text)
{
	int file = file_create(path, mode);
	const char *bytes = text_string(text);
	size_t left = text->length;
	ssize_t count = 0;

	if (file < 0)
		return false;
	while (left && ((count = write(file, bytes, left)) >= 0 || errno == EINTR)) {
		bytes += count > 0 ? count : 0;
		left -= count > 0 ? (size_t)count : 0;
	}
	return close(file) == 0 && left == 0;
}

/* Returns NULL if `file` is a regular file with a single hard link. Otherwise returns a phrase that
 * describes the file. */
static const char *odd_kind(int file)
{
	struct stat info;

	if (fstat(file, &info) != 0)
		return strerror(errno);
	if (!S_ISREG(info.st_mode))
		return file_kind(info.st_mode);
	return info.st_nlink > 1 ? "a file with another name elsewhere" : NULL;
}

int file_open_lock(const char *path, mode_t mode, struct text *why)
{
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	struct stat info;
	const char *odd;
	int file, error;

	if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
		say(why, "it is ", file_kind(info.st_mode));
		errno = EEXIST;
		return -1;
	}
	file = open(path, flags, mode);
	if (file < 0) {
		error = errno;
		say(why, "", strerror(error));
		errno = error;
		return -1;
	}
	odd = odd_kind(file);
	if (!odd)
		return file;
	say(why, "it is ", odd);
	close(file);
	errno = EEXIST;
	return -1;
}

int file_open_own_folder(const char *path, struct text *why)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = errno;
	struct stat info;

	if (folder < 0 && (error == ENOTDIR || error == ELOOP) && lstat(path, &info) == 0 &&
		!S_ISDIR(info.st_mode))
		say(why, "it is ", S_ISREG(info.st_mode) ? "a file" : file_kind(info.st_mode));
	else if (folder < 0 || fstat(folder, &info) != 0)
		say(why, "", strerror(error));
	else if (info.st_uid != geteuid())
		say(why, "it belongs to ", "another user");
	else if ((info.st_mode & 077) && fchmod(folder, info.st_mode & 0700) != 0)
		say(why, "its rights cannot be changed: ", strerror(errno));
	else
		return folder;
	if (folder >= 0) {
		close(folder);
		error = EACCES;
	}
	errno = error;
	return -1;
}

bool file_is_below(const char *path, const char *folder)
{
	char *file = realpath(path, NULL), *top = realpath(folder, NULL);
	size_t length = top ? strlen(top) : 0;
	bool below = false;

	if (file && top)
		below = strncmp(file, top, length) == 0 && file[length] == '/';
	free(file);
	free(top);
	return below;
}
