/* Checks that the queues, devices, cores, buffers and events to which steps refer exist. The checks
 * also make the objects of the steps on the meshes of the rehearsal (rehearsal/rehearsal.h). */
#include "step_check.h"

#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/load.h"
#include "bench/scenario/step_layout.h"
#include "programs/gather.h"
#include "rehearsal/rehearsal.h"
#include "steps/check.h"

static void look_at_mesh(struct check *check, uint32_t mesh)
{
	const struct device_handle *device = rehearsal_device(check->rehearsal, mesh);

	check->mesh = mesh;
	check->config = &check->configs[mesh];
	check->resources = device->ops->resources(device);
	check->geometry = device->ops->geometry(device);
}

static bool same_pair(const uint32_t *a, const uint32_t *b)
{
	return a[0] == b[0] && a[1] == b[1];
}

static bool same_spread(const struct tree_node *keys, const struct write_step *write,
	const struct write_step *first)
{
	return (!tree_get(keys, "spread") || write->spread == first->spread) &&
	       (!tree_get(keys, "spread_order") || write->spread_order == first->spread_order) &&
	       (!tree_get(keys, "global_shape") || memcmp(write->global_shape, first->global_shape,
							   sizeof first->global_shape) == 0) &&
	       (!tree_get(keys, "shard_shape") || memcmp(write->shard_shape, first->shard_shape,
							  sizeof first->shard_shape) == 0) &&
	       (!tree_get(keys, "tensor_shape") ||
		       (write->tensor_rank == first->tensor_rank &&
			       memcmp(write->tensor_shape, first->tensor_shape,
				       first->tensor_rank * sizeof(uint64_t)) == 0)) &&
	       (!tree_get(keys, "mapper") ||
		       (write->mapper_count == first->mapper_count &&
			       memcmp(write->mapper, first->mapper,
				       first->mapper_count * sizeof(int32_t)) == 0));
}

/* Reports an error if the keys of `write` contradict the keys of `first`, the first step that
 * writes the same buffer. `first` defines the layout of the buffer. Also copies the size and the
 * memory of the buffer from `first` to `write`. */
static void check_same_layout(const struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct write_step *first)
{
	char cited[LOCATION_CITE_BYTES];
	bool same = (!write->bytes || write->bytes == first->bytes) &&
		    check_same_tensor(write, first) &&
		    (!tree_get(keys, "page_bytes") || write->page_bytes == first->page_bytes) &&
		    (!tree_get(keys, "memory") || write->memory == first->memory) &&
		    same_spread(keys, write, first) &&
		    (!tree_get(keys, "layout") || write->layout == first->layout) &&
		    (!tree_get(keys, "contiguous_pages") ||
			    write->contiguous_pages == first->contiguous_pages) &&
		    (!tree_get(keys, "page_matrix") ||
			    same_pair(write->page_matrix, first->page_matrix)) &&
		    (!tree_get(keys, "shard_pages") ||
			    same_pair(write->shard_pages, first->shard_pages)) &&
		    (!tree_get(keys, "shard_cores") ||
			    (write->shard_cores[0] == first->shard_cores[0] &&
				    write->shard_cores[1] == first->shard_cores[1])) &&
		    (!tree_get(keys, "orientation") || write->orientation == first->orientation) &&
		    (!tree_get(keys, "bottom_up") || write->bottom_up == first->bottom_up) &&
		    (!write->sub_device || write->sub_device_number == first->sub_device_number);

	if (!same)
		diag_error(check->diag, write->buffer_where,
			"buffer '%s' was made with other keys at %s", write->buffer,
			location_cite(first->buffer_where, cited, sizeof cited));
	else
		(void)check_buffer_elements(check, keys, write, first);
	write->bytes = first->bytes;
	write->memory = first->memory;
}

/* Checks the size, the spread and the layout of a buffer whose size is known. */
static void check_extents(
	const struct check *check, const struct tree_node *keys, const struct write_step *write)
{
	uint32_t parts;
	uint64_t each;

	if (!check_buffer_spread(check, keys, write))
		return;
	parts = step_buffer_parts(write, check->config->shape);
	each = write->bytes / parts;
	if (write->spread && write->memory == BUFFER_SYSTEM)
		check_buffer_layout(check, keys, write); /* system memory is not cut into parts */
	else if (write->spread && write->bytes % (parts * (uint64_t)sizeof(uint32_t)))
		diag_error(check->diag, write->bytes_where,
			"%llu bytes do not divide into %u equal shards of whole words",
			(unsigned long long)write->bytes, parts);
	else if (each % write->page_bytes)
		diag_error(check->diag, write->bytes_where,
			"%llu bytes on each device are not a multiple of page_bytes: %u",
			(unsigned long long)each, write->page_bytes);
	else
		check_buffer_layout(check, keys, write);
}

static void check_new_buffer(struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct step *step)
{
	size_t errors = diag_errors(check->diag);
	struct buffer_name *name = arena_alloc(check->arena, sizeof *name);

	if (write->bytes)
		check_extents(check, keys, write);
	else if (!write->from &&
		 write->shape_rank == 0) /* otherwise the error of the data was reported */
		diag_error(check->diag, step->where,
			"buffer '%s': missing key 'bytes' in the first step that writes it",
			write->buffer);
	*name = (struct buffer_name){.first = write,
		.mesh = check->mesh,
		.late = check->frees,
		.loop = check->loop,
		.bad = !write->bytes || diag_errors(check->diag) > errors};
	name->next = check->buffers;
	check->buffers = name;
}

static void step_check_write(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct write_step *first = check_find_buffer(check, step->write.buffer);
	bool bad = first && check_buffer_name(check, check->mesh, step->write.buffer)->bad;

	if (step->write.buffer_where.line == 0) /* the name is the default, so it has no location */
		step->write.buffer_where = step->where;
	check_queue(check, keys, step, step->write.queue);
	check_shard(check, keys, step->write.shard, step->write.shard_count, step->write.pinned);
	check_stored(check, keys, &step->write);
	check_source(check, keys, step);
	check_tensor_shape(check, keys, &step->write, first);
	if (bad)
		return;
	if (first)
		check_same_layout(check, keys, &step->write, first);
	else
		check_new_buffer(check, keys, &step->write, step);
	if (step->write.shard_count > 0 && step->write.bytes > 0)
		check_holds(check, keys, step->write.shard, first ? first : &step->write);
	check_written_pages(check, keys, &step->write, first);
	if (step->write.memory == BUFFER_SYSTEM)
		check_of_host(check, keys, step->write.buffer, step->where);
	if (check->trace && step->write.bytes > 0) {
		check_captured_data(check, &step->write, step->where);
		check_used(check, step->write.buffer, step->where);
	}
}

/* Warns that elided data can be read but not compared. */
static void warn_elided(const struct check *check, struct location where, const char *what,
	const char *name, uint64_t bytes)
{
	const struct scenario *scenario = check->run->scenario;
	uint64_t limit = scenario->model.elide_above_bytes;

	if (limit > 0 && bytes > limit && scenario->measure.verify)
		diag_warning(check->diag, where,
			"%s '%s' is read but not compared: of its %llu bytes per device none are "
			"simulated (model.elide_above_bytes)",
			what, name, (unsigned long long)bytes);
}

/* Checks a read whose parts are gathered by kernels on the devices. If there are several hosts,
 * fabric links must join them. The bytes of the data must be simulated (model.elide_above_bytes).
 */
static void step_check_gather(
	const struct check *check, const struct read_step *read, const struct write_step *write)
{
	const struct scenario *scenario = check->run->scenario;
	uint32_t parts = step_buffer_parts(write, check->config->shape);
	uint64_t limit = scenario->model.elide_above_bytes, bytes = write->bytes / parts;

	if (parts == 1 || read->shard_count || read->pages_count ||
		!gather_row(scenario->runtime.gather)->on_devices)
		return;
	if (platform_hosts(check->run->platform) && machine_links(check->run->platform) == 0)
		diag_error(check->diag, tree_where(tree_root(check->run->tree), "runtime.gather"),
			"gather: no links join the hosts (hosts.links of the platform)");
	if (limit > 0 && bytes > limit)
		diag_error(check->diag, read->buffer_where,
			"kernels gather buffer '%s', but of its %llu bytes per device none are "
			"simulated (model.elide_above_bytes)",
			write->buffer, (unsigned long long)bytes);
}

static void step_check_read(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct write_step *write;

	if (step->read.buffer_where.line == 0)
		step->read.buffer_where = step->where;
	check_queue(check, keys, step, step->read.queue);
	check_shard(check, keys, step->read.shard, step->read.shard_count, step->read.pinned);
	write = check_want_buffer(check, step->read.buffer, step->read.buffer_where);
	if (!write)
		return;
	if (check->trace)
		check_used(check, step->read.buffer, step->read.buffer_where);
	if (write->memory == BUFFER_SYSTEM)
		check_of_host(check, keys, write->buffer, step->where);
	if (step->read.shard_count > 0)
		check_holds(check, keys, step->read.shard, write);
	check_read_pages(check, keys, &step->read, write);
	step_check_gather(check, &step->read, write);
	check_offer_source(check, step, write);
	check_save(check, keys, step, step_saved_elements(write),
		write->pinned ? 0 : write->bytes / step_buffer_parts(write, check->config->shape));
	if (!write->pinned)
		warn_elided(check, step->read.buffer_where, "buffer", write->buffer,
			write->bytes / step_buffer_parts(write, check->config->shape));
}

static void step_check_workload(
	struct check *check, const struct tree_node *keys, struct step *step)
{
	size_t errors;

	check_queue(check, keys, step, step->workload.queue);
	if (step->workload.maker) {
		check_identity(check, keys, step);
		step->workload.keeps_times = step->workload.maker->workload.program_count > 0 &&
					     (!keys || program_key_is_default(keys, "run_ns"));
		check_trace_sub_device(check, step);
		return;
	}
	check_programs(keys, step, check->diag);
	errors = diag_errors(check->diag);
	check_operands(check, keys, step);
	check_acting(check, keys, step);
	if (diag_errors(check->diag) > errors && steps_act(step, 1))
		return; /* kernels cannot act on buffers that do not exist */
	if (rehearsal_workload(check->rehearsal, step, check->diag)) {
		check_local_buffers(check, step);
		check_trace_sub_device(check, step);
	}
}

static void check_record(struct check *check, const struct tree_node *keys, struct step *step)
{
	check_queue(check, keys, step, step->record.queue);
	check_devices(check->config, check->diag, step->record.devices, step->record.devices_where);
	if (step->record.to_executors)
		check_executors(check, keys, "to_executors", step->record.to_host,
			"an event to the host goes over its executors: say to_host alone");
}

static void check_ping(struct check *check, const struct tree_node *keys, struct step *step)
{
	(void)keys;
	check_fabric_ping(check->run, check->config, step, check->diag);
}

static void check_traffic(struct check *check, const struct tree_node *keys, struct step *step)
{
	(void)keys;
	check_fabric_traffic(check->run, check->config, step, check->diag);
}

static void check_tensor_step(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct tensor_step *tensor = &step->tensor;

	if (tensor->tensor_where.line == 0)
		tensor->tensor_where = step->where;
	check_queue(check, keys, step, tensor->queue);
	check_tensor(check->run, check->rehearsal, step, check->diag);
	if (step->kind == STEP_READ_TENSOR)
		check_save_tensor(check, keys, step);
	if (step->kind == STEP_READ_TENSOR)
		warn_elided(check, tensor->tensor_where, "tensor", tensor->tensor,
			step_tensor_device_bytes(check->run->scenario, step));
}

static void step_check_steps(
	struct check *check, struct step *steps, uint32_t count, const struct tree_node *nodes);

/* Checks the steps under `do`. */
static void check_body(struct check *check, const struct step *step, const struct tree_node *node)
{
	const struct repeat_step *body = step_body(step);
	const struct check_loop *outer = check->loop;
	const struct step *trace = check->trace;
	struct check_loop *loop;

	if (step->kind == STEP_TRACE) {
		check->trace = step;
		check->trace_sub_device = 0;
	} else if (body->times > 1) {
		loop = arena_alloc(check->arena, sizeof *loop);
		loop->outer = outer;
		check->loop = loop;
	}
	step_check_steps(check, body->steps, body->step_count, tree_get(node, "do"));
	check->loop = outer;
	check->trace = trace;
}

static void step_check_step(struct check *check, struct step *step, const struct tree_node *node)
{
	static void (*const checks[STEP_KIND_COUNT])(
		struct check *, const struct tree_node *, struct step *) = {
		[STEP_WRITE_BUFFER] = step_check_write,
		[STEP_READ_BUFFER] = step_check_read,
		[STEP_ENQUEUE_WORKLOAD] = step_check_workload,
		[STEP_RECORD_EVENT] = check_record,
		[STEP_WAIT_EVENT] = check_wait,
		[STEP_FABRIC_PING] = check_ping,
		[STEP_FABRIC_TRAFFIC] = check_traffic,
		[STEP_REPLAY_TRACE] = check_replay,
		[STEP_RELEASE_TRACE] = check_release,
		[STEP_WRITE_TENSOR] = check_tensor_step,
		[STEP_READ_TENSOR] = check_tensor_step,
		[STEP_COLLECTIVE] = check_collective,
		[STEP_FREE_BUFFER] = check_free,
		[STEP_THINK] = check_think,
		[STEP_RUN_MODEL] = check_run_model,
		[STEP_BRING_UP] = check_bring_up,
		[STEP_LOAD_SUB_DEVICES] = check_load,
		[STEP_CLEAR_SUB_DEVICES] = check_load,
	};
	const struct tree_node *keys = tree_get(node, step_name(step->kind));

	look_at_mesh(check, step->mesh == STEP_ALL_MESHES ? 0 : step->mesh);
	if (step->kind == STEP_TRACE)
		check_trace(check, step, node);
	if (step->kind == STEP_CLOSE_MESH)
		check_traces_gone(check, step);
	if (step_body(step))
		check_body(check, step, node);
	else if (step->kind == STEP_FINISH)
		check_queue(check, keys, step, step->finish.queue);
	else if (checks[step->kind])
		checks[step->kind](check, keys, step);
}

static void step_check_steps(
	struct check *check, struct step *steps, uint32_t count, const struct tree_node *nodes)
{
	for (uint32_t i = 0; i < count; i++)
		step_check_step(check, &steps[i], nodes->items[i]);
}

/* Warm-up leaves out the first iterations of repeated steps; checks that some remain. */
static void check_warmup(
	const struct check *check, const struct step *steps, uint32_t count, uint64_t times)
{
	uint32_t warmup = check->run->scenario->measure.warmup;

	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		uint64_t often = times * step_times(&steps[i]);

		if (steps[i].kind == STEP_REPLAY_TRACE)
			body = &steps[i].replay.captured->trace.body;
		if (body)
			check_warmup(check, body->steps, body->step_count, often * body->times);
		else if (times > 1 && times <= warmup)
			diag_error(check->diag,
				tree_where(tree_root(check->run->tree), "measure.warmup"),
				"warmup: %u leaves nothing of a step that is repeated %llu times",
				warmup, (unsigned long long)times);
	}
}

void steps_check(const struct run_plan *run, const struct mesh_config *configs,
	struct rehearsal *rehearsal, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	size_t errors = diag_errors(diag);
	struct arena arena;
	struct check check = {
		.run = run,
		.arena = &arena,
		.configs = configs,
		.rehearsal = rehearsal,
		.diag = diag,
	};
	const struct tree_node *nodes = tree_get(tree_root(run->tree), "workload");

	arena_init(&arena);
	collect_events(&check, scenario->steps, scenario->step_count);
	step_check_steps(&check, scenario->steps, scenario->step_count, nodes);
	if (diag_errors(diag) == errors)
		rehearsal_fit(rehearsal, diag);
	if (diag_errors(diag) == errors)
		check_lives(&check);
	if (diag_errors(diag) == errors)
		check_warmup(&check, scenario->steps, scenario->step_count, 1);
	for (uint32_t i = 0; i < scenario_mesh_count(scenario) && diag_errors(diag) == errors;
		i++) {
		look_at_mesh(&check, i);
		check_order(run, i, &configs[i], check.geometry, diag);
	}
	arena_fini(&arena);
}
