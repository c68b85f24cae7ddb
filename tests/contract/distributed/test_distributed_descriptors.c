/* Tests each value of runtime.distributed.descriptor, in the native world and in a simulation (spec
 * 4.2). The value decides which hosts query their chips. It also decides what happens if the
 * machine of a host differs from its description: the host is rejected, or it queries its chips
 * again. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "hosts_sim.h"
#include "sim_case.h"

enum { HOSTS = 2, CHIPS = 4, FILE_BYTES = 5000 };

/* A row of the registry, and whether the description of the second host is wrong (`stale`). */
struct trial {
	const struct descriptor_ops *row;
	bool stale;
	const struct hosts_ground *ground; /* NULL: native */
};

static void check_work(const struct hosts_case *hosts, const struct trial *trial, bool refused)
{
	uint32_t readers = trial->row->given ? HOSTS : 0;
	uint32_t queries = trial->row->queries ? HOSTS * CHIPS : 0;
	struct work_counts counts;

	if (trial->row->given && trial->stale && !refused)
		queries = CHIPS;
	if (trial->row->refuses)
		readers += HOSTS;
	hosts_case_work(hosts, &counts);
	check_equal(counts.units[WORK_QUERY_CHIP], queries);
	check_equal(counts.units[WORK_CHECK_CHIP], trial->row->given ? HOSTS * CHIPS : 0);
	check_equal(counts.units[WORK_STORAGE_READ], readers);
	check_equal(counts.units[WORK_STORAGE_KIB], readers * ((FILE_BYTES + 1023) / 1024));
}

/* The body of a run: main thread of the controller's host. */
static void run_trial(void *argument)
{
	const struct trial *trial = argument;
	bool refused = trial->stale && trial->row->refuses;
	struct machine_description described[HOSTS];
	struct cluster_info *right, wrong;
	struct hosts_case hosts;
	struct text why = {0};
	enum status status;

	hosts_case_init(&hosts, (struct hosts_choice){.transport = "tcp",
					.codec = "packed",
					.resolution = "mixed",
					.pipeline = "main",
					.hosts = HOSTS,
					.rows = 4,
					.columns = 2,
					.ground = trial->ground});
	right = test_cluster_info_new(&hosts.one.cluster_config);
	wrong = *right;
	wrong.clock_mhz = 900;
	for (uint32_t i = 0; i < HOSTS; i++) {
		described[i] = (struct machine_description){
			trial->stale && i == 1 ? &wrong : right, FILE_BYTES};
		hosts.executors[i].settings.descriptor = trial->row;
		hosts.executors[i].settings.described = described[i];
	}
	hosts.settings.descriptor = trial->row;
	hosts.settings.described = described;
	hosts_case_start_controller(&hosts);
	for (uint32_t i = 0; i < HOSTS; i++)
		hosts_case_start_executor(&hosts, i);
	status = controller_accept(hosts.controller, hosts_case_in_ms(10000), &why);
	check(status == (refused ? STATUS_INVALID : STATUS_OK), "%s, stale %d: %s",
		trial->row->entry.name, trial->stale, text_string(&why));
	assert_string_equal(text_string(&why),
		refused ? "host host-1: its descriptor is stale: clock in MHz: 0, described as 900"
			: "");
	if (!refused)
		check_equal(controller_info(hosts.controller)->chip_count, HOSTS * CHIPS);
	hosts_case_close(&hosts, STATUS_CLOSED);
	check_work(&hosts, trial, refused);
	test_cluster_info_free(right);
	text_fini(&why);
}

/* In a process of its own. */
static void simulate(const void *argument, void *result)
{
	struct trial trial = *(const struct trial *)argument;

	(void)result;
	(void)hosts_sim_run(HOSTS, NULL, run_trial, &trial);
}

static void check_simulated(const struct trial *trial)
{
	struct sim_case end = sim_case_run(simulate, trial, NULL, 0);

	check(end.exit_code == 0, "%s, stale %d: exit code %d: %s", trial->row->entry.name,
		trial->stale, end.exit_code, end.output);
}

static void try_all(const struct hosts_ground *ground)
{
	for (size_t i = 0; descriptor_row(i) != NULL; i++)
		for (int stale = 0; stale < 2; stale++) {
			struct trial trial = {descriptor_row(i), stale, ground};

			if (ground == NULL)
				run_trial(&trial);
			else
				check_simulated(&trial);
		}
}

TEST(hosts_ask_their_chips_as_their_row_says)
{
	try_all(NULL);
}

TEST(and_so_do_simulated_ones)
{
	try_all(&hosts_sim_ground);
}

TEST_MAIN(NULL, NULL)
