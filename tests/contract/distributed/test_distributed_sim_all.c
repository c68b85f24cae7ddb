/* label: full  timeout: 600
 * Every number of hosts, library, codec, resolution and pipeline of a simulated distributed device:
 * the same random program leaves the memory of one host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "hosts_sim.h"
#include "hostnet/constants.h"

enum { SEED = 41 };

static struct hosts_outcome one;

static int begin(void **state)
{
	(void)hosts_same_begin(state);
	one = hosts_same_one(SEED);
	return 0;
}

static void check_same(struct hosts_choice choice)
{
	struct hosts_outcome many;

	hosts_sim_same(choice, SEED, &many);
	hosts_same_check(choice, &one, &many);
}

static const struct hosts_choice usual = {.transport = "tcp",
	.codec = "packed",
	.resolution = "controller",
	.pipeline = "main",
	.hosts = 2,
	.axis = HOSTS_IN_ROWS};

static void any_number_of_hosts_along_either_axis(void **state)
{
	static const uint32_t counts[] = {1, 2, 4};

	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		for (int axis = 0; axis < 2; axis++) {
			struct hosts_choice choice = usual;

			choice.hosts = counts[i];
			choice.axis = (enum host_axis)axis;
			check_same(choice);
		}
}

static bool of_one_machine(const char *transport)
{
	return strcmp(transport, "unix") == 0 || strcmp(transport, "ucx-shm") == 0;
}

/* The next codec of this build. */
static const char *codec_after(size_t *last)
{
	do
		*last = wire_codec_at(*last + 1) != NULL ? *last + 1 : 0;
	while (wire_codec_at(*last)->ops == NULL);
	return wire_codec_at(*last)->name;
}

/* Each library with another codec, until each of both has been had. */
static void every_library_and_every_codec(void **state)
{
	size_t codec = 0;

	(void)state;
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		struct hosts_choice choice = usual;

		choice.transport = hostnet_transport_name((enum hostnet_transport)i);
		if (of_one_machine(choice.transport))
			continue;
		choice.codec = codec_after(&codec);
		choice.pipeline = i % 2 ? "stages" : "main";
		choice.executor_threads = i % 2;
		choice.resolution = i % 3 ? "mixed" : "controller";
		check_same(choice);
	}
}

static void every_resolution_and_pipeline(void **state)
{
	(void)state;
	for (size_t i = 0; resolution_row(i) != NULL; i++)
		for (size_t k = 0; pipeline_row(k) != NULL; k++) {
			struct hosts_choice choice = usual;

			choice.resolution = resolution_row(i)->entry.name;
			choice.pipeline = pipeline_row(k)->entry.name;
			choice.executor_threads = k > 0;
			choice.axis = i % 2 ? HOSTS_IN_COLUMNS : HOSTS_IN_ROWS;
			check_same(choice);
		}
}

static void every_memory_that_data_come_to(void **state)
{
	(void)state;
	for (size_t i = 0; receive_row(i) != NULL; i++)
		for (size_t k = 0; resolution_row(k) != NULL; k++) {
			struct hosts_choice choice = usual;

			choice.receive = receive_row(i)->entry.name;
			choice.resolution = resolution_row(k)->entry.name;
			choice.executor_threads = k > 0;
			check_same(choice);
		}
}

/* Every merge of neighbours, forward and back, and every one of an executor. */
static void every_merge_of_stages(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct pipeline_ops pipeline = {.entry = {.name = "own"},
			.resolve = i & 1,
			.serialize = i & 2,
			.send = i & 4,
			.receive = i > 1,
			.deserialize = i > 1 && (i & 1),
			.read = i > 1 && (i & 2)};
		struct hosts_choice choice = usual;

		choice.own_pipeline = &pipeline;
		choice.stages = (struct executor_stages){
			.receive = i & 2, .deserialize = (i & 2) && (i & 1), .send = i & 4};
		choice.resolution = "mixed";
		check_same(choice);
	}
}

static bool goes_together(
	const struct allocation_ops *allocation, const struct compile_ops *compile)
{
	return allocation->region || allocation->asks || !compile->by_executors;
}

/* Binaries come from wherever, and lie wherever: the same bytes. */
static void every_allocation_and_compilation(void **state)
{
	(void)state;
	for (size_t i = 0; allocation_row(i) != NULL; i++)
		for (size_t k = 0; compile_row(k) != NULL; k++) {
			struct hosts_choice choice = usual;
			struct hosts_outcome alone, many;

			if (!goes_together(allocation_row(i), compile_row(k)))
				continue;
			choice.allocation = allocation_row(i)->entry.name;
			choice.compile = compile_row(k)->entry.name;
			choice.compiles_again = i > 0;
			choice.pipeline = pipeline_row((i + k) % 3)->entry.name;
			choice.resolution = resolution_row((i + k) % 3)->entry.name;
			choice.executor_threads = k > 0;
			alone = hosts_same_one_for(choice, SEED);
			hosts_sim_same(choice, SEED, &many);
			hosts_same_check(choice, &alone, &many);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_hosts_along_either_axis),
		cmocka_unit_test(every_library_and_every_codec),
		cmocka_unit_test(every_resolution_and_pipeline),
		cmocka_unit_test(every_memory_that_data_come_to),
		cmocka_unit_test(every_allocation_and_compilation),
		cmocka_unit_test(every_merge_of_stages),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
