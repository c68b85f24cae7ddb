/* Compiles the kernels of programs on the host (spec 5.1.1). The variant of runtime.host.compile
 * chooses the devices for which kernels are compiled, and the threads that compile them. */
#ifndef MESH_COMPILE_H
#define MESH_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/choice.h"
#include "mesh/program.h"

/* A program cache: the keys of all kernels that were compiled, for any program and workload. A
 * zeroed structure is an empty cache. */
struct compiled {
	uint64_t *kernels;
	uint32_t count;
	bool forgets; /* true: the cache keeps no keys, so every kernel is compiled again */
};

void compiled_fini(struct compiled *compiled);

/* Returns true if the kernel must be compiled, and then adds its key to the cache. Charges the cost
 * of a look-up. If compiled->forgets is set, always returns true, adds no key and charges nothing.
 * `program` is the name of the kernel's program. Programs whose names differ only after a '/' share
 * kernels. */
bool compiled_take(
	struct compiled *compiled, const char *program, const struct kernel_config *kernel);

/* Charges the compilation of a kernel, and makes the kernel's binary, which is dropped at once.
 * There is no real compiler, so making the binary is the only work of a compilation in the native
 * world. Any thread may call this function. */
void compile_kernel(const struct kernel_config *kernel);

/* The kernels of a program, to be compiled for the devices of a range. The structure does not own
 * what its pointers point to. */
struct compile_job {
	const char *program; /* name of the program */
	struct device_range range;
	const struct kernel_config *const *kernels;
	uint32_t count;
};

/* Compiles kernels of the jobs. The variant of runtime.host.compile decides which kernels, and in
 * which threads. Other threads may go on compiling after the function has returned. Work that is
 * posted to host threads later waits until the kernels are compiled. The caller must keep the
 * kernels until host_threads_wait() returns. The ranges of the jobs must not overlap. */
void mesh_compile(struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count);

/* Returns the program cache of a device. mesh_compile() makes the caches before it calls the
 * variant of runtime.host.compile, which may call this function. */
struct compiled *mesh_compiled(const struct mesh_device *mesh, uint32_t device);

/* Returns the number of the first device that needs the same binaries as `device`. Two devices need
 * the same binaries if their tiles are at the same places, or if commands use virtual coordinates
 * (runtime.coordinates). */
uint32_t mesh_compile_variant(const struct mesh_device *mesh, uint32_t device);

/* Calls take(arg, kernel) for each kernel of a job that is not compiled yet. If devices in the
 * job's range need different binaries, calls take() once for each group of devices with the same
 * binaries. */
void mesh_compile_missing(struct mesh_device *mesh, const struct compile_job *job,
	void (*take)(void *arg, const struct kernel_config *kernel), void *arg);

/* Frees the program caches of the mesh. */
void mesh_compile_fini(struct mesh_device *mesh);

#endif
