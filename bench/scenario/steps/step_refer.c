/* Checks common to several kinds of steps: command queues, and buffers that earlier steps write. */
#include <string.h>

#include "base/nearest.h"
#include "check.h"

void check_queue(const struct check *check, const struct tree_node *keys, const struct step *step,
	uint32_t queue)
{
	struct location where =
		keys && tree_get(keys, "queue") ? tree_where(keys, "queue") : step->where;

	if (queue != UINT32_MAX && queue >= check->config->command_queues)
		diag_error(check->diag, where, "queue %u, but runtime.command_queues is %u", queue,
			check->config->command_queues);
}

const struct write_step *check_find_buffer(const struct check *check, const char *name)
{
	for (const struct buffer_name *buffer = check->buffers; buffer; buffer = buffer->next)
		if (buffer->mesh == check->mesh && strcmp(buffer->first->buffer, name) == 0)
			return buffer->freed ? NULL : buffer->first;
	return NULL;
}

const struct write_step *check_want_buffer(
	const struct check *check, const char *name, struct location where)
{
	const struct write_step *write = check_find_buffer(check, name);
	struct nearest nearest;
	char cited[LOCATION_CITE_BYTES];

	if (write)
		return write;
	nearest_start(&nearest, name);
	for (struct buffer_name *buffer = check->buffers; buffer; buffer = buffer->next) {
		if (buffer->mesh == check->mesh && buffer->freed &&
			strcmp(buffer->first->buffer, name) == 0) {
			diag_error(check->diag, where, "buffer '%s' has been freed at %s", name,
				location_cite(buffer->freed->where, cited, sizeof cited));
			return NULL;
		}
		if (buffer->mesh == check->mesh && !buffer->freed)
			nearest_offer(&nearest, buffer->first->buffer);
	}
	diag_error(check->diag, where,
		nearest.best ? "no step before this one writes buffer '%s', did you mean '%s'?"
			     : "no step before this one writes buffer '%s'",
		name, nearest.best);
	return NULL;
}
