/* The NoC and PCIe operations of a stage of an emulated chip. Each operation is applied and
 * acknowledged at once, in the order of posting. */
#include "native_chip.h"

#include "base/ensure.h"

/* Delivers the bytes of one write to one tile. */
static void noc_deliver(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	native_tile_write(native_chip_tile(stage->device, tile), address, span);
	native_schedule_touched(stage->device, tile, address, span.length);
}

static void noc_count_writes(struct stage *stage, uint32_t count)
{
	stage->writes_posted += count;
	stage->writes_done += count;
}

void native_noc_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	noc_deliver(stage, tile, address, span);
	noc_count_writes(stage, 1);
}

void native_noc_write_packed(struct stage *stage, const struct packed_target *targets,
	uint32_t count, uint32_t address, uint32_t stride, struct span span, uint64_t pace)
{
	(void)pace;
	ensure((uint64_t)count * stride <= span.length, "%u packed writes of %u B from %u B", count,
		stride, span.length);
	for (uint32_t i = 0; i < count; i++)
		noc_deliver(stage, targets[i].tile, address, span_part(span, i * stride, stride));
	noc_count_writes(stage, count);
}

void native_noc_multicast(
	struct stage *stage, struct worker_rect rect, uint32_t address, struct span span)
{
	const struct chip_geometry *geometry = stage->device->info->geometry;
	uint32_t count = 0;

	ensure(rect.column0 <= rect.column1 && rect.column1 < geometry->worker_columns &&
			rect.row0 <= rect.row1 && rect.row1 < geometry->worker_rows,
		"multicast to columns %u-%u, rows %u-%u of a grid of %ux%u", rect.column0,
		rect.column1, rect.row0, rect.row1, geometry->worker_columns,
		geometry->worker_rows);
	for (uint32_t row = rect.row0; row <= rect.row1; row++) {
		const uint16_t *tiles = &geometry->worker_tiles[row * geometry->worker_columns];

		for (uint32_t column = rect.column0; column <= rect.column1; column++) {
			noc_deliver(stage, tiles[column], address, span);
			count++;
		}
	}
	noc_count_writes(stage, count);
}

void native_noc_write_word(struct stage *stage, uint16_t tile, uint32_t address, uint32_t value)
{
	native_tile_set_word(native_chip_tile(stage->device, tile), address, value);
	native_schedule_touched(stage->device, tile, address, sizeof value);
	noc_count_writes(stage, 1);
}

void native_noc_increment(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta)
{
	struct tile *target = native_chip_tile(stage->device, tile);

	native_tile_set_word(target, address, native_tile_word(target, address) + delta);
	native_schedule_touched(stage->device, tile, address, sizeof delta);
	noc_count_writes(stage, 1);
}

void native_noc_write_counted(struct stage *stage, uint16_t tile, uint32_t address,
	struct span span, uint32_t word, uint32_t delta)
{
	native_noc_write(stage, tile, address, span);
	native_noc_increment(stage, tile, word, delta);
}

/* Delivers one piece of a read, and returns its length. Either all bytes of a piece are elided
 * (base/extent.h), or none. */
static uint32_t take_piece(struct stage *stage, uint32_t local_address, struct span piece)
{
	uint32_t bytes = piece.length;

	noc_deliver(stage, stage->tile, local_address, piece);
	span_release(piece);
	return bytes;
}

static void count_read(struct stage *stage)
{
	stage->reads_posted++;
	stage->reads_done++;
}

void native_noc_read(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t local_address)
{
	struct tile *source = native_chip_tile(stage->device, tile);

	for (uint32_t done = 0; done < length;)
		done += take_piece(stage, local_address + done,
			native_tile_view_piece(source, address + done, length - done));
	count_read(stage);
}

/* ---- PCIe ---- */

static struct window *stage_window(struct stage *stage)
{
	ensure(stage->device->info->has_pcie, "stage %s: chip %u has no PCIe", stage->ops->name,
		stage->device->number);
	return &stage->device->cluster->window;
}

void native_pcie_read(
	struct stage *stage, uint64_t host_address, uint32_t length, uint32_t local_address)
{
	struct window *window = stage_window(stage);

	for (uint32_t done = 0; done < length;)
		done += take_piece(stage, local_address + done,
			native_window_view(window, host_address + done, length - done));
	count_read(stage);
}

void native_pcie_write(struct stage *stage, uint64_t host_address, struct span span)
{
	native_window_store(stage_window(stage), host_address, span);
	noc_count_writes(stage, 1);
}

void native_pcie_write_word(struct stage *stage, uint64_t host_address, uint32_t value)
{
	native_window_store_word(stage_window(stage), host_address, value);
	noc_count_writes(stage, 1);
}
