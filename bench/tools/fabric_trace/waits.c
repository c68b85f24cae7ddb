/* Finds out where recorded kernels wait for increments from other devices. Computes from these
 * waits when each device was launched (see fabric_trace.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "fabric_private.h"

enum { WAIT_RATIO = 2 }; /* a wait is more than this many times as long as every other gap */

/* Returns the index of the event after which a kernel waits for other devices. Returns the number
 * of events if the kernel does not wait. The wait itself is not recorded, because the kernel polls
 * in a loop. The longest gap between two events counts as the wait, if it comes after the first
 * packet and is longer than WAIT_RATIO times every other gap. */
static uint32_t find_wait(const struct noc_trace_kernel *kernel)
{
	uint32_t at = kernel->event_count;
	uint64_t longest = 0, second = 0;
	bool sent = false;

	for (uint32_t i = 0; i + 1 < kernel->event_count; i++) {
		const struct noc_trace_event *event = &kernel->events[i];
		uint64_t gap = event[1].at > event->end ? event[1].at - event->end : 0;

		sent = sent || event->kind == NOC_TRACE_PACKET;
		if (gap > longest) {
			second = longest;
			longest = gap;
			at = sent ? i : kernel->event_count;
		} else if (gap > second) {
			second = gap;
		}
	}
	return longest > WAIT_RATIO * second ? at : kernel->event_count;
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The median time between events of a kernel. */
static uint64_t median_gap(const struct noc_trace_kernel *kernel)
{
	uint64_t *gaps = allocate(kernel->event_count, sizeof *gaps), median;
	uint32_t count = 0;

	for (uint32_t i = 0; i + 1 < kernel->event_count; i++)
		if (kernel->events[i + 1].at > kernel->events[i].end)
			gaps[count++] = kernel->events[i + 1].at - kernel->events[i].end;
	qsort(gaps, count, sizeof *gaps, by_length);
	median = gaps[count / 2];
	free(gaps);
	return median;
}

/* Inserts a wait after event `at`. The trace does not contain the end of the wait. So it is assumed
 * that the next event follows this end after the median time between two events of the kernel. */
static void insert_wait(struct arena *arena, struct noc_trace_kernel *kernel, uint32_t at)
{
	uint64_t work = median_gap(kernel);
	struct noc_trace_event *events =
		arena_array(arena, kernel->event_count + 1u, sizeof *events);

	memcpy(events, kernel->events, (at + 1u) * sizeof *events);
	memcpy(events + at + 2, kernel->events + at + 1,
		(kernel->event_count - at - 1u) * sizeof *events);
	events[at + 1] = (struct noc_trace_event){.kind = NOC_TRACE_WAIT,
		.at = events[at].end,
		.end = events[at + 2].at - work,
		.where = events[at].where};
	kernel->events = events;
	kernel->event_count++;
}

/* Returns the wait of a kernel, or NULL. */
struct noc_trace_event *fabric_wait_of(const struct noc_trace_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->event_count; i++)
		if (kernel->events[i].kind == NOC_TRACE_WAIT)
			return &kernel->events[i];
	return NULL;
}

/* Returns the kernel of a device that waits for `increment`. This is a waiting kernel on the core
 * to which the increment goes. If none waits there, it is assumed to be the first waiting kernel of
 * the device. Returns NULL if no kernel of the device waits. */
struct noc_trace_kernel *fabric_waiter_of(
	const struct fabric_device *device, const struct noc_trace_event *increment)
{
	struct noc_trace_kernel *found = NULL;

	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		struct noc_trace_kernel *kernel = &device->trace.kernels[i];

		if (!fabric_wait_of(kernel))
			continue;
		if (kernel->x == increment->x && kernel->y == increment->y)
			return kernel;
		if (!found)
			found = kernel;
	}
	return found;
}

/* Calls `found` for each kernel that waits for an increment of this event. */
static void each_waiter(const struct fabric_trace *trace, const struct fabric_device *device,
	const struct noc_trace_event *event,
	void (*found)(struct noc_trace_event *wait, void *context), void *context)
{
	uint32_t places[FABRIC_DEVICES_MAX + 1], parallel;

	if (event->kind != NOC_TRACE_PACKET || !event->increment)
		return;
	(void)fabric_wiring_way(
		trace->wiring, device->id, event->channel, event->hops, places, &parallel);
	for (uint32_t i = event->each ? 1 : event->hops; i <= event->hops; i++) {
		struct fabric_device *receiver = fabric_device_at(trace, places[i]);
		struct noc_trace_kernel *kernel =
			receiver ? fabric_waiter_of(receiver, event) : NULL;

		if (kernel)
			found(fabric_wait_of(kernel), context);
	}
}

static void count_wanted(struct noc_trace_event *wait, void *context)
{
	(void)context;
	wait->wanted++;
}

/* Calls `found`, through each_waiter(), for every event that kernels have reached so far. A kernel
 * that still waits (the member `each` of its wait is false) has reached only the events before this
 * wait. If `all` is set, takes all events. */
static void each_increment(const struct fabric_trace *trace, bool all,
	void (*found)(struct noc_trace_event *wait, void *context))
{
	for (uint32_t i = 0; i < trace->device_count; i++)
		for (uint32_t k = 0; k < trace->devices[i].trace.kernel_count; k++) {
			const struct noc_trace_kernel *kernel = &trace->devices[i].trace.kernels[k];

			for (uint32_t e = 0; e < kernel->event_count; e++) {
				if (kernel->events[e].kind == NOC_TRACE_WAIT && !all &&
					!kernel->events[e].each)
					break;
				each_waiter(
					trace, &trace->devices[i], &kernel->events[e], found, NULL);
			}
		}
}

static void count_sent(struct noc_trace_event *wait, void *context)
{
	(void)context;
	wait->bytes++;
}

/* The event of a wait has three members with a special meaning: `wanted` is the number of
 * increments that end the wait, `bytes` counts the increments that were sent for it, and `each` is
 * true if it is over. Ends each wait for which enough increments were sent. If `all` is set, first
 * lowers `wanted` to the number that were sent, and so ends all waits. Sets *left to true if some
 * waits are not over. Returns true if a wait has ended. */
static bool end_waits(const struct fabric_trace *trace, bool all, bool *left)
{
	bool ended = false;

	*left = false;
	for (uint32_t i = 0; i < trace->device_count; i++)
		for (uint32_t k = 0; k < trace->devices[i].trace.kernel_count; k++) {
			struct noc_trace_event *wait =
				fabric_wait_of(&trace->devices[i].trace.kernels[k]);

			if (wait && !wait->each && (all || wait->bytes >= wait->wanted)) {
				if (all)
					wait->wanted = wait->bytes;
				wait->each = ended = true;
			}
			*left |= wait && !wait->each;
			if (wait)
				wait->bytes = 0;
		}
	return ended;
}

/* Makes sure that all waits end in the replay. In the replay, kernels could wait for each other so
 * that none of their waits would ever end. Each of these kernels then waits only for as many
 * increments as were sent. */
static void settle_waits(const struct fabric_trace *trace)
{
	bool left = true;

	while (left) {
		each_increment(trace, false, count_sent);
		if (!end_waits(trace, false, &left) && left) {
			each_increment(trace, false, count_sent);
			(void)end_waits(trace, true, &left);
		}
	}
}

/* Sets the measured duration of the device and its longest wait. A wait for which no increments are
 * sent becomes a mark with the same recorded time, so the replay does not wait there. */
static void finish_waits(struct fabric_device *device)
{
	device->measured = device->trace.cycles;
	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		struct noc_trace_kernel *kernel = &device->trace.kernels[i];
		struct noc_trace_event *wait = fabric_wait_of(kernel);

		if (kernel->end > device->measured)
			device->measured = kernel->end;
		if (!wait)
			continue;
		wait->counter = kernel->second_noc;
		wait->each = false;
		if (wait->wanted == 0)
			wait->kind = NOC_TRACE_MARK;
		else if (wait->end - wait->at > device->waited)
			device->waited = wait->end - wait->at;
	}
}

/* Computes when each device was launched. Assumes that all devices ended at the same time if at
 * least one device waits for another. Otherwise assumes that all devices were launched at the same
 * time. */
static void find_launches(struct fabric_trace *trace)
{
	struct fabric_device *devices = trace->devices;
	uint64_t longest = 0;
	bool waits = false;

	for (uint32_t i = 0; i < trace->device_count; i++) {
		waits |= devices[i].waited > 0;
		if (devices[i].measured > longest)
			longest = devices[i].measured;
	}
	trace->last = 0;
	for (uint32_t i = 0; i < trace->device_count; i++) {
		devices[i].launch = waits ? longest - devices[i].measured : 0;
		if (waits ? devices[i].measured < devices[trace->last].measured
			  : devices[i].measured > devices[trace->last].measured)
			trace->last = i;
	}
}

void fabric_waits(struct fabric_trace *trace, struct arena *arena)
{
	for (uint32_t i = 0; i < trace->device_count; i++)
		for (uint32_t k = 0; k < trace->devices[i].trace.kernel_count; k++) {
			struct noc_trace_kernel *kernel = &trace->devices[i].trace.kernels[k];
			uint32_t at = find_wait(kernel);

			if (at < kernel->event_count)
				insert_wait(arena, kernel, at);
		}
	each_increment(trace, true, count_wanted);
	settle_waits(trace);
	for (uint32_t i = 0; i < trace->device_count; i++)
		finish_waits(&trace->devices[i]);
	find_launches(trace);
}
