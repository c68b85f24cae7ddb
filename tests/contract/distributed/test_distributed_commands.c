/* timeout: 300
 * Tests executors that receive the commands of launches from the controller (spec 4.8.2.1). The
 * executors must run exactly these commands, and reject commands that do not fit their program. The
 * tests run in the native world, with every codec. The test plays the controller. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "check.h"
#include "hosts_choices.h"
#include "hosts_orders.h"
#include "mesh/assembled.h"
#include "wire/codec.h"

enum { KERNEL = 1500, ADDRESS = 1 << 20, ARGS = 4, FLIP = 0x40 };

static struct hosts_case hosts;

static struct hosts_choice choice_of(const char *codec)
{
	struct hosts_choice choice = hosts_choices_alone(codec);

	choice.allocation = "controller";
	return choice;
}

static struct kernel_config kernel_of(void)
{
	return (struct kernel_config){
		.cores = {.kind = CORES_ALL}, .bytes = KERNEL, .cycles = 10, .unique_args = ARGS};
}

/* ---- a real executor ---- */

/* The commands that a controller would send for the program of describe(). */
struct sent {
	uint32_t *words, word_count;
	uint8_t *bytes;
	uint32_t count;
	uint32_t arguments[ARGS]; /* arguments of the first core */
};

static struct sent sent_new(uint32_t address)
{
	const struct assembled_for at = {&hosts.one.config, true, address};
	const struct kernel_config kernel = kernel_of();
	struct program_limits limits;
	struct program_site *site;
	struct workload *workload;
	struct assembled *assembled;
	struct program *program;
	struct sent sent;
	uint32_t index;

	check_status(program_limits_plan(hosts.executors[0].info, &hosts.one.config, &limits, NULL),
		STATUS_OK);
	site = program_site_new(&limits, hosts.one.config.shape);
	assembled_on(site, hosts.executors[0].info->chips[0].geometry);
	program = program_new_at(site, "given", 1);
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	workload = workload_new_at(site);
	check_status(workload_add(workload, program, DEVICES_UNBOUND, NULL), STATUS_OK);
	program_refresh_args(program, 9);
	memcpy(sent.arguments, program_arguments(program).words, sizeof sent.arguments);
	assembled = assembled_new(workload, 0, &at);
	sent.word_count = assembled_words(assembled, NULL);
	sent.words = allocate(sent.word_count, sizeof *sent.words);
	assembled_words(assembled, sent.words);
	sent.count = assembled_bytes(assembled, NULL);
	sent.bytes = allocate(sent.count, 1);
	assembled_bytes(assembled, sent.bytes);
	assembled_free(assembled);
	workload_free(workload);
	program_free(program);
	program_site_free(site);
	return sent;
}

static void sent_free(struct sent *sent)
{
	free(sent->words);
	free(sent->bytes);
}

static void describe(struct hosts_orders *by, uint64_t number)
{
	const struct wire_program program = {.rows = 1, .columns = 2, .id = 1};
	const struct wire_cores cores = {.kind = CORES_ALL};
	const struct wire_kernel kernel = {.bytes = KERNEL, .cycles = 10, .unique_args = ARGS};

	hosts_orders_send(by, (struct wire_command){.kind = WIRE_enqueue_program,
				      .enqueue_program = {.number = number,
					      .workload = 3,
					      .describe = 1,
					      .programs = {&program, 1},
					      .cores = {&cores, 1},
					      .kernels = {&kernel, 1}}});
	hosts_orders_send(
		by, (struct wire_command){.kind = WIRE_place_workload,
			    .place_workload = {
				    .number = number + 1, .workload = 3, .address = ADDRESS}});
}

static struct wire_command commands(uint64_t number, const struct sent *sent)
{
	return (struct wire_command){.kind = WIRE_give_commands,
		.give_commands = {.number = number,
			.workload = 3,
			.generation = 1,
			.layout = {sent->words, sent->word_count},
			.data = {sent->bytes, sent->count}}};
}

static void launch(struct hosts_orders *by, uint64_t number, uint32_t generation)
{
	hosts_orders_send(
		by, (struct wire_command){.kind = WIRE_enqueue_program,
			    .enqueue_program = {
				    .number = number, .workload = 3, .commands = generation}});
}

/* Finishes and closes, with command numbers from 41 on. */
static void finish_and_close(struct hosts_orders *by)
{
	hosts_orders_send(by, (struct wire_command){.kind = WIRE_enqueue_finish,
				      .enqueue_finish = {.number = 41}});
	hosts_orders_completed(by, 41, STATUS_OK, "");
	hosts_orders_send(
		by, (struct wire_command){.kind = WIRE_close_mesh, .close_mesh = {.number = 42}});
	hosts_orders_completed(by, 42, STATUS_OK, "");
	hosts_case_join_executors(&hosts);
	hosts_case_drain(&hosts);
}

static uint8_t *find(const void *wanted, uint64_t bytes, uint8_t *memory, uint64_t all)
{
	for (uint64_t i = 0; i + bytes <= all; i++)
		if (memcmp(memory + i, wanted, bytes) == 0)
			return memory + i;
	return NULL;
}

/* True if the first worker of a device has received these arguments. */
static bool has_arguments(uint16_t column, const uint32_t *arguments)
{
	const struct chip_geometry *geometry = hosts.executors[0].info->chips[0].geometry;
	struct device *chip = device_row->chip(hosts.executors[0].cluster, column);
	uint8_t *l1 = allocate(1, geometry->l1_bytes);
	bool found;

	check_status(device_row->inspect(
			     chip, geometry->worker_tiles[0], 0, (uint32_t)geometry->l1_bytes, l1),
		STATUS_OK);
	found = find(arguments, ARGS * sizeof *arguments, l1, geometry->l1_bytes) != NULL;
	free(l1);
	return found;
}

/* Sends commands. With `flip`, one bit of an argument is changed on the way. */
static void send_what_came(const struct hosts_choice *choice, bool flip)
{
	struct hosts_orders by = {0};
	uint32_t flipped[ARGS];
	struct sent sent;
	uint8_t *at;

	hosts_orders_open(&by, &hosts, choice, true);
	describe(&by, 6);
	sent = sent_new(ADDRESS);
	at = find(sent.arguments, sizeof sent.arguments, sent.bytes, sent.count);
	check(at != NULL, "the arguments are not in the commands");
	*at ^= flip ? FLIP : 0;
	memcpy(flipped, at, sizeof flipped);
	hosts_orders_send(&by, commands(8, &sent));
	launch(&by, 9, 1);
	launch(&by, 10, 1);
	finish_and_close(&by);
	for (uint16_t i = 0; i < 2; i++) {
		check(has_arguments(i, flipped), "%s: device %u has not what came", choice->codec,
			i);
		check(!flip || !has_arguments(i, sent.arguments),
			"%s: device %u has what did not come", choice->codec, i);
	}
	sent_free(&sent);
	hosts_orders_close(&by, STATUS_OK);
}

static void take_what_came(const struct hosts_choice *choice)
{
	send_what_came(choice, false);
	send_what_came(choice, true);
}

TEST(executors_send_the_commands_that_came)
{
	hosts_choices_codecs(choice_of("packed"), take_what_came);
}

/* Sends a layout that is wrong, and expects the rejection of such layouts with its sentence. */
static void refuse(struct hosts_orders *by, uint64_t number, const struct sent *sent)
{
	struct text why = {0};

	text_printf(&why, "%u B of commands with a layout of %u words are not those of program ",
		sent->count, sent->word_count);
	hosts_orders_send(by, commands(number, sent));
	hosts_orders_completed(by, number, STATUS_INVALID, text_string(&why));
	text_fini(&why);
}

TEST(commands_of_another_layout_are_refused)
{
	const struct hosts_choice choice = choice_of("packed");
	struct hosts_orders by = {0};
	struct sent sent, own;
	struct wire_command other;
	uint64_t number = 8;

	hosts_orders_open(&by, &hosts, &choice, true);
	describe(&by, 6);
	sent = own = sent_new(ADDRESS);
	own.word_count = 3;
	refuse(&by, number++, &own);
	own = sent;
	own.word_count--;
	refuse(&by, number++, &own);
	own = sent;
	own.count -= 8; /* not a multiple of the unit */
	refuse(&by, number++, &own);
	own = sent;
	own.count = 16; /* offsets point past the end */
	refuse(&by, number++, &own);
	own.count = 0;
	refuse(&by, number++, &own);
	for (uint32_t i = 0; i < sent.word_count; i++) {
		uint32_t is = sent.words[i];

		if (i < 8 && i != 1 && i != 6 && i != 7) /* no offset and no count */
			continue;
		sent.words[i] = UINT32_MAX - 3;
		refuse(&by, number++, &sent);
		sent.words[i] = is;
		if (number == 30)
			break;
	}
	other = commands(31, &sent);
	other.give_commands.program = 1;
	hosts_orders_send(&by, other);
	hosts_orders_completed(&by, 31, STATUS_NOT_FOUND, "no program 1 of a workload 3");
	launch(&by, 32, 1);
	hosts_orders_completed(&by, 32, STATUS_INVALID,
		"workload 3 has no commands of generation 1 that fit here");
	hosts_orders_send(&by, commands(33, &sent));
	launch(&by, 34, 2);
	hosts_orders_completed(&by, 34, STATUS_INVALID,
		"workload 3 has no commands of generation 2 that fit here");
	own = sent_new(ADDRESS + 4096);
	hosts_orders_send(&by, commands(35, &own));
	launch(&by, 36, 1);
	hosts_orders_completed(&by, 36, STATUS_INVALID,
		"workload 3 has no commands of generation 1 that fit here");
	hosts_orders_send(&by, commands(37, &sent));
	launch(&by, 38, 1);
	finish_and_close(&by);
	check(has_arguments(0, sent.arguments), "what came last was not sent");
	sent_free(&sent);
	sent_free(&own);
	hosts_orders_close(&by, STATUS_OK);
}

TEST_MAIN(NULL, NULL)
