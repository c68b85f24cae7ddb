/* Draws random scenarios, see random_scenario.h. All random numbers of a scenario come from one
 * stream, so the seed determines the whole scenario. */
#include "random_scenario.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "base/stream.h"

enum { BUFFERS = 4, EVENTS = 64 };

struct buffer {
	bool made;
	uint32_t queue; /* the only queue that may use the buffer */
	uint32_t bytes, page_bytes;
	const char *memory, *spread, *layout;
};

struct drawing {
	struct stream stream;
	char *text;
	size_t used;
	uint32_t queues, devices, events, programs;
	struct buffer buffers[BUFFERS];
};

__attribute__((format(printf, 2, 3))) static void put(
	struct drawing *drawing, const char *format, ...)
{
	size_t room = RANDOM_SCENARIO_BYTES - drawing->used;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(drawing->text + drawing->used, room, format, arguments);
	va_end(arguments);
	ensure(length >= 0 && (size_t)length < room, "a scenario of more than %d B",
		RANDOM_SCENARIO_BYTES);
	drawing->used += (size_t)length;
}

static uint32_t below(struct drawing *drawing, uint32_t bound)
{
	return (uint32_t)stream_below(&drawing->stream, bound);
}

/* Returns true in one of `n` cases. */
static bool chance(struct drawing *drawing, uint32_t n)
{
	return below(drawing, n) == 0;
}

#define PICK(drawing, ...)                                                                         \
	((const char *const[]){__VA_ARGS__}[below(                                                 \
		drawing, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

/* Returns a number from 1 to 2^`bits`. All magnitudes are equally likely. */
static uint32_t magnitude(struct drawing *drawing, uint32_t bits)
{
	return 1 + below(drawing, 1u << below(drawing, bits + 1));
}

/* ---- the machine and the runtime ---- */

struct machine {
	const char *name;
	uint32_t devices, initiators; /* largest numbers */
	bool idle_ethernet;	      /* true: there are Ethernet tiles without a link */
};

static void draw_runtime(struct drawing *drawing, const struct machine *machine)
{
	bool broadcast = machine->devices > 1 && chance(drawing, 2);

	put(drawing, "runtime:\n  command_queues: %u\n", drawing->queues);
	/* the buffers of a broadcast do not fit into Ethernet tiles */
	if (machine->idle_ethernet && !broadcast && chance(drawing, 3))
		put(drawing, "  dispatch_cores: ethernet\n");
	if (broadcast)
		put(drawing, "  forward: {path: broadcast, initiators: %u}\n",
			1 + below(drawing, machine->initiators));
	put(drawing, "  completion: %s\n",
		PICK(drawing, "per-device", "table", "table-one-slot", "aggregator",
			"aggregator-naive"));
	put(drawing, "  host: {threads: %s}\n", PICK(drawing, "main", "per-device", "pool"));
	put(drawing, "  traces: %s\n", PICK(drawing, "replicated", "sharded", "off"));
	put(drawing, "  command_cache: %s\n", PICK(drawing, "true", "false"));
	put(drawing, "  kernel_cache: %s\n", PICK(drawing, "true", "false"));
	put(drawing, "  command_buffers: %s\n", PICK(drawing, "1", "2"));
	if (chance(drawing, 3))
		put(drawing, "  sizes: {issue_queue_bytes: %u}\n", 262144u << below(drawing, 4));
}

static void draw_head(struct drawing *drawing, uint64_t seed, const char *networks)
{
	static const struct machine machines[] = {
		{"n150", 1, 1, true},
		{"n150", 1, 1, true},
		{"n150", 1, 1, true},
		{"n300", 2, 1, true},
		{"n300", 2, 1, true},
		{"t3k", 8, 2, true},
		{"galaxy", 32, 4, false},
	};
	const struct machine *machine =
		&machines[below(drawing, sizeof machines / sizeof machines[0])];

	drawing->devices = machine->devices;
	drawing->queues = chance(drawing, 4) ? 1 : 2;
	put(drawing, "meshsim: 1\nname: random\nplatform: %s\nseed: %u\n", machine->name,
		(uint32_t)seed);
	put(drawing, "sweep: {model.network: %s}\n", networks);
	put(drawing, "model: {noise: %s}\n", PICK(drawing, "on", "off"));
	draw_runtime(drawing, machine);
	put(drawing, "workload:\n");
}

/* ---- steps ---- */

static void step(struct drawing *drawing, uint32_t depth)
{
	put(drawing, "%*s- ", (int)(2 + 4 * depth), "");
}

/* Makes queue `after` wait for everything that was sent through queue `before`. */
static void draw_order(struct drawing *drawing, uint32_t depth, uint32_t before, uint32_t after)
{
	uint32_t event = drawing->events++;

	step(drawing, depth);
	put(drawing, "record_event: {event: e%u, queue: %u}\n", event, before);
	step(drawing, depth);
	put(drawing, "wait_event: {event: e%u, queue: %u}\n", event, after);
}

static void draw_host_event(struct drawing *drawing, uint32_t depth)
{
	uint32_t event = drawing->events++;

	step(drawing, depth);
	put(drawing, "record_event: {event: e%u, queue: %u, to_host: true}\n", event,
		below(drawing, drawing->queues));
	step(drawing, depth);
	put(drawing, "wait_event: {event: e%u, host: true}\n", event);
}

static void draw_buffer(struct drawing *drawing, uint32_t index)
{
	struct buffer *buffer = &drawing->buffers[index];

	buffer->made = true;
	buffer->queue = index % drawing->queues;
	buffer->page_bytes = 32 * magnitude(drawing, 8);
	buffer->memory = PICK(drawing, "dram", "dram", "l1");
	buffer->spread = PICK(drawing, "replicated", "sharded");
	buffer->layout = PICK(drawing, "interleaved", "interleaved", "sharded");
	buffer->bytes = buffer->page_bytes * magnitude(drawing, 8);
	if (strcmp(buffer->spread, "sharded") == 0)
		buffer->bytes *= drawing->devices;
}

static void draw_write(struct drawing *drawing, uint32_t depth, uint32_t index)
{
	struct buffer *buffer = &drawing->buffers[index];

	if (!buffer->made)
		draw_buffer(drawing, index);
	step(drawing, depth);
	put(drawing,
		"write_buffer: {buffer: b%u, bytes: %u, page_bytes: %u, memory: %s, spread: %s, "
		"layout: %s, pinned: %s, blocking: %s, queue: %u}\n",
		index, buffer->bytes, buffer->page_bytes, buffer->memory, buffer->spread,
		buffer->layout, PICK(drawing, "false", "false", "false", "true"),
		PICK(drawing, "false", "false", "true"), buffer->queue);
}

static void draw_read(struct drawing *drawing, uint32_t depth, uint32_t index)
{
	step(drawing, depth);
	put(drawing, "read_buffer: {buffer: b%u, pinned: %s, blocking: %s, queue: %u}\n", index,
		PICK(drawing, "false", "false", "false", "true"), PICK(drawing, "false", "true"),
		drawing->buffers[index].queue);
}

static void draw_cores(struct drawing *drawing)
{
	switch (below(drawing, 3)) {
	case 0:
		put(drawing, "cores: all");
		break;
	case 1:
		put(drawing, "cores: %u", magnitude(drawing, 5));
		break;
	default:
		put(drawing, "cores: [%u, %u]", 1 + below(drawing, 7), 1 + below(drawing, 7));
	}
}

static void draw_program(struct drawing *drawing, uint32_t depth, bool traced, uint32_t queue)
{
	step(drawing, depth);
	put(drawing, "enqueue_workload: {program: p%u, ", drawing->programs++);
	draw_cores(drawing);
	put(drawing, ", processors: %s, kernel_bytes: %u, runtime_args: %u",
		PICK(drawing, "brisc", "[brisc, ncrisc]", "all"), 16 * magnitude(drawing, 9),
		below(drawing, 64));
	put(drawing, ", common_runtime_args: %u, circular_buffers: %u, semaphores: %u",
		below(drawing, 16), below(drawing, 8), below(drawing, 4));
	put(drawing, ", run_ns: %u", 100 * magnitude(drawing, 9));
	if (chance(drawing, 3))
		put(drawing, ", arguments: kept");
	if (traced) {
		put(drawing, "}\n");
		return;
	}
	put(drawing, ", queue: %u, blocking: %s}\n", queue,
		PICK(drawing, "false", "false", "true"));
}

static void draw_trace(struct drawing *drawing, uint32_t depth)
{
	uint32_t queue = below(drawing, drawing->queues), programs = 1 + below(drawing, 3);

	step(drawing, depth);
	put(drawing, "trace: %u\n%*sreplays: %u\n%*squeue: %u\n%*sdo:\n", 1 + below(drawing, 2),
		(int)(4 + 4 * depth), "", 1 + below(drawing, 3), (int)(4 + 4 * depth), "", queue,
		(int)(4 + 4 * depth), "");
	for (uint32_t i = 0; i < programs; i++)
		draw_program(drawing, depth + 1, true, queue);
}

/* Allows the other queue to use a buffer. */
static void draw_handover(struct drawing *drawing, uint32_t depth, struct buffer *buffer)
{
	uint32_t other = 1 - buffer->queue;

	draw_order(drawing, depth, buffer->queue, other);
	buffer->queue = other;
}

static void draw_steps(struct drawing *drawing, uint32_t depth, uint32_t count);

/* Draws a loop. Its steps run more than once, so buffers may not change their queues. */
static void draw_repeat(struct drawing *drawing)
{
	step(drawing, 0);
	put(drawing, "repeat: %u\n    do:\n", 2 + below(drawing, 4));
	draw_steps(drawing, 1, 1 + below(drawing, 5));
}

static void draw_step(struct drawing *drawing, uint32_t depth)
{
	uint32_t index = below(drawing, BUFFERS);
	struct buffer *buffer = &drawing->buffers[index];

	switch (below(drawing, 12)) {
	case 0:
	case 1:
	case 2:
		draw_write(drawing, depth, index);
		break;
	case 3:
	case 4:
		if (buffer->made)
			draw_read(drawing, depth, index);
		else
			draw_write(drawing, depth, index);
		break;
	case 5:
	case 6:
	case 7:
		draw_program(drawing, depth, false, below(drawing, drawing->queues));
		break;
	case 8:
		if (drawing->queues == 1)
			draw_host_event(drawing, depth);
		else if (depth == 0 && buffer->made)
			draw_handover(drawing, depth, buffer);
		else
			draw_order(drawing, depth, index % 2, 1 - index % 2);
		break;
	case 9:
		draw_host_event(drawing, depth);
		break;
	case 10:
		step(drawing, depth);
		put(drawing, "finish\n");
		break;
	default:
		if (depth == 0 && chance(drawing, 2))
			draw_repeat(drawing);
		else if (depth == 0)
			draw_trace(drawing, depth);
		else
			draw_program(drawing, depth, false, below(drawing, drawing->queues));
	}
}

static void draw_steps(struct drawing *drawing, uint32_t depth, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		draw_step(drawing, depth);
}

void random_scenario(uint64_t seed, const char *networks, char text[RANDOM_SCENARIO_BYTES])
{
	struct drawing drawing = {.text = text};

	stream_init(&drawing.stream, seed, "test/scenario");
	draw_head(&drawing, seed, networks);
	draw_steps(&drawing, 0, 1 + below(&drawing, 14));
	for (uint32_t i = 0; i < BUFFERS; i++)
		if (drawing.buffers[i].made)
			draw_read(&drawing, 0, i);
	step(&drawing, 0);
	put(&drawing, "finish\n");
}
