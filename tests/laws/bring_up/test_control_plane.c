/* label: full timeout: 300 long: 300
 * Tests the laws of the control plane on whole topologies: all pairs reach each other, no waits
 * form a circle, and each tree reaches each member once. The topologies have the shapes of real
 * machines. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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

static void several(struct planes_case *planes, uint32_t meshes, uint32_t rows, uint32_t columns,
	bool rings, const uint32_t *pairs, uint32_t pair_count)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", rows, columns, rings, rings, 1, 1);
	planes_graph_text(&text, "M", meshes, pairs, pair_count, 2);
	planes_begin(planes, text_string(&text));
	text_fini(&text);
}

/* The sixteen boxes of eight chips: pairs of boxes with cables, as closets of T3K boxes are wired.
 */
static const uint32_t boxes[] = {0, 1, 0, 2, 0, 3, 0, 8, 1, 2, 1, 3, 2, 3, 2, 5, 3, 12, 4, 5, 4, 6,
	4, 7, 4, 11, 5, 6, 5, 7, 6, 7, 7, 15, 8, 9, 8, 10, 8, 11, 9, 10, 9, 11, 10, 11, 10, 13, 12,
	13, 12, 14, 12, 15, 13, 14, 13, 15, 14, 15};
enum { BOX_PAIRS = sizeof(boxes) / sizeof(*boxes) / 2 };

/* Returns how many hops more than the fewest that links allow the routes of all pairs have, in
 * thousandths; sets *longest to the hops of the longest route. */
static uint32_t stretch(const struct control_plane *plane, uint32_t count, uint32_t *longest)
{
	const struct chip_tables *const *all = control_plane_all(plane);
	uint32_t *away = allocate(count, sizeof(*away)), *queue = allocate(count, sizeof(*queue));
	uint64_t fewest = 0, taken = 0;

	*longest = 0;
	for (uint32_t to = 0; to < count; to++) {
		uint32_t head = 0, tail = 0;

		if (!all[to])
			continue;
		for (uint32_t i = 0; i < count; i++)
			away[i] = TABLES_NONE;
		away[to] = 0;
		queue[tail++] = to;
		for (; head < tail; head++)
			for (uint32_t p = 0; p < all[queue[head]]->port_count; p++) {
				uint32_t peer = all[queue[head]]->ports[p].peer;

				if (away[peer] != TABLES_NONE)
					continue;
				away[peer] = away[queue[head]] + 1;
				queue[tail++] = peer;
			}
		for (uint32_t from = 0; from < count; from++) {
			uint32_t route;

			if (from == to || !all[from] || away[from] == TABLES_NONE)
				continue;
			route = hops(plane, count, from, to);
			assert_true(route >= away[from]);
			fewest += away[from];
			taken += route;
			*longest = route > *longest ? route : *longest;
		}
	}
	free(away);
	free(queue);
	return fewest ? (uint32_t)((taken - fewest) * 1000 / fewest) : 0;
}

/* Returns how many times more routes of all pairs lead over the busiest port than over the mean
 * one, in thousandths. */
static uint32_t busiest(const struct control_plane *plane, uint32_t count)
{
	const struct chip_tables *const *all = control_plane_all(plane);
	uint32_t *devices = allocate(4 * (size_t)count, sizeof(*devices));
	uint64_t *routes = allocate((size_t)count * TABLES_PORTS_MAX, sizeof(*routes));
	uint64_t most = 0, sum = 0, ports = 0;

	for (uint32_t from = 0; from < count; from++)
		for (uint32_t to = 0; to < count; to++) {
			uint32_t passed =
				control_follow(all, count, from, to, devices, 4 * count, NULL);

			for (uint32_t i = 1; i < passed; i++) {
				uint32_t port = 0;

				while (all[devices[i - 1]]->ports[port].peer != devices[i])
					port++;
				routes[(size_t)devices[i - 1] * TABLES_PORTS_MAX + port]++;
			}
		}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t port = 0; all[i] && port < all[i]->port_count; port++) {
			uint64_t of = routes[(size_t)i * TABLES_PORTS_MAX + port];

			most = of > most ? of : most;
			sum += of;
			ports++;
		}
	free(devices);
	free(routes);
	return (uint32_t)(most * 1000 * ports / sum);
}

static void say(const char *name, const struct control_plane *plane, uint32_t count)
{
	struct control_facts facts = control_plane_facts(plane);
	uint32_t longest, more = stretch(plane, count, &longest), busy = busiest(plane, count);

	printf("  %-22s %4u chips, %2u meshes, scheme %s, %u VCs, %u trees, longest %u hops, "
	       "%u.%u %% more than the fewest, busiest %u.%02u of the mean, %llu B of tables\n",
		name, facts.chips, facts.meshes,
		control_scheme_name(control_plane_scheme(plane, 0)), facts.vcs, facts.trees,
		longest, more / 10, more % 10, busy / 1000, busy % 1000 / 10,
		(unsigned long long)facts.bytes);
}

static void assert_sound(const char *name, struct planes_case *planes, uint32_t vcs_max)
{
	struct control_plane *plane = planes_make_sound(planes, vcs_max);

	say(name, plane, planes->logical->device_count);
	control_plane_free(plane);
	planes_end(planes);
}

/* Half a ring of such sides is even, so that ways of this length can be shared equally. */
TEST(all_links_of_a_torus_whose_sides_are_multiples_of_four_carry_equally_many_routes)
{
	static const uint32_t sides[][2] = {{1, 4}, {1, 8}, {4, 4}, {8, 8}, {12, 12}};

	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		struct planes_case planes;
		struct control_plane *plane;

		single(&planes, sides[i][0], sides[i][1], sides[i][0] > 1, true, 1);
		plane = planes_make_sound(&planes, 0);
		assert_int_equal(busiest(plane, sides[i][0] * sides[i][1]), 1000);
		control_plane_free(plane);
		planes_end(&planes);
	}
}

TEST(given_topologies_are_sound)
{
	struct planes_case planes;

	single(&planes, 4, 2, false, false, 1);
	assert_sound("t3k", &planes, 0);
	single(&planes, 8, 4, true, true, 1);
	assert_sound("galaxy", &planes, 0);
	single(&planes, 8, 8, false, false, 2);
	assert_sound("galaxy x2", &planes, 0);
	single(&planes, 32, 4, true, true, 4);
	assert_sound("galaxy x4", &planes, 0);
	several(&planes, 2, 8, 4, true, (uint32_t[]){0, 1}, 1);
	assert_sound("two galaxies", &planes, 0);
	several(&planes, 4, 8, 4, true, (uint32_t[]){0, 1, 1, 2, 2, 3, 3, 0}, 4);
	assert_sound("four galaxies in a ring", &planes, 0);
	several(&planes, 16, 2, 4, false, boxes, BOX_PAIRS);
	assert_sound("16 boxes of 8", &planes, 0);
	several(&planes, 16, 2, 4, false, boxes, BOX_PAIRS);
	assert_sound("16 boxes, 2 VCs", &planes, 2);
	single(&planes, 8, 4, true, true, 1);
	assert_sound("galaxy, 1 VC", &planes, 1);
}

TEST(chips_around_holes_reach_each_other)
{
	struct planes_case planes;
	struct text why = {0};
	struct control_plane *plane;

	single(&planes, 8, 4, false, false, 1);
	planes.image[9] = planes.image[10] = planes.image[14] = MACHINE_NONE;
	planes_lose_link(&planes, 20, 24);
	plane = planes_make_sound(&planes, 0);
	assert_int_equal(control_plane_scheme(plane, 0), CONTROL_LAYERS);
	assert_null(control_plane_tables(plane, 9));
	assert_int_equal(control_plane_facts(plane).chips, 29);
	say("mesh with holes", plane, 32);
	control_plane_free(plane);
	planes_lose_link(&planes, 0, 1);
	planes_lose_link(&planes, 0, 4);
	assert_null(planes_make(&planes, 0, &why));
	assert_string_equal(text_string(&why), "no links of mesh 0 lead from chip 18 to chip 0");
	text_fini(&why);
	planes_end(&planes);
}

/* A mesh, or several that are joined as a tree, with one more join in some draws. */
static void draw_meshes(struct planes_case *planes, struct stream *stream)
{
	uint32_t rows = 1 + (uint32_t)stream_below(stream, 12);
	uint32_t columns = 2 + (uint32_t)stream_below(stream, 9);
	bool rings = stream_below(stream, 2);
	uint32_t pairs[16] = {0}, meshes;

	if (stream_below(stream, 3) > 0) {
		single(planes, rows, columns, rings, stream_below(stream, 2), 1);
		return;
	}
	meshes = 2 + (uint32_t)stream_below(stream, 5);
	for (uint32_t k = 1; k < meshes; k++) {
		pairs[2 * k - 2] = (uint32_t)stream_below(stream, k);
		pairs[2 * k - 1] = k;
	}
	pairs[2 * meshes - 1] = meshes - 1;
	several(planes, meshes, 1 + rows / 4, columns, rings, pairs,
		pairs[2 * meshes - 4] == 0 ? meshes - 1 : meshes);
}

static bool is_lost(const struct planes_case *planes, uint32_t a, uint32_t b)
{
	const struct machine_link *link = machine_link_of(planes->machine, a, b);

	for (uint32_t i = 0; i < planes->lost_count; i++)
		if (planes->lost[i].chip == link->a &&
			planes->lost[i].channel ==
				planes->machine->cables[link->first_cable].channel_a)
			return true;
	return false;
}

/* Returns true if the chips of a mesh cannot all reach each other within it. */
static bool is_cut(const struct planes_case *planes)
{
	const struct logical *logical = planes->logical;
	uint32_t *part = allocate(logical->device_count, sizeof(*part)), parts = 0, meshes = 0;
	bool changed = true;

	for (uint32_t i = 0; i < logical->device_count; i++)
		part[i] = i;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < logical->link_count; i++) {
			uint32_t a = logical->links[i].a, b = logical->links[i].b;

			if (planes->image[a] == MACHINE_NONE || planes->image[b] == MACHINE_NONE ||
				part[a] == part[b] || is_lost(planes, a, b))
				continue;
			part[a] = part[b] = part[a] < part[b] ? part[a] : part[b];
			changed = true;
		}
	}
	for (uint32_t i = 0; i < logical->device_count; i++)
		parts += planes->image[i] != MACHINE_NONE && part[i] == i;
	for (uint32_t m = 0; m < logical->mesh_count; m++)
		for (uint32_t i = 0, found = 0; i < logical->meshes[m].count && !found; i++)
			meshes += found =
				planes->image[logical->meshes[m].first + i] != MACHINE_NONE;
	free(part);
	return parts != meshes;
}

enum drawn { DRAWN_SOUND, DRAWN_CUT, DRAWN_FEW_VCS, DRAWN_COUNT };

static enum drawn try_draw(uint64_t seed, uint32_t *schemes)
{
	struct planes_case planes;
	struct stream stream;
	struct control_plane *plane;
	struct text why = {0};
	enum drawn drawn = DRAWN_SOUND;
	uint32_t vcs;

	stream_init(&stream, seed, "control-plane");
	draw_meshes(&planes, &stream);
	planes_lose_links(&planes, &stream, 0.01);
	if (stream_below(&stream, 4) == 0)
		planes.image[stream_below(&stream, planes.logical->device_count)] = MACHINE_NONE;
	vcs = (uint32_t)stream_below(&stream, 9);
	plane = planes_make(&planes, vcs, &why);
	if (!plane) {
		drawn = is_cut(&planes) ? DRAWN_CUT : DRAWN_FEW_VCS;
		if (drawn == DRAWN_FEW_VCS && (vcs != 1 || planes.logical->mesh_count == 1))
			fail_msg("draw %u is refused: %s", (uint32_t)seed, text_string(&why));
	} else {
		assert_false(is_cut(&planes));
		if (control_plane_check(control_plane_all(plane), planes.logical->device_count,
			    &why) != STATUS_OK)
			fail_msg("draw %u: %s", (uint32_t)seed, text_string(&why));
		schemes[control_plane_scheme(plane, 0)]++;
	}
	text_fini(&why);
	control_plane_free(plane);
	planes_end(&planes);
	return drawn;
}

TEST(a_thousand_topologies_without_a_hundredth_of_their_links_are_sound)
{
	enum { SOUND = 1000 };
	uint32_t counts[DRAWN_COUNT] = {0}, schemes[CONTROL_SCHEMES] = {0};

	for (uint64_t seed = 0; counts[DRAWN_SOUND] < SOUND; seed++)
		counts[try_draw(seed, schemes)]++;
	printf("  %u sound (order %u, layers %u, updown %u); left out: %u cut apart, %u with too "
	       "few "
	       "VCs\n",
		counts[DRAWN_SOUND], schemes[CONTROL_ORDER], schemes[CONTROL_LAYERS],
		schemes[CONTROL_UPDOWN], counts[DRAWN_CUT], counts[DRAWN_FEW_VCS]);
	assert_true(counts[DRAWN_CUT] + counts[DRAWN_FEW_VCS] < SOUND / 8);
	for (int i = 0; i < CONTROL_SCHEMES; i++)
		assert_true(schemes[i] > 50);
}

static double seconds_since(clock_t start)
{
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void measure(const char *name, struct planes_case *planes)
{
	clock_t start = clock();
	struct text why = {0};
	struct control_plane *plane = planes_make(planes, 0, &why);
	double made = seconds_since(start), checked;
	struct rusage usage;

	assert_non_null(plane);
	start = clock();
	assert_int_equal(
		control_plane_check(control_plane_all(plane), planes->logical->device_count, &why),
		STATUS_OK);
	checked = seconds_since(start);
	getrusage(RUSAGE_SELF, &usage);
	printf("  %-26s %u chips: made in %.2f s, checked in %.2f s, %llu B of tables; at most %ld "
	       "MiB\n",
		name, control_plane_facts(plane).chips, made, checked,
		(unsigned long long)control_plane_facts(plane).bytes, usage.ru_maxrss / 1024);
	assert_true(made + checked < 0.02 * control_plane_facts(plane).chips);
	assert_true(usage.ru_maxrss < 1024 * 1024);
	control_plane_free(plane);
	planes_end(planes);
}

TEST(tables_of_1024_chips_take_seconds_at_most)
{
	struct planes_case planes;
	struct stream stream;
	uint32_t ring[64];

	for (uint32_t i = 0; i < 64; i++)
		ring[i] = (i + 1) / 2 % 32;
	single(&planes, 32, 32, false, false, 1);
	measure("mesh", &planes);
	single(&planes, 32, 32, true, true, 1);
	measure("torus", &planes);
	stream_init(&stream, 1, "control-plane");
	single(&planes, 32, 32, true, true, 1);
	planes_lose_links(&planes, &stream, 0.01);
	measure("torus without 1 % of links", &planes);
	several(&planes, 32, 8, 4, true, ring, 32);
	measure("32 galaxies in a ring", &planes);
	if (getenv("MESHSIM_LONG")) {
		single(&planes, 64, 64, true, true, 1);
		planes_lose_links(&planes, &stream, 0.01);
		measure("torus without 1 % of links", &planes);
	}
}

TEST_MAIN(NULL, NULL)
