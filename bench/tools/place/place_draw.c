/* Draws placed meshes in a terminal. Each chip is a cell, and the number of channels of a link is
 * printed between the cells of its two chips. Meshes that are wider than a page are drawn with
 * narrow cells. */
#include <stdio.h>

#include "place.h"

enum { WIDTH_MAX = 120, CELL_BYTES = 48 };

static const char marks[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static char mark_of(uint32_t host)
{
	return host < sizeof(marks) - 1 ? marks[host] : '*';
}

/* Writes the host, tray and location of a chip, like "A1.3". */
static int write_cell(const struct machine *machine, uint32_t chip, char *out)
{
	const struct machine_chip *at = &machine->chips[chip];

	return snprintf(out, CELL_BYTES, "%c%u.%u", mark_of(at->host), at->tray, at->location);
}

static int widest_cell(const struct place_files *files, const uint32_t *image)
{
	char cell[CELL_BYTES];
	int widest = 0;

	for (uint32_t i = 0; i < files->logical->device_count; i++) {
		int width = write_cell(files->machine, image[i], cell);

		widest = width > widest ? width : widest;
	}
	return widest;
}

static uint32_t place_draw_channels_of(const struct place_files *files, uint32_t a, uint32_t b)
{
	const struct machine_link *link = machine_link_of(files->machine, a, b);

	return link ? link->channels : 0;
}

/* True if the mesh requires a link from the last row or column back to the first one. */
static bool wraps(const struct logical_mesh *mesh, int dim)
{
	return mesh->ring[dim] && (dim ? mesh->columns : mesh->rows) > 1;
}

static void place_draw_row(const struct place_files *files, const struct logical_mesh *mesh,
	const uint32_t *image, uint32_t row, int width, FILE *out)
{
	const uint32_t *chips = image + mesh->first + row * mesh->columns;
	char cell[CELL_BYTES];

	fputs("  ", out);
	for (uint32_t c = 0; c < mesh->columns; c++) {
		uint32_t next = (c + 1) % mesh->columns;

		write_cell(files->machine, chips[c], cell);
		fprintf(out, "%-*s", width, cell);
		if (c + 1 < mesh->columns || wraps(mesh, 1))
			fprintf(out, "-%u-", place_draw_channels_of(files, chips[c], chips[next]));
	}
	fputc('\n', out);
	if (row + 1 == mesh->rows && !wraps(mesh, 0))
		return;
	fputs("  ", out);
	for (uint32_t c = 0; c < mesh->columns; c++)
		fprintf(out, "|%-*u", width + 2,
			place_draw_channels_of(files, chips[c],
				image[mesh->first + (row + 1) % mesh->rows * mesh->columns + c]));
	fputc('\n', out);
}

/* Draws one letter for each chip. The letter stands for the chip's host. */
static void draw_narrow(const struct place_files *files, const struct logical_mesh *mesh,
	const uint32_t *image, FILE *out)
{
	for (uint32_t r = 0; r < mesh->rows; r++) {
		fputs("  ", out);
		for (uint32_t c = 0; c < mesh->columns; c++)
			fputc(mark_of(files->machine
					      ->chips[image[mesh->first + r * mesh->columns + c]]
					      .host),
				out);
		fputc('\n', out);
	}
}

static void draw_hosts(const struct place_files *files, FILE *out)
{
	fputs("hosts:", out);
	for (uint32_t i = 0; i < files->machine->host_count && i < sizeof(marks) - 1; i++)
		fprintf(out, " %c %s", mark_of(i), files->machine->hosts[i].name);
	fputc('\n', out);
}

void place_draw(const struct place_files *files, const uint32_t *image, FILE *out)
{
	const struct logical *logical = files->logical;
	int width = widest_cell(files, image);

	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[i];

		fprintf(out, "%s %u, %ux%u\n", mesh->is_switch ? "switch" : "mesh", mesh->id,
			mesh->rows, mesh->columns);
		if (mesh->columns * (uint32_t)(width + 3) > WIDTH_MAX)
			draw_narrow(files, mesh, image, out);
		else
			for (uint32_t r = 0; r < mesh->rows; r++)
				place_draw_row(files, mesh, image, r, width, out);
	}
	draw_hosts(files, out);
}
