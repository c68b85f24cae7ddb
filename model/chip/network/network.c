/* The registry of network models. */
#include "chip/machine/network.h"
#include "chip/sim_device.h"

#define NETWORK(name) extern const struct sim_network sim_network_##name;
#include "networks.def"
#undef NETWORK

static const struct sim_network *const networks[] = {
#define NETWORK(name) &sim_network_##name,
#include "networks.def"
#undef NETWORK
};

REGISTRY_OF_POINTERS(sim_network, sim_network, "model.network", "network model", networks)

const struct device_ops *sim_network_device(const char *name)
{
	const struct sim_network *network = sim_network_find(name);

	ensure(network != NULL, "no network %s", name);
	return network->device;
}

bool sim_network_contends(const char *name)
{
	const struct sim_network *network = sim_network_find(name);

	ensure(network != NULL, "no network %s", name);
	return network->contention;
}

double sim_network_slowness(const char *name)
{
	const struct sim_network *network = sim_network_find(name);

	return network && network->slowness > 0 ? network->slowness : 1;
}
