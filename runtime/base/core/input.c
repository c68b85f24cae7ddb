/* Opens regular files, see base/file/input.h. */
#include "base/file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const struct stat *info, struct text *why)
{
	text_printf(why, "not a regular file, but %s",
		S_ISDIR(info->st_mode)	  ? "a directory"
		: S_ISFIFO(info->st_mode) ? "a pipe (FIFO)"
		: S_ISSOCK(info->st_mode) ? "a socket"
					  : "a device");
	return -1;
}

/* Looked at before it is opened, since opening a device may act on it, and after, since the name
 * may stand for another file by then. */
int input_open(const char *path, struct text *why)
{
	struct stat info;
	int file;

	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return refuse(&info, why);
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0 || fstat(file, &info) != 0) {
		text_printf(why, "cannot read: %s", strerror(errno));
	} else if (S_ISREG(info.st_mode)) {
		return file;
	} else {
		refuse(&info, why);
	}
	if (file >= 0)
		close(file);
	return -1;
}
