/* Writes and reads the part of one run (results.h). The child process of the run writes it, and the
 * parent process reads it for the summary. A part gets its final file name only when it is
 * complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/results/hdf5_write.h"
#include "bench/results/table.h"
#include "base/ensure.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "results_file.h"

struct total {
	const char *name;
	size_t offset;
};

static const struct total totals[] = {
#define X(member, name, unit, what) {#member, offsetof(struct run_totals, member)},
#include "bench/results/total.def"
#undef X
};

enum { TOTAL_COUNT = sizeof totals / sizeof *totals };

static herr_t write_attributes(hid_t group, const struct run_record *record)
{
	herr_t bad = 0;

	bad |= hdf5_set_u64(group, "scenario_hash", record->scenario_hash);
	bad |= hdf5_set_u64(group, "seed", record->seed);
	bad |= hdf5_set_text(group, "status", record->status);
	bad |= hdf5_set_text(group, "message", record->message);
	bad |= hdf5_set_text(group, "world", record->world);
	bad |= hdf5_set_text(group, "simgrid_configuration", record->simgrid_configuration);
	for (int i = 0; i < TOTAL_COUNT; i++) {
		uint64_t value;

		memcpy(&value, (const char *)&record->totals + totals[i].offset, sizeof value);
		bad |= hdf5_set_u64(group, totals[i].name, value);
	}
	return bad;
}

herr_t results_write_run(hid_t parent, const char *name, const struct run_record *record)
{
	hid_t group = hdf5_group(parent, name);

	if (group < 0)
		return -1;

	herr_t bad = write_attributes(group, record);

	bad |= hdf5_text(group, "scenario", record->scenario);
	bad |= hdf5_text(group, "platform", record->platform);
	for (uint32_t i = 0; i < record->table_count; i++)
		bad |= hdf5_table(group, &record->tables[i]);
	bad |= H5Gclose(group);
	return bad;
}

enum status results_publish(const char *temporary, const char *path, uint64_t identity)
{
	enum status status = seal_append(temporary, identity);
	int file = status == STATUS_OK ? file_open_own(temporary) : -1;

	status = STATUS_IO;
	if (file >= 0 && fsync(file) == 0 && rename(temporary, path) == 0)
		status = STATUS_OK;
	if (file >= 0)
		close(file);
	if (status != STATUS_OK) {
		int error = errno;

		unlink(temporary);
		errno = error;
	}
	return status;
}

static herr_t write_ops(hid_t file, const struct run_record *record)
{
	struct table ops = results_ops();
	herr_t bad = 0;

	if (!record->ops)
		return 0;
	ops.rows = record->ops;
	ops.row_count = record->op_count;
	bad |= hdf5_table(file, &ops);
	bad |= hdf5_texts(file, RESULTS_STEPS, record->steps, record->step_count);
	bad |= hdf5_texts(file, RESULTS_PROGRAMS, record->programs, record->step_count);
	bad |= hdf5_texts(file, RESULTS_NAMES, record->names, record->step_count);
	return bad;
}

/* HDF5 crashes if it cannot allocate memory while it starts. It needs less than this. */
enum { START_BYTES = 4 << 20 };

void results_start(void)
{
	void *room =
		mmap(NULL, START_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ensure_memory(room != MAP_FAILED, "the HDF5 library");
	munmap(room, START_BYTES);
	hdf5_quiet();
}

enum status results_write_part(const char *path, const struct run_record *record)
{
	char temporary[4096];

	if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary)
		return STATUS_IO;
	hdf5_quiet();

	hid_t file = hdf5_create(temporary);

	if (file < 0)
		return STATUS_IO;

	herr_t bad = hdf5_set_u64(file, "layout_version", RESULTS_LAYOUT_VERSION);

	bad |= results_write_run(file, "run", record);
	bad |= write_ops(file, record);
	bad |= H5Fclose(file);
	if (bad < 0) {
		int error = errno;

		unlink(temporary);
		errno = error;
		return STATUS_IO;
	}
	return results_publish(temporary, path, record->identity);
}

static bool read_attributes(struct h5_file *file, struct part_summary *summary)
{
	static const char run[] = "/run";
	bool good = h5_number(file, run, "scenario_hash", &summary->scenario_hash) == STATUS_OK &&
		    h5_number(file, run, "seed", &summary->seed) == STATUS_OK &&
		    part_text(file, run, "status", summary->status, sizeof summary->status) &&
		    part_text(file, run, "message", summary->message, sizeof summary->message);

	for (int i = 0; i < TOTAL_COUNT && good; i++) {
		uint64_t value = 0;

		good = h5_number(file, run, totals[i].name, &value) == STATUS_OK;
		memcpy((char *)&summary->totals + totals[i].offset, &value, sizeof value);
	}
	return good;
}

/* Reads an optional table of the run. */
static bool read_table(struct h5_file *file, const char *path, const struct table *layout,
	void **rows, uint32_t *count)
{
	*rows = NULL;
	*count = 0;
	return !h5_has(file, path) || part_table(file, "/run", layout, rows, count);
}

static bool read_tables(struct h5_file *file, struct part_summary *summary)
{
	struct table metrics = results_metrics(), kinds = results_kinds(), work = results_work();
	void *metric_rows = NULL, *kind_rows = NULL, *work_rows = NULL;
	bool good =
		read_table(file, "/run/metrics", &metrics, &metric_rows, &summary->metric_count) &&
		read_table(file, "/run/kinds", &kinds, &kind_rows, &summary->kind_count) &&
		read_table(file, "/run/work", &work, &work_rows, &summary->work_count);

	summary->metrics = metric_rows;
	summary->kinds = kind_rows;
	summary->work = work_rows;
	return good;
}

enum status results_read_part(const char *path, uint64_t identity, struct part_summary *summary)
{
	uint64_t version = 0, sealed;
	int descriptor = file_open_own(path);
	struct h5_file *file = NULL;
	bool good;

	memset(summary, 0, sizeof *summary);
	if (descriptor < 0)
		return access(path, R_OK) != 0 ? STATUS_NOT_FOUND : STATUS_INVALID;
	good = seal_read_file(descriptor, &sealed) == STATUS_OK && sealed == identity;
	if (!good)
		close(descriptor);
	good = good && h5_open(descriptor, &file) == STATUS_OK &&
	       h5_number(file, "/", "layout_version", &version) == STATUS_OK &&
	       version == RESULTS_LAYOUT_VERSION && read_attributes(file, summary) &&
	       read_tables(file, summary);
	h5_close(file);
	if (!good)
		part_summary_fini(summary);
	return good ? STATUS_OK : STATUS_INVALID;
}

void part_summary_fini(struct part_summary *summary)
{
	free(summary->metrics);
	free(summary->kinds);
	free(summary->work);
	memset(summary, 0, sizeof *summary);
}
