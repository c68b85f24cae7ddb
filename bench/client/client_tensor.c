/* The client's tensors. The first write_tensor step that names a tensor makes it. Each write fills
 * it with data that depend on the seed and the step. Data that are read back are compared with the
 * written data. No tensor is kept in memory: elements are generated on demand, and data that are
 * read back are reduced to digests of 65536 elements each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "bench/scenario/step_layout.h"
#include "client_private.h"

enum { DIGESTED = 1 << 16 }; /* number of elements that share a digest */

struct client_tensor {
	struct client_tensor *next;
	const char *name;
	struct location where; /* place of the step that made the tensor */
	struct handle_tensor *tensor;
	struct layout layout;
	uint64_t *digests;     /* digests of the data that were read, then of the expected data */
	uint64_t digest_count; /* number of digests of each kind */
	uint64_t written;      /* seed of the data written last; 0: none */
};

static struct client_tensor *client_tensor_by_name(struct client *client, const char *name)
{
	struct client_tensor *tensor = client->tensors;

	while (tensor && strcmp(tensor->name, name) != 0)
		tensor = tensor->next;
	return tensor;
}

static uint64_t element_count(const struct client_tensor *tensor)
{
	return layout_volume(&tensor->layout.tensor);
}

static bool make(struct client *client, const struct step *step)
{
	const struct tensor_step *keys = &step->tensor;
	struct client_tensor *made;
	struct handle_tensor *tensor = NULL;
	struct layout layout;
	struct text why = {0};
	enum status status;

	if (!step_tensor_layout(client->plan->scenario, step, client->diag, &layout))
		return client_fail(client, "the layout of tensor '%s' was checked", keys->tensor);
	status = client->device->ops->tensor_new(client->device, &layout, &why, &tensor);
	if (!client_made(client, status, keys->layout_where, "tensor", keys->tensor, &why))
		return false;
	made = allocate(1, sizeof *made);
	made->name = keys->tensor;
	made->where = step->where;
	made->tensor = tensor;
	made->layout = layout;
	made->digest_count = (element_count(made) + DIGESTED - 1) / DIGESTED;
	made->digests = allocate(2 * made->digest_count, sizeof *made->digests);
	made->next = client->tensors;
	client->tensors = made;
	return true;
}

/* ---- data ---- */

/* Returns the seed for the data of a step's tensor. It is never 0. */
static uint64_t data_seed(const struct client *client, const struct step *step)
{
	char role[64];

	snprintf(role, sizeof role, "client/tensor-%u", step->number);
	return hash_mix(client->plan->scenario->seed ^ hash_string(role)) | 1;
}

struct data {
	uint64_t seed;
	uint32_t element_bytes;
};

/* Generates elements with any bit pattern. */
static void client_tensor_make_elements(void *context, uint64_t first, uint64_t count, void *out)
{
	const struct data *data = context;
	uint64_t at = first * data->element_bytes, end = at + count * data->element_bytes;
	uint8_t *to = out;

	while (at < end) {
		uint64_t word = hash_mix(data->seed + at / sizeof word), skip = at % sizeof word;
		uint64_t length = sizeof word - skip < end - at ? sizeof word - skip : end - at;

		memcpy(to, (const uint8_t *)&word + skip, length);
		to += length;
		at += length;
	}
}

static struct data data_of(const struct client_tensor *tensor, uint64_t seed)
{
	return (struct data){seed, element_bytes(tensor->layout.tensor_element)};
}

struct digest {
	uint64_t *sums; /* sums of the elements' hashes; host threads share them */
	uint32_t element_bytes;
};

static void digest_elements(void *context, uint64_t first, uint64_t count, const void *in)
{
	const struct digest *digest = context;
	const uint8_t *from = in;

	for (uint64_t end = first + count, most; first < end; first = most) {
		uint64_t sum = 0, number = first / DIGESTED;

		most = (number + 1) * DIGESTED < end ? (number + 1) * DIGESTED : end;
		for (uint64_t i = first; i < most; i++, from += digest->element_bytes) {
			uint64_t element = 0;

			memcpy(&element, from, digest->element_bytes);
			sum += hash_mix(i * UINT64_C(0x9e3779b97f4a7c15) + element);
		}
		__atomic_fetch_add(&digest->sums[number], sum, __ATOMIC_RELAXED);
	}
}

/* The destination of elements that are read. */
struct landing {
	struct digest *digest; /* NULL: not compared */
	uint8_t *saved;	       /* NULL: not saved */
	uint32_t element_bytes;
};

static void land_elements(void *context, uint64_t first, uint64_t count, const void *in)
{
	const struct landing *landing = context;

	if (landing->digest)
		digest_elements(landing->digest, first, count, in);
	if (landing->saved)
		memcpy(landing->saved + first * landing->element_bytes, in,
			count * landing->element_bytes);
}

/* ---- steps ---- */

bool client_tensor_make(struct client *client, const struct step *step)
{
	if (!client_tensor_by_name(client, step->tensor.tensor) && !make(client, step))
		return false;
	client->steps[step->number].tensor = client_tensor_by_name(client, step->tensor.tensor);
	return true;
}

bool client_tensor_find(struct client *client, const struct step *step)
{
	struct client_tensor *tensor = client_tensor_by_name(client, step->tensor.tensor);

	ensure(tensor, "tensor '%s'", step->tensor.tensor);
	client->steps[step->number].tensor = tensor;
	return true;
}

static uint64_t client_tensor_bytes_of(
	const struct client *client, const struct client_tensor *tensor)
{
	const struct handle_ops *ops = client->device->ops;

	return ops->buffer_bytes(ops->tensor_buffer(tensor->tensor));
}

bool client_write_tensor(struct client *client, const struct step *step)
{
	struct client_tensor *tensor = client->steps[step->number].tensor;
	uint64_t seed = data_seed(client, step);
	struct data data = data_of(tensor, seed);
	struct tensor_source source = {.read = client_tensor_make_elements, .context = &data};
	struct handle_call call = {.queue = step->tensor.queue, .blocking = true};
	enum status status;

	call.operation = client_start_operation(
		client, step, call.queue, client_tensor_bytes_of(client, tensor));
	status = client->device->ops->write_tensor(client->device, call, tensor->tensor, &source);

	if (!client_is_complete(client, status))
		return client_fail(
			client, "write of tensor '%s': %s", tensor->name, status_message(status));
	tensor->written = seed;
	return true;
}

/* Computes the digests of the expected data. The expected data are the written data, converted to
 * the type in which devices store the tensor, and converted back. */
static void digest_written(const struct client_tensor *tensor, uint64_t *sums)
{
	const struct layout *layout = &tensor->layout;
	struct data data = data_of(tensor, tensor->written);
	struct digest digest = {sums, data.element_bytes};
	struct tensor_source source = {.read = client_tensor_make_elements, .context = &data};
	struct tensor_sink sink = {.write = digest_elements, .context = &digest};
	uint8_t *bytes = allocate(1, layout->shard_bytes);
	void *scratch = allocate(1, shard_data_scratch_bytes(layout));

	for (uint64_t i = 0; i < layout->shards; i++) {
		struct layout_shape shard = layout_at(&layout->grid, i);

		shard_data_make(layout, &source, &shard, bytes, scratch);
		shard_data_take(layout, &sink, &shard, bytes, scratch);
	}
	free(bytes);
	free(scratch);
}

static bool client_tensor_compare(struct client *client, const struct client_tensor *tensor)
{
	uint64_t *read = tensor->digests, *written = read + tensor->digest_count, at = 0;
	uint64_t elements = element_count(tensor), end;

	digest_written(tensor, written);
	while (at < tensor->digest_count && read[at] == written[at])
		at++;
	client->verified += at == tensor->digest_count;
	if (at == tensor->digest_count)
		return true;
	end = (at + 1) * DIGESTED < elements ? (at + 1) * DIGESTED : elements;
	return client_fail(client,
		"verification failed: tensor '%s' reads back different among its elements %llu to "
		"%llu of %llu",
		tensor->name, (unsigned long long)(at * DIGESTED), (unsigned long long)(end - 1),
		(unsigned long long)elements);
}

bool client_read_tensor(struct client *client, const struct step *step)
{
	struct client_tensor *tensor = client->steps[step->number].tensor;
	bool verify = client->plan->scenario->measure.verify && tensor->written != 0;
	struct handle_call call = {.queue = step->tensor.queue, .blocking = true};
	const struct handle_ops *ops = client->device->ops;
	struct digest digest = {tensor->digests, data_of(tensor, 0).element_bytes};
	struct landing landing = {
		.digest = verify ? &digest : NULL, .element_bytes = digest.element_bytes};
	struct tensor_sink sink = {.write = land_elements, .context = &landing};
	enum status status;

	if (step->tensor.save)
		landing.saved = client_save(client, step->tensor.save,
			tensor->layout.tensor_element, &tensor->layout.tensor);

	memset(tensor->digests, 0, 2 * tensor->digest_count * sizeof *tensor->digests);
	call.operation = client_start_operation(
		client, step, call.queue, client_tensor_bytes_of(client, tensor));
	status = ops->read_tensor(client->device, call, tensor->tensor, &sink);
	if (!client_is_complete(client, status))
		return client_fail(client, "read of tensor '%s': %s%s", tensor->name,
			status_message(status),
			step->tensor.save ? "; nothing of it is saved" : "");
	if (step->tensor.save)
		client_saved_complete(client, step->tensor.save);
	if (!client_compare_reads(client, call.queue, ops->tensor_read_range(tensor->tensor)))
		return false;
	return status == STATUS_ELIDED || !verify || client_tensor_compare(client, tensor);
}

void client_tensors_free(struct client *client)
{
	while (client->tensors) {
		struct client_tensor *tensor = client->tensors;
		uint64_t taken = client_taken(client);

		client->tensors = tensor->next;
		client->device->ops->tensor_free(tensor->tensor);
		client_note_left(client, "tensor", tensor->name, tensor->where, taken);
		free(tensor->digests);
		free(tensor);
	}
}
