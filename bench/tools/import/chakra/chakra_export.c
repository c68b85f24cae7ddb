/* Converts the steps of a scenario to a Chakra trace. Each device becomes a rank. A step becomes a
 * node of each rank whose device executes it; waits and work of the host become nodes of all ranks.
 * A device's node depends on the previous node of the device and the previous node of the host. A
 * host's node depends only on the previous node of the host. If devices are divided into
 * sub-devices, nodes of one command queue do not depend on those of the other, except where a queue
 * waits for an event. */
#include "chakra_exporter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "programs/collective.h"
#include "programs/messages.h"

/* ---- keys as text ---- */

static void chakra_put_flow(const struct tree_node *node, struct text *out)
{
	if (node->kind == TREE_SCALAR) {
		text_append(out, node->text);
		return;
	}
	text_append(out, node->kind == TREE_MAP ? "{" : "[");
	for (uint32_t i = 0; i < node->count; i++) {
		text_append(out, i > 0 ? ", " : "");
		if (node->kind == TREE_MAP)
			text_printf(out, "%s: ", node->pairs[i].key);
		chakra_put_flow(
			node->kind == TREE_MAP ? node->pairs[i].value : node->items[i], out);
	}
	text_append(out, node->kind == TREE_MAP ? "}" : "]");
}

/* Returns the keys and values of a map as text, except the keys in `without`. */
static const char *keys_without(
	struct exporter *exporter, const struct tree_node *map, const char *const *without)
{
	struct text out = {0};
	const char *kept;

	for (uint32_t i = 0; map && map->kind == TREE_MAP && i < map->count; i++) {
		bool wanted = true;

		for (uint32_t k = 0; without[k]; k++)
			wanted &= strcmp(without[k], map->pairs[i].key) != 0;
		if (!wanted)
			continue;
		text_printf(&out, "%s%s: ", out.length > 0 ? ", " : "", map->pairs[i].key);
		chakra_put_flow(map->pairs[i].value, &out);
	}
	kept = arena_string(exporter->arena, text_string(&out));
	text_fini(&out);
	return kept;
}

/* ---- programs ---- */

static const char *program_name(struct exporter *exporter, const char *from)
{
	char *name = arena_printf(exporter->arena, "%.*s", CHAKRA_NAME_MAX, from);

	for (char *at = name; *at; at++)
		if (!((*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
			    (*at >= 'a' && *at <= 'z') || *at == '-'))
			*at = '_';
	return name;
}

static void export_program(struct exporter *exporter, const struct step *step,
	const struct program_keys *program, uint32_t index, const struct tree_node *map)
{
	static const char *const without[] = {"program", "devices", "run_ns", "identity", "queue",
		"blocking", "imbalance", "sub_device", NULL};
	struct device_range range = devices_range(program->devices, exporter->shape);
	bool own = step->workload.program_count == 0;
	uint64_t run_ns = own && step_programs(step, &(uint32_t){0})->program == program->program &&
					  !(step->workload.maker &&
						  step->workload.maker->workload.program_count > 0)
				  ? step->workload.own.run_ns
				  : program->run_ns;
	double imbalance = own ? step->workload.own.imbalance : program->imbalance;
	const char *keys = keys_without(exporter, map, without);

	if (program_acts(program) || program->pages > 1) {
		diag_error(exporter->diag, step->where,
			"program '%s' is no filler of one page, so a trace cannot say how long it "
			"runs",
			program->program);
		return;
	}
	if (imbalance > 0)
		keys = arena_printf(exporter->arena, "%s%simbalance: %.6f", keys,
			keys[0] ? ", " : "", imbalance);
	for (uint32_t row = range.row0; row <= range.row1; row++)
		for (uint32_t column = range.column0; column <= range.column1; column++)
			(void)exporter_add(exporter,
				exporter->rank_of[row * exporter->shape.columns + column],
				(struct chakra_node){.type = CHAKRA_COMPUTE,
					.name = program_name(exporter, program->program),
					.duration_ns = run_ns,
					.tag = index,
					.keys = keys[0] ? keys : "pages: 1"},
				exporter_lane(exporter, step->workload.queue));
}

static void export_workload(struct exporter *exporter, const struct step *step)
{
	const struct step *maker = step->workload.maker ? step->workload.maker : step;
	const struct tree_node *map = exporter->keys[maker->number];
	const struct tree_node *list = map ? tree_get(map, "programs") : NULL;
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; i < count; i++)
		export_program(exporter, step, &programs[i], i, list ? list->items[i] : map);
}

/* ---- collectives ---- */

static void export_messages(struct exporter *exporter, const struct collective_step *step)
{
	enum lane lane = exporter_lane(exporter, step->queue);

	exporter_add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_STEP}, lane);
	for (uint32_t i = 0; i < step->rank_count; i++)
		for (uint32_t k = 0; k < step->ranks[i].count; k++) {
			const struct message_keys *message = &step->ranks[i].at[k];
			struct chakra_node node = {.type = CHAKRA_COMPUTE,
				.name = "busy",
				.duration_ns = message->busy_ns,
				.keys = CHAKRA_KEYS_BUSY};

			if (message->kind != MESSAGE_BUSY)
				node = (struct chakra_node){.type = message->kind == MESSAGE_SEND
									    ? CHAKRA_SEND
									    : CHAKRA_RECEIVE,
					.peer = message->peer,
					.tag = message->tag,
					.bytes = message->bytes};
			(void)exporter_add(exporter, i, node, lane);
		}
	exporter_add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_STEP}, lane);
}

/* Returns a name for the group, which is equal for groups of the same devices in the same order. */
static const char *group_name(struct exporter *exporter, const struct group_keys *group, bool ring)
{
	uint64_t hash = hash_more(HASH_EMPTY, group->places, group->count * sizeof *group->places);

	return arena_printf(exporter->arena, "group-%016" PRIx64, hash_mix(hash + ring));
}

/* Adds the node of a collective to the ranks of each group. */
static void add_to_groups(struct exporter *exporter, const struct collective_step *keys,
	struct chakra_node node, enum lane lane)
{
	bool ring = keys->topology == 1;
	uint32_t *order = arena_array(exporter->arena, exporter->trace->count, sizeof *order);

	(void)collective_order(exporter->shape, ring, order, NULL);
	node.tag = ++exporter->grouped;
	for (uint32_t i = 0; i < keys->group_count; i++) {
		const struct group_keys *group = &keys->groups[i];

		node.group = group_name(exporter, group, ring);
		node.root = exporter->rank_of[order[group->places[keys->root]]];
		for (uint32_t k = 0; k < group->count; k++) {
			node.place = k + 1;
			(void)exporter_add(
				exporter, exporter->rank_of[order[group->places[k]]], node, lane);
		}
	}
}

static void export_collective(struct exporter *exporter, const struct step *step)
{
	static const char *const without[] = {"op", "topology", "size_bytes", "root", "identity",
		"queue", "blocking", "ranks", "groups", NULL};
	static const enum chakra_comm comms[] = {[COLLECTIVE_ALL_GATHER] = CHAKRA_ALL_GATHER,
		[COLLECTIVE_REDUCE_SCATTER] = CHAKRA_REDUCE_SCATTER,
		[COLLECTIVE_ALL_REDUCE] = CHAKRA_ALL_REDUCE,
		[COLLECTIVE_ALL_TO_ALL] = CHAKRA_ALL_TO_ALL,
		[COLLECTIVE_BROADCAST] = CHAKRA_BROADCAST};
	const struct step *maker = step->collective.maker ? step->collective.maker : step;
	const struct collective_step *keys = &maker->collective;
	enum lane lane = exporter_lane(exporter, step->collective.queue);
	uint32_t ranks = keys->group_count > 0 ? keys->groups[0].count : exporter->trace->count;
	bool whole = keys->op == COLLECTIVE_ALL_GATHER || keys->op == COLLECTIVE_ALL_TO_ALL;
	struct chakra_node node = {.type = CHAKRA_COLLECTIVE};

	if (keys->op == STEP_MESSAGES) {
		export_messages(exporter, keys);
		return;
	}
	node.comm = comms[keys->op];
	node.name = step->as ? program_name(exporter, step->as) : NULL;
	node.bytes = whole ? (keys->size_bytes + ranks - 1) / ranks : keys->size_bytes;
	node.root = keys->root;
	node.keys = keys_without(exporter, exporter->keys[maker->number], without);
	if ((keys->topology == 1) != exporter->ring)
		node.keys = arena_printf(exporter->arena, "topology: %s%s%s",
			keys->topology == 1 ? "ring" : "line", node.keys[0] ? ", " : "", node.keys);
	if (keys->group_count > 0)
		add_to_groups(exporter, keys, node, lane);
	else
		exporter_add_to_all(exporter, node, lane);
}

/* ---- other steps ---- */

static void export_finish(struct exporter *exporter)
{
	exporter_add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_FINISH},
		LANE_ALL);
}

static void export_think(struct exporter *exporter, const struct think_step *step)
{
	if (step->for_ns > 0)
		exporter_add_to_all(exporter,
			(struct chakra_node){.type = CHAKRA_COMPUTE,
				.name = "host",
				.on_cpu = true,
				.duration_ns = step->for_ns},
			LANE_HOST);
	else if (exporter->depth == 0)
		exporter_add_to_all(exporter,
			(struct chakra_node){.type = CHAKRA_METADATA,
				.on_cpu = true,
				.tensor_bytes = step->until_ns,
				.keys = CHAKRA_KEYS_UNTIL},
			LANE_HOST);
	exporter->left_out += step->for_ns == 0 && exporter->depth > 0;
}

/* Exports a step that has effects only between command queues, or is left out. */
static void export_other(struct exporter *exporter, const struct step *step)
{
	bool at_host = step->kind == STEP_WAIT_EVENT && (step->wait.host || step->wait.executors);

	if (exporter->divided && step->kind == STEP_RECORD_EVENT)
		exporter_record(exporter, &step->record);
	else if (exporter->divided && step->kind == STEP_WAIT_EVENT && !at_host)
		exporter_wait(exporter, &step->wait);
	else if (!exporter->divided || step->kind != STEP_LOAD_SUB_DEVICES)
		exporter->left_out++;
}

static void export_steps(struct exporter *exporter, const struct step *steps, uint32_t count);

static void export_body(struct exporter *exporter, const struct repeat_step *body, uint64_t times)
{
	for (uint64_t i = 0; i < times * body->times && exporter->nodes < EXPORT_NODES_MAX &&
			     diag_errors(exporter->diag) == 0;
		i++)
		export_steps(exporter, body->steps, body->step_count);
}

static void export_step(struct exporter *exporter, const struct step *step)
{
	switch (step->kind) {
	case STEP_REPEAT:
		exporter->depth++;
		export_body(exporter, &step->repeat, 1);
		exporter->depth--;
		break;
	case STEP_TRACE:
		exporter->traces++;
		export_body(exporter, &step->trace.body, step->trace.replays);
		break;
	case STEP_REPLAY_TRACE:
		if (step->replay.captured)
			export_body(
				exporter, &step->replay.captured->trace.body, step->replay.times);
		break;
	case STEP_ENQUEUE_WORKLOAD:
		exporter->queues += step->workload.queue > 0 && !exporter->divided;
		export_workload(exporter, step);
		break;
	case STEP_COLLECTIVE:
		exporter->queues += step->collective.queue > 0 && !exporter->divided;
		export_collective(exporter, step);
		break;
	case STEP_FINISH:
		export_finish(exporter);
		break;
	case STEP_THINK:
		export_think(exporter, &step->think);
		break;
	default:
		export_other(exporter, step);
		break;
	}
}

static void export_steps(struct exporter *exporter, const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		export_step(exporter, &steps[i]);
}

/* ---- all ---- */

/* Stores in exporter->keys, for each step, the keys that the scenario gives. */
static void find_keys(struct exporter *exporter, const struct step *steps, uint32_t count,
	const struct tree_node *list)
{
	for (uint32_t i = 0; list && i < count && i < list->count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const struct tree_node *item = list->items[i];

		if (item->kind != TREE_MAP)
			continue;
		exporter->keys[steps[i].number] = tree_get(item, step_name(steps[i].kind));
		if (body)
			find_keys(exporter, body->steps, body->step_count, tree_get(item, "do"));
	}
}

/* Returns the topology of the first collective: 0 for a line, 1 for a ring; 2 if there is no
 * collective. */
static uint32_t first_topology(const struct step *steps, uint32_t count)
{
	uint32_t found = 2;

	for (uint32_t i = 0; i < count && found == 2; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (steps[i].kind == STEP_COLLECTIVE)
			found = steps[i].collective.topology;
		else if (body)
			found = first_topology(body->steps, body->step_count);
	}
	return found;
}

static void exporter_init(struct exporter *exporter)
{
	const struct scenario *scenario = exporter->plan->scenario;
	uint32_t ranks, *order, steps = steps_count(scenario->steps, scenario->step_count);
	struct mesh_config config;
	struct arena *arena = exporter->arena;

	scenario_mesh_config(scenario, exporter->plan->platform, NULL, NULL, 0, &config);
	exporter->shape = config.shape;
	ranks = mesh_shape_count(config.shape);
	exporter->ring = first_topology(scenario->steps, scenario->step_count) == 1;
	exporter->trace = arena_alloc(arena, sizeof *exporter->trace);
	exporter->trace->name = scenario->name;
	exporter->trace->count = ranks;
	exporter->trace->ranks = arena_array(arena, ranks, sizeof *exporter->trace->ranks);
	exporter->room = arena_array(arena, ranks, sizeof(uint32_t));
	for (uint32_t i = 0; i < LANES; i++) {
		exporter->last[i] = arena_array(arena, ranks, sizeof(uint32_t));
		exporter->awaited[i] = arena_array(arena, ranks, sizeof(uint32_t));
	}
	exporter->divided = scenario->runtime.sub_device_count > 0;
	exporter->host = arena_array(arena, ranks, sizeof(uint32_t));
	exporter->rank_of = arena_array(arena, ranks, sizeof(uint32_t));
	exporter->keys = arena_array(arena, steps + 1u, sizeof *exporter->keys);
	order = arena_array(arena, ranks, sizeof *order);
	if (ranks > 1)
		(void)collective_order(config.shape, exporter->ring, order, NULL);
	for (uint32_t i = 0; i < ranks; i++) {
		struct chakra_rank *rank = &exporter->trace->ranks[i];

		exporter->rank_of[order[i]] = i;
		exporter->host[i] = NONE;
		for (uint32_t k = 0; k < LANES; k++)
			exporter->last[k][i] = exporter->awaited[k][i] = NONE;
		rank->rows = config.shape.rows;
		rank->columns = config.shape.columns;
		rank->ring = exporter->ring;
		rank->platform =
			scenario->platform->kind == TREE_SCALAR ? scenario->platform->text : "";
	}
	find_keys(exporter, scenario->steps, scenario->step_count,
		tree_get(tree_root(exporter->plan->tree), "workload"));
}

static void export_notes(const struct exporter *exporter, struct text *notes)
{
	text_printf(notes, "%llu nodes of %u rank%s\n", (unsigned long long)exporter->nodes,
		exporter->trace->count, exporter->trace->count == 1 ? "" : "s");
	if (exporter->left_out > 0)
		text_printf(notes,
			"%u steps are left out: a trace has programs, collectives, messages, the "
			"host's time and where it waits\n",
			exporter->left_out);
	if (exporter->traces > 0)
		text_append(notes, "traces are written as what they replay\n");
	if (exporter->divided)
		text_append(notes, "sub-devices are not in a trace: nodes of two command queues "
				   "depend on each other only where a queue waits for an event\n");
	if (exporter->queues > 0)
		text_append(notes, "the steps of a device are in the order of the file, whatever "
				   "their queue\n");
	text_append(notes, "the design choices of the scenario are not in a trace\n");
}

/* Moves the nodes into the arena, from memory that could grow. */
static void keep_nodes(struct exporter *exporter)
{
	for (uint32_t i = 0; i < exporter->trace->count; i++) {
		struct chakra_rank *rank = &exporter->trace->ranks[i];
		struct chakra_node *kept = arena_array(exporter->arena, rank->count, sizeof *kept);

		if (rank->count > 0)
			memcpy(kept, rank->nodes, rank->count * sizeof *kept);
		free(rank->nodes);
		rank->nodes = kept;
	}
}

struct chakra_trace *chakra_export_make(
	const struct run_plan *plan, struct arena *arena, struct diag *diag, struct text *notes)
{
	struct exporter exporter = {.plan = plan, .arena = arena, .diag = diag};
	const struct scenario *scenario = plan->scenario;
	size_t before = diag_errors(diag);

	if (scenario_mesh_count(scenario) > 1) {
		diag_error(diag, scenario->steps[0].where, "a trace of several meshes");
		return NULL;
	}
	exporter_init(&exporter);
	export_steps(&exporter, scenario->steps, scenario->step_count);
	for (uint32_t i = 0; i < exporter.trace->count && diag_errors(diag) == before; i++)
		if (exporter.trace->ranks[i].count == 0)
			(void)exporter_add(&exporter, i,
				(struct chakra_node){.type = CHAKRA_METADATA, .name = "idle"},
				LANE_FIRST);
	if (exporter.nodes == EXPORT_NODES_MAX)
		diag_error(diag, scenario->steps[0].where, "more than %d nodes", EXPORT_NODES_MAX);
	keep_nodes(&exporter);
	export_notes(&exporter, notes);
	return diag_errors(diag) == before ? exporter.trace : NULL;
}
