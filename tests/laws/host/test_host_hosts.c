/* Several hosts in one world: each has its own cores, constants and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

static int64_t ended_ps[3];

static void compute_one_ms(void *ended)
{
	sim_host_compute(1000);
	world->work_copy(10000, MEMORY_CACHED, MEMORY_CACHED);
	world->settle();
	*(int64_t *)ended = engine_now();
}

static void compute_on_three(void *unused)
{
	struct thread *threads[3];
	char name[32];

	(void)unused;
	for (uint16_t h = 0; h < 3; h++) {
		snprintf(name, sizeof(name), "thread-%u", h);
		threads[h] = world->spawn(name, (struct affinity){.host = h, .core = -1},
			compute_one_ms, &ended_ps[h]);
	}
	for (int h = 0; h < 3; h++)
		world->join(threads[h]);
	for (int h = 0; h < 3; h++)
		check_equal(ended_ps[h], (h == 2 ? 2 : 1) * (int64_t)MS + US);
	check_equal(host_core_count(), 3);
	for (uint16_t h = 0; h < 3; h++) {
		struct host_core_statistics core;
		host_core_statistics(h, &core);
		check_equal(core.host, h);
		check_equal(core.busy_ps, ended_ps[h]);
	}
}

static void hosts_body(const void *argument, void *result)
{
	struct host_constants fast = sim_host_free_constants(), slow;
	struct host_description hosts[] = {{"host-0", &fast}, {"host-1", &fast}, {"host-2", &slow}};

	(void)argument;
	(void)result;
	fast.cores_per_socket = 1;
	/* Copies of all hosts together want three times the memory bandwidth of one. */
	fast.memory_bandwidth_bytes_per_s = 10000000000u;
	slow = fast;
	slow.work[WORK_API_CALL].cost_ps = 2 * US;
	sim_case_open();
	world = &sim_world;
	check_status(sim_world_start(hosts, 3, 1, NULL), STATUS_OK);
	check_equal(sim_world_run((struct affinity){.core = -1}, compute_on_three, NULL,
			    (struct engine_limits){0}),
		ENGINE_FINISHED);
}

static void hosts_share_nothing(void **state)
{
	(void)state;
	sim_case_expect(hosts_body, NULL, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_share_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
