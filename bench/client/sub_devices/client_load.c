/* Executes the steps load_sub_devices and clear_sub_devices, which load another division of a mesh
 * into sub-devices, or remove the division. */
#include "client_private.h"

bool client_will_load(struct client *client, const struct step *step)
{
	(void)step;
	client->frees = true;
	return true;
}

bool client_load(struct client *client, const struct step *step)
{
	uint32_t operation = client_start_operation(client, step, 0, 0);
	struct text why;
	enum status status;

	world->mark(operation, MARK_CALLED, 0);
	if (!client_finish_queues(client))
		return false;
	text_init(&why);
	status = client->device->ops->sub_devices_switch(
		client->device, step->load.division, 0, &why);
	if (status != STATUS_OK)
		client_refuse(client, step->where, "%s",
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	client->division = step->load.division;
	world->mark(operation, MARK_SEEN, 0);
	world->mark(operation, MARK_RETURNED, 0);
	return status == STATUS_OK;
}
