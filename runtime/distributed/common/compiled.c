/* The program cache: remembers which kernels are compiled already (described.h). Two kernels with
 * the same key count as one kernel. The key covers all properties of the kernel except its cores,
 * and the program's name up to the first '/'. Programs of one kind have names that differ only
 * after the '/'. */
#include "distributed/common/described.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "mesh/description.h"
#include "world/world.h"

void compiled_fini(struct compiled *compiled)
{
	free(compiled->kernels);
	*compiled = (struct compiled){0};
}

static uint64_t key_of(const struct program *program, const struct kernel_config *kernel)
{
	const uint64_t parts[] = {kernel->processor, kernel->cores.ethernet, kernel->bytes,
		kernel->cycles, kernel->steps, kernel->copied, kernel->unique_args,
		kernel->common_args};
	const char *name = program_name(program);
	uint64_t key = hash_more(HASH_EMPTY, name, strcspn(name, "/"));

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

void compiled_add(struct compiled *compiled, const struct program *program)
{
	for (uint32_t i = 0; i < program_kernel_count(program); i++) {
		uint64_t key = key_of(program, program_kernel(program, i));

		if (!compiled->forgets && compiled_is_known(compiled, key))
			continue;
		world->work(WORK_COMPILE_KERNEL, 1);
		if (!compiled->forgets)
			compiled_keep(compiled, key);
	}
}
