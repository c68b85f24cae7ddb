/* Device memory that executors request while the main thread also allocates (spec 4.8.2.1). One
 * thread, the resolving thread, handles commands in the order of the calls. It serves a request
 * when it handles the command to which the request belongs; the caller does not wait for this. A
 * request can use memory that earlier calls freed, but not memory that later calls free. So while
 * a request is waiting, memory that a command frees becomes available only when the resolving
 * thread handles this command. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "handle_private.h"
#include "mesh/plan/plan.h"

/* ---- the main thread ---- */

static void wait_until_less(struct distributed *of)
{
	(void)world->monitor_wait_until(of->shared, DEADLINE_NEVER, of->controller->settings.wait);
}

enum status memory_take(struct distributed *of, enum buffer_type type, uint64_t bytes,
	bool bottom_up, uint64_t *address, struct text *why)
{
	struct allocator *memory = of->memory[type];
	enum status status = STATUS_NO_SPACE;

	if (of->shared == NULL || type != BUFFER_DRAM)
		return allocator_take(memory, bytes, bottom_up, address, why);
	world->monitor_enter(of->shared);
	while (of->under_way > 0 && status != STATUS_OK) {
		status = allocator_take(memory, bytes, bottom_up, address, NULL);
		if (status != STATUS_OK)
			wait_until_less(of);
	}
	if (status != STATUS_OK)
		status = allocator_take(memory, bytes, bottom_up, address, why);
	world->monitor_exit(of->shared);
	return status;
}

/* Returns true if executors wait for answers to earlier requests for memory. A release of memory
 * must then wait, too, and is counted in `under_way` like these requests. */
static bool comes_behind(struct distributed *of)
{
	bool behind;

	if (of->shared == NULL)
		return false;
	world->monitor_enter(of->shared);
	behind = of->under_way > 0;
	if (behind)
		of->under_way++;
	world->monitor_exit(of->shared);
	return behind;
}

void memory_drop(struct distributed *of, struct claim *claim, struct order *order)
{
	if (claim == NULL)
		return;
	if (comes_behind(of)) {
		order->frees = claim;
		return;
	}
	if (claim->state == CLAIM_GIVEN)
		allocator_release(of->memory[BUFFER_DRAM], claim->address);
	free(claim);
}

void memory_release(
	struct distributed *of, enum buffer_type type, uint64_t address, struct order *order)
{
	struct claim *claim;

	if (of->shared == NULL || type != BUFFER_DRAM) {
		allocator_release(of->memory[type], address);
		return;
	}
	claim = allocate(1, sizeof *claim);
	*claim = (struct claim){.state = CLAIM_GIVEN, .address = address};
	memory_drop(of, claim, order);
}

struct claim *memory_ask(struct distributed *of, struct awaited *asked, struct order *order)
{
	struct claim *claim = allocate(1, sizeof *claim);

	*claim = (struct claim){.state = CLAIM_ASKED, .asked = asked};
	order->serves = claim;
	world->monitor_enter(of->shared);
	of->under_way++;
	world->monitor_exit(of->shared);
	return claim;
}

void memory_settle(struct distributed *of)
{
	if (of->shared == NULL)
		return;
	world->monitor_enter(of->shared);
	while (of->under_way > 0)
		wait_until_less(of);
	world->monitor_exit(of->shared);
}

/* ---- the resolving thread ---- */

/* Decrements `under_way`. Must be called inside the monitor. */
static void one_less(struct distributed *of)
{
	of->under_way--;
	world->monitor_notify_all(of->shared);
}

bool memory_serve(struct controller *controller, struct order *order)
{
	struct distributed *of = order->parts->open;
	struct claim *claim = order->serves;
	struct text why = {0};
	uint64_t bytes;
	enum status status = table_wait_request(controller, claim->asked, &bytes);
	bool asked = status == STATUS_OK;

	world->monitor_enter(of->shared);
	if (asked)
		status = allocator_take(
			of->memory[BUFFER_DRAM], bytes, false, &claim->address, &why);
	order->command.place_workload.address = (uint32_t)claim->address;
	__atomic_store_n(
		&claim->state, status == STATUS_OK ? CLAIM_GIVEN : CLAIM_REFUSED, __ATOMIC_RELEASE);
	if (asked && status != STATUS_OK)
		table_late(controller, status, text_string(&why));
	one_less(of);
	world->monitor_exit(of->shared);
	text_fini(&why);
	return status == STATUS_OK;
}

void memory_go_back(struct order *order)
{
	struct distributed *of = order->parts->open;

	world->monitor_enter(of->shared);
	if (order->frees->state == CLAIM_GIVEN)
		allocator_release(of->memory[BUFFER_DRAM], order->frees->address);
	one_less(of);
	world->monitor_exit(of->shared);
	free(order->frees);
}

/* ---- the memory of all hosts ---- */

/* Messages name the address of a buffer in 32 bits. */
#define CREATE_ADDRESS_END (UINT64_C(1) << 32)

enum status memory_find(struct distributed *of, struct text *why)
{
	static const char *const names[] = {[BUFFER_DRAM] = "DRAM bank",
		[BUFFER_L1] = "worker L1",
		[BUFFER_L1_SMALL] = "small L1 region",
		[BUFFER_TRACE] = "trace region of a DRAM bank",
		[BUFFER_SYSTEM] = "system memory"};
	const struct controller *controller = of->controller;

	for (int type = 0; type < BUFFER_TYPE_COUNT; type++) {
		uint64_t first = 0, end = UINT64_MAX;
		bool empty = false;

		for (uint32_t i = 0; i < controller->settings.host_count; i++) {
			const struct wire_memory *memory = &of->parts->memories[i][type];

			if ((of->parts->taking >> i & 1) == 0)
				continue;
			empty = empty || memory->bytes == 0;
			if (memory->first > first)
				first = memory->first;
			if (memory->first + memory->bytes < end)
				end = memory->first + memory->bytes;
		}
		if (end < first && !empty)
			return refuse(why, STATUS_INVALID, "the hosts' %s have nothing in common",
				names[type]);
		if (type == BUFFER_L1) {
			of->l1_first = first;
			of->l1_bytes = empty ? 0 : end - first;
		}
		if (type == BUFFER_SYSTEM && end > CREATE_ADDRESS_END)
			end = CREATE_ADDRESS_END;
		of->memory[type] = allocator_new(names[type], first, empty ? 0 : end - first,
			sizes_page_alignment(&of->config, (enum buffer_type)type));
	}
	if (distributed_allocation(of)->asks)
		of->shared = world->monitor_new("memory that executors ask for");
	return STATUS_OK;
}
