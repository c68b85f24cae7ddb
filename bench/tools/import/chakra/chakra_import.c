/* Imports Chakra execution traces. This file chooses machine and mesh, and finds how long each node
 * computes. */
#include <inttypes.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "bench/tools/models/model.h"
#include "chakra_plan.h"
#include "programs/collective.h"

static const uint64_t run_most_ns = 1000000000; /* of a kernel */
static const double tile_product_operations = 2.0 * 32 * 32 * 32;

/* ---- machine and mesh ---- */

static const char *machine_for(const struct import_request *request, uint32_t ranks)
{
	struct mesh_shape block = {1, 2}; /* --rank mesh: at least two chips for each rank */
	uint32_t chips = ranks;

	if (request->rank &&
		(import_rank_shape(request->rank, &block) || strcmp(request->rank, "mesh") == 0))
		chips *= mesh_shape_count(block);
	return chips > 32  ? "tgg"
	       : chips > 8 ? "galaxy"
	       : chips > 2 ? "t3k"
	       : chips > 1 ? "n300"
			   : "n150";
}

static bool is_ring(struct mesh_shape shape)
{
	return shape.rows > 1 && shape.columns > 1 && shape.rows % 2 == 0;
}

/* Chooses a shape with a place for each rank. Prefers shapes whose places form a ring, then the
 * shape with the fewest rows. Returns false if no shape fits into `room`. */
static bool choose_shape(struct mesh_shape room, uint32_t ranks, struct mesh_shape *shape)
{
	bool found = false;

	for (uint32_t rows = 1; rows <= room.rows && rows <= ranks; rows++) {
		struct mesh_shape of = {(uint16_t)rows, (uint16_t)(ranks / rows)};

		if (ranks % rows != 0 || ranks / rows > room.columns ||
			(found && is_ring(*shape) >= is_ring(of)))
			continue;
		*shape = of;
		found = true;
	}
	return found;
}

/* Returns how many blocks of chips fit into the machine, in rows and columns. */
static struct mesh_shape blocks_of(struct mesh_shape machine, struct mesh_shape block)
{
	return (struct mesh_shape){
		(uint16_t)(machine.rows / block.rows), (uint16_t)(machine.columns / block.columns)};
}

/* Sets *block to the chips of a rank, and *shape to the number of ranks in rows and columns. `rank`
 * is what the user asks for (struct import_request). Of several blocks of the machine, takes the
 * largest, and then the one with the fewest rows. Returns false if the ranks do not fit. */
static bool choose_block(struct mesh_shape machine, uint32_t ranks, const char *rank,
	struct mesh_shape *block, struct mesh_shape *shape)
{
	struct mesh_shape tried;
	uint32_t most = 0;

	if (strcmp(rank, "mesh") != 0) {
		if (!import_rank_shape(rank, block))
			*block = (struct mesh_shape){1, 1};
		return choose_shape(blocks_of(machine, *block), ranks, shape);
	}
	for (tried.rows = 1; tried.rows <= machine.rows; tried.rows++)
		for (tried.columns = 1; tried.columns <= machine.columns; tried.columns++)
			if (mesh_shape_count(tried) > most &&
				choose_shape(blocks_of(machine, tried), ranks, shape)) {
				most = mesh_shape_count(tried);
				*block = tried;
			}
	return most > 0 && choose_shape(blocks_of(machine, *block), ranks, shape);
}

/* True if the mesh that the trace names has one device for each rank, and fits the machine. */
static bool has_shape(struct mesh_shape machine, const struct chakra_trace *trace)
{
	uint32_t rows = trace->ranks[0].rows, columns = trace->ranks[0].columns;

	return rows <= machine.rows && columns <= machine.columns && rows * columns == trace->count;
}

/* ---- times ---- */

/* Returns how long a node computes: its duration if the trace gives it, otherwise an estimate by
 * the roofline. */
static uint64_t node_time_ns(const struct roofline_machine *machine, uint32_t chips,
	const struct chakra_node *node, bool *by_roofline)
{
	double bounds[ROOFLINE_BOUNDS];
	enum roofline_bound longest;
	struct roofline_work work = {.matrix_cycles = (double)node->operations /
						      tile_product_operations / machine->cores /
						      chips * machine->costs.tile_matmul,
		.dram_bytes = (double)node->tensor_bytes / chips};

	if (node->type >= CHAKRA_SEND || node->type == CHAKRA_METADATA)
		return 0;
	if (node->duration_ns > 0)
		return node->duration_ns;
	if (node->operations == 0 && node->tensor_bytes == 0)
		return 0;
	*by_roofline = true;
	return roofline_time_ns(machine, &work, bounds, &longest);
}

static uint64_t **find_times(const struct chakra_trace *trace,
	const struct roofline_machine *machine, uint32_t chips, bool *by_roofline,
	struct arena *arena, struct diag *diag)
{
	uint64_t **time_ns = arena_array(arena, trace->count, sizeof(uint64_t *));
	size_t before = diag_errors(diag);

	for (uint32_t i = 0; i < trace->count; i++) {
		const struct chakra_rank *rank = &trace->ranks[i];

		time_ns[i] = arena_array(arena, rank->count, sizeof(uint64_t));
		for (uint32_t k = 0; k < rank->count; k++) {
			time_ns[i][k] = node_time_ns(machine, chips, &rank->nodes[k], by_roofline);
			if (time_ns[i][k] > run_most_ns)
				diag_error(diag, rank->where,
					"node %" PRIu64 ": computes for %" PRIu64
					" ns by the roofline, a kernel runs at most %" PRIu64,
					rank->nodes[k].id, time_ns[i][k], run_most_ns);
		}
	}
	return diag_errors(diag) == before ? time_ns : NULL;
}

/* ---- checks ---- */

/* Checks the text of a node's keys, which is copied into a map of the scenario. The text must not
 * end this map. */
static bool are_keys(const char *keys)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
		"-., :[]{}";
	int depth = 0;

	for (const char *at = keys; *at; at++) {
		depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
		if (depth < 0 || at - keys > 4096)
			return false;
	}
	return depth == 0 && keys[strspn(keys, plain)] == '\0';
}

static void check_collective_node(
	const struct chakra_node *node, struct location where, struct diag *diag)
{
	if (!chakra_collective_runs(node->comm))
		diag_error(diag, where,
			"node %" PRIu64 ": %s is not imported: all-reduce, all-gather, "
			"reduce-scatter, all-to-all, broadcast and barrier are",
			node->id, chakra_comm_name(node->comm));
	if (node->bytes == 0 && node->comm != CHAKRA_BARRIER)
		diag_error(diag, where, "node %" PRIu64 ": %s without comm_size", node->id,
			chakra_comm_name(node->comm));
	if (node->some_dims && !node->group[0])
		diag_error(diag, where,
			"node %" PRIu64 ": involved_dim leaves out a dimension of a network that "
			"the trace does not describe: name the ranks of the %s by pg_name",
			node->id, chakra_comm_name(node->comm));
}

static bool check_nodes(const struct chakra_trace *trace, struct diag *diag)
{
	size_t before = diag_errors(diag);

	for (uint32_t i = 0; i < trace->count; i++)
		for (uint32_t k = 0; k < trace->ranks[i].count; k++) {
			const struct chakra_node *node = &trace->ranks[i].nodes[k];

			if (node->type == CHAKRA_COLLECTIVE)
				check_collective_node(node, trace->ranks[i].where, diag);
			if (!are_keys(node->keys))
				diag_error(diag, trace->ranks[i].where,
					"node %" PRIu64 ": meshsim_keys are no keys of a step",
					node->id);
		}
	return diag_errors(diag) == before;
}

/* ---- notes ---- */

static void note(const struct import_request *request, const struct chakra_trace *trace,
	const struct chakra_writing *writing, bool by_roofline, struct text *notes)
{
	uint32_t count = 0, kinds[CHAKRA_TYPES] = {0}, adds = 0, gathers = 0, programs = 0;

	for (uint32_t i = 0; i < trace->count; i++)
		for (uint32_t k = 0; k < trace->ranks[i].count; k++) {
			const struct chakra_node *node = &trace->ranks[i].nodes[k];

			count++;
			kinds[node->type]++;
			adds += node->type == CHAKRA_COLLECTIVE &&
				(node->comm == CHAKRA_ALL_REDUCE ||
					node->comm == CHAKRA_REDUCE_SCATTER);
			gathers += node->type == CHAKRA_COLLECTIVE;
		}
	for (const struct chakra_phase *phase = writing->plan->first; phase; phase = phase->next)
		programs += phase->kind == PHASE_COMPUTE;
	text_printf(notes, "%u node%s of %u rank%s, as %u step%s, on %s: a rank is ", count,
		count == 1 ? "" : "s", trace->count, trace->count == 1 ? "" : "s",
		writing->plan->phases, writing->plan->phases == 1 ? "" : "s", writing->machine);
	if (writing->chips > 1)
		text_printf(notes,
			"a mesh of %u chips; each of them has its share of the data, and computes "
			"as "
			"long as the rank\n",
			writing->chips);
	else
		text_append(notes, "a chip\n");
	if (writing->plan->overlaps)
		text_append(notes,
			"nodes that do not depend on each other run at once: programs on some "
			"cores, messages and collectives on others (--queues 1: one after the "
			"other)\n");
	if (programs > 0)
		text_printf(notes,
			"programs are not in a trace: assumed all cores, %u runtime arguments for "
			"each core and kernel (--runtime-args)\n",
			request->runtime_args);
	if (by_roofline)
		text_append(notes, "nodes without a duration take the time of the platform's "
				   "roofline for num_ops and tensor_size\n");
	if (gathers > 0)
		text_append(notes, "comm_size is what a rank gives, as ASTRA-sim has it\n");
	if (adds > 0)
		text_append(notes, "what is added is bf16\n");
	if (kinds[CHAKRA_SEND] > 0)
		text_printf(notes,
			"compute of at most %u ns between messages is part of their kernel "
			"(--fuse)\n",
			request->fuse_ns);
	if (writing->plan->skipped > 0)
		text_printf(
			notes, "%u nodes take no time and are left out\n", writing->plan->skipped);
}

/* ---- import ---- */

static bool takes(const char *head, size_t length)
{
	return chakra_takes(head, length);
}

/* Finds the places of all devices in the order of a line or a ring. Returns NULL if the mesh has no
 * such order. */
static uint32_t *find_places(struct mesh_shape shape, bool ring, struct arena *arena)
{
	uint32_t count = mesh_shape_count(shape);
	uint32_t *order = arena_array(arena, count, sizeof *order);
	uint32_t *places = arena_array(arena, count, sizeof *places);

	if (count > 1 && collective_order(shape, ring, order, NULL) != STATUS_OK)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		places[order[i]] = i;
	return places;
}

/* Finds the chips of each rank. Ranks are in the order of a line or a ring of blocks. */
static void find_chips(struct chakra_writing *writing, struct mesh_shape block,
	struct mesh_shape blocks, bool ring, struct arena *arena)
{
	uint32_t ranks = mesh_shape_count(blocks), chips = mesh_shape_count(block);
	uint32_t *order = arena_array(arena, ranks, sizeof *order);
	uint32_t *devices = arena_array(arena, ranks * chips, sizeof *devices);
	uint32_t *rank_of = arena_array(arena, ranks * chips, sizeof *rank_of);

	if (ranks > 1)
		(void)collective_order(blocks, ring, order, NULL);
	for (uint32_t i = 0; i < ranks; i++)
		for (uint32_t k = 0; k < chips; k++) {
			uint32_t row = order[i] / blocks.columns * block.rows + k / block.columns;
			uint32_t column =
				order[i] % blocks.columns * block.columns + k % block.columns;

			devices[i * chips + k] = row * writing->shape.columns + column;
			rank_of[devices[i * chips + k]] = i;
		}
	writing->devices = devices;
	writing->ranks = rank_of;
	writing->chips = chips;
}

/* Chooses the mesh, and the chips of each rank. Returns false after an error. */
static bool place_ranks(const struct chakra_trace *trace, struct mesh_shape machine,
	struct arena *arena, struct diag *diag, struct chakra_writing *writing)
{
	const struct chakra_rank *first = &trace->ranks[0];
	struct mesh_shape block = {1, 1}, blocks = {0};
	bool ring, given = strcmp(writing->request->rank, "chip") == 0 && first->rows > 0 &&
			   has_shape(machine, trace);

	if (given)
		blocks = (struct mesh_shape){(uint16_t)first->rows, (uint16_t)first->columns};
	else if (!choose_block(machine, trace->count, writing->request->rank, &block, &blocks)) {
		diag_error(diag, first->where,
			strcmp(writing->request->rank, "chip") == 0
				? "%u ranks, but no mesh of platform %s has as many devices "
				  "(--platform)"
				: "%u ranks, but platform %s has no room for so many meshes "
				  "(--platform, --rank)",
			trace->count, writing->machine);
		return false;
	}
	writing->shape = (struct mesh_shape){
		(uint16_t)(blocks.rows * block.rows), (uint16_t)(blocks.columns * block.columns)};
	writing->places[0] = find_places(writing->shape, false, arena);
	writing->places[1] = find_places(writing->shape, true, arena);
	ring = given ? first->ring && trace->count > 2 : is_ring(writing->shape);
	writing->ring = ring && writing->places[1];
	find_chips(writing, block, blocks,
		mesh_shape_count(block) > 1 ? is_ring(blocks) : writing->ring, arena);
	return true;
}

bool chakra_import_trace(const struct chakra_trace *trace, const struct import_request *given,
	const struct platform *platform, const char *machine, struct arena *arena,
	struct diag *diag, struct text *scenario, struct text *notes)
{
	struct import_request request = *given;
	struct chakra_plan plan;
	struct chakra_writing writing = {.request = &request, .machine = machine, .plan = &plan};
	struct roofline_machine roofline;
	bool by_roofline = false;
	uint64_t **time_ns;

	request.rank = given->rank ? given->rank : "chip";
	request.queues = given->queues > 0 ? given->queues : IMPORT_QUEUES;
	if (!check_nodes(trace, diag) ||
		!place_ranks(trace, machine_shape(platform), arena, diag, &writing))
		return false;
	roofline_machine_init(&roofline, platform);
	writing.grid = (struct mesh_shape){(uint16_t)(roofline.cores / roofline.worker_columns),
		(uint16_t)roofline.worker_columns};
	if (writing.grid.rows < 2)
		request.queues = 1;
	time_ns = find_times(trace, &roofline, writing.chips, &by_roofline, arena, diag);
	writing.time_ns = time_ns;
	if (!time_ns || !chakra_plan_make(trace, time_ns, &request, arena, diag, &plan))
		return false;
	note(&request, trace, &writing, by_roofline, notes);
	writing.assumptions = text_string(notes);
	chakra_scenario_write(trace, &writing, scenario, notes);
	return true;
}

static bool chakra_import(const struct import_request *request, struct text *scenario,
	struct text *notes, struct diag *diag)
{
	struct platform *platform = NULL;
	struct chakra_trace *trace;
	const char *machine;
	struct arena arena;
	bool good = false;

	arena_init(&arena);
	trace = chakra_read(request->path, &arena, diag);
	if (trace) {
		machine = trace->ranks[0].platform;
		if (request->platform || !machine[0])
			machine = request->platform ? request->platform
						    : machine_for(request, trace->count);
		platform = machine_platform(machine, diag);
		good = platform && chakra_import_trace(trace, request, platform, machine, &arena,
					   diag, scenario, notes);
	}
	platform_free(platform);
	arena_fini(&arena);
	return good;
}

const struct importer importer_chakra = {
	.name = "chakra",
	.description = "Chakra execution traces of MLCommons, a file for each rank",
	.takes = takes,
	.import = chakra_import,
};
