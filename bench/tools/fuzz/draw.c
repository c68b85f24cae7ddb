/* Draws (generates at random) a whole scenario. This file determines the order of its parts, and
 * draws its first keys and the part `measure`. Other files draw the other parts. */
#include <inttypes.h>
#include <string.h>

#include "drawing.h"

/* One in twelve scenarios is a sweep, so that several runs write one file. */
static void draw_measure(struct drawing *drawing)
{
	static const char *const keys[] = {"verify: false", "warmup: 1", "verify_cores: 1000",
		"prints: 3",
		"log: {dispatch: debug, allocator: debug, distributed: debug, lines: 100}"};
	static const uint32_t rare[] = {8, 8, 2, 8};
	struct text line = {0};

	if (!drawing->fixed && draw_chance(drawing, 12))
		draw_line(drawing, 0, "sweep: {%s}",
			DRAW_WORD(drawing, "runtime.completion: [table, per-device, aggregator]",
				"runtime.command_cache: [true, false]",
				"runtime.host.threads: [main, pool]"));
	for (int i = 0; i < 4; i++)
		if (draw_chance(drawing, rare[i]))
			text_printf(&line, "%s%s", line.length ? ", " : "", keys[i]);
	if (line.length)
		draw_line(drawing, 0, "measure: {%s}", text_string(&line));
	text_fini(&line);
}

/* Copies meshes, queues and memory regions from the user's scenario. */
static void take_runtime(struct drawing *drawing, const struct scenario *given)
{
	drawing->queues = given->runtime.command_queues;
	drawing->elides = given->model.elide_above_bytes > 0;
	drawing->l1_small = given->runtime.sizes.l1_small_bytes > 0;
	drawing->trace_region = given->runtime.sizes.trace_region_bytes > 0;
	drawing->system_memory = given->runtime.sizes.system_memory_bytes > 0;
	drawing->sub_device_count = given->runtime.sub_device_count;
	drawing->sub_device_l1 = given->runtime.sub_device_l1_bytes;
	for (uint32_t i = 0; i < drawing->sub_device_count; i++)
		drawing->sub_devices[i] = given->runtime.sub_devices[i];
	drawing->mesh_count = scenario_mesh_count(given);
	for (uint32_t i = 0; i < drawing->mesh_count; i++) {
		const struct mesh_keys *mesh = scenario_mesh(given, i);
		bool all = mesh->shape_count == 0;

		drawing->meshes[i].name = mesh->name;
		drawing->meshes[i].rows = all ? drawing->machine.rows : mesh->shape[0];
		drawing->meshes[i].columns = all ? drawing->machine.columns : mesh->shape[1];
	}
}

void drawing_make(struct drawing *drawing, uint64_t seed, bool harmless,
	const struct machine *machine, const struct scenario *given)
{
	memset(drawing, 0, sizeof *drawing);
	drawing->machine = *machine;
	drawing->mesh = drawing->meshes;
	drawing->harmless = harmless;
	drawing->fixed = given != NULL;
	if (given)
		take_runtime(drawing, given);
	draw_line(drawing, 0, "meshsim: 1\nname: fuzz-%" PRIu64 "\nseed: %" PRIu64, seed, seed);
	if (!drawing->fixed) {
		stream_init(&drawing->stream, seed, "fuzz/runtime");
		draw_runtime(drawing, seed);
	}
	for (uint32_t i = 0; i < drawing->mesh_count; i++)
		drawing->meshes[i].devices =
			(uint32_t)drawing->meshes[i].rows * drawing->meshes[i].columns;
	stream_init(&drawing->stream, seed, "fuzz/measure");
	draw_measure(drawing);
	stream_init(&drawing->stream, seed, "fuzz/steps");
	draw_steps(drawing);
}
