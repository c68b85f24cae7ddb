/* label: full  timeout: 120
 * Tests executors that connect to each other, and that lose these connections, in the native world.
 * Host 0 is real; the test plays host 1, which connects to host 0. If host 1 breaks the connection
 * or sends invalid data, host 0 and the controller must report which connection has failed, and
 * nothing may wait for ever. */
#include "test.h"

#include <string.h>

#include "check.h"
#include "deadline.h"
#include "hosts_script.h"
#include "test_key.h"
#include "transport/rows.h"

enum { SOON_MS = 5000, SEES_MS = 100, CHIPS = 4 };

static struct hosts_case hosts;

/* What host 1 does. */
enum part {
	PART_STRANGER, /* has another key */
	PART_LEAVES,   /* connects; closes the connection at the first finish */
	PART_LIES,     /* connects; sends nonsense at the first finish */
	PART_ENDS,     /* connects, and says goodbye at the first finish */
};

struct play {
	struct hosts_script by;
	enum part part;
	struct channel *link;
	uint64_t number; /* number of the command with the addresses */
};

static const struct channel_ops *tcp(void)
{
	return transport_find("tcp")->ops;
}

static void send_record(struct play *play, uint32_t kind, uint32_t chip, uint32_t count)
{
	const uint32_t words[10] = {kind, chip, 0, 0, 0, 0, 0, count};
	struct span message = span_copy(words, sizeof words);

	check_status(tcp()->send(play->link, message, hosts_case_in_ms(SOON_MS)), STATUS_OK);
	span_release(message);
}

static enum status connect_to(struct play *play, const char *address)
{
	static const uint8_t other[CHANNEL_KEY_BYTES] = {1};
	struct channel_settings settings = {.address = address,
		.name = "1",
		.session = 24,
		.key = play->part == PART_STRANGER ? other : test_key(),
		.message_bytes_max = (1 << 16) + 40,
		.window = 64};
	enum status status = tcp()->join(&settings, hosts_case_in_ms(500), &play->link, NULL);

	if (status == STATUS_OK)
		send_record(play, 1, CHIPS, CHIPS);
	return status;
}

/* Plays host 1: sends an address to the controller, and then connects to host 0. Nothing listens at
 * this address, but no host uses it, because no host connects to host 1. */
static void meet(struct hosts_script *by)
{
	struct play *play = by->context;
	const struct channel_ops *transport = by->hosts->settings.transport;
	struct letter letter = {0};
	struct span message;
	struct wire_command said = {.kind = WIRE_link_address,
		.link_address = {.address = {(const uint8_t *)"127.0.0.1:9", 11}}};
	enum status status;

	hosts_script_say(by, &said);
	check_status(
		transport->receive(by->channel, hosts_case_in_ms(SOON_MS), &message), STATUS_OK);
	check_status(letter_read(&letter, by->hosts->settings.codec, message, NULL), STATUS_OK);
	check_equal(letter.command.kind, WIRE_link_hosts);
	play->number = letter.command.head.number;
	status = connect_to(play, (const char *)letter.command.link_hosts.addresses.at);
	said = (struct wire_command){.kind = WIRE_completed,
		.completed = {.number = play->number, .status = (uint8_t)status}};
	hosts_script_say(by, &said);
	letter_fini(&letter);
}

static bool serve(struct hosts_script *by, const struct wire_command *command)
{
	struct play *play = by->context;
	bool met = command->kind == WIRE_enqueue_finish;

	if (met && play->part == PART_LIES)
		send_record(play, 77, 0, 0);
	if (met && play->part == PART_ENDS)
		send_record(play, 6 | 1 << 9, 0, 0);
	if (play->link != NULL && play->part != PART_LIES &&
		(met || command->kind == WIRE_close_mesh)) {
		tcp()->close(play->link);
		play->link = NULL;
	}
	if (command->kind == WIRE_close_mesh || (met && play->part == PART_ENDS))
		hosts_script_say(by, &(struct wire_command){.kind = WIRE_completed,
					     .completed = {.number = command->head.number}});
	return command->kind != WIRE_close_mesh;
}

static enum status play_start(struct play *play, struct text *why)
{
	const struct hosts_choice choice = {.transport = "unix",
		.codec = "packed",
		.resolution = "mixed",
		.pipeline = "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 4,
		.columns = 2,
		.links = 2,
		.link_transport = "tcp"};

	hosts_case_init(&hosts, choice);
	hosts.settings.reply_ns = UINT64_C(1000000) * SOON_MS;
	hosts_case_start_controller(&hosts);
	hosts_case_start_executor(&hosts, 0);
	play->by = (struct hosts_script){
		.hosts = &hosts, .host = 1, .serve = serve, .joined = meet, .context = play};
	hosts_script_start(&play->by);
	return controller_accept(hosts.controller, hosts_case_in_ms(2 * SOON_MS), why);
}

static void play_end(struct play *play, enum status ended)
{
	if (hosts.handle != NULL)
		hosts.handle->ops->close(hosts.handle);
	controller_close(hosts.controller);
	world->join(play->by.thread);
	if (play->link != NULL)
		tcp()->close(play->link);
	hosts.executors[1].status = ended; /* host 1 has chips, but no executor */
	hosts_case_end_executors(&hosts, ended);
	deadline_stop();
}

/* Opens the mesh and waits for a queue. Returns the status of the wait. */
static enum status play_all(struct play *play)
{
	struct mesh_config config;
	struct text why = {0};
	enum status status = play_start(play, &why);

	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
	config = hosts.one.config;
	config.shape = (struct mesh_shape){4, 2};
	status = distributed_open(hosts.controller, &config, &why, &hosts.handle);
	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
	return hosts.handle->ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER);
}

static void fails_so(enum part part, const char *why)
{
	struct play play = {.part = part};

	check_status(play_all(&play), STATUS_CLOSED);
	assert_string_equal(controller_why(hosts.controller), why);
	check_status(hosts.handle->ops->finish(hosts.handle, 1, 0, DEADLINE_NEVER), STATUS_CLOSED);
	play_end(&play, STATUS_CLOSED);
}

TEST(a_connection_that_ends_is_named)
{
	fails_so(PART_LEAVES, "host host-0 has failed: the connection to host 1 has ended");
}

TEST(a_connection_with_nonsense_is_named)
{
	fails_so(PART_LIES,
		"host host-0 has failed: the connection to host 1 is closed, since the host sent a "
		"packet that is not valid");
}

TEST(a_host_that_says_goodbye_is_not_lost)
{
	struct play play = {.part = PART_ENDS};

	check_status(play_all(&play), STATUS_OK);
	/* time for host 0 to see that the connection has ended, and to report it by mistake */
	world->sleep_until(hosts_case_in_ms(SEES_MS));
	hosts.handle->ops->close(hosts.handle);
	hosts.handle = NULL;
	assert_string_equal(controller_why(hosts.controller), "");
	play_end(&play, STATUS_OK);
}

static void does_not_start(enum part part, const char *expected)
{
	struct play play = {.part = part};
	struct text why = {0};

	check(play_start(&play, &why) != STATUS_OK, "hosts that are not connected are accepted");
	check(strncmp(text_string(&why), expected, strlen(expected)) == 0, "'%s', expected '%s'",
		text_string(&why), expected);
	text_fini(&why);
	controller_close(hosts.controller);
	hosts.controller = NULL;
	world->join(play.by.thread);
	hosts_case_join_executors(&hosts);
	check(hosts.executors[0].status != STATUS_OK, "host 0 is not connected, and says nothing");
	hosts.executors[1].status = hosts.executors[0].status;
	hosts_case_end_executors(&hosts, hosts.executors[0].status);
	deadline_stop();
}

TEST(hosts_that_do_not_connect_are_not_accepted)
{
	does_not_start(PART_STRANGER, "host host-1: ");
}

TEST_MAIN(NULL, NULL)
