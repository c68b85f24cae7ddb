/* The registry of network models. */
#include "chip/machine/network.h"

#include <string.h>

#define NETWORK(name) extern const struct sim_network sim_network_##name;
#include "networks.def"
#undef NETWORK

static const struct sim_network *const networks[] = {
#define NETWORK(name) &sim_network_##name,
#include "networks.def"
#undef NETWORK
};

enum { NETWORK_COUNT = sizeof networks / sizeof networks[0] };

const struct sim_network *sim_network_find(const char *name)
{
	for (uint32_t i = 0; i < NETWORK_COUNT; i++)
		if (strcmp(networks[i]->name, name) == 0)
			return networks[i];
	return NULL;
}

const char *const *sim_network_names(void)
{
	static const char *names[NETWORK_COUNT + 1];

	for (uint32_t i = 0; i < NETWORK_COUNT; i++)
		names[i] = networks[i]->name;
	return names;
}

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
