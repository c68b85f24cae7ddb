/* Pinned host memory: a part of the host window that holds the user's data. */
#include "mesh/device/buffer.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/extent.h"
#include "base/refuse.h"
#include "mesh/device/device.h"
#include "mesh/plan/plan.h"

enum { STORE_MOST = 1 << 20 }; /* maximum number of bytes of one read or write */

enum status host_memory_new(
	struct mesh_device *mesh, uint64_t bytes, struct text *why, struct host_memory **memory)
{
	struct host_memory *made = allocate(1, sizeof(*made));
	enum status status;

	ensure(bytes > 0, "pinned memory of no bytes");
	world->work(WORK_API_CALL, 1);
	made->mesh = mesh;
	made->cluster = mesh->cluster;
	made->bytes = bytes;
	status = device_row->window_reserve(mesh->cluster, "pinned memory", bytes, &made->address);
	if (status != STATUS_OK) {
		free(made);
		return refuse(why, status, "no room for %llu B in the host window",
			(unsigned long long)bytes);
	}
	*memory = made;
	return STATUS_OK;
}

void host_memory_free(struct host_memory *memory)
{
	if (memory != NULL)
		device_row->window_release(memory->cluster, memory->address, memory->bytes);
	free(memory);
}

static bool inside(const struct host_memory *memory, uint64_t offset, uint64_t bytes)
{
	return offset <= memory->bytes && bytes <= memory->bytes - offset;
}

void host_memory_store(
	struct host_memory *memory, uint64_t offset, const void *data, uint64_t bytes)
{
	const uint8_t *from = data;

	ensure(inside(memory, offset, bytes), "%llu B at %llu of %llu B of pinned memory",
		(unsigned long long)bytes, (unsigned long long)offset,
		(unsigned long long)memory->bytes);
	while (bytes > 0) {
		uint32_t part = bytes < STORE_MOST ? (uint32_t)bytes : STORE_MOST;
		struct span span = span_copy(from, part);

		device_row->window_write(memory->cluster, memory->address + offset, span);
		span_release(span);
		from += part;
		offset += part;
		bytes -= part;
	}
}

uint8_t *host_memory_bytes(const struct host_memory *memory)
{
	return device_row->window_bytes(memory->cluster, memory->address, memory->bytes);
}

enum status host_memory_load(
	const struct host_memory *memory, uint64_t offset, void *data, uint64_t bytes)
{
	enum status result = STATUS_OK;
	uint8_t *to = data;

	ensure(inside(memory, offset, bytes), "%llu B at %llu of %llu B of pinned memory",
		(unsigned long long)bytes, (unsigned long long)offset,
		(unsigned long long)memory->bytes);
	while (bytes > 0) {
		uint32_t part = bytes < STORE_MOST ? (uint32_t)bytes : STORE_MOST;
		enum status status = device_row->window_read(
			memory->cluster, memory->address + offset, part, to);

		if (status != STATUS_OK)
			result = status;
		to += part;
		offset += part;
		bytes -= part;
	}
	return result;
}

/* ---- only for files of mesh ---- */

enum status host_memory_check(const struct host_memory *memory, uint64_t offset, uint64_t bytes)
{
	if (!inside(memory, offset, bytes))
		return STATUS_OUT_OF_RANGE;
	return offset % HOST_MEMORY_ALIGN == 0 ? STATUS_OK : STATUS_INVALID;
}

/* Returns true if the host reaches some device only through a gateway. Data of such a device cross
 * PCIe and the fabric. A transfer takes long to start, and cannot start before the previous
 * transfer has ended. So it pays off to let devices transfer pages themselves only if more bytes
 * are contiguous. */
static bool behind_gateway(const struct mesh_device *mesh)
{
	for (uint32_t i = 0; i < mesh->devices; i++)
		if (!mesh->info->chips[mesh->queues[0].lanes[i].chip].has_pcie)
			return true;
	return false;
}

bool pages_go_direct(const struct mesh_device *mesh, const struct placement *placement)
{
	const struct shard_parameters *shard = &placement->config.shard;
	uint64_t run;

	if (placement->page_stride != placement->config.page_bytes ||
		placement->page_stride % HOST_MEMORY_ALIGN != 0)
		return false;
	if (placement->config.layout == LAYOUT_INTERLEAVED)
		return placement->page_stride <= PREFETCH_PAGE_MAX;
	run = shard->shard_pages_wide;
	if (shard->shard_pages_wide == shard->pages_wide)
		run *= shard->shard_pages_high;
	return run * placement->page_stride >=
	       sizes_direct_run(&mesh->config) * (uint64_t)(behind_gateway(mesh) ? 8 : 1);
}
