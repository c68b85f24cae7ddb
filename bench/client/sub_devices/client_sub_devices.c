/* The sub-devices of a run. Each mesh is divided into the same sub-devices when it is opened.
 * Before a mesh is closed, all memory of its sub-devices must be free again. */
#include "bench/scenario/step_layout.h"
#include "client_private.h"

bool client_divide(struct client *client)
{
	const struct tree_node *runtime = tree_get(tree_root(client->plan->tree), "runtime");
	struct sub_device_config each[SUB_DEVICES_MAX];
	struct sub_devices_config config = step_sub_devices(client->plan->scenario, each);
	enum status status;
	struct text why;

	if (config.count == 0)
		return true;
	text_init(&why);
	status = client->device->ops->sub_devices_load(client->device, &config, &why);
	if (status != STATUS_OK)
		client_refuse(client,
			tree_where(runtime,
				status == STATUS_NO_SPACE ? "sub_device_l1_bytes" : "sub_devices"),
			"%s", why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	return status == STATUS_OK;
}

bool client_sub_devices_are_empty(struct client *client)
{
	const struct runtime_keys *keys = &client->plan->scenario->runtime;

	for (uint32_t i = 0; i < keys->sub_device_count; i++)
		if (client->device->ops->sub_device_usage(client->device, i).allocations > 0)
			return client_fail(client,
				"L1 of sub-device %s is taken when everything was given back",
				keys->sub_devices[i].name);
	return true;
}
