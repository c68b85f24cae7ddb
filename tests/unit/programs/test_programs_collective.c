/* Tests the results of collectives and the bytes that they send over links. They are compared with
 * formulas, and with simulated devices of the test, which pass elements to their neighbours hop by
 * hop and count bytes. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"
#include "layout/data/convert.h"
#include "programs/reference/reference.h"
#include "tile_matrix.h"

enum { DEVICES = 9, UP = COLLECTIVE_UP, DOWN = COLLECTIVE_DOWN };

/* ---- devices that move elements, hop by hop ---- */

struct machine {
	const struct collective *collective;
	float *inputs[DEVICES], *results[DEVICES];
	uint64_t bytes[DEVICES][2][COLLECTIVE_LINKS_MAX]; /* sent, by direction and link */
};

/* Returns a partial sum as an element holds it. */
static float held(const struct machine *machine, float value)
{
	return machine->collective->element == ELEMENT_BF16 ? nearest_bf16(value) : value;
}

static uint32_t neighbour(const struct machine *machine, uint32_t device, int direction)
{
	uint32_t devices = machine->collective->devices;

	if (direction == UP) {
		assert_true(machine->collective->ring || device + 1 < devices);
		return (device + 1) % devices;
	}
	assert_true(machine->collective->ring || device > 0);
	return (device + devices - 1) % devices;
}

/* Moves element number `i` of its half over one hop. */
static uint32_t hand_on(struct machine *machine, uint32_t device, int direction, uint64_t i)
{
	uint32_t bytes = element_bytes(machine->collective->element);
	uint64_t chunk = i * bytes / machine->collective->chunk_bytes;

	machine->bytes[device][direction][chunk % machine->collective->links] += bytes;
	return neighbour(machine, device, direction);
}

static bool is_one_way(const struct machine *machine)
{
	return machine->collective->ring && machine->collective->one_way;
}

/* Returns how many of `count` elements are in the first half. */
static uint64_t first_half(const struct machine *machine, uint64_t count)
{
	return is_one_way(machine) ? count : (count + 1) / 2;
}

/* Returns over how many hops a device's elements go in a direction. On a line, they go to its end.
 * On a ring, they go half-way around. On a one-way ring, they pass all other devices, in direction
 * UP only. `second` is true for the second half of the elements, for which the longer way has the
 * other direction. */
static uint32_t reach(const struct machine *machine, uint32_t device, int direction, bool second)
{
	uint32_t devices = machine->collective->devices;

	if (!machine->collective->ring)
		return direction == UP ? devices - 1 - device : device;
	if (is_one_way(machine))
		return direction == UP ? devices - 1 : 0;
	if (devices % 2 == 1)
		return devices / 2;
	return (direction == UP) != second ? devices / 2 : devices / 2 - 1;
}

/* Sends `count` elements of `from` to all devices, into their results from `first` on. */
static void spread(
	struct machine *machine, uint32_t source, const float *from, uint64_t count, uint64_t first)
{
	for (uint64_t i = 0; i < count; i++) {
		bool second = i >= first_half(machine, count);
		uint64_t of_half = second ? i - first_half(machine, count) : i;

		machine->results[source][first + i] = from[i];
		for (int direction = DOWN; direction <= UP; direction++) {
			uint32_t device = source;

			for (uint32_t far = reach(machine, source, direction, second); far > 0;
				far--) {
				device = hand_on(machine, device, direction, of_half);
				machine->results[device][first + i] = from[i];
			}
		}
	}
}

/* Adds elements [first, first + count) of all inputs on their way to `owner`. */
static void collect(
	struct machine *machine, uint32_t owner, uint64_t first, uint64_t count, float *out)
{
	uint32_t devices = machine->collective->devices;

	for (uint64_t i = 0; i < count; i++) {
		bool second = i >= first_half(machine, count);
		float sum = machine->inputs[owner][first + i];

		for (int direction = DOWN; direction <= UP; direction++) {
			int from = is_one_way(machine) ? !direction : direction;
			uint32_t far = reach(machine, owner, from, second), device;
			float chain;

			if (far == 0)
				continue;
			device = (owner + (direction == UP ? far : devices - far)) % devices;
			chain = machine->inputs[device][first + i];
			for (; far > 0; far--) {
				device = hand_on(machine, device, direction == UP ? DOWN : UP,
					second ? i - first_half(machine, count) : i);
				if (device != owner)
					chain = held(machine,
						chain + machine->inputs[device][first + i]);
			}
			assert_int_equal(device, owner);
			sum = held(machine, sum + chain);
		}
		out[i] = sum;
	}
}

/* Moves the part of `source` for `target`, the shorter way. */
static void carry(struct machine *machine, uint32_t source, uint32_t target, const float *from,
	uint64_t count, float *out)
{
	uint32_t devices = machine->collective->devices;
	uint32_t up = (target + devices - source) % devices;

	for (uint64_t i = 0; i < count; i++) {
		bool second = i >= first_half(machine, count);
		int direction =
			is_one_way(machine) ? UP
			: machine->collective->ring
				? (up < devices - up || (up == devices - up && !second) ? UP : DOWN)
				: (target > source ? UP : DOWN);
		uint32_t device = source;

		while (device != target)
			device = hand_on(machine, device, direction,
				second ? i - first_half(machine, count) : i);
		out[i] = from[i];
	}
}

/* The first devices have the larger parts. */
static uint64_t part_first(const struct collective *collective, uint32_t device)
{
	uint64_t first = 0;

	for (uint32_t i = 0; i < device; i++)
		first += collective->elements / collective->devices +
			 (i < collective->elements % collective->devices);
	return first;
}

static void perform(struct machine *machine)
{
	const struct collective *collective = machine->collective;
	uint32_t devices = collective->devices;
	float *sums = allocate(collective->elements + 1, sizeof *sums);

	for (uint32_t i = 0; i < devices; i++) {
		uint64_t first = part_first(collective, i);
		uint64_t count = part_first(collective, i + 1) - first;

		if (collective->op == COLLECTIVE_ALL_GATHER)
			spread(machine, i, machine->inputs[i], collective->elements,
				i * collective->elements);
		if (collective->op == COLLECTIVE_BROADCAST && i == collective->root)
			spread(machine, i, machine->inputs[i], collective->elements, 0);
		if (collective->op == COLLECTIVE_REDUCE_SCATTER)
			collect(machine, i, first, count, machine->results[i]);
		if (collective->op == COLLECTIVE_ALL_REDUCE) {
			collect(machine, i, first, count, sums + first);
			spread(machine, i, sums + first, count, first);
		}
		for (uint32_t j = 0; j < devices && collective->op == COLLECTIVE_ALL_TO_ALL; j++)
			carry(machine, j, i, machine->inputs[j] + first, count,
				machine->results[i] + j * count);
	}
	free(sums);
}

static void check_links(const struct machine *machine)
{
	const struct collective *collective = machine->collective;

	for (uint32_t device = 0; device < collective->devices; device++)
		for (int direction = DOWN; direction <= UP; direction++)
			for (uint32_t link = 0; link < collective->links; link++) {
				uint64_t seen = collective_link_bytes(collective, device,
					(enum collective_direction)direction, link);
				uint64_t expected = machine->bytes[device][direction][link];

				if (seen != expected)
					fail_msg("%s of %u devices: device %u, direction %d, link "
						 "%u: "
						 "%llu B, expected %llu",
						collective_op_name(collective->op),
						collective->devices, device, direction, link,
						(unsigned long long)seen,
						(unsigned long long)expected);
			}
}

/* Converts floats to the element type of the collective. */
static void *packed(const struct machine *machine, const float *values, uint64_t count)
{
	float *out = allocate(count, sizeof *out);

	convert_elements(ELEMENT_F32, values, machine->collective->element, out, count);
	return out;
}

static void check_collective(const struct collective *collective, struct stream *stream)
{
	struct machine machine = {.collective = collective};
	uint64_t room = collective->devices * (collective->elements + collective->devices) + 1;
	void *inputs[DEVICES], *results[DEVICES], *expected;

	assert_int_equal(collective_check(collective, NULL), STATUS_OK);
	for (uint32_t i = 0; i < collective->devices; i++) {
		machine.inputs[i] = allocate(room, sizeof(float));
		machine.results[i] = allocate(room, sizeof(float));
		results[i] = allocate(room, sizeof(float));
		for (uint64_t j = 0; j < collective->elements; j++)
			machine.inputs[i][j] = held(&machine, (float)stream_unit(stream) - 0.5f);
		inputs[i] = packed(&machine, machine.inputs[i], room);
	}
	perform(&machine);
	collective_results(collective, (const void *const *)inputs, results);
	check_links(&machine);
	for (uint32_t i = 0; i < collective->devices; i++) {
		assert_true(collective_result_elements(collective, i) < room);
		expected = packed(&machine, machine.results[i], room);
		/* bytes after a result are zero in both */
		assert_memory_equal(results[i], expected, room * sizeof(float));
		free(machine.inputs[i]);
		free(machine.results[i]);
		free(inputs[i]);
		free(results[i]);
		free(expected);
	}
}

TEST(results_and_links_are_those_of_devices_hop_by_hop)
{
	struct stream stream;

	stream_init(&stream, 1, "collectives");
	for (int i = 0; i < 1000; i++) {
		struct collective collective = {
			.op = (enum collective_op)(i % COLLECTIVE_OP_COUNT),
			.element = stream_below(&stream, 2) ? ELEMENT_F32 : ELEMENT_BF16,
			.ring = stream_below(&stream, 2),
			.devices = 1 + (uint32_t)stream_below(&stream, DEVICES),
			.links = 1 + (uint32_t)stream_below(&stream, COLLECTIVE_LINKS_MAX),
			.elements = stream_below(&stream, 60),
			.chunk_bytes = 4 * (1 + stream_below(&stream, 8)),
		};

		if (collective.op == COLLECTIVE_BROADCAST)
			collective.root = (uint32_t)stream_below(&stream, collective.devices);
		collective.one_way = i % 3 == 0;
		check_collective(&collective, &stream);
	}
}

/* ---- closed forms ---- */

static uint64_t sent(const struct collective *collective, uint32_t device, int direction)
{
	uint64_t bytes = 0;

	for (uint32_t link = 0; link < collective->links; link++)
		bytes += collective_link_bytes(
			collective, device, (enum collective_direction)direction, link);
	return bytes;
}

/* n devices with S bytes each: every part is S / n, n odd. */
static void bytes_of_a_hop_are_closed_forms(void **state)
{
	for (uint32_t n = 3; n <= 33; n += 6)
		for (int ring = 0; ring < 2; ring++) {
			struct collective collective = {.element = ELEMENT_BF16,
				.ring = ring,
				.devices = n,
				.links = 1,
				.elements = 1024 * n,
				.chunk_bytes = 4096};
			uint64_t size = 2048 * n, part = 2048, half = (n - 1) / 2;

			(void)state;
			for (uint32_t i = 0; i + 1 < n; i++) {
				uint64_t below = i + 1, above = n - 1 - i;

				collective.op = COLLECTIVE_ALL_GATHER;
				assert_int_equal(sent(&collective, i, UP),
					ring ? half * size : below * size);
				collective.op = COLLECTIVE_REDUCE_SCATTER;
				assert_int_equal(sent(&collective, i, UP),
					ring ? half * part : above * part);
				collective.op = COLLECTIVE_ALL_REDUCE;
				assert_int_equal(sent(&collective, i, UP),
					ring ? 2 * half * part : (below + above) * part);
				collective.op = COLLECTIVE_ALL_TO_ALL;
				assert_int_equal(sent(&collective, i, UP),
					ring ? half * (half + 1) / 2 * part : below * above * part);
				collective.op = COLLECTIVE_BROADCAST;
				assert_int_equal(
					sent(&collective, i, UP), ring && i >= half ? 0 : size);
			}
			collective.op = COLLECTIVE_ALL_GATHER;
			assert_int_equal(sent(&collective, n - 1, UP), ring ? half * size : 0);
			assert_int_equal(sent(&collective, 0, DOWN), ring ? half * size : 0);
		}
}

/* In an even ring, half of the bytes for the opposite device go each way. */
TEST(an_even_ring_is_loaded_alike_both_ways)
{
	struct collective collective = {.op = COLLECTIVE_ALL_GATHER,
		.element = ELEMENT_BF16,
		.ring = true,
		.devices = 8,
		.links = 4,
		.elements = 4 * 8192,
		.chunk_bytes = 4096};

	for (uint32_t device = 0; device < 8; device++)
		for (int direction = DOWN; direction <= UP; direction++)
			for (uint32_t link = 0; link < 4; link++)
				assert_int_equal(
					collective_link_bytes(&collective, device,
						(enum collective_direction)direction, link),
					65536 * 7 / 2 / 4);
}

/* bf16 sums are rounded at every device. On a line of four devices, the sum at device 1 is (own
 * value + sum from lower devices) + sum from higher devices. */
TEST(sums_of_bf16_are_rounded_on_their_way)
{
	static const float values[4] = {1, 256, 1, 1}; /* 257 is no bf16 */
	struct collective collective = {.op = COLLECTIVE_REDUCE_SCATTER,
		.element = ELEMENT_BF16,
		.devices = 4,
		.links = 1,
		.elements = 4,
		.chunk_bytes = 2};
	uint16_t inputs[4][4], results[4] = {0};
	const void *in[4];
	void *out[4];

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++)
			inputs[i][j] = (uint16_t)(float_bits(values[i]) >> 16);
		in[i] = inputs[i];
		out[i] = &results[i];
	}
	collective_results(&collective, in, out);
	assert_int_equal((uint32_t)results[0] << 16, float_bits(260)); /* 1 + ((1 + 1) + 256) */
	assert_int_equal((uint32_t)results[1] << 16, float_bits(258)); /* (256 + 1) + (1 + 1) */
	assert_int_equal((uint32_t)results[3] << 16, float_bits(256)); /* each 1 is lost */
}

TEST(what_is_no_collective_is_refused_by_name)
{
	static const struct {
		struct collective collective;
		const char *why;
	} cases[] = {
		{{COLLECTIVE_ALL_GATHER, ELEMENT_F32, false, 0, 1, 0, 8, 4, false},
			"all-gather of 0 devices: 1 to 65536 are possible"},
		{{COLLECTIVE_ALL_TO_ALL, ELEMENT_F32, false, 2, 5, 0, 8, 4, false},
			"all-to-all over 5 links: 1 to 4 are possible"},
		{{COLLECTIVE_BROADCAST, ELEMENT_F32, false, 2, 1, 2, 8, 4, false},
			"broadcast from device 2 of 2"},
		{{COLLECTIVE_ALL_REDUCE, ELEMENT_U8, false, 2, 1, 0, 8, 4, false},
			"all-reduce of u8 elements"},
		{{COLLECTIVE_ALL_GATHER, ELEMENT_BFP_BF8, false, 2, 1, 0, 8, 4, false},
			"all-gather of bfp_bf8 elements"},
		{{COLLECTIVE_REDUCE_SCATTER, ELEMENT_F32, false, 2, 1, 0, 8, 6, false},
			"reduce-scatter in chunks of 6 B: not whole f32 elements"},
	};
	struct text why = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		text_clear(&why);
		assert_int_equal(collective_check(&cases[i].collective, &why), STATUS_INVALID);
		assert_string_equal(text_string(&why), cases[i].why);
	}
	text_fini(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_and_links_are_those_of_devices_hop_by_hop),
		cmocka_unit_test(bytes_of_a_hop_are_closed_forms),
		cmocka_unit_test(an_even_ring_is_loaded_alike_both_ways),
		cmocka_unit_test(sums_of_bf16_are_rounded_on_their_way),
		cmocka_unit_test(what_is_no_collective_is_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
