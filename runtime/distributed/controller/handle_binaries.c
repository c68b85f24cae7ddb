/* Work that the controller does for executors (spec 4.8.2.1, 4.9). It compiles kernels, and sends
 * the binaries and their addresses. It also assembles the commands of launches, and caches them
 * like the mesh device of a single host. If a launch differs between hosts, the executors assemble
 * its commands instead. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "handle_private.h"
#include "mesh/assembled.h"

void binaries_compile(struct distributed *of, struct workload *workload)
{
	if (!distributed_compile(of)->by_controller)
		return;
	for (uint32_t i = 0; i < workload_program_count(workload); i++)
		compiled_add(&of->compiled, workload_program(workload, i).program);
}

/* ---- sending ---- */

/* Sends a program's binaries in pieces, with one command for each piece. */
static void handle_binaries_give(struct distributed *of, const struct sent_workload *sent,
	uint16_t index, struct program *program, uint32_t queue)
{
	uint64_t bytes = program_binary_bytes(program);
	uint64_t most = forward_piece_most(of->controller);
	uint8_t *all = allocate(1, bytes + 1);

	program_binaries(program, all);
	for (uint64_t offset = 0; offset < bytes; offset += most) {
		uint32_t count = (uint32_t)(bytes - offset < most ? bytes - offset : most);
		struct order *order = order_new(of->parts, WIRE_give_binaries, queue, sent->hosts);
		uint8_t *piece = arena_alloc(&order->arena, count);

		memcpy(piece, all + offset, count);
		order->command.give_binaries = (struct wire_give_binaries){.queue = queue,
			.workload = sent->number,
			.program = index,
			.offset = offset,
			.bytes = bytes,
			.data = {piece, count}};
		forward(of->controller, order);
	}
	free(all);
}

/* ---- places ---- */

/* If `asked` is NULL, allocates memory for the binaries, and sends its address to the executors.
 * Otherwise, `asked` is a request that the executors answer with the amount of memory that they
 * need. The thread that handles this answer then allocates the memory, and sends its address. */
static enum status handle_binaries_place(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue, struct awaited *asked)
{
	uint64_t bytes =
		binary_slot_bytes(&of->config, of->geometry, workload_binary_pages(workload));
	struct text *why = &of->controller->why;
	struct order *order;
	uint64_t address = 0;
	enum status status = STATUS_OK;

	if (asked == NULL) {
		text_clear(why);
		status = memory_take(of, BUFFER_DRAM, bytes, false, &address, why);
	}
	if (status != STATUS_OK)
		return status;
	order = order_new(of->parts, WIRE_place_workload, queue, sent->hosts);
	order->command.place_workload.workload = sent->number;
	order->command.place_workload.address = (uint32_t)address;
	if (asked != NULL) {
		sent->claim = memory_ask(of, asked, order);
	} else {
		sent->claim = allocate(1, sizeof *sent->claim);
		*sent->claim = (struct claim){.state = CLAIM_GIVEN, .address = address};
	}
	forward(of->controller, order);
	return STATUS_OK;
}

enum status binaries_place(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue, struct order *description)
{
	const struct allocation_ops *row = distributed_allocation(of);
	struct awaited *asked = NULL;

	if (row->asks)
		asked = table_await(of->controller, of->parts, AWAITED_REQUEST,
			forward_number(of->controller, description), description->hosts);
	if (asked != NULL)
		asked->kept = true;
	forward(of->controller, description);
	for (uint32_t i = 0; i < workload_program_count(workload); i++)
		if (distributed_compile(of)->by_controller)
			handle_binaries_give(of, sent, (uint16_t)i,
				workload_program(workload, i).program, queue);
	return row->region ? STATUS_OK : handle_binaries_place(of, sent, workload, queue, asked);
}

void binaries_release(struct distributed *of, struct sent_workload *sent, struct order *order)
{
	memory_drop(of, sent->claim, order);
	sent->claim = NULL;
}

bool binaries_refused(const struct sent_workload *sent)
{
	return sent->claim != NULL &&
	       __atomic_load_n(&sent->claim->state, __ATOMIC_ACQUIRE) == CLAIM_REFUSED;
}

/* ---- commands ---- */

enum { COMMANDS_OVERHEAD = 512, LAYOUT_MOST = 65535 };

/* Returns true if the controller can assemble the launch. Otherwise, the executors assemble it from
 * the arguments that were sent to them. The controller cannot assemble, for example, a captured
 * launch. */
static bool handle_binaries_fits(const struct distributed *of, const struct sent_workload *sent,
	const struct workload *workload, uint32_t queue)
{
	return distributed_allocation(of)->assembles && of->capturing[queue].number == 0 &&
	       !sent->commands_too_long && assembled_fits(&of->config) &&
	       assembled_fits_workload(workload);
}

/* Sets hosts[1] to the hosts whose devices are all in the range, and hosts[0] to the hosts of which
 * only some devices are in the range. Both are bit masks. */
static void find_hosts(
	const struct distributed *of, struct device_range range, uint32_t hosts[static 2])
{
	const struct controller *controller = of->controller;

	hosts[0] = hosts[1] = 0;
	if (of->parts->spans) {
		hosts[device_range_count(range) == mesh_shape_count(of->shape)] = of->parts->taking;
		return;
	}
	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		const struct part *part = &of->parts->part[i];
		struct device_range cut;

		if ((of->parts->taking >> i & 1) == 0 || !part_cut(part, range, &cut))
			continue;
		hosts[device_range_count(cut) == device_range_count(part->range)] |= 1u << i;
	}
}

void commands_forget(struct sent_workload *sent)
{
	for (uint32_t i = 0; i < sent->command_count; i++)
		for (int k = 0; k < 2; k++)
			assembled_free(sent->commands[i].to[k]);
	free(sent->commands);
	sent->commands = NULL;
	sent->command_count = 0;
}

static bool is_too_long(const struct distributed *of, const struct assembled *commands)
{
	uint64_t words = assembled_words(commands, NULL), bytes = assembled_bytes(commands, NULL);

	/* some codecs need five bytes for a word */
	return words > LAYOUT_MOST ||
	       bytes + 5 * words + COMMANDS_OVERHEAD > forward_piece_most(of->controller);
}

/* Assembles the commands that are missing, and updates the arguments in existing commands. Returns
 * false if some of the commands do not fit into a message. */
static bool assemble(struct distributed *of, struct sent_workload *sent, struct workload *workload)
{
	struct assembled_for at = {&of->config, false, (uint32_t)sent->claim->address};
	bool fits = true;

	if (sent->commands == NULL) {
		sent->command_count = workload_program_count(workload);
		sent->commands = allocate(sent->command_count, sizeof *sent->commands);
	}
	for (uint32_t i = 0; i < sent->command_count; i++) {
		uint32_t hosts[2];

		find_hosts(of, workload_program(workload, i).range, hosts);
		for (int k = 0; k < 2; k++) {
			struct assembled **to = &sent->commands[i].to[k];

			at.everywhere = k == 1;
			if (hosts[k] != 0 && *to == NULL)
				*to = assembled_new(workload, i, &at);
			else if (*to != NULL)
				assembled_refresh(*to);
			fits = fits && (*to == NULL || !is_too_long(of, *to));
		}
	}
	return fits;
}

static void give_commands(struct distributed *of, const struct sent_workload *sent, uint16_t index,
	const struct assembled *commands, uint32_t hosts, uint32_t queue)
{
	struct order *order = order_new(of->parts, WIRE_give_commands, queue, hosts);
	uint32_t words = assembled_words(commands, NULL), bytes = assembled_bytes(commands, NULL);
	uint32_t *layout = arena_array(&order->arena, words, sizeof *layout);
	uint8_t *data = arena_alloc(&order->arena, bytes);

	(void)assembled_words(commands, layout);
	(void)assembled_bytes(commands, data);
	world->work_copy(bytes, MEMORY_CACHED, MEMORY_CACHED);
	order->command.give_commands = (struct wire_give_commands){.queue = queue,
		.workload = sent->number,
		.program = index,
		.generation = sent->commands_as,
		.layout = {layout, words},
		.data = {data, bytes}};
	forward(of->controller, order);
}

uint32_t commands_assemble(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue)
{
	uint64_t generation = workload_generation(workload);

	if (!handle_binaries_fits(of, sent, workload, queue))
		return 0;
	if (!of->config.command_cache)
		commands_forget(sent);
	else
		world->work(WORK_CACHE_LOOKUP, 1);
	if (sent->commands != NULL && sent->commands_generation == generation)
		return sent->commands_as;
	if (!assemble(of, sent, workload)) {
		sent->commands_too_long = true;
		commands_forget(sent);
		return 0;
	}
	sent->commands_generation = generation;
	sent->commands_as++;
	for (uint32_t i = 0; i < sent->command_count; i++) {
		uint32_t hosts[2];

		find_hosts(of, workload_program(workload, i).range, hosts);
		for (int k = 0; k < 2; k++)
			if (hosts[k] != 0)
				give_commands(of, sent, (uint16_t)i, sent->commands[i].to[k],
					hosts[k], queue);
	}
	return sent->commands_as;
}
