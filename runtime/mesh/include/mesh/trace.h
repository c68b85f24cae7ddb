/* Traces (spec 3.6, 3.12): a command sequence that lies in the DRAM of every device. It is captured
 * once and replayed by one short command from the host.
 *
 *     trace_begin(queue, &why);
 *     enqueue_workload(queue, ...);                  and others, any number of times
 *     trace_end(queue, &why, &trace);
 *     enqueue_trace(queue, trace, 0, false, operation);
 *     trace_free(trace);
 *
 * "Any Fast Dispatch commands on the specified cq_id between this call and end_trace_capture will
 * be captured and serialized to a MeshTrace buffer" (spec 3.6). So between begin and end, commands
 * enqueued on that queue are recorded, not run; other queues run on. Recorded are:
 *
 * - workloads, with the arguments that they have at that time; later changes have no effect;
 * - writes and reads of buffers and shards. The data of a write are copied into the commands at
 *   capture, so the user's memory is free at once. A read fills the memory given at capture at
 *   every replay, until the trace is freed;
 * - recorded events. Each replay records an event of its own (trace_event()), so such a trace
 *   belongs to its queue;
 * - waits for events of other queues. Each replay waits for the very event given at capture, so
 *   from the second replay on that event has been reached already.
 *
 * Calls that block or wait on the host cannot be captured (INVALID). Nor can commands whose data a
 * trace cannot hold (UNSUPPORTED): transfers of pinned memory, which prefetchers without PCIe
 * cannot read, and writes whose bytes are not simulated.
 *
 * The commands are written at the same address of every device: one copy for all if every command
 * is the same on all devices (and mesh_config.sharded_traces is not set), else one per device (spec
 * 3.12.2.1). They contain no run numbers, no transaction numbers and no routes, so a trace can be
 * replayed through any queue and any forward path. A replay is broadcast if the commands are the
 * same everywhere: then the devices' broadcast prefetchers run it, while their depacketizers hold
 * back later commands (spec 3.12.2.2).
 *
 * Inside a trace, kernel binaries that are still in the workers' config ring are not sent again.
 * When they do not all fit, the binaries with the farthest next use are replaced first, among those
 * that the last launches have not used. Every replay begins with an empty ring: it waits until the
 * workers are idle, and sends every binary at its first use.
 *
 * All workloads of a trace belong to one sub-device (mesh/sub_device.h), that of the first:
 * enqueueing a workload of another is INVALID. Programs of other sub-devices may keep running while
 * a trace is captured, uploaded and replayed. */
#ifndef MESH_TRACE_H
#define MESH_TRACE_H

#include "base/status.h"
#include "base/text.h"
#include "mesh/event.h"
#include "mesh/mesh.h"

struct mesh_trace; /* opaque */

enum { TRACE_LAUNCHES_MAX = 1 << 14 }; /* workloads in one trace */

/* Starts capturing on `queue`. EXISTS, with a sentence in `why` (may be NULL), if it is capturing
 * already. */
enum status trace_begin(struct command_queue *queue, struct text *why);

/* Ends capturing, writes the commands to the devices through this queue, and waits for that and for
 * the sub-device of its workloads (without any: trace_sub_devices()). On OK, and on ELIDED (data
 * that the queue read earlier were elided), the caller owns *trace. Errors, with a sentence in
 * `why`: INVALID (no capture begun, or nothing captured), OUT_OF_RANGE (more than
 * TRACE_LAUNCHES_MAX workloads), NO_SPACE (not enough DRAM, or not enough room in the trace
 * region). The queue stops capturing whatever the result. */
enum status trace_end(struct command_queue *queue, struct text *why, struct mesh_trace **trace);

/* Makes the next captured call of `queue` operation `number` - 1 of the trace, for a cluster that
 * takes no part in some calls of a trace over several clusters. A number lower than the current one
 * has no effect. */
void trace_number(struct command_queue *queue, uint32_t number);

/* Replays the trace through a queue of its mesh. Operation i of the trace (from 0, one per captured
 * call) is marked as `first_operation` + i: GO, WORKERS_DONE and so on; 0: not marked. `operation`
 * is the replay's own. Blocking: returns when all devices are done with it. Errors: INVALID if the
 * queue is capturing, or if the trace has events and belongs to another queue; NO_SPACE if a buffer
 * in L1 has since been allocated over the workloads' circular buffers. */
enum status enqueue_trace(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, bool blocking, uint32_t operation);

/* The same without blocking; this replay stores the i-th read, in order of capture, into data[i]
 * instead of the captured destination. For callers that keep the data of one replay while the next
 * one runs. */
enum status enqueue_trace_into(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, uint32_t operation);

/* Frees the trace. No replay may be under way, and its workloads must still exist. NULL is allowed.
 */
void trace_free(struct mesh_trace *trace);

/* What a trace is made of. */
struct trace_size {
	uint32_t id;	     /* from 1; unique in its mesh device */
	uint32_t operations; /* captured calls, of these: */
	uint32_t writes, reads, records, waits;
	uint32_t workloads;				     /* of these: */
	uint32_t workloads_on_tensix, workloads_on_ethernet; /* with a kernel on such cores */
	uint64_t bytes;	      /* of commands, on the device with the most */
	uint32_t images_sent; /* workloads that send their binaries */
	uint32_t images_kept; /* workloads whose binaries are still in the config ring */
	uint32_t ring_waits;  /* workloads that wait for room in the config ring */
	bool replicated;      /* the same commands on every device */
};

struct trace_size trace_size(const struct mesh_trace *trace);

/* The sub-devices that a replay needs, a bit each (mesh/sub_device.h): that of its workloads, and
 * those that its writes, reads and events wait for. A blocking replay waits for these. */
uint32_t trace_sub_devices(const struct mesh_trace *trace);

/* Counts of a replay on one device, known to the host without asking the device. */
struct trace_counts {
	uint32_t launches; /* with a program for the device */
	uint32_t answers; /* of cores that received a go signal, with or without a program to run */
};

struct trace_counts trace_counts(const struct mesh_trace *trace, uint16_t row, uint16_t column);

/* Fills *event with the event that the last replay recorded for a captured one. NOT_FOUND if there
 * was no replay yet, or the event is not of this trace. */
enum status trace_event(const struct mesh_trace *trace, const struct mesh_event *captured,
	struct mesh_event *event);

/* ---- by their ids (spec 3.6, 3.12.1) ---- */

/* The trace of an id; NULL if there is none, or it has been released. */
struct mesh_trace *trace_find(struct mesh_device *mesh, uint32_t id);

/* enqueue_trace() by id; NOT_FOUND, without any effect, if there is no such trace. */
enum status enqueue_trace_id(struct command_queue *queue, uint32_t id, uint32_t first_operation,
	bool blocking, uint32_t operation);

/* trace_free() by id: OK or NOT_FOUND. */
enum status trace_release(struct mesh_device *mesh, uint32_t id);

#endif
