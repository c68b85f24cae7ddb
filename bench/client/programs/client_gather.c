/* Reads of the client's buffers. A step reads either the part of one device, or the whole buffer.
 * Before the whole buffer is read, devices may exchange their parts in gather rounds. Whether there
 * are gather rounds, and how many, depends on `runtime.gather` and on the buffer's layout. */
#include "bench/scenario/step_layout.h"
#include "client_private.h"

/* Makes the gather of a buffer, before the first read of the whole buffer runs. */
bool client_gather_make(struct client *client, struct client_buffer *buffer)
{
	const struct scenario *scenario = client->plan->scenario;
	struct device_handle *device = client->device;
	struct gather_source source = {.buffer = buffer->buffer};
	enum status status;
	struct text why;

	if (buffer->gather)
		return true;
	text_init(&why);
	step_buffer_layout(buffer->keys, device->ops->shape(device), device->ops->geometry(device),
		&source.layout, &source.config);
	status = gather_new(
		gather_row(scenario->runtime.gather), device, &source, &why, &buffer->gather);
	return client_made(client, status,
		tree_where(tree_root(client->plan->tree), "runtime.gather"), "gather: buffer",
		buffer->name, &why);
}

/* Returns the number of gather rounds that precede a read. */
static uint32_t rounds_of(const struct client *client, const struct step *step)
{
	return step->read.shard_count || step->read.pages_count
		       ? 0
		       : gather_rounds(client->steps[step->number].buffer->gather);
}

/* Numbers a read and its rounds. If there are rounds, the call begins with the first round. */
struct gather_call client_read_start(struct client *client, const struct step *step)
{
	struct gather_call gather = {.call = {step->read.queue, step->read.blocking, 0}};
	uint32_t rounds = rounds_of(client, step), queue = step->read.queue;

	for (uint32_t i = 0; i < rounds; i++)
		gather.rounds[i] = client_start_round(client, step, queue, i);
	gather.call.operation =
		client_start_operation(client, step, queue, client_moved_bytes(client, step));
	if (rounds > 0)
		world->mark(gather.call.operation, MARK_CALLED, queue);
	return gather;
}

bool client_read_enqueue(struct client *client, const struct step *step, struct gather_call *gather,
	const struct client_read *read)
{
	const struct handle_ops *ops = client->device->ops;
	struct client_buffer *buffer = client->steps[step->number].buffer;
	struct buffer_region region;
	struct text why;
	enum status status;
	bool good;

	text_init(&why);
	gather->data = read->data;
	gather->memory = read->pinned ? read->pinned->memory : NULL;
	if (client_region(step, &region))
		status = ops->read_region(
			client->device, gather->call, buffer->buffer, &region, read->data);
	else if (step->read.shard_count)
		status = ops->read_shard(client->device, gather->call, buffer->buffer,
			step->read.shard[0], step->read.shard[1], read->data);
	else
		status = gather_read(buffer->gather, gather, &why);
	good = client_is_complete(client, status);
	if (why.length)
		client_refuse(client, step->where, "gather of buffer '%s': %s", buffer->name,
			text_string(&why));
	else if (!good)
		client_fail(
			client, "read of buffer '%s': %s", buffer->name, status_message(status));
	text_fini(&why);
	return good;
}

/* Counts the launches of the rounds of a read's gather. */
void client_note_gathered(const struct client *client, const struct step *step)
{
	if (!step->read.shard_count && !step->read.pages_count)
		client->steps[step->number].buffer->gathers++;
}

uint32_t client_start_rounds(struct client *client, const struct step *step, uint32_t queue)
{
	uint32_t rounds = rounds_of(client, step), first = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t operation = client_start_round(client, step, queue, i);

		world->mark(operation, MARK_CALLED, queue);
		first = i == 0 ? operation : first;
	}
	return first;
}

uint32_t client_gather_launches(const struct client *client, uint32_t core)
{
	uint32_t launches = 0;

	for (const struct client_buffer *buffer = client->buffers; buffer; buffer = buffer->next)
		if (buffer->gather && core < gather_cores(buffer->gather))
			launches += (uint32_t)buffer->gathers * gather_rounds(buffer->gather);
	return launches;
}
