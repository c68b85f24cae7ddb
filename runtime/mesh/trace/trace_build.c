/* Builds the commands of a trace. All launches and their order are known at this time. So the use
 * of the config ring can be planned for the whole trace, and a launch sends its binaries only if
 * the ring does not hold them. */
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/trace/trace_ring.h"
#include "trace_private.h"

/* ---- streams ---- */

static void streams_init(struct trace_streams *streams, struct mesh_device *mesh)
{
	streams->kernels = (struct kernel_cache){.bytes = mesh->queues[0].kernels.bytes};
	streams->mesh = mesh;
	/* the first launch of a replay never waits for launches before the replay, because the
	 * replay begins only when these are done */
	streams->full_in_a_row = DISPATCH_BEHIND_MAX;
	streams->count = 1;
	streams->streams = allocate(mesh->devices, sizeof(*streams->streams));
	command_stream_init(&streams->streams[0], 0);
	stream_place(mesh, &streams->streams[0], 0);
}

void trace_streams_fini(struct trace_streams *streams)
{
	for (uint32_t i = 0; i < streams->count; i++)
		command_stream_fini(&streams->streams[i]);
	free(streams->streams);
}

/* Builds a separate stream for every device from this point of the trace on. */
static void streams_split(struct trace_streams *streams)
{
	uint32_t devices = streams->mesh->devices;

	for (; streams->count < devices; streams->count++) {
		struct command_stream *stream = &streams->streams[streams->count];

		command_stream_init(stream, 0);
		command_stream_append(stream, &streams->streams[0]);
		stream_place(streams->mesh, stream, streams->count);
	}
}

/* ---- launches ---- */

/* Returns true if all devices execute the same commands in this launch. */
static bool trace_build_same_everywhere(const struct trace_launch *launch)
{
	const struct workload *workload = launch->workload;

	return launch->args_count == 1 && !workload->mesh->streams_differ &&
	       device_range_count(workload->parts[0].range) == workload->mesh->devices;
}

static uint32_t oldest_of_all(const struct mesh_trace *trace)
{
	uint32_t oldest = UINT32_MAX;

	for (uint32_t device = 0; device < trace->mesh->devices; device++)
		if (trace->last[device] < oldest)
			oldest = trace->last[device];
	return oldest;
}

static uint32_t oldest_of(const struct mesh_trace *trace, const struct workload *workload)
{
	uint32_t oldest = UINT32_MAX;

	for (uint32_t i = 0; i < workload->part_count; i++) {
		struct device_range range = workload->parts[i].range;
		uint32_t count = device_range_count(range);

		for (uint32_t k = 0; k < count; k++) {
			uint32_t last = trace->last[range_device(trace->mesh, range, k)];

			if (last < oldest)
				oldest = last;
		}
	}
	return oldest;
}

static struct trace_wish trace_build_wish_of(const struct trace_streams *streams,
	const struct mesh_trace *trace, const struct workload *workload, uint32_t run)
{
	struct launch_request request = workload_request(workload, trace->sub_device);
	struct launch_past past =
		launch_past_of(run, streams->full_in_a_row, oldest_of(trace, workload));
	struct launch_past anywhere =
		launch_past_of(run, streams->full_in_a_row, oldest_of_all(trace));

	return (struct trace_wish){.owner = workload,
		.config_bytes = request.config_bytes,
		.image_bytes = request.image_bytes,
		.run = run,
		.everywhere = request.runs_everywhere,
		.oldest = past.oldest > run ? 0 : past.oldest,
		.over = anywhere.oldest > run ? 0 : anywhere.oldest};
}

static void append_range(struct mesh_trace *trace, struct trace_streams *streams,
	const struct workload *workload, const struct trace_args *args,
	const struct binary_place *binaries, const struct launch_entry *entry)
{
	struct launch_goes goes = workload_goes(workload, args->part);
	uint32_t count = device_range_count(args->range);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t device = range_device(trace->mesh, args->range, i);

		trace->last[device] = streams->run;
		trace->counts[device].launches++;
		trace->counts[device].answers += launch_goes_workers(&goes);
		if (streams->count > 1 || i == 0)
			launch_append(&streams->streams[streams->count > 1 ? device : 0],
				args->part->program, args->args, binaries, &goes, entry);
	}
}

/* For devices that run no program of a launch, appends only the launch's go signals to their
 * streams. If there are such devices, every device already has its own stream. */
static void append_rest(struct mesh_trace *trace, struct trace_streams *streams,
	const struct workload *workload, const struct launch_entry *entry)
{
	const struct reach *reach =
		workload->reach != NULL ? &workload->reach[trace->sub_device] : NULL;

	for (uint32_t k = 0; reach != NULL && k < reach->rest_count; k++) {
		uint32_t count = device_range_count(reach->rest[k]);

		for (uint32_t i = 0; i < count; i++) {
			uint32_t device = range_device(trace->mesh, reach->rest[k], i);

			trace->last[device] = streams->run;
			trace->counts[device].answers += launch_goes_workers(&reach->goes);
			launch_append_goes(&streams->streams[device], &reach->goes, entry);
		}
	}
}

static void append_launch(struct mesh_trace *trace, struct trace_streams *streams,
	const struct trace_launch *launch, const struct launch_entry *entry)
{
	const struct workload *workload = launch->workload;
	struct binary_place binaries = {0};
	const struct part *last = NULL;

	if (streams->count == 1 && !trace_build_same_everywhere(launch))
		streams_split(streams);
	for (uint32_t i = 0; i < launch->args_count; i++) {
		struct trace_args *args = &trace->args[launch->first_args + i];
		struct part *part = args->part;

		if (part != last && !entry->kept)
			binaries = workload_binaries(
				workload, part, &streams->kernels, &part->trace_cached_at);
		last = part;
		append_range(trace, streams, workload, args, &binaries, entry);
		args_release(args->args);
		args->args = NULL;
	}
	append_rest(trace, streams, workload, entry);
}

/* Returns an array in which element i is the number of the next launch after launch i that uses the
 * same workload. Also marks the binaries of all workloads as not cached. */
static uint32_t *next_uses(const struct mesh_trace *trace)
{
	uint32_t *next = allocate(trace->launch_count + 1, sizeof(*next));

	for (uint32_t i = 0; i < trace->launch_count; i++) {
		struct workload *workload = trace->launches[i].workload;

		workload->next_use = TRACE_RING_NEVER;
		for (uint32_t k = 0; k < workload->part_count; k++)
			workload->parts[k].trace_cached_at = KERNEL_CACHE_NEVER;
	}
	for (uint32_t i = trace->launch_count; i-- > 0;) {
		next[i] = trace->launches[i].workload->next_use;
		trace->launches[i].workload->next_use = i + 1;
	}
	return next;
}

static void build_launch(struct mesh_trace *trace, struct trace_streams *streams,
	struct trace_ring *ring, uint32_t index, uint32_t next)
{
	const struct trace_launch *launch = &trace->launches[index];
	uint32_t run = index + 1;
	struct trace_wish wish = trace_build_wish_of(streams, trace, launch->workload, run);
	struct trace_grant grant;
	struct launch_entry entry = {.operation = launch->number};

	streams->run = run;
	wish.next = next;
	grant = trace_ring_take(ring, &wish);
	entry.place = (struct launch_place){grant.config_base, grant.kernel_base, launch_slot(run)};
	entry.slot_address = trace->mesh->plan.launch_ring + entry.place.slot * LAUNCH_BYTES;
	entry.behind = launch_past_of(run, streams->full_in_a_row, 0).behind;
	if (grant.stall)
		entry.behind = launch_behind(run, streams->full_in_a_row, grant.after);
	streams->full_in_a_row = launch_full_after(streams->full_in_a_row,
		workload_request(launch->workload, trace->sub_device).all_devices);
	entry.kept = grant.kept;
	trace->all_workers &= workload_request(launch->workload, trace->sub_device).all_workers;
	trace->size.workloads_on_tensix += workload_uses(launch->workload, false);
	trace->size.workloads_on_ethernet += workload_uses(launch->workload, true);
	trace->size.images_kept += grant.kept;
	trace->size.images_sent += !grant.kept;
	trace->size.ring_waits += grant.stall;
	append_launch(trace, streams, launch, &entry);
}

static void append_item(struct trace_streams *streams, const struct trace_item *item)
{
	if (streams->count == 1 && !item->same)
		streams_split(streams);
	for (uint32_t i = 0; i < streams->count; i++)
		command_stream_append(&streams->streams[i], &item->streams[item->same ? 0 : i]);
}

static void build_items(struct mesh_trace *trace, struct trace_streams *streams)
{
	uint32_t *next = next_uses(trace), launch = 0;
	struct trace_ring ring;

	trace_ring_init(&ring, trace->mesh->plan.config_ring, trace->mesh->plan.config_ring_bytes);
	for (uint32_t i = 0; i < trace->item_count; i++) {
		if (trace->items[i].streams != NULL) {
			append_item(streams, &trace->items[i]);
			continue;
		}
		build_launch(trace, streams, &ring, launch, next[launch]);
		launch++;
	}
	trace_ring_fini(&ring);
	free(next);
}

void trace_build(struct mesh_trace *trace, struct trace_streams *streams)
{
	struct prefetch_command end = {.kind = PREFETCH_EXECUTE_END};

	streams_init(streams, trace->mesh);
	trace->all_workers = true;
	if (trace->mesh->config.sharded_traces)
		streams_split(streams);
	build_items(trace, streams);
	trace->bytes = allocate(streams->count, sizeof(*trace->bytes));
	for (uint32_t i = 0; i < streams->count; i++) {
		command_stream_prefetch(&streams->streams[i], &end);
		trace->bytes[i] = streams->streams[i].bytes;
		if (trace->bytes[i] > trace->size.bytes)
			trace->size.bytes = trace->bytes[i];
	}
	trace->size.replicated = streams->count == 1;
}
