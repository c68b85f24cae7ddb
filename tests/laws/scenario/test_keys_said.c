/* label: full
 * Tests the warnings about keys that have no effect, for keys that had errors in the past. Each key
 * must either change a result and have no warning, or change no result and have a warning. In the
 * past, some keys had a wrong warning, and on several hosts some keys changed times only because
 * their text was different. */
#include "test.h"

#include <stdbool.h>

#include "key_run.h"
#include "shell.h"

#define HEAD "meshsim: 1\nname: said\nmodel: {noise: off}\nplatform: "
#define GATHERED                                                                                   \
	"workload:\n"                                                                              \
	"  - trace: 1\n"                                                                           \
	"    do: [{enqueue_workload: {cores: 4}}]\n"                                               \
	"  - repeat: 2\n"                                                                          \
	"    do: [{collective: {op: all_gather, size_bytes: 4096}}, finish]\n"

static const struct {
	const char *scenario, *set;
	bool acts;
} cases[] = {
	{HEAD "n150\nworkload: [finish]\n", "model.network=fluid", true},
	{HEAD "n150\nworkload: [finish]\n", "model.noc=links", true},
	{HEAD "n150\nworkload: [finish]\n", "runtime.sizes.config_ring_bytes=8192", true},
	{HEAD "n150\nworkload: [finish]\n", "runtime.sizes.trace_region_bytes=65536", true},
	{HEAD "n150\nworkload: [finish]\n", "runtime.sizes.binary_page_bytes=512", false},
	{HEAD "t3k\nruntime: {mesh: {shape: [1, 2]}, forward: {path: broadcast, initiators: 2}}\n"
	      "workload: [{enqueue_workload: {runtime_args: 8}}, finish]\n",
		"runtime.host.create=per-device", true},
	{HEAD "n150\nruntime: {host: {threads: per-device}}\n"
	      "workload: [{enqueue_workload: {}}, finish]\n",
		"runtime.host.create=per-mesh", true},
	/* A finish records an event, which a broadcast creates once. */
	{HEAD "n150\nworkload: [{enqueue_workload: {}}, finish]\n",
		"runtime.host.create=per-device", true},
	{HEAD "n150\nruntime: {forward: {path: broadcast}}\n"
	      "workload: [{enqueue_workload: {}}, finish]\n",
		"runtime.host.create=per-device", false},
	{HEAD "n300\n" GATHERED, "runtime.command_cache=false", true},
	{HEAD "n300\n" GATHERED, "runtime.sizes.binary_page_bytes=512", true},
	{HEAD "galaxy-x2\nruntime: {mesh: {shape: [2, 2]}}\n"
	      "workload: [{enqueue_workload: {}}, finish]\n",
		"runtime.distributed.look_ns=200000", true},
	{HEAD "galaxy-x2\nruntime: {mesh: {shape: [1, 2]}}\nworkload: [finish]\n",
		"runtime.forward.packetizer=fused", false},
	{HEAD "galaxy-x2\nruntime: {mesh: {shape: [1, 2]}, distributed: {codec: protobuf}}\n"
	      "workload: [finish]\n",
		"runtime.sizes.binary_page_bytes=65536", false},
	{HEAD "galaxy-x2\nruntime: {mesh: {shape: [1, 2]}, distributed: {codec: msgpack}}\n"
	      "workload: [finish]\n",
		"runtime.lowering=breadth-first", false},
	{HEAD "galaxy-x2\nruntime: {mesh: {shape: [1, 2]}, distributed: {codec: flatbuffers}}\n"
	      "workload: [finish]\n",
		"runtime.host.count=500", false},
	/* Single and double buffering by kernels of filler. */
	{HEAD "n150\nworkload: [{enqueue_workload: {processors: all, pages: 10, circular_buffers: "
	      "1}}, finish]\n",
		"workload.0.enqueue_workload.circular_buffer_pages=1", true},
	{HEAD "n150\nworkload: [{enqueue_workload: {processors: brisc, pages: 10, "
	      "circular_buffers: 1}}, finish]\n",
		"workload.0.enqueue_workload.circular_buffer_pages=1", false},
};

TEST(a_key_moves_a_figure_or_is_said_to_have_no_effect)
{
	uint32_t bad = 0;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct key_end base = key_run(cases[i].scenario, NULL);
		struct key_end end = key_run(cases[i].scenario, cases[i].set);
		bool moves = end.print != base.print;

		assert_int_equal(base.code, 0);
		assert_false(base.said);
		assert_int_equal(end.code, 0);
		if (moves == cases[i].acts && end.said == !cases[i].acts)
			continue;
		print_error("case %zu: %s %s a figure and is %ssaid to have no effect\n", i,
			cases[i].set, moves ? "moves" : "does not move", end.said ? "" : "not ");
		bad++;
	}
	assert_int_equal(bad, 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
