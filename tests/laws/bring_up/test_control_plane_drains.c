/* Tests by moving packets that no routes of a control plane deadlock: every channel has room for
 * one packet a virtual channel, every chip sends to all others as fast as there is room, trees too,
 * and all packets arrive. The same packets block each other on rings if datelines are taken away.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "planes.h"

/* A packet to a device, or along the tree from a device. `copies` counts the hops of the tree's
 * part at its chip that it has taken. */
struct packet {
	uint32_t target; /* TABLES_NONE: no packet */
	uint32_t copies;
	bool of_tree;
};

/* What moves. `room` is [slot]: the packet that arrived at a chip over a port on a VC. */
struct traffic {
	const struct chip_tables *const *tables;
	uint32_t count;
	uint32_t *first; /* [device] its first slot */
	struct packet *room, *sending;
	uint32_t *next; /* [device] how many of its packets it has begun to send */
	uint64_t arrived, moves;
	bool one_vc; /* all packets take VC 0, as if rings had no datelines */
};

static const struct tree_part *part_of(const struct chip_tables *tables, uint32_t source)
{
	for (uint32_t i = 0; i < tables->part_count; i++)
		if (tables->parts[i].source == source)
			return &tables->parts[i];
	return NULL;
}

/* Puts a packet into the room at the other end of a port. Returns false if there is a packet. */
static bool push(struct traffic *traffic, uint32_t at, struct hop out, struct packet packet)
{
	const struct chip_tables *tables = traffic->tables[at];
	const struct router_port *port = &tables->ports[out.port];
	struct packet *room = &traffic->room[traffic->first[port->peer] +
					     (uint32_t)port->peer_port * tables->vcs +
					     (traffic->one_vc ? 0 : out.vc)];

	if (room->target != TABLES_NONE)
		return false;
	packet.copies = 0;
	*room = packet;
	traffic->moves++;
	return true;
}

/* Returns where a packet goes on. Without datelines it may have come on a VC whose row of the table
 * is empty; the row of another one has the same port then. */
static struct hop way_on(const struct traffic *traffic, uint32_t at, struct hop in, uint32_t target)
{
	const struct chip_tables *tables = traffic->tables[at];
	struct hop out = tables_next(tables, in, target, traffic->tables[target]->mesh);

	for (in.vc = 0; out.port == HOP_NONE && traffic->one_vc && in.vc < tables->vcs; in.vc++)
		out = tables_next(tables, in, target, traffic->tables[target]->mesh);
	assert_int_not_equal(out.port, HOP_NONE);
	return out;
}

/* Moves a packet on as far as there is room. It is gone when it has arrived, or left with all
 * copies. */
static void move(struct traffic *traffic, uint32_t at, struct hop in, struct packet *packet)
{
	const struct chip_tables *tables = traffic->tables[at];
	bool gone = false;

	if (packet->target == TABLES_NONE)
		return;
	if (packet->of_tree) {
		const struct tree_part *part = part_of(tables, packet->target);

		while (packet->copies < part->out_count &&
			push(traffic, at, tables->hops[part->first_out + packet->copies], *packet))
			packet->copies++;
		gone = packet->copies == part->out_count;
		traffic->arrived += gone && in.port != HOP_HERE;
	} else {
		struct hop out = way_on(traffic, at, in, packet->target);

		gone = out.port == HOP_HERE || push(traffic, at, out, *packet);
		traffic->arrived += out.port == HOP_HERE;
	}
	traffic->moves += gone;
	if (gone)
		packet->target = TABLES_NONE;
}

/* Takes the next packet that a chip sends: one to each other chip, far ones first, then one along
 * its tree. */
static void send_next(struct traffic *traffic, uint32_t at)
{
	struct packet *packet = &traffic->sending[at];
	uint32_t number = traffic->next[at], target;
	const struct tree_part *part = part_of(traffic->tables[at], at);

	if (packet->target != TABLES_NONE || number > traffic->count)
		return;
	traffic->next[at]++;
	target = (at + traffic->count / 2 - 1 + number) % traffic->count;
	if (number == traffic->count && part && part->in_port == HOP_HERE)
		*packet = (struct packet){.target = at, .of_tree = true};
	else if (number < traffic->count && target != at && traffic->tables[target])
		*packet = (struct packet){.target = target};
}

/* Lets every chip send, and then moves what is under way. */
static void go_round(struct traffic *traffic)
{
	for (uint32_t at = 0; at < traffic->count; at++) {
		if (!traffic->tables[at])
			continue;
		send_next(traffic, at);
		move(traffic, at, (struct hop){HOP_HERE, 0}, &traffic->sending[at]);
	}
	for (uint32_t at = 0; at < traffic->count; at++) {
		const struct chip_tables *tables = traffic->tables[at];

		for (uint32_t port = 0; tables && port < tables->port_count; port++)
			for (uint8_t vc = 0; vc < tables->vcs; vc++)
				move(traffic, at, (struct hop){(uint8_t)port, vc},
					&traffic->room[traffic->first[at] + port * tables->vcs +
						       vc]);
	}
}

/* Goes round until nothing has moved for more rounds than a chip has packets to send. */
static void drain(struct traffic *traffic)
{
	uint64_t before;
	uint32_t still = 0;

	while (still <= traffic->count + 1) {
		before = traffic->moves;
		go_round(traffic);
		still = traffic->moves > before ? 0 : still + 1;
	}
}

/* Returns how many packets have to arrive. */
static uint64_t expected_of(const struct traffic *traffic)
{
	uint64_t expected = 0;

	for (uint32_t at = 0; at < traffic->count; at++) {
		const struct chip_tables *tables = traffic->tables[at];

		for (uint32_t to = 0; to < traffic->count; to++)
			expected += at != to && tables && traffic->tables[to];
		for (uint32_t i = 0; tables && i < tables->part_count; i++)
			expected += tables->parts[i].in_port != HOP_HERE;
	}
	return expected;
}

/* Sends all packets. Returns how many of them did not arrive. */
static uint64_t left_after(const struct control_plane *plane, uint32_t count, bool one_vc)
{
	struct traffic traffic = {
		.tables = control_plane_all(plane), .count = count, .one_vc = one_vc};
	uint32_t slots = 0;
	uint64_t left;

	traffic.first = allocate(count, sizeof(*traffic.first));
	for (uint32_t i = 0; i < count; i++) {
		traffic.first[i] = slots;
		slots += traffic.tables[i] ? tables_rows(traffic.tables[i]) : 0;
	}
	traffic.room = allocate((size_t)slots + 1, sizeof(*traffic.room));
	traffic.sending = allocate(count, sizeof(*traffic.sending));
	traffic.next = allocate(count, sizeof(*traffic.next));
	for (uint32_t i = 0; i < slots; i++)
		traffic.room[i].target = TABLES_NONE;
	for (uint32_t i = 0; i < count; i++)
		traffic.sending[i].target = TABLES_NONE;
	drain(&traffic);
	left = expected_of(&traffic) - traffic.arrived;
	free(traffic.first);
	free(traffic.room);
	free(traffic.sending);
	free(traffic.next);
	return left;
}

static void begin_mesh(struct planes_case *planes, uint32_t rows, uint32_t columns, bool rings)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", rows, columns, rings && rows > 1, rings, 1, 1);
	text_append(&text, "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
	planes_begin(planes, text_string(&text));
	text_fini(&text);
}

static void assert_drains(struct planes_case *planes, uint32_t vcs)
{
	struct control_plane *plane = planes_make(planes, vcs, NULL);

	if (plane)
		assert_int_equal(left_after(plane, planes->logical->device_count, false), 0);
	control_plane_free(plane);
	planes_end(planes);
}

TEST(all_packets_arrive_on_whole_meshes_and_tori)
{
	static const uint32_t sides[][2] = {{1, 8}, {4, 2}, {8, 4}, {5, 7}, {8, 8}};
	struct planes_case planes;

	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		for (int rings = 0; rings < 2; rings++)
			for (uint32_t vcs = 0; vcs < 2; vcs++) {
				begin_mesh(&planes, sides[i][0], sides[i][1], rings);
				assert_drains(&planes, vcs);
			}
}

TEST(packets_block_each_other_on_a_ring_without_dateline)
{
	struct planes_case planes;
	struct control_plane *plane;
	uint64_t left;

	begin_mesh(&planes, 1, 8, true);
	plane = planes_make_sound(&planes, 0);
	assert_int_equal(left_after(plane, 8, false), 0);
	left = left_after(plane, 8, true);
	printf("  without dateline %u packets do not arrive\n", (uint32_t)left);
	assert_true(left > 0);
	control_plane_free(plane);
	planes_end(&planes);
}

TEST(all_packets_arrive_around_holes_and_between_meshes)
{
	for (uint64_t draw = 0; draw < 150; draw++) {
		struct planes_case planes;
		struct stream stream;
		struct text text = {0};
		uint32_t rows, columns, pairs[8] = {0, 1, 1, 2, 2, 3, 3, 0};
		bool rings;

		stream_init(&stream, draw, "drains");
		rows = 2 + (uint32_t)stream_below(&stream, 5);
		columns = 2 + (uint32_t)stream_below(&stream, 5);
		rings = stream_below(&stream, 2);
		if (draw % 2) {
			begin_mesh(&planes, rows, columns, rings);
		} else {
			planes_mesh_text(&text, "M", 2, columns, rings, rings, 1, 1);
			planes_graph_text(&text, "M", 4, pairs, 3 + rings, 1 + rows / 4);
			planes_begin(&planes, text_string(&text));
			text_fini(&text);
		}
		planes_lose_links(&planes, &stream, 0.08);
		assert_drains(&planes, (uint32_t)stream_below(&stream, 9));
	}
}

TEST_MAIN(NULL, NULL)
