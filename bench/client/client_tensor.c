/* The client's tensors: made by the first write_tensor step that names them, filled with data that
 * depend on the seed and the step, compared element by element when read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/stream.h"
#include "bench/scenario/step_tensor.h"
#include "client_private.h"
#include "mesh/tensor.h"

struct client_tensor {
	struct client_tensor *next;
	const char *name;
	struct mesh_tensor *tensor;
	uint8_t *image;		/* what the devices hold, on its way */
	uint8_t *back;		/* the tensor as it was read */
	const uint8_t *written; /* as the last write left it, through the layout's own type */
};

static struct client_tensor *find(struct client *client, const char *name)
{
	struct client_tensor *tensor = client->tensors;

	while (tensor && strcmp(tensor->name, name) != 0)
		tensor = tensor->next;
	return tensor;
}

static uint64_t tensor_bytes(const struct client_tensor *tensor)
{
	const struct layout *layout = mesh_tensor_layout(tensor->tensor);

	return layout_volume(&layout->tensor) * element_bytes(layout->tensor_element);
}

static bool make(struct client *client, const struct step *step)
{
	const struct tensor_step *keys = &step->tensor;
	struct client_tensor *made;
	struct mesh_tensor *tensor = NULL;
	struct layout layout;
	struct text why = {0};
	enum status status;

	if (!step_tensor_layout(client->plan->scenario, keys, client->diag, &layout))
		return client_fail(client, "the layout of tensor '%s' was checked", keys->tensor);
	status = mesh_tensor_new(client->mesh, &layout, &why, &tensor);
	if (status != STATUS_OK)
		client_refuse(client, keys->layout_where, "tensor '%s': %s", keys->tensor,
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	if (status != STATUS_OK)
		return false;
	made = allocate(1, sizeof *made);
	made->name = keys->tensor;
	made->tensor = tensor;
	made->image = allocate(1, mesh_buffer_bytes(mesh_tensor_buffer(tensor)));
	made->back = allocate(1, tensor_bytes(made));
	made->next = client->tensors;
	client->tensors = made;
	return true;
}

/* Numbers of every size that the element type has. */
static uint8_t *make_data(const struct client *client, const struct step *step, uint64_t bytes)
{
	uint8_t *data = allocate(1, bytes + sizeof(uint64_t));
	struct stream stream;
	char role[64];

	snprintf(role, sizeof role, "client/tensor-%u", step->number);
	stream_init(&stream, client->plan->scenario->seed, role);
	for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = stream_next(&stream);

		memcpy(data + i, &word, sizeof word);
	}
	return data;
}

bool client_tensor_make(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	if (!find(client, step->tensor.tensor) && !make(client, step))
		return false;
	state->tensor = find(client, step->tensor.tensor);
	state->data = make_data(client, step, tensor_bytes(state->tensor));
	return true;
}

bool client_tensor_find(struct client *client, const struct step *step)
{
	struct client_tensor *tensor = find(client, step->tensor.tensor);

	ensure(tensor, "tensor '%s'", step->tensor.tensor);
	client->steps[step->number].tensor = tensor;
	return true;
}

bool client_write_tensor(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct client_tensor *tensor = state->tensor;
	struct mesh_buffer *buffer = mesh_tensor_buffer(tensor->tensor);
	uint32_t operation =
		client_start_operation(client, step, step->tensor.queue, mesh_buffer_bytes(buffer));
	struct tensor_source source = {.bytes = state->data};
	enum status status;

	mesh_tensor_pack(tensor->tensor, &source, tensor->image);
	status = enqueue_write_buffer(mesh_queue(client->mesh, step->tensor.queue), buffer,
		tensor->image, true, operation);
	if (!client_is_complete(client, status))
		return client_fail(
			client, "write of tensor '%s': %s", tensor->name, status_message(status));
	tensor->written = state->data;
	return true;
}

/* What comes back has gone through the type that the devices hold. */
static bool compare(struct client *client, struct client_tensor *tensor)
{
	const struct layout *layout = mesh_tensor_layout(tensor->tensor);
	uint64_t bytes = tensor_bytes(tensor), at = 0;
	uint8_t *expected = allocate(1, bytes), *shard_bytes = allocate(1, layout->shard_bytes);
	void *scratch = allocate(1, shard_data_scratch_bytes(layout));
	struct tensor_source source = {.bytes = tensor->written};
	struct tensor_sink sink = {.bytes = expected};

	for (uint64_t i = 0; i < layout->shards; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);

		shard_data_make(layout, &source, &shard, shard_bytes, scratch);
		shard_data_take(layout, &sink, &shard, shard_bytes, scratch);
	}
	while (at < bytes && tensor->back[at] == expected[at])
		at++;
	free(expected);
	free(shard_bytes);
	free(scratch);
	if (at < bytes)
		return client_fail(client,
			"verification failed: tensor '%s' reads back different from byte %llu of "
			"%llu on",
			tensor->name, (unsigned long long)at, (unsigned long long)bytes);
	client->verified++;
	return true;
}

bool client_read_tensor(struct client *client, const struct step *step)
{
	struct client_tensor *tensor = client->steps[step->number].tensor;
	struct mesh_buffer *buffer = mesh_tensor_buffer(tensor->tensor);
	uint32_t queue = step->tensor.queue;
	uint32_t operation = client_start_operation(client, step, queue, mesh_buffer_bytes(buffer));
	struct tensor_sink sink = {.bytes = tensor->back};
	enum status status = enqueue_read_buffer(
		mesh_queue(client->mesh, queue), buffer, tensor->image, true, operation);

	if (!client_is_complete(client, status))
		return client_fail(
			client, "read of tensor '%s': %s", tensor->name, status_message(status));
	mesh_tensor_unpack(tensor->tensor, tensor->image, &sink);
	if (!client_compare_reads(client, queue, mesh_buffer_read_range(buffer)))
		return false;
	return status == STATUS_ELIDED || !client->plan->scenario->measure.verify ||
	       !tensor->written || compare(client, tensor);
}

void client_tensors_free(struct client *client)
{
	while (client->tensors) {
		struct client_tensor *tensor = client->tensors;

		client->tensors = tensor->next;
		mesh_tensor_free(tensor->tensor);
		free(tensor->image);
		free(tensor->back);
		free(tensor);
	}
}
