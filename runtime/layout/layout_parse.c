/* Reads the text form of tensors with layouts. Errors give their position in the text. Reading ends
 * at the first error, because the meaning of the rest of the text is then unknown. */
#include <ctype.h>
#include <string.h>

#include "layout/layout_text.h"
#include "layout_private.h"

struct reader {
	struct scan scan;
	struct layout *layout;
};

/* ---- the map ---- */

/* Reads a dimension, for example `d2`. */
static bool read_dimension(struct reader *reader, uint32_t rank, uint32_t *dimension)
{
	struct location where = scan_here(&reader->scan);
	uint64_t number;

	if (!scan_expect(&reader->scan, "d") || !scan_number(&reader->scan, &number))
		return false;
	if (number >= rank) {
		diag_error(reader->scan.diag, where, "d%llu of a tensor of rank %u",
			(unsigned long long)number, rank);
		return false;
	}
	*dimension = (uint32_t)number;
	return true;
}

static bool set_stride(struct reader *reader, struct location where, uint32_t result,
	uint32_t dimension, uint64_t stride)
{
	if (reader->layout->stride[result][dimension] != 0 || stride == 0) {
		diag_error(reader->scan.diag, where,
			stride ? "d%u stands twice in one result" : "d%u strides by 0", dimension);
		return false;
	}
	reader->layout->stride[result][dimension] = stride;
	return true;
}

/* Reads, for example, `d0 <> d1 <> d2`. The first dimension has already been read. */
static bool read_join(struct reader *reader, uint32_t result, uint32_t first)
{
	struct layout *layout = reader->layout;
	uint32_t joined[LAYOUT_RANK_MAX] = {first}, count = 1;
	struct location where = scan_here(&reader->scan);
	uint64_t stride = 1;

	while (scan_accept(&reader->scan, "<>")) {
		if (count == LAYOUT_RANK_MAX) {
			diag_error(reader->scan.diag, where, "more than %d dimensions joined",
				LAYOUT_RANK_MAX);
			return false;
		}
		if (!read_dimension(reader, layout->tensor.rank, &joined[count++]))
			return false;
	}
	while (count-- > 0) {
		if (!set_stride(reader, where, result, joined[count], stride))
			return false;
		stride *= layout->tensor.size[joined[count]];
	}
	return true;
}

/* Reads a term: `d0 * 192`, `192 * d0`, `d0`, or a single `0`. */
static bool read_term(struct reader *reader, uint32_t result, bool first)
{
	struct location where = scan_here(&reader->scan);
	uint64_t stride = 1;
	uint32_t dimension;

	if (scan_next_is_digit(&reader->scan)) {
		if (!scan_number(&reader->scan, &stride))
			return false;
		if (stride == 0 && first &&
			(scan_next_is(&reader->scan, ",") || scan_next_is(&reader->scan, ")")))
			return true;
		if (!scan_accept(&reader->scan, "*")) {
			diag_error(reader->scan.diag, where,
				"a constant stands alone: only strides of dimensions, or 0, do");
			return false;
		}
		return read_dimension(reader, reader->layout->tensor.rank, &dimension) &&
		       set_stride(reader, where, result, dimension, stride);
	}
	if (!read_dimension(reader, reader->layout->tensor.rank, &dimension))
		return false;
	if (first && scan_next_is(&reader->scan, "<>"))
		return read_join(reader, result, dimension);
	if (scan_accept(&reader->scan, "*") && !scan_number(&reader->scan, &stride))
		return false;
	return set_stride(reader, where, result, dimension, stride);
}

static bool read_arguments(struct reader *reader)
{
	struct location where = scan_here(&reader->scan);
	uint32_t rank = reader->layout->tensor.rank, count = 0;

	if (!scan_expect(&reader->scan, "("))
		return false;
	do {
		struct location at = scan_here(&reader->scan);
		uint64_t number;

		if (!scan_expect(&reader->scan, "d") || !scan_number(&reader->scan, &number))
			return false;
		if (number != count++) {
			diag_error(reader->scan.diag, at, "expected d%u", count - 1);
			return false;
		}
	} while (scan_accept(&reader->scan, ","));
	if (count != rank) {
		diag_error(reader->scan.diag, where, "map of %u dimensions, the tensor has %u",
			count, rank);
		return false;
	}
	return scan_expect(&reader->scan, ")") && scan_expect(&reader->scan, "->");
}

static bool layout_parse_read_map(struct reader *reader)
{
	struct layout_shape *grid = &reader->layout->grid;

	grid->rank = 0;
	if (!read_arguments(reader) || !scan_expect(&reader->scan, "("))
		return false;
	do {
		if (grid->rank == LAYOUT_RANK_MAX) {
			diag_error(reader->scan.diag, scan_here(&reader->scan),
				"more than %d results", LAYOUT_RANK_MAX);
			return false;
		}
		bool first = true;

		do {
			if (!read_term(reader, grid->rank, first))
				return false;
			first = false;
		} while (scan_accept(&reader->scan, "+"));
		grid->rank++;
	} while (scan_accept(&reader->scan, ","));
	return scan_expect(&reader->scan, ")");
}

/* ---- grid and memref ---- */

static bool read_grid(struct reader *reader)
{
	uint32_t results = reader->layout->grid.rank;
	struct location where = scan_here(&reader->scan);

	if (!scan_expect(&reader->scan, "<") ||
		!scan_extents(&reader->scan, false, &reader->layout->grid))
		return false;
	if (reader->layout->grid.rank != results) {
		diag_error(reader->scan.diag, where, "grid of rank %u, the map has %u results",
			reader->layout->grid.rank, results);
		return false;
	}
	return scan_expect(&reader->scan, ">");
}

static bool layout_parse_read_tile(struct reader *reader)
{
	struct layout *layout = reader->layout;
	struct location where = scan_here(&reader->scan);
	uint64_t height, width;

	if (!scan_expect(&reader->scan, "!tt.tile") || !scan_expect(&reader->scan, "<") ||
		!scan_number(&reader->scan, &height) || !scan_expect(&reader->scan, "x") ||
		!scan_number(&reader->scan, &width) || !scan_expect(&reader->scan, ",") ||
		!scan_element(&reader->scan, &layout->element) || !scan_expect(&reader->scan, ">"))
		return false;
	if (height == 0 || width == 0 || height > 32 || width > 32) {
		diag_error(reader->scan.diag, where, "tile of %llu x %llu, at most 32 x 32",
			(unsigned long long)height, (unsigned long long)width);
		return false;
	}
	layout->tile_height = (uint32_t)height;
	layout->tile_width = (uint32_t)width;
	return true;
}

static bool read_memref(struct reader *reader, struct layout_shape *memref)
{
	reader->layout->tile_height = reader->layout->tile_width = 0;
	if (!scan_expect(&reader->scan, "memref") || !scan_expect(&reader->scan, "<") ||
		!scan_extents(&reader->scan, true, memref))
		return false;
	if (scan_next_is(&reader->scan, "!")
			? !layout_parse_read_tile(reader)
			: !scan_element(&reader->scan, &reader->layout->element))
		return false;
	if (!scan_expect(&reader->scan, ",") || !scan_expect(&reader->scan, "#tt.memory_space") ||
		!scan_expect(&reader->scan, "<") ||
		!scan_space(&reader->scan, &reader->layout->space) ||
		!scan_expect(&reader->scan, ">") || !scan_expect(&reader->scan, ">"))
		return false;
	return true;
}

/* `status` is the result of a step of layout_init(). If it is an error, reports the sentence in
 * `why` at position `where`, and returns false. Frees `why`. */
static bool checked(
	struct reader *reader, struct location where, enum status status, struct text *why)
{
	if (status != STATUS_OK)
		diag_error(reader->scan.diag, where, "%s", text_string(why));
	text_fini(why);
	return status == STATUS_OK;
}

static bool check_memref(
	struct reader *reader, struct location where, const struct layout_shape *memref)
{
	const struct layout_shape *derived = &reader->layout->memref;
	struct text given = {0}, right = {0};
	bool same = memref->rank == derived->rank;

	for (uint32_t r = 0; same && r < memref->rank; r++)
		same = memref->size[r] == derived->size[r];
	if (!same) {
		layout_shape_print(memref, "x", &given);
		layout_shape_print(derived, "x", &right);
		diag_error(reader->scan.diag, where,
			"memref of %s, tensor, map and grid make it %s", text_string(&given),
			text_string(&right));
	}
	text_fini(&given);
	text_fini(&right);
	return same;
}

/* Reads `#tt.layout<map, fill, <grid>, memref>`. */
static bool read_layout(struct reader *reader)
{
	struct location map, fill, grid, memref;
	struct layout *layout = reader->layout;
	struct layout_shape given;
	struct text why = {0};

	if (!scan_expect(&reader->scan, "#tt.layout") || !scan_expect(&reader->scan, "<"))
		return false;
	map = scan_here(&reader->scan);
	if (!layout_parse_read_map(reader) ||
		!checked(reader, map, layout_check_map(layout, &why), &why) ||
		!scan_expect(&reader->scan, ","))
		return false;
	fill = scan_here(&reader->scan);
	if (!scan_fill(&reader->scan, &layout->fill) || !scan_expect(&reader->scan, ","))
		return false;
	grid = scan_here(&reader->scan);
	if (!read_grid(reader) || !checked(reader, grid, layout_check_grid(layout, &why), &why) ||
		!scan_expect(&reader->scan, ","))
		return false;
	memref = scan_here(&reader->scan);
	return read_memref(reader, &given) &&
	       checked(reader, memref, layout_check_memref(layout, &why), &why) &&
	       check_memref(reader, memref, &given) &&
	       checked(reader, fill, layout_check_fill(layout, &why), &why) &&
	       scan_expect(&reader->scan, ">");
}

static bool read_tensor(struct reader *reader, bool *encoded)
{
	struct location where;
	struct text why = {0};

	if (!scan_expect(&reader->scan, "tensor") || !scan_expect(&reader->scan, "<"))
		return false;
	where = scan_here(&reader->scan);
	if (!scan_extents(&reader->scan, true, &reader->layout->tensor) ||
		!scan_element(&reader->scan, &reader->layout->tensor_element) ||
		!checked(reader, where, layout_check_tensor(reader->layout, &why), &why))
		return false;
	*encoded = scan_accept(&reader->scan, ",");
	if (*encoded && !read_layout(reader))
		return false;
	if (!scan_expect(&reader->scan, ">"))
		return false;
	where = scan_here(&reader->scan);
	if (reader->scan.at < reader->scan.end)
		diag_error(reader->scan.diag, where, "text behind the tensor");
	return reader->scan.at == reader->scan.end;
}

bool layout_parse(const char *name, const char *text, size_t length, struct diag *diag,
	struct layout *layout, bool *encoded)
{
	struct reader reader = {
		.scan = {.at = text,
			.end = text + length,
			.from = text,
			.line = 1,
			.source = diag_source(diag, name, text, length),
			.diag = diag},
		.layout = layout,
	};

	*layout = (struct layout){0};
	*encoded = false;
	if (length > LAYOUT_TEXT_BYTES_MAX) {
		diag_error(diag, location_at(reader.scan.source, 0, 0), "longer than %d bytes",
			LAYOUT_TEXT_BYTES_MAX);
		return false;
	}
	return read_tensor(&reader, encoded);
}

bool layout_parse_shape(const char *text, struct layout_shape *shape, struct text *why)
{
	const char *at = text;

	for (shape->rank = 0; shape->rank < LAYOUT_RANK_MAX;) {
		uint64_t size = 0;

		if (!isdigit((unsigned char)*at))
			break;
		for (; isdigit((unsigned char)*at) && size <= LAYOUT_ELEMENTS_MAX; at++)
			size = size * 10 + (uint64_t)(*at - '0');
		if (size == 0 || size > LAYOUT_ELEMENTS_MAX)
			break;
		shape->size[shape->rank++] = size;
		if (*at == '\0')
			return true;
		if (*at != 'x' && *at != ',')
			break;
		at++;
	}
	text_printf(why, "'%s' is no shape: 1 to %d extents of 1 to %llu, as in 2x3x64", text,
		LAYOUT_RANK_MAX, (unsigned long long)LAYOUT_ELEMENTS_MAX);
	return false;
}

bool layout_parse_pair(
	const char *text, uint32_t most, const char *what, uint32_t pair[2], struct text *why)
{
	struct layout_shape shape;

	if (!layout_parse_shape(text, &shape, why))
		return false;
	if (shape.rank != 2 || shape.size[0] > most || shape.size[1] > most) {
		text_printf(why, "'%s' is %s", text, what);
		return false;
	}
	pair[0] = (uint32_t)shape.size[0];
	pair[1] = (uint32_t)shape.size[1];
	return true;
}
