/* Tests that the check of tables finds what is wrong in them, and says where: each test breaks
 * sound tables in one way. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "planes.h"

static struct planes_case planes;
static struct control_plane *plane;
static const struct chip_tables **tables; /* a copy of the list, whose chips can be replaced */
static struct chip_tables changed;
static struct arena arena;
static uint32_t count;

static void start(uint32_t rows, uint32_t columns, bool rings)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", rows, columns, rings, rings, 1, 1);
	text_append(&text, "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
	planes_begin(&planes, text_string(&text));
	text_fini(&text);
	plane = planes_make_sound(&planes, 0);
	count = planes.logical->device_count;
	tables = allocate(count, sizeof(*tables));
	memcpy(tables, control_plane_all(plane), count * sizeof(*tables));
}

static void stop(void)
{
	control_plane_free(plane);
	planes_end(&planes);
	free(tables);
	arena_fini(&arena);
}

static void *copy_of(const void *array, size_t length, size_t size)
{
	void *copy = arena_array(&arena, length, size);

	memcpy(copy, array, length * size);
	return copy;
}

/* Replaces the tables of a device by a copy, `changed`. */
static void change(uint32_t device)
{
	changed = *tables[device];
	tables[device] = &changed;
}

/* Returns a copy of the changed device's table within the mesh, which takes its place. */
static struct hop *change_within(uint32_t device)
{
	struct hop *within;

	change(device);
	within = copy_of(changed.within, (size_t)tables_rows(&changed) * changed.mesh_chips,
		sizeof(*within));
	changed.within = within;
	return within;
}

static void assert_found(const char *words)
{
	struct text why = {0};

	assert_int_equal(control_plane_check(tables, count, &why), STATUS_INVALID);
	if (!strstr(text_string(&why), words))
		fail_msg("'%s' is not in: %s", words, text_string(&why));
	text_fini(&why);
	stop();
}

TEST(a_missing_entry_is_found)
{
	start(2, 3, false);
	change_within(1)[5] = (struct hop){HOP_NONE, 0};
	assert_found("from mesh 0 chip 1 to mesh 0 chip 5 end at mesh 0 chip 1");
}

TEST(a_packet_that_goes_around_for_ever_is_found)
{
	start(1, 4, false);
	for (uint32_t i = 1; i <= 2; i++) {
		struct chip_tables *copy = copy_of(tables[i], 1, sizeof(*copy));
		size_t rows = tables_rows(copy);
		struct hop *within = copy_of(copy->within, rows * count, sizeof(*within));

		/* chip 1 sends to chip 2, and chip 2 to chip 1 */
		for (size_t row = 0; row < rows; row++)
			within[row * count + 3] = (struct hop){(uint8_t)(i == 1 ? 1 : 0), 0};
		copy->within = within;
		tables[i] = copy;
	}
	assert_found("from mesh 0 chip 0 to mesh 0 chip 3 go around for ever at mesh 0 chip 1");
}

TEST(packets_of_another_chip_are_not_delivered)
{
	start(1, 4, false);
	change_within(1)[3] = (struct hop){HOP_HERE, 0};
	assert_found("from mesh 0 chip 1 to mesh 0 chip 3 end at mesh 0 chip 1");
}

/* Lets all packets of all chips stay on VC 0, as if rings had no datelines. */
TEST(a_ring_without_dateline_has_a_circle_of_waits)
{
	start(1, 6, true);
	for (uint32_t i = 0; i < count; i++) {
		struct chip_tables *copy = copy_of(tables[i], 1, sizeof(*copy));
		size_t rows = tables_rows(copy);
		struct hop *within = copy_of(copy->within, rows * count, sizeof(*within));
		struct hop *hops = copy_of(copy->hops, copy->hop_count, sizeof(*hops));
		struct tree_part *parts = copy_of(copy->parts, copy->part_count, sizeof(*parts));

		for (size_t k = 0; k < rows * count; k++)
			within[k].vc = 0;
		for (uint32_t port = 0; port < copy->port_count; port++)
			for (uint32_t to = 0; to < count; to++)
				for (uint32_t vc = 0; vc < 2; vc++) {
					struct hop *hop = &within[(1 + port * 2 + vc) * count + to];

					if (hop->port == HOP_NONE)
						*hop = within[(1 + port * 2 + 1 - vc) * count + to];
				}
		for (uint32_t k = 0; k < copy->hop_count; k++)
			hops[k].vc = 0;
		parts[0].in_vc = 0;
		copy->within = within;
		copy->hops = hops;
		copy->parts = parts;
		tables[i] = copy;
	}
	assert_found("packets could wait for each other in a circle: mesh 0 chip");
}

TEST(a_tree_that_reaches_a_chip_twice_is_found)
{
	struct hop *hops;

	start(2, 2, false);
	/* the middle is chip 3; the tree goes from chip 0 over 1 to 3, and to 2 */
	change(0);
	hops = copy_of(changed.hops, changed.hop_count, sizeof(*hops));
	assert_int_equal(changed.hop_count, 2);
	hops[1] = hops[0];
	changed.hops = hops;
	assert_found("reaches more than once mesh 0 chip");
}

TEST(a_tree_that_leaves_a_chip_out_is_found)
{
	struct tree_part *parts;

	start(2, 2, false);
	change(0);
	parts = copy_of(changed.parts, changed.part_count, sizeof(*parts));
	parts[0].out_count = 1;
	changed.parts = parts;
	assert_found("does not reach mesh 0 chip");
}

TEST(ends_of_a_cable_that_do_not_agree_are_found)
{
	struct router *routers;

	start(2, 2, false);
	change(3);
	routers = copy_of(changed.routers, changed.router_count, sizeof(*routers));
	routers[0].channel++;
	changed.routers = routers;
	assert_found("do not agree on their cable");
}

TEST(tables_of_another_placement_are_found)
{
	start(2, 2, false);
	change(2);
	changed.mesh_chips = 3;
	assert_found("mesh 0 chip 2 are of another placement");
}

TEST_MAIN(NULL, NULL)
