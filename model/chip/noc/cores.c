/* `model.cores: chip`. A go is a word that is multicast to workers and starts a program on each of
 * them. The model handles a go in two events: one when the go has reached its last worker, and one
 * when the last launch is over. It computes from the distances when the go reaches each of the
 * other workers, and when each launch ends. Acknowledgements queue at the sender's atomic unit,
 * together with all other messages to this unit. The run ends with an error if a go reaches a
 * worker that is still running, or if a kernel ends before its go has reached all workers. */

#include <stdlib.h>

#include "base/allocate.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

static struct cores_step *step_new(struct device *device, uint32_t count)
{
	struct cores_step *step = sim_pool_take(&device->cluster->cores_steps);

	if (count > step->capacity) {
		step->launches = allocate_more(step->launches, count, sizeof *step->launches);
		step->arrivals = allocate_more(step->arrivals, count, sizeof *step->arrivals);
		step->capacity = count;
	}
	step->device = device;
	step->count = 0;
	step->crew = NULL;
	return step;
}

static void step_free(struct cores_step *step)
{
	cause_release(step->cause);
	sim_pool_give(&step->device->cluster->cores_steps, step);
}

void sim_cores_step_fini(void *object)
{
	struct cores_step *step = object;

	free(step->launches);
	free(step->arrivals);
}

/* ---- the launches are over ---- */

/* Ends the launch of each worker. Returns false if the run ends with an error. */
static bool end_each(const struct cores_step *step)
{
	struct device *device = step->device;

	for (uint32_t i = 0; i < step->count; i++) {
		const struct cores_launch *launch = &step->launches[i];
		struct stage *stage = launch->task->stage;

		stage->now_ps = launch->end_ps;
		device->cluster->options.cores->finish(stage);
		/* The acknowledgement is a write of the stage. It is counted as posted and as done
		 * here, before it arrives. This is allowed because the stage does not read these
		 * counts in the meantime. */
		stage->writes_posted++;
		stage->writes_done++;
		sim_niu_keep(launch->task->tile);
		if (!sim_task_release(launch->task, (uint64_t)launch->cycles)) {
			sim_cores_refuse(
				launch->task->tile, "a go reached it while it was running");
			return false;
		}
	}
	return true;
}

static void end_event(void *subject, uint64_t argument)
{
	struct cores_step *step = subject;

	(void)argument;
	if ((step->crew == NULL || !sim_crew_end(step)) && end_each(step))
		sim_crew_form(step);
	step_free(step);
}

/* ---- the go has arrived ---- */

/* Delivers the go to a single worker, like any other word. */
static void cores_deliver(const struct cores_step *step, struct tile *tile, int64_t at_ps)
{
	int64_t now_ps = engine_now();

	step->device->cluster->conservation.noc_sent_bytes -= sizeof(uint32_t);
	sim_noc_word_at(
		tile, step->source, at_ps > now_ps ? at_ps : now_ps, step->address, step->value);
}

/* Announces that the worker will send its acknowledgement at `at_ps`. Returns the time at which the
 * acknowledgement will arrive at the tile that counts acknowledgements. */
static int64_t acknowledge(const struct cores_step *step, struct tile *tile, int64_t at_ps)
{
	const struct device *device = step->device;
	int64_t there_ps = sim_niu_promise(tile, at_ps) +
			   sim_noc_path_ps(device, tile->number, step->ack.tile);

	sim_settles_at(
		device->cluster, there_ps + sim_noc_path_ps(device, step->ack.tile, tile->number));
	return there_ps;
}

/* Considers the worker that this go has launched last. Returns this worker if its tile and `tile`
 * share a layer of L1 data (tile.h), otherwise NULL. Nothing writes to L1 between two launches of
 * one go. So shared() returns the same value for the returned worker and the worker of `tile`, for
 * every range. */
static const struct stage *like(const struct cores_step *step, const struct tile *tile)
{
	const struct task *last;

	if (step->count == 0 || tile->layer == NULL)
		return NULL;
	last = step->launches[step->count - 1].task;
	return tile->layer == last->tile->layer && tile->word_bytes == last->tile->word_bytes
		       ? last->stage
		       : NULL;
}

/* Launches the worker of a tile that the go reaches at `at_ps`, and adds the launch to the step.
 * Returns false if the go has not arrived yet, or if the worker must be simulated by itself. The
 * caller must then deliver the go as an ordinary word. */
static bool launch(struct cores_step *step, struct tile *tile, int64_t at_ps)
{
	struct cluster *cluster = step->device->cluster;
	struct task *task = tile->tasks;
	struct cores_launch *one = &step->launches[step->count];

	if (at_ps > engine_now() || !sim_task_is_blocked(task) ||
		!sim_tile_put_word(tile, step->address, step->value))
		return false;
	task->stage->now_ps = at_ps;
	one->cycles = cluster->options.cores->launch(
		task->stage, step->value, like(step, tile), &step->ack);
	if (one->cycles < 0)
		return false;
	one->task = task;
	one->end_ps = at_ps + sim_cycles_ps(&cluster->timing, one->cycles);
	step->arrivals[step->count++] = (struct arrival){.at_ps = one->end_ps};
	sim_task_claim(task, at_ps);
	return true;
}

static void run(struct cores_step *step)
{
	struct device *device = step->device;
	struct sim_conservation *conservation = &device->cluster->conservation;
	const struct cores_launch *last = NULL;
	int64_t now_ps = engine_now(), end_ps = 0, last_ps = 0;
	uint32_t latest = 0;

	for (uint32_t i = 0; i < step->count; i++) {
		const struct cores_launch *one = &step->launches[i];
		struct tile *tile = one->task->tile;
		int64_t there_ps = acknowledge(step, tile, one->end_ps);

		if (one->end_ps < now_ps) {
			sim_cores_refuse(
				tile, "its kernels end before the go has reached all cores");
			return;
		}
		if (one->end_ps > end_ps)
			end_ps = one->end_ps;
		if (there_ps >= last_ps)
			latest = i;
		if (there_ps > last_ps) {
			last_ps = there_ps;
			last = one;
		}
		step->arrivals[i] = (struct arrival){
			there_ps, step->ack.address, 1, true, TILE_ANY, cause_now()};
	}
	conservation->noc_delivered_bytes += 2 * step->count * sizeof(uint32_t);
	conservation->noc_sent_bytes += step->count * sizeof(uint32_t);
	/* Stages always wait for all acknowledgements. So only the acknowledgement that arrives
	 * last needs a cause. */
	cause_release(step->arrivals[latest].cause);
	step->arrivals[latest].cause =
		sim_crew_acknowledged(step, last->task->tile->number, last->task->stage, last_ps);
	sim_tile_increments_come(sim_tile(device, step->ack.tile), step->arrivals, step->count);
	engine_push(end_ps, end_event, step, 0);
}

static void cores_arrived_event(void *subject, uint64_t argument)
{
	struct cores_step *step = subject;
	struct device *device = step->device;
	const struct sim_multicast *multicast = step->multicast;

	(void)argument;
	if (sim_crew_launch(step, end_event)) {
		sim_operation_end(device->cluster);
		return;
	}
	for (uint32_t i = 0; i < multicast->count; i++) {
		struct tile *tile = &device->tiles[multicast->tiles[i]];
		int64_t at_ps = sim_noc_in_order(tile, step->source,
			step->head_ps + multicast->hops[i] * device->cluster->timing.noc_hop_ps);

		sim_tile_alone(tile);
		if (!launch(step, tile, at_ps))
			cores_deliver(step, tile, at_ps);
	}
	if (step->count > 0)
		run(step);
	else
		step_free(step);
	sim_operation_end(device->cluster);
}

/* ---- the go is sent ---- */

static bool all_take(const struct device *device, const struct sim_multicast *multicast,
	uint32_t address, uint32_t value)
{
	if (sim_crew_takes(device, multicast, address, value))
		return true;
	for (uint32_t i = 0; i < multicast->count; i++) {
		struct tile *tile = &device->tiles[multicast->tiles[i]];
		const struct task *task = tile->tasks;

		sim_tile_alone(tile);
		if (task == NULL || task->next != NULL ||
			!device->cluster->options.cores->takes(task->stage, address, value))
			return false;
	}
	return true;
}

bool sim_cores_take(struct stage *sender, const struct sim_multicast *multicast, uint32_t address,
	uint32_t value, int64_t head_ps)
{
	struct device *device = sender->device;
	struct cluster *cluster = device->cluster;
	struct cores_step *step;
	int64_t last_ps =
		head_ps + multicast->hops[multicast->count - 1] * cluster->timing.noc_hop_ps;

	if (!all_take(device, multicast, address, value))
		return false;
	step = step_new(device, multicast->count);
	step->multicast = multicast;
	step->source = sender->tile;
	step->address = address;
	step->value = value;
	step->head_ps = head_ps;
	step->cause = cause_now();
	cluster->conservation.noc_sent_bytes += (uint64_t)multicast->count * sizeof value;
	sim_operation_begin(cluster);
	sim_noc_charge_path(device, last_ps - head_ps + cluster->timing.noc_latency_ps, 1);
	cause_rest(CHARGE_WAIT_NOC);
	engine_push(last_ps, cores_arrived_event, step, 0);
	return true;
}
