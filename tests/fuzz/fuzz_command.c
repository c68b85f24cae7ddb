/* Fuzzes every decoder of runtime/command. Any input gives a status. If an input is accepted,
 * encoding the decoded result gives the same bytes as the input. */
#include <stdint.h>
#include <string.h>

#include "base/ensure.h"
#include "command/completion.h"
#include "command/dispatch.h"
#include "command/issue_queue.h"
#include "command/kernel.h"
#include "command/prefetch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 64 };

static void check_same(const char *what, const uint8_t *data, const uint8_t *again, uint32_t length)
{
	ensure(memcmp(data, again, length) == 0, "%s of %u B is not written as it was read", what,
		length);
}

static void check_prefetch(const uint8_t *data)
{
	uint8_t again[BYTES_MAX];
	struct prefetch_command command;
	struct segment segment;

	if (prefetch_decode(data, &command) == STATUS_OK) {
		prefetch_encode(&command, again);
		check_same("prefetch command", data, again, COMMAND_BYTES);
		ensure(prefetch_data_bytes(&command) % COMMAND_ALIGN == 0, "%u B of data",
			prefetch_data_bytes(&command));
	}
	if (segment_decode(data, &segment) == STATUS_OK) {
		segment_encode(&segment, again);
		check_same("segment", data, again, COMMAND_BYTES);
	}
}

static void check_dispatch(const uint8_t *data, uint32_t size)
{
	uint8_t again[BYTES_MAX];
	struct dispatch_command command;

	if (dispatch_decode(data, size, &command) != STATUS_OK)
		return;
	check_same("dispatch command", data, again, dispatch_encode(&command, again));
	ensure(dispatch_data_bytes(&command) % COMMAND_ALIGN == 0 &&
			dispatch_data_bytes(&command) <= DISPATCH_LENGTH_MAX + 1024,
		"%u B of data", dispatch_data_bytes(&command));
}

static void check_launch(const uint8_t *data)
{
	uint8_t again[BYTES_MAX];
	struct launch_message message;
	struct completion_record record;
	struct fetch_entry entry;
	struct kernel kernel;

	if (launch_decode(data, &message) == STATUS_OK) {
		launch_encode(&message, again);
		check_same("launch message", data, again, LAUNCH_BYTES);
	}
	if (kernel_decode(data, &kernel) == STATUS_OK) {
		kernel_encode(&kernel, again);
		check_same("kernel", data, again, KERNEL_HEADER_BYTES);
	}
	if (completion_decode(data, &record) == STATUS_OK) {
		completion_encode(&record, again);
		check_same("completion record", data, again, COMPLETION_BYTES);
	}
	if (fetch_entry_decode(bytes_get32(data), &entry) == STATUS_OK)
		ensure(fetch_entry_encode(entry) == bytes_get32(data), "fetch entry 0x%x",
			bytes_get32(data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t bytes[BYTES_MAX] = {0};

	for (size_t at = 0; at < size; at += COMMAND_BYTES) {
		size_t part = size - at < BYTES_MAX ? size - at : BYTES_MAX;

		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, data + at, part);
		check_prefetch(bytes);
		check_dispatch(data + at, (uint32_t)part);
		check_launch(bytes);
	}
	return 0;
}
