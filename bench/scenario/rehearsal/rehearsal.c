/* The rehearsal of a run (rehearsal.h): opens meshes that are only planned, and makes objects on
 * them. All hosts of a machine allocate the same addresses, so one host's part of a mesh is
 * enough. */
#include "rehearsal.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/step_layout.h"
#include "bench/scenario/step_make.h"
#include "mesh/assembled.h"
#include "mesh/sub_device.h"
#include "mesh/tensor.h"
#include "steps/check.h"
#include "world/native/native.h"

struct rehearsed_mesh {
	struct mesh_system *alone; /* the mesh's own system; NULL: the rehearsal's */
	struct device_handle *device;
	struct program_site *site; /* site of the devices of all hosts; NULL: there is one host */
	struct mesh_config config; /* configuration of the whole mesh */
	bool divided;
};

/* An object to free. */
struct made {
	struct made *next;
	uint32_t mesh;
	const struct handle_ops *ops;
	const char *name; /* name of a buffer, or NULL */
	struct handle_buffer *buffer;
	struct handle_tensor *tensor;
	struct program *program;
	struct workload *workload;
	const struct step *step; /* the step of a workload; NULL: the step had errors */
};

struct rehearsal {
	const struct run_plan *run;
	const struct world_ops *outside;
	struct mesh_system *system;
	struct rehearsed_mesh meshes[SCENARIO_MESHES_MAX];
	struct made *made;
	uint32_t at; /* the mesh for which programs are being made */
};

struct rehearsal *rehearsal_new(const struct run_plan *run)
{
	struct rehearsal *rehearsal = allocate(1, sizeof *rehearsal);

	rehearsal->run = run;
	rehearsal->outside = world;
	world = &native_world;
	rehearsal->system = mesh_system_plan(platform_host_cluster(run->platform, 0));
	return rehearsal;
}

static void rehearsal_close(struct rehearsed_mesh *mesh)
{
	program_site_free(mesh->site);
	if (mesh->device)
		mesh->device->ops->close(mesh->device);
	mesh_system_free(mesh->alone);
	*mesh = (struct rehearsed_mesh){0};
}

void rehearsal_free(struct rehearsal *rehearsal)
{
	if (!rehearsal)
		return;
	for (const struct made *made = rehearsal->made; made; made = made->next)
		workload_free(made->workload);
	while (rehearsal->made) {
		struct made *made = rehearsal->made;

		rehearsal->made = made->next;
		program_free(made->program);
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
	const struct platform *platform = rehearsal->run->platform;
	const struct cluster_info *info = platform_host_cluster(platform, 0);

	if (machine_spans(platform, rehearsal->run->scenario))
		info = info->machine;
	*mesh = (struct rehearsed_mesh){.alone = mesh_system_plan(info)};
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
	if (machine_spans(platform, rehearsal->run->scenario)) {
		*failed = *config;
		return open_alone(rehearsal, config, why, kept);
	}
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
	if (status != STATUS_OK || !platform_hosts(rehearsal->run->platform))
		return status;
	mesh->site = program_site_new(mesh->device->ops->limits(mesh->device), config->shape);
	if (machine_links(rehearsal->run->platform) > 0)
		program_site_join(mesh->site,
			platform_host_cluster(rehearsal->run->platform, 0)->machine, config->offset,
			config->topology);
	return status;
}

struct device_handle *rehearsal_device(const struct rehearsal *rehearsal, uint32_t number)
{
	ensure(rehearsal->meshes[number].device, "mesh %u is rehearsed before it is open", number);
	return rehearsal->meshes[number].device;
}

static enum status load_initial(
	struct rehearsed_mesh *mesh, const struct sub_devices_config *config, struct text *why)
{
	enum status status = mesh->device->ops->sub_devices_load(mesh->device, config, why);

	if (status == STATUS_OK && mesh->site)
		status = program_site_divide(mesh->site, config, why);
	mesh->divided = status == STATUS_OK;
	return status;
}

enum status rehearsal_divide(
	struct rehearsal *rehearsal, uint32_t number, uint32_t *division, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	const struct scenario *scenario = rehearsal->run->scenario;
	uint32_t initial = division_initial(&scenario->runtime), made;
	struct sub_device_config each[SUB_DEVICES_MAX];
	enum status status = STATUS_OK;

	for (*division = 1; *division <= divisions_count(&scenario->runtime); (*division)++) {
		struct sub_devices_config config = step_sub_devices(scenario, *division, each);

		status = *division == initial
				 ? load_initial(&rehearsal->meshes[number], &config, why)
				 : device->ops->sub_devices_create(device, &config, &made, why);
		if (status != STATUS_OK)
			break;
	}
	return status;
}

enum status rehearsal_load(
	struct rehearsal *rehearsal, uint32_t number, uint32_t division, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	enum status status = device->ops->sub_devices_switch(device, division, 0, why);

	if (status == STATUS_OK)
		rehearsal->meshes[number].divided = division != DIVISION_WHOLE;
	return status;
}

bool rehearsal_is_divided(const struct rehearsal *rehearsal, uint32_t number)
{
	return rehearsal->meshes[number].divided;
}

/* ---- objects ---- */

static struct made *rehearsal_made(struct rehearsal *rehearsal, uint32_t number)
{
	struct made *made = allocate(1, sizeof *made);

	*made = (struct made){.next = rehearsal->made,
		.mesh = number,
		.ops = rehearsal_device(rehearsal, number)->ops};
	rehearsal->made = made;
	return made;
}

enum status rehearsal_buffer(struct rehearsal *rehearsal, uint32_t number, const char *name,
	const struct mesh_layout *layout, const struct buffer_config *config, struct text *why)
{
	struct device_handle *device = rehearsal_device(rehearsal, number);
	struct mesh_shape shape = rehearsal->meshes[number].config.shape;
	struct made *made = rehearsal_made(rehearsal, number);
	struct mesh_spread spread;
	struct mesh_layout part;
	enum status status;

	made->name = name;
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
			device, layout, why, &rehearsal_made(rehearsal, number)->tensor);
	status = tensor_parts_init(&parts, layout, config->shape, device->ops->geometry(device),
		config, why, &spread, &buffer);
	return status == STATUS_OK
		       ? rehearsal_buffer(rehearsal, number, NULL, &spread, &buffer, why)
		       : status;
}

/* ---- programs ---- */

static const struct made *rehearsal_find_buffer(const struct rehearsal *rehearsal, const char *name)
{
	const struct made *made = rehearsal->made;

	while (made && !(made->buffer && made->name && made->mesh == rehearsal->at &&
			       strcmp(made->name, name) == 0))
		made = made->next;
	return made;
}

void rehearsal_free_buffer(struct rehearsal *rehearsal, uint32_t number, const char *name)
{
	struct made *made = rehearsal->made;

	while (made && !(made->buffer && made->name && made->mesh == number &&
			       strcmp(made->name, name) == 0))
		made = made->next;
	if (!made)
		return;
	made->ops->buffer_free(made->buffer);
	made->buffer = NULL;
}

static struct library_buffer rehearsed_buffer(void *rehearsal, const char *name)
{
	const struct made *made = rehearsal_find_buffer(rehearsal, name);

	return (struct library_buffer){
		made->ops->buffer_placement(made->buffer), made->ops->buffer_address(made->buffer)};
}

/* False if the program needs a buffer or a sub-device that had an error. */
static bool can_be_made(const struct rehearsal *rehearsal, const struct program_keys *keys)
{
	bool can = !keys->sub_device ||
		   sub_device_number(&rehearsal->run->scenario->runtime, keys->sub_device) > 0;

	for (uint32_t i = 0; i < keys->buffer_count && can; i++)
		can = rehearsal_find_buffer(rehearsal, keys->buffers[i].buffer) != NULL;
	return can;
}

static bool rehearsal_make_program(struct rehearsal *rehearsal, const struct step *step,
	struct program_keys *keys, struct workload *workload, struct diag *diag)
{
	const struct rehearsed_mesh *mesh = &rehearsal->meshes[step->mesh];
	struct step_maker maker = {.run = rehearsal->run,
		.limits = mesh->device->ops->limits(mesh->device),
		.shape = mesh->config.shape,
		.buffer = rehearsed_buffer,
		.context = rehearsal,
		.diag = diag};
	struct made *made;
	bool good;

	if (!can_be_made(rehearsal, keys))
		return false;
	made = rehearsal_made(rehearsal, step->mesh);
	made->program = mesh->site ? program_new_at(mesh->site, keys->program, 0)
				   : mesh->device->ops->program_new(mesh->device, keys->program);
	if (rehearsal->run->scenario->runtime.division_count > 0)
		(void)program_for_division(made->program, keys->division, NULL);
	good = step_make_program(&maker, step, keys, made->program, workload);
	if (mesh->divided && program_of_sub_device(made->program) != SUB_DEVICE_NONE)
		keys->sub_device_number =
			sub_devices_before(&rehearsal->run->scenario->runtime, keys->division) +
			program_of_sub_device(made->program) + 1;
	return good;
}

bool rehearsal_workload(struct rehearsal *rehearsal, struct step *step, struct diag *diag)
{
	const struct rehearsed_mesh *mesh = &rehearsal->meshes[step->mesh];
	struct made *made = rehearsal_made(rehearsal, step->mesh);
	uint32_t count = step->workload.program_count;
	struct program_keys *keys = count > 0 ? step->workload.programs : &step->workload.own;
	bool good = true;

	rehearsal->at = step->mesh;
	made->workload = mesh->site ? workload_new_at(mesh->site)
				    : mesh->device->ops->workload_new(mesh->device);
	for (uint32_t i = 0; i < (count > 0 ? count : 1); i++)
		good &= rehearsal_make_program(rehearsal, step, &keys[i], made->workload, diag);
	made->step = good ? step : NULL;
	return good;
}

void rehearsal_fit(struct rehearsal *rehearsal, struct diag *diag)
{
	struct text why = {0};

	for (const struct made *made = rehearsal->made; made; made = made->next) {
		uint32_t count;

		if (made->step && rehearsal->run->scenario->runtime.division_count > 0 &&
			rehearsal_load(rehearsal, made->mesh,
				step_programs(made->step, &count)->division, NULL) != STATUS_OK)
			continue; /* buffers of another division are in the way */
		if (made->step && workload_check(made->workload, &why) != STATUS_OK)
			step_refuse_workload(made->step, &why, diag);
		text_fini(&why);
	}
}
