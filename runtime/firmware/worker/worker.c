/* Workers. A worker waits for a go, runs the launch in its L1, stores a result, and acknowledges
 * the go. There may be tens of thousands of workers, so a worker allocates no more memory after its
 * first pipeline. */
#include "runner.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"

#include <stdlib.h>

/* ---- arguments ---- */

uint32_t worker_span_hash(struct span span)
{
	static const uint8_t zeros[256];
	uint32_t hash;
	uint8_t *bytes;

	if (span.extent != NULL)
		return span.extent->elided
			       ? args_hash(NULL, 0)
			       : args_hash(span.extent->bytes + span.offset, span.length);
	if (span.length <= sizeof zeros)
		return args_hash(zeros, span.length);
	bytes = allocate(1, span.length);
	hash = args_hash(bytes, span.length);
	free(bytes);
	return hash;
}

/* Returns the hash of the common arguments. Many workers have the same block of common arguments in
 * memory, so the plan keeps this block and its hash. The plan holds a reference to the block, so
 * the bytes cannot change. */
uint32_t worker_common_hash(const struct worker *worker, struct launch_plan *plan)
{
	const struct launch_message *message = &plan->message;
	struct span span;

	if (message->common_bytes == 0)
		return plan->common_hash;
	span = device_row->view(&worker->stage, message->config_base + message->common_offset,
		message->common_bytes);
	if (span.extent == NULL || span.extent != plan->common.extent ||
		span.offset != plan->common.offset || span.length != plan->common.length) {
		span_release(plan->common);
		plan->common = span;
		plan->common_hash = worker_span_hash(span);
		return plan->common_hash;
	}
	span_release(span);
	return plan->common_hash;
}

static uint32_t arguments_checksum(const struct worker *worker, struct launch_plan *plan)
{
	const struct launch_message *message = &plan->message;
	uint32_t unique = worker->group->none_hash;
	struct span span;

	if (message->unique_bytes > 0) {
		span = device_row->view(&worker->stage,
			message->config_base + message->unique_offset, message->unique_bytes);
		unique = worker_span_hash(span);
		span_release(span);
	}
	return args_combine(unique, worker_common_hash(worker, plan));
}

static void acknowledge(struct worker *worker)
{
	struct go go = go_decode(worker->go);

	device_row->noc_increment(
		&worker->stage, go.tile, worker->group->config.done_words + 4u * go.group, 1);
	worker->phase = WORKER_READY;
	worker->stage.wait = (struct stage_wait){.on = STAGE_WAIT_TILE};
	worker_block(worker, &worker->stage.wait);
	worker->stage.waits = true;
}

/* ---- slots of the launch ring ---- */

static uint32_t slot_address(const struct worker *worker, uint32_t go)
{
	return worker->group->config.launch_ring + (uint32_t)go_decode(go).slot * LAUNCH_BYTES;
}

/* Returns true if the go would start nothing on this worker. */
static bool slot_is_empty(const struct worker *worker, uint32_t go)
{
	uint8_t magic[4];

	return worker->group->config.lock_step &&
	       device_row->load(&worker->stage, slot_address(worker, go), sizeof magic, magic) ==
		       STATUS_OK &&
	       bytes_get32(magic) == 0;
}

static void slot_empty(struct worker *worker)
{
	const uint8_t nothing[4] = {0};

	if (worker->group->config.lock_step)
		device_row->store(
			&worker->stage, slot_address(worker, worker->go), nothing, sizeof nothing);
}

/* ---- the time of kernels ---- */

static uint64_t longest_kernel(const struct launch_plan *plan)
{
	uint64_t cycles = 0;

	for (uint32_t i = 0; i < plan->count; i++)
		cycles = plan->kernels[i].cycles > cycles ? plan->kernels[i].cycles : cycles;
	return cycles;
}

/* Returns the number of cycles to subtract from the time of this worker's kernels. Returns 0 if the
 * launch has no spread or is a pipeline. With a spread, the cycles of the longest kernel are the
 * time from the first start to the last end over all cores of the launch. So the cycles of set-up
 * after the go are subtracted. For every core except the first, a part of the spread is also
 * subtracted, so that cores end at different times. Never returns more than the cycles of the
 * longest kernel. */
static uint64_t cycles_shorter(const struct worker *worker, const struct launch_plan *plan)
{
	uint64_t number = (uint64_t)(worker - worker->group->workers), cycles = 0, shorter;

	if (plan->message.spread == 0 || plan->pipelined)
		return 0;
	cycles = longest_kernel(plan);
	shorter = (uint64_t)plan->setup - worker->early.cycles;
	if (number > 0) /* a worker loses between an eighth of the spread and the whole spread */
		shorter += cycles * plan->message.spread / 65536 * (1 + hash_mix(number) % 8) / 8;
	return shorter < cycles ? shorter : cycles;
}

static void print_time(const struct worker *worker, uint32_t number, int64_t at_ps)
{
	const struct worker_group *group = worker->group;
	const struct firmware_faults *sink = &group->firmware->faults;
	const struct firmware_print print = {.at_ps = at_ps,
		.chip = group->firmware->first_chip + group->chip,
		.tile = worker->stage.tile,
		.processor = "worker",
		.operation = worker->plan->message.operation,
		.instruction = PRINT_OF_PROFILE,
		.number = number};

	if (sink->print != NULL)
		sink->print(sink->context, &print);
}

/* Prints three times of the launch that ends now: when its kernels started on the first processor,
 * when they started on the last processor, and when they ended. Processors are set up one after the
 * other. A processor that is set up before the go starts at the go. */
static void print_profile(const struct worker *worker)
{
	const struct firmware_prices *price = &worker->group->firmware->price;
	struct launch_plan *plan = worker->plan;
	int64_t now_ps = worker->stage.now_ps, start_ps = worker->began_ps, first_ps = start_ps;

	if (!plan->pipelined) {
		int64_t shorter = (int64_t)cycles_shorter(worker, plan);
		int64_t run = (int64_t)longest_kernel(plan) - shorter;
		int64_t whole =
			launch_plan_total(worker->group, plan, worker->early.cycles) - shorter;
		int64_t left = plan->setup - worker->early.cycles;
		int64_t apart = price_cycles((plan->count - 1u) * price->worker_processor);

		whole = whole > 0 ? whole : 1;
		start_ps = now_ps - (now_ps - worker->began_ps) * run / whole;
		first_ps = start_ps -
			   (now_ps - worker->began_ps) * (apart < left ? apart : left) / whole;
	}
	print_time(worker, 0, first_ps);
	print_time(worker, 1, start_ps);
	print_time(worker, 2, now_ps);
}

/* ---- the result ---- */

void worker_store_result(struct worker *worker, uint32_t checksum, uint32_t program)
{
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	struct launch_result result = {
		.launches = worker->launches,
		.checksum = checksum,
		.program = program,
		.sum = worker->sum,
	};

	launch_result_encode(&result, bytes);
	device_row->store(&worker->stage, worker->group->config.words.result, bytes, sizeof bytes);
}

static void leave_result(struct worker *worker)
{
	struct launch_plan *plan = worker->plan;
	uint32_t checksum = arguments_checksum(worker, plan);

	if (worker->group->firmware->profile)
		print_profile(worker);
	worker->launches++;
	worker->sum += checksum;
	worker_store_result(worker, checksum, plan->message.program);
	launch_plan_release(plan);
	worker->plan = NULL;
	worker->ended_ps = worker->stage.now_ps;
	slot_empty(worker);
}

static void finish(struct worker *worker)
{
	leave_result(worker);
	acknowledge(worker);
}

/* ---- begin ---- */

int64_t worker_block(const struct worker *worker, struct stage_wait *wait)
{
	if (worker->phase == WORKER_HALTED)
		return block_on_tile(wait, false, worker->fault->detail);
	block_on_word(
		wait, worker->group->config.words.go, go_after(go_run(worker->go)), "a go signal");
	wait->idle = true;
	return STAGE_BLOCKED;
}

static int64_t fault_begin(struct worker *worker, const struct firmware_fault *fault)
{
	worker->fault = malloc(sizeof *worker->fault);
	ensure_memory(worker->fault != NULL, "a fault");
	*worker->fault = *fault;
	worker->fault->chip = worker->group->chip;
	worker->fault->tile = worker->stage.tile;
	worker->fault->stage = worker->stage.ops->name;
	worker->phase = WORKER_FAULT;
	return 0;
}

/* Returns the set-up that was done before the go, which has just arrived. */
static struct setup_early setup_early(const struct worker *worker, uint8_t group)
{
	int64_t waited_ps = worker->stage.now_ps - worker->ended_ps;
	int64_t lead_ps = worker->group->lead.ps[group], cycles;
	bool from_end = waited_ps < lead_ps;

	if (!worker->group->preloads)
		return (struct setup_early){0, false};
	cycles = device_row->cycles(&worker->stage, from_end ? waited_ps : lead_ps);
	return (struct setup_early){
		(uint32_t)(cycles < worker->plan->setup ? cycles : worker->plan->setup), from_end};
}

static int64_t launch_begin(struct worker *worker, uint32_t word)
{
	struct worker_group *group = worker->group;
	struct go go = go_decode(word);
	struct firmware_fault fault;
	uint64_t shorter;

	worker->go = word;
	if (go.idle || slot_is_empty(worker, word)) {
		worker->phase = WORKER_ACK;
		return price_cycles(CHARGED(&group->firmware->price, worker_idle, 1));
	}
	worker->plan = launch_plan_find(worker, go.slot, &fault);
	if (worker->plan == NULL)
		return fault_begin(worker, &fault);
	worker->early = setup_early(worker, go.group);
	worker->began_ps = worker->stage.now_ps;
	shorter = cycles_shorter(worker, worker->plan);
	launch_plan_charge(worker, shorter);
	if (worker->plan->pipelined) {
		worker->phase = WORKER_LAUNCH;
		return launch_plan_setup(worker->plan, worker->early.cycles);
	}
	worker->phase = WORKER_RUN;
	return launch_plan_total(group, worker->plan, worker->early.cycles) - (int64_t)shorter;
}

/* Waits while the worker's processors run a launch with kernels that execute instructions. */
static int64_t acting_begin(struct worker *worker, struct stage_wait *wait)
{
	uint32_t done = worker->group->config.words.processors + WORDS_DONE;

	if ((int32_t)(device_row->word(&worker->stage, done) - worker->processors->done) < 0)
		return block_on_word(wait, done, worker->processors->done, "its kernels");
	worker->phase = WORKER_RUN;
	return 0;
}

static int64_t worker_begin(struct stage *stage, struct stage_wait *wait)
{
	struct worker *worker = (struct worker *)stage;
	uint32_t word;

	if (worker->phase == WORKER_PIPELINE) {
		worker->phase = WORKER_STEP;
		worker->pipeline->step = pipeline_next(worker->pipeline);
		device_row->charge(CHARGE_OF_KERNEL, worker->pipeline->step * 1000);
		return (int64_t)worker->pipeline->step;
	}
	if (worker->phase == WORKER_ACTING)
		return acting_begin(worker, wait);
	word = device_row->word(stage, worker->group->config.words.go);
	if (worker->phase == WORKER_HALTED || (int32_t)(word - go_after(go_run(worker->go))) < 0)
		return worker_block(worker, wait);
	return launch_begin(worker, word);
}

/* ---- commit ---- */

static void fault_commit(struct worker *worker)
{
	worker->phase = WORKER_HALTED;
	firmware_report(worker->group->firmware, worker->fault);
}

static void pipeline_begin(struct worker *worker)
{
	if (worker->pipeline == NULL) {
		worker->pipeline = malloc(sizeof *worker->pipeline);
		ensure_memory(worker->pipeline != NULL, "a pipeline");
	}
	pipeline_start(worker->pipeline, worker->plan->kernels, worker->plan->count,
		launch_pages(worker->group->firmware, &worker->plan->message));
	worker->phase = WORKER_PIPELINE;
}

static void launch_commit(struct worker *worker)
{
	struct firmware_fault fault = {.kind = FAULT_LAUNCH,
		.detail = "halted: kernels that act, without processors or outside L1"};

	worker->began_ps = worker->stage.now_ps;
	if (!worker->plan->acts) {
		pipeline_begin(worker);
	} else if (runners_start(worker)) {
		worker->phase = WORKER_ACTING;
	} else {
		fault_begin(worker, &fault);
		fault_commit(worker);
	}
}

static void worker_commit(struct stage *stage)
{
	struct worker *worker = (struct worker *)stage;

	switch (worker->phase) {
	case WORKER_RUN:
		finish(worker);
		break;
	case WORKER_ACK:
		acknowledge(worker);
		break;
	case WORKER_LAUNCH:
		launch_commit(worker);
		break;
	case WORKER_STEP:
		worker->phase = WORKER_PIPELINE;
		if (pipeline_advance(worker->pipeline, worker->pipeline->step))
			finish(worker);
		break;
	default:
		fault_commit(worker);
		break;
	}
}

static const struct stage_ops worker_ops = {
	.name = "worker",
	.begin = worker_begin,
	.commit = worker_commit,
};

const struct stage_ops *const worker_stage_ops = &worker_ops;

/* ---- whole launches ---- */

bool worker_takes(const struct stage *stage, uint32_t address, uint32_t go)
{
	const struct worker *worker = (const struct worker *)stage;

	return stage->ops == &worker_ops && address == worker->group->config.words.go &&
	       worker->phase == WORKER_READY && !go_is_idle(go) &&
	       (int32_t)(go - go_after(go_run(worker->go))) >= 0 && !slot_is_empty(worker, go);
}

int64_t worker_launch(
	struct stage *stage, uint32_t word, const struct stage *like, struct worker_ack *ack)
{
	struct worker *worker = (struct worker *)stage;
	struct go go = go_decode(word);
	struct firmware_fault fault;

	worker->plan = like != NULL ? launch_plan_like(worker, go.slot, (const struct worker *)like)
				    : NULL;
	if (worker->plan == NULL)
		worker->plan = launch_plan_find(worker, go.slot, &fault);
	if (worker->plan == NULL)
		return -1;
	if (worker->plan->acts || worker->plan->message.spread > 0 ||
		worker->group->firmware->profile) {
		launch_plan_release(worker->plan);
		worker->plan = NULL;
		return -1;
	}
	worker->go = word;
	worker->phase = WORKER_RUN;
	worker->early = setup_early(worker, go.group);
	*ack = (struct worker_ack){go.tile, worker->group->config.done_words + 4u * go.group};
	return launch_plan_total(worker->group, worker->plan, worker->early.cycles);
}

void worker_charge(struct stage *stage)
{
	const struct worker *worker = (const struct worker *)stage;

	launch_plan_charge(worker, 0);
}

void worker_finish(struct stage *stage)
{
	struct worker *worker = (struct worker *)stage;

	leave_result(worker);
	worker->phase = WORKER_READY;
	worker_block(worker, &stage->wait);
}
