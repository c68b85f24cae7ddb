/* Draws placed meshes as SVG. Each chip is a square in the colour of its host, and each link is a
 * line, with the number of its channels. The SVG needs no scripts and no special fonts. */
#include "base/text.h"
#include "place.h"

enum { CELL = 64, GAP = 26, MARGIN = 24, TITLE = 28 };

struct page {
	const struct place_files *files;
	const uint32_t *image;
	struct text *out;
	unsigned top;
};

static unsigned x_of(uint32_t column)
{
	return MARGIN + GAP + column * (CELL + GAP);
}

static unsigned y_of(const struct page *page, uint32_t row)
{
	return page->top + TITLE + row * (CELL + GAP);
}

static uint32_t place_svg_channels_of(const struct page *page, uint32_t a, uint32_t b)
{
	const struct machine_link *link =
		machine_link_of(page->files->machine, page->image[a], page->image[b]);

	return link ? link->channels : 0;
}

static void place_svg_draw_line(const struct page *page, unsigned x1, unsigned y1, unsigned x2,
	unsigned y2, uint32_t channels)
{
	text_printf(page->out,
		"<line x1='%u' y1='%u' x2='%u' y2='%u'/><text class='c' x='%u' y='%u'>%u</text>\n",
		x1, y1, x2, y2, (x1 + x2) / 2 + 4, (y1 + y2) / 2 - 3, channels);
}

/* Draws the links from a chip to its right neighbour and to its neighbour below. A link that closes
 * a ring is drawn as a short line to the right of the chip in the last column, or below the chip in
 * the last row. */
static void draw_links(
	const struct page *page, const struct logical_mesh *mesh, uint32_t row, uint32_t column)
{
	uint32_t here = mesh->first + row * mesh->columns + column;
	unsigned x = x_of(column), y = y_of(page, row), middle = CELL / 2;

	if (column + 1 < mesh->columns || (mesh->ring[1] && mesh->columns > 1))
		place_svg_draw_line(page, x + CELL, y + middle, x + CELL + GAP, y + middle,
			place_svg_channels_of(page, here,
				mesh->first + row * mesh->columns + (column + 1) % mesh->columns));
	if (row + 1 < mesh->rows || (mesh->ring[0] && mesh->rows > 1))
		place_svg_draw_line(page, x + middle, y + CELL, x + middle, y + CELL + GAP,
			place_svg_channels_of(page, here,
				mesh->first + (row + 1) % mesh->rows * mesh->columns + column));
}

static void draw_chip(
	const struct page *page, const struct logical_mesh *mesh, uint32_t row, uint32_t column)
{
	const struct machine *machine = page->files->machine;
	uint32_t device = row * mesh->columns + column;
	const struct machine_chip *chip = &machine->chips[page->image[mesh->first + device]];
	unsigned x = x_of(column), y = y_of(page, row);

	text_printf(page->out,
		"<g><title>chip %u: ASIC %llu</title><rect x='%u' y='%u' width='%d' height='%d' "
		"fill='hsl(%u 45%% 82%%)'/><text x='%u' y='%u'>%u</text><text class='s' x='%u' "
		"y='%u'>",
		device, (unsigned long long)chip->id, x, y, CELL, CELL, chip->host * 137 % 360,
		x + 6, y + 20, device, x + 6, y + 38);
	text_append_xml(page->out, machine->hosts[chip->host].name);
	text_printf(page->out, "</text><text class='s' x='%u' y='%u'>tray %u.%u</text></g>\n",
		x + 6, y + 54, chip->tray, chip->location);
}

void place_svg(const struct place_files *files, const uint32_t *image, struct text *out)
{
	const struct logical *logical = files->logical;
	struct page page = {files, image, out, MARGIN};
	unsigned width = 0, height = MARGIN;

	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		unsigned wide = x_of(logical->meshes[i].columns) + MARGIN;

		width = wide > width ? wide : width;
		height += TITLE + logical->meshes[i].rows * (CELL + GAP) + MARGIN;
	}
	text_printf(out,
		"<svg xmlns='http://www.w3.org/2000/svg' width='%u' height='%u' "
		"viewBox='0 0 %u %u'>\n<!-- drawing of meshsim place -->\n"
		"<style>text{font:14px sans-serif;fill:#222}.s{font-size:10px}.c{font-size:9px;"
		"fill:#666}line{stroke:#555;stroke-width:2}rect{stroke:#444}</style>\n",
		width, height, width, height);
	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[i];

		text_printf(out, "<text x='%d' y='%u'>%s %u, %ux%u</text>\n", MARGIN, page.top + 16,
			mesh->is_switch ? "switch" : "mesh", mesh->id, mesh->rows, mesh->columns);
		for (uint32_t r = 0; r < mesh->rows; r++)
			for (uint32_t c = 0; c < mesh->columns; c++) {
				draw_links(&page, mesh, r, c);
				draw_chip(&page, mesh, r, c);
			}
		page.top += TITLE + mesh->rows * (CELL + GAP) + MARGIN;
	}
	text_append(out, "</svg>\n");
}
