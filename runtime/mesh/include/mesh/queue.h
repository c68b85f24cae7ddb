/* Operations of a virtual command queue: workloads, writes and reads (spec 3.2, 3.3.5, 3.4.3).
 * Every call takes an operation number from the caller. The points of the operation's life
 * (lists/mark.def) are recorded with this number; if it is 0, they are not recorded. Commands of
 * one queue take effect in order on each device. While a queue captures a trace (mesh/trace.h),
 * non-blocking calls are captured and not run. Blocking calls then return INVALID, and calls that a
 * trace cannot hold return UNSUPPORTED. */
#ifndef MESH_QUEUE_H
#define MESH_QUEUE_H

#include "base/status.h"
#include "mesh/buffer.h"
#include "mesh/event.h"
#include "mesh/program.h"

/* Runs the workload on its device ranges. The first call also writes the workload's binaries to a
 * buffer in DRAM, through this queue. A blocking call returns when all devices are done. Returns
 * OK, or an error of workload_check(); call workload_check() to get the reason. If the workload
 * uses assembled commands or placed binaries, also returns the errors of workload_launch_as()
 * (mesh/assembled.h) and workload_place_binaries() (mesh/description.h). */
enum status enqueue_workload(
	struct command_queue *queue, struct workload *workload, bool blocking, uint32_t operation);

/* Runs the program on all devices (spec 3.7, EnqueueProgram): enqueues program_workload(). */
enum status enqueue_program(
	struct command_queue *queue, struct program *program, bool blocking, uint32_t operation);

/* Writes `data` (mesh_buffer_bytes() bytes) to the buffer. Every device gets its shard, or a copy
 * of the whole buffer if the buffer is replicated. If the call does not block, `data` must stay
 * valid until a later event of this queue has been synchronized.
 *
 * A write with more than elide_above_bytes (struct mesh_config) per device takes the same path at
 * the same cost as other writes, but its bytes are not simulated. `data` is then ignored and may be
 * NULL. Reading such bytes back returns STATUS_ELIDED. */
enum status enqueue_write_buffer(struct command_queue *queue, struct mesh_buffer *buffer,
	const void *data, bool blocking, uint32_t operation);

/* Reads all shards into `data` (mesh_buffer_bytes() bytes), or only the first device's replica if
 * the buffer is replicated. If the call does not block, `data` is complete when a later event of
 * this queue has been synchronized. A blocking read waits only for the devices that it reads
 * (mesh_buffer_read_range()). When it returns, everything that this queue sent to these devices
 * before is complete, including earlier reads. Operations on other devices may still run; only
 * queue_finish() waits for the whole queue. If some of the bytes are not simulated, a blocking read
 * returns ELIDED; after a non-blocking read, the call that synchronizes returns ELIDED. */
enum status enqueue_read_buffer(struct command_queue *queue, struct mesh_buffer *buffer, void *data,
	bool blocking, uint32_t operation);

/* Buffers in system memory. The calling thread itself writes and reads these buffers, after
 * everything that was sent to the queue before is complete. The call blocks until then and during
 * the copy, even if `blocking` is false. While the queue captures a trace, the two functions above
 * return UNSUPPORTED for these buffers. The functions below always return UNSUPPORTED for these
 * buffers.
 *
 * Pinned memory. The next two functions copy a buffer from or to pinned memory, from `offset` (a
 * multiple of HOST_MEMORY_ALIGN) on. Devices transfer the data themselves over PCIe if each
 * device's part is contiguous in the pinned memory, and pages_go_direct() (mesh/device/buffer.h) is
 * true. Otherwise the host copies the data. Until a later event of the queue has been synchronized,
 * callers must not change the memory, and data that are read into it are not yet valid. These
 * transfers are never broadcast and never elided. The functions return OUT_OF_RANGE if the data
 * exceed the memory, and INVALID if `offset` is not aligned. */
enum status enqueue_write_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);
enum status enqueue_read_pinned(struct command_queue *queue, struct mesh_buffer *buffer,
	struct host_memory *memory, uint64_t offset, bool blocking, uint32_t operation);

/* Write or read the part of one device, which has mesh_buffer_device_bytes() bytes. `row` and
 * `column` are the device's position in the mesh. Return OUT_OF_RANGE if the position is outside
 * the mesh. */
enum status enqueue_write_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, const void *data, bool blocking, uint32_t operation);
enum status enqueue_read_shard(struct command_queue *queue, struct mesh_buffer *buffer,
	uint16_t row, uint16_t column, void *data, bool blocking, uint32_t operation);

/* A part of a buffer. If `of_device` is set, the region has pages of only one device, whose
 * position in the mesh is `row` and `column`. Otherwise the region has the same pages of every
 * device. Pages are counted in the order of the buffer. */
struct buffer_region {
	struct page_range pages;
	bool of_device;
	uint16_t row, column;
};

/* Write or read a part of a buffer (spec 3.3.5). `data` has the size and layout of the whole
 * buffer, or of one device's part if `of_device` is set. Of `data`, the functions use only the
 * bytes of the region. Return OUT_OF_RANGE if the region has no pages, or is not within the buffer
 * and the mesh. Return UNSUPPORTED for buffers in system memory. */
enum status enqueue_write_region(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct buffer_region *region, const void *data, bool blocking, uint32_t operation);
enum status enqueue_read_region(struct command_queue *queue, struct mesh_buffer *buffer,
	const struct buffer_region *region, void *data, bool blocking, uint32_t operation);

#endif
