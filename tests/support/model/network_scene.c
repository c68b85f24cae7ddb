/* A hub and members that record times (network_scene.h). */
#include "network_scene.h"

#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "cause/cause.h"
#include "check.h"
#include "sim_case.h"

struct member {
	const struct scene *scene;
	struct scene_times *times;
	const char *address;
	uint32_t number;
	char name[24];
};

/* State of the child process that runs the scene. */
static struct play {
	const struct scene *scene;
	struct scene_times *times;
	int64_t begun_ps;
} play;

static struct channel_settings settings_of(const char *address, const char *name)
{
	return (struct channel_settings){.address = address,
		.name = name,
		.session = 1,
		.message_bytes_max = 1 << 30,
		.window = play.scene->window > 0 ? play.scene->window : SCENE_MESSAGES_MAX * 4,
		.remote = true};
}

static bool is_for(const struct scene_message *message, uint32_t member)
{
	return message->member == CHANNEL_ALL || message->member == member;
}

static void be_member(void *argument)
{
	struct member *self = argument;
	const struct channel_ops *ops = hostnet_row(self->scene->transport);
	struct channel_settings settings = settings_of(self->address, self->name);
	struct scene_times *times = self->times;
	struct channel *channel = NULL;
	struct span message;

	check_status(ops->join(&settings, DEADLINE_NEVER, &channel, NULL), STATUS_OK);
	for (uint32_t i = 0; i < self->scene->message_count; i++) {
		if (!is_for(&self->scene->messages[i], self->number))
			continue;
		check_status(ops->receive(channel, DEADLINE_NEVER, &message), STATUS_OK);
		check_equal(message.length, self->scene->messages[i].bytes);
		times->received[self->number][times->received_count[self->number]++] =
			engine_now() - play.begun_ps;
		span_release(message);
	}
	check_status(ops->receive(channel, DEADLINE_NEVER, &message), STATUS_CLOSED);
	ops->close(channel);
}

static void send_all(const struct channel_ops *ops, struct hub *hub)
{
	struct extent *extent;
	uint32_t who;

	world->sleep_until(world->now_ns() + 1000000);
	play.begun_ps = engine_now();
	for (uint32_t i = 0; i < play.scene->message_count; i++) {
		extent = extent_new(play.scene->messages[i].bytes);
		check_status(ops->hub_send(hub, play.scene->messages[i].member, span_of(extent),
				     DEADLINE_NEVER, &who),
			STATUS_OK);
		play.times->sent[i] = engine_now() - play.begun_ps;
		extent_release(extent);
	}
}

static void be_hub(void *unused)
{
	const struct scene *scene = play.scene;
	const struct channel_ops *ops = hostnet_row(scene->transport);
	struct channel_settings settings = settings_of("*:0", "hub");
	struct member members[SCENE_MEMBERS_MAX];
	struct thread *threads[SCENE_MEMBERS_MAX];
	struct hub *hub = NULL;
	uint32_t number;

	(void)unused;
	check_status(ops->hub_open(&settings, &hub, NULL), STATUS_OK);
	for (uint32_t i = 0; i < scene->members; i++) {
		members[i] = (struct member){scene, play.times, ops->hub_address(hub), i, ""};
		snprintf(members[i].name, sizeof members[i].name, "member %u", i);
		threads[i] = sim_network_spawn(scene->same_host ? 0 : (uint16_t)(1 + i % 3),
			members[i].name, be_member, &members[i]);
		check_status(ops->hub_accept(hub, DEADLINE_NEVER, &number), STATUS_OK);
		check_equal(number, i);
	}
	send_all(ops, hub);
	world->sleep_until(world->now_ns() + 1000000000);
	ops->hub_close(hub);
	for (uint32_t i = 0; i < scene->members; i++)
		world->join(threads[i]);
	world->sleep_until(world->now_ns() + 1000000);
	for (uint16_t i = 0; i < SIM_NETWORK_HOSTS; i++)
		hostnet_statistics(i, &play.times->statistics[i]);
}

static void run(const void *scene, void *times)
{
	play = (struct play){scene, times, 0};
	if (play.scene->causes)
		causes_start();
	sim_network_run(&play.scene->host, &play.scene->network, be_hub, NULL);
	for (int i = 0; i < CHARGE_COUNT; i++)
		if (charge_stage((enum charge)i) == TIME_NETWORK)
			play.times->network_ps += cause_total(0, (enum charge)i).ps;
		else if (charge_stage((enum charge)i) == TIME_TRANSPORT)
			play.times->transport_ps += cause_total(0, (enum charge)i).ps;
}

void scene_play(const struct scene *scene, struct scene_times *times)
{
	struct sim_case outcome;

	memset(times, 0, sizeof *times);
	outcome = sim_case_run(run, scene, times, sizeof *times);
	ensure(outcome.exit_code == 0, "the scene ended with %d: %s", outcome.exit_code,
		outcome.output);
}

int64_t scene_last_ps(const struct scene *scene)
{
	struct scene_times times;
	int64_t last_ps = 0;

	scene_play(scene, &times);
	for (uint32_t i = 0; i < scene->members; i++) {
		uint32_t count = times.received_count[i];

		if (count > 0 && times.received[i][count - 1] > last_ps)
			last_ps = times.received[i][count - 1];
	}
	return last_ps;
}

struct scene scene_of(enum hostnet_transport transport, uint32_t bytes)
{
	return (struct scene){.host = sim_host_free_constants(),
		.network = sim_network_free_constants(),
		.transport = transport,
		.members = 1,
		.messages = {{CHANNEL_ALL, bytes}},
		.message_count = 1};
}
