/* The sub-devices of a run: each mesh is divided alike when it is opened, and has got everything
 * back at the end. Which step is of which sub-device was found before the run. */
#include "client_private.h"

static uint32_t body_needs(const struct client *client, const struct repeat_step *body)
{
	uint32_t needed = 0;

	for (uint32_t i = 0; i < body->step_count; i++)
		needed |= client_needs(client, &body->steps[i]);
	return needed;
}

static uint32_t buffer_needs(const struct client_buffer *buffer)
{
	return sub_device_bits((uint8_t)(buffer->keys->sub_device_number - 1));
}

uint32_t client_needs(const struct client *client, const struct step *step)
{
	const struct client_step *state = &client->steps[step->number];

	switch (step->kind) {
	case STEP_ENQUEUE_WORKLOAD:
		return workload_sub_devices(state->workload->workload);
	case STEP_WRITE_BUFFER:
	case STEP_READ_BUFFER:
		return buffer_needs(state->buffer);
	case STEP_REPEAT:
	case STEP_TRACE:
		return body_needs(client, step_body(step));
	case STEP_REPLAY_TRACE:
		return client_needs(client, step->replay.captured);
	case STEP_RELEASE_TRACE:
		return client_needs(client, step->release.captured);
	default:
		return SUB_DEVICES_ALL;
	}
}

uint8_t client_scope(const struct client *client, const struct step *step)
{
	uint32_t all = (1u << client->plan->scenario->runtime.sub_device_count) - 1;
	uint32_t needed = all > 0 ? client_needs(client, step) & all : 0;

	return needed == all ? 0 : (uint8_t)needed;
}

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
