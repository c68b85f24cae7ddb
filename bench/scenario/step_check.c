/* What steps refer to: queues, devices, cores, buffers, events; and what cannot fit into L1 or DRAM
 * however empty they are. Refuses to guess what else has been allocated by then. */
#include "step_check.h"

#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/load.h"
#include "bench/scenario/step_tensor.h"
#include "mesh/trace.h"

struct check {
	const struct run_plan *run;
	struct arena *arena;
	const struct mesh_config *config;
	const struct mesh_resources *resources;
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct buffer_name *buffers;
	struct event_name *events;
};

struct buffer_name {
	struct buffer_name *next;
	const struct write_step *first;
};

struct event_name {
	struct event_name *next;
	const char *name;
};

static void check_queue(const struct check *check, const struct tree_node *keys,
	const struct step *step, uint32_t queue)
{
	struct location where =
		keys && tree_get(keys, "queue") ? tree_where(keys, "queue") : step->where;

	if (queue != UINT32_MAX && queue >= check->config->command_queues)
		diag_error(check->diag, where, "queue %u, but runtime.command_queues is %u", queue,
			check->config->command_queues);
}

static const struct write_step *find_buffer(const struct check *check, const char *name)
{
	for (const struct buffer_name *buffer = check->buffers; buffer; buffer = buffer->next)
		if (strcmp(buffer->first->buffer, name) == 0)
			return buffer->first;
	return NULL;
}

/* A later step that writes a buffer: takes its layout from the first, may not contradict it. */
static void check_same_layout(const struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct write_step *first)
{
	char cited[LOCATION_CITE_BYTES];
	bool same = (!write->bytes || write->bytes == first->bytes) &&
		    (!tree_get(keys, "page_bytes") || write->page_bytes == first->page_bytes) &&
		    (!tree_get(keys, "memory") || write->memory == first->memory) &&
		    (!tree_get(keys, "spread") || write->spread == first->spread) &&
		    (!tree_get(keys, "layout") || write->layout == first->layout) &&
		    (!tree_get(keys, "contiguous_pages") ||
			    write->contiguous_pages == first->contiguous_pages);

	if (!same)
		diag_error(check->diag, write->buffer_where,
			"buffer '%s' was made with other keys at %s", write->buffer,
			location_cite(first->buffer_where, cited, sizeof cited));
	write->bytes = first->bytes;
}

/* Shards of a buffer whose part on each device has `pages` pages. */
static void check_shards(const struct check *check, const struct tree_node *keys,
	const struct write_step *write, uint64_t pages)
{
	if (write->contiguous_pages == 0)
		return;
	if (!write->layout)
		diag_error(check->diag, tree_where(keys, "contiguous_pages"),
			"contiguous_pages: the pages of buffer '%s' are interleaved; that wants "
			"layout: sharded",
			write->buffer);
	else if (write->contiguous_pages > pages)
		diag_error(check->diag, tree_where(keys, "contiguous_pages"),
			"shards of %u pages, but each device's part of buffer '%s' has %llu",
			write->contiguous_pages, write->buffer, (unsigned long long)pages);
}

static void check_new_buffer(struct check *check, const struct tree_node *keys,
	struct write_step *write, const struct step *step)
{
	const struct chip_geometry *geometry = check->geometry;
	uint32_t devices = mesh_shape_count(check->config->shape);
	uint64_t each = write->spread ? write->bytes / devices : write->bytes;
	uint64_t room = write->memory == BUFFER_DRAM
				? geometry->dram_bank_count * geometry->dram_bank_bytes
				: (uint64_t)geometry->worker_columns * geometry->worker_rows *
					  (geometry->l1_bytes - geometry->worker_l1_base);
	struct buffer_name *name;

	if (!write->bytes) {
		diag_error(check->diag, step->where,
			"buffer '%s': missing key 'bytes' in the first step that writes it",
			write->buffer);
		return;
	}
	if (write->bytes % (write->spread ? devices * (uint64_t)sizeof(uint32_t) : 1))
		diag_error(check->diag, write->bytes_where,
			"%llu bytes do not divide into %u equal shards of whole words",
			(unsigned long long)write->bytes, devices);
	else if (each % write->page_bytes)
		diag_error(check->diag, write->bytes_where,
			"%llu bytes on each device are not a multiple of page_bytes: %u",
			(unsigned long long)each, write->page_bytes);
	else if (each > room)
		diag_error(check->diag, write->bytes_where,
			"buffer '%s' takes %llu bytes of each device, whose %s has %llu",
			write->buffer, (unsigned long long)each,
			write->memory == BUFFER_DRAM ? "DRAM" : "worker L1",
			(unsigned long long)room);
	check_shards(check, keys, write, each / write->page_bytes);
	name = arena_alloc(check->arena, sizeof *name);
	name->first = write;
	name->next = check->buffers;
	check->buffers = name;
}

static void check_write(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct write_step *first = find_buffer(check, step->write.buffer);

	if (step->write.buffer_where.line == 0) /* a name by default */
		step->write.buffer_where = step->where;
	check_queue(check, keys, step, step->write.queue);
	if (first)
		check_same_layout(check, keys, &step->write, first);
	else
		check_new_buffer(check, keys, &step->write, step);
}

/* What is elided can be read, but there is nothing to compare. */
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

static void check_read(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct write_step *write = find_buffer(check, step->read.buffer);
	uint32_t devices = mesh_shape_count(check->config->shape);
	struct nearest nearest;

	if (step->read.buffer_where.line == 0)
		step->read.buffer_where = step->where;
	check_queue(check, keys, step, step->read.queue);
	if (write && write->pinned)
		return;
	if (write) {
		warn_elided(check, step->read.buffer_where, "buffer", write->buffer,
			write->bytes / (write->spread ? devices : 1));
		return;
	}
	nearest_start(&nearest, step->read.buffer);
	for (struct buffer_name *buffer = check->buffers; buffer; buffer = buffer->next)
		nearest_offer(&nearest, buffer->first->buffer);
	diag_error(check->diag, step->read.buffer_where,
		nearest.best ? "no step before this one writes buffer '%s', did you mean '%s'?"
			     : "no step before this one writes buffer '%s'",
		step->read.buffer, nearest.best);
}

static void check_cores(const struct check *check, const struct workload_step *keys)
{
	uint32_t columns = check->geometry->worker_columns, rows = check->geometry->worker_rows;

	if (keys->cores.kind == CORES_COUNT && keys->cores.count > columns * rows)
		diag_error(check->diag, keys->cores_where, "%u cores, but a chip has %u workers",
			keys->cores.count, columns * rows);
	if (keys->cores.kind == CORES_RECTANGLE &&
		(keys->cores.rect.column1 >= columns || keys->cores.rect.row1 >= rows))
		diag_error(check->diag, keys->cores_where,
			"%u x %u cores, but the worker grid has %u x %u",
			keys->cores.rect.column1 + 1u, keys->cores.rect.row1 + 1u, columns, rows);
}

static void check_kernels(const struct check *check, const struct workload_step *keys)
{
	uint64_t processors = 0, bytes;
	uint32_t ring = check->run->scenario->runtime.sizes.config_ring_bytes;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		processors += keys->processors[i];
	processors += processors == 0; /* the one of an Ethernet core */
	bytes = processors * keys->kernel_bytes;
	if (bytes > check->geometry->l1_bytes)
		diag_error(check->diag, keys->kernel_bytes_where,
			"kernels of %llu bytes are larger than the L1 of a core, %u bytes",
			(unsigned long long)bytes, check->geometry->l1_bytes);
	else if (bytes > ring)
		diag_error(check->diag, keys->kernel_bytes_where,
			"kernels of %llu bytes do not fit into the config ring of a core, %u bytes "
			"(runtime.sizes.config_ring_bytes)",
			(unsigned long long)bytes, ring);
}

/* How many Ethernet cores there are is for the plan to say. */
static void check_ethernet(
	const struct check *check, const struct tree_node *keys, const struct step *step)
{
	const struct workload_step *workload = &step->workload;
	const struct cores *cores = &workload->ethernet_cores;
	struct location where = tree_where(
		keys, tree_get(keys, "ethernet_cores") ? "ethernet_cores" : "processors");
	bool workers = false;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		workers |= workload->processors[i];
	if (!workload->processors[STEP_ETHERNET]) {
		/* `all` is what effective scenarios say, which run again */
		if (cores->kind == CORES_COUNT)
			diag_error(check->diag, where,
				"ethernet_cores: `processors` does not name ethernet");
		return;
	}
	if (check->resources->ethernet_cores == 0)
		diag_error(check->diag, where,
			"links and dispatch leave no Ethernet core to programs");
	else if (cores->kind == CORES_COUNT && cores->count > check->resources->ethernet_cores)
		diag_error(check->diag, where,
			"%u Ethernet cores, but links and dispatch leave %u of a chip",
			cores->count, check->resources->ethernet_cores);
	if (!workers && workload->circular_buffers > 0)
		diag_error(check->diag, workload->circular_buffers_where,
			"circular buffers of a program without workers");
}

/* Groups take whole columns of the cores. */
static void check_groups(const struct check *check, const struct workload_step *keys,
	uint32_t groups, struct location where, const char *what)
{
	uint32_t columns = check->geometry->worker_columns;

	if (keys->cores.kind == CORES_COUNT && keys->cores.count < columns)
		columns = keys->cores.count;
	if (keys->cores.kind == CORES_RECTANGLE)
		columns = keys->cores.rect.column1 + 1u;
	if (groups > columns)
		diag_error(check->diag, where, "%u %s groups of cores that stand in %u column%s",
			groups, what, columns, columns == 1 ? "" : "s");
}

static void check_workload(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct workload_step *workload = &step->workload;
	const struct devices_keys *devices = workload->devices;
	struct mesh_shape shape = check->config->shape;

	check_queue(check, keys, step, workload->queue);
	check_cores(check, workload);
	check_kernels(check, workload);
	check_ethernet(check, keys, step);
	check_groups(
		check, workload, workload->kernel_groups, workload->kernel_groups_where, "kernel");
	check_groups(check, workload, workload->circular_buffer_groups,
		workload->circular_buffer_groups_where, "circular buffer");
	if (workload->circular_buffer_groups > 1 && workload->circular_buffers == 0)
		diag_error(check->diag, workload->circular_buffer_groups_where,
			"circular buffer groups of a program without circular buffers");
	if (devices && (devices->offset[0] + devices->shape[0] > shape.rows ||
			       devices->offset[1] + devices->shape[1] > shape.columns))
		diag_error(check->diag, workload->devices_where,
			"devices reach outside the mesh of %u x %u", shape.rows, shape.columns);
}

static bool is_recorded(const struct check *check, const char *name)
{
	for (const struct event_name *event = check->events; event; event = event->next)
		if (strcmp(event->name, name) == 0)
			return true;
	return false;
}

/* Names of all events that any step records. */
static void collect_events(struct check *check, const struct step *steps, uint32_t count)
{
	struct event_name *name;

	for (uint32_t i = 0; i < count; i++) {
		if (step_body(&steps[i]))
			collect_events(check, step_body(&steps[i])->steps,
				step_body(&steps[i])->step_count);
		if (steps[i].kind != STEP_RECORD_EVENT || is_recorded(check, steps[i].record.event))
			continue;
		name = arena_alloc(check->arena, sizeof *name);
		name->name = steps[i].record.event;
		name->next = check->events;
		check->events = name;
	}
}

static void check_record(struct check *check, const struct tree_node *keys, struct step *step)
{
	check_queue(check, keys, step, step->record.queue);
}

/* An event that nobody records is waited for in vain: legal, and worth a word. */
static void check_wait(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct nearest nearest;
	struct location where = step->wait.event_where.line ? step->wait.event_where : step->where;

	check_queue(check, keys, step, step->wait.queue);
	if (is_recorded(check, step->wait.event))
		return;
	nearest_start(&nearest, step->wait.event);
	for (struct event_name *event = check->events; event; event = event->next)
		nearest_offer(&nearest, event->name);
	diag_warning(check->diag, where,
		nearest.best ? "nobody records event '%s', did you mean '%s'?"
			     : "nobody records event '%s': the wait will not end",
		step->wait.event, nearest.best);
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

static void check_tensor_step(
	struct check *check, const struct tree_node *keys, struct step *step)
{
	struct tensor_step *tensor = &step->tensor;

	if (tensor->tensor_where.line == 0)
		tensor->tensor_where = step->where;
	check_queue(check, keys, step, tensor->queue);
	check_tensor(check->run, check->config, check->geometry, step, check->diag);
	if (step->kind == STEP_READ_TENSOR)
		warn_elided(check, tensor->tensor_where, "tensor", tensor->tensor,
			step_tensor_device_bytes(check->run->scenario, tensor));
}

static void check_steps(
	struct check *check, struct step *steps, uint32_t count, const struct tree_node *nodes);

/* What can be captured, and on which queue: that of the trace. Counts the workloads. */
static uint64_t check_captured(const struct check *check, const struct step *trace,
	const struct repeat_step *body, const struct tree_node *nodes)
{
	uint64_t workloads = 0;

	for (uint32_t i = 0; i < body->step_count; i++) {
		struct step *step = &body->steps[i];
		const struct tree_node *keys = tree_get(nodes->items[i], step_name(step->kind));

		if (step->kind == STEP_REPEAT) {
			workloads += check_captured(
				check, trace, &step->repeat, tree_get(nodes->items[i], "do"));
			continue;
		}
		if (step->kind != STEP_ENQUEUE_WORKLOAD) {
			diag_error(check->diag, step->where,
				"step '%s' in a trace: only enqueue_workload and repeat can be "
				"captured",
				step_name(step->kind));
			continue;
		}
		if (step->workload.blocking)
			diag_error(check->diag, tree_where(keys, "blocking"),
				"a workload that is captured cannot block");
		if (keys && tree_get(keys, "queue") && step->workload.queue != trace->trace.queue)
			diag_error(check->diag, tree_where(keys, "queue"),
				"queue %u in a trace of queue %u", step->workload.queue,
				trace->trace.queue);
		if (trace->trace.queue < check->config->command_queues)
			step->workload.queue = trace->trace.queue;
		workloads++;
	}
	return workloads * body->times;
}

static void check_trace(struct check *check, struct step *step, const struct tree_node *node)
{
	uint64_t workloads = check_captured(check, step, &step->trace.body, tree_get(node, "do"));

	check_queue(check, node, step, step->trace.queue);
	if (workloads > TRACE_LAUNCHES_MAX)
		diag_error(check->diag, step->where, "%llu workloads in a trace, at most %d",
			(unsigned long long)workloads, TRACE_LAUNCHES_MAX);
}

static void check_step(struct check *check, struct step *step, const struct tree_node *node)
{
	static void (*const checks[STEP_KIND_COUNT])(
		struct check *, const struct tree_node *, struct step *) = {
		[STEP_WRITE_BUFFER] = check_write,
		[STEP_READ_BUFFER] = check_read,
		[STEP_ENQUEUE_WORKLOAD] = check_workload,
		[STEP_RECORD_EVENT] = check_record,
		[STEP_WAIT_EVENT] = check_wait,
		[STEP_FABRIC_PING] = check_ping,
		[STEP_FABRIC_TRAFFIC] = check_traffic,
		[STEP_WRITE_TENSOR] = check_tensor_step,
		[STEP_READ_TENSOR] = check_tensor_step,
	};
	const struct tree_node *keys = tree_get(node, step_name(step->kind));

	if (step->kind == STEP_TRACE)
		check_trace(check, step, node);
	if (step_body(step))
		check_steps(check, step_body(step)->steps, step_body(step)->step_count,
			tree_get(node, "do"));
	else if (step->kind == STEP_FINISH)
		check_queue(check, keys, step, step->finish.queue);
	else if (checks[step->kind])
		checks[step->kind](check, keys, step);
}

static void check_steps(
	struct check *check, struct step *steps, uint32_t count, const struct tree_node *nodes)
{
	for (uint32_t i = 0; i < count; i++)
		check_step(check, &steps[i], nodes->items[i]);
}

/* Warm-up leaves out the first iterations of repeated steps: some have to be left. */
static void check_warmup(
	const struct check *check, const struct step *steps, uint32_t count, uint64_t times)
{
	uint32_t warmup = check->run->scenario->measure.warmup;

	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		uint64_t often =
			steps[i].kind == STEP_TRACE ? times * steps[i].trace.replays : times;

		if (body)
			check_warmup(check, body->steps, body->step_count, often * body->times);
		else if (times > 1 && times <= warmup)
			diag_error(check->diag,
				tree_where(tree_root(check->run->tree), "measure.warmup"),
				"warmup: %u leaves nothing of a step that is repeated %llu times",
				warmup, (unsigned long long)times);
	}
}

void steps_check(const struct run_plan *run, const struct mesh_config *config,
	const struct mesh_resources *resources, struct diag *diag)
{
	const struct cluster_info *info = platform_cluster(run->platform);
	const struct scenario *scenario = run->scenario;
	uint32_t first = (uint32_t)config->offset.row * info->mesh_columns + config->offset.column;
	size_t errors = diag_errors(diag);
	struct arena arena;
	struct check check = {
		.run = run,
		.arena = &arena,
		.config = config,
		.resources = resources,
		.geometry = info->chips[first].geometry,
		.diag = diag,
	};
	const struct tree_node *nodes = tree_get(tree_root(run->tree), "workload");

	arena_init(&arena);
	collect_events(&check, scenario->steps, scenario->step_count);
	check_steps(&check, scenario->steps, scenario->step_count, nodes);
	check_warmup(&check, scenario->steps, scenario->step_count, 1);
	if (diag_errors(diag) == errors)
		check_order(run, config, diag);
	arena_fini(&arena);
}
