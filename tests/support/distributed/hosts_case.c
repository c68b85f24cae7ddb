/* Fixture for tests of distributed devices. */
#include "hosts_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "deadline.h"
#include "test_folder.h"
#include "test_key.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum { JOIN_MS = 10000, WINDOW = 8 };

/* ---- natively ---- */

static void native_start(const struct recorder *recorder)
{
	world = &native_world;
	device_row = &native_device;
	native_world_start(recorder);
}

static const struct channel_ops *native_transport(const char *name)
{
	return transport_find(name)->ops;
}

static struct cluster *native_cluster(const struct cluster_info *info, uint32_t host)
{
	(void)host;
	return native_cluster_new(info);
}

static void native_machine_free(
	struct cluster *cluster, struct mesh_system *system, struct cluster_info *info)
{
	native_cluster_free(cluster);
	mesh_system_free(system);
	test_cluster_info_free(info);
}

static struct affinity anywhere(uint32_t host)
{
	(void)host;
	return (struct affinity){0, -1};
}

static const struct hosts_ground native_ground = {
	.start = native_start,
	.transport = native_transport,
	.cluster_new = native_cluster,
	.join = native_cluster_join,
	.machine_free = native_machine_free,
	.place = anywhere,
	.work = native_world_counts,
};

/* ---- a case ---- */

static const struct hosts_ground *ground_of(const struct hosts_case *hosts)
{
	return hosts->choice.ground ? hosts->choice.ground : &native_ground;
}

int64_t hosts_case_in_ms(int64_t ms)
{
	return world->now_ns() + ms * 1000000;
}

uint16_t hosts_case_rows(const struct hosts_case *hosts)
{
	if (hosts->choice.axis != HOSTS_IN_ROWS)
		return hosts->choice.rows;
	return (uint16_t)(hosts->choice.rows / hosts->choice.hosts);
}

uint16_t hosts_case_columns(const struct hosts_case *hosts)
{
	if (hosts->choice.axis == HOSTS_IN_ROWS)
		return hosts->choice.columns;
	return (uint16_t)(hosts->choice.columns / hosts->choice.hosts);
}

static struct channel_settings channel_settings(const struct hosts_case *hosts)
{
	static char path[128];
	static uint32_t count;

	snprintf(path, sizeof path, "%.96s/hosts-%d-%u", test_folder(), (int)getpid(), count++);
	return (struct channel_settings){
		.address = ground_of(hosts)->address
				   ? ground_of(hosts)->address(hosts->choice.hosts)
			   : strcmp(hosts->choice.transport, "unix") == 0 ? path
									  : "127.0.0.1:0",
		.remote = ground_of(hosts)->address != NULL,
		.name = "controller",
		.session = 23,
		.key = test_key(),
		.message_bytes_max = HOSTS_CASE_MESSAGE_MAX,
		.window = hosts->choice.window ? hosts->choice.window : WINDOW};
}

void hosts_case_choose(struct mesh_config *config, const struct hosts_choice *choice)
{
	if (choice->forward != NULL)
		config->forward.path = forward_find(choice->forward);
	if (choice->ordering != NULL)
		config->forward.ordering = ordering_find(choice->ordering);
	config->forward.initiators = choice->initiators;
}

void hosts_case_init(struct hosts_case *hosts, struct hosts_choice choice)
{
	*hosts = (struct hosts_case){.choice = choice};
	mesh_case_init(
		&hosts->one, hosts_case_rows(hosts), hosts_case_columns(hosts), TEST_PCIE_LEFT);
	hosts->one.config.sizes.trace_region_bytes = 1 << 20;
	hosts->one.config.sizes.binary_region_bytes = 1 << 20;
	hosts_case_choose(&hosts->one.config, &choice);
	hosts->settings = (struct controller_settings){
		.transport = ground_of(hosts)->transport(choice.transport),
		.channel = channel_settings(hosts),
		.codec = wire_codec_find(choice.codec),
		.hosts = hosts->names,
		.host_count = choice.hosts,
		.axis = choice.axis,
		.links = choice.links,
		.links_apart = choice.link_transport != NULL,
		.resolution = resolution_find(choice.resolution),
		.pipeline =
			choice.own_pipeline ? choice.own_pipeline : pipeline_find(choice.pipeline),
		.allocation = choice.allocation ? allocation_find(choice.allocation) : NULL,
		.compile = choice.compile ? compile_find(choice.compile) : NULL,
		.compiles_again = choice.compiles_again,
		.reach = choice.reach ? reach_find(choice.reach) : NULL,
		.place = ground_of(hosts)->place(choice.hosts),
		.wait = WAIT_SPIN_THEN_PARK,
		.reply_ns = UINT64_C(20000000000),
		.look_ns = hosts->choice.look_ns ? hosts->choice.look_ns : 1000000};
	for (uint32_t i = 0; i < choice.hosts; i++) {
		snprintf(hosts->executors[i].name, sizeof hosts->executors[i].name, "host-%u", i);
		hosts->names[i] = hosts->executors[i].name;
	}
}

void hosts_case_start_controller(struct hosts_case *hosts)
{
	struct text why = {0};

	deadline_start("a case over several hosts");
	ground_of(hosts)->start(hosts->recorder);
	check(controller_open(&hosts->settings, &why, &hosts->controller) == STATUS_OK, "%s",
		text_string(&why));
}

static void run_executor(void *argument)
{
	struct hosts_case_executor *executor = argument;

	executor->status = executor_run(&executor->settings, executor->cluster, executor->system,
		hosts_case_in_ms(JOIN_MS), &executor->why);
}

/* Makes the clusters of all hosts, because clusters are joined before they are used. */
static void make_clusters(struct hosts_case *hosts)
{
	struct test_cluster whole = hosts->one.cluster_config;
	struct cluster *clusters[DISTRIBUTED_HOSTS_MAX];
	bool joined = hosts->choice.links > 0;

	if (joined) {
		check(hosts->choice.axis == HOSTS_IN_ROWS, "only hosts in rows are joined here");
		whole.rows = hosts->choice.rows;
		hosts->machine = test_cluster_info_new(&whole);
	}
	for (uint32_t i = 0; i < hosts->choice.hosts; i++) {
		struct hosts_case_executor *executor = &hosts->executors[i];

		executor->info = test_cluster_info_new(&hosts->one.cluster_config);
		executor->info->machine = hosts->machine;
		executor->info->machine_first = (uint16_t)(i * executor->info->chip_count);
		executor->cluster = ground_of(hosts)->cluster_new(executor->info, i);
		check(executor->cluster != NULL, "no memory for the cluster of host %u", i);
		clusters[i] = executor->cluster;
	}
	if (hosts->choice.link_transport == NULL)
		ground_of(hosts)->join(clusters, hosts->choice.hosts);
}

void hosts_case_start_executor(struct hosts_case *hosts, uint32_t index)
{
	hosts_case_start_executor_at(hosts, index, controller_address(hosts->controller));
}

/* Lets the executor connect to the other executors. */
static void set_links(struct hosts_case *hosts, uint32_t index)
{
	struct hosts_case_executor *executor = &hosts->executors[index];
	bool local = strcmp(hosts->choice.link_transport, "unix") == 0;

	snprintf(executor->link_address, sizeof executor->link_address,
		local ? "%.96s/link-%d-%u" : "127.0.0.1:0", test_folder(), (int)getpid(), index);
	executor->settings.links = &native_links;
	executor->settings.link_settings = (struct links_settings){
		.transport = transport_find(hosts->choice.link_transport)->ops,
		.channel = {.address = executor->link_address, .session = 24, .key = test_key()},
		.host = index,
		.host_count = hosts->choice.hosts};
}

void hosts_case_start_executor_at(struct hosts_case *hosts, uint32_t index, const char *address)
{
	struct hosts_case_executor *executor = &hosts->executors[index];
	struct affinity place = ground_of(hosts)->place(index);

	if (hosts->choice.links > 0 && hosts->machine == NULL) {
		make_clusters(hosts);
	} else if (hosts->choice.links == 0) {
		executor->info = test_cluster_info_new(&hosts->one.cluster_config);
		executor->cluster = ground_of(hosts)->cluster_new(executor->info, index);
		check(executor->cluster != NULL, "no memory for the cluster of host %u", index);
	}
	executor->system = mesh_system_new(executor->cluster);
	executor->config = hosts->one.config;
	executor->config.host.server = place.host;
	executor->settings = (struct executor_settings){.transport = hosts->settings.transport,
		.channel = hosts->settings.channel,
		.codec = hosts->settings.codec,
		.config = &executor->config,
		.stages = hosts->choice.executor_threads
				  ? (struct executor_stages){.receive = true, .send = true}
				  : hosts->choice.stages,
		.place = place,
		.wait = WAIT_SPIN_THEN_PARK,
		.poll_ns = hosts->poll_ns ? hosts->poll_ns : 100000,
		.receive = hosts->choice.receive ? receive_find(hosts->choice.receive) : NULL,
		.completion_reader =
			hosts->choice.completion_reader
				? completion_reader_find(hosts->choice.completion_reader)
				: NULL,
		.descriptor = executor->settings.descriptor,
		.described = executor->settings.described,
		.loader = executor->settings.loader};
	if (hosts->choice.link_transport != NULL)
		set_links(hosts, index);
	executor->settings.channel.address = address;
	executor->settings.channel.name = executor->name;
	executor->thread = world->spawn(executor->name, place, run_executor, executor);
}

void hosts_case_accept(struct hosts_case *hosts)
{
	struct text why = {0};
	enum status status = controller_accept(hosts->controller, hosts_case_in_ms(JOIN_MS), &why);

	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
}

void hosts_case_open(struct hosts_case *hosts)
{
	struct mesh_config config;
	struct text why = {0};
	enum status status;

	hosts_case_start_controller(hosts);
	for (uint32_t i = 0; i < hosts->choice.hosts; i++)
		hosts_case_start_executor(hosts, i);
	hosts_case_accept(hosts);
	config = hosts->one.config;
	config.shape = (struct mesh_shape){hosts->choice.rows, hosts->choice.columns};
	status = distributed_open(hosts->controller, &config, &why, &hosts->handle);
	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
}

void hosts_case_join_executors(struct hosts_case *hosts)
{
	for (uint32_t i = 0; i < hosts->choice.hosts; i++) {
		if (hosts->executors[i].thread == NULL)
			continue;
		world->join(hosts->executors[i].thread);
		hosts->executors[i].thread = NULL;
	}
}

void hosts_case_end_executors(struct hosts_case *hosts, enum status ended)
{
	hosts_case_join_executors(hosts);
	for (uint32_t i = 0; i < hosts->choice.hosts; i++) {
		struct hosts_case_executor *executor = &hosts->executors[i];

		check(executor->cluster == NULL || executor->status == ended,
			"host %u: %s: %s, expected %s", i, status_name(executor->status),
			text_string(&executor->why), status_name(ended));
	}
	for (uint32_t i = 0; i < hosts->choice.hosts; i++) {
		struct hosts_case_executor *executor = &hosts->executors[i];

		if (executor->cluster != NULL)
			ground_of(hosts)->machine_free(
				executor->cluster, executor->system, executor->info);
		text_fini(&executor->why);
		executor->cluster = NULL;
		executor->system = NULL;
		executor->info = NULL;
	}
	if (hosts->machine != NULL) /* after the clusters, which share the fabric of the machine */
		ground_of(hosts)->machine_free(NULL, NULL, hosts->machine);
	hosts->machine = NULL;
}

void hosts_case_close(struct hosts_case *hosts, enum status ended)
{
	if (hosts->handle != NULL)
		hosts->handle->ops->close(hosts->handle);
	check(ended != STATUS_OK || strstr(controller_why(hosts->controller), "is lost") == NULL,
		"%s while it was closed", controller_why(hosts->controller));
	controller_close(hosts->controller);
	hosts_case_end_executors(hosts, ended);
	deadline_stop();
}

struct device *hosts_case_device(struct hosts_case *hosts, uint16_t row, uint16_t column)
{
	uint16_t rows = hosts_case_rows(hosts), columns = hosts_case_columns(hosts);
	uint32_t host = hosts->choice.axis == HOSTS_IN_ROWS ? (uint32_t)row / rows
							    : (uint32_t)column / columns;

	return device_row->chip(hosts->executors[host].cluster,
		(uint16_t)(row % rows * columns + column % columns));
}

static uint32_t result_address;

void hosts_case_learn_results(void)
{
	struct mesh_case test;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	result_address = mesh_worker_result(test.mesh);
	mesh_case_close(&test);
}

struct launch_result hosts_case_result_of(struct device *chip, const struct chip_geometry *geometry)
{
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	struct launch_result result;

	check_status(device_row->inspect(
			     chip, geometry->worker_tiles[0], result_address, sizeof bytes, bytes),
		STATUS_OK);
	launch_result_decode(bytes, &result);
	return result;
}

struct launch_result hosts_case_result(struct hosts_case *hosts, uint16_t row, uint16_t column)
{
	return hosts_case_result_of(
		hosts_case_device(hosts, row, column), hosts->executors[0].info->chips[0].geometry);
}

void hosts_case_work(const struct hosts_case *hosts, struct work_counts *counts)
{
	ground_of(hosts)->work(counts);
}

void hosts_case_drain(struct hosts_case *hosts)
{
	for (uint32_t i = 0; i < hosts->choice.hosts; i++)
		check_status(
			device_row->drain(hosts->executors[i].cluster, DEADLINE_NEVER), STATUS_OK);
}
