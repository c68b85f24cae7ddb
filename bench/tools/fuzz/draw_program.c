/* Draws (generates at random) programs, traces and bursts. A burst has 254 to 519 commands of one
 * kind, to find errors of 8-bit counters, which overflow after 255. */
#include <inttypes.h>

#include "drawing.h"
#include "world/bounds.h"

/* A burst is about 256 launches. If 256 times the number of devices is more than this, a burst
 * launches on one device only, so that a run takes about a second. */
enum { BURST_LAUNCHES_MAX = 4096 };

/* Chooses a sub-device at random, and some or all of its cores. Only the first sub-device has
 * Ethernet cores. In a trace, takes the sub-device of the trace. Returns the number of columns of
 * these cores. */
static uint32_t draw_cores_of_one(struct drawing *drawing, struct text *keys, bool ethernet)
{
	uint32_t chosen = drawing->traced_sub_device > 0
				  ? drawing->traced_sub_device - 1
				  : draw_below(drawing, drawing->sub_device_count);
	const struct sub_device_keys *of = &drawing->sub_devices[ethernet ? 0 : chosen];
	uint32_t columns = of->cores[0];

	text_printf(keys, "sub_device: %s", of->name);
	if (draw_chance(drawing, 2))
		return columns;
	columns = 1 + draw_below(drawing, columns);
	text_printf(keys, ", cores: [%" PRIu32 ", %" PRIu32 "]", columns,
		1 + draw_below(drawing, of->cores[1]));
	return columns;
}

/* Draws the cores of a program. They lie in at least as many columns as the function returns. */
static uint32_t draw_cores(struct drawing *drawing, struct text *keys, bool ethernet)
{
	uint32_t kind = draw_below(drawing, 4), count, columns;

	if (drawing->sub_device_count > 0)
		return draw_cores_of_one(drawing, keys, ethernet);
	if (kind < 2) {
		text_append(keys, "cores: all");
		return 4;
	}
	if (kind < 3) {
		count = draw_magnitude(drawing, 5);
		text_printf(keys, "cores: %" PRIu32, count);
		return count < 4 ? count : 4;
	}
	columns = 1 + draw_below(drawing, 8);
	text_printf(keys, "cores: [%" PRIu32 ", %" PRIu32 "]", columns, 1 + draw_below(drawing, 7));
	return columns;
}

static uint32_t draw_run_ns(struct drawing *drawing)
{
	switch (draw_below(drawing, 4)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return 100 * draw_magnitude(drawing, 9);
	default:
		return 1000 * draw_magnitude(drawing, 6);
	}
}

static void draw_buffers_of(struct drawing *drawing, uint32_t columns, struct text *keys)
{
	text_printf(keys, ", circular_buffers: %" PRIu32, 1 + draw_below(drawing, 8));
	if (columns > 1 && draw_chance(drawing, 3))
		text_append(keys, ", circular_buffer_groups: 2");
	if (draw_chance(drawing, 3))
		text_printf(keys, ", circular_buffer_bytes: %" PRIu32,
			16 * draw_magnitude(drawing, 12));
}

void draw_devices(struct drawing *drawing, struct text *keys)
{
	uint32_t rows = 1 + draw_below(drawing, drawing->mesh->rows);
	uint32_t columns = 1 + draw_below(drawing, drawing->mesh->columns);

	text_printf(keys,
		", devices: {shape: [%" PRIu32 ", %" PRIu32 "], offset: [%" PRIu32 ", %" PRIu32
		"]}",
		rows, columns, draw_below(drawing, drawing->mesh->rows - rows + 1),
		draw_below(drawing, drawing->mesh->columns - columns + 1));
}

static void draw_rest(struct drawing *drawing, uint32_t columns, struct text *keys)
{
	if (draw_chance(drawing, 3))
		draw_buffers_of(drawing, columns, keys);
	if (columns > 2 && draw_chance(drawing, 5))
		text_printf(keys, ", kernel_groups: %" PRIu32, 1 + draw_below(drawing, 3));
	if (draw_chance(drawing, 4))
		text_printf(keys, ", pages: %" PRIu32, draw_magnitude(drawing, 6));
	if (draw_chance(drawing, 3))
		text_append(keys, ", arguments: kept");
	if (draw_chance(drawing, 4))
		text_printf(
			keys, ", arguments_per: %s", DRAW_WORD(drawing, "row", "column", "device"));
}

/* Draws the number of a kernel's common arguments, or of its unique arguments. The number is mostly
 * less than `few`, and sometimes up to `most`. */
static uint32_t draw_arguments(struct drawing *drawing, uint32_t few, uint32_t most)
{
	uint32_t kind = draw_below(drawing, 12);
	uint32_t count = draw_below(drawing, kind == 1 || few > most ? most + 1 : few);

	return kind == 0 ? most : count;
}

/* Draws the keys of one program, except its devices. */
static void draw_program_draw_keys(struct drawing *drawing, struct text *keys)
{
	bool ethernet = draw_chance(drawing, 24) && drawing->traced_sub_device <= 1;
	uint32_t name = ++drawing->programs, columns, arguments;

	if (draw_chance(drawing, 4))
		name = 1 + draw_below(drawing, drawing->programs);
	text_printf(keys, "program: p%" PRIu32 ", ", name);
	columns = draw_cores(drawing, keys, ethernet);
	text_printf(keys, ", processors: %s",
		ethernet
			? DRAW_WORD(drawing, "ethernet", "[brisc, ethernet]")
			: DRAW_WORD(drawing, "brisc", "brisc", "[brisc, ncrisc]", "all", "trisc1"));
	text_printf(keys, ", kernel_bytes: %" PRIu32, 16 * draw_magnitude(drawing, 9));
	arguments = draw_arguments(drawing, 64, BOUND_ARGUMENTS);
	text_printf(keys, ", runtime_args: %" PRIu32, arguments);
	text_printf(keys, ", common_runtime_args: %" PRIu32,
		draw_arguments(drawing, 16, BOUND_ARGUMENTS - arguments));
	text_printf(keys, ", semaphores: %" PRIu32, draw_below(drawing, 4));
	text_printf(keys, ", run_ns: %" PRIu32, draw_run_ns(drawing));
	draw_rest(drawing, columns, keys);
}

/* Draws a workload that divides the mesh into strips of devices, each with its own program.
 * Sometimes a strip has no program. */
static void draw_strips(struct drawing *drawing, uint32_t depth)
{
	bool across =
		drawing->mesh->columns == 1 || (drawing->mesh->rows > 1 && draw_chance(drawing, 2));
	uint32_t extent = across ? drawing->mesh->rows : drawing->mesh->columns;
	uint32_t count = 2 + draw_below(drawing, extent < 4 ? extent - 1 : 3);
	bool begun = false;

	draw_line(drawing, depth, "programs:");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = i * extent / count, to = (i + 1) * extent / count;
		struct text keys = {0};

		if (draw_chance(drawing, 6) && (begun || i + 1 < count))
			continue;
		begun = true;
		draw_program_draw_keys(drawing, &keys);
		draw_line(drawing, depth + 1,
			"- {%s, devices: {shape: [%" PRIu32 ", %" PRIu32 "], offset: [%" PRIu32
			", %" PRIu32 "]}}",
			text_string(&keys), across ? to - from : drawing->mesh->rows,
			across ? drawing->mesh->columns : to - from, across ? from : 0,
			across ? 0 : from);
		text_fini(&keys);
	}
}

static const char *draw_blocking(struct drawing *drawing)
{
	return draw_chance(drawing, 3) ? "true" : "false";
}

static void draw_programs(struct drawing *drawing, uint32_t depth, bool traced)
{
	draw_line(drawing, depth, "- enqueue_workload:");
	if (!traced) {
		draw_line(drawing, depth + 3, "queue: %" PRIu32,
			draw_below(drawing, drawing->queues));
		draw_line(drawing, depth + 3, "blocking: %s", draw_blocking(drawing));
	}
	draw_strips(drawing, depth + 3);
}

void draw_program(struct drawing *drawing, uint32_t depth, bool traced)
{
	struct text keys = {0};

	if (drawing->mesh->devices > 1 && draw_chance(drawing, 5)) {
		draw_programs(drawing, depth, traced);
		return;
	}
	draw_program_draw_keys(drawing, &keys);
	if (drawing->mesh->devices > 1 && draw_chance(drawing, 3))
		draw_devices(drawing, &keys);
	if (!traced)
		text_printf(&keys, ", queue: %" PRIu32 ", blocking: %s",
			draw_below(drawing, drawing->queues), draw_blocking(drawing));
	draw_line(drawing, depth, "- enqueue_workload: {%s}", text_string(&keys));
	text_fini(&keys);
}

/* Draws a step that a trace of queue `queue` can capture. The step uses no buffer that another
 * queue uses, because a trace cannot capture this. It is no pinned or blocking transfer for the
 * same reason. */
static void draw_traced(struct drawing *drawing, uint32_t depth, uint32_t queue)
{
	uint32_t number = draw_below(drawing, DRAWN_BUFFERS);
	const struct drawn_buffer *buffer = &drawing->mesh->buffers[number];

	if (drawing->mesh->devices > 1 && drawing->sub_device_count == 0 &&
		drawing->machine.hosts == 0 && draw_chance(drawing, 8)) {
		draw_collective(drawing, depth, queue);
		return;
	}
	if (draw_chance(drawing, 2)) {
		draw_program(drawing, depth, true);
		return;
	}
	drawing->trace_of_queue = true;
	if (buffer->made && !buffer->of_host && buffer->queue == queue && !drawing->elides) {
		if (draw_chance(drawing, 2))
			draw_line(drawing, depth, "- write_buffer: {buffer: b%" PRIu32 "}", number);
		else
			draw_line(drawing, depth, "- read_buffer: {buffer: b%" PRIu32 "}", number);
	} else {
		drawing->events++;
		draw_line(drawing, depth, "- record_event: {event: e%" PRIu32 ", to_host: %s}",
			drawing->events, draw_chance(drawing, 2) ? "true" : "false");
		draw_line(drawing, depth, "- wait_event: {event: e%" PRIu32 "}", drawing->events);
	}
}

/* Draws replays of the last trace, and sometimes a step that releases the trace. If the trace
 * contains only programs, it can be replayed on any queue. */
static void draw_replays(struct drawing *drawing, uint32_t depth)
{
	for (uint32_t i = draw_below(drawing, 3); i > 0; i--) {
		const char *queue =
			draw_below(drawing, drawing->queues) ? ", queue: 1" : ", queue: 0";

		draw_line(drawing, depth,
			"- replay_trace: {trace: t%" PRIu32 ", times: %" PRIu32 ", blocking: %s%s}",
			drawing->traces, 1 + draw_below(drawing, 4),
			draw_chance(drawing, 3) ? "true" : "false",
			drawing->trace_of_queue ? "" : queue);
	}
	if (draw_chance(drawing, 2))
		draw_line(
			drawing, depth, "- release_trace: {trace: t%" PRIu32 "}", drawing->traces);
}

void draw_trace(struct drawing *drawing, uint32_t depth)
{
	uint32_t steps = 1 + draw_below(drawing, 4), queue = draw_below(drawing, drawing->queues);
	bool named = depth == 1 && draw_chance(drawing, 2);

	if (drawing->machine.hosts > 0 && !drawing->trace_region) {
		draw_program(drawing, depth, false);
		return;
	}

	draw_line(drawing, depth, "- trace: %" PRIu32, 1 + draw_below(drawing, 3));
	draw_line(
		drawing, depth + 1, "replays: %" PRIu32, (named ? 0 : 1) + draw_below(drawing, 4));
	draw_line(drawing, depth + 1, "queue: %" PRIu32, queue);
	if (draw_chance(drawing, 3))
		draw_line(drawing, depth + 1, "blocking: true");
	if (named)
		draw_line(drawing, depth + 1, "name: t%" PRIu32, ++drawing->traces);
	draw_line(drawing, depth + 1, "do:");
	if (drawing->sub_device_count > 0)
		drawing->traced_sub_device = 1 + draw_below(drawing, drawing->sub_device_count);
	drawing->trace_of_queue = false;
	for (uint32_t i = 0; i < steps; i++)
		draw_traced(drawing, depth + 2, queue);
	drawing->traced_sub_device = 0;
	if (named)
		draw_replays(drawing, depth);
}

/* Draws the number of commands in a burst. Errors of 8-bit counters appear at lengths near 256,
 * where the counters overflow. So half of the bursts have 256 commands, and a quarter have 254 to
 * 258. The others have 256 to 519. */
static uint32_t draw_burst_length(struct drawing *drawing)
{
	enum { COUNTED = 256 };

	if (draw_chance(drawing, 2))
		return COUNTED;
	if (draw_chance(drawing, 2))
		return COUNTED - 2 + draw_below(drawing, 5);
	return COUNTED + draw_below(drawing, COUNTED + 8);
}

/* Draws steps that block queue 0 until a program on queue 1 ends. This program takes longer than
 * the host needs to send a burst. */
static void draw_hold(struct drawing *drawing, uint32_t depth)
{
	drawing->events++;
	draw_line(drawing, depth,
		"- enqueue_workload: {program: holds, cores: 1, run_ns: 5000000, queue: 1}");
	draw_line(
		drawing, depth, "- record_event: {event: e%" PRIu32 ", queue: 1}", drawing->events);
	draw_line(drawing, depth, "- wait_event: {event: e%" PRIu32 ", queue: 0}", drawing->events);
}

/* Draws a burst of writes of one kind, sharded over the devices or replicated to them. Before the
 * burst, the queue waits for an event, so that all writes are pending at the same time. After the
 * burst, there may be a write of the other kind, which must be executed after the burst. The last
 * step is a finish. */
static void draw_held_burst(struct drawing *drawing, uint32_t depth)
{
	bool each = draw_chance(drawing, 2);
	const char *kind = each ? "sharded" : "replicated",
		   *other = each ? "replicated" : "sharded";
	uint32_t bytes = 64 * drawing->mesh->devices;

	draw_hold(drawing, depth);
	draw_line(drawing, depth, "- repeat: %" PRIu32, draw_burst_length(drawing));
	draw_line(drawing, depth + 1, "do:");
	draw_line(drawing, depth + 2,
		"- write_buffer: {buffer: %s, bytes: %" PRIu32
		", page_bytes: 64, memory: %s, spread: %s, queue: 0}",
		kind, bytes, DRAW_WORD(drawing, "l1", "dram"), kind);
	if (!each || draw_chance(drawing, 2))
		draw_line(drawing, depth,
			"- write_buffer: {buffer: %s, bytes: %" PRIu32
			", page_bytes: 64, spread: %s, queue: 0}",
			other, bytes, other);
	draw_line(drawing, depth, "- finish: {queue: 0}");
}

/* Draws a burst of launches that are in flight at the same time, with a single launch before it and
 * one after it. If `one` is set, the burst goes to one device (unicasts), and the single launches
 * go to all devices (broadcasts). Otherwise the burst goes to all devices, and the single launches
 * go to one device. */
static void draw_launch_burst(struct drawing *drawing, uint32_t depth, bool one)
{
	const char *first = ", devices: {shape: [1, 1]}", *many = one ? first : "";
	uint32_t queue = draw_below(drawing, drawing->queues);

	draw_line(drawing, depth,
		"- enqueue_workload: {program: before, cores: 1%s, queue: %" PRIu32 "}",
		one ? "" : first, queue);
	draw_line(drawing, depth, "- repeat: %" PRIu32, draw_burst_length(drawing));
	draw_line(drawing, depth + 1, "do:");
	draw_line(drawing, depth + 2,
		"- enqueue_workload: {program: burst, cores: 1, kernel_bytes: 64, run_ns: %" PRIu32
		"%s, queue: %" PRIu32 "}",
		draw_run_ns(drawing) / 10, many, queue);
	draw_line(drawing, depth,
		"- enqueue_workload: {program: after, cores: 1%s, queue: %" PRIu32 "}",
		one ? "" : first, queue);
}

void draw_burst(struct drawing *drawing, uint32_t depth)
{
	bool small = drawing->mesh->devices * 256 <= BURST_LAUNCHES_MAX;

	if (small && drawing->queues == 2 && draw_chance(drawing, 2))
		draw_held_burst(drawing, depth);
	else
		draw_launch_burst(drawing, depth, !small || draw_chance(drawing, 2));
}
