/* `meshsim layout`: shows how a tensor is divided, padded and placed. The tensor's layout is read
 * from a file or made from options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "base/file/file.h"
#include "bench/tools/layout/layout_view.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "layout/layout_text.h"

struct options {
	const char *tensor, *grid, *collapse, *tile, *element, *fill, *space, *mesh, *cores, *index;
	const char *svg;
	struct option_number align;
	uint32_t banks;
	bool json;
};

static const struct option_row option_table[] = {
	{NULL, 0, "TENSOR", NULL, OPTION_TEXT, .offset = offsetof(struct options, tensor),
		.missing = "give a tensor, as in 'tensor<2x3x64x128xf32>', or a file with one",
		.extra = "one tensor at a time"},
	{"grid", 0, "SHAPE", "grid that it is divided onto, as in 2x4; 1x1 by default", OPTION_TEXT,
		.offset = offsetof(struct options, grid)},
	{"collapse", 0, "INTERVALS",
		"dimensions that are joined, as in 0:3,-3:-1; by default all but the innermost and "
		"those that the grid keeps apart in front",
		OPTION_TEXT, .offset = offsetof(struct options, collapse)},
	{"align", 0, "N", "begin each collapsed dimension at a multiple of N rows", OPTION_NUMBER,
		.offset = offsetof(struct options, align), .least = 1, .most = 1 << 20},
	{"tile", 0, "SHAPE", "tiles, as in 32x32; scalars by default", OPTION_TEXT,
		.offset = offsetof(struct options, tile)},
	{"element", 0, "TYPE", "element type in memory; the tensor's by default", OPTION_TEXT,
		.offset = offsetof(struct options, element)},
	{"fill", 0, "VALUE", "out-of-bounds value: undef, zero, one, inf, neginf", OPTION_TEXT,
		.offset = offsetof(struct options, fill)},
	{"space", 0, "SPACE", "memory space: l1 (default), dram, mmio, system", OPTION_TEXT,
		.offset = offsetof(struct options, space)},
	{"mesh", 0, "SHAPE", "devices, for the grid's leading dimensions; 8x8 by default",
		OPTION_TEXT, .offset = offsetof(struct options, mesh)},
	{"cores", 0, "SHAPE", "cores of a device; 8x8 by default", OPTION_TEXT,
		.offset = offsetof(struct options, cores)},
	{"banks", 0, "N", "DRAM banks of a device; 12 by default", OPTION_COUNT,
		.offset = offsetof(struct options, banks), .least = 1, .most = 1024,
		.fallback = 12},
	{"index", 0, "INDEX", "say where this element lies, as in 1,1,6,100", OPTION_TEXT,
		.offset = offsetof(struct options, index)},
	{"svg", 0, "FILE", "write a drawing to scale; - is standard output, and all of it",
		OPTION_TEXT, .offset = offsetof(struct options, svg)},
	OPTION_JSON(struct options, json),
	{0},
};

/* Reads a shape of two numbers from an option. */
static bool read_pair(const char *text, uint32_t pair[2], struct text *why)
{
	return !text || layout_parse_pair(text, 65536, "no pair of extents up to 65536, as in 8x8",
				pair, why);
}

/* Reads a list of intervals, like "0:3,-3:-1". */
static bool read_intervals(
	const char *text, struct layout_interval *intervals, uint32_t *count, struct text *why)
{
	const char *at = text;

	for (*count = 0; *count < LAYOUT_RANK_MAX; at++) {
		struct layout_interval *interval = &intervals[(*count)++];
		int length = 0;

		if (sscanf(at, "%4d:%4d%n", &interval->first, &interval->end, &length) != 2)
			break;
		at += length;
		if (*at == '\0')
			return true;
		if (*at != ',')
			break;
	}
	text_printf(why, "'%s' are no intervals of dimensions, as in 0:3,-3:-1", text);
	return false;
}

/* Sets the map of the layout from the options. */
static bool set_map(const struct options *options, struct layout *layout, struct text *why)
{
	struct layout_interval intervals[LAYOUT_RANK_MAX] = {{0, -1}};
	uint32_t count = 1, results = layout->grid.rank;

	if (results > 2 && layout->tensor.rank >= results)
		intervals[0].first = (int32_t)results - 2;
	if (results == 1)
		intervals[0] = (struct layout_interval){0, (int32_t)layout->tensor.rank};
	if (options->collapse && !read_intervals(options->collapse, intervals, &count, why))
		return false;
	if (layout_collapse(layout, intervals, count, results, why) != STATUS_OK)
		return false;
	return !options->align.given ||
	       layout_align_rows(layout, options->align.value, why) == STATUS_OK;
}

/* Makes a layout for a tensor that has none. */
static bool make_layout(const struct options *options, struct layout *layout, struct text *why)
{
	uint32_t tile[2] = {0, 0};

	layout->grid = (struct layout_shape){2, {1, 1}};
	layout->element = layout->tensor_element;
	layout->fill = FILL_UNDEF;
	layout->space = SPACE_L1;
	if ((options->element && !layout_parse_element(options->element, &layout->element, why)) ||
		(options->fill && !layout_parse_fill(options->fill, &layout->fill, why)) ||
		(options->space && !layout_parse_space(options->space, &layout->space, why)))
		return false;
	if ((options->grid && !layout_parse_shape(options->grid, &layout->grid, why)) ||
		!read_pair(options->tile, tile, why) || !set_map(options, layout, why))
		return false;
	layout->tile_height = tile[0];
	layout->tile_width = tile[1];
	return layout_init(layout, why) == STATUS_OK;
}

/* Reads the tensor from the argument or from its file. Prints errors. */
static bool read_tensor(
	const struct options *options, struct layout *layout, bool *encoded, struct text *why)
{
	struct diag *diag = diag_new();
	struct text file = {0}, reason = {0};
	bool good = false;

	if (strncmp(options->tensor, "tensor", 6) == 0)
		good = layout_parse(
			"TENSOR", options->tensor, strlen(options->tensor), diag, layout, encoded);
	else if (!file_read(options->tensor, FILE_BYTES_MAX, &file, &reason))
		text_printf(why, "'%s' is no 'tensor<...>' and cannot be read as a file: %s",
			options->tensor, text_string(&reason));
	else
		good = layout_parse(
			options->tensor, text_string(&file), file.length, diag, layout, encoded);
	diag_print(diag, stderr);
	diag_free(diag);
	text_fini(&reason);
	text_fini(&file);
	return good;
}

/* Rejects options that make a layout if the tensor already has one. */
static bool check_encoded(const struct options *options, bool encoded, struct text *why)
{
	if (!encoded || !(options->grid || options->collapse || options->tile || options->element ||
				options->fill || options->space || options->align.given))
		return true;
	text_append(why, "the tensor has a layout: --grid, --collapse, --align, --tile, --element, "
			 "--fill and --space make one for a tensor without");
	return false;
}

static bool read_index(const struct options *options, const struct layout *layout,
	struct layout_shape *index, struct text *why)
{
	const char *at = options->index;

	for (index->rank = 0; index->rank < layout->tensor.rank; at++) {
		char *end;
		unsigned long long value = strtoull(at, &end, 10);

		if (end == at || *at < '0' || *at > '9' ||
			value >= layout->tensor.size[index->rank])
			break;
		index->size[index->rank++] = value;
		at = end;
		if (*at == '\0' && index->rank == layout->tensor.rank)
			return true;
		if (*at != ',')
			break;
	}
	text_printf(why, "'%s' is no index within ", options->index);
	layout_shape_print(&layout->tensor, "x", why);
	return false;
}

static int command_layout_show(const struct options *options, const struct layout_view *view)
{
	struct text text = {0};
	int code = EXIT_GOOD;

	if (options->svg) {
		layout_view_svg(view, &text);
		if (!output_write_or_say(options->svg, &drawing_kind, &text))
			code = EXIT_BAD_INPUT;
		text_fini(&text);
		if (code != EXIT_GOOD || output_is_stdout(options->svg, &drawing_kind))
			return code;
	}
	if (options->json)
		layout_view_json(view, stdout);
	else
		layout_view_print(view, stdout);
	return code;
}

static int command_layout_say(struct text *why, int code)
{
	if (why->length)
		fprintf(stderr, "meshsim layout: %s\n", text_string(why));
	text_fini(why);
	return code;
}

static int command_layout_run(const void *given)
{
	const struct options *options = given;
	uint32_t mesh[2] = {8, 8}, cores[2] = {8, 8};
	struct layout_machine machine;
	struct layout_shape index;
	struct layout layout;
	struct text why = {0};
	bool encoded;

	if (!read_tensor(options, &layout, &encoded, &why) ||
		!check_encoded(options, encoded, &why) || !read_pair(options->mesh, mesh, &why) ||
		!read_pair(options->cores, cores, &why))
		return command_layout_say(&why, EXIT_BAD_INPUT);
	if (!encoded && !make_layout(options, &layout, &why))
		return command_layout_say(&why, EXIT_BAD_INPUT);
	if (options->index && !read_index(options, &layout, &index, &why))
		return command_layout_say(&why, EXIT_BAD_INPUT);
	machine = (struct layout_machine){mesh[0], mesh[1], cores[0], cores[1], options->banks};
	if (layout_machine_check(&layout, &machine, &why) != STATUS_OK)
		return command_layout_say(&why, EXIT_REFUSED);
	return command_layout_show(
		options, &(struct layout_view){&layout, &machine, options->index ? &index : NULL,
				 terminal_columns(stdout)});
}

const struct command_work command_layout = {
	OPTION_TABLE(option_table, struct options),
	.run = command_layout_run,
};
