/* Merges parts (bench/run/part_folder.h). Reads the summaries of the parts, builds /summary and
 * /host, and calls results_merge.c to write the file. */
#include "bench/run/part_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file/file.h"
#include "bench/run/children.h"
#include "bench/scenario/load.h"
#include "run_world.h"

struct host_row {
	uint32_t run;
	double wall_s, cpu_s;
	uint64_t peak_bytes;
};

static const struct column host_columns[] = {
	COLUMN(struct host_row, run, "1"),
	COLUMN(struct host_row, wall_s, "s"),
	COLUMN(struct host_row, cpu_s, "s"),
	COLUMN(struct host_row, peak_bytes, "B"),
};

static struct table host_table(
	struct part_folder *folder, uint32_t runs, double *cpu_s, struct arena *arena)
{
	struct host_row *rows = arena_array(arena, runs, sizeof *rows);

	*cpu_s = 0;
	for (uint32_t run = 0; run < runs; run++) {
		struct host_figures figures = part_folder_figures(folder, run);

		rows[run] =
			(struct host_row){run, figures.wall_s, figures.cpu_s, figures.peak_bytes};
		*cpu_s += figures.cpu_s;
	}
	return (struct table){"runs", host_columns, sizeof host_columns / sizeof *host_columns,
		sizeof *rows, rows, runs};
}

static const char *describe_machine(struct arena *arena)
{
	struct utsname name;

	if (uname(&name) != 0)
		return "unknown";
	return arena_printf(
		arena, "%s %s %s %s", name.nodename, name.sysname, name.release, name.machine);
}

static const char *describe_time(struct arena *arena)
{
	char text[64];
	time_t now = time(NULL);
	struct tm utc;

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	return arena_string(arena, text);
}

static const char *swept_keys(const struct scenario_file *file, struct arena *arena)
{
	struct text text;
	const char *keys;

	text_init(&text);
	for (uint32_t i = 0; i < scenario_swept_count(file); i++)
		text_printf(&text, "%s%s", i ? "\n" : "", scenario_swept_name(file, i));
	keys = arena_string(arena, text_string(&text));
	text_fini(&text);
	return keys;
}

/* Returns the text of the file that lists how far simulated figures are from measured figures.
 * `compare` uses it to judge whether a margin between two options is real. Returns NULL if there is
 * no such file. */
static const char *read_model_errors(struct arena *arena)
{
	struct text text = {0};
	const char *errors = NULL;

	if (file_read(shipped_errors(), FILE_BYTES_MAX, &text, NULL))
		errors = arena_string(arena, text_string(&text));
	text_fini(&text);
	return errors;
}

/* Returns the record of a run that left no part. */
static const struct run_record *failed_record(const struct run_request *request, uint32_t run,
	const struct part_summary *failed, struct arena *arena)
{
	struct run_record *record = arena_alloc(arena, sizeof *record);
	const struct run_facts *facts = scenario_run(request->file, run);

	record->seed = facts->seed;
	record->scenario_hash = facts->hash;
	record->status = failed->status;
	record->message = failed->message;
	record->world = request->native ? "native" : "sim";
	record->simgrid_configuration = "";
	record->scenario = facts->scenario_text;
	record->platform = facts->platform_text;
	return record;
}

static enum status merge_collect(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, struct part_summary *parts, struct merge_run *runs,
	struct arena *arena, struct text *why)
{
	for (uint32_t run = 0; run < scenario_run_count(request->file); run++) {
		const char *path = part_folder_part(folder, run);

		if (failed[run].status[0]) {
			parts[run] = failed[run];
			runs[run].record = failed_record(request, run, &failed[run], arena);
			continue;
		}
		runs[run].part = arena_string(arena, path);
		if (results_read_part(path, scenario_run(request->file, run)->identity,
			    &parts[run]) != STATUS_OK) {
			text_printf(why, "%s %s", path,
				access(path, F_OK) == 0 ? "is damaged, or the part of another run"
							: "is gone");
			return STATUS_IO;
		}
	}
	return STATUS_OK;
}

static enum status merge_parts(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why)
{
	const struct scenario_file *file = request->file;
	uint32_t count = scenario_run_count(file);
	struct part_summary *parts = calloc(count, sizeof *parts);
	struct merge_run *runs = calloc(count, sizeof *runs);
	struct merge_head head = {0};
	struct arena arena;
	enum status status = STATUS_NO_MEMORY;

	arena_init(&arena);
	if (!parts || !runs)
		goto out;
	status = merge_collect(request, folder, failed, parts, runs, &arena, why);
	if (status != STATUS_OK)
		goto out;
	head.scenario_name = scenario_name(file);
	head.scenario_description = scenario_description(file);
	head.world = request->native ? "native" : "sim";
	head.swept_keys = swept_keys(file, &arena);
	head.model_errors = request->native ? NULL : read_model_errors(&arena);
	head.scenario_hash = scenario_hash(file);
	head.summary = summary_build(file, parts, &arena, &head.shared_columns);
	head.scenario_file = scenario_path(file);
	head.created = describe_time(&arena);
	head.command_line = request->command_line;
	head.machine = describe_machine(&arena);
	head.cores = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	head.jobs = request->jobs;
	head.wall_s = wall_s;
	head.host_runs = host_table(folder, count, &head.cpu_s, &arena);
	status = STATUS_IO;
	if (!output_check(request->output, &results_output, why))
		goto out;
	errno = 0;
	status = results_merge(request->output, part_folder_merged(folder), &head, runs, count);
	if (status != STATUS_OK)
		text_printf(why, "cannot write %s: %s", request->output,
			errno ? strerror(errno) : "HDF5 cannot");
out:
	for (uint32_t run = 0; parts && run < count; run++)
		part_summary_fini(&parts[run]);
	free(parts);
	free(runs);
	arena_fini(&arena);
	return status;
}

/* ---- in a child ---- */

struct merger {
	const struct run_request *request;
	struct part_folder *folder;
	const struct part_summary *failed;
	double wall_s;
	struct text *why;
	enum exit_code code;
};

static void merge_child_work(void *context, uint32_t number)
{
	struct merger *merger = context;
	struct text why = {0};
	enum exit_code code = EXIT_GOOD;

	(void)number;
	if (merge_parts(merger->request, merger->folder, merger->failed, merger->wall_s, &why) !=
		STATUS_OK) {
		fputs(text_string(&why), stderr);
		code = EXIT_BAD_INPUT;
	}
	fflush(NULL);
	_Exit(code);
}

static bool merge_child_ended(void *context, const struct child_end *end)
{
	struct merger *merger = context;
	char killed[128];

	text_append(merger->why, text_string(&end->output));
	merger->code = (enum exit_code)end->code;
	if (end->code == EXIT_GOOD || end->code == EXIT_BAD_INPUT)
		return true;
	text_append(merger->why, merger->why->length ? "\n" : "");
	if (children_say_killed(end, killed, sizeof killed)) {
		merger->code = EXIT_REFUSED;
		text_printf(merger->why, "merging the runs was %s", killed);
	} else if (end->code == EXIT_NO_MEMORY) {
		merger->code = EXIT_REFUSED;
		text_append(merger->why, "merging the runs found no memory");
	} else {
		merger->code = EXIT_BUG;
		text_printf(merger->why,
			"merging ended with code %d: a bug of meshsim, or of HDF5 on a disk "
			"without room",
			end->code);
	}
	unlink(part_folder_merged(merger->folder));
	return true;
}

static const struct children_ops merge_child = {
	.work = merge_child_work,
	.ended = merge_child_ended,
};

enum exit_code merge_runs(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why)
{
	struct merger merger = {request, folder, failed, wall_s, why, EXIT_BUG};
	const uint32_t only[] = {0};

	if (!children_run(&merge_child, &merger, only, 1, 1))
		text_printf(why, "cannot start to merge: %s", strerror(errno));
	return merger.code;
}
