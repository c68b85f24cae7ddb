/* Programs of the library: what they are built for, and what they leave in their buffers, which
 * their references say. Computes each result once, however often and on however many devices the
 * same values meet. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "client_private.h"
#include "programs/library.h"

/* What values in the ports that are read become in those that are written. */
struct client_result {
	struct client_result *next;
	const uint8_t *given[LIBRARY_PORTS_MAX];
	uint8_t *left[LIBRARY_PORTS_MAX];
};

struct client_acting {
	const struct library_row *row;
	struct library_use use;
	struct client_buffer *buffers[LIBRARY_PORTS_MAX]; /* by port */
	struct client_result *results;
};

static struct client_buffer *buffer_of(
	struct client *client, const struct program_keys *keys, const char *port)
{
	uint32_t i = 0;

	while (i < keys->buffer_count && strcmp(keys->buffers[i].port, port) != 0)
		i++;
	ensure(i < keys->buffer_count, "no buffer for '%s'", port);
	return client_buffer_named(client, keys->buffers[i].buffer);
}

enum status client_library_build(
	struct client *client, struct client_program *program, struct text *why)
{
	const struct program_keys *keys = program->keys;
	const struct handle_ops *ops = client->device->ops;
	struct client_acting *acting = allocate(1, sizeof *acting);

	program->acting = acting;
	acting->row = library_row(keys->library - 1);
	acting->use.cores = keys->cores;
	acting->use.devices =
		(struct mesh_shape){(uint16_t)(program->range.row1 - program->range.row0 + 1),
			(uint16_t)(program->range.column1 - program->range.column0 + 1)};
	for (uint32_t i = 0; i < acting->row->port_count; i++) {
		struct client_buffer *buffer = buffer_of(client, keys, acting->row->ports[i].name);

		acting->buffers[i] = buffer;
		acting->use.buffers[i] = (struct library_buffer){
			ops->buffer_placement(buffer->buffer), ops->buffer_address(buffer->buffer)};
	}
	return acting->row->build(program->program, &acting->use, why);
}

void client_library_free(struct client_program *program)
{
	struct client_acting *acting = program->acting;

	while (acting && acting->results) {
		struct client_result *result = acting->results;

		acting->results = result->next;
		for (uint32_t i = 0; i < LIBRARY_PORTS_MAX; i++)
			free(result->left[i]);
		free(result);
	}
	free(acting);
	program->acting = NULL;
}

/* ---- results ---- */

static struct client_result *compute(
	const struct client_acting *acting, const uint8_t *const given[LIBRARY_PORTS_MAX])
{
	struct client_result *result = allocate(1, sizeof *result);
	struct library_values values = {.ports = {NULL}};

	memcpy(result->given, given, sizeof result->given);
	for (uint32_t i = 0; i < acting->row->port_count; i++) {
		union {
			const uint8_t *from;
			uint8_t *to;
		} cast = {given[i]};

		if (acting->row->ports[i].written)
			result->left[i] = allocate(1, acting->buffers[i]->device_bytes);
		values.ports[i] = acting->row->ports[i].written ? result->left[i] : cast.to;
	}
	acting->row->reference(&acting->use, &values);
	return result;
}

/* NULL if nobody knows what is read. */
static const struct client_result *result_of(
	struct client_acting *acting, const uint8_t *const given[LIBRARY_PORTS_MAX])
{
	struct client_result *result = acting->results;

	for (uint32_t i = 0; i < acting->row->port_count; i++)
		if (!acting->row->ports[i].written && !given[i])
			return NULL;
	while (result && memcmp(result->given, given, sizeof result->given) != 0)
		result = result->next;
	if (result)
		return result;
	result = compute(acting, given);
	result->next = acting->results;
	acting->results = result;
	return result;
}

static void ran_on(struct client_acting *acting, uint32_t device)
{
	const uint8_t *given[LIBRARY_PORTS_MAX] = {NULL};
	const struct client_result *result;

	for (uint32_t i = 0; i < acting->row->port_count; i++)
		if (!acting->row->ports[i].written)
			given[i] = acting->buffers[i]->parts[device];
	result = result_of(acting, given);
	for (uint32_t i = 0; i < acting->row->port_count; i++)
		if (acting->row->ports[i].written)
			client_note_part(
				acting->buffers[i], device, result ? result->left[i] : NULL);
}

void client_library_ran(const struct client *client, const struct client_program *program)
{
	struct client_acting *acting = program->acting;
	const struct device_range *range = &program->range;
	uint32_t columns = client->device->ops->shape(client->device).columns;

	for (uint32_t row = range->row0; row <= range->row1; row++)
		for (uint32_t column = range->column0; column <= range->column1; column++)
			ran_on(acting, row * columns + column);
	for (uint32_t i = 0; i < acting->row->port_count; i++)
		if (acting->row->ports[i].written)
			client_note_parts(client, acting->buffers[i]);
}
