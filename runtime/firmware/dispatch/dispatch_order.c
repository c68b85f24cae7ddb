/* Chooses the input from which a dispatcher takes its next command (spec 3.8.3, 3.8.4). All
 * commands of a transaction come from one input. If transactions are ordered by counter, a
 * transaction without a number is a fault. */
#include "dispatcher_private.h"

static uint32_t available(const struct dispatcher *dispatcher, uint32_t index)
{
	return link_receiver_available(&dispatcher->input[index], &dispatcher->base.stage);
}

int64_t order_wait(
	const struct dispatcher *dispatcher, struct stage_wait *wait, bool idle, const char *what)
{
	block_on_arrival(wait, idle, dispatcher->config.layout.arrival_word[0],
		4 * dispatcher->config.input_count, what);
	if (dispatcher->starter == NULL)
		marks_wait(dispatcher, wait);
	starts_wait(dispatcher, wait);
	return STAGE_BLOCKED;
}

/* Fills in *wait so that the dispatcher waits for its next command, and returns STAGE_BLOCKED. The
 * dispatcher counts as idle if no bytes have arrived and no transaction is open. */
static int64_t order_block(
	const struct dispatcher *dispatcher, struct stage_wait *wait, const char *what)
{
	uint32_t there = 0;

	for (uint32_t i = 0; i < dispatcher->config.input_count; i++)
		there += available(dispatcher, i);
	return order_wait(dispatcher, wait, there == 0 && !dispatcher->in_transaction, what);
}

static uint64_t switch_price(const struct dispatcher *dispatcher)
{
	return dispatcher->chosen == dispatcher->current
		       ? 0
		       : CHARGED(&dispatcher->base.firmware->price, dispatch_switch, 1);
}

/* Chooses an input that has bytes. If both have bytes, chooses the one from which the last
 * transaction did not come. */
static int64_t choose_by_arrival(struct dispatcher *dispatcher, struct stage_wait *wait)
{
	for (uint32_t i = 1; i <= dispatcher->config.input_count; i++) {
		uint32_t index = (dispatcher->current + i) % dispatcher->config.input_count;

		if (available(dispatcher, index) == 0)
			continue;
		dispatcher->chosen = (uint8_t)index;
		return (int64_t)switch_price(dispatcher);
	}
	return order_block(dispatcher, wait, "commands from a prefetcher");
}

/* Chooses the input whose transaction has the next number. */
static int64_t choose_by_counter(
	struct dispatcher *dispatcher, struct stage_wait *wait, bool *faulted)
{
	const struct stage *stage = &dispatcher->base.stage;

	for (uint32_t i = 0; i < dispatcher->config.input_count; i++) {
		uint32_t index = (dispatcher->current + i) % dispatcher->config.input_count;
		const struct ring *ring = &dispatcher->input[index].ring;
		struct dispatch_command head;
		uint8_t bytes[COMMAND_BYTES];

		if (available(dispatcher, index) == 0)
			continue;
		if (ring_load(stage, ring, 0, sizeof bytes, bytes) != STATUS_OK ||
			dispatch_peek(bytes) != DISPATCH_TRANSACTION ||
			dispatch_decode(bytes, sizeof bytes, &head) != STATUS_OK) {
			*faulted = true;
			return stage_fault(&dispatcher->base, FAULT_ORDER, ring_address(ring, 0),
				"halted: transaction without a number");
		}
		if (head.transaction.id != (uint8_t)(dispatcher->last_id + 1))
			continue;
		dispatcher->chosen = (uint8_t)index;
		return (int64_t)switch_price(dispatcher);
	}
	return order_block(dispatcher, wait, "the transaction with the next number");
}

int64_t order_choose(struct dispatcher *dispatcher, struct stage_wait *wait, bool *faulted)
{
	if (!dispatcher->in_transaction)
		return dispatcher->config.ordering == DISPATCH_ORDER_COUNTER
			       ? choose_by_counter(dispatcher, wait, faulted)
			       : choose_by_arrival(dispatcher, wait);
	dispatcher->chosen = dispatcher->current;
	if (available(dispatcher, dispatcher->current) > 0)
		return 0;
	return order_block(dispatcher, wait, "the rest of a transaction");
}
