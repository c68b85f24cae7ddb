/* label: full
 * Tests the guarantees of the network between hosts when hosts are cut off or their programs die.
 * Messages that left before the fault arrive once and in order, a lost peer is reported before a
 * deadline, and nothing waits for ever. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim_case.h"
#include "sim_network.h"

enum { MEMBERS = 2, ROUNDS = 10 };

/* A hub on host 0 and a member on each of the hosts 1 and 2. */
struct rig {
	const struct channel_ops *ops;
	struct hub *hub;
	struct channel *channels[MEMBERS];
	void (*body)(struct rig *rig, uint32_t number); /* the body of a member */
	uint32_t got[MEMBERS];
	int64_t lost_ms[MEMBERS]; /* since the start of the world */
};

struct joiner {
	struct rig *rig;
	uint32_t number;
	char name[24];
};

static int64_t in_ms(int64_t ms)
{
	return world->now_ns() + ms * 1000000;
}

static int64_t now_ms(void)
{
	return world->now_ns() / 1000000;
}

static struct channel_settings settings_of(const char *address, const char *name)
{
	return (struct channel_settings){.address = address,
		.name = name,
		.session = 1,
		.message_bytes_max = 1 << 20,
		.window = 4,
		.remote = true};
}

static void say_number(struct rig *rig, uint32_t member, uint32_t number)
{
	struct span message = span_copy(&number, sizeof number);
	uint32_t who;

	check_status(rig->ops->hub_send(rig->hub, member, message, in_ms(60000), &who), STATUS_OK);
	span_release(message);
}

static enum status hear_number(struct rig *rig, uint32_t member, int64_t deadline_ns)
{
	struct span message;
	uint32_t number;
	enum status status = rig->ops->receive(rig->channels[member], deadline_ns, &message);

	if (status != STATUS_OK)
		return status;
	check_status(span_read(message, 0, sizeof number, &number), STATUS_OK);
	check_equal(number, rig->got[member]);
	rig->got[member]++;
	span_release(message);
	return STATUS_OK;
}

static void join(void *argument)
{
	struct joiner *self = argument;
	struct rig *rig = self->rig;
	struct channel_settings settings = settings_of(rig->ops->hub_address(rig->hub), self->name);

	check_status(rig->ops->join(&settings, in_ms(1000), &rig->channels[self->number], NULL),
		STATUS_OK);
	rig->body(rig, self->number);
	rig->ops->close(rig->channels[self->number]);
}

/* Runs body() on the hub's thread, with members that run member(). */
static void with_rig(void (*member)(struct rig *rig, uint32_t number),
	void (*body)(struct rig *rig), const struct channel_ops *ops)
{
	struct rig rig = {.ops = ops, .body = member};
	struct channel_settings settings = settings_of("*:0", "hub");
	struct joiner joiners[MEMBERS];
	struct thread *threads[MEMBERS];
	uint32_t number;

	check_status(ops->hub_open(&settings, &rig.hub, NULL), STATUS_OK);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		joiners[i] = (struct joiner){&rig, i, ""};
		snprintf(joiners[i].name, sizeof joiners[i].name, "member %u", i);
		threads[i] =
			sim_network_spawn((uint16_t)(1 + i), joiners[i].name, join, &joiners[i]);
		check_status(ops->hub_accept(rig.hub, in_ms(1000), &number), STATUS_OK);
	}
	world->sleep_until(in_ms(10)); /* by then the last member knows that it is accepted */
	body(&rig);
	for (uint32_t i = 0; i < MEMBERS; i++)
		world->join(threads[i]);
	ops->hub_close(rig.hub);
}

/* Receives until the hub is lost. */
static void hear_all(struct rig *rig, uint32_t member)
{
	enum status status;

	do
		status = hear_number(rig, member, in_ms(60000));
	while (status == STATUS_OK);
	check_status(status, STATUS_CLOSED);
	rig->lost_ms[member] = now_ms();
}

/* Each case runs on each library. The constants are the shipped ones, except that an end of a
 * connection counts as lost if it cannot be reached for 5 s. */
struct fault {
	enum hostnet_transport transport;
	void (*run)(const struct channel_ops *ops);
};

static void run_fault_main(void *argument)
{
	const struct fault *fault = argument;

	fault->run(hostnet_row(fault->transport));
}

static void run_fault(const void *argument, void *result)
{
	struct fault fault = *(const struct fault *)argument;
	struct host_constants host = sim_host_constants();
	struct hostnet_constants network = sim_network_constants();

	(void)result;
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++)
		network.transports[i].lost_after_ps = 5000 * (int64_t)MS;
	network.retry_ps = 200 * (int64_t)MS;
	sim_network_run(&host, &network, run_fault_main, &fault);
}

static void on_each(void (*run)(const struct channel_ops *ops))
{
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT; i++) {
		struct fault fault = {(enum hostnet_transport)i, run};

		sim_case_expect(run_fault, &fault, 0, NULL);
	}
}

/* ---- cut for a second ---- */

static void cut_and_join(struct rig *rig)
{
	struct hostnet_statistics statistics;
	int64_t begun_ms = now_ms();

	for (uint32_t i = 0; i < 3; i++)
		say_number(rig, CHANNEL_ALL, i);
	world->sleep_until(in_ms(10));
	hostnet_cut(2, true);
	for (uint32_t i = 3; i < ROUNDS; i++) {
		if (i == 6) {
			check_equal(rig->got[1], 3);
			world->sleep_until(in_ms(1000));
			hostnet_cut(2, false);
		}
		say_number(rig, CHANNEL_ALL, i);
	}
	world->sleep_until(in_ms(1000));
	check_equal(rig->got[0], ROUNDS);
	check_equal(rig->got[1], ROUNDS);
	check_at_most(1000, now_ms() - begun_ms);
	hostnet_statistics(0, &statistics);
	check_equal(statistics.lost, 3);
	rig->ops->hub_drop(rig->hub, 0);
	rig->ops->hub_drop(rig->hub, 1);
}

static void cut_for_a_second(const struct channel_ops *ops)
{
	with_rig(hear_all, cut_and_join, ops);
}

TEST(what_was_sent_while_a_host_was_cut_off_arrives_once_and_in_order)
{
	on_each(cut_for_a_second);
}

/* ---- cut for too long ---- */

static void cut_for_good(struct rig *rig)
{
	struct span message;
	uint32_t number = 9, who = 9;
	int64_t cut_ms = now_ms();

	hostnet_cut(2, true);
	check_status(
		rig->ops->hub_receive(rig->hub, in_ms(60000), &number, &message), STATUS_CLOSED);
	check_equal(number, 1);
	check_at_most(cut_ms + 5000, now_ms());
	check_at_most(now_ms(), cut_ms + 5001);
	message = span_of(extent_new(4));
	check_status(
		rig->ops->hub_send(rig->hub, CHANNEL_ALL, message, in_ms(10), &who), STATUS_CLOSED);
	check_equal(who, 1);
	span_release(message);
	rig->ops->hub_drop(rig->hub, 1);
	say_number(rig, CHANNEL_ALL, 0);
	world->sleep_until(in_ms(10));
	check_equal(rig->got[0], 1);
	check_at_most(cut_ms + 5000, rig->lost_ms[1]);
	check_at_most(rig->lost_ms[1], cut_ms + 5001);
	rig->ops->hub_drop(rig->hub, 0);
}

static void cut_for_too_long(const struct channel_ops *ops)
{
	with_rig(hear_all, cut_for_good, ops);
}

TEST(ends_without_a_way_to_each_other_lose_each_other_in_time)
{
	on_each(cut_for_too_long);
}

/* A send into a full window fails if the receiver is away, and returns the receiver's number. */
static void fill_the_window(struct rig *rig)
{
	struct span message = span_of(extent_new(4));
	uint32_t who = 9;
	enum status status = STATUS_OK;

	hostnet_cut(2, true);
	for (uint32_t i = 0; i < 5 && status == STATUS_OK; i++)
		status = rig->ops->hub_send(rig->hub, 1, message, in_ms(100), &who);
	check_status(status, STATUS_TIMEOUT);
	check_equal(who, 1);
	check_status(rig->ops->hub_send(rig->hub, 1, message, in_ms(60000), &who), STATUS_CLOSED);
	check_equal(who, 1);
	span_release(message);
	rig->ops->hub_drop(rig->hub, 0);
	rig->ops->hub_drop(rig->hub, 1);
}

static void a_full_window(const struct channel_ops *ops)
{
	with_rig(hear_all, fill_the_window, ops);
}

TEST(a_sender_that_waits_for_room_sees_that_the_other_is_lost)
{
	on_each(a_full_window);
}

/* No member can join over a cut link. */
static void join_cut_off(void *argument)
{
	struct hub *hub = argument;
	const struct channel_ops *ops = hostnet_row(HOSTNET_TCP);
	struct channel_settings settings = settings_of(ops->hub_address(hub), "late");
	struct channel *channel = NULL;
	int64_t deadline_ns = in_ms(300);

	check_status(ops->join(&settings, deadline_ns, &channel, NULL), STATUS_TIMEOUT);
	check_at_most(world->now_ns(), deadline_ns + 1000000);
}

static void join_over_a_cut(const struct channel_ops *ops)
{
	struct channel_settings settings = settings_of("*:0", "hub");
	struct hub *hub;
	uint32_t number;

	if (ops != hostnet_row(HOSTNET_TCP))
		return;
	check_status(ops->hub_open(&settings, &hub, NULL), STATUS_OK);
	hostnet_cut(0, true);
	struct thread *thread = sim_network_spawn(1, "late", join_cut_off, hub);
	world->join(thread);
	hostnet_cut(0, false);
	check_status(ops->hub_accept(hub, in_ms(1000), &number), STATUS_TIMEOUT);
	ops->hub_close(hub);
}

TEST(a_host_that_joins_over_a_cut_gives_up_in_time)
{
	on_each(join_over_a_cut);
}

/* ---- deaths ---- */

static void speak_and_die(struct rig *rig, uint32_t member)
{
	struct span message = span_of(extent_new(100000));

	if (member == 0) {
		hear_all(rig, member);
	} else {
		check_status(rig->ops->send(rig->channels[member], message, in_ms(100)), STATUS_OK);
		world->sleep_until(in_ms(10));
		hostnet_kill(2);
		check_status(
			rig->ops->send(rig->channels[member], message, in_ms(100)), STATUS_CLOSED);
	}
	span_release(message);
}

static void hear_the_last_word(struct rig *rig)
{
	struct span message;
	uint32_t number = 9;
	int64_t begun_ms = now_ms();

	check_status(rig->ops->hub_receive(rig->hub, in_ms(60000), &number, &message), STATUS_OK);
	check_equal(number, 1);
	check_equal(message.length, 100000);
	span_release(message);
	check_status(
		rig->ops->hub_receive(rig->hub, in_ms(60000), &number, &message), STATUS_CLOSED);
	check_equal(number, 1);
	check_at_most(now_ms(), begun_ms + 20);
	check_status(rig->ops->hub_receive(rig->hub, in_ms(20), &number, &message), STATUS_TIMEOUT);
	rig->ops->hub_drop(rig->hub, 0);
}

static void a_member_dies(const struct channel_ops *ops)
{
	with_rig(speak_and_die, hear_the_last_word, ops);
}

TEST(a_member_whose_program_dies_is_lost_behind_what_it_said)
{
	on_each(a_member_dies);
}

static void die(struct rig *rig)
{
	struct span message;
	uint32_t number = 9;

	say_number(rig, CHANNEL_ALL, 0);
	world->sleep_until(in_ms(10));
	hostnet_kill(0);
	check_status(rig->ops->hub_receive(rig->hub, in_ms(100), &number, &message), STATUS_CLOSED);
	check_status(rig->ops->hub_accept(rig->hub, in_ms(100), &number), STATUS_CLOSED);
}

static void hear_one(struct rig *rig, uint32_t member)
{
	hear_all(rig, member);
	check_equal(rig->got[member], 1);
}

static void the_hub_dies(const struct channel_ops *ops)
{
	with_rig(hear_one, die, ops);
}

TEST(a_hub_whose_program_dies_is_lost_behind_what_it_said)
{
	on_each(the_hub_dies);
}

TEST_MAIN(NULL, NULL)
