/* Draws a layout's shards in a terminal. A shard is drawn as a block of characters. Each character
 * stands for a part of the shard, and shows the kind of the last element of this part. So even the
 * padding of a single row is visible. */
#include "parts.h"

enum { CELL_ROWS = 3, CELL_COLUMNS = 10, ROWS_MAX = 12, PANELS_MAX = 4, MARGIN = 6 };

/* A shard is drawn as a block of characters, each of which stands for a part of the shard. Returns
 * the kind of place that the character in row `y` and column `x` shows. This is the kind of the
 * last place in the character's part. */
static enum place_kind sample(
	const struct layout *layout, const struct layout_shape *shard, uint64_t y, uint64_t x)
{
	uint32_t rank = shard->rank;
	struct layout_shape local = {.rank = rank};

	if (rank > 1)
		local.size[rank - 2] =
			((y + 1) * layout->padded.size[rank - 2] + CELL_ROWS - 1) / CELL_ROWS - 1;
	local.size[rank - 1] =
		((x + 1) * layout->padded.size[rank - 1] + CELL_COLUMNS - 1) / CELL_COLUMNS - 1;
	return padding_at(layout, shard, &local);
}

static void rule(
	uint64_t columns, const char *left, const char *cross, const char *right, FILE *out)
{
	fprintf(out, "%*s", MARGIN, "");
	for (uint64_t column = 0; column < columns; column++) {
		fputs(column ? cross : left, out);
		for (uint32_t i = 0; i < CELL_COLUMNS; i++)
			fputs("─", out);
	}
	fprintf(out, "%s\n", right);
}

static void layout_drawing_draw_row(const struct layout *layout, const struct panel *panel,
	uint64_t row, uint64_t columns, FILE *out)
{
	static const char *const marks[PLACE_KIND_COUNT] = {"█", "▒", "░", "·"};

	for (uint32_t y = 0; y < CELL_ROWS; y++) {
		if (y == CELL_ROWS / 2)
			fprintf(out, "%*llu ", MARGIN - 1, (unsigned long long)row);
		else
			fprintf(out, "%*s", MARGIN, "");
		for (uint64_t column = 0; column < columns; column++) {
			struct layout_shape shard = panel_shard(panel, row, column);

			fputs("│", out);
			for (uint32_t x = 0; x < CELL_COLUMNS; x++)
				fputs(marks[sample(layout, &shard, y, x)], out);
		}
		fputs("│\n", out);
	}
}

static void layout_drawing_draw_panel(
	const struct layout *layout, const struct panel *panel, uint32_t width, FILE *out)
{
	uint64_t most =
		width > MARGIN + CELL_COLUMNS + 2 ? (width - MARGIN - 1) / (CELL_COLUMNS + 1) : 1;
	uint64_t columns = panel->columns < most ? panel->columns : most;
	uint64_t rows = panel->rows < ROWS_MAX ? panel->rows : ROWS_MAX;
	int wide = 0; /* number of digits in the previous column */

	fprintf(out, "%*s", MARGIN, "");
	for (uint64_t column = 0; column < columns; column++) {
		fprintf(out, "%*s", column ? CELL_COLUMNS + 1 - wide : 1, "");
		wide = fprintf(out, "%llu", (unsigned long long)column);
	}
	fputc('\n', out);
	for (uint64_t row = 0; row < rows; row++) {
		if (row == 0)
			rule(columns, "┌", "┬", "┐", out);
		else
			rule(columns, "├", "┼", "┤", out);
		layout_drawing_draw_row(layout, panel, row, columns, out);
	}
	rule(columns, "└", "┴", "┘", out);
	if (rows < panel->rows || columns < panel->columns)
		fprintf(out, "%*s%llux%llu of %llux%llu shards\n", MARGIN, "",
			(unsigned long long)rows, (unsigned long long)columns,
			(unsigned long long)panel->rows, (unsigned long long)panel->columns);
}

void layout_draw(const struct layout *layout, uint32_t columns, FILE *out)
{
	uint64_t panels = panel_count(layout), shown = panels < PANELS_MAX ? panels : PANELS_MAX;
	struct text text = {0};

	fprintf(out,
		"\ngrid: █ data  ▒ gap of strides  ░ padding of the grid  · padding of tiles\n");
	for (uint64_t i = 0; i < shown; i++) {
		struct panel panel = panel_at(layout, i);

		if (panels > 1) {
			struct layout_shape leading = panel.shard;

			leading.rank -= 2;
			fprintf(out, "  (%s, ...)\n", index_text(&leading, &text));
		}
		layout_drawing_draw_panel(layout, &panel, columns, out);
	}
	if (shown < panels)
		fprintf(out, "  and %llu more\n", (unsigned long long)(panels - shown));
	text_fini(&text);
}
