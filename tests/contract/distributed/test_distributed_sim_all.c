/* label: slow  timeout: 600
 * Tests a simulated distributed device with 1, 2 and 4 hosts. Tries every library that can reach
 * another machine, every codec, every merge of stages, and every variant of most choices in
 * distributed/choices.h. A random program leaves the same memory as on one host. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "hosts_choices.h"
#include "hosts_sim.h"
#include "hostnet/constants.h"
#include "transport/rows.h"

enum { SEED = 41 };

static struct hosts_outcome one;

static int begin(void **state)
{
	(void)hosts_same_begin(state);
	one = hosts_same_one(SEED);
	return 0;
}

static void check_same(struct hosts_choice choice, uint64_t seed)
{
	struct hosts_outcome many;

	(void)seed; /* the outcome of one host is known for one seed only */
	hosts_sim_same(choice, SEED, &many);
	hosts_same_check(choice, &one, &many);
}

/* Compares with one host that allocates binaries in the way of the choice. */
static void check_same_binaries(struct hosts_choice choice, uint64_t seed)
{
	struct hosts_outcome alone = hosts_same_one_for(choice, seed), many;

	hosts_sim_same(choice, seed, &many);
	hosts_same_check(choice, &alone, &many);
}

TEST(any_number_of_hosts_along_either_axis)
{
	hosts_choices_counts("tcp", check_same);
}

static bool of_one_machine(const char *transport)
{
	return transport_find(transport)->of_one_machine;
}

/* The next codec of this build. */
static const char *codec_after(size_t *last)
{
	do
		*last = wire_codec_row(*last + 1) != NULL ? *last + 1 : 0;
	while (wire_codec_row(*last)->ops == NULL);
	return wire_codec_row(*last)->entry.name;
}

/* Combines each library with a different codec, until every library and every codec was used. */
TEST(every_library_and_every_codec)
{
	size_t codec = 0;

	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		struct hosts_choice choice =
			hosts_choices_usual(hostnet_transport_name((enum hostnet_transport)i));

		if (of_one_machine(choice.transport))
			continue;
		choice.codec = codec_after(&codec);
		choice.pipeline = i % 2 ? "stages" : "main";
		choice.executor_threads = i % 2;
		choice.resolution = i % 3 ? "mixed" : "controller";
		check_same(choice, SEED);
	}
}

TEST(every_resolution_and_pipeline)
{
	hosts_choices_pipelines("tcp", check_same);
}

TEST(every_reader_of_completions)
{
	hosts_choices_readers("tcp", check_same);
}

TEST(every_memory_that_data_come_to)
{
	hosts_choices_receives("tcp", check_same);
}

/* Tries every way to merge neighbouring stages of the controller, for messages in both directions,
 * and every way to merge stages of an executor. */
TEST(every_merge_of_stages)
{
	hosts_choices_merges("tcp", check_same);
}

/* The bytes are the same wherever binaries are compiled and allocated. */
TEST(every_allocation_and_compilation)
{
	hosts_choices_binaries("tcp", check_same_binaries);
}

TEST_MAIN(begin, NULL)
