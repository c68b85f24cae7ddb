/* The variant `pool` of struct readers_ops (spec 3.9.2): one thread polls the completion queues of
 * all devices. It passes the records of reads to the pool of host threads, which also sends
 * commands. So several threads copy the data of several devices in parallel. But the copying of a
 * device's data waits for earlier tasks of the pool, and later tasks wait for the copying. */
#include "mesh/choice/rows.h"
#include "completion_parts.h"

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
