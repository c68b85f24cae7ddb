/* label: full
 * Tests the firmware of one chip with PCIe as a whole, in the native and the simulated world: issue
 * queue, prefetch_hd, dispatcher, workers, completion queue, event table. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

enum { WORKERS = 4 };

static void programs_run_with_the_arguments_in_l1(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct command_stream stream;
	uint32_t sum[WORKERS] = {0};

	for (uint32_t i = 0; i < 20; i++) {
		struct rig_program program = {.id = 100 + i,
			.kernel_bytes = 1000,
			.cycles = 500,
			.unique_args = 3 + i,
			.common_args = i % 5,
			.seed = 7 * i};

		command_stream_init(&stream, 1 + i);
		rig_append_program(&stream, chip, &program, (uint8_t)(i % LAUNCH_SLOTS));
		rig_run(chip, &stream, 1 + i);
		for (uint32_t worker = 0; worker < WORKERS; worker++) {
			struct launch_result result = rig_result(chip, worker);

			check_equal(result.launches, i + 1);
			check_equal(result.program, 100 + i);
			check_equal(result.checksum, rig_checksum(&program, worker));
			sum[worker] += rig_checksum(&program, worker);
			check_equal(result.sum, sum[worker]);
		}
	}
}

/* Runs programs with one step and with many steps. The cycles that a worker takes for all steps of
 * a program must be those that a formula gives. */
static void run_pipelines(struct rig_chip *chip)
{
	const struct stage *stage = worker_group_stage(chip->workers, 1);
	struct command_stream stream;

	for (uint32_t i = 1; i <= 30; i++) {
		struct rig_program program = {.id = i,
			.kernel_bytes = 64 * i,
			.cycles = i * 37 % 100,
			.steps = (uint16_t)(i * i),
			.unique_args = 1,
			.seed = i};
		uint64_t before = stage->busy_cycles;

		command_stream_init(&stream, 0);
		rig_append_program(&stream, chip, &program, 0);
		rig_run(chip, &stream, i);
		check_equal(rig_result(chip, 1).launches, i);
		check_equal(rig_result(chip, 1).checksum, rig_checksum(&program, 1));
		check_equal(stage->busy_cycles - before, rig_launch_cycles(chip, &program));
	}
}

static void pipelines_take_what_the_closed_form_says(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);

	run_pipelines(chip);
	check_less(10000, worker_group_stage(chip->workers, 1)->steps);
}

static void pipelines_over_single_pages_do_so_too(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);

	rig->limits.circular_buffer_pages = 1;
	run_pipelines(rig_start_local(cluster));
}

static void an_idle_go_is_acknowledged_without_a_launch(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	struct dispatch_command go = {.kind = DISPATCH_GO,
		.flags = DISPATCH_IDLE,
		.go = {.group = 3, .rect = {0, 0, 1, 1}}};
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS, .wait = {.group = 3}};
	struct command_stream stream;

	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &go);
	command_stream_dispatch(&stream, &wait);
	command_stream_dispatch(&stream, &go);
	command_stream_dispatch(&stream, &wait);
	rig_run(chip, &stream, 1);
	check_equal(rig_result(chip, 0).launches, 0);
	check_equal(rig_inspect_word(chip, chip->geometry->dispatch_tiles[5],
			    chip->dispatch.done_words + 4 * 3),
		2 * WORKERS);
}

/* The write is longer than any ring on its way, and not a multiple of any size. */
static void long_writes_arrive_whole(struct cluster *cluster)
{
	enum { LENGTH = 300001 };
	struct rig_chip *chip = rig_start_local(cluster);
	struct command_stream stream;

	command_stream_init(&stream, 0);
	for (uint32_t i = 0; i < WORKERS; i++)
		rig_append_write(&stream, chip->geometry->worker_tiles[i], RIG_DATA, LENGTH - i, i);
	rig_run(chip, &stream, 1);
	for (uint32_t i = 0; i < WORKERS; i++) {
		uint8_t behind;

		rig_check_bytes(chip, chip->geometry->worker_tiles[i], RIG_DATA, LENGTH - i, i);
		rig_inspect(
			chip, chip->geometry->worker_tiles[i], RIG_DATA + LENGTH - i, 1, &behind);
		check_equal(behind, 0);
	}
}

/* ---- interleaved buffers ---- */

struct buffer {
	bool l1;
	uint32_t base, page_bytes, pages, start_page;
};

static void append_pages(struct command_stream *stream, const struct buffer *buffer, uint32_t seed)
{
	struct dispatch_command write = {.kind = DISPATCH_WRITE_PAGED,
		.flags = buffer->l1 ? DISPATCH_L1 : 0,
		.write_paged = {.start_page = (uint16_t)buffer->start_page,
			.base = buffer->base,
			.page_bytes = buffer->page_bytes,
			.pages = buffer->pages}};
	struct extent *extent = extent_new(buffer->page_bytes * buffer->pages);

	rig_fill(extent->bytes, extent->length, seed);
	command_stream_dispatch(stream, &write);
	command_stream_data(stream, span_of(extent), MEMORY_CACHED);
	extent_release(extent);
}

enum { LATE_NS = 1000000 };

static struct prefetch_pages pages_of(const struct buffer *buffer)
{
	return (struct prefetch_pages){.start_page = (uint16_t)buffer->start_page,
		.base = buffer->base,
		.page_bytes = buffer->page_bytes,
		.pages = buffer->pages};
}

static void append_read(
	struct command_stream *stream, const struct buffer *buffer, uint32_t tag, uint64_t direct)
{
	uint32_t length = buffer->page_bytes * buffer->pages;
	struct dispatch_command barrier = {.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER};
	struct dispatch_command host = {.kind = DISPATCH_WRITE_HOST,
		.flags = direct ? DISPATCH_DIRECT : 0,
		.write_host = {.tag = tag, .length = length, .address = direct}};
	struct prefetch_command relay = {.kind = PREFETCH_RELAY_PAGED,
		.flags = buffer->l1 ? PREFETCH_L1 : 0,
		.relay_paged = pages_of(buffer)};

	command_stream_dispatch(stream, &barrier);
	command_stream_dispatch(stream, &host);
	command_stream_prefetch(stream, &relay);
}

/* STALL: the prefetcher must not read before the dispatcher has written. */
static void append_stall(struct command_stream *stream)
{
	struct dispatch_command release = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER | DISPATCH_RELEASE};
	struct prefetch_command stall = {.kind = PREFETCH_STALL};

	command_stream_dispatch(stream, &release);
	command_stream_prefetch(stream, &stall);
}

/* Reads only after a while, so that more data than the queue holds must wait for room. */
static void check_read(struct completion_queue *queue, uint32_t tag, uint32_t length, uint32_t seed)
{
	int64_t deadline_ns = world->now_ns() + RIG_PATIENCE_NS;
	uint8_t *seen = malloc(length), *expected = malloc(length);
	struct completion_record record;

	world->sleep_until(world->now_ns() + LATE_NS);
	check_status(completion_queue_next(queue, deadline_ns, &record), STATUS_OK);
	check_equal(record.kind, COMPLETION_DATA);
	check_equal(record.tag, tag);
	check_equal(record.length, length);
	for (uint32_t at = 0; at < length;) {
		uint32_t part = length - at < 1003 ? length - at : 1003;

		check_status(
			completion_queue_read(queue, part, deadline_ns, seen + at, MEMORY_CACHED),
			STATUS_OK);
		at += part;
	}
	rig_fill(expected, length, seed);
	check(memcmp(seen, expected, length) == 0, "tag %u: %u B differ", tag, length);
	check_status(completion_queue_try(queue, &record), STATUS_EMPTY);
	free(expected);
	free(seen);
}

static void buffers_are_read_as_they_were_written(struct cluster *cluster)
{
	static const struct buffer buffers[] = {
		{.base = 0x10000, .page_bytes = 32, .pages = 1000},
		{.base = 0x200000, .page_bytes = 2048, .pages = 77, .start_page = 3},
		{.base = 0x300000, .page_bytes = 100 * 1024, .pages = 3, .start_page = 1},
		{.l1 = true, .base = RIG_DATA, .page_bytes = 1040, .pages = 13, .start_page = 2},
		{.base = 0x500000, .page_bytes = 16, .pages = 1},
	};
	struct rig_chip *chip = rig_start_local(cluster);
	struct command_stream stream;

	for (uint32_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		const struct buffer *buffer = &buffers[i];

		command_stream_init(&stream, 0);
		append_pages(&stream, buffer, i);
		append_stall(&stream);
		append_read(&stream, buffer, 40 + i, 0);
		rig_append_event(&stream, 1 + i, true);
		rig_submit(chip->issue, &stream);
		check_read(chip->completion, 40 + i, buffer->page_bytes * buffer->pages, i);
	}
	rig_drain(chip->rig);
}

static void direct_reads_go_to_their_address(struct cluster *cluster)
{
	static const struct buffer buffer = {.base = 0x10000, .page_bytes = 4096, .pages = 20};
	uint32_t length = buffer.page_bytes * buffer.pages;
	struct rig_chip *chip = rig_start_local(cluster);
	uint8_t *seen = malloc(length), *expected = malloc(length);
	struct completion_record record;
	struct command_stream stream;
	uint64_t address;

	check_status(device_row->window_reserve(cluster, "pinned", length, &address), STATUS_OK);
	command_stream_init(&stream, 9);
	append_pages(&stream, &buffer, 1);
	append_stall(&stream);
	append_read(&stream, &buffer, 3, address);
	rig_append_event(&stream, 1, false);
	rig_submit(chip->issue, &stream);
	record = rig_next_record(chip);
	check_equal(record.kind, COMPLETION_DIRECT);
	check_equal(record.tag, 3);
	check_status(device_row->window_read(cluster, address, length, seen), STATUS_OK);
	rig_fill(expected, length, 1);
	check(memcmp(seen, expected, length) == 0, "pinned memory differs");
	record = rig_next_record(chip);
	check_equal(record.kind, COMPLETION_EVENT);
	rig_drain(chip->rig);
	free(expected);
	free(seen);
}

static void host_memory_is_relayed(struct cluster *cluster)
{
	enum { LENGTH = 150000 / 16 * 16 };
	struct rig_chip *chip = rig_start_local(cluster);
	uint16_t tile = chip->geometry->worker_tiles[1];
	struct extent *extent = extent_new(LENGTH);
	struct dispatch_command write = {.kind = DISPATCH_WRITE_LINEAR,
		.write_linear = {.tile = tile, .address = RIG_DATA, .length = LENGTH}};
	struct prefetch_command relay = {
		.kind = PREFETCH_RELAY_HOST, .relay_host = {.length = LENGTH}};
	struct command_stream stream;

	check_status(
		device_row->window_reserve(cluster, "pinned", LENGTH, &relay.relay_host.address),
		STATUS_OK);
	rig_fill(extent->bytes, LENGTH, 77);
	device_row->window_write(cluster, relay.relay_host.address, span_of(extent));
	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	command_stream_prefetch(&stream, &relay);
	rig_run(chip, &stream, 1);
	rig_check_bytes(chip, tile, RIG_DATA, LENGTH, 77);
	extent_release(extent);
}

/* Writes binaries to DRAM. The prefetcher reads them into its cache once, and relays them to
 * workers several times. */
static void the_kernel_cache_is_filled_once_and_relayed(struct cluster *cluster)
{
	static const struct buffer buffer = {.base = 0x10000, .page_bytes = 2048, .pages = 30};
	enum { LENGTH = 2048 * 30 - 512 };
	struct rig_chip *chip = rig_start_local(cluster);
	struct dispatch_command write = {.kind = DISPATCH_WRITE_MULTICAST,
		.write_multicast = {.rect = {0, 0, 1, 1}, .length = LENGTH, .offset = 2}};
	struct dispatch_command offsets = {.kind = DISPATCH_SET_OFFSETS};
	struct prefetch_command fill = {.kind = PREFETCH_FILL_CACHE,
		.fill_cache = {.pages = pages_of(&buffer), .offset = 4096}};
	struct prefetch_command relay = {
		.kind = PREFETCH_RELAY_CACHE, .relay_cache = {.offset = 4096, .length = LENGTH}};
	struct command_stream stream;

	fill.fill_cache.pages.trim_bytes = 512;
	command_stream_init(&stream, 0);
	append_pages(&stream, &buffer, 5);
	append_stall(&stream);
	command_stream_prefetch(&stream, &fill);
	for (uint32_t i = 0; i < 3; i++) {
		offsets.set_offsets.offset[1] = RIG_DATA + i * 0x10000;
		command_stream_dispatch(&stream, &offsets);
		command_stream_dispatch(&stream, &write);
		command_stream_prefetch(&stream, &relay);
	}
	rig_run(chip, &stream, 1);
	for (uint32_t i = 0; i < 3; i++)
		rig_check_bytes(
			chip, chip->geometry->worker_tiles[3], RIG_DATA + i * 0x10000, LENGTH, 5);
}

/* ---- traces ---- */

/* Writes a stream of prefetch commands as the pages of a trace buffer. */
static uint32_t append_trace(
	struct command_stream *stream, struct command_stream *trace, const struct buffer *place)
{
	struct prefetch_command end = {.kind = PREFETCH_EXECUTE_END};
	struct dispatch_command write = {.kind = DISPATCH_WRITE_PAGED,
		.write_paged = {.base = place->base, .page_bytes = place->page_bytes}};
	struct extent *extent;

	command_stream_prefetch(trace, &end);
	write.write_paged.pages =
		((uint32_t)trace->bytes + place->page_bytes - 1) / place->page_bytes;
	extent = extent_new(write.write_paged.pages * place->page_bytes);
	memset(extent->bytes, 0, extent->length);
	check_status(command_stream_read(trace, 0, trace->bytes, extent->bytes), STATUS_OK);
	command_stream_dispatch(stream, &write);
	command_stream_data(stream, span_of(extent), MEMORY_CACHED);
	extent_release(extent);
	return write.write_paged.pages * place->page_bytes - (uint32_t)trace->bytes;
}

static void a_trace_runs_as_often_as_it_is_executed(struct cluster *cluster)
{
	static const struct buffer place = {.base = 0x40000, .page_bytes = 1024};
	struct rig_chip *chip = rig_start_local(cluster);
	struct rig_program program = {
		.id = 9, .kernel_bytes = 5000, .unique_args = 20, .common_args = 2, .seed = 1};
	struct dispatch_command nothing = {.kind = DISPATCH_WAIT};
	struct prefetch_command execute = {.kind = PREFETCH_EXECUTE,
		.execute = {.base = place.base, .page_bytes = place.page_bytes}};
	struct command_stream stream, trace;

	command_stream_init(&trace, 0);
	for (uint8_t slot = 0; slot < 3; slot++)
		rig_append_program(&trace, chip, &program, slot);
	command_stream_init(&stream, 0);
	execute.execute.trim_bytes = append_trace(&stream, &trace, &place);
	execute.execute.pages =
		((uint32_t)trace.bytes + execute.execute.trim_bytes) / execute.execute.page_bytes;
	append_stall(&stream);
	for (uint32_t i = 0; i < 4; i++)
		command_stream_prefetch(&stream, &execute);
	command_stream_dispatch(&stream, &nothing);
	rig_append_event(&stream, 1, true);
	rig_submit(chip->issue, &stream);
	command_stream_fini(&trace);
	rig_wait_event(chip, 1);
	rig_drain(chip->rig);
	check_equal(rig_result(chip, 2).launches, 12);
	check_equal(rig_result(chip, 2).checksum, rig_checksum(&program, 2));
}

static void words_are_written_incremented_and_waited_for(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	uint16_t dispatcher = chip->geometry->dispatch_tiles[5];
	uint32_t word = chip->dispatch.event_words;
	struct dispatch_command write = {.kind = DISPATCH_WRITE_WORD,
		.write_word = {.tile = dispatcher, .address = word, .value = 5}};
	struct dispatch_command wait = {.kind = DISPATCH_WAIT,
		.flags = DISPATCH_WORD,
		.wait = {.address = word, .value = 12}};
	struct command_stream stream;

	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &write);
	write.flags = DISPATCH_ADD;
	write.write_word.value = 7;
	command_stream_dispatch(&stream, &write);
	command_stream_dispatch(&stream, &wait);
	rig_run(chip, &stream, 1);
	check_equal(rig_inspect_word(chip, dispatcher, word), 12);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(programs_run_with_the_arguments_in_l1, one_chip),
		ROW_CASE(pipelines_take_what_the_closed_form_says, one_chip),
		ROW_CASE(pipelines_over_single_pages_do_so_too, one_chip),
		ROW_CASE(an_idle_go_is_acknowledged_without_a_launch, one_chip),
		ROW_CASE(long_writes_arrive_whole, one_chip),
		ROW_CASE(buffers_are_read_as_they_were_written, one_chip),
		ROW_CASE(direct_reads_go_to_their_address, one_chip),
		ROW_CASE(host_memory_is_relayed, one_chip),
		ROW_CASE(the_kernel_cache_is_filled_once_and_relayed, one_chip),
		ROW_CASE(a_trace_runs_as_often_as_it_is_executed, one_chip),
		ROW_CASE(words_are_written_incremented_and_waited_for, one_chip),
	};

	return ROW_RUN_SUITE("firmware of one chip", cases);
}
