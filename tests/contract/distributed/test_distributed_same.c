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
	struct hosts_outcome one = hosts_same_one(seed), many = hosts_same_many(choice, seed);

	hosts_same_check(choice, &one, &many);
}

static const struct hosts_choice usual = {
	"unix", "packed", "controller", "main", false, 2, HOSTS_IN_ROWS, 0, 0, NULL};

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_hosts_along_either_axis),
		cmocka_unit_test(every_resolution_and_pipeline),
		cmocka_unit_test(every_codec),
		cmocka_unit_test(every_transport),
	};

	return cmocka_run_group_tests(tests, hosts_same_begin, NULL);
}
