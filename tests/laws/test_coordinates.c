/* Virtual coordinates: one command stream for chips whose harvested rows differ; where the rows lie
 * is seen in time alone. label: full  timeout: 300 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "summary.h"

/* Every worker is compared with what must be there. */
static const char scenario[] =
	"meshsim: 1\n"
	"name: harvested\n"
	"platform: t3k\n"
	"model: {noise: off}\n"
	"measure: {verify_cores: 1000}\n"
	"workload:\n"
	"  - write_buffer: {bytes: 65536, memory: l1}\n"
	"  - repeat: 10\n"
	"    do:\n"
	"      - enqueue_workload: {cores: all, processors: all, runtime_args: 9, "
	"common_runtime_args: 3, run_ns: 0}\n"
	"  - finish\n"
	"  - read_buffer: {blocking: true}\n"
	"sweep:\n"
	"  platform.tiles.harvested_by_chip: [[[10, 11]], [[10, 11], [1, 2], [3, 9], [5, 8], "
	"[7, 11]]]\n";

static void one_stream_fits_chips_that_are_harvested_differently(void **state)
{
	static const char *const paths[] = {"unicast", "broadcast"};
	char options[128];

	(void)state;
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

static int end(void **state)
{
	(void)state;
	summary_end();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_stream_fits_chips_that_are_harvested_differently),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
