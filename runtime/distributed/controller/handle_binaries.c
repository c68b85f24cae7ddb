/* What the controller does about binaries of kernels: it may compile them and send them to
 * executors, and may say where they lie (spec 4.8.2.1, 4.9). Refuses nothing but what has no room.
 */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "handle_private.h"
#include "mesh/description.h"

void binaries_compile(struct distributed *of, struct workload *workload)
{
	if (!distributed_compile(of)->by_controller)
		return;
	for (uint32_t i = 0; i < workload_program_count(workload); i++)
		compiled_add(&of->compiled, workload_program(workload, i).program);
}

/* ---- sending ---- */

/* Pieces of a program's binaries, each a command. */
static void give(struct distributed *of, const struct sent_workload *sent, uint16_t index,
	struct program *program, uint32_t queue)
{
	uint64_t bytes = program_binary_bytes(program);
	uint64_t most = forward_piece_most(of->controller);
	uint8_t *all = allocate(1, bytes + 1);

	program_binaries(program, all);
	for (uint64_t offset = 0; offset < bytes; offset += most) {
		uint32_t count = (uint32_t)(bytes - offset < most ? bytes - offset : most);
		struct order *order = order_new(WIRE_give_binaries, queue, sent->hosts);
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

static enum status place(
	struct distributed *of, struct sent_workload *sent, uint64_t bytes, uint32_t queue)
{
	struct text *why = &of->controller->why;
	struct order *order;
	enum status status;

	text_clear(why);
	status = allocator_take(of->memory[BUFFER_DRAM], bytes, false, &sent->address, why);
	if (status != STATUS_OK)
		return status;
	sent->placed = true;
	order = order_new(WIRE_place_workload, queue, sent->hosts);
	order->command.place_workload.workload = sent->number;
	order->command.place_workload.address = (uint32_t)sent->address;
	forward(of->controller, order);
	return STATUS_OK;
}

/* Sends the description and waits until every executor has asked. */
static enum status ask(struct distributed *of, struct order *description, uint64_t *most)
{
	struct controller *controller = of->controller;
	struct awaited *awaited = table_await(controller, AWAITED_ANSWER,
		forward_number(controller, description), description->hosts);

	awaited->kept = true;
	awaited->most = most;
	forward(controller, description);
	return table_wait(controller, awaited, DEADLINE_NEVER);
}

enum status binaries_place(struct distributed *of, struct sent_workload *sent,
	struct workload *workload, uint32_t queue, struct order *description)
{
	const struct allocation_ops *row = distributed_allocation(of);
	uint64_t bytes = 0;
	enum status status = STATUS_OK;

	if (row->asks)
		status = ask(of, description, &bytes);
	else
		forward(of->controller, description);
	for (uint32_t i = 0; i < workload_program_count(workload) && status == STATUS_OK; i++)
		if (distributed_compile(of)->by_controller)
			give(of, sent, (uint16_t)i, workload_program(workload, i).program, queue);
	if (!row->region && !row->asks)
		bytes = binary_slot_bytes(
			&of->config, of->geometry, workload_binary_pages(workload));
	if (status == STATUS_OK && !row->region)
		status = place(of, sent, bytes, queue);
	return status;
}

void binaries_release(struct distributed *of, struct sent_workload *sent)
{
	if (sent->placed)
		allocator_release(of->memory[BUFFER_DRAM], sent->address);
	sent->placed = false;
}
