/* Divides each mesh of a run into sub-devices when the mesh is opened. All meshes have the same
 * sub-devices. Before a mesh is closed, checks that all memory of its sub-devices is free again. */
#include "bench/scenario/step_layout.h"
#include "client_private.h"

static enum status divide(
	struct client *client, const struct sub_devices_config *config, bool load, struct text *why)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t number;

	return load ? ops->sub_devices_load(client->device, config, why)
		    : ops->sub_devices_create(client->device, config, &number, why);
}

bool client_divide(struct client *client)
{
	const struct tree_node *runtime = tree_get(tree_root(client->plan->tree), "runtime");
	const struct runtime_keys *keys = &client->plan->scenario->runtime;
	struct sub_device_config each[SUB_DEVICES_MAX];
	enum status status = STATUS_OK;
	struct text why;

	client->division = division_initial(keys);
	text_init(&why);
	for (uint32_t i = 1; i <= divisions_count(keys) && status == STATUS_OK; i++) {
		struct sub_devices_config config =
			step_sub_devices(client->plan->scenario, i, each);
		bool initial = i == client->division;

		status = divide(client, &config, initial, &why);
		if (status == STATUS_OK)
			continue;
		client_refuse(client,
			!initial ? division_at(keys, i).where
				 : tree_where(runtime, status == STATUS_NO_SPACE
							       ? "sub_device_l1_bytes"
							       : "sub_devices"),
			"%s", why.length ? text_string(&why) : status_message(status));
	}
	text_fini(&why);
	return status == STATUS_OK;
}

bool client_sub_devices_are_empty(struct client *client)
{
	const struct division_keys keys = client_loaded(client);

	for (uint32_t i = 0; i < keys.sub_device_count; i++)
		if (client->device->ops->sub_device_usage(client->device, i).allocations > 0)
			return client_fail(client,
				"L1 of sub-device %s is taken when everything was given back",
				keys.sub_devices[i].name);
	return true;
}
