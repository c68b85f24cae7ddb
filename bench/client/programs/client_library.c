/* Programs whose kernels act. Builds programs of the library, and computes the contents of their
 * buffers after a launch with the library's references. A result is computed only once for the same
 * input values, even if these values occur several times or on several devices. Also builds
 * programs with instructions in the scenario; the contents of their buffers are unknown. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "client_private.h"
#include "command/kernel_text.h"
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
	acting->use.element = (enum element)keys->element;
	memcpy(acting->use.tiles, keys->tiles, keys->tiles_count * sizeof *keys->tiles);
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

/* The result for these inputs; NULL if one of them is unknown. */
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

/* ---- kernels of the scenario ---- */

enum { WORDS_MAX = LIBRARY_PORTS_MAX * PAGES_WORDS_MAX };

/* The common arguments of a kernel are the descriptions of all buffers, one after the other. */
struct described {
	uint32_t words[WORDS_MAX], count;
	uint32_t at[LIBRARY_PORTS_MAX];
};

static enum status client_library_describe(struct client *client, const struct program_keys *keys,
	struct described *described, struct text *why)
{
	const struct handle_ops *ops = client->device->ops;

	described->count = 0;
	for (uint32_t i = 0; i < keys->buffer_count; i++) {
		struct handle_buffer *buffer =
			client_buffer_named(client, keys->buffers[i].buffer)->buffer;
		struct library_buffer known = {
			ops->buffer_placement(buffer), ops->buffer_address(buffer)};
		uint32_t words = pages_describe(&known, described->words + described->count);

		if (words == 0) {
			text_printf(why, "buffer '%s' has a layout that kernels do not know",
				keys->buffers[i].buffer);
			return STATUS_UNSUPPORTED;
		}
		described->at[i] = described->count;
		described->count += words;
	}
	return STATUS_OK;
}

static enum status set_arguments(const struct client *client, const struct client_program *program,
	const struct kernel_keys *kernel, uint32_t number)
{
	const struct program_limits *limits = client->program_limits;
	uint32_t words[BOUND_ARGUMENTS], rank = 0;
	enum status status = STATUS_OK;

	for (uint32_t core = 0; core < (uint32_t)limits->worker_columns * limits->worker_rows &&
				status == STATUS_OK && kernel->argument_count > 0;
		core++) {
		if (!cores_have(&program->keys->cores, limits->worker_columns, core))
			continue;
		for (uint32_t i = 0; i < kernel->argument_count; i++)
			words[i] = kernel->arguments[i].core ? rank : kernel->arguments[i].value;
		if (kernel_runs_on(program->keys, kernel, limits->worker_columns, core))
			status = program_set_args(
				program->program, number, core, words, kernel->argument_count);
		rank++;
	}
	return status;
}

static enum status client_library_add_kernel(struct client *client,
	const struct client_program *program, const struct kernel_keys *kernel,
	const struct described *described, struct text *why)
{
	const struct program_keys *keys = program->keys;
	struct kernel_config config = {.processor = (enum processor)kernel->processor,
		.cores = keys->cores,
		.copied = kernel->processor == PROCESSOR_NCRISC,
		.unique_args = kernel->argument_count,
		.common_args = described->count};
	struct kernel_text text;
	enum status status = STATUS_INVALID;
	uint32_t number;

	if (kernel->core_count > 0)
		config.cores = (struct cores){.kind = CORES_RECTANGLE,
			.rect = {kernel->core[0], kernel->core[1], kernel->core[0],
				kernel->core[1]}};
	if (program_kernel_text(keys, kernel, described->at, client->diag, &text)) {
		config.text = text.bytes;
		config.bytes = text.length;
		status = program_add_kernel(program->program, &config, why, &number);
	}
	if (status == STATUS_OK && described->count > 0)
		status = program_set_common_args(
			program->program, number, described->words, described->count);
	if (status == STATUS_OK)
		status = set_arguments(client, program, kernel, number);
	kernel_text_fini(&text);
	return status;
}

enum status client_kernels_build(
	struct client *client, struct client_program *program, struct text *why)
{
	const struct program_keys *keys = program->keys;
	struct described described;
	enum status status = client_library_describe(client, keys, &described, why);
	uint32_t index;

	for (uint32_t i = 0; i < keys->kernel_count && status == STATUS_OK; i++)
		status = client_library_add_kernel(
			client, program, &keys->kernels[i], &described, why);
	for (uint32_t i = 0; i < keys->circular_buffers && status == STATUS_OK; i++)
		status = program_add_circular_buffer(program->program, keys->cores,
			client_buffer_pages(client, keys), keys->circular_buffer_bytes, why);
	for (uint32_t i = 0; i < keys->semaphores && status == STATUS_OK; i++)
		status = program_add_semaphore(program->program, keys->cores, 0, why, &index);
	return status;
}

/* Marks the contents of all buffers of a program as unknown, because there is no reference for the
 * kernels of a scenario. */
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
