/* The connection of an executor to its controller, in addition to the run's own channel
 * (serve.h). */
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "bench/watcher/watcher.h"
#include "world/native/native.h"

enum { TURN_NS = 10000000 };

/* An executor regards the controller as lost if it receives no message for this time, in ns. The
 * controller sends a ping at least about once a second. */
#define SILENCE_NS INT64_C(30000000000)

/* Maximum times in ns. SEND_NS: to send the queued messages. NOTICE_NS: to wait until the run
 * itself detects over its own channel that the controller is lost. */
#define SEND_NS	  INT64_C(5000000000)
#define NOTICE_NS INT64_C(5000000000)

/* ---- what is queued ---- */

void serve_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	struct serve *serve = context;

	if (operation == 0)
		return;
	pthread_mutex_lock(&serve->mutex);
	if (serve->mark_count == serve->mark_capacity) {
		serve->mark_capacity = serve->mark_capacity ? 2 * serve->mark_capacity : 4096;
		serve->marks =
			allocate_more(serve->marks, serve->mark_capacity, sizeof *serve->marks);
	}
	serve->marks[serve->mark_count++] = (struct enlist_mark){time_ps, operation, chip, point};
	pthread_mutex_unlock(&serve->mutex);
}

static void queue_news(struct serve *serve, struct span message)
{
	struct serve_news *news = allocate(1, sizeof *news);

	news->message = message;
	pthread_mutex_lock(&serve->mutex);
	*serve->last = news;
	serve->last = &news->next;
	pthread_mutex_unlock(&serve->mutex);
}

void serve_fault(void *context, const struct firmware_fault *fault)
{
	queue_news(context, enlist_fault(fault));
}

void serve_print(void *context, const struct firmware_print *print)
{
	struct firmware_print timed = *print;

	timed.at_ps = world->now_ns() * 1000;
	queue_news(context, enlist_print(&timed));
}

void serve_log(void *context, const struct log_line *line)
{
	queue_news(context, enlist_log(line));
}

enum status serve_send(struct serve *serve, const struct enlist *message, int64_t deadline_ns)
{
	struct span span = enlist_write(message);
	enum status status = serve->ops->send(serve->channel, span, deadline_ns);

	span_release(span);
	return status;
}

static void send_marks(struct serve *serve, const struct enlist_mark *marks, uint32_t count)
{
	static uint8_t bytes[ENLIST_MARKS_MAX * ENLIST_MARK_BYTES];

	while (count > 0) {
		uint32_t some = count < ENLIST_MARKS_MAX ? count : ENLIST_MARKS_MAX;
		const struct enlist message = {
			.kind = ENLIST_MARKS, .bytes = bytes, .length = some * ENLIST_MARK_BYTES};

		for (uint32_t i = 0; i < some; i++)
			enlist_mark_write(&marks[i], bytes + (size_t)i * ENLIST_MARK_BYTES);
		(void)serve_send(serve, &message, world->now_ns() + SEND_NS);
		marks += some;
		count -= some;
	}
}

static void send_queued(struct serve *serve)
{
	struct enlist_mark *marks;
	struct serve_news *news;
	uint32_t count;

	pthread_mutex_lock(&serve->mutex);
	marks = serve->marks;
	count = serve->mark_count;
	news = serve->first;
	serve->marks = NULL;
	serve->mark_count = serve->mark_capacity = 0;
	serve->first = NULL;
	serve->last = &serve->first;
	pthread_mutex_unlock(&serve->mutex);
	send_marks(serve, marks, count);
	free(marks);
	while (news != NULL) {
		struct serve_news *next = news->next;

		(void)serve->ops->send(serve->channel, news->message, world->now_ns() + SEND_NS);
		span_release(news->message);
		free(news);
		news = next;
	}
}

/* ---- what the controller asks ---- */

static void serve_say_state(void *context, uint32_t chip, const struct stage *stage, bool blocked)
{
	struct serve *serve = context;
	struct watched_processor watched = {0};
	const struct enlist message = {
		.kind = ENLIST_SEEN, .bytes = &watched, .length = sizeof watched};

	watcher_look(serve->first_chip + chip, stage, blocked, &watched);
	(void)serve_send(serve, &message, world->now_ns() + SEND_NS);
}

static void answer(struct serve *serve, const struct enlist *asked)
{
	struct enlist message = {.kind = ENLIST_PONG, .sent_ns = asked->sent_ns};

	if (asked->kind == ENLIST_PING) {
		message.now_ns = world->now_ns(); /* before the marks, which take time to send */
		message.cpu_ns = processes_cpu_ps(getpid()) / 1000;
		send_queued(serve);
		(void)serve_send(serve, &message, world->now_ns() + SEND_NS);
	} else if (asked->kind == ENLIST_LOOK) {
		if (serve->cluster != NULL)
			native_cluster_stages(serve->cluster, serve_say_state, serve);
		message = (struct enlist){.kind = ENLIST_SEEN};
		(void)serve_send(serve, &message, world->now_ns() + SEND_NS);
	} else if (asked->kind == ENLIST_START) {
		pthread_mutex_lock(&serve->mutex);
		snprintf(serve->address, sizeof serve->address, "%.*s",
			(int)sizeof serve->address - 1, asked->text);
		pthread_cond_broadcast(&serve->changed);
		pthread_mutex_unlock(&serve->mutex);
	}
}

static bool has_ended(struct serve *serve)
{
	bool ended;

	pthread_mutex_lock(&serve->mutex);
	ended = serve->ended;
	pthread_mutex_unlock(&serve->mutex);
	return ended;
}

static void serve_lose(struct serve *serve, const char *how)
{
	const int64_t until_ns = world->now_ns() + NOTICE_NS;

	fprintf(stderr, "meshsim: the controller %s\n", how);
	pthread_mutex_lock(&serve->mutex);
	serve->lost = true;
	pthread_cond_broadcast(&serve->changed);
	pthread_mutex_unlock(&serve->mutex);
	while (!has_ended(serve) && world->now_ns() < until_ns)
		world->sleep_until(world->now_ns() + TURN_NS);
	if (has_ended(serve))
		return;
	fflush(NULL);
	_exit(EXIT_REFUSED);
}

/* Sends the end if the executor has ended. Returns true if the run is over. */
static bool serve_say_end(struct serve *serve)
{
	if (!has_ended(serve))
		return false;
	send_queued(serve);
	(void)serve_send(serve, &serve->end, world->now_ns() + SEND_NS);
	return true;
}

void *serve_line(void *context)
{
	struct serve *serve = context;
	int64_t heard_ns = world->now_ns();

	while (!serve_say_end(serve)) {
		struct enlist message;
		struct span span;
		enum status status =
			serve->ops->receive(serve->channel, world->now_ns() + TURN_NS, &span);

		if (status == STATUS_OK) {
			heard_ns = world->now_ns();
			if (enlist_read(span.extent->bytes + span.offset, span.length, &message))
				answer(serve, &message);
			span_release(span);
		} else if (status == STATUS_CLOSED) {
			serve_lose(serve, "has closed its connection");
			break;
		} else if (world->now_ns() - heard_ns > SILENCE_NS) {
			serve_lose(serve, "has not answered for 30 s");
			break;
		}
		send_queued(serve);
	}
	return NULL;
}
