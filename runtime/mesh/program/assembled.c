/* Launches that this host assembles for other hosts, and launches that other hosts have assembled
 * for this host; see mesh/assembled.h. A host adds a received launch to its command cache once. For
 * each enqueue it then only patches the cached launch. A received launch is rejected if its layout
 * does not match the program, or if the layout contains offsets outside the launch's bytes. */
#include "mesh/assembled.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/choice.h"
#include "mesh/plan/plan.h"
#include "mesh/program/workload.h"
#include "mesh/queue/job.h"

struct assembled {
	const struct program *program;
	struct launch_body body;
};

/* The words at the start of the layout of an assembled launch (mesh/assembled.h). The offsets
 * follow these words. Hosts send the words to each other, so their order must not change. */
enum {
	AT_EVERYWHERE,
	AT_CACHED,
	AT_ADDRESS,
	AT_PAGE_BYTES,
	AT_BANKS,
	AT_COMMANDS,
	AT_LAST_DISPATCH,
	AT_FILL,
	AT_LAUNCHES, /* number of launch messages, and also of the offsets of binaries */
	AT_GOES,
	AT_SEMAPHORES,
	AT_OPERATIONS,
	ASSEMBLED_LAYOUT
};

/* ---- conditions ---- */

bool assembled_fits(const struct mesh_config *config)
{
	enum create_scope scope = config->host.create->scope;
	bool once = scope == CREATE_AS_THREADS ? !config->host.threads->own_streams
					       : scope != CREATE_PER_DEVICE;

	return once && config->coordinates == COORDINATES_VIRTUAL &&
	       !config->forward.go->everywhere && !config->lowering->breadth_first;
}

bool assembled_fits_workload(const struct workload *workload)
{
	for (uint32_t i = 0; i < workload->part_count; i++)
		if (workload->parts[i].range_count > 0)
			return false;
	return !workload_uses(workload, true);
}

bool part_is_cached(const struct part *part, uint32_t devices, uint64_t stride, uint64_t cache)
{
	return device_range_count(part->range) == devices &&
	       part->program->binary_pages * stride <= cache;
}

/* ---- assembling ---- */

static struct binary_place assembled_place_of(const struct workload *workload,
	const struct program *program, const struct assembled_for *at)
{
	uint32_t page_bytes = sizes_binary_page(at->config);
	const struct buffer_config buffer = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	struct placement placement;
	enum status status = placement_init(&placement, &buffer,
		(uint64_t)workload_binary_pages(workload) * page_bytes, workload->site->geometry,
		sizes_page_alignment(at->config, BUFFER_DRAM), NULL);
	uint64_t bytes;

	ensure(status == STATUS_OK, "pages of binaries: %s", status_message(status));
	bytes = (uint64_t)program->binary_pages * placement.page_stride;
	return (struct binary_place){.address = at->address,
		.page_bytes = placement.page_stride,
		.banks = placement.slot_count,
		.cached = at->everywhere && bytes <= sizes_kernel_cache(at->config)};
}

void assembled_on(struct program_site *site, const struct chip_geometry *geometry)
{
	site->geometry = geometry;
}

/* Makes the images of the program's binaries, unless they were made before. Nothing but arguments
 * can then be changed in the program: it is sealed. This also completes the launch messages, which
 * contain the offsets of kernels in the images. */
static void seal(struct program *program)
{
	uint8_t *images;

	if (program->imaged)
		return;
	images = allocate(program_binary_bytes(program) + 1, 1);
	program_binaries(program, images);
	free(images);
}

struct assembled *assembled_new(
	struct workload *workload, uint32_t index, const struct assembled_for *at)
{
	struct part *part = &workload->parts[index];
	struct program *program = part->program;
	struct assembled *made = allocate(1, sizeof(*made));
	const struct binary_place binaries = assembled_place_of(workload, program, at);
	const struct launch_goes goes = {
		program->sub_device, program->target_count, program->target};
	const struct launch_place nowhere = {.slot = 0};

	ensure(program->site->geometry != NULL, "a site without a geometry assembles");
	seal(program);
	world->work(WORK_CREATE_OPERATION, 1);
	if (device_range_count(part->range) > 1)
		world->work(WORK_SPREAD_OPERATION, 1);
	made->program = program;
	made->body.content = LAUNCH_WHOLE;
	made->body.everywhere = at->everywhere;
	launch_body_build(&made->body, 0, program, program->args, &binaries, &goes, &nowhere, 0);
	return made;
}

void assembled_free(struct assembled *assembled)
{
	if (assembled == NULL)
		return;
	launch_body_fini(&assembled->body);
	free(assembled);
}

void assembled_refresh(struct assembled *assembled)
{
	const struct program *program = assembled->program;

	if (assembled->body.generation != program->args->generation)
		launch_body_arguments(&assembled->body, program, program->args);
}

/* ---- layouts ---- */

/* Returns the number of commands in a launch that write semaphores. A launch has such commands only
 * if a kernel of the program executes instructions. */
static uint32_t semaphores_of(const struct program *program)
{
	return program->acts && program->semaphore_count > 0 ? program->target_count : 0;
}

static uint32_t launches_of(const struct program *program)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < program->group_count; i++)
		count += program->groups[i].target_count;
	return count;
}

/* assembled_put() and take() copy words, and return the position after the copied words. */
static uint32_t *assembled_put(uint32_t *out, const uint32_t *from, uint32_t count)
{
	if (count > 0)
		memcpy(out, from, count * sizeof(*out));
	return out + count;
}

static const uint32_t *take(const uint32_t *from, uint32_t count, uint32_t *out)
{
	(void)assembled_put(out, from, count);
	return from + count;
}

uint32_t assembled_words(const struct assembled *assembled, uint32_t *out)
{
	const struct launch_body *body = &assembled->body;
	const struct command_stream *stream = &body->streams[0];
	uint32_t semaphores = semaphores_of(assembled->program);
	uint32_t count = ASSEMBLED_LAYOUT + 2 * body->launches + body->goes + semaphores +
			 stream->operation_count;

	if (out == NULL)
		return count;
	out[AT_EVERYWHERE] = body->everywhere;
	out[AT_CACHED] = body->binaries.cached;
	out[AT_ADDRESS] = body->binaries.address;
	out[AT_PAGE_BYTES] = body->binaries.page_bytes;
	out[AT_BANKS] = body->binaries.banks;
	out[AT_COMMANDS] = stream->commands;
	out[AT_LAST_DISPATCH] = (uint32_t)stream->last_dispatch;
	out[AT_FILL] = body->fill_at;
	out[AT_LAUNCHES] = body->launches;
	out[AT_GOES] = body->goes;
	out[AT_SEMAPHORES] = semaphores;
	out[AT_OPERATIONS] = stream->operation_count;
	out = assembled_put(out + ASSEMBLED_LAYOUT, body->launch_at, body->launches);
	out = assembled_put(out, body->relay_at, body->launches);
	out = assembled_put(out, body->go_at, body->goes);
	out = assembled_put(out, body->semaphore_at, semaphores);
	for (uint32_t i = 0; i < stream->operation_count; i++)
		out[i] = (uint32_t)stream->operations[i];
	return count;
}

uint32_t assembled_bytes(const struct assembled *assembled, uint8_t *out)
{
	const struct command_stream *stream = &assembled->body.streams[0];
	enum status status = STATUS_OK;

	if (out != NULL)
		status = command_stream_read(stream, 0, stream->bytes, out);
	ensure(status == STATUS_OK, "assembled commands: %s", status_message(status));
	/* the length fits into 32 bits, because the commands of one program fit into a config
	 * ring */
	return (uint32_t)stream->bytes;
}

/* ---- given commands ---- */

struct given {
	const struct program *program;
	const uint32_t *words;
	uint32_t word_count;
	const uint8_t *bytes;
	uint32_t count;
};

/* Returns true if, from each of these offsets, `length` bytes lie within the given bytes. */
static bool are_within(
	const struct given *given, const uint32_t *offsets, uint32_t count, uint32_t length)
{
	for (uint32_t i = 0; i < count; i++)
		if (given->count < length || offsets[i] > given->count - length)
			return false;
	return true;
}

static bool is_its_layout(const struct given *given)
{
	const uint32_t *words = given->words, *at = words + ASSEMBLED_LAYOUT;
	const struct program *program = given->program;
	uint32_t launches = launches_of(program), goes = program->target_count;
	uint32_t semaphores = semaphores_of(program);
	uint32_t before = ASSEMBLED_LAYOUT + 2 * launches + goes + semaphores;

	if (given->count == 0 || given->count % COMMAND_ALIGN != 0 || given->word_count < before ||
		words[AT_LAUNCHES] != launches || words[AT_GOES] != goes ||
		words[AT_SEMAPHORES] != semaphores ||
		words[AT_OPERATIONS] != given->word_count - before || words[AT_CACHED] > 1)
		return false;
	return are_within(given, at, launches, LAUNCH_BYTES) &&
	       are_within(given, at + launches, launches, COMMAND_BYTES) &&
	       are_within(given, at + 2 * launches, goes, COMMAND_BYTES) &&
	       are_within(given, at + 2 * launches + goes, semaphores, COMMAND_BYTES) &&
	       are_within(given, at + before - ASSEMBLED_LAYOUT, words[AT_OPERATIONS], 4) &&
	       are_within(given, &words[AT_LAST_DISPATCH], 1, COMMAND_BYTES) &&
	       (!words[AT_CACHED] || are_within(given, &words[AT_FILL], 1, COMMAND_BYTES));
}

static void take_stream(struct command_stream *stream, const struct given *given)
{
	const uint32_t *words = given->words;
	uint32_t operations = words[AT_OPERATIONS];

	command_stream_take(stream, given->bytes, given->count);
	stream->commands = words[AT_COMMANDS];
	stream->last_dispatch = words[AT_LAST_DISPATCH];
	stream->operation_count = stream->operation_capacity = operations;
	stream->operations = allocate(operations + 1, sizeof(*stream->operations));
	for (uint32_t i = 0; i < operations; i++)
		stream->operations[i] = words[given->word_count - operations + i];
}

static struct launch_body *body_new(const struct given *given)
{
	const uint32_t *words = given->words, *at = words + ASSEMBLED_LAYOUT;
	struct launch_body *body = allocate(1, sizeof(*body));

	launch_body_alloc(body, given->program, words[AT_GOES]);
	at = take(at, body->launches, body->launch_at);
	at = take(at, body->launches, body->relay_at);
	at = take(at, body->goes, body->go_at);
	(void)take(at, words[AT_SEMAPHORES], body->semaphore_at);
	take_stream(&body->streams[0], given);
	body->fill_at = words[AT_FILL];
	body->binaries = (struct binary_place){.address = words[AT_ADDRESS],
		.page_bytes = words[AT_PAGE_BYTES],
		.banks = words[AT_BANKS],
		.cached = words[AT_CACHED]};
	body->built = body->given = true;
	return body;
}

void part_forget_given(struct part *part)
{
	if (part->given != NULL)
		launch_body_fini(part->given);
	free(part->given);
	part->given = NULL;
}

enum status workload_give_commands(struct workload *workload, const struct program *program,
	uint32_t generation, const uint32_t *words, uint32_t word_count, const uint8_t *bytes,
	uint32_t count, struct text *why)
{
	const struct given given = {program, words, word_count, bytes, count};
	const struct mesh_device *mesh = workload->mesh;
	struct part *part = NULL;

	for (uint32_t i = 0; i < workload->part_count; i++)
		if (workload->parts[i].program == program)
			part = &workload->parts[i];
	ensure(part != NULL, "commands of a program that the workload has not");
	if (!assembled_fits(&mesh->config) || !assembled_fits_workload(workload))
		return refuse(why, STATUS_UNSUPPORTED,
			"program %s is not launched with the same commands everywhere",
			program->name);
	if (word_count < ASSEMBLED_LAYOUT || !is_its_layout(&given))
		return refuse(why, STATUS_INVALID,
			"%u B of commands with a layout of %u words are not those of program %s",
			count, word_count, program->name);
	if (words[AT_EVERYWHERE] != (device_range_count(part->range) == mesh->devices))
		return STATUS_OK;
	host_threads_wait(workload->mesh); /* threads may still send the previous commands */
	part_forget_given(part);
	part->given = body_new(&given);
	part->given_as = generation;
	return STATUS_OK;
}

void workload_launch_as(struct workload *workload, uint32_t generation)
{
	workload->launch_as = generation;
}

enum status workload_check_given(const struct workload *workload, const struct kernel_cache *cache)
{
	const struct placement *placement = mesh_buffer_placement(workload->binaries);
	uint64_t stride = placement->page_stride;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		const struct part *part = &workload->parts[i];
		const struct binary_place *read;

		if (part->given == NULL || part->given_as != workload->launch_as)
			return STATUS_INVALID;
		read = &part->given->binaries;
		if (read->address != mesh_buffer_address(workload->binaries) ||
			read->page_bytes != stride || read->banks != placement->slot_count ||
			read->cached !=
				part_is_cached(part, workload->mesh->devices, stride, cache->bytes))
			return STATUS_INVALID;
	}
	return STATUS_OK;
}
