/* Reads the secret that a controller and its executors share (executors.h). */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/refuse.h"
#include "bench/run/executors.h"
#include "transport/proof.h"

static enum status check_token(int fd, const char *path, struct text *why)
{
	struct stat info;

	if (fd < 0)
		return STATUS_IO;
	if (fstat(fd, &info) != 0)
		return refuse(
			why, STATUS_IO, "cannot read the token in %s: %s", path, strerror(errno));
	if ((info.st_mode & 077) != 0 || (info.st_uid != geteuid() && info.st_uid != 0))
		return refuse(why, STATUS_INVALID,
			"others may read or change the token in %s: chmod 600 it, as its owner",
			path);
	return STATUS_OK;
}

enum status executors_token(const char *path, uint8_t **key, struct text *why)
{
	uint8_t bytes[TOKEN_BYTES_MAX + 1];
	struct text odd = {0};
	int fd = file_open_input(path, &odd);
	enum status status = check_token(fd, path, why);
	ssize_t length = 0;

	*key = NULL;
	if (fd < 0)
		refuse(why, status, "cannot read the token in %s: %s", path, text_string(&odd));
	text_fini(&odd);
	if (status == STATUS_OK)
		length = read(fd, bytes, sizeof bytes);
	while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r'))
		length--; /* leave out a newline that an editor has appended */
	if (status == STATUS_OK && (length < TOKEN_BYTES_MIN || length > TOKEN_BYTES_MAX))
		status = refuse(why, STATUS_INVALID,
			"the token in %s has %zd bytes: it takes %d to %d, as of `head -c 32 "
			"/dev/urandom | base64`",
			path, length, TOKEN_BYTES_MIN, TOKEN_BYTES_MAX);
	if (status == STATUS_OK) {
		*key = proof_key_of(bytes, (size_t)length);
		status = *key ? STATUS_OK : refuse(why, STATUS_NO_MEMORY, "no memory for a key");
	}
	explicit_bzero(bytes, sizeof bytes);
	if (fd >= 0)
		close(fd);
	return status;
}
