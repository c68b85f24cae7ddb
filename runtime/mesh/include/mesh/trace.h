/* Traces (spec 3.6, 3.12): a sequence of commands that lie in the DRAM of every device, captured
 * once and replayed by one short command from the host.
 *
 *     trace_begin(queue, &why);
 *     enqueue_workload(queue, ...);                  and others, again and again
 *     trace_end(queue, &why, &trace);
 *     enqueue_trace(queue, trace, 0, false, operation);
 *     trace_free(trace);
 *
 * "Any Fast Dispatch commands on the specified cq_id between this call and end_trace_capture will
 * be captured and serialized to a MeshTrace buffer" (spec 3.6). So between begin and end what is
 * enqueued on that queue is recorded, not run; other queues go on:
 *
 * - workloads, with the arguments that they have then, whatever is set later;
 * - writes and reads of buffers and shards. The data of a write are those of the capture: they are
 * a part of the commands, and the user's memory is free again at once. A read fills the memory that
 *   it was given at every replay, until the trace is gone;
 * - events that are recorded. Each replay records an event of its own (trace_event()), so such a
 *   trace belongs to its queue;
 * - waits, for events of other queues. Each replay waits for the very event that was meant at the
 *   capture, which the second one finds reached.
 *
 * What is no command is refused: whatever blocks or waits on the host (INVALID). And so are
 * commands whose data a trace cannot hold (UNSUPPORTED): of pinned memory, which prefetchers
 * without PCIe cannot read, and writes whose bytes are not simulated.
 *
 * The commands are written at the same address of every device: one copy for all if every
 * command is the same on all devices (and mesh_config.sharded_traces is not set), else each
 * device's own (spec 3.12.2.1). They hold no run numbers, no transaction numbers and no routes, so
 * a trace can be replayed through any queue and any forward path. By broadcast, if the commands are
 * the same everywhere: then the devices' broadcast prefetchers run it, while their depacketizers
 * keep what comes behind it (spec 3.12.2.2).
 *
 * Inside a trace, kernel binaries that are still in the workers' config ring are not sent again;
 * when they do not all fit, those make room whose next use is the farthest, of all that the last
 * launches have not used. Every replay begins with an empty ring: it waits until the workers are
 * idle, and sends every binary at its first use.
 *
 * All workloads of a trace are of one sub-device (mesh/sub_device.h), that of the first: any other
 * is refused with INVALID where it is enqueued. Programs of other sub-devices may run on while it
 * is captured, uploaded and replayed. */
#ifndef MESH_TRACE_H
#define MESH_TRACE_H

#include "base/status.h"
#include "base/text.h"
#include "mesh/event.h"
#include "mesh/mesh.h"

struct mesh_trace; /* opaque */

enum { TRACE_LAUNCHES_MAX = 1 << 14 }; /* workloads in one trace */

/* Starts capturing on `queue`. OK; EXISTS, with a sentence in `why` (may be NULL), if it captures
 * already. */
enum status trace_begin(struct command_queue *queue, struct text *why);

/* Ends capturing, writes the commands to the devices through this queue, and waits for that and for
 * the sub-device of its workloads (without any: trace_sub_devices()). On OK,
 * and on ELIDED (so are data that the queue read before), the caller owns *trace. Errors, with a
 * sentence in `why`: INVALID (nothing has been begun, or nothing captured), OUT_OF_RANGE (more than
 * TRACE_LAUNCHES_MAX workloads), NO_SPACE (not enough DRAM, or of the trace region). The queue
 * captures no more, whatever the result. */
enum status trace_end(struct command_queue *queue, struct text *why, struct mesh_trace **trace);

/* What `queue`, which captures, captures next is operation `number` - 1 of the trace: of a cluster
 * that takes no part in some calls of a trace over several. Not below what it would have been:
 * then it stays as it is. */
void trace_number(struct command_queue *queue, uint32_t number);

/* Replays the trace through a queue of its mesh. Operation i of the trace (from 0, a captured call
 * each) is marked as `first_operation` + i: GO, WORKERS_DONE and so on; 0: not at all. `operation`
 * is the replay's own. Blocking: returns when all devices are done with it. OK; INVALID if the
 * queue captures, or is not the one of a trace with events; NO_SPACE if a buffer in L1 has been
 * allocated since where the workloads' circular buffers lie. */
enum status enqueue_trace(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, bool blocking, uint32_t operation);

/* The same without blocking; and the i-th of its reads, in the order in which they were captured,
 * fills data[i] this time, in place of what it was given: for who has to keep what one replay has
 * read while the next one runs. */
enum status enqueue_trace_into(struct command_queue *queue, struct mesh_trace *trace,
	uint32_t first_operation, void *const *data, uint32_t operation);

/* Gives the memory back. No replay may be under way; the workloads must still be there. NULL is
 * allowed. */
void trace_free(struct mesh_trace *trace);

/* What a trace is made of. */
struct trace_size {
	uint32_t id;	     /* from 1; of no other trace of its mesh device */
	uint32_t operations; /* captured calls, of these: */
	uint32_t writes, reads, records, waits;
	uint32_t workloads;				     /* of these: */
	uint32_t workloads_on_tensix, workloads_on_ethernet; /* with a kernel on such cores */
	uint64_t bytes;	      /* of commands, on the device with the most */
	uint32_t images_sent; /* workloads that send their binaries */
	uint32_t images_kept; /* workloads whose binaries are still there */
	uint32_t ring_waits;  /* workloads that wait for room in the config ring */
	bool replicated;      /* the same commands on every device */
};

struct trace_size trace_size(const struct mesh_trace *trace);

/* The sub-devices that a replay needs, a bit each (mesh/sub_device.h): that of its workloads, and
 * those that its writes, reads and events wait for. A replay that blocks waits for these. */
uint32_t trace_sub_devices(const struct mesh_trace *trace);

/* What a replay does on a device, so that the host can know it without asking. */
struct trace_counts {
	uint32_t launches; /* with a program for the device */
	uint32_t answers; /* of cores that were sent go, whether they had something to run or not */
};

struct trace_counts trace_counts(const struct mesh_trace *trace, uint16_t row, uint16_t column);

/* Fills *event with what the last replay recorded for an event that was captured. NOT_FOUND if
 * there was no replay yet, or the event is not of this trace. */
enum status trace_event(const struct mesh_trace *trace, const struct mesh_event *captured,
	struct mesh_event *event);

/* ---- by their ids (spec 3.6, 3.12.1) ---- */

/* The trace of an id; NULL if there is none, or it has been released. */
struct mesh_trace *trace_find(struct mesh_device *mesh, uint32_t id);

/* enqueue_trace() by id; NOT_FOUND, and nothing has happened, if there is none. */
enum status enqueue_trace_id(struct command_queue *queue, uint32_t id, uint32_t first_operation,
	bool blocking, uint32_t operation);

/* trace_free() by id: OK or NOT_FOUND. */
enum status trace_release(struct mesh_device *mesh, uint32_t id);

#endif
