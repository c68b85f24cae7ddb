/* Fuzzes files of system descriptors. A file is either read, or rejected with a reason. If a
 * descriptor was read, it must be possible to compare it and to write it again. The fuzzer writes
 * the right hash into the input, because the reader would otherwise never reach the bytes after the
 * hash. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/hash.h"
#include "wire/system_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_file(const uint8_t *bytes, size_t size)
{
	struct system_hosts *hosts = malloc(sizeof *hosts);
	struct text why = {0}, again = {0};
	struct arena arena = {0};
	enum status status = system_file_read(bytes, size, &arena, hosts, &why);

	ensure((status == STATUS_OK) == (why.length == 0), "%d: %s", (int)status,
		text_string(&why));
	for (uint32_t i = 0; status == STATUS_OK && i < hosts->count; i++) {
		ensure(!system_differs(&hosts->host[i].info, &hosts->host[i].info, &why),
			"a machine differs from itself: %s", text_string(&why));
		(void)system_differs(&hosts->host[0].info, &hosts->host[i].info, &why);
		text_clear(&why);
		(void)system_file_write(&hosts->host[i].info, 1, &again, NULL);
	}
	text_fini(&why);
	text_fini(&again);
	arena_fini(&arena);
	free(hosts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint64_t hash;
	uint8_t *right;

	try_file(bytes, size);
	if (size < sizeof hash)
		return 0;
	right = malloc(size);
	memcpy(right, bytes, size);
	hash = hash_bytes(right, size - sizeof hash);
	for (size_t i = 0; i < sizeof hash; i++)
		right[size - sizeof hash + i] = (uint8_t)(hash >> 8 * i);
	try_file(right, size);
	free(right);
	return 0;
}
