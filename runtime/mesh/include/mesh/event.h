/* Events: points in the stream of a command queue. Other queues, or the host, can wait for an event
 * (spec 3.5). All queues of a mesh take event ids from one counter, so the ids within one queue may
 * skip values (spec 3.11.3). */
#ifndef MESH_EVENT_H
#define MESH_EVENT_H

#include <stdbool.h>

#include "base/status.h"
#include "mesh/mesh.h"

/* This id never belongs to an event. A wait for it never ends. */
#define EVENT_NEVER UINT32_C(0x40000000)

/* Filled in by enqueue_record_event(). Callers may read and copy the members. */
struct mesh_event {
	struct command_queue *queue;
	struct device_range range;
	uint32_t id;
	bool to_host;	    /* if false, only other queues can wait for the event */
	uint32_t operation; /* operation number of the recording call */
	uint32_t capture;   /* id of the trace that captured the event (trace_event()); 0: none */
};

/* Records an event on the devices of `range` of the queue, and fills in *event. The event is
 * reached when everything that was enqueued before the event is complete. If `to_host` is set, the
 * devices also notify the host (spec 3.5, EnqueueRecordMeshEventToHost). `operation` is the number
 * under which the call is recorded; 0: the call is not recorded. Returns OK, or OUT_OF_RANGE if the
 * range is not within the mesh. */
enum status enqueue_record_event(struct command_queue *queue, struct device_range range,
	bool to_host, uint32_t operation, struct mesh_event *event);

/* Records an event that waits for everything that was enqueued before it, except programs of
 * sub-devices that are not in `sub_devices` (one bit each, mesh/sub_device.h). Such programs may
 * still run when the event is reached. */
enum status enqueue_record_event_of(struct command_queue *queue, struct device_range range,
	uint32_t sub_devices, bool to_host, uint32_t operation, struct mesh_event *event);

/* Makes `queue` wait, on the devices of the event's range, until these devices have recorded the
 * event. The devices wait; the host takes no part. If `queue` itself has recorded the event before
 * this call, no command is needed, and the devices do not wait. If `queue` records the event only
 * after this call, the wait blocks the queue for ever. If the queue is capturing a trace, every
 * replay waits for this one event.
 *
 * Returns OK or INVALID. After INVALID, nothing is enqueued. Returns INVALID if the event belongs
 * to another mesh device, because only the host can order two mesh devices (event_synchronize()).
 * Also returns INVALID if another trace captured the event, because each replay of that trace
 * records a new event (trace_event()). */
enum status enqueue_wait_event(
	struct command_queue *queue, const struct mesh_event *event, uint32_t operation);

/* Blocks until every device of the event's range has notified the host, or until deadline_ns. If it
 * returns OK, all non-blocking reads that the queue enqueued before the event are complete too.
 * Returns ELIDED if data of these reads are not simulated, and TIMEOUT after the deadline. Returns
 * INVALID if the event does not notify the host, or if a trace captured the event. */
enum status event_synchronize(const struct mesh_event *event, int64_t deadline_ns);

/* Returns true if every device of the event's range has notified the host, so that
 * event_synchronize() would not block. Returns false if the event does not notify the host, or if a
 * trace captured the event. */
bool event_query(const struct mesh_event *event);

/* Returns true if event_query() may be called for this event while another thread calls functions
 * of the same mesh. The mesh must stay open during the query. The answer depends on the event path
 * (runtime.completion). */
bool event_asked_apart(const struct mesh_event *event);

/* Records an event on all devices of the queue and waits for it (spec 3.5, Finish). Marks SEEN.
 * Returns OK, ELIDED or TIMEOUT as event_synchronize() does, and INVALID if the queue captures a
 * trace. */
enum status queue_finish(struct command_queue *queue, uint32_t operation, int64_t deadline_ns);

/* Waits until the queue is finished, as queue_finish() does, except that it waits only for programs
 * of `sub_devices` (one bit each). Programs of other sub-devices may still run when the call
 * returns. */
enum status queue_finish_of(
	struct command_queue *queue, uint32_t sub_devices, uint32_t operation, int64_t deadline_ns);

/* Returns true if the host knows that everything in the queue is complete: nothing was sent since a
 * call that blocked until all devices were done, for example a finish. Reads only state of the
 * host, and takes no simulated time. */
bool queue_is_finished(const struct command_queue *queue);

#endif
