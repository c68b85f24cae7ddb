/* Collectives of steps: a program for each device of the mesh, made before the first step runs.
 * Knows no kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "client_private.h"
#include "programs/collective.h"

enum { BUFFERS = 3 };

struct client_collective {
	struct client_collective *next;
	const struct step *step;
	struct workload *workload;
	uint32_t program_count, cores, launches; /* cores of each device: the first ones */
	struct program **programs;
	uint32_t *devices;
	struct handle_buffer *buffers[BUFFERS];
};

static bool refused(
	struct client *client, const struct step *step, const struct text *why, enum status status)
{
	return client_refuse(client, step->where, "collective: %s",
		why->length ? text_string(why) : status_message(status));
}

/* So many pages on every device. */
static enum status buffer_new(struct client *client, struct client_collective *made, uint32_t index,
	uint64_t pages, struct library_buffer *buffer, struct text *why)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t page_bytes = made->step->collective.page_bytes;
	struct mesh_layout layout = {.size_bytes = pages * page_bytes};
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	enum status status;

	if (pages == 0)
		return STATUS_OK;
	status = ops->buffer_new(client->device, &layout, &config, why, &made->buffers[index]);
	if (status == STATUS_OK)
		*buffer = (struct library_buffer){ops->buffer_placement(made->buffers[index]),
			ops->buffer_address(made->buffers[index])};
	return status;
}

static void programs_new(struct client *client, struct client_collective *made)
{
	const struct handle_ops *ops = client->device->ops;
	char name[64];

	made->workload = ops->workload_new(client->device);
	for (; made->program_count < mesh_shape_count(ops->shape(client->device));
		made->program_count++) {
		snprintf(name, sizeof name, "collective/%u.%u", made->step->number,
			made->program_count);
		made->programs[made->program_count] = ops->program_new(client->device, name);
	}
}

static enum status build(struct client *client, struct client_collective *made, struct text *why)
{
	const struct collective_step *keys = &made->step->collective;
	struct mesh_shape shape = client->device->ops->shape(client->device);
	struct collective_config config = {.op = (enum collective_op)keys->op,
		.element = ELEMENT_BF16,
		.devices = made->devices,
		.device_count = made->program_count,
		.ring = keys->topology == 1,
		.links = keys->links,
		.root = keys->root,
		.workers = keys->workers,
		.chunk_pages = keys->chunk_pages};
	enum status status = collective_order(shape, config.ring, made->devices, why);

	made->cores = 2 * collective_lanes(&config);
	config.pages = collective_input_pages(
		config.op, config.device_count, keys->size_bytes, keys->page_bytes);
	if (status == STATUS_OK)
		status = buffer_new(client, made, 0, config.pages, &config.input, why);
	if (status == STATUS_OK)
		status = buffer_new(
			client, made, 1, collective_output_pages(&config), &config.output, why);
	if (status == STATUS_OK)
		status = buffer_new(
			client, made, 2, collective_sums_pages(&config), &config.sums, why);
	return status == STATUS_OK ? collective_build(made->programs, &config, why) : status;
}

static enum status add_all(struct client *client, struct client_collective *made, struct text *why)
{
	uint32_t columns = client->device->ops->shape(client->device).columns;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < made->program_count && status == STATUS_OK; i++) {
		uint16_t row = (uint16_t)(made->devices[i] / columns);
		uint16_t column = (uint16_t)(made->devices[i] % columns);

		status = workload_add(made->workload, made->programs[i],
			(struct device_range){row, column, row, column}, why);
	}
	return status;
}

bool client_collective_make(struct client *client, const struct step *step)
{
	uint32_t devices = mesh_shape_count(client->device->ops->shape(client->device));
	struct client_collective *made = allocate(1, sizeof *made);
	struct text why;
	enum status status;

	made->step = step;
	made->next = client->collectives;
	client->collectives = made;
	made->programs = allocate(devices, sizeof(struct program *));
	made->devices = allocate(devices, sizeof *made->devices);
	programs_new(client, made);
	text_init(&why);
	status = build(client, made, &why);
	if (status == STATUS_OK)
		status = add_all(client, made, &why);
	if (status != STATUS_OK)
		refused(client, step, &why, status);
	text_fini(&why);
	return status == STATUS_OK;
}

bool client_collective(struct client *client, const struct step *step)
{
	const struct collective_step *keys = &step->collective;
	struct client_collective *made = client->collectives;
	struct handle_call call = {.queue = keys->queue, .blocking = keys->blocking};
	struct text why;
	enum status status;

	while (made->step != step)
		made = made->next;
	call.operation = client_start_operation(client, step, keys->queue, keys->size_bytes);
	status = client->device->ops->run(client->device, call, made->workload);
	if (status == STATUS_OK) {
		made->launches++;
		return true;
	}
	text_init(&why);
	(void)client->device->ops->workload_check(client->device, made->workload, &why);
	refused(client, step, &why, status);
	text_fini(&why);
	return false;
}

uint32_t client_collective_launches(const struct client *client, uint32_t core)
{
	uint32_t launches = 0;

	for (const struct client_collective *made = client->collectives; made; made = made->next)
		launches += core < made->cores ? made->launches : 0;
	return launches;
}

static void collective_free(struct client *client, struct client_collective *made)
{
	const struct handle_ops *ops = client->device->ops;

	ops->workload_free(client->device, made->workload);
	for (uint32_t i = 0; i < made->program_count; i++)
		ops->program_free(client->device, made->programs[i]);
	for (uint32_t i = 0; i < BUFFERS; i++)
		ops->buffer_free(made->buffers[i]);
	free(made->programs);
	free(made->devices);
	free(made);
}

void client_collectives_free(struct client *client)
{
	while (client->collectives) {
		struct client_collective *made = client->collectives;

		struct location where = made->step->where;
		uint64_t taken = client_taken(client);

		client->collectives = made->next;
		collective_free(client, made);
		client_note_left(client, "collective", NULL, where, taken);
	}
}
