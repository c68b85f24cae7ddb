/* What a hub over ZeroMQ is told by others than its members is refused and counted, and nobody else
 * notices: no ZeroMQ at all, other versions, no greetings, frames in pieces, replayed ones. */
#include <string.h>

#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

#if __has_include(<zmq.h>)
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

static const char greeting[] = "stranger 0123456789abcdef";

/* The hub goes on with its member, and refuses once what `intrude` does before or after this. */
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

static void put_frame(
	struct scene *scene, struct frame frame, uint16_t version, const char *payload)
{
	uint8_t header[FRAME_HEADER_BYTES];

	frame.session = transport_hub_settings().session;
	frame.length = (uint32_t)strlen(payload);
	frame_write(&frame, header);
	header[4] = (uint8_t)version;
	check_equal(zmq_send(scene->socket, header, sizeof header, ZMQ_SNDMORE), sizeof header);
	check_equal(zmq_send(scene->socket, payload, strlen(payload), 0), strlen(payload));
}

/* The sentence of the refusal, whose first byte is its kind. */
static void check_answer(struct scene *scene, const char *why)
{
	char bytes[256] = "";
	uint32_t number;
	int got = -1;

	for (int i = 0; i < 200 && got < 0; i++) {
		check_status(transport->hub_accept(scene->hub, transport_in_ms(10), &number),
			STATUS_TIMEOUT);
		got = zmq_recv(scene->socket, bytes, sizeof bytes, ZMQ_DONTWAIT);
	}
	check_equal(got, FRAME_HEADER_BYTES);
	got = zmq_recv(scene->socket, bytes, sizeof bytes - 1, 0);
	bytes[got > 0 ? got : 0] = '\0';
	check(got > 1 && strstr(bytes + 1, why), "'%s' does not speak of '%s'", bytes + 1, why);
}

static void another_version_is_refused_with_both(void)
{
	struct scene scene = scene_open();

	put_frame(&scene, (struct frame){.kind = FRAME_HELLO}, FRAME_VERSION + 6, greeting);
	check_answer(&scene, "another version: 7, and this is 1");
	scene_close(&scene);
}

static void a_message_of_nobody_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(&scene, (struct frame){.kind = FRAME_MESSAGE}, FRAME_VERSION, "hi");
	check_answer(&scene, "no greeting");
	scene_close(&scene);
}

static void a_name_without_its_token_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(&scene, (struct frame){.kind = FRAME_HELLO}, FRAME_VERSION, "stranger");
	check_answer(&scene, "no greeting");
	scene_close(&scene);
}

static void pieces_of_a_frame_are_refused(void)
{
	struct scene scene = scene_open();

	check_equal(zmq_send(scene.socket, "mshT", 4, 0), 4);
	check_answer(&scene, "not a frame of meshsim");
	scene_close(&scene);
}

/* By ROUTER alone it could be accepted between the two. */
static void a_greeting_that_is_replayed_is_refused(void)
{
	struct scene scene;

	if (!(transport->capabilities & CHANNEL_MULTICAST))
		return;
	scene = scene_open();
	put_frame(&scene, (struct frame){.kind = FRAME_HELLO}, FRAME_VERSION, greeting);
	put_frame(&scene, (struct frame){.kind = FRAME_HELLO}, FRAME_VERSION, greeting);
	check_answer(&scene, "out of order");
	scene_close(&scene);
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
		TRANSPORT_CASE(another_version_is_refused_with_both),
		TRANSPORT_CASE(a_message_of_nobody_is_refused),
		TRANSPORT_CASE(a_name_without_its_token_is_refused),
		TRANSPORT_CASE(pieces_of_a_frame_are_refused),
		TRANSPORT_CASE(a_greeting_that_is_replayed_is_refused),
		TRANSPORT_CASE(what_is_no_zeromq_at_all_is_refused),
	};

	return transports_run_where(
		"strangers of ZeroMQ", cases, sizeof cases / sizeof cases[0], is_zeromq);
}

#else

int main(void)
{
	return 77; /* this program was built without libzmq3-dev */
}

#endif
