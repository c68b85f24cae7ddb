/* label: full  timeout: 600
 * Compares random scenarios on the networks `fluid` and `packet`. No scenario stalls or violates a
 * conservation law, and both networks take about the same time. With one argument, the test runs
 * only this seed; with two arguments, it runs the seeds from the first to the second. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "random_scenario.h"
#include "summary.h"

enum { SEEDS = 40, PACKET = 0, FLUID = 1 };

static uint64_t first_seed = 1, last_seed = SEEDS;

TEST(random_scenarios_end_in_fluid_about_when_they_do_in_packet)
{
	char scenario[RANDOM_SCENARIO_BYTES];

	for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
		struct summary_column simulated;
		double share;

		print_message("seed %llu", (unsigned long long)seed);
		random_scenario(seed, "[packet, fluid]", scenario);
		summary_run(scenario, "");
		simulated = summary_column("simulated");
		share = simulated.values[FLUID] / simulated.values[PACKET];
		print_message(": packet %.3f us, fluid %.3f of it\n",
			simulated.values[PACKET] * 1e-6, share);
		if (share < 0.85 || share > 1.15)
			fail_msg("fluid %.3f us:\n%s", simulated.values[FLUID] * 1e-6, scenario);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		first_seed = last_seed = strtoull(argv[1], NULL, 10);
	if (argc > 2)
		last_seed = strtoull(argv[2], NULL, 10);
	return TEST_RUN(shell_folder_make, shell_folder_remove);
}
