/* The two ways to return the parts of a buffer to the host, see gather.h. gather_rounds.c builds
 * the transfers between devices. This file runs them in order, and then reads the result. */
#include "programs/gather.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "gather_private.h"

static const struct gather_ops rows[] = {
	{.entry = {.name = "host",
		 .description = "every device is read, and the host puts the parts together",
		 .section = "3.3.5",
		 .resources = "a read for every device"}},
	{.entry = {.name = "device",
		 .description = "all-gathers over the fabric, then one device is read",
		 .section = "3.3.5",
		 .resources = "a copy of the whole on every device"},
		.on_devices = true},
};

REGISTRY_OF_ARRAY(gather, "runtime.gather", "gathering of parts", rows)

enum status gather_new(const struct gather_ops *row, struct device_handle *device,
	const struct gather_source *source, struct text *why, struct mesh_gather **gather)
{
	struct mesh_gather *made = allocate(1, sizeof *made);
	enum status status = STATUS_OK;

	made->device = device;
	made->read = source->buffer;
	if (row->on_devices)
		status = gather_rounds_make(made, source, why);
	if (status == STATUS_OK)
		*gather = made;
	else
		gather_free(made);
	return status;
}

void gather_free(struct mesh_gather *gather)
{
	if (!gather)
		return;
	for (uint32_t i = 0; i < gather->round_count; i++)
		gather_round_fini(gather, &gather->rounds[i]);
	free(gather);
}

uint32_t gather_rounds(const struct mesh_gather *gather)
{
	return gather->round_count;
}

uint32_t gather_cores(const struct mesh_gather *gather)
{
	return gather->cores;
}

struct device_range gather_read_range(const struct mesh_gather *gather)
{
	return gather->device->ops->buffer_read_range(gather->read);
}

enum status gather_read(
	struct mesh_gather *gather, const struct gather_call *call, struct text *why)
{
	const struct handle_ops *ops = gather->device->ops;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < gather->round_count && status == STATUS_OK; i++) {
		struct handle_call launch = {call->call.queue, false, call->rounds[i]};
		struct workload *workload = gather->rounds[i].workload;

		status = ops->run(gather->device, launch, workload);
		if (status != STATUS_OK)
			(void)ops->workload_check(gather->device, workload, why);
	}
	if (status != STATUS_OK)
		return status;
	return call->memory
		       ? ops->read_pinned(gather->device, call->call, gather->read, call->memory, 0)
		       : ops->read(gather->device, call->call, gather->read, call->data);
}
