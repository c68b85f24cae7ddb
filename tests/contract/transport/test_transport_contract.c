/* label: full  timeout: 600
 * Tests the contract of channel.h, on every transport: the order of messages, windows, members that
 * join late and leave early, and connections between hubs and members of different runs. */
#include <string.h>

#include "check.h"
#include "transports.h"
#include "world/world.h"

static const struct affinity anywhere = {0, -1};

/* ---- order ---- */

enum { ROUNDS = 40, MEMBERS = 3 };

static const uint32_t lengths[] = {0, 1, 31, 32, 33, 4096, 65537, TRANSPORT_MESSAGE_MAX};

static uint32_t length_of(uint32_t round)
{
	return lengths[round % (sizeof lengths / sizeof lengths[0])];
}

/* Messages of even rounds go to all members, and messages of odd rounds to one. */
static bool is_for(uint32_t round, uint32_t member)
{
	return round % 2 == 0 || round % MEMBERS == member;
}

struct echo {
	struct channel *channel;
	uint32_t member;
};

/* Receives the member's messages and sends them back. */
static void echo(void *argument)
{
	const struct echo *self = argument;

	for (uint32_t round = 0; round < ROUNDS; round++)
		if (is_for(round, self->member)) {
			transport_expect(self->channel, length_of(round), round);
			transport_say(self->channel, length_of(round), round);
		}
}

static void post_rounds(void *hub)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		transport_send_to(hub, round % 2 == 0 ? CHANNEL_ALL : round % MEMBERS,
			length_of(round), round);
}

static void next_round(uint32_t member, uint32_t *round)
{
	do
		++*round;
	while (*round < ROUNDS && !is_for(*round, member));
}

static void messages_to_all_and_to_one_keep_their_order(void)
{
	static const char *const names[MEMBERS] = {"left", "middle", "right"};
	struct hub *hub = transport_hub();
	struct thread *threads[MEMBERS], *sender;
	struct echo echoes[MEMBERS];
	uint32_t rounds[MEMBERS] = {0}, left = 0, number = 0;

	for (uint32_t i = 0; i < MEMBERS; i++) {
		echoes[i] = (struct echo){transport_join(hub, names[i], i), i};
		threads[i] = world->spawn(names[i], anywhere, echo, &echoes[i]);
		for (uint32_t round = 0; round < ROUNDS; round++)
			left += is_for(round, i);
	}
	sender = world->spawn("sends", anywhere, post_rounds, hub);
	for (; left > 0; left--) {
		struct span message;

		check_status(transport->hub_receive(hub, transport_in_ms(20000), &number, &message),
			STATUS_OK);
		transport_check_message(message, length_of(rounds[number]), rounds[number]);
		next_round(number, &rounds[number]);
		span_release(message);
	}
	world->join(sender);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		world->join(threads[i]);
		check_equal(rounds[i], ROUNDS);
		transport->close(echoes[i].channel);
	}
	transport->hub_close(hub);
}

static void what_is_sent_and_received_is_counted(void)
{
	struct hub *hub = transport_hub();
	struct channel *one = transport_join(hub, "one", 0), *two = transport_join(hub, "two", 1);
	struct channel_counts counts;

	transport_send_to(hub, CHANNEL_ALL, 100, 1);
	transport_send_to(hub, 1, 10, 2);
	transport_expect(one, 100, 1);
	transport_expect(two, 100, 1);
	transport_expect(two, 10, 2);
	transport_say(two, 7, 3);
	transport_expect_of(hub, 1, 7, 3);
	transport->hub_counts(hub, &counts);
	check_equal(counts.sent, 3);
	check_equal(counts.sent_bytes, 210);
	check_equal(counts.received, 1);
	check_equal(counts.received_bytes, 7);
	transport->counts(two, &counts);
	check_equal(counts.sent, 1);
	check_equal(counts.received, 2);
	check_equal(counts.received_bytes, 110);
	transport->close(one);
	transport->close(two);
	transport->hub_close(hub);
}

/* ---- windows ---- */

static void a_message_to_all_waits_for_the_slowest_and_names_it(void)
{
	struct hub *hub = transport_hub();
	struct channel *fast = transport_join(hub, "fast", 0);
	struct channel *slow = transport_join(hub, "slow", 1);
	struct span message = transport_message(8, TRANSPORT_WINDOW), none;
	struct channel_counts counts;
	uint32_t who = 0;

	for (uint32_t i = 0; i < TRANSPORT_WINDOW; i++) {
		transport_send_to(hub, CHANNEL_ALL, 8, i);
		transport_expect(fast, 8, i);
	}
	check_status(transport->hub_send(hub, CHANNEL_ALL, message, transport_in_ms(30), &who),
		STATUS_TIMEOUT);
	check_equal(who, 1);
	check_status(transport->receive(fast, transport_in_ms(30), &none), STATUS_TIMEOUT);
	for (uint32_t i = 0; i < TRANSPORT_WINDOW; i++)
		transport_expect(slow, 8, i);
	transport_send_to(hub, CHANNEL_ALL, 8, TRANSPORT_WINDOW);
	transport_expect(fast, 8, TRANSPORT_WINDOW);
	transport_expect(slow, 8, TRANSPORT_WINDOW);
	transport->hub_counts(hub, &counts);
	check_at_most(1, counts.full);
	span_release(message);
	transport->close(fast);
	transport->close(slow);
	transport->hub_close(hub);
}

static void a_member_waits_for_the_hub_to_receive(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct span message = transport_message(8, TRANSPORT_WINDOW);

	for (uint32_t i = 0; i < TRANSPORT_WINDOW; i++)
		transport_say(channel, 8, i);
	check_status(transport->send(channel, message, transport_in_ms(30)), STATUS_TIMEOUT);
	for (uint32_t i = 0; i < TRANSPORT_WINDOW; i++)
		transport_expect_of(hub, 0, 8, i);
	transport_say(channel, 8, TRANSPORT_WINDOW);
	transport_expect_of(hub, 0, 8, TRANSPORT_WINDOW);
	span_release(message);
	transport->close(channel);
	transport->hub_close(hub);
}

static void what_is_too_large_is_refused_on_either_side(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct span message = transport_message(TRANSPORT_MESSAGE_MAX + 1, 0);
	uint32_t who;

	check_status(transport->hub_send(hub, 0, message, transport_in_ms(1000), &who),
		STATUS_OUT_OF_RANGE);
	check_status(transport->send(channel, message, transport_in_ms(1000)), STATUS_OUT_OF_RANGE);
	span_release(message);
	transport->close(channel);
	transport->hub_close(hub);
}

/* ---- joining and leaving ---- */

static void a_member_that_ends_is_lost_once_and_behind_what_it_said(void)
{
	struct hub *hub = transport_hub();
	struct channel *stays = transport_join(hub, "stays", 0);
	struct channel *goes = transport_join(hub, "goes", 1);
	struct span message = transport_message(5, 9);
	uint32_t number = 0, who = 0;

	transport_say(goes, 100000, 1);
	transport_say(goes, 3, 2);
	transport->close(goes);
	transport_expect_of(hub, 1, 100000, 1);
	transport_expect_of(hub, 1, 3, 2);
	check_status(transport->hub_receive(hub, transport_in_ms(5000), &number, &message),
		STATUS_CLOSED);
	check_equal(number, 1);
	check_status(transport->hub_receive(hub, transport_in_ms(20), &number, &message),
		STATUS_TIMEOUT);
	check_status(transport->hub_send(hub, CHANNEL_ALL, message, transport_in_ms(1000), &who),
		STATUS_CLOSED);
	check_equal(who, 1);
	check_status(
		transport->hub_send(hub, 1, message, transport_in_ms(1000), &who), STATUS_CLOSED);
	transport->hub_drop(hub, 1);
	transport_send_to(hub, CHANNEL_ALL, 5, 9);
	transport_expect(stays, 5, 9);
	span_release(message);
	transport->close(stays);
	transport->hub_close(hub);
}

static void a_member_that_is_dropped_sees_that_it_is(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct span message;

	transport->hub_drop(hub, 0);
	check_status(transport->receive(channel, transport_in_ms(5000), &message), STATUS_CLOSED);
	transport->close(channel);
	transport->hub_close(hub);
}

static void a_hub_that_ends_is_seen_behind_what_it_said(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct span message = {0};

	transport_send_to(hub, CHANNEL_ALL, 100000, 4);
	transport->hub_close(hub);
	transport_expect(channel, 100000, 4);
	check_status(transport->receive(channel, transport_in_ms(5000), &message), STATUS_CLOSED);
	check_status(transport->send(channel, message, transport_in_ms(1000)), STATUS_CLOSED);
	transport->close(channel);
}

static void who_joins_late_receives_what_is_sent_from_then_on(void)
{
	struct hub *hub = transport_hub();
	struct channel *early = transport_join(hub, "early", 0), *late;

	transport_send_to(hub, CHANNEL_ALL, 10, 1);
	late = transport_join(hub, "late", 1);
	transport_send_to(hub, CHANNEL_ALL, 10, 2);
	transport_expect(early, 10, 1);
	transport_expect(early, 10, 2);
	transport_expect(late, 10, 2);
	transport->close(early);
	transport->close(late);
	transport->hub_close(hub);
}

static void a_name_is_free_again_when_its_member_is_lost(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "same", 0);
	struct span message;
	uint32_t number;

	transport->close(channel);
	check_status(transport->hub_receive(hub, transport_in_ms(5000), &number, &message),
		STATUS_CLOSED);
	channel = transport_join(hub, "same", 1);
	transport->close(channel);
	transport->hub_close(hub);
}

/* ---- rejected ends ---- */

struct refused {
	struct channel_settings settings;
	enum status expected;
	const char *why;
};

static void be_refused(void *argument)
{
	const struct refused *refused = argument;
	struct channel *channel = NULL;
	struct text why = {0};

	check_status(transport->join(&refused->settings, transport_in_ms(5000), &channel, &why),
		refused->expected);
	check(strstr(text_string(&why), refused->why), "'%s' does not speak of '%s'",
		text_string(&why), refused->why);
	text_fini(&why);
}

/* Checks that the hub rejects this end while it listens, and accepts no member. */
static void check_refused(struct hub *hub, struct refused refused)
{
	struct thread *thread = world->spawn("refused", anywhere, be_refused, &refused);
	struct channel_counts counts = {0};
	uint32_t number;

	for (int i = 0; i < 200 && counts.refused == 0; i++) {
		check_status(
			transport->hub_accept(hub, transport_in_ms(20), &number), STATUS_TIMEOUT);
		transport->hub_counts(hub, &counts);
	}
	world->join(thread);
}

static void two_members_of_one_name_are_refused(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "twin", 0);

	check_refused(hub,
		(struct refused){transport_member_settings(hub, "twin"), STATUS_EXISTS, "'twin'"});
	transport_send_to(hub, CHANNEL_ALL, 10, 1);
	transport_expect(channel, 10, 1);
	transport->close(channel);
	transport->hub_close(hub);
}

static void a_member_of_another_session_is_refused(void)
{
	struct hub *hub = transport_hub();
	struct channel_settings settings = transport_member_settings(hub, "member");
	struct channel_counts counts;

	settings.session++;
	check_refused(hub, (struct refused){settings, STATUS_UNSUPPORTED, "session"});
	transport->hub_counts(hub, &counts);
	check_at_most(1, counts.refused);
	transport->hub_close(hub);
}

static void who_finds_no_hub_gives_up_in_time(void)
{
	struct hub *hub = transport_hub();
	struct channel_settings settings = transport_member_settings(hub, "member");
	struct channel *channel = NULL;
	char address[192];
	int64_t deadline_ns;

	snprintf(address, sizeof address, "%s", transport->hub_address(hub));
	settings.address = address;
	transport->hub_close(hub);
	deadline_ns = transport_in_ms(100);
	check_status(transport->join(&settings, deadline_ns, &channel, NULL), STATUS_TIMEOUT);
	check_less(world->now_ns(), deadline_ns + INT64_C(5000000000));
}

static void two_hubs_at_one_address_are_refused(void)
{
	struct hub *hub = transport_hub(), *second = NULL;
	struct channel_settings settings = transport_member_settings(hub, "hub");

	check_status(transport->hub_open(&settings, &second, NULL), STATUS_EXISTS);
	transport->hub_close(hub);
}

static void settings_out_of_bounds_are_refused(void)
{
	struct channel_settings settings = transport_hub_settings();
	struct hub *hub = NULL;
	struct text why = {0};

	settings.window = 0;
	check_status(transport->hub_open(&settings, &hub, &why), STATUS_INVALID);
	settings = transport_hub_settings();
	settings.message_bytes_max = CHANNEL_MESSAGE_BYTES_MAX + 1u;
	check_status(transport->hub_open(&settings, &hub, &why), STATUS_INVALID);
	settings = transport_hub_settings();
	settings.address = "no address";
	check_status(transport->hub_open(&settings, &hub, &why), STATUS_INVALID);
	check(strstr(text_string(&why), "address"), "'%s'", text_string(&why));
	text_fini(&why);
	transport->hub_close(NULL);
	transport->close(NULL);
}

/* ---- memory provided by the member ---- */

enum { LEAST = 4096, SECOND = 32768 };

struct room {
	struct extent_home home;
	_Alignas(8) uint8_t bytes[EXTENT_PLACE_BYTES + 24 + SECOND];
	uint32_t asked, freed;
	bool taken;
};

static void give_back(struct extent_home *home)
{
	struct room *room = (struct room *)home;

	room->taken = false;
	room->freed++;
}

/* Provides memory for one large message at a time, 24 B into the buffer. */
static struct span take_room(void *context, uint32_t length)
{
	struct room *room = context;

	room->asked++;
	if (length < LEAST || room->taken)
		return (struct span){0};
	room->taken = true;
	return (struct span){extent_place(&room->home, room->bytes, 24 + length), 24, length};
}

static bool is_in(const struct room *room, struct span message)
{
	const uint8_t *at = message.extent->bytes + message.offset;

	return at == room->bytes + EXTENT_PLACE_BYTES + 24;
}

static void a_member_receives_into_memory_that_it_gives(void)
{
	bool places = transport->capabilities & CHANNEL_PLACES;
	static struct room room = {.home = {give_back}};
	struct hub *hub = transport_hub();
	struct channel_settings settings = transport_member_settings(hub, "placed");
	struct channel *channel;
	struct span first, second;

	settings.memory = (struct channel_memory){take_room, &room};
	channel = transport_join_with(hub, settings, 0);
	transport_send_to(hub, 0, 100, 1);
	transport_expect(channel, 100, 1);
	for (uint32_t round = 2; round < 5; round++) {
		transport_send_to(hub, 0, LEAST * round, round);
		transport_send_to(hub, 0, SECOND, round + 10);
		check_status(
			transport->receive(channel, transport_in_ms(20000), &first), STATUS_OK);
		check_status(
			transport->receive(channel, transport_in_ms(20000), &second), STATUS_OK);
		transport_check_message(first, LEAST * round, round);
		transport_check_message(second, SECOND, round + 10);
		check_equal(is_in(&room, first), places);
		check_equal(is_in(&room, second), false);
		span_release(first);
		span_release(second);
	}
	check_equal(room.asked, places ? 7 : 0);
	check_equal(room.freed, places ? 3 : 0);
	transport->close(channel);
	transport->hub_close(hub);
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(messages_to_all_and_to_one_keep_their_order),
		TRANSPORT_CASE(what_is_sent_and_received_is_counted),
		TRANSPORT_CASE(a_message_to_all_waits_for_the_slowest_and_names_it),
		TRANSPORT_CASE(a_member_waits_for_the_hub_to_receive),
		TRANSPORT_CASE(what_is_too_large_is_refused_on_either_side),
		TRANSPORT_CASE(a_member_receives_into_memory_that_it_gives),
		TRANSPORT_CASE(a_member_that_ends_is_lost_once_and_behind_what_it_said),
		TRANSPORT_CASE(a_member_that_is_dropped_sees_that_it_is),
		TRANSPORT_CASE(a_hub_that_ends_is_seen_behind_what_it_said),
		TRANSPORT_CASE(who_joins_late_receives_what_is_sent_from_then_on),
		TRANSPORT_CASE(a_name_is_free_again_when_its_member_is_lost),
		TRANSPORT_CASE(two_members_of_one_name_are_refused),
		TRANSPORT_CASE(a_member_of_another_session_is_refused),
		TRANSPORT_CASE(who_finds_no_hub_gives_up_in_time),
		TRANSPORT_CASE(two_hubs_at_one_address_are_refused),
		TRANSPORT_CASE(settings_out_of_bounds_are_refused),
	};

	return transports_run_everywhere("transport", cases, sizeof cases / sizeof cases[0]);
}
