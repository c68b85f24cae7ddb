/* label: full  timeout: 300
 * Tests dispatch on chips with different harvested (disabled) rows. With virtual coordinates, all
 * chips use one command stream, and the position of the harvested rows changes only times. With
 * physical coordinates, each chip has a command stream of its own, so nothing can be broadcast. */
#include "test.h"

#include <stdio.h>

#include "summary.h"

/* Compares every worker's result with the expected one. */
static const char scenario[] =
	"meshsim: 1\n"
	"name: harvested\n"
	"platform: t3k\n"
	"model: {noise: off}\n"
	"measure: {verify_cores: 1000}\n"
	"workload:\n"
	"  - write_buffer: {bytes: 65536, memory: l1}\n"
	"  - write_buffer: {buffer: shards, bytes: 131072, memory: l1, layout: sharded}\n"
	"  - repeat: 10\n"
	"    do:\n"
	"      - enqueue_workload: {cores: all, processors: all, runtime_args: 9, "
	"common_runtime_args: 3, run_ns: 0}\n"
	"  - finish\n"
	"  - read_buffer: {blocking: true}\n"
	"  - read_buffer: {buffer: shards, blocking: true}\n"
	"sweep:\n"
	"  platform.tiles.harvested_by_chip: [[[10, 11]], [[10, 11], [1, 2], [3, 9], [5, 8], "
	"[7, 11]]]\n";

TEST(one_stream_fits_chips_that_are_harvested_differently)
{
	static const char *const paths[] = {"unicast", "broadcast"};
	char options[128];

	for (int i = 0; i < 2; i++) {
		struct summary_column host, done;

		snprintf(options, sizeof options, "--set runtime.forward.path=%s", paths[i]);
		summary_run(scenario, options);
		host = summary_column("enqueue_workload.host.p50");
		done = summary_column("enqueue_workload.done.p50");
		if (host.values[0] != host.values[1])
			fail_msg("%s: the host takes %.0f ps with equal chips, %.0f with others",
				paths[i], host.values[0], host.values[1]);
		if (done.values[0] == done.values[1])
			fail_msg("%s: workers are done after %.0f ps wherever they stand", paths[i],
				done.values[0]);
		summary_run(scenario, "--world native");
	}
}

/* Returns the host's time for a launch, with equal chips and with different ones. */
static struct summary_column host_time(const char *path, const char *coordinates)
{
	char options[128];

	snprintf(options, sizeof options,
		"--set runtime.forward.path=%s --set runtime.coordinates=%s", path, coordinates);
	summary_run(scenario, options);
	return summary_column("enqueue_workload.host.p50");
}

/* Uses physical coordinates instead of virtual ones. Equal chips must take the same time. */
static struct summary_column host_time_of_places(
	const char *path, const struct summary_column *numbers)
{
	struct summary_column places = host_time(path, "physical");

	if (places.values[0] != numbers->values[0])
		fail_msg("equal chips: %.0f ps of the host with places, %.0f with numbers",
			places.values[0], numbers->values[0]);
	return places;
}

TEST(physical_coordinates_cost_a_stream_for_every_chip)
{
	struct summary_column alike = host_time("unicast", "virtual");
	struct summary_column own = host_time_of_places("unicast", &alike);

	if (own.values[1] < 1.5 * alike.values[1])
		fail_msg("different chips: %.0f ps of the host with places, %.0f with numbers",
			own.values[1], alike.values[1]);
	summary_run(scenario, "--set runtime.coordinates=physical --world native");
}

TEST(physical_coordinates_leave_nothing_to_broadcast)
{
	struct summary_column alike = host_time("broadcast", "virtual");
	struct summary_column own = host_time_of_places("broadcast", &alike);
	struct summary_column unicast = host_time("unicast", "physical");

	if (own.values[1] < 0.95 * unicast.values[1])
		fail_msg("different chips: %.0f ps of the host by broadcast, %.0f by unicast",
			own.values[1], unicast.values[1]);
}

/* Covers notifications, which prefetchers have their dispatcher write to each other. */
TEST(prefetchers_notify_each_other_at_places)
{
	summary_run(scenario,
		"--set runtime.forward.path=broadcast --set runtime.forward.ordering=event "
		"--set runtime.coordinates=physical");
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
