/* A drawing as a whole: what stands in which order. Knows no key but the first ones and those of
 * `measure`. */
#include <inttypes.h>
#include <string.h>

#include "drawing.h"

/* One in twelve sweeps, so that several runs make one file. */
static void draw_measure(struct drawing *drawing)
{
	static const char *const keys[] = {"verify: false", "warmup: 1", "verify_cores: 1000"};
	static const uint32_t rare[] = {8, 8, 2};
	struct text line = {0};

	if (!drawing->fixed && draw_chance(drawing, 12))
		draw_line(drawing, 0, "sweep: {%s}",
			DRAW_WORD(drawing, "runtime.completion: [table, per-device, aggregator]",
				"runtime.command_cache: [true, false]",
				"runtime.host.threads: [main, pool]"));
	for (int i = 0; i < 3; i++)
		if (draw_chance(drawing, rare[i]))
			text_printf(&line, "%s%s", line.length ? ", " : "", keys[i]);
	if (line.length)
		draw_line(drawing, 0, "measure: {%s}", text_string(&line));
	text_fini(&line);
}

void drawing_make(struct drawing *drawing, uint64_t seed, bool harmless,
	const struct machine *machine, uint16_t rows, uint16_t columns, uint32_t queues)
{
	memset(drawing, 0, sizeof *drawing);
	drawing->machine = *machine;
	drawing->rows = rows;
	drawing->columns = columns;
	drawing->queues = queues;
	drawing->harmless = harmless;
	drawing->fixed = queues > 0;
	draw_line(drawing, 0, "meshsim: 1\nname: fuzz-%" PRIu64 "\nseed: %" PRIu64, seed, seed);
	if (!drawing->fixed) {
		stream_init(&drawing->stream, seed, "fuzz/runtime");
		draw_runtime(drawing, seed);
	}
	drawing->devices = (uint32_t)drawing->rows * drawing->columns;
	stream_init(&drawing->stream, seed, "fuzz/measure");
	draw_measure(drawing);
	stream_init(&drawing->stream, seed, "fuzz/steps");
	draw_steps(drawing);
}
