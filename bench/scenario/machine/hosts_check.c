/* Checks scenarios on machines of several hosts (step_check.h). The runtime rejects the same
 * scenarios, but only at run time, and with a status instead of an error that cites a line of the
 * file. */
#include "step_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "chip/sim_device.h"
#include "mesh/choice.h"
#include "transport/rows.h"
#include "wire/codec.h"
#include "wire/system_file.h"

struct hosts_check {
	const struct run_plan *run;
	struct diag *diag;
	bool traced; /* a trace captures the current steps */
};

/* Largest system memory of a host: messages name the addresses of its buffers in 32 bits. */
#define SYSTEM_MEMORY_MAX (UINT64_C(1) << 32)

/* ---- keys ---- */

static void refuse_key(const struct hosts_check *check, const char *key, const char *why)
{
	diag_error(check->diag, tree_where(tree_root(check->run->tree), key), "%s", why);
}

/* Reports an error if this build cannot use the transport natively. Only native runs need the
 * transport's library: their hosts are processes of this machine, which send messages with this
 * library. Simulated runs only compute the time of messages. */
static void check_library(const struct hosts_check *check, const struct transport_row *row)
{
	struct location where =
		tree_where(tree_root(check->run->tree), "runtime.distributed.transport");

	if (row->needs_network)
		diag_error(check->diag, where,
			"transport '%s' is simulated only: there is no library of it to run "
			"natively",
			row->entry.name);
	else if (row->ops == NULL)
		diag_error(check->diag, where,
			"transport '%s' is not in this build: apt install %s, and build again",
			row->entry.name, row->package);
}

static void refuse_transport(const struct hosts_check *check, const char *why, const char *machines)
{
	uint32_t transport = check->run->scenario->runtime.distributed.transport;

	diag_error(check->diag,
		tree_where(tree_root(check->run->tree), "runtime.distributed.transport"),
		"transport '%s' %s, and '%s' has %s", transport_name(transport), why,
		platform_name(check->run->platform), machines);
}

/* Rejects transports that cannot connect the hosts of the platform. Unix sockets and shared memory
 * do not reach from one machine to another. RDMA needs a network, but there is no network if all
 * hosts are on one machine. A native run checks only that the transport's library is available. */
static void check_transport(const struct hosts_check *check)
{
	const struct transport_row *row =
		transport_row(check->run->scenario->runtime.distributed.transport);
	bool shares = machine_shares(check->run->platform);

	if (check->run->native)
		check_library(check, row);
	else if (shares && row->needs_network)
		refuse_transport(check, "needs a network", "one machine for all hosts");
	else if (!shares && row->of_one_machine)
		refuse_transport(check, "reaches its own machine only", "several");
}

/* Rejects initiator_chips, because a chip has a place only in the mesh of its host. */
static void check_initiators(const struct hosts_check *check)
{
	const struct forward_keys *forward = &check->run->scenario->runtime.forward;

	if (initiator_place_row(forward->initiator_place)->named)
		refuse_key(check, "runtime.forward.initiator_place",
			"initiator_place: named takes a machine of one host: each host's executor "
			"chooses among the chips of its part of the mesh");
}

/* Reports an error if the window exceeds the limit of the transport's library. Checks simulated
 * runs, too, because every scenario must also be able to run natively. */
static void check_window(const struct hosts_check *check)
{
	const struct distributed_keys *keys = &check->run->scenario->runtime.distributed;
	uint32_t most = transport_window_max(transport_row(keys->transport));

	if (keys->window > most)
		diag_error(check->diag,
			tree_where(tree_root(check->run->tree), "runtime.distributed.window"),
			"window: %u, but transport '%s' takes at most %u", keys->window,
			transport_name(keys->transport), most);
}

static void check_fault(const struct hosts_check *check)
{
	const struct tree_node *root = tree_root(check->run->tree);
	const struct fault_keys *fault = &check->run->scenario->model.fault;
	const struct fault_ops *row = fault_row(fault->kind);

	if (fault->kind != HOST_FAULT_NONE && check->run->native)
		diag_error(check->diag, tree_where(root, "model.fault.kind"),
			"faults of hosts are simulated");
	if (row->of_network && machine_shares(check->run->platform))
		diag_error(check->diag, tree_where(root, "model.fault.kind"),
			"the hosts of '%s' are processes of one machine: there is no network to be "
			"cut off",
			platform_name(check->run->platform));
	if (!row->answers && check->run->scenario->runtime.distributed.reply_ns == 0)
		diag_error(check->diag, tree_where(root, "model.fault.kind"),
			"hosts would wait for each other for ever: say "
			"runtime.distributed.reply_ns");
	if (fault->kind != HOST_FAULT_NONE && fault->host >= machine_hosts(check->run->platform))
		diag_error(check->diag, tree_where(root, "model.fault.host"),
			"host %u of '%s', which has %u, counted from 0", fault->host,
			platform_name(check->run->platform), machine_hosts(check->run->platform));
}

/* Checks the keys that give stages their own threads. If receiving has no thread of its own, one
 * thread waits for a message and then does the work of the following stages. So these stages cannot
 * have their own threads. */
static void check_stages(const struct hosts_check *check)
{
	const struct distributed_keys *keys = &check->run->scenario->runtime.distributed;
	const struct pipeline_ops pipeline = machine_pipeline(keys);
	const struct executor_stages stages = machine_executor_stages(keys);
	static const char why[] = "this stage has no thread of its own where receiving has none: "
				  "the waiting thread does both";

	if (!pipeline.receive && keys->stages.deserialization == STAGE_OWN)
		refuse_key(check, "runtime.distributed.stages.deserialization", why);
	if (!pipeline.receive && keys->stages.read == STAGE_OWN)
		refuse_key(check, "runtime.distributed.stages.read", why);
	if (!stages.receive && stages.deserialize)
		refuse_key(check, "runtime.distributed.stages.executor_deserialization", why);
	if (!pipeline.receive && (pipeline.deserialize || pipeline.read) &&
		keys->stages.receive == STAGE_MERGED && keys->stages.deserialization != STAGE_OWN &&
		keys->stages.read != STAGE_OWN)
		refuse_key(check, "runtime.distributed.stages.receive",
			"stages behind it have threads: merge these, too");
}

static void check_descriptor(const struct hosts_check *check)
{
	static const char key[] = "runtime.distributed.descriptor_file";
	struct system_hosts *hosts = allocate(1, sizeof *hosts);
	struct arena arena = {0};
	struct text why = {0};

	if (machine_descriptors(check->run, &arena, hosts, &why) != STATUS_OK)
		diag_error(check->diag, tree_where(tree_root(check->run->tree), key),
			"descriptor_file: %s", text_string(&why));
	free(hosts);
	text_fini(&why);
	arena_fini(&arena);
}

static void check_keys(const struct hosts_check *check)
{
	const struct scenario *scenario = check->run->scenario;
	const struct runtime_keys *keys = &scenario->runtime;
	const struct wire_codec *codec = wire_codec_row(keys->distributed.codec);

	if (machine_hosts(check->run->platform) > DISTRIBUTED_HOSTS_MAX)
		diag_error(check->diag, tree_where(tree_root(check->run->tree), "platform"),
			"'%s' has %u hosts, and a device is of %d at most",
			platform_name(check->run->platform), machine_hosts(check->run->platform),
			DISTRIBUTED_HOSTS_MAX);
	check_transport(check);
	check_window(check);
	check_initiators(check);
	check_fault(check);
	check_stages(check);
	check_descriptor(check);
	span_check(check->run, check->diag);
	if (codec->ops == NULL)
		diag_error(check->diag,
			tree_where(tree_root(check->run->tree), "runtime.distributed.codec"),
			"codec '%s' is not in this build: apt install %s, and build again",
			codec->entry.name, codec->packages);
	if (compile_row(keys->distributed.compile)->by_executors &&
		!allocation_row(keys->distributed.allocator)->region &&
		!allocation_row(keys->distributed.allocator)->asks)
		refuse_key(check, "runtime.distributed.allocator",
			"the controller cannot know how large the binaries are that executors "
			"compile: let these ask, or let it compile");
	if (keys->mesh_count > 1 && keys->host.clients == CLIENTS_PER_MESH)
		refuse_key(check, "runtime.host.clients",
			"one thread calls the controller of several hosts, which has all meshes");
	if (keys->sizes.system_memory_bytes > SYSTEM_MEMORY_MAX)
		refuse_key(check, "runtime.sizes.system_memory_bytes",
			"more than 4 GiB for each host: messages to other hosts name addresses of "
			"32 bits");
	if (scenario->model.elide_above_bytes > 0)
		refuse_key(check, "model.elide_above_bytes",
			"data for devices of several hosts go through messages, which are real");
	if (!check->run->native &&
		sim_network_device(sim_network_name(scenario->model.network)) != &sim_device)
		refuse_key(check, "model.network",
			"network 'fluid' takes machines of one host: SimGrid has no chips of "
			"others");
}

/* ---- steps ---- */

/* Reports an error at a key of the step, or at the step. */
static void refuse_step(const struct hosts_check *check, const struct step *step,
	const struct tree_node *keys, const char *key, const char *why)
{
	const struct tree_node *at = keys && key ? tree_get(keys, key) : NULL;

	diag_error(check->diag, at ? at->where : step->where, "%s", why);
}

static void refuse_pinned(
	const struct hosts_check *check, const struct step *step, const struct tree_node *keys)
{
	refuse_step(check, step, keys, "pinned",
		"the controller's memory cannot be pinned for devices of other hosts, to which "
		"data go through messages (runtime.distributed.receive: pinned pins what executors "
		"receive)");
}

static void hosts_check_write(
	const struct hosts_check *check, const struct step *step, const struct tree_node *keys)
{
	if (step->write.pinned)
		refuse_pinned(check, step, keys);
	if (step->write.memory == BUFFER_TRACE)
		refuse_step(check, step, keys, "memory",
			"each host allocates in its trace region by itself: no buffer of several "
			"hosts can lie there");
}

static void hosts_check_read(
	const struct hosts_check *check, const struct step *step, const struct tree_node *keys)
{
	if (step->read.pinned)
		refuse_pinned(check, step, keys);
}

/* Returns the number of kernels, circular buffers and semaphores that the client creates for a
 * program whose kernels are filler. */
static uint64_t parts_of(const struct program_keys *program)
{
	bool ethernet = program->processors[STEP_ETHERNET];
	uint64_t workers = 0;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers += program->processors[i];
	return workers * program->kernel_groups + ethernet +
	       (uint64_t)program->circular_buffers * program->circular_buffer_groups +
	       (uint64_t)program->semaphores * (ethernet ? 2 : 1);
}

/* Checks the size of a workload: its description is sent to other hosts in one message. */
static void hosts_check_workload(
	const struct hosts_check *check, const struct step *step, const struct tree_node *keys)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);
	uint64_t parts = 0;
	char why[160];

	if (step->workload.maker)
		refuse_step(check, step, keys, "identity",
			"a workload of an earlier step: launches of other hosts have no time of "
			"their own (run_ns)");
	for (uint32_t i = 0; i < count; i++)
		if (programs[i].imbalance > 0)
			refuse_step(check, step, keys, "imbalance",
				"launches of other hosts have no imbalance");
	for (uint32_t i = 0; i < count; i++)
		parts += program_acts(&programs[i]) ? 0 : parts_of(&programs[i]);
	if (parts <= BOUND_PARTS)
		return;
	snprintf(why, sizeof why,
		"%llu kernels, circular buffers and semaphores of all programs together, but other "
		"hosts are sent at most %d",
		(unsigned long long)parts, BOUND_PARTS);
	refuse_step(check, step, keys, "programs", why);
}

/* Returns true if only steps that open a mesh come before `step`. The first step that opens a mesh
 * starts the hosts. */
static bool opens_at_first(const struct scenario *scenario, const struct step *step)
{
	const struct step *first = scenario->steps;

	while (first < scenario->steps + scenario->step_count && first != step &&
		first->kind == STEP_OPEN_MESH)
		first++;
	return first == step;
}

static void hosts_check_step(
	const struct hosts_check *check, const struct step *step, const struct tree_node *keys)
{
	switch (step->kind) {
	case STEP_WRITE_BUFFER:
		hosts_check_write(check, step, keys);
		break;
	case STEP_READ_BUFFER:
		hosts_check_read(check, step, keys);
		break;
	case STEP_ENQUEUE_WORKLOAD:
		hosts_check_workload(check, step, keys);
		break;
	case STEP_FABRIC_PING:
	case STEP_FABRIC_TRAFFIC:
		if (machine_links(check->run->platform) == 0)
			refuse_step(check, step, keys, NULL,
				"steps that measure the fabric take devices with routes to each "
				"other, and no links join the hosts (hosts.links of the platform)");
		break;
	case STEP_COLLECTIVE:
		if (machine_links(check->run->platform) == 0)
			refuse_step(check, step, keys, NULL,
				"collectives take devices with routes to each other, and no links "
				"join the hosts (hosts.links of the platform)");
		break;
	case STEP_OPEN_MESH:
		if (opens_at_first(check->run->scenario, step))
			break;
		/* fallthrough */
	case STEP_CLOSE_MESH:
		refuse_step(check, step, keys, NULL,
			"meshes of several hosts are opened once, at first: hosts end with their "
			"last mesh");
		break;
	default:
		break;
	}
}

static void hosts_check_steps(struct hosts_check *check, const struct step *steps, uint32_t count,
	const struct tree_node *nodes)
{
	const struct runtime_keys *keys = &check->run->scenario->runtime;

	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);
		bool outside = check->traced;

		if (body == NULL) {
			hosts_check_step(
				check, step, tree_get(nodes->items[i], step_name(step->kind)));
			continue;
		}
		check->traced |= step->kind == STEP_TRACE && keys->traces != TRACES_OFF;
		if (check->traced && !outside && keys->sizes.trace_region_bytes == 0)
			refuse_step(check, step, NULL, NULL,
				"each host keeps its traces in a region of its own, and there is "
				"none: say runtime.sizes.trace_region_bytes");
		hosts_check_steps(
			check, body->steps, body->step_count, tree_get(nodes->items[i], "do"));
		check->traced = outside;
	}
}

bool machine_check(const struct run_plan *run, struct diag *diag)
{
	struct hosts_check check = {.run = run, .diag = diag};
	size_t errors = diag_errors(diag);

	if (platform_hosts(run->platform) == NULL)
		return true;
	check_keys(&check);
	hosts_check_steps(&check, run->scenario->steps, run->scenario->step_count,
		tree_get(tree_root(run->tree), "workload"));
	return diag_errors(diag) == errors;
}
