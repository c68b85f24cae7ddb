/* Operations of a virtual command queue: workloads, writes and reads (spec 3.2, 3.3.5, 3.4.3).
 * Every call takes the caller's operation number (0: none), with which the stages of the operation
 * are marked (lists/mark.def). Commands of one queue take effect in order on each device. While a
 * queue captures a trace (mesh/trace.h), non-blocking calls are recorded and not run. Blocking
 * calls then return INVALID, and calls that a trace cannot hold return UNSUPPORTED. */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "base/status.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/program.h"

/* Runs the workload on its device ranges. The first call also writes the workload's binaries to a
 * buffer in DRAM, through this queue. A blocking call returns when all devices are done. Returns
 * the errors of workload_check(), which explains them in a sentence. */
enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation);

/* Runs the program on all devices (spec 3.7, EnqueueProgram): enqueues program_workload(). */
enum status enqueue_program(
	struct command_queue *queue, struct program *program, bool blocking, uint32_t operation);

/* Writes `data` (mesh_buffer_bytes()) to the buffer: every device gets its shard, or the replica.
 * If the call does not block, `data` must stay valid until a later event of this queue has been
 * synchronized.
 *
 * Writes above the configured elide_above_bytes take the same path at the same cost, but their
 * bytes are not simulated: `data` is ignored and may be NULL, and reading such bytes back returns
 * STATUS_ELIDED. */
enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation);

/* Reads all shards into `data` (mesh_buffer_bytes()), or the replica of the first device. If the
 * call does not block, `data` is filled when a later event of this queue has been synchronized. A
 * blocking read waits only for the devices that it reads (mesh_buffer_read_range()). Everything
 * that this queue sent to these devices earlier is then complete, including data of earlier reads.
 * Operations on other devices may still run; only queue_finish() waits for the whole queue. If
 * bytes are not simulated, a blocking read returns ELIDED; for other reads, the synchronizing call
 * returns ELIDED. */
enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation);

/* Buffers in system memory: the calling thread writes and reads these buffers itself, after
 * everything sent to the queue earlier is complete. The call blocks for that and for the copy, even
 * if `blocking` is false. In a capture such calls are UNSUPPORTED, as are the calls below for such
 * buffers.
 *
 * Pinned memory: the next two functions write a buffer from pinned memory and read it into pinned
 * memory, from `offset` (a multiple of HOST_MEMORY_ALIGN) on. Devices transfer the data themselves
 * over PCIe if pages lie in the memory as they do on the device: pages need no padding, each
 * device's part is contiguous, and shards are contiguous for some KiB. The host copies the rest.
 * Until a later event of the queue has been synchronized, the memory must not be changed and data
 * read are not yet valid. These transfers are never broadcast and never elided. Errors:
 * OUT_OF_RANGE (outside the memory), INVALID (alignment). */
enum status enqueue_write_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);
enum status enqueue_read_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);

/* Write and read the part of one device (mesh_buffer_device_bytes()). `row` and `column` are the
 * device's place in the mesh. Return OUT_OF_RANGE if the place is outside the mesh. */
enum status enqueue_write_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, const void *data, bool blocking, uint32_t operation);
enum status enqueue_read_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, void *data, bool blocking, uint32_t operation);

#endif
