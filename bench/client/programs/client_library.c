/* Programs from the program library. After a launch, computes the contents of their buffers with
 * the library's references. A result is computed only once for the same input values, even if these
 * values occur several times or on several devices. For programs whose instructions are in the
 * scenario there is no reference, so the contents of their buffers become unknown. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "client_private.h"
#include "programs/library.h"

/* The values of the written ports that result from values of the read ports. */
struct client_result {
	struct client_result *next;
	const uint8_t *given[LIBRARY_PORTS_MAX];
	uint8_t *left[LIBRARY_PORTS_MAX];
};

struct client_acting {
	const struct library_row *row;
	struct library_use use;
	struct client_buffer *buffers[LIBRARY_PORTS_MAX]; /* [port] buffer of the port */
	struct client_result *results;
};

void client_library_prepare(
	struct client *client, struct client_program *program, const struct step_maker *maker)
{
	const struct program_keys *keys = program->keys;
	struct client_acting *acting = allocate(1, sizeof *acting);

	program->acting = acting;
	acting->row = library_row(keys->library - 1);
	step_library_use(maker, keys, &acting->use);
	for (uint32_t i = 0; i < keys->buffer_count; i++)
		acting->buffers[library_port_find(acting->row, keys->buffers[i].port)] =
			client_buffer_named(client, keys->buffers[i].buffer);
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

/* Returns the result for these inputs. Returns NULL if one of the inputs is unknown. */
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

/* Marks the contents of all buffers of a program as unknown. Call it if the program's kernels are
 * in the scenario, because there is no reference that could compute the contents. */
void client_kernels_ran(struct client *client, const struct client_program *program)
{
	const struct device_range *range = &program->range;
	uint32_t columns = client->device->ops->shape(client->device).columns;

	for (uint32_t i = 0; i < program->keys->buffer_count; i++) {
		struct client_buffer *buffer =
			client_buffer_named(client, program->keys->buffers[i].buffer);

		for (uint32_t row = range->row0; row <= range->row1; row++)
			for (uint32_t column = range->column0; column <= range->column1; column++)
				client_note_part(buffer, row * columns + column, NULL);
		client_note_parts(client, buffer);
	}
}
