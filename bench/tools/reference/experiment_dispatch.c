/* Experiments on one chip: programs one after the other, and reads and writes of buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/kernel.h"
#include "base/text.h"
#include "bench/tools/reference/experiment.h"

/* ---- program dispatch ---- */

const struct experiment_param experiment_dispatch_params[] = {
	{"processors", "all|brisc|ncrisc|trisc|brisc+trisc", NULL},
	{"cores", "all|ethernet|#", NULL},
	{"kernel_bytes", "#", NULL},
	{"kernel_cycles", "#", NULL},
	{"trace", "yes|no", NULL},
	{"runtime_args", "#", "0"},
	{"common_runtime_args", "#", "0"},
	{"circular_buffers", "#", "0"},
	{"circular_buffer_groups", "#", "1"},
	{"semaphores", "#", "0"},
	{"kernel_groups", "#", "1"},
	{"dispatch_cores", "worker|ethernet", "worker"},
	{"fast_programs_behind_slow", "#", "0"},
	{"working_set_of_prefetcher_cache", "none|#.#", "none"},
	{"subdevice_core_ranges", "#", "0"},
	{0},
};

enum {
	GROUPS = 240,
	WARM_GROUPS = 80,
	GROUPS_OF_SETS = 6,
	KERNEL_CACHE_BYTES = 1 << 20,
	PAGE_BYTES = 2048
};

static uint32_t processor_count(const struct reference_row *row)
{
	const char *name = reference_text(row, "processors", "all");

	if (strcmp(name, "all") == 0)
		return 5;
	if (strcmp(name, "trisc") == 0)
		return 3;
	return strcmp(name, "brisc+trisc") == 0 ? 4 : 1;
}

/* Converts the time of a kernel to ns. Rows give it in cycles of the machine's clock. */
static uint64_t run_ns(const struct reference_row *row, uint64_t cycles)
{
	unsigned mhz = experiment_system(row->system)->clock_mhz;

	return (cycles * 1000 + mhz / 2) / mhz;
}

static void add_program(const struct reference_row *row, const char *name, uint64_t cycles,
	const char *indent, struct text *yaml)
{
	text_printf(yaml,
		"%s- enqueue_workload: {program: %s, processors: %s, kernel_bytes: %s, "
		"arguments: kept, run_ns: %llu, cores: ",
		indent, name, experiment_processors(row),
		reference_text(row, "kernel_bytes", "256"),
		(unsigned long long)run_ns(row, cycles));
	experiment_add_cores(row, yaml);
	experiment_add_key(row, "runtime_args", 0, yaml);
	experiment_add_key(row, "common_runtime_args", 0, yaml);
	experiment_add_key(row, "circular_buffers", 0, yaml);
	if (experiment_number(row, "circular_buffers", 0) > 0)
		experiment_add_key(row, "circular_buffer_groups", 1, yaml);
	experiment_add_key(row, "semaphores", 0, yaml);
	experiment_add_key(row, "kernel_groups", 1, yaml);
	text_append(yaml, "}\n");
}

/* Returns the number of programs in the row's working set; 1 if the row has none. The row gives the
 * total size of the programs' binaries, as a multiple of the size of the prefetcher's kernel cache.
 * The cache stores whole DRAM pages. */
static uint32_t working_set(const struct reference_row *row)
{
	double times = 0;
	uint64_t kernel = experiment_number(row, "kernel_bytes", 256) + KERNEL_HEADER_BYTES;
	uint64_t pages = (processor_count(row) * kernel + PAGE_BYTES - 1) / PAGE_BYTES;
	double programs;

	number_read_real(reference_text(row, "working_set_of_prefetcher_cache", "none"), &times);
	programs = times * KERNEL_CACHE_BYTES /
		   ((double)(pages * experiment_number(row, "kernel_groups", 1)) * PAGE_BYTES);

	return programs > 1 ? (uint32_t)programs : 1;
}

/* Adds a group of programs. The whole group is enqueued repeatedly. */
static void add_group(const struct reference_row *row, const char *indent, struct text *yaml)
{
	uint64_t cycles = experiment_number(row, "kernel_cycles", 0);
	uint64_t fast = experiment_number(row, "fast_programs_behind_slow", 0);
	uint32_t programs = working_set(row);
	char name[32];

	for (uint32_t i = 0; i < programs; i++) {
		snprintf(name, sizeof name, "p%u", i);
		add_program(row, name, cycles, indent, yaml);
	}
	if (fast > 0) {
		snprintf(name, sizeof name, "%s    ", indent);
		text_printf(yaml, "%s- repeat: %llu\n%s  do:\n", indent, (unsigned long long)fast,
			indent);
		add_program(row, "fast", 0, name, yaml);
	}
}

static uint32_t group_count(const struct reference_row *row)
{
	return working_set(row) > 1 ? GROUPS_OF_SETS : GROUPS;
}

void experiment_dispatch_scenario(const struct reference_row *row, struct text *yaml)
{
	bool trace = experiment_is(row, "trace", "yes", "no");

	experiment_head(yaml, row->family, experiment_system(row->system)->name);
	text_append(yaml, "runtime:\n  mesh: {shape: [1, 1]}\n  command_queues: 1\n");
	if (experiment_is(row, "dispatch_cores", "ethernet", "worker"))
		text_append(yaml, "  dispatch_cores: ethernet\n");
	if (experiment_number(row, "subdevice_core_ranges", 0) > 0)
		text_printf(yaml, "  sub_devices: {ranges: {cores: [%u, %u]}}\n",
			experiment_system(row->system)->all_cores[0],
			experiment_system(row->system)->all_cores[1]);
	text_append(yaml, "measure: {verify: false}\nworkload:\n");
	text_printf(yaml, "  - %s: %u\n    do:\n", trace ? "trace" : "repeat", group_count(row));
	add_group(row, "      ", yaml);
	text_append(yaml, "  - finish: {}\n");
}

/* Returns the time per group of programs in steady state, or per program if the group is a working
 * set. This is the time from the completion of the warm-up to the last completion, divided by the
 * number of measured groups or programs. */
double experiment_dispatch_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	uint32_t per_group =
		working_set(row) + (uint32_t)experiment_number(row, "fast_programs_behind_slow", 0);
	uint32_t groups = group_count(row), warm = groups * WARM_GROUPS / GROUPS;
	uint32_t programs = 0;
	int64_t from_ps = 0, to_ps = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(ops[i].kind, "enqueue_workload") != 0)
			continue;
		to_ps = ops[i].marks[MARK_WORKERS_DONE].last;
		if (++programs == warm * per_group)
			from_ps = to_ps;
	}
	if (programs != groups * per_group || from_ps <= 0)
		return 0;
	/* The figure is the time per program if a group is a working set, and the time per group if
	 * a group consists of one slow program and several fast ones. */
	return (double)(to_ps - from_ps) * 1e-6 / (groups - warm) / working_set(row);
}

/* ---- buffers ---- */

const struct experiment_param experiment_transfer_params[] = {
	{"direction", "read|write", NULL},
	{"memory", "dram|l1", NULL},
	{"device", "mmio|remote", "mmio"},
	{"layout", "interleaved|sharded", "interleaved"},
	{"page_bytes", "#", "2048"},
	{"contiguous_pages", "#", "0"},
	{"size_bytes", "#", "67108864"},
	{"pinned", "yes|no", "no"},
	{0},
};

enum { SHARDED_L1_MOST = 32 << 20, PAGES_MOST = 1 << 18 };

/* Returns true if the parameter `layout` of the row is "sharded". Without this parameter, returns
 * true if the parameter `contiguous_pages` is greater than 0. */
static bool is_sharded(const struct reference_row *row)
{
	bool shards = experiment_number(row, "contiguous_pages", 0) > 0;

	return experiment_is(row, "layout", "sharded", shards ? "sharded" : "interleaved");
}

/* Returns the number of bytes to transfer, in whole pages. Limits the size of shards in L1, because
 * most sizes leave gaps between shards, and a large buffer would not fit. Also limits the number of
 * pages. This hardly changes the transfer rate: the start and the end of the transfer take only
 * about a thousandth of its time. */
static uint64_t size_of(const struct reference_row *row)
{
	uint64_t page = experiment_number(row, "page_bytes", 2048);
	uint64_t bytes = experiment_number(row, "size_bytes", 67108864);

	if (is_sharded(row) && experiment_is(row, "memory", "l1", "dram") &&
		bytes > SHARDED_L1_MOST)
		bytes = SHARDED_L1_MOST;
	if (page > 0 && bytes / page > PAGES_MOST)
		bytes = page * PAGES_MOST;
	return page == 0 || bytes < page ? bytes : bytes - bytes % page;
}

void experiment_transfer_scenario(const struct reference_row *row, struct text *yaml)
{
	bool remote = experiment_is(row, "device", "remote", "mmio");
	bool reads = experiment_is(row, "direction", "read", "write");
	const char *pinned = experiment_is(row, "pinned", "yes", "no") ? ", pinned: true" : "";

	experiment_head(yaml, row->family, experiment_system(row->system)->name);
	text_printf(yaml,
		"runtime:\n  mesh: {shape: [1, 1], offset: [0, %d]}\n  command_queues: 1\n"
		"workload:\n  - write_buffer: {bytes: %llu, page_bytes: %s, memory: %s%s",
		remote, (unsigned long long)size_of(row), reference_text(row, "page_bytes", "2048"),
		reference_text(row, "memory", "dram"), reads ? "" : pinned);
	if (is_sharded(row)) {
		text_append(yaml, ", layout: sharded");
		experiment_add_key(row, "contiguous_pages", 0, yaml);
	}
	text_append(yaml, "}\n  - finish: {}\n");
	if (reads)
		text_printf(yaml, "  - read_buffer: {blocking: true%s}\n  - finish: {}\n", pinned);
}

double experiment_transfer_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	bool reads = experiment_is(row, "direction", "read", "write");
	const char *kind = reads ? "read_buffer" : "write_buffer";
	int64_t from_ps = -1, to_ps = -1;

	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(ops[i].kind, kind) == 0)
			from_ps = ops[i].marks[MARK_CALLED].first;
		else if (from_ps >= 0 && to_ps < 0 && strcmp(ops[i].kind, "finish") == 0)
			to_ps = ops[i].marks[MARK_RETURNED].last;
	}
	return from_ps >= 0 && to_ps > from_ps
		       ? (double)size_of(row) / (double)(to_ps - from_ps) * 1e3
		       : 0;
}
