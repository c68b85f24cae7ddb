/* Writes the scenario that replays recorded transfers (see noc_trace.h). For a transfer, kernels
 * use the registers r4 and r5 for the other tile and address, and r6 for the address in the core's
 * own L1. For a packet, they use r8 and r9 for the route and the address in the core's own L1, and
 * r10 to r12 for the destination and the counter. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/noc_trace/noc_trace.h"

static bool is_wait(const struct noc_trace_event *event)
{
	return event->kind == NOC_TRACE_BARRIER || event->kind == NOC_TRACE_WAIT;
}

uint32_t noc_trace_prints(const struct noc_trace_kernel *kernel)
{
	uint32_t prints = 2;

	if (kernel->event_count == 0)
		return 0;
	for (uint32_t i = 0; i < kernel->event_count; i++)
		prints += is_wait(&kernel->events[i]) ? 2 : 0;
	return prints;
}

/* ---- tiles ---- */

static uint16_t tile_at(const struct chip_geometry *geometry, uint16_t x, uint16_t y)
{
	if (x >= geometry->noc_columns || y >= geometry->noc_rows)
		return TILE_AT_NONE;
	return geometry->tile_at[y * geometry->noc_columns + x];
}

/* Finds the worker nearest to a place. */
static void nearest_worker(const struct chip_geometry *geometry, uint16_t x, uint16_t y,
	uint32_t *column, uint32_t *row)
{
	int least = INT32_MAX;

	for (uint32_t i = 0; i < (uint32_t)geometry->worker_columns * geometry->worker_rows; i++) {
		const struct tile_info *tile = &geometry->tiles[geometry->worker_tiles[i]];
		int away = abs(tile->x - x) + abs(tile->y - y);

		if (away >= least)
			continue;
		least = away;
		*column = i % geometry->worker_columns;
		*row = i / geometry->worker_columns;
	}
}

/* Finds the place of a core in the worker grid. */
static bool worker_at(const struct chip_geometry *geometry, uint16_t x, uint16_t y,
	uint32_t *column, uint32_t *row)
{
	uint16_t tile = tile_at(geometry, x, y);

	for (uint32_t i = 0; i < (uint32_t)geometry->worker_columns * geometry->worker_rows; i++)
		if (tile != TILE_AT_NONE && geometry->worker_tiles[i] == tile) {
			*column = i % geometry->worker_columns;
			*row = i / geometry->worker_columns;
			return true;
		}
	return false;
}

bool writing_worker(
	const struct writing *writing, uint16_t x, uint16_t y, uint32_t *column, uint32_t *row)
{
	if (worker_at(writing->geometry, x, y, column, row))
		return true;
	if (!writing->fabric || tile_at(writing->geometry, x, y) == TILE_AT_NONE)
		return false;
	nearest_worker(writing->geometry, x, y, column, row);
	return true;
}

/* Returns the DRAM tile whose coordinates on NoC 1 are (x, y), or TILE_AT_NONE if there is no such
 * tile. For kernels on NoC 1, a trace gives DRAM tiles in the coordinates of NoC 1, and all other
 * tiles in the coordinates of NoC 0. */
static uint16_t mirrored_bank(const struct writing *writing, uint16_t x, uint16_t y)
{
	const struct chip_geometry *geometry = writing->geometry;
	uint16_t tile = TILE_AT_NONE;

	if (x < geometry->noc_columns && y < geometry->noc_rows)
		tile = tile_at(geometry, (uint16_t)(geometry->noc_columns - 1 - x),
			(uint16_t)(geometry->noc_rows - 1 - y));
	return tile != TILE_AT_NONE && geometry->tiles[tile].kind == TILE_DRAM ? tile
									       : TILE_AT_NONE;
}

uint16_t writing_tile(const struct writing *writing, const struct noc_trace_event *event)
{
	const struct chip_geometry *geometry = writing->geometry;
	uint16_t tile = tile_at(geometry, event->x, event->y), bank = TILE_AT_NONE;
	uint32_t column, row;

	if (!writing->fabric || tile == TILE_AT_NONE)
		return tile;
	if (writing->second_noc && !writing->is_core(writing->context, event->x, event->y))
		bank = mirrored_bank(writing, event->x, event->y);
	if (bank != TILE_AT_NONE)
		return bank;
	if (geometry->tiles[tile].kind == TILE_DRAM)
		return tile;
	(void)writing_worker(writing, event->x, event->y, &column, &row);
	return geometry->worker_tiles[row * geometry->worker_columns + column];
}

/* ---- instructions ---- */

static void say(struct writing *writing, const char *line)
{
	text_printf(writing->yaml, "              %s\n", line);
}

/* Writes an instruction that waits, so that the next instruction ends at the recorded time `at`.
 * The next instruction takes `next` cycles. Writes nothing if there is no time to wait. */
static void busy_until(struct writing *writing, uint64_t at, uint64_t next)
{
	char line[64];

	if (at > writing->at + next) {
		snprintf(line, sizeof line, "busy %" PRIu64, at - writing->at - next);
		say(writing, line);
		writing->at = at - next;
	}
	writing->at += next;
}

static void sayf(struct writing *writing, const char *format, uint32_t value)
{
	char line[64];

	snprintf(line, sizeof line, format, value);
	say(writing, line);
}

static void print_now(struct writing *writing)
{
	char line[64];

	snprintf(line, sizeof line, "print r0, %u", writing->number++);
	say(writing, line);
}

static bool write_transfer(struct writing *writing, const struct noc_trace_event *event)
{
	uint16_t tile = writing_tile(writing, event);
	uint32_t column, row;
	bool dram;
	char line[96];

	if (tile == TILE_AT_NONE) {
		diag_error(writing->diag, event->where, "no tile of the machine is at (%u, %u)",
			event->x, event->y);
		return false;
	}
	dram = writing->geometry->tiles[tile].kind == TILE_DRAM;
	if (!dram && !writing->fabric &&
		!worker_at(writing->geometry, event->x, event->y, &column, &row)) {
		diag_error(writing->diag, event->where,
			"programs of the machine do not reach the tile at (%u, %u)", event->x,
			event->y);
		return false;
	}
	busy_until(writing, event->at,
		writing->compute + (dram != writing->dram ? writing->compute : 0) + writing->post);
	snprintf(line, sizeof line, "add r4, r0, %u", tile);
	say(writing, line);
	if (dram != writing->dram)
		say(writing, dram ? "add r5, r0, 0" : "add r5, r6, 0");
	writing->dram = dram;
	snprintf(line, sizeof line, "%s r6, r4, %u",
		event->kind == NOC_TRACE_READ ? "read" : "write", event->bytes);
	say(writing, line);
	return true;
}

/* Writes a barrier, with a print directly before it and a print directly after it. The time between
 * the two prints is the wait. Later events are placed relative to the recorded end of the barrier.
 */
static void write_barrier(struct writing *writing, const struct noc_trace_event *event)
{
	busy_until(writing, event->at, writing->print);
	print_now(writing);
	say(writing, event->of_writes ? "wait_writes" : "wait_reads");
	print_now(writing);
	writing->at = event->end + writing->print;
}

/* ---- the fabric ---- */

/* Writes the sending of a packet. The kernel sends it when its router has a free slot. */
static bool write_packet(struct writing *writing, const struct noc_trace_event *event)
{
	uint16_t tile = event->counter_tile;
	bool payload = event->bytes > 0, counts = tile != TILE_AT_NONE, dram = false;

	if (!counts)
		tile = writing_tile(writing, event);
	if (tile == TILE_AT_NONE) {
		diag_error(writing->diag, event->where, "no tile of the machine is at (%u, %u)",
			event->x, event->y);
		return false;
	}
	dram = writing->geometry->tiles[tile].kind == TILE_DRAM;
	busy_until(writing, event->at,
		writing->load + (counts ? 3 : 2) * writing->compute + writing->send);
	sayf(writing, "argument r8, %u", event->argument);
	sayf(writing, "add r10, r0, %u", tile);
	say(writing, dram ? "add r11, r0, 0" : "add r11, r6, 0");
	if (counts)
		sayf(writing, "semaphore r12, %u", event->counter);
	if (counts)
		sayf(writing, "fabric_increment r8, r10, %u", event->bytes);
	else if (payload)
		sayf(writing,
			event->each ? "fabric_multicast r8, r10, %u" : "fabric_write r8, r10, %u",
			event->bytes);
	return true;
}

/* Writes a wait between two prints, which enclose only the wait, as for a barrier. */
static void write_wait(struct writing *writing, const struct noc_trace_event *event)
{
	busy_until(writing, event->at, writing->compute + writing->print);
	sayf(writing, "add r7, r0, %u", event->wanted);
	print_now(writing);
	sayf(writing, "until_least r7, %u", event->counter);
	print_now(writing);
	writing->at = event->end + writing->print;
}

/* ---- kernels ---- */

/* Writes the instructions of an event. Returns false after an error. */
static bool write_event(struct writing *writing, const struct noc_trace_event *event)
{
	switch (event->kind) {
	case NOC_TRACE_BARRIER:
		write_barrier(writing, event);
		return true;
	case NOC_TRACE_PACKET:
		return write_packet(writing, event);
	case NOC_TRACE_WAIT:
		write_wait(writing, event);
		return true;
	case NOC_TRACE_MARK:
		return true;
	default:
		return write_transfer(writing, event);
	}
}

/* In the model, each NoC belongs to one data mover: NoC 0 to the second, NoC 1 to the first
 * (chip/noc/noc.h). So the recorded NoC of a kernel determines its processor in the replay, which
 * may be another than the recorded one. A core has at most one kernel for each NoC. */
bool writing_kernel(struct writing *writing, const struct noc_trace_kernel *kernel)
{
	const char *processor = kernel->second_noc ? "brisc" : "ncrisc";
	uint32_t column = 0, row = 0;
	bool good = true;

	if (!writing_worker(writing, kernel->x, kernel->y, &column, &row)) {
		diag_error(writing->diag, kernel->where, "no worker of the machine is at (%u, %u)",
			kernel->x, kernel->y);
		return false;
	}
	text_printf(writing->yaml,
		"        - processor: %s\n          core: [%u, %u]\n%s          text: |\n",
		processor, column, row, kernel->arguments ? kernel->arguments : "");
	writing->at = 0;
	writing->dram = false;
	writing->second_noc = kernel->second_noc;
	say(writing, "back r6, 0");
	say(writing, "add r5, r6, 0");
	if (kernel->arguments)
		say(writing, "add r9, r6, 0");
	busy_until(writing, writing->delay + kernel->begin + 2 * writing->compute,
		2 * writing->compute);
	print_now(writing);
	writing->at = kernel->begin + writing->print;
	for (uint32_t i = 0; i < kernel->event_count; i++)
		good = write_event(writing, &kernel->events[i]) && good;
	if (kernel->end > 0)
		busy_until(writing, kernel->end, 0);
	print_now(writing);
	say(writing, "end");
	return good;
}

uint32_t noc_trace_most_bytes(const struct noc_trace *trace)
{
	uint32_t most = 16;

	for (uint32_t i = 0; i < trace->kernel_count; i++)
		for (uint32_t j = 0; j < trace->kernels[i].event_count; j++)
			if (trace->kernels[i].events[j].bytes > most)
				most = trace->kernels[i].events[j].bytes;
	return (most + 15) / 16 * 16;
}

struct writing writing_of(const struct platform *platform, struct diag *diag, struct text *yaml)
{
	return (struct writing){.geometry = platform_cluster(platform)->chips[0].geometry,
		.diag = diag,
		.yaml = yaml,
		.compute = (uint64_t)platform_real(platform, "firmware.kernel_instruction"),
		.load = (uint64_t)platform_real(platform, "firmware.kernel_load"),
		.post = (uint64_t)platform_real(platform, "firmware.kernel_noc"),
		.send = (uint64_t)platform_real(platform, "firmware.fabric_send"),
		.print = (uint64_t)platform_real(platform, "firmware.kernel_print")};
}

bool noc_trace_scenario(const struct noc_trace *trace, const struct platform *platform,
	const char *machine, struct diag *diag, struct text *yaml)
{
	struct writing writing = writing_of(platform, diag, yaml);
	bool good = true;

	text_append(yaml, "meshsim: 1\nname: replay\n");
	text_append(yaml, "platform: ");
	text_append_json(yaml, machine);
	text_append(yaml, "\n");
	text_append(yaml, "workload:\n  - enqueue_workload:\n      program: replay\n");
	text_append(yaml, "      circular_buffers: 1\n      circular_buffer_pages: 1\n");
	text_printf(yaml, "      circular_buffer_bytes: %u\n      kernels:\n",
		noc_trace_most_bytes(trace));
	for (uint32_t i = 0; i < trace->kernel_count; i++)
		if (trace->kernels[i].event_count > 0)
			good = writing_kernel(&writing, &trace->kernels[i]) && good;
	text_append(yaml, "  - finish\n");
	text_printf(yaml, "measure: {warmup: 0, verify: false, prints: %u}\n", writing.number);
	return good;
}
