/* Checks the keys of broadcasts against the machine. Finds the key that causes an error in the
 * choice of initiators, and keys that have no effect (idle_facts.h). */

#include "idle_facts.h"

#include <stdio.h>

#include "bench/scenario/hosts.h"
#include "fabric/grids.h"
#include "mesh/choice.h"
#include "mesh/mesh.h"

static uint32_t chips_with_pcie(const struct cluster_info *info)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < info->chip_count; i++)
		count += info->chips[i].has_pcie;
	return count;
}

static bool every_gateway_initiates(const struct forward_config *forward)
{
	return forward->initiators_per && forward->initiators_per->split == GRIDS_GATEWAYS;
}

const char *broadcast_blame(const struct mesh_config *config, const struct cluster_info *info,
	char path[TREE_PATH_BYTES_MAX])
{
	const struct forward_config *forward = &config->forward;
	uint32_t count = forward->initiator_chip_count, which;

	if ((forward->trace_hold->kind == TRACE_HOLD_SENDER && !forward->credits->counted) ||
		(forward->trace_hold->kind != TRACE_HOLD_NONE &&
			config->limits->receive_ring_bytes < TRACE_HOLD_RING_MIN))
		return "runtime.forward.trace_hold";
	if (forward->initiator_place->named && !every_gateway_initiates(forward)) {
		if (count == 0)
			return "runtime.forward.initiator_place";
		if (fabric_initiators_check(info, forward->initiator_chips, count, &which, NULL) !=
			STATUS_OK) {
			snprintf(path, TREE_PATH_BYTES_MAX, "runtime.forward.initiator_chips.%u",
				which);
			return path;
		}
		if (forward->initiators_per ||
			count != (forward->initiators ? forward->initiators : 1))
			return "runtime.forward.initiator_chips";
	}
	if (forward->initiators_per || forward->initiators > chips_with_pcie(info) ||
		forward->initiators > mesh_shape_count(config->shape))
		return "runtime.forward.initiators";
	return NULL;
}

/* ---- keys without effect ---- */

static bool gateways_initiate(const struct facts *facts)
{
	return every_gateway_initiates(&facts->config->forward);
}

/* Returns true if every value of initiator_place chooses the same initiators. Returns false without
 * a comparison in four cases: the mesh does not broadcast; every gateway is an initiator; there are
 * several hosts, each of which plans its own part; there are several meshes. With several meshes,
 * `least-loaded` also counts the stages of meshes that were opened before. */
static bool has_one_choice(const struct facts *facts)
{
	struct mesh_config other = *facts->config;
	const struct initiator_place_ops *place;
	bool same = true;

	if (chips_with_pcie(facts->info) <= 1 &&
		!machine_spans(facts->run->platform, facts->scenario))
		return true;
	if (gateways_initiate(facts) || scenario_mesh_count(facts->scenario) > 1 ||
		platform_hosts(facts->run->platform) != NULL ||
		!facts->config->forward.path->broadcasts)
		return false;
	for (size_t i = 0; same && (place = initiator_place_row(i)) != NULL; i++) {
		if (place->named && facts->config->forward.initiator_chip_count == 0)
			continue;
		other.forward.initiator_place = place;
		same = mesh_same_initiators(facts->info, facts->config, &other);
	}
	return same;
}

static bool names_no_chips(const struct facts *facts)
{
	return !facts->config->forward.initiator_place->named && !gateways_initiate(facts);
}

/* Returns true if every broadcast is one multicast, so that forward.multicast_members has no
 * effect. If one multicast may have as many members as the mesh has devices, this is certain.
 * Otherwise computes the broadcast grids. */
static bool needs_no_pieces(const struct facts *facts)
{
	uint32_t most = facts->config->forward.multicast_members;

	if (!facts->config->forward.path->broadcasts)
		return false; /* another warning says that the forward path does not broadcast */
	if (mesh_shape_count(facts->config->shape) <= most)
		return true;
	return platform_hosts(facts->run->platform) == NULL &&
	       mesh_largest_grid(facts->info, facts->config) <= most;
}

/* Returns true if every broadcast goes to one chip. It is then one multicast with every limit. */
static bool has_one_member(const struct facts *facts)
{
	if (!facts->config->forward.path->broadcasts)
		return false;
	if (mesh_shape_count(facts->config->shape) == 1)
		return true;
	return platform_hosts(facts->run->platform) == NULL &&
	       mesh_largest_grid(facts->info, facts->config) == 1;
}

/* True if the forward path broadcasts, but no trace is broadcast. */
static bool holds_behind_nothing(const struct facts *facts)
{
	return facts->config->forward.path->broadcasts &&
	       (facts->steps[STEP_TRACE] == 0 ||
		       facts->scenario->runtime.traces != TRACES_REPLICATED);
}

static const struct run_key keys[] = {
	{"runtime.forward.trace_hold", holds_behind_nothing,
		"without trace steps whose commands are replicated"},
	{"runtime.forward.initiator_place", gateways_initiate,
		"with initiators: per-gateway, where every gateway initiates"},
	{"runtime.forward.initiator_place", has_one_choice,
		"where every place takes the same chips"},
	{"runtime.forward.initiator_chips", gateways_initiate,
		"with initiators: per-gateway, where every gateway initiates"},
	{"runtime.forward.pieces", needs_no_pieces,
		"where no initiator has more chips than multicast_members"},
	{"runtime.forward.multicast_members", has_one_member, "where each initiator has one chip"},
	{"runtime.forward.initiator_chips", names_no_chips, "without initiator_place: named"},
};

const struct run_key *broadcast_idle_key(size_t index)
{
	return index < sizeof keys / sizeof *keys ? &keys[index] : NULL;
}
