/* label: full  timeout: 300
 * Tests that native and simulated hosts do the same work. A random program runs on several hosts,
 * once in the native world and once in the simulation. In both runs, each host must send and
 * receive the same messages and bytes and issue the same commands, and its threads must do the same
 * work. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "hosts_sim.h"

static const struct {
	struct hosts_choice choice;
	const char *natively; /* the library used natively */
} cases[] = {
	{{.transport = "tcp",
		 .codec = "packed",
		 .resolution = "controller",
		 .pipeline = "main",
		 .hosts = 2,
		 .axis = HOSTS_IN_ROWS},
		"unix"},
	{{.transport = "tcp",
		 .codec = "msgpack",
		 .resolution = "executors",
		 .pipeline = "pair",
		 .executor_threads = true,
		 .hosts = 2,
		 .axis = HOSTS_IN_COLUMNS},
		"tcp"},
	{{.transport = "tcp",
		 .codec = "protobuf",
		 .resolution = "mixed",
		 .pipeline = "stages",
		 .executor_threads = true,
		 .hosts = 4,
		 .axis = HOSTS_IN_ROWS},
		"tcp"},
	{{.transport = "tcp",
		 .codec = "packed",
		 .resolution = "mixed",
		 .pipeline = "pair",
		 .allocation = "controller",
		 .hosts = 2,
		 .axis = HOSTS_IN_COLUMNS},
		"unix"},
};

TEST(the_work_of_a_random_program_is_the_same_in_both_worlds)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (uint64_t seed = 50; seed < 53; seed++) {
			struct hosts_choice native = cases[i].choice;
			struct hosts_outcome simulated, natively;
			char what[96];

			hosts_sim_same(cases[i].choice, seed, &simulated);
			native.transport = cases[i].natively;
			natively = hosts_same_many(native, seed);
			snprintf(what, sizeof what, "%s, %s, %s, %u hosts, seed %llu", native.codec,
				native.resolution, native.pipeline, native.hosts,
				(unsigned long long)seed);
			hosts_same_check(native, &simulated, &natively);
			hosts_counts_check(what, &natively.counts, &simulated.counts);
			check_less(0, natively.counts.hub.sent);
		}
}

TEST_MAIN(hosts_same_begin, NULL)
