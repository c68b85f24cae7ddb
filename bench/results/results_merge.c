/* Merges the parts of all runs into one result file (results.h). The target is replaced only when
 * the new file is completely on disk. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xbt/base.h>
#include <simgrid/version.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "bench/results/version.h"
#include "bench/results/hdf5_write.h"
#include "bench/results/table.h"
#include "results_file.h"

enum { ROOT_BYTES = 1 << 16, GROUP_BYTES = 4096 };

/* Returns true if the file begins like an HDF5 file that contains meshsim's attributes. Does not
 * use the HDF5 library, because the library may crash on damaged files. */
static bool is_result(const char *head, size_t length)
{
	static const char signature[] = "\x89HDF\r\n\x1a\n";
	const size_t first = sizeof signature - 1;

	return length >= first && memcmp(head, signature, first) == 0 &&
	       memmem(head, length, "layout_version", strlen("layout_version")) &&
	       memmem(head, length, "meshsim_version", strlen("meshsim_version"));
}

const struct output_kind results_output = {"result file of meshsim", false, is_result};

static herr_t write_root(hid_t file, const struct merge_head *head, uint32_t run_count)
{
	herr_t bad = 0;
	int major, minor, patch;
	unsigned h_major, h_minor, h_release;
	char text[64];

	bad |= hdf5_set_u64(file, "layout_version", RESULTS_LAYOUT_VERSION);
	bad |= hdf5_set_text(file, "meshsim_version", version_number());
	bad |= hdf5_set_text(file, "git_commit", version_commit());
	bad |= hdf5_set_text(file, "build", version_build());
	sg_version_get(&major, &minor, &patch);
	snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
	bad |= hdf5_set_text(file, "simgrid_version", text);
	H5get_libversion(&h_major, &h_minor, &h_release);
	snprintf(text, sizeof text, "%u.%u.%u", h_major, h_minor, h_release);
	bad |= hdf5_set_text(file, "hdf5_version", text);
	bad |= hdf5_set_text(file, "scenario_name", head->scenario_name);
	bad |= hdf5_set_text(file, "scenario_description", head->scenario_description);
	bad |= hdf5_set_text(file, "world", head->world);
	bad |= hdf5_set_u64(file, "scenario_hash", head->scenario_hash);
	bad |= hdf5_set_text(file, "swept_keys", head->swept_keys);
	bad |= hdf5_set_u64(file, "run_count", run_count);
	if (head->model_errors)
		bad |= hdf5_text(file, "model_errors", head->model_errors);
	bad |= hdf5_table(file, &head->summary);
	return bad;
}

static herr_t write_host(hid_t file, const struct merge_head *head)
{
	hid_t group = hdf5_group(file, "host");

	if (group < 0)
		return -1;

	herr_t bad = 0;

	bad |= hdf5_set_text(group, "created", head->created);
	bad |= hdf5_set_text(group, "command_line", head->command_line);
	bad |= hdf5_set_text(group, "scenario_file", head->scenario_file);
	bad |= hdf5_set_text(group, "machine", head->machine);
	bad |= hdf5_set_u64(group, "cores", head->cores);
	bad |= hdf5_set_u64(group, "jobs", head->jobs);
	bad |= hdf5_set_f64(group, "wall_s", head->wall_s);
	bad |= hdf5_set_f64(group, "cpu_s", head->cpu_s);
	bad |= hdf5_table(group, &head->host_runs);
	bad |= H5Gclose(group);
	return bad;
}

/* Writes the position of a run's operations in /ops. */
static herr_t write_place(hid_t runs, const char *name, const struct run_ops *ops)
{
	hid_t group = H5Gopen2(runs, name, H5P_DEFAULT);
	herr_t bad = 0;

	if (group < 0)
		return -1;
	bad |= hdf5_set_i64(group, "ops_first", (int64_t)ops->first);
	bad |= hdf5_set_i64(group, "ops_count", ops->count);
	bad |= H5Gclose(group);
	return bad;
}

/* Copies the group of a run from the file `part`. HDF5 crashes on damaged files, and follows links
 * to other files. So meshsim's own reader (h5/reader.h) must have checked before that the part
 * contains only objects that meshsim writes. */
static herr_t copy_group(hid_t runs, const char *name, const char *part)
{
	hid_t source = H5Fopen(part, H5F_ACC_RDONLY, H5P_DEFAULT);

	if (source < 0)
		return -1;

	herr_t bad = H5Ocopy(source, "run", runs, name, H5P_DEFAULT, H5P_DEFAULT);

	H5Fclose(source);
	return bad;
}

/* Copies a part without the rows of its operations. */
static herr_t copy_part(
	hid_t runs, const char *name, const char *part, struct arena *arena, struct run_ops *ops)
{
	struct h5_file *file = part_open(part);
	herr_t bad = -1;

	if (file && h5_check(file, "/") == STATUS_OK && results_survey_ops(file, arena, ops))
		bad = copy_group(runs, name, part);
	if (bad >= 0 && ops->recorded)
		bad = write_place(runs, name, ops);
	h5_close(file);
	return bad;
}

/* Writes all runs. Fills `ops` with an element for each run. */
static herr_t write_runs(hid_t file, const struct merge_run *runs, uint32_t run_count,
	struct arena *arena, struct run_ops *ops)
{
	uint64_t first = 0;
	hid_t group = hdf5_group(file, "runs");
	herr_t bad = 0;

	if (group < 0)
		return -1;
	for (uint32_t i = 0; i < run_count && bad >= 0; i++) {
		char name[16];

		snprintf(name, sizeof name, "%06u", i);
		ops[i].first = first;
		if (runs[i].part)
			bad = copy_part(group, name, runs[i].part, arena, &ops[i]);
		else
			bad = results_write_run(group, name, runs[i].record);
		first += ops[i].count;
	}
	bad |= H5Gclose(group);
	return bad;
}

/* Flushes the directory, so that the new name survives a crash of the machine. */
static void flush_directory(const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return;

	int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory >= 0) {
		fsync(directory);
		close(directory);
	}
	free(copy);
}

/* Returns an upper bound on the size of the merged file. Counts each part with one and a half times
 * its size, because its operations get more columns in /ops. All else is copied without changes. */
static uint64_t merged_bytes(
	const struct merge_head *head, const struct merge_run *runs, uint32_t run_count)
{
	uint64_t bytes = ROOT_BYTES + head->summary.row_bytes * head->summary.row_count +
			 head->host_runs.row_bytes * head->host_runs.row_count;
	struct stat info;

	for (uint32_t i = 0; i < run_count; i++) {
		const struct run_record *record = runs[i].record;

		bytes += GROUP_BYTES;
		if (record)
			bytes += strlen(record->scenario) + strlen(record->platform);
		else if (stat(runs[i].part, &info) == 0)
			bytes += (uint64_t)info.st_size * 3 / 2;
	}
	return bytes;
}

/* Reserves `bytes` bytes for the file in advance, because HDF5 crashes if a write fails while it
 * copies objects. If the file system cannot reserve space, assumes that there is enough space. On
 * failure, returns false with errno set. */
static bool results_merge_has_room(const char *temporary, uint64_t bytes)
{
	int file = file_create(temporary, 0600);
	bool good;
	int error;

	if (file < 0)
		return false;
	good = fallocate(file, 0, 0, (off_t)bytes) == 0 || errno == EOPNOTSUPP;
	error = errno;
	close(file);
	if (!good)
		unlink(temporary);
	errno = error;
	return good;
}

/* Writes /host last. If the same build simulates the same scenario twice, the two files differ only
 * in /host, so all bytes before it are the same. */
static herr_t write_all(
	hid_t file, const struct merge_head *head, const struct merge_run *runs, uint32_t run_count)
{
	struct arena arena;
	herr_t bad;

	arena_init(&arena);

	struct run_ops *ops = arena_array(&arena, run_count, sizeof *ops);

	bad = write_root(file, head, run_count);
	bad |= write_runs(file, runs, run_count, &arena, ops);
	if (bad >= 0)
		bad = results_write_ops(file, head, runs, ops, run_count);
	bad |= write_host(file, head);
	arena_fini(&arena);
	return bad;
}

enum status results_merge(const char *path, const char *temporary, const struct merge_head *head,
	const struct merge_run *runs, uint32_t run_count)
{
	hdf5_quiet();

	if (!results_merge_has_room(temporary, merged_bytes(head, runs, run_count)))
		return STATUS_IO;

	hid_t file = hdf5_create(temporary);

	if (file < 0)
		return STATUS_IO;

	errno = 0;

	herr_t bad = write_all(file, head, runs, run_count);

	bad |= H5Fclose(file);
	if (bad < 0) {
		int error = errno ? errno : EIO;

		unlink(temporary);
		errno = error;
		return STATUS_IO;
	}

	enum status status = results_publish(temporary, path, head->scenario_hash);

	if (status == STATUS_OK)
		flush_directory(path);
	return status;
}

static const struct column status_columns[] = {COLUMN(struct run_status, status, "text")};

enum status results_read_statuses(const char *path, struct run_status **rows, uint32_t *count)
{
	static const struct table layout = {
		"summary", status_columns, 1, sizeof(struct run_status), NULL, 0};
	struct h5_file *file = part_open(path);
	bool good;

	*rows = NULL;
	*count = 0;
	good = file && part_table(file, "", &layout, (void **)rows, count) && *count > 0;

	h5_close(file);
	if (good)
		return STATUS_OK;
	free(*rows);
	*rows = NULL;
	*count = 0;
	return STATUS_INVALID;
}

enum status results_read_hash(const char *path, uint64_t *scenario_hash)
{
	if (access(path, R_OK) != 0)
		return STATUS_NOT_FOUND;
	return seal_read(path, scenario_hash) == STATUS_OK ? STATUS_OK : STATUS_INVALID;
}
