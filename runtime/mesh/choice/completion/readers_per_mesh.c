/* The variant `per-mesh` of struct readers_ops (spec 3.9.2): one thread serves the completion
 * queues of all devices and takes all records itself. */
#include "mesh/choice/rows.h"
#include "completion_parts.h"

const struct readers_ops readers_per_mesh = {
	.entry = {.name = "per-mesh",
		.description = "one reader thread for the completion queues of all devices",
		.section = "3.9.2",
		.resources = "one thread"},
	.thread_count = mesh_reader_count,
	.start = mesh_reader_start,
	.stop = mesh_reader_stop,
	.expect = mesh_reader_expect,
};
