/* What is enqueued on a virtual command queue: workloads, writes and reads
 * (spec 3.2, 3.3.5, 3.4.3). Every call takes the caller's operation number (0: none), with which
 * the stages of its life are marked (world/mark.def). Commands of one queue take effect in order on
 * each device. While a queue captures a trace (mesh/trace.h), what is not blocking is recorded in
 * place of running; what blocks is INVALID, and what a trace cannot hold UNSUPPORTED. */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "base/status.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/host_memory.h"
#include "mesh/program.h"

/* Runs the workload on its device ranges. On the first use its binaries are written to a buffer in
 * DRAM, through this queue. Blocking: returns when all devices are done. Errors as
 * of workload_check(), which says more. */
enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation);

/* Runs the program on all devices (spec 3.7, EnqueueProgram): program_workload(), as above. */
enum status enqueue_program(
	struct command_queue *queue, struct program *program, bool blocking, uint32_t operation);

/* Writes above the configured elide_above_bytes take the same way at the same cost, but their bytes
 * are not simulated: `data` is not looked at and may be NULL; reading them back is STATUS_ELIDED.
 *
 * Writes the buffer: every device's replica or shard of `data` (mesh_buffer_bytes()). If it is not
 * blocking, `data` must stay valid until a later event of this queue has been synchronized. */
enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation);

/* Reads all shards into `data` (mesh_buffer_bytes()), or the replica of the first device. If it is
 * not blocking, `data` is filled when a later event of this queue has been synchronized. A blocking
 * read waits for the devices that it reads (mesh_buffer_read_range()) and for no others: what this
 * queue sent to these devices before it is complete, data of earlier reads included; of operations
 * that reach further it tells nothing. Only queue_finish() waits for the whole queue. ELIDED if
 * bytes are not simulated (blocking; otherwise reported by the synchronizing call). */
enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation);

/* Buffers in system memory are written and read by the calling thread itself, when all that the
 * queue was sent before is complete: the call blocks for that, and for the copy, whatever
 * `blocking` says. In a capture they are UNSUPPORTED, as are the calls below for such buffers.
 *
 * The same from and to pinned memory, from `offset` (a multiple of HOST_MEMORY_ALIGN) on. Devices
 * read and write it themselves, over PCIe, where pages lie in it as they do on the device (they
 * need no padding, each device's part is one piece, and shards follow each other for some KiB); the
 * host copies the rest. Until a later event of the queue has been synchronized the memory may not
 * be stored to, and what is read is not there. Never broadcast, never elided. OUT_OF_RANGE (outside
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
