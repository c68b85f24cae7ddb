/* Tests the options in the message OPEN_MESH; several of them are packed into one number. Executors
 * must receive every setting of a mesh unchanged, and must reject settings that they do not have.
 */
#include "test.h"

#include "distributed/common/described.h"
#include "mesh/choice.h"

static struct arena arena;

/* Sends a configuration, and returns what an executor makes of it. */
static struct mesh_config told(const struct mesh_config *config)
{
	struct wire_open_mesh message = {0};
	struct mesh_config received;

	options_write(config, &arena, &message);
	mesh_config_init(&received);
	assert_int_equal(options_read(&message, &received, NULL), STATUS_OK);
	return received;
}

TEST(every_place_and_piece_is_told_beside_the_numbers)
{
	static const uint32_t members[] = {0, 1, 16, 1024};
	struct mesh_config config;

	mesh_config_init(&config);
	for (size_t i = 0; initiator_place_row(i); i++)
		for (size_t k = 0; pieces_row(k); k++)
			for (uint32_t n = 0; n < 4; n++) {
				struct mesh_config received;

				config.forward.initiator_place = initiator_place_row(i);
				config.forward.pieces = pieces_row(k);
				config.forward.multicast_members = members[n];
				config.forward.initiators = n * 21845; /* at most 65,535 */
				received = told(&config);
				assert_ptr_equal(received.forward.initiator_place,
					config.forward.initiator_place);
				assert_ptr_equal(received.forward.pieces, config.forward.pieces);
				assert_int_equal(received.forward.multicast_members, members[n]);
				assert_int_equal(received.forward.initiators, n * 21845);
			}
	arena_fini(&arena);
}

TEST(every_form_of_tasks_is_told_beside_the_numbers)
{
	struct mesh_config config;

	mesh_config_init(&config);
	for (size_t i = 0; tasks_row(i); i++)
		for (uint32_t n = 0; n <= 1024; n += 341) {
			struct mesh_config received;

			config.host.pool_tasks = tasks_row(i);
			config.host.batch_devices = 1024 - n;
			config.host.count = 1 + n;
			config.whole.spans = n == 341;
			received = told(&config);
			assert_int_equal(received.whole.spans, n == 341);
			assert_ptr_equal(received.host.pool_tasks, tasks_row(i));
			assert_int_equal(received.host.batch_devices, 1024 - n);
			assert_int_equal(received.host.count, 1 + n);
		}
	arena_fini(&arena);
}

TEST(the_size_of_system_memory_is_told_beside_the_queues)
{
	struct mesh_config config;

	mesh_config_init(&config);
	for (unsigned bit = 0; bit <= 40; bit++)
		for (uint8_t queues = 1; queues <= MESH_COMMAND_QUEUES_MAX; queues++) {
			struct mesh_config received;

			config.command_queues = queues;
			config.sizes.system_memory_bytes = UINT64_C(1) << bit;
			received = told(&config);
			assert_int_equal(received.command_queues, queues);
			assert_true(received.sizes.system_memory_bytes == UINT64_C(1) << bit);
		}
	arena_fini(&arena);
}

TEST(every_holding_behind_traces_is_told)
{
	struct mesh_config config;

	mesh_config_init(&config);
	for (size_t i = 0; trace_hold_row(i); i++) {
		config.forward.trace_hold = trace_hold_row(i);
		assert_ptr_equal(told(&config).forward.trace_hold, trace_hold_row(i));
	}
	arena_fini(&arena);
}

TEST(every_compilation_for_devices_is_told)
{
	struct mesh_config config;

	mesh_config_init(&config);
	for (size_t i = 0; compilation_row(i); i++) {
		config.host.compile = compilation_row(i);
		assert_ptr_equal(told(&config).host.compile, compilation_row(i));
	}
	arena_fini(&arena);
}

TEST(a_row_that_the_executor_lacks_is_refused)
{
	struct wire_open_mesh message = {0};
	struct wire_option option = {.key = {(const uint8_t *)"forward.initiators", 18}};
	struct mesh_config received;

	mesh_config_init(&received);
	message.options.at = &option;
	message.options.count = 1;
	for (unsigned bit = 0; bit < 63; bit++) {
		enum status status;

		option.value = option_number(UINT64_C(1) << bit);
		status = options_read(&message, &received, NULL);
		if (bit < 34)
			assert_int_equal(status, STATUS_OK);
		/* These values name no existing row: bit 37 or 53 would be row 8 of the first or
		 * last kind, and bits 40, 44 and 48 row 4 of another kind. Bits from 54 on belong
		 * to no kind. */
		if (bit == 37 || bit == 40 || bit == 44 || bit == 48 || bit == 53 || bit >= 54)
			assert_int_not_equal(status, STATUS_OK);
	}
}

TEST_MAIN(NULL, NULL)
