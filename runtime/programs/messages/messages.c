/* Builds programs that send messages between devices: their arguments, routes and semaphores
 * (programs/messages.h). */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/program.h"
#include "programs/messages.h"
#include "world/bounds.h"
#include "collective_private.h"

enum { MESSAGES_BATCH_BYTES = 24 << 10, MESSAGES_BATCH_PAGES = 8, MESSAGES_BATCHES = 3 };

/* What is needed to build the programs, and is the same for all devices. */
struct messages_making {
	const struct messages_config *config;
	struct text *why;
	uint32_t pages; /* pages of a slot in the output */
	uint32_t common[2 * PAGES_WORDS_MAX], common_count;
	struct messages_texts texts;
	struct kernel_text reader, sender;
};

uint32_t messages_pages(const struct messages_list *lists, uint32_t device_count)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < device_count; i++)
		for (uint32_t k = 0; k < lists[i].count; k++)
			if (lists[i].at[k].kind == MESSAGE_SEND && lists[i].at[k].pages > most)
				most = lists[i].at[k].pages;
	return most;
}

/* ---- slots ---- */

struct messages_slots *messages_slots_new(uint32_t device_count)
{
	struct messages_slots *slots = allocate(1, sizeof *slots);

	slots->device_count = device_count;
	slots->of = allocate((size_t)device_count * device_count, 1);
	return slots;
}

void messages_slots_free(struct messages_slots *slots)
{
	if (slots)
		free(slots->of);
	free(slots);
}

/* Returns the number of the sender's slot at the receiver, counted from 1. Gives the sender a slot
 * if it has none. */
static uint32_t slot_take(struct messages_slots *slots, uint32_t receiver, uint32_t sender)
{
	uint8_t *of = &slots->of[(size_t)receiver * slots->device_count];
	uint8_t most = 0;

	for (uint32_t i = 0; i < slots->device_count && of[sender] == 0; i++)
		most = of[i] > most ? of[i] : most;
	if (of[sender] == 0 && most <= MESSAGES_SLOTS_MAX)
		of[sender] = (uint8_t)(most + 1);
	return of[sender];
}

uint32_t messages_slots_take(
	struct messages_slots *slots, const struct messages_list *lists, struct text *why)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < slots->device_count; i++)
		for (uint32_t k = 0; k < lists[i].count; k++) {
			uint32_t slot = lists[i].at[k].kind == MESSAGE_RECEIVE
						? slot_take(slots, i, lists[i].at[k].peer)
						: 0;

			if (slot > MESSAGES_SLOTS_MAX) {
				(void)refuse(why, STATUS_NO_SPACE,
					"rank %u receives from more than %d ranks", i,
					MESSAGES_SLOTS_MAX);
				return 0;
			}
			most = slot > most ? slot : most;
		}
	return most;
}

uint32_t messages_slot(const struct messages_slots *slots, uint32_t receiver, uint32_t sender)
{
	return slots->of[(size_t)receiver * slots->device_count + sender] - 1u;
}

/* ---- routes ---- */

/* Adds a route between two devices. Between neighbours on a ring, the route is their link.
 * Otherwise it leads along the row, and then along the column. */
static enum status messages_route(const struct messages_making *making, struct program *program,
	uint32_t from, uint32_t to, uint32_t *number)
{
	const struct messages_config *config = making->config;
	uint32_t columns = config->columns, count = config->device_count;
	uint32_t end = config->devices[to], at = config->devices[from];
	uint32_t *devices = allocate(count + 1, sizeof *devices);
	struct route_config route = {.devices = devices, .count = 1};
	bool beside = config->ring && ((from + 1) % count == to || (to + 1) % count == from);
	enum status status;

	devices[0] = at;
	if (beside)
		devices[route.count++] = at = end;
	route.count += route_across(columns, at, end, devices + route.count);
	status = program_add_route(program, &route, making->why, number);
	free(devices);
	return status;
}

/* ---- arguments ---- */

struct messages_words {
	uint32_t *at, count;
};

/* Returns how many messages of the sender have arrived when the message of this receive has
 * arrived. All of them are sent in order. */
static uint32_t awaited(const struct messages_config *config, uint32_t place, uint32_t entry)
{
	const struct messages_list *other = &config->lists[config->lists[place].at[entry].peer];
	uint32_t end = messages_other_end(config->lists, place, entry), sent = 0;

	for (uint32_t i = 0; i <= end; i++)
		sent += other->at[i].kind == MESSAGE_SEND && other->at[i].peer == place;
	return sent;
}

static enum status put_entry(const struct messages_making *making, struct program *program,
	uint32_t place, uint32_t entry, struct messages_words *words)
{
	const struct message *message = &making->config->lists[place].at[entry];
	uint32_t *word = words->at + words->count, slot = 0;
	bool sends = message->kind == MESSAGE_SEND;
	enum status status = STATUS_OK;

	words->count += ENTRY_WORDS;
	word[ENTRY_KIND] = message->kind;
	word[ENTRY_AMOUNT] = sends ? message->pages : message->cycles;
	if (message->kind == MESSAGE_BUSY)
		return STATUS_OK;
	slot = messages_slot(making->config->slots, sends ? message->peer : place,
		sends ? place : message->peer);
	if ((slot + 1) * making->pages > making->config->output.placement->page_count)
		return refuse(making->why, STATUS_INVALID, "no room for slot %u", slot);
	word[ENTRY_SLOT] = slot;
	word[ENTRY_TO] = slot * making->pages;
	if (sends) {
		status = messages_route(making, program, place, message->peer, &word[ENTRY_ROUTE]);
	} else {
		word[ENTRY_AMOUNT] = awaited(making->config, place, entry);
		words->at[HEAD_RECEIVED + slot]++;
	}
	return status;
}

static enum status messages_add_kernel(const struct messages_making *making,
	struct program *program, enum processor processor, const struct messages_words *words)
{
	const struct kernel_text *text =
		processor == PROCESSOR_NCRISC ? &making->reader : &making->sender;
	struct kernel_config config = {.processor = processor,
		.cores = {.kind = CORES_COUNT, .count = 1},
		.copied = processor == PROCESSOR_NCRISC,
		.common_args = making->common_count,
		.unique_args = words->count,
		.table = true,
		.text = text->bytes,
		.bytes = text->length};
	uint32_t kernel;
	enum status status = program_add_kernel(program, &config, making->why, &kernel);

	if (status == STATUS_OK)
		status = program_set_common_args(
			program, kernel, making->common, making->common_count);
	if (status == STATUS_OK)
		status = program_set_args(program, kernel, 0, words->at, words->count);
	return status;
}

static enum status messages_add_device(
	const struct messages_making *making, struct program *program, uint32_t place)
{
	const struct messages_list *list = &making->config->lists[place];
	uint32_t most = MESSAGES_HEAD_WORDS + list->count * ENTRY_WORDS;
	const struct messages_texts *texts = &making->texts;
	struct messages_words words = {allocate(most, sizeof(uint32_t)), MESSAGES_HEAD_WORDS};
	enum status status = STATUS_OK;

	if (most > BOUND_TABLE_WORDS - making->common_count)
		status = refuse(making->why, STATUS_NO_SPACE,
			"%u entries of device %u, but the table of a core holds %u", list->count,
			place,
			(BOUND_TABLE_WORDS - making->common_count - MESSAGES_HEAD_WORDS) /
				ENTRY_WORDS);
	for (uint32_t i = 0; i < list->count && status == STATUS_OK; i++)
		status = put_entry(making, program, place, i, &words);
	words.at[HEAD_END] = words.count;
	if (status == STATUS_OK)
		status = messages_add_kernel(making, program, PROCESSOR_BRISC, &words);
	if (status == STATUS_OK)
		status = messages_add_kernel(making, program, PROCESSOR_NCRISC, &words);
	if (status == STATUS_OK)
		status = program_add_circular_buffer(program,
			(struct cores){.kind = CORES_COUNT, .count = 1}, MESSAGES_BATCHES,
			texts->batch_pages * texts->stride, making->why);
	free(words.at);
	return status;
}

/* ---- all devices ---- */

static enum status messages_describe(
	struct messages_making *making, const struct library_buffer *buffer, uint32_t *at)
{
	uint32_t words = pages_describe(buffer, making->common + making->common_count);

	*at = making->common_count;
	making->common_count += words;
	return words > 0 ? STATUS_OK
			 : refuse(making->why, STATUS_UNSUPPORTED,
				   "a buffer of messages has a layout that kernels do not know");
}

static enum status messages_making_init(struct messages_making *making, struct program *first)
{
	const struct messages_config *config = making->config;
	struct messages_texts *texts = &making->texts;
	uint32_t page_bytes = config->input.placement->config.page_bytes;
	uint32_t packet = program_packet_bytes(first);
	enum status status = STATUS_OK;

	making->pages = messages_pages(config->lists, config->device_count);
	if (config->input.placement->page_count < making->pages)
		return refuse(making->why, STATUS_INVALID, "input of %u pages, a message has %u",
			config->input.placement->page_count, making->pages);
	if (packet > 0 && packet < page_bytes)
		return refuse(making->why, STATUS_INVALID,
			"pages of %u B, but a packet of the fabric has %u", page_bytes, packet);
	texts->page_bytes = page_bytes;
	texts->stride = (page_bytes + 63) / 64 * 64;
	texts->batch_pages = MESSAGES_BATCH_BYTES / texts->stride;
	texts->batch_pages = texts->batch_pages < 1			 ? 1
			     : texts->batch_pages > MESSAGES_BATCH_PAGES ? MESSAGES_BATCH_PAGES
									 : texts->batch_pages;
	status = messages_describe(making, &config->input, &texts->input_at);
	if (status == STATUS_OK)
		status = messages_describe(making, &config->output, &texts->output_at);
	if (status == STATUS_OK && config->slots->semaphores == 0)
		status = program_add_standing_semaphores(
			first, MESSAGES_SLOTS_MAX, making->why, &config->slots->semaphores);
	texts->first_semaphore = config->slots->semaphores;
	return status;
}

enum status messages_build(
	struct program *const *programs, const struct messages_config *config, struct text *why)
{
	struct messages_making making = {.config = config, .why = why};
	enum status status = messages_making_init(&making, programs[0]);

	if (status == STATUS_OK) {
		messages_reader(&making.reader, &making.texts);
		messages_sender(&making.sender, &making.texts);
	}
	for (uint32_t i = 0; i < config->device_count && status == STATUS_OK; i++)
		status = messages_add_device(&making, programs[i], i);
	kernel_text_fini(&making.reader);
	kernel_text_fini(&making.sender);
	return status;
}
