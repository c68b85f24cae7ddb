/* What the ends of streams share, see stream.h. Refuses to hold the mutex while it polls. */
#define _GNU_SOURCE /* ppoll */
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/sockios.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "world/world.h"

enum { LINGER_NS = 1000000000, LOOK_NS = 200000 };

int stream_socket(int family)
{
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

enum status end_check(const struct channel_settings *settings, struct text *why)
{
	const char *wrong = NULL;

	if (settings->window == 0 || settings->window > CHANNEL_WINDOW_MAX)
		wrong = "window";
	else if (settings->message_bytes_max == 0 ||
		 settings->message_bytes_max > CHANNEL_MESSAGE_BYTES_MAX)
		wrong = "size of messages";
	if (wrong && why)
		text_printf(why, "the %s is out of bounds", wrong);
	return wrong ? STATUS_INVALID : STATUS_OK;
}

enum status end_init(struct end *end, const struct channel_settings *settings,
	const struct stream_family *family, uint32_t polls_max)
{
	pthread_condattr_t attributes;

	memset(end, 0, sizeof *end);
	end->settings = *settings;
	end->family = family;
	end->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (end->bell < 0)
		return STATUS_IO;
	end->polls_max = polls_max;
	end->polls = allocate(polls_max + 1u, sizeof *end->polls);
	pthread_mutex_init(&end->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&end->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return STATUS_OK;
}

void end_fini(struct end *end)
{
	struct arrived *arrived;

	while ((arrived = end_take(end)) != NULL) {
		span_release(arrived->message);
		free(arrived);
	}
	close(end->bell);
	free(end->polls);
	pthread_cond_destroy(&end->changed);
	pthread_mutex_destroy(&end->mutex);
}

/* ---- waiting ---- */

static int64_t left_ns(int64_t deadline_ns)
{
	int64_t now_ns = world->now_ns();

	if (deadline_ns == DEADLINE_NEVER)
		return INT64_MAX;
	return deadline_ns > now_ns ? deadline_ns - now_ns : 0;
}

static void wait_for_poller(struct end *end, int64_t wait_ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	if (wait_ns > INT64_C(3600000000000))
		wait_ns = INT64_C(3600000000000);
	until.tv_sec += wait_ns / 1000000000;
	until.tv_nsec += wait_ns % 1000000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_cond_timedwait(&end->changed, &end->mutex, &until);
}

bool end_wait(struct end *end, int64_t deadline_ns)
{
	int64_t wait_ns = left_ns(deadline_ns);
	struct timespec timeout = {wait_ns / 1000000000, wait_ns % 1000000000};
	uint32_t count;
	uint64_t rung;

	if (end->polling) {
		if (wait_ns > 0)
			wait_for_poller(end, wait_ns);
		return wait_ns > 0;
	}
	end->polling = true;
	end->polls[0] = (struct pollfd){end->bell, POLLIN, 0};
	count = end->list(end, end->polls + 1);
	pthread_mutex_unlock(&end->mutex);
	if (ppoll(end->polls, count + 1u, wait_ns == INT64_MAX ? NULL : &timeout, NULL) < 0)
		count = 0;
	pthread_mutex_lock(&end->mutex);
	if (end->polls[0].revents)
		(void)!read(end->bell, &rung, sizeof rung);
	end->found(end, end->polls + 1, count);
	end->polling = false;
	pthread_cond_broadcast(&end->changed);
	return wait_ns > 0;
}

void end_ring(struct end *end)
{
	const uint64_t one = 1;

	if (end->polling)
		(void)!write(end->bell, &one, sizeof one);
}

/* It connects, or has: until it is known which. */
static bool is_connected(int fd, int64_t deadline_ns)
{
	struct pollfd polls = {fd, POLLOUT, 0};
	int64_t wait_ns = left_ns(deadline_ns);
	int error = 0;
	socklen_t size = sizeof error;

	if (poll(&polls, 1,
		    wait_ns > INT64_C(60000000000) ? 60000 : (int)(wait_ns / 1000000) + 1) != 1)
		return false;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

int stream_connect(const struct sockaddr_storage *address, socklen_t length, int64_t deadline_ns)
{
	int fd = stream_socket(address->ss_family);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)address, length) == 0 ||
		(errno == EINPROGRESS && is_connected(fd, deadline_ns)))
		return fd;
	close(fd);
	return -1;
}

/* ---- messages ---- */

void end_arrive(struct end *end, uint32_t member, bool lost, struct span message)
{
	struct arrived *arrived = allocate(1, sizeof *arrived);

	*arrived = (struct arrived){NULL, member, lost, message};
	if (end->last)
		end->last->next = arrived;
	else
		end->first = arrived;
	end->last = arrived;
}

struct arrived *end_take(struct end *end)
{
	struct arrived *arrived = end->first;

	if (!arrived)
		return NULL;
	end->first = arrived->next;
	if (!end->first)
		end->last = NULL;
	return arrived;
}

enum status end_payload(const struct end *end, struct span message, struct span *payload)
{
	if (message.length > end->settings.message_bytes_max)
		return STATUS_OUT_OF_RANGE;
	if (message.extent && message.extent->elided)
		return STATUS_ELIDED;
	*payload = message;
	if (message.extent || message.length == 0) {
		span_hold(message);
		return STATUS_OK;
	}
	*payload = span_of(extent_new(message.length)); /* reads as zeros */
	memset(payload->extent->bytes, 0, message.length);
	return STATUS_OK;
}

bool end_frame(struct end *end, struct flow *flow, uint32_t member, const struct frame *frame,
	struct span payload)
{
	if (frame->kind == FRAME_CREDIT && frame->credit <= flow->under_way) {
		flow->under_way -= frame->credit;
		span_release(payload);
		return true;
	}
	if (frame->kind == FRAME_MESSAGE && flow->unread + flow->owed < end->settings.window) {
		flow->unread++;
		end_arrive(end, member, false, payload);
		return true;
	}
	span_release(payload);
	return false;
}

void end_received(
	struct end *end, struct flow *flow, struct connection *connection, struct span message)
{
	end->counts.received++;
	end->counts.received_bytes += message.length;
	flow->unread--;
	flow->owed++;
	if (2 * flow->owed < end->settings.window)
		return;
	connection_put(connection, FRAME_CREDIT, flow->owed, (struct span){0});
	flow->owed = 0;
	if (connection_write(connection) == STATUS_FULL)
		end_ring(end);
}

/* ---- the end ---- */

/* Reads and forgets. False when there will be no more. */
static bool drain(int fd)
{
	char bytes[4096];
	ssize_t got;

	do
		got = recv(fd, bytes, sizeof bytes, 0);
	while (got > 0 || (got < 0 && errno == EINTR));
	return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* All that was written is with the other end, where its reader will find it. */
static bool has_arrived(int fd)
{
	int family = 0, left = 0;
	socklen_t size = sizeof family;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX)
		return true;
	return ioctl(fd, SIOCOUTQ, &left) != 0 || left == 0;
}

/* False when nothing is left to wait for. */
static bool linger(struct connection *connection)
{
	enum status status = connection_write(connection);

	if (status == STATUS_CLOSED || !drain(connection->fd))
		return false;
	return status == STATUS_FULL || !has_arrived(connection->fd);
}

void end_linger(struct connection **connections, uint32_t count)
{
	int64_t deadline_ns = world->now_ns() + LINGER_NS;
	uint32_t left = count;

	while (left > 0 && left_ns(deadline_ns) > 0) {
		left = 0;
		for (uint32_t i = 0; i < count; i++) {
			if (connections[i]->fd >= 0 && !linger(connections[i]))
				connection_end(connections[i]);
			left += connections[i]->fd >= 0;
		}
		if (left > 0)
			world->sleep_until(world->now_ns() + LOOK_NS);
	}
	for (uint32_t i = 0; i < count; i++)
		connection_end(connections[i]);
}
