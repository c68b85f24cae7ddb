/* The scheduler of stages (scheduler.h). If a stage blocks on a condition that is already true, it
 * is called again at once. If a stage blocks in this way twice at the same simulated time, the run
 * aborts, because this could go on for ever. */
#include "chip/tile/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "words.h"

/* ---- busy and blocked times ---- */

static void account(struct task *task)
{
	int64_t now_ps = engine_now();

	if (task->stage->state == TASK_BLOCKED && !task->stage->wait.idle) {
		task->blocked_ps += now_ps - task->since_ps;
		watch_slice(task->track, task->since_ps, now_ps, task->stage->wait.what);
	} else if (task->stage->state == TASK_RUNNING) {
		watch_slice(task->track, task->since_ps, now_ps, WATCH_BUSY);
	}
	task->since_ps = now_ps;
}

static void set_awake(struct task *task, bool awake)
{
	struct cluster *cluster = task->stage->device->cluster;

	if (task->awake == awake)
		return;
	task->awake = awake;
	cluster->awake += awake ? 1 : UINT32_MAX;
	if (cluster->awake == 0 && cluster->under_way == 0 && cluster->drainers != NULL)
		sim_quiescent(cluster);
}

/* ---- asking a stage for its next step ---- */

static void ask(struct task *task);

static void wake_event(void *subject, uint64_t generation)
{
	struct task *task = subject;
	struct cluster *cluster = task->stage->device->cluster;

	if (generation == task->generation && task->stage->state == TASK_BLOCKED)
		ask(task);
	sim_operation_end(cluster);
}

void sim_task_wake(struct task *task, int64_t at_ps)
{
	if (at_ps >= task->wake_ps)
		return;
	task->wake_ps = at_ps;
	sim_operation_begin(task->stage->device->cluster);
	engine_push_second(at_ps, wake_event, task, task->generation);
}

/* Returns true if the condition for which the stage waits is true. If the stage waits for a word,
 * also sets task->expected to the present value of the word. */
static bool holds(struct task *task)
{
	const struct stage *stage = task->stage;

	switch (stage->wait.on) {
	case STAGE_WAIT_TILE:
		return false;
	case STAGE_WAIT_WORD:
		task->expected = sim_tile_word(task->tile, stage->wait.address);
		return reached(task->expected, stage->wait.value);
	case STAGE_WAIT_READS:
		return reached(stage->reads_done, stage->wait.value);
	case STAGE_WAIT_WRITES:
		return reached(stage->writes_done, stage->wait.value);
	case STAGE_WAIT_FABRIC:
		return sim_task_is_accepted(task);
	}
	ensure(false, "stage %s waits on %d", stage->ops->name, (int)stage->wait.on);
}

/* Like sim_task_wake(), with a cause other than the current one. */
static void wake_for(struct task *task, int64_t at_ps, cause_id cause, enum charge rest)
{
	cause_id before = cause_enter(cause != CAUSE_NONE ? cause : task->cause);

	cause_rest(rest);
	sim_task_wake(task, at_ps);
	cause_enter(before);
	cause_clear();
}

static void wake_by(struct task *task, const struct arrival *arrival)
{
	cause_id cause;

	if (arrival->at_ps >= task->wake_ps)
		return;
	cause = sim_arrival_cause(task->tile, arrival);
	wake_for(task, arrival->at_ps, cause, CHARGE_NOC_ATOMIC);
	cause_release(cause);
}

/* Schedules a wake if a known future arrival ends the stage's wait. */
static void expect(struct task *task, const struct arrival *arrival)
{
	const struct stage_wait *wait = &task->stage->wait;

	if (any_change(wait, arrival->address, sizeof(uint32_t))) {
		wake_by(task, arrival);
	} else if (wait->address == arrival->address && counts(wait)) {
		task->expected = arrival->value + (arrival->increment ? task->expected : 0);
		if (reached(task->expected, wait->value))
			wake_by(task, arrival);
	}
}

/* If one of the announced increments will end the stage's wait, schedules a wake of the stage for
 * the time of this increment. If another increment arrives earlier, the wake is scheduled again
 * (wait_for_turn() in arrival.c). */
static void expect_coming(struct task *task)
{
	const struct atomic_unit *unit = task->tile->atomic;
	int64_t free_ps = unit->busy_until_ps;

	for (uint32_t i = unit->coming_first + unit->coming_count;
		i-- > unit->coming_first && task->wake_ps > unit->coming[i].at_ps;) {
		struct arrival arrival = unit->coming[i];

		free_ps = sim_tile_turn_ps(task->tile, &arrival.at_ps, free_ps);
		expect(task, &arrival);
	}
}

/* Like expect_coming(), for increments that were announced together. */
static void expect_together(struct task *task)
{
	const struct atomic_unit *unit = task->tile->atomic;
	const struct turns_coming *coming = &unit->together;
	const struct stage_wait *wait = &task->stage->wait;
	uint32_t first = coming->applied, count = coming->times->count - first;
	int32_t missing = (int32_t)(wait->value - task->expected);
	struct arrival arrival;

	if (any_change(wait, coming->address, sizeof(uint32_t))) {
		arrival = sim_atomic_together(unit, first);
		wake_by(task, &arrival);
	} else if (wait->address == coming->address && counts(wait)) {
		if (missing > (int32_t)count) {
			task->expected += count;
			return;
		}
		missing = missing < 1 ? 1 : missing;
		task->expected += (uint32_t)missing;
		arrival = sim_atomic_together(unit, first + (uint32_t)missing - 1);
		wake_by(task, &arrival);
	}
}

/* Schedules wakes of the blocked stage for changes whose time is known: turns at the atomic unit,
 * and completions of writes. */
static void foresee(struct task *task)
{
	const struct stage *stage = task->stage;
	const struct atomic_unit *unit = task->tile->atomic;
	cause_id cause;
	enum charge rest;
	int64_t at_ps;

	sim_tile_catch_up(task->tile);
	if (counts(&stage->wait))
		task->expected = sim_tile_word(task->tile, stage->wait.address);
	if (unit != NULL)
		for (uint32_t i = 0; i < unit->count; i++)
			expect(task, &unit->arrivals[(unit->first + i) & (unit->capacity - 1)]);
	if (unit != NULL && unit->coming_count > 0)
		expect_coming(task);
	if (unit != NULL && unit->together.times != NULL)
		expect_together(task);
	if (stage->wait.on == STAGE_WAIT_TILE && !stage->wait.no_writes && task->first_writes > 0)
		wake_for(task, task->first_ps, task->first_cause, (enum charge)task->first_rest);
	else if (stage->wait.on == STAGE_WAIT_WRITES) {
		at_ps = sim_task_writes_reach_ps(task, stage->wait.value, &cause, &rest);
		wake_for(task, at_ps, cause, rest);
	}
}

/* Blocks the stage, because its condition is not true yet. */
static void go_to_wait(struct task *task)
{
	const struct stage_wait *wait = &task->stage->wait;

	set_awake(task, !wait->idle);
	if (wait->on == STAGE_WAIT_FABRIC)
		sim_task_wait_for_fabric(task);
	else if (wait->on != STAGE_WAIT_WORD || sim_tile_has_turns(task->tile))
		foresee(task);
}

static void block(struct task *task)
{
	const struct stage *stage = task->stage;

	if (!holds(task)) {
		go_to_wait(task);
		return;
	}
	set_awake(task, !stage->wait.idle);
	ensure(!task->asked_again, "stage %s blocks on what is already true: %s", stage->ops->name,
		stage->wait.what);
	task->asked_again = true;
	sim_task_wake(task, engine_now());
}

/* Blocks the task's stage. The stage's commit() has said in stage->wait what the stage waits for.
 * Returns false, and does not block the stage, if the wait is already over. */
static bool wait_on(struct task *task)
{
	struct stage *stage = task->stage;

	stage->waits = false;
	if (holds(task))
		return false;
	account(task);
	task->generation++;
	task->wake_ps = INT64_MAX;
	stage->state = TASK_BLOCKED;
	cause_clear();
	if (!stage->wait.idle)
		task->cause = cause_now();
	go_to_wait(task);
	return true;
}

/* True if the stage has waited, and was not idle. */
static bool has_waited(const struct task *task)
{
	const struct stage *stage = task->stage;

	return task->cause != CAUSE_NONE && stage->state == TASK_BLOCKED && !stage->wait.idle;
}

/* Charges the time `takes_ps` of a step that begins now. Because of rounding, the charges of the
 * step may not sum to `takes_ps`; the difference is added to the first charge. */
static void charge_step(struct task *task, int64_t takes_ps)
{
	uint64_t first = causes.charges[0];

	if (causes.count == 1 && !causes.early) {
		int bits = first >> CAUSE_PS_BITS == CHARGE_BILL ? BILL_PS_BITS : CAUSE_PS_BITS;

		task->cause = cause_now();
		task->charge = first >> bits << bits | (uint64_t)takes_ps;
		cause_begin(first);
		return;
	}
	if (causes.count > 1 && !causes.early)
		cause_rest((enum charge)(first >> CAUSE_PS_BITS));
	task->charge = 0;
	task->cause = cause_take(engine_now() + takes_ps);
}

static void ask(struct task *task)
{
	struct stage *stage = task->stage;
	struct cluster *cluster = stage->device->cluster;
	bool waited = has_waited(task);
	cause_id own = task->cause, before = CAUSE_NONE;
	int64_t cycles, takes_ps;

	if (waited)
		before = cause_enter(
			cause_join(own, engine_now(), stage->wait.what, CHARGE_WAIT_DISPATCH));
	task->cause = CAUSE_NONE;
	cause_release(own);
	cause_clear();
	account(task);
	sim_task_complete(task);
	task->generation++;
	task->wake_ps = INT64_MAX;
	memset(&stage->wait, 0, sizeof stage->wait);
	stage->now_ps = engine_now();
	cycles = stage->ops->begin(stage, &stage->wait);
	if (cycles >= 0) {
		stage->state = TASK_RUNNING;
		set_awake(task, true);
		takes_ps = sim_cycles_ps(&cluster->timing, cycles);
		charge_step(task, takes_ps);
		sim_step_queue_put(
			&stage->device->steps, engine_now() + takes_ps, task, (uint64_t)cycles);
	} else if (cycles == STAGE_ENDED) {
		stage->state = TASK_ENDED;
		set_awake(task, false);
	} else {
		ensure(cycles == STAGE_BLOCKED, "stage %s answered %lld", stage->ops->name,
			(long long)cycles);
		stage->state = TASK_BLOCKED;
		cause_clear();
		if (!stage->wait.idle)
			task->cause = cause_now();
		block(task);
	}
	if (waited)
		cause_release(cause_enter(before));
}

void sim_task_commit(struct task *task, uint64_t cycles)
{
	struct stage *stage = task->stage;
	cause_id before = cause_step(task->cause, task->charge, engine_now());

	task->cause = CAUSE_NONE;

	sim_task_complete(task);
	stage->busy_cycles += cycles;
	stage->steps++;
	stage->now_ps = engine_now();
	task->asked_again = false;
	stage->ops->commit(stage);
	if (!stage->waits || !wait_on(task))
		ask(task);
	cause_step_end(before);
}

void sim_task_claim(struct task *task, int64_t at_ps)
{
	account(task);
	task->since_ps = at_ps;
	task->generation++;
	task->wake_ps = INT64_MAX;
	task->stage->state = TASK_RUNNING;
	set_awake(task, true);
}

bool sim_task_release(struct task *task, uint64_t cycles)
{
	struct stage *stage = task->stage;

	stage->busy_cycles += cycles;
	stage->steps++;
	task->asked_again = false;
	account(task);
	sim_task_complete(task);
	stage->state = TASK_BLOCKED;
	if (holds(task))
		return false;
	go_to_wait(task);
	return true;
}

void sim_task_start(struct device *device, struct stage *stage)
{
	struct cluster *cluster = device->cluster;
	struct tile *tile = sim_tile(device, stage->tile);
	struct task *task = sim_pool_take(&cluster->tasks), **end = &tile->tasks;

	sim_tile_alone(tile);
	ensure(stage->device == device, "stage %s started on chip %u", stage->ops->name,
		device->number);
	ensure(tile->word_bytes > 0, "stage %s on tile %u, which has no L1", stage->ops->name,
		stage->tile);
	memset(task, 0, sizeof *task);
	task->stage = stage;
	task->tile = tile;
	task->wake_ps = INT64_MAX;
	task->since_ps = engine_now();
	task->track = watch_track(WATCH_PROCESSOR, device->number, "chip %u %s, tile %u",
		device->number, stage->ops->name, stage->tile);
	while (*end != NULL)
		end = &(*end)->next;
	*end = task;
	if (cluster->stage_count == cluster->stage_capacity) {
		cluster->stage_capacity =
			cluster->stage_capacity ? 2 * cluster->stage_capacity : 64;
		cluster->stages = allocate_more(
			cluster->stages, cluster->stage_capacity, sizeof *cluster->stages);
	}
	cluster->stages[cluster->stage_count++] = task;
	memset(&stage->wait, 0, sizeof stage->wait);
	stage->wait.idle = true;
	stage->state = TASK_BLOCKED;
	sim_task_wake(task, engine_now());
}

void sim_task_stop(struct device *device, struct stage *stage)
{
	struct task *task = sim_task_of(stage), **place = &sim_tile(device, stage->tile)->tasks;

	sim_tile_alone(task->tile);
	ensure(stage->state == TASK_ENDED || (stage->state == TASK_BLOCKED && stage->wait.idle),
		"stage %s is stopped while it waits for %s", stage->ops->name, stage->wait.what);
	account(task);
	task->generation++;
	stage->state = TASK_ENDED;
	set_awake(task, false);
	while (*place != task)
		place = &(*place)->next;
	*place = task->next;
	task->next = NULL;
}

/* ---- wakes ---- */

static void scheduler_go_on(struct task *task, bool arrival)
{
	if (arrival)
		ask(task);
	else
		sim_task_wake(task, engine_now());
}

/* Checks a stage after a change of the word that it waits for. */
static void recount(struct task *task, bool arrival)
{
	task->expected = sim_tile_word(task->tile, task->stage->wait.address);
	if (reached(task->expected, task->stage->wait.value))
		scheduler_go_on(task, arrival);
	else if (sim_tile_has_turns(task->tile))
		foresee(task);
}

void sim_tasks_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival)
{
	for (struct task *task = tile->tasks; task != NULL; task = task->next) {
		const struct stage_wait *wait = &task->stage->wait;

		if (task->stage->state != TASK_BLOCKED)
			continue;
		if (any_change(wait, address, length))
			scheduler_go_on(task, arrival);
		else if (wait->address - address < length && counts(wait))
			recount(task, arrival);
	}
}

void sim_tasks_expect(struct tile *tile, const struct arrival *arrival)
{
	for (struct task *task = tile->tasks; task != NULL; task = task->next)
		if (task->stage->state == TASK_BLOCKED)
			expect(task, arrival);
}

void sim_tasks_foresee(struct tile *tile)
{
	for (struct task *task = tile->tasks; task != NULL; task = task->next)
		if (task->stage->state == TASK_BLOCKED)
			foresee(task);
}

void sim_task_writes_done_at(
	struct task *task, uint32_t count, int64_t at_ps, cause_id cause, enum charge rest)
{
	sim_task_writes_add(task, count, at_ps, cause, rest);
	sim_settles_at(task->stage->device->cluster, at_ps);
	if (task->stage->state == TASK_BLOCKED)
		foresee(task);
}

void sim_task_read_done(struct task *task)
{
	const struct stage *stage = task->stage;

	task->stage->reads_done++;
	if (stage->state != TASK_BLOCKED)
		return;
	if (stage->wait.on == STAGE_WAIT_TILE ||
		(stage->wait.on == STAGE_WAIT_READS &&
			reached(stage->reads_done, stage->wait.value)))
		ask(task);
}
