/* Temporary folders (runner.h). A folder is removed only if it belongs to this user, has a marker
 * file, and is not locked. */
#include "bench/run/runner.h"

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
#include <unistd.h>

#include "base/allocate.h"
#include "base/file/file.h"

/* The name of the marker file in every scratch folder. The process that owns the folder creates the
 * file with another name, locks it, and then gives it this name. So if the marker file is unlocked,
 * the owner has ended. A folder without a marker file is not a scratch folder, even if its name
 * begins with PREFIX. */
#define MARKER ".meshsim-scratch"
#define PREFIX "meshsim-"

enum { OPEN_FOLDERS = 16 };

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

static void remove_if_left(const char *base, const char *name)
{
	char path[PATH_MAX], marker[PATH_MAX];
	struct stat info;
	int lock;

	if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path ||
		snprintf(marker, sizeof marker, "%s/" MARKER, path) >= (int)sizeof marker)
		return;
	lock = open(marker, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (lock < 0)
		return;
	if (fstat(lock, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
		flock(lock, LOCK_EX | LOCK_NB) == 0)
		remove_tree(path);
	close(lock);
}

static void remove_left(const char *base)
{
	DIR *directory = opendir(base);

	for (struct dirent *entry; directory && (entry = readdir(directory));)
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
			remove_if_left(base, entry->d_name);
	if (directory)
		closedir(directory);
}

/* Creates the folder with its locked marker. Returns false on errors, with errno set. */
static bool scratch_make(struct scratch *scratch, const char *base, const char *purpose)
{
	char unlocked[SCRATCH_PATH_BYTES + 32], marker[SCRATCH_PATH_BYTES + 32];

	if (snprintf(scratch->path, sizeof scratch->path, "%s/" PREFIX "%s-XXXXXX", base,
		    purpose) >= (int)sizeof scratch->path) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!mkdtemp(scratch->path))
		return false;
	snprintf(unlocked, sizeof unlocked, "%s/.new", scratch->path);
	snprintf(marker, sizeof marker, "%s/" MARKER, scratch->path);
	scratch->lock = file_create(unlocked, 0600);
	if (scratch->lock >= 0 && flock(scratch->lock, LOCK_EX | LOCK_NB) == 0 &&
		rename(unlocked, marker) == 0)
		return true;
	remove_tree(scratch->path);
	return false;
}

static struct scratch *open_below(const char *base, const char *purpose)
{
	struct scratch *scratch = allocate(1, sizeof *scratch);

	scratch->lock = -1;
	remove_left(base);
	if (scratch_make(scratch, base, purpose))
		return scratch;
	fprintf(stderr, "meshsim: cannot make a folder in %s: %s\n", base, strerror(errno));
	if (scratch->lock >= 0)
		close(scratch->lock);
	free(scratch);
	return NULL;
}

struct scratch *scratch_open(const char *purpose)
{
	return open_below(base_folder(), purpose);
}

struct scratch *scratch_open_for_socket(const char *purpose, const char *socket)
{
	const char *base = base_folder();
	int bytes = snprintf(NULL, 0, "%s/" PREFIX "%s-XXXXXX/%s", base, purpose, socket);

	return open_below(bytes < SCRATCH_SOCKET_BYTES ? base : "/tmp", purpose);
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
