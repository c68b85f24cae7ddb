/* Writes the servers, and the network between them, for the platform that SimGrid loads. Each
 * server has a NIC with an uplink to a switch and a downlink from it; there is one switch for all
 * servers. */
#include <stdio.h>

#include "private.h"

/* Rates of the links between hosts in SimGrid. */
struct network_rates {
	uint64_t bandwidth_bytes_per_s;
	double nic_latency_ns, switch_latency_ns;
};

static const struct constant_spec specs[] = {
	CONSTANT_SPEC(struct network_rates, "host_network.bandwidth_bytes_per_s",
		bandwidth_bytes_per_s, "B/s", "of a NIC, each way", .least = 1),
	CONSTANT_SPEC(struct network_rates, "host_network.nic_latency_ns", nic_latency_ns, "ns",
		"from memory to the cable, and from there to memory: at both ends"),
	CONSTANT_SPEC(struct network_rates, "host_network.switch_latency_ns", switch_latency_ns,
		"ns", "from the first bit that comes in to the first that goes out, with cables"),
};

const struct constant_table platform_hosts_table = {.consumer = "platform",
	.specs = specs,
	.count = sizeof(specs) / sizeof(specs[0]),
	.of_hosts = true};

void hosts_write_servers(const struct platform *platform, unsigned cores, FILE *out)
{
	char name[PLATFORM_NAME_BYTES];
	unsigned last =
		platform->hosts.count; /* the only server, or the server of the controller */

	for (uint16_t i = 0; i <= last; i++)
		fprintf(out, "    <host id=\"%s\" speed=\"1Gf\" core=\"%u\"/>\n",
			platform_server_name(i, name), cores);
	if (last > 0)
		fprintf(out, "    <router id=\"switch\"/>\n");
}

void hosts_write_links(const struct platform *platform, FILE *out)
{
	char link[PLATFORM_NAME_BYTES];
	struct network_rates rates;

	if (platform->hosts.count == 0)
		return;
	platform_bind(platform, &platform_hosts_table, &rates);
	for (uint16_t i = 0; i <= platform->hosts.count; i++)
		for (unsigned down = 0; down < 2; down++)
			simgrid_write_link(out, platform_nic_link(i, down, link),
				(double)rates.bandwidth_bytes_per_s,
				rates.nic_latency_ns + (down ? rates.switch_latency_ns : 0));
}

void hosts_write_routes(const struct platform *platform, FILE *out)
{
	char server[PLATFORM_NAME_BYTES], link[PLATFORM_NAME_BYTES];

	for (uint16_t i = 0; platform->hosts.count > 0 && i <= platform->hosts.count; i++) {
		platform_server_name(i, server);
		simgrid_write_route(out, server, "switch", platform_nic_link(i, false, link));
		simgrid_write_route(out, "switch", server, platform_nic_link(i, true, link));
	}
}
