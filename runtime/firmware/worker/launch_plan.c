/* Reads a launch from a worker's L1 and computes its run time. Bytes that a multicast wrote are
 * read once, from the L1 of one worker. Other bytes are read by each worker, but equal bytes are
 * decoded once per chip. A malformed message or header is a fault. */
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

static int64_t setup_cycles(const struct firmware *firmware, uint32_t slowdown,
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

void worker_launch_cycles(const struct firmware *firmware, uint32_t slowdown,
	const struct launch_message *message, const struct kernel *kernels, uint32_t count,
	int64_t *setup, int64_t *total)
{
	int64_t base = setup_cycles(firmware, slowdown, message, count), copy = 0, longest = 0;

	for (uint32_t i = 0; i < count; i++) {
		int64_t one = copy_cycles(firmware, &kernels[i]);
		int64_t both = one + (int64_t)kernels[i].cycles;

		copy = one > copy ? one : copy;
		longest = both > longest ? both : longest;
	}
	*setup = base + copy;
	*total = count > 0 && kernels[0].steps > 1
			 ? *setup + (int64_t)pipeline_cycles(
					    kernels, count, launch_pages(firmware, message))
			 : base + longest;
}

/* Finds the kernel that determines the run time. Stores its cycles in plan->run, and the price of
 * copying its text in plan->copy_price. If the launch has one step, this is the kernel that ends
 * last. In a pipeline, it is the kernel whose text takes longest to copy. */
static void plan_split(const struct firmware *firmware, struct launch_plan *plan)
{
	int64_t longest = -1;

	plan->run = 0;
	plan->copy_price = 0;
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct kernel *kernel = &plan->kernels[i];
		int64_t run = plan->pipelined ? 0 : (int64_t)kernel->cycles;
		int64_t one = copy_cycles(firmware, kernel) + run;

		if (one <= longest)
			continue;
		longest = one;
		plan->run = run;
		plan->copy_price = copy_price(firmware, kernel);
	}
}

static void charge_parts(const struct worker_group *group, const struct launch_plan *plan)
{
	const struct firmware_prices *price = &group->firmware->price;
	uint64_t setup = CHARGED(price, worker_launch, 1) +
			 CHARGED(price, worker_processor, plan->count) +
			 CHARGED(price, worker_circular_buffer, plan->message.circular_buffers) +
			 CHARGED(price, worker_semaphore, plan->message.semaphores);

	if (group->slowdown > 1000)
		firmware_charge(COST_ethernet_slowdown, setup * (group->slowdown - 1000) / 1000);
	firmware_charge(COST_worker_copy, plan->copy_price);
	if (plan->run > 0)
		device_row->charge(CHARGE_OF_KERNEL, (uint64_t)plan->run * 1000);
}

void launch_plan_charge(const struct worker_group *group, struct launch_plan *plan)
{
	if (!plan->billed) {
		charge_parts(group, plan);
		plan->bill = device_row->bill();
		plan->billed = true;
	}
	if (plan->bill > 0)
		device_row->charge_bill(plan->bill);
	else
		charge_parts(group, plan);
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
 * first. Sets plan->together if the headers are contiguous, in the order of the processors. */
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

/* Fills `plan` from the bytes of the launch in plan->launch. */
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
	worker_launch_cycles(firmware, worker->group->slowdown, &plan->message, plan->kernels,
		plan->count, &plan->setup, &plan->total);
	plan->common_hash = worker->group->none_hash;
	plan->acts = acts(plan);
	plan->pipelined = plan->count > 0 && (plan->kernels[0].steps > 1 || plan->acts);
	plan_split(firmware, plan);
	plan->valid = true;
	return true;
}

/* Returns the index of a plan in the group's table. Launches of different kernel groups in one slot
 * differ in the bases and offsets of their kernels, or in their processors. So the index is a hash
 * of these fields. */
static uint32_t plan_index(uint8_t slot, const uint8_t *launch)
{
	uint64_t hash = bytes_get64(launch + 8) ^ bytes_get64(launch + 16) * 3 ^
			bytes_get64(launch + 24) * 5 ^ bytes_get64(launch + 48) * 7;

	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(slot + (hash >> 60)) % LAUNCH_PLANS;
}

/* Returns an empty plan that replaces `old`: `old` itself, or a new plan if `old` is in use. */
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

/* True if the multicast with number `shared` wrote the plan's headers to this worker. */
static bool headers_shared(
	const struct worker *worker, const struct launch_plan *plan, uint64_t shared)
{
	return shared != 0 && plan->together &&
	       device_row->shared(&worker->stage, plan->headers_at,
		       plan->count * KERNEL_HEADER_BYTES) == shared;
}

/* Returns group->last_plan if this worker's launch message and headers were written by the
 * multicast that wrote those of group->last_plan. If not, returns NULL. */
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
