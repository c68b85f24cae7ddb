/* Divides the devices of the part into sub-devices, or adds and loads divisions that take turns.
 * All hosts get the same divisions (spec 3.1.2, 3.3.4). */
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"
#include "mesh/sub_device.h"

/* Finishes the queues. The controller knows that they are finished, but this mesh does not. */
static enum status executor_sub_devices_finish(struct served *served)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < mesh_queue_count(served->mesh) && status == STATUS_OK; i++) {
		struct command_queue *queue = mesh_queue(served->mesh, i);

		if (!queue_is_finished(queue))
			status = queue_finish(queue, 0, DEADLINE_NEVER);
	}
	return status;
}

/* Reads the sub-devices of a message into `each`, which has room for SUB_DEVICES_MAX. */
static enum status executor_sub_devices_read(const struct served *served,
	const struct wire_cores *cores, uint32_t count, uint8_t ethernet,
	struct sub_device_config *each, struct text *why)
{
	if (served->mesh == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no mesh is open");
	if (count > SUB_DEVICES_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u sub-devices", count);
	for (uint32_t i = 0; i < count; i++)
		each[i] = (struct sub_device_config){
			cores_from_wire(&cores[i]), (ethernet >> i & 1) != 0};
	return STATUS_OK;
}

enum status executor_divide(
	struct served *served, const struct wire_divide_devices *message, struct text *why)
{
	struct sub_device_config each[SUB_DEVICES_MAX] = {0};
	const struct sub_devices_config config = {
		each, message->cores.count, message->local_l1_bytes};
	enum status status = executor_sub_devices_read(
		served, message->cores.at, config.count, message->ethernet, each, why);

	if (status == STATUS_OK)
		status = executor_sub_devices_finish(served);
	if (status != STATUS_OK)
		return status;
	return config.count > 0 ? sub_devices_load(served->mesh, &config, why)
				: sub_devices_clear(served->mesh, why);
}

enum status executor_add_division(
	struct served *served, const struct wire_add_division *message, struct text *why)
{
	struct sub_device_config each[SUB_DEVICES_MAX] = {0};
	const struct sub_devices_config config = {
		each, message->cores.count, message->local_l1_bytes};
	enum status status = executor_sub_devices_read(
		served, message->cores.at, config.count, message->ethernet, each, why);
	uint32_t division = 0;

	if (status == STATUS_OK)
		status = sub_devices_create(served->mesh, &config, &division, why);
	if (status == STATUS_OK && division != message->division)
		return refuse(why, STATUS_INVALID, "division %u is number %u here",
			message->division, division);
	return status;
}

enum status executor_load_division(
	struct served *served, const struct wire_load_division *message, struct text *why)
{
	enum status status;

	if (served->mesh == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no mesh is open");
	if (message->queue >= mesh_queue_count(served->mesh))
		return refuse(why, STATUS_OUT_OF_RANGE, "queue %u", message->queue);
	status = executor_sub_devices_finish(served);
	if (status != STATUS_OK)
		return status;
	return sub_devices_switch(served->mesh, message->division, message->queue, why);
}
