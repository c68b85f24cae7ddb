/* Reads and writes model binaries (model_binary.h). Checks the version and the checksum, and then
 * calls the other checks. */
#include "binary/model_binary.h"

#include <string.h>

#include "base/hash.h"
#include "base/refuse.h"
#include "binary_private.h"

enum { IDENTIFIER_AT = 4, IDENTIFIER_BYTES = 4 };

static const char identifier[] = "MSMB";

/* Returns the hash of the file as if its checksum were 0. */
static uint64_t file_checksum(const uint8_t *bytes, size_t count, size_t checksum_at)
{
	static const uint8_t zeros[sizeof(uint64_t)];
	size_t behind = checksum_at + sizeof zeros;
	uint64_t hash = hash_more(HASH_EMPTY, bytes, checksum_at);

	hash = hash_more(hash, zeros, sizeof zeros);
	return hash_mix(hash_more(hash, bytes + behind, count - behind));
}

void model_binary_seal(uint8_t *bytes, size_t count)
{
	struct binary_head head;
	uint64_t checksum;

	if (!binary_flat_head(bytes, count, &head))
		return;
	checksum = file_checksum(bytes, count, head.checksum_at);
	memcpy(bytes + head.checksum_at, &checksum, sizeof checksum);
}

static enum status refuse_library(struct text *why)
{
	return refuse(why, STATUS_UNSUPPORTED,
		"this meshsim was built without FlatBuffers, which model binaries need (Debian: "
		"libflatbuffers-dev, flatbuffers-compiler)");
}

enum status model_binary_write(
	const struct model_binary *binary, struct text *out, struct text *why)
{
	struct text flat = {0};
	enum status status = model_binary_check(binary, why);

	if (status != STATUS_OK)
		return status;
	if (!model_binary_available())
		return refuse_library(why);
	binary_flat_pack(binary, &flat);
	model_binary_seal((uint8_t *)flat.bytes, flat.length);
	text_append_bytes(out, flat.bytes, flat.length);
	text_fini(&flat);
	return STATUS_OK;
}

/* Makes the checks that come before the check of the structure: identifier, size, version and
 * checksum. */
static enum status check_outside(const uint8_t *bytes, size_t count, struct text *why)
{
	struct binary_head head;

	if (count < IDENTIFIER_AT + IDENTIFIER_BYTES ||
		memcmp(bytes + IDENTIFIER_AT, identifier, IDENTIFIER_BYTES) != 0)
		return refuse(why, STATUS_INVALID, "it is no model binary: bytes 4 to 7 are not %s",
			identifier);
	if (count > MODEL_BINARY_BYTES_MAX)
		return refuse(why, STATUS_INVALID, "it has %zu bytes, but allowed are %d", count,
			MODEL_BINARY_BYTES_MAX);
	if (!model_binary_available())
		return refuse_library(why);
	if (!binary_flat_head(bytes, count, &head))
		return refuse(why, STATUS_INVALID,
			"it is damaged or truncated: after %zu bytes there is no version", count);
	if (head.major != MODEL_BINARY_MAJOR || head.minor > MODEL_BINARY_MINOR)
		return refuse(why, STATUS_UNSUPPORTED,
			"it has version %u.%u of the format, but this meshsim reads %d.0 to %d.%d",
			head.major, head.minor, MODEL_BINARY_MAJOR, MODEL_BINARY_MAJOR,
			MODEL_BINARY_MINOR);
	if (file_checksum(bytes, count, head.checksum_at) != head.checksum)
		return refuse(why, STATUS_INVALID,
			"it is damaged or truncated: the checksum of its %zu bytes is wrong",
			count);
	if (!binary_flat_verify(bytes, count))
		return refuse(why, STATUS_INVALID, "its structure is wrong");
	return STATUS_OK;
}

enum status model_binary_read(const void *bytes, size_t count, struct arena *arena,
	struct text *why, const struct model_binary **binary)
{
	struct model_binary *read;
	uint8_t *copy;
	enum status status;

	*binary = NULL;
	/* the arena aligns the copy for every type, as the library requires */
	copy = arena_alloc(arena, count + 1);
	memcpy(copy, bytes, count);
	status = check_outside(copy, count, why);
	if (status != STATUS_OK)
		return status;
	read = arena_alloc(arena, sizeof *read);
	binary_flat_unpack(copy, arena, read);
	status = model_binary_check(read, why);
	if (status == STATUS_OK)
		*binary = read;
	return status;
}
