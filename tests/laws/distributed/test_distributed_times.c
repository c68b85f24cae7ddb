/* label: full
 * Tests the times of a simulated distributed device. A round trip to an executor must take the sum
 * of its stages, to the picosecond. Each cost of a codec must be paid once, by the writer or by the
 * reader. The host must see an event on several hosts later than an event on one host, by the time
 * of two more messages. */
#include "test.h"

#include <stdlib.h>

#include "check.h"
#include "command/bytes.h"
#include "distributed/common/described.h"
#include "hosts_sim.h"
#include "sim_case.h"
#include "sim_host.h"
#include "sim_network.h"
#include "wire/codec.h"

enum { POLL_NS = 10000 };

/* ---- measured times ---- */

struct scene {
	const char *codec;
	struct host_constants host;
	struct hostnet_constants network;
};

struct times {
	int64_t query_ps; /* counters of an executor, without devices */
	int64_t event_ps; /* recorded to the host on an idle queue, until it is seen */
};

static struct scene scene_of(const char *codec)
{
	struct scene scene = {.codec = codec,
		.host = sim_host_free_constants(),
		.network = sim_network_free_constants()};

	scene.network.transports[HOSTNET_TCP].header_bytes = 32;
	return scene;
}

static int64_t event(struct device_handle *device)
{
	const struct device_range all = device_range_all(device->ops->shape(device));
	const struct handle_call call = {.queue = 0};
	struct handle_event event;
	int64_t begin_ps = host_thread_paid_at_ps();

	check_status(device->ops->record(device, call, all, true, &event), STATUS_OK);
	check_status(device->ops->synchronize(device, &event, DEADLINE_NEVER), STATUS_OK);
	world->settle();
	return host_thread_paid_at_ps() - begin_ps;
}

static int64_t query(struct device_handle *device)
{
	struct mesh_counters counters;
	int64_t begin_ps;

	/* by now, all threads have been waiting for a long time */
	world->sleep_until(world->now_ns() + 1000000);
	begin_ps = host_thread_paid_at_ps();
	device->ops->counters(device, &counters);
	world->settle();
	return host_thread_paid_at_ps() - begin_ps;
}

static struct times measured;

static void run(void *argument)
{
	const struct scene *scene = argument;
	const struct hosts_choice choice = {.transport = "tcp",
		.codec = scene->codec,
		.resolution = "controller",
		.pipeline = "main",
		.hosts = 1,
		.axis = HOSTS_IN_ROWS,
		.rows = 1,
		.columns = 2,
		.ground = &hosts_sim_ground};
	static struct hosts_case hosts;

	hosts_case_init(&hosts, choice);
	hosts.settings.channel.window = 64;
	hosts.poll_ns = POLL_NS;
	hosts_case_open(&hosts);
	measured.query_ps = query(hosts.handle);
	(void)event(hosts.handle);
	world->sleep_until(world->now_ns() + 1000000);
	measured.event_ps = event(hosts.handle);
	hosts_case_close(&hosts, STATUS_OK);
}

static void simulate(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;
	struct times *to = result;

	(void)hosts_sim_run_on(1, &scene.host, &scene.network, NULL, run, &scene);
	*to = measured;
}

static struct times times_of(const struct scene *scene)
{
	struct times times = {0};
	struct sim_case end = sim_case_run(simulate, scene, &times, sizeof times);

	check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	return times;
}

/* ---- the closed form ---- */

static const struct wire_command question = {.kind = WIRE_query, .query = {.what = ASKED_COUNTERS}};
static const uint32_t words[COUNTERS_WORDS];
static const struct wire_command answer = {
	.kind = WIRE_told, .told = {.words = {words, COUNTERS_WORDS}}};

/* Write, send, wire, receive by a parked thread, read. */
static int64_t message_ps(const struct scene *scene, const struct wire_command *command)
{
	const struct hostnet_constants *network = &scene->network;
	const struct hostnet_costs *tcp = &network->transports[HOSTNET_TCP];
	const struct hostnet_coding *codec = &network->codecs[HOSTNET_PACKED];
	const struct wire_contents contents = wire_contents_of(command);
	int64_t bytes = (int64_t)wire_frame_bytes(wire_codec_find("packed"), command);
	int64_t wire = bytes + tcp->header_bytes, frames = (wire + 999) / 1000;
	int64_t of_words = 4 * (int64_t)contents.words, of_bytes = (int64_t)contents.bytes;

#define KIB(price, count) (((price) * (count) + 1023) / 1024)
	return codec->encode_message_ps +
	       (codec->encode_argument_kib_ps * of_words + codec->encode_kib_ps * of_bytes + 1023) /
		       1024 +
	       tcp->send_message_ps + KIB(tcp->send_kib_ps, bytes) + 2 * network->nic_latency_ps +
	       network->switch_latency_ps +
	       (wire + frames * (int64_t)network->frame_overhead_bytes) * NS /* at 1 GB/s */ +
	       scene->host.wake_idle_ps + tcp->receive_message_ps +
	       KIB(tcp->receive_kib_ps, bytes) + codec->decode_message_ps +
	       (codec->decode_argument_kib_ps * of_words + codec->decode_kib_ps * of_bytes + 1023) /
		       1024;
#undef KIB
}

static void set_costs(struct scene *scene)
{
	struct hostnet_costs *tcp = &scene->network.transports[HOSTNET_TCP];
	struct hostnet_coding *codec = &scene->network.codecs[HOSTNET_PACKED];

	scene->host.wake_idle_ps = scene->host.wake_hot_ps = 40 * US;
	tcp->send_message_ps = 3 * US;
	tcp->send_kib_ps = 777 * NS;
	tcp->receive_message_ps = 2 * US + 1;
	tcp->receive_kib_ps = 555 * NS;
	*codec = (struct hostnet_coding){.encode_message_ps = 11 * US,
		.encode_argument_kib_ps = 1237 * NS,
		.encode_kib_ps = 333 * NS,
		.decode_message_ps = 13 * US,
		.decode_argument_kib_ps = 4321 * NS,
		.decode_kib_ps = 222 * NS};
}

TEST(a_round_trip_is_the_sum_of_its_stages)
{
	struct scene scene = scene_of("packed");

	check_equal(times_of(&scene).query_ps,
		message_ps(&scene, &question) + message_ps(&scene, &answer));
	set_costs(&scene);
	check_equal(times_of(&scene).query_ps,
		message_ps(&scene, &question) + message_ps(&scene, &answer));
}

/* ---- codecs ---- */

TEST(each_codec_costs_the_writer_and_the_reader)
{
	static const int64_t cost_ps = 50 * US;
	const struct wire_contents asked = wire_contents_of(&question),
				   told = wire_contents_of(&answer);
	const int64_t often[] = {2 * 1024, 4 * (int64_t)(asked.words + told.words),
		(int64_t)(asked.bytes + told.bytes)};

	check_less(0, often[1]);
	for (int codec = 0; codec < HOSTNET_CODEC_COUNT; codec++) {
		struct scene scene = scene_of(hostnet_codec_name((enum hostnet_codec)codec));
		int64_t *costs = &scene.network.codecs[codec].encode_message_ps, without_ps;

		if (wire_codec_find(scene.codec) == NULL ||
			wire_codec_find(scene.codec)->ops == NULL)
			continue;
		without_ps = times_of(&scene).query_ps;
		for (int cost = 0; cost < 6; cost++) {
			costs[cost] = cost_ps;
			check_equal(times_of(&scene).query_ps,
				without_ps + cost_ps * often[cost % 3] / 1024);
			costs[cost] = 0;
		}
	}
}

TEST(the_network_knows_the_codecs_of_commands_by_their_numbers)
{
	for (int i = 0; i < HOSTNET_CODEC_COUNT; i++) {
		const char *name = hostnet_codec_name((enum hostnet_codec)i);

		check(wire_codec_find(name) != NULL, "no codec %s", name);
		check_equal(hostnet_codec_number((enum hostnet_codec)i), wire_codec_find(name)->id);
	}
	for (size_t i = 0; wire_codec_row(i) != NULL; i++)
		check_less(wire_codec_row(i)->id, WORK_CODECS);
}

/* ---- events ---- */

static int64_t alone_ps;

static void run_alone(void *argument)
{
	struct device_handle *device = NULL;
	struct mesh_case test;

	(void)argument;
	mesh_case_init(&test, 1, 2, TEST_PCIE_LEFT);
	test.info = test_cluster_info_new(&test.cluster_config);
	test.cluster = hosts_sim_ground.cluster_new(test.info, 0);
	test.system = mesh_system_new(test.cluster);
	check_status(handle_row(0)->open(test.system, &test.config, NULL, &device), STATUS_OK);
	(void)event(device);
	world->sleep_until(world->now_ns() + 1000000);
	alone_ps = event(device);
	device->ops->close(device);
	hosts_sim_ground.machine_free(test.cluster, test.system, test.info);
}

static void simulate_alone(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;
	int64_t *to = result;

	(void)hosts_sim_run_on(0, &scene.host, &scene.network, NULL, run_alone, NULL);
	*to = alone_ps;
}

/* On two hosts, the event needs two more messages. The executor wakes up every POLL_NS to poll for
 * events, so the event may have to wait for it. Each poll and each call costs 1 us here. */
TEST(an_event_takes_two_messages_more_than_on_one_host)
{
	struct wire_range range = {0, 0, 1, 2};
	const struct wire_command record = {.kind = WIRE_record_event,
					  .record_event = {.ranges = {&range, 1}}},
				  reached = {.kind = WIRE_event_reached};
	struct scene scene = scene_of("packed");
	int64_t one_ps = 0, more_ps;
	struct sim_case end;

	set_costs(&scene);
	end = sim_case_run(simulate_alone, &scene, &one_ps, sizeof one_ps);
	check(end.exit_code == 0, "exit code %d: %s", end.exit_code, end.output);
	more_ps = times_of(&scene).event_ps - one_ps;
	check_at_most(message_ps(&scene, &record) + message_ps(&scene, &reached), more_ps);
	check_at_most(more_ps, message_ps(&scene, &record) + message_ps(&scene, &reached) +
				       (int64_t)POLL_NS * NS + scene.host.wake_idle_ps + 10 * US);
}

TEST_MAIN(NULL, NULL)
