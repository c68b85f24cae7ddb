/* The host's side of bring-up. Allocates issue queues, completion queues and the notification table
 * in pinned memory. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "mesh/device/bringup.h"
#include "mesh/buffer.h"
#include "mesh/plan/plan.h"

enum { NAME_BYTES = 48 };

/* Returns the size of the notification table, which has one word for each device and queue. */
static uint64_t table_bytes(const struct mesh_device *mesh)
{
	return 4 * (uint64_t)mesh->devices * mesh->queue_count;
}

static uint64_t counts_bytes(const struct mesh_device *mesh)
{
	return 4 * (uint64_t)mesh->plan.aggregators;
}

static struct issue_reader bringup_queues_reader_at(
	const struct mesh_device *mesh, const struct stage_spot *spot, uint32_t fetch_queue)
{
	return (struct issue_reader){mesh_chip(mesh, spot->chip), spot->tile, fetch_queue};
}

/* Returns the configuration of an issue queue without readers. The caller adds the readers. */
static struct issue_queue_config issue_queue_of(const struct mesh_device *mesh, const char *name)
{
	const struct firmware_limits *limits = mesh->config.limits;

	return (struct issue_queue_config){.cluster = mesh->cluster,
		.name = name,
		.ring_bytes = sizes_issue_queue(&mesh->config),
		.entry_bytes_max = limits->fetch_entry_bytes,
		.fetch_entries = limits->fetch_entries,
		.mode = mesh->config.host.caller_wait};
}

static enum status make_completion_queue(
	struct mesh_device *mesh, const struct device_plan *plan, struct lane *lane)
{
	bool direct = plan->dispatch_h.chip == CHIP_NONE;
	const struct stage_spot *spot = direct ? &plan->dispatcher : &plan->dispatch_h;
	char name[NAME_BYTES];
	struct completion_queue_config config = {.cluster = mesh->cluster,
		.name = name,
		.ring_bytes = sizes_completion_queue(&mesh->config),
		.device = mesh_chip(mesh, spot->chip),
		.tile = spot->tile,
		.read_word = direct ? plan->dispatch_layout.read_word
				    : plan->dispatch_h_layout.read_word,
		.mode = mesh->config.completion->reads->threads ? mesh->config.host.reader_wait
								: mesh->config.host.caller_wait};

	snprintf(name, sizeof(name), "completion-%u-%u", lane->chip, lane->queue->index);
	return completion_queue_new(&config, &lane->completion);
}

static enum status make_lane(struct mesh_device *mesh, uint32_t queue, uint32_t device)
{
	const struct device_plan *plan = &mesh->plan.device[queue * mesh->devices + device];
	struct lane *lane = &mesh->queues[queue].lanes[device];
	bool direct = plan->prefetch_h.chip == CHIP_NONE;
	struct issue_queue_config issue;
	struct issue_reader reader;
	char name[NAME_BYTES];
	enum status status;

	lane->queue = &mesh->queues[queue];
	lane->device = device;
	lane->chip = mesh->plan.mesh.chips[device];
	lane->marked_chip = mesh_marked(mesh, lane->chip);
	lane->event_slot =
		mesh->event_table + 4 * (device * mesh->queue_count +
						(mesh->config.completion->shared_slot ? 0 : queue));
	if (!mesh_owns(mesh, lane->chip))
		return STATUS_OK;
	snprintf(name, sizeof(name), "issue-%u-%u", lane->chip, queue);
	issue = issue_queue_of(mesh, name);
	reader = direct ? bringup_queues_reader_at(
				  mesh, &plan->prefetch_d, plan->prefetch_d_layout.fetch_queue)
			: bringup_queues_reader_at(
				  mesh, &plan->prefetch_h, plan->prefetch_h_layout.fetch_queue);
	issue.readers = &reader;
	issue.reader_count = 1;
	status = issue_queue_new(&issue, &lane->issue);
	return status == STATUS_OK ? make_completion_queue(mesh, plan, lane) : status;
}

/* Returns the stage that reads the commands of a queue for the devices of a grid. */
static struct issue_reader grid_reader(
	const struct mesh_device *mesh, uint32_t queue, uint32_t grid)
{
	const struct initiator_plan *plan = &mesh->plan.initiator[queue * mesh->plan.grids + grid];

	if (plan->prefetch_h.chip == CHIP_NONE)
		return bringup_queues_reader_at(
			mesh, &plan->packetizer, plan->packetizer_layout.fetch_queue);
	return bringup_queues_reader_at(
		mesh, &plan->prefetch_h, plan->prefetch_h_layout.fetch_queue);
}

static enum status make_feed(struct mesh_device *mesh, uint32_t queue, uint32_t number)
{
	const struct feed_plan *plan = &mesh->plan.feed[number];
	struct feed *feed = &mesh->queues[queue].feeds[number];
	struct issue_reader *readers;
	struct issue_queue_config issue;
	char name[NAME_BYTES];
	enum status status;

	feed->plan = plan;
	feed_parts_init(feed);
	if (!mesh_owns(mesh, mesh->plan.grid[plan->first].initiator))
		return STATUS_OK;
	readers = allocate(plan->count, sizeof(*readers));
	snprintf(name, sizeof(name), "broadcast-%u-%u", mesh->plan.grid[plan->first].initiator,
		queue);
	issue = issue_queue_of(mesh, name);
	for (uint32_t i = 0; i < plan->count; i++)
		readers[i] = grid_reader(mesh, queue, plan->first + i);
	issue.readers = readers;
	issue.reader_count = plan->count;
	status = issue_queue_new(&issue, &feed->issue);
	free(readers);
	return status;
}

/* Creates the notification queues, which all command queues share. */
static enum status make_notifications(struct mesh_device *mesh)
{
	uint32_t count = mesh->plan.aggregators;
	enum status status = STATUS_OK;

	if (count == 0)
		return STATUS_OK;
	mesh->notifications = allocate(count, sizeof(struct completion_queue *));
	status = device_row->window_reserve(
		mesh->cluster, "counts of aggregators", counts_bytes(mesh), &mesh->counts);
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
		const struct aggregator_plan *plan = &mesh->plan.aggregator[i];
		char name[NAME_BYTES];
		struct completion_queue_config config = {.cluster = mesh->cluster,
			.name = name,
			.ring_bytes = sizes_completion_queue(&mesh->config),
			.device = mesh_chip(mesh, plan->spot.chip),
			.tile = plan->spot.tile,
			.read_word = plan->layout.read_word,
			.mode = mesh->config.host.caller_wait};

		snprintf(name, sizeof(name), "notifications-%u", plan->spot.chip);
		status = completion_queue_new(&config, &mesh->notifications[i]);
	}
	return status;
}

static enum status make_all(struct mesh_device *mesh)
{
	enum status status = device_row->window_reserve(
		mesh->cluster, "notification table", table_bytes(mesh), &mesh->event_table);

	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		struct command_queue *at = &mesh->queues[queue];

		at->mesh = mesh;
		at->index = queue;
		at->kernels.bytes = sizes_kernel_cache(&mesh->config);
		at->lanes = allocate(mesh->devices, sizeof(*at->lanes));
		at->feeds = allocate(mesh->plan.feeds + 1, sizeof(*at->feeds));
		for (uint32_t i = 0; i < mesh->devices && status == STATUS_OK; i++)
			status = make_lane(mesh, queue, i);
		for (uint32_t f = 0; f < mesh->plan.feeds && status == STATUS_OK; f++)
			status = make_feed(mesh, queue, f);
	}
	if (status == STATUS_OK && mesh->config.timed_bring_up)
		status = device_row->window_reserve(
			mesh->cluster, "bring-up", bringup_load_bytes(mesh), &mesh->load_words);
	if (status == STATUS_OK && mesh->config.sizes.system_memory_bytes > 0)
		status = host_memory_new(
			mesh, mesh->config.sizes.system_memory_bytes, NULL, &mesh->system_memory);
	return status == STATUS_OK ? make_notifications(mesh) : status;
}

enum status bringup_queues(struct mesh_device *mesh, struct text *why)
{
	enum status status = make_all(mesh);

	if (status == STATUS_OK)
		return status;
	return refuse(why, status,
		"the host window of platform %s does not hold the %llu B of the queues%s",
		mesh->info->platform, (unsigned long long)mesh->resources.host_window_bytes,
		mesh->config.sizes.system_memory_bytes > 0 ? " and of system memory" : "");
}

void bringup_queues_fini(struct mesh_device *mesh)
{
	for (uint32_t i = 0; mesh->notifications != NULL && i < mesh->plan.aggregators; i++)
		completion_queue_free(mesh->notifications[i]);
	if (mesh->event_table != 0)
		device_row->window_release(mesh->cluster, mesh->event_table, table_bytes(mesh));
	if (mesh->load_words != 0)
		device_row->window_release(
			mesh->cluster, mesh->load_words, bringup_load_bytes(mesh));
	if (mesh->counts != 0)
		device_row->window_release(mesh->cluster, mesh->counts, counts_bytes(mesh));
	host_memory_free(mesh->system_memory);
	free(mesh->notifications);
	for (uint32_t queue = 0; queue < mesh->queue_count; queue++) {
		struct command_queue *at = &mesh->queues[queue];

		for (uint32_t i = 0; at->lanes != NULL && i < mesh->devices; i++) {
			issue_queue_free(at->lanes[i].issue);
			completion_queue_free(at->lanes[i].completion);
		}
		for (uint32_t f = 0; at->feeds != NULL && f < mesh->plan.feeds; f++) {
			issue_queue_free(at->feeds[f].issue);
			feed_parts_fini(&at->feeds[f]);
		}
		free(at->lanes);
		free(at->feeds);
	}
}
