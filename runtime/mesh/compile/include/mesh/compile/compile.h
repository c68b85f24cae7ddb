/* Compiles the kernels of programs on the host (spec 5.1.1). The variant of runtime.host.compile
 * decides for which devices kernels are compiled, and on which threads. */
#ifndef MESH_COMPILE_H
#define MESH_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/choice.h"
#include "mesh/program.h"

/* A program cache: the keys of all kernels that were compiled, for any program and workload. A
 * cache with all bytes 0 is empty. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* true: the cache keeps no keys, so every kernel is compiled again */
};

void compiled_fini(struct compiled *compiled);

/* Returns true if the kernel must be compiled, and then adds its key to the cache. Charges a
 * look-up, unless the cache forgets. Programs of one kind have names that differ only after a '/',
 * so they share kernels. */
bool compiled_take(
	struct compiled *compiled, const char *program, const struct kernel_config *kernel);

/* Charges the compilation of a kernel, and makes its binary, which is dropped at once. There is no
 * compiler here, so making the binary is all the work of a native compilation. Any thread may call
 * this. */
void compile_kernel(const struct kernel_config *kernel);

/* The kernels of a program, to be compiled for the devices of a range. All pointers are
 * borrowed. */
struct compile_job {
	const char *program; /* name of the program */
	struct device_range range;
	const struct kernel_config *const *kernels;
	uint32_t count;
};

/* Compiles the kernels that runtime.host.compile asks for, or lets later posts of host threads wait
 * until this is done. The kernels must exist until then (host_threads_wait()). The ranges of the
 * jobs must not overlap. */
void mesh_compile(struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count);

/* Returns the program cache of a device. mesh_compile() makes the caches before it calls the
 * variant. */
struct compiled *mesh_compiled(const struct mesh_device *mesh, uint32_t device);

/* Returns the first device that needs the same binaries as `device`. Two devices need the same
 * binaries if their tiles are at the same places, or if their coordinates are virtual
 * (runtime.coordinates). */
uint32_t mesh_compile_variant(const struct mesh_device *mesh, uint32_t device);

/* Calls take(arg, kernel) for each kernel of a job that is not compiled yet. If devices in the
 * job's range need different binaries, calls it once for each group of devices with the same
 * binaries. */
void mesh_compile_missing(struct mesh_device *mesh, const struct compile_job *job,
	void (*take)(void *arg, const struct kernel_config *kernel), void *arg);

/* Frees the program caches of the mesh. */
void mesh_compile_fini(struct mesh_device *mesh);

#endif
