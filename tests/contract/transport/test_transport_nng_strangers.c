/* Tests that strangers have no effect on the members of a hub over nng. The hub must reject and
 * count messages of another version, messages that are not greetings, frames in pieces, and names
 * that are not printable. Strangers also replay a greeting. They also send data that is not nng,
 * which the library rejects without counting it. */
#include <string.h>

#include "bare.h"
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

/* A hub with a member, and a stranger that asks or connects. */
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

static void put_frame(
	nng_socket socket, enum frame_kind kind, uint16_t version, const char *payload)
{
	const struct frame frame = {kind, 0, 0, 0, (uint32_t)strlen(payload)};
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_frame(frame, payload, bytes);

	bytes[4] = (uint8_t)version;
	put(socket, bytes, count);
}

static void put_hello(nng_socket socket, uint16_t version, const char *name)
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_hello(&proof, name, bytes);

	bytes[4] = (uint8_t)version;
	put(socket, bytes, count);
}

/* Receives the hub's answer, and returns the part of the answer after the header. Until the answer
 * comes, the hub must accept no member. */
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

/* Checks that the hub rejects the stranger, accepts no member, and does not answer. */
static void check_silence(struct scene *scene, nng_socket socket)
{
	struct channel_counts counts = {0};
	char bytes[64];
	size_t length = sizeof bytes;
	uint32_t number;

	for (int i = 0; i < 200 && counts.refused == 0; i++) {
		check_status(transport->hub_accept(scene->hub, transport_in_ms(10), &number),
			STATUS_TIMEOUT);
		transport->hub_counts(scene->hub, &counts);
	}
	check(counts.stranger[0], "no stranger is named");
	check(nng_recv(socket, bytes, &length, NNG_FLAG_NONBLOCK) != 0, "a stranger hears %zu B",
		length);
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

/* Asks like a member, and connects to the address in the answer. */
static nng_socket talk(struct scene *scene)
{
	put_frame(ask(scene), FRAME_HELLO, FRAME_VERSION, "stranger");
	check_equal(nng_pair0_open(&scene->talks), 0);
	scene->has_talked = true;
	check_equal(nng_dial(scene->talks, answer(scene, scene->asks), NULL, 0), 0);
	return scene->talks;
}

static void another_version_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(ask(&scene), FRAME_HELLO, FRAME_VERSION + 6, "stranger");
	check_silence(&scene, scene.asks);
	scene_close(&scene);
}

static void who_asks_with_a_message_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(ask(&scene), FRAME_MESSAGE, FRAME_VERSION, "hi");
	check_silence(&scene, scene.asks);
	scene_close(&scene);
}

static void pieces_of_a_frame_are_refused(void)
{
	struct scene scene = scene_open();

	put(ask(&scene), "mshT", 4);
	check_silence(&scene, scene.asks);
	scene_close(&scene);
}

static void a_name_that_is_not_printable_is_refused(void)
{
	struct scene scene = scene_open();

	put_hello(talk(&scene), FRAME_VERSION, "a\033[2Jb");
	check_silence(&scene, scene.talks);
	scene_close(&scene);
}

static void a_message_without_a_sender_is_refused(void)
{
	struct scene scene = scene_open();

	put_frame(talk(&scene), FRAME_MESSAGE, FRAME_VERSION, "hi");
	check_silence(&scene, scene.talks);
	scene_close(&scene);
}

/* The second message should be a proof. */
static void a_greeting_that_is_replayed_is_refused(void)
{
	struct scene scene = scene_open();
	nng_socket socket = talk(&scene);

	put_hello(socket, FRAME_VERSION, "stranger");
	put_hello(socket, FRAME_VERSION, "stranger");
	scene_close(&scene);
}

/* The library itself closes the connection, without counting it. */
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
		TRANSPORT_CASE(another_version_is_refused),
		TRANSPORT_CASE(who_asks_with_a_message_is_refused),
		TRANSPORT_CASE(pieces_of_a_frame_are_refused),
		TRANSPORT_CASE(a_name_that_is_not_printable_is_refused),
		TRANSPORT_CASE(a_message_without_a_sender_is_refused),
		TRANSPORT_CASE(a_greeting_that_is_replayed_is_refused),
		TRANSPORT_CASE(what_is_no_nng_at_all_is_ended),
	};

	return transports_run_where(
		"strangers of nng", cases, sizeof cases / sizeof cases[0], is_nng);
}

#else

int main(void)
{
	return 77; /* built without libnng-dev */
}

#endif
