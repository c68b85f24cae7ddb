/* Experiments on the host's threads: a program that is enqueued to many devices, and an event that
 * is recorded on many devices. */
#include <string.h>

#include "decision.h"

enum { CALLS = 24, POOL_THREADS = 4, ROW = 8 };

static bool is_pool(const struct reference_row *row)
{
	return !experiment_is(row, "threads", "main", "main");
}

/* Adds the keys of runtime.host. If there is a task per device, each thread has its own queue. */
static void fan_out_add_threads(
	const struct reference_row *row, const char *create, struct text *yaml)
{
	bool each = experiment_is(row, "threads", "task_per_device", "main");

	if (is_pool(row))
		text_printf(yaml, "  host: {threads: pool, count: %u, queues: %s, create: %s}\n",
			each ? (unsigned)experiment_number(row, "devices", ROW) : POOL_THREADS,
			each ? "own" : "shared", create);
	else
		text_printf(yaml, "  host: {threads: main, create: %s}\n", create);
}

static void fan_out_add_mesh(const struct reference_row *row, struct text *yaml)
{
	unsigned devices = (unsigned)experiment_number(row, "devices", ROW);
	unsigned columns = devices < ROW ? devices : ROW;

	text_printf(yaml, "runtime:\n  mesh: {shape: [%u, %u]}\n",
		(devices + columns - 1) / columns, columns);
}

/* ---- one enqueue ---- */

const struct experiment_param decision_fan_out_params[] = {
	{"devices", "#", "8"},
	{"threads", "main|task_per_device|pool", "main"},
	{"command_bytes", "#", "0"},
	{"programs", "one|each", "one"},
	{0},
};

enum {
	ARGUMENT_BYTES = 4,
	ARGUMENT_KERNELS = 3, /* kernels of the compute processors share their arguments */
	CORES_WIDE = 8,
	CORES_HIGH = 7,
	LARGE_BYTES = 128 << 10,
	LARGE_CORES_WIDE = 11,
	LARGE_CORES_HIGH = 9
};

static bool is_large(const struct reference_row *row)
{
	return experiment_number(row, "command_bytes", 0) > LARGE_BYTES;
}

/* Adds a program whose commands have the size of the parameter command_bytes. Each kernel has as
 * many unique runtime arguments as are needed for this size, but at most 341. */
static void fan_out_add_program(const struct reference_row *row, struct text *yaml)
{
	unsigned wide = is_large(row) ? LARGE_CORES_WIDE : CORES_WIDE;
	unsigned high = is_large(row) ? LARGE_CORES_HIGH : CORES_HIGH;
	unsigned arguments = (unsigned)(experiment_number(row, "command_bytes", 0) /
					(wide * high * ARGUMENT_KERNELS * ARGUMENT_BYTES));

	text_printf(yaml,
		"processors: all, cores: [%u, %u], kernel_bytes: 2048, run_ns: 1000, arguments: "
		"kept, "
		"runtime_args: %u",
		wide, high, arguments > 341 ? 341 : arguments);
}

static void add_own_programs(const struct reference_row *row, struct text *yaml)
{
	unsigned devices = (unsigned)experiment_number(row, "devices", ROW);

	text_append(yaml, "{programs: [\n");
	for (unsigned i = 0; i < devices; i++) {
		text_printf(yaml,
			"          {program: p%u, devices: {shape: [1, 1], offset: [%u, %u]}, ", i,
			i / ROW, i % ROW);
		fan_out_add_program(row, yaml);
		text_printf(yaml, "}%s\n", i + 1 < devices ? "," : "]}");
	}
}

/* A program whose commands have hundreds of KB needs more cores than a Wormhole has, so it is sent
 * to chips with the tiles of a Blackhole. Smaller programs were run only once on hardware, so the
 * scenario turns the command cache off for them. */
void decision_fan_out_scenario(const struct reference_row *row, struct text *yaml)
{
	experiment_head(yaml, row->family,
		is_large(row) ? "{extends: [galaxy, _blackhole], topology: {links: 2}}"
			      : row->system);
	fan_out_add_mesh(row, yaml);
	if (!is_large(row))
		text_append(yaml, "  command_cache: false\n");
	fan_out_add_threads(row, "auto", yaml);
	text_printf(yaml,
		"measure: {verify: false}\nworkload:\n  - repeat: %d\n    do:\n"
		"      - enqueue_workload: ",
		CALLS);
	if (experiment_is(row, "programs", "each", "one")) {
		add_own_programs(row, yaml);
	} else {
		text_append(yaml, "{");
		fan_out_add_program(row, yaml);
		text_append(yaml, "}\n");
	}
	text_append(yaml, "      - finish: {}\n");
}

double decision_fan_out_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	return experiments_median_us(ops, count, "enqueue_workload",
		strcmp(row->metric, "launch_skew") == 0 ? experiments_doorbell_skew
							: experiments_host_time);
}

/* ---- one record of an event ---- */

const struct experiment_param decision_record_event_params[] = {
	{"devices", "#", "32"},
	{"threads", "main|task_per_device|pool", "main"},
	{0},
};

/* The measured runtime created the event once for each device. */
void decision_record_event_scenario(const struct reference_row *row, struct text *yaml)
{
	experiment_head(yaml, row->family, row->system);
	fan_out_add_mesh(row, yaml);
	fan_out_add_threads(row, is_pool(row) ? "per-device" : "per-device-caller", yaml);
	text_printf(yaml,
		"workload:\n  - repeat: %d\n    do:\n      - record_event: {to_host: true}\n"
		"      - finish: {}\n",
		CALLS);
}

double decision_record_event_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	(void)row;
	return experiments_median_us(ops, count, "record_event", experiments_host_time);
}
