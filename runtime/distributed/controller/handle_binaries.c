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

/* Where they lie: here and now, or where whoever resolves finds when executors have asked. */
static enum status place(struct distributed *of, struct sent_workload *sent,
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
	order = order_new(WIRE_place_workload, queue, sent->hosts);
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
		asked = table_await(of->controller, AWAITED_REQUEST,
			forward_number(of->controller, description), description->hosts);
	if (asked != NULL)
		asked->kept = true;
	forward(of->controller, description);
	for (uint32_t i = 0; i < workload_program_count(workload); i++)
		if (distributed_compile(of)->by_controller)
			give(of, sent, (uint16_t)i, workload_program(workload, i).program, queue);
	return row->region ? STATUS_OK : place(of, sent, workload, queue, asked);
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
