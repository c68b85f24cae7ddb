/* The code that hubs and members of all libraries have in common (end.h). A thread that waits at an
 * end releases the end's mutex during poll(). */
#define _GNU_SOURCE /* ppoll */
#include "end.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

enum { REFUSAL_BYTES = 160 };

enum status end_check(const struct channel_settings *settings, struct text *why)
{
	const char *wrong = NULL;

	ensure(settings->key, "an end without a key");
	if (settings->window == 0 || settings->window > CHANNEL_WINDOW_MAX)
		wrong = "window";
	else if (settings->message_bytes_max == 0 ||
		 settings->message_bytes_max > CHANNEL_MESSAGE_BYTES_MAX)
		wrong = "size of messages";
	if (wrong && why)
		text_printf(why, "the %s is out of bounds", wrong);
	return wrong ? STATUS_INVALID : STATUS_OK;
}

enum status end_check_name(const struct channel_settings *settings, struct text *why)
{
	size_t length = strlen(settings->name);

	if (length > 0 && length < CHANNEL_NAME_BYTES)
		return STATUS_OK;
	if (why)
		text_printf(why, "a name has 1 to %d letters", CHANNEL_NAME_BYTES - 1);
	return STATUS_INVALID;
}

bool end_name_is_plain(const char *name, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return length > 0 && length < CHANNEL_NAME_BYTES;
}

enum status end_init(struct end *end, const struct channel_settings *settings, uint32_t polls_max)
{
	pthread_condattr_t attributes;

	memset(end, 0, sizeof *end);
	end->settings = *settings;
	end->look_ns = INT64_MAX;
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

uint32_t end_plain_list(struct end *end, struct pollfd *polls)
{
	(void)end;
	(void)polls;
	return 0;
}

void end_plain_found(struct end *end, const struct pollfd *polls, uint32_t count)
{
	(void)end;
	(void)polls;
	(void)count;
}

/* ---- waiting ---- */

int64_t end_left_ns(int64_t deadline_ns)
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

/* Polls once, for at most wait_ns. Returns true if something has arrived or may have arrived. */
static bool end_look(struct end *end, int64_t wait_ns)
{
	struct timespec timeout;
	uint32_t count;
	uint64_t rung;
	int found;

	end->polls[0] = (struct pollfd){end->bell, POLLIN, 0};
	end->news = false;
	count = end->list(end, end->polls + 1);
	if (end->news) {
		end->found(end, end->polls + 1, 0);
		return true;
	}
	if (wait_ns > end->look_ns)
		wait_ns = end->look_ns;
	pthread_mutex_unlock(&end->mutex);
	timeout = (struct timespec){wait_ns / 1000000000, wait_ns % 1000000000};
	if (end->look_ns == 0)
		(void)sched_yield();
	found = ppoll(end->polls, count + 1u, wait_ns == INT64_MAX ? NULL : &timeout, NULL);
	if (found < 0)
		count = 0;
	pthread_mutex_lock(&end->mutex);
	if (end->polls[0].revents)
		(void)!read(end->bell, &rung, sizeof rung);
	end->found(end, end->polls + 1, count);
	return end->news || found != 0 || end->look_ns == INT64_MAX;
}

bool end_wait(struct end *end, int64_t deadline_ns)
{
	int64_t wait_ns = end_left_ns(deadline_ns);

	if (end->polling) {
		if (wait_ns > 0)
			wait_for_poller(end, wait_ns);
		return wait_ns > 0;
	}
	end->polling = true;
	while (!end_look(end, wait_ns) && wait_ns > 0)
		wait_ns = end_left_ns(deadline_ns);
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

struct span refusal_text(enum refusal refusal, const char *format, const char *detail)
{
	char text[REFUSAL_BYTES];

	text[0] = (char)refusal;
	snprintf(text + 1, sizeof text - 1, format, detail);
	return span_copy(text, (uint32_t)strlen(text));
}

enum status refusal_read(struct span payload, struct text *why)
{
	const char *text = payload.length > 0 ? (const char *)payload.extent->bytes : "";

	for (uint32_t i = 1; i < payload.length; i++)
		text_append_char(why, text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
	return payload.length > 0 && text[0] == REFUSAL_NAME ? STATUS_EXISTS : STATUS_UNSUPPORTED;
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

uint32_t end_received(struct end *end, struct flow *flow, struct span message)
{
	uint32_t owed;

	end->counts.received++;
	end->counts.received_bytes += message.length;
	flow->unread--;
	owed = ++flow->owed;
	if (2 * owed < end->settings.window)
		return 0;
	flow->owed = 0;
	return owed;
}

void end_counts(struct end *end, struct channel_counts *counts)
{
	pthread_mutex_lock(&end->mutex);
	*counts = end->counts;
	pthread_mutex_unlock(&end->mutex);
}
