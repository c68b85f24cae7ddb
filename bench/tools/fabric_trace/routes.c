/* Assigns a route to each packet of a replay, and a semaphore to each increment (see
 * fabric_trace.h). If the devices that receive an increment wait for it on different cores, the
 * increment becomes a separate packet for each device. */
#include <string.h>

#include "bench/tools/noc_trace/noc_trace.h"
#include "fabric_private.h"

enum { ROUTES_MAX = 300 };

struct routing {
	const struct preparing *preparing;
	const struct fabric_device *device;
	struct writing writing; /* used only to find tiles */
	const char *routes[ROUTES_MAX];
	uint32_t route_count;
	struct noc_trace_event *events; /* events of the kernel, with divided increments */
	uint32_t event_count;
};

/* Returns the argument that is the route of an event. Adds the argument if the route is new.
 * Returns ROUTES_MAX if there are too many routes. */
static uint32_t add_route(struct routing *routing, const struct noc_trace_event *event)
{
	const struct fabric_wiring *wiring = routing->preparing->trace->wiring;
	uint32_t places[FABRIC_DEVICES_MAX + 1], parallel = 0, number = 0;
	struct text text;

	(void)fabric_wiring_way(
		wiring, routing->device->id, event->channel, event->hops, places, &parallel);
	text_init(&text);
	for (uint32_t i = 0; i <= event->hops; i++)
		text_printf(&text, "%s%u", i == 0 ? "{route: [" : ", ", places[i]);
	text_printf(&text, "], link: %u, each: %s, ring: %s}", parallel,
		event->each ? "true" : "false", wiring->ring && event->hops > 1 ? "true" : "false");
	while (number < routing->route_count &&
		strcmp(routing->routes[number], text_string(&text)) != 0)
		number++;
	if (number == routing->route_count && number < ROUTES_MAX)
		routing->routes[routing->route_count++] =
			arena_string(routing->preparing->arena, text_string(&text));
	text_fini(&text);
	return number;
}

static void add_event(struct routing *routing, struct noc_trace_event event)
{
	if (event.kind == NOC_TRACE_PACKET)
		event.argument = add_route(routing, &event);
	routing->events[routing->event_count++] = event;
}

/* ---- increments ---- */

/* Sets the tile and the semaphore of an increment that is sent to the device at `place`. Takes
 * those of the kernel that waits for the increment. If no kernel waits for it, takes those of the
 * device's first kernel. Returns true if a kernel waits for the increment. */
static bool set_counter(struct routing *routing, uint32_t place, struct noc_trace_event *event)
{
	struct fabric_device *receiver = fabric_device_at(routing->preparing->trace, place);
	struct noc_trace_kernel *kernel = receiver ? fabric_waiter_of(receiver, event) : NULL;
	bool waits = kernel != NULL;
	uint32_t column = 0, row = 0;

	if (!kernel && receiver && receiver->trace.kernel_count > 0)
		kernel = &receiver->trace.kernels[0];
	if (kernel)
		(void)writing_worker(&routing->writing, kernel->x, kernel->y, &column, &row);
	event->counter_tile =
		routing->writing.geometry
			->worker_tiles[row * routing->writing.geometry->worker_columns + column];
	event->counter = kernel && kernel->second_noc;
	return waits;
}

static void add_increment(struct routing *routing, struct noc_trace_event event)
{
	uint32_t places[FABRIC_DEVICES_MAX + 1], parallel, waiting = 0, hops = event.hops;
	bool alike = true;

	(void)fabric_wiring_way(routing->preparing->trace->wiring, routing->device->id,
		event.channel, event.hops, places, &parallel);
	(void)set_counter(routing, places[hops], &event);
	for (uint32_t i = event.each ? 1 : hops; i <= hops; i++) {
		struct noc_trace_event one = event;

		if (!set_counter(routing, places[i], &one))
			continue;
		alike = alike && (waiting == 0 || (one.counter_tile == event.counter_tile &&
							  one.counter == event.counter));
		event.counter_tile = one.counter_tile;
		event.counter = one.counter;
		waiting++;
	}
	if (alike) {
		add_event(routing, event);
		return;
	}
	event.each = false;
	for (uint32_t i = 1; i <= hops; i++) {
		event.hops = i;
		if (set_counter(routing, places[i], &event))
			add_event(routing, event);
	}
}

/* ---- kernels ---- */

static void route_kernel(struct routing *routing, struct noc_trace_kernel *kernel)
{
	uint32_t most = kernel->event_count;
	struct text lines;

	for (uint32_t i = 0; i < kernel->event_count; i++)
		if (kernel->events[i].kind == NOC_TRACE_PACKET && kernel->events[i].increment)
			most += kernel->events[i].hops;
	routing->events =
		arena_array(routing->preparing->arena, most + 1u, sizeof *routing->events);
	routing->event_count = routing->route_count = 0;
	for (uint32_t i = 0; i < kernel->event_count; i++)
		if (kernel->events[i].kind == NOC_TRACE_PACKET && kernel->events[i].increment)
			add_increment(routing, kernel->events[i]);
		else
			add_event(routing, kernel->events[i]);
	kernel->events = routing->events;
	kernel->event_count = routing->event_count;
	if (routing->route_count == 0)
		return;
	text_init(&lines);
	text_append(&lines, "          arguments:\n");
	for (uint32_t i = 0; i < routing->route_count; i++)
		text_printf(&lines, "            - %s\n", routing->routes[i]);
	kernel->arguments = arena_string(routing->preparing->arena, text_string(&lines));
	text_fini(&lines);
}

bool fabric_routes(const struct preparing *preparing, struct fabric_device *device)
{
	struct routing routing = {.preparing = preparing, .device = device};

	routing.writing = writing_of(preparing->platform, preparing->diag, NULL);
	routing.writing.fabric = true;
	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		struct noc_trace_kernel *kernel = &device->trace.kernels[i];

		route_kernel(&routing, kernel);
		if (routing.route_count < ROUTES_MAX)
			continue;
		diag_error(preparing->diag, kernel->where,
			"a kernel sends over more than %d routes", ROUTES_MAX - 1);
		return false;
	}
	return true;
}
