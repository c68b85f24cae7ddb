/* Converts headers of dispatch commands to bytes and back, as the fields in dispatch.def prescribe.
 * Decoding rejects every header that encoding would not write. */
#include "command/dispatch.h"

#include "base/ensure.h"

#include <string.h>

/* ---- the target of a GO ---- */

static void go_target_put(const struct dispatch_command *command, uint8_t *bytes)
{
	if (command->flags & DISPATCH_TILE) {
		bytes_put16(bytes, command->go.tile);
		return;
	}
	bytes[0] = command->go.rect.column0;
	bytes[1] = command->go.rect.row0;
	bytes[2] = command->go.rect.column1;
	bytes[3] = command->go.rect.row1;
}

static void go_target_get(const uint8_t *bytes, struct dispatch_command *command)
{
	if (command->flags & DISPATCH_TILE)
		command->go.tile = bytes_get16(bytes);
	else
		command->go.rect = (struct worker_rect){bytes[0], bytes[1], bytes[2], bytes[3]};
}

/* ---- headers ---- */

uint32_t dispatch_header_bytes(enum dispatch_kind kind)
{
	return kind == DISPATCH_WRITE_HOST || kind == DISPATCH_NOTIFY_HOST ? 2 * COMMAND_BYTES
									   : COMMAND_BYTES;
}

static void dispatch_fields_put(const struct dispatch_command *command, uint8_t *bytes)
{
	switch (command->kind) {
#define FIELD(member, at, bits) bytes_put##bits(bytes + (at), (uint##bits##_t)command->member);
#define OPERATION(member, at) FIELD(member, at, 32)
#define GO_TARGET(at) go_target_put(command, bytes + (at));
#define X(name, what, fields) case DISPATCH_##name: fields break;
#include "command/dispatch.def"
#undef X
	default:
		break;
	}
}

static void dispatch_fields_get(const uint8_t *bytes, struct dispatch_command *command)
{
	switch (command->kind) {
#define FIELD(member, at, bits) command->member = bytes_get##bits(bytes + (at));
#define OPERATION(member, at) FIELD(member, at, 32)
#define GO_TARGET(at) go_target_get(bytes + (at), command);
#define X(name, what, fields) case DISPATCH_##name: fields break;
#include "command/dispatch.def"
#undef X
	default:
		break;
	}
}

uint32_t dispatch_encode(const struct dispatch_command *command, uint8_t bytes[DISPATCH_HEADER_MAX])
{
	uint32_t length = dispatch_header_bytes(command->kind);

	ensure(dispatch_check(command) == STATUS_OK, "dispatch command %s is malformed",
		dispatch_kind_name(command->kind));
	memset(bytes, 0, length);
	bytes[0] = (uint8_t)command->kind;
	bytes[1] = command->flags;
	dispatch_fields_put(command, bytes);
	return length;
}

enum dispatch_kind dispatch_peek(const uint8_t bytes[COMMAND_BYTES])
{
	return bytes[0] < DISPATCH_KIND_COUNT ? (enum dispatch_kind)bytes[0] : DISPATCH_NONE;
}

enum status dispatch_decode(const uint8_t *bytes, uint32_t length, struct dispatch_command *command)
{
	uint8_t again[DISPATCH_HEADER_MAX];
	enum status status;
	uint32_t header;

	memset(command, 0, sizeof *command);
	if (length < COMMAND_BYTES)
		return STATUS_NO_SPACE;
	command->kind = dispatch_peek(bytes);
	if (command->kind == DISPATCH_NONE)
		return STATUS_INVALID;
	header = dispatch_header_bytes(command->kind);
	if (length < header)
		return STATUS_NO_SPACE;
	command->flags = bytes[1];
	dispatch_fields_get(bytes, command);
	status = dispatch_check(command);
	if (status != STATUS_OK)
		return status;
	/* all bits outside the fields must be 0, so that encoding gives the same bytes */
	dispatch_encode(command, again);
	return memcmp(bytes, again, header) == 0 ? STATUS_OK : STATUS_INVALID;
}

uint32_t dispatch_data_bytes(const struct dispatch_command *command)
{
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		return command_padded(command->write_linear.length);
	case DISPATCH_WRITE_PAGED:
		return command->write_paged.pages * command->write_paged.page_bytes;
	case DISPATCH_WRITE_PACKED:
		return command_padded(2u * command->write_packed.count) +
		       command->write_packed.count * command->write_packed.stride;
	case DISPATCH_WRITE_MULTICAST:
		return command_padded(command->write_multicast.length);
	case DISPATCH_WRITE_HOST:
		return command_padded(command->write_host.length);
	default:
		return 0;
	}
}

uint32_t dispatch_operation_at(enum dispatch_kind kind)
{
	switch (kind) {
#define FIELD(member, at, bits)
#define OPERATION(member, at) return at;
#define GO_TARGET(at)
#define X(name, what, fields) case DISPATCH_##name: fields return 0;
#include "command/dispatch.def"
#undef X
	default:
		return 0;
	}
}

uint32_t worker_rect_count(struct worker_rect rect)
{
	return (uint32_t)(rect.column1 - rect.column0 + 1) * (uint32_t)(rect.row1 - rect.row0 + 1);
}

const char *dispatch_kind_name(enum dispatch_kind kind)
{
	static const char *const names[] = {
		[DISPATCH_NONE] = "?",
#define X(name, what, fields) [DISPATCH_##name] = #name,
#include "command/dispatch.def"
#undef X
	};

	return (unsigned)kind < DISPATCH_KIND_COUNT ? names[kind] : "?";
}
