/* label: full
 * Tests that a hub over ZeroMQ rejects and counts strangers, and that they have no effect on its
 * members. Strangers send data that is not ZeroMQ, messages of other versions, messages that are
 * not greetings, frames in pieces, and replayed frames. */
#include <string.h>

#include "bare.h"
#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

#if __has_include(<zmq.h>)
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

static const char greeting[] = "stranger 0123456789abcdef";

/* A hub with a member. Between scene_open() and scene_close(), the hub must reject one connection
 * and continue to work with its member. */
struct scene {
	struct hub *hub;
	struct channel *channel;
	void *context, *socket;
};

static struct scene scene_open(void)
{
	struct scene scene = {.hub = transport_hub()};
	char endpoint[256];

	scene.channel = transport_join(scene.hub, "member", 0);
	snprintf(endpoint, sizeof endpoint, "tcp://%s", transport->hub_address(scene.hub));
	if (strchr(endpoint, ','))
		*strchr(endpoint, ',') = '\0';
	scene.context = zmq_ctx_new();
	scene.socket = zmq_socket(scene.context, ZMQ_DEALER);
	check_equal(zmq_connect(scene.socket, endpoint), 0);
	return scene;
}

static void scene_close(struct scene *scene)
{
	transport_check_goes_on(scene->hub, scene->channel);
	transport->close(scene->channel);
	transport->hub_close(scene->hub);
	zmq_close(scene->socket);
	zmq_ctx_term(scene->context);
}

static void put_bytes(struct scene *scene, const uint8_t *bytes, size_t length)
{
	check_equal(zmq_send(scene->socket, bytes, FRAME_HEADER_BYTES, ZMQ_SNDMORE),
		FRAME_HEADER_BYTES);
	check_equal(
		zmq_send(scene->socket, bytes + FRAME_HEADER_BYTES, length - FRAME_HEADER_BYTES, 0),
		length - FRAME_HEADER_BYTES);
}

static void put_hello(struct scene *scene, uint16_t version, const char *name)
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_hello(&proof, name, bytes);

	bytes[4] = (uint8_t)version;
	put_bytes(scene, bytes, count);
}

/* Checks that the hub rejects the stranger, accepts no member, and does not answer. */
static void check_silence(struct scene *scene)
{
	struct channel_counts counts = {0};
	char bytes[256];
	uint32_t number;

	for (int i = 0; i < 200 && counts.refused == 0; i++) {
		check_status(transport->hub_accept(scene->hub, transport_in_ms(10), &number),
			STATUS_TIMEOUT);
		transport->hub_counts(scene->hub, &counts);
	}
	check(strncmp(counts.stranger, "127.0.0.1:", 10) == 0, "the stranger is '%s'",
		counts.stranger);
	check_equal(zmq_recv(scene->socket, bytes, sizeof bytes, ZMQ_DONTWAIT), -1);
}

static void another_version_is_refused(void)
{
	struct scene scene = scene_open();

	put_hello(&scene, FRAME_VERSION + 6, greeting);
	check_silence(&scene);
	scene_close(&scene);
}

static void a_message_without_a_sender_is_refused(void)
{
	struct scene scene = scene_open();
	uint8_t bytes[BARE_BYTES];

	put_bytes(
		&scene, bytes, bare_frame((struct frame){FRAME_MESSAGE, 0, 0, 0, 2}, "hi", bytes));
	check_silence(&scene);
	scene_close(&scene);
}

static void a_name_without_its_token_is_refused(void)
{
	struct scene scene = scene_open();

	put_hello(&scene, FRAME_VERSION, "stranger");
	check_silence(&scene);
	scene_close(&scene);
}

static void pieces_of_a_frame_are_refused(void)
{
	struct scene scene = scene_open();

	check_equal(zmq_send(scene.socket, "mshT", 4, 0), 4);
	check_silence(&scene);
	scene_close(&scene);
}

/* The second message should be a proof. */
static void a_greeting_that_is_replayed_is_refused(void)
{
	struct scene scene = scene_open();

	put_hello(&scene, FRAME_VERSION, greeting);
	put_hello(&scene, FRAME_VERSION, greeting);
	scene_close(&scene);
}

/* A stranger subscribes to the messages that go to all members, with several passwords, but without
 * a proof. It must not receive these messages. */
static void a_subscriber_without_proof_hears_nothing(void)
{
	static const char *const passwords[] = {
		NULL, "x", "0000000000000000000000000000000000000000000000000000000000000000"};
	struct scene scene;
	const char *comma;
	char endpoint[64], bytes[64];
	uint32_t number;

	if (!(transport->capabilities & CHANNEL_MULTICAST))
		return;
	scene = scene_open();
	comma = strchr(transport->hub_address(scene.hub), ',');
	snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%s", comma + 1);
	for (size_t i = 0; i < sizeof passwords / sizeof passwords[0]; i++) {
		void *reader = zmq_socket(scene.context, ZMQ_SUB);

		if (passwords[i]) {
			check_equal(zmq_setsockopt(reader, ZMQ_PLAIN_USERNAME, "member", 6), 0);
			check_equal(zmq_setsockopt(reader, ZMQ_PLAIN_PASSWORD, passwords[i],
					    strlen(passwords[i])),
				0);
		}
		check_equal(zmq_setsockopt(reader, ZMQ_SUBSCRIBE, "", 0), 0);
		check_equal(zmq_connect(reader, endpoint), 0);
		for (int k = 0; k < 10; k++) {
			check_status(transport->hub_accept(scene.hub, transport_in_ms(10), &number),
				STATUS_TIMEOUT);
			transport_send_to(scene.hub, CHANNEL_ALL, 10, 1);
			transport_expect(scene.channel, 10, 1);
		}
		check_equal(zmq_recv(reader, bytes, sizeof bytes, ZMQ_DONTWAIT), -1);
		zmq_close(reader);
	}
	zmq_close(scene.socket);
	zmq_ctx_term(scene.context);
	transport->close(scene.channel);
	transport->hub_close(scene.hub);
}

/* The library takes this for its oldest protocol: an identity of 'H' bytes, and a message. */
static void what_is_no_zeromq_at_all_is_refused(void)
{
	struct scene scene = scene_open();
	int fd = transport_connect(scene.hub);
	char noise['H' + 1];

	memset(noise, '.', sizeof noise);
	memcpy(noise, "HTTP/1.1 200 OK", 15);
	for (int i = 0; i < 2; i++)
		check_equal(send(fd, noise, sizeof noise, MSG_NOSIGNAL), sizeof noise);
	scene_close(&scene);
	close(fd);
}

static bool is_zeromq(const char *name)
{
	return strncmp(name, "zeromq", 6) == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(another_version_is_refused),
		TRANSPORT_CASE(a_message_without_a_sender_is_refused),
		TRANSPORT_CASE(a_name_without_its_token_is_refused),
		TRANSPORT_CASE(pieces_of_a_frame_are_refused),
		TRANSPORT_CASE(a_greeting_that_is_replayed_is_refused),
		TRANSPORT_CASE(a_subscriber_without_proof_hears_nothing),
		TRANSPORT_CASE(what_is_no_zeromq_at_all_is_refused),
	};

	return transports_run_where(
		"strangers of ZeroMQ", cases, sizeof cases / sizeof cases[0], is_zeromq);
}

#else

int main(void)
{
	return 77; /* built without libzmq3-dev */
}

#endif
