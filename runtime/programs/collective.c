/* Builds the programs of a collective, for example of an all-gather (see collective.h): kernel
 * texts, arguments and circular buffers. */
#include "collective_private.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "mesh/program.h"
#include "programs/library.h"

enum { BATCH_BYTES = 24 << 10, BATCH_PAGES_MOST = 8, SIDES = 2 };

/* ---- checks ---- */

static enum status collective_check_buffer(const struct library_buffer *buffer, uint64_t pages,
	const struct library_buffer *like, const char *name, struct text *why)
{
	if (pages == 0)
		return STATUS_OK;
	if (buffer->placement == NULL)
		return refuse(why, STATUS_INVALID, "a collective without its %s", name);
	if (buffer->placement->page_count < pages)
		return refuse(why, STATUS_INVALID, "%s has %u pages, but a collective needs %llu",
			name, buffer->placement->page_count, (unsigned long long)pages);
	if (buffer->placement->config.page_bytes != like->placement->config.page_bytes)
		return refuse(why, STATUS_INVALID, "pages of %s have %u B, those of input %u B",
			name, buffer->placement->config.page_bytes,
			like->placement->config.page_bytes);
	return STATUS_OK;
}

/* Returns the size of a tile of 32x32 elements. Only whole tiles can be added. */
static uint32_t tile_bytes(const struct collective_config *config)
{
	return KERNEL_TILE_SIDE * KERNEL_TILE_SIDE * element_bytes(config->element);
}

static enum status check_element(const struct collective_config *config, struct text *why)
{
	uint32_t page_bytes;

	if (config->element != ELEMENT_F32 && config->element != ELEMENT_BF16)
		return refuse(why, STATUS_INVALID, "%s of %s elements",
			collective_op_name(config->op), element_name(config->element));
	if (config->input.placement == NULL)
		return STATUS_OK; /* the next check rejects this */
	page_bytes = config->input.placement->config.page_bytes;
	return page_bytes % tile_bytes(config) == 0
		       ? STATUS_OK
		       : refuse(why, STATUS_INVALID,
				 "%s of pages of %u B: what is added are tiles of %u B",
				 collective_op_name(config->op), page_bytes, tile_bytes(config));
}

static enum status check(const struct collective_config *config, struct text *why)
{
	struct collective pages = {.op = config->op,
		.element = ELEMENT_F32,
		.devices = config->device_count,
		.links = config->links,
		.root = config->root,
		.chunk_bytes = sizeof(float)};
	enum status status = collective_check(&pages, why);

	if (status == STATUS_OK && config->device_count < 2u + config->ring)
		status = refuse(why, STATUS_INVALID, "a collective over a %s of %u device%s",
			config->ring ? "ring" : "line", config->device_count,
			config->device_count == 1 ? "" : "s");
	if (status == STATUS_OK && config->one_way && !config->ring)
		status = refuse(why, STATUS_INVALID, "a line with only one way");
	if (status == STATUS_OK && collective_adds(config))
		status = check_element(config, why);
	if (status == STATUS_OK && config->workers > COLLECTIVE_WORKERS_MAX)
		status = refuse(why, STATUS_INVALID, "%u cores for a link: 1 to %d are possible",
			config->workers, COLLECTIVE_WORKERS_MAX);
	if (status == STATUS_OK && config->pages == 0)
		status = refuse(why, STATUS_INVALID, "a collective of nothing");
	if (status == STATUS_OK)
		status = collective_check_buffer(
			&config->input, config->pages, &config->input, "input", why);
	if (status == STATUS_OK)
		status = collective_check_buffer(&config->output, collective_output_pages(config),
			&config->input, "output", why);
	if (status == STATUS_OK)
		status = collective_check_buffer(&config->sums, collective_sums_pages(config),
			&config->input, "the buffer of sums", why);
	return status;
}

/* ---- programs ---- */

/* The parts that the programs of all devices share. */
struct making {
	const struct collective_config *config;
	struct text *why;
	struct collective_places places;
	uint32_t common[3 * PAGES_WORDS_MAX], common_count;
	struct collective_texts texts;
	struct kernel_text texts_of[PROCESSOR_COUNT]; /* [processor] text of its kernel; empty if
						       * it has none */
};

static enum status collective_describe(
	struct making *making, const struct library_buffer *buffer, uint32_t *at)
{
	uint32_t words = pages_describe(buffer, making->common + making->common_count);

	*at = making->common_count;
	making->common_count += words;
	return words > 0
		       ? STATUS_OK
		       : refuse(making->why, STATUS_UNSUPPORTED,
				 "a buffer of a collective has a layout that kernels do not know");
}

/* Returns a key that is equal for collectives which may share their semaphores. With the same key,
 * the same device signals to a core in all of them that it is running. That device receives data
 * from the core, so its signal for a later collective cannot arrive before the core has sent the
 * data of an earlier one. In an all-to-all, several devices signal to a core; these collectives
 * share semaphores only if each of these devices receives as much in all of them. */
static uint64_t semaphores_key(const struct making *making)
{
	const struct collective_config *config = making->config;
	bool far = config->op == COLLECTIVE_ALL_TO_ALL;
	const uint32_t words[] = {making->texts.lanes, config->links, config->ring, config->one_way,
		config->lines, config->line_step, far, far ? config->pages : 0,
		far ? making->texts.chunk_pages : 0};
	uint64_t hash = hash_more(HASH_EMPTY, words, sizeof words);

	hash = hash_more(hash, &config->others, sizeof config->others);

	return hash_mix(
		hash_more(hash, config->devices, config->device_count * sizeof *config->devices));
}

static enum status take_semaphores(
	const struct making *making, struct program *owner, uint32_t *first)
{
	uint32_t *shared = making->config->semaphores;
	enum status status;

	if (shared && *shared != 0) {
		*first = *shared;
		return STATUS_OK;
	}
	status = program_share_standing_semaphores(
		owner, SEMAPHORES, semaphores_key(making), making->why, first);
	if (shared && status == STATUS_OK)
		*shared = *first;
	return status;
}

static enum status making_init(
	struct making *making, struct program *first, const struct collective_config *config)
{
	uint32_t page_bytes = config->input.placement->config.page_bytes;
	struct collective_texts *texts = &making->texts;
	enum status status = collective_describe(making, &config->input, &making->places.input_at);

	if (status == STATUS_OK)
		status = collective_describe(making, &config->output, &making->places.output_at);
	if (status == STATUS_OK && collective_adds(config))
		status = collective_describe(making, &config->sums, &making->places.sums_at);
	*texts = (struct collective_texts){.lanes = collective_lanes(config),
		.columns = program_worker_columns(first),
		.chunk_pages = collective_chunk_pages(config),
		.page_bytes = page_bytes,
		.stride = (page_bytes + 63) / 64 * 64,
		.output_at = making->places.output_at,
		.sums_at = making->places.sums_at,
		.adds = collective_adds(config)};
	texts->batch_pages = BATCH_BYTES / texts->stride;
	texts->batch_pages = texts->batch_pages < 1		     ? 1
			     : texts->batch_pages > BATCH_PAGES_MOST ? BATCH_PAGES_MOST
								     : texts->batch_pages;
	if (texts->batch_pages > texts->chunk_pages)
		texts->batch_pages = texts->chunk_pages;
	texts->element = config->element == ELEMENT_F32 ? KERNEL_F32 : KERNEL_BF16;
	texts->page_tiles = page_bytes / tile_bytes(config);
	texts->units = texts->adds ? texts->batch_pages * texts->page_tiles : 1;
	if (status == STATUS_OK)
		status = take_semaphores(making, first, &texts->first_semaphore);
	collective_reader(&making->texts_of[PROCESSOR_NCRISC], texts);
	collective_sender(&making->texts_of[PROCESSOR_BRISC], texts);
	if (texts->adds) {
		collective_unpacker(&making->texts_of[PROCESSOR_TRISC0], texts);
		collective_adder(&making->texts_of[PROCESSOR_TRISC1], texts);
		collective_packer(&making->texts_of[PROCESSOR_TRISC2], texts);
	}
	return status;
}

/* Adds one kernel for all cores. Arguments that a core does not need are 0. */
static enum status collective_add_kernel(const struct making *making, struct program *program,
	enum processor processor, const struct core_words *words)
{
	const struct kernel_text *text = &making->texts_of[processor];
	uint32_t cores = SIDES * making->texts.lanes, most = 0, kernel;
	struct kernel_config config = {.processor = processor,
		.cores = {.kind = CORES_COUNT, .count = cores},
		.copied = processor == PROCESSOR_NCRISC,
		.common_args = making->common_count,
		.table = true,
		.text = text->bytes,
		.bytes = text->length};
	enum status status;

	if (text->length == 0)
		return STATUS_OK;
	for (uint32_t core = 0; core < cores; core++)
		most = words[core].count > most ? words[core].count : most;
	config.unique_args = most;
	status = program_add_kernel(program, &config, making->why, &kernel);
	if (status == STATUS_OK)
		status = program_set_common_args(
			program, kernel, making->common, making->common_count);
	for (uint32_t core = 0; core < cores && status == STATUS_OK; core++)
		status = program_set_args(program, kernel, core, words[core].words, most);
	return status;
}

static enum status collective_add_device(
	const struct making *making, struct program *program, uint32_t place)
{
	const struct collective_texts *texts = &making->texts;
	uint32_t links = making->config->links, cores = SIDES * texts->lanes;
	struct core_words *words = allocate(cores, sizeof *words);
	enum status status = STATUS_OK;

	for (uint32_t core = 0; core < cores && status == STATUS_OK; core++) {
		struct core_job job = {.config = making->config,
			.places = &making->places,
			.program = program,
			.place = place,
			.direction = core < texts->lanes ? COLLECTIVE_DOWN : COLLECTIVE_UP,
			.link = core % links,
			.worker = core % texts->lanes / links,
			.why = making->why,
			.words = &words[core]};

		words[core].most = BOUND_TABLE_WORDS - making->common_count;
		status = collective_moves(&job);
	}
	for (int i = 0; i < PROCESSOR_COUNT && status == STATUS_OK; i++)
		status = collective_add_kernel(making, program, (enum processor)i, words);
	for (uint32_t i = 0; i < (texts->adds ? BUFFERS : 1u) && status == STATUS_OK; i++)
		status = program_add_circular_buffer(program,
			(struct cores){.kind = CORES_COUNT, .count = cores},
			COLLECTIVE_BATCHES * texts->units,
			texts->batch_pages * texts->stride / texts->units, making->why);
	free(words);
	return status;
}

enum status collective_build(
	struct program *const *programs, const struct collective_config *config, struct text *why)
{
	uint32_t packet = program_packet_bytes(programs[0]);
	struct making making = {.config = config, .why = why};
	enum status status = check(config, why);

	if (status != STATUS_OK)
		return status;
	if (packet > 0 && packet < config->input.placement->config.page_bytes)
		return refuse(why, STATUS_INVALID,
			"pages of %u B, but a packet of the fabric has %u",
			config->input.placement->config.page_bytes, packet);
	status = making_init(&making, programs[0], config);
	for (uint32_t i = 0; i < config->device_count && status == STATUS_OK; i++)
		status = collective_add_device(&making, programs[i], i);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		kernel_text_fini(&making.texts_of[i]);
	return status;
}
