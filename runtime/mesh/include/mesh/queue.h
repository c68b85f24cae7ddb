/* Operations of a virtual command queue: workloads, writes and reads (spec 3.2, 3.3.5, 3.4.3).
 * Every call takes the caller's operation number (0: none), with which the stages of its life are
 * marked (lists/mark.def). Commands of one queue take effect in order on each device. While a queue
 * captures a trace (mesh/trace.h), non-blocking calls are recorded and not run; blocking calls
 * return INVALID, and calls that a trace cannot hold UNSUPPORTED. */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "base/status.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/program.h"

/* Runs the workload on its device ranges. On the first use its binaries are written to a buffer in
 * DRAM, through this queue. Blocking: returns when all devices are done. Errors of
 * workload_check(), which explains them in a sentence. */
enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation);

/* Runs the program on all devices (spec 3.7, EnqueueProgram): program_workload(), as above. */
enum status enqueue_program(
	struct command_queue *queue, struct program *program, bool blocking, uint32_t operation);

/* Writes the buffer: every device's replica or shard of `data` (mesh_buffer_bytes()). Unless the
 * call blocks, `data` must stay valid until a later event of this queue has been synchronized.
 *
 * Writes above the configured elide_above_bytes take the same path at the same cost, but their
 * bytes are not simulated: `data` is ignored and may be NULL, and reading such bytes back returns
 * STATUS_ELIDED. */
enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation);

/* Reads all shards into `data` (mesh_buffer_bytes()), or the replica of the first device. Unless
 * the call blocks, `data` is filled when a later event of this queue has been synchronized. A
 * blocking read waits only for the devices that it reads (mesh_buffer_read_range()): everything
 * that this queue sent to these devices earlier is then complete, data of earlier reads included,
 * but operations on other devices may not be. Only queue_finish() waits for the whole queue. ELIDED
 * if bytes are not simulated (if blocking; otherwise the synchronizing call reports it). */
enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation);

/* Buffers in system memory are written and read by the calling thread, after everything sent to the
 * queue earlier is complete: the call blocks for that, and for the copy, whatever `blocking` is. In
 * a capture they are UNSUPPORTED, as are the calls below for such buffers.
 *
 * The same from and to pinned memory, from `offset` (a multiple of HOST_MEMORY_ALIGN) on. Devices
 * transfer the data themselves over PCIe if pages lie in the memory as they do on the device: pages
 * need no padding, each device's part is contiguous, and shards are contiguous for some KiB. The
 * host copies the rest. Until a later event of the queue has been synchronized, the memory must not
 * be changed and data read are not yet valid. Never broadcast, never elided. OUT_OF_RANGE (outside
 * the memory), INVALID (alignment). */
enum status enqueue_write_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);
enum status enqueue_read_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);

/* The same for the part of one device (mesh_buffer_device_bytes()). OUT_OF_RANGE outside the mesh.
 */
enum status enqueue_write_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, const void *data, bool blocking, uint32_t operation);
enum status enqueue_read_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, void *data, bool blocking, uint32_t operation);

#endif
