/* The pool of operations in flight (network.h). */
#include "chip/machine/network.h"

#include <stdlib.h>

struct flight *sim_flight_new(struct device *device)
{
	struct flight *flight = sim_pool_take(&device->cluster->flights);

	flight->device = device;
	flight->task = NULL;
	flight->span.extent = NULL;
	flight->count = 0;
	flight->cause = CAUSE_NONE;
	return flight;
}

void sim_flight_free(struct flight *flight)
{
	span_release(flight->span);
	flight->span.extent = NULL;
	cause_release(flight->cause);
	sim_pool_give(&flight->device->cluster->flights, flight);
}

void sim_flight_fini(void *object)
{
	struct flight *flight = object;

	span_release(flight->span);
	free(flight->targets);
}
