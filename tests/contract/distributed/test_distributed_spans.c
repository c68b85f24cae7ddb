/* label: full  timeout: 240
 * Tests broadcasts from one host that reach the devices of all hosts, if links join the hosts
 * (reach `machine` of distributed/choices.h). A random program on such a mesh uses reads, traces,
 * sub-devices and two queues. It reads the same bytes and leaves the same memory as on one host, in
 * the native and in the simulated world. */
#include "test.h"

#include "check.h"
#include "hosts_sim.h"

enum { SEED = 40 };

static struct hosts_choice choice_of(uint32_t count, const char *resolution, const char *ordering)
{
	return (struct hosts_choice){.transport = "tcp",
		.codec = "packed",
		.resolution = resolution,
		.pipeline = "main",
		.hosts = count,
		.axis = HOSTS_IN_ROWS,
		.links = 2,
		.forward = "broadcast",
		.ordering = ordering,
		.reach = "machine"};
}

static void check_same(struct hosts_choice choice)
{
	struct hosts_choice one = choice;
	struct hosts_outcome expected, many;

	expected = hosts_same_one_for(one, SEED);
	if (choice.ground != NULL)
		(void)hosts_sim_same(choice, SEED, &many);
	else
		many = hosts_same_many(choice, SEED);
	hosts_same_check(choice, &expected, &many);
	check_less(0, many.counts.mesh.broadcasts.transactions);
}

TEST(broadcasts_of_one_host_leave_what_those_of_one_machine_do_natively)
{
	check_same(choice_of(2, "mixed", NULL));
	check_same(choice_of(2, "executors", "event"));
}

TEST(broadcasts_of_one_process_leave_what_those_of_one_machine_do)
{
	struct hosts_choice choice = choice_of(2, "mixed", NULL);

	choice.link_transport = "unix";
	check_same(choice);
}

TEST(broadcasts_of_one_simulated_host_leave_what_those_of_one_machine_do)
{
	static const char *const resolutions[] = {"controller", "executors", "mixed"};

	for (uint32_t i = 0; i < 6; i++) {
		struct hosts_choice choice =
			choice_of(i % 2 ? 4 : 2, resolutions[i % 3], i < 3 ? "event" : NULL);

		choice.ground = &hosts_sim_ground;
		choice.initiators = i == 4 ? 2 : 0;
		choice.allocation = i == 5 ? "controller" : i == 2 ? "requests" : NULL;
		check_same(choice);
	}
}

TEST_MAIN(hosts_same_begin, NULL)
