/* Asynchronous SimGrid communications, which events and actors can start. SimGrid's C API has no
 * asynchronous communication between two given hosts, so blocking communications are used. A pool
 * of SimGrid actors, called carriers, executes them. */
#include "engine_private.h"

#include <stdlib.h>

#include <simgrid/host.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct carrier {
	struct carrier *next_idle, *next;
	sg_sem_t load; /* released when the carrier gets a communication */
	sg_host_t from, to;
	uint64_t bytes;
	engine_run *run;
	void *subject;
	uint64_t argument;
	cause_id cause; /* cause of the communication */
	enum charge rest;
};

struct endpoint *engine_endpoint(const char *host_name)
{
	sg_host_t host = sg_host_by_name(host_name);

	ensure(host, "no SimGrid host '%s'", host_name);
	return (struct endpoint *)(void *)host;
}

/* Advances engine.now_ps to SimGrid's clock, but not beyond the time of the next event. SimGrid's
 * clock is a double, so it may be a picosecond after this event by rounding. Does nothing while an
 * actor runs, because the two clocks are then equal. */
static void catch_up(void)
{
	int64_t clock_ps = simgrid_now_ps();
	int64_t first_ps = heap_first_ps(&engine.heap);

	if (clock_ps > first_ps)
		clock_ps = first_ps;
	if (!engine.running && clock_ps > engine.now_ps)
		engine.now_ps = clock_ps;
}

static void carry(int count, char **arguments)
{
	struct carrier *self = sg_actor_self_get_data();

	(void)count;
	(void)arguments;
	for (;;) {
		sg_sem_acquire(self->load);
		sg_host_sendto(self->from, self->to, (double)self->bytes);
		catch_up();
		cause_enter(self->cause);
		cause_rest(self->rest);
		engine_push(engine.now_ps, self->run, self->subject, self->argument);
		cause_release(cause_enter(CAUSE_NONE));
		self->next_idle = engine.idle_carriers;
		engine.idle_carriers = self;
		engine_activity_end();
		if (engine.loop_waits)
			sg_sem_release(engine.loop_wake);
	}
}

static struct carrier *carrier_new(sg_host_t host)
{
	struct carrier *carrier = allocate(1, sizeof(*carrier));
	sg_actor_t actor;

	carrier->load = sg_sem_init(0);
	carrier->next = engine.carriers;
	engine.carriers = carrier;
	actor = sg_actor_init("carrier", host);
	sg_actor_set_data(actor, carrier);
	sg_actor_start(actor, carry, 0, NULL);
	return carrier;
}

void engine_transfer(
	const struct transfer *transfer, engine_run *run, void *subject, uint64_t argument)
{
	struct carrier *carrier = engine.idle_carriers;

	ensure(transfer->from != transfer->to, "a communication inside one host");
	engine_activity_begin();
	if (carrier)
		engine.idle_carriers = carrier->next_idle;
	else
		carrier = carrier_new((sg_host_t)(void *)transfer->from);
	carrier->from = (sg_host_t)(void *)transfer->from;
	carrier->to = (sg_host_t)(void *)transfer->to;
	carrier->bytes = transfer->bytes;
	carrier->run = run;
	carrier->subject = subject;
	carrier->argument = argument;
	carrier->cause = cause_now();
	carrier->rest = (enum charge)causes.rest;
	cause_rest(CHARGE_NOTHING);
	sg_sem_release(carrier->load);
}

void carriers_free(void)
{
	while (engine.carriers) {
		struct carrier *carrier = engine.carriers;

		engine.carriers = carrier->next;
		sg_sem_destroy(carrier->load);
		free(carrier);
	}
	engine.idle_carriers = NULL;
}
