/* Reads a launch from a worker's L1 and computes its run time. If a multicast wrote the same bytes
 * to several workers, the bytes are read once, from the L1 of one worker. Other bytes are read from
 * each worker's L1, but equal bytes are decoded only once per chip. A malformed message or header
 * is a fault. */
#include "worker_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* ---- run time ---- */

static uint64_t copy_price(const struct firmware *firmware, const struct kernel *kernel)
{
	if (!(kernel->flags & KERNEL_COPIED))
		return 0;
	return kernel->text_bytes / COMMAND_ALIGN * firmware->price.worker_copy;
}

static int64_t copy_cycles(const struct firmware *firmware, const struct kernel *kernel)
{
	return price_cycles(copy_price(firmware, kernel));
}

static int64_t base_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, uint32_t count)
{
	const struct firmware_prices *price = &firmware->price;

	return slowed_cycles(price->worker_launch + count * price->worker_processor +
				     message->circular_buffers * price->worker_circular_buffer +
				     message->semaphores * price->worker_semaphore,
		slowdown);
}

uint32_t launch_pages(const struct firmware *firmware, const struct launch_message *message)
{
	return message->pipeline_pages > 0 ? message->pipeline_pages
					   : firmware->limits.circular_buffer_pages;
}

static uint64_t pipeline_cycles(const struct kernel *kernels, uint32_t count, uint32_t pages)
{
	struct worker_pipeline pipeline;

	pipeline_start(&pipeline, kernels, count, pages);
	return worker_closed_form_cycles(
		pipeline.cycles, pipeline.count, pipeline.steps, pipeline.depth);
}

/* Computes the times of the launch from the message and the kernels. */
static void plan_time(const struct firmware *firmware, uint32_t slowdown, struct launch_plan *plan)
{
	int64_t copy = 0;

	plan->base = base_cycles(firmware, slowdown, &plan->message, plan->count);
	plan->start = slowed_cycles(firmware->price.worker_start, slowdown);
	for (uint32_t i = 0; i < plan->count; i++) {
		int64_t one = copy_cycles(firmware, &plan->kernels[i]);

		copy = one > copy ? one : copy;
	}
	plan->setup = plan->base + copy;
	plan->pipeline = plan->count > 0 && plan->kernels[0].steps > 1
				 ? (int64_t)pipeline_cycles(plan->kernels, plan->count,
					   launch_pages(firmware, &plan->message))
				 : 0;
}

static int64_t later(int64_t cycles, uint32_t early)
{
	return cycles > early ? cycles - early : 0;
}

/* Returns the kernel that ends last, or, in a pipeline, the kernel that is set up last, because
 * kernels of a pipeline start only when all are set up. Sets *setup to the cycles that its set-up
 * takes after the go. Returns NULL if there are no kernels. */
static const struct kernel *last_kernel(const struct firmware *firmware,
	const struct launch_plan *plan, uint32_t early, int64_t *setup)
{
	const struct kernel *last = NULL;
	int64_t longest = -1;

	*setup = later(plan->base, early);
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct kernel *kernel = &plan->kernels[i];
		int64_t one = later(plan->base + copy_cycles(firmware, kernel), early);
		int64_t both = one + (plan->pipelined ? 0 : (int64_t)kernel->cycles);

		if (both <= longest)
			continue;
		longest = both;
		*setup = one;
		last = kernel;
	}
	return last;
}

int64_t launch_plan_setup(const struct launch_plan *plan, uint32_t early)
{
	return plan->start + later(plan->setup, early);
}

static int64_t total_cycles(
	const struct firmware *firmware, const struct launch_plan *plan, uint32_t early)
{
	const struct kernel *last;
	int64_t setup;

	if (plan->pipelined)
		return launch_plan_setup(plan, early) + plan->pipeline;
	last = last_kernel(firmware, plan, early, &setup);
	return plan->start + setup + (last != NULL ? (int64_t)last->cycles : 0);
}

int64_t launch_plan_total(
	const struct worker_group *group, struct launch_plan *plan, uint32_t early)
{
	if (!plan->timed || plan->timed_early != early) {
		plan->total = total_cycles(group->firmware, plan, early);
		plan->timed_early = early;
		plan->timed = true;
	}
	return plan->total;
}

void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total)
{
	struct launch_plan plan = {.message = *message, .count = (uint8_t)count};

	memcpy(plan.kernels, kernels, count * sizeof *kernels);
	plan.pipelined = count > 0 && kernels[0].steps > 1;
	plan_time(firmware, slowdown, &plan);
	*setup = launch_plan_setup(&plan, 0);
	*total = total_cycles(firmware, &plan, 0);
}

/* ---- charges ---- */

/* Charges a share of the cost's price: `part` of `whole` cycles. */
static uint64_t charge_part(enum firmware_cost cost, uint64_t price, int64_t part, int64_t whole)
{
	return firmware_charge(
		cost, part >= whole ? price : price * (uint64_t)part / (uint64_t)whole);
}

static void charge_setup(const struct worker_group *group, const struct launch_plan *plan,
	const struct kernel *last, int64_t part)
{
	const struct firmware_prices *price = &group->firmware->price;
	const struct launch_message *message = &plan->message;
	int64_t whole = plan->base + (last != NULL ? copy_cycles(group->firmware, last) : 0);
	uint64_t setup =
		charge_part(COST_worker_launch, price->worker_launch, part, whole) +
		charge_part(
			COST_worker_processor, price->worker_processor * plan->count, part, whole) +
		charge_part(COST_worker_circular_buffer,
			price->worker_circular_buffer * message->circular_buffers, part, whole) +
		charge_part(COST_worker_semaphore, price->worker_semaphore * message->semaphores,
			part, whole);

	if (group->slowdown > 1000)
		firmware_charge(COST_ethernet_slowdown, setup * (group->slowdown - 1000) / 1000);
	if (last != NULL)
		charge_part(COST_worker_copy, copy_price(group->firmware, last), part, whole);
}

/* If the set-up began at the end of the launch before and ends after the go, all of it is charged.
 * Otherwise the part after the go is. With a spread, the kernels' time includes the set-up. */
static void charge_parts(const struct worker *worker, uint64_t shorter)
{
	const struct worker_group *group = worker->group;
	const struct launch_plan *plan = worker->plan;
	int64_t part, run = 0;
	const struct kernel *last = last_kernel(group->firmware, plan, worker->early.cycles, &part);
	uint64_t start = CHARGED(&group->firmware->price, worker_start, 1);

	if (group->slowdown > 1000)
		firmware_charge(COST_ethernet_slowdown, start * (group->slowdown - 1000) / 1000);
	if (part > 0 && shorter == 0)
		charge_setup(group, plan, last, worker->early.from_end ? INT64_MAX : part);
	if (last != NULL && !plan->pipelined)
		run = (int64_t)last->cycles + (shorter > 0 ? part - (int64_t)shorter : 0);
	if (run > 0)
		device_row->charge(CHARGE_OF_KERNEL, (uint64_t)run * 1000);
}

/* Maximum number of bills that are made for a plan. Launches with the same `early` use one bill. A
 * few are enough, because `early` stays the same after the first few launches of a program. */
enum { BILLS_MAX = 4 };

void launch_plan_charge(const struct worker *worker, uint64_t shorter)
{
	struct launch_plan *plan = worker->plan;
	struct setup_early early = worker->early, of = plan->billed_early;
	bool same = plan->bills > 0 && of.cycles == early.cycles && of.from_end == early.from_end;
	int64_t part;

	if (early.from_end && shorter == 0) {
		last_kernel(worker->group->firmware, plan, early.cycles, &part);
		if (part > 0)
			device_row->early();
	}
	if (shorter == 0 && !same && plan->bills < BILLS_MAX) {
		charge_parts(worker, 0);
		plan->bill = device_row->bill();
		plan->billed_early = early;
		same = ++plan->bills > 0;
	}
	if (shorter == 0 && plan->bill > 0 && same)
		device_row->charge_bill(plan->bill);
	else
		charge_parts(worker, shorter);
}

/* ---- reading ---- */

static bool refuse(
	struct firmware_fault *fault, enum fault_kind kind, uint32_t address, const char *detail)
{
	fault->kind = kind;
	fault->address = address;
	fault->detail = detail;
	return false;
}

/* Sets plan->count to the number of kernel headers, and plan->headers_at to the address of the
 * first header. Sets plan->together to true if the headers follow each other without gaps, in the
 * order of their processors. */
static void headers_locate(struct launch_plan *plan)
{
	const struct launch_message *message = &plan->message;

	plan->count = 0;
	plan->together = true;
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		uint32_t address = message->kernel_base + message->kernel_offset[i];

		if (!(message->processors >> i & 1))
			continue;
		if (plan->count == 0)
			plan->headers_at = address;
		else if (address != plan->headers_at + plan->count * KERNEL_HEADER_BYTES)
			plan->together = false;
		plan->count++;
	}
}

/* Loads the headers from this worker's L1. */
static enum status headers_load(
	const struct stage *stage, const struct launch_plan *plan, uint8_t *headers)
{
	const struct launch_message *message = &plan->message;
	enum status status = STATUS_OK;

	if (plan->together)
		return plan->count == 0 ? STATUS_OK
					: device_row->load(stage, plan->headers_at,
						  plan->count * KERNEL_HEADER_BYTES, headers);
	for (int i = 0; i < PROCESSOR_COUNT && status == STATUS_OK; i++) {
		if (!(message->processors >> i & 1))
			continue;
		status = device_row->load(stage, message->kernel_base + message->kernel_offset[i],
			KERNEL_HEADER_BYTES, headers);
		headers += KERNEL_HEADER_BYTES;
	}
	return status;
}

static bool inside(uint64_t address, uint64_t bytes, uint32_t l1_bytes)
{
	return address + bytes <= l1_bytes;
}

static bool message_fits(const struct launch_message *message, uint32_t l1_bytes)
{
	bool fits = inside((uint64_t)message->config_base + message->common_offset,
			    message->common_bytes, l1_bytes) &&
		    inside((uint64_t)message->config_base + message->unique_offset,
			    message->unique_bytes, l1_bytes);

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		fits = fits && inside((uint64_t)message->kernel_base + message->kernel_offset[i],
				       KERNEL_HEADER_BYTES, l1_bytes);
	return fits;
}

static bool kernels_decode(struct launch_plan *plan, struct firmware_fault *fault)
{
	uint32_t index = 0;

	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		uint32_t address = plan->message.kernel_base + plan->message.kernel_offset[i];
		struct kernel *kernel = &plan->kernels[index];

		if (!(plan->message.processors >> i & 1))
			continue;
		if (kernel_decode(plan->headers + index * KERNEL_HEADER_BYTES, kernel) != STATUS_OK)
			return refuse(fault, FAULT_KERNEL, address, "halted: malformed kernel");
		if (kernel->processor != (enum processor)i)
			return refuse(fault, FAULT_KERNEL, address,
				"halted: kernel of another processor");
		if (kernel->steps != plan->kernels[0].steps)
			return refuse(fault, FAULT_KERNEL, address,
				"halted: kernels with different steps");
		index++;
	}
	return true;
}

static bool acts(const struct launch_plan *plan)
{
	uint8_t flags = 0;

	for (uint32_t i = 0; i < plan->count; i++)
		flags |= plan->kernels[i].flags;
	return flags & KERNEL_PROGRAM;
}

/* If the launch message contains a number of cycles, filler kernels take this number instead of the
 * one in their headers. */
static void take_run(struct launch_plan *plan)
{
	for (uint32_t i = 0; i < plan->count && plan->message.run > 0 && !plan->acts; i++)
		plan->kernels[i].cycles = plan->message.run - 1;
}

/* Fills in `plan` from the bytes of the launch in plan->launch. */
static bool launch_plan_make(
	const struct worker *worker, struct launch_plan *plan, struct firmware_fault *fault)
{
	const struct firmware *firmware = worker->group->firmware;
	uint32_t address = fault->address;

	plan->valid = false;
	if (launch_decode(plan->launch, &plan->message) != STATUS_OK)
		return refuse(fault, FAULT_LAUNCH, address, "halted: malformed launch message");
	if (!message_fits(&plan->message, worker->group->l1_bytes))
		return refuse(fault, FAULT_LAUNCH, address, "halted: launch outside L1");
	if (plan->message.processors & ~worker->group->processors)
		return refuse(fault, FAULT_LAUNCH, address,
			"halted: kernel of a processor that the tile lacks");
	headers_locate(plan);
	if (headers_load(&worker->stage, plan, plan->headers) != STATUS_OK)
		return refuse(fault, FAULT_ELIDED, plan->message.kernel_base,
			"halted: elided kernel header");
	if (!kernels_decode(plan, fault))
		return false;
	plan->common_hash = worker->group->none_hash;
	plan->acts = acts(plan);
	take_run(plan);
	plan->pipelined = plan->count > 0 && (plan->kernels[0].steps > 1 || plan->acts);
	plan_time(firmware, worker->group->slowdown, plan);
	plan->valid = true;
	return true;
}

/* Returns the index of a plan in the table of plans of a worker's group. The index is a hash of
 * the launch slot and of some fields of the launch message: the bases, offsets and processors of
 * the kernels. Launches of different kernel groups in one slot differ in at least one of these
 * fields. */
static uint32_t plan_index(uint8_t slot, const uint8_t *launch)
{
	uint64_t hash = bytes_get64(launch + 8) ^ bytes_get64(launch + 16) * 3 ^
			bytes_get64(launch + 24) * 5 ^ bytes_get64(launch + 48) * 7;

	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(slot + (hash >> 60)) % LAUNCH_PLANS;
}

/* Returns an empty plan that replaces `old`: the struct of `old` itself if no worker uses it,
 * otherwise a new struct. */
static struct launch_plan *plan_renew(struct launch_plan *old)
{
	struct launch_plan *plan = old;

	if (old != NULL && old->users > 0) {
		old->kept = false;
		plan = NULL;
	}
	if (plan == NULL) {
		plan = allocate(1, sizeof *plan);
	}
	span_release(plan->common);
	*plan = (struct launch_plan){.kept = true};
	return plan;
}

static bool plan_matches(
	const struct worker *worker, const struct launch_plan *plan, const uint8_t *launch)
{
	uint8_t headers[PROCESSOR_COUNT * KERNEL_HEADER_BYTES];

	return plan != NULL && plan->valid && memcmp(launch, plan->launch, LAUNCH_BYTES) == 0 &&
	       headers_load(&worker->stage, plan, headers) == STATUS_OK &&
	       memcmp(headers, plan->headers, plan->count * (size_t)KERNEL_HEADER_BYTES) == 0;
}

static uint32_t launch_address(const struct worker *worker, uint8_t slot)
{
	return worker->group->config.launch_ring + (uint32_t)slot * LAUNCH_BYTES;
}

/* Returns true if the multicast with number `shared` wrote the plan's headers to this worker. */
static bool headers_shared(
	const struct worker *worker, const struct launch_plan *plan, uint64_t shared)
{
	return shared != 0 && plan->together &&
	       device_row->shared(&worker->stage, plan->headers_at,
		       plan->count * KERNEL_HEADER_BYTES) == shared;
}

/* Returns the plan that was found last for any worker of the group, group->last_plan, if it also
 * fits this worker. It fits if this worker's launch message and kernel headers were written by the
 * same multicast as those of that worker. Otherwise returns NULL. */
static struct launch_plan *plan_shared(
	const struct worker *worker, uint32_t address, uint64_t shared)
{
	const struct worker_group *group = worker->group;

	if (shared == 0 || shared != group->last_shared || address != group->last_launch ||
		!headers_shared(worker, group->last_plan, shared))
		return NULL;
	return group->last_plan;
}

/* Finds the plan by the bytes in this worker's L1. */
static struct launch_plan *plan_read(
	const struct worker *worker, uint8_t slot, struct firmware_fault *fault)
{
	uint8_t launch[LAUNCH_BYTES];
	struct launch_plan **place;

	if (device_row->load(&worker->stage, fault->address, sizeof launch, launch) != STATUS_OK) {
		refuse(fault, FAULT_ELIDED, fault->address, "halted: elided launch message");
		return NULL;
	}
	place = &worker->group->plans[plan_index(slot, launch)];
	if (!plan_matches(worker, *place, launch)) {
		*place = plan_renew(*place);
		memcpy((*place)->launch, launch, sizeof launch);
		if (!launch_plan_make(worker, *place, fault))
			return NULL;
	}
	return *place;
}

struct launch_plan *launch_plan_find(
	const struct worker *worker, uint8_t slot, struct firmware_fault *fault)
{
	struct worker_group *group = worker->group;
	uint32_t address = launch_address(worker, slot);
	uint64_t shared = device_row->shared(&worker->stage, address, LAUNCH_BYTES);
	struct launch_plan *plan = plan_shared(worker, address, shared);

	fault->address = address;
	if (plan == NULL) {
		group->last_shared = 0;
		plan = plan_read(worker, slot, fault);
		if (plan == NULL)
			return NULL;
		group->last_plan = plan;
		group->last_launch = address;
		group->last_shared = headers_shared(worker, plan, shared) ? shared : 0;
	}
	plan->users++;
	return plan;
}

struct launch_plan *launch_plan_like(
	const struct worker *worker, uint8_t slot, const struct worker *other)
{
	const struct worker_group *group = worker->group;

	if (group != other->group || group->last_shared == 0 || group->last_plan != other->plan ||
		group->last_launch != launch_address(worker, slot))
		return NULL;
	group->last_plan->users++;
	return group->last_plan;
}

void launch_plan_release(struct launch_plan *plan)
{
	if (--plan->users == 0 && !plan->kept)
		launch_plan_free(plan);
}

void launch_plan_free(struct launch_plan *plan)
{
	if (plan == NULL)
		return;
	span_release(plan->common);
	free(plan);
}
