/* label: full
 * Tests errors that the firmware detects, in the native and the simulated world. The stage that
 * finds a malformed command or message reports it once, with its position, and halts. All other
 * stages continue. Other tests in this file send payloads that consist only of a size, without
 * data (elided); these must not damage other commands. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};
static const struct test_cluster line = {.rows = 1,
	.columns = 3,
	.pcie = TEST_PCIE_LEFT,
	.worker_columns = 2,
	.worker_rows = 2,
	.dispatch_tiles = 12};

/* Waits for the only fault and checks it. */
static void check_fault(struct rig *rig, enum fault_kind kind, const char *stage, uint16_t tile)
{
	int64_t deadline_ns = world->now_ns() + RIG_PATIENCE_NS;

	while (__atomic_load_n(&rig->fault_count, __ATOMIC_ACQUIRE) == 0 &&
		world->now_ns() < deadline_ns)
		world->sleep_until(world->now_ns() + 1000);
	world->sleep_until(world->now_ns() + 1000000);
	check_equal(__atomic_load_n(&rig->fault_count, __ATOMIC_ACQUIRE), 1);
	check(rig->faults[0].kind == kind, "fault is %s: %s", fault_kind_name(rig->faults[0].kind),
		rig->faults[0].detail);
	check(strcmp(rig->faults[0].stage, stage) == 0, "fault of %s", rig->faults[0].stage);
	check_equal(rig->faults[0].chip, 0);
	check_equal(rig->faults[0].tile, tile);
}

/* ---- dispatch commands ---- */

/* Submits one dispatch command with bytes [at, at + length) overwritten, and expects a fault. */
static void refuse_dispatch(struct cluster *cluster, const struct dispatch_command *command,
	uint32_t at, const void *bytes, uint32_t length, enum fault_kind kind)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct command_stream stream;
	uint64_t offset;

	command_stream_init(&stream, 0);
	offset = command_stream_dispatch(&stream, command);
	if (dispatch_data_bytes(command) > 0) {
		void *data = calloc(1, dispatch_data_bytes(command));

		command_stream_bytes(&stream, data, dispatch_data_bytes(command));
		free(data);
	}
	memcpy(command_stream_edit(&stream, offset + at, length), bytes, length);
	rig_submit(chip->issue, &stream);
	check_fault(chip->rig, kind, "dispatcher", chip->geometry->dispatch_tiles[5]);
}

static void an_unknown_dispatch_command(struct cluster *cluster)
{
	refuse_dispatch(cluster, &(struct dispatch_command){.kind = DISPATCH_WAIT}, 0, "\xee", 1,
		FAULT_COMMAND);
}

static void a_write_outside_memory(struct cluster *cluster)
{
	refuse_dispatch(cluster,
		&(struct dispatch_command){.kind = DISPATCH_WRITE_LINEAR,
			.write_linear = {.address = 1464 * 1024 - 16, .length = 32}},
		0, "", 0, FAULT_COMMAND);
}

static void a_write_to_a_tile_that_is_not_there(struct cluster *cluster)
{
	refuse_dispatch(cluster,
		&(struct dispatch_command){.kind = DISPATCH_WRITE_PACKED,
			.write_packed = {.count = 1, .address = 0x8000, .stride = 16}},
		16, "\xff\xff", 2, FAULT_COMMAND);
}

static void a_rectangle_outside_the_grid(struct cluster *cluster)
{
	refuse_dispatch(cluster,
		&(struct dispatch_command){.kind = DISPATCH_GO, .go = {.rect = {0, 0, 2, 1}}}, 0,
		"", 0, FAULT_COMMAND);
}

static void pages_outside_a_bank(struct cluster *cluster)
{
	refuse_dispatch(cluster,
		&(struct dispatch_command){.kind = DISPATCH_WRITE_PAGED,
			.write_paged = {.base = 0xfffff000, .page_bytes = 4096, .pages = 5}},
		0, "", 0, FAULT_COMMAND);
}

static void a_word_that_is_bulk(struct cluster *cluster)
{
	refuse_dispatch(cluster,
		&(struct dispatch_command){
			.kind = DISPATCH_WRITE_WORD, .write_word = {.address = 0x8000}},
		0, "", 0, FAULT_COMMAND);
}

static void a_transaction_without_a_number(struct cluster *cluster)
{
	struct dispatch_command wait = {.kind = DISPATCH_WAIT};

	rig_init(cluster)->ordering = DISPATCH_ORDER_COUNTER;
	/* refuse_dispatch() starts the rig with this ordering */
	refuse_dispatch(cluster, &wait, 0, "", 0, FAULT_ORDER);
}

/* ---- prefetch commands ---- */

static void refuse_prefetch(
	struct cluster *cluster, const struct prefetch_command *command, uint8_t kind)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct command_stream stream;
	uint64_t offset;

	command_stream_init(&stream, 0);
	offset = command_stream_prefetch(&stream, command);
	*command_stream_edit(&stream, offset, 1) = kind;
	rig_submit(chip->issue, &stream);
	check_fault(chip->rig, FAULT_COMMAND, "prefetch_hd", chip->geometry->dispatch_tiles[4]);
}

static void an_unknown_prefetch_command(struct cluster *cluster)
{
	struct prefetch_command stall = {.kind = PREFETCH_STALL};

	refuse_prefetch(cluster, &stall, 0);
}

static void a_read_outside_memory(struct cluster *cluster)
{
	struct prefetch_command read = {.kind = PREFETCH_RELAY_LINEAR,
		.relay_linear = {.address = 1464 * 1024, .length = 16}};

	refuse_prefetch(cluster, &read, PREFETCH_RELAY_LINEAR);
}

static void a_range_outside_the_kernel_cache(struct cluster *cluster)
{
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_CACHE,
		.relay_cache = {.offset = 256 * 1024 - 16, .length = 32}};

	refuse_prefetch(cluster, &relay, PREFETCH_RELAY_CACHE);
}

static void the_end_of_a_trace_outside_one(struct cluster *cluster)
{
	struct prefetch_command end = {.kind = PREFETCH_EXECUTE_END};

	refuse_prefetch(cluster, &end, PREFETCH_EXECUTE_END);
}

/* Unwritten DRAM contains zeros, which are not a command. */
static void a_trace_that_was_never_written(struct cluster *cluster)
{
	struct prefetch_command execute = {.kind = PREFETCH_EXECUTE,
		.execute = {.base = 0x100000, .page_bytes = 1024, .pages = 4}};

	refuse_prefetch(cluster, &execute, PREFETCH_EXECUTE);
}

static void a_doorbell_that_no_host_rings(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	uint16_t tile = chip->geometry->dispatch_tiles[4];

	device_row->post_word(chip->device, tile, chip->prefetch.fetch_queue, 0x80000001);
	check_fault(chip->rig, FAULT_FETCH, "prefetch_hd", tile);
}

/* ---- launches ---- */

static void refuse_launch(
	struct cluster *cluster, uint32_t address, uint32_t value, enum fault_kind kind)
{
	struct rig_chip *chip = rig_start_local(cluster);
	uint16_t tile = chip->geometry->worker_tiles[3];
	struct rig_program program = {.id = 1, .kernel_bytes = 100, .unique_args = 2};
	struct dispatch_command spoil = {.kind = DISPATCH_WRITE_LINEAR,
		.write_linear = {.tile = tile, .address = address, .length = 4}};
	struct dispatch_command go = {.kind = DISPATCH_GO, .go = {.rect = {0, 0, 1, 1}}};
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
	struct command_stream stream;
	uint8_t bytes[4];

	bytes_put32(bytes, value);
	command_stream_init(&stream, 0);
	rig_append_program(&stream, chip, &program, 0);
	command_stream_dispatch(&stream, &wait);
	command_stream_dispatch(&stream, &spoil);
	command_stream_bytes(&stream, bytes, sizeof(bytes));
	command_stream_dispatch(&stream, &go);
	rig_submit(chip->issue, &stream);
	check_fault(chip->rig, kind, "worker", tile);
	check_equal(chip->rig->faults[0].address, address / 16 * 16);
}

static void a_kernel_with_a_wrong_magic(struct cluster *cluster)
{
	refuse_launch(cluster, RIG_KERNELS + 2 * KERNEL_HEADER_BYTES, 0x12345678, FAULT_KERNEL);
}

static void a_launch_message_with_a_wrong_magic(struct cluster *cluster)
{
	refuse_launch(cluster, RIG_LAUNCH_RING, 0, FAULT_LAUNCH);
}

/* ---- what keeps running ---- */

/* The other workers of a chip run although one has halted. */
static void a_halted_worker_holds_up_nobody_else(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct rig_program program = {.id = 1, .kernel_bytes = 100};
	struct dispatch_command spoil = {.kind = DISPATCH_WRITE_LINEAR,
		.write_linear = {.tile = chip->geometry->worker_tiles[0],
			.address = RIG_LAUNCH_RING + 2 * LAUNCH_BYTES,
			.length = 4}};
	struct dispatch_command go = {.kind = DISPATCH_GO, .go = {.slot = 2, .rect = {0, 0, 1, 1}}};
	struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
	struct command_stream stream;
	uint8_t done[4];

	command_stream_init(&stream, 0);
	rig_append_program(&stream, chip, &program, 2);
	command_stream_dispatch(&stream, &wait);
	command_stream_dispatch(&stream, &spoil);
	command_stream_bytes(&stream, "\0\0\0", 4);
	command_stream_dispatch(&stream, &go);
	rig_submit(chip->issue, &stream);
	check_fault(chip->rig, FAULT_LAUNCH, "worker", chip->geometry->worker_tiles[0]);
	check_status(device_row->drain(cluster, world->now_ns() + 10000000), STATUS_TIMEOUT);
	check_status(device_row->peek(chip->device, chip->geometry->dispatch_tiles[5],
			     chip->dispatch.done_words, sizeof(done), done),
		STATUS_OK);
	check_equal(bytes_get32(done), 7);
}

/* ---- elided payloads ---- */

enum { PAGE = 1024, PAGES = 37 };

static void append_elided(struct command_stream *stream, uint32_t base)
{
	struct dispatch_command write = {.kind = DISPATCH_WRITE_PAGED,
		.write_paged = {.base = base, .page_bytes = PAGE, .pages = PAGES}};
	struct extent *extent = extent_new_elided(PAGE * PAGES);

	command_stream_dispatch(stream, &write);
	command_stream_data(stream, span_of(extent), MEMORY_CACHED);
	extent_release(extent);
}

static void append_mixed(struct command_stream *stream, const struct rig_chip *chip, uint32_t event)
{
	for (uint32_t i = 0; i < 3; i++) {
		append_elided(stream, 0x40000 + i * 0x10000);
		rig_append_write(
			stream, chip->geometry->worker_tiles[1], RIG_DATA + i * 0x1000, 200 + i, i);
	}
	rig_append_event(stream, event, true);
}

static void check_mixed(const struct rig_chip *chip)
{
	uint8_t byte;

	for (uint32_t i = 0; i < 3; i++) {
		rig_check_bytes(
			chip, chip->geometry->worker_tiles[1], RIG_DATA + i * 0x1000, 200 + i, i);
		for (uint32_t page = 0; page < PAGES; page++)
			check_status(device_row->inspect(chip->device,
					     chip->geometry->dram_tiles[page % 4],
					     0x40000 + i * 0x10000 + page / 4 * PAGE + page % PAGE,
					     1, &byte),
				STATUS_ELIDED);
	}
}

static void elided_data_travel_over_one_chip(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct dispatch_command host = {
		.kind = DISPATCH_WRITE_HOST, .write_host = {.length = PAGE * PAGES}};
	struct prefetch_command read = {.kind = PREFETCH_RELAY_PAGED,
		.relay_paged = {.base = 0x40000, .page_bytes = PAGE, .pages = PAGES}};
	struct dispatch_command release = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER | DISPATCH_RELEASE};
	struct prefetch_command stall = {.kind = PREFETCH_STALL};
	struct completion_record record;
	struct command_stream stream;
	uint8_t *seen = malloc(PAGE * PAGES);

	command_stream_init(&stream, 0);
	append_mixed(&stream, chip, 1);
	command_stream_dispatch(&stream, &release);
	command_stream_prefetch(&stream, &stall);
	command_stream_dispatch(&stream, &host);
	command_stream_prefetch(&stream, &read);
	rig_append_event(&stream, 2, false);
	rig_submit(chip->issue, &stream);
	record = rig_next_record(chip);
	check_status(completion_queue_read(chip->completion, record.length,
			     world->now_ns() + RIG_PATIENCE_NS, seen, MEMORY_CACHED),
		STATUS_ELIDED);
	record = rig_next_record(chip);
	check_equal(record.tag, 2);
	rig_drain(chip->rig);
	check_mixed(chip);
	free(seen);
}

static void elided_data_travel_by_unicast_and_broadcast(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct command_stream stream;
	uint32_t route;

	rig->limits.receive_ring_bytes = 8192;
	rig->limits.spill_bytes = 32768;
	rig_start(rig);
	rig_broadcast(rig, 0, 1, 3);
	for (uint16_t i = 0; i < 3; i++) {
		command_stream_init(&stream, 0);
		append_mixed(&stream, &rig->chips[i], 1);
		rig_submit(rig->chips[i].issue, &stream);
	}
	rig_drain(rig);
	for (uint16_t i = 0; i < 3; i++)
		check_mixed(&rig->chips[i]);
	command_stream_init(&stream, 0);
	route = rig_route_open(&stream, 0, (struct grid_rect){0, 0, 0, 2});
	append_mixed(&stream, &rig->chips[0], 2);
	*command_stream_edit(&stream, stream.last_dispatch + 1, 1) |= DISPATCH_LAST;
	rig_route_close(&stream, route);
	rig_submit(rig->broadcast_issue, &stream);
	rig_drain(rig);
	for (uint16_t i = 0; i < 3; i++) {
		check_mixed(&rig->chips[i]);
		check_equal(device_row->window_word(cluster, rig->chips[i].event_slot), 2);
	}
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(an_unknown_dispatch_command, one_chip),
		ROW_CASE(a_write_outside_memory, one_chip),
		ROW_CASE(a_write_to_a_tile_that_is_not_there, one_chip),
		ROW_CASE(a_rectangle_outside_the_grid, one_chip),
		ROW_CASE(pages_outside_a_bank, one_chip),
		ROW_CASE(a_word_that_is_bulk, one_chip),
		ROW_CASE(a_transaction_without_a_number, one_chip),
		ROW_CASE(an_unknown_prefetch_command, one_chip),
		ROW_CASE(a_read_outside_memory, one_chip),
		ROW_CASE(a_range_outside_the_kernel_cache, one_chip),
		ROW_CASE(the_end_of_a_trace_outside_one, one_chip),
		ROW_CASE(a_trace_that_was_never_written, one_chip),
		ROW_CASE(a_doorbell_that_no_host_rings, one_chip),
		ROW_CASE(a_kernel_with_a_wrong_magic, one_chip),
		ROW_CASE(a_launch_message_with_a_wrong_magic, one_chip),
		ROW_CASE(a_halted_worker_holds_up_nobody_else, one_chip),
		ROW_CASE(elided_data_travel_over_one_chip, one_chip),
		ROW_CASE(elided_data_travel_by_unicast_and_broadcast, line),
	};

	return ROW_RUN_SUITE("firmware refuses", cases);
}
