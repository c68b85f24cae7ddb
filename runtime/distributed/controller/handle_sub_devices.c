/* Sub-devices over all hosts; all hosts have the same divisions (spec 3.1.2, 3.3.4). The controller
 * checks a division and manages the allocators; every executor loads the division. The controller
 * rejects whatever the mesh of a host would reject, before it sends anything. */
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "handle_private.h"
#include "mesh/plan/plan.h"

/* ---- L1 ---- */

/* Creates an allocator for each sub-device that owns L1. */
static void divide_local_l1(struct distributed *of, uint32_t count, uint32_t local_bytes)
{
	uint32_t alignment = sizes_page_alignment(&of->config, BUFFER_L1);

	distributed_forget_sub_devices(of);
	for (uint32_t i = 0; local_bytes > 0 && i < count; i++)
		of->sub_device_l1[i] =
			allocator_new("L1 of a sub-device", of->l1_first, local_bytes, alignment);
}

/* Creates an allocator for the L1 that no sub-device owns, and an allocator for each sub-device
 * that owns L1. No buffers may exist. */
static void divide_l1(struct distributed *of, uint32_t count, uint32_t local_bytes)
{
	uint32_t alignment = sizes_page_alignment(&of->config, BUFFER_L1);
	uint64_t first = of->l1_first, bytes = of->l1_bytes;

	allocator_free(of->memory[BUFFER_L1]);
	of->memory[BUFFER_L1] =
		allocator_new("worker L1", first + local_bytes, bytes - local_bytes, alignment);
	divide_local_l1(of, count, local_bytes);
}

void distributed_forget_sub_devices(struct distributed *of)
{
	for (uint32_t i = 0; i < SUB_DEVICES_MAX; i++) {
		allocator_free(of->sub_device_l1[i]);
		of->sub_device_l1[i] = NULL;
	}
}

uint64_t distributed_lowest(const struct distributed *of, uint32_t sub_device)
{
	const struct allocator *own =
		sub_device < SUB_DEVICES_MAX ? of->sub_device_l1[sub_device] : NULL;

	if (own != NULL && allocator_usage(own).allocations > 0)
		return allocator_lowest(own);
	return allocator_lowest(of->memory[BUFFER_L1]);
}

struct allocator_usage on_distributed_sub_device_usage(
	const struct device_handle *handle, uint32_t sub_device)
{
	const struct distributed *of = distributed_of(handle);
	const struct allocator *own =
		sub_device < SUB_DEVICES_MAX ? of->sub_device_l1[sub_device] : NULL;

	return own != NULL ? allocator_usage(own) : (struct allocator_usage){0};
}

/* ---- the manager ---- */

static enum status handle_sub_devices_check_rest(const struct distributed *of, struct text *why)
{
	for (uint32_t i = 0; i < of->config.command_queues; i++)
		if (of->busy[i])
			return refuse(why, STATUS_INVALID, "queue %u has not been finished", i);
	for (uint32_t i = 0; i < SUB_DEVICES_MAX; i++)
		if (of->sub_device_l1[i] != NULL &&
			allocator_usage(of->sub_device_l1[i]).allocations > 0)
			return refuse(why, STATUS_INVALID, "buffers in the L1 of sub-device %u", i);
	return STATUS_OK;
}

static enum status handle_sub_devices_check_idle(const struct distributed *of, struct text *why)
{
	enum status status = handle_sub_devices_check_rest(of, why);

	if (status == STATUS_OK && allocator_usage(of->memory[BUFFER_L1]).allocations > 0)
		return refuse(why, STATUS_INVALID, "buffers in L1 are there");
	return status;
}

/* Sends an order to all hosts, and waits for them. */
static enum status handle_sub_devices_send(
	struct distributed *of, struct order *order, struct text *why)
{
	enum status status = distributed_forward(of, order, (struct handle_call){.blocking = true});

	if (status != STATUS_OK && why != NULL)
		text_append(why, controller_why(of->controller));
	return status;
}

/* Writes the cores of each sub-device to memory of the order, and returns this list. */
static const struct wire_cores *handle_sub_devices_cores(
	struct order *order, const struct sub_devices_config *config, uint8_t *ethernet)
{
	struct wire_cores *cores = arena_array(&order->arena, SUB_DEVICES_MAX, sizeof *cores);

	*ethernet = 0;
	for (uint32_t i = 0; config != NULL && i < config->count; i++) {
		cores[i] = cores_to_wire(config->sub_devices[i].cores);
		if (config->sub_devices[i].ethernet)
			*ethernet |= (uint8_t)(1u << i);
	}
	return cores;
}

/* Divides the devices. If `config` is NULL, removes the division. Waits for all hosts. */
static enum status handle_sub_devices_divide(
	struct distributed *of, const struct sub_devices_config *config, struct text *why)
{
	struct order *order = order_new(of->parts, WIRE_divide_devices, 0, of->parts->taking);
	struct wire_divide_devices *message = &order->command.divide_devices;

	message->cores.at = handle_sub_devices_cores(order, config, &message->ethernet);
	message->cores.count = config != NULL ? config->count : 0;
	message->local_l1_bytes = config != NULL ? config->local_l1_bytes : 0;
	return handle_sub_devices_send(of, order, why);
}

enum status on_distributed_sub_devices_load(
	struct device_handle *handle, const struct sub_devices_config *config, struct text *why)
{
	struct distributed *of = distributed_of(handle);
	enum status status = table_judge(of->controller);

	if (status == STATUS_OK)
		status = program_site_divide(of->site, config, why);
	if (status != STATUS_OK)
		return status;
	status = handle_sub_devices_check_idle(of, why);
	if (status == STATUS_OK)
		status = sub_devices_check_local(config, &of->config, of->l1_bytes, why);
	if (status == STATUS_OK) {
		status = handle_sub_devices_divide(of, config, why);
		/* hosts that have already divided their devices undo this */
		if (status != STATUS_OK)
			(void)handle_sub_devices_divide(of, NULL, NULL);
	}
	if (status == STATUS_OK)
		divide_l1(of, config->count, config->local_l1_bytes);
	else
		(void)program_site_make_whole(of->site, NULL);
	return status;
}

enum status on_distributed_sub_devices_clear(struct device_handle *handle, struct text *why)
{
	struct distributed *of = distributed_of(handle);
	enum status status = table_judge(of->controller);

	if (status == STATUS_OK && program_site_is_divided(of->site))
		status = handle_sub_devices_check_idle(of, why);
	if (status == STATUS_OK)
		status = program_site_make_whole(of->site, why);
	if (status == STATUS_OK)
		status = handle_sub_devices_divide(of, NULL, why);
	if (status == STATUS_OK)
		divide_l1(of, 0, 0);
	return status;
}

/* ---- divisions that take turns ---- */

enum status on_distributed_sub_devices_create(struct device_handle *handle,
	const struct sub_devices_config *config, uint32_t *division, struct text *why)
{
	struct distributed *of = distributed_of(handle);
	enum status status = table_judge(of->controller);
	struct order *order;

	if (status == STATUS_OK)
		status = sub_devices_check_local(config, &of->config, of->l1_bytes, why);
	if (status == STATUS_OK)
		status = program_site_add_division(of->site, config, division, why);
	if (status != STATUS_OK)
		return status;
	order = order_new(of->parts, WIRE_add_division, 0, of->parts->taking);
	order->command.add_division.cores.at =
		handle_sub_devices_cores(order, config, &order->command.add_division.ethernet);
	order->command.add_division.cores.count = config->count;
	order->command.add_division.local_l1_bytes = config->local_l1_bytes;
	order->command.add_division.division = (uint8_t)*division;
	return handle_sub_devices_send(of, order, why);
}

static enum status handle_sub_devices_check_switch(
	const struct distributed *of, uint32_t division, struct text *why)
{
	enum status status = program_site_check_division(of->site, division, why);

	for (uint32_t i = 0; i < of->config.command_queues && status == STATUS_OK; i++)
		if (of->capturing[i].number != 0)
			return refuse(why, STATUS_INVALID, "queue %u captures a trace", i);
	return status == STATUS_OK ? handle_sub_devices_check_rest(of, why) : status;
}

static enum status handle_sub_devices_switch(
	struct distributed *of, uint32_t division, uint32_t queue, struct text *why)
{
	struct order *order = order_new(of->parts, WIRE_load_division, queue, of->parts->taking);

	order->command.load_division.division = (uint8_t)division;
	return handle_sub_devices_send(of, order, why);
}

enum status on_distributed_sub_devices_switch(
	struct device_handle *handle, uint32_t division, uint32_t queue, struct text *why)
{
	struct distributed *of = distributed_of(handle);
	uint32_t before = program_site_division(of->site), local_bytes;
	enum status status = table_judge(of->controller);

	if (status != STATUS_OK || division == before)
		return status;
	status = handle_sub_devices_check_switch(of, division, why);
	if (status != STATUS_OK)
		return status;
	local_bytes = program_site_local_bytes(of->site, division);
	status = allocator_begin_at(of->memory[BUFFER_L1], of->l1_first + local_bytes, why);
	if (status != STATUS_OK)
		return status;
	status = handle_sub_devices_switch(of, division, queue, why);
	if (status != STATUS_OK) {
		/* hosts that have already loaded the division undo this */
		(void)handle_sub_devices_switch(of, before, queue, NULL);
		(void)allocator_begin_at(of->memory[BUFFER_L1],
			of->l1_first + program_site_local_bytes(of->site, before), NULL);
		return status;
	}
	program_site_load_division(of->site, division);
	divide_local_l1(of, program_site_sub_devices(of->site, division), local_bytes);
	return STATUS_OK;
}
