/* Tests the message with the tables of a chip: what is read equals what was written, and messages
 * that are foreign, cut, changed, of another version or too big are refused. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "planes.h"

static struct planes_case planes;
static struct control_plane *plane;
static struct text message;
static struct arena arena;

static void start(void)
{
	struct text text = {0};

	planes_mesh_text(&text, "M", 4, 3, true, false, 2, 1);
	planes_graph_text(&text, "M", 3, (uint32_t[]){0, 1, 1, 2}, 2, 2);
	planes_begin(&planes, text_string(&text));
	text_fini(&text);
	planes.image[4] = MACHINE_NONE;
	plane = planes_make_sound(&planes, 0);
	tables_write(control_plane_tables(plane, 13), &message);
}

static void stop(void)
{
	control_plane_free(plane);
	planes_end(&planes);
	text_fini(&message);
	arena_fini(&arena);
}

/* Makes the hash right again after a change. */
static void seal(void)
{
	uint64_t hash = hash_bytes(message.bytes, message.length - 8);

	for (uint32_t i = 0; i < 8; i++)
		message.bytes[message.length - 8 + i] = (char)(hash >> 8 * i);
}

static void assert_refused(size_t bytes, enum status expected, const char *words)
{
	struct chip_tables tables;
	struct text why = {0};

	assert_string_equal(status_name(tables_read(
				    (const uint8_t *)message.bytes, bytes, &arena, &tables, &why)),
		status_name(expected));
	if (!strstr(text_string(&why), words))
		fail_msg("'%s' is not in: %s", words, text_string(&why));
	text_fini(&why);
}

TEST(tables_read_from_messages_are_those_that_were_written)
{
	const struct chip_tables **read;
	uint32_t count;

	start();
	count = planes.logical->device_count;
	read = allocate(count, sizeof(*read));
	for (uint32_t i = 0; i < count; i++) {
		const struct chip_tables *tables = control_plane_tables(plane, i);
		struct chip_tables *copy = arena_alloc(&arena, sizeof(*copy));
		struct text again = {0};
		size_t bytes;

		if (!tables)
			continue;
		text_clear(&message);
		bytes = tables_write(tables, &message);
		assert_int_equal(bytes, message.length);
		assert_int_equal(tables_read((const uint8_t *)message.bytes, message.length, &arena,
					 copy, NULL),
			STATUS_OK);
		tables_write(copy, &again);
		assert_int_equal(again.length, message.length);
		assert_memory_equal(again.bytes, message.bytes, message.length);
		assert_memory_equal(copy->within, tables->within,
			tables_rows(tables) * tables->mesh_chips * sizeof(struct hop));
		read[i] = copy;
		text_fini(&again);
	}
	assert_int_equal(control_plane_check(read, count, NULL), STATUS_OK);
	free(read);
	stop();
}

TEST(messages_that_are_cut_are_refused)
{
	start();
	for (size_t bytes = 0; bytes < message.length; bytes++)
		assert_refused(bytes, STATUS_INVALID, "tables");
	stop();
}

TEST(messages_with_a_changed_bit_are_refused)
{
	start();
	for (size_t i = 16; i < message.length; i++) {
		message.bytes[i] ^= 4;
		assert_refused(message.length, STATUS_INVALID, "cut or changed");
		message.bytes[i] ^= 4;
	}
	stop();
}

TEST(foreign_messages_other_versions_and_big_ones_are_refused)
{
	struct chip_tables tables;
	struct text why = {0};

	start();
	assert_int_equal(tables_read((const uint8_t *)message.bytes, (size_t)TABLES_BYTES_MAX + 1,
				 &arena, &tables, &why),
		STATUS_NO_SPACE);
	text_fini(&why);
	message.bytes[8]++;
	assert_refused(
		message.length, STATUS_UNSUPPORTED, "tables of version 2, this meshsim reads 1");
	message.bytes[0] = 'M';
	assert_refused(message.length, STATUS_INVALID, "no tables of a chip");
	stop();
}

static void assert_hop(const struct chip_tables *tables, struct hop hop)
{
	assert_true(hop.port < tables->port_count || hop.port >= HOP_HERE);
	assert_true(hop.vc < tables->vcs);
}

/* Checks that each number of tables is within the bounds that tables.h gives it. */
static void assert_bounded(const struct chip_tables *tables)
{
	size_t rows = tables_rows(tables);

	assert_true(tables->mesh < tables->mesh_count && tables->chip < tables->mesh_chips);
	assert_int_equal(tables->device, tables->first_device + tables->chip);
	assert_true(tables->first_device + tables->mesh_chips <= tables->device_count);
	for (size_t i = 0; i < rows * tables->mesh_chips; i++)
		assert_hop(tables, tables->within[i]);
	for (size_t i = 0; i < rows * tables->mesh_count; i++)
		assert_hop(tables, tables->between[i]);
	for (uint32_t i = 0; i < tables->hop_count; i++)
		assert_hop(tables, tables->hops[i]);
	for (uint32_t i = 0; i < tables->port_count; i++) {
		assert_true(tables->ports[i].peer < tables->device_count);
		assert_true(
			(uint32_t)tables->ports[i].first_router + tables->ports[i].router_count <=
			tables->router_count);
	}
	for (uint32_t i = 0; i < tables->part_count; i++) {
		assert_true(tables->parts[i].source < tables->device_count);
		assert_true(tables->parts[i].first_out + tables->parts[i].out_count <=
			    tables->hop_count);
	}
	for (uint32_t i = 0; i < tables->router_count; i++)
		assert_true(tables->routers[i].role < ROUTER_ROLES &&
			    tables->routers[i].direction < ROUTER_DIRECTIONS);
}

/* Changes each byte of a message to each of some values. What is accepted is within its bounds, so
 * that it can be written again and checked. */
TEST(no_changed_number_leads_out_of_bounds)
{
	static const uint8_t values[] = {0, 1, 2, 7, 127, 128, 253, 254, 255};
	uint32_t accepted = 0, refused = 0;

	start();
	for (size_t i = 16; i + 8 < message.length; i++) {
		char before = message.bytes[i];

		for (size_t k = 0; k < sizeof(values); k++) {
			struct chip_tables tables;
			const struct chip_tables **all;
			uint32_t count = planes.logical->device_count;
			struct text again = {0};

			message.bytes[i] = (char)values[k];
			seal();
			if (tables_read((const uint8_t *)message.bytes, message.length, &arena,
				    &tables, NULL) != STATUS_OK) {
				refused++;
				continue;
			}
			accepted++;
			assert_bounded(&tables);
			tables_write(&tables, &again);
			assert_true(again.length <= message.length);
			text_fini(&again);
			all = allocate(count, sizeof(*all));
			memcpy(all, control_plane_all(plane), count * sizeof(*all));
			all[13] = &tables;
			control_plane_check(all, count, NULL);
			free(all);
			arena_fini(&arena);
		}
		message.bytes[i] = before;
	}
	printf("  %u accepted, %u refused\n", accepted, refused);
	assert_true(accepted > 0 && refused > 0);
	stop();
}

TEST_MAIN(NULL, NULL)
