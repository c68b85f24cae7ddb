/* What all actors of a flow do: their steps, sending and receiving, and recording what they notice.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "flow_private.h"

bool flow_without(const struct flow_self *self, enum flow_message message)
{
	return self->run->job->without[message];
}

int64_t flow_deadline(const struct flow_self *self)
{
	return world->now_ns() + self->run->job->patience_ns;
}

void flow_count(struct flow_self *self, enum flow_message message, uint64_t bytes)
{
	self->messages[message]++;
	self->bytes[message] += bytes;
}

bool flow_catch(struct flow_self *self, enum flow_message message, const char *format, ...)
{
	struct flow_run *run = self->run;
	struct flow_result *result = run->result;
	enum flow_moment moment;
	va_list arguments;

	world->monitor_enter(run->monitor);
	moment = self->step == FLOW_STEP_DISPATCH ? MOMENT_AT_DISPATCH
		 : run->launched		  ? MOMENT_AT_LAUNCH
						  : MOMENT_BEFORE_LAUNCH;
	/* natively, several actors may notice at the same time: what names it must not depend on
	 * who was first */
	if (moment < result->moment || (moment == result->moment && message < result->message)) {
		result->moment = moment;
		result->message = message;
		result->told = 1u << message;
		if (self->step == FLOW_STEP_COLLECT)
			result->told |= 1u << FLOW_SAYS_REPORT;
		va_start(arguments, format);
		vsnprintf(result->why, sizeof(result->why), format, arguments);
		va_end(arguments);
	}
	world->monitor_exit(run->monitor);
	return false;
}

static struct channel_settings flow_settings(
	const struct flow_self *self, const char *address, const char *name)
{
	const struct flow_job *job = self->run->job;

	return (struct channel_settings){.address = address,
		.name = name,
		.session = 1,
		.key = job->key,
		.message_bytes_max = FLOW_NOTE_BYTES_MAX,
		.window = FLOW_WINDOW,
		.remote = job->remote};
}

struct hub *flow_open(struct flow_self *self, uint16_t host, const char *which)
{
	const struct flow_job *job = self->run->job;
	struct channel_settings settings;
	struct text address = {0}, why = {0};
	struct hub *hub = NULL;

	job->address(job->context, host, which, &address);
	settings = flow_settings(self, text_string(&address), "");
	if (job->channels->hub_open(&settings, &hub, &why) != STATUS_OK) {
		LOG_TO(DISTRIBUTED, ERROR, "no hub at %s: %s", text_string(&address),
			text_string(&why));
		hub = NULL;
	}
	text_fini(&address);
	text_fini(&why);
	return hub;
}

struct channel *flow_join(struct flow_self *self, const char *address, const char *name)
{
	struct channel_settings settings = flow_settings(self, address, name);
	struct channel *channel = NULL;

	if (self->run->job->channels->join(&settings, flow_deadline(self), &channel, NULL) !=
		STATUS_OK)
		return NULL;
	return channel;
}

bool flow_say(struct flow_self *self, struct channel *channel, const struct note *note)
{
	struct span span = note_write(note);
	enum status status = self->run->job->channels->send(channel, span, flow_deadline(self));

	if (status == STATUS_OK)
		flow_count(self, note->kind, span.length);
	span_release(span);
	return status == STATUS_OK;
}

bool flow_hear(struct flow_self *self, struct channel *channel, struct note *note)
{
	struct span span = {0};

	*note = (struct note){0};
	if (self->run->job->channels->receive(channel, flow_deadline(self), &span) != STATUS_OK)
		return false;
	if (note_read(span, note))
		return true;
	note_done(note);
	return false;
}

bool flow_tell(struct flow_self *self, struct hub *hub, uint32_t member, const struct note *note)
{
	struct span span = note_write(note);
	uint32_t who = 0;
	enum status status =
		self->run->job->channels->hub_send(hub, member, span, flow_deadline(self), &who);

	if (status == STATUS_OK) {
		uint64_t copies = member == CHANNEL_ALL ? self->members : 1;

		self->messages[note->kind] += copies;
		self->bytes[note->kind] += copies * span.length;
	}
	span_release(span);
	return status == STATUS_OK;
}

bool flow_listen(struct flow_self *self, struct hub *hub, uint32_t *member, struct note *note)
{
	struct span span = {0};

	*note = (struct note){0};
	if (self->run->job->channels->hub_receive(hub, flow_deadline(self), member, &span) !=
		STATUS_OK)
		return false;
	if (note_read(span, note))
		return true;
	note_done(note);
	return false;
}

/* Adds the time of a step that the actor has ended to the result. */
static void note_span(struct flow_self *self, int64_t began_ns)
{
	struct flow_run *run = self->run;
	struct flow_span *span;
	int64_t now, began;

	world->monitor_enter(run->monitor);
	began = began_ns - run->began_ns;
	now = world->now_ns() - run->began_ns;
	span = &run->result->steps[self->step];
	if (span->actors++ == 0)
		span->first_ns = began;
	span->first_ns = began < span->first_ns ? began : span->first_ns;
	span->last_ns = now > span->last_ns ? now : span->last_ns;
	span->longest_ns = now - began > span->longest_ns ? now - began : span->longest_ns;
	world->monitor_exit(run->monitor);
}

bool flow_steps(struct flow_self *self)
{
	const struct flow_part *part = flow_row(self->run->job->kind)->parts;
	bool good = true;

	for (; part->step != FLOW_STEP_COUNT && good; part++) {
		int64_t began = world->now_ns();

		if (part->actor != self->kind)
			continue;
		self->step = part->step;
		good = self->run->steps[part->step](self);
		note_span(self, began);
	}
	return good;
}

void flow_self_end(struct flow_self *self)
{
	struct flow_result *result = self->run->result;

	world->monitor_enter(self->run->monitor);
	for (unsigned i = 0; i < FLOW_MESSAGE_COUNT; i++) {
		result->messages[i] += self->messages[i];
		result->bytes[i] += self->bytes[i];
	}
	world->monitor_exit(self->run->monitor);
	arena_fini(&self->arena);
}

void *flow_memo_find(struct flow_run *run, uint64_t key)
{
	void *value = NULL;

	world->monitor_enter(run->monitor);
	for (struct flow_memo *memo = run->memos; memo && !value; memo = memo->next)
		value = memo->key == key ? memo->value : NULL;
	world->monitor_exit(run->monitor);
	return value;
}

void *flow_memo_keep(struct flow_run *run, uint64_t key, void *value, void (*free_value)(void *))
{
	void *kept = flow_memo_find(run, key);
	struct flow_memo *memo;

	if (kept) {
		free_value(value);
		return kept;
	}
	world->monitor_enter(run->monitor);
	memo = arena_alloc(&run->arena, sizeof(*memo));
	*memo = (struct flow_memo){run->memos, key, value, free_value};
	run->memos = memo;
	world->monitor_exit(run->monitor);
	return value;
}
