/* Writes a planned Chakra trace as a scenario (chakra_plan.h). */
#include "chakra_plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "bench/scenario/scenario.h"

/* Steps with the same text. They share a workload, which the first of them makes. */
struct made {
	uint64_t hash;
	uint32_t uses;
	bool written;
};

struct writer {
	const struct chakra_writing *writing;
	const struct chakra_trace *trace;
	struct text *out;
	struct made *made; /* `slots` of them */
	uint32_t slots, steps;
	bool counting;
	bool pending; /* something was enqueued since the last finish */
};

static const struct chakra_node *first_node(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank)
{
	return &writer->trace->ranks[rank].nodes[phase->parts[rank].nodes[0]];
}

static uint64_t time_of(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank, uint32_t k)
{
	return writer->writing->time_ns[rank][phase->parts[rank].nodes[k]];
}

static struct made *made_of(struct writer *writer, const struct text *text)
{
	uint64_t hash = hash_string(text_string(text)) | 1;
	uint32_t slot = (uint32_t)(hash % writer->slots);

	while (writer->made[slot].hash != 0 && writer->made[slot].hash != hash)
		slot = (slot + 1) % writer->slots;
	writer->made[slot].hash = hash;
	return &writer->made[slot];
}

/* Writes a step with the keys `keys` and `own`. If several steps have the same `keys`, they get an
 * identity, and only the first of them is written with `keys`. */
static void put_step(struct writer *writer, const char *kind, const char *name,
	const struct text *keys, const char *own)
{
	struct made *made = made_of(writer, keys);

	made->uses += writer->counting;
	text_printf(writer->out, "  - %s: {", kind);
	if (made->uses > 1)
		text_printf(writer->out, "identity: %s-%08" PRIx32 "%s", name,
			(uint32_t)(made->hash >> 32), made->written && !own[0] ? "" : ", ");
	if (!made->written)
		text_printf(writer->out, "%s%s", text_string(keys), own[0] ? ", " : "");
	text_printf(writer->out, "%s}\n", own);
	made->written = true;
	writer->steps++;
	writer->pending = true;
}

/* ---- programs ---- */

static const char *name_of(const struct chakra_node *node)
{
	return node->name[0] ? node->name : chakra_type_name(node->type);
}

static void chakra_put_program(
	const struct writer *writer, const struct chakra_node *node, struct text *out)
{
	const char *name = name_of(node);

	text_append(out, "program: ");
	for (; *name; name++)
		text_append_char(out, *name == ' ' ? '-' : *name);
	if (node->keys[0])
		text_printf(out, ", %s", node->keys);
	else
		text_printf(out, ", cores: all, processors: all, runtime_args: %u",
			writer->writing->request->runtime_args);
}

/* True if all ranks run the same program for the same time. */
static bool is_everywhere(const struct writer *writer, const struct chakra_phase *phase)
{
	const struct chakra_node *first;

	for (uint32_t i = 0; i < writer->trace->count; i++)
		if (phase->parts[i].count == 0)
			return false;
	first = first_node(writer, phase, 0);
	for (uint32_t i = 1; i < writer->trace->count; i++) {
		const struct chakra_node *node = first_node(writer, phase, i);

		if (strcmp(name_of(first), name_of(node)) != 0 ||
			strcmp(first->keys, node->keys) != 0 || first->tag != node->tag ||
			time_of(writer, phase, i, 0) != time_of(writer, phase, 0, 0))
			return false;
	}
	return true;
}

/* Returns true if the ranks of two devices run the same program for the same time. rank_at[device]
 * is the rank of a device; UINT32_MAX: the device runs no program in this phase, or its program is
 * already written. */
static bool runs_alike(const struct writer *writer, const struct chakra_phase *phase,
	const uint32_t *rank_at, uint32_t a, uint32_t b)
{
	const struct chakra_node *left, *right;

	if (rank_at[a] == UINT32_MAX || rank_at[b] == UINT32_MAX)
		return false;
	left = first_node(writer, phase, rank_at[a]);
	right = first_node(writer, phase, rank_at[b]);
	return strcmp(name_of(left), name_of(right)) == 0 && strcmp(left->keys, right->keys) == 0 &&
	       left->tag == right->tag &&
	       time_of(writer, phase, rank_at[a], 0) == time_of(writer, phase, rank_at[b], 0);
}

static bool row_runs_alike(const struct writer *writer, const struct chakra_phase *phase,
	const uint32_t *rank_at, uint32_t first, uint32_t start, uint32_t wide)
{
	bool alike = true;

	for (uint32_t i = 0; i < wide && alike; i++)
		alike = runs_alike(writer, phase, rank_at, first, start + i);
	return alike;
}

/* Finds a rectangle of devices that run the same program, with device `first` as its upper left
 * corner. Writes the program for this rectangle. Sets rank_at[] of these devices to UINT32_MAX,
 * which means that their program was written. */
static void put_rectangle(struct writer *writer, const struct chakra_phase *phase,
	uint32_t *rank_at, uint32_t first, struct text *keys)
{
	struct mesh_shape shape = writer->writing->shape;
	uint32_t columns = shape.columns, wide = 1, high = 1, rank = rank_at[first];

	while (first % columns + wide < columns &&
		runs_alike(writer, phase, rank_at, first, first + wide))
		wide++;
	while (first / columns + high < shape.rows &&
		row_runs_alike(writer, phase, rank_at, first, first + high * columns, wide))
		high++;
	text_append(keys, "\n      {");
	chakra_put_program(writer, first_node(writer, phase, rank), keys);
	text_printf(keys, ", devices: {shape: [%u, %u], offset: [%u, %u]}, run_ns: %" PRIu64 "}",
		high, wide, first / columns, first % columns, time_of(writer, phase, rank, 0));
	for (uint32_t i = 0; i < high; i++)
		for (uint32_t k = 0; k < wide; k++)
			rank_at[first + i * columns + k] = UINT32_MAX;
}

static void put_programs(struct writer *writer, const struct chakra_phase *phase, struct text *keys)
{
	uint32_t ranks = writer->trace->count;
	uint32_t *rank_at = allocate(ranks, sizeof *rank_at);
	const char *comma = "";

	for (uint32_t i = 0; i < ranks; i++)
		rank_at[writer->writing->devices[i]] = phase->parts[i].count > 0 ? i : UINT32_MAX;
	text_append(keys, "programs: [");
	for (uint32_t i = 0; i < ranks; i++) {
		if (rank_at[i] == UINT32_MAX)
			continue;
		text_append(keys, comma);
		put_rectangle(writer, phase, rank_at, i, keys);
		comma = ",";
	}
	text_append(keys, "]");
	free(rank_at);
}

static void chakra_put_compute(struct writer *writer, const struct chakra_phase *phase)
{
	struct text keys = {0}, own = {0};

	if (is_everywhere(writer, phase)) {
		chakra_put_program(writer, first_node(writer, phase, 0), &keys);
		text_printf(&own, "run_ns: %" PRIu64, time_of(writer, phase, 0, 0));
	} else {
		put_programs(writer, phase, &keys);
	}
	put_step(writer, "enqueue_workload", "program", &keys, text_string(&own));
	text_fini(&keys);
	text_fini(&own);
}

static void put_finish(struct writer *writer)
{
	text_append(writer->out, "  - finish\n");
	writer->steps++;
	writer->pending = false;
}

static void chakra_put_cpu(struct writer *writer, const struct chakra_phase *phase)
{
	uint64_t longest = 0;

	for (uint32_t i = 0; i < writer->trace->count; i++)
		if (phase->parts[i].count > 0 && time_of(writer, phase, i, 0) > longest)
			longest = time_of(writer, phase, i, 0);
	if (phase->waits && writer->pending)
		put_finish(writer);
	text_printf(writer->out, "  - think: {for_ns: %" PRIu64 "}\n", longest);
	writer->steps++;
}

/* ---- messages ---- */

static void chakra_put_message(const struct chakra_node *node, uint64_t time_ns, struct text *out)
{
	if (node->type < CHAKRA_SEND) {
		text_printf(out, "{busy_ns: %" PRIu64 "}", time_ns);
		return;
	}
	if (node->type == CHAKRA_SEND)
		text_printf(out, "{send: %u, bytes: %" PRIu64, node->peer, node->bytes);
	else
		text_printf(out, "{receive: %u", node->peer);
	if (node->tag > 0)
		text_printf(out, ", tag: %u", node->tag);
	text_append(out, "}");
}

static void put_topology(const struct writer *writer, struct text *out)
{
	if (writer->writing->ring)
		text_append(out, ", topology: ring");
}

static void put_messages(struct writer *writer, const struct chakra_phase *phase)
{
	const char *comma;
	struct text keys = {0};

	text_append(&keys, "op: messages");
	put_topology(writer, &keys);
	text_append(&keys, ", ranks: [");
	for (uint32_t i = 0; i < writer->trace->count; i++) {
		const struct chakra_part *part = &phase->parts[i];

		text_printf(&keys, "%s\n      {do: [", i > 0 ? "," : "");
		comma = "";
		for (uint32_t k = 0; k < part->count; k++) {
			const struct chakra_node *node =
				&writer->trace->ranks[i].nodes[part->nodes[k]];

			if (node->type < CHAKRA_SEND && time_of(writer, phase, i, k) == 0)
				continue;
			text_append(&keys, comma);
			comma = ", ";
			chakra_put_message(node, time_of(writer, phase, i, k), &keys);
		}
		text_append(&keys, "]}");
	}
	text_append(&keys, "]");
	put_step(writer, "collective", "messages", &keys, "");
	text_fini(&keys);
}

/* Writes a barrier of messages. In round i, each rank sends a message to the rank that is 2^i
 * places ahead. */
static void put_barrier(struct writer *writer)
{
	uint32_t ranks = writer->trace->count;
	struct text keys = {0};

	text_append(&keys, "op: messages");
	put_topology(writer, &keys);
	text_append(&keys, ", ranks: [");
	for (uint32_t i = 0; i < ranks; i++) {
		text_printf(&keys, "%s\n      {do: [", i > 0 ? "," : "");
		for (uint32_t far = 1; far < ranks; far *= 2)
			text_printf(&keys, "%s{send: %u, bytes: 0}, {receive: %u}",
				far > 1 ? ", " : "", (i + far) % ranks, (i + ranks - far) % ranks);
		text_append(&keys, "]}");
	}
	text_append(&keys, "]");
	put_step(writer, "collective", "barrier", &keys, "");
	text_fini(&keys);
}

/* ---- collectives ---- */

static const char *const op_names[CHAKRA_COMMS] = {[CHAKRA_ALL_REDUCE] = "all_reduce",
	[CHAKRA_ALL_GATHER] = "all_gather",
	[CHAKRA_BROADCAST] = "broadcast",
	[CHAKRA_ALL_TO_ALL] = "all_to_all",
	[CHAKRA_REDUCE_SCATTER] = "reduce_scatter",
	[CHAKRA_BARRIER] = "barrier"};

bool chakra_collective_runs(uint32_t comm)
{
	return comm < CHAKRA_COMMS && op_names[comm] != NULL;
}

static void put_collective(struct writer *writer, const struct chakra_phase *phase)
{
	const struct chakra_node *node = first_node(writer, phase, 0);
	bool whole = node->comm == CHAKRA_ALL_GATHER || node->comm == CHAKRA_ALL_TO_ALL;
	struct text keys = {0};

	if (node->comm == CHAKRA_BARRIER) {
		put_barrier(writer);
		return;
	}
	text_printf(&keys, "op: %s", op_names[node->comm]);
	if (!strstr(node->keys, "topology:"))
		put_topology(writer, &keys);
	text_printf(&keys, ", size_bytes: %" PRIu64,
		whole ? writer->trace->count * node->bytes : node->bytes);
	if (node->comm == CHAKRA_BROADCAST && node->root > 0)
		text_printf(&keys, ", root: %u", node->root);
	if (node->keys[0])
		text_printf(&keys, ", %s", node->keys);
	put_step(writer, "collective", op_names[node->comm], &keys, "");
	text_fini(&keys);
}

/* ---- all ---- */

static void chakra_put_steps(struct writer *writer)
{
	for (const struct chakra_phase *phase = writer->writing->plan->first; phase;
		phase = phase->next)
		switch (phase->kind) {
		case PHASE_COMPUTE:
			chakra_put_compute(writer, phase);
			break;
		case PHASE_CPU:
			chakra_put_cpu(writer, phase);
			break;
		case PHASE_FINISH:
			put_finish(writer);
			break;
		case PHASE_UNTIL:
			text_printf(writer->out, "  - think: {until_ns: %" PRIu64 "}\n",
				first_node(writer, phase, 0)->tensor_bytes);
			writer->steps++;
			break;
		case PHASE_MESSAGES:
			put_messages(writer, phase);
			break;
		default:
			put_collective(writer, phase);
			break;
		}
	if (writer->pending || writer->steps == 0)
		put_finish(writer);
}

static void put_comments(struct text *out, const char *lines)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");

		text_printf(out, "#   %.*s\n", (int)length, lines);
		lines += length + (lines[length] == '\n');
	}
}

static void chakra_put_head(const struct writer *writer, struct text *out)
{
	const struct chakra_writing *writing = writer->writing;
	const char *name = writer->trace->name;
	size_t before;

	text_append(out, "# Written by `meshsim import` from a Chakra execution trace:\n");
	put_comments(out, writing->assumptions);
	text_append(out, "meshsim: 1\nname: ");
	before = out->length;
	for (; *name && out->length - before < CHAKRA_NAME_MAX; name++)
		if (isalnum((unsigned char)*name) || *name == '-' || *name == '_')
			text_append_char(
				out, *name == '_' ? '-' : (char)tolower((unsigned char)*name));
	if (out->length == before)
		text_append(out, "chakra");
	text_append(out, "\nplatform: ");
	text_append_json(out, writing->machine);
	text_printf(out, "\nruntime: {mesh: {shape: [%u, %u]}}\nworkload:\n", writing->shape.rows,
		writing->shape.columns);
}

void chakra_scenario_write(const struct chakra_trace *trace, const struct chakra_writing *writing,
	struct text *scenario, struct text *notes)
{
	struct text nowhere = {0};
	struct writer writer = {.writing = writing,
		.trace = trace,
		.out = &nowhere,
		.counting = true,
		.slots = 2 * writing->plan->phases + 1};

	writer.made = allocate(writer.slots, sizeof *writer.made);
	chakra_put_steps(&writer);
	text_fini(&nowhere);
	for (uint32_t i = 0; i < writer.slots; i++)
		writer.made[i].written = false;
	writer.counting = writer.pending = false;
	writer.steps = 0;
	writer.out = scenario;
	chakra_put_head(&writer, scenario);
	chakra_put_steps(&writer);
	if (writer.steps > SCENARIO_STEPS_MAX)
		text_printf(notes, "%u steps, but a scenario has at most %d\n", writer.steps,
			SCENARIO_STEPS_MAX);
	free(writer.made);
}
