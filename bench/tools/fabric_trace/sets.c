/* Reads sets of recorded operations: the wiring of each set, and the file of each device and
 * operation (see fabric_trace.h). */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/tools/fabric_trace/fabric_trace.h"

enum { SETS_MAX = 1000, TRACES_MAX = 1000 };

static const char topology_name[] = "topology.json";

/* A file noc_trace_devN_NAME_IDn.json. Older files have no IDn. */
struct trace_file {
	const char *path, *name; /* path of the file; name of the operation */
	uint32_t device, id;
	uint32_t turn; /* number of earlier files with the same device and name */
};

struct sets_reading {
	struct arena *arena;
	struct diag *diag;
	struct fabric_traces *traces;
};

/* ---- names of files ---- */

/* Reads digits at *text, and moves *text to the position after them. */
static bool sets_digits(const char **text, uint32_t *out)
{
	char *end;
	unsigned long value = strtoul(*text, &end, 10);

	if (end == *text || **text < '0' || **text > '9' || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	*text = end;
	return true;
}

/* Splits the name of a file. Returns false if it has no "_devN" before its ending. */
static bool parse_name(struct arena *arena, const char *base, struct trace_file *file)
{
	const char *at = strstr(base, "_dev"), *end = base + strlen(base) - strlen(".json"), *id;
	uint32_t number;

	if (!at || at > end)
		return false;
	at += strlen("_dev");
	if (!sets_digits(&at, &file->device) || file->device >= FABRIC_DEVICES_MAX)
		return false;
	at += *at == '_';
	for (id = end; id > at && strncmp(id, "_ID", 3) != 0;)
		id--;
	if (strncmp(at, "ID", 2) == 0)
		id = at;
	if (id > at || strncmp(at, "ID", 2) == 0) {
		const char *digits = id + (id > at ? 3 : 2);

		if (sets_digits(&digits, &number) && digits == end) {
			file->id = number;
			end = id;
		}
	}
	file->name = end > at ? arena_copy(arena, at, (size_t)(end - at)) : "operation";
	return true;
}

static int sets_by_operation(const void *a, const void *b)
{
	const struct trace_file *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	if (names != 0)
		return names;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int by_turn(const void *a, const void *b)
{
	const struct trace_file *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	if (names != 0)
		return names;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	return x->device < y->device ? -1 : x->device > y->device;
}

/* Lists the trace files of a folder. The files of one operation, from all devices, follow each
 * other. Each device numbers its operations separately. So files are matched by their order: the
 * n-th files that devices have for an operation name belong to the same operation. */
static struct trace_file *sets_list(
	const struct sets_reading *reading, const char *folder, uint32_t *count)
{
	struct location whole = {diag_source(reading->diag, folder, NULL, 0), 0, 0};
	const char *const *paths = noc_trace_list(folder, reading->arena, reading->diag, count);
	struct trace_file *files = arena_array(reading->arena, *count + 1u, sizeof *files);
	uint32_t kept = 0;

	for (uint32_t i = 0; paths && i < *count; i++) {
		const char *base = strrchr(paths[i], '/') + 1;

		files[kept] = (struct trace_file){.path = paths[i]};
		if (strcmp(base, topology_name) == 0)
			continue;
		if (parse_name(reading->arena, base, &files[kept]))
			kept++;
		else
			diag_warning(reading->diag, whole,
				"%s is not replayed: its name has no device (_devN_)", base);
	}
	if (paths && kept == 0)
		diag_error(
			reading->diag, whole, "the folder has no files noc_trace_devN_NAME.json");
	qsort(files, kept, sizeof *files, sets_by_operation);
	for (uint32_t i = 1; i < kept; i++)
		if (files[i].device == files[i - 1].device &&
			strcmp(files[i].name, files[i - 1].name) == 0)
			files[i].turn = files[i - 1].turn + 1;
	qsort(files, kept, sizeof *files, by_turn);
	*count = kept;
	return kept > 0 ? files : NULL;
}

/* ---- operations ---- */

static const char *set_name(struct arena *arena, const char *folder)
{
	char *whole = realpath(folder, NULL);
	const char *slash = whole ? strrchr(whole, '/') : NULL;
	const char *name = arena_string(arena, slash ? slash + 1 : folder);

	free(whole);
	return name;
}

static bool read_device(const struct sets_reading *reading, const struct fabric_wiring *wiring,
	const struct trace_file *file, struct fabric_device *device)
{
	struct location whole = {diag_source(reading->diag, file->path, NULL, 0), 0, 0};
	int place = fabric_wiring_place(wiring, file->device);

	if (place < 0) {
		diag_error(reading->diag, whole, "%s has no device %u", wiring->path, file->device);
		return false;
	}
	*device = (struct fabric_device){.id = file->device, .place = (uint32_t)place};
	return noc_trace_read_fabric(file->path, reading->arena, reading->diag, &device->trace);
}

/* Reads an operation of `count` devices. */
static bool read_operation(struct sets_reading *reading, const struct fabric_wiring *wiring,
	const char *set, const struct trace_file *files, uint32_t count)
{
	struct fabric_trace *trace;
	bool good = true;

	if (reading->traces->count == TRACES_MAX) {
		diag_error(reading->diag,
			(struct location){diag_source(reading->diag, set, NULL, 0), 0, 0},
			"more than %d operations", TRACES_MAX);
		return false;
	}
	trace = &reading->traces->traces[reading->traces->count++];
	*trace = (struct fabric_trace){.wiring = wiring,
		.name = files->turn > 0 ? arena_printf(reading->arena, "%s/%s.%u", set, files->name,
						  files->turn + 1)
					: arena_printf(reading->arena, "%s/%s", set, files->name),
		.devices = arena_array(reading->arena, count, sizeof *trace->devices),
		.device_count = count};
	for (uint32_t i = 0; i < count; i++) {
		good = read_device(reading, wiring, &files[i], &trace->devices[i]) && good;
		trace->packets += trace->devices[i].trace.packet_count;
	}
	if (good && trace->packets == 0) {
		diag_error(reading->diag,
			(struct location){diag_source(reading->diag, files->path, NULL, 0), 0, 0},
			"no device of operation '%s' sends a packet", files->name);
		good = false;
	}
	return good;
}

static bool read_set(struct sets_reading *reading, const char *folder)
{
	struct fabric_wiring *wiring = arena_alloc(reading->arena, sizeof *wiring);
	const char *set = set_name(reading->arena, folder);
	uint32_t count, first = 0;
	struct trace_file *files;
	bool good = fabric_wiring_read(arena_printf(reading->arena, "%s/%s", folder, topology_name),
		reading->arena, reading->diag, wiring);

	files = good ? sets_list(reading, folder, &count) : NULL;
	if (!files)
		return false;
	for (uint32_t i = 1; i <= count; i++) {
		if (i < count && files[i].turn == files[first].turn &&
			strcmp(files[i].name, files[first].name) == 0)
			continue;
		good = read_operation(reading, wiring, set, &files[first], i - first) && good;
		first = i;
	}
	return good;
}

/* ---- folders ---- */

static bool has_topology(struct arena *arena, const char *folder)
{
	struct stat status;

	return stat(arena_printf(arena, "%s/%s", folder, topology_name), &status) == 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool fabric_traces_read(
	const char *path, struct arena *arena, struct diag *diag, struct fabric_traces *traces)
{
	struct location whole = {diag_source(diag, path, NULL, 0), 0, 0};
	struct sets_reading reading = {arena, diag, traces};
	const char **sets = arena_array(arena, SETS_MAX, sizeof *sets);
	uint32_t count = 0;
	struct dirent *entry;
	bool good = true;
	DIR *folder;

	*traces = (struct fabric_traces){
		.traces = arena_array(arena, TRACES_MAX, sizeof *traces->traces)};
	if (has_topology(arena, path))
		return read_set(&reading, path);
	folder = opendir(path);
	if (!folder) {
		diag_error(diag, whole, "cannot read the folder: %s", strerror(errno));
		return false;
	}
	while ((entry = readdir(folder)) != NULL && count < SETS_MAX) {
		sets[count] = arena_printf(arena, "%s/%s", path, entry->d_name);
		count += entry->d_name[0] != '.' && has_topology(arena, sets[count]);
	}
	closedir(folder);
	qsort(sets, count, sizeof *sets, by_path);
	for (uint32_t i = 0; i < count; i++)
		good = read_set(&reading, sets[i]) && good;
	if (count == 0)
		diag_error(diag, whole, "neither the folder nor one in it has a %s", topology_name);
	return good && count > 0;
}
