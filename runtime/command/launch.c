/* Converts launch messages, go words and results to bytes and back, and computes the checksum of
 * arguments. Decoding checks every byte of a launch message. */
#include "command/launch.h"

#include "base/ensure.h"

#include <string.h>

enum { AT_KERNELS = 24, AT_COMMON = 44, AT_UNIQUE = 48, AT_BUFFERS = 52, AT_SEMAPHORES = 54 };

uint32_t go_encode(struct go go)
{
	ensure(go.slot < LAUNCH_SLOTS && go.group < 16, "go for slot %u, group %u", go.slot,
		go.group);
	return (uint32_t)go.run << GO_RUN_SHIFT | (uint32_t)go.idle << GO_IDLE_SHIFT |
	       (uint32_t)go.slot << 12 | (uint32_t)go.group << 8 | go.tile;
}

struct go go_decode(uint32_t word)
{
	return (struct go){
		.run = go_run(word),
		.idle = go_is_idle(word),
		.slot = word >> 12 & 7,
		.group = word >> 8 & 15,
		.tile = (uint8_t)word,
	};
}

uint32_t launch_lay_out(const struct launch_sizes *sizes, struct launch_message *message)
{
	uint32_t at = 0;

	message->common_offset = at;
	message->common_bytes = sizes->common_bytes;
	at += command_padded(sizes->common_bytes);
	message->circular_buffer_offset = at;
	message->circular_buffers = sizes->circular_buffers;
	at += (uint32_t)sizes->circular_buffers * CIRCULAR_BUFFER_BYTES;
	message->semaphore_offset = at;
	message->semaphores = sizes->semaphores;
	at += (uint32_t)sizes->semaphores * SEMAPHORE_BYTES;
	message->unique_offset = at;
	message->unique_bytes = sizes->unique_bytes;
	return at + command_padded(sizes->unique_bytes);
}

static enum status offset_check(uint32_t offset)
{
	if (offset % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	return offset / COMMAND_ALIGN <= UINT16_MAX ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

static enum status kernels_check(const struct launch_message *message)
{
	if (message->processors >> PROCESSOR_COUNT != 0)
		return STATUS_OUT_OF_RANGE;
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		bool there = message->processors >> i & 1;

		if (message->kernel_offset[i] % COMMAND_ALIGN != 0 ||
			(!there && message->kernel_offset[i] != 0))
			return STATUS_INVALID;
	}
	return STATUS_OK;
}

static enum status launch_check(const struct launch_message *message)
{
	const uint32_t offsets[] = {message->common_offset, message->unique_offset,
		message->circular_buffer_offset, message->semaphore_offset};
	enum status status = kernels_check(message);

	if (message->config_base % COMMAND_ALIGN != 0 || message->kernel_base % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	for (int i = 0; i < 4 && status == STATUS_OK; i++)
		status = offset_check(offsets[i]);
	if (status != STATUS_OK)
		return status;
	if (message->common_bytes > UINT16_MAX || message->unique_bytes > UINT16_MAX ||
		message->circular_buffers > CIRCULAR_BUFFERS_MAX ||
		message->semaphores > SEMAPHORES_MAX ||
		message->pipeline_pages > PIPELINE_PAGES_MAX || message->run > LAUNCH_RUN_MAX)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

static void put_units(uint8_t *at, uint32_t offset)
{
	bytes_put16(at, (uint16_t)(offset / COMMAND_ALIGN));
}

static uint32_t get_units(const uint8_t *at)
{
	return (uint32_t)bytes_get16(at) * COMMAND_ALIGN;
}

void launch_encode(const struct launch_message *message, uint8_t bytes[LAUNCH_BYTES])
{
	ensure(launch_check(message) == STATUS_OK, "launch message of program %u is malformed",
		message->program);
	memset(bytes, 0, LAUNCH_BYTES);
	bytes_put32(bytes, LAUNCH_MAGIC);
	bytes_put32(bytes + 4, message->program);
	bytes_put32(bytes + LAUNCH_OPERATION, message->operation);
	bytes[12] = message->processors;
	bytes[13] = message->circular_buffers;
	bytes[14] = message->semaphores;
	bytes[15] = message->pipeline_pages;
	bytes_put32(bytes + LAUNCH_CONFIG_BASE, message->config_base);
	bytes_put32(bytes + LAUNCH_KERNEL_BASE, message->kernel_base);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		bytes_put32(bytes + AT_KERNELS + 4 * i, message->kernel_offset[i]);
	put_units(bytes + AT_COMMON, message->common_offset);
	bytes_put16(bytes + AT_COMMON + 2, (uint16_t)message->common_bytes);
	put_units(bytes + AT_UNIQUE, message->unique_offset);
	bytes_put16(bytes + AT_UNIQUE + 2, (uint16_t)message->unique_bytes);
	put_units(bytes + AT_BUFFERS, message->circular_buffer_offset);
	put_units(bytes + AT_SEMAPHORES, message->semaphore_offset);
	bytes_put64(bytes + LAUNCH_RUN, launch_run(message->run, message->spread));
}

enum status launch_decode(const uint8_t bytes[LAUNCH_BYTES], struct launch_message *message)
{
	if (bytes_get32(bytes) != LAUNCH_MAGIC)
		return STATUS_INVALID;
	message->program = bytes_get32(bytes + 4);
	message->operation = bytes_get32(bytes + LAUNCH_OPERATION);
	message->processors = bytes[12];
	message->circular_buffers = bytes[13];
	message->semaphores = bytes[14];
	message->pipeline_pages = bytes[15];
	message->config_base = bytes_get32(bytes + LAUNCH_CONFIG_BASE);
	message->kernel_base = bytes_get32(bytes + LAUNCH_KERNEL_BASE);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		message->kernel_offset[i] = bytes_get32(bytes + AT_KERNELS + 4 * i);
	message->common_offset = get_units(bytes + AT_COMMON);
	message->common_bytes = bytes_get16(bytes + AT_COMMON + 2);
	message->unique_offset = get_units(bytes + AT_UNIQUE);
	message->unique_bytes = bytes_get16(bytes + AT_UNIQUE + 2);
	message->circular_buffer_offset = get_units(bytes + AT_BUFFERS);
	message->semaphore_offset = get_units(bytes + AT_SEMAPHORES);
	message->run = bytes_get64(bytes + LAUNCH_RUN) & LAUNCH_RUN_MAX;
	message->spread = (uint16_t)(bytes_get64(bytes + LAUNCH_RUN) >> 48);
	return launch_check(message);
}

void circular_buffer_encode(
	const struct circular_buffer *buffer, uint8_t bytes[CIRCULAR_BUFFER_BYTES])
{
	ensure((uint64_t)buffer->pages * buffer->page_bytes <= UINT32_MAX, "%u pages of %u B",
		buffer->pages, buffer->page_bytes);
	bytes_put32(bytes, buffer->address);
	bytes_put32(bytes + 4, buffer->pages * buffer->page_bytes);
	bytes_put32(bytes + 8, buffer->pages);
	bytes_put32(bytes + 12, buffer->page_bytes);
}

void launch_result_encode(const struct launch_result *result, uint8_t bytes[LAUNCH_RESULT_BYTES])
{
	bytes_put32(bytes, result->launches);
	bytes_put32(bytes + 4, result->checksum);
	bytes_put32(bytes + 8, result->program);
	bytes_put32(bytes + 12, result->sum);
}

void launch_result_decode(const uint8_t bytes[LAUNCH_RESULT_BYTES], struct launch_result *result)
{
	result->launches = bytes_get32(bytes);
	result->checksum = bytes_get32(bytes + 4);
	result->program = bytes_get32(bytes + 8);
	result->sum = bytes_get32(bytes + 12);
}

/* ---- checksum ---- */

/* Constants for args_hash(). If 8 bytes of arguments were equal to ARGS_KEY0, args_mix() would
 * return 0, and the hash would not depend on the bytes before them. The constants are random
 * numbers, so that this is unlikely. */
#define ARGS_KEY0 UINT64_C(0xa0761d6478bd642f)
#define ARGS_KEY1 UINT64_C(0xe7037ed1a0b428db)

/* Mixes two numbers. Both halves of the result depend on every bit of both numbers. */
static uint64_t args_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Hashes a block. Each multiplication hashes 16 bytes. There are two independent chains of
 * multiplications (lanes), because a single chain would be slower. */
uint32_t args_hash(const void *bytes, uint32_t length)
{
	uint64_t left = length ^ ARGS_KEY1, right = ARGS_KEY1;
	const uint8_t *at = bytes;
	uint8_t tail[32] = {0};

	for (; length >= 32; length -= 32, at += 32) {
		left = args_mix(bytes_get64(at) ^ ARGS_KEY0, bytes_get64(at + 8) ^ left);
		right = args_mix(bytes_get64(at + 16) ^ ARGS_KEY0, bytes_get64(at + 24) ^ right);
	}
	if (length > 0) {
		memcpy(tail, at, length);
		left = args_mix(bytes_get64(tail) ^ ARGS_KEY0, bytes_get64(tail + 8) ^ left);
		right = args_mix(
			bytes_get64(tail + 16) ^ ARGS_KEY0, bytes_get64(tail + 24) ^ right);
	}
	return (uint32_t)(args_mix(left ^ ARGS_KEY0, right ^ ARGS_KEY1) >> 32);
}

uint32_t args_combine(uint32_t unique_hash, uint32_t common_hash)
{
	return (uint32_t)(args_mix(unique_hash ^ ARGS_KEY0, common_hash ^ ARGS_KEY1) >> 32);
}

uint32_t launch_checksum(
	const void *unique, uint32_t unique_bytes, const void *common, uint32_t common_bytes)
{
	return args_combine(args_hash(unique, unique_bytes), args_hash(common, common_bytes));
}
