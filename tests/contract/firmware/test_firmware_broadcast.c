/* label: full
 * Tests firmware over several chips, in the native and the simulated world: a chip behind a
 * gateway, broadcasts with end-to-end credits and spill buffers, and the order of broadcast and
 * unicast commands (spec 3.8). */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

/* Chip 1 is reached through chip 0. */
static const struct test_cluster pair = {
	.rows = 1, .columns = 2, .pcie = TEST_PCIE_LEFT, .worker_columns = 2, .worker_rows = 1};
/* Chips 0 1 2, PCIe everywhere. */
static const struct test_cluster line = {
	.rows = 1, .columns = 3, .pcie = TEST_PCIE_ALL, .worker_columns = 2, .worker_rows = 1};
/* Chips 0 1 2 / 3 4 5, and gateways 6 and 7. */
static const struct test_cluster grid = {
	.rows = 2, .columns = 3, .pcie = TEST_PCIE_GATEWAYS, .worker_columns = 2, .worker_rows = 1};

/* ---- a chip behind a gateway ---- */

static struct rig_chip *remote_start(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig_start(rig);
	return rig_remote(rig, 1);
}

static void a_chip_behind_a_gateway_runs_programs(struct cluster *cluster)
{
	struct rig_chip *chip = remote_start(cluster);
	struct rig_program program = {
		.id = 8, .kernel_bytes = 20000, .cycles = 100, .unique_args = 50, .common_args = 7};
	struct command_stream stream;

	for (uint32_t i = 1; i <= 10; i++) {
		program.seed = i;
		command_stream_init(&stream, i);
		rig_append_program(&stream, chip, &program, (uint8_t)(i % LAUNCH_SLOTS));
		rig_append_event(&stream, i, i % 2);
		rig_submit(chip->issue, &stream);
	}
	rig_wait_event(chip, 9);
	for (uint32_t i = 2; i <= 10; i += 2) {
		struct completion_record record;

		record = rig_next_record(chip);
		check_equal(record.tag, i);
		check_equal(record.chip, 1);
	}
	rig_drain(chip->rig);
	for (uint32_t worker = 0; worker < 2; worker++) {
		check_equal(rig_result(chip, worker).launches, 10);
		check_equal(rig_result(chip, worker).checksum, rig_checksum(&program, worker));
	}
}

/* Writes data to DRAM of a chip behind a gateway, and reads them back. On the way to the chip,
 * prefetch_h replaces the command RELAY_HOST by the host data to which it refers. On the way back,
 * the data pass through dispatch_h. */
static void data_go_through_the_gateway_both_ways(struct cluster *cluster)
{
	enum { PAGES = 70, PAGE = 2048, LENGTH = PAGES * PAGE };
	struct rig_chip *chip = remote_start(cluster);
	struct dispatch_command write = {.kind = DISPATCH_WRITE_PAGED,
		.write_paged = {.base = 0x20000, .page_bytes = PAGE, .pages = PAGES}};
	struct prefetch_command relay = {
		.kind = PREFETCH_RELAY_HOST, .relay_host = {.length = LENGTH}};
	struct dispatch_command release = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER | DISPATCH_RELEASE};
	struct prefetch_command stall = {.kind = PREFETCH_STALL};
	struct dispatch_command host = {
		.kind = DISPATCH_WRITE_HOST, .write_host = {.tag = 4, .length = LENGTH - 5}};
	struct prefetch_command read = {.kind = PREFETCH_RELAY_PAGED,
		.relay_paged = {.base = 0x20000, .page_bytes = PAGE, .pages = PAGES}};
	struct extent *extent = extent_new(LENGTH);
	uint8_t *seen = malloc(LENGTH);
	struct completion_record record;
	struct command_stream stream;

	rig_fill(extent->bytes, LENGTH, 3);
	check_status(
		device_row->window_reserve(cluster, "pinned", LENGTH, &relay.relay_host.address),
		STATUS_OK);
	device_row->window_write(cluster, relay.relay_host.address, span_of(extent));
	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	command_stream_prefetch(&stream, &relay);
	command_stream_dispatch(&stream, &release);
	command_stream_prefetch(&stream, &stall);
	command_stream_dispatch(&stream, &host);
	command_stream_prefetch(&stream, &read);
	rig_append_event(&stream, 1, true);
	rig_submit(chip->issue, &stream);
	record = rig_next_record(chip);
	check_equal(record.length, LENGTH - 5);
	check_status(completion_queue_read(chip->completion, LENGTH - 5,
			     world->now_ns() + RIG_PATIENCE_NS, seen, MEMORY_CACHED),
		STATUS_OK);
	check(memcmp(seen, extent->bytes, LENGTH - 5) == 0, "data differ");
	rig_wait_event(chip, 1);
	rig_drain(chip->rig);
	extent_release(extent);
	free(seen);
}

/* ---- broadcast ---- */

static void append_id(struct command_stream *stream, const struct rig *rig, const uint8_t *ids)
{
	struct prefetch_command grid_ids = {
		.kind = PREFETCH_TRANSACTION_GRID, .transaction_grid = {.count = rig->receivers}};

	command_stream_prefetch(stream, &grid_ids);
	command_stream_bytes(stream, ids, rig->receivers);
}

static struct grid_rect everywhere(const struct rig *rig)
{
	return (struct grid_rect){
		0, 0, (uint8_t)(rig->info->mesh_rows - 1), (uint8_t)(rig->info->mesh_columns - 1)};
}

static void close_routed(struct rig *rig, struct command_stream *stream, uint32_t route)
{
	*command_stream_edit(stream, stream->last_dispatch + 1, 1) |= DISPATCH_LAST;
	rig_route_close(stream, route);
	rig_submit(rig->broadcast_issue, stream);
}

/* Broadcasts programs and data from `initiator`, through buffers of only a few packets. */
static void broadcast_programs(struct rig *rig, uint16_t initiator)
{
	enum { ROUNDS = 12 };
	struct rig_program program = {
		.id = 6, .kernel_bytes = 6000, .cycles = 200, .unique_args = 30, .common_args = 9};
	struct command_stream stream;
	uint32_t route;
	struct rig_chip *first;

	rig_start(rig);
	rig_broadcast(rig, initiator, rig->info->mesh_rows, rig->info->mesh_columns);
	first = &rig->chips[0];
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		program.seed = i;
		command_stream_init(&stream, i);
		route = rig_route_open(&stream, 0, everywhere(rig));
		rig_append_program(&stream, first, &program, (uint8_t)(i % LAUNCH_SLOTS));
		rig_append_write(&stream, first->geometry->worker_tiles[1], RIG_DATA, 50000, i);
		rig_append_event(&stream, i, true);
		close_routed(rig, &stream, route);
	}
	for (uint16_t i = 0; i < rig->receivers; i++)
		rig_wait_event(&rig->chips[i], ROUNDS);
	rig_drain(rig);
	for (uint16_t i = 0; i < rig->receivers; i++) {
		struct rig_chip *chip = &rig->chips[i];
		struct depacketizer_counters seen = depacketizer_counters(chip->depacketizer_stage);

		for (uint32_t worker = 0; worker < 2; worker++) {
			check_equal(rig_result(chip, worker).launches, ROUNDS);
			check_equal(
				rig_result(chip, worker).checksum, rig_checksum(&program, worker));
		}
		rig_check_bytes(chip, chip->geometry->worker_tiles[1], RIG_DATA, 50000, ROUNDS);
		check_equal(seen.segments, ROUNDS);
		check_at_most(seen.spill_peak_bytes, rig->limits.spill_bytes);
	}
}

static void broadcasts_reach_every_chip(struct cluster *cluster)
{
	broadcast_programs(rig_init(cluster), 1);
}

static void broadcasts_from_a_gateway_reach_every_chip(struct cluster *cluster)
{
	broadcast_programs(rig_init(cluster), 7);
}

static void a_tiny_spill_buffer_runs_out_of_credits_and_loses_nothing(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig->limits.receive_ring_bytes = 4096;
	rig->limits.credit_batch_bytes = 1024;
	rig->limits.dispatch_ring_bytes = 8192;
	rig->limits.spill_bytes = 8192;
	rig->limits.spill_scratch_bytes = 2048;
	broadcast_programs(rig, 0);
	check_less(0, depacketizer_counters(rig->chips[2].depacketizer_stage).spilled_bytes);
}

static void without_a_spill_buffer_broadcasts_are_slow_and_not_stuck(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig->limits.receive_ring_bytes = 4096;
	rig->limits.credit_batch_bytes = 1024;
	rig->limits.landing_ring_bytes = 4096;
	rig->limits.spill_bytes = 0;
	broadcast_programs(rig, 0);
	check_equal(depacketizer_counters(rig->chips[2].depacketizer_stage).spilled_bytes, 0);
}

/* Workers that never end block everything, until a buffer overflows. */
static void without_credits_an_overrun_is_reported(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORD, .wait = {.value = 1}};
	struct command_stream stream;
	uint32_t route;

	rig->credits = false;
	rig->limits.receive_ring_bytes = 8192;
	rig->limits.landing_ring_bytes = 16384;
	rig->limits.spill_bytes = 16384;
	rig_start(rig);
	rig_broadcast(rig, 0, 1, 3);
	wait.wait.address = rig->chips[0].dispatch.event_words;
	for (uint32_t i = 0; i < 4; i++) {
		command_stream_init(&stream, 0);
		route = rig_route_open(&stream, 0, everywhere(rig));
		if (i == 0)
			command_stream_dispatch(&stream, &wait);
		rig_append_write(
			&stream, rig->chips[0].geometry->worker_tiles[0], RIG_DATA, 60000, i);
		close_routed(rig, &stream, route);
	}
	while (__atomic_load_n(&rig->fault_count, __ATOMIC_ACQUIRE) < 3)
		world->sleep_until(world->now_ns() + 1000);
	for (uint32_t i = 0; i < 3; i++) {
		check_equal(rig->faults[i].kind, FAULT_OVERRUN);
		check(strcmp(rig->faults[i].stage, "depacketizer") == 0, "%s",
			rig->faults[i].stage);
	}
}

/* The dispatchers wait for a word from the host, so all rings and spill buffers before them fill
 * up. In the simulation, the spill buffers fill to the last byte; in the native world, packets may
 * be cut differently. When the dispatchers continue, all data must arrive. */
static void a_packet_that_exactly_fits_the_spill_buffer_is_sent(struct cluster *cluster)
{
	enum { SPILL = 16384, BEFORE = 1376, LENGTH = 200000 };
	struct rig *rig = rig_init(cluster);
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORD, .wait = {.value = 1}};
	uint16_t tile = rig->info->chips[0].geometry->worker_tiles[0];
	struct command_stream stream;
	uint32_t route;

	rig->limits.receive_ring_bytes = 8192;
	rig->limits.landing_ring_bytes = SPILL;
	rig->limits.spill_bytes = SPILL;
	rig->limits.fabric_credit_batch_bytes = COMMAND_ALIGN;
	rig_start(rig);
	rig_broadcast(rig, 0, 1, 3);
	wait.wait.address = rig->chips[0].dispatch.event_words;
	command_stream_init(&stream, 0);
	route = rig_route_open(&stream, 0, everywhere(rig));
	rig_append_write(&stream, tile, RIG_DATA, BEFORE, 1);
	command_stream_dispatch(&stream, &wait);
	rig_append_write(&stream, tile, RIG_DATA, LENGTH, 2);
	rig_append_event(&stream, 1, true);
	close_routed(rig, &stream, route);
	world->sleep_until(world->now_ns() + 1000000);
	for (uint32_t i = 0; i < rig->receivers; i++) {
		struct rig_chip *chip = &rig->chips[i];
		uint64_t peak = depacketizer_counters(chip->depacketizer_stage).spill_peak_bytes;

		if (row_current()->timed)
			check_equal(peak, SPILL);
		device_row->post_word(chip->device, chip->dispatcher->tile, wait.wait.address, 1);
	}
	for (uint32_t i = 0; i < rig->receivers; i++)
		rig_wait_event(&rig->chips[i], 1);
	rig_drain(rig);
	for (uint32_t i = 0; i < rig->receivers; i++)
		rig_check_bytes(&rig->chips[i], tile, RIG_DATA, LENGTH, 2);
}

/* Broadcasts to sub-grids, over the tree of the sub-grid or over the tree of the whole grid. Chips
 * outside the sub-grid must ignore the broadcast, and must still execute later broadcasts. */
static void sub_grids_receive_what_is_theirs(struct cluster *cluster)
{
	static const struct grid_rect rects[] = {
		{0, 0, 1, 2}, {0, 0, 0, 2}, {0, 1, 1, 2}, {1, 0, 1, 0}, {0, 2, 0, 2}};
	enum { TREES = 5, ROUNDS = 60, LENGTH = 3000 };
	struct rig *rig = rig_init(cluster);
	uint32_t last[6][TREES] = {{0}}, expected[6] = {0};
	struct command_stream stream;
	uint32_t route;

	rig->limits.receive_ring_bytes = 8192;
	rig->limits.spill_bytes = 16384;
	rig_start(rig);
	rig_broadcast(rig, 6, 2, 3);
	for (uint16_t i = 1; i < TREES; i++)
		check_equal(rig_add_tree(rig, 6, rects[i]), i);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		uint16_t tree = (uint16_t)(round * 7 / 2 % TREES);

		command_stream_init(&stream, 0);
		/* Every third round uses the tree of the whole grid; chips outside the sub-grid
		 * must then drop the data. */
		route = rig_route_open(&stream, round % 3 ? tree : 0, rects[tree]);
		rig_append_write(&stream, rig->chips[0].geometry->worker_tiles[0],
			RIG_DATA + tree * 0x4000u, LENGTH + round, round);
		rig_append_event(&stream, round, true);
		close_routed(rig, &stream, route);
		for (uint16_t chip = 0; chip < 6; chip++)
			if (chip / 3 >= rects[tree].row0 && chip / 3 <= rects[tree].row1 &&
				chip % 3 >= rects[tree].column0 &&
				chip % 3 <= rects[tree].column1) {
				last[chip][tree] = round;
				expected[chip] = round;
			}
	}
	for (uint16_t chip = 0; chip < 6; chip++)
		rig_wait_event(&rig->chips[chip], expected[chip]);
	rig_drain(rig);
	for (uint16_t chip = 0; chip < 6; chip++) {
		check_equal(device_row->window_word(cluster, rig->chips[chip].event_slot),
			expected[chip]);
		for (uint32_t tree = 0; tree < TREES; tree++)
			if (last[chip][tree] != 0)
				rig_check_bytes(&rig->chips[chip],
					rig->chips[chip].geometry->worker_tiles[0],
					RIG_DATA + tree * 0x4000, LENGTH + last[chip][tree],
					last[chip][tree]);
	}
}

/* ---- order ---- */

static void append_own_id(struct command_stream *stream, uint8_t id)
{
	struct dispatch_command header = {.kind = DISPATCH_TRANSACTION, .transaction = {.id = id}};

	command_stream_dispatch(stream, &header);
}

static void append_record(struct command_stream *stream, uint32_t event)
{
	struct dispatch_command notify = {
		.kind = DISPATCH_NOTIFY_HOST, .notify_host = {.event = event}};

	command_stream_dispatch(stream, &notify);
}

/* Each transaction leaves a record on the chips that it addresses. So the records of a chip show in
 * which order the chip ran the transactions. Transactions have 8-bit numbers; in this test these
 * numbers wrap at least once. */
static void counters_keep_broadcast_and_unicast_in_order(struct cluster *cluster)
{
	enum { STEPS = 450, CHIPS = 3 };
	struct rig *rig = rig_init(cluster);
	uint32_t expected[CHIPS][STEPS], count[CHIPS] = {0}, state = 1;
	struct command_stream stream;
	uint32_t route;

	rig->ordering = DISPATCH_ORDER_COUNTER;
	rig_start(rig);
	rig_broadcast(rig, 0, 1, CHIPS);
	for (uint32_t step = 0; step < STEPS; step++) {
		uint16_t chip = (uint16_t)(step % CHIPS);
		uint8_t ids[CHIPS];

		state = state * 1664525u + 1013904223u;
		command_stream_init(&stream, 0);
		if (state >> 31) {
			expected[chip][count[chip]++] = step;
			append_own_id(&stream, (uint8_t)count[chip]);
			append_record(&stream, step);
			rig_submit(rig->chips[chip].issue, &stream);
			continue;
		}
		for (uint16_t c = 0; c < CHIPS; c++) {
			expected[c][count[c]++] = step;
			ids[c] = (uint8_t)count[c];
		}
		route = rig_route_open(&stream, 0, everywhere(rig));
		append_id(&stream, rig, ids);
		rig_append_write(
			&stream, rig->chips[0].geometry->worker_tiles[0], RIG_DATA, 700, step);
		append_record(&stream, step);
		close_routed(rig, &stream, route);
	}
	for (uint16_t c = 0; c < CHIPS; c++) {
		check_less(256, count[c]);
		for (uint32_t i = 0; i < count[c]; i++) {
			struct completion_record record;

			record = rig_next_record(&rig->chips[c]);
			check_equal(record.tag, expected[c][i]);
		}
	}
	rig_drain(rig);
}

/* Transactions have no numbers here; notifications order them. At each switch between unicast and
 * broadcast, one of the two prefetchers of each chip notifies the other (spec 3.8.4). */
static void notifications_keep_broadcast_and_unicast_in_order(struct cluster *cluster)
{
	enum { STEPS = 200, CHIPS = 3 };
	struct rig *rig = rig_init(cluster);
	struct prefetch_command notify = {.kind = PREFETCH_NOTIFY_COUNTERPART};
	struct prefetch_command wait = {.kind = PREFETCH_WAIT_COUNTERPART};
	struct command_stream stream;
	uint32_t route = 0;

	rig_start(rig);
	rig_broadcast(rig, 0, 1, CHIPS);
	for (uint32_t step = 0; step < STEPS; step++) {
		bool unicast = step % 2;

		wait.counterpart.value = (step + 1) / 2;
		notify.counterpart.value = step / 2 + 1;
		for (uint16_t c = 0; c < (unicast ? CHIPS : 1); c++) {
			command_stream_init(&stream, 0);
			if (!unicast)
				route = rig_route_open(&stream, 0, everywhere(rig));
			command_stream_prefetch(&stream, &wait);
			rig_append_write(&stream, rig->chips[0].geometry->worker_tiles[0], RIG_DATA,
				unicast ? 16 : 3000, step);
			append_record(&stream, step);
			command_stream_prefetch(&stream, &notify);
			if (!unicast)
				rig_route_close(&stream, route);
			rig_submit(unicast ? rig->chips[c].issue : rig->broadcast_issue, &stream);
		}
	}
	for (uint16_t c = 0; c < CHIPS; c++)
		for (uint32_t step = 0; step < STEPS; step++) {
			struct completion_record record;

			record = rig_next_record(&rig->chips[c]);
			check_equal(record.tag, step);
		}
	rig_drain(rig);
}

/* Without any ordering, a broadcast must overtake a unicast that was enqueued before it. This shows
 * that the other tests would detect a missing ordering. */
static void without_order_a_later_transaction_overtakes(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct rig_chip *chip;
	struct prefetch_command wait = {
		.kind = PREFETCH_WAIT_COUNTERPART, .counterpart = {.value = 1}};
	struct completion_record record;
	struct command_stream stream;
	uint32_t route;

	rig_start(rig);
	rig_broadcast(rig, 0, 1, 3);
	chip = &rig->chips[1];
	/* The prefetcher of unicasts waits for a word. The test writes this word when the record of
	 * the broadcast has arrived, so the record of the unicast arrives after it. */
	command_stream_init(&stream, 0);
	command_stream_prefetch(&stream, &wait);
	append_record(&stream, 1);
	rig_submit(chip->issue, &stream);
	command_stream_init(&stream, 0);
	route = rig_route_open(&stream, 0, everywhere(rig));
	append_record(&stream, 2);
	close_routed(rig, &stream, route);
	record = rig_next_record(chip);
	check_equal(record.tag, 2);
	device_row->post_word(chip->device, chip->geometry->dispatch_tiles[4],
		chip->prefetch.counterpart_word, 1);
	record = rig_next_record(chip);
	check_equal(record.tag, 1);
	rig_drain(rig);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(a_chip_behind_a_gateway_runs_programs, pair),
		ROW_CASE(data_go_through_the_gateway_both_ways, pair),
		ROW_CASE(broadcasts_reach_every_chip, line),
		ROW_CASE(broadcasts_from_a_gateway_reach_every_chip, grid),
		ROW_CASE(a_tiny_spill_buffer_runs_out_of_credits_and_loses_nothing, line),
		ROW_CASE(without_a_spill_buffer_broadcasts_are_slow_and_not_stuck, line),
		ROW_CASE(without_credits_an_overrun_is_reported, line),
		ROW_CASE(a_packet_that_exactly_fits_the_spill_buffer_is_sent, line),
		ROW_CASE(sub_grids_receive_what_is_theirs, grid),
		ROW_CASE(counters_keep_broadcast_and_unicast_in_order, line),
		ROW_CASE(notifications_keep_broadcast_and_unicast_in_order, line),
		ROW_CASE(without_order_a_later_transaction_overtakes, line),
	};

	return ROW_RUN_SUITE("firmware over several chips", cases);
}
