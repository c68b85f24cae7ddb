/* Draws a layout's shards to scale as SVG, with rectangles for data, gaps and padding. Draws only
 * as many panels, shards and rectangles as fit on a page. If a panel does not show all its shards,
 * its title says this. */
#include "parts.h"

enum {
	CELL = 120, /* length of the longer side of a shard, in pixels */
	SPACE = 16,
	HEAD = 28,
	PANELS_MAX = 8,
	SIDE_MAX = 32, /* most shards along a side of a panel */
	RUNS_MAX = 64  /* most runs along an axis of a shard */
};

struct scale {
	double width, height; /* size of a shard, in pixels */
};

static struct scale scale_of(const struct layout *layout)
{
	uint32_t rank = layout->grid.rank;
	double rows = rank > 1 ? (double)layout->padded.size[rank - 2] : 1;
	double columns = (double)layout->padded.size[rank - 1];
	double longest = rows > columns ? rows : columns;
	struct scale scale = {CELL * columns / longest, CELL * rows / longest};

	scale.width = scale.width < CELL / 6 ? CELL / 6 : scale.width;
	scale.height = scale.height < CELL / 6 ? CELL / 6 : scale.height;
	return scale;
}

/* Finds the runs of an axis, but at most RUNS_MAX. */
static uint32_t runs_of(
	const struct layout *layout, uint32_t result, uint64_t coordinate, struct padding_run *runs)
{
	uint32_t count = 0;

	for (uint64_t at = 0; at < layout->padded.size[result] && count < RUNS_MAX; count++) {
		runs[count] = padding_run(layout, result, coordinate, at);
		at += runs[count].count;
	}
	return count;
}

/* Returns the kind of place that is drawn if places of two kinds overlap. Padding of tiles is drawn
 * over padding of the grid, and both are drawn over gaps. */
static enum place_kind worse(enum place_kind a, enum place_kind b)
{
	return a > b ? a : b;
}

static void draw_shard(const struct layout *layout, const struct layout_shape *shard,
	struct scale scale, double x, double y, struct text *out)
{
	struct padding_run rows[RUNS_MAX] = {{PLACE_DATA, 0, 1}}, columns[RUNS_MAX];
	uint32_t rank = shard->rank, row_count = 1, column_count;
	double high = 1, wide = (double)layout->padded.size[rank - 1];

	if (rank > 1) {
		high = (double)layout->padded.size[rank - 2];
		row_count = runs_of(layout, rank - 2, shard->size[rank - 2], rows);
	}
	column_count = runs_of(layout, rank - 1, shard->size[rank - 1], columns);
	for (uint32_t i = 0; i < row_count; i++)
		for (uint32_t j = 0; j < column_count; j++)
			svg_rect(out, place_kind_name(worse(rows[i].kind, columns[j].kind)),
				x + scale.width * (double)columns[j].at / wide,
				y + scale.height * (double)rows[i].at / high,
				scale.width * (double)columns[j].count / wide,
				scale.height * (double)rows[i].count / high);
	svg_rect(out, "frame", x, y, scale.width, scale.height);
}

static void layout_svg_draw_panel(const struct layout *layout, const struct panel *panel,
	struct scale scale, double top, struct text *out)
{
	uint64_t rows = panel->rows < SIDE_MAX ? panel->rows : SIDE_MAX;
	uint64_t columns = panel->columns < SIDE_MAX ? panel->columns : SIDE_MAX;
	struct text text = {0}, words = {0};

	text_printf(&words, "shards (%s) on", index_text(&panel->shard, &text));
	if (rows < panel->rows || columns < panel->columns)
		text_printf(&words, ", %llux%llu of %llux%llu", (unsigned long long)rows,
			(unsigned long long)columns, (unsigned long long)panel->rows,
			(unsigned long long)panel->columns);
	svg_words(out, SPACE, top + 18, text_string(&words));
	for (uint64_t row = 0; row < rows; row++)
		for (uint64_t column = 0; column < columns; column++) {
			struct layout_shape shard = panel_shard(panel, row, column);

			draw_shard(layout, &shard, scale,
				SPACE + (double)column * (scale.width + 4),
				top + HEAD + (double)row * (scale.height + 4), out);
		}
	text_fini(&text);
	text_fini(&words);
}

void layout_view_svg(const struct layout_view *view, struct text *out)
{
	const struct layout *layout = view->layout;
	uint64_t panels = panel_count(layout), shown = panels < PANELS_MAX ? panels : PANELS_MAX;
	struct panel first = panel_at(layout, 0);
	struct scale scale = scale_of(layout);
	uint64_t rows = first.rows < SIDE_MAX ? first.rows : SIDE_MAX;
	uint64_t columns = first.columns < SIDE_MAX ? first.columns : SIDE_MAX;
	double high = HEAD + (double)rows * (scale.height + 4) + SPACE;
	double wide = 2 * SPACE + (double)columns * (scale.width + 4);

	svg_start(out, wide > 420 ? wide : 420, high * (double)shown + HEAD);
	for (uint64_t i = 0; i < shown; i++) {
		struct panel panel = panel_at(layout, i);

		layout_svg_draw_panel(layout, &panel, scale, high * (double)i, out);
	}
	for (int kind = 0; kind < PLACE_KIND_COUNT; kind++) {
		double x = SPACE + 80.0 * kind, y = high * (double)shown + 4;

		svg_rect(out, place_kind_name((enum place_kind)kind), x, y, 12, 12);
		svg_words(out, x + 18, y + 11, place_kind_name((enum place_kind)kind));
	}
	svg_end(out);
}
