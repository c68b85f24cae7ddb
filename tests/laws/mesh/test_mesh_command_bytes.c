/* Tests that the counters of the command path agree with each other. The bytes of all transactions
 * are equal to the bytes in issue queues, and the bytes of broadcasts are equal to the bytes in
 * packets. If two runs differ only in the ordering of transactions, their counters differ only by
 * the traffic that the ordering itself causes. */
#include "test.h"

#include <stdlib.h>

#include "mesh_case.h"

enum { SIDE = 4, BYTES = 4096, ROUNDS = 5 };

/* Alternates broadcasts and unicasts on both queues, without waits in between. */
static struct mesh_counters work(uint32_t initiators, const char *ordering)
{
	const struct cores cores = {.kind = CORES_ALL};
	struct buffer_config config = {.type = BUFFER_DRAM, .page_bytes = 1024};
	struct mesh_layout layout = {.size_bytes = BYTES};
	static uint8_t data[BYTES];
	struct mesh_counters counters;
	struct mesh_buffer *buffer;
	struct program *program;
	struct workload *workload;
	struct mesh_case test;

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_GATEWAYS);
	mesh_case_choose(&test, "broadcast", initiators, "table", "main");
	test.config.forward.ordering = ordering_find(ordering);
	mesh_case_open(&test);
	program = mesh_case_program(&test, "worker", cores, 500, 3);
	workload = mesh_case_workload(&test, program);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct command_queue *queue = mesh_queue(test.mesh, i % 2);

		assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
		assert_int_equal(
			enqueue_write_shard(queue, buffer, 0, 0, data, false, 0), STATUS_OK);
		assert_int_equal(enqueue_write_buffer(queue, buffer, data, false, 0), STATUS_OK);
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(queue_finish(mesh_queue(test.mesh, i), 0, DEADLINE_NEVER),
			STATUS_OK);
	mesh_device_counters(test.mesh, &counters);
	mesh_buffer_free(buffer);
	workload_free(workload);
	program_free(program);
	mesh_case_close(&test);
	return counters;
}

static uint64_t bytes_of(const struct mesh_counters *counters)
{
	return counters->unicasts.bytes + counters->broadcasts.bytes;
}

static uint64_t order_bytes_of(const struct mesh_counters *counters)
{
	return counters->unicasts.order_bytes + counters->broadcasts.order_bytes;
}

/* A ROUTE in an issue queue becomes a segment header of the same length in a packet. */
TEST(bytes_of_transactions_are_those_of_issue_queues_and_packets)
{
	for (uint32_t initiators = 1; initiators <= SIDE; initiators *= 2) {
		struct mesh_counters counters = work(initiators, "counter");

		assert_int_equal(counters.bytes_issued, bytes_of(&counters));
		assert_int_equal(counters.packet_bytes, counters.broadcasts.bytes);
		assert_true(counters.packets >= counters.broadcasts.transactions);
		assert_true(counters.packet_bytes > 0 && counters.unicasts.bytes > 0);
		assert_true(counters.credit_returns > 0);
	}
}

TEST(orders_differ_by_what_is_sent_for_order)
{
	for (uint32_t initiators = 1; initiators <= SIDE; initiators *= 2) {
		struct mesh_counters counter = work(initiators, "counter");
		struct mesh_counters event = work(initiators, "event");

		assert_int_equal(bytes_of(&counter) - order_bytes_of(&counter),
			bytes_of(&event) - order_bytes_of(&event));
		assert_int_equal(counter.broadcasts.commands - counter.broadcasts.order_commands,
			event.broadcasts.commands - event.broadcasts.order_commands);
		assert_int_equal(counter.unicasts.commands - counter.unicasts.order_commands,
			event.unicasts.commands - event.unicasts.order_commands);
		assert_int_equal(counter.turns, event.turns);
		/* `counter` sends no transactions for order; `event` sends notifications */
		assert_int_equal(counter.unicasts.order_transactions, 0);
		assert_true(event.unicasts.order_transactions > 0);
		assert_true(event.broadcasts.order_transactions > 0);
	}
}

/* In each round, one grid changes from broadcasts to unicasts and back: the grid of the device that
 * gets the unicast. The number of grids makes no difference. */
TEST(a_turn_is_counted_where_a_grid_takes_part_in_it)
{
	assert_int_equal(work(1, "counter").turns, 2 * ROUNDS);
	assert_int_equal(work(SIDE, "counter").turns, 2 * ROUNDS);
}

TEST_MAIN(NULL, NULL)
