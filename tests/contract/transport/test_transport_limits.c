/* label: full  timeout: 400
 * Tests that the library of each transport achieves the limits that transport/rows.h states for the
 * transport. The largest allowed window can be filled completely. After that, hub and member must
 * both reject one more message. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "transports.h"
#include "world/world.h"

enum { SMALL = 8, LARGE = 33 << 20 }; /* larger than any piece of data that a controller sends */

static struct channel_settings at_limits(void)
{
	struct channel_settings settings = transport_hub_settings();

	settings.window = transport_window_max(transport_find(transport->name));
	settings.message_bytes_max = CHANNEL_MESSAGE_BYTES_MAX;
	return settings;
}

static struct hub *open_hub(const struct channel_settings *settings)
{
	struct hub *hub = NULL;
	struct text why = {0};
	enum status status = transport->hub_open(settings, &hub, &why);

	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
	text_fini(&why);
	return hub;
}

static struct channel *join(struct hub *hub, struct channel_settings settings)
{
	settings.address = transport->hub_address(hub);
	settings.name = "one";
	return transport_join_with(hub, settings, 0);
}

/* The member's side of a test. It runs on a separate thread, because hub and member write pending
 * data only while one of their functions is called, and the test calls the hub's functions at the
 * same time. */
struct talk {
	struct channel *channel;
	uint32_t length, count;
	void (*body)(const struct talk *talk);
	struct thread *thread;
};

static void run_talk(void *argument)
{
	const struct talk *talk = argument;

	talk->body(talk);
}

static void start_talk(struct talk *talk)
{
	talk->thread = world->spawn("member", (struct affinity){0, -1}, run_talk, talk);
}

/* Fills its window before it receives. */
static void fill_then_empty(const struct talk *talk)
{
	for (uint32_t i = 0; i < talk->count; i++)
		transport_say(talk->channel, talk->length, i);
	for (uint32_t i = 0; i < talk->count; i++)
		transport_expect(talk->channel, talk->length, i);
}

static void the_largest_window_of_the_row_is_filled_both_ways(void)
{
	struct channel_settings settings = at_limits();
	struct hub *hub = open_hub(&settings);
	struct talk talk = {join(hub, settings), SMALL, settings.window, fill_then_empty, NULL};

	start_talk(&talk);
	for (uint32_t i = 0; i < settings.window; i++)
		transport_send_to(hub, 0, SMALL, i);
	for (uint32_t i = 0; i < settings.window; i++)
		transport_expect_of(hub, 0, SMALL, i);
	world->join(talk.thread);
	transport->close(talk.channel);
	transport->hub_close(hub);
}

/* Our own socket transports have no queue: a send without room waits. */
static bool queues_itself(const char *name)
{
	return strcmp(name, "tcp") != 0 && strcmp(name, "unix") != 0;
}

static void the_message_behind_the_largest_window_waits(void)
{
	struct channel_settings settings = at_limits();
	struct hub *hub = open_hub(&settings);
	struct channel *channel = join(hub, settings);
	struct span message = transport_message(SMALL, 0);
	uint32_t who = 0;

	for (uint32_t i = 0; i < settings.window; i++)
		transport_send_to(hub, 0, SMALL, i);
	check_status(
		transport->hub_send(hub, 0, message, transport_in_ms(1), &who), STATUS_TIMEOUT);
	for (uint32_t i = 0; i < settings.window; i++)
		transport_expect(channel, SMALL, i);
	span_release(message);
	transport->close(channel);
	transport->hub_close(hub);
}

static void a_window_above_the_row_is_refused(void)
{
	struct channel_settings settings = at_limits();
	struct hub *hub = open_hub(&settings), *none = NULL;
	struct channel *channel = NULL;

	settings.window++;
	settings.address = transport->hub_address(hub);
	settings.name = "one";
	check_status(
		transport->join(&settings, transport_in_ms(1000), &channel, NULL), STATUS_INVALID);
	transport->hub_close(hub);
	settings = at_limits();
	settings.window++;
	check_status(transport->hub_open(&settings, &none, NULL), STATUS_INVALID);
	settings = at_limits();
	settings.message_bytes_max++;
	check_status(transport->hub_open(&settings, &none, NULL), STATUS_INVALID);
}

static void hear_and_say(const struct talk *talk)
{
	transport_expect(talk->channel, talk->length, 1);
	transport_say(talk->channel, talk->length, 2);
}

static void a_message_larger_than_any_piece_arrives_where_the_row_allows_it(void)
{
	struct channel_settings settings = at_limits();
	struct hub *hub = open_hub(&settings);
	struct talk talk = {join(hub, settings), LARGE, 1, hear_and_say, NULL};

	check_less(LARGE, CHANNEL_MESSAGE_BYTES_MAX + 1u);
	start_talk(&talk);
	transport_send_to(hub, 0, LARGE, 1);
	transport_expect_of(hub, 0, LARGE, 2);
	world->join(talk.thread);
	transport->close(talk.channel);
	transport->hub_close(hub);
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(the_largest_window_of_the_row_is_filled_both_ways),
		TRANSPORT_CASE_OF(queues_itself, the_message_behind_the_largest_window_waits),
		TRANSPORT_CASE(a_window_above_the_row_is_refused),
		TRANSPORT_CASE(a_message_larger_than_any_piece_arrives_where_the_row_allows_it),
	};

	return transports_run("limits", cases, sizeof cases / sizeof *cases);
}
