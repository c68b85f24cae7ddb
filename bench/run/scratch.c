/* See bench/run/scratch.h. Removes only folders of its own naming, of this user, that nobody locks.
 */
#include "bench/run/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ensure.h"

/* A folder gets this name before it is locked, its own name after that: one that is found under its
 * own name without a lock has lost its process. */
#define UNLOCKED "meshsim-new-XXXXXX"
#define PREFIX	 "meshsim-"

enum { UNLOCKED_AGE_S = 3600, OPEN_FOLDERS = 16 };

struct scratch {
	int lock;
	char path[SCRATCH_PATH_BYTES];
};

static const char *base_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
	(void)info;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

static void remove_tree(const char *path)
{
	nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* "meshsim-PURPOSE-XXXXXX", as scratch_open() names them. */
static bool is_ours(const char *name)
{
	size_t length = strlen(name);

	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && length > strlen(PREFIX) + 7 &&
	       name[length - 7] == '-';
}

static void remove_if_left(const char *base, const char *name)
{
	char path[PATH_MAX];
	struct stat info;
	int folder;

	if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path)
		return;
	folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return;
	if (fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
		flock(folder, LOCK_EX | LOCK_NB) == 0 &&
		(strncmp(name, UNLOCKED, strlen(UNLOCKED) - 6) != 0 ||
			info.st_mtime + UNLOCKED_AGE_S < time(NULL)))
		remove_tree(path);
	close(folder);
}

static void remove_left(const char *base)
{
	DIR *directory = opendir(base);

	for (struct dirent *entry; directory && (entry = readdir(directory));)
		if (is_ours(entry->d_name))
			remove_if_left(base, entry->d_name);
	if (directory)
		closedir(directory);
}

/* Makes the folder, locks it, gives it its name. False with errno. */
static bool make(struct scratch *scratch, const char *base, const char *purpose)
{
	char unlocked[SCRATCH_PATH_BYTES];
	int length = snprintf(unlocked, sizeof unlocked, "%s/" UNLOCKED, base);

	if (length >= (int)(sizeof unlocked - strlen(purpose))) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!mkdtemp(unlocked))
		return false;
	scratch->lock = open(unlocked, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (scratch->lock >= 0 && flock(scratch->lock, LOCK_EX | LOCK_NB) == 0 &&
		snprintf(scratch->path, sizeof scratch->path, "%s/" PREFIX "%s-%s", base, purpose,
			unlocked + length - 6) < (int)sizeof scratch->path &&
		rename(unlocked, scratch->path) == 0)
		return true;
	rmdir(unlocked);
	return false;
}

struct scratch *scratch_open(const char *purpose)
{
	struct scratch *scratch = calloc(1, sizeof *scratch);
	const char *base = base_folder();

	ensure(scratch, "no memory for a folder");
	scratch->lock = -1;
	remove_left(base);
	if (make(scratch, base, purpose))
		return scratch;
	fprintf(stderr, "meshsim: cannot make a folder in %s: %s\n", base, strerror(errno));
	if (scratch->lock >= 0)
		close(scratch->lock);
	free(scratch);
	return NULL;
}

const char *scratch_path(const struct scratch *scratch)
{
	return scratch->path;
}

void scratch_close(struct scratch *scratch)
{
	if (!scratch)
		return;
	remove_tree(scratch->path);
	close(scratch->lock);
	free(scratch);
}
