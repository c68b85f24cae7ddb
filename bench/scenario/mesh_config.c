/* Makes the configuration of a mesh from the keys of a scenario (machine_constants.h). The values
 * are checked later, when the mesh is opened or planned. */
#include "bench/scenario/machine_constants.h"

#include "base/ensure.h"
#include "bench/scenario/hosts.h"
#include "distributed/choices.h"
#include "fabric/tree.h"

uint32_t scenario_mesh_count(const struct scenario *scenario)
{
	return scenario->runtime.meshes ? scenario->runtime.mesh_count : 1;
}

const struct mesh_keys *scenario_mesh(const struct scenario *scenario, uint32_t number)
{
	const struct runtime_keys *keys = &scenario->runtime;

	ensure(number < scenario_mesh_count(scenario), "mesh %u", number);
	return keys->meshes ? &keys->meshes[number] : &keys->mesh;
}

static bool are_traffic(const struct step *steps, uint32_t count)
{
	bool traffic = true;

	for (uint32_t i = 0; i < count && traffic; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		traffic = body ? are_traffic(body->steps, body->step_count)
			       : steps[i].kind == STEP_FABRIC_TRAFFIC ||
					  steps[i].kind == STEP_FABRIC_PING;
	}
	return traffic;
}

/* Returns the fabric topology with which the mesh is opened: the key `topology`, with one
 * exception. A workload that only measures the fabric sends no commands and has its own routes. If
 * the machine lacks links for `topology`, the mesh of such a workload is opened with FABRIC_MESH.
 * The key then only adds the cost of its topology, as in the benchmarks of tt-metal. */
static enum fabric_topology mesh_config_topology_of(
	const struct scenario *scenario, const struct cluster_info *info)
{
	enum fabric_topology topology = (enum fabric_topology)scenario->runtime.fabric.topology;

	if (are_traffic(scenario->steps, scenario->step_count) &&
		fabric_topology_fits(topology, info, NULL) != STATUS_OK)
		return FABRIC_MESH;
	return topology;
}

void scenario_mesh_config(const struct scenario *scenario, const struct platform *platform,
	const struct firmware_costs *costs, const struct firmware_limits *limits, uint32_t number,
	struct mesh_config *config)
{
	const struct mesh_keys *mesh = scenario_mesh(scenario, number);
	const struct runtime_keys *keys = &scenario->runtime;
	const struct cluster_info *info = platform_cluster(platform);

	mesh_config_init(config);
	config->shape = machine_shape(platform);
	if (mesh->shape_count)
		config->shape = (struct mesh_shape){mesh->shape[0], mesh->shape[1]};
	config->offset = (struct mesh_offset){mesh->offset[0], mesh->offset[1]};
	config->topology = mesh_config_topology_of(scenario, info);
#define KIND(kind, member, what) config->member = kind##_row(keys->member);
#include "mesh/rows.def"
#define SETTING(member) config->member = (__typeof__(config->member))keys->member;
#include "mesh/settings.def"
	config->forward.initiators = keys->forward.initiators.count;
	config->forward.initiators_per = keys->forward.initiators.per;
	config->forward.initiator_chips = keys->forward.initiator_chips.chips;
	config->forward.initiator_chip_count = keys->forward.initiator_chips.count;
	config->forward.multicast_members = keys->forward.multicast_members;
	config->host.batch_devices = keys->host.batch_devices;
	config->timed_bring_up = keys->bring_up == BRING_UP_TIMED;
	config->sharded_traces = keys->traces == TRACES_SHARDED;
	config->sizes.system_memory_bytes = keys->sizes.system_memory_bytes;
	if (platform_hosts(platform) && allocation_row(keys->distributed.allocator)->region)
		config->sizes.binary_region_bytes = DISTRIBUTED_BINARY_REGION_BYTES;
	config->sizes.cached_bytes =
		(uint64_t)platform_find_listed(platform, "host.cache_bytes")->value;
	config->elide_above_bytes = scenario->model.elide_above_bytes;
	config->ethernet_programs = steps_use_ethernet(scenario->steps, scenario->step_count);
	config->profile = scenario->measure.kernels;
	config->costs = costs;
	config->limits = limits;
}
