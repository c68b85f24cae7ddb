/* Tests connections between the native clusters of several processes (world/links.h). Packets,
 * reads and increments reach chips of another cluster in the same way as chips of the own cluster.
 * In this test, both clusters are in one process, but they communicate only over their connection.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "deadline.h"
#include "script.h"
#include "test_cluster.h"
#include "test_folder.h"
#include "test_key.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum {
	HALF = 2,
	CHIPS = 2 * HALF,
	WORD_COUNT = 0x40,
	WORD_NUMBER = 0x44,
	WORD_GO = 0x80,
	RING = 0x8000,
	PACKETS = 1500, /* more than a quota, and than a window of chunks */
	BYTES = 512,
	READS = 24,
	READ_BYTES = 96,
	SOON_MS = 10000,
};

static const struct test_cluster line_of_4 = {.rows = 1, .columns = CHIPS, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster line_of_2 = {.rows = 1, .columns = HALF, .pcie = TEST_PCIE_LEFT};

/* The machine's chips are 0 1 | 2 3. The tree of `from` and `to` leads along the line. */
struct end {
	struct cluster_info *info;
	struct cluster *cluster;
	struct links *links;
	enum status status; /* of joining */
	struct text why;
	uint32_t lost; /* atomic: calls of `lost` */
	char how[96], address[128];
	const char *addresses[2];
};

static struct cluster_info *machine;
static struct end ends[2];
static struct fabric_node nodes[CHIPS][CHIPS][CHIPS];
static struct fabric_tree trees[CHIPS][CHIPS];

static int64_t in_ms(int64_t ms)
{
	return world->now_ns() + ms * 1000000;
}

static struct fabric_tree *tree_of(uint16_t from, uint16_t to)
{
	struct fabric_tree *tree = &trees[from][to];
	struct fabric_node *at = nodes[from][to];
	uint16_t count = 0;

	for (uint16_t chip = from;; chip = (uint16_t)(to > chip ? chip + 1 : chip - 1)) {
		at[count] = (struct fabric_node){.chip = chip,
			.parent = count ? (uint16_t)(count - 1) : 0,
			.first_child = (uint16_t)(count + 1),
			.child_count = chip != to,
			.deliver = chip == to};
		count++;
		if (chip == to)
			break;
	}
	*tree = (struct fabric_tree){
		.node_count = count, .deliver_count = 1, .of_machine = true, .nodes = at};
	return tree;
}

static struct device *chip_of(uint16_t chip)
{
	return device_row->chip(ends[chip / HALF].cluster, chip % HALF);
}

static uint16_t links_worker(uint32_t index)
{
	return script_worker(ends[0].cluster, index);
}

static void lose(void *context, uint32_t host, const char *why)
{
	struct end *end = context;

	snprintf(end->how, sizeof end->how, "host %u: %s", host, why);
	__atomic_add_fetch(&end->lost, 1, __ATOMIC_ACQ_REL);
}

static void join(void *context)
{
	struct end *end = context;

	end->status = native_links.join(end->links, end->addresses, in_ms(SOON_MS), &end->why);
}

static struct links_settings settings_of(uint32_t host, const char *transport)
{
	static uint32_t count;
	struct end *end = &ends[host];
	bool local = strcmp(transport, "unix") == 0;

	if (local)
		snprintf(end->address, sizeof end->address, "%.96s/l-%d-%u", test_folder(),
			(int)getpid(), count++);
	else
		snprintf(end->address, sizeof end->address, "127.0.0.1:0");
	return (struct links_settings){.transport = transport_find(transport)->ops,
		.channel = {.address = end->address, .session = 5, .key = test_key()},
		.host = host,
		.host_count = 2,
		.lost = lose,
		.context = end};
}

static void open_end(uint32_t host, const char *transport)
{
	struct links_settings settings = settings_of(host, transport);
	struct end *end = &ends[host];

	*end = (struct end){.info = test_cluster_info_new(&line_of_2), .why = {0}};
	settings = settings_of(host, transport);
	end->info->machine = machine;
	end->info->machine_first = (uint16_t)(host * HALF);
	end->cluster = native_cluster_new(end->info);
	check(end->cluster != NULL, "no memory for the chips of host %u", host);
	check_status(native_links.open(end->cluster, &settings, &end->links, &end->why), STATUS_OK);
}

static void start(void)
{
	deadline_start("connections between clusters");
	world = &native_world;
	device_row = &native_device;
	native_world_start(NULL);
	machine = test_cluster_info_new(&line_of_4);
}

static void open_both(const char *transport)
{
	struct thread *threads[2];

	start();
	for (uint32_t i = 0; i < 2; i++)
		open_end(i, transport);
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t k = 0; k < 2; k++)
			ends[i].addresses[k] = native_links.address(ends[k].links);
	for (uint32_t i = 0; i < 2; i++)
		threads[i] = world->spawn("joins", (struct affinity){0, -1}, join, &ends[i]);
	for (uint32_t i = 0; i < 2; i++) {
		world->join(threads[i]);
		check(ends[i].status == STATUS_OK, "host %u: %s", i, text_string(&ends[i].why));
	}
}

static void free_end(struct end *end)
{
	native_links.close(end->links);
	native_cluster_free(end->cluster);
	test_cluster_info_free(end->info);
	text_fini(&end->why);
}

static void close_both(void)
{
	native_links.close(ends[0].links);
	for (uint32_t i = 0; i < 2; i++)
		free_end(&ends[i]);
	for (uint32_t i = 0; i < 2; i++)
		check_equal(ends[i].lost, 0);
	test_cluster_info_free(machine);
	deadline_stop();
}

/* The sender's cluster comes to rest only when its packets have been applied. */
static void drain(uint32_t first)
{
	check_status(device_row->drain(ends[first].cluster, DEADLINE_NEVER), STATUS_OK);
	check_status(device_row->drain(ends[1 - first].cluster, DEADLINE_NEVER), STATUS_OK);
}

static uint32_t word_of(uint16_t chip, uint32_t address)
{
	uint32_t word;

	check_status(
		device_row->inspect(chip_of(chip), links_worker(0), address, 4, &word), STATUS_OK);
	return word;
}

/* ---- writes ---- */

/* Sends one packet of a pair. The first packet of the pair writes the number of the pair: as a
 * word, or, for odd pairs, as one of two scattered words. The second packet writes BYTES bytes with
 * this number, and increments the count of pairs. */
static void send_numbered(struct script *script)
{
	static const uint32_t addresses[2] = {WORD_NUMBER, RING};
	struct extent *extent = extent_new(BYTES);
	uint32_t number = script->round / 2;
	uint16_t tile = links_worker(0);

	for (uint32_t i = 0; i < BYTES; i += 4)
		memcpy(extent->bytes + i, &number, 4);
	if (script->round % 2)
		device_row->fabric_write(&script->stage, script->tree, tile, RING + BYTES,
			span_of(extent), WORD_COUNT, 1);
	else if (number % 2)
		device_row->fabric_scatter(&script->stage, script->tree, tile, addresses, 2,
			span_part(span_of(extent), 0, 8));
	else
		device_row->fabric_write(&script->stage, script->tree, tile, WORD_NUMBER,
			span_part(span_of(extent), 0, 4), 0, 0);
	extent_release(extent);
}

/* All packets up to number `round` must have arrived completely. Later packets may have arrived,
 * too. */
static void check_numbered(struct script *script)
{
	uint32_t bytes[BYTES / 4], number = script->round;

	check(device_row->word(&script->stage, WORD_NUMBER) >= number, "packet %u came before %u",
		number, device_row->word(&script->stage, WORD_NUMBER));
	check_status(
		device_row->load(&script->stage, RING + BYTES, sizeof bytes, bytes), STATUS_OK);
	check(bytes[0] >= number, "the bytes of packet %u came before those of %u", number,
		bytes[0]);
	check_equal(bytes[0], bytes[BYTES / 4 - 1]);
}

/* Chips 0 and 1 of one host send to chips 3 and 2 of the other, and back, all at the same time. */
static void packets_cross(const char *transport)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_numbered, .repeat = 2 * PACKETS}};
	static const struct action receive[] = {{.on = STAGE_WAIT_WORD,
		.address = WORD_COUNT,
		.value = 1,
		.run = check_numbered,
		.repeat = PACKETS}};
	static struct script senders[CHIPS], receivers[CHIPS];

	open_both(transport);
	for (uint16_t chip = 0; chip < CHIPS; chip++) {
		SCRIPT_INIT(&receivers[chip], chip_of(chip), links_worker(0), receive);
		script_start(&receivers[chip]);
		SCRIPT_INIT(&senders[chip], chip_of(chip), links_worker(1), send);
		senders[chip].tree = tree_of(chip, (uint16_t)(CHIPS - 1 - chip));
		senders[chip].ends = true;
		script_start(&senders[chip]);
	}
	drain(0);
	drain(1);
	for (uint16_t chip = 0; chip < CHIPS; chip++) {
		check_equal(word_of(chip, WORD_COUNT), PACKETS);
		check_equal(word_of(chip, WORD_NUMBER), PACKETS - 1);
		check_equal(receivers[chip].round, 0);
		check_equal(receivers[chip].at, 1);
	}
	close_both();
}

TEST(packets_arrive_whole_and_in_order_over_tcp)
{
	packets_cross("tcp");
}

TEST(packets_arrive_whole_and_in_order_over_local_sockets)
{
	packets_cross("unix");
}

static void send_forms(struct script *script)
{
	struct span span = {.length = 64};

	if (script->round == 1)
		span = span_of(extent_new_elided(64));
	device_row->fabric_write(&script->stage, script->tree, links_worker(0),
		RING + 64 * script->round, span, WORD_COUNT, (uint32_t)(script->round ? -2 : 5));
	span_release(span);
}

/* Bytes may be zeros, or not simulated. */
TEST(forms_of_bytes_stay_what_they_are)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_forms, .repeat = 2}};
	static struct script sender;
	uint8_t seen[64];

	open_both("tcp");
	SCRIPT_INIT(&sender, chip_of(1), links_worker(1), send);
	sender.tree = tree_of(1, 2);
	script_start(&sender);
	drain(0);
	check_equal(word_of(2, WORD_COUNT), 3);
	check_status(device_row->inspect(chip_of(2), links_worker(0), RING, 64, seen), STATUS_OK);
	check_equal(seen[63], 0);
	check_status(device_row->inspect(chip_of(2), links_worker(0), RING + 64, 64, seen),
		STATUS_ELIDED);
	close_both();
}

/* ---- reads ---- */

static uint8_t read_byte(uint32_t at)
{
	return (uint8_t)(at * 7 + at / 256);
}

static void fill(struct script *script)
{
	struct extent *extent = extent_new(READS * READ_BYTES);

	for (uint32_t i = 0; i < READS * READ_BYTES; i++)
		extent->bytes[i] = read_byte(i);
	device_row->store_span(&script->stage, RING, span_of(extent));
	extent_release(extent);
}

/* Reads begin after each other, and are all on their way at the same time. */
static void read_piece(struct script *script)
{
	device_row->fabric_read(&script->stage, script->tree, links_worker(0),
		RING + script->round * READ_BYTES, READ_BYTES, RING + script->round * READ_BYTES);
}

static void check_read(struct script *script)
{
	uint8_t bytes[READS * READ_BYTES];

	check_status(device_row->load(&script->stage, RING, sizeof bytes, bytes), STATUS_OK);
	for (uint32_t i = 0; i < sizeof bytes; i++)
		check(bytes[i] == read_byte(i), "byte %u is %u, not %u", i, bytes[i], read_byte(i));
}

TEST(reads_of_another_host_fetch_its_bytes)
{
	static const struct action filling[] = {{.run = fill}};
	static const struct action reading[] = {
		{.on = STAGE_WAIT_FABRIC, .run = read_piece, .repeat = READS},
		{.on = STAGE_WAIT_READS, .value = READS, .run = check_read}};
	static struct script filler, readers[2];

	open_both("tcp");
	SCRIPT_INIT(&filler, chip_of(3), links_worker(0), filling);
	script_start(&filler);
	drain(1);
	for (uint16_t i = 0; i < 2; i++) {
		SCRIPT_INIT(&readers[i], chip_of(i), links_worker(2), reading);
		readers[i].tree = tree_of(i, 3);
		script_start(&readers[i]);
	}
	drain(0);
	for (uint16_t i = 0; i < 2; i++) {
		check_equal(readers[i].at, 2);
		check_equal(readers[i].stage.reads_done, READS);
	}
	close_both();
}

/* ---- hosts that are lost, or say nonsense ---- */

/* Plays host 1 to a real host 0, and sends it `count` words. Returns after host 0 has noticed. */
static void play_host(const uint32_t *words, uint32_t count, const char *expected)
{
	static const struct action send[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_numbered, .repeat = 2 * PACKETS}};
	static struct script sender;
	struct channel_settings settings = {.name = "1",
		.session = 5,
		.key = test_key(),
		.message_bytes_max = (1 << 16) + 40,
		.window = 64};
	const struct channel_ops *ops = transport_find("tcp")->ops;
	const uint32_t hello[10] = {1, HALF, 0, 0, 0, 0, 0, HALF};
	struct span message = span_copy(hello, sizeof hello);
	struct channel *channel;
	struct thread *thread;

	start();
	open_end(0, "tcp");
	ends[0].addresses[0] = ends[0].addresses[1] = native_links.address(ends[0].links);
	settings.address = ends[0].addresses[0];
	thread = world->spawn("joins", (struct affinity){0, -1}, join, &ends[0]);
	check_status(ops->join(&settings, in_ms(SOON_MS), &channel, NULL), STATUS_OK);
	check_status(ops->send(channel, message, in_ms(SOON_MS)), STATUS_OK);
	span_release(message);
	world->join(thread);
	check_status(ends[0].status, STATUS_OK);
	message = span_copy(words, count * 4);
	if (count > 0)
		check_status(ops->send(channel, message, in_ms(SOON_MS)), STATUS_OK);
	span_release(message);
	if (count == 0)
		ops->close(channel);
	while (__atomic_load_n(&ends[0].lost, __ATOMIC_ACQUIRE) == 0)
		world->sleep_until(in_ms(1));
	assert_string_equal(ends[0].how, expected);
	/* what is sent there now is dropped, and blocks no sender */
	SCRIPT_INIT(&sender, chip_of(0), links_worker(1), send);
	sender.tree = tree_of(0, 2);
	sender.ends = true;
	script_start(&sender);
	check_status(device_row->drain(ends[0].cluster, in_ms(SOON_MS)), STATUS_OK);
	check_equal(sender.at, 1);
	if (count > 0)
		ops->close(channel);
	free_end(&ends[0]);
	check_equal(ends[0].lost, 1);
	test_cluster_info_free(machine);
	deadline_stop();
}

TEST(a_host_that_ends_is_lost_and_blocks_nobody)
{
	play_host(NULL, 0, "host 1: has ended");
}

TEST(a_host_that_sends_nonsense_is_lost)
{
	static const char how[] =
		"host 1: is closed, since the host sent a packet that is not valid";
	enum { WRITE = 2, READ, ANSWER, RETURN, ZEROS = 1 << 9, ELIDED = 1 << 8, LAST = 1 << 10 };
	static const uint32_t bad[][10] = {
		{77},				     /* an unknown kind */
		{1, HALF, 0, 0, 0, 0, 0, HALF},	     /* a second greeting */
		{WRITE | ZEROS, 2, 2, 0, RING},	     /* to a chip of the sending host */
		{WRITE | ZEROS, 0, 0, 0, RING},	     /* from a chip of the receiving host */
		{WRITE | ZEROS, 0, 2, 0x3fff, RING}, /* to a tile that does not exist */
		{WRITE | ZEROS, 0, 2, 0, 0xfffffff0, 0, 0, 0, 0, 64}, /* beyond the memory */
		{WRITE | ELIDED, 0, 2, 0, WORD_COUNT, 0, 0, 0, 0, 4}, /* a word without bytes */
		{WRITE | ZEROS, 0, 2, 0, RING, 2, 1},		      /* an increment of no word */
		{WRITE, 0, 2, 0, RING, 0, 0, 0, 0, 4},		      /* bytes that are not there */
		{READ, 0, 2, 0, RING},				      /* a read of nothing */
		{ANSWER | ZEROS | LAST, 0, 2, 0, RING, 0, 0, 3},      /* an answer without a read */
		{RETURN | ZEROS, 0, 0, 0, 0, 0, 0, 1}, /* a return without a delivery */
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		play_host(bad[i], 10, how);
	play_host(bad[2], 3, how); /* a part of a record */
}

TEST_MAIN(NULL, NULL)
