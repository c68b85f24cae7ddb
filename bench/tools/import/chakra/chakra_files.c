/* Finds the files of a Chakra trace, NAME.RANK.et, and reads all ranks. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "bench/tools/import/chakra.h"

/* Largest number of nodes of all files together. */
enum { TRACE_NODES_MAX = 1000000 };

struct found {
	char *name;  /* name of the file, with rank and ending */
	size_t stem; /* bytes before ".RANK.et" */
	uint32_t rank;
};

struct folder {
	const char *path;
	struct found *at;
	uint32_t count, most;
};

/* Splits NAME.RANK.et. Returns false if a name has another form. */
static bool split(const char *name, size_t *stem, uint32_t *rank)
{
	size_t length = strlen(name), end;
	uint64_t number = 0;

	if (length < 5 || strcmp(name + length - 3, ".et") != 0)
		return false;
	end = length - 3;
	*stem = end;
	while (*stem > 0 && name[*stem - 1] >= '0' && name[*stem - 1] <= '9')
		(*stem)--;
	if (*stem == end || end - *stem > 9 || *stem < 2 || name[*stem - 1] != '.')
		return false;
	for (size_t i = *stem; i < end; i++)
		number = 10 * number + (uint64_t)(name[i] - '0');
	(*stem)--;
	*rank = (uint32_t)number;
	return true;
}

static int by_stem_and_rank(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	size_t shorter = a->stem < b->stem ? a->stem : b->stem;
	int order = strncmp(a->name, b->name, shorter);

	if (order != 0)
		return order;
	if (a->stem != b->stem)
		return a->stem < b->stem ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Lists the files in a folder whose names are those of trace files, sorted by name and rank.
 * Returns false with errno if the folder cannot be read. */
static bool folder_list(struct folder *folder)
{
	DIR *directory = opendir(folder->path);

	if (!directory)
		return false;
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
		size_t stem;
		uint32_t rank;

		if (entry->d_name[0] == '.' || !split(entry->d_name, &stem, &rank) ||
			folder->count > 2 * CHAKRA_RANKS_MAX)
			continue;
		if (folder->count == folder->most) {
			folder->most = folder->most > 0 ? 2 * folder->most : 16;
			folder->at = allocate_more(folder->at, folder->most, sizeof *folder->at);
		}
		folder->at[folder->count++] =
			(struct found){allocate_text(entry->d_name), stem, rank};
	}
	closedir(directory);
	if (folder->count > 0)
		qsort(folder->at, folder->count, sizeof *folder->at, by_stem_and_rank);
	return true;
}

static void folder_fini(struct folder *folder)
{
	for (uint32_t i = 0; i < folder->count; i++)
		free(folder->at[i].name);
	free(folder->at);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *chakra_first_file(const char *path, struct arena *arena)
{
	struct folder folder = {.path = path};
	const char *first = NULL;

	if (is_folder(path) && folder_list(&folder) && folder.count > 0)
		first = arena_printf(arena, "%s/%s", path, folder.at[0].name);
	folder_fini(&folder);
	return first;
}

static bool same_stem(const struct found *file, const char *name, size_t stem)
{
	return file->stem == stem && strncmp(file->name, name, stem) == 0;
}

/* Keeps only the files of one trace: the trace that the first `stem` bytes of `name` name, or, if
 * `name` is NULL, the only trace of the folder. Returns false after an error, for example if a rank
 * has no file. */
static bool chakra_files_choose(struct folder *folder, const char *name, size_t stem,
	struct location where, struct diag *diag)
{
	uint32_t kept = 0;

	if (!name && folder->count > 0) {
		name = folder->at[0].name;
		stem = folder->at[0].stem;
		if (!same_stem(&folder->at[folder->count - 1], name, stem)) {
			diag_error(diag, where,
				"files of several traces, '%.*s' and '%s' among them: name a file "
				"of "
				"one",
				(int)stem, name, folder->at[folder->count - 1].name);
			return false;
		}
	}
	for (uint32_t i = 0; i < folder->count; i++)
		if (name && same_stem(&folder->at[i], name, stem)) {
			struct found swapped = folder->at[kept];

			folder->at[kept++] = folder->at[i];
			folder->at[i] = swapped;
		}
	if (kept == 0)
		diag_error(diag, where, "no files NAME.RANK.et");
	for (uint32_t i = 0; i < kept; i++)
		if (folder->at[i].rank != i || i == CHAKRA_RANKS_MAX) {
			diag_error(diag, where,
				i == CHAKRA_RANKS_MAX ? "more ranks than %u" : "no file of rank %u",
				i);
			return false;
		}
	while (folder->count > kept)
		free(folder->at[--folder->count].name);
	return kept > 0;
}

static bool read_all(const struct folder *folder, struct arena *arena, struct diag *diag,
	struct chakra_trace *trace)
{
	size_t before = diag_errors(diag), nodes = 0;

	trace->name = arena_copy(arena, folder->at[0].name, folder->at[0].stem);
	trace->count = folder->count;
	trace->ranks = arena_array(arena, trace->count, sizeof *trace->ranks);
	for (uint32_t i = 0; i < trace->count && nodes <= TRACE_NODES_MAX; i++) {
		char *path = arena_printf(arena, "%s/%s", folder->path, folder->at[i].name);
		struct text bytes = {0};

		if (file_read_or_say(path, FILE_BYTES_MAX, &bytes, diag))
			(void)chakra_read_rank(
				path, bytes.bytes, bytes.length, arena, diag, &trace->ranks[i]);
		nodes += trace->ranks[i].count;
		text_fini(&bytes);
	}
	if (nodes > TRACE_NODES_MAX)
		diag_error(diag, trace->ranks[0].where, "more than %d nodes of all ranks together",
			TRACE_NODES_MAX);
	return diag_errors(diag) == before;
}

struct chakra_trace *chakra_read(const char *path, struct arena *arena, struct diag *diag)
{
	struct location where = location_at(diag_source(diag, path, NULL, 0), 0, 0);
	const char *slash = strrchr(path, '/'), *name = NULL;
	struct chakra_trace *trace = arena_alloc(arena, sizeof *trace);
	struct folder folder = {.path = path};
	size_t stem = 0;
	uint32_t rank;
	bool good = true;

	if (!is_folder(path)) {
		folder.path = slash ? arena_copy(arena, path, (size_t)(slash - path)) : ".";
		name = slash ? slash + 1 : path;
		if (slash == path)
			folder.path = "/";
		if (!split(name, &stem, &rank)) {
			diag_error(diag, where, "the name of a rank's file is NAME.RANK.et");
			good = false;
		}
	}
	if (good && !folder_list(&folder)) {
		diag_error(diag, where, "cannot read the folder: %s", strerror(errno));
		good = false;
	}
	good = good && chakra_files_choose(&folder, name, stem, where, diag) &&
	       read_all(&folder, arena, diag, trace);
	folder_fini(&folder);
	return good ? trace : NULL;
}
