/* label: full  timeout: 300
 * Tests virtual channels of broadcasts (spec 3.8.2). If routers have few slots, broadcasts that
 * share a channel with bulk unicasts must wait for these unicasts; broadcasts on a channel of their
 * own do not. With enough slots there are no waits, and both cases take the same time. */
#include "test.h"

#include <stdio.h>

#include "summary.h"

static const char scenario[] =
	"meshsim: 1\n"
	"name: channels\n"
	"platform: tgg\n"
	"model: {noise: off}\n"
	"measure: {warmup: 2, verify: false}\n"
	"runtime:\n"
	"  mesh: {shape: [4, 8]}\n"
	"  command_queues: 2\n"
	"  forward: {path: broadcast, initiators: 1}\n"
	"  host: {threads: pool}\n"
	"workload:\n"
	"  - write_buffer: {buffer: bulk, bytes: 8388608, page_bytes: 4096, spread: sharded}\n"
	"  - repeat: 10\n"
	"    do:\n"
	"      - enqueue_workload: {cores: 8, kernel_bytes: 1024, run_ns: 0, queue: 1}\n"
	"      - finish: {queue: 1}\n"
	"sweep:\n"
	"  runtime.forward.channels: [shared, own]\n";

#define ONE_LINK "--set platform.topology.links=1 --set platform.topology.gateways.links=1 "
#define FEW_SLOTS                                                                                  \
	"--set platform.chip.router_receiver_slots=2 --set platform.chip.ring_free_slots=1 "

/* Measures the time in us from the call of a broadcast launch to its last go. *shared is this time
 * if broadcasts share a channel with other traffic; *own is the time if they have a channel of
 * their own. */
static void reach_of(const char *options, double *shared, double *own)
{
	struct summary_column reach;

	summary_run(scenario, options);
	reach = summary_column("enqueue_workload.reach.p50");
	assert_int_equal(reach.runs, 2);
	*shared = reach.values[0] * 1e-6;
	*own = reach.values[1] * 1e-6;
	print_message("%s: %.3f us shared, %.3f us own\n", options, *shared, *own);
}

TEST(a_channel_of_their_own_frees_broadcasts_of_what_waits_for_slots)
{
	double shared, own;

	reach_of(ONE_LINK FEW_SLOTS, &shared, &own);
	if (!(1.3 * own < shared))
		fail_msg("few slots: %.3f us on a channel of their own, %.3f us shared", own,
			shared);
}

TEST(with_slots_for_all_it_makes_no_difference)
{
	double shared, own;

	reach_of(ONE_LINK, &shared, &own);
	if (!(shared < 1.02 * own && own < 1.02 * shared))
		fail_msg("slots for all: %.3f us own, %.3f us shared", own, shared);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
