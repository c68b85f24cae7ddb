/* label: full  timeout: 600
 * A device over several hosts behaves like the mesh of one host: one random program, written
 * against the handle, reads the same bytes and leaves the same memory, bit for bit, whatever the
 * hosts, codec, transport, resolution and threads are. Natively. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hosts_choices.h"
#include "hosts_same.h"
#include "transport/rows.h"

static void check_same(struct hosts_choice choice, uint64_t seed)
{
	struct hosts_outcome one = hosts_same_one_for(choice, seed),
			     many = hosts_same_many(choice, seed);

	hosts_same_check(choice, &one, &many);
}

static void any_number_of_hosts_along_either_axis(void **state)
{
	(void)state;
	hosts_choices_counts("unix", check_same);
}

static void every_resolution_and_pipeline(void **state)
{
	(void)state;
	hosts_choices_pipelines("unix", check_same);
}

static void every_codec(void **state)
{
	(void)state;
	for (size_t i = 0; wire_codec_at(i) != NULL; i++) {
		struct hosts_choice choice = hosts_choices_usual("unix");

		if (wire_codec_at(i)->ops == NULL)
			continue;
		choice.codec = wire_codec_at(i)->name;
		choice.resolution = "mixed";
		check_same(choice, 30);
	}
}

/* One transport of each library. UCX and nng are left out, since their threads live as long as the
 * process. */
static void every_transport(void **state)
{
	static const char *const names[] = {"tcp", "unix", "zeromq", "zeromq-router"};

	(void)state;
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

static void every_memory_that_data_come_to(void **state)
{
	(void)state;
	hosts_choices_receives("unix", check_same);
}

/* Tries every merge of neighbouring stages, forward and back, and every one of an executor. */
static void every_merge_of_stages(void **state)
{
	(void)state;
	hosts_choices_merges("unix", check_same);
}

/* The bytes are the same wherever binaries are compiled and allocated. */
static void every_allocation_and_compilation(void **state)
{
	(void)state;
	hosts_choices_binaries("unix", check_same);
}

/* Tries all ways to send them, along either axis; hosts run programs on all of their devices, or on
 * some. */
static void commands_that_the_controller_assembles(void **state)
{
	(void)state;
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
	for (size_t i = 0; wire_codec_at(i) != NULL; i++) {
		struct hosts_choice choice = hosts_choices_usual("unix");

		if (wire_codec_at(i)->ops == NULL)
			continue;
		choice.allocation = "controller";
		choice.codec = wire_codec_at(i)->name;
		check_same(choice, 84);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_hosts_along_either_axis),
		cmocka_unit_test(every_resolution_and_pipeline),
		cmocka_unit_test(every_memory_that_data_come_to),
		cmocka_unit_test(every_allocation_and_compilation),
		cmocka_unit_test(commands_that_the_controller_assembles),
		cmocka_unit_test(every_merge_of_stages),
		cmocka_unit_test(every_codec),
		cmocka_unit_test(every_transport),
	};

	return cmocka_run_group_tests(tests, hosts_same_begin, NULL);
}
