/* Makes the links within logical meshes: links between neighbours along both dimensions, links that
 * close rings, and express links (links that skip devices). Parallel links are combined into one
 * link, whose channels are the sum of their channels. */
#include <stdlib.h>

#include "base/allocate.h"
#include "topology/logical.h"

struct links {
	struct logical_link *at;
	size_t count, capacity;
};

static void logical_links_add(
	struct links *links, const struct logical_mesh *mesh, uint32_t a, uint32_t b)
{
	const struct mgd_channels *channels = &mesh->descriptor->channels;

	if (a == b)
		return;
	if (links->count == links->capacity) {
		links->capacity = links->capacity ? 2 * links->capacity : 256;
		links->at = allocate_more(links->at, links->capacity, sizeof(*links->at));
	}
	links->at[links->count++] = (struct logical_link){.a = mesh->first + (a < b ? a : b),
		.b = mesh->first + (a < b ? b : a),
		.channels = (uint32_t)channels->count,
		.links = 1,
		.relaxed = channels->policy == POLICY_RELAXED};
}

/* Returns the device at a row and a column. Both are taken modulo the size of the mesh. */
static uint32_t at(const struct logical_mesh *mesh, uint32_t row, uint32_t column)
{
	return row % mesh->rows * mesh->columns + column % mesh->columns;
}

static void add_neighbours(struct links *links, const struct logical_mesh *mesh)
{
	for (uint32_t row = 0; row < mesh->rows; row++)
		for (uint32_t column = 0; column < mesh->columns; column++) {
			uint32_t here = at(mesh, row, column);

			if (row + 1 < mesh->rows || mesh->ring[0])
				logical_links_add(links, mesh, here, at(mesh, row + 1, column));
			if (column + 1 < mesh->columns || mesh->ring[1])
				logical_links_add(links, mesh, here, at(mesh, row, column + 1));
		}
}

/* Adds the express links of a pattern. The devices along a dimension are divided into blocks of
 * `step` devices, from device `start` on. A link joins the first and the last device of each block.
 * If the dimension is a ring, a block may continue at device 0. */
static void add_pattern(struct links *links, const struct logical_mesh *mesh,
	const struct mgd_express_links *express)
{
	bool down = express->dim == 0 && mesh->descriptor->devices.dim_count == 2;
	uint32_t length = down ? mesh->rows : mesh->columns;
	uint32_t across = down ? mesh->columns : mesh->rows;
	uint32_t step = (uint32_t)express->pattern.step, start = (uint32_t)express->pattern.start;

	for (uint32_t from = start; from + step <= length + (mesh->ring[!down] ? start : 0);
		from += step)
		for (uint32_t lane = 0; lane < across; lane++) {
			uint32_t a = from % length, b = (from + step - 1) % length;

			logical_links_add(links, mesh, down ? at(mesh, a, lane) : at(mesh, lane, a),
				down ? at(mesh, b, lane) : at(mesh, lane, b));
		}
}

static int logical_links_compare(const void *left, const void *right)
{
	const struct logical_link *a = left, *b = right;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

void logical_links_make(struct logical *logical)
{
	struct links links = {0};
	size_t kept = 0;

	for (uint32_t i = 0; i < logical->mesh_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[i];
		const struct mgd_mesh *descriptor = mesh->descriptor;

		add_neighbours(&links, mesh);
		for (uint32_t k = 0; k < descriptor->express_count; k++)
			logical_links_add(&links, mesh, (uint32_t)descriptor->express[k].src,
				(uint32_t)descriptor->express[k].dst);
		for (uint32_t k = 0; k < descriptor->express_link_count; k++)
			add_pattern(&links, mesh, &descriptor->express_links[k]);
	}
	if (links.count)
		qsort(links.at, links.count, sizeof(*links.at), logical_links_compare);
	for (size_t i = 0; i < links.count; i++) {
		if (kept && logical_links_compare(&links.at[kept - 1], &links.at[i]) == 0) {
			links.at[kept - 1].channels += links.at[i].channels;
			links.at[kept - 1].links++;
		} else {
			links.at[kept++] = links.at[i];
		}
	}
	logical->links = arena_array(&logical->arena, kept, sizeof(*links.at));
	for (size_t i = 0; i < kept; i++)
		logical->links[i] = links.at[i];
	logical->link_count = (uint32_t)kept;
	free(links.at);
}
