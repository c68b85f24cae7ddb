/* Tests the check that no bytes or operations are lost, which is made at the end of every simulated
 * run. The check must accept valid states, name violations, and detect operations that are still in
 * flight in a simulated cluster. */
#include "test.h"

#include <string.h>

#include "bench/run/conservation.h"
#include "check.h"
#include "sim_chip.h"

static struct conservation conservation;
static struct text why;

static int begin(void **state)
{
	(void)state;
	conservation = (struct conservation){0};
	text_init(&why);
	return 0;
}

static int end(void **state)
{
	(void)state;
	conservation_fini(&conservation);
	text_fini(&why);
	return 0;
}

TEST(what_holds_is_passed)
{
	conservation.keeps_all = true;
	for (int i = 0; i < 1000; i++) {
		conservation_server(&conservation, i, 1000, "link %d", i);
		conservation_flow(&conservation, 7, 7, "bytes of link %d", i);
	}
	conservation_server(&conservation, 1000, 1000, "always busy");
	assert_true(conservation_judge(&conservation, &why));
	assert_int_equal(why.length, 0);
}

TEST(only_what_breaks_a_law_is_kept)
{
	conservation_server(&conservation, 0, 0, "idle");
	conservation_server(&conservation, 7, 6, "busy");
	conservation_flow(&conservation, 3, 3, "kept");
	conservation_flow(&conservation, 3, 2, "lost");
	check_equal(conservation.server_count, 1);
	check_equal(conservation.flow_count, 1);
	check(!conservation_judge(&conservation, &why), "two laws are broken");
	assert_string_equal(text_string(&why), "busy: busy for 7 ps of 6 ps\nlost: 3 in, 2 out\n");
}

TEST(a_server_above_100_percent_is_named)
{
	conservation_server(&conservation, 1001, 1000, "chip %u, NIU", 3u);
	conservation_server(&conservation, -1, 1000, "PCIe");
	assert_false(conservation_judge(&conservation, &why));
	assert_string_equal(text_string(&why), "chip 3, NIU: busy for 1001 ps of 1000 ps\n"
					       "PCIe: busy for -1 ps of 1000 ps\n");
}

TEST(lost_and_invented_bytes_and_events_are_named)
{
	conservation_flow(&conservation, 100, 96, "bytes on the fabric");
	conservation_flow(&conservation, 5, 6, "events");
	assert_false(conservation_judge(&conservation, &why));
	assert_string_equal(
		text_string(&why), "bytes on the fabric: 100 in, 96 out\nevents: 5 in, 6 out\n");
}

/* ---- a cluster ---- */

static const struct test_cluster two_chips = {.rows = 1, .columns = 2, .pcie = TEST_PCIE_ALL};

static bool judge(struct cluster *cluster, struct text *text)
{
	struct conservation now = {0};
	bool good;

	conservation_collect(&cluster, 1, true, 0, &now);
	good = conservation_judge(&now, text);
	conservation_fini(&now);
	return good;
}

static void post_and_look(struct cluster *cluster)
{
	struct device *device = device_row->chip(cluster, 1);
	uint16_t tile = device_row->info(cluster)->chips[1].geometry->dispatch_tiles[0];
	struct text text;

	text_init(&text);
	device_row->post_word(device, tile, 0x40, 1);
	check(!judge(cluster, &text), "a word is under way");
	check(strstr(text_string(&text), "bytes on the NoC, host 0: 4 in, 0 out\n") != NULL,
		"said: %s", text_string(&text));
	text_fini(&text);
	sim_chip_drain(cluster);
	text_init(&text);
	check(judge(cluster, &text), "drained, and: %s", text_string(&text));
	text_fini(&text);
}

TEST(what_is_under_way_is_seen_and_what_is_drained_holds)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &two_chips, .body = post_and_look});
}

/* A stage that computes, waits for a word, and ends. */
static void note_end(struct script *script)
{
	*(int64_t *)script->data = engine_now();
}

static void a_stage_waits(struct cluster *cluster)
{
	static const struct action actions[] = {{.repeat = 3},
		{.on = STAGE_WAIT_WORD, .address = 0x40, .value = 1, .run = note_end}};
	struct device *device = device_row->chip(cluster, 0);
	uint16_t tile = device_row->info(cluster)->chips[0].geometry->dispatch_tiles[0];
	struct conservation now = {.keeps_all = true};
	int64_t ended_ps = 0, begun_ps = engine_now();
	struct script script;
	uint32_t found = 0;

	SCRIPT_INIT(&script, device, tile, actions);
	script.cost = 50;
	script.ends = true;
	script.data = &ended_ps;
	script_start(&script);
	device_row->post_word(device, tile, 0x40, 1);
	sim_chip_drain(cluster);
	conservation_collect(&cluster, 1, true, 0, &now);
	for (uint32_t i = 0; i < now.server_count; i++)
		if (strncmp(now.servers[i].name, "script, chip 0", 14) == 0) {
			check_equal(now.servers[i].busy_ps, ended_ps - begun_ps);
			found++;
		}
	check_equal(found, 1);
	conservation_fini(&now);
}

TEST(a_stage_is_judged_by_all_the_time_that_it_computes_or_waits)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &two_chips, .body = a_stage_waits});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_holds_is_passed, begin, end),
		cmocka_unit_test_setup_teardown(a_server_above_100_percent_is_named, begin, end),
		cmocka_unit_test_setup_teardown(
			lost_and_invented_bytes_and_events_are_named, begin, end),
		cmocka_unit_test(what_is_under_way_is_seen_and_what_is_drained_holds),
		cmocka_unit_test(a_stage_is_judged_by_all_the_time_that_it_computes_or_waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
