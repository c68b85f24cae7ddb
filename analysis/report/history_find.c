/* Finds the result files of a folder for `meshsim history`. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/read/result.h"
#include "analysis/read/summary.h"
#include "base/allocate.h"
#include "report_private.h"

static bool is_result_name(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && name[0] != '.' && strcmp(name + length - 3, ".h5") == 0;
}

static bool open_one(void *context, struct text *why)
{
	struct summary summary;

	return summary_open(&summary, context, why);
}

/* Reads the scenario, date and commit of a file. Returns false if the file is not a result file.
 * First, a child process reads the file, in case the file is damaged. If the file is not a result
 * file, the child prints the reason. */
static bool read_head(struct history *history, struct history_file *file)
{
	char *path = arena_string(&history->arena, file->path);
	struct summary summary;
	struct text why;
	bool good;

	if (probe_file(path, open_one, path) != EXIT_GOOD)
		return false;
	text_init(&why);
	good = summary_open(&summary, path, &why);
	if (good) {
		file->scenario = arena_string(
			&history->arena, result_text(summary.result, "/", "scenario_name"));
		file->created = arena_string(
			&history->arena, result_text(summary.result, "/host", "created"));
		file->commit = arena_string(
			&history->arena, result_text(summary.result, "/", "git_commit"));
		summary_close(&summary);
	}
	text_fini(&why);
	return good;
}

static int history_find_by_name(const void *a, const void *b)
{
	const struct history_file *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_scenario_and_time(const void *a, const void *b)
{
	const struct history_file *x = a, *y = b;
	int order = strcmp(x->scenario, y->scenario);

	if (order == 0)
		order = strcmp(x->created, y->created);
	return order ? order : history_find_by_name(a, b);
}

static int by_scenario_and_name(const void *a, const void *b)
{
	const struct history_file *x = a, *y = b;
	int order = strcmp(x->scenario, y->scenario);

	return order ? order : history_find_by_name(a, b);
}

/* Lists all files of the folder that are named *.h5. */
static bool list(struct history *history, const char *folder, struct text *why)
{
	DIR *directory = opendir(folder);
	uint32_t room = 0;

	if (!directory) {
		text_printf(why, "cannot read: %s", strerror(errno));
		return false;
	}
	for (struct dirent *entry; (entry = readdir(directory));) {
		struct history_file *file;
		if (!is_result_name(entry->d_name))
			continue;
		if (history->file_count == room) {
			struct history_file *grown =
				arena_array(&history->arena, 2 * (room + 8), sizeof(*grown));
			if (room)
				memcpy(grown, history->files, room * sizeof(*grown));
			history->files = grown;
			room = 2 * (room + 8);
		}
		file = &history->files[history->file_count++];
		file->name = arena_string(&history->arena, entry->d_name);
		file->path = arena_printf(&history->arena, "%s/%s", folder, file->name);
	}
	closedir(directory);
	return true;
}

bool history_find(struct history *history, const struct history_options *options, struct text *why)
{
	uint32_t kept = 0, first = 0;

	if (!list(history, options->folder, why))
		return false;
	if (history->file_count > 0)
		qsort(history->files, history->file_count, sizeof(*history->files),
			history_find_by_name);
	if (history->file_count > HISTORY_FILES_MAX)
		first = history->left_out = history->file_count - HISTORY_FILES_MAX;
	for (uint32_t i = first; i < history->file_count; i++) {
		struct history_file file = history->files[i];
		if (read_head(history, &file))
			history->files[kept++] = file;
		else
			history->unread++;
	}
	history->file_count = kept;
	if (kept == 0) {
		text_append(why, "no result file of meshsim in it");
		return false;
	}
	qsort(history->files, kept, sizeof(*history->files),
		options->by_name ? by_scenario_and_name : by_scenario_and_time);
	return true;
}
