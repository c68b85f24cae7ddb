/* Machines of several hosts (the key `hosts` of a platform). All hosts have the same chips. The
 * controller runs on an additional host, which has no chips. */
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
	SCHEMA_INT(struct hosts_shape, links, "links", .max = 16,
		.help = "Ethernet links between two neighbouring chips of two hosts; 0: no fabric "
			"joins the hosts' parts"),
	SCHEMA_BOOL(struct hosts_shape, wrap, "wrap", .fallback = "false",
		.help = "such links lead from the last host to the first, too, so that the hosts "
			"form a ring"),
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
			"%u hosts of %u chips are more than %d chips: " CHIP_NUMBERS, hosts->count,
			chips_of_one, BOUND_CHIPS);
	if (hosts->cores == PLATFORM_CORES_OWN && hosts->machines != PLATFORM_MACHINE_ONE)
		diag_error(diag, hosts->where,
			"'cores: own' is for processes of one machine (machines: one): these hosts "
			"have a machine each");
	if (hosts->wrap && (hosts->links == 0 || hosts->count < 2))
		diag_error(diag, hosts->where,
			"'wrap' is for links between hosts: say two hosts or more, and 'links'");
}

/* ---- the machine of all hosts, if links join them ---- */

/* Returns the number of hosts from which links lead to the next host. */
static uint16_t hosts_joined(const struct platform_hosts *hosts)
{
	return (uint16_t)(hosts->wraps ? hosts->count : hosts->count - 1);
}

static void hosts_add_chips(const struct platform *platform, uint16_t host, struct chip_info *chips)
{
	const struct cluster_info *info = &platform->cluster;
	bool in_rows = platform->hosts.along == PLATFORM_ALONG_ROWS;
	uint16_t first = (uint16_t)(host * info->chip_count);

	for (uint16_t i = 0; i < info->chip_count; i++) {
		struct chip_info chip = info->chips[i];

		chip.gateway = (uint16_t)(chip.gateway + first);
		chip.host = host;
		if (chip.mesh_row >= 0 && in_rows)
			chip.mesh_row = (int16_t)(chip.mesh_row + host * info->mesh_rows);
		else if (chip.mesh_row >= 0)
			chip.mesh_column = (int16_t)(chip.mesh_column + host * info->mesh_columns);
		chips[first + i] = chip;
	}
}

/* Returns the chip of the part at this place, or CHIP_NONE. */
static uint16_t hosts_chip_at(const struct cluster_info *info, uint16_t row, uint16_t column)
{
	for (uint16_t i = 0; i < info->chip_count; i++)
		if (info->chips[i].mesh_row == row && info->chips[i].mesh_column == column)
			return i;
	return CHIP_NONE;
}

/* Connects the last row or column of a host to the first row or column of the next host. After the
 * last host comes the first host. Returns the number of connections. */
static uint32_t hosts_join_next(
	const struct platform *platform, uint16_t host, struct fabric_connection *connections)
{
	const struct cluster_info *info = &platform->cluster;
	bool in_rows = platform->hosts.along == PLATFORM_ALONG_ROWS;
	uint16_t width = in_rows ? info->mesh_columns : info->mesh_rows, first, next;
	uint32_t count = 0;

	for (uint16_t i = 0; i < width; i++) {
		first = in_rows ? hosts_chip_at(info, (uint16_t)(info->mesh_rows - 1), i)
				: hosts_chip_at(info, i, (uint16_t)(info->mesh_columns - 1));
		next = in_rows ? hosts_chip_at(info, 0, i) : hosts_chip_at(info, i, 0);
		if (first == CHIP_NONE || next == CHIP_NONE)
			continue;
		connections[count++] = (struct fabric_connection){
			.chip = {(uint16_t)(host * info->chip_count + first),
				(uint16_t)((host + 1) % platform->hosts.count * info->chip_count +
					   next)},
			.links = platform->hosts.links};
	}
	return count;
}

static const struct cluster_info *hosts_make_machine(struct platform *platform)
{
	const struct cluster_info *info = &platform->cluster;
	const struct platform_hosts *hosts = &platform->hosts;
	uint32_t width = hosts->along == PLATFORM_ALONG_ROWS ? info->mesh_columns : info->mesh_rows;
	struct cluster_info *machine = arena_alloc(&platform->arena, sizeof(*machine));
	struct chip_info *chips = arena_array(
		&platform->arena, (size_t)hosts->count * info->chip_count, sizeof(*chips));
	struct fabric_connection *connections = arena_array(&platform->arena,
		(size_t)hosts->count * (info->connection_count + width), sizeof(*connections));
	uint32_t count = 0;

	for (uint16_t host = 0; host < hosts->count; host++) {
		uint16_t first = (uint16_t)(host * info->chip_count);

		hosts_add_chips(platform, host, chips);
		for (uint32_t i = 0; i < info->connection_count; i++) {
			connections[count] = info->connections[i];
			connections[count].chip[0] = (uint16_t)(connections[count].chip[0] + first);
			connections[count].chip[1] = (uint16_t)(connections[count].chip[1] + first);
			count++;
		}
		if (host < hosts_joined(hosts))
			count += hosts_join_next(platform, host, connections + count);
	}
	*machine = *info;
	machine->chip_count = (uint16_t)(hosts->count * info->chip_count);
	machine->chips = chips;
	machine->mesh_rows = hosts->mesh_rows;
	machine->mesh_columns = hosts->mesh_columns;
	machine->connection_count = count;
	machine->connections = connections;
	return machine;
}

static void hosts_join(struct platform *platform)
{
	const struct cluster_info *machine = hosts_make_machine(platform);
	uint16_t count = platform->hosts.count;
	struct cluster_info *of_hosts = arena_array(&platform->arena, count, sizeof(*of_hosts));

	for (uint16_t host = 0; host < count; host++) {
		of_hosts[host] = platform->cluster;
		of_hosts[host].machine = machine;
		of_hosts[host].machine_first = (uint16_t)(host * platform->cluster.chip_count);
	}
	platform->of_hosts = of_hosts;
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
		.links = shape->links,
		.wraps = shape->wrap,
		.mesh_rows = cluster->mesh_rows,
		.mesh_columns = cluster->mesh_columns};
	if (hosts->along == PLATFORM_ALONG_ROWS)
		hosts->mesh_rows = (uint16_t)(hosts->mesh_rows * hosts->count);
	else
		hosts->mesh_columns = (uint16_t)(hosts->mesh_columns * hosts->count);
	if (shape->links > 0)
		hosts_join(platform);
}

const struct cluster_info *platform_host_cluster(const struct platform *platform, uint16_t host)
{
	return platform->of_hosts ? &platform->of_hosts[host] : &platform->cluster;
}

const struct platform_hosts *platform_hosts(const struct platform *platform)
{
	return platform->hosts.count > 0 ? &platform->hosts : NULL;
}
