/* The sub-devices of a run: divides each mesh alike when it is opened, and checks at the end that
 * all of their memory was given back. */
#include "client_private.h"

bool client_divide(struct client *client)
{
	const struct runtime_keys *keys = &client->plan->scenario->runtime;
	const struct tree_node *runtime = tree_get(tree_root(client->plan->tree), "runtime");
	struct sub_device_config each[SUB_DEVICES_MAX];
	struct sub_devices_config config = {
		each, keys->sub_device_count, keys->sub_device_l1_bytes};
	enum status status;
	struct text why;

	if (keys->sub_device_count == 0)
		return true;
	for (uint32_t i = 0; i < keys->sub_device_count; i++) {
		const struct sub_device_keys *of = &keys->sub_devices[i];

		each[i] = (struct sub_device_config){.ethernet = of->ethernet};
		each[i].cores.kind = CORES_RECTANGLE;
		each[i].cores.rect = (struct worker_rect){of->offset[0], of->offset[1],
			(uint8_t)(of->offset[0] + of->cores[0] - 1),
			(uint8_t)(of->offset[1] + of->cores[1] - 1)};
	}
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
