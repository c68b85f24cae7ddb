/* Tests that the simulated fabric takes as long as formulas say. Tests single hops, chains of hops,
 * multicasts along a line, rates, rings, 2D fabrics, and several parallel links. */

#include "test.h"

#include "check.h"
#include "engine/server.h"
#include "sim_chip.h"

enum { WORD = 0x40, BULK = 0x8000, CHIPS_MAX = 8 };

static const struct test_cluster line_of_6 = {.rows = 1, .columns = 6, .pcie = TEST_PCIE_LEFT};
static const struct test_cluster ring_of_6 = {
	.rows = 1, .columns = 6, .pcie = TEST_PCIE_LEFT, .wrap = true};

/* State of a case, in its child process. */
static struct {
	struct cluster *cluster;
	uint16_t tile; /* receiving tile on every chip */
	struct script senders[4], receivers[CHIPS_MAX];
	int64_t sent_ps, at_ps[CHIPS_MAX];
} one;

static void note_time(struct script *script)
{
	one.at_ps[script->number] = engine_now();
}

static void begin(struct cluster *cluster)
{
	one.cluster = cluster;
	one.tile = device_row->info(cluster)->chips[0].geometry->worker_tiles[0];
}

/* Records the time at which the word of chip `chip` reaches `value`. */
static void listen(uint16_t chip, const struct action *action)
{
	struct script *script = &one.receivers[chip];

	script_init(script, device_row->chip(one.cluster, chip), one.tile, action, 1);
	script->cost = 0;
	script->idle = true;
	script->number = chip;
	script_start(script);
}

static void send(struct script *script)
{
	struct span span = span_of(extent_new_elided(script->number));

	if (script->round == 0)
		one.sent_ps = engine_now();
	device_row->fabric_write(&script->stage, script->tree, one.tile, BULK, span, WORD, 1);
	span_release(span);
}

/* Stage `i` of chip 0 plays an action that sends packets of `bytes` along the tree. */
static void play(uint32_t i, const struct action *action, struct fabric_tree *tree, uint32_t bytes)
{
	struct script *script = &one.senders[i];
	struct device *device = device_row->chip(one.cluster, tree->nodes[0].chip);

	script_init(script, device,
		device_row->info(one.cluster)->chips[0].geometry->dispatch_tiles[i], action, 1);
	script->cost = 0;
	script->tree = tree;
	script->number = bytes;
	script_start(script);
}

/* ---- latencies, from the constants of sim_chip.h ---- */

static int64_t copy_ps(uint32_t bytes, uint32_t header)
{
	return server_transfer_ps(bytes + header, UINT64_C(32000000000));
}

static int64_t wire_ps(uint32_t bytes, uint32_t header)
{
	uint32_t packets = (bytes + header + 1499) / 1500;

	return server_transfer_ps(bytes + header + 50 * packets, UINT64_C(12500000000));
}

/* From worker to worker over one hop, with the increment after the bytes. */
static int64_t one_hop_ps(uint32_t bytes, uint32_t header)
{
	return (80 + 40 + 500 + 50 + 100 + 70) * NS + 2 * copy_ps(bytes, header) +
	       wire_ps(bytes, header);
}

/* Returns the cost of each further hop. */
static int64_t next_hop_ps(uint32_t bytes, uint32_t header)
{
	return (50 + 90 + 40 + 500) * NS + copy_ps(bytes, header) + wire_ps(bytes, header);
}

static const struct action once[] = {{.on = STAGE_WAIT_FABRIC, .run = send}};
static const struct action on_1[] = {
	{.on = STAGE_WAIT_WORD, .address = WORD, .value = 1, .run = note_time}};

static const uint16_t chips[] = {0, 1, 2, 3, 4, 5};

static void hops(struct cluster *cluster)
{
	static const uint32_t sizes[] = {0, 16, 1450, 4096};

	begin(cluster);
	for (uint16_t last = 1; last < 6; last++) {
		struct action wait = on_1[0];
		int64_t begin_ps = engine_now();

		wait.value = 1;
		listen(last, &wait);
		play(0, once, sim_chip_line(chips, last + 1, 1u << last), sizes[last % 4]);
		sim_chip_drain(cluster);
		check_equal(one.at_ps[last] - begin_ps,
			one_hop_ps(sizes[last % 4], 50) +
				(last - 1) * next_hop_ps(sizes[last % 4], 50));
	}
}

TEST(a_packet_is_stored_and_forwarded_over_n_hops)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = hops});
}

/* ---- order of deliveries ---- */

/* Sends a packet with bytes, then one without. */
static void send_big_and_small(struct script *script)
{
	uint32_t bytes = script->round == 0 ? 4096 : 0;
	struct span span = bytes > 0 ? span_of(extent_new_elided(bytes)) : (struct span){0};

	device_row->fabric_write(&script->stage, script->tree, one.tile, BULK, span, WORD,
		script->round == 0 ? 1 : 0x100);
	span_release(span);
}

/* A neighbour sends 200 KB to the tile. This keeps the tile busy for 6 us. */
static void flood(struct script *script)
{
	struct span span = span_of(extent_new_elided(200000));

	device_row->noc_write(&script->stage, one.tile, 2 * BULK, span);
	span_release(span);
}

static void note_word(struct script *script)
{
	one.sent_ps = device_row->word(&script->stage, WORD);
}

static void big_then_small(struct cluster *cluster)
{
	static const struct action both[] = {
		{.on = STAGE_WAIT_FABRIC, .run = send_big_and_small, .repeat = 2}};
	static const struct action first[] = {{.run = flood}};
	static const struct action wait[] = {
		{.on = STAGE_WAIT_WORD, .address = WORD, .value = 0x100, .run = note_word}};
	struct script beside;

	begin(cluster);
	listen(1, wait);
	SCRIPT_INIT(&beside, device_row->chip(cluster, 1),
		device_row->info(cluster)->chips[1].geometry->dispatch_tiles[0], first);
	script_start(&beside);
	play(0, both, sim_chip_line(chips, 2, 1u << 1), 0);
	sim_chip_drain(cluster);
	check_equal(one.sent_ps, 0x101);
}

TEST(a_small_packet_is_delivered_behind_the_big_one_before_it)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = big_then_small});
}

static void hops_2d(struct cluster *cluster)
{
	begin(cluster);
	listen(4, on_1);
	play(0, once, sim_chip_line(chips, 5, 1u << 4), 4096);
	sim_chip_drain(cluster);
	/* A third each before and after the link, and where the packet is forwarded. */
	check_equal(one.at_ps[4],
		one_hop_ps(4096, 100) + 3 * next_hop_ps(4096, 100) + (4 * 100 + 3 * 50) * NS);
}

TEST(two_dimensional_routing_costs_more_per_hop_and_has_a_larger_header)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6,
		.options = {.topology = SIM_TOPOLOGY_MESH},
		.body = hops_2d});
}

static void hops_ring(struct cluster *cluster)
{
	begin(cluster);
	listen(3, on_1);
	play(0, once, sim_chip_line(chips, 4, 1u << 3), 256);
	sim_chip_drain(cluster);
	check_equal(one.at_ps[3], one_hop_ps(256, 50) + 2 * next_hop_ps(256, 50) + 3 * 110 * NS);
}

TEST(a_ring_costs_more_per_hop)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &ring_of_6,
		.options = {.topology = SIM_TOPOLOGY_RING},
		.body = hops_ring});
}

/* A router that both delivers and forwards copies the packet twice, first for its own chip. */
static void multicast(struct cluster *cluster)
{
	struct sim_conservation bytes;

	begin(cluster);
	for (uint16_t chip = 1; chip < 6; chip++)
		listen(chip, on_1);
	play(0, once, sim_chip_line(chips, 6, 0x3e), 2048);
	sim_chip_drain(cluster);
	for (uint16_t chip = 1; chip < 6; chip++)
		check_equal(one.at_ps[chip],
			one_hop_ps(2048, 50) +
				(chip - 1) * (next_hop_ps(2048, 50) + copy_ps(2048, 50)));
	sim_conservation(cluster, &bytes);
	check_equal(bytes.fabric_sent_bytes, 5 * 2048);
	check_equal(bytes.fabric_delivered_bytes, 5 * 2048);
	for (uint32_t i = 0; i < sim_link_count(cluster); i++) {
		struct sim_link_statistics link;

		sim_link_statistics(cluster, i, &link);
		check_equal(link.packets, link.to == link.from + 1 && link.index == 0);
		check_equal(link.payload_bytes, link.packets * 2048);
		check_equal(link.wire_bytes, link.packets * (2048 + 50 + 2 * 50));
		check_equal(link.busy_ps, (int64_t)link.packets * wire_ps(2048, 50));
	}
}

TEST(a_multicast_goes_down_a_line_once)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = multicast});
}

/* ---- rates: 100 packets over one hop ---- */

enum { PACKETS = 100 };

static const struct action many[] = {{.on = STAGE_WAIT_FABRIC, .run = send, .repeat = PACKETS}};
static const struct action on_many[] = {
	{.on = STAGE_WAIT_WORD, .address = WORD, .value = PACKETS, .run = note_time}};
static const struct action on_twice_many[] = {
	{.on = STAGE_WAIT_WORD, .address = WORD, .value = 2 * PACKETS, .run = note_time}};

static uint32_t packet_bytes;
static int64_t period_ps;
static bool flushed;

static void rate(struct cluster *cluster)
{
	struct fabric_tree *tree = sim_chip_line(chips, 2, 2);

	tree->flush = flushed;
	begin(cluster);
	listen(1, on_many);
	play(0, many, tree, packet_bytes);
	sim_chip_drain(cluster);
	check_equal(one.at_ps[1] - one.sent_ps,
		one_hop_ps(packet_bytes, 50) + (PACKETS - 1) * period_ps);
}

static void both_ways(struct cluster *cluster)
{
	begin(cluster);
	listen(1, on_many);
	play(0, many, sim_chip_line(chips, 2, 2), 512);
	play(1, many, sim_chip_line((const uint16_t[]){1, 0}, 2, 2), 512);
	sim_chip_drain(cluster);
	check_less((PACKETS - 2) * (100 + 120) * NS, one.at_ps[1] - one.sent_ps);
}

static struct chip_constants plenty_of_slots(void)
{
	struct chip_constants constants = sim_chip_constants();

	constants.router_sender_slots = constants.router_receiver_slots = 64;
	return constants;
}

static void check_case(const struct chip_constants *constants, void (*body)(struct cluster *))
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &line_of_6, .constants = constants, .body = body});
}

static void with_plenty_of_slots(void (*body)(struct cluster *cluster))
{
	struct chip_constants constants = plenty_of_slots();

	check_case(&constants, body);
}

/* Checks that packets of `bytes` on a line arrive every `expected_ps`. */
static void check_rate(const struct chip_constants *constants, uint32_t bytes, int64_t expected_ps)
{
	packet_bytes = bytes;
	period_ps = expected_ps;
	check_case(constants, rate);
}

TEST(big_packets_are_bound_by_the_wire)
{
	struct chip_constants constants = plenty_of_slots();

	check_rate(&constants, 4046, wire_ps(4046, 50));
}

TEST(small_packets_are_bound_by_the_sending_processor)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_receive_ns = 0; /* delivery and increment take 30 each: less */
	check_rate(&constants, 512, 100 * NS);
}

/* For each packet, the receiving processor needs 60 ns to receive it, 30 ns to deliver it, and 30
 * ns for its increment. */
TEST(small_packets_are_bound_by_the_receiving_processor)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_send_ns = 20;
	check_rate(&constants, 512, (60 + 30 + 30) * NS);
}

/* An increment waits until the write of its packet is done. So each packet after the first takes
 * longer by 70 ns and the time of the copy. The first packet takes no longer than without this
 * wait. */
TEST(an_increment_that_waits_for_its_write_costs_rate_not_latency)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_send_ns = 20;
	flushed = true;
	check_rate(&constants, 512, (60 + 30 + 30 + 70) * NS + copy_ps(512, 50));
	flushed = false;
}

TEST(an_end_of_a_link_sends_and_receives_in_turns)
{
	with_plenty_of_slots(both_ways);
}

/* Each direction is as fast as if it were used alone: 120 ns for a packet, the time that its
 * receiver needs. */
static void both_ways_at_once(struct cluster *cluster)
{
	begin(cluster);
	listen(1, on_many);
	play(0, many, sim_chip_line(chips, 2, 2), 512);
	play(1, many, sim_chip_line((const uint16_t[]){1, 0}, 2, 2), 512);
	sim_chip_drain(cluster);
	check_equal(one.at_ps[1] - one.sent_ps,
		one_hop_ps(512, 50) + (PACKETS - 1) * (60 + 30 + 30) * NS);
}

TEST(an_end_with_two_processors_sends_and_receives_at_once)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_processors = 2;
	check_case(&constants, both_ways_at_once);
}

/* A worker has one slot. It sends the next packet when the previous one has been acknowledged. */
TEST(a_worker_waits_until_its_slot_is_acknowledged)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_sender_slots = 1;
	check_rate(&constants, 512, copy_ps(512, 50) + (80 + 40) * NS + wire_ps(512, 50));
	constants.router_sender_latency_ns = 900;
	check_rate(&constants, 512, copy_ps(512, 50) + (80 + 40 + 900) * NS + wire_ps(512, 50));
}

TEST(packets_are_bound_by_the_handover_of_the_worker)
{
	struct chip_constants constants = plenty_of_slots();

	constants.router_handover_ns = 180;
	check_rate(&constants, 512, 180 * NS + copy_ps(512, 50));
}

/* The limit is slots, not bytes: four at the receiver, each occupied until its credit returns. */
static int64_t slot_round_trip_ps(uint32_t bytes)
{
	return (40 + 500 + 50 + 550) * NS + wire_ps(bytes, 50) + copy_ps(bytes, 50);
}

static void one_slot(struct cluster *cluster)
{
	struct sim_link_statistics link;

	period_ps = slot_round_trip_ps(packet_bytes);
	rate(cluster);
	sim_link_statistics(cluster, 0, &link);
	check_equal(link.to, 1);
	check_equal(link.slots_high_water, 1);
	check_equal(link.blocked, PACKETS - 1);
	check_equal(
		link.blocked_ps, (PACKETS - 1) * (period_ps - 40 * NS - wire_ps(packet_bytes, 50)));
}

TEST(without_a_free_slot_the_next_packet_waits_for_the_credit)
{
	struct chip_constants constants = sim_chip_constants();

	constants.router_receiver_slots = 1;
	constants.ring_free_slots = 1;
	packet_bytes = 1024;
	check_case(&constants, one_slot);
}

/* Each receiver in the ring has two slots. A packet may enter the ring only if both slots of the
 * next receiver are free. So packets follow each other as slowly as on a line where each receiver
 * has only one slot. */
static void ring_of_two_slots(struct cluster *cluster)
{
	begin(cluster);
	listen(1, on_many);
	play(0, many, sim_chip_line(chips, 2, 2), 1024);
	sim_chip_drain(cluster);
	check_equal(one.at_ps[1] - one.sent_ps,
		one_hop_ps(1024, 50) + 110 * NS +
			(PACKETS - 1) * (slot_round_trip_ps(1024) + 110 * NS));
}

TEST(entering_a_ring_takes_two_free_slots)
{
	sim_chip_small_ring(ring_of_two_slots);
}

/* ---- several flows ---- */

static void play_two(struct cluster *cluster, struct fabric_tree *first, struct fabric_tree *second)
{
	begin(cluster);
	listen(1, on_twice_many);
	play(0, many, first, 4046);
	play(1, many, second, 4046);
	sim_chip_drain(cluster);
}

/* Both flows use one tree, and so one link. */
static void two_flows_one_link(struct cluster *cluster)
{
	struct fabric_tree *tree = sim_chip_line(chips, 2, 2);

	play_two(cluster, tree, tree);
	check_equal(one.at_ps[1], one_hop_ps(4046, 50) + (2 * PACKETS - 1) * wire_ps(4046, 50));
}

TEST(two_flows_over_one_link_take_twice_as_long)
{
	with_plenty_of_slots(two_flows_one_link);
}

/* Each flow has its own tree: trees are spread over the two links of the connection. */
static void two_flows_two_links(struct cluster *cluster)
{
	play_two(cluster, sim_chip_line(chips, 2, 2), sim_chip_line(chips, 2, 2));
	check_at_most(one.at_ps[1],
		one_hop_ps(4046, 50) + copy_ps(4046, 50) + (PACKETS - 1) * wire_ps(4046, 50));
}

TEST(trees_are_spread_over_parallel_links)
{
	with_plenty_of_slots(two_flows_two_links);
}

static void two_flows_ideal(struct cluster *cluster)
{
	play_two(cluster, sim_chip_line(chips, 2, 2), sim_chip_line(chips, 2, 2));
	check_equal(one.at_ps[1], one_hop_ps(4046, 50) + (PACKETS - 1) * wire_ps(4046, 50));
}

TEST(with_the_ideal_network_each_flow_has_the_way_for_itself)
{
	sim_chip_case(&(struct sim_chip_setup){
		.cluster = &line_of_6, .options = {.network = "ideal"}, .body = two_flows_ideal});
}

TEST_MAIN(NULL, NULL)
