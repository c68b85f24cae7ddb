/* Tests the queues between host and firmware, in the native and the simulated world. Queues wrap,
 * serve several readers, and report when they are full. */
#include <stdlib.h>

#include "check.h"
#include "rig.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

static const struct test_cluster three_chips = {
	.rows = 1, .columns = 3, .worker_columns = 2, .worker_rows = 1};

static void queues_wrap_many_times(struct cluster *cluster)
{
	enum { EVENTS = 3000 };
	struct rig_chip *chip = rig_start_local(cluster);
	struct completion_record record;
	struct command_stream stream;
	uint32_t seen = 0;

	for (uint32_t i = 1; i <= EVENTS; i++) {
		command_stream_init(&stream, i);
		rig_append_write(
			&stream, chip->geometry->worker_tiles[0], RIG_DATA, 1 + i * 37 % 900, i);
		rig_append_event(&stream, i, false);
		rig_submit(chip->issue, &stream);
		while (completion_queue_try(chip->completion, &record) == STATUS_OK)
			check_equal(record.tag, ++seen);
	}
	while (seen < EVENTS) {
		record = rig_next_record(chip);
		check_equal(record.kind, COMPLETION_EVENT);
		check_equal(record.chip, 0);
		check_equal(record.operation, record.tag);
		check_equal(record.tag, ++seen);
	}
	rig_drain(chip->rig);
	rig_check_bytes(
		chip, chip->geometry->worker_tiles[0], RIG_DATA, 1 + EVENTS * 37 % 900, EVENTS);
}

enum { HELD_NS = 2000000 };

/* Releases the chip whose dispatcher waits for a word of its tile. */
static void release_late(void *held)
{
	const struct rig_chip *chip = held;

	world->sleep_until(world->now_ns() + HELD_NS);
	device_row->post_word(chip->device, chip->dispatcher->tile, chip->dispatch.event_words, 1);
}

/* Three prefetchers read one issue queue. The slowest prefetcher is held up for longer than it
 * takes to fill the queue, so the host must wait for it. */
static void one_issue_queue_serves_several_prefetchers(struct cluster *cluster)
{
	enum { ROUNDS = 200, CHIPS = 3 };
	struct dispatch_command wait = {
		.kind = DISPATCH_WAIT, .flags = DISPATCH_WORD, .wait = {.value = 1}};
	struct rig *rig = rig_init(cluster);
	struct rig_chip *slow = &rig->chips[CHIPS - 1];
	struct command_stream stream;
	struct thread *thread;

	rig_start(rig);
	rig_local_shared(rig, CHIPS);
	wait.wait.address = slow->dispatch.event_words;
	for (struct rig_chip *chip = rig->chips; chip < slow; chip++)
		device_row->post_word(chip->device, chip->dispatcher->tile, wait.wait.address, 1);
	thread = world->spawn("release", (struct affinity){.core = -1}, release_late, slow);
	command_stream_init(&stream, 0);
	command_stream_dispatch(&stream, &wait);
	rig_submit(slow->issue, &stream);
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		command_stream_init(&stream, 0);
		rig_append_write(&stream, rig->chips[0].geometry->worker_tiles[0], RIG_DATA,
			40000 + 16 * i, i);
		rig_append_event(&stream, i, true);
		rig_submit(rig->chips[0].issue, &stream);
	}
	world->join(thread);
	for (uint32_t i = 0; i < CHIPS; i++)
		rig_wait_event(&rig->chips[i], ROUNDS);
	rig_drain(rig);
	for (uint32_t i = 0; i < CHIPS; i++)
		rig_check_bytes(&rig->chips[i], rig->chips[i].geometry->worker_tiles[0], RIG_DATA,
			40000 + 16 * ROUNDS, ROUNDS);
}

/* Without a reader the queue fills up, and the call reports that. */
static void a_full_issue_queue_times_out(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct issue_queue_config config = {.cluster = cluster,
		.name = "nobody's",
		.ring_bytes = 8192,
		.entry_bytes_max = 4096,
		.fetch_entries = 16,
		.reader_count = 1,
		.mode = WAIT_PARK};
	struct issue_queue *queue;
	uint64_t address;

	rig_start(rig);
	config.readers = &(struct issue_reader){device_row->chip(cluster, 0),
		rig->info->chips[0].geometry->dispatch_tiles[0], 0x100};
	check_status(issue_queue_new(&config, &queue), STATUS_OK);
	for (uint32_t i = 0; i < 2; i++) {
		check_status(issue_queue_reserve(queue, 4096, world->now_ns() + 1000, &address),
			STATUS_OK);
		check_equal(address, issue_queue_ring(queue) + 4096 * i);
		issue_queue_post(queue, 1, true);
	}
	check_status(
		issue_queue_reserve(queue, 16, world->now_ns() + 1000, &address), STATUS_TIMEOUT);
	issue_queue_free(queue);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(queues_wrap_many_times, one_chip),
		ROW_CASE(a_full_issue_queue_times_out, one_chip),
		ROW_CASE(one_issue_queue_serves_several_prefetchers, three_chips),
	};

	return ROW_RUN_SUITE("queues of the firmware", cases);
}
