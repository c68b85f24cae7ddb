/* An executor's part of steps that measure the fabric (client_measure.c). Every executor has read
 * the same scenario, so it finds the step by its number, and makes the kernels of its own chips. A
 * kernel of another host may send to a chip before the kernels of this chip are loaded. These
 * packets still count, because the controller gives the values at which the counting words begin.
 */
#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "client_fabric.h"
#include "world/world.h"

void client_measurer_init(struct client_measurer *measurer, const struct client *client,
	uint32_t host, struct cluster *cluster)
{
	*measurer = (struct client_measurer){.client = *client, .ground = *client->ground};
	measurer->clusters[host] = cluster;
	measurer->ground.clusters = measurer->clusters;
	measurer->client.ground = &measurer->ground;
}

/* Returns the step with this number, or NULL. */
static const struct step *measured_step(const struct step *steps, uint32_t count, uint32_t number)
{
	const struct step *found = NULL;

	for (uint32_t i = 0; i < count && found == NULL; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body != NULL)
			found = measured_step(body->steps, body->step_count, number);
		else if (steps[i].number == number && (steps[i].kind == STEP_FABRIC_PING ||
							      steps[i].kind == STEP_FABRIC_TRAFFIC))
			found = &steps[i];
	}
	return found;
}

static enum status measure_load(
	struct client_measurer *measurer, const struct step *step, const struct measure *what)
{
	struct client *client = &measurer->client;
	struct client_fabric *fabric;
	struct mesh_config config;

	scenario_mesh_config(client->plan->scenario, client->plan->platform, client->costs,
		client->limits, step->mesh, &config);
	fabric = client_fabric_new(client, config.shape, config.offset, what->address);
	client_fabric_make(client, fabric, step, what->operation);
	client_fabric_load(client, fabric);
	measurer->loaded = step;
	return STATUS_OK;
}

enum status client_measurer_run(void *context, const struct measure *what, struct text *why)
{
	struct client_measurer *measurer = context;
	const struct scenario *scenario = measurer->client.plan->scenario;
	const struct step *step = measured_step(scenario->steps, scenario->step_count, what->step);

	if (step == NULL)
		return refuse(why, STATUS_NOT_FOUND, "step %u measures no fabric", what->step);
	if (what->phase == MEASURE_LOAD)
		return measure_load(measurer, step, what);
	if (measurer->loaded != step)
		return refuse(why, STATUS_INVALID, "step %u is not loaded", what->step);
	client_fabric_start(&measurer->client, measurer->client.fabric);
	for (uint32_t i = 0; i < DISTRIBUTED_HOSTS_MAX; i++)
		if (measurer->clusters[i] != NULL)
			return device_row->drain(measurer->clusters[i], DEADLINE_NEVER);
	return STATUS_OK;
}
