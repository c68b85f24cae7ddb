/* Dispatch commands: header to bytes and back. Trusts no byte; refuses every header that this file
 * would not have written. */
#include "command/dispatch.h"

#include "base/ensure.h"
#include "dispatch_check.h"

#include <string.h>

enum { FIELD_A = 2, FIELD_B = 4, FIELD_C = 8, FIELD_D = 12, FIELD_E = 16 };

static void rect_put(struct worker_rect rect, uint8_t *bytes)
{
	bytes[0] = rect.column0;
	bytes[1] = rect.row0;
	bytes[2] = rect.column1;
	bytes[3] = rect.row1;
}

static struct worker_rect rect_get(const uint8_t *bytes)
{
	return (struct worker_rect){bytes[0], bytes[1], bytes[2], bytes[3]};
}

uint32_t dispatch_header_bytes(enum dispatch_kind kind)
{
	return kind == DISPATCH_WRITE_HOST || kind == DISPATCH_NOTIFY_HOST ? 2 * COMMAND_BYTES
									   : COMMAND_BYTES;
}

static void writes_put(const struct dispatch_command *command, uint8_t *bytes)
{
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		bytes_put16(bytes + FIELD_A, command->write_linear.tile);
		bytes_put32(bytes + FIELD_B, command->write_linear.address);
		bytes_put32(bytes + FIELD_C, command->write_linear.length);
		bytes_put32(bytes + FIELD_D, command->write_linear.offset);
		break;
	case DISPATCH_WRITE_PAGED:
		bytes_put16(bytes + FIELD_A, command->write_paged.start_page);
		bytes_put32(bytes + FIELD_B, command->write_paged.base);
		bytes_put32(bytes + FIELD_C, command->write_paged.page_bytes);
		bytes_put32(bytes + FIELD_D, command->write_paged.pages);
		break;
	case DISPATCH_WRITE_PACKED:
		bytes_put16(bytes + FIELD_A, command->write_packed.count);
		bytes_put32(bytes + FIELD_B, command->write_packed.address);
		bytes_put32(bytes + FIELD_C, command->write_packed.stride);
		bytes_put32(bytes + FIELD_D, command->write_packed.offset);
		break;
	case DISPATCH_WRITE_MULTICAST:
		bytes_put16(bytes + FIELD_A, (uint16_t)command->write_multicast.offset);
		bytes_put32(bytes + FIELD_B, command->write_multicast.address);
		bytes_put32(bytes + FIELD_C, command->write_multicast.length);
		rect_put(command->write_multicast.rect, bytes + FIELD_D);
		break;
	case DISPATCH_WRITE_WORD:
		bytes_put16(bytes + FIELD_A, command->write_word.tile);
		bytes_put32(bytes + FIELD_B, command->write_word.address);
		bytes_put32(bytes + FIELD_C, command->write_word.value);
		break;
	default:
		break;
	}
}

static void others_put(const struct dispatch_command *command, uint8_t *bytes)
{
	switch (command->kind) {
	case DISPATCH_WRITE_HOST:
		bytes_put32(bytes + FIELD_B, command->write_host.tag);
		bytes_put32(bytes + FIELD_C, command->write_host.operation);
		bytes_put32(bytes + FIELD_D, command->write_host.length);
		bytes_put64(bytes + FIELD_E, command->write_host.address);
		break;
	case DISPATCH_SET_OFFSETS:
		for (int i = 0; i < 3; i++)
			bytes_put32(bytes + FIELD_B + 4 * i, command->set_offsets.offset[i]);
		break;
	case DISPATCH_SET_RUN:
		bytes[FIELD_A] = command->set_run.group;
		bytes_put32(bytes + FIELD_B, command->set_run.run);
		break;
	case DISPATCH_GO:
		bytes[FIELD_A] = command->go.group;
		bytes[FIELD_A + 1] = command->go.slot;
		bytes_put32(bytes + FIELD_C, command->go.operation);
		if (command->flags & DISPATCH_TILE)
			bytes_put16(bytes + FIELD_D, command->go.tile);
		else
			rect_put(command->go.rect, bytes + FIELD_D);
		break;
	case DISPATCH_WAIT:
		bytes[FIELD_A] = command->wait.group;
		bytes_put32(bytes + FIELD_B, command->wait.address);
		bytes_put32(bytes + FIELD_C, command->wait.value);
		bytes_put32(bytes + FIELD_D, command->wait.operation);
		break;
	case DISPATCH_NOTIFY_HOST:
		bytes_put32(bytes + FIELD_B, command->notify_host.event);
		bytes_put32(bytes + FIELD_C, command->notify_host.operation);
		bytes_put64(bytes + FIELD_E, command->notify_host.address);
		break;
	case DISPATCH_TRANSACTION:
		bytes[FIELD_A] = command->transaction.id;
		bytes_put32(bytes + FIELD_B, command->transaction.operation);
		break;
	case DISPATCH_TRACE_BEGIN:
		bytes_put32(bytes + FIELD_B, command->trace_begin.first);
		break;
	case DISPATCH_TRACE_END:
		bytes[FIELD_A] = command->trace_end.group;
		bytes_put32(bytes + FIELD_C, command->trace_end.operation);
		break;
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
	writes_put(command, bytes);
	others_put(command, bytes);
	return length;
}

static void writes_get(const uint8_t *bytes, struct dispatch_command *command)
{
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		command->write_linear.tile = bytes_get16(bytes + FIELD_A);
		command->write_linear.address = bytes_get32(bytes + FIELD_B);
		command->write_linear.length = bytes_get32(bytes + FIELD_C);
		command->write_linear.offset = bytes_get32(bytes + FIELD_D);
		break;
	case DISPATCH_WRITE_PAGED:
		command->write_paged.start_page = bytes_get16(bytes + FIELD_A);
		command->write_paged.base = bytes_get32(bytes + FIELD_B);
		command->write_paged.page_bytes = bytes_get32(bytes + FIELD_C);
		command->write_paged.pages = bytes_get32(bytes + FIELD_D);
		break;
	case DISPATCH_WRITE_PACKED:
		command->write_packed.count = bytes_get16(bytes + FIELD_A);
		command->write_packed.address = bytes_get32(bytes + FIELD_B);
		command->write_packed.stride = bytes_get32(bytes + FIELD_C);
		command->write_packed.offset = bytes_get32(bytes + FIELD_D);
		break;
	case DISPATCH_WRITE_MULTICAST:
		command->write_multicast.offset = bytes_get16(bytes + FIELD_A);
		command->write_multicast.address = bytes_get32(bytes + FIELD_B);
		command->write_multicast.length = bytes_get32(bytes + FIELD_C);
		command->write_multicast.rect = rect_get(bytes + FIELD_D);
		break;
	case DISPATCH_WRITE_WORD:
		command->write_word.tile = bytes_get16(bytes + FIELD_A);
		command->write_word.address = bytes_get32(bytes + FIELD_B);
		command->write_word.value = bytes_get32(bytes + FIELD_C);
		break;
	default:
		break;
	}
}

static void others_get(const uint8_t *bytes, struct dispatch_command *command)
{
	switch (command->kind) {
	case DISPATCH_WRITE_HOST:
		command->write_host.tag = bytes_get32(bytes + FIELD_B);
		command->write_host.operation = bytes_get32(bytes + FIELD_C);
		command->write_host.length = bytes_get32(bytes + FIELD_D);
		command->write_host.address = bytes_get64(bytes + FIELD_E);
		break;
	case DISPATCH_SET_OFFSETS:
		for (int i = 0; i < 3; i++)
			command->set_offsets.offset[i] = bytes_get32(bytes + FIELD_B + 4 * i);
		break;
	case DISPATCH_SET_RUN:
		command->set_run.group = bytes[FIELD_A];
		command->set_run.run = bytes_get32(bytes + FIELD_B);
		break;
	case DISPATCH_GO:
		command->go.group = bytes[FIELD_A];
		command->go.slot = bytes[FIELD_A + 1];
		command->go.operation = bytes_get32(bytes + FIELD_C);
		if (command->flags & DISPATCH_TILE)
			command->go.tile = bytes_get16(bytes + FIELD_D);
		else
			command->go.rect = rect_get(bytes + FIELD_D);
		break;
	case DISPATCH_WAIT:
		command->wait.group = bytes[FIELD_A];
		command->wait.address = bytes_get32(bytes + FIELD_B);
		command->wait.value = bytes_get32(bytes + FIELD_C);
		command->wait.operation = bytes_get32(bytes + FIELD_D);
		break;
	case DISPATCH_NOTIFY_HOST:
		command->notify_host.event = bytes_get32(bytes + FIELD_B);
		command->notify_host.operation = bytes_get32(bytes + FIELD_C);
		command->notify_host.address = bytes_get64(bytes + FIELD_E);
		break;
	case DISPATCH_TRANSACTION:
		command->transaction.id = bytes[FIELD_A];
		command->transaction.operation = bytes_get32(bytes + FIELD_B);
		break;
	case DISPATCH_TRACE_BEGIN:
		command->trace_begin.first = bytes_get32(bytes + FIELD_B);
		break;
	case DISPATCH_TRACE_END:
		command->trace_end.group = bytes[FIELD_A];
		command->trace_end.operation = bytes_get32(bytes + FIELD_C);
		break;
	default:
		break;
	}
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
	writes_get(bytes, command);
	others_get(bytes, command);
	status = dispatch_check(command);
	if (status != STATUS_OK)
		return status;
	/* Whatever the fields do not hold has to be 0: then both directions agree. */
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

uint32_t worker_rect_count(struct worker_rect rect)
{
	return (uint32_t)(rect.column1 - rect.column0 + 1) * (uint32_t)(rect.row1 - rect.row0 + 1);
}

const char *dispatch_kind_name(enum dispatch_kind kind)
{
	static const char *const names[] = {
		[DISPATCH_NONE] = "?",
#define X(name, what) [DISPATCH_##name] = #name,
#include "command/dispatch.def"
#undef X
	};

	return (unsigned)kind < DISPATCH_KIND_COUNT ? names[kind] : "?";
}
