/* Checks that a dispatch command is well formed: the kind of the command must allow the command's
 * flags, and the values must lie within the bounds of the format. Encoding and decoding both use
 * this check. It does not check addresses, because they depend on the machine. */
#include "command/dispatch.h"

static uint8_t dispatch_check_flags_allowed(enum dispatch_kind kind)
{
	switch (kind) {
	case DISPATCH_WRITE_PAGED:
		return DISPATCH_LAST | DISPATCH_L1;
	case DISPATCH_WRITE_WORD:
		return DISPATCH_LAST | DISPATCH_ADD | DISPATCH_EVENT;
	case DISPATCH_WRITE_HOST:
		return DISPATCH_LAST | DISPATCH_DIRECT;
	case DISPATCH_NOTIFY_HOST:
		return DISPATCH_LAST | DISPATCH_TABLE | DISPATCH_GATHER | DISPATCH_EVENT;
	case DISPATCH_GO:
		return DISPATCH_LAST | DISPATCH_IDLE | DISPATCH_SAME_RUN | DISPATCH_TILE;
	case DISPATCH_WAIT:
		return DISPATCH_LAST | DISPATCH_WORKERS | DISPATCH_WORD | DISPATCH_BARRIER |
		       DISPATCH_CLEAR | DISPATCH_RELEASE | DISPATCH_DATA;
	case DISPATCH_TRANSACTION:
	case DISPATCH_TRACE_BEGIN:
		return 0;
	default:
		return DISPATCH_LAST;
	}
}

static enum status dispatch_check_length(uint32_t length, uint32_t offset)
{
	if (length == 0 || length > DISPATCH_LENGTH_MAX || offset >= DISPATCH_OFFSETS)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

static enum status rect_check(struct worker_rect rect)
{
	return rect.column0 <= rect.column1 && rect.row0 <= rect.row1 ? STATUS_OK
								      : STATUS_OUT_OF_RANGE;
}

static enum status paged_check(const struct dispatch_command *command)
{
	uint32_t page_bytes = command->write_paged.page_bytes, pages = command->write_paged.pages;

	if (page_bytes % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	if (page_bytes == 0 || pages == 0 || (uint64_t)page_bytes * pages > DISPATCH_LENGTH_MAX)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

static enum status packed_check(const struct dispatch_command *command)
{
	uint32_t count = command->write_packed.count, stride = command->write_packed.stride;

	if (stride % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	if (count == 0 || count > DISPATCH_PACKED_MAX || stride == 0 ||
		(uint64_t)stride * count > DISPATCH_LENGTH_MAX)
		return STATUS_OUT_OF_RANGE;
	return command->write_packed.offset < DISPATCH_OFFSETS ? STATUS_OK : STATUS_OUT_OF_RANGE;
}

static enum status wait_check(const struct dispatch_command *command)
{
	if (command->wait.group >= DISPATCH_GROUPS)
		return STATUS_OUT_OF_RANGE;
	if (!(command->flags & DISPATCH_WORD)) {
		uint32_t most = command->flags & DISPATCH_WORKERS ? DISPATCH_BEHIND_MAX : 0;

		return command->wait.address == 0 && command->wait.value <= most ? STATUS_OK
										 : STATUS_INVALID;
	}
	return command->wait.address % 4 == 0 ? STATUS_OK : STATUS_INVALID;
}

static enum status host_check(uint8_t flag, uint8_t flags, uint64_t address, uint32_t align)
{
	if (!(flags & flag))
		return address == 0 ? STATUS_OK : STATUS_INVALID;
	return address % align == 0 ? STATUS_OK : STATUS_INVALID;
}

enum status dispatch_check(const struct dispatch_command *command)
{
	enum status status;

	if (command->kind <= DISPATCH_NONE || command->kind >= DISPATCH_KIND_COUNT ||
		(command->flags & ~dispatch_check_flags_allowed(command->kind)) != 0)
		return STATUS_INVALID;
	switch (command->kind) {
	case DISPATCH_WRITE_LINEAR:
		return dispatch_check_length(
			command->write_linear.length, command->write_linear.offset);
	case DISPATCH_WRITE_PAGED:
		return paged_check(command);
	case DISPATCH_WRITE_PACKED:
		return packed_check(command);
	case DISPATCH_WRITE_MULTICAST:
		status = rect_check(command->write_multicast.rect);
		return status != STATUS_OK ? status
					   : dispatch_check_length(command->write_multicast.length,
						     command->write_multicast.offset);
	case DISPATCH_WRITE_WORD:
		return command->write_word.address % 4 == 0 ? STATUS_OK : STATUS_INVALID;
	case DISPATCH_WRITE_HOST:
		status = host_check(DISPATCH_DIRECT, command->flags, command->write_host.address,
			COMMAND_ALIGN);
		return status != STATUS_OK ? status
					   : dispatch_check_length(command->write_host.length, 0);
	case DISPATCH_SET_RUN:
		return command->set_run.group < DISPATCH_GROUPS &&
				       command->set_run.run <= UINT16_MAX
			       ? STATUS_OK
			       : STATUS_OUT_OF_RANGE;
	case DISPATCH_GO:
		if (command->go.group >= DISPATCH_GROUPS || command->go.slot >= 8)
			return STATUS_OUT_OF_RANGE;
		return rect_check(command->go.rect);
	case DISPATCH_WAIT:
		return wait_check(command);
	case DISPATCH_TRACE_END:
		return command->trace_end.group < DISPATCH_GROUPS ? STATUS_OK : STATUS_OUT_OF_RANGE;
	case DISPATCH_NOTIFY_HOST:
		if (command->flags & DISPATCH_GATHER)
			return command->flags & DISPATCH_TABLE ? STATUS_INVALID : STATUS_OK;
		return host_check(DISPATCH_TABLE, command->flags, command->notify_host.address, 4);
	default:
		return STATUS_OK;
	}
}
