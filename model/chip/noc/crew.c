/* Crews, for `model.cores: chip`. A crew consists of the workers of a multicast, as long as all of
 * them do the same. The simulator launches a crew of 72 workers in the same time as a crew of 8.
 * Changes since the crew was formed are stored once, in the crew: the go word, times, and the
 * counters of tasks and NIUs. The firmware keeps its own part of the workers' state (sim_device.h).
 * The intervals between the acknowledgements of a launch are the same for all launches, so they are
 * computed once.
 *
 * Code that reads or changes the tile of one of the workers must split the crew first
 * (sim_tile_alone()), even in the middle of a launch. Only the memory above the words needs no
 * split, because each tile stores its own. After a split, each worker continues by itself. After a
 * launch in which all workers have done the same, they form a crew again. */
#include <stdlib.h>

#include "base/allocate.h"
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

/* The value of promised_ps for tiles in a crew. The NIU then calls sim_niu_pass_promised(), as for
 * a promised acknowledgement, and this function splits the crew. */
#define CREW_PROMISED_PS INT64_MAX

struct cores_crew {
	struct crew head;
	struct cores_crew *next; /* next crew of the chip */
	struct device *device;
	const struct sim_multicast *multicast; /* the multicast of the go words */
	struct stage **stages;		       /* the workers' stages, in the multicast's order */
	void *workers;			       /* the firmware's data about the crew */
	struct cores_step *running;	       /* NULL: the workers wait for a go */
	struct sim_range own;		       /* range set by crew_launch() (sim_device.h) */
	/* since the crew was formed: address of the go word, number of launches, last value */
	uint32_t address, launches, value;
	uint64_t cycles;  /* cycles of all launches that are over */
	int64_t ended_ps; /* time at which the last launch ends at a tile 0 hops away */
	int64_t idle_ps;  /* time from which all workers wait */
	/* Acknowledgements. Times count from the end of the launch at a tile 0 hops away. */
	uint16_t ack_tile;
	struct turn_times times;
	int64_t settle_ps; /* time at which the last receipt is back at its worker */
	uint32_t last;	   /* index of the worker whose acknowledgement is the last */
};

static struct tile *crew_tile(const struct cores_crew *crew, uint32_t i)
{
	return &crew->device->tiles[crew->multicast->tiles[i]];
}

/* Returns how much later the go reaches worker `i` than it would reach a tile 0 hops away. */
static int64_t later_ps(const struct cores_crew *crew, uint32_t i)
{
	return crew->multicast->hops[i] * crew->device->cluster->timing.noc_hop_ps;
}

/* Returns the crew of the tiles of the multicast, or NULL if they have no crew. */
static struct cores_crew *crew_of(
	const struct device *device, const struct sim_multicast *multicast)
{
	struct cores_crew *crew = (struct cores_crew *)device->tiles[multicast->tiles[0]].crew;

	return crew != NULL && crew->multicast == multicast ? crew : NULL;
}

/* ---- the end of a crew ---- */

/* Updates the state of worker `i` with the launches that are over. */
static void member_update(const struct cores_crew *crew, uint32_t i)
{
	const struct sim_timing *timing = &crew->device->cluster->timing;
	struct tile *tile = crew_tile(crew, i);
	struct stage *stage = crew->stages[i];
	uint32_t launches = crew->launches;

	if (launches == 0)
		return;
	stage->busy_cycles += crew->cycles;
	stage->steps += launches;
	stage->writes_posted += launches;
	stage->writes_done += launches;
	tile->tasks->generation += launches;
	tile->tasks->since_ps = crew->idle_ps;
	tile->out.busy_until_ps = crew->ended_ps + later_ps(crew, i) + timing->noc_issue_ps;
	tile->out.busy_ps += launches * timing->noc_issue_ps;
	tile->out.bytes += launches * sizeof(uint32_t);
	tile->out.messages += launches;
}

/* Lets worker `i` continue the present launch without the crew. */
static void member_runs(const struct cores_crew *crew, uint32_t i)
{
	struct cores_step *step = crew->running;
	struct tile *tile = crew_tile(crew, i);
	struct task *task = tile->tasks;
	int64_t at_ps = step->head_ps + later_ps(crew, i);

	sim_task_claim(task, at_ps);
	step->launches[i] = (struct cores_launch){task, step->cycles,
		at_ps + sim_cycles_ps(&crew->device->cluster->timing, step->cycles)};
	tile->promised_ps = step->launches[i].end_ps;
}

static void split(struct crew *head)
{
	struct cores_crew *crew = (struct cores_crew *)head;
	struct cluster *cluster = crew->device->cluster;
	uint32_t count = crew->multicast->count;

	for (uint32_t i = 0; i < count; i++) {
		crew_tile(crew, i)->crew = NULL;
		crew_tile(crew, i)->promised_ps = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		member_update(crew, i);
		if (crew->launches > 0 || crew->running != NULL)
			sim_tile_put_word(crew_tile(crew, i), crew->address, crew->value);
	}
	if (crew->running != NULL) {
		for (uint32_t i = 0; i < count; i++)
			member_runs(crew, i);
		cluster->awake -= count; /* each worker is now counted by itself */
		crew->running->crew = NULL;
		crew->running = NULL;
	}
	cluster->options.cores->crew_split(crew->workers);
}

/* ---- forming ---- */

/* True if the worker can join a crew with the first worker. Its launch must have taken as many
 * cycles as that of the first worker, and its tile must have the same layer and as many words. It
 * must wait for a go, as the only task of its tile. It may not be watched (watch/watch.h) or belong
 * to another crew. No message to its tile may be under way or announced. */
static bool is_at_rest(
	const struct cores_launch *launch, const struct cores_launch *first, int64_t later_ps)
{
	const struct task *task = launch->task;
	const struct tile *tile = task->tile;
	int64_t now_ps = engine_now();
	int64_t sent_ps = now_ps + tile->device->cluster->timing.noc_issue_ps;

	return launch->cycles == first->cycles && launch->end_ps - first->end_ps == later_ps &&
	       tile->layer == first->task->tile->layer &&
	       tile->word_bytes == first->task->tile->word_bytes && tile->tasks == task &&
	       task->next == NULL && sim_task_is_blocked(task) && task->stage->wait.idle &&
	       !task->awake && task->wake_ps == INT64_MAX && task->first_writes == 0 &&
	       task->track == 0 && tile->out.track == 0 && tile->promised_ps == 0 &&
	       tile->out.busy_until_ps <= sent_ps && tile->late_until_ps <= now_ps &&
	       tile->landing == 0 && tile->crew == NULL && !sim_tile_has_turns(tile);
}

static struct cores_crew *crew_new(struct device *device, const struct sim_multicast *multicast)
{
	struct cores_crew *crew = device->crews;

	while (crew != NULL && crew->multicast != multicast)
		crew = crew->next;
	if (crew != NULL)
		return crew;
	crew = allocate(1, sizeof *crew);
	crew->head.split = split;
	crew->device = device;
	crew->multicast = multicast;
	crew->stages = allocate(multicast->count, sizeof(struct stage *));
	crew->next = device->crews;
	device->crews = crew;
	return crew;
}

void sim_crew_form(const struct cores_step *step)
{
	struct device *device = step->device;
	const struct sim_cores *cores = device->cluster->options.cores;
	struct cores_crew *crew;
	void *workers;

	if (cores->crew_form == NULL || device->cluster->links != NULL ||
		step->count != step->multicast->count ||
		!sim_layer_is(step->launches[0].task->tile, step->multicast))
		return;
	for (uint32_t i = 0; i < step->count; i++)
		if (!is_at_rest(&step->launches[i], &step->launches[0],
			    (step->multicast->hops[i] - step->multicast->hops[0]) *
				    device->cluster->timing.noc_hop_ps))
			return;
	crew = crew_new(device, step->multicast);
	for (uint32_t i = 0; i < step->count; i++)
		crew->stages[i] = step->launches[i].task->stage;
	workers = cores->crew_form(crew->workers, crew->stages, step->count);
	if (workers == NULL)
		return;
	crew->workers = workers;
	crew->address = step->address;
	crew->launches = 0;
	crew->cycles = 0;
	crew->idle_ps = engine_now();
	for (uint32_t i = 0; i < step->count; i++) {
		crew_tile(crew, i)->crew = &crew->head;
		crew_tile(crew, i)->promised_ps = CREW_PROMISED_PS;
	}
}

void sim_crews_free(struct device *device)
{
	while (device->crews != NULL) {
		struct cores_crew *crew = device->crews;

		device->crews = crew->next;
		if (crew->workers != NULL)
			device->cluster->options.cores->crew_free(crew->workers);
		free(crew->stages);
		free(crew->times.arrive_ps);
		free(crew->times.start_ps);
		free(crew);
	}
}

/* ---- launches ---- */

bool sim_crew_takes(const struct device *device, const struct sim_multicast *multicast,
	uint32_t address, uint32_t value)
{
	const struct cores_crew *crew = crew_of(device, multicast);

	return crew != NULL && crew->running == NULL &&
	       device->cluster->options.cores->takes(crew->stages[0], address, value);
}

/* Computes crew->times: when each acknowledgement arrives, in ascending order, and when the atomic
 * unit of `ack_tile` starts to serve it. The times count from the end of the launch on a tile that
 * is 0 hops away. Acknowledgements that arrive at the same time keep the order in which the
 * multicast lists their tiles. */
static void times_make(struct cores_crew *crew, uint16_t ack_tile)
{
	const struct device *device = crew->device;
	uint32_t count = crew->multicast->count;
	int64_t *arrive_ps = allocate(count, sizeof *arrive_ps), free_ps = 0, last_ps = -1;
	int64_t *start_ps = allocate(count, sizeof *start_ps), waited_ps = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint16_t tile = crew->multicast->tiles[i];
		int64_t there_ps = later_ps(crew, i) + sim_noc_path_ps(device, tile, ack_tile);
		int64_t back_ps = there_ps + sim_noc_path_ps(device, ack_tile, tile);
		uint32_t at = i;

		for (; at > 0 && arrive_ps[at - 1] > there_ps; at--)
			arrive_ps[at] = arrive_ps[at - 1];
		arrive_ps[at] = there_ps;
		if (there_ps > last_ps) {
			last_ps = there_ps;
			crew->last = i;
		}
		if (back_ps > crew->settle_ps)
			crew->settle_ps = back_ps;
	}
	for (uint32_t i = 0; i < count; i++) {
		start_ps[i] = arrive_ps[i];
		free_ps = sim_tile_turn_ps(&device->tiles[ack_tile], &start_ps[i], free_ps);
		waited_ps += start_ps[i] - arrive_ps[i];
	}
	crew->times = (struct turn_times){count, arrive_ps, start_ps, waited_ps};
	crew->ack_tile = ack_tile;
}

/* True if crew->times gives the exact times at which the acknowledgements of the launch arrive, and
 * the launch is not an error. */
static bool is_regular(
	const struct cores_crew *crew, const struct cores_step *step, int64_t takes_ps)
{
	return takes_ps >= crew->device->cluster->timing.noc_issue_ps &&
	       step->head_ps + later_ps(crew, 0) + takes_ps >= engine_now() &&
	       step->ack.tile == crew->ack_tile;
}

cause_id sim_crew_acknowledged(
	const struct cores_step *step, uint16_t tile, struct stage *launched, int64_t there_ps)
{
	const struct device *device = step->device;
	cause_id before = cause_enter(step->cause), cause;

	sim_noc_charge_path(device, sim_noc_path_ps(device, step->source, tile), 1);
	device->cluster->options.cores->charge(launched);
	sim_noc_charge_path(device, sim_noc_path_ps(device, tile, step->ack.tile), 1);
	cause_rest(CHARGE_WAIT_NOC);
	cause = cause_take(there_ps);
	cause_enter(before);
	return cause;
}

/* Announces all acknowledgements of a launch at once to the tile that receives them. `end_ps` is
 * the time at which the launch would end on a tile that the go reaches after 0 hops. */
static void acknowledgements_come(const struct cores_crew *crew, int64_t end_ps)
{
	const struct cores_step *step = crew->running;
	struct cluster *cluster = crew->device->cluster;
	uint32_t count = crew->multicast->count;
	int64_t last_ps = end_ps + crew->times.arrive_ps[count - 1];
	cause_id cause = cause_now();
	cause_id cause_of_last = sim_crew_acknowledged(
		step, crew->multicast->tiles[crew->last], crew->stages[0], last_ps);

	cluster->conservation.noc_delivered_bytes += 2 * count * sizeof(uint32_t);
	cluster->conservation.noc_sent_bytes += count * sizeof(uint32_t);
	sim_settles_at(cluster, end_ps + crew->settle_ps);
	sim_tile_increments_together(sim_tile(crew->device, crew->ack_tile), &crew->times, end_ps,
		step->ack.address, cause, cause_of_last);
}

bool sim_crew_launch(struct cores_step *step, engine_run *over)
{
	struct cores_crew *crew = crew_of(step->device, step->multicast);
	struct cluster *cluster = step->device->cluster;
	const struct sim_cores *cores = cluster->options.cores;
	uint32_t count = step->multicast->count;
	int64_t takes_ps, end_ps;

	if (crew == NULL || crew->running != NULL || step->head_ps < crew->idle_ps)
		return false;
	crew->stages[0]->now_ps = step->head_ps + later_ps(crew, 0);
	step->cycles = cores->crew_launch(crew->workers, step->value, &step->ack, &crew->own);
	if (step->cycles < 0)
		return false;
	takes_ps = sim_cycles_ps(&cluster->timing, step->cycles);
	if (crew->times.count == 0)
		times_make(crew, step->ack.tile);
	if (crew_of(step->device, step->multicast) != crew || !is_regular(crew, step, takes_ps)) {
		cores->crew_cancel(crew->workers);
		return false;
	}
	end_ps = step->head_ps + takes_ps;
	crew->value = step->value;
	crew->running = step;
	step->crew = crew;
	step->count = count;
	cluster->awake += count;
	acknowledgements_come(crew, end_ps);
	engine_push(end_ps + later_ps(crew, count - 1), over, step, 0);
	return true;
}

bool sim_crew_end(struct cores_step *step)
{
	struct cores_crew *crew = step->crew;
	struct cluster *cluster = step->device->cluster;
	struct sim_packed parts[SIM_PACKED_MAX];
	uint32_t count = sim_layer_packed(
		crew_tile(crew, 0), crew->own.address, crew->own.bytes, parts, SIM_PACKED_MAX);
	int64_t ended_ps = step->head_ps + sim_cycles_ps(&cluster->timing, step->cycles);

	crew->stages[0]->now_ps = ended_ps + later_ps(crew, 0);
	if (!cluster->options.cores->crew_finish(crew->workers, parts, count)) {
		split(&crew->head);
		return false;
	}
	crew->launches++;
	crew->cycles += (uint64_t)step->cycles;
	crew->ended_ps = ended_ps;
	crew->idle_ps = engine_now();
	crew->running = NULL;
	cluster->awake -= step->count;
	if (cluster->awake == 0 && cluster->under_way == 0 && cluster->drainers != NULL)
		sim_quiescent(cluster);
	return true;
}
