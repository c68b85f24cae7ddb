/* Draws (generates at random) the steps of a workload: buffers, events, finishes, traffic, loops.
 * At each point of the workload, a buffer belongs to one queue. Before another queue uses the
 * buffer, it waits for an event that the first queue records. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drawing.h"

enum { STEPS_MAX = 12, LOOP_STEPS_MAX = 4 };

static uint32_t draw_queue(struct drawing *drawing)
{
	return draw_below(drawing, drawing->queues);
}

static const char *draw_bool(struct drawing *drawing, uint32_t n)
{
	return draw_chance(drawing, n) ? "true" : "false";
}

/* Makes queue `after` wait for all commands that were sent through queue `before`. */
static void draw_order(struct drawing *drawing, uint32_t depth, uint32_t before, uint32_t after)
{
	drawing->events++;
	draw_line(drawing, depth, "- record_event: {event: e%" PRIu32 ", queue: %" PRIu32 "}",
		drawing->events, before);
	draw_line(drawing, depth, "- wait_event: {event: e%" PRIu32 ", queue: %" PRIu32 "}",
		drawing->events, after);
}

/* Draws two steps: one records an event, the other waits for it. On a machine of one host, the host
 * waits. On a machine of several hosts, the controller waits (`host`), or the executors wait
 * (`executors`). The executors can wait for events with `to_host`, too. */
static void draw_host_event(struct drawing *drawing, uint32_t depth)
{
	bool executors = drawing->machine.hosts > 0 && draw_chance(drawing, 2);
	const char *reach = executors && draw_chance(drawing, 2) ? "to_executors" : "to_host";
	struct text devices = {0};

	drawing->events++;
	if (drawing->mesh->devices > 1 && draw_chance(drawing, 2))
		draw_devices(drawing, &devices);
	draw_line(drawing, depth,
		"- record_event: {event: e%" PRIu32 ", queue: %" PRIu32 ", %s: true%s}",
		drawing->events, draw_queue(drawing), reach, text_string(&devices));
	text_fini(&devices);
	draw_line(drawing, depth, "- wait_event: {event: e%" PRIu32 ", %s: true}", drawing->events,
		executors ? "executors" : "host");
}

static const char *draw_memory(struct drawing *drawing)
{
	if (drawing->l1_small && draw_chance(drawing, 2))
		return "l1-small";
	if (drawing->trace_region && drawing->machine.hosts == 0 && draw_chance(drawing, 3))
		return "trace";
	return DRAW_WORD(drawing, "dram", "dram", "l1");
}

/* Draws the distribution of a buffer over the devices. Returns the number of parts. */
static uint32_t draw_spread(struct drawing *drawing, char *out, size_t size)
{
	const struct drawn_mesh *mesh = drawing->mesh;
	const char *spread = DRAW_WORD(
		drawing, "replicated", "replicated", "sharded", "sharded", "per-row", "per-column");

	snprintf(out, size, "%s%s", spread,
		strcmp(spread, "sharded") == 0 && draw_chance(drawing, 2)
			? ", spread_order: column-major"
			: "");
	return strcmp(spread, "sharded") == 0	   ? mesh->devices
	       : strcmp(spread, "per-row") == 0	   ? mesh->rows
	       : strcmp(spread, "per-column") == 0 ? mesh->columns
						   : 1;
}

/* Makes a buffer in system memory. Such a buffer is never spread over devices. */
static void make_host_buffer(struct drawing *drawing, struct drawn_buffer *buffer)
{
	uint32_t page = 4 * draw_magnitude(drawing, 8), pages = draw_magnitude(drawing, 6);

	buffer->of_host = true;
	snprintf(buffer->keys, sizeof buffer->keys,
		"bytes: %" PRIu32 ", page_bytes: %" PRIu32 ", memory: system, bottom_up: %s",
		page * pages, page, draw_bool(drawing, 2));
}

static void make_buffer(struct drawing *drawing, struct drawn_buffer *buffer, uint32_t number)
{
	uint32_t high = draw_magnitude(drawing, 4), wide = draw_magnitude(drawing, 4);
	uint32_t page = 4 * draw_magnitude(drawing, 12), pages = draw_magnitude(drawing, 8);
	char spread[DRAW_SPREAD_MAX];
	uint32_t parts;
	const char *layout = DRAW_WORD(drawing, "interleaved", "interleaved", "interleaved",
		"sharded", "height-sharded", "width-sharded", "block-sharded");
	bool matrix = strchr(layout, '-') != NULL;
	const char *memory = draw_memory(drawing);
	int length;

	buffer->made = true;
	if (buffer->keys[0]) /* keys stay the same when a mesh is opened again */
		return;
	pages = matrix ? high * wide : pages;
	buffer->pages = pages;
	buffer->of_some = draw_chance(drawing, 4);
	parts = buffer->of_some ? draw_matrix_spread(drawing, page, pages, spread, sizeof spread)
				: draw_spread(drawing, spread, sizeof spread);
	buffer->queue = number % drawing->queues;
	if (drawing->system_memory && draw_chance(drawing, 3)) {
		make_host_buffer(drawing, buffer);
		return;
	}
	length = snprintf(buffer->keys, sizeof buffer->keys,
		"bytes: %" PRIu32 ", page_bytes: %" PRIu32 ", memory: %s, spread: %s, layout: %s",
		page * pages * parts, page, memory, spread, layout);
	if (strcmp(memory, "l1") == 0 && drawing->sub_device_l1 > 0 && draw_chance(drawing, 2))
		length += snprintf(buffer->keys + length, sizeof buffer->keys - (size_t)length,
			", sub_device: %s",
			drawing->sub_devices[draw_below(drawing, drawing->sub_device_count)].name);
	if (matrix)
		draw_page_matrix(drawing, layout, high, wide, buffer->keys + length,
			sizeof buffer->keys - (size_t)length);
	if (strcmp(layout, "sharded") == 0 && draw_chance(drawing, 2))
		snprintf(buffer->keys + length, sizeof buffer->keys - (size_t)length,
			", contiguous_pages: %" PRIu32, 1 + draw_below(drawing, pages));
}

/* Writes to `out` the keys of a transfer that select its data: the whole buffer, in pinned memory
 * or not, or the part of one device. */
static void draw_share(
	struct drawing *drawing, const struct drawn_buffer *buffer, char *out, size_t size)
{
	if (buffer->of_host)
		snprintf(out, size, "pinned: false");
	else if (!buffer->of_some && draw_chance(drawing, 4))
		snprintf(out, size, "shard: [%" PRIu32 ", %" PRIu32 "]",
			draw_below(drawing, drawing->mesh->rows),
			draw_below(drawing, drawing->mesh->columns));
	else if (drawing->machine.hosts > 0)
		snprintf(out, size, "pinned: false");
	else
		snprintf(out, size, "pinned: %s", draw_bool(drawing, 3));
}

/* Appends the pages of each device's part that a transfer moves, if not all. */
static void draw_pages(struct drawing *drawing, const struct drawn_buffer *buffer,
	const char *share, char *out, size_t size)
{
	uint32_t first = draw_below(drawing, buffer->pages);

	if (buffer->of_host || drawing->machine.hosts > 0 || strstr(share, "true") ||
		!draw_chance(drawing, 4))
		return;
	snprintf(out, size, ", pages: [%" PRIu32 ", %" PRIu32 "]", first,
		1 + draw_below(drawing, buffer->pages - first));
}

static void draw_write(struct drawing *drawing, uint32_t depth, uint32_t number)
{
	struct drawn_buffer *buffer = &drawing->mesh->buffers[number];
	bool made = buffer->made;
	char share[64], pages[64] = "";

	if (!made)
		make_buffer(drawing, buffer, number);
	if (drawing->machine.hosts > 0 && draw_chance(drawing, 3))
		snprintf(share, sizeof share, "stored: true");
	else
		draw_share(drawing, buffer, share, sizeof share);
	if (made)
		draw_pages(drawing, buffer, share, pages, sizeof pages);
	draw_line(drawing, depth,
		"- write_buffer: {buffer: b%" PRIu32 ", %s, %s%s, blocking: %s, queue: %" PRIu32
		"}",
		number, buffer->keys, share, pages, draw_bool(drawing, 3), buffer->queue);
}

static void draw_read(struct drawing *drawing, uint32_t depth, uint32_t number)
{
	char share[64], pages[64] = "";

	draw_share(drawing, &drawing->mesh->buffers[number], share, sizeof share);
	if (strstr(text_string(&drawing->text), "gather: device") == NULL)
		draw_pages(drawing, &drawing->mesh->buffers[number], share, pages, sizeof pages);
	draw_line(drawing, depth,
		"- read_buffer: {buffer: b%" PRIu32 ", %s%s, blocking: %s, queue: %" PRIu32 "}",
		number, share, pages, draw_bool(drawing, 2), drawing->mesh->buffers[number].queue);
}

static void draw_buffer(struct drawing *drawing, uint32_t depth)
{
	uint32_t number = draw_below(drawing, DRAWN_BUFFERS);
	struct drawn_buffer *buffer = &drawing->mesh->buffers[number];

	if (!buffer->made || draw_chance(drawing, 2)) {
		draw_write(drawing, depth, number);
	} else if (depth == 1 && drawing->queues == 2 && draw_chance(drawing, 3)) {
		draw_order(drawing, depth, buffer->queue, 1 - buffer->queue);
		buffer->queue = 1 - buffer->queue;
	} else {
		draw_read(drawing, depth, number);
	}
}

static void draw_ping(struct drawing *drawing, uint32_t depth)
{
	draw_line(drawing, depth,
		"- fabric_ping: {op: %s, hops: %" PRIu32 ", payload_bytes: %" PRIu32
		", samples: %" PRIu32 "}",
		DRAW_WORD(drawing, "write", "fused_atomic_inc"),
		1 + draw_below(drawing, drawing->mesh->rows + drawing->mesh->columns - 2u),
		4 * draw_magnitude(drawing, 10), draw_magnitude(drawing, 5));
}

static void draw_traffic(struct drawing *drawing, uint32_t depth)
{
	uint32_t warmup = draw_magnitude(drawing, 5);
	const char *pattern = DRAW_WORD(drawing, "linear_multicast", "unidir_linear_multicast",
		"single_sender_linear_unicast_all_devices", "full_ring_multicast",
		"half_ring_multicast", "full_ring_unicast", "mesh_multicast",
		"mesh_multicast_dynamic", "single_sender_mesh_unicast_all_devices",
		"torus_all_to_all_multicast");

	draw_line(drawing, depth,
		"- fabric_traffic: {pattern: %s, op: %s, packet_bytes: %" PRIu32 ", links: %s, "
		"packets: %" PRIu32 ", warmup: %" PRIu32 "}",
		pattern, DRAW_WORD(drawing, "write", "fused_atomic_inc", "scatter_write"),
		8 * draw_magnitude(drawing, 9), DRAW_WORD(drawing, "1", "1", "2"),
		warmup + draw_magnitude(drawing, 6), warmup);
}

/* Adds one to four random collectives, each on a random queue. They would fail if the mesh
 * launched them in different orders on different devices. */
static void draw_collectives(struct drawing *drawing, uint32_t depth)
{
	for (uint32_t i = draw_below(drawing, 4); i < 4; i++)
		draw_collective(drawing, depth, draw_queue(drawing));
}

static void draw_fabric(struct drawing *drawing, uint32_t depth)
{
	bool joined = drawing->machine.hosts == 0 || drawing->machine.joined > 0;

	if (drawing->mesh->devices == 1 || !joined)
		draw_program(drawing, depth, false);
	else if (draw_chance(drawing, 3))
		draw_collectives(drawing, depth);
	else if (draw_chance(drawing, 2))
		draw_ping(drawing, depth);
	else
		draw_traffic(drawing, depth);
}

static void draw_finish(struct drawing *drawing, uint32_t depth)
{
	if (drawing->sub_device_count > 0 && draw_chance(drawing, 2))
		draw_line(drawing, depth, "- finish: {sub_device: %s}",
			drawing->sub_devices[draw_below(drawing, drawing->sub_device_count)].name);
	else if (draw_chance(drawing, 2))
		draw_line(drawing, depth, "- finish");
	else
		draw_line(drawing, depth, "- finish: {queue: %" PRIu32 "}", draw_queue(drawing));
}

static void draw_step(struct drawing *drawing, uint32_t depth);

static void draw_loop(struct drawing *drawing, uint32_t depth)
{
	uint32_t rate = 1, steps = 1 + draw_below(drawing, LOOP_STEPS_MAX);

	draw_line(drawing, depth, "- repeat: %" PRIu32, 2 + draw_below(drawing, 5));
	if (draw_chance(drawing, 3)) {
		for (uint32_t i = draw_below(drawing, 8); i > 0; i--)
			rate *= 10;
		draw_line(drawing, depth + 1, "rate_per_s: %" PRIu32, rate);
		draw_line(drawing, depth + 1, "arrivals: %s",
			DRAW_WORD(drawing, "constant", "poisson"));
	}
	draw_line(drawing, depth + 1, "do:");
	for (uint32_t i = 0; i < steps; i++)
		draw_step(drawing, depth + 2);
}

static void draw_group(struct drawing *drawing, uint32_t depth)
{
	if (depth > 1)
		draw_program(drawing, depth, false);
	else if (draw_chance(drawing, 3))
		draw_trace(drawing, depth);
	else if (draw_chance(drawing, 3))
		draw_burst(drawing, depth);
	else
		draw_loop(drawing, depth);
}

/* Adds a step that closes the mesh, and a step that opens it again without its objects. Adds a
 * finish instead in two cases: a tensor was written, because no tensor may be written twice; or
 * the machine has several hosts, because its mesh can be opened only once. */
static void draw_turn(struct drawing *drawing, uint32_t depth)
{
	struct drawn_mesh *mesh = drawing->mesh;

	for (uint32_t i = 0; i < DRAWN_TENSORS; i++)
		if (mesh->tensors[i] || drawing->machine.hosts > 0) {
			draw_finish(drawing, depth);
			return;
		}
	draw_line(drawing, depth, "- close_mesh: {}");
	draw_line(drawing, depth, "- open_mesh: {}");
	for (uint32_t i = 0; i < DRAWN_BUFFERS; i++)
		mesh->buffers[i].made = false;
}

/* Draws steps that load the division `other`, run a program on each of its sub-devices, and restore
 * the division that was loaded before. */
static void draw_divided(struct drawing *drawing, uint32_t depth)
{
	static const char *const names[] = {"x", "y"};
	uint32_t columns = drawing->division_columns;

	draw_line(drawing, depth, "- load_sub_devices: other");
	for (uint32_t i = 0; i < 2; i++)
		draw_line(drawing, depth,
			"- enqueue_workload: {program: d%" PRIu32
			", sub_device: %s, cores: [%" PRIu32 ", 1], run_ns: %" PRIu32
			", queue: %" PRIu32 ", blocking: %s}",
			++drawing->programs, names[i], 1 + draw_below(drawing, columns),
			draw_below(drawing, 5000), draw_below(drawing, drawing->queues),
			draw_bool(drawing, 3));
	if (draw_chance(drawing, 2))
		draw_line(drawing, depth, "- finish: {sub_device: %s}",
			names[draw_below(drawing, 2)]);
	draw_line(drawing, depth, "- %s",
		drawing->sub_device_count > 0 ? "load_sub_devices: initial" : "clear_sub_devices");
}

/* Draws a step in which the calling thread does other work. */
static void draw_think(struct drawing *drawing, uint32_t depth)
{
	draw_line(drawing, depth, "- think: {%s: %" PRIu32 "}",
		DRAW_WORD(drawing, "for_ns", "for_ns", "until_ns"),
		(1 + draw_below(drawing, 9)) * draw_magnitude(drawing, 14));
}

static void draw_step(struct drawing *drawing, uint32_t depth)
{
	uint32_t chosen = draw_below(drawing, 31);

	if (drawing->mesh_count > 1)
		drawing->mesh = &drawing->meshes[draw_below(drawing, drawing->mesh_count)];
	if (chosen < 8)
		draw_buffer(drawing, depth);
	else if (chosen < 15)
		draw_program(drawing, depth, false);
	else if (chosen < 17 && drawing->queues == 2)
		draw_order(drawing, depth, chosen % 2, 1 - chosen % 2);
	else if (chosen < 18)
		draw_host_event(drawing, depth);
	else if (chosen < 19)
		draw_finish(drawing, depth);
	else if (chosen < 20)
		draw_fabric(drawing, depth);
	else if (chosen < 22)
		draw_tensor(drawing, depth);
	else if (chosen == 30 && depth == 1 && drawing->division_columns > 0)
		draw_divided(drawing, depth);
	else if (chosen == 30)
		draw_think(drawing, depth);
	else if (chosen == 29)
		draw_library(drawing, depth);
	else if (chosen == 28 && depth == 1)
		draw_turn(drawing, depth);
	else
		draw_group(drawing, depth);
}

void draw_steps(struct drawing *drawing)
{
	uint32_t steps = 1 + draw_below(drawing, STEPS_MAX);

	draw_line(drawing, 0, "workload:");
	for (uint32_t i = 0; i < steps; i++)
		draw_step(drawing, 1);
	for (uint32_t i = 0; i < drawing->mesh_count * DRAWN_BUFFERS; i++) {
		drawing->mesh = &drawing->meshes[i / DRAWN_BUFFERS];
		if (drawing->mesh->buffers[i % DRAWN_BUFFERS].made)
			draw_read(drawing, 1, i % DRAWN_BUFFERS);
	}
	draw_line(drawing, 1, "- finish");
}
