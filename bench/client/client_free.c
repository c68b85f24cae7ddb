/* Steps that free buffers. Most buffers are made before the first step runs. But if the first write
 * of a buffer comes after a step that frees a buffer, the buffer is made only at this write. So it
 * can use the freed memory. */
#include <string.h>

#include "base/ensure.h"
#include "client_private.h"

bool client_buffer_will_be_freed(struct client *client, const struct step *step)
{
	struct client_buffer *buffer = client_buffer_by_name(client, step->free.buffer);

	client->frees = true;
	if (buffer)
		buffer->is_freed = true;
	return true;
}

/* Takes the buffer out of the client's list. */
static void unlink_buffer(struct client *client, const struct client_buffer *buffer)
{
	struct client_buffer **link = &client->buffers;

	while (*link != buffer)
		link = &(*link)->next;
	*link = buffer->next;
}

bool client_free(struct client *client, const struct step *step)
{
	struct client_buffer *buffer = client_buffer_by_name(client, step->free.buffer);

	ensure(buffer, "buffer '%s'", step->free.buffer);
	if (!client_finish_queues(client))
		return false;
	for (uint32_t i = 0; i < client->step_count; i++)
		if (client->steps[i].buffer == buffer)
			client->steps[i].buffer = NULL;
	unlink_buffer(client, buffer);
	client_buffer_free(client, buffer);
	return true;
}
