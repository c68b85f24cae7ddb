/* The stage of a processor that executes kernels. It takes a kernel and runs it; it blocks when an
 * instruction must wait. When the kernel ends, the stage increments the done word. An illegal
 * instruction halts the processor for good. */
#include "runner.h"

#include <stdio.h>

#include "base/ensure.h"

/* Maximum number of instructions per step. A kernel with an endless loop therefore takes many
 * steps, and is halted when it has used up the number of instructions that a kernel may execute. */
enum { COMPUTE_AT_ONCE = 1024 };

static int64_t runner_begin(struct stage *stage, struct stage_wait *wait);
static void describe(const struct stage *stage, char *out, size_t bytes);

#define RUNNER_OPS(role)                                                                           \
	{                                                                                          \
		.name = (role), .begin = runner_begin, .commit = stage_commit,                     \
		.describe = describe                                                               \
	}

static const struct stage_ops runner_ops[PROCESSOR_COUNT] = {
	[PROCESSOR_BRISC] = RUNNER_OPS("brisc"),
	[PROCESSOR_NCRISC] = RUNNER_OPS("ncrisc"),
	[PROCESSOR_TRISC0] = RUNNER_OPS("trisc0"),
	[PROCESSOR_TRISC1] = RUNNER_OPS("trisc1"),
	[PROCESSOR_TRISC2] = RUNNER_OPS("trisc2"),
};

bool runner_is(const struct stage *stage)
{
	return stage->processor < PROCESSOR_COUNT && stage->ops == &runner_ops[stage->processor];
}

static void runner_fini(struct stage_base *base)
{
	struct runner *runner = (struct runner *)base;

	if (runner->code != NULL)
		kernel_code_release(runner->code);
}

struct runner *runner_new(struct worker *worker, enum processor number)
{
	struct stage_place place = {worker->stage.device, worker->stage.tile, (uint8_t)number};
	struct runner *runner =
		stage_new(sizeof *runner, &runner_ops[number], worker->group->firmware, place);

	runner->base.fini = runner_fini;
	/* As in tt-metal, BRISC uses a different NoC than the other processors: NCRISC reads DRAM
	 * over one NoC, and BRISC writes DRAM over the other. */
	runner->base.stage.noc = number == PROCESSOR_BRISC;
	runner->worker = worker;
	return runner;
}

/* ---- words ---- */

static uint32_t word_address(const struct worker *worker, uint32_t word)
{
	return worker->group->config.words.processors + word;
}

static uint32_t start_word(const struct runner *runner)
{
	return runner_word(runner, WORDS_START + 4u * runner->base.stage.processor);
}

/* ---- a launch ---- */

/* Sets up the circular buffers of the launch. All of them are empty. */
static bool buffers_set_up(struct worker *worker)
{
	const struct launch_message *message = &worker->plan->message;
	uint64_t at = (uint64_t)message->config_base + message->circular_buffer_offset;
	struct runner_set *set = worker->processors;
	uint8_t bytes[CIRCULAR_BUFFERS_MAX * CIRCULAR_BUFFER_BYTES];
	uint32_t count = message->circular_buffers;

	if (at + count * CIRCULAR_BUFFER_BYTES > worker->group->l1_bytes)
		return false;
	if (count > 0 && device_row->load(&worker->stage, (uint32_t)at,
				 count * CIRCULAR_BUFFER_BYTES, bytes) != STATUS_OK)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *one = bytes + i * CIRCULAR_BUFFER_BYTES;

		set->buffers[i] = (struct circular_buffer){.address = bytes_get32(one),
			.pages = bytes_get32(one + 8),
			.page_bytes = bytes_get32(one + 12)};
		device_row->set_word(&worker->stage, word_address(worker, WORDS_PUSHED + 4 * i), 0);
		device_row->set_word(&worker->stage, word_address(worker, WORDS_POPPED + 4 * i), 0);
	}
	return true;
}

bool runners_start(struct worker *worker)
{
	const struct launch_plan *plan = worker->plan;
	struct runner_set *set = worker->processors;

	if (set == NULL || (plan->message.processors & ~set->present) != 0 ||
		!buffers_set_up(worker))
		return false;
	runner_tiles_start(worker);
	set->semaphores = worker->group->config.words.semaphores +
			  (uint32_t)go_decode(worker->go).slot * SEMAPHORES_MAX * 4;
	set->done =
		device_row->word(&worker->stage, word_address(worker, WORDS_DONE)) + plan->count;
	for (uint32_t i = 0; i < plan->count; i++) {
		struct runner *runner = set->runner[plan->kernels[i].processor];

		runner->kernel = plan->kernels[i];
		device_row->set_word(&worker->stage, start_word(runner), runner->started + 1);
	}
	return true;
}

/* ---- commit ---- */

/* Stops the kernel with a fault. Call this in commit(). */
static void halt(struct runner *runner, const char *detail)
{
	struct stage_base *base = &runner->base;

	base->fault = (struct firmware_fault){
		.kind = FAULT_PROGRAM,
		.chip = base->chip,
		.tile = base->stage.tile,
		.stage = base->stage.ops->name,
		.instruction = runner->number,
		.detail = detail,
	};
	base->halted = detail;
	firmware_report(base->firmware, &base->fault);
}

static void nothing(struct stage_base *base)
{
	(void)base;
}

static void fail(struct stage_base *base)
{
	struct runner *runner = (struct runner *)base;

	halt(runner, runner->wrong);
}

static void effect(struct stage_base *base)
{
	struct runner *runner = (struct runner *)base;
	const char *why = runner_execute(runner);

	if (why != NULL) {
		halt(runner, why);
		return;
	}
	runner->executed++;
	runner->number++;
}

/* Returns the decoded text of the kernel, with a reference for the caller. The text is in this
 * worker's own L1, at text_offset from the header. Returns NULL if the text is outside L1, elided
 * or illegal. */
static struct kernel_code *code_of(const struct runner *runner)
{
	const struct launch_message *message = &runner->worker->plan->message;
	const struct kernel *kernel = &runner->kernel;
	uint64_t at = (uint64_t)message->kernel_base + message->kernel_offset[kernel->processor] +
		      kernel->text_offset;
	struct kernel_code *code = NULL;
	struct span span;

	if (at + kernel->text_bytes > runner->worker->group->l1_bytes)
		return NULL;
	span = device_row->view(&runner->base.stage, (uint32_t)at, kernel->text_bytes);
	if (span.extent != NULL && !span.extent->elided)
		code = kernel_code_find(&runner->worker->group->codes,
			span.extent->bytes + span.offset, span.length);
	span_release(span);
	return code;
}

static void runner_start(struct stage_base *base)
{
	struct runner *runner = (struct runner *)base;

	runner->started++;
	runner->running = true;
	runner->number = runner->waypoint = 0;
	runner->executed = 0;
	runner->busy = runner->kernel.cycles;
	runner->wrong = NULL;
	for (uint32_t i = 0; i < KERNEL_REGISTERS; i++)
		runner->registers[i] = 0;
	if (!(runner->kernel.flags & KERNEL_PROGRAM))
		return;
	runner->code = code_of(runner);
	if (runner->code == NULL)
		halt(runner, "halted: the kernel's text is none");
}

static void runner_finish(struct stage_base *base)
{
	struct runner *runner = (struct runner *)base;
	uint32_t done = runner_word(runner, WORDS_DONE);

	runner->running = false;
	if (runner->code != NULL)
		kernel_code_release(runner->code);
	runner->code = NULL;
	device_row->set_word(&base->stage, done, device_row->word(&base->stage, done) + 1);
}

/* ---- begin ---- */

static int64_t block_on_reads(struct stage_wait *wait, uint32_t value, const char *what)
{
	*wait = (struct stage_wait){.on = STAGE_WAIT_READS, .value = value, .what = what};
	return STAGE_BLOCKED;
}

/* Waits until all posted reads and writes are done. */
static int64_t runner_settle(const struct stage *stage, struct stage_wait *wait)
{
	if (stage->reads_done != stage->reads_posted)
		return block_on_reads(wait, stage->reads_posted, "its reads");
	if (stage->writes_done != stage->writes_posted)
		return block_on_writes(wait, stage->writes_posted, "its writes");
	return 0;
}

/* Runs a filler kernel on a processor while other processors execute kernels. */
static int64_t fill(struct runner *runner)
{
	uint64_t cycles = runner->busy;

	if (cycles == 0)
		return stage_plan(&runner->base, 0, runner_finish);
	runner->busy = 0;
	device_row->charge(CHARGE_OF_KERNEL, cycles * 1000);
	runner->base.plan = nothing;
	return (int64_t)cycles;
}

static int64_t wait_outstanding(const struct runner *runner, bool read, struct stage_wait *wait)
{
	const struct stage *stage = &runner->base.stage;
	uint32_t most = runner->base.firmware->limits.kernel_outstanding;

	if (read && stage->reads_posted - stage->reads_done >= most)
		return block_on_reads(wait, stage->reads_posted - most + 1, "a read to be done");
	if (!read && stage->writes_posted - stage->writes_done >= most)
		return block_on_writes(wait, stage->writes_posted - most + 1, "a write to be done");
	return 0;
}

/* Blocks until the stage may post one more write or read, and the router has a free slot. Does not
 * wait for a slot if the chip lacks the instruction's route. */
static int64_t wait_fabric(const struct runner *runner,
	const struct kernel_instruction *instruction, struct stage_wait *wait)
{
	struct fabric_tree *tree = runner_tree(runner);
	bool read = instruction->opcode == KERNEL_FABRIC_READ;

	if (wait_outstanding(runner, read, wait) == STAGE_BLOCKED)
		return STAGE_BLOCKED;
	return tree == NULL || device_row->fabric_ready(&runner->base.stage, tree)
		       ? 0
		       : block_on_fabric(wait, tree, "a slot of the router");
}

static int64_t wait_buffer(const struct runner *runner,
	const struct kernel_instruction *instruction, struct stage_wait *wait)
{
	const struct stage *stage = &runner->base.stage;
	const struct circular_buffer *buffer = runner_buffer(runner, instruction);
	uint32_t pages = sum_of(runner, instruction), word, value;
	bool room = instruction->opcode == KERNEL_RESERVE;

	if (buffer == NULL || (!room && instruction->opcode != KERNEL_AWAIT))
		return 0;
	if (room)
		value = device_row->word(
				stage, runner_count_word(runner, WORDS_PUSHED, instruction->a)) +
			pages - buffer->pages;
	else
		value = device_row->word(
				stage, runner_count_word(runner, WORDS_POPPED, instruction->a)) +
			pages;
	word = runner_count_word(runner, room ? WORDS_POPPED : WORDS_PUSHED, instruction->a);
	if ((int32_t)(device_row->word(stage, word) - value) >= 0)
		return 0;
	return block_on_word(wait, word, value,
		room ? "room in a circular buffer" : "pages in a circular buffer");
}

static int64_t wait_semaphore(const struct runner *runner,
	const struct kernel_instruction *instruction, struct stage_wait *wait)
{
	const struct stage *stage = &runner->base.stage;
	uint32_t word = runner_semaphore(runner, instruction->immediate);
	uint32_t value = value_of(runner, instruction->a), now = device_row->word(stage, word);

	if (instruction->opcode == KERNEL_UNTIL_LEAST)
		return (int32_t)(now - value) >= 0
			       ? 0
			       : block_on_word(wait, word, value, "a semaphore");
	if (now == value)
		return 0;
	*wait = (struct stage_wait){.on = STAGE_WAIT_TILE,
		.address = word,
		.value = value,
		.range = word,
		.range_bytes = 4,
		.what = "a semaphore"};
	return STAGE_BLOCKED;
}

/* Returns STAGE_BLOCKED if the instruction must wait, otherwise 0. */
static int64_t runner_wait_for(const struct runner *runner,
	const struct kernel_instruction *instruction, struct stage_wait *wait)
{
	const struct stage *stage = &runner->base.stage;

	switch (kernel_opcode_class(instruction->opcode)) {
	case KERNEL_CLASS_END:
		return runner_settle(stage, wait);
	case KERNEL_CLASS_NOC_READ:
		return wait_outstanding(runner, true, wait);
	case KERNEL_CLASS_NOC_WRITE:
	case KERNEL_CLASS_MULTICAST:
	case KERNEL_CLASS_NOC_WORD:
		return wait_outstanding(runner, false, wait);
	case KERNEL_CLASS_FABRIC:
		return wait_fabric(runner, instruction, wait);
	case KERNEL_CLASS_BUFFER:
		return wait_buffer(runner, instruction, wait);
	case KERNEL_CLASS_TILE:
		return runner_tile_wait(runner, instruction, wait);
	case KERNEL_CLASS_WAIT:
		break;
	default:
		return 0;
	}
	if (instruction->opcode == KERNEL_WAIT_READS)
		return stage->reads_done == stage->reads_posted
			       ? 0
			       : block_on_reads(wait, stage->reads_posted, "its reads");
	if (instruction->opcode == KERNEL_WAIT_WRITES)
		return stage->writes_done == stage->writes_posted
			       ? 0
			       : block_on_writes(wait, stage->writes_posted, "its writes");
	return wait_semaphore(runner, instruction, wait);
}

static uint64_t price_of(const struct runner *runner, const struct kernel_instruction *instruction)
{
	const struct firmware_prices *price = &runner->base.firmware->price;
	uint64_t busy;

	switch (kernel_opcode_class(instruction->opcode)) {
	case KERNEL_CLASS_STORE:
		return CHARGED(price, kernel_store, 1);
	case KERNEL_CLASS_PAGE:
		return CHARGED(price, kernel_page, 1);
	case KERNEL_CLASS_NOC_READ:
	case KERNEL_CLASS_NOC_WRITE:
	case KERNEL_CLASS_NOC_WORD:
		return CHARGED(price, kernel_noc, 1);
	case KERNEL_CLASS_MULTICAST:
		return CHARGED(price, kernel_multicast, 1);
	case KERNEL_CLASS_FABRIC:
		return CHARGED(price, fabric_send, 1);
	case KERNEL_CLASS_BUFFER:
		return CHARGED(price, kernel_buffer, 1);
	case KERNEL_CLASS_WAIT:
		return CHARGED(price, kernel_wait, 1);
	case KERNEL_CLASS_PRINT:
		return CHARGED(price, kernel_print, 1);
	case KERNEL_CLASS_TILE:
		return runner_tile_price(runner, instruction);
	case KERNEL_CLASS_BUSY:
		busy = (uint64_t)sum_of(runner, instruction) * 1000;
		device_row->charge(CHARGE_OF_KERNEL, busy);
		return busy;
	default:
		return 0;
	}
}

/* Executes instructions whose effects are limited to the processor, and returns their price. */
static uint64_t worker_runner_compute(struct runner *runner)
{
	const struct firmware_prices *price = &runner->base.firmware->price;
	uint32_t instructions = 0, loads = 0;

	while (instructions + loads < COMPUTE_AT_ONCE) {
		enum kernel_class class = kernel_opcode_class(runner_next(runner)->opcode);

		if ((class != KERNEL_CLASS_COMPUTE && class != KERNEL_CLASS_LOAD) ||
			!runner_compute(runner))
			break;
		if (class == KERNEL_CLASS_LOAD)
			loads++;
		else
			instructions++;
	}
	runner->executed += instructions + loads;
	return CHARGED(price, kernel_instruction, instructions) +
	       CHARGED(price, kernel_load, loads);
}

/* Returns true if the instruction reads state that other stages may change. It must then begin a
 * new step, so that the time of the instructions before it has passed when it reads. */
static bool waits(const struct kernel_instruction *instruction)
{
	switch (kernel_opcode_class(instruction->opcode)) {
	case KERNEL_CLASS_STORE:
	case KERNEL_CLASS_PAGE:
	case KERNEL_CLASS_BUSY:
	case KERNEL_CLASS_PRINT:
		return false;
	case KERNEL_CLASS_BUFFER:
		return instruction->opcode == KERNEL_RESERVE || instruction->opcode == KERNEL_AWAIT;
	default:
		return true;
	}
}

/* Plans one step of the kernel: instructions that only compute, and then the next instruction that
 * has an effect outside the processor. If waits() is true for that instruction, it begins a new
 * step. */
static int64_t run(struct runner *runner, struct stage_wait *wait)
{
	struct stage_base *base = &runner->base;
	const struct kernel_instruction *next;
	uint64_t executed = runner->executed, price = worker_runner_compute(runner);

	if (runner->executed > UINT64_C(1000) * base->firmware->limits.kernel_instructions)
		runner->wrong = "halted: the kernel has used up its instructions";
	if (runner->wrong != NULL)
		return stage_plan(base, price, fail);
	next = runner_next(runner);
	if (runner->executed > executed && waits(next))
		return stage_plan(base, price, nothing);
	if (runner_wait_for(runner, next, wait) == STAGE_BLOCKED)
		return STAGE_BLOCKED;
	if (next->opcode == KERNEL_END)
		return stage_plan(base, price, runner_finish);
	return stage_plan(base, price + price_of(runner, next), effect);
}

static int64_t runner_begin(struct stage *stage, struct stage_wait *wait)
{
	struct runner *runner = (struct runner *)stage;
	uint32_t word = start_word(runner);
	int64_t over = stage_over(&runner->base, wait);

	if (over != 0)
		return over;
	if (!runner->asked) {
		runner->asked = true;
		runner->started = device_row->word(stage, word);
		runner->worker->processors->present |= (uint8_t)(1 << stage->processor);
	}
	if (runner->running && runner->code == NULL)
		return fill(runner);
	if (runner->running)
		return run(runner, wait);
	if (device_row->word(stage, word) != runner->started)
		return stage_plan(&runner->base, 0, runner_start);
	block_on_word(wait, word, runner->started + 1, "a kernel");
	wait->idle = true;
	return STAGE_BLOCKED;
}

/* ---- for stall reports ---- */

/* Appends, for example, "instruction 12 (until r7, semaphore 3), waypoint 2". */
static void describe(const struct stage *stage, char *out, size_t bytes)
{
	const struct runner *runner = (const struct runner *)stage;
	struct text text = {0};

	if (runner->running && runner->code != NULL) {
		text_printf(&text, "instruction %u (", runner->number);
		kernel_instruction_print(runner_next(runner), &text);
		text_append(&text, ")");
		if (runner->waypoint > 0)
			text_printf(&text, ", waypoint %u", runner->waypoint);
	}
	snprintf(out, bytes, "%s", text_string(&text));
	text_fini(&text);
}
