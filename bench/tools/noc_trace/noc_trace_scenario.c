/* Writes the scenario that replays recorded transfers (see noc_trace.h). */
#include <inttypes.h>
#include <string.h>

#include "bench/tools/noc_trace/noc_trace.h"

/* Registers: the place of the other tile is the pair r4:r5, own L1 is at r6. */
struct writing {
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct text *yaml;
	/* cycles of an instruction, by its class */
	uint64_t compute, post, print;
	uint64_t at; /* when the next instruction would begin in the replay, as far as recorded */
	uint32_t number; /* of the next print */
	bool dram;	 /* r5 holds an address in DRAM */
};

uint32_t noc_trace_prints(const struct noc_trace_kernel *kernel)
{
	uint32_t prints = 2;

	if (kernel->event_count == 0)
		return 0;
	for (uint32_t i = 0; i < kernel->event_count; i++)
		prints += kernel->events[i].kind == NOC_TRACE_BARRIER ? 2 : 0;
	return prints;
}

/* ---- tiles ---- */

static uint16_t tile_at(const struct chip_geometry *geometry, uint16_t x, uint16_t y)
{
	if (x >= geometry->noc_columns || y >= geometry->noc_rows)
		return TILE_AT_NONE;
	return geometry->tile_at[y * geometry->noc_columns + x];
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

/* ---- instructions ---- */

static void say(struct writing *writing, const char *line)
{
	text_printf(writing->yaml, "              %s\n", line);
}

/* Waits until the instruction that comes next ends at the recorded time `at`. */
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

static void print_now(struct writing *writing)
{
	char line[64];

	snprintf(line, sizeof line, "print r0, %u", writing->number++);
	say(writing, line);
}

static bool write_transfer(struct writing *writing, const struct noc_trace_event *event)
{
	uint16_t tile = tile_at(writing->geometry, event->x, event->y);
	uint32_t column, row;
	bool dram;
	char line[96];

	if (tile == TILE_AT_NONE) {
		diag_error(writing->diag, event->where, "no tile of the machine is at (%u, %u)",
			event->x, event->y);
		return false;
	}
	dram = writing->geometry->tiles[tile].kind == TILE_DRAM;
	if (!dram && !worker_at(writing->geometry, event->x, event->y, &column, &row)) {
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

/* The two prints enclose only the wait. After it, the time goes on at the recorded end. */
static void write_barrier(struct writing *writing, const struct noc_trace_event *event)
{
	busy_until(writing, event->at, writing->print);
	print_now(writing);
	say(writing, event->of_writes ? "wait_writes" : "wait_reads");
	print_now(writing);
	writing->at = event->end + writing->print;
}

/* ---- kernels ---- */

/* Kernels run on the data mover of their NoC, even if the trace recorded them on another processor.
 * In the model the second data mover uses NoC 0, and the first one uses NoC 1 (chip/noc/noc.h). A
 * core has at most one kernel for each NoC. */
static bool write_kernel(struct writing *writing, const struct noc_trace_kernel *kernel)
{
	const char *processor = kernel->second_noc ? "brisc" : "ncrisc";
	uint32_t column = 0, row = 0;
	bool good = true;

	if (!worker_at(writing->geometry, kernel->x, kernel->y, &column, &row)) {
		diag_error(writing->diag, kernel->where, "no worker of the machine is at (%u, %u)",
			kernel->x, kernel->y);
		return false;
	}
	text_printf(writing->yaml,
		"        - processor: %s\n          core: [%u, %u]\n          text: |\n", processor,
		column, row);
	writing->at = 0;
	writing->dram = false;
	say(writing, "back r6, 0");
	say(writing, "add r5, r6, 0");
	busy_until(writing, kernel->begin + 2 * writing->compute, 2 * writing->compute);
	print_now(writing);
	writing->at = kernel->begin + writing->print;
	for (uint32_t i = 0; i < kernel->event_count; i++)
		if (kernel->events[i].kind == NOC_TRACE_BARRIER)
			write_barrier(writing, &kernel->events[i]);
		else
			good = write_transfer(writing, &kernel->events[i]) && good;
	print_now(writing);
	say(writing, "end");
	return good;
}

static uint32_t most_bytes(const struct noc_trace *trace)
{
	uint32_t most = 16;

	for (uint32_t i = 0; i < trace->kernel_count; i++)
		for (uint32_t j = 0; j < trace->kernels[i].event_count; j++)
			if (trace->kernels[i].events[j].bytes > most)
				most = trace->kernels[i].events[j].bytes;
	return (most + 15) / 16 * 16;
}

bool noc_trace_scenario(const struct noc_trace *trace, const struct platform *platform,
	const char *machine, struct diag *diag, struct text *yaml)
{
	struct writing writing = {.geometry = platform_cluster(platform)->chips[0].geometry,
		.diag = diag,
		.yaml = yaml,
		.compute = (uint64_t)platform_real(platform, "firmware.kernel_instruction"),
		.post = (uint64_t)platform_real(platform, "firmware.kernel_noc"),
		.print = (uint64_t)platform_real(platform, "firmware.kernel_print")};
	bool good = true;

	text_append(yaml, "meshsim: 1\nname: replay\n");
	text_append(yaml, "platform: ");
	text_append_json(yaml, machine);
	text_append(yaml, "\n");
	text_append(yaml, "workload:\n  - enqueue_workload:\n      program: replay\n");
	text_append(yaml, "      circular_buffers: 1\n      circular_buffer_pages: 1\n");
	text_printf(yaml, "      circular_buffer_bytes: %u\n      kernels:\n", most_bytes(trace));
	for (uint32_t i = 0; i < trace->kernel_count; i++)
		if (trace->kernels[i].event_count > 0)
			good = write_kernel(&writing, &trace->kernels[i]) && good;
	text_append(yaml, "  - finish\n");
	text_printf(yaml, "measure: {warmup: 0, verify: false, prints: %u}\n", writing.number);
	return good;
}
