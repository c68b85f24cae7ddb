/* Finds the sub-devices that a step uses. There are no errors, because scenario_check() has already
 * checked the steps. */
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
	return sub_device_bits((uint8_t)(buffer->keys->sub_device_index - 1));
}

uint32_t client_needs(const struct client *client, const struct step *step)
{
	const struct runtime_keys *keys = &client->plan->scenario->runtime;
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
	case STEP_FINISH:
		return sub_device_bits(
			(uint8_t)(sub_device_index(keys, step->finish.sub_device_number) - 1));
	case STEP_RELEASE_TRACE:
		return client_needs(client, step->release.captured);
	default:
		return SUB_DEVICES_ALL;
	}
}

struct division_keys client_loaded(const struct client *client)
{
	if (client->division == DIVISION_WHOLE)
		return (struct division_keys){.sub_device_count = 0};
	return division_at(&client->plan->scenario->runtime, client->division);
}

uint8_t client_scope(const struct client *client, const struct step *step)
{
	uint32_t all = (1u << client_loaded(client).sub_device_count) - 1;
	uint32_t needed = all > 0 ? client_needs(client, step) & all : 0;
	uint32_t before = sub_devices_before(&client->plan->scenario->runtime, client->division);

	return needed == all ? 0 : (uint8_t)(needed << before);
}
