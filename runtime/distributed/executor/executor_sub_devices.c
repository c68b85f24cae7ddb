/* Executes DIVIDE_DEVICES, which divides the devices of the part into sub-devices. All hosts get
 * the same division (spec 3.3.4). */
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

enum status executor_divide(
	struct served *served, const struct wire_divide_devices *message, struct text *why)
{
	struct sub_device_config each[SUB_DEVICES_MAX] = {0};
	const struct sub_devices_config config = {
		each, message->cores.count, message->local_l1_bytes};
	enum status status;

	if (served->mesh == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no mesh is open");
	if (message->cores.count > SUB_DEVICES_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u sub-devices", message->cores.count);
	for (uint32_t i = 0; i < config.count; i++)
		each[i] = (struct sub_device_config){
			cores_from_wire(&message->cores.at[i]), (message->ethernet >> i & 1) != 0};
	status = executor_sub_devices_finish(served);
	if (status != STATUS_OK)
		return status;
	return config.count > 0 ? sub_devices_load(served->mesh, &config, why)
				: sub_devices_clear(served->mesh, why);
}
