/* The names of hosts and links in the platform that SimGrid loads, and the XML of links and
 * routes. */
#include <stdio.h>

#include "private.h"

const char *platform_server_name(uint16_t server, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "server-%u", server);
	return out;
}

const char *platform_chip_name(uint16_t chip, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "chip-%u", chip);
	return out;
}

const char *platform_core_name(uint16_t chip, uint16_t tile, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "core-%u-%u", chip, tile);
	return out;
}

const char *platform_nic_link(uint16_t server, bool to_server, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "nic-%u-%s", server, to_server ? "down" : "up");
	return out;
}

const char *platform_pcie_link(uint16_t chip, bool to_chip, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "pcie-%u-%s", chip, to_chip ? "down" : "up");
	return out;
}

const char *platform_port_name(uint16_t from, uint16_t to, uint16_t index, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "port-%u-%u-%u", from, to, index);
	return out;
}

const char *platform_lane_link(uint16_t from, uint16_t to, uint16_t index, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "ethernet-%u-%u-%u", from, to, index);
	return out;
}

const char *platform_core_link(uint16_t chip, uint16_t tile, bool to_core, char *out)
{
	snprintf(out, PLATFORM_NAME_BYTES, "noc-%u-%u-%s", chip, tile, to_core ? "in" : "out");
	return out;
}

void simgrid_write_link(FILE *out, const char *name, double bytes_per_s, double latency_ns)
{
	fprintf(out, "    <link id=\"%s\" bandwidth=\"%.17gBps\" latency=\"%.17gns\"/>\n", name,
		bytes_per_s, latency_ns);
}

void simgrid_write_pcie(FILE *out, const struct simgrid_rates *rates, uint16_t chip)
{
	char name[PLATFORM_NAME_BYTES];

	simgrid_write_link(out, platform_pcie_link(chip, true, name),
		(double)rates->pcie_down_bytes_per_s, rates->pcie_down_latency_ns);
	simgrid_write_link(out, platform_pcie_link(chip, false, name),
		(double)rates->pcie_up_bytes_per_s, rates->pcie_up_latency_ns);
}

void simgrid_write_route(FILE *out, const char *from, const char *to, const char *link)
{
	fprintf(out,
		"    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn "
		"id=\"%s\"/></route>\n",
		from, to, link);
}
