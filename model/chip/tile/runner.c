/* The scheduler of stages. Refuses a stage that blocks, twice at one moment, on what is already
 * true: it would be asked for ever. */
#include "chip/tile/runner.h"

#include <stdlib.h>
#include <string.h>

#include "chip/machine/network.h"
#include "chip/tile/tile.h"

/* ---- accounts ---- */

static void account(struct runner *runner)
{
	int64_t now_ps = engine_now();

	if (runner->stage->state == RUNNER_BLOCKED && !runner->stage->wait.idle)
		runner->blocked_ps += now_ps - runner->since_ps;
	runner->since_ps = now_ps;
}

void sim_runner_times(const struct runner *runner, int64_t *busy_ps, int64_t *blocked_ps)
{
	const struct stage *stage = runner->stage;
	int64_t passed_ps = engine_now() - runner->since_ps;

	*busy_ps = sim_cycles_ps(&stage->device->cluster->timing, (int64_t)stage->busy_cycles);
	*blocked_ps = runner->blocked_ps;
	if (stage->state == RUNNER_RUNNING)
		*busy_ps += passed_ps;
	else if (stage->state == RUNNER_BLOCKED && !stage->wait.idle)
		*blocked_ps += passed_ps;
}

static void set_awake(struct runner *runner, bool awake)
{
	struct cluster *cluster = runner->stage->device->cluster;

	if (runner->awake == awake)
		return;
	runner->awake = awake;
	cluster->awake += awake ? 1 : UINT32_MAX;
	if (cluster->awake == 0 && cluster->under_way == 0 && cluster->drainers != NULL)
		sim_rest_reached(cluster);
}

/* ---- asking ---- */

static void ask(struct runner *runner);

static void wake_event(void *subject, uint64_t generation)
{
	struct runner *runner = subject;
	struct cluster *cluster = runner->stage->device->cluster;

	if (generation == runner->generation && runner->stage->state == RUNNER_BLOCKED)
		ask(runner);
	sim_end(cluster);
}

/* Asks a blocked stage at `at_ps`, unless it is asked before that anyway. */
static void wake(struct runner *runner, int64_t at_ps)
{
	if (at_ps >= runner->wake_ps)
		return;
	runner->wake_ps = at_ps;
	sim_begin(runner->stage->device->cluster);
	engine_push(at_ps, wake_event, runner, runner->generation);
}

void sim_runner_commit(struct runner *runner, uint64_t cycles)
{
	struct stage *stage = runner->stage;

	sim_runner_complete(runner);
	stage->busy_cycles += cycles;
	stage->steps++;
	runner->asked_again = false;
	stage->ops->commit(stage);
	ask(runner);
}

static bool reached(uint32_t value, uint32_t wanted)
{
	return (int32_t)(value - wanted) >= 0;
}

static bool accepted(struct runner *runner)
{
	struct cluster *cluster = runner->stage->device->cluster;

	return cluster->network->ready(cluster, runner->stage->wait.fabric);
}

static bool holds(struct runner *runner)
{
	const struct stage *stage = runner->stage;

	switch (stage->wait.on) {
	case STAGE_WAIT_TILE:
		return false;
	case STAGE_WAIT_WORD:
		return reached(sim_tile_word(runner->tile, stage->wait.address), stage->wait.value);
	case STAGE_WAIT_READS:
		return reached(stage->reads_done, stage->wait.value);
	case STAGE_WAIT_WRITES:
		return reached(stage->writes_done, stage->wait.value);
	case STAGE_WAIT_FABRIC:
		return accepted(runner);
	}
	ensure(false, "stage %s waits on %d", stage->ops->name, (int)stage->wait.on);
}

/* True if the stage goes on at any change in [address, address + length) of the words. */
static bool any_change(const struct stage_wait *wait, uint32_t address, uint32_t length)
{
	if (wait->on != STAGE_WAIT_TILE)
		return false;
	if (wait->range_bytes == 0)
		return true;
	return address < wait->range ? wait->range - address < length
				     : address - wait->range < wait->range_bytes;
}

/* True if the stage goes on once the word at wait->address has reached wait->value. */
static bool counts(const struct stage_wait *wait)
{
	return wait->on == STAGE_WAIT_WORD ||
	       (wait->on == STAGE_WAIT_TILE && wait->range_bytes > 0);
}

/* The arrival is known to come: when it has, does the stage go on? */
static void expect(struct runner *runner, const struct arrival *arrival)
{
	const struct stage_wait *wait = &runner->stage->wait;

	if (any_change(wait, arrival->address, sizeof(uint32_t))) {
		wake(runner, arrival->at_ps);
	} else if (wait->address == arrival->address && counts(wait)) {
		runner->expected = arrival->value + (arrival->increment ? runner->expected : 0);
		if (reached(runner->expected, wait->value))
			wake(runner, arrival->at_ps);
	}
}

/* The same for increments that have not arrived yet, if nothing else comes before them. */
static void expect_coming(struct runner *runner)
{
	const struct atomic_unit *unit = runner->tile->atomic;
	int64_t free_ps = unit->busy_until_ps;

	for (uint32_t i = unit->coming_count; i-- > 0 && runner->wake_ps > unit->coming[i].at_ps;) {
		struct arrival arrival = unit->coming[i];

		free_ps = sim_tile_turn_ps(runner->tile, &arrival.at_ps, free_ps);
		expect(runner, &arrival);
	}
}

/* Wakes for what is already known to come: turns at the atomic unit, writes that will be done. */
void sim_runner_foresee(struct runner *runner)
{
	const struct stage *stage = runner->stage;
	const struct atomic_unit *unit = runner->tile->atomic;

	sim_tile_catch_up(runner->tile);
	if (counts(&stage->wait))
		runner->expected = sim_tile_word(runner->tile, stage->wait.address);
	if (unit != NULL)
		for (uint32_t i = 0; i < unit->count; i++)
			expect(runner, &unit->arrivals[(unit->first + i) & (unit->capacity - 1)]);
	if (unit != NULL && unit->coming_count > 0)
		expect_coming(runner);
	if (stage->wait.on == STAGE_WAIT_TILE && runner->first_writes > 0)
		wake(runner, runner->first_ps);
	else if (stage->wait.on == STAGE_WAIT_WRITES)
		wake(runner, sim_runner_writes_reach_ps(runner, stage->wait.value));
}

static void wait_for_fabric(struct runner *runner)
{
	struct device *device = runner->stage->device;

	if (runner->on_fabric)
		return;
	runner->on_fabric = true;
	runner->next_blocked = NULL;
	if (device->fabric_first != NULL)
		device->fabric_last->next_blocked = runner;
	else
		device->fabric_first = runner;
	device->fabric_last = runner;
}

static void block(struct runner *runner)
{
	const struct stage *stage = runner->stage;

	set_awake(runner, !stage->wait.idle);
	if (holds(runner)) {
		ensure(!runner->asked_again, "stage %s blocks on what is already true: %s",
			stage->ops->name, stage->wait.what);
		runner->asked_again = true;
		wake(runner, engine_now());
		return;
	}
	if (stage->wait.on == STAGE_WAIT_FABRIC)
		wait_for_fabric(runner);
	else
		sim_runner_foresee(runner);
}

static void ask(struct runner *runner)
{
	struct stage *stage = runner->stage;
	struct cluster *cluster = stage->device->cluster;
	int64_t cycles;

	account(runner);
	sim_runner_complete(runner);
	runner->generation++;
	runner->wake_ps = INT64_MAX;
	memset(&stage->wait, 0, sizeof stage->wait);
	cycles = stage->ops->begin(stage, &stage->wait);
	if (cycles >= 0) {
		stage->state = RUNNER_RUNNING;
		set_awake(runner, true);
		sim_agenda_put(&stage->device->agenda,
			engine_now() + sim_cycles_ps(&cluster->timing, cycles), runner,
			(uint64_t)cycles);
	} else if (cycles == STAGE_ENDED) {
		stage->state = RUNNER_ENDED;
		set_awake(runner, false);
	} else {
		ensure(cycles == STAGE_BLOCKED, "stage %s answered %lld", stage->ops->name,
			(long long)cycles);
		stage->state = RUNNER_BLOCKED;
		block(runner);
	}
}

bool sim_runner_is_blocked(const struct runner *runner)
{
	return runner->stage->state == RUNNER_BLOCKED;
}

void sim_runner_claim(struct runner *runner, int64_t at_ps)
{
	account(runner);
	runner->since_ps = at_ps;
	runner->generation++;
	runner->wake_ps = INT64_MAX;
	runner->stage->state = RUNNER_RUNNING;
	set_awake(runner, true);
}

bool sim_runner_release(struct runner *runner, uint64_t cycles)
{
	runner->stage->busy_cycles += cycles;
	runner->stage->steps++;
	runner->asked_again = false;
	ask(runner);
	return runner->stage->state == RUNNER_BLOCKED;
}

void sim_runner_start(struct device *device, struct stage *stage)
{
	struct cluster *cluster = device->cluster;
	struct tile *tile = sim_tile(device, stage->tile);
	struct runner *runner = sim_pool_take(&cluster->runners), **end = &tile->runners;

	ensure(stage->device == device, "stage %s started on chip %u", stage->ops->name,
		device->number);
	ensure(tile->word_bytes > 0, "stage %s on tile %u, which has no L1", stage->ops->name,
		stage->tile);
	memset(runner, 0, sizeof *runner);
	runner->stage = stage;
	runner->tile = tile;
	runner->wake_ps = INT64_MAX;
	runner->since_ps = engine_now();
	while (*end != NULL)
		end = &(*end)->next;
	*end = runner;
	if (cluster->stage_count == cluster->stage_capacity) {
		cluster->stage_capacity =
			cluster->stage_capacity ? 2 * cluster->stage_capacity : 64;
		cluster->stages =
			realloc(cluster->stages, cluster->stage_capacity * sizeof *cluster->stages);
		ensure(cluster->stages != NULL, "no memory for %u stages", cluster->stage_capacity);
	}
	cluster->stages[cluster->stage_count++] = runner;
	memset(&stage->wait, 0, sizeof stage->wait);
	stage->wait.idle = true;
	stage->state = RUNNER_BLOCKED;
	wake(runner, engine_now());
}

/* ---- what wakes ---- */

static void go_on(struct runner *runner, bool arrival)
{
	if (arrival)
		ask(runner);
	else
		wake(runner, engine_now());
}

/* The word that the stage counts has changed. */
static void recount(struct runner *runner, bool arrival)
{
	const struct atomic_unit *unit = runner->tile->atomic;

	runner->expected = sim_tile_word(runner->tile, runner->stage->wait.address);
	if (reached(runner->expected, runner->stage->wait.value))
		go_on(runner, arrival);
	else if (unit != NULL && unit->count + unit->coming_count > 0)
		sim_runner_foresee(runner);
}

void sim_runners_touched(struct tile *tile, uint32_t address, uint32_t length, bool arrival)
{
	for (struct runner *runner = tile->runners; runner != NULL; runner = runner->next) {
		const struct stage_wait *wait = &runner->stage->wait;

		if (runner->stage->state != RUNNER_BLOCKED)
			continue;
		if (any_change(wait, address, length))
			go_on(runner, arrival);
		else if (wait->address - address < length && counts(wait))
			recount(runner, arrival);
	}
}

void sim_runners_expect(struct tile *tile, const struct arrival *arrival)
{
	for (struct runner *runner = tile->runners; runner != NULL; runner = runner->next)
		if (runner->stage->state == RUNNER_BLOCKED)
			expect(runner, arrival);
}

void sim_runners_foresee(struct tile *tile)
{
	for (struct runner *runner = tile->runners; runner != NULL; runner = runner->next)
		if (runner->stage->state == RUNNER_BLOCKED)
			sim_runner_foresee(runner);
}

void sim_runners_fabric(struct device *device)
{
	struct runner *runner = device->fabric_first;

	device->fabric_first = device->fabric_last = NULL;
	while (runner != NULL) {
		struct runner *next = runner->next_blocked;
		const struct stage *stage = runner->stage;

		runner->on_fabric = false;
		if (stage->state == RUNNER_BLOCKED && stage->wait.on == STAGE_WAIT_FABRIC) {
			if (accepted(runner))
				wake(runner, engine_now());
			else
				wait_for_fabric(runner);
		}
		runner = next;
	}
}

void sim_runner_writes_done_at(struct runner *runner, uint32_t count, int64_t at_ps)
{
	sim_runner_writes_add(runner, count, at_ps);
	sim_settles_at(runner->stage->device->cluster, at_ps);
	if (runner->stage->state == RUNNER_BLOCKED)
		sim_runner_foresee(runner);
}

void sim_runner_read_done(struct runner *runner)
{
	const struct stage *stage = runner->stage;

	runner->stage->reads_done++;
	if (stage->state != RUNNER_BLOCKED)
		return;
	if (stage->wait.on == STAGE_WAIT_TILE ||
		(stage->wait.on == STAGE_WAIT_READS &&
			reached(stage->reads_done, stage->wait.value)))
		ask(runner);
}
