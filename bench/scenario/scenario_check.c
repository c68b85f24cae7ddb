/* Checks conditions between keys, and between keys and the machine. For example, the mesh must be
 * within the platform, and the objects to which steps refer must exist (step_check.c). Errors cite
 * the key that has the wrong value. The rehearsal of the steps finds the errors that only the
 * runtime itself reports (rehearsal/rehearsal.h). */
#include <string.h>

#include "chip/sim_device.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "mesh/choice.h"
#include "base/ensure.h"
#include "idle_facts.h"
#include "step_check.h"
#include "rehearsal/rehearsal.h"
#include "scenario_private.h"
#include "steps/check.h"

/* Location of `path`, or of the nearest key above it that was written. */
static struct location scenario_check_where_of(const struct tree_node *root, const char *path)
{
	char above[TREE_PATH_BYTES_MAX];
	char *dot;

	snprintf(above, sizeof above, "%s", path);
	while (!tree_find(root, above)) {
		dot = strrchr(above, '.');
		if (!dot)
			return tree_where(root, "platform");
		*dot = '\0';
	}
	return tree_where(root, above);
}

/* True if trace regions and spills of broadcasts leave no DRAM for buffers. */
static bool leaves_no_dram(const struct mesh_config *config, const struct cluster_info *info)
{
	uint64_t spill = config->limits->spill_bytes * (uint64_t)config->command_queues;

	return config->sizes.trace_region_bytes + spill >= dram_bank_reach(info->chips[0].geometry);
}

/* Returns the key to blame if a mesh cannot be opened. Its text may be in `path`. */
static const char *blame(const struct mesh_config *config, const struct cluster_info *info,
	enum status status, bool broadcast, bool on_ethernet, char path[TREE_PATH_BYTES_MAX])
{
	const char *of_broadcasts;

	if (config->shape.rows > info->mesh_rows || config->shape.columns > info->mesh_columns)
		return "runtime.mesh.shape";
	if (config->offset.row + config->shape.rows > info->mesh_rows ||
		config->offset.column + config->shape.columns > info->mesh_columns)
		return "runtime.mesh.offset";
	if (broadcast && config->forward.dispatcher->dedicated && !config->forward.ordering->holds)
		return "runtime.forward.dispatcher";
	if (broadcast && config->forward.channels->own && info->fabric_channels < 2)
		return "runtime.forward.channels";
	if (config->host.readers->offloads && !config->host.threads->pool)
		return "runtime.host.readers";
	if (status == STATUS_UNSUPPORTED && config->host.threads->pool &&
		config->host.pool_tasks->asynchronous && config->host.queues->kind != POOL_OWN &&
		config->host.count != 1)
		return "runtime.host.pool_tasks";
	if (status == STATUS_UNSUPPORTED && config->topology != FABRIC_MESH)
		return "runtime.fabric.topology";
	of_broadcasts = broadcast ? broadcast_blame(config, info, path) : NULL;
	if (of_broadcasts)
		return of_broadcasts;
	if (status == STATUS_NO_MEMORY)
		return config->sizes.system_memory_bytes > 0 ? "runtime.sizes.system_memory_bytes"
							     : "runtime.sizes.issue_queue_bytes";
	if (status == STATUS_NO_SPACE && leaves_no_dram(config, info))
		return "runtime.sizes.trace_region_bytes";
	if (status == STATUS_NO_SPACE && on_ethernet)
		return "runtime.dispatch_cores";
	return broadcast ? "runtime.forward" : "runtime.mesh";
}

static bool has_initiators(const struct scenario *scenario)
{
	return registry_entry_has_key(forward_registry.entry(scenario->runtime.forward.path),
		"runtime.forward.initiators");
}

/* Returns the platform constant for the firmware limit `which`. If firmware runs on Ethernet tiles,
 * prefers the separate constant for Ethernet tiles, which some limits have. */
static const struct platform_constant *limit_constant(const struct run_plan *run, const char *which)
{
	const struct platform_constant *constant = NULL;
	char name[128];

	if (platform_dispatches_on_ethernet(run->platform)) {
		snprintf(name, sizeof name, "firmware.ethernet.%s", which);
		constant = platform_find_listed(run->platform, name);
	}
	if (!constant) {
		snprintf(name, sizeof name, "firmware.%s", which);
		constant = platform_find_listed(run->platform, name);
	}
	ensure(constant, "limit %s is no constant", which);
	return constant;
}

/* Checks conditions between constants. */
static bool check_constants(
	const struct run_plan *run, const struct machine_constants *constants, struct diag *diag)
{
	const struct platform_constant *constant;
	const char *which = NULL;
	size_t errors = diag_errors(diag);
	struct text why;

	text_init(&why);
	if (firmware_limits_check(&constants->firmware_limits, &which, &why) != STATUS_OK) {
		constant = limit_constant(run, which);
		diag_error(diag, constant->given.where,
			"constant '%s' is %g %s: beside the other sizes of the firmware it has to "
			"be %s",
			constant->name, constant->given.value, constant->given.unit,
			text_string(&why));
	}
	text_fini(&why);
	constant = platform_find(run->platform, "chip.ring_free_slots");
	if (constants->chip.ring_free_slots > constants->chip.router_receiver_slots)
		diag_error(diag, constant->given.where,
			"constant '%s' is %g, but 'chip.router_receiver_slots' is %g",
			constant->name, constants->chip.ring_free_slots,
			constants->chip.router_receiver_slots);
	constant = platform_find(run->platform, "host.quantum");
	if (!run->native && !host_scheduler_gets_on(&constants->host))
		diag_error(diag, constant->given.where,
			"constant '%s' is %g %s, no longer than a switch of threads "
			"('host.switch'): "
			"with model.scheduler: %s, which counts the switch, no thread gets on",
			constant->name, constant->given.value, constant->given.unit,
			scheduler_name(constants->host.scheduler));
	return diag_errors(diag) == errors;
}

/* Location of the key to blame for mesh `number`. */
static struct location where_of_mesh(const struct run_plan *run, uint32_t number, const char *key)
{
	static const char above[] = "runtime.mesh";
	const struct mesh_keys *mesh = scenario_mesh(run->scenario, number);
	char path[TREE_PATH_BYTES_MAX];

	if (!mesh->name || strncmp(key, above, strlen(above)) != 0)
		return scenario_check_where_of(tree_root(run->tree), key);
	snprintf(path, sizeof path, "runtime.meshes.%s%s", mesh->name, key + strlen(above));
	return scenario_check_where_of(tree_root(run->tree), path);
}

/* Checks that mesh `number` shares no chip with an earlier mesh. Considers only meshes that are
 * open at the beginning. */
static bool check_apart(const struct run_plan *run, const struct mesh_config *configs,
	uint32_t number, struct diag *diag)
{
	struct device_range range = machine_range(&configs[number]);

	for (uint32_t i = 0; i < number; i++) {
		struct device_range other = machine_range(&configs[i]);

		if (!device_range_overlap(range, other) ||
			!scenario_mesh_begins_open(run->scenario, i) ||
			!scenario_mesh_begins_open(run->scenario, number))
			continue;
		diag_error(diag, where_of_mesh(run, number, "runtime.mesh"),
			"mesh '%s' has the chip at row %u, column %u of the platform, which "
			"belongs "
			"to mesh '%s'",
			scenario_mesh(run->scenario, number)->name,
			range.row0 > other.row0 ? range.row0 : other.row0,
			range.column0 > other.column0 ? range.column0 : other.column0,
			scenario_mesh(run->scenario, i)->name);
		return false;
	}
	return true;
}

/* An alignment of 0 is allowed: the runtime then chooses the alignment. */
static bool alignment_is_good(uint32_t bytes)
{
	return bytes == 0 || (bytes >= COMMAND_ALIGN && (bytes & (bytes - 1)) == 0);
}

/* The mesh `failed` could not be opened. Returns the path of the key at which this error is
 * reported. On a machine of several hosts, OUT_OF_RANGE means that the mesh is not within the whole
 * machine. */
static const char *blame_mesh(const struct run_plan *run, const struct mesh_config *failed,
	enum status status, char path[TREE_PATH_BYTES_MAX])
{
	if (!platform_hosts(run->platform) || status != STATUS_OUT_OF_RANGE)
		return blame(failed, platform_cluster(run->platform), status,
			has_initiators(run->scenario),
			platform_dispatches_on_ethernet(run->platform), path);
	return failed->offset.row > 0 || failed->offset.column > 0 ? "runtime.mesh.offset"
								   : "runtime.mesh.shape";
}

/* Opens a mesh for the rehearsal, and reports an error if this fails. A mesh that a step opens is
 * rehearsed separately from all other meshes. So if its resources conflict with those of another
 * mesh, only the run finds this error. */
static bool rehearse_mesh(const struct run_plan *run, struct rehearsal *rehearsal, uint32_t number,
	const struct mesh_config *config, struct diag *diag)
{
	char path[TREE_PATH_BYTES_MAX];
	struct mesh_config failed;
	struct text why;
	enum status status;

	text_init(&why);
	status = rehearsal_open(rehearsal, number, config, &failed, &why);
	if (status != STATUS_OK)
		diag_error(diag, where_of_mesh(run, number, blame_mesh(run, &failed, status, path)),
			"%s", why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	return status == STATUS_OK;
}

/* Makes the mesh's divisions in the rehearsal. check_sub_devices() has already checked their cores,
 * so errors are about sizes of L1. An error in the initial division is reported at
 * runtime.sub_device_l1_bytes, an error in another division at this division. */
static void divide_mesh(
	const struct run_plan *run, struct rehearsal *rehearsal, uint32_t number, struct diag *diag)
{
	const struct runtime_keys *keys = &run->scenario->runtime;
	struct location where = tree_where(tree_root(run->tree), "runtime.sub_device_l1_bytes");
	uint32_t division;
	struct text why;
	enum status status;

	text_init(&why);
	status = rehearsal_divide(rehearsal, number, &division, &why);
	if (status != STATUS_OK && division != division_initial(keys))
		where = division_at(keys, division).where;
	if (status != STATUS_OK)
		diag_error(
			diag, where, "%s", why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
}

static bool check_meshes(const struct run_plan *run, const struct machine_constants *constants,
	struct mesh_config *configs, struct rehearsal *rehearsal, struct diag *diag)
{
	uint32_t count = scenario_mesh_count(run->scenario);
	bool good = true;

	for (uint32_t i = 0; i < count; i++) {
		scenario_mesh_config(run->scenario, run->platform, &constants->firmware_costs,
			&constants->firmware_limits, i, &configs[i]);
		if (!alignment_is_good(
			    configs[i].sizes.page_alignment_bytes)) /* this error was already
								     * reported; 0 lets the other
								     * checks go on */
			configs[i].sizes.page_alignment_bytes = 0;
		if (!check_apart(run, configs, i, diag))
			return false;
	}
	for (uint32_t i = 0; i < count && good; i++)
		good = rehearse_mesh(run, rehearsal, i, &configs[i], diag);
	for (uint32_t i = 0; i < count && good; i++)
		divide_mesh(run, rehearsal, i, diag);
	return good;
}

/* Reports sizes that are too small. The runtime would silently use the smallest size that works. */
static void check_sizes(
	const struct run_plan *run, const struct firmware_limits *limits, struct diag *diag)
{
	uint32_t alignment = run->scenario->runtime.sizes.page_alignment_bytes;
	uint64_t bytes = run->scenario->runtime.sizes.issue_queue_bytes;
	uint64_t least = UINT64_C(2) * limits->fetch_entry_bytes;

	if (bytes < least)
		diag_error(diag,
			scenario_check_where_of(
				tree_root(run->tree), "runtime.sizes.issue_queue_bytes"),
			"issue_queue_bytes: %llu, but two pieces of %u bytes "
			"(firmware.fetch_entry_size) must fit",
			(unsigned long long)bytes, limits->fetch_entry_bytes);
	if (!alignment_is_good(alignment))
		diag_error(diag,
			scenario_check_where_of(
				tree_root(run->tree), "runtime.sizes.page_alignment_bytes"),
			"page_alignment_bytes: %u is not 0 and no power of two from %d on",
			alignment, COMMAND_ALIGN);
}

/* Rejects `model.cores: chip` with the network `fluid`. The chip model must know in advance when
 * messages will arrive, which cannot be predicted if SimGrid's fluid model shares the links. */
static void scenario_check_cores(const struct run_plan *run, struct diag *diag)
{
	const char *network = sim_network_name(run->scenario->model.network);

	if (run->scenario->model.cores == CORES_CHIP && strcmp(network, "fluid") == 0)
		diag_error(diag, scenario_check_where_of(tree_root(run->tree), "model.cores"),
			"cores: chip: with network 'fluid' messages of cores share links in a way "
			"that no closed form tells; use cores: each, or network 'packet'");
}

/* Rejects `model.noc: links` unless the network is `packet`. In the network `ideal`, messages never
 * contend for links, and the network `fluid` uses links of SimGrid instead. */
static void check_noc(const struct run_plan *run, struct diag *diag)
{
	const char *network = sim_network_name(run->scenario->model.network);

	if (run->scenario->model.noc == NOC_LINKS && strcmp(network, "packet") != 0)
		diag_error(diag, scenario_check_where_of(tree_root(run->tree), "model.noc"),
			"noc: links: transfers take turns at links, which network '%s' does not "
			"have; use noc: interfaces, or network 'packet'",
			network);
}

/* The network `fluid` needs a SimGrid host for every core. */
static void check_network(const struct run_plan *run, struct diag *diag)
{
	const char *name = sim_network_name(run->scenario->model.network);

	if (sim_network_device(name) != &sim_device && !platform_has_cores(run->platform))
		diag_error(diag, scenario_check_where_of(tree_root(run->tree), "model.network"),
			"network '%s' takes machines of at most %d Tensix tiles, platform '%s' has "
			"%u",
			name, PLATFORM_CORES_MAX, platform_name(run->platform),
			platform_tensix_tiles(run->platform));
}

void scenario_check(const struct run_plan *run, struct diag *diag)
{
	struct machine_constants constants = {0};
	struct rehearsal *rehearsal;
	struct mesh_config configs[SCENARIO_MESHES_MAX];
	size_t errors = diag_errors(diag);
	bool good;

	machine_constants_bind(run->platform, scenario_host_model(run->scenario), &constants);
	if (!check_constants(run, &constants, diag))
		return;
	check_sizes(run, &constants.firmware_limits, diag);
	scenario_check_cores(run, diag);
	check_noc(run, diag);
	check_network(run, diag);
	if (scenario_operations(run->scenario) > SCENARIO_OPERATIONS_MAX)
		diag_error(diag, tree_where(tree_root(run->tree), "workload"),
			"more than %d operations in one run", SCENARIO_OPERATIONS_MAX);
	if (!machine_check(run, diag))
		return;
	if (!check_sub_devices(run, platform_cluster(run->platform)->chips[0].geometry, diag))
		return;
	check_divisions(run, diag);
	good = diag_errors(diag) == errors;
	rehearsal = rehearsal_new(run);
	if (check_meshes(run, &constants, configs, rehearsal, diag) && good)
		steps_check(run, configs, rehearsal, diag);
	rehearsal_free(rehearsal);
	trace_check(run, diag);
	if (diag_errors(diag) > errors)
		return;
	scale_check(run, configs, diag);
	warn_idle_keys(run, configs, diag);
}
