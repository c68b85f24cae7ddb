/* Writes and reads files of system descriptors (wire/system_file.h). */
#include "wire/system_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "wire/codec.h"

static const char magic[8] = "mshdesc";

enum { HEAD_BYTES = 16, RECORD_BYTES = 8, HASH_BYTES = 8 };

static void put(struct text *out, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		char byte = (char)(value >> 8 * i);

		text_append_bytes(out, &byte, 1);
	}
}

static uint64_t number_at(const uint8_t *at, uint32_t bytes)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < bytes; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

/* ---- writing ---- */

/* Encodes the machine into memory that the caller frees. */
static enum status system_file_encode(const struct cluster_info *info, uint8_t **memory,
	struct wire_bytes *frame, struct text *why)
{
	const struct wire_codec *codec = wire_codec_find("packed");
	struct arena arena = {0};
	struct wire_command command = wire_system_describe(info, &arena);
	struct wire_scratch scratch = {.bytes = wire_scratch_bytes(0)};
	size_t room = wire_frame_bytes(codec, &command);
	enum status status;

	scratch.memory = allocate(scratch.bytes + 1, 1);
	*memory = allocate(room, 1);
	status = wire_encode(codec, &command, &scratch, *memory, room, frame, why);
	free(scratch.memory);
	arena_fini(&arena);
	return status;
}

/* Returns the size of a file of `count` equal hosts, each with a descriptor of `bytes` bytes. */
static uint64_t file_bytes(uint32_t bytes, uint32_t count)
{
	return HEAD_BYTES + (uint64_t)count * (RECORD_BYTES + bytes) + HASH_BYTES;
}

enum status system_file_write(
	const struct cluster_info *info, uint32_t count, struct text *out, struct text *why)
{
	size_t first = out->length;
	struct wire_bytes frame;
	uint8_t *memory;
	enum status status;

	if (count == 0 || count > SYSTEM_FILE_HOSTS_MAX)
		return refuse(why, STATUS_OUT_OF_RANGE, "%u hosts", count);
	status = system_file_encode(info, &memory, &frame, why);
	if (status == STATUS_OK && file_bytes(frame.count, count) > SYSTEM_FILE_BYTES_MAX)
		status = refuse(why, STATUS_OUT_OF_RANGE,
			"%u hosts whose file has %" PRIu64 " B, of %d at most", count,
			file_bytes(frame.count, count), SYSTEM_FILE_BYTES_MAX);
	if (status == STATUS_OK) {
		text_append_bytes(out, magic, sizeof magic);
		put(out, SYSTEM_FILE_VERSION, 4);
		put(out, count, 4);
		for (uint32_t i = 0; i < count; i++) {
			put(out, info->clock_mhz, 4);
			put(out, frame.count, 4);
			text_append_bytes(out, (const char *)frame.at, frame.count);
		}
		put(out, hash_bytes(out->bytes + first, out->length - first), HASH_BYTES);
	}
	free(memory);
	return status;
}

/* ---- reading ---- */

bool system_file_is(const char *head, size_t length)
{
	return length >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

/* Decodes the descriptor of a host. Copies the machine into the arena, so the scratch memory is
 * freed before the function returns. */
static enum status system_file_decode(const uint8_t *frame, uint32_t bytes, struct arena *arena,
	struct cluster_info *info, struct text *why)
{
	struct wire_scratch scratch = {
		.bytes = wire_scratch_bytes_of(WIRE_system_descriptor, bytes)};
	struct wire_command command;
	enum status status = STATUS_INVALID;

	if (wire_kind_of(frame, bytes) != WIRE_system_descriptor)
		return refuse(why, status, "holds no system descriptor");
	scratch.memory = allocate(scratch.bytes + 1, 1);
	status = wire_decode(wire_codec_find("packed"), frame, bytes, &scratch, &command, why);
	if (status == STATUS_OK)
		status = wire_system_read(&command.system_descriptor, arena, info, why);
	free(scratch.memory);
	return status == STATUS_OK ? STATUS_OK : STATUS_INVALID;
}

/* Checks the head and the hash of the file, but not the descriptors. */
static enum status check_file(const uint8_t *file, size_t bytes, struct text *why)
{
	uint32_t version, hosts;

	if (!system_file_is((const char *)file, bytes))
		return refuse(why, STATUS_INVALID, "it is no file of system descriptors");
	if (bytes < HEAD_BYTES + HASH_BYTES || bytes > SYSTEM_FILE_BYTES_MAX)
		return refuse(why, STATUS_INVALID, "it has %zu B", bytes);
	version = (uint32_t)number_at(file + 8, 4);
	if (version != SYSTEM_FILE_VERSION)
		return refuse(why, STATUS_INVALID, "it is of version %u, this meshsim reads %d",
			version, SYSTEM_FILE_VERSION);
	if (number_at(file + bytes - HASH_BYTES, HASH_BYTES) !=
		hash_bytes(file, bytes - HASH_BYTES))
		return refuse(why, STATUS_INVALID, "it was cut or changed: its hash differs");
	hosts = (uint32_t)number_at(file + 12, 4);
	if (hosts == 0 || hosts > SYSTEM_FILE_HOSTS_MAX)
		return refuse(why, STATUS_INVALID, "it has %u hosts", hosts);
	return STATUS_OK;
}

enum status system_file_read(const uint8_t *file, size_t bytes, struct arena *arena,
	struct system_hosts *hosts, struct text *why)
{
	enum status status = check_file(file, bytes, why);
	size_t at = HEAD_BYTES, end = bytes - HASH_BYTES;

	*hosts = (struct system_hosts){0};
	if (status != STATUS_OK)
		return status;
	hosts->count = (uint32_t)number_at(file + 12, 4);
	for (uint32_t i = 0; i < hosts->count && status == STATUS_OK; i++) {
		uint64_t length =
			end - at < RECORD_BYTES ? UINT64_MAX : number_at(file + at + 4, 4);

		if (length > end - at - RECORD_BYTES)
			return refuse(why, STATUS_INVALID, "host %u reaches beyond its end", i);
		status = system_file_decode(file + at + RECORD_BYTES, (uint32_t)length, arena,
			&hosts->host[i].info, why);
		hosts->host[i].info.clock_mhz = (uint32_t)number_at(file + at, 4);
		hosts->host[i].bytes = (uint32_t)length + RECORD_BYTES;
		at += RECORD_BYTES + length;
	}
	if (status == STATUS_OK && at != end)
		return refuse(why, STATUS_INVALID, "%zu B follow its last host", end - at);
	return status;
}
