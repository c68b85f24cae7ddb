/* The SimGrid platform, flat by default: one zone with the server, chips, and Tensix tiles up to
 * a bound; PCIe, Ethernet and NoC ports as links, one per direction. A zone per chip would take
 * twice the time to load. All figures come from the constants. */
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

/* Calls visit(tile) for every Tensix tile of a chip: programs' first, then dispatch's. */
static void each_core(FILE *out, const struct simgrid_rates *rates, uint16_t chip,
	const struct chip_geometry *geometry,
	void (*visit)(FILE *out, const struct simgrid_rates *rates, uint16_t chip, uint16_t tile))
{
	unsigned workers = (unsigned)geometry->worker_columns * geometry->worker_rows;

	for (unsigned i = 0; i < workers; i++)
		visit(out, rates, chip, geometry->worker_tiles[i]);
	for (unsigned i = 0; i < geometry->dispatch_tile_count; i++)
		visit(out, rates, chip, geometry->dispatch_tiles[i]);
}

static void write_core_host(
	FILE *out, const struct simgrid_rates *rates, uint16_t chip, uint16_t tile)
{
	char name[PLATFORM_NAME_BYTES];

	(void)rates;
	fprintf(out, "    <host id=\"%s\" speed=\"1Gf\"/>\n", platform_core_name(chip, tile, name));
}

static void write_core_links(
	FILE *out, const struct simgrid_rates *rates, uint16_t chip, uint16_t tile)
{
	char name[PLATFORM_NAME_BYTES];
	double bandwidth = rates->flit_bytes * rates->clock_hz;
	double latency = rates->noc_latency_cycles * 1e9 / rates->clock_hz / 2;

	simgrid_write_link(out, platform_core_link(chip, tile, true, name), bandwidth, latency);
	simgrid_write_link(out, platform_core_link(chip, tile, false, name), bandwidth, latency);
}

static void write_core_routes(
	FILE *out, const struct simgrid_rates *rates, uint16_t chip, uint16_t tile)
{
	char host[PLATFORM_NAME_BYTES], core[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];

	(void)rates;
	platform_chip_name(chip, host);
	platform_core_name(chip, tile, core);
	simgrid_write_route(out, host, core, platform_core_link(chip, tile, true, link));
	simgrid_write_route(out, core, host, platform_core_link(chip, tile, false, link));
}

static void write_hosts(
	const struct platform *platform, const struct simgrid_rates *rates, bool cores, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	char name[PLATFORM_NAME_BYTES];

	hosts_write_servers(platform, rates->sockets * rates->cores_per_socket, out);
	for (uint16_t i = 0; i < cluster->chip_count; i++) {
		fprintf(out, "    <host id=\"%s\" speed=\"1Gf\"/>\n", platform_chip_name(i, name));
		if (cores)
			each_core(out, rates, i, cluster->chips[i].geometry, write_core_host);
	}
}

static void write_links(
	const struct platform *platform, const struct simgrid_rates *rates, bool cores, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	char name[PLATFORM_NAME_BYTES];

	for (uint16_t i = 0; i < cluster->chip_count; i++) {
		if (cores)
			each_core(out, rates, i, cluster->chips[i].geometry, write_core_links);
		if (!cluster->chips[i].has_pcie)
			continue;
		simgrid_write_link(out, platform_pcie_link(i, true, name),
			(double)rates->pcie_down_bytes_per_s, rates->pcie_down_latency_ns);
		simgrid_write_link(out, platform_pcie_link(i, false, name),
			(double)rates->pcie_up_bytes_per_s, rates->pcie_up_latency_ns);
	}
	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const struct fabric_connection *connection = &cluster->connections[i];
		for (unsigned end = 0; end < 2; end++)
			simgrid_write_link(out,
				platform_ethernet_link(
					connection->chip[end], connection->chip[1 - end], name),
				(double)rates->ethernet_bytes_per_s * connection->links,
				rates->ethernet_latency_ns);
	}
}

static void write_routes(
	const struct platform *platform, const struct simgrid_rates *rates, bool cores, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	char a[PLATFORM_NAME_BYTES], b[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];

	platform_server_name(0, a);
	for (uint16_t i = 0; i < cluster->chip_count; i++) {
		if (cores)
			each_core(out, rates, i, cluster->chips[i].geometry, write_core_routes);
		if (!cluster->chips[i].has_pcie)
			continue;
		platform_chip_name(i, b);
		simgrid_write_route(out, a, b, platform_pcie_link(i, true, link));
		simgrid_write_route(out, b, a, platform_pcie_link(i, false, link));
	}
	for (uint32_t i = 0; i < cluster->connection_count; i++) {
		const uint16_t *chip = cluster->connections[i].chip;
		platform_chip_name(chip[0], a);
		platform_chip_name(chip[1], b);
		simgrid_write_route(out, a, b, platform_ethernet_link(chip[0], chip[1], link));
		simgrid_write_route(out, b, a, platform_ethernet_link(chip[1], chip[0], link));
	}
}

static void write_flat(
	const struct platform *platform, const struct simgrid_rates *rates, bool cores, FILE *out)
{
	fprintf(out, "  <zone id=\"machine\" routing=\"DijkstraCache\">\n");
	write_hosts(platform, rates, cores, out);
	write_links(platform, rates, cores, out);
	hosts_write_links(platform, out);
	write_routes(platform, rates, cores, out);
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
		write_flat(platform, &rates,
			layout == PLATFORM_FLAT && platform_has_cores(platform), out);
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
