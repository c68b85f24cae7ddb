/* The rehearsal of a run (rehearsal.h) opens planned meshes and makes objects on them. The hosts of
 * a machine allocate in lock-step, so one host's part of a mesh is enough. */
#include "rehearsal.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/step_layout.h"
#include "mesh/tensor_parts.h"
#include "world/native/native.h"

struct rehearsed_mesh {
	struct mesh_system *alone; /* a system of its own; NULL: it is in the rehearsal's */
	struct device_handle *device;
	struct mesh_config config; /* of the whole mesh */
	bool divided;
};

/* An object to free. */
struct made {
	struct made *next;
	const struct handle_ops *ops;
	struct handle_buffer *buffer;
	struct handle_tensor *tensor;
};

struct rehearsal {
	const struct run_plan *run;
	const struct world_ops *outside;
	struct mesh_system *system;
	struct rehearsed_mesh meshes[SCENARIO_MESHES_MAX];
	struct made *made;
};

struct rehearsal *rehearsal_new(const struct run_plan *run)
{
	struct rehearsal *rehearsal = allocate(1, sizeof *rehearsal);

	rehearsal->run = run;
	rehearsal->outside = world;
	world = &native_world;
	rehearsal->system = mesh_system_plan(platform_cluster(run->platform));
	return rehearsal;
}

static void rehearsal_close(struct rehearsed_mesh *mesh)
{
	if (mesh->device)
		mesh->device->ops->close(mesh->device);
	mesh_system_free(mesh->alone);
	*mesh = (struct rehearsed_mesh){0};
}

void rehearsal_free(struct rehearsal *rehearsal)
{
	if (!rehearsal)
		return;
	while (rehearsal->made) {
		struct made *made = rehearsal->made;

		rehearsal->made = made->next;
		made->ops->buffer_free(made->buffer);
		made->ops->tensor_free(made->tensor);
		free(made);
	}
	for (uint32_t i = 0; i < SCENARIO_MESHES_MAX; i++)
		rehearsal_close(&rehearsal->meshes[i]);
	mesh_system_free(rehearsal->system);
	world = rehearsal->outside;
	free(rehearsal);
}

/* ---- meshes ---- */

static bool same_part(const struct mesh_config *a, const struct mesh_config *b)
{
	return a->shape.rows == b->shape.rows && a->shape.columns == b->shape.columns &&
	       a->offset.row == b->offset.row && a->offset.column == b->offset.column;
}

static uint32_t workers_of(const struct rehearsed_mesh *mesh)
{
	return mesh->device->ops->resources(mesh->device)->workers;
}

static enum status open_alone(struct rehearsal *rehearsal, const struct mesh_config *config,
	struct text *why, struct rehearsed_mesh *mesh)
{
	*mesh = (struct rehearsed_mesh){
		.alone = mesh_system_plan(platform_cluster(rehearsal->run->platform))};
	return handle_row(0)->open(mesh->alone, config, why, &mesh->device);
}

/* Opens the parts of all hosts, one after the other. Keeps the part with the fewest workers. */
static enum status open_parts(struct rehearsal *rehearsal, const struct mesh_config *config,
	struct mesh_config *failed, struct text *why, struct rehearsed_mesh *kept)
{
	const struct platform *platform = rehearsal->run->platform;
	struct mesh_shape machine = machine_shape(platform);
	struct mesh_config part, last = {.shape = {0, 0}};
	enum status status = STATUS_OK;

	if (config->offset.row + config->shape.rows > machine.rows ||
		config->offset.column + config->shape.columns > machine.columns)
		return refuse(why, STATUS_OUT_OF_RANGE,
			"%u x %u devices at %u,%u of a machine of %u x %u", config->shape.rows,
			config->shape.columns, config->offset.row, config->offset.column,
			machine.rows, machine.columns);
	for (uint16_t i = 0; i < machine_hosts(platform) && status == STATUS_OK; i++) {
		struct rehearsed_mesh next;

		if (!machine_part(platform, config, i, &part) || same_part(&part, &last))
			continue;
		*failed = last = part;
		status = open_alone(rehearsal, &part, why, &next);
		if (status == STATUS_OK &&
			(!kept->device || workers_of(&next) < workers_of(kept))) {
			rehearsal_close(kept);
			*kept = next;
		} else {
			rehearsal_close(&next);
		}
	}
	return status;
}

enum status rehearsal_open(struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_config *config, struct mesh_config *failed, struct text *why)
{
	struct rehearsed_mesh *mesh = &rehearsal->meshes[number];
	enum status status;

	*failed = *config;
	if (platform_hosts(rehearsal->run->platform))
		status = open_parts(rehearsal, config, failed, why, mesh);
	else if (scenario_mesh_begins_open(rehearsal->run->scenario, number))
		status = handle_row(0)->open(rehearsal->system, config, why, &mesh->device);
	else
		status = open_alone(rehearsal, config, why, mesh);
	mesh->config = *config;
	return status;
}

struct device_handle *rehearsal_device(const struct rehearsal *rehearsal, uint32_t number)
{
	ensure(rehearsal->meshes[number].device, "mesh %u is rehearsed before it is open", number);
	return rehearsal->meshes[number].device;
}

enum status rehearsal_divide(struct rehearsal *rehearsal, uint32_t number, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	struct sub_device_config each[SUB_DEVICES_MAX];
	struct sub_devices_config config = step_sub_devices(rehearsal->run->scenario, each);
	enum status status = STATUS_OK;

	if (config.count > 0)
		status = device->ops->sub_devices_load(device, &config, why);
	rehearsal->meshes[number].divided = config.count > 0 && status == STATUS_OK;
	return status;
}

bool rehearsal_is_divided(const struct rehearsal *rehearsal, uint32_t number)
{
	return rehearsal->meshes[number].divided;
}

/* ---- objects ---- */

static struct made *rehearsal_made(struct rehearsal *rehearsal, const struct handle_ops *ops)
{
	struct made *made = allocate(1, sizeof *made);

	*made = (struct made){.next = rehearsal->made, .ops = ops};
	rehearsal->made = made;
	return made;
}

enum status rehearsal_buffer(struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	struct mesh_shape shape = rehearsal->meshes[number].config.shape;
	struct made *made = rehearsal_made(rehearsal, device->ops);
	struct mesh_spread spread;
	struct mesh_layout part;
	enum status status;

	if (!platform_hosts(rehearsal->run->platform))
		return device->ops->buffer_new(device, layout, config, why, &made->buffer);
	status = mesh_spread_init(&spread, layout, shape.rows, shape.columns, why);
	if (status != STATUS_OK)
		return status;
	part = (struct mesh_layout){.size_bytes = spread.device_bytes};
	return device->ops->buffer_new(device, &part, config, why, &made->buffer);
}

enum status rehearsal_tensor(
	struct rehearsal *rehearsal, uint32_t number, const struct layout *layout, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	const struct mesh_config *config = &rehearsal->meshes[number].config;
	struct tensor_parts parts;
	struct mesh_layout spread;
	struct buffer_config buffer;
	enum status status;

	if (!platform_hosts(rehearsal->run->platform))
		return device->ops->tensor_new(
			device, layout, why, &rehearsal_made(rehearsal, device->ops)->tensor);
	status = tensor_parts_init(&parts, layout, config->shape, device->ops->geometry(device),
		config, why, &spread, &buffer);
	return status == STATUS_OK ? rehearsal_buffer(rehearsal, number, &spread, &buffer, why)
				   : status;
}
