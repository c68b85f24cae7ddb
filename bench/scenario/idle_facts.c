/* Counts the steps of a workload, and the features that they use (idle_facts.h). A step under `do`
 * counts as often as the run reaches it. */
#include "idle_facts.h"

#include "bench/scenario/hosts.h"

#include <string.h>

#include "bench/scenario/step_layout.h"
#include "binary/model_binary.h"
#include "mesh/choice.h"
#include "programs/gather.h"

bool program_uses_workers(const struct program_keys *program)
{
	bool workers = false;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers |= program->processors[i];
	return workers;
}

static void count_bytes(struct facts *facts, uint64_t bytes)
{
	facts->most_bytes = bytes > facts->most_bytes ? bytes : facts->most_bytes;
}

static void count_buffer(struct facts *facts, const struct step *step)
{
	uint32_t parts = step_buffer_parts(&step->write, facts->configs[step->mesh].shape);

	count_bytes(facts, step->write.bytes / parts);
	facts->parted_buffers += parts > 1;
	facts->stored_buffers += step->write.stored;
}

/* True if the program leaves out a device, or some cores of a kind that it runs on. */
static bool is_narrow(const struct program_keys *program)
{
	return program->devices != NULL ||
	       (program_uses_workers(program) && program->cores.kind != CORES_ALL) ||
	       (program->processors[STEP_ETHERNET] && program->ethernet_cores.kind != CORES_ALL);
}

/* Counts kernels that may print. These kernels have the word "print" in their text. */
static void count_prints(struct facts *facts, const struct program_keys *program)
{
	for (uint32_t i = 0; i < program->kernel_count; i++)
		facts->printing_kernels += strstr(program->kernels[i].text, "print") != NULL;
}

static void count_launch(struct facts *facts, bool traced, uint32_t devices)
{
	facts->launches++;
	facts->untraced_launches += !traced;
	facts->most_devices = devices > facts->most_devices ? devices : facts->most_devices;
}

/* Counts the program of a collective, or of a read that gathers. */
static void count_library(struct facts *facts, const struct step *step, bool traced)
{
	count_launch(facts, traced, mesh_shape_count(facts->configs[step->mesh].shape));
	facts->library_programs++;
	facts->narrow_programs++;
	facts->worker_programs++;
}

bool shares_nothing(const struct facts *facts, const struct step *step)
{
	(void)facts;
	return step->kind == STEP_COLLECTIVE ? step->collective.identity && !step->collective.shared
					     : step->workload.identity && !step->workload.shared;
}

bool has_one_core(const struct facts *facts, const struct step *step)
{
	const struct cores *cores = &facts->program->cores;

	(void)step;
	return cores->kind == CORES_COUNT && cores->count == 1;
}

static void count_programs(struct facts *facts, const struct step *step, bool traced)
{
	uint32_t count, all = mesh_shape_count(facts->configs[step->mesh].shape);
	const struct program_keys *programs = step_programs(step, &count);

	count_launch(facts, traced, 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct devices_keys *some = programs[i].devices;
		uint32_t devices = some ? (uint32_t)some->shape[0] * some->shape[1] : all;

		facts->most_devices = devices > facts->most_devices ? devices : facts->most_devices;
		facts->joint_programs += count > 1;
		facts->narrow_programs += is_narrow(&programs[i]);
		facts->worker_programs += program_uses_workers(&programs[i]);
		count_prints(facts, &programs[i]);
	}
}

/* Counts a read. The steps that write its buffer have been counted before. */
static void count_read(struct facts *facts, const struct step *step, bool traced)
{
	if (step->read.shard_count > 0 || step->read.pages_count > 0)
		return;
	facts->whole_reads++;
	if (facts->parted_buffers > 0 && gather_row(facts->scenario->runtime.gather)->on_devices)
		count_library(facts, step, traced);
}

/* Counts operations of a model binary with a cost. Their kernels are filler, as those of
 * enqueue_workload. */
static void count_costs(struct facts *facts, const struct step *step)
{
	const struct model_program *program = &step->model.loaded->programs[step->model.number];

	for (uint32_t i = 0; i < program->operation_count; i++) {
		const struct model_operation *operation = &program->operations[i];

		if (!operation->cost)
			continue;
		facts->launches++;
		facts->untraced_launches++;
		facts->worker_programs++;
		facts->joint_programs += operation->cost->slots > 1;
		facts->narrow_programs += operation->cores > 0 || operation->cost->slots > 0;
	}
}

/* Counts a step that runs a model binary: as steps of the kinds that do the same as the binary. */
static void count_model(struct facts *facts, const struct step *step)
{
	facts->steps[STEP_WRITE_BUFFER]++;
	facts->steps[STEP_READ_BUFFER]++;
	facts->steps[STEP_ENQUEUE_WORKLOAD]++;
	facts->steps[STEP_RECORD_EVENT]++;
	facts->steps[STEP_TRACE] += step->model.trace;
	facts->whole_reads++;
	facts->repeats |= step->model.times > 1;
	count_library(facts, step, false);
	if (step->model.loaded)
		count_costs(facts, step);
}

static void count_steps(
	struct facts *facts, const struct step *steps, uint32_t count, uint64_t times, bool traced)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);
		bool trace = step->kind == STEP_TRACE;
		uint64_t often = times * step_times(step);

		facts->steps[step->kind]++;
		if (body)
			count_steps(facts, body->steps, body->step_count, often * body->times,
				traced || trace);
		else if (often > 1)
			facts->repeats = true;
		if (step->kind == STEP_ENQUEUE_WORKLOAD)
			count_programs(facts, step, traced);
		if (step->kind == STEP_COLLECTIVE)
			count_library(facts, step, traced);
		if (step->kind == STEP_RUN_MODEL)
			count_model(facts, step);
		if (step->kind == STEP_WRITE_BUFFER)
			count_buffer(facts, step);
		if (step->kind == STEP_READ_BUFFER)
			count_read(facts, step, traced);
		if (step->kind == STEP_WRITE_TENSOR)
			count_bytes(facts, step_tensor_device_bytes(facts->scenario, step));
	}
}

void facts_count(struct facts *facts)
{
	count_steps(facts, facts->scenario->steps, facts->scenario->step_count, 1, false);
}

/* ---- keys that depend on the machine: several hosts, or the native world ---- */

static bool is_native(const struct facts *facts)
{
	return facts->native;
}

static bool has_no_fault(const struct facts *facts)
{
	return facts->scenario->model.fault.kind == HOST_FAULT_NONE;
}

static bool fails_at_no_host(const struct facts *facts)
{
	return !fault_row(facts->scenario->model.fault.kind)->of_host;
}

static bool fails_for_no_time(const struct facts *facts)
{
	return !fault_row(facts->scenario->model.fault.kind)->lasts;
}

static bool has_one_host(const struct facts *facts)
{
	return platform_hosts(facts->run->platform) == NULL;
}

static bool writes_nothing(const struct facts *facts)
{
	return !has_one_host(facts) && facts->steps[STEP_WRITE_BUFFER] == 0;
}

static bool loads_nothing(const struct facts *facts)
{
	return !has_one_host(facts) && facts->stored_buffers == 0;
}

static bool launches_nothing(const struct facts *facts)
{
	return !has_one_host(facts) && facts->launches == 0;
}

static bool compiles_nothing(const struct facts *facts)
{
	const struct compile_ops *row = compile_row(facts->scenario->runtime.distributed.compile);

	return !has_one_host(facts) &&
	       (facts->launches == 0 || (!row->by_controller && !row->by_executors));
}

static bool mesh_compiles_nothing(const struct facts *facts)
{
	return facts->launches == 0 ||
	       (!has_one_host(facts) &&
		       !compile_row(facts->scenario->runtime.distributed.compile)->by_executors);
}

static bool is_given_nothing(const struct facts *facts)
{
	const struct distributed_keys *keys = &facts->scenario->runtime.distributed;

	return !has_one_host(facts) && !descriptor_row(keys->descriptor)->given;
}

/* True if no broadcast can reach devices of two hosts. */
static bool spans_nothing(const struct facts *facts)
{
	struct mesh_config own;
	uint32_t hosts = 0;

	if (has_one_host(facts))
		return false;
	for (uint16_t i = 0; i < machine_hosts(facts->run->platform); i++)
		hosts += machine_part(facts->run->platform, facts->config, i, &own);
	return hosts < 2 || !facts->config->forward.path->broadcasts;
}

static bool elides_nothing(const struct facts *facts)
{
	return facts->most_bytes <= facts->scenario->model.elide_above_bytes;
}

static bool presets_nothing(const struct facts *facts)
{
	return facts->worker_programs == 0;
}

static bool runs_no_program_again(const struct facts *facts)
{
	return facts->launches <= !facts->repeats;
}

/* Returns true if a pool builds commands and is `phased`, but there are never several commands to
 * build: no step launches a program, the caller builds the commands, or each launch builds one
 * program for all devices. */
static bool phases_nothing(const struct facts *facts)
{
	const struct host_config *host = &facts->config->host;

	if (!host->threads->pool || !host->pool_tasks->phased)
		return false;
	return facts->launches == 0 || host->create->by_caller ||
	       (host->create->scope != CREATE_PER_DEVICE && facts->joint_programs == 0);
}

static bool has_no_batches(const struct facts *facts)
{
	const struct host_config *host = &facts->config->host;

	return host->threads->pool &&
	       !registry_entry_has_key(&host->pool_tasks->entry, "runtime.host.batch_devices");
}

static bool logs_nothing(const struct facts *facts)
{
	enum log_level least[LOG_TYPE_COUNT];

	log_keys_least(&facts->scenario->measure.log, least);
	for (int type = 0; type < LOG_TYPE_COUNT; type++)
		if (least[type] < LOG_LEVEL_COUNT)
			return false;
	return true;
}

static const struct run_key keys[] = {
	{"runtime.host.batch_devices", has_no_batches, "without pool_tasks: batches"},
	{"runtime.host.compile", mesh_compiles_nothing,
		"without programs, or where no executor compiles: distributed.compile"},
	{"runtime.host.pool_tasks", phases_nothing,
		"where the caller, or one task, creates each operation"},
	{"model.elide_above_bytes", elides_nothing, "without buffers of more bytes per device"},
	{"runtime.kernel_cache", runs_no_program_again, "without programs that run twice"},
	{"runtime.launch_preload", presets_nothing, "without programs on workers"},
	{"model.network", is_native, "in the native world"},
	{"model.noc", is_native, "in the native world"},
	{"model.cores", is_native, "in the native world"},
	{"model.noise", is_native, "in the native world"},
	{"model.scheduler", is_native, "in the native world"},
	{"limits.events", is_native, "in the native world"},
	{"limits.simulated_ms", is_native, "in the native world"},
	{"runtime.distributed", has_one_host, "on a machine of one host"},
	{"model.fault.kind", has_one_host, "on a machine of one host"},
	{"model.fault.host", fails_at_no_host, "without a fault of one host"},
	{"model.fault.at_us", has_no_fault, "without a fault"},
	{"model.fault.for_us", fails_for_no_time, "without a fault that lasts"},
	{"runtime.distributed.allocator", launches_nothing, "without programs"},
	{"runtime.distributed.compile", launches_nothing, "without programs"},
	{"runtime.distributed.descriptor_file", is_given_nothing,
		"without descriptor: cached or offline"},
	{"runtime.distributed.program_cache", compiles_nothing,
		"where no program is compiled: compile: ready, or no programs"},
	{"runtime.distributed.loading", loads_nothing,
		"without write_buffer steps that are stored"},
	{"runtime.distributed.receive", writes_nothing, "without write_buffer steps"},
	{"runtime.distributed.broadcast", spans_nothing,
		"without forward.path: broadcast, or where the mesh is of one host"},
	{"measure.log.lines", logs_nothing, "where no type of lines is logged"},
};

const struct run_key *machine_idle_key(size_t index)
{
	size_t count = sizeof keys / sizeof *keys;

	return index < count ? &keys[index] : broadcast_idle_key(index - count);
}

bool computes_nothing(const struct facts *facts, const struct step *step)
{
	(void)step;
	return !steps_act(facts->scenario->steps, facts->scenario->step_count);
}

bool facts_given(struct facts *facts, const char *path)
{
	const struct tree_node *root = tree_root(facts->run->tree), *node = tree_find(root, path);
	const struct schema_field *field;

	if (!node || preset_says(root, path))
		return false;
	field = schema_find(scenario_schema(), path);
	node = schema_complete_at(scenario_schema(), path, node, &facts->arena);
	return !field || !field->fallback || node->kind != TREE_SCALAR ||
	       strcmp(node->text, field->fallback) != 0;
}
