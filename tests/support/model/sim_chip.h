/* A simulated cluster for tests, in a child process (sim_case.h). Its constants are round numbers,
 * so that tests can state expected times as simple formulas. They have the magnitude of a real
 * machine's constants, but do not describe one. */
#ifndef SUPPORT_SIM_CHIP_H
#define SUPPORT_SIM_CHIP_H

#include "chip/sim_device.h"
#include "engine/engine.h"
#include "script.h"
#include "sim_host.h"
#include "test_cluster.h"

/* The round constants. The clock has 1 GHz.
 *
 *   NoC        flits of 32 B, packets of 8 KiB, headers of one flit; 32 B/ns in and out. A write
 *              takes 40 ns, 10 ns for each hop and 20 ns for each transaction. A multicast has
 *              16 B/ns and takes 30 ns more. An atomic takes 5 ns, an L1 read 10 ns.
 *   DRAM       20 GB/s, 100 ns, 10 ns for each request
 *   PCIe       posted writes 200 ns, 20 GB/s; host reads 1000 ns, 1 GB/s; device reads 700 ns,
 *              20 GB/s, requests of 4 KiB, 4 outstanding; device writes 25 GB/s, visible after
 *              500 ns, acknowledged after 250 ns
 *   Ethernet   12.5 GB/s, 500 ns; packets of 1500 B with 50 B of overhead
 *   fabric     headers of 50 B (1D) and 100 B (2D); 2 channels; 4 sender and 4 receiver slots;
 *              credits return after 550 ns
 *   router     latencies: send 40, receive 50, handover 80, forward 90, deliver 100 ns. Time of its
 *              processor: send 100, receive 60, handover 60, deliver 30, forward 40, increment
 *              70 ns. In 2D, 150 ns more for each hop and 45 ns more for each packet.
 *   ring       2 free slots; 110 ns more for each hop and 150 ns more for each packet */
struct chip_constants sim_chip_constants(void);

struct sim_chip_setup {
	const struct test_cluster *cluster;
	const struct chip_constants *constants;	     /* NULL: sim_chip_constants() is used */
	const struct host_constants *host_constants; /* NULL: waiting costs nothing */
	struct sim_options options;
	void (*body)(struct cluster *cluster); /* runs on the main host thread */
};

/* Call it in the child. Opens the engine, makes the cluster, and runs the body. */
enum engine_end sim_chip_run(const struct sim_chip_setup *setup);

/* Calls sim_chip_run() in a child process, which must succeed and finish. */
void sim_chip_case(const struct sim_chip_setup *setup);

/* Runs a case that must stall. Returns what the child has written to standard error. */
struct sim_case sim_chip_stall(const struct sim_chip_setup *setup);

/* Makes a tree along a line of chips, beginning at the sender chips[0]. Chip i gets the packet if
 * bit i (1 << i) of `deliver` is set. The tree is never freed. */
struct fabric_tree *sim_chip_line(const uint16_t *chips, uint16_t count, uint32_t deliver);

/* Waits until nothing is in flight. There is no deadline: if messages stay in flight, the run ends
 * with a stall. */
void sim_chip_drain(struct cluster *cluster);

/* Returns the latency in ps of a NoC path between two tiles of chip 0, with these constants. */
int64_t sim_chip_path_ps(struct cluster *cluster, uint16_t from, uint16_t to);

/* Runs a case on a ring of six chips. Each receiver of a router has only two slots, so packets
 * rarely find the free slots that they need to enter a ring. */
void sim_chip_small_ring(void (*body)(struct cluster *cluster));

#endif
