/* Makes the virtual machine by joining the meshes of the hosts along one axis (spec 4.2, B.1).
 * Along the other axis, the meshes of all hosts must have the same size. */
#include "base/refuse.h"
#include "controller_private.h"

/* Sets the position of every host, and computes the total size. */
static enum status place_hosts(
	struct controller *controller, uint16_t *rows, uint16_t *columns, struct text *why)
{
	const struct controller_settings *settings = &controller->settings;
	const struct cluster_info *first = &controller->hosts[0].info;
	bool in_rows = settings->axis == HOSTS_IN_ROWS;
	uint32_t at = 0;

	for (uint32_t i = 0; i < settings->host_count; i++) {
		struct host *host = &controller->hosts[i];
		uint16_t height = host->info.mesh_rows, width = host->info.mesh_columns;
		uint32_t row = in_rows ? at : 0, column = in_rows ? 0 : at;

		if (height == 0 || width == 0 ||
			(in_rows ? width != first->mesh_columns : height != first->mesh_rows) ||
			at + (in_rows ? height : width) > UINT16_MAX)
			return refuse(why, STATUS_INVALID,
				"host %s has a mesh of %u x %u, host %s one of %u x %u", host->name,
				height, width, controller->hosts[0].name, first->mesh_rows,
				first->mesh_columns);
		host->place = (struct device_range){(uint16_t)row, (uint16_t)column,
			(uint16_t)(row + height - 1), (uint16_t)(column + width - 1)};
		at += in_rows ? height : width;
	}
	*rows = in_rows ? (uint16_t)at : first->mesh_rows;
	*columns = in_rows ? first->mesh_columns : (uint16_t)at;
	return STATUS_OK;
}

static void machine_add_chips(const struct host *host, uint16_t server, uint16_t first,
	struct chip_info *chips, struct fabric_connection *connections)
{
	const struct cluster_info *info = &host->info;

	for (uint16_t i = 0; i < info->chip_count; i++) {
		struct chip_info chip = info->chips[i];

		if (chip.gateway != CHIP_NONE)
			chip.gateway = (uint16_t)(chip.gateway + first);
		if (chip.mesh_row >= 0) {
			chip.mesh_row = (int16_t)(chip.mesh_row + host->place.row0);
			chip.mesh_column = (int16_t)(chip.mesh_column + host->place.column0);
		}
		chip.host = server;
		chips[i] = chip;
	}
	for (uint32_t i = 0; i < info->connection_count; i++) {
		connections[i] = info->connections[i];
		connections[i].chip[0] = (uint16_t)(connections[i].chip[0] + first);
		connections[i].chip[1] = (uint16_t)(connections[i].chip[1] + first);
	}
}

/* Returns the chip of a host at a position of the virtual machine, or CHIP_NONE. */
static uint16_t machine_find_chip(
	const struct cluster_info *machine, uint16_t host, uint16_t row, uint16_t column)
{
	for (uint16_t i = 0; i < machine->chip_count; i++)
		if (machine->chips[i].host == host && machine->chips[i].mesh_row == row &&
			machine->chips[i].mesh_column == column)
			return i;
	return CHIP_NONE;
}

/* Joins the last row (or column) of a host to the first row (or column) of the next host. The host
 * after the last one is the first host. */
static void machine_join_next(const struct controller *controller, uint16_t host,
	struct cluster_info *machine, struct fabric_connection *connections)
{
	bool in_rows = controller->settings.axis == HOSTS_IN_ROWS;
	const struct device_range *from = &controller->hosts[host].place;
	uint16_t width = in_rows ? machine->mesh_columns : machine->mesh_rows;
	uint16_t beyond = (uint16_t)((host + 1u) % controller->settings.host_count);
	const struct device_range *to = &controller->hosts[beyond].place;

	for (uint16_t i = 0; i < width; i++) {
		uint16_t row = in_rows ? from->row1 : i, column = in_rows ? i : from->column1;
		uint16_t last = machine_find_chip(machine, host, row, column);
		uint16_t next = machine_find_chip(
			machine, beyond, in_rows ? to->row0 : row, in_rows ? column : to->column0);

		if (last != CHIP_NONE && next != CHIP_NONE)
			connections[machine->connection_count++] = (struct fabric_connection){
				{last, next}, controller->settings.links};
	}
}

/* If links join the hosts, gives each host a description of the whole machine. */
static void share_machine(struct controller *controller)
{
	uint16_t first = 0;

	for (uint32_t i = 0; controller->settings.links > 0 && i < controller->settings.host_count;
		i++) {
		struct cluster_info *info = &controller->hosts[i].info;

		info->machine = controller->info;
		info->machine_first = first;
		first = (uint16_t)(first + info->chip_count);
	}
}

enum status machine_make(struct controller *controller, struct text *why)
{
	struct cluster_info *made = arena_alloc(&controller->arena, sizeof *made);
	uint32_t hosts = controller->settings.host_count, chip_count = 0, connection_count = 0;
	struct chip_info *chips;
	struct fabric_connection *connections;
	uint16_t rows, columns;
	enum status status = place_hosts(controller, &rows, &columns, why);

	for (uint32_t i = 0; i < hosts; i++) {
		chip_count += controller->hosts[i].info.chip_count;
		connection_count += controller->hosts[i].info.connection_count;
	}
	if (status == STATUS_OK && chip_count >= CHIP_NONE)
		status = refuse(why, STATUS_INVALID, "%u chips", chip_count);
	if (status != STATUS_OK)
		return status;
	*made = controller->hosts[0].info;
	made->chips = chips = arena_array(&controller->arena, chip_count, sizeof *chips);
	made->connections = connections = arena_array(&controller->arena,
		connection_count + hosts * (uint32_t)(rows > columns ? rows : columns) + 1,
		sizeof *connections);
	made->chip_count = 0;
	made->connection_count = 0;
	made->mesh_rows = rows;
	made->mesh_columns = columns;
	for (uint32_t i = 0; i < hosts; i++) {
		const struct cluster_info *info = &controller->hosts[i].info;

		machine_add_chips(&controller->hosts[i], (uint16_t)i, made->chip_count,
			chips + made->chip_count, connections + made->connection_count);
		made->chip_count = (uint16_t)(made->chip_count + info->chip_count);
		made->connection_count += info->connection_count;
	}
	for (uint32_t i = 0;
		controller->settings.links > 0 && i + !controller->settings.links_wrap < hosts; i++)
		machine_join_next(controller, (uint16_t)i, made, connections);
	controller->info = made;
	share_machine(controller);
	return STATUS_OK;
}
