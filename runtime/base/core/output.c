/* Writes output files, each as a whole or not at all (base/output.h). A file is only replaced by a
 * file of the same kind. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/file/file.h"

bool output_is_stdout(const char *path, const struct output_kind *kind)
{
	return kind->to_stdout && strcmp(path, "-") == 0;
}

bool output_has_line(const char *head, const char *key)
{
	size_t length = strlen(key);

	while (head && strncmp(head, key, length) != 0) {
		head = strchr(head, '\n');
		head = head ? head + 1 : NULL;
	}
	return head != NULL;
}

/* ---- checks ---- */

static bool refuse_special(
	const char *path, const struct output_kind *kind, mode_t mode, struct text *why)
{
	struct stat followed;

	text_printf(why, "will not replace %s: it is %s", path, file_kind(mode));
	if (kind->to_stdout && stat(path, &followed) == 0 && !S_ISREG(followed.st_mode) &&
		!S_ISDIR(followed.st_mode))
		text_append(why, "; for standard output give '-'");
	return false;
}

/* Reads up to OUTPUT_HEAD_BYTES of the file into `head`. Returns the number of bytes, or -1 with
 * errno. The caller has checked that the file is no pipe, but a pipe may have replaced the file
 * since then. With O_NONBLOCK, open() of a pipe does not wait for a writer. */
static ssize_t output_read_head(const char *path, char *head)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t length = 0, more = 1;

	if (file < 0)
		return -1;
	while (more > 0 && length < OUTPUT_HEAD_BYTES) {
		more = read(file, head + length, (size_t)(OUTPUT_HEAD_BYTES - length));
		length += more > 0 ? more : 0;
	}
	close(file);
	return more < 0 ? -1 : length;
}

static bool check_content(const char *path, const struct output_kind *kind, struct text *why)
{
	char *head = malloc(OUTPUT_HEAD_BYTES + 1);
	bool good = false;
	ssize_t length;

	ensure_memory(head, "the head of a file");
	length = output_read_head(path, head);
	if (length < 0) {
		text_printf(why, "cannot write %s: %s", path, strerror(errno));
		goto out;
	}
	head[length] = '\0';
	good = length == 0 || kind->is(head, (size_t)length);
	if (!good)
		text_printf(why, "will not replace %s: it is no %s", path, kind->name);
out:
	free(head);
	return good;
}

/* Checks that a new file can be created in the folder of `path`. If `path` ends with '/', checks
 * the folder `path` itself. */
static bool check_folder(const char *path, struct text *why)
{
	char *copy = allocate_text(path);
	const char *folder;
	bool good;

	folder = path[strlen(path) - 1] == '/' ? path : dirname(copy);
	good = faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
	if (!good)
		text_printf(why, "cannot write %s: %s", path, strerror(errno));
	free(copy);
	return good;
}

bool output_check(const char *path, const struct output_kind *kind, struct text *why)
{
	struct stat info;

	if (output_is_stdout(path, kind))
		return true;
	if (strcmp(path, "-") == 0) {
		text_printf(why, "a %s does not go to standard output: give a name", kind->name);
		return false;
	}
	if (path[0] == '\0') {
		text_printf(why, "the name of the %s is empty", kind->name);
		return false;
	}
	if (lstat(path, &info) != 0) {
		if (errno == ENOENT)
			return check_folder(path, why);
		text_printf(why, "cannot write %s: %s", path, strerror(errno));
		return false;
	}
	if (!S_ISREG(info.st_mode))
		return refuse_special(path, kind, info.st_mode, why);
	return check_content(path, kind, why);
}

/* ---- writing ---- */

static bool output_write_stream(FILE *file, const struct text *text)
{
	bool good = fwrite(text_string(text), 1, text->length, file) == text->length;

	return fflush(file) == 0 && good;
}

/* Creates and opens a new file in the folder of `path`. The file gets the permissions that new
 * files usually have. Appends the file's name to `name`. Returns NULL on failure. */
static FILE *open_beside(const char *path, struct text *name)
{
	mode_t mask = umask(0);
	FILE *file = NULL;
	int descriptor;

	umask(mask);
	text_printf(name, "%s.new-XXXXXX", path);
	descriptor = mkstemp(name->bytes);
	if (descriptor >= 0) {
		fchmod(descriptor, 0666 & ~mask);
		file = fdopen(descriptor, "w");
		ensure_memory(file, "a file");
	}
	return file;
}

static bool write_beside(const char *path, const struct text *text)
{
	struct text name = {0};
	FILE *file = open_beside(path, &name);
	bool good = false;
	int error;

	if (!file)
		goto out;
	good = output_write_stream(file, text) && fsync(fileno(file)) == 0;
	error = errno;
	if (fclose(file) != 0 && good) {
		good = false;
		error = errno;
	}
	if (good && rename(text_string(&name), path) != 0) {
		good = false;
		error = errno;
	}
	if (!good)
		unlink(text_string(&name));
	errno = error;
out:
	error = errno;
	text_fini(&name);
	errno = error;
	return good;
}

bool output_write(
	const char *path, const struct output_kind *kind, const struct text *text, struct text *why)
{
	if (output_is_stdout(path, kind)) {
		(void)output_write_stream(stdout, text);
		return true; /* errors of stdout are checked once, when the program ends */
	}
	if (!output_check(path, kind, why))
		return false;
	if (write_beside(path, text))
		return true;
	text_printf(why, "cannot write %s: %s", path, strerror(errno));
	return false;
}

/* Frees `why`; prints it first if `good` is not set. Returns `good`. */
static bool output_say(bool good, struct text *why)
{
	if (!good)
		fprintf(stderr, "meshsim: %s\n", text_string(why));
	text_fini(why);
	return good;
}

bool output_check_or_say(const char *path, const struct output_kind *kind)
{
	struct text why = {0};

	return output_say(output_check(path, kind, &why), &why);
}

bool output_write_or_say(const char *path, const struct output_kind *kind, const struct text *text)
{
	struct text why = {0};

	return output_say(output_write(path, kind, text, &why), &why);
}
