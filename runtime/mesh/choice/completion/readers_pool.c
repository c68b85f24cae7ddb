/* Readers `pool` (spec 3.9.2): one thread for the completion queues of all devices, which hands the
 * records of reads to the pool that also dispatches. So the data of several devices are copied in
 * parallel, but wait behind other tasks of the pool, and those behind them. */
#include "mesh/choice/rows.h"
#include "mesh_reader.h"

const struct readers_ops readers_pool = {
	.entry = {.name = "pool",
		.description = "one reader thread, which hands data to the pool; with threads pool",
		.section = "3.9.2",
		.resources = "one thread, and a task of the pool per device and read"},
	.offloads = true,
	.thread_count = mesh_reader_count,
	.start = mesh_reader_start,
	.stop = mesh_reader_stop,
	.expect = mesh_reader_expect,
};
