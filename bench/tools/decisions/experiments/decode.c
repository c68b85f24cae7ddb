/* Experiments on whole models: a model that generates one token after another, and inputs that are
 * copied before or during the computation. */
#include "decision.h"

enum { TOKENS = 6, INPUTS = 12 };

/* ---- decode ---- */

const struct experiment_param decision_decode_params[] = {
	{"layers", "#", "1"},
	{"trace", "yes|no", "no"},
	{0},
};

/* A decoder with about 70 billion parameters on eight chips. Each layer takes about 1 ms and
 * consists of ten programs, each of which runs longer than the host needs to launch it. Shorter
 * programs run before and after the layers: rotary tables, masks, norms, pieces of the head. Their
 * number is an assumption. The measured rates say that a trace saves 3.7 to 3.9 ms of each token,
 * whatever the number of layers, and that 11.3 ms of the time with a trace are no layers; here it
 * is 2.2 ms of 4.6 ms. So the number of short programs is too low by 70 or so, and some 7 ms are
 * missing that no option changes: the host untilizes and converts the logits of all chips (1.8 ms
 * with read_tensor) and searches them. Neither is fitted to these rates. After each token, the host
 * reads the logits of 32 users and chooses the next token, so it cannot run ahead of the devices.
 * The library creates each operation again for every token. */
enum {
	LAYER_PROGRAMS = 10,
	LAYER_PROGRAM_NS = 100000,
	SHORT_PROGRAMS = 100,
	SHORT_PROGRAM_NS = 5000,
	HEAD_NS = 2000000,
	LOGITS_BYTES = 128256 * 32 * 2
};

static void add_programs(
	const char *name, unsigned times, unsigned run_ns, const char *indent, struct text *yaml)
{
	text_printf(yaml,
		"%s- repeat: %u\n%s  do:\n%s    - enqueue_workload: {program: %s, processors: all, "
		"cores: all, kernel_bytes: 2048, runtime_args: 8, run_ns: %u}\n",
		indent, times, indent, indent, name, run_ns);
}

void decision_decode_scenario(const struct reference_row *row, struct text *yaml)
{
	bool trace = experiment_is(row, "trace", "yes", "no");
	unsigned layers = (unsigned)experiment_number(row, "layers", 1);
	const char *indent = trace ? "          " : "      ";

	experiment_head(yaml, row->family, row->system);
	text_printf(yaml,
		"runtime: {command_cache: false}\nmeasure: {verify: false}\nworkload:\n"
		"  - write_buffer: {buffer: logits, bytes: %u, spread: sharded}\n"
		"  - repeat: %d\n    do:\n"
		"      - write_buffer: {buffer: tokens, bytes: 4096}\n",
		LOGITS_BYTES, TOKENS);
	if (trace)
		text_append(yaml, "      - trace: 1\n        do:\n");
	add_programs("short", SHORT_PROGRAMS, SHORT_PROGRAM_NS, indent, yaml);
	add_programs("layer", LAYER_PROGRAMS * layers, LAYER_PROGRAM_NS, indent, yaml);
	add_programs("head", 1, HEAD_NS, indent, yaml);
	text_append(yaml, "      - read_buffer: {buffer: logits, blocking: true}\n");
}

double decision_decode_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	(void)row;
	return experiments_period_us(ops, count, "read_buffer");
}

/* ---- inputs ---- */

const struct experiment_param decision_input_copy_params[] = {
	{"copy", "inside|overlapped", "inside"},
	{"device_us", "#", "3000"},
	{"bytes", "#", "2408448"},
	{0},
};

/* Appends the scenario. With an overlapped copy, the next input is written over queue 1 while the
 * program for the previous input runs. */
void decision_input_copy_scenario(const struct reference_row *row, struct text *yaml)
{
	bool overlapped = experiment_is(row, "copy", "overlapped", "inside");
	const char *bytes = reference_text(row, "bytes", "2408448");
	const char *device_us = reference_text(row, "device_us", "3000");

	experiment_head(yaml, row->family, row->system);
	text_printf(yaml,
		"runtime:\n  mesh: {shape: [1, 1]}\n  command_queues: 2\n"
		"measure: {verify: false}\nworkload:\n  - repeat: %d\n    do:\n",
		INPUTS);
	if (!overlapped)
		text_printf(yaml, "      - write_buffer: {buffer: input, bytes: %s}\n", bytes);
	text_printf(yaml,
		"      - enqueue_workload: {cores: [8, 7], kernel_bytes: 2048, run_ns: %s000}\n",
		device_us);
	if (overlapped)
		text_printf(yaml,
			"      - write_buffer: {buffer: input, bytes: %s, queue: 1}\n"
			"      - record_event: {event: written, queue: 1}\n"
			"      - wait_event: {event: written}\n",
			bytes);
	text_append(yaml, "      - finish: {queue: 0}\n");
}

double decision_input_copy_figure(
	const struct reference_row *row, const struct op_row *ops, uint32_t count)
{
	(void)row;
	return experiments_period_us(ops, count, "finish");
}
