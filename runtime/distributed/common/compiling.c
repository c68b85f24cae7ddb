/* Compiles the kernels of a program on the thread of the caller (described.h). */
#include "distributed/common/described.h"

#include "mesh/description.h"

void compiled_add(struct compiled *compiled, const struct program *program)
{
	for (uint32_t i = 0; i < program_kernel_count(program); i++) {
		const struct kernel_config *kernel = program_kernel(program, i);

		if (compiled_take(compiled, program_name(program), kernel))
			compile_kernel(kernel);
	}
}
