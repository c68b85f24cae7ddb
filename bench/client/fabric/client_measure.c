/* The controller's part of steps that measure the fabric if links join the hosts and each host is a
 * process (client_private.h). It numbers the operations, allocates the L1, and orders the executors
 * to load and run the kernels (client_measurer.c). */
#include "client_fabric.h"

/* Each host answers MEASURE_RUN when its own chips are at rest. After this answer, a packet from
 * another host may start a kernel on them. So the controller then waits once more until the chips
 * of all hosts are at rest. */
bool client_measure(
	struct client *client, const struct step *step, uint32_t operation, uint32_t address)
{
	struct device_handle *device = client->device;
	struct measure what = {.step = step->number,
		.phase = MEASURE_LOAD,
		.operation = operation,
		.address = address};
	enum status status = distributed_measure(device, &what);

	what.phase = MEASURE_RUN;
	if (status == STATUS_OK)
		status = distributed_measure(device, &what);
	if (status == STATUS_OK)
		status = device->ops->rest(device, DEADLINE_NEVER);
	return status == STATUS_OK ||
	       client_fail(client, "%s: %s", step_name(step->kind), status_message(status));
}
