/* Lists the files of recorded transfers in a folder. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "bench/tools/noc_trace/noc_trace.h"

enum { FILES_MAX = 10000 };

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_trace(const char *name)
{
	size_t length = strlen(name);

	return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

const char *const *noc_trace_list(
	const char *path, struct arena *arena, struct diag *diag, uint32_t *count)
{
	struct location whole = {diag_source(diag, path, NULL, 0), 0, 0};
	const char **files;
	struct dirent *entry;
	struct stat status;
	DIR *folder;

	*count = 0;
	files = arena_array(arena, FILES_MAX, sizeof *files);
	if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
		files[(*count)++] = arena_string(arena, path);
		return files;
	}
	folder = opendir(path);
	if (!folder) {
		diag_error(diag, whole, "cannot read the folder: %s", strerror(errno));
		return NULL;
	}
	while ((entry = readdir(folder)) != NULL && *count < FILES_MAX)
		if (is_trace(entry->d_name))
			files[(*count)++] = arena_printf(arena, "%s/%s", path, entry->d_name);
	closedir(folder);
	if (*count == 0)
		diag_error(diag, whole, "the folder has no files *.json");
	qsort(files, *count, sizeof *files, by_name);
	return *count > 0 ? files : NULL;
}
