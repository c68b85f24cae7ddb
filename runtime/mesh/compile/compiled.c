/* The program cache remembers which kernels have already been compiled (compile.h). Each kernel has
 * a key. The key depends on the program's name up to the first '/', and on all properties of the
 * kernel. Of its cores, only their kind (Ethernet or not) counts. Kernels with the same key are
 * compiled only once, unless the configuration asks for compiling again (`forgets`). */
#include "mesh/compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "command/kernel.h"
#include "world/world.h"

void compiled_fini(struct compiled *compiled)
{
	free(compiled->kernels);
	*compiled = (struct compiled){0};
}

static uint64_t key_of(const char *program, const struct kernel_config *kernel)
{
	const uint64_t parts[] = {kernel->processor, kernel->cores.ethernet, kernel->bytes,
		kernel->cycles, kernel->steps, kernel->copied, kernel->unique_args,
		kernel->common_args};
	uint64_t key = hash_more(HASH_EMPTY, program, strcspn(program, "/"));

	if (kernel->text != NULL)
		key = hash_more(key, kernel->text, kernel->bytes);
	return hash_mix(hash_more(key, parts, sizeof parts));
}

static bool compiled_is_known(const struct compiled *compiled, uint64_t key)
{
	world->work(WORK_CACHE_LOOKUP, 1);
	for (uint32_t i = 0; i < compiled->count; i++)
		if (compiled->kernels[i] == key)
			return true;
	return false;
}

static void compiled_keep(struct compiled *compiled, uint64_t key)
{
	if ((compiled->count & (compiled->count - 1)) == 0)
		compiled->kernels = allocate_more(compiled->kernels,
			compiled->count ? 2 * compiled->count : 1, sizeof *compiled->kernels);
	compiled->kernels[compiled->count++] = key;
}

bool compiled_take(
	struct compiled *compiled, const char *program, const struct kernel_config *kernel)
{
	uint64_t key;

	if (compiled->forgets)
		return true;
	key = key_of(program, kernel);
	if (compiled_is_known(compiled, key))
		return false;
	compiled_keep(compiled, key);
	return true;
}

void compile_kernel(const struct kernel_config *config)
{
	struct kernel kernel = {.processor = config->processor,
		.flags = config->copied ? KERNEL_COPIED : 0,
		.steps = config->steps,
		.cycles = config->cycles,
		.text_bytes = config->bytes,
		.text = config->text};
	uint8_t *binary = allocate(kernel_image_bytes(&kernel, 1), 1);

	if (config->text != NULL)
		kernel.flags |= KERNEL_PROGRAM;
	world->work(WORK_COMPILE_KERNEL, 1);
	kernel_image_write(&kernel, 1, config->bytes, binary, NULL);
	free(binary);
}
