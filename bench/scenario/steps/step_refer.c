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

struct buffer_name *check_buffer_name(const struct check *check, uint32_t mesh, const char *name)
{
	struct buffer_name *buffer = check->buffers;

	while (buffer && (buffer->mesh != mesh || strcmp(buffer->first->buffer, name) != 0))
		buffer = buffer->next;
	return buffer;
}

const struct write_step *check_find_buffer(const struct check *check, const char *name)
{
	const struct buffer_name *buffer = check_buffer_name(check, check->mesh, name);

	return buffer && !buffer->freed ? buffer->first : NULL;
}

const struct write_step *check_want_buffer(
	const struct check *check, const char *name, struct location where)
{
	const struct buffer_name *found = check_buffer_name(check, check->mesh, name);
	struct nearest nearest;
	char cited[LOCATION_CITE_BYTES];

	if (found && found->bad)
		return NULL;
	if (found && found->freed)
		diag_error(check->diag, where, "buffer '%s' has been freed at %s", name,
			location_cite(found->freed->where, cited, sizeof cited));
	if (found)
		return found->freed ? NULL : found->first;
	nearest_start(&nearest, name);
	for (struct buffer_name *buffer = check->buffers; buffer; buffer = buffer->next)
		if (buffer->mesh == check->mesh && !buffer->freed)
			nearest_offer(&nearest, buffer->first->buffer);
	diag_error(check->diag, where,
		nearest.best ? "no step before this one writes buffer '%s', did you mean '%s'?"
			     : "no step before this one writes buffer '%s'",
		name, nearest.best);
	return NULL;
}
