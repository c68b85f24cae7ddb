/* Gets the system descriptors of a run's hosts (spec 4.2), from a file or from the platform. */
#include "bench/scenario/hosts.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/refuse.h"
#include "bench/scenario/load.h"
#include "wire/system_file.h"

/* Returns the path of a file beside the file that names it. */
static const char *beside(const struct run_plan *plan, const char *file, struct arena *arena)
{
	struct location where =
		tree_where(tree_root(plan->tree), "runtime.distributed.descriptor_file");
	const char *said_in = where.source ? source_name(where.source) : "";
	const char *slash = strrchr(said_in, '/');

	if (file[0] == '/' || slash == NULL)
		return file;
	return arena_printf(arena, "%.*s%s", (int)(slash + 1 - said_in), said_in, file);
}

/* Appends the contents of the descriptor file to `file`. If the scenario names no file, makes these
 * contents from the platform. */
static enum status get_file(
	const struct run_plan *plan, struct text *file, struct arena *arena, struct text *why)
{
	const char *name = plan->scenario->runtime.distributed.descriptor_file;

	if (name == NULL)
		return system_file_write(
			platform_cluster(plan->platform), machine_hosts(plan->platform), file, why);
	if (!file_read(beside(plan, name, arena), SYSTEM_FILE_BYTES_MAX, file, why))
		return STATUS_IO;
	return STATUS_OK;
}

enum status machine_descriptors(const struct run_plan *plan, struct arena *arena,
	struct system_hosts *hosts, struct text *why)
{
	uint32_t count = machine_hosts(plan->platform);
	struct text file = {0};
	enum status status;

	*hosts = (struct system_hosts){0};
	if (!descriptor_row(plan->scenario->runtime.distributed.descriptor)->given)
		return STATUS_OK;
	status = get_file(plan, &file, arena, why);
	if (status == STATUS_OK)
		status = system_file_read(
			(const uint8_t *)text_string(&file), file.length, arena, hosts, why);
	if (status == STATUS_OK && hosts->count != count)
		status = refuse(why, STATUS_INVALID,
			"it describes %u host%s, and the machine has %u", hosts->count,
			hosts->count == 1 ? "" : "s", count);
	text_fini(&file);
	return status;
}
