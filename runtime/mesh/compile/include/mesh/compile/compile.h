/* Compiles the kernels of programs on the host (spec 5.1.1). A row of runtime.host.compile decides
 * for which devices, and on which threads. */
#ifndef MESH_COMPILE_H
#define MESH_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/choice.h"
#include "mesh/program.h"

/* A program cache: keys of the kernels that were compiled, of any program and workload. All zeros
 * is empty. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* keeps none, so every kernel is compiled again */
};

void compiled_fini(struct compiled *compiled);

/* Returns true if the kernel has to be compiled, and then counts it among the compiled ones.
 * Charges a look-up, unless the cache forgets. Programs of one kind have names that differ only
 * after a '/', and share kernels. */
bool compiled_take(
	struct compiled *compiled, const char *program, const struct kernel_config *kernel);

/* Compiles a kernel: charges it, and makes its binary, which is dropped again. Since there is no
 * compiler here, that is all the work that a native compilation takes. Any thread may call it. */
void compile_kernel(const struct kernel_config *kernel);

/* The kernels of a program, for the devices of a range. Everything is borrowed. */
struct compile_job {
	const char *program; /* its name */
	struct device_range range;
	const struct kernel_config *const *kernels;
	uint32_t count;
};

/* Compiles what runtime.host.compile demands, and returns when that is over. The ranges of the jobs
 * do not overlap. */
void mesh_compile(struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count);

/* Returns the program cache of a device (mesh_compile() calls the row after it has made them). */
struct compiled *mesh_compiled(const struct mesh_device *mesh, uint32_t device);

/* Returns the first device whose binaries are those of `device`: tiles are at the same places, or
 * their coordinates are virtual (runtime.coordinates). */
uint32_t mesh_compile_variant(const struct mesh_device *mesh, uint32_t device);

/* Calls take(arg, kernel) for each kernel of a job that is not compiled yet, once for each kind of
 * devices in the job's range. */
void mesh_compile_missing(struct mesh_device *mesh, const struct compile_job *job,
	void (*take)(void *arg, const struct kernel_config *kernel), void *arg);

/* Frees the program caches of the mesh. */
void mesh_compile_fini(struct mesh_device *mesh);

#endif
