/* A run in the simulated world, with SimGrid's platform, the engine, the host model and the chip
 * model. A process can have only one run, because SimGrid cannot be initialized twice. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "bench/run/conservation.h"
#include "bench/scenario/hosts.h"
#include "cause/cause.h"
#include "chip/sim_device.h"
#include "engine/engine.h"
#include "firmware/worker/worker.h"
#include "host/sim_world.h"
#include "host/statistics.h"
#include "hostnet/hostnet.h"
#include "run_world.h"
#include "transport/rows.h"
#include "wire/codec.h"

static enum status open_engine(
	const struct platform *platform, enum platform_layout layout, struct text *why)
{
	char path[64];
	FILE *file;
	enum status status = platform_save_simgrid(platform, layout, path, sizeof path, &file);

	if (status != STATUS_OK) {
		text_append(why, "cannot write the SimGrid platform to a file in memory");
		return status;
	}
	status = engine_open(path);
	fclose(file);
	if (status != STATUS_OK)
		text_append(why, "SimGrid does not accept the platform");
	return status;
}

static void take_rate(const char *link, double *bytes_per_s, double *latency_ns)
{
	struct link_rate rate = platform_link_rate(link);

	*bytes_per_s = (double)rate.bandwidth_bytes_per_s;
	*latency_ns = (double)rate.latency_ps / 1000.0;
}

/* Returns a copy of `constants` in which the rates and latencies of PCIe and Ethernet are those of
 * SimGrid's links. All links of one kind have the same values. */
static struct chip_constants with_link_rates(
	const struct cluster_info *info, struct chip_constants constants)
{
	char name[PLATFORM_NAME_BYTES];

	for (uint16_t i = 0; i < info->chip_count; i++) {
		if (!info->chips[i].has_pcie)
			continue;
		take_rate(platform_pcie_link(i, true, name), &constants.pcie_down_bytes_per_s,
			&constants.pcie_post_latency_ns);
		take_rate(platform_pcie_link(i, false, name),
			&constants.pcie_device_write_bytes_per_s,
			&constants.pcie_write_visible_latency_ns);
		break;
	}
	if (info->connection_count > 0) {
		const struct fabric_connection *first = &info->connections[0];

		take_rate(platform_lane_link(first->chip[0], first->chip[1], 0, name),
			&constants.ethernet_bytes_per_s, &constants.ethernet_latency_ns);
	}
	return constants;
}

/* Returns the number of servers. There is one for each host. A machine of several hosts has an
 * additional server, on which the controller runs. */
static uint16_t server_count(const struct platform *platform)
{
	return platform_hosts(platform) ? (uint16_t)(machine_hosts(platform) + 1) : 1;
}

static enum status start_servers(const struct run_plan *plan,
	const struct machine_constants *constants, const struct recorder *recorder)
{
	static char names[PLATFORM_HOSTS_MAX + 1][PLATFORM_NAME_BYTES]; /* the run uses them until
									 * it ends */
	struct host_description hosts[PLATFORM_HOSTS_MAX + 1];
	uint16_t count = server_count(plan->platform);

	for (uint16_t i = 0; i < count; i++)
		hosts[i] = (struct host_description){.name = platform_server_name(i, names[i]),
			.constants = &constants->host,
			.shares = machine_shares(plan->platform) && i > 0,
			.bound = machine_binds(plan->platform),
			.core = i};
	return sim_world_start(hosts, count, plan->scenario->seed, recorder);
}

enum { SESSION = 1 }; /* any number is good, because this network has no other sessions */

/* Schedules the fault of model.fault; the client itself simulates a late host. */
static void expect_fault(const struct fault_keys *keys, uint16_t hosts)
{
	const struct fault_ops *row = fault_row(keys->kind);
	struct hostnet_fault fault = {.host = keys->host,
		.at_ps = (int64_t)keys->at_us * 1000000,
		.for_ps = (int64_t)keys->for_us * 1000000};

	if (!row->scheduled)
		return;
	if (!row->of_host)
		fault.host = hosts;
	fault.kind = row->network;
	hostnet_expect(&fault);
}

/* Reports an error if the run ended before the fault in `model.fault` happened. The results of such
 * a run do not show the effect of the fault. */
static void refuse_no_fault(struct client *client)
{
	const struct fault_keys *keys = &client->plan->scenario->model.fault;

	if (!fault_row(keys->kind)->scheduled || !client->ground ||
		client->outcome != CLIENT_DONE || hostnet_has_failed())
		return;
	diag_error(client->diag, tree_where(tree_root(client->plan->tree), "model.fault.at_us"),
		"the run was over after %.3f us, before this fault", (double)engine_now() / 1e6);
	client->outcome = CLIENT_REFUSED;
}

/* Returns the time in ns for which the controller still waits for an answer that is late. Returns 0
 * if the scenario has a fault, because then hosts are lost on purpose. */
static uint64_t grace_ns(const struct scenario *scenario)
{
	const uint64_t least = 100000000, most = 1000000000;
	uint64_t times = 10 * scenario->runtime.distributed.reply_ns;

	if (scenario->model.fault.kind != HOST_FAULT_NONE)
		return 0;
	return times < least ? least : times > most ? most : times;
}

/* Opens the network, and sets client->ground, through which the client uses it. The network exists
 * until the process ends. */
static void open_ground(struct client *client)
{
	static struct client_ground ground;
	static struct cluster *clusters[PLATFORM_HOSTS_MAX];
	static char address[PLATFORM_NAME_BYTES + 2];
	const struct platform *platform = client->plan->platform;
	const struct distributed_keys *keys = &client->plan->scenario->runtime.distributed;
	uint16_t hosts = machine_hosts(platform);
	struct hostnet_constants constants;
	char name[PLATFORM_NAME_BYTES];

	if (platform_hosts(platform) == NULL)
		return;
	charge_ways(transport_name(keys->transport), wire_codec_row(keys->codec)->entry.name);
	hostnet_constants_bind(platform, &constants);
	hostnet_open(&constants, server_count(platform), true);
	expect_fault(&client->plan->scenario->model.fault, hosts);
	snprintf(address, sizeof address, "%s:0", platform_server_name(hosts, name));
	ground = (struct client_ground){.ops = &ground_of_threads,
		.count = hosts,
		.clusters = clusters,
		.controller = {hosts, -1},
		.transport = hostnet_row((enum hostnet_transport)keys->transport),
		.address = address,
		.session = SESSION,
		.remote = true,
		.join_ns = keys->reply_ns,
		.reply_ns = keys->reply_ns,
		.grace_ns = grace_ns(client->plan->scenario)};
	client->ground = &ground;
}

/* Creates one cluster for each host, all equal. They share a fabric if links join the hosts. */
static enum status make_clusters(struct client *client, const struct chip_constants *chip,
	struct sim_options options, struct text *why)
{
	const struct platform *platform = client->plan->platform;
	enum status status = STATUS_OK;
	const char *what = NULL;

	for (uint32_t i = 0; i < client_cluster_count(client) && status == STATUS_OK; i++) {
		const struct cluster_info *info = platform_host_cluster(platform, (uint16_t)i);

		options.host = (uint16_t)i;
		if (i > 0 && info->machine != NULL)
			options.joined = client->ground->clusters[0];
		status = sim_cluster_new(info, chip, &options,
			client->ground ? &client->ground->clusters[i] : &client->cluster, &what);
	}
	if (status != STATUS_OK)
		text_printf(why, "the chip model refuses %s", what);
	else if (client->ground)
		client->cluster = client->ground->clusters[0];
	else
		client->system = mesh_system_new(client->cluster);
	return status;
}

static struct engine_limits limits_of(const struct limit_keys *keys)
{
	return (struct engine_limits){.events = keys->events,
		.time_ps = (int64_t)keys->simulated_ms * INT64_C(1000000000)};
}

/* Writes the name of the limit that ended the run. */
static void say_limit(const struct limit_keys *keys, struct text *why)
{
	if (keys->events > 0 && engine_events() >= keys->events)
		text_printf(why, "given up after %llu events (limits.events)",
			(unsigned long long)keys->events);
	else if (keys->simulated_ms > 0)
		text_printf(why, "given up after %llu ms of simulated time (limits.simulated_ms)",
			(unsigned long long)keys->simulated_ms);
	else
		text_printf(why,
			"given up after %lld days of simulated time: time is counted in "
			"picoseconds, and goes no further",
			(long long)(ENGINE_TIME_MAX_PS / INT64_C(86400000000000000)));
}

/* ---- model.cores: chip ---- */

static int64_t launch(
	struct stage *worker, uint32_t value, const struct stage *like, struct sim_ack *ack)
{
	struct worker_ack where;
	int64_t cycles = worker_launch(worker, value, like, &where);

	if (cycles >= 0)
		*ack = (struct sim_ack){where.tile, where.address};
	return cycles;
}

static void *crew_form(void *crew, struct stage *const *workers, uint32_t count)
{
	return worker_crew_form(crew, workers, count);
}

static int64_t crew_launch(void *crew, uint32_t value, struct sim_ack *ack, struct sim_range *own)
{
	struct worker_ack where;
	int64_t cycles = worker_crew_launch(crew, value, &where, &own->address, &own->bytes);

	if (cycles >= 0)
		*ack = (struct sim_ack){where.tile, where.address};
	return cycles;
}

static void crew_cancel(void *crew)
{
	worker_crew_cancel(crew);
}

static bool crew_finish(void *crew, const struct sim_packed *parts, uint32_t count)
{
	struct worker_arguments arguments[SIM_PACKED_MAX];

	for (uint32_t i = 0; i < count; i++)
		arguments[i] = (struct worker_arguments){parts[i].targets, parts[i].count,
			parts[i].stride, parts[i].offset, parts[i].span};
	return worker_crew_finish(crew, arguments, count);
}

static void crew_split(void *crew)
{
	worker_crew_split(crew);
}

static void crew_free(void *crew)
{
	worker_crew_free(crew);
}

static void refuse(void *client, const char *what, uint16_t chip, uint16_t tile)
{
	client_refuse_cores(client, what, chip, tile);
}

static const struct sim_cores cores = {
	.takes = worker_takes,
	.launch = launch,
	.charge = worker_charge,
	.finish = worker_finish,
	.crew_form = crew_form,
	.crew_launch = crew_launch,
	.crew_cancel = crew_cancel,
	.crew_finish = crew_finish,
	.crew_split = crew_split,
	.crew_free = crew_free,
	.refuse = refuse,
};

/* True if messages between chips are activities of SimGrid. */
static bool uses_simgrid(const struct sim_options *options)
{
	return sim_network_device(options->network) != &sim_device;
}

/* Ends the process with a bug report if the run violates a conservation law. */
static void check_conservation(const struct client *client, const char *network)
{
	struct cluster *one = client->cluster;
	struct conservation conservation = {0};
	struct text why;
	bool good;

	text_init(&why);
	conservation_collect(client->ground ? client->ground->clusters : &one,
		client_cluster_count(client), sim_network_contends(network),
		client->ground ? server_count(client->plan->platform) : 0, &conservation);
	good = conservation_judge(&conservation, &why);
	ensure(good, "the run does not conserve what it must:\n%s", text_string(&why));
	conservation_fini(&conservation);
	text_fini(&why);
}

_Static_assert((int)SIM_TOPOLOGY_LINE == (int)FABRIC_LINE &&
		       (int)SIM_TOPOLOGY_RING == (int)FABRIC_RING &&
		       (int)SIM_TOPOLOGY_MESH == (int)FABRIC_MESH &&
		       (int)SIM_TOPOLOGY_TORUS == (int)FABRIC_TORUS,
	"what routes keep to is what routers are set up for");

/* Runs the client, then waits up to a second until messages in flight have arrived. */
static void run_sim_run_client(void *argument)
{
	const struct client *client = argument;
	const int64_t most_ns = 1000000000;

	client_main(argument);
	if (client->ground == NULL || client->outcome != CLIENT_DONE)
		return;
	for (int64_t wait_ns = 1000; !hostnet_is_quiet() && wait_ns < most_ns; wait_ns *= 2)
		world->sleep_until(world->now_ns() + wait_ns);
}

static const struct op_cpu host_cpu = {
	.all_ps = host_cpu_ps, .others_ps = host_cpu_of_others_ps, .enter = host_family_enter};

static enum status run_sim_run(const struct run_plan *plan,
	const struct machine_constants *constants, struct client *client, enum run_end *end,
	struct text *why)
{
	struct recorder recorder = op_recorder_sink(client->recorder);
	struct sim_options options = {
		.network = sim_network_name(plan->scenario->model.network),
		.topology = (enum sim_topology)plan->scenario->runtime.fabric.topology,
		.noc_links = plan->scenario->model.noc == NOC_LINKS,
		.cores = plan->scenario->model.cores == CORES_CHIP ? &cores : NULL,
		.cores_context = client,
	};
	const struct cluster_info *info = platform_cluster(plan->platform);
	struct chip_constants chip;
	enum platform_layout layout = uses_simgrid(&options) ? PLATFORM_ZONES : PLATFORM_SERVERS;
	enum status status = open_engine(plan->platform, layout, why);
	enum engine_end ended;
	char *report = NULL;
	size_t length = 0;
	FILE *stream;

	if (status != STATUS_OK)
		return status;
	recorder.log = client->log;
	op_recorder_count_cpu(client->recorder, &host_cpu);
	status = start_servers(plan, constants, &recorder);
	if (status != STATUS_OK) {
		text_append(why, "a constant of the host is out of its range");
		return status;
	}
	world = &sim_world;
	device_row = options.noc_links ? &sim_device_links : sim_network_device(options.network);
	chip = with_link_rates(info, constants->chip);
	open_ground(client);
	status = make_clusters(client, &chip, options, why);
	if (status != STATUS_OK)
		return status;
	stream = open_memstream(&report, &length);
	ensure_memory(stream, "a stall report");
	engine_set_stall_stream(stream);
	if (!uses_simgrid(&options))
		engine_without_activities();
	engine_on_stall(client_report, client);
	ended = sim_world_run(
		client->ground ? client->ground->controller : (struct affinity){0, -1},
		run_sim_run_client, client, limits_of(&plan->scenario->limits));
	fclose(stream);
	refuse_no_fault(client);
	/* if the client gave up, operations are still in flight, so conservation is not checked;
	 * the client itself reports the reason */
	if (ended == ENGINE_FINISHED && client->outcome == CLIENT_DONE)
		check_conservation(client, options.network);
	while (length > 0 && report[length - 1] == '\n')
		length--;
	text_append_bytes(why, report, length);
	if (ended == ENGINE_LIMIT)
		say_limit(&plan->scenario->limits, why);
	free(report);
	*end = ended == ENGINE_FINISHED || ended == ENGINE_STOPPED ? RUN_FINISHED
	       : ended == ENGINE_STALLED			   ? RUN_STALLED
								   : RUN_LIMITED;
	return STATUS_OK;
}

static void run_sim_collect(
	const struct client *client, struct run_record *record, struct arena *arena)
{
	host_threads_show();
	watch_record(record, arena);
	record->simgrid_configuration = engine_configuration();
	record->totals.simulated_ps = (uint64_t)engine_now();
	collect_links(client, record, arena);
	collect_deliveries(client, record);
	collect_threads(record, arena);
	collect_queues(client, record, arena);
	collect_cores(client, record, arena);
	record->totals.events =
		engine_events(); /* the statistics count only some of these events */
}

static void run_sim_watch(const struct client *client, struct watcher *watcher)
{
	uint32_t chips = platform_cluster(client->plan->platform)->chip_count;

	for (uint32_t host = 0; host < client_cluster_count(client); host++) {
		const struct cluster *cluster = client_cluster(client, host);

		for (uint32_t i = 0; i < sim_stage_count(cluster); i++) {
			struct sim_stage_statistics stage;

			sim_stage_statistics(cluster, i, &stage);
			watcher_see(watcher, host * chips + stage.chip, stage.stage, stage.blocked);
		}
	}
}

const struct run_world run_sim = {
	.name = "sim",
	.marks_at_once = true,
	.run = run_sim_run,
	.collect = run_sim_collect,
	.now_ps = engine_now,
	.watch = run_sim_watch,
	.counts = sim_world_counts,
};
