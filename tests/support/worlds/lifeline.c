/* See lifeline.h. */
#include "lifeline.h"

#include <string.h>
#include <sys/socket.h>

#include "bare.h"
#include "check.h"
#include "world/world.h"

/* The session that the only stranger of a test uses. */
static uint64_t session;

void lifeline_say(
	int fd, enum frame_kind kind, uint64_t sequence, const void *bytes, uint32_t length)
{
	const struct frame frame = {kind, session, sequence, 0, length};
	uint8_t said[FRAME_HEADER_BYTES + 64];

	check_at_most(length, 64);
	frame_write(&frame, said);
	memcpy(said + FRAME_HEADER_BYTES, bytes, length);
	check_equal(send(fd, said, FRAME_HEADER_BYTES + length, MSG_NOSIGNAL),
		FRAME_HEADER_BYTES + length);
}

/* Receives a frame. Stores the first eight bytes of its payload in `first`. */
static enum frame_kind hear(int fd, uint64_t *first)
{
	uint8_t bytes[4096] = {0};
	struct frame frame;
	uint32_t version;
	struct frame_bounds bounds = {session, 0, sizeof bytes};

	if (recv(fd, bytes, FRAME_HEADER_BYTES, MSG_WAITALL) != FRAME_HEADER_BYTES)
		return 0;
	(void)frame_read(bytes, &bounds, &frame, &version);
	check_at_most(frame.length, sizeof bytes);
	if (frame.length > 0)
		check_equal(recv(fd, bytes, frame.length, MSG_WAITALL), frame.length);
	memcpy(first, bytes, sizeof *first);
	return frame.kind;
}

enum frame_kind lifeline_hear(int fd)
{
	uint64_t unused;

	return hear(fd, &unused);
}

int lifeline_greet(const struct hub *hub, uint64_t *cookie)
{
	int fd = transport_connect(hub);

	session = bare_prove(fd, "stranger");
	check_equal(hear(fd, cookie), FRAME_WELCOME);
	return fd;
}

void lifeline_check(void (*how)(void *hub), uint32_t refused)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct thread *thread = world->spawn("intrudes", (struct affinity){0, -1}, how, hub);
	int64_t deadline_ns = transport_in_ms(15000);
	struct channel_counts counts = {0};
	uint32_t number;

	while (counts.refused < refused && world->now_ns() < deadline_ns) {
		check_status(
			transport->hub_accept(hub, transport_in_ms(20), &number), STATUS_TIMEOUT);
		transport->hub_counts(hub, &counts);
	}
	check_status(transport->hub_accept(hub, transport_in_ms(200), &number), STATUS_TIMEOUT);
	world->join(thread);
	transport->hub_counts(hub, &counts);
	check_equal(counts.refused, refused);
	transport_send_to(hub, CHANNEL_ALL, 100, 1);
	transport_expect(channel, 100, 1);
	transport->close(channel);
	transport->hub_close(hub);
}
