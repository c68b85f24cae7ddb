/* Tests a whole machine in the native and the simulated world: 72 chips with 80 workers each. Each
 * worker, each dispatcher and the root has a stage that executes a list of actions. The stages run
 * rounds of broadcast, multicast, work, done counts and reports. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "row.h"
#include "script.h"
#include "test_cluster.h"

#define PATIENCE_NS INT64_C(90000000000)

enum { ROWS = 8, COLUMNS = 9, CHIPS = ROWS * COLUMNS, WORKERS = 80, ROUNDS = 20 };
enum { WORD_GO = 0x40, WORD_DONE = 0x80, CONFIG = 0x8000, CONFIG_BYTES = 512 };

static const struct test_cluster machine = {
	.rows = ROWS,
	.columns = COLUMNS,
	.pcie = TEST_PCIE_LEFT,
	.worker_columns = 10,
	.worker_rows = 8,
};

/* The state of the case; static, since stages outlive its body. */
static struct {
	uint64_t answer; /* window word */
	uint16_t root_tile, dispatcher_tile;
	struct fabric_node forward_nodes[CHIPS], back_nodes[CHIPS][ROWS + COLUMNS];
	struct fabric_tree forward, back[CHIPS];
	struct script root, dispatchers[CHIPS], workers[CHIPS][WORKERS];
} machine_state;

/* ---- trees ---- */

/* Makes a tree that goes along row 0, and from each chip of this row down its column. Its nodes are
 * in breadth-first order, so that the children of a node are consecutive. */
static void make_forward_tree(void)
{
	struct fabric_node *nodes = machine_state.forward_nodes;
	uint16_t count = 1;

	for (uint16_t i = 0; i < count; i++) {
		uint16_t row = nodes[i].chip / COLUMNS, column = nodes[i].chip % COLUMNS;

		nodes[i].deliver = i > 0;
		nodes[i].first_child = count;
		if (row == 0 && column + 1 < COLUMNS)
			nodes[count++] = (struct fabric_node){.chip = column + 1, .parent = i};
		if (row + 1 < ROWS)
			nodes[count++] = (struct fabric_node){
				.chip = (uint16_t)(nodes[i].chip + COLUMNS), .parent = i};
		nodes[i].child_count = (uint16_t)(count - nodes[i].first_child);
	}
	check_equal(count, CHIPS);
	machine_state.forward = (struct fabric_tree){
		.node_count = CHIPS, .deliver_count = CHIPS - 1, .nodes = nodes};
}

/* Makes the tree from `chip` up its column, then back along row 0. */
static void make_back_tree(uint16_t chip)
{
	struct fabric_node *nodes = machine_state.back_nodes[chip];
	uint16_t count = 0, at = chip;

	for (;;) {
		nodes[count] = (struct fabric_node){.chip = at,
			.parent = count > 0 ? count - 1 : 0,
			.first_child = count + 1,
			.child_count = at != 0,
			.deliver = at == 0};
		count++;
		if (at == 0)
			break;
		at = (uint16_t)(at >= COLUMNS ? at - COLUMNS : at - 1);
	}
	machine_state.back[chip] =
		(struct fabric_tree){.node_count = count, .deliver_count = 1, .nodes = nodes};
}

/* ---- firmware ---- */

static void root_broadcasts(struct script *script)
{
	struct extent *extent = extent_new(CONFIG_BYTES);
	uint32_t round = device_row->word(&script->stage, WORD_GO);

	for (uint32_t i = 0; i < CONFIG_BYTES; i += 4)
		memcpy(extent->bytes + i, &(uint32_t){round * 1000 + i}, 4);
	device_row->fabric_write(&script->stage, &machine_state.forward,
		machine_state.dispatcher_tile, CONFIG, span_of(extent), WORD_GO, 1);
	device_row->noc_write(
		&script->stage, machine_state.dispatcher_tile, CONFIG, span_of(extent));
	device_row->noc_increment(&script->stage, machine_state.dispatcher_tile, WORD_GO, 1);
	extent_release(extent);
}

static void root_reports(struct script *script)
{
	uint32_t round = device_row->word(&script->stage, WORD_GO);

	device_row->pcie_write_word(&script->stage, machine_state.answer, round);
}

static void dispatcher_goes(struct script *script)
{
	struct worker_rect all = {.column1 = 9, .row1 = 7};
	uint32_t round = device_row->word(&script->stage, WORD_GO);
	struct span config = device_row->view(&script->stage, CONFIG, CONFIG_BYTES);
	struct span go = span_copy(&round, sizeof(round));

	device_row->noc_multicast(&script->stage, all, CONFIG, config);
	device_row->noc_multicast(&script->stage, all, WORD_GO, go);
	span_release(config);
	span_release(go);
}

static void dispatcher_reports(struct script *script)
{
	struct span none = {.length = 0};

	if (script->number == 0)
		device_row->noc_increment(&script->stage, machine_state.root_tile, WORD_DONE, 1);
	else
		device_row->fabric_write(&script->stage, script->tree, machine_state.root_tile, 0,
			none, WORD_DONE, 1);
}

static void worker_works(struct script *script)
{
	uint32_t round = device_row->word(&script->stage, WORD_GO), config[CONFIG_BYTES / 4];

	check_status(device_row->load(&script->stage, CONFIG, CONFIG_BYTES, config), STATUS_OK);
	check_equal(config[0], round * 1000);
	check_equal(config[127], round * 1000 + 508);
	device_row->noc_increment(&script->stage, machine_state.dispatcher_tile, WORD_DONE, 1);
}

static struct action root_actions[2 * ROUNDS], dispatcher_actions[2 * ROUNDS];
static const struct action worker_actions[] = {{.on = STAGE_WAIT_WORD,
	.address = WORD_GO,
	.value = 1,
	.run = worker_works,
	.repeat = ROUNDS}};

static void make_actions(void)
{
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct action go = {.on = STAGE_WAIT_WORD, .address = WORD_GO, .value = i + 1};
		struct action done = {.on = STAGE_WAIT_WORD, .address = WORD_DONE};

		go.run = root_broadcasts;
		go.sends = true;
		done.value = CHIPS * (i + 1);
		done.run = root_reports;
		root_actions[2 * i] = go;
		root_actions[2 * i + 1] = done;
		go.run = dispatcher_goes;
		go.sends = false;
		done.value = WORKERS * (i + 1);
		done.run = dispatcher_reports;
		done.sends = true;
		dispatcher_actions[2 * i] = go;
		dispatcher_actions[2 * i + 1] = done;
	}
}

static void start_chip(struct cluster *cluster, uint16_t chip)
{
	struct device *device = device_row->chip(cluster, chip);
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[chip].geometry;
	struct script *dispatcher = &machine_state.dispatchers[chip];

	make_back_tree(chip);
	SCRIPT_INIT(dispatcher, device, machine_state.dispatcher_tile, dispatcher_actions);
	dispatcher->number = chip;
	/* chip 0 sends nothing over the fabric; it is ready whenever the root is */
	dispatcher->tree = chip == 0 ? &machine_state.forward : &machine_state.back[chip];
	script_start(dispatcher);
	for (uint32_t i = 0; i < WORKERS; i++) {
		struct script *worker = &machine_state.workers[chip][i];

		SCRIPT_INIT(worker, device, geometry->worker_tiles[i], worker_actions);
		worker->cost = 50 + i;
		script_start(worker);
	}
}

static void all_workers_run_every_round(struct cluster *cluster)
{
	const struct chip_geometry *geometry = device_row->info(cluster)->chips[0].geometry;
	struct device *first = device_row->chip(cluster, 0);
	int64_t deadline_ns = world->now_ns() + PATIENCE_NS;

	machine_state.root_tile = geometry->dispatch_tiles[0];
	machine_state.dispatcher_tile = geometry->dispatch_tiles[1];
	check_status(device_row->window_reserve(cluster, "answer", 64, &machine_state.answer),
		STATUS_OK);
	make_forward_tree();
	make_actions();
	SCRIPT_INIT(&machine_state.root, first, machine_state.root_tile, root_actions);
	machine_state.root.tree = &machine_state.forward;
	script_start(&machine_state.root);
	for (uint16_t chip = 0; chip < CHIPS; chip++)
		start_chip(cluster, chip);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		device_row->post_word(first, machine_state.root_tile, WORD_GO, round);
		check_status(device_row->window_wait(cluster, machine_state.answer, round,
				     deadline_ns, WAIT_PARK, "the end of a round"),
			STATUS_OK);
	}
	check_status(device_row->drain(cluster, deadline_ns), STATUS_OK);
	for (uint16_t chip = 0; chip < CHIPS; chip++) {
		check_equal(machine_state.dispatchers[chip].stage.steps, 2 * ROUNDS);
		for (uint32_t i = 0; i < WORKERS; i++) {
			const struct script *worker = &machine_state.workers[chip][i];

			check_equal(worker->stage.steps, ROUNDS);
			/* a worker checks its condition only at the start, at each go, after each
			 * step, and when its last increment is done */
			check_at_most(worker->asked, 2 * ROUNDS + 2);
		}
	}
}

static const struct row_case cases[] = {
	ROW_CASE(all_workers_run_every_round, machine),
};

int main(void)
{
	return ROW_RUN_SUITE("device grid", cases);
}
