/* The platform that SimGrid loads in the layout ZONES, for models whose messages are SimGrid
 * communications. Each chip is a zone. In a zone, every tile with memory is a host with one link in
 * each direction, and every Ethernet link leads from the chip to a port. The platform has at most
 * PLATFORM_CORES_MAX Tensix tiles. */
#include "base/ensure.h"
#include "private.h"

struct zone {
	FILE *out;
	const struct simgrid_rates *rates;
	const struct cluster_info *cluster;
	uint16_t chip;
};

static bool has_memory(enum tile_kind kind)
{
	return kind == TILE_TENSIX || kind == TILE_ETHERNET || kind == TILE_DRAM;
}

static void write_tile_host(const struct zone *zone, uint16_t tile)
{
	char name[PLATFORM_NAME_BYTES];

	fprintf(zone->out, "    <host id=\"%s\" speed=\"1Gf\"/>\n",
		platform_core_name(zone->chip, tile, name));
}

static void write_tile_links(const struct zone *zone, uint16_t tile)
{
	const struct simgrid_rates *rates = zone->rates;
	enum tile_kind kind = zone->cluster->chips[zone->chip].geometry->tiles[tile].kind;
	double in = rates->ejection_bytes_per_cycle * rates->clock_hz;
	double outward = rates->injection_bytes_per_cycle * rates->clock_hz;
	double latency_ns = rates->noc_latency_cycles * 1e9 / rates->clock_hz / 2;
	char name[PLATFORM_NAME_BYTES];

	if (kind == TILE_DRAM) {
		in = (double)rates->dram_write_bytes_per_s;
		outward = (double)rates->dram_read_bytes_per_s;
	}
	simgrid_write_link(
		zone->out, platform_core_link(zone->chip, tile, true, name), in, latency_ns);
	simgrid_write_link(
		zone->out, platform_core_link(zone->chip, tile, false, name), outward, latency_ns);
}

static void write_tile_routes(const struct zone *zone, uint16_t tile)
{
	char chip[PLATFORM_NAME_BYTES], core[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];

	platform_chip_name(zone->chip, chip);
	platform_core_name(zone->chip, tile, core);
	simgrid_write_route(
		zone->out, chip, core, platform_core_link(zone->chip, tile, true, link));
	simgrid_write_route(
		zone->out, core, chip, platform_core_link(zone->chip, tile, false, link));
}

static void each_tile(
	const struct zone *zone, void (*visit)(const struct zone *zone, uint16_t tile))
{
	const struct chip_geometry *geometry = zone->cluster->chips[zone->chip].geometry;

	for (uint16_t tile = 0; tile < geometry->tile_count; tile++)
		if (has_memory(geometry->tiles[tile].kind))
			visit(zone, tile);
}

static void write_port_host(const struct zone *zone, uint16_t to, uint16_t index)
{
	char name[PLATFORM_NAME_BYTES];

	fprintf(zone->out, "    <host id=\"%s\" speed=\"1Gf\"/>\n",
		platform_port_name(zone->chip, to, index, name));
}

static void write_port_link(const struct zone *zone, uint16_t to, uint16_t index)
{
	char name[PLATFORM_NAME_BYTES];

	simgrid_write_link(zone->out, platform_lane_link(zone->chip, to, index, name),
		(double)zone->rates->ethernet_bytes_per_s, zone->rates->ethernet_latency_ns);
}

static void write_port_route(const struct zone *zone, uint16_t to, uint16_t index)
{
	char chip[PLATFORM_NAME_BYTES], port[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];

	simgrid_write_route(zone->out, platform_chip_name(zone->chip, chip),
		platform_port_name(zone->chip, to, index, port),
		platform_lane_link(zone->chip, to, index, link));
}

static void each_port(const struct zone *zone,
	void (*visit)(const struct zone *zone, uint16_t to, uint16_t index))
{
	for (uint32_t i = 0; i < zone->cluster->connection_count; i++) {
		const struct fabric_connection *connection = &zone->cluster->connections[i];

		for (unsigned end = 0; end < 2; end++)
			if (connection->chip[end] == zone->chip)
				for (uint16_t lane = 0; lane < connection->links; lane++)
					visit(zone, connection->chip[1 - end], lane);
	}
}

static void write_chip(const struct zone *zone)
{
	char name[PLATFORM_NAME_BYTES];

	fprintf(zone->out, "  <zone id=\"zone-%u\" routing=\"DijkstraCache\">\n", zone->chip);
	fprintf(zone->out, "    <host id=\"%s\" speed=\"1Gf\"/>\n",
		platform_chip_name(zone->chip, name));
	each_tile(zone, write_tile_host);
	each_port(zone, write_port_host);
	each_tile(zone, write_tile_links);
	each_port(zone, write_port_link);
	each_tile(zone, write_tile_routes);
	each_port(zone, write_port_route);
	fprintf(zone->out, "  </zone>\n");
}

static void write_pcie_routes(const struct zone *zone)
{
	static const char format[] =
		"    <zoneRoute src=\"%s%s\" dst=\"%s%s\" gw_src=\"%s\" gw_dst=\"%s\" "
		"symmetrical=\"NO\"><link_ctn id=\"%s\"/></zoneRoute>\n";
	char server[PLATFORM_NAME_BYTES], chip[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];
	char number[8];

	platform_server_name(0, server);
	platform_chip_name(zone->chip, chip);
	snprintf(number, sizeof(number), "%u", zone->chip);
	fprintf(zone->out, format, "servers", "", "zone-", number, server, chip,
		platform_pcie_link(zone->chip, true, link));
	fprintf(zone->out, format, "zone-", number, "servers", "", chip, server,
		platform_pcie_link(zone->chip, false, link));
}

void simgrid_write_zones(
	const struct platform *platform, const struct simgrid_rates *rates, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	struct zone zone = {.out = out, .rates = rates, .cluster = cluster};

	ensure(platform_has_cores(platform), "%s has more Tensix tiles than SimGrid can take",
		platform->shape.name);
	fprintf(out, "  <zone id=\"machine\" routing=\"DijkstraCache\">\n");
	fprintf(out, "  <zone id=\"servers\" routing=\"DijkstraCache\">\n");
	hosts_write_servers(platform, rates->sockets * rates->cores_per_socket, out);
	hosts_write_links(platform, out);
	hosts_write_routes(platform, out);
	fprintf(out, "  </zone>\n");
	for (zone.chip = 0; zone.chip < cluster->chip_count; zone.chip++)
		write_chip(&zone);
	for (zone.chip = 0; zone.chip < cluster->chip_count; zone.chip++)
		if (cluster->chips[zone.chip].has_pcie)
			simgrid_write_pcie(out, rates, zone.chip);
	for (zone.chip = 0; zone.chip < cluster->chip_count; zone.chip++)
		if (cluster->chips[zone.chip].has_pcie)
			write_pcie_routes(&zone);
	fprintf(out, "  </zone>\n");
}
