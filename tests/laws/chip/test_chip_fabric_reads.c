/* Tests that reads over the fabric take the times that formulas give. The request is a packet
 * without bytes. The router at its destination reads the tile, and sends the bytes back as one
 * packet. */
#include "test.h"

#include "check.h"
#include "engine/server.h"
#include "sim_chip.h"

enum { BULK = 0x8000, CHIPS = 6 };

static const struct test_cluster line_of_6 = {.rows = 1, .columns = CHIPS, .pcie = TEST_PCIE_LEFT};
static const uint16_t line[] = {0, 1, 2, 3, 4, 5};

static struct {
	uint16_t tile; /* that is read */
	uint32_t bytes;
	int64_t done_ps;
} one;

static void reads_post(struct script *script)
{
	device_row->fabric_read(&script->stage, script->tree, one.tile, BULK, one.bytes, BULK);
}

static void reads_note(struct script *script)
{
	(void)script;
	one.done_ps = engine_now();
}

/* The time from posting a read of a chip `hops` away until it is done. */
static int64_t reads_time_ps(
	struct cluster *cluster, uint16_t hops, uint16_t tile, uint32_t bytes, uint32_t reads)
{
	static const struct action once[] = {{.on = STAGE_WAIT_FABRIC, .run = reads_post},
		{.on = STAGE_WAIT_READS, .value = 1, .run = reads_note}};
	static const struct action ten[] = {
		{.on = STAGE_WAIT_FABRIC, .run = reads_post, .repeat = 10},
		{.on = STAGE_WAIT_READS, .value = 10, .run = reads_note}};
	static struct script scripts[64];
	static uint32_t used;
	struct script *script = &scripts[used++];
	int64_t begun_ps = engine_now();

	one.tile = tile;
	one.bytes = bytes;
	script_init(script, device_row->chip(cluster, 0),
		device_row->info(cluster)->chips[0].geometry->dispatch_tiles[0],
		reads == 1 ? once : ten, 2);
	script->cost = 0;
	script->ends = true;
	script->tree = sim_chip_line(line, (uint16_t)(hops + 1), 1u << hops);
	script_start(script);
	sim_chip_drain(cluster);
	return one.done_ps - begun_ps;
}

/* ---- latencies, from the constants of sim_chip.h ---- */

static int64_t reads_copy_ps(uint32_t bytes)
{
	return server_transfer_ps(bytes + 50, UINT64_C(32000000000));
}

static int64_t reads_wire_ps(uint32_t bytes)
{
	return server_transfer_ps(
		bytes + 50 + 50 * ((bytes + 50 + 1499) / 1500), UINT64_C(12500000000));
}

/* A packet over so many hops, without an increment. */
static int64_t packet_ps(uint32_t bytes, uint32_t hops)
{
	int64_t first_ps =
		(80 + 40 + 500 + 50 + 100) * NS + 2 * reads_copy_ps(bytes) + reads_wire_ps(bytes);
	int64_t next_ps = (50 + 90 + 40 + 500) * NS + reads_copy_ps(bytes) + reads_wire_ps(bytes);

	return first_ps + (hops - 1) * next_ps;
}

/* From the router's stage to the tile and back. */
static int64_t there_and_back_ps(struct cluster *cluster, uint16_t tile)
{
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[0].geometry;
	uint16_t router = geometry->ethernet_count > 0 ? geometry->ethernet_tiles[0]
						       : geometry->worker_tiles[0];

	return sim_chip_path_ps(cluster, router, tile) + sim_chip_path_ps(cluster, tile, router);
}

static void one_read(struct cluster *cluster)
{
	static const uint32_t sizes[] = {16, 1024, 4096};
	uint16_t bank = device_row->info(cluster)->chips[0].geometry->dram_tiles[1];
	int64_t l1_ps;

	for (uint32_t i = 0; i < 3; i++)
		for (uint16_t hops = 1; hops < CHIPS; hops += 2) {
			int64_t bank_ps = server_transfer_ps(sizes[i], UINT64_C(20000000000));

			bank_ps = 100 * NS + (bank_ps < 10 * NS ? 10 * NS : bank_ps);
			check_equal(reads_time_ps(cluster, hops, bank, sizes[i], 1),
				packet_ps(0, hops) + there_and_back_ps(cluster, bank) + bank_ps +
					packet_ps(sizes[i], hops));
		}
	l1_ps = reads_time_ps(cluster, 1, script_worker(cluster, 5), 1024, 1);
	check_less(l1_ps, reads_time_ps(cluster, 1, bank, 1024, 1));
	check_less(packet_ps(0, 1) + packet_ps(1024, 1), l1_ps);
}

TEST(a_read_takes_a_packet_there_the_tile_and_a_packet_back)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = one_read});
}

/* Reads that follow each other overlap: ten do not take ten times as long as one. */
static void ten_reads(struct cluster *cluster)
{
	uint16_t bank = device_row->info(cluster)->chips[0].geometry->dram_tiles[1];
	int64_t one_ps = reads_time_ps(cluster, 3, bank, 1024, 1);
	int64_t ten_ps = reads_time_ps(cluster, 3, bank, 1024, 10);

	check_less(one_ps, ten_ps);
	check_less(ten_ps, 3 * one_ps);
}

TEST(reads_under_way_overlap)
{
	sim_chip_case(&(struct sim_chip_setup){.cluster = &line_of_6, .body = ten_reads});
}

TEST_MAIN(NULL, NULL)
