/* The directory of parts (part_folder.h). Deletes only files whose names it assigns itself. */
#include "bench/run/part_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "base/output.h"
#include "bench/results/results.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 64, FIGURES_BYTES = 256 };

struct part_folder {
	char directory[PATH_BYTES];
	char path[PATH_BYTES + NAME_BYTES];
	int lock;    /* locked descriptor of the state file */
	uid_t owner; /* owner of the directory */
};

static const char *path_of(struct part_folder *folder, const char *name)
{
	snprintf(folder->path, sizeof folder->path, "%s/%s", folder->directory, name);
	return folder->path;
}

static const char *run_path(struct part_folder *folder, uint32_t run, const char *suffix)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof name, "%06u.%s", run, suffix);
	return path_of(folder, name);
}

const char *part_folder_part(struct part_folder *folder, uint32_t run)
{
	return run_path(folder, run, "h5");
}

const char *part_folder_merged(struct part_folder *folder)
{
	return path_of(folder, "merged.h5");
}

/* Opens a file of the folder for reading. Rejects files whose owner is not the owner of the folder,
 * because earlier versions made folders to which other users could write. Returns -1 on errors;
 * errno is ENOENT if the file does not exist. */
static int open_ours(const struct part_folder *folder, const char *path)
{
	int file = file_open_own(path);
	struct stat info;

	if (file < 0) {
		errno = lstat(path, &info) == 0 ? EEXIST : errno;
		return -1;
	}
	if (fstat(file, &info) == 0 && info.st_uid == folder->owner)
		return file;
	close(file);
	errno = EACCES;
	return -1;
}

enum status part_folder_has(struct part_folder *folder, uint32_t run, uint64_t identity)
{
	int part = open_ours(folder, run_path(folder, run, "h5"));
	uint64_t sealed;
	bool fits;

	if (part < 0)
		return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_INVALID;
	fits = seal_read_file(part, &sealed) == STATUS_OK && sealed == identity;
	close(part);
	return fits ? STATUS_OK : STATUS_INVALID;
}

/* True for names that this file assigns: 000000.h5, 000000.h5.new, 000000.host, merged.h5. */
static bool is_ours(const char *name)
{
	int digits = 0;

	while (isdigit((unsigned char)name[digits]))
		digits++;
	if (digits >= 6)
		return strcmp(name + digits, ".h5") == 0 || strcmp(name + digits, ".h5.new") == 0 ||
		       strcmp(name + digits, ".host") == 0;
	return strcmp(name, "merged.h5") == 0;
}

static void remove_parts(struct part_folder *folder)
{
	DIR *directory = opendir(folder->directory);
	const struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory)) != NULL)
		if (is_ours(entry->d_name))
			unlinkat(dirfd(directory), entry->d_name, 0);
	closedir(directory);
}

static enum status check_target(const char *target, struct text *why)
{
	if (strlen(target) + NAME_BYTES >= PATH_BYTES) {
		text_printf(why, "cannot write %.64s...: name too long", target);
		return STATUS_IO;
	}
	return output_check(target, &results_output, why) ? STATUS_OK : STATUS_IO;
}

/* Returns true if the open directory is empty or has a state file. Otherwise, meshsim did not make
 * the directory: meshsim creates the state file before any part, and removes it after all parts. */
static bool has_state_or_nothing(int file)
{
	DIR *directory = fdopendir(dup(file));
	const struct dirent *entry;
	bool empty = true, has_state = false;

	if (!directory)
		return false;
	while ((entry = readdir(directory)) != NULL) {
		has_state |= strcmp(entry->d_name, "state") == 0;
		empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	}
	closedir(directory);
	return has_state || empty;
}

/* Creates the directory, or uses an existing directory that meshsim made. Another process may
 * remove the directory at any time, even before this function returns. */
static enum status make_directory(
	struct part_folder *folder, const char *target, bool *made, struct text *why)
{
	struct text reason = {0};
	struct stat info = {.st_uid = geteuid()};
	enum status status = STATUS_OK;
	int file = -1;

	*made = mkdir(folder->directory, 0700) == 0;
	if (!*made && errno != EEXIST) {
		text_printf(why, "cannot write %s: %s", target, strerror(errno));
		return STATUS_IO;
	}
	if (!*made && (file = file_open_own_folder(folder->directory, &reason)) < 0)
		status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO;
	else if (!*made && !has_state_or_nothing(file))
		status = STATUS_IO;
	if (status == STATUS_IO && reason.length > 0)
		text_printf(why, "cannot write %s: %s is no folder of meshsim: %s", target,
			folder->directory, text_string(&reason));
	else if (status == STATUS_IO)
		text_printf(why, "cannot write %s: %s is there and is no folder of meshsim", target,
			folder->directory);
	if (*made ? stat(folder->directory, &info) == 0 : file >= 0 && fstat(file, &info) == 0)
		folder->owner = info.st_uid;
	if (file >= 0)
		close(file);
	text_fini(&reason);
	return status;
}

/* Returns true if the state file that this process has locked is still in the directory. Another
 * process that held the lock before may have removed the file and the directory. */
static bool holds_state(struct part_folder *folder)
{
	struct stat held, there;

	return fstat(folder->lock, &held) == 0 && lstat(path_of(folder, "state"), &there) == 0 &&
	       held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* Opens and locks the state file. Creates the directory and the file if needed. Returns NOT_FOUND
 * if another process removed the directory or the file at the same time, EXISTS if another process
 * has locked the file, and IO if it cannot be written. */
static enum status try_lock(
	struct part_folder *folder, const char *target, bool *made, struct text *why)
{
	enum status status = make_directory(folder, target, made, why);
	struct text reason = {0};

	if (status != STATUS_OK)
		return status;
	folder->lock = file_open_lock(path_of(folder, "state"), 0600, &reason);
	if (folder->lock < 0 && errno != ENOENT) {
		text_printf(why, "cannot write %s: %s", folder->path, text_string(&reason));
		if (*made)
			rmdir(folder->directory);
		status = STATUS_IO;
	} else if (folder->lock < 0) {
		status = STATUS_NOT_FOUND;
	}
	text_fini(&reason);
	if (status != STATUS_OK)
		return status;
	if (flock(folder->lock, LOCK_EX | LOCK_NB) == 0)
		return holds_state(folder) ? STATUS_OK : STATUS_NOT_FOUND;
	text_printf(why, "%s is in use by another meshsim", folder->directory);
	return STATUS_EXISTS;
}

static enum status lock_state(
	struct part_folder *folder, const char *target, bool *made, struct text *why)
{
	enum status status;

	while ((status = try_lock(folder, target, made, why)) == STATUS_NOT_FOUND) {
		if (folder->lock >= 0)
			close(folder->lock);
		folder->lock = -1;
	}
	return status;
}

bool part_folder_exists(const char *target)
{
	char directory[PATH_BYTES];

	return snprintf(directory, sizeof directory, "%s.partial", target) < PATH_BYTES &&
	       access(directory, F_OK) == 0;
}

/* Reads the state file: the hash of the scenario and its number of runs. */
static bool read_state(int file, uint64_t *hash, uint32_t *runs)
{
	char line[64] = "";
	ssize_t length = pread(file, line, sizeof line - 1, 0);

	return length > 0 && sscanf(line, "meshsim %" SCNx64 " %" SCNu32, hash, runs) == 2;
}

uint32_t part_folder_runs(const char *target)
{
	char state[PATH_BYTES];
	uint64_t hash;
	uint32_t runs = 0;
	int file;

	if (snprintf(state, sizeof state, "%s.partial/state", target) >= PATH_BYTES)
		return 0;
	file = file_open_own(state);
	if (file < 0 || !read_state(file, &hash, &runs))
		runs = 0;
	if (file >= 0)
		close(file);
	return runs;
}

static bool write_state(const struct part_folder *folder, uint64_t hash, uint32_t runs)
{
	char line[64];
	int length =
		snprintf(line, sizeof line, "meshsim %016" PRIx64 " %" PRIu32 "\n", hash, runs);

	return ftruncate(folder->lock, 0) == 0 &&
	       pwrite(folder->lock, line, (size_t)length, 0) == length;
}

enum status part_folder_open(const char *target, uint64_t scenario_hash, uint32_t runs, bool resume,
	struct text *why, struct part_folder **out)
{
	struct part_folder *folder = NULL;
	enum status status = check_target(target, why);
	uint64_t hash;
	uint32_t held;
	bool made = false, known;

	if (status != STATUS_OK)
		return status;
	folder = allocate(1, sizeof *folder);
	folder->lock = -1;
	snprintf(folder->directory, sizeof folder->directory, "%s.partial", target);
	status = lock_state(folder, target, &made, why);
	if (status != STATUS_OK)
		goto failed;
	known = read_state(folder->lock, &hash, &held);
	if (resume && known && hash != scenario_hash) {
		text_printf(why,
			"cannot resume: %s holds runs of another scenario, other options, "
			"or another version of meshsim",
			folder->directory);
		status = STATUS_INVALID;
		goto failed;
	}
	if (!resume || !known)
		remove_parts(folder);
	if (!write_state(folder, scenario_hash, runs)) {
		text_printf(why, "cannot write %s/state: %s", folder->directory, strerror(errno));
		part_folder_close(folder, made);
		return STATUS_IO;
	}
	*out = folder;
	return STATUS_OK;
failed:
	part_folder_close(folder, false);
	return status;
}

/* Checksum of a stored line and its run. */
static uint64_t sum_line(const char *line, size_t length, uint32_t run)
{
	return hash_mix(hash_more(hash_more(HASH_EMPTY, line, length), &run, sizeof run));
}

void part_folder_keep_figures(
	struct part_folder *folder, uint32_t run, const struct host_figures *figures)
{
	struct text line = {0};

	text_printf(&line, "%.6f %.6f %" PRIu64 " ", figures->wall_s, figures->cpu_s,
		figures->peak_bytes);
	text_printf(&line, "%016" PRIx64 "\n", sum_line(line.bytes, line.length, run));
	/* Errors are ignored: without this file, the figures are zeros after a resume. */
	(void)file_write(run_path(folder, run, "host"), 0600, &line);
	text_fini(&line);
}

struct host_figures part_folder_figures(struct part_folder *folder, uint32_t run)
{
	struct host_figures figures = {0};
	struct text text = {0};
	const char *line;
	uint64_t checksum = 0;
	int length = 0;

	(void)file_read_own(run_path(folder, run, "host"), FIGURES_BYTES, &text);
	line = text_string(&text);
	if (sscanf(line, "%lf %lf %" SCNu64 " %n%" SCNx64, &figures.wall_s, &figures.cpu_s,
		    &figures.peak_bytes, &length, &checksum) != 4 ||
		checksum != sum_line(line, (size_t)length, run))
		figures = (struct host_figures){0};
	text_fini(&text);
	return figures;
}

bool part_folder_is_there(struct part_folder *folder)
{
	return holds_state(folder);
}

void part_folder_close(struct part_folder *folder, bool remove)
{
	if (!folder)
		return;
	if (remove && part_folder_is_there(folder)) {
		remove_parts(folder);
		unlink(path_of(folder, "state"));
		rmdir(folder->directory);
	}
	if (folder->lock >= 0)
		close(folder->lock);
	free(folder);
}
