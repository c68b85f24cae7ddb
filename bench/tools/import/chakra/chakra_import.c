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

static const char *machine_for(uint32_t ranks)
{
	return ranks > 32  ? "tgg"
	       : ranks > 8 ? "galaxy"
	       : ranks > 2 ? "t3k"
	       : ranks > 1 ? "n300"
			   : "n150";
}

static bool is_ring(struct mesh_shape shape)
{
	return shape.rows > 1 && shape.columns > 1 && shape.rows % 2 == 0;
}

/* Chooses a shape with a device for each rank. Prefers shapes whose devices form a ring, then the
 * shape with the fewest rows. Returns false if no shape fits the machine. */
static bool choose_shape(struct mesh_shape machine, uint32_t ranks, struct mesh_shape *shape)
{
	bool found = false;

	for (uint32_t rows = 1; rows <= machine.rows && rows <= ranks; rows++) {
		struct mesh_shape of = {(uint16_t)rows, (uint16_t)(ranks / rows)};

		if (ranks % rows != 0 || ranks / rows > machine.columns ||
			(found && is_ring(*shape) >= is_ring(of)))
			continue;
		*shape = of;
		found = true;
	}
	return found;
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
static uint64_t node_time_ns(
	const struct roofline_machine *machine, const struct chakra_node *node, bool *by_roofline)
{
	double bounds[ROOFLINE_BOUNDS];
	enum roofline_bound longest;
	struct roofline_work work = {.matrix_cycles = (double)node->operations /
						      tile_product_operations / machine->cores *
						      machine->costs.tile_matmul,
		.dram_bytes = (double)node->tensor_bytes};

	if (node->type >= CHAKRA_SEND || node->type == CHAKRA_METADATA)
		return 0;
	if (node->duration_ns > 0)
		return node->duration_ns;
	if (node->operations == 0 && node->tensor_bytes == 0)
		return 0;
	*by_roofline = true;
	return roofline_time_ns(machine, &work, bounds, &longest);
}

static uint64_t **find_times(const struct chakra_trace *trace, const struct platform *platform,
	bool *by_roofline, struct arena *arena, struct diag *diag)
{
	uint64_t **time_ns = arena_array(arena, trace->count, sizeof(uint64_t *));
	struct roofline_machine machine;
	size_t before = diag_errors(diag);

	roofline_machine_init(&machine, platform);
	for (uint32_t i = 0; i < trace->count; i++) {
		const struct chakra_rank *rank = &trace->ranks[i];

		time_ns[i] = arena_array(arena, rank->count, sizeof(uint64_t));
		for (uint32_t k = 0; k < rank->count; k++) {
			time_ns[i][k] = node_time_ns(&machine, &rank->nodes[k], by_roofline);
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

static bool check_nodes(const struct chakra_trace *trace, struct diag *diag)
{
	size_t before = diag_errors(diag);

	for (uint32_t i = 0; i < trace->count; i++)
		for (uint32_t k = 0; k < trace->ranks[i].count; k++) {
			const struct chakra_node *node = &trace->ranks[i].nodes[k];

			if (node->type == CHAKRA_COLLECTIVE && !chakra_collective_runs(node->comm))
				diag_error(diag, trace->ranks[i].where,
					"node %" PRIu64 ": %s is not imported: all-reduce, "
					"all-gather, reduce-scatter, all-to-all, broadcast and "
					"barrier are",
					node->id, chakra_comm_name(node->comm));
			if (node->type == CHAKRA_COLLECTIVE && node->bytes == 0 &&
				node->comm != CHAKRA_BARRIER)
				diag_error(diag, trace->ranks[i].where,
					"node %" PRIu64 ": %s without comm_size", node->id,
					chakra_comm_name(node->comm));
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
	text_printf(notes, "%u node%s of %u rank%s, as %u step%s, on %s: a rank is a chip\n", count,
		count == 1 ? "" : "s", trace->count, trace->count == 1 ? "" : "s",
		writing->plan->phases, writing->plan->phases == 1 ? "" : "s", writing->machine);
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

static bool write(const struct import_request *request, const struct chakra_trace *trace,
	const struct platform *platform, const char *machine, struct arena *arena,
	struct diag *diag, struct text *scenario, struct text *notes)
{
	struct chakra_plan plan;
	struct chakra_writing writing = {.request = request, .machine = machine, .plan = &plan};
	uint32_t *devices = arena_array(arena, trace->count, sizeof *devices);
	bool by_roofline = false;
	uint64_t **time_ns;

	if (trace->ranks[0].rows > 0 && has_shape(machine_shape(platform), trace)) {
		writing.shape = (struct mesh_shape){
			(uint16_t)trace->ranks[0].rows, (uint16_t)trace->ranks[0].columns};
		writing.ring = trace->ranks[0].ring && trace->count > 2;
	} else if (choose_shape(machine_shape(platform), trace->count, &writing.shape)) {
		writing.ring = is_ring(writing.shape);
	} else {
		diag_error(diag, trace->ranks[0].where,
			"%u ranks, but no mesh of platform %s has as many devices (--platform)",
			trace->count, machine);
		return false;
	}
	writing.devices = devices;
	if (trace->count > 1 &&
		collective_order(writing.shape, writing.ring, devices, NULL) != STATUS_OK) {
		writing.ring = false;
		(void)collective_order(writing.shape, false, devices, NULL);
	}
	time_ns = find_times(trace, platform, &by_roofline, arena, diag);
	writing.time_ns = time_ns;
	if (!time_ns || !chakra_plan_make(trace, time_ns, request->fuse_ns, arena, diag, &plan))
		return false;
	note(request, trace, &writing, by_roofline, notes);
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
	if (trace && check_nodes(trace, diag)) {
		machine = trace->ranks[0].platform;
		if (request->platform || !machine[0])
			machine = request->platform ? request->platform : machine_for(trace->count);
		platform = machine_platform(machine, diag);
		good = platform &&
		       write(request, trace, platform, machine, &arena, diag, scenario, notes);
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
