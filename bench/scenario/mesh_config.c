/* See bench/scenario/mesh_config.h. Checks nothing: opening or planning the mesh says what does not
 * fit. */
#include "bench/scenario/mesh_config.h"

#include "host/constants.h"

void scenario_mesh_config(const struct scenario *scenario, const struct platform *platform,
	const struct firmware_costs *costs, const struct firmware_limits *limits,
	struct mesh_config *config)
{
	const struct runtime_keys *keys = &scenario->runtime;
	const struct cluster_info *info = platform_cluster(platform);
	struct host_constants host = {0};

	mesh_config_init(config);
	config->shape = (struct mesh_shape){info->mesh_rows, info->mesh_columns};
	if (keys->mesh.shape_count)
		config->shape = (struct mesh_shape){keys->mesh.shape[0], keys->mesh.shape[1]};
	config->offset = (struct mesh_offset){keys->mesh.offset[0], keys->mesh.offset[1]};
	config->command_queues = (uint8_t)keys->command_queues;
	config->forward.path = forward_row(keys->forward.path);
	config->forward.initiators = keys->forward.initiators.count;
	config->forward.initiators_per = keys->forward.initiators.per;
	config->forward.feed = feed_row(keys->forward.feed);
	config->forward.packetizer = packetizer_row(keys->forward.packetizer);
	config->forward.ordering = ordering_row(keys->forward.ordering);
	config->forward.credits = credits_row(keys->forward.credits);
	config->completion = completion_row(keys->completion);
	config->host.threads = threads_row(keys->host.threads);
	config->host.count = keys->host.count;
	config->host.queues = queues_row(keys->host.queues);
	config->host.pin = pin_row(keys->host.pin);
	config->host.readers = readers_row(keys->host.readers);
	config->host.pollers = keys->host.pollers;
	config->host.create = create_row(keys->host.create);
	config->host.caller_wait = keys->host.caller_wait;
	config->host.worker_wait = keys->host.worker_wait;
	config->host.reader_wait = keys->host.reader_wait;
	config->command_cache = keys->command_cache;
	config->sharded_traces = keys->traces == TRACES_SHARDED;
	config->sizes.issue_queue_bytes = keys->sizes.issue_queue_bytes;
	config->sizes.completion_queue_bytes = keys->sizes.completion_queue_bytes;
	config->sizes.config_ring_bytes = keys->sizes.config_ring_bytes;
	config->sizes.binary_page_bytes = keys->sizes.binary_page_bytes;
	config->sizes.page_alignment_bytes = keys->sizes.page_alignment_bytes;
	platform_bind(platform, &host_constant_table, &host);
	config->sizes.cached_bytes = host.cache_bytes;
	config->elide_above_bytes = scenario->model.elide_above_bytes;
	config->coordinates = (enum coordinates)keys->coordinates;
	config->ethernet_programs = steps_use_ethernet(scenario->steps, scenario->step_count);
	config->costs = costs;
	config->limits = limits;
}
