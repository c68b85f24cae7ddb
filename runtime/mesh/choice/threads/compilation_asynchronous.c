/* Asynchronous compilation (spec 5, phase III): separate threads compile each kernel once for all
 * devices that need the same binary. Meanwhile the caller can continue and compile later programs.
 * Host threads wait for the kernels before they send the program, so the caller can continue only
 * if host threads are asynchronous. */
#include "mesh/choice/rows.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/compile/compile.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"
#include "mesh/queue/job.h"
#include "world/pool.h"

/* The kernels of one workload. The pool and the host threads use this struct; the last user frees
 * it. */
struct compiling {
	const struct kernel_config **kernels;
	uint32_t count;
	uint32_t users; /* the pool and the host threads; atomic */
	enum wait_mode mode;
	struct monitor *complete_monitor;
	bool complete; /* guarded by the monitor */
};

static void compiling_take(void *arg, const struct kernel_config *kernel)
{
	struct compiling *compiling = arg;

	compiling->kernels = allocate_more(
		compiling->kernels, compiling->count + 1, sizeof(*compiling->kernels));
	compiling->kernels[compiling->count++] = kernel;
}

static void drop(void *arg)
{
	struct compiling *compiling = arg;

	if (__atomic_sub_fetch(&compiling->users, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	world->monitor_free(compiling->complete_monitor);
	free(compiling->kernels);
	free(compiling);
}

/* ---- the pool ---- */

static uint32_t same(void *arg, uint32_t i)
{
	(void)arg;
	return i;
}

static void compile_one(void *arg, uint32_t index)
{
	const struct compiling *compiling = arg;

	compile_kernel(compiling->kernels[index]);
}

static void complete(void *arg)
{
	struct compiling *compiling = arg;

	world->monitor_enter(compiling->complete_monitor);
	compiling->complete = true;
	world->monitor_notify_all(compiling->complete_monitor);
	world->monitor_exit(compiling->complete_monitor);
	drop(compiling);
}

static struct pool *compilers(struct mesh_device *mesh)
{
	uint32_t count = sizes_pool_threads(&mesh->config);
	struct affinity *where;

	if (mesh->compilers != NULL)
		return mesh->compilers;
	where = allocate(count, sizeof(*where));
	for (uint32_t i = 0; i < count; i++)
		where[i] = host_threads_place(mesh);
	mesh->compilers =
		pool_new("compiler", count, where, mesh->config.host.worker_wait, POOL_SHARED);
	free(where);
	return mesh->compilers;
}

/* ---- host threads ---- */

static void await(void *arg, uint32_t device)
{
	struct compiling *compiling = arg;

	(void)device;
	world->monitor_enter(compiling->complete_monitor);
	while (!compiling->complete)
		(void)world->monitor_wait_until(
			compiling->complete_monitor, DEADLINE_NEVER, compiling->mode);
	world->monitor_exit(compiling->complete_monitor);
}

static void compilation_asynchronous_run(
	struct mesh_device *mesh, const struct compile_job *jobs, uint32_t count)
{
	struct compiling *compiling = allocate(1, sizeof(*compiling));

	compiling->users = 2;
	compiling->mode = mesh->config.host.worker_wait;
	compiling->complete_monitor = world->monitor_new("kernels that are compiled");
	for (uint32_t i = 0; i < count; i++)
		mesh_compile_missing(mesh, &jobs[i], compiling_take, compiling);
	if (compiling->count == 0) {
		compiling->users = 1;
		drop(compiling);
		return;
	}
	pool_post(compilers(mesh), compiling->count,
		&(struct pool_work){same, compile_one, complete, compiling});
	host_threads_post(mesh, device_range_all(mesh->plan.mesh.shape), await, drop, compiling);
}

const struct compilation_ops compilation_asynchronous = {
	.entry = {.name = "asynchronous",
		.description = "every kernel once for all devices that are alike, by threads of "
			       "their own, while the caller goes on",
		.section = "5",
		.resources = "runtime.host.count more threads, and a program cache per mesh"},
	.compile = compilation_asynchronous_run,
};
