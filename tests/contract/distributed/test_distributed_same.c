/* label: full timeout: 600
 * A device over several hosts is the mesh of one host: one random program, written against the
 * handle, reads the same bytes and leaves the same memory, bit for bit, whatever hosts, codec,
 * transport, resolution and threads there are. Natively. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hosts_same.h"
#include "transport/rows.h"

static void check_same(struct hosts_choice choice, uint64_t seed)
{
	struct hosts_outcome one = hosts_same_one_for(choice, seed),
			     many = hosts_same_many(choice, seed);

	hosts_same_check(choice, &one, &many);
}

static const struct hosts_choice usual = {.transport = "unix",
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
			check_same(choice, 10 + i);
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
			check_same(choice, 20 + i);
		}
}

static void every_codec(void **state)
{
	(void)state;
	for (size_t i = 0; wire_codec_at(i) != NULL; i++) {
		struct hosts_choice choice = usual;

		if (wire_codec_at(i)->ops == NULL)
			continue;
		choice.codec = wire_codec_at(i)->name;
		choice.resolution = "mixed";
		check_same(choice, 30);
	}
}

/* Of each library one; UCX and nng have threads of their own that live as long as the process. */
static void every_transport(void **state)
{
	static const char *const names[] = {"tcp", "unix", "zeromq", "zeromq-router"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct hosts_choice choice = usual;

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
	for (size_t i = 0; receive_row(i) != NULL; i++)
		for (size_t k = 0; resolution_row(k) != NULL; k++) {
			struct hosts_choice choice = usual;

			choice.receive = receive_row(i)->entry.name;
			choice.resolution = resolution_row(k)->entry.name;
			choice.executor_threads = k > 0;
			check_same(choice, 50);
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
		check_same(choice, 70);
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

			if (!goes_together(allocation_row(i), compile_row(k)))
				continue;
			choice.allocation = allocation_row(i)->entry.name;
			choice.compile = compile_row(k)->entry.name;
			choice.compiles_again = i > 0;
			choice.pipeline = pipeline_row((i + k) % 3)->entry.name;
			choice.resolution = resolution_row((i + k) % 3)->entry.name;
			choice.executor_threads = k > 0;
			check_same(choice, 60);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_hosts_along_either_axis),
		cmocka_unit_test(every_resolution_and_pipeline),
		cmocka_unit_test(every_memory_that_data_come_to),
		cmocka_unit_test(every_allocation_and_compilation),
		cmocka_unit_test(every_merge_of_stages),
		cmocka_unit_test(every_codec),
		cmocka_unit_test(every_transport),
	};

	return cmocka_run_group_tests(tests, hosts_same_begin, NULL);
}
