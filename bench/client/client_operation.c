/* Where operations of the client begin and where it ends early: numbers of operations, and the two
 * ways to give up. Calls no other file of the client. */
#include <stdarg.h>
#include <stdio.h>

#include "client_private.h"

bool client_refuse(struct client *client, struct location where, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	diag_error(client->diag, where, "%s", message);
	client->outcome = CLIENT_REFUSED;
	return false;
}

void client_refuse_cores(struct client *client, const char *what, uint16_t chip, uint16_t tile)
{
	client_refuse(client, tree_where(tree_root(client->plan->tree), "model.cores"),
		"cores: chip would be wrong, since cores contend: tile %u of chip %u: %s; use "
		"cores: each",
		tile, chip, what);
}

bool client_fail(struct client *client, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	text_append(&client->why, message);
	client->outcome = CLIENT_FAILED;
	return false;
}

uint32_t client_start_operation(
	struct client *client, const struct step *step, uint32_t queue, uint64_t bytes)
{
	struct client_step *state = &client->steps[step->number];
	struct op_start start = {
		.kind = step_name(step->kind),
		.thread = "main",
		.step = step->number,
		.iteration = state->executed,
		.queue = (uint8_t)queue,
		.warmup =
			state->repeated && state->executed < client->plan->scenario->measure.warmup,
		.bytes = bytes,
		.arrival_ps = client->arrival_ps,
	};

	return op_recorder_start(client->recorder, &start);
}

struct device_range client_all_devices(const struct client *client)
{
	return device_range_all(mesh_device_shape(client->mesh));
}
