/* Tests the messages of bring-up: what is read equals what was written, and messages that are cut,
 * foreign or changed lead to a refusal, or to a machine within its bounds. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "../../../runtime/bring_up/flow/flow_private.h"
#include "base/allocate.h"
#include "check.h"

static struct machine *machine;
static struct hardware hardware;
static struct text described;

/* Two hosts of two chips each, joined to a line of channels 2 x 2 x 1. */
static void start(void)
{
	machine = machine_new();
	machine_host(machine, "left");
	machine_host(machine, "right");
	for (uint32_t i = 0; i < 4; i++)
		check_status(machine_add_chip(machine, (struct machine_chip){.id = 100 + i,
							       .host = i / 2,
							       .tray = 1,
							       .location = i % 2,
							       .board = MACHINE_NONE,
							       .device = i % 2,
							       .pcie = true}),
			STATUS_OK);
	check_status(machine_add_channel(machine, 0, 0, 1, 5), STATUS_OK);
	check_status(machine_add_channel(machine, 0, 1, 1, 7), STATUS_OK);
	check_status(machine_add_channel(machine, 1, 8, 2, 3), STATUS_OK);
	check_status(machine_add_channel(machine, 2, 0, 3, 0), STATUS_OK);
	machine_finish(machine);
	hardware_make(&hardware, machine);
	for (uint32_t host = 0; host < 2; host++)
		describe_host(&hardware, machine, host, NULL, 0, &described);
}

static void stop(void)
{
	hardware_free(&hardware);
	machine_free(machine);
	text_fini(&described);
}

static struct machine *read_bytes(const void *bytes, size_t length)
{
	return describe_read(machine, bytes, length);
}

static void a_machine_comes_back_as_its_hosts_describe_it(void **state)
{
	struct machine *back;

	(void)state;
	start();
	back = read_bytes(described.bytes, described.length);
	check(back != NULL, "no machine");
	check_equal(back->chip_count, 4);
	check_equal(back->link_count, 3);
	check_equal(back->links[0].channels, 2);
	check_equal(back->cables[1].channel_b, 7);
	check_equal(back->cables[2].channel_a, 8);
	check_equal(back->cables[2].channel_b, 3);
	check_equal(back->chips[3].host, 1);
	check_equal(back->chips[3].device, 1);
	machine_free(back);
	stop();
}

static void a_device_that_is_not_visible_is_not_described(void **state)
{
	struct text one = {0};
	struct machine *back;
	const uint32_t visible = 1;

	(void)state;
	start();
	describe_host(&hardware, machine, 0, &visible, 1, &one);
	back = read_bytes(one.bytes, one.length);
	check(back != NULL, "no machine");
	check_equal(back->chip_count, 1);
	check_equal(back->chips[0].id, 101);
	check_equal(back->link_count, 0);
	machine_free(back);
	text_fini(&one);
	stop();
}

static void descriptors_that_are_cut_are_refused(void **state)
{
	size_t whole;

	(void)state;
	start();
	{
		struct text first = {0};

		describe_host(&hardware, machine, 0, NULL, 0, &first);
		whole = first.length;
		text_fini(&first);
	}
	for (size_t length = 1; length < described.length; length++) {
		struct machine *back = read_bytes(described.bytes, length);

		check((back != NULL) == (length == whole), "%zu of %zu bytes: read %d", length,
			described.length, back != NULL);
		machine_free(back);
	}
	stop();
}

static void descriptors_of_other_hosts_or_too_many_chips_are_refused(void **state)
{
	(void)state;
	start();
	described.bytes[8 + 8] = 2; /* the host of the first chip: there are two */
	check(read_bytes(described.bytes, described.length) == NULL, "a host that is not there");
	described.bytes[8 + 8] = 0;
	described.bytes[3] = 0x7f; /* chips */
	check(read_bytes(described.bytes, described.length) == NULL, "2^31 chips");
	stop();
}

static void notes_come_back_and_cut_ones_are_refused(void **state)
{
	const uint8_t payload[] = {1, 2, 3};
	const struct note sent = {.kind = FLOW_SAYS_REPORT,
		.rank = 7,
		.number = UINT64_C(1) << 40,
		.payload = payload,
		.length = sizeof(payload)};
	struct span span = note_write(&sent);
	struct note note;

	(void)state;
	check(note_read(span, &note), "a note is not read");
	check_equal(note.kind, FLOW_SAYS_REPORT);
	check_equal(note.rank, 7);
	check_equal(note.number, UINT64_C(1) << 40);
	check_equal(note.length, 3);
	check_equal(note.payload[2], 3);
	for (uint32_t length = 0; length < span.length; length++)
		check(!note_read(span_part(span, 0, length), &note), "%u bytes are read", length);
	span.extent->bytes[4] = FLOW_MESSAGE_COUNT;
	check(!note_read(span, &note), "a note of no kind is read");
	span.extent->bytes[4] = 0;
	span.extent->bytes[0] ^= 1;
	check(!note_read(span, &note), "a foreign note is read");
	span_release(span);
}

static void ranks_come_back_and_too_many_devices_are_refused(void **state)
{
	const uint32_t devices[] = {3, 1};
	const struct flow_rank rank = {
		.rank = 2, .host = 1, .mesh = 5, .part = 4, .device_count = 2, .devices = devices};
	struct text bytes = {0};
	struct arena arena = {0};
	struct bytes_in in;
	struct flow_rank *back;
	uint32_t count;

	(void)state;
	put_ranks(&rank, 1, &bytes);
	in = (struct bytes_in){
		(uint8_t *)bytes.bytes, (uint8_t *)bytes.bytes + bytes.length, false};
	back = take_ranks(&in, &count, &arena);
	check(back != NULL, "no ranks");
	check_equal(count, 1);
	check_equal(back->mesh, 5);
	check_equal(back->part, 4);
	check_equal(back->devices[1], 1);
	bytes.bytes[4 + 17] = 2; /* 514 devices */
	in = (struct bytes_in){
		(uint8_t *)bytes.bytes, (uint8_t *)bytes.bytes + bytes.length, false};
	check(take_ranks(&in, &count, &arena) == NULL, "514 devices");
	arena_fini(&arena);
	text_fini(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_comes_back_as_its_hosts_describe_it),
		cmocka_unit_test(a_device_that_is_not_visible_is_not_described),
		cmocka_unit_test(descriptors_that_are_cut_are_refused),
		cmocka_unit_test(descriptors_of_other_hosts_or_too_many_chips_are_refused),
		cmocka_unit_test(notes_come_back_and_cut_ones_are_refused),
		cmocka_unit_test(ranks_come_back_and_too_many_devices_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
