/* Converts the steps of a scenario to a Chakra trace. Each device becomes a rank. A step becomes a
 * node of each rank whose device executes it; waits and work of the host become nodes of all ranks.
 * A device's node depends on the previous node of the device and the previous node of the host. A
 * host's node depends only on the previous node of the host. */
#include "chakra_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "programs/collective.h"
#include "programs/messages.h"

enum { NONE = UINT32_MAX, EXPORT_NODES_MAX = 1000000 };

struct exporter {
	const struct run_plan *plan;
	struct arena *arena;
	struct diag *diag;
	struct mesh_shape shape;
	struct chakra_trace *trace;
	uint32_t *room;		       /* [rank] number of nodes for which memory is allocated */
	uint32_t *rank_of;	       /* [device] */
	uint32_t *last, *host;	       /* [rank] last node of the device, and last node of the
					* host; NONE: none yet */
	const struct tree_node **keys; /* [step] its keys as written */
	uint64_t nodes;
	uint32_t left_out, traces, queues; /* numbers of steps, for notes to the user: steps that
					    * were left out, traces, and steps on other queues than
					    * the first */
	uint32_t depth; /* of repeats, in which `until` counts from each iteration */
	bool ring;
};

/* ---- nodes ---- */

static uint32_t *needs_of(struct exporter *exporter, uint32_t a, uint32_t b, uint32_t *count)
{
	uint32_t *needs = arena_array(exporter->arena, 2, sizeof *needs);

	*count = 0;
	if (a != NONE)
		needs[(*count)++] = a;
	if (b != NONE && b != a)
		needs[(*count)++] = b;
	return needs;
}

/* Appends a node to a rank. `of_host`: the host executes the node, without waiting for the device.
 */
static struct chakra_node *add_node(
	struct exporter *exporter, uint32_t rank, struct chakra_node node, bool of_host)
{
	struct chakra_rank *of = &exporter->trace->ranks[rank];

	if (exporter->nodes == EXPORT_NODES_MAX)
		return NULL;
	exporter->nodes++;
	if (of->count == exporter->room[rank]) {
		exporter->room[rank] = of->count > 0 ? 2 * of->count : 64;
		of->nodes = allocate_more(of->nodes, exporter->room[rank], sizeof *of->nodes);
	}
	node.id = of->count;
	node.name = node.name ? node.name : "";
	node.group = "";
	node.keys = node.keys ? node.keys : "";
	node.needs = needs_of(exporter, of_host ? NONE : exporter->last[rank], exporter->host[rank],
		&node.need_count);
	(of_host ? exporter->host : exporter->last)[rank] = of->count;
	of->nodes[of->count] = node;
	return &of->nodes[of->count++];
}

static void add_to_all(struct exporter *exporter, struct chakra_node node, bool of_host)
{
	for (uint32_t i = 0; i < exporter->trace->count; i++)
		(void)add_node(exporter, i, node, of_host);
}

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
	static const char *const without[] = {
		"program", "devices", "run_ns", "identity", "queue", "blocking", "imbalance", NULL};
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
			(void)add_node(exporter,
				exporter->rank_of[row * exporter->shape.columns + column],
				(struct chakra_node){.type = CHAKRA_COMPUTE,
					.name = program_name(exporter, program->program),
					.duration_ns = run_ns,
					.tag = index,
					.keys = keys[0] ? keys : "pages: 1"},
				false);
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
	add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_STEP}, false);
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
			(void)add_node(exporter, i, node, false);
		}
	add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_STEP}, false);
}

static void export_collective(struct exporter *exporter, const struct step *step)
{
	static const char *const without[] = {"op", "topology", "size_bytes", "root", "identity",
		"queue", "blocking", "ranks", NULL};
	static const enum chakra_comm comms[] = {[COLLECTIVE_ALL_GATHER] = CHAKRA_ALL_GATHER,
		[COLLECTIVE_REDUCE_SCATTER] = CHAKRA_REDUCE_SCATTER,
		[COLLECTIVE_ALL_REDUCE] = CHAKRA_ALL_REDUCE,
		[COLLECTIVE_ALL_TO_ALL] = CHAKRA_ALL_TO_ALL,
		[COLLECTIVE_BROADCAST] = CHAKRA_BROADCAST};
	const struct collective_step *keys = &step->collective;
	const struct step *maker = keys->maker ? keys->maker : step;
	uint32_t ranks = exporter->trace->count;
	bool whole = keys->op == COLLECTIVE_ALL_GATHER || keys->op == COLLECTIVE_ALL_TO_ALL;
	const char *text;

	if (keys->op == STEP_MESSAGES) {
		export_messages(exporter, keys);
		return;
	}
	text = keys_without(exporter, exporter->keys[maker->number], without);
	if ((keys->topology == 1) != exporter->ring)
		text = arena_printf(exporter->arena, "topology: %s%s%s",
			keys->topology == 1 ? "ring" : "line", text[0] ? ", " : "", text);
	add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_COLLECTIVE,
			.comm = comms[keys->op],
			.name = step->as ? program_name(exporter, step->as) : NULL,
			.bytes = whole ? (keys->size_bytes + ranks - 1) / ranks : keys->size_bytes,
			.root = keys->root,
			.keys = text},
		false);
}

/* ---- other steps ---- */

static void export_finish(struct exporter *exporter)
{
	add_to_all(exporter,
		(struct chakra_node){.type = CHAKRA_METADATA, .keys = CHAKRA_KEYS_FINISH}, false);
	for (uint32_t i = 0; i < exporter->trace->count; i++)
		exporter->host[i] = exporter->last[i];
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
		exporter->queues += step->workload.queue > 0;
		export_workload(exporter, step);
		break;
	case STEP_COLLECTIVE:
		exporter->queues += step->collective.queue > 0;
		export_collective(exporter, step);
		break;
	case STEP_FINISH:
		export_finish(exporter);
		break;
	case STEP_THINK:
		if (step->think.for_ns > 0)
			add_to_all(exporter,
				(struct chakra_node){.type = CHAKRA_COMPUTE,
					.name = "host",
					.on_cpu = true,
					.duration_ns = step->think.for_ns},
				true);
		else if (exporter->depth == 0)
			add_to_all(exporter,
				(struct chakra_node){.type = CHAKRA_METADATA,
					.on_cpu = true,
					.tensor_bytes = step->think.until_ns,
					.keys = CHAKRA_KEYS_UNTIL},
				true);
		exporter->left_out += step->think.for_ns == 0 && exporter->depth > 0;
		break;
	default:
		exporter->left_out++;
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
	exporter->last = arena_array(arena, ranks, sizeof(uint32_t));
	exporter->host = arena_array(arena, ranks, sizeof(uint32_t));
	exporter->rank_of = arena_array(arena, ranks, sizeof(uint32_t));
	exporter->keys = arena_array(arena, steps + 1u, sizeof *exporter->keys);
	order = arena_array(arena, ranks, sizeof *order);
	if (ranks > 1)
		(void)collective_order(config.shape, exporter->ring, order, NULL);
	for (uint32_t i = 0; i < ranks; i++) {
		struct chakra_rank *rank = &exporter->trace->ranks[i];

		exporter->rank_of[order[i]] = i;
		exporter->last[i] = exporter->host[i] = NONE;
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
			(void)add_node(&exporter, i,
				(struct chakra_node){.type = CHAKRA_METADATA, .name = "idle"},
				false);
	if (exporter.nodes == EXPORT_NODES_MAX)
		diag_error(diag, scenario->steps[0].where, "more than %d nodes", EXPORT_NODES_MAX);
	keep_nodes(&exporter);
	export_notes(&exporter, notes);
	return diag_errors(diag) == before ? exporter.trace : NULL;
}
