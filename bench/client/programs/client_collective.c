/* Runs collective steps. Before the first step runs, makes a program for each collective and each
 * device of the mesh. The data of inputs are generated from the seed. At the end, some elements of
 * every output page are compared with a reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "bench/scenario/load.h"
#include "client_collective.h"
#include "programs/collective.h"

static bool refused(
	struct client *client, const struct step *step, const struct text *why, enum status status)
{
	return client_refuse(client, step->where, "collective: %s",
		why->length ? text_string(why) : status_message(status));
}

static void programs_new(struct client *client, struct client_collective *made, uint32_t count)
{
	const struct handle_ops *ops = client->device->ops;
	char name[64];

	made->workload = ops->workload_new(client->device);
	for (; made->program_count < count; made->program_count++) {
		snprintf(name, sizeof name, "collective/%u.%u", made->step->number,
			made->program_count);
		made->programs[made->program_count] = ops->program_new(client->device, name);
	}
}

/* Finds the devices of all groups. Changes `config` if there are groups. */
static enum status find_devices(struct client *client, struct client_collective *made,
	struct collective_config *config, struct text *why)
{
	const struct collective_step *keys = &made->step->collective;
	struct mesh_shape shape = client->device->ops->shape(client->device);
	uint32_t *order, *next = made->devices;
	enum status status;

	if (keys->group_count == 0)
		return collective_order(shape, config->ring, made->devices, why);
	order = allocate(mesh_shape_count(shape), sizeof *order);
	status = collective_order(shape, config->ring, order, why);
	config->device_count = keys->groups[0].count;
	config->ring = step_groups_are_rings(keys, shape, order);
	config->one_way &= config->ring;
	config->columns = config->ring ? 0 : shape.columns;
	for (uint32_t i = 0; i < keys->group_count && status == STATUS_OK; i++)
		for (uint32_t k = 0; k < keys->groups[i].count; k++)
			*next++ = order[keys->groups[i].places[k]];
	config->semaphores = &made->group_shared;
	config->others = hash_bytes(made->devices, made->program_count * sizeof *made->devices);
	free(order);
	return status;
}

static enum status build_groups(struct client_collective *made, struct text *why)
{
	struct collective_config config = made->config;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < made->group_count && status == STATUS_OK; i++) {
		status = collective_build(made->programs + i * config.device_count, &config, why);
		config.devices += config.device_count;
	}
	return status;
}

static enum status client_collective_build(
	struct client *client, struct client_collective *made, struct text *why)
{
	const struct collective_step *keys = &made->step->collective;
	struct collective_config config = {.op = (enum collective_op)keys->op,
		.element = ELEMENT_BF16,
		.devices = made->devices,
		.device_count = made->program_count,
		.ring = keys->topology == 1,
		.one_way = keys->ways == 1,
		.links = keys->links,
		.root = keys->root,
		.workers = keys->workers,
		.chunk_pages = keys->chunk_pages};
	enum status status = find_devices(client, made, &config, why);

	config.pages = collective_input_pages(
		config.op, config.device_count, keys->size_bytes, keys->page_bytes);
	made->cores = 2 * collective_lanes(&config);
	if (status == STATUS_OK)
		status =
			client_collective_buffer(client, made, 0, config.pages, &config.input, why);
	if (status == STATUS_OK)
		status = client_collective_buffer(
			client, made, 1, collective_output_pages(&config), &config.output, why);
	if (status == STATUS_OK)
		status = client_collective_buffer(
			client, made, 2, collective_sums_pages(&config), &config.sums, why);
	made->config = config;
	return status == STATUS_OK ? build_groups(made, why) : status;
}

static enum status client_collective_add_all(
	struct client *client, struct client_collective *made, struct text *why)
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

/* Finds a collective by the number of its step, because a step in a trace may be a copy. */
static struct client_collective *client_collective_find(
	struct client *client, const struct step *step)
{
	struct client_collective *made = client->collectives;
	const struct step *maker = step->collective.maker ? step->collective.maker : step;

	while (made->step->number != maker->number)
		made = made->next;
	return made;
}

static bool client_collective_enqueue(
	struct client *client, const struct step *step, struct handle_call call)
{
	struct workload *workload = client_collective_find(client, step)->workload;
	enum status status = client->device->ops->run(client->device, call, workload);
	struct text why;

	if (status == STATUS_OK)
		return true;
	text_init(&why);
	(void)client->device->ops->workload_check(client->device, workload, &why);
	refused(client, step, &why, status);
	text_fini(&why);
	return false;
}

bool client_collective(struct client *client, const struct step *step)
{
	const struct collective_step *keys = &step->collective;
	struct handle_call call = {.queue = keys->queue, .blocking = keys->blocking};

	call.operation = client_start_operation(client, step, keys->queue, keys->size_bytes);
	if (!client_collective_enqueue(client, step, call))
		return false;
	client_collective_ran(client, step);
	return true;
}

bool client_collective_captured(struct client *client, const struct step *step)
{
	return client_collective_enqueue(
		client, step, (struct handle_call){.queue = step->collective.queue});
}

void client_collective_ran(struct client *client, const struct step *step)
{
	client_collective_find(client, step)->launches++;
}

/* ---- values ---- */

enum { STRIDE = 13 }; /* only every 13th element of a page is compared */

/* True if the outputs are compared. Elided data are not compared. */
static bool is_checked(const struct client *client, const struct client_collective *made)
{
	uint64_t limit = client->plan->scenario->model.elide_above_bytes;
	uint64_t pages = made->step->collective.op == STEP_MESSAGES
				 ? (uint64_t)made->slots * made->config.pages
				 : collective_output_pages(&made->config);

	return client->plan->scenario->measure.verify &&
	       (limit == 0 || client_collective_bytes(made, pages) <= limit);
}

static bool write_values(struct client *client, struct client_collective *made)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t columns = ops->shape(client->device).columns;
	struct handle_call call = {.blocking = true};
	uint8_t *values = allocate(1, client_collective_bytes(made, made->config.pages));
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < made->program_count && status == STATUS_OK; i++) {
		client_collective_values(client, made, i, values);
		status = ops->write_shard(client->device, call, made->buffers[0],
			(uint16_t)(made->devices[i] / columns),
			(uint16_t)(made->devices[i] % columns), values);
	}
	free(values);
	return client_is_complete(client, status) ||
	       client_fail(client, "write of a collective's input: %s", status_message(status));
}

/* The inputs and outputs of the devices of a group. */
struct seen {
	const struct client_collective *made;
	const uint32_t *devices;
	struct collective pages;
	uint8_t **given, **got;
	uint16_t *column; /* one element of each page: first of the input pages of all devices, then
			   * of their expected output pages */
	const void **from;
	void **to;
};

static void seen_fini(struct seen *seen)
{
	for (uint32_t i = 0; i < seen->pages.devices; i++) {
		free(seen->given[i]);
		free(seen->got[i]);
	}
	free(seen->given);
	free(seen->got);
	free(seen->column);
	free(seen->from);
	free(seen->to);
}

static enum status seen_init(struct client *client, const struct client_collective *made,
	uint32_t group, struct seen *seen)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t columns = ops->shape(client->device).columns;
	uint32_t devices = made->config.device_count, first = group * devices;
	uint64_t output = collective_output_pages(&made->config);
	struct handle_call call = {.blocking = true};
	enum status status = STATUS_OK;

	seen->made = made;
	seen->devices = made->devices + first;
	seen->pages = collective_of_pages(&made->config);
	seen->pages.element = ELEMENT_BF16;
	seen->given = allocate(devices, sizeof(uint8_t *));
	seen->got = allocate(devices, sizeof(uint8_t *));
	seen->from = allocate(devices, sizeof(void *));
	seen->to = allocate(devices, sizeof(void *));
	/* 4 more, because arrays begin at multiples of 4 */
	seen->column = allocate(devices * (made->config.pages + output + 4), sizeof(uint16_t));
	for (uint32_t i = 0; i < devices && status == STATUS_OK; i++) {
		seen->given[i] = allocate(1, client_collective_bytes(made, made->config.pages));
		seen->got[i] = allocate(1, client_collective_bytes(made, output));
		client_collective_values(client, made, first + i, seen->given[i]);
		status = ops->read_shard(client->device, call, made->buffers[1],
			(uint16_t)(seen->devices[i] / columns),
			(uint16_t)(seen->devices[i] % columns), seen->got[i]);
	}
	return status;
}

/* Compares element `at` of every output page with the reference. To compute the expected elements,
 * the reference runs a collective with pages of only one element, which is element `at` of each
 * input page. */
static bool compare_at(struct client *client, struct seen *seen, uint32_t at)
{
	const struct collective_config *config = &seen->made->config;
	uint32_t page_bytes = seen->made->step->collective.page_bytes,
		 devices = seen->pages.devices;
	uint64_t pages = config->pages + config->pages % 2,
		 output = collective_output_pages(config);
	uint16_t *results = seen->column + devices * pages;

	output += output % 2;
	for (uint32_t i = 0; i < devices; i++) {
		for (uint32_t page = 0; page < config->pages; page++)
			memcpy(&seen->column[i * pages + page],
				seen->given[i] + (uint64_t)page * page_bytes + 2 * at,
				sizeof(uint16_t));
		seen->from[i] = &seen->column[i * pages];
		seen->to[i] = &results[i * output];
	}
	collective_results(&seen->pages, seen->from, seen->to);
	for (uint32_t i = 0; i < devices; i++)
		for (uint64_t page = 0; page < collective_result_elements(&seen->pages, i); page++)
			if (memcmp(seen->got[i] + page * page_bytes + 2 * at,
				    &results[i * output + page], sizeof(uint16_t)) != 0)
				return client_fail(client,
					"verification failed: %s: element %u of page %llu of "
					"device %u is not what its reference gives",
					collective_op_name(config->op), at,
					(unsigned long long)page, seen->devices[i]);
	return true;
}

/* Compares the outputs of a group. Sets *elided if they cannot be compared because they are elided.
 */
static bool verify_group(
	struct client *client, const struct client_collective *made, uint32_t group, bool *elided)
{
	struct seen seen;
	enum status status = seen_init(client, made, group, &seen);
	bool good =
		client_is_complete(client, status) ||
		client_fail(client, "read of a collective's output: %s", status_message(status));

	for (uint32_t at = 0; good && status == STATUS_OK &&
			      at < made->step->collective.page_bytes / sizeof(uint16_t);
		at += STRIDE)
		good = compare_at(client, &seen, at);
	*elided |= status != STATUS_OK;
	seen_fini(&seen);
	return good;
}

static bool verify(struct client *client, const struct client_collective *made)
{
	bool good = true, elided = false;

	for (uint32_t i = 0; i < made->group_count && good; i++)
		good = verify_group(client, made, i, &elided);
	client->verified += good && !elided ? made->launches : 0;
	return good;
}

bool client_collectives_verify(struct client *client)
{
	bool good = true;

	for (const struct client_collective *made = client->collectives; made && good;
		made = made->next)
		if (made->launches > 0 && is_checked(client, made))
			good = made->step->collective.op == STEP_MESSAGES
				       ? client_messages_verify(client, made)
				       : verify(client, made);
	return good;
}

/* ---- steps ---- */

bool client_collective_make(struct client *client, const struct step *step)
{
	uint32_t devices = mesh_shape_count(client->device->ops->shape(client->device));
	uint32_t groups = step->collective.group_count;
	struct client_collective *made;
	struct text why;
	enum status status;

	if (step->collective.maker)
		return true;
	if (groups > 0)
		devices = groups * step->collective.groups[0].count;
	made = allocate(1, sizeof *made);
	made->step = step;
	made->next = client->collectives;
	client->collectives = made;
	made->programs = allocate(devices, sizeof(struct program *));
	made->devices = allocate(devices, sizeof *made->devices);
	made->group_count = groups > 0 ? groups : 1;
	programs_new(client, made, devices);
	text_init(&why);
	status = step->collective.op == STEP_MESSAGES ? client_messages_build(client, made, &why)
						      : client_collective_build(client, made, &why);
	if (status == STATUS_OK)
		status = client_collective_add_all(client, made, &why);
	if (status != STATUS_OK)
		refused(client, step, &why, status);
	text_fini(&why);
	return status == STATUS_OK && (!is_checked(client, made) || write_values(client, made));
}

uint32_t client_collective_launches(
	const struct client *client, uint16_t row, uint16_t column, uint32_t core)
{
	uint32_t columns = client->device->ops->shape(client->device).columns;
	uint32_t device = row * columns + column;
	uint32_t launches = 0;

	for (const struct client_collective *made = client->collectives; made; made = made->next)
		for (uint32_t i = 0; core < made->cores && i < made->program_count; i++)
			launches += made->devices[i] == device ? made->launches : 0;
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
	messages_slots_free(client->messages);
	client->messages = NULL;
}
