/* label: full timeout: 300
 * Tests the laws of the control plane on whole topologies: all pairs reach each other, no waits
 * form a circle, and each tree reaches each member once. The topologies have the shapes of real
 * machines. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/allocate.h"
#include "planes.h"

static void single(struct planes_case *planes, uint32_t rows, uint32_t columns, bool ring_columns,
	bool ring_rows, uint32_t host_rows)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", rows, columns, ring_columns, ring_rows, host_rows, 1);
	text_append(&text, "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
	planes_begin(planes, text_string(&text));
	text_fini(&text);
}

/* Returns the hops of the route; both must reach each other. */
static uint32_t hops(const struct control_plane *plane, uint32_t count, uint32_t from, uint32_t to)
{
	uint32_t *devices = allocate(4 * (size_t)count, sizeof(*devices)), passed;

	passed =
		control_follow(control_plane_all(plane), count, from, to, devices, 4 * count, NULL);
	free(devices);
	assert_true(passed > 0);
	return passed - 1;
}

static uint32_t apart(uint32_t a, uint32_t b, uint32_t length, bool ring)
{
	uint32_t line = a < b ? b - a : a - b;

	return ring && length - line < line ? length - line : line;
}

/* Checks that each route of a mesh that is whole has as few hops as rows and columns allow. */
static void assert_shortest(uint32_t rows, uint32_t columns, bool ring_columns, bool ring_rows)
{
	struct planes_case planes;
	struct control_plane *plane;
	uint32_t chips = rows * columns;

	single(&planes, rows, columns, ring_columns, ring_rows, 1);
	plane = planes_make_sound(&planes, 0);
	assert_int_equal(control_plane_scheme(plane, 0), CONTROL_ORDER);
	for (uint32_t from = 0; from < chips; from++)
		for (uint32_t to = 0; to < chips; to++)
			if (from != to)
				assert_int_equal(hops(plane, chips, from, to),
					apart(from / columns, to / columns, rows, ring_columns) +
						apart(from % columns, to % columns, columns,
							ring_rows));
	control_plane_free(plane);
	planes_end(&planes);
}

TEST(routes_of_whole_lines_rings_meshes_and_tori_are_shortest)
{
	assert_shortest(1, 2, false, false);
	assert_shortest(1, 8, false, false);
	assert_shortest(1, 32, false, true);
	assert_shortest(2, 1, true, false);
	assert_shortest(3, 5, true, true);
	assert_shortest(4, 2, false, false);
	assert_shortest(8, 4, true, true);
	assert_shortest(8, 8, false, true);
	assert_shortest(2, 7, true, true);
}

TEST_MAIN(NULL, NULL)
