/* Requests and answers about the state of another process's cores (processes.h). */
#include "processes.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/allocate.h"
#include "world/native/native.h"

/* Stands in place of a chip's number, and marks the end of an answer. */
#define NO_CHIP UINT32_MAX

/* ---- the answering side ---- */

struct answering {
	int talk;
	struct cluster *cluster;
	uint32_t first_chip;
};

/* Sends a whole record. If the other end is closed, the next read reports it. */
static void processes_watch_say(int talk, const struct watched_processor *watched)
{
	const char *bytes = (const char *)watched;

	for (size_t done = 0; done < sizeof *watched;) {
		ssize_t some = send(talk, bytes + done, sizeof *watched - done, MSG_NOSIGNAL);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return;
		done += (size_t)some;
	}
}

static void processes_watch_see(
	void *context, uint32_t chip, const struct stage *stage, bool blocked)
{
	const struct answering *answering = context;
	struct watched_processor watched;

	watcher_look(answering->first_chip + chip, stage, blocked, &watched);
	processes_watch_say(answering->talk, &watched);
}

static void *processes_watch_answer(void *context)
{
	const struct watched_processor end = {.chip = NO_CHIP};
	struct answering *answering = context;
	char asked;

	while (read(answering->talk, &asked, 1) == 1) {
		native_cluster_stages(answering->cluster, processes_watch_see, answering);
		processes_watch_say(answering->talk, &end);
	}
	free(answering);
	return NULL;
}

void processes_watch_serve(int talk, struct cluster *cluster, uint32_t first_chip)
{
	struct answering *answering = allocate(1, sizeof *answering);
	pthread_t thread;

	*answering = (struct answering){talk, cluster, first_chip};
	if (pthread_create(&thread, NULL, processes_watch_answer, answering) == 0)
		pthread_detach(thread);
	else
		free(answering);
}

/* ---- the asking side ---- */

static int64_t now_ms(void)
{
	return world->now_ns() / 1000000;
}

/* Receives a record. Returns false if this takes too long, or if the other end is closed. */
static bool processes_watch_hear(int talk, int64_t until_ms, struct watched_processor *watched)
{
	char *bytes = (char *)watched;

	for (size_t done = 0; done < sizeof *watched;) {
		struct pollfd poll_talk = {.fd = talk, .events = POLLIN};
		int64_t left_ms = until_ms - now_ms();
		ssize_t some;

		if (left_ms <= 0 || poll(&poll_talk, 1, (int)left_ms) == 0)
			return false;
		some = recv(talk, bytes + done, sizeof *watched - done, MSG_DONTWAIT);
		if (some < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (some <= 0)
			return false;
		done += (size_t)some;
	}
	return true;
}

static void processes_watch_add(struct watch_list *list, const struct watched_processor *watched)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 1024;
		list->at = allocate_more(list->at, list->capacity, sizeof *list->at);
	}
	list->at[list->count++] = *watched;
}

void processes_watch_ask(int talk, int patience_ms, struct watch_list *list)
{
	const int64_t until_ms = now_ms() + patience_ms;
	const uint32_t before = list->count;
	struct watched_processor watched;

	if (send(talk, "?", 1, MSG_NOSIGNAL) != 1)
		return;
	while (processes_watch_hear(talk, until_ms, &watched)) {
		if (watched.chip == NO_CHIP)
			return;
		processes_watch_add(list, &watched);
	}
	list->count = before;
}
