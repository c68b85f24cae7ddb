/* label: full
 * Tests the network between hosts. Formulas give the times of one message, of a send to many
 * members, and of flows that share a NIC. Each cost of a library must be paid by the right thread
 * of the right host. More data must never take less time, and no bytes may be lost. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "network_scene.h"

enum { LATENCY_PS = 500 * NS };

/* At 1 GB/s a byte takes 1 ns; a frame of 1,000 B has 100 B of overhead. */
static int64_t wire_ps(uint64_t bytes)
{
	uint64_t frames = bytes == 0 ? 1 : (bytes + 999) / 1000;

	return (int64_t)(bytes + 100 * frames) * NS;
}

TEST(one_way_is_latency_and_bytes_over_bandwidth)
{
	static const uint32_t sizes[] = {0, 1, 999, 1000, 1001, 9090, 9091, 10000, 123456, 1 << 20};

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct scene scene = scene_of(HOSTNET_TCP, sizes[i]);

		check_equal(scene_last_ps(&scene), LATENCY_PS + wire_ps(sizes[i]));
	}
}

TEST(on_one_host_there_is_no_network)
{
	struct scene scene = scene_of(HOSTNET_UNIX, 1 << 20);

	scene.same_host = true;
	scene.network.loopback_latency_ps = 777;
	check_equal(scene_last_ps(&scene), 777);
}

TEST(on_one_machine_there_is_no_network)
{
	struct scene scene = scene_of(HOSTNET_TCP, 1 << 20);

	scene.network.one_machine = true;
	scene.network.loopback_latency_ps = 777;
	check_equal(scene_last_ps(&scene), 777);
	scene.members = 3;
	check_equal(scene_last_ps(&scene), 777);
}

/* Models sockets on one machine: the sender's call wakes the receiver, which then runs. */
TEST(on_one_machine_the_sender_wakes_the_receiver)
{
	const int64_t call_ps = 5 * US;
	struct scene scene = scene_of(HOSTNET_TCP, 64);
	struct scene_times times = {.network_ps = 0};

	scene.host.wake_call_ps = call_ps;
	scene.network.one_machine = true;
	scene_play(&scene, &times);
	check_equal(times.sent[0], call_ps);
	scene.network.loopback_latency_ps = 777; /* the call no longer delivers it */
	scene_play(&scene, &times);
	check_equal(times.sent[0], 0);
}

/* ---- costs of libraries ---- */

struct cost {
	size_t field;
	/* [the library has a thread][there are two members]: how much the cost adds to the time, in
	 * halves of the cost */
	int64_t halves[2][2];
};

#define COST(name, ...)                                                                            \
	{                                                                                          \
		offsetof(struct hostnet_costs, name),                                              \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

static const struct cost costs[] = {
	COST(send_message_ps, {2, 2}, {2, 2}), COST(send_kib_ps, {8, 8}, {8, 8}),
	COST(peer_message_ps, {0, 2}, {0, 2}), COST(peer_kib_ps, {0, 8}, {0, 8}),
	COST(hand_off_ps, {0, 0}, {4, 4}), COST(thread_send_message_ps, {0, 0}, {2, 2}),
	COST(thread_send_kib_ps, {0, 0}, {8, 8}), COST(thread_peer_message_ps, {0, 0}, {0, 2}),
	COST(thread_peer_kib_ps, {0, 0}, {0, 8}), COST(thread_receive_message_ps, {0, 0}, {2, 2}),
	COST(thread_receive_kib_ps, {0, 0}, {8, 8}), COST(receive_message_ps, {2, 2}, {2, 2}),
	COST(receive_kib_ps, {8, 8}, {8, 8}),
	COST(wait_message_ps, {1, 1}, {1, 1}),	      /* half was paid before */
	COST(thread_wait_message_ps, {0, 0}, {2, 2}), /* at both ends */
};

/* Sends 4 KiB to one member, or to two members on different hosts: once without the cost that is
 * tested, and once with a cost of 50 us, which is longer than the time on the wire. The difference
 * shows how often the cost is paid. */
TEST(each_cost_is_paid_where_it_arises)
{
	for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++)
		for (int thread = 0; thread < 2; thread++)
			for (int two = 0; two < 2; two++) {
				struct scene scene = scene_of(HOSTNET_NNG, 4096);
				struct hostnet_costs *of = &scene.network.transports[HOSTNET_NNG];
				int64_t cost_ps = 50 * US, without_ps, expected_ps;

				of->threads = thread;
				scene.members = 1 + (uint32_t)two;
				without_ps = scene_last_ps(&scene);
				*(int64_t *)(void *)((char *)of + costs[i].field) = cost_ps;
				expected_ps =
					without_ps + costs[i].halves[thread][two] * cost_ps / 2;
				/* the second copy no longer waits for the first one at the NIC */
				if (two && costs[i].halves[thread][1] > costs[i].halves[thread][0])
					expected_ps -= wire_ps(4096);
				check_equal(scene_last_ps(&scene), expected_ps);
			}
}

/* A library's thread pays half the cost of a wait when it wakes up, and the other half when it
 * falls asleep. The first message is delayed twice: a thread of the sender and a thread of the
 * receiver each need 25 us to wake up. The next message comes while these two threads fall asleep.
 * Before they sleep, the threads look for messages once more and find this message, so no thread
 * must be woken for it. */
TEST(the_librarys_thread_falls_asleep_behind_a_message)
{
	struct scene scene = scene_of(HOSTNET_NNG, 0);
	struct hostnet_costs *of = &scene.network.transports[HOSTNET_NNG];
	struct scene_times times;

	of->threads = 1;
	of->thread_wait_message_ps = 50 * US;
	of->send_message_ps = 26 * US;
	scene.messages[scene.message_count++] = (struct scene_message){0, 0};
	scene_play(&scene, &times);
	check_equal(times.received[0][0], (26 + 25 + 25) * US + LATENCY_PS + wire_ps(0));
	/* The sender's thread needs the time from 51 to 76 us to fall asleep. The caller sends a
	 * message at 52 us. At 76 us, the thread finds this message, and sends it without another
	 * wake-up. */
	check_equal(times.received[0][1], (76 + 25) * US + LATENCY_PS + wire_ps(0));
}

/* The receiver needs 25 us to wake up and 25 us to fall asleep. The second message arrives while
 * the receiver falls asleep. */
TEST(a_receiver_that_falls_asleep_finds_what_comes_meanwhile)
{
	struct scene scene = scene_of(HOSTNET_TCP, 0);
	struct hostnet_costs *of = &scene.network.transports[HOSTNET_TCP];
	struct scene_times times;

	of->wait_message_ps = 50 * US;
	of->send_message_ps = 30 * US;
	scene.messages[scene.message_count++] = (struct scene_message){0, 0};
	scene_play(&scene, &times);
	check_equal(times.received[0][0], (30 + 25) * US + LATENCY_PS + wire_ps(0));
	check_equal(times.received[0][1], (30 + 25 + 25) * US + LATENCY_PS + wire_ps(0));
}

/* Two messages fill the window, so the third message waits for a credit. The reader sends it after
 * it has read a message. A sender that polls sees the credit as soon as it arrives. A sender that
 * sleeps must first be woken. */
TEST(a_sender_that_polls_for_room_is_not_woken)
{
	const int64_t wake_ps = 40 * US;
	int64_t room_ps[2];

	for (int polls = 0; polls < 2; polls++) {
		struct scene scene = scene_of(HOSTNET_UCX_SHM, 1024);
		struct scene_times times;

		scene.window = 2;
		scene.host.wake_hot_ps = scene.host.wake_idle_ps = wake_ps;
		scene.network.transports[HOSTNET_UCX_SHM].receive_kib_ps = 10 * US;
		scene.network.transports[HOSTNET_UCX_SHM].polls_for_room = polls;
		scene.messages[1] = scene.messages[2] = (struct scene_message){0, 1024};
		scene.message_count = 3;
		scene_play(&scene, &times);
		check_equal(times.sent[1], 0);
		room_ps[polls] = times.sent[2];
	}
	check_equal(room_ps[0] - room_ps[1], wake_ps);
}

/* The caller sends the first message itself, and then wakes the library's thread. The caller sends
 * a second message before this thread has woken up. If it goes to the same member as the first, the
 * thread sends it. If it goes to another member, the caller also sends it itself. */
TEST(a_thread_that_finds_nothing_under_way_to_an_end_sends_itself)
{
	static const int64_t part_ps = 50 * US, wake_ps = 30 * US;

	for (int other = 0; other < 2; other++) {
		struct scene scene = scene_of(HOSTNET_GRPC, 0);
		struct hostnet_costs *of = &scene.network.transports[HOSTNET_GRPC];
		struct scene_times times;

		of->threads = of->sends_itself = 1;
		of->thread_send_message_ps = part_ps;
		scene.host.wake_hot_ps = scene.host.wake_idle_ps = wake_ps;
		scene.members = 2;
		scene.messages[0].member = 0;
		scene.messages[scene.message_count++] = (struct scene_message){(uint32_t)other, 0};
		scene_play(&scene, &times);
		check_equal(times.sent[0], part_ps);
		check_equal(times.sent[1], other ? 2 * part_ps : part_ps);
		check_equal(times.received[0][0], part_ps + LATENCY_PS + wire_ps(0) + 2 * wake_ps);
		check_equal(times.received[other][1 - other],
			2 * part_ps + LATENCY_PS + wire_ps(0) + (other ? 2 : 3) * wake_ps);
	}
}

/* The second message is left to the library's thread. While this thread is still sending it, the
 * caller sends a third message, which takes less time. The third message must not overtake the
 * second: scene_play() checks that messages of the right length arrive in order. */
TEST(a_thread_that_sends_itself_overtakes_no_message)
{
	struct scene scene = scene_of(HOSTNET_GRPC, 0);
	struct hostnet_costs *of = &scene.network.transports[HOSTNET_GRPC];
	struct scene_times times;

	of->threads = of->sends_itself = 1;
	of->send_message_ps = 40 * US;
	of->thread_send_message_ps = 50 * US;
	of->thread_send_kib_ps = 100 * US;
	scene.host.wake_hot_ps = scene.host.wake_idle_ps = 60 * US;
	scene.messages[1] = (struct scene_message){0, 1024};
	scene.messages[2] = (struct scene_message){0, 0};
	scene.message_count = 3;
	scene_play(&scene, &times);
	check_equal(times.sent[2] - times.sent[1], 40 * US);
}

TEST(headers_take_the_wire)
{
	struct scene scene = scene_of(HOSTNET_TCP, 500);

	scene.network.transports[HOSTNET_TCP].header_bytes = 700;
	check_equal(scene_last_ps(&scene), LATENCY_PS + wire_ps(1200));
}

TEST(a_spinning_receiver_is_not_woken)
{
	struct scene scene = scene_of(HOSTNET_RDMA, 0);

	scene.host = sim_host_constants();
	scene.host.wake_hot_ps = scene.host.wake_idle_ps = 40 * US;
	check_equal(scene_last_ps(&scene), LATENCY_PS + wire_ps(0) + 40 * US);
	scene.network.transports[HOSTNET_RDMA].spins = 1;
	scene.host.spin_ps = 100 * (int64_t)MS;
	check_equal(scene_last_ps(&scene), LATENCY_PS + wire_ps(0) + scene.host.spin_see_ps);
}

/* A polling thread has found a message, and the next message arrives `comes_ps` later. Returns the
 * time from the first message until the thread finds the next one. In the first 200 us, it finds
 * the message at once. After that, it pauses between polls: for a quarter of the time since the
 * first message, but for at most 500 us. */
static int64_t found_after_ps(int64_t comes_ps)
{
	int64_t look_ps = 200 * (int64_t)US;

	if (comes_ps <= look_ps) /* negative: it arrived during the pause before the first one */
		return comes_ps > 0 ? comes_ps : 0;
	while (look_ps < comes_ps) {
		int64_t pause_ps = look_ps / 4;

		look_ps += pause_ps < 500 * (int64_t)US ? pause_ps : 500 * (int64_t)US;
	}
	return look_ps;
}

TEST(a_polling_receiver_finds_a_message_when_it_looks)
{
	static const int64_t apart_us[] = {50, 150, 260, 700, 1900, 9000};

	for (size_t i = 0; i < sizeof apart_us / sizeof apart_us[0]; i++) {
		struct scene scene = scene_of(HOSTNET_MPI, 0);
		struct hostnet_costs *of = &scene.network.transports[HOSTNET_MPI];
		struct scene_times plain, polled;
		int64_t found_ps, expected_ps;

		scene.messages[scene.message_count++] = (struct scene_message){0, 0};
		of->send_message_ps = apart_us[i] * US;
		scene_play(&scene, &plain);
		of->look_ps = 200 * (int64_t)US;
		of->pause_ps = 500 * (int64_t)US;
		scene_play(&scene, &polled);
		found_ps = polled.received[0][1] - polled.received[0][0];
		expected_ps = found_after_ps(plain.received[0][1] - polled.received[0][0]);
		check(llabs(found_ps - expected_ps) < US, /* deadlines are rounded to ns */
			"%lld us after another it is found %.3f us after it, and not %.3f",
			(long long)apart_us[i], (double)found_ps / US, (double)expected_ps / US);
	}
}

/* ---- several members ---- */

TEST(copies_for_all_leave_the_nic_one_after_the_other)
{
	for (uint32_t members = 1; members <= SCENE_MEMBERS_MAX; members = 2 * members) {
		struct scene scene = scene_of(HOSTNET_TCP, 3000);
		struct scene_times times;

		scene.members = members;
		scene_play(&scene, &times);
		for (uint32_t i = 0; i < members; i++)
			check_equal(times.received[i][0], LATENCY_PS + (i + 1) * wire_ps(3000));
		check_equal(times.statistics[0].up_busy_ps,
			(int64_t)times.statistics[0].sent_bytes * NS);
	}
}

TEST(a_sender_that_is_slower_than_its_nic_sets_the_pace)
{
	struct scene scene = scene_of(HOSTNET_TCP, 3000);
	struct scene_times times;

	scene.members = 32;
	scene.network.transports[HOSTNET_TCP].send_message_ps = 7 * US;
	scene.network.transports[HOSTNET_TCP].peer_message_ps = 5 * US;
	scene_play(&scene, &times);
	for (uint32_t i = 0; i < 32; i++)
		check_equal(times.received[i][0],
			(7 + 5 * (int64_t)i) * US + LATENCY_PS + wire_ps(3000));
	check_equal(times.sent[0], (7 + 5 * 31) * US);
}

/* Two flows share a NIC, which sends bursts of both alternately. So the first flow waits for all
 * bursts of the second flow except the last one. 1,000,000 B of data are 1,100,000 B on the wire,
 * which are 110 bursts. */
TEST(two_flows_share_a_nic)
{
	struct scene scene = scene_of(HOSTNET_TCP, 1000000);
	struct scene_times times;

	scene.members = 2;
	scene_play(&scene, &times);
	check_equal(times.received[0][0], LATENCY_PS + 2 * wire_ps(1000000) - 10 * US);
	check_equal(times.received[1][0], LATENCY_PS + 2 * wire_ps(1000000));
}

TEST(a_short_message_waits_for_a_burst_of_a_long_one)
{
	struct scene scene = scene_of(HOSTNET_TCP, 0);
	struct scene_times times;

	scene.members = 2;
	scene.messages[0] = (struct scene_message){0, 1000000};
	scene.messages[1] = (struct scene_message){1, 64};
	scene.messages[2] = (struct scene_message){0, 64};
	scene.message_count = 3;
	scene_play(&scene, &times);
	check_equal(times.received[1][0], LATENCY_PS + 10 * US + wire_ps(64));
	check_equal(times.received[0][0], LATENCY_PS + wire_ps(1000000) + wire_ps(64));
	check_equal(times.received[0][1], LATENCY_PS + wire_ps(1000000) + 2 * wire_ps(64));
}

/* ---- accounting ---- */

/* Hello, answer and goodbye take 100 B each on the wire and no CPU time. */
TEST(the_wire_and_the_library_are_charged_for_what_they_take)
{
	struct scene scene = scene_of(HOSTNET_TCP, 25000);
	struct hostnet_costs *of = &scene.network.transports[HOSTNET_TCP];
	struct scene_times times;

	scene.causes = true;
	of->send_message_ps = 3 * US;
	of->receive_message_ps = 2 * US;
	scene_play(&scene, &times);
	check_equal(times.received[0][0], 3 * US + LATENCY_PS + wire_ps(25000) + 2 * US);
	check_equal(times.transport_ps, 5 * US);
	check_equal(times.network_ps, 3 * (LATENCY_PS + wire_ps(0)) + LATENCY_PS + wire_ps(25000));
}

/* ---- with the shipped constants ---- */

TEST(more_bytes_take_longer_and_more_bandwidth_does_not)
{
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		int64_t before_ps = 0;

		for (uint32_t bytes = 16; bytes <= 1 << 22; bytes *= 8) {
			struct scene scene = scene_of((enum hostnet_transport)i, bytes);
			int64_t slow_ps, fast_ps;

			scene.host = sim_host_constants();
			scene.network = sim_network_constants();
			/* a poller that pauses may find a message sooner or later */
			scene.network.transports[i].look_ps = 0;
			slow_ps = scene_last_ps(&scene);
			check_less(before_ps, slow_ps);
			before_ps = slow_ps;
			scene.network.bandwidth_bytes_per_s *= 4;
			fast_ps = scene_last_ps(&scene);
			check_less(fast_ps, slow_ps);
		}
	}
}

TEST(what_is_sent_is_delivered)
{
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		struct scene scene = scene_of((enum hostnet_transport)i, 100000);
		struct hostnet_statistics sum = {0};
		struct scene_times times;

		scene.network = sim_network_constants();
		scene.members = 7;
		for (scene.message_count = 0; scene.message_count < 40; scene.message_count++)
			scene.messages[scene.message_count] = (struct scene_message){
				scene.message_count % 3 ? CHANNEL_ALL : scene.message_count % 7,
				scene.message_count * 1234};
		scene_play(&scene, &times);
		for (uint32_t host = 0; host < SIM_NETWORK_HOSTS; host++) {
			sum.sent += times.statistics[host].sent;
			sum.sent_bytes += times.statistics[host].sent_bytes;
			sum.delivered += times.statistics[host].delivered;
			sum.delivered_bytes += times.statistics[host].delivered_bytes;
			check_equal(times.statistics[host].lost, 0);
		}
		check_less(7 * 26, sum.sent);
		check_equal(sum.delivered, sum.sent);
		check_equal(sum.delivered_bytes, sum.sent_bytes);
	}
}

TEST(the_same_scene_takes_the_same_picoseconds)
{
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		struct scene scene = scene_of((enum hostnet_transport)i, 5000);
		struct scene_times times[2];

		scene.host = sim_host_constants();
		scene.host.noise = true;
		scene.host.wake_noise = (struct host_noise){
			.variation = 0.3, .tail_probability = 0.01, .tail_ps = US};
		scene.network = sim_network_constants();
		scene.members = 5;
		for (scene.message_count = 1; scene.message_count < 20; scene.message_count++)
			scene.messages[scene.message_count] =
				(struct scene_message){CHANNEL_ALL, 50 * scene.message_count};
		scene_play(&scene, &times[0]);
		scene_play(&scene, &times[1]);
		check(memcmp(&times[0], &times[1], sizeof times[0]) == 0, "%s differs",
			hostnet_transport_name(scene.transport));
	}
}

TEST_MAIN(NULL, NULL)
