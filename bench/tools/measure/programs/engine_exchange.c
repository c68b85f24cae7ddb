/* bench-engine: runs the exchange of engine_exchange.h on meshsim's engine. Messages have no
 * payload and nothing is recorded, so only the engine is measured. */
#include "engine_exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "engine/engine.h"
#include "engine/server.h"

struct chip;

struct stage {
	struct chip *chip;
	uint32_t index, waiting, credits;
	uint32_t commands; /* number of finished commands */
	bool busy;
};

struct core {
	struct chip *chip;
	uint32_t index;
	uint32_t step;
};

struct chip {
	uint32_t id, child_count, children[2], parent;
	uint32_t acknowledged, subtrees;
	struct pipe down[2], up, noc;
	struct stage stages[EXCHANGE_STAGES];
	struct core *cores;
};

static struct {
	const struct exchange *exchange;
	struct exchange_cost *cost;
	struct chip *chips;
	struct actor *host;
} run;

static int64_t stage_cost_ps(const struct stage *stage)
{
	return 40000 + (stage->chip->id * 131 + stage->index * 17 + stage->commands * 7) % 997;
}

static int64_t noc_distance_ps(const struct chip *chip, uint32_t core)
{
	return 9000 * (int64_t)(core % 8 + 1 + core / 8 + 1) + (chip->id * 37 + core * 11) % 499;
}

/* ---- acknowledgements ---- */

static void check_complete(struct chip *chip);

static void subtree_complete(void *subject, uint64_t unused)
{
	struct chip *chip = subject;
	(void)unused;
	chip->subtrees++;
	check_complete(chip);
}

static void check_complete(struct chip *chip)
{
	if (chip->acknowledged < EXCHANGE_CORES || chip->subtrees < chip->child_count)
		return;
	chip->acknowledged = chip->subtrees = 0;
	if (chip->id == 0) {
		actor_wake(run.host);
		return;
	}
	int64_t free_ps = pipe_pass(&chip->up, engine_now(), EXCHANGE_ACK_BYTES, 0);
	engine_push(free_ps + chip->up.latency_ps, subtree_complete, &run.chips[chip->parent], 0);
}

static void acknowledged(void *subject, uint64_t unused)
{
	struct chip *chip = subject;
	(void)unused;
	chip->acknowledged++;
	check_complete(chip);
}

/* ---- cores ---- */

static void core_step(void *subject, uint64_t unused)
{
	struct core *core = subject;
	(void)unused;
	/* the go and the acknowledgement are events, too */
	if (++core->step < run.exchange->core_events - 1) {
		int64_t takes_ps = core->step == 1 ? 100000 + core->index % 7 * 10000 : 5000;
		engine_push(engine_now() + takes_ps, core_step, core, 0);
		return;
	}
	core->step = 0;
	struct chip *chip = core->chip;
	int64_t at_router_ps = engine_now() + noc_distance_ps(chip, core->index);
	int64_t free_ps = pipe_pass(&chip->noc, at_router_ps, EXCHANGE_ACK_BYTES, 0);
	engine_push(free_ps + chip->noc.latency_ps, acknowledged, chip, 0);
}

static void send_go(struct chip *chip)
{
	for (uint32_t i = 0; i < EXCHANGE_CORES; i++)
		engine_push(engine_now() + noc_distance_ps(chip, i), core_step, &chip->cores[i], 0);
}

/* ---- stages ---- */

static void stage_done(void *subject, uint64_t unused);

static void stage_try(struct stage *stage)
{
	bool last = stage->index == EXCHANGE_STAGES - 1;
	if (stage->busy || stage->waiting == 0 || (!last && stage[1].credits == 0))
		return;
	if (!last)
		stage[1].credits--;
	stage->waiting--;
	stage->busy = true;
	engine_push(engine_now() + stage_cost_ps(stage), stage_done, stage, 0);
}

static void stage_done(void *subject, uint64_t unused)
{
	struct stage *stage = subject;
	(void)unused;
	stage->busy = false;
	stage->commands++;
	if (stage->index < EXCHANGE_STAGES - 1) {
		stage[1].waiting++;
		stage_try(stage + 1);
	} else if (stage->commands % run.exchange->commands == 0) {
		send_go(stage->chip);
	}
	stage->credits++;
	if (stage->index > 0)
		stage_try(stage - 1);
	stage_try(stage);
}

static void command_arrives(void *subject, uint64_t unused)
{
	struct chip *chip = subject;
	(void)unused;
	for (uint32_t i = 0; i < chip->child_count; i++) {
		struct pipe *pipe = &chip->down[i];
		int64_t free_ps = pipe_pass(pipe, engine_now(), EXCHANGE_COMMAND_BYTES, 0);
		engine_push(free_ps + pipe->latency_ps, command_arrives,
			&run.chips[chip->children[i]], 0);
	}
	chip->stages[0].waiting++;
	stage_try(&chip->stages[0]);
}

/* ---- the host ---- */

static void wake_host(void *subject, uint64_t unused)
{
	(void)unused;
	actor_wake(subject);
}

static void broadcast(void)
{
	for (uint32_t i = 0; i < run.exchange->commands; i++) {
		engine_push(engine_now() + 300000, wake_host, run.host, 0);
		actor_block("its own work");
		engine_push(engine_now(), command_arrives, &run.chips[0], 0);
	}
	actor_block("the acknowledgement of every chip");
}

static void host(void *unused)
{
	(void)unused;
	run.host = actor_self();
	if (run.exchange->stepping)
		engine_activity_begin();
	broadcast();
	double cpu_s = exchange_cpu_s();
	uint64_t events = engine_events();
	int64_t start_ps = engine_now();
	for (uint32_t i = 0; i < run.exchange->broadcasts; i++)
		broadcast();
	run.cost->cpu_s = exchange_cpu_s() - cpu_s;
	run.cost->events = engine_events() - events;
	run.cost->simulated_ps = engine_now() - start_ps;
	if (run.exchange->stepping)
		engine_activity_end();
}

static void chip_init(struct chip *chip, uint32_t id)
{
	const struct pipe link = {.bandwidth_bytes_per_s = 12500000000u, .latency_ps = 547160};
	chip->id = id;
	chip->child_count = exchange_children(run.exchange, id, chip->children);
	chip->parent = exchange_parent(run.exchange, id);
	chip->down[0] = chip->down[1] = chip->up = link;
	chip->noc = (struct pipe){.bandwidth_bytes_per_s = 64000000000u};
	chip->cores = allocate(EXCHANGE_CORES, sizeof(*chip->cores));
	for (uint32_t i = 0; i < EXCHANGE_CORES; i++)
		chip->cores[i] = (struct core){.chip = chip, .index = i};
	for (uint32_t s = 0; s < EXCHANGE_STAGES; s++)
		chip->stages[s] =
			(struct stage){.chip = chip, .index = s, .credits = EXCHANGE_CREDITS};
}

void exchange_open_engine(void)
{
	char path[] = "/tmp/bench-engine-XXXXXX.xml";
	int descriptor = mkstemps(path, 4);
	ensure(descriptor >= 0, "cannot write %s", path);
	FILE *file = fdopen(descriptor, "w");
	fprintf(file, "<?xml version='1.0'?>\n"
		      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		      "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">"
		      "<host id=\"host\" speed=\"1Gf\"/></zone></platform>\n");
	fclose(file);
	ensure(engine_open(path) == STATUS_OK, "cannot load %s", path);
	unlink(path);
}

void exchange_on_engine(const struct exchange *exchange, struct exchange_cost *cost)
{
	uint32_t chip_count = exchange->columns * exchange->rows;
	exchange_open_engine();
	uint64_t before = exchange_resident_bytes();
	run.exchange = exchange;
	run.cost = cost;
	run.chips = allocate(chip_count, sizeof(*run.chips));
	for (uint32_t i = 0; i < chip_count; i++)
		chip_init(&run.chips[i], i);
	enum engine_end end = engine_run_main("host", host, NULL, (struct engine_limits){0});
	ensure(end == ENGINE_FINISHED, "the exchange ended with %d", (int)end);
	cost->bytes = exchange_resident_bytes() - before;
	cost->deliveries = exchange_deliveries(exchange) * exchange->broadcasts;
	cost->heap_high_water = engine_heap_high_water();
}

/* ---- shared by both ---- */

double exchange_cpu_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

uint64_t exchange_resident_bytes(void)
{
	unsigned long pages = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file)
		return 0;
	if (fscanf(file, "%lu %lu", &pages, &resident) != 2)
		resident = 0;
	fclose(file);
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint32_t exchange_children(const struct exchange *exchange, uint32_t chip, uint32_t children[2])
{
	uint32_t column = chip % exchange->columns, row = chip / exchange->columns, count = 0;
	if (row == 0 && column + 1 < exchange->columns)
		children[count++] = chip + 1;
	if (row + 1 < exchange->rows)
		children[count++] = chip + exchange->columns;
	return count;
}

uint32_t exchange_parent(const struct exchange *exchange, uint32_t chip)
{
	if (chip == 0)
		return 0;
	return chip < exchange->columns ? chip - 1 : chip - exchange->columns;
}

uint64_t exchange_deliveries(const struct exchange *exchange)
{
	uint64_t chips = (uint64_t)exchange->columns * exchange->rows;
	return (chips - 1) * exchange->commands + chips * EXCHANGE_CORES * 2 + (chips - 1);
}
