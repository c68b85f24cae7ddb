/* Executes instructions that send a packet over the fabric, along routes that the host has added to
 * the chip. All devices of a mesh have the same geometry, so a destination on another chip is
 * checked as if it were on this chip. If the packet is illegal, the processor halts and nothing is
 * sent. */
#include "runner.h"

struct fabric_tree *runner_tree(const struct runner *runner)
{
	const struct worker_group *group = runner->worker->group;
	uint32_t route = value_of(runner, runner_next(runner)->a);

	return route < group->route_count ? group->routes[route] : NULL;
}

/* Returns NULL, or the reason why the instruction must not use the route. */
static const char *refuse_route(
	const struct kernel_instruction *next, const struct fabric_tree *tree)
{
	bool one = tree != NULL && tree->deliver_count == 1 &&
		   tree->nodes[tree->node_count - 1].deliver;
	bool each = tree != NULL && tree->deliver_count == tree->node_count - 1;

	if (tree == NULL)
		return "halted: a route that the chip does not have";
	if (next->opcode == KERNEL_FABRIC_WRITE && !one)
		return "halted: a write along a route to several chips";
	if (next->opcode == KERNEL_FABRIC_READ && !one)
		return "halted: a read along a route to several chips";
	if (next->opcode == KERNEL_FABRIC_MULTICAST && !each)
		return "halted: a multicast along a route to its end alone";
	return NULL;
}

static uint32_t packet_most(const struct runner *runner)
{
	return device_row->info(device_row->cluster_of(runner->base.stage.device))
		->fabric_packet_bytes;
}

/* Returns NULL, or the reason why `length` bytes must not be sent to `place` on other chips. */
static const char *refuse_place(const struct runner *runner, const struct kernel_instruction *next,
	const uint32_t *place, uint32_t length)
{
	const char *why = NULL;

	if (length > packet_most(runner))
		return "halted: more bytes than a packet of the fabric has";
	if (length > 0)
		why = runner_writes(runner, place[0], place[1], length);
	if (why == NULL && next->opcode == KERNEL_FABRIC_INCREMENT)
		why = runner_counts(runner, place[0], place[2]);
	return why;
}

const char *runner_send(struct runner *runner)
{
	const struct kernel_instruction *next = runner_next(runner);
	uint32_t local = value_of(runner, next->a + 1), length = sum_of(runner, next);
	bool counts = next->opcode == KERNEL_FABRIC_INCREMENT;
	const uint32_t *place = &runner->registers[next->b];
	struct stage *stage = &runner->base.stage;
	struct fabric_tree *tree = runner_tree(runner);
	struct span span = {.extent = NULL};
	const char *why = refuse_route(next, tree);

	if (why == NULL)
		why = refuse_place(runner, next, place, length);
	if (why == NULL && length > 0)
		why = runner_source(runner, local, place[1], length, &span);
	if (why != NULL || (length == 0 && !counts))
		return why;
	device_row->fabric_write(stage, tree, (uint16_t)place[0], length > 0 ? place[1] : 0, span,
		counts ? place[2] : 0, counts);
	span_release(span);
	return NULL;
}

const char *runner_fetch(struct runner *runner)
{
	const struct kernel_instruction *next = runner_next(runner);
	uint32_t local = value_of(runner, next->a + 1), length = sum_of(runner, next);
	const uint32_t *place = &runner->registers[next->b];
	struct stage *stage = &runner->base.stage;
	struct fabric_tree *tree = runner_tree(runner);
	const char *why = refuse_route(next, tree);

	if (why == NULL && length > packet_most(runner))
		why = "halted: more bytes than a packet of the fabric has";
	if (why == NULL)
		why = runner_reads(runner, place[0], place[1], length);
	if (why == NULL)
		why = runner_writes(runner, stage->tile, local, length);
	if (why == NULL && runner_is_semaphore(runner, local, length))
		why = "halted: a read into a semaphore";
	if (why == NULL && length > 0)
		device_row->fabric_read(stage, tree, (uint16_t)place[0], place[1], length, local);
	return why;
}
