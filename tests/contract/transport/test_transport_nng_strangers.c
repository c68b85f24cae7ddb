/* What a hub over nng is told by others than its members is refused and counted, and nobody else
 * notices: no nng at all, other versions, no greetings, frames in pieces, replayed ones. */
#include <string.h>

#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

#if __has_include(<nng/nng.h>)
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
#include <nng/protocol/reqrep0/req.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* A hub with a member, and a stranger who asks or talks. */
struct scene {
	struct hub *hub;
	struct channel *channel;
	nng_socket asks, talks;
	bool has_asked, has_talked;
};

static struct scene scene_open(void)
{
	struct scene scene = {.hub = transport_hub()};

	scene.channel = transport_join(scene.hub, "member", 0);
	return scene;
}

static void scene_close(struct scene *scene)
{
	transport_check_goes_on(scene->hub, scene->channel);
	if (scene->has_asked)
		nng_close(scene->asks);
	if (scene->has_talked)
		nng_close(scene->talks);
	transport->close(scene->channel);
	transport->hub_close(scene->hub);
}

static void put(nng_socket socket, const void *bytes, size_t length)
{
	char copy[256];

	memcpy(copy, bytes, length);
	check_equal(nng_send(socket, copy, length, 0), 0);
}

static void put_frame(nng_socket socket, enum frame_kind kind, uint64_t sequence, uint16_t version,
	const char *payload)
{
	const struct frame frame = {
		kind, transport_hub_settings().session, sequence, 0, (uint32_t)strlen(payload)};
	uint8_t bytes[FRAME_HEADER_BYTES + 64];

	frame_write(&frame, bytes);
	bytes[4] = (uint8_t)version;
	memcpy(bytes + FRAME_HEADER_BYTES, payload, strlen(payload));
	put(socket, bytes, FRAME_HEADER_BYTES + strlen(payload));
}

/* What the hub answers behind the header, while it accepts nobody. */
static const char *answer(struct scene *scene, nng_socket socket)
{
	static char bytes[512];
	size_t length = 0;
	uint32_t number;
	int got = NNG_EAGAIN;

	for (int i = 0; i < 200 && got != 0; i++) {
		check_status(transport->hub_accept(scene->hub, transport_in_ms(10), &number),
			STATUS_TIMEOUT);
		length = sizeof bytes - 1;
		got = nng_recv(socket, bytes, &length, NNG_FLAG_NONBLOCK);
	}
	check_equal(got, 0);
	bytes[length] = '\0';
	return length > FRAME_HEADER_BYTES ? bytes + FRAME_HEADER_BYTES : "";
}

static void check_speaks_of(const char *said, const char *why)
{
	check(said[0] && strstr(said + 1, why), "'%s' does not speak of '%s'", said, why);
}

static nng_socket ask(struct scene *scene)
{
	char url[256];

	snprintf(url, sizeof url, "tcp://%s", transport->hub_address(scene->hub));
	check_equal(nng_req0_open(&scene->asks), 0);
	scene->has_asked = true;
	check_equal(nng_dial(scene->asks, url, NULL, 0), 0);
	return scene->asks;
}

/* Asks as a member would, and connects where the hub says. */
static nng_socket talk(struct scene *scene)
{
	put_frame(ask(scene), FRAME_HELLO, 0, FRAME_VERSION, "stranger");
	check_equal(nng_pair0_open(&scene->talks), 0);
	scene->has_talked = true;
	check_equal(nng_dial(scene->talks, answer(scene, scene->asks), NULL, 0), 0);
	return scene->talks;
}

static void another_version_is_refused_with_both(void)
{
	struct scene scene = scene_open();

	put_frame(ask(&scene), FRAME_HELLO, 0, FRAME_VERSION + 6, "stranger");
	check_speaks_of(answer(&scene, scene.asks), "another version: 7, and this is 1");
	scene_close(&scene);
}

static void who_asks_with_a_message_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(ask(&scene), FRAME_MESSAGE, 0, FRAME_VERSION, "hi");
	check_speaks_of(answer(&scene, scene.asks), "broken");
	scene_close(&scene);
}

static void pieces_of_a_frame_are_refused(void)
{
	struct scene scene = scene_open();

	put(ask(&scene), "mshT", 4);
	check_speaks_of(answer(&scene, scene.asks), "not a frame of meshsim");
	scene_close(&scene);
}

static void a_name_that_is_not_printable_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(talk(&scene), FRAME_HELLO, 0, FRAME_VERSION, "a\033[2Jb");
	check_speaks_of(answer(&scene, scene.talks), "no greeting");
	scene_close(&scene);
}

static void a_message_of_nobody_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(talk(&scene), FRAME_MESSAGE, 0, FRAME_VERSION, "hi");
	check_speaks_of(answer(&scene, scene.talks), "no greeting");
	scene_close(&scene);
}

static void a_frame_that_is_replayed_is_refused(void)
{
	struct scene scene = scene_open();
	nng_socket socket = talk(&scene);
	uint32_t number;

	put_frame(socket, FRAME_HELLO, 0, FRAME_VERSION, "stranger");
	check_status(transport->hub_accept(scene.hub, transport_in_ms(5000), &number), STATUS_OK);
	(void)answer(&scene, socket); /* welcome */
	put_frame(socket, FRAME_HELLO, 0, FRAME_VERSION, "stranger");
	check_speaks_of(answer(&scene, socket), "out of order");
	scene_close(&scene);
}

/* The library ends the connection by itself, and counts nothing. */
static void what_is_no_nng_at_all_is_ended(void)
{
	struct scene scene = scene_open();
	int fd = transport_connect(scene.hub);
	const char noise[] = "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n";
	char bytes[64];

	check_equal(send(fd, noise, sizeof noise, MSG_NOSIGNAL), sizeof noise);
	while (recv(fd, bytes, sizeof bytes, 0) > 0)
		continue;
	close(fd);
	put(ask(&scene), "mshT", 4);
	scene_close(&scene);
}

static bool is_nng(const char *name)
{
	return strcmp(name, "nng") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(another_version_is_refused_with_both),
		TRANSPORT_CASE(who_asks_with_a_message_is_refused),
		TRANSPORT_CASE(pieces_of_a_frame_are_refused),
		TRANSPORT_CASE(a_name_that_is_not_printable_is_refused),
		TRANSPORT_CASE(a_message_of_nobody_is_refused),
		TRANSPORT_CASE(a_frame_that_is_replayed_is_refused),
		TRANSPORT_CASE(what_is_no_nng_at_all_is_ended),
	};

	return transports_run_where(
		"strangers of nng", cases, sizeof cases / sizeof cases[0], is_nng);
}

#else

int main(void)
{
	return 77; /* this program was built without libnng-dev */
}

#endif
