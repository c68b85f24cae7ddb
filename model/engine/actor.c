/* Actors: threads whose blocking code runs on the engine. Only one actor runs at a time: each has a
 * semaphore on which it waits until the event loop gives it the turn. So actors share state without
 * locks. */
#include "engine_private.h"

#include <stdlib.h>
#include <string.h>

#include <simgrid/host.h>

#include "base/allocate.h"
#include "base/chain.h"
#include "base/ensure.h"

static void make_ready(struct actor *actor)
{
	actor->state = ACTOR_READY;
	if (actor->cause == CAUSE_NONE)
		actor->cause = cause_now();
	CHAIN_APPEND(engine.first_ready, engine.last_ready, actor, next_ready);
}

static void actor_main(int count, char **arguments)
{
	(void)count;
	(void)arguments;
	struct actor *actor = sg_actor_self_get_data();
	sg_sem_acquire(actor->turn);
	actor->run(actor->argument);
	actor->state = ACTOR_ENDED;
	engine.running = NULL;
}

static void main_actor_main(int count, char **arguments)
{
	actor_main(count, arguments);
	engine.finished = true;
}

struct actor *actor_create(const char *name, const char *host_name, void (*run)(void *argument),
	void *argument, bool main_actor)
{
	sg_host_t host = sg_host_by_name(host_name);
	ensure(host, "no SimGrid host '%s'", host_name);
	struct actor *actor = allocate(1, sizeof(*actor));
	actor->name = allocate_text(name);
	actor->run = run;
	actor->argument = argument;
	CHAIN_APPEND(engine.first_actor, engine.last_actor, actor, next);
	make_ready(actor);

	actor->turn = sg_sem_init(0);
	sg_actor_t started = sg_actor_init(name, host);
	sg_actor_set_data(started, actor);
	sg_actor_start(started, main_actor ? main_actor_main : actor_main, 0, NULL);
	return actor;
}

void actors_free(void)
{
	struct actor *next = engine.first_actor;
	while (next) {
		struct actor *actor = next;
		next = actor->next;
		sg_sem_destroy(actor->turn);
		free(actor->name);
		free(actor);
	}
	engine.first_actor = engine.last_actor = NULL;
	engine.first_ready = engine.last_ready = NULL;
	engine.running = NULL;
}

struct actor *actor_start(
	const char *name, const char *host_name, void (*fn)(void *argument), void *argument)
{
	ensure(engine.ran, "actor '%s' before engine_run_main()", name);
	return actor_create(name, host_name, fn, argument, false);
}

struct actor *actor_self(void)
{
	return engine.running;
}

void actor_set_data(struct actor *actor, void *data)
{
	actor->data = data;
}

void *actor_data(const struct actor *actor)
{
	return actor->data;
}

void actor_block(const char *what)
{
	struct actor *self = engine.running;
	ensure(self, "an event would block: %s", what);
	if (self->wake_kept) {
		self->wake_kept = false;
		cause_release(cause_enter(self->cause));
		self->cause = CAUSE_NONE;
		return;
	}
	self->state = ACTOR_BLOCKED;
	self->what = what;
	self->since_ps = engine.now_ps;
	engine.running = NULL;
	sg_sem_acquire(self->turn);
}

void actor_wake(struct actor *actor)
{
	if (actor->state == ACTOR_BLOCKED)
		make_ready(actor);
	else if (actor->state != ACTOR_ENDED && !actor->wake_kept) {
		actor->wake_kept = true;
		cause_release(actor->cause);
		actor->cause = cause_now();
	}
}
