/* A simulated cluster for tests, in a child process (sim_case.h), with round constants that make
 * closed forms easy to write down. They have the magnitude of a real machine's constants but do not
 * describe one. */
#ifndef SUPPORT_SIM_CHIP_H
#define SUPPORT_SIM_CHIP_H

#include "chip/sim_device.h"
#include "engine/engine.h"
#include "script.h"
#include "sim_host.h"
#include "test_cluster.h"

/* 1 GHz, 32 B flits. NoC write: 40 ns + 10 ns a hop, 32 B/ns in and out, 20 ns per transaction,
 * header one flit, packets of 8 KiB; multicast 16 B/ns and 30 ns more; atomic unit 5 ns; L1 read 10
 * ns. DRAM: 20 GB/s, 100 ns, 10 ns a request. PCIe: posts 200 ns and 20 GB/s; host reads 1000 ns
 * and 1 GB/s; device reads 700 ns, 20 GB/s, requests of 4 KiB, 4 outstanding; device writes 25
 * GB/s, visible after 500 ns, acknowledged after 250 ns. Ethernet: 12.5 GB/s, packets of 1500 B
 * with 50 B more, 500 ns. Fabric: header 50 B (1D), 100 B (2D); 2 channels, 4 sender and 4 receiver
 * slots; handover 60 ns a packet; latencies of handover, forwarding, delivery 80, 90, 100 ns, of
 * sending and receiving 40, 50 ns; processor 100 ns to send and 60 to receive, 30 to deliver, 40 to
 * forward, 70 for an increment; 2D 150 ns a hop and 45 ns a packet more; credits come back after
 * 550 ns; ring: 2 free slots, 110 ns a hop and 150 ns a packet more. */
struct chip_constants sim_chip_constants(void);

struct sim_chip_setup {
	const struct test_cluster *cluster;
	const struct chip_constants *constants;	     /* NULL: sim_chip_constants() */
	const struct host_constants *host_constants; /* NULL: waiting costs nothing */
	struct sim_options options;
	void (*body)(struct cluster *cluster); /* runs as the main host thread */
};

/* In the child: opens the engine, makes the cluster, runs the body. */
enum engine_end sim_chip_run(const struct sim_chip_setup *setup);

/* The same in a child process, which must succeed and finish. */
void sim_chip_case(const struct sim_chip_setup *setup);

/* Runs a case that must stall. Returns what the child wrote to standard error. */
struct sim_case sim_chip_stall(const struct sim_chip_setup *setup);

/* A tree along the chips: chips[0] sends, and each of the others follows the previous one; those
 * whose bit (1 << index) is set in `deliver` get the packet. It is never freed. */
struct fabric_tree *sim_chip_line(const uint16_t *chips, uint16_t count, uint32_t deliver);

/* Waits until nothing is in flight, without a deadline: otherwise the run stalls. */
void sim_chip_drain(struct cluster *cluster);

/* The latency in ps of a NoC path between two tiles of chip 0, with these constants. */
int64_t sim_chip_path_ps(struct cluster *cluster, uint16_t from, uint16_t to);

/* Runs a case on a ring of six chips whose receivers have two slots, with the rule for rings. */
void sim_chip_small_ring(void (*body)(struct cluster *cluster));

#endif
