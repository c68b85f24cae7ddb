/* Constants of a chip in the units of the model, integers with times in ps, for one topology. */
#ifndef CHIP_TIMING_H
#define CHIP_TIMING_H

#include <stdint.h>

#include "chip/sim_device.h"

struct sim_timing {
	int64_t aiclk_khz;

	/* NoC */
	int64_t noc_latency_ps, noc_hop_ps;
	int64_t noc_issue_ps, noc_issue_flit_ps, noc_multicast_ps, noc_acknowledge_ps;
	int64_t noc_atomic_ps, noc_read_ps;
	uint64_t noc_flit_bytes, noc_packet_bytes, noc_header_bytes;
	uint64_t noc_injection_bytes_per_s, noc_ejection_bytes_per_s, noc_multicast_bytes_per_s;
	uint64_t noc_link_bytes_per_s;

	/* DRAM */
	uint64_t dram_read_bytes_per_s, dram_write_bytes_per_s;
	int64_t dram_latency_ps, dram_request_ps;

	/* PCIe */
	uint64_t window_bytes;
	int64_t post_latency_ps;
	uint64_t down_bytes_per_s;
	int64_t peek_latency_ps;
	uint64_t peek_bytes_per_s;
	int64_t read_latency_ps;
	uint64_t read_bytes_per_s, read_request_bytes;
	uint32_t reads_outstanding;
	uint64_t write_bytes_per_s;
	int64_t write_visible_ps, write_ack_ps;

	/* Ethernet and routers, with what the topology adds */
	uint64_t ethernet_bytes_per_s, ethernet_packet_bytes, ethernet_overhead_bytes;
	uint64_t fabric_header_bytes;
	int64_t ethernet_latency_ps; /* with what 2D routing and rings add to a hop */
	uint32_t channels, sender_slots, receiver_slots;
	uint32_t entry_slots; /* that must be free before a packet enters a ring */
	int64_t handover_ps, handover_overlap_ps, handover_latency_ps;
	int64_t send_latency_ps, receive_latency_ps, forward_latency_ps, delivery_latency_ps;
	int64_t send_ps, receive_ps; /* with what 2D routing and rings add */
	uint64_t update_bytes;
	int64_t ring_ps; /* the ring's share of either */
	int64_t deliver_ps, part_ps, flush_ps, forward_ps, increment_ps;
	int64_t credit_latency_ps;
};

/* Converts the constants. Returns OK, or INVALID if one is out of its range; *what then names it
 * (static text). */
enum status sim_timing_init(struct sim_timing *timing, const struct chip_constants *constants,
	enum sim_topology topology, const char **what);

/* Time of `cycles` at AICLK, ps, rounded down. */
static inline int64_t sim_cycles_ps(const struct sim_timing *timing, int64_t cycles)
{
	if (timing->aiclk_khz == 1000000)
		return cycles * 1000;
	return cycles * INT64_C(1000000000) / timing->aiclk_khz;
}

#endif
