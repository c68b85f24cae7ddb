/* Tests errors of meshes with more chips than commands, rings or words can address: the status and
 * the message. */
#include "test.h"

#include <fnmatch.h>

#include "mesh_case.h"

/* `sentence` may have stars in place of values that depend on the firmware's layouts. */
static void check_plan(struct mesh_case *test, enum status expected, const char *sentence)
{
	struct cluster_info *info = test_cluster_info_new(&test->cluster_config);
	struct text why = {0};
	enum status status = mesh_plan(info, &test->config, NULL, &why);

	if (fnmatch(sentence, text_string(&why), 0) != 0)
		assert_string_equal(text_string(&why), sentence);
	assert_int_equal(status, expected);
	text_fini(&why);
	test_cluster_info_free(info);
}

/* Tests three limits on the number of chips. Commands have 8 bits for a row or a column. The ring
 * of a broadcast prefetcher must hold the transaction numbers of all chips. A packetizer has two
 * words for each receiver. */
TEST(broadcasts_to_more_chips_than_commands_rings_or_words_can_address)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 257, TEST_PCIE_ALL);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	check_plan(&test, STATUS_UNSUPPORTED,
		"an issue queue for broadcasts to 1 x 257 chips: a command has 8 bits for a row or "
		"a column, so at most 256 of each");
	mesh_case_choose(&test, "unicast", 1, "aggregator", "main");
	check_plan(&test, STATUS_UNSUPPORTED,
		"aggregators for a mesh of 1 x 257 chips: their notifications have 8 bits for a "
		"row or a column, so at most 256 of each");
	mesh_case_init(&test, 40, 30, TEST_PCIE_ALL);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	test.config.forward.ordering = ordering_find("counter");
	test.limits.receive_ring_bytes = 1024;
	test.limits.credit_batch_bytes = 256;
	check_plan(&test, STATUS_UNSUPPORTED,
		"an issue queue for broadcasts to 1200 chips: their transaction numbers take 1216 "
		"B of the ring of a broadcast prefetcher, which has 1024 B");
	mesh_case_init(&test, 50, 45, TEST_PCIE_ALL);
	mesh_case_choose(&test, "broadcast", 1, "table", "main");
	check_plan(&test, STATUS_NO_SPACE,
		"chip * of platform test has no room for a packetizer with * B of words, 8 B for "
		"each receiver: its tiles for dispatch have * B of words each (memory.words)");
}

/* An aggregator has a slot for each device, queue and generation. */
TEST(aggregators_of_more_slots_than_they_can_have)
{
	struct mesh_case test;

	mesh_case_init(&test, 128, 128, TEST_PCIE_ALL);
	mesh_case_choose(&test, "unicast", 1, "aggregator-semaphores", "main");
	test.config.command_queues = 1;
	check_plan(&test, STATUS_UNSUPPORTED, "an aggregator with 65536 slots: at most 65535");
}

TEST_MAIN(NULL, NULL)
