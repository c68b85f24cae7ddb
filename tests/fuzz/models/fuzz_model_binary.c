/* Fuzzes the reader of model binaries. An input is either rejected with a reason, or read. If it
 * was read, it must be possible to write and read it again. Each input is then tried again with the
 * right checksum, so that the checks after the checksum are reached. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "binary/model_binary.h"
#include "bench/tools/models/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_and_write(const uint8_t *data, size_t size)
{
	const struct model_binary *binary;
	struct arena arena = {0};
	struct text why = {0}, bytes = {0}, shown = {0};
	enum status status = model_binary_read(data, size, &arena, &why, &binary);

	ensure((status == STATUS_OK) == (binary != NULL), "status %d", status);
	ensure(status == STATUS_OK || why.length > 0, "refused without a reason");
	if (binary) {
		model_binary_show(binary, &shown);
		ensure(model_binary_write(binary, &bytes, &why) == STATUS_OK, "written: %s",
			text_string(&why));
		ensure(model_binary_read(bytes.bytes, bytes.length, &arena, &why, &binary) ==
				STATUS_OK,
			"read again: %s", text_string(&why));
	}
	text_fini(&shown);
	text_fini(&bytes);
	text_fini(&why);
	arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	ensure(copy, "no memory");
	if (size > 0)
		memcpy(copy, data, size);
	read_and_write(copy, size);
	model_binary_seal(copy, size);
	read_and_write(copy, size);
	free(copy);
	return 0;
}
