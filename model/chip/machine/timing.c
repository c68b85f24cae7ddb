/* Converts constants with units to integers, with times in picoseconds, once per cluster. */
#include "chip/machine/cluster.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Bounds of the constants. If constants.def gives no bound, the bound here only makes sure that
 * sums of times fit into 64 bits. The reader of platform files then has a narrower bound. */
static const struct {
	const char *name;
	size_t offset;
	const char *unit, *what;
	double least, most;
} bounds[] = {
#define X(name_, unit_, ...)                                                                       \
	{.name = #name_,                                                                           \
		.offset = offsetof(struct chip_constants, name_),                                  \
		.unit = unit_,                                                                     \
		.what = __VA_ARGS__},
#include "chip/constants.def"
#undef X
};

#define MOST 1e15

static const char *out_of_range(const struct chip_constants *constants)
{
	const char *base = (const char *)constants;
	double value, most;

	for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
		memcpy(&value, base + bounds[i].offset, sizeof value);
		most = bounds[i].most > 0 ? bounds[i].most : MOST;
		if (!(value >= bounds[i].least && value <= most))
			return bounds[i].name;
		if (value < 1e-3 && strncmp(bounds[i].unit, "B/", 2) == 0)
			return bounds[i].name; /* the constant is a rate */
	}
	if (constants->aiclk_hz < 1e6 || constants->aiclk_hz > 1e11)
		return "aiclk_hz";
	if (constants->ring_free_slots > constants->router_receiver_slots)
		return "ring_free_slots";
	return NULL;
}

static int64_t ps_of_ns(double ns)
{
	return llround(ns * 1e3);
}

static void noc_init(struct sim_timing *timing, const struct chip_constants *constants)
{
	double cycle_ps = 1e12 / constants->aiclk_hz;
	double hz = constants->aiclk_hz;

	timing->aiclk_khz = llround(hz / 1e3);
	timing->noc_latency_ps = llround(constants->noc_latency_cycles * cycle_ps);
	timing->noc_hop_ps = llround(constants->noc_hop_cycles * cycle_ps);
	timing->noc_issue_ps = llround(constants->noc_issue_cycles * cycle_ps);
	timing->noc_issue_flit_ps = llround(constants->noc_issue_flit_cycles * cycle_ps);
	timing->noc_multicast_ps = llround(constants->noc_multicast_cycles * cycle_ps);
	timing->noc_acknowledge_ps = llround(constants->noc_acknowledge_cycles * cycle_ps);
	timing->noc_atomic_ps = llround(constants->noc_atomic_cycles * cycle_ps);
	timing->noc_read_ps = llround(constants->noc_read_cycles * cycle_ps);
	timing->noc_flit_bytes = (uint64_t)constants->noc_flit_bytes;
	timing->noc_packet_bytes = (uint64_t)constants->noc_packet_bytes;
	timing->noc_header_bytes =
		(uint64_t)(constants->noc_header_flits * constants->noc_flit_bytes);
	timing->noc_injection_bytes_per_s =
		(uint64_t)llround(constants->noc_injection_bytes_per_cycle * hz);
	timing->noc_ejection_bytes_per_s =
		(uint64_t)llround(constants->noc_ejection_bytes_per_cycle * hz);
	timing->noc_link_bytes_per_s = (uint64_t)llround(constants->noc_link_bytes_per_cycle * hz);
	timing->noc_buffer_ps = server_transfer_ps(
		(uint64_t)constants->noc_buffer_bytes, timing->noc_link_bytes_per_s);
	timing->noc_multicast_bytes_per_s =
		(uint64_t)llround(constants->noc_multicast_bytes_per_cycle * hz);
	timing->dram_read_bytes_per_s = (uint64_t)constants->dram_read_bytes_per_s;
	timing->dram_write_bytes_per_s = (uint64_t)constants->dram_write_bytes_per_s;
	timing->dram_latency_ps = ps_of_ns(constants->dram_latency_ns);
	timing->dram_request_ps = ps_of_ns(constants->dram_request_ns);
}

static void pcie_init(struct sim_timing *timing, const struct chip_constants *constants)
{
	timing->window_bytes = (uint64_t)constants->host_window_bytes;
	timing->post_latency_ps = ps_of_ns(constants->pcie_post_latency_ns);
	timing->down_bytes_per_s = (uint64_t)constants->pcie_down_bytes_per_s;
	timing->peek_latency_ps = ps_of_ns(constants->pcie_host_read_latency_ns);
	timing->peek_bytes_per_s = (uint64_t)constants->pcie_host_read_bytes_per_s;
	timing->read_latency_ps = ps_of_ns(constants->pcie_device_read_latency_ns);
	timing->read_bytes_per_s = (uint64_t)constants->pcie_device_read_bytes_per_s;
	timing->read_request_bytes = (uint64_t)constants->pcie_read_request_bytes;
	timing->reads_outstanding = (uint32_t)constants->pcie_reads_outstanding;
	timing->write_bytes_per_s = (uint64_t)constants->pcie_device_write_bytes_per_s;
	timing->write_visible_ps = ps_of_ns(constants->pcie_write_visible_latency_ns);
	timing->write_ack_ps = ps_of_ns(constants->pcie_write_ack_latency_ns);
}

static void router_init(struct sim_timing *timing, const struct chip_constants *constants,
	enum sim_topology topology)
{
	bool planar = topology == SIM_TOPOLOGY_MESH || topology == SIM_TOPOLOGY_TORUS;
	/* Packets are acknowledged on arrival only in rings of the 1D topology. 2D needs no
	 * acknowledgements: a packet enters a ring only if several slots are free (bubble flow
	 * control), and this already prevents deadlocks. */
	bool ring = topology == SIM_TOPOLOGY_RING;
	/* A 2D route is decoded three times per hop: before the link, after the link, and before
	 * the next router of the same chip. */
	double decode_ns = planar ? constants->router_2d_latency_ns / 3 : 0;
	double ring_ns = ring ? constants->ring_ns : 0;
	/* If a router has a single processor, the acknowledgements of a ring take time at both
	 * ends of a link. At the receiving end, they are handled during the wait for a flush, if
	 * there is one (hidden_ps). If a router has two processors, only the processor that
	 * receives handles acknowledgements; it does not handle them during this wait. */
	bool two = constants->router_processors > 1;

	timing->ethernet_bytes_per_s = (uint64_t)constants->ethernet_bytes_per_s;
	timing->ethernet_packet_bytes = (uint64_t)constants->ethernet_packet_bytes;
	timing->ethernet_overhead_bytes = (uint64_t)constants->ethernet_packet_overhead_bytes;
	timing->fabric_header_bytes = (uint64_t)(planar ? constants->fabric_header_2d_bytes
							: constants->fabric_header_1d_bytes);
	timing->ethernet_latency_ps =
		ps_of_ns(constants->ethernet_latency_ns + (ring ? constants->ring_latency_ns : 0));
	timing->channels = (uint32_t)constants->router_channels;
	timing->processors = (uint32_t)constants->router_processors;
	timing->sender_latency_ps = ps_of_ns(constants->router_sender_latency_ns);
	timing->sender_slots = (uint32_t)constants->router_sender_slots;
	timing->receiver_slots = (uint32_t)constants->router_receiver_slots;
	timing->entry_slots = (uint32_t)constants->ring_free_slots;
	timing->handover_ps = ps_of_ns(
		constants->router_handover_ns + (planar ? constants->router_handover_2d_ns : 0));
	timing->handover_overlap_ps = ps_of_ns(constants->router_handover_overlap_ns);
	timing->handover_latency_ps = ps_of_ns(constants->router_handover_latency_ns);
	timing->send_latency_ps = ps_of_ns(constants->router_send_latency_ns + decode_ns);
	timing->receive_latency_ps = ps_of_ns(constants->router_receive_latency_ns + decode_ns);
	timing->forward_latency_ps = ps_of_ns(constants->router_forward_latency_ns + decode_ns);
	timing->delivery_latency_ps = ps_of_ns(constants->router_delivery_latency_ns);
	timing->send_ps = ps_of_ns(constants->router_send_ns + (two ? 0 : ring_ns) +
				   (planar ? constants->router_2d_send_ns : 0));
	timing->receive_ps = ps_of_ns(constants->router_receive_ns + ring_ns +
				      (planar ? constants->router_2d_receive_ns : 0));
	timing->update_bytes = (uint64_t)constants->router_update_bytes;
	timing->deliver_ps = ps_of_ns(constants->router_deliver_ns);
	timing->forward_ps = ps_of_ns(constants->router_forward_ns);
	timing->hidden_ps = ps_of_ns(two ? 0 : ring_ns);
	timing->flushes = ring && constants->ring_flushes > 0;
	timing->part_ps = ps_of_ns(constants->router_part_ns);
	timing->flush_ps = ps_of_ns(constants->router_flush_ns);
	timing->increment_ps = ps_of_ns(constants->router_increment_ns);
	timing->credit_latency_ps = ps_of_ns(constants->router_credit_latency_ns);
}

enum status sim_timing_init(struct sim_timing *timing, const struct chip_constants *constants,
	enum sim_topology topology, const char **what)
{
	const char *wrong = out_of_range(constants);

	if (wrong != NULL) {
		*what = wrong;
		return STATUS_INVALID;
	}
	memset(timing, 0, sizeof *timing);
	noc_init(timing, constants);
	pcie_init(timing, constants);
	router_init(timing, constants, topology);
	return STATUS_OK;
}
