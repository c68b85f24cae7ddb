/* Warns of keys that have no effect, from a table of keys and conditions. A key without effect is
 * not an error, because other runs of a sweep may need it. Keys with their default values cause no
 * warning. A test (test_idle_keys.c) finds keys that are missing in the table. */
#include <string.h>

#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "bench/scenario/step_layout.h"
#include "chip/sim_device.h"
#include "idle_facts.h"
#include "mesh/choice.h"

/* ---- keys of a run ---- */

static bool has_no(const struct facts *facts, enum step_kind kind)
{
	return facts->steps[kind] == 0;
}

static bool has_no_traces(const struct facts *facts)
{
	return has_no(facts, STEP_TRACE);
}

static bool gathers_nothing(const struct facts *facts)
{
	return facts->parted_buffers == 0 || facts->whole_reads == 0;
}

static bool has_no_programs(const struct facts *facts)
{
	return facts->launches == 0;
}

/* Returns true if model.cores has no effect, because no program with filler kernels runs on
 * workers. Programs of collectives and gathers do not count: their kernels execute instructions, so
 * they are simulated core by core with every value of model.cores. */
static bool runs_on_no_worker(const struct facts *facts)
{
	return facts->worker_programs <= facts->library_programs;
}

static bool places_nothing(const struct facts *facts)
{
	return has_no_programs(facts) && has_no(facts, STEP_WRITE_BUFFER) &&
	       has_no(facts, STEP_WRITE_TENSOR);
}

static bool caches_nothing(const struct facts *facts)
{
	return facts->scenario->runtime.traces == TRACES_OFF ? has_no_programs(facts)
							     : facts->untraced_launches == 0;
}

/* True if `verify` checks nothing. With several queues, `verify` also reports races of writes. */
static bool checks_nothing(const struct facts *facts)
{
	return has_no_programs(facts) && has_no(facts, STEP_READ_BUFFER) &&
	       has_no(facts, STEP_READ_TENSOR) &&
	       (has_no(facts, STEP_WRITE_BUFFER) || facts->config->command_queues == 1);
}

static bool repeats_nothing(const struct facts *facts)
{
	return !facts->repeats;
}

static bool prints_nothing(const struct facts *facts)
{
	return facts->printing_kernels == 0 && !facts->scenario->measure.kernels;
}

static bool is_unverified(const struct facts *facts)
{
	return !facts->scenario->measure.verify;
}

static bool verifies_no_programs(const struct facts *facts)
{
	return facts->launches <= facts->library_programs && !is_unverified(facts);
}

static bool has_no_fabric(const struct facts *facts)
{
	return facts->info->connection_count == 0;
}

static bool has_one_mesh(const struct facts *facts)
{
	return scenario_mesh_count(facts->scenario) == 1;
}

static bool has_a_pool_of_one(const struct facts *facts)
{
	return facts->scenario->runtime.host.count == 1;
}

/* Returns the number of a mesh's threads, without the caller. */
static uint32_t thread_count(const struct mesh_config *config)
{
	uint32_t devices = mesh_shape_count(config->shape), count = 0;

	if (config->host.threads->thread_count)
		count += config->host.threads->thread_count(config, devices);
	if (config->completion->thread_count)
		count += config->completion->thread_count(config, devices);
	return count;
}

/* Pinning has no effect on a single thread: its last core is free when it wakes. */
static bool has_at_most_one_thread(const struct facts *facts)
{
	return thread_count(facts->config) <= 1 && !facts->native;
}

/* True if no thread waits for a core; each mesh also has a caller. */
static bool has_cores_for_all(const struct facts *facts)
{
	uint32_t meshes = scenario_mesh_count(facts->scenario), count = 1 + meshes;
	struct machine_constants constants;

	if (platform_hosts(facts->run->platform))
		return false;
	machine_constants_bind(facts->run->platform, (struct host_model){0}, &constants);
	for (uint32_t i = 0; i < meshes; i++)
		count += thread_count(&facts->configs[i]);
	return count <= (uint32_t)constants.host.sockets * constants.host.cores_per_socket;
}

static bool has_one_initiator(const struct facts *facts)
{
	return !facts->config->forward.initiators_per && facts->config->forward.initiators <= 1;
}

/* Returns true if no command is created more than once. A step that records an event or waits for
 * one creates its command several times. So does a finish, which also records an event, unless the
 * forward path broadcasts. Launches create each command once if the caller creates all commands and
 * each program runs on one device; launches that are only captured in traces create nothing. */
static bool creates_once(const struct facts *facts)
{
	if (facts->steps[STEP_RECORD_EVENT] + facts->steps[STEP_WAIT_EVENT] > 0 ||
		(facts->steps[STEP_FINISH] > 0 && !facts->config->forward.path->broadcasts))
		return false;
	return caches_nothing(facts) ||
	       (facts->most_devices <= 1 && !facts->config->host.threads->thread_count);
}

/* Returns true if no command is made separately for each device. This is so if no launch creates
 * commands, if there is only one device, or if each launch is one broadcast to all devices. */
static bool lowers_nothing(const struct facts *facts)
{
	bool broadcasts = facts->config->forward.path->broadcasts &&
			  facts->config->coordinates == COORDINATES_VIRTUAL;

	return caches_nothing(facts) || mesh_shape_count(facts->config->shape) == 1 ||
	       (broadcasts && has_one_initiator(facts) && facts->joint_programs == 0);
}

static bool runs_on_every_worker(const struct facts *facts)
{
	return facts->narrow_programs == 0;
}

static bool has_like_chips(const struct facts *facts)
{
	const struct mesh_config *config = facts->config;
	const struct chip_geometry *first = NULL;
	bool alike = true;

	for (uint32_t row = 0; row < config->shape.rows; row++)
		for (uint32_t column = 0; column < config->shape.columns; column++) {
			uint32_t chip = machine_chip(facts->run->platform, config->offset.row + row,
				config->offset.column + column);

			first = first ? first : facts->info->chips[chip].geometry;
			alike &= facts->info->chips[chip].geometry == first;
		}
	return alike;
}

static bool waits_for_no_slot(const struct facts *facts)
{
	return facts->native ||
	       !sim_network_contends(sim_network_name(facts->scenario->model.network));
}

/* True if a broadcast uses at most one link. */
static bool has_one_route(const struct facts *facts)
{
	return mesh_shape_count(facts->config->shape) <= 2;
}

static const struct run_key run_keys[] = {
	{"runtime.coordinates", has_like_chips, "on chips whose tiles stand at the same places"},
	{"runtime.host.clients", has_one_mesh, "with one mesh"},
	{"runtime.host.queues", has_a_pool_of_one, "with count: 1"},
	{"runtime.host.create", creates_once,
		"without events and programs on several devices, or threads that build them"},
	{"runtime.host.pin", has_at_most_one_thread, "with less than two host threads"},
	{"runtime.lowering", lowers_nothing,
		"without programs that go out in several transactions"},
	{"runtime.forward.go", runs_on_every_worker,
		"where every program runs on all cores of its kinds"},
	{"runtime.forward.feed", has_one_initiator, "with one initiator"},
	{"runtime.forward.route", has_one_route, "on a mesh of two devices at most"},
	{"runtime.forward.channels", waits_for_no_slot, "where packets wait for no slots"},
	{"runtime.gather", gathers_nothing,
		"without reads of buffers whose parts lie on several devices"},
	{"runtime.traces", has_no_traces, "without trace steps"},
	{"runtime.command_cache", caches_nothing, "without workloads outside traces"},
	{"runtime.command_buffers", places_nothing, "without buffers and programs"},
	{"runtime.fabric.topology", has_no_fabric, "on a platform without fabric"},
	{"runtime.sizes.binary_page_bytes", has_no_programs, "without programs"},
	{"runtime.sizes.page_alignment_bytes", places_nothing, "without buffers and programs"},
	{"model.cores", runs_on_no_worker, "without programs of the scenario's own on workers"},
	{"measure.warmup", repeats_nothing, "without repeated steps"},
	{"measure.verify", checks_nothing,
		"without programs, and read_buffer and read_tensor steps"},
	{"measure.verify_cores", is_unverified, "with verify: false"},
	{"measure.verify_cores", verifies_no_programs, "without programs of the scenario's own"},
	{"measure.prints", prints_nothing, "without kernels that print"},
	{"measure.kernels", has_no_programs, "without programs"},
	{"model.scheduler", has_cores_for_all, "with a core for each host thread"},
};

/* ---- keys of a step ---- */

static bool has_no_workers(const struct facts *facts, const struct step *step)
{
	(void)step;
	return !program_uses_workers(facts->program);
}

static bool has_no_rate(const struct facts *facts, const struct step *step)
{
	(void)facts;
	return step->repeat.rate_per_s <= 0;
}

static bool has_one_device(const struct facts *facts, const struct step *step)
{
	(void)step;
	return mesh_shape_count(facts->config->shape) == 1;
}

/* Returns true if a buffer's `spread` has no effect on a mesh of several devices, because it gives
 * only one part, for example a part per row on a mesh with one row. Each device then has the whole
 * buffer. Another entry of the table covers meshes of one device. Matrices and tensors are left
 * out: their number of parts also depends on their size. */
static bool is_one_part(const struct facts *facts, const struct step *step)
{
	return !has_one_device(facts, step) && step->write.spread < STEP_MATRIX &&
	       step_buffer_parts(&step->write, facts->config->shape) == 1;
}

static bool has_one_order(const struct facts *facts, const struct step *step)
{
	struct mesh_shape shape = facts->config->shape;

	if (step->write.spread == STEP_MATRIX)
		return mesh_shape_count(shape) == 1;
	return step->write.spread != STEP_PARTS || shape.rows == 1 || shape.columns == 1;
}

/* Returns true if the calling thread itself writes the buffer, so that every write blocks. On a
 * machine of several hosts, executors write the buffer, and a write that does not block returns
 * earlier. */
static bool is_of_host(const struct facts *facts, const struct step *step)
{
	return step->write.memory == BUFFER_SYSTEM && platform_hosts(facts->run->platform) == NULL;
}

/* True if the buffer is in banks, which have no order by rows or columns. */
static bool deals_to_no_cores(const struct facts *facts, const struct step *step)
{
	(void)facts;
	return step->write.layout == STEP_INTERLEAVED ||
	       buffer_type_in_dram((enum buffer_type)step->write.memory);
}

static bool has_no_arguments(const struct facts *facts, const struct step *step)
{
	(void)step;
	return facts->program->runtime_args + facts->program->common_runtime_args == 0;
}

static bool has_no_circular_buffers(const struct facts *facts, const struct step *step)
{
	(void)step;
	return facts->program->circular_buffers == 0;
}

/* Kernels of filler use no circular buffers, but kernels of a pipeline wait for pages. */
static bool has_no_pages(const struct facts *facts, const struct step *step)
{
	uint32_t workers = 0;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers += facts->program->processors[i];
	return has_no_circular_buffers(facts, step) ||
	       (!program_acts(facts->program) && (facts->program->pages == 1 || workers < 2));
}

/* A replay uses the arguments of the capture, so arguments in a trace have no effect. */
static bool is_captured(const struct facts *facts, const struct step *step)
{
	(void)step;
	return facts->traced && facts->scenario->runtime.traces != TRACES_OFF;
}

static bool is_enqueued_once(const struct facts *facts, const struct step *step)
{
	(void)step;
	return facts->times == 1;
}

static bool is_of_the_host(const struct facts *facts, const struct step *step)
{
	(void)facts;
	return step->wait.host || step->wait.executors;
}

static const struct step_key {
	enum step_kind kind;
	const char *key;
	bool (*idle)(const struct facts *facts, const struct step *step);
	const char *why;
} step_keys[] = {
	{STEP_REPEAT, "arrivals", has_no_rate, "without rate_per_s"},
	{STEP_WRITE_BUFFER, "spread", has_one_device, "on a mesh of one device"},
	{STEP_WRITE_BUFFER, "spread", is_one_part, "where one part is all: every device has it"},
	{STEP_WRITE_BUFFER, "spread_order", has_one_order,
		"without spread: sharded over rows and columns"},
	{STEP_WRITE_BUFFER, "blocking", is_of_host, "in system memory: the host writes it itself"},
	{STEP_WRITE_BUFFER, "values", computes_nothing, "without kernels that act"},
	{STEP_WRITE_BUFFER, "orientation", deals_to_no_cores, "without shards in L1"},
	{STEP_ENQUEUE_WORKLOAD, "cores", has_no_workers, "where no worker runs a kernel"},
	{STEP_ENQUEUE_WORKLOAD, "identity", shares_nothing, "where no other step has it"},
	{STEP_COLLECTIVE, "identity", shares_nothing, "where no other step has it"},
	{STEP_ENQUEUE_WORKLOAD, "imbalance", has_one_core, "on one core"},
	{STEP_ENQUEUE_WORKLOAD, "imbalance", has_no_workers, "where no worker runs a kernel"},
	{STEP_ENQUEUE_WORKLOAD, "kernel_groups", has_no_workers, "where no worker runs a kernel"},
	{STEP_ENQUEUE_WORKLOAD, "arguments", has_no_arguments, "without arguments"},
	{STEP_ENQUEUE_WORKLOAD, "arguments", is_captured, "in a trace"},
	{STEP_ENQUEUE_WORKLOAD, "arguments", is_enqueued_once, "in a step that runs once"},
	{STEP_ENQUEUE_WORKLOAD, "arguments_per", has_no_arguments, "without arguments"},
	{STEP_ENQUEUE_WORKLOAD, "circular_buffer_bytes", has_no_circular_buffers,
		"without circular_buffers"},
	{STEP_ENQUEUE_WORKLOAD, "circular_buffer_pages", has_no_pages,
		"without circular_buffers between kernels of a pipeline (pages) or that act"},
	{STEP_WAIT_EVENT, "queue", is_of_the_host, "with host: true: no queue waits"},
};

/* ---- warnings ---- */

static void warn(struct facts *facts, const char *path, const char *name, const char *why)
{
	diag_warning(facts->diag, tree_where(tree_root(facts->run->tree), path),
		"%s has no effect %s", name, why);
}

/* Warns of keys that belong to choices of a registry which were not chosen. */
static void warn_of_rows(struct facts *facts, const struct registry *registry, size_t chosen)
{
	const struct registry_entry *row = registry->entry(chosen);
	const char *key;

	for (size_t i = 0; (key = registry_idle_key(registry, row, i)); i++)
		if (facts_given(facts, key))
			warn(facts, key, key,
				arena_printf(
					&facts->arena, "with %s '%s'", registry->what, row->name));
}

/* True if the key has no effect on any mesh. */
static bool is_idle(struct facts *facts, const struct run_key *key)
{
	bool idle = true;

	for (uint32_t i = 0; i < scenario_mesh_count(facts->scenario) && idle; i++) {
		facts->config = &facts->configs[i];
		idle = key->idle(facts);
	}
	return idle;
}

/* Warns of the key. If the key is a map, warns of each key in the map instead. */
static void warn_of_field(
	struct facts *facts, const struct schema_field *field, const char *path, const char *why)
{
	if (field->kind != SCHEMA_KIND_MAP && facts_given(facts, path))
		warn(facts, path, path, why);
	for (size_t i = 0; field->kind == SCHEMA_KIND_MAP && i < field->schema->field_count; i++)
		warn_of_field(facts, &field->schema->fields[i],
			arena_printf(&facts->arena, "%s.%s", path, field->schema->fields[i].name),
			why);
}

static void warn_of_key(struct facts *facts, const struct run_key *key)
{
	const struct schema_field *field = schema_find(scenario_schema(), key->key);

	/* some conditions plan meshes, so they are tried only for keys that are given */
	if ((field->kind == SCHEMA_KIND_MAP || facts_given(facts, key->key)) && is_idle(facts, key))
		warn_of_field(facts, field, key->key, key->why);
}

static void warn_of_run(struct facts *facts)
{
	for (size_t i = 0; i < sizeof run_keys / sizeof *run_keys; i++)
		warn_of_key(facts, &run_keys[i]);
	for (size_t i = 0; machine_idle_key(i) != NULL; i++)
		warn_of_key(facts, machine_idle_key(i));
}

/* `above` is the path of the keys: "workload.3.do.0.enqueue_workload". */
static void warn_of_keys(struct facts *facts, const struct step *step, const char *above)
{
	for (size_t i = 0; i < sizeof step_keys / sizeof *step_keys; i++) {
		const struct step_key *key = &step_keys[i];
		const char *path;

		if (step->mesh != STEP_ALL_MESHES)
			facts->config = &facts->configs[step->mesh];
		if (key->kind != step->kind || !key->idle(facts, step))
			continue;
		path = arena_printf(&facts->arena, "%s.%s", above, key->key);
		if (facts_given(facts, path))
			warn(facts, path, key->key, key->why);
	}
}

/* `place` is the path of the step: "workload.3.do.0". */
static void warn_of_step(struct facts *facts, const struct step *step, const char *place)
{
	const char *above = step_body(step) ? place
					    : arena_printf(&facts->arena, "%s.%s", place,
						      step_name(step->kind));
	const struct program_keys *programs;
	uint32_t count;

	if (step->kind != STEP_ENQUEUE_WORKLOAD) {
		warn_of_keys(facts, step, above);
		return;
	}
	programs = step_programs(step, &count);
	for (uint32_t i = 0; i < count; i++) {
		facts->program = &programs[i];
		warn_of_keys(facts, step,
			step->workload.program_count == 0
				? above
				: arena_printf(&facts->arena, "%s.programs.%u", above, i));
	}
}

static void warn_of_steps(
	struct facts *facts, const struct step *steps, uint32_t count, const char *place)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const char *here = arena_printf(&facts->arena, "%s.%u", place, i);
		uint64_t times = facts->times;

		warn_of_step(facts, &steps[i], here);
		if (!body)
			continue;
		facts->traced |= steps[i].kind == STEP_TRACE;
		facts->times *= (uint64_t)body->times * step_times(&steps[i]);
		warn_of_steps(facts, body->steps, body->step_count,
			arena_printf(&facts->arena, "%s.do", here));
		facts->traced &= steps[i].kind != STEP_TRACE;
		facts->times = times;
	}
}

void warn_idle_keys(
	const struct run_plan *run, const struct mesh_config *configs, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	struct facts facts = {
		.run = run,
		.scenario = scenario,
		.configs = configs,
		.config = configs,
		.info = platform_cluster(run->platform),
		.native = run->native,
		.times = 1,
		.diag = diag,
	};

	arena_init(&facts.arena);
	facts_count(&facts);
	warn_of_rows(&facts, &forward_registry, scenario->runtime.forward.path);
	warn_of_rows(&facts, &completion_registry, scenario->runtime.completion);
	warn_of_rows(&facts, &threads_registry, scenario->runtime.host.threads);
	warn_of_run(&facts);
	warn_of_steps(&facts, scenario->steps, scenario->step_count, "workload");
	arena_fini(&facts.arena);
}
