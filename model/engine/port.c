/* A port: a server with a bounded number of slots per virtual channel. Requests for a slot are
 * served in order of arrival. */
#include "engine/server.h"

#include <string.h>

#include "base/ensure.h"
#include "engine/engine.h"

void port_init(struct port *port, const char *name, uint32_t slots, uint32_t channels)
{
	ensure(slots > 0 && channels >= 1 && channels <= 4, "port '%s': %u slots, %u channels",
		name ? name : "", slots, channels);
	memset(port, 0, sizeof(*port));
	port->name = name;
	port->slots = slots;
	port->channels = channels;
	for (uint32_t c = 0; c < channels; c++)
		port->free[c] = slots;
}

/* Shows how many slots of all channels are in use now. */
static void show(const struct port *port)
{
	uint32_t used = 0;
	for (uint32_t c = 0; c < port->channels; c++)
		used += port->slots - port->free[c];
	watch_depth(port->track, engine_now(), used);
}

static void engine_port_take(struct port *port, uint32_t channel)
{
	uint32_t used = port->slots - --port->free[channel];
	if (used > port->high_water[channel])
		port->high_water[channel] = used;
	port->taken++;
	if (port->track != 0)
		show(port);
}

bool port_try_take(struct port *port, uint32_t channel)
{
	ensure(channel < port->channels, "channel %u of %u", channel, port->channels);
	if (port->free[channel] == 0)
		return false; /* a request waits, so no slot is free */
	engine_port_take(port, channel);
	return true;
}

bool port_take(struct port *port, uint32_t channel, struct port_waiter *waiter)
{
	if (port_try_take(port, channel))
		return true;
	waiter->next = NULL;
	waiter->since_ps = engine_now();
	if (port->first[channel])
		port->last[channel]->next = waiter;
	else
		port->first[channel] = waiter;
	port->last[channel] = waiter;
	port->blocked++;
	if (++port->waiting > port->waiting_high_water)
		port->waiting_high_water = port->waiting;
	return false;
}

void port_give(struct port *port, uint32_t channel)
{
	ensure(channel < port->channels && port->free[channel] < port->slots,
		"port '%s', channel %u: a slot that was not taken", port->name ? port->name : "",
		channel);
	port->free[channel]++;
	if (port->track != 0)
		show(port);
	struct port_waiter *waiter = port->first[channel];
	if (!waiter)
		return;
	port->first[channel] = waiter->next;
	engine_port_take(port, channel);
	port->waiting--;
	port->blocked_ps += engine_now() - waiter->since_ps;
	engine_push(engine_now(), waiter->granted, waiter->subject, waiter->argument);
}
