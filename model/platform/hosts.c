/* Machines of several hosts. Each host has a server and a copy of the same chips. One more server
 * is for the controller. */
#include "private.h"

static const char *const along_names[] = {
	[PLATFORM_ALONG_ROWS] = "rows", [PLATFORM_ALONG_COLUMNS] = "columns", NULL};

static const char *const machines_names[] = {
	[PLATFORM_MACHINE_EACH] = "each", [PLATFORM_MACHINE_ONE] = "one", NULL};

static const char *const cores_names[] = {
	[PLATFORM_CORES_SHARED] = "shared", [PLATFORM_CORES_OWN] = "own", NULL};

static const struct schema_field fields[] = {
	SCHEMA_INT(struct hosts_shape, count, "count", .min = 1, .max = PLATFORM_HOSTS_MAX,
		.required = true, .help = "hosts with chips"),
	SCHEMA_ENUM(struct hosts_shape, along, "along", along_names, .fallback = "rows",
		.help = "parts lie below each other, along the rows, or beside each other, along "
			"the columns"),
	SCHEMA_ENUM(struct hosts_shape, machines, "machines", machines_names, .fallback = "each",
		.help = "each host and the controller has a machine of its own, and a network "
			"between them; or one: they are processes of one machine, which share its "
			"cores and its memory, and nothing but loopback is between them"),
	SCHEMA_ENUM(struct hosts_shape, cores, "cores", cores_names, .fallback = "shared",
		.help = "of processes of one machine: all run on all of its cores; or all threads "
			"of a process on one core, host 0 on core 0 and so on, the controller on "
			"the one after the last host's, and round again when there are no more"),
};

const struct schema hosts_schema =
	SCHEMA("hosts", struct hosts_shape, fields, SCHEMA_WHERE(struct hosts_shape, where),
		.help = "so many hosts with such chips, and one more for the controller");

void hosts_check(const struct hosts_shape *hosts, uint32_t chips_of_one, struct diag *diag)
{
	if (chips_of_one * hosts->count > BOUND_CHIPS)
		diag_error(diag, hosts->where,
			"%u hosts of %u chips are more than %d chips: " CHIP_NUMBERS,
			hosts->count, chips_of_one, BOUND_CHIPS);
	if (hosts->cores == PLATFORM_CORES_OWN && hosts->machines != PLATFORM_MACHINE_ONE)
		diag_error(diag, hosts->where,
			"'cores: own' is for processes of one machine (machines: one): these hosts "
			"have a machine each");
}

void hosts_build(struct platform *platform)
{
	const struct hosts_shape *shape = platform->shape.hosts;
	const struct cluster_info *cluster = &platform->cluster;
	struct platform_hosts *hosts = &platform->hosts;

	if (!shape)
		return;
	*hosts = (struct platform_hosts){.count = shape->count,
		.along = (enum platform_along)shape->along,
		.machines = (enum platform_machines)shape->machines,
		.cores = (enum platform_cores)shape->cores,
		.mesh_rows = cluster->mesh_rows,
		.mesh_columns = cluster->mesh_columns};
	if (hosts->along == PLATFORM_ALONG_ROWS)
		hosts->mesh_rows = (uint16_t)(hosts->mesh_rows * hosts->count);
	else
		hosts->mesh_columns = (uint16_t)(hosts->mesh_columns * hosts->count);
}

const struct platform_hosts *platform_hosts(const struct platform *platform)
{
	return platform->hosts.count > 0 ? &platform->hosts : NULL;
}
