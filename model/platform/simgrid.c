/* Writes the platform that SimGrid loads in the layout SERVERS (platform/platform.h): the servers,
 * the network between them, and one link of each kind that chips have. It has no other objects for
 * chips: the event engine simulates their messages, and unused objects would cost SimGrid time. The
 * network model `fluid`, which sends the messages of chips with SimGrid, has its own layout
 * (simgrid_zones.c). All numbers come from the platform's constants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <simgrid/link.h>

#include "base/ensure.h"
#include "private.h"

#define RATE_SPEC(name, member, unit, what)                                                        \
	CONSTANT_SPEC(struct simgrid_rates, name, member, unit, what, .least = 1)
#define LATENCY_SPEC(name, member, unit, what)                                                     \
	CONSTANT_SPEC(struct simgrid_rates, name, member, unit, what)

static const struct constant_spec specs[] = {
	RATE_SPEC("chip.pcie_down_bytes_per_s", pcie_down_bytes_per_s, "B/s",
		"host to device: posted writes and completions of reads"),
	RATE_SPEC("chip.pcie_device_write_bytes_per_s", pcie_up_bytes_per_s, "B/s",
		"write by the device: bandwidth"),
	RATE_SPEC("chip.ethernet_bytes_per_s", ethernet_bytes_per_s, "B/s",
		"raw bandwidth of one link in one direction"),
	LATENCY_SPEC("chip.pcie_post_latency_ns", pcie_down_latency_ns, "ns",
		"posted write: from the core's store to the chip's NoC"),
	LATENCY_SPEC("chip.pcie_write_visible_latency_ns", pcie_up_latency_ns, "ns",
		"write by the device: until the host sees it"),
	LATENCY_SPEC("chip.ethernet_latency_ns", ethernet_latency_ns, "ns",
		"one way: from the sending router's queue to the receiving router's L1"),
	RATE_SPEC("chip.aiclk_hz", clock_hz, "Hz", "clock of the RISC-V processors and of the NoC"),
	LATENCY_SPEC("chip.noc_latency_cycles", noc_latency_cycles, "cycles",
		"fixed part of a write's latency: NIU to router and router to NIU"),
	RATE_SPEC("chip.noc_flit_bytes", flit_bytes, "B", "width of a link: one flit per cycle"),
	RATE_SPEC("chip.noc_injection_bytes_per_cycle", injection_bytes_per_cycle, "B/cycle",
		"rate at which a NIU puts data on the NoC"),
	RATE_SPEC("chip.noc_ejection_bytes_per_cycle", ejection_bytes_per_cycle, "B/cycle",
		"rate at which a NIU takes data from the NoC"),
	RATE_SPEC("chip.dram_read_bytes_per_s", dram_read_bytes_per_s, "B/s",
		"reachable bandwidth of one bank, reading"),
	RATE_SPEC("chip.dram_write_bytes_per_s", dram_write_bytes_per_s, "B/s",
		"reachable bandwidth of one bank, writing"),
	RATE_SPEC("host.sockets", sockets, "count", "sockets of the server"),
	RATE_SPEC("host.cores_per_socket", cores_per_socket, "count", "cores of one socket"),
};

const struct constant_table platform_simgrid_table = {
	.consumer = "platform", .specs = specs, .count = sizeof(specs) / sizeof(specs[0])};

/* Writes one PCIe link and one Ethernet link, if the machine has such links. The event engine gives
 * all links of a kind the bandwidth and the latency of this one link. */
static void write_kinds(
	const struct platform *platform, const struct simgrid_rates *rates, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	char name[PLATFORM_NAME_BYTES];

	for (uint16_t i = 0; i < cluster->chip_count; i++) {
		if (!cluster->chips[i].has_pcie)
			continue;
		simgrid_write_pcie(out, rates, i);
		break;
	}
	if (cluster->connection_count > 0) {
		const uint16_t *chip = cluster->connections[0].chip;

		simgrid_write_link(out, platform_lane_link(chip[0], chip[1], 0, name),
			(double)rates->ethernet_bytes_per_s, rates->ethernet_latency_ns);
	}
}

static void write_servers(
	const struct platform *platform, const struct simgrid_rates *rates, FILE *out)
{
	fprintf(out, "  <zone id=\"machine\" routing=\"DijkstraCache\">\n");
	hosts_write_servers(platform, rates->sockets * rates->cores_per_socket, out);
	hosts_write_links(platform, out);
	write_kinds(platform, rates, out);
	hosts_write_routes(platform, out);
	fprintf(out, "  </zone>\n");
}

static enum status write_platform(
	const struct platform *platform, enum platform_layout layout, FILE *out)
{
	struct simgrid_rates rates;

	platform_bind(platform, &platform_simgrid_table, &rates);
	fprintf(out, "<?xml version='1.0'?>\n"
		     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		     "<platform version=\"4.1\">\n");
	if (layout == PLATFORM_ZONES)
		simgrid_write_zones(platform, &rates, out);
	else
		write_servers(platform, &rates, out);
	fprintf(out, "</platform>\n");
	return fflush(out) == 0 && !ferror(out) ? STATUS_OK : STATUS_IO;
}

enum status platform_save_simgrid(const struct platform *platform, enum platform_layout layout,
	char *path, size_t size, FILE **file)
{
	int descriptor = memfd_create("platform.xml", MFD_CLOEXEC);

	*file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
	if (!*file) {
		if (descriptor >= 0)
			close(descriptor);
		return STATUS_IO;
	}
	snprintf(path, size, "/proc/self/fd/%d", descriptor);
	if (write_platform(platform, layout, *file) == STATUS_OK)
		return STATUS_OK;
	fclose(*file);
	*file = NULL;
	return STATUS_IO;
}

struct link_rate platform_link_rate(const char *link_name)
{
	sg_link_t link = sg_link_by_name(link_name);

	ensure(link, "no link %s", link_name);
	return (struct link_rate){
		.bandwidth_bytes_per_s = (uint64_t)llround(sg_link_get_bandwidth(link)),
		.latency_ps = llround(sg_link_get_latency(link) * 1e12)};
}
