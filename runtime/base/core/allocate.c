/* Versions of malloc() that end the process on failure (base/allocate.h). */
#include "base/allocate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/ensure.h"

void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	ensure_memory(memory, "%zu elements of %zu B", count, size);
	return memory;
}

void *allocate_more(void *memory, size_t count, size_t size)
{
	size_t bytes;
	bool fits = !__builtin_mul_overflow(count, size, &bytes);
	void *more = fits ? realloc(memory, bytes > 0 ? bytes : 1) : NULL;

	ensure_memory(more, "%zu elements of %zu B", count, size);
	return more;
}

char *allocate_text(const char *text)
{
	char *copy = strdup(text);

	ensure_memory(copy, "a text of %zu B", strlen(text));
	return copy;
}

void *allocate_shared(size_t bytes)
{
	void *memory = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ensure_memory(memory != MAP_FAILED, "%zu B that processes share", bytes);
	return memory;
}

void free_shared(void *memory, size_t bytes)
{
	if (memory != NULL)
		munmap(memory, bytes > 0 ? bytes : 1);
}
