/* label: slow timeout: 600 long: 900
 * Tests that a device over several hosts behaves like a mesh on one host. A random program runs on
 * both through the device handle. It must read the same bytes and leave the same memory, bit for
 * bit, for every choice of hosts, codec, transport, resolution and threads. The tests run in the
 * native world. By default, only every third choice is tried; the long test tries all. */
#include "test.h"

#include <stdlib.h>

#include "hosts_choices.h"
#include "hosts_same.h"
#include "seeds.h"
#include "transport/rows.h"

static void check_same(struct hosts_choice choice, uint64_t seed)
{
	static uint32_t number;

	if (!share_has(number++))
		return;

	struct hosts_outcome one = hosts_same_one_for(choice, seed),
			     many = hosts_same_many(choice, seed);

	hosts_same_check(choice, &one, &many);
}

TEST(any_number_of_hosts_along_either_axis)
{
	hosts_choices_counts("unix", check_same);
}

TEST(every_resolution_and_pipeline)
{
	hosts_choices_pipelines("unix", check_same);
}

TEST(every_codec)
{
	for (size_t i = 0; wire_codec_row(i) != NULL; i++) {
		struct hosts_choice choice = hosts_choices_usual("unix");

		if (wire_codec_row(i)->ops == NULL)
			continue;
		choice.codec = wire_codec_row(i)->entry.name;
		choice.resolution = "mixed";
		check_same(choice, 30);
	}
}

/* UCX and nng are left out, because their libraries start threads that only end with the process.
 */
TEST(every_transport)
{
	static const char *const names[] = {"tcp", "unix", "zeromq", "zeromq-router"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct hosts_choice choice = hosts_choices_usual("unix");

		if (transport_find(names[i]) == NULL || transport_find(names[i])->ops == NULL)
			continue;
		choice.transport = names[i];
		choice.pipeline = "stages";
		choice.resolution = "mixed";
		choice.executor_threads = true;
		choice.hosts = 4;
		check_same(choice, 40);
	}
}

TEST(every_reader_of_completions)
{
	hosts_choices_readers("unix", check_same);
}

TEST(every_memory_that_data_come_to)
{
	hosts_choices_receives("unix", check_same);
}

/* Tries every way to merge neighbouring stages of the controller, for messages in both directions,
 * and every way to merge stages of an executor. */
TEST(every_merge_of_stages)
{
	hosts_choices_merges("unix", check_same);
}

/* The bytes are the same, wherever binaries are compiled and allocated. */
TEST(every_allocation_and_compilation)
{
	hosts_choices_binaries("unix", check_same);
}

/* The controller assembles the commands, with every resolution and codec; hosts divide the rows or
 * the columns. Programs run on all devices of a host or on some. */
TEST(commands_that_the_controller_assembles)
{
	for (size_t i = 0; resolution_row(i) != NULL; i++)
		for (uint64_t seed = 80; seed < 83; seed++) {
			struct hosts_choice choice = hosts_choices_usual("unix");

			choice.allocation = "controller";
			choice.resolution = resolution_row(i)->entry.name;
			choice.pipeline = pipeline_row(seed % 3)->entry.name;
			choice.executor_threads = seed % 2;
			choice.hosts = seed % 2 ? 4 : 2;
			choice.axis = i % 2 ? HOSTS_IN_COLUMNS : HOSTS_IN_ROWS;
			check_same(choice, seed);
		}
	for (size_t i = 0; wire_codec_row(i) != NULL; i++) {
		struct hosts_choice choice = hosts_choices_usual("unix");

		if (wire_codec_row(i)->ops == NULL)
			continue;
		choice.allocation = "controller";
		choice.codec = wire_codec_row(i)->entry.name;
		check_same(choice, 84);
	}
}

TEST_MAIN(hosts_same_begin, NULL)
