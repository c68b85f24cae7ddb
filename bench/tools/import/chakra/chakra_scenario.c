/* Writes a planned Chakra trace as a scenario (chakra_plan.h). */
#include "chakra_writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/scenario.h"
#include "programs/collective.h"
#include "world/bounds.h"

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
	if (writer->writing->plan->overlaps)
		text_append(out, ", sub_device: compute");
}

/* True if all ranks run the same program for the same time. */
static bool is_everywhere(const struct writer *writer, const struct chakra_phase *phase)
{
	const struct chakra_node *first;

	for (uint32_t i = 0; i < writer->trace->count; i++)
		if (phase->parts[i].count == 0)
			return false;
	first = writer_node(writer, phase, 0);
	for (uint32_t i = 1; i < writer->trace->count; i++) {
		const struct chakra_node *node = writer_node(writer, phase, i);

		if (strcmp(name_of(first), name_of(node)) != 0 ||
			strcmp(first->keys, node->keys) != 0 || first->tag != node->tag ||
			writer_time_ns(writer, phase, i, 0) != writer_time_ns(writer, phase, 0, 0))
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
	left = writer_node(writer, phase, rank_at[a]);
	right = writer_node(writer, phase, rank_at[b]);
	return strcmp(name_of(left), name_of(right)) == 0 && strcmp(left->keys, right->keys) == 0 &&
	       left->tag == right->tag &&
	       writer_time_ns(writer, phase, rank_at[a], 0) ==
		       writer_time_ns(writer, phase, rank_at[b], 0);
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
	chakra_put_program(writer, writer_node(writer, phase, rank), keys);
	text_printf(keys, ", devices: {shape: [%u, %u], offset: [%u, %u]}, run_ns: %" PRIu64 "}",
		high, wide, first / columns, first % columns,
		writer_time_ns(writer, phase, rank, 0));
	for (uint32_t i = 0; i < high; i++)
		for (uint32_t k = 0; k < wide; k++)
			rank_at[first + i * columns + k] = UINT32_MAX;
}

static void put_programs(struct writer *writer, const struct chakra_phase *phase, struct text *keys)
{
	const struct chakra_writing *writing = writer->writing;
	uint32_t devices = writer->trace->count * writing->chips;
	uint32_t *rank_at = allocate(devices, sizeof *rank_at);
	const char *comma = "";

	for (uint32_t i = 0; i < devices; i++)
		rank_at[i] =
			phase->parts[writing->ranks[i]].count > 0 ? writing->ranks[i] : UINT32_MAX;
	text_append(keys, "programs: [");
	for (uint32_t i = 0; i < devices; i++) {
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
		chakra_put_program(writer, writer_node(writer, phase, 0), &keys);
		text_printf(&own, "run_ns: %" PRIu64, writer_time_ns(writer, phase, 0, 0));
	} else {
		put_programs(writer, phase, &keys);
	}
	writer_put_step(writer, "enqueue_workload", "program", &keys, text_string(&own));
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
		if (phase->parts[i].count > 0 && writer_time_ns(writer, phase, i, 0) > longest)
			longest = writer_time_ns(writer, phase, i, 0);
	if (phase->waits && writer->pending)
		put_finish(writer);
	text_printf(writer->out, "  - think: {for_ns: %" PRIu64 "}\n", longest);
	writer->steps++;
}

/* ---- all ---- */

static void put_event(struct writer *writer, const char *kind, uint32_t number, uint32_t queue)
{
	text_printf(writer->out, "  - %s: {event: step-%u%s}\n", kind, number,
		queue > 0 ? ", queue: 1" : "");
	writer->steps++;
}

static void put_phase(struct writer *writer, const struct chakra_phase *phase)
{
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
			writer_node(writer, phase, 0)->tensor_bytes);
		writer->steps++;
		break;
	case PHASE_MESSAGES:
		writer_put_messages(writer, phase);
		break;
	default:
		writer_put_collective(writer, phase);
		break;
	}
}

static void chakra_put_steps(struct writer *writer)
{
	bool overlaps = writer->writing->plan->overlaps;

	if (overlaps) {
		text_append(writer->out, "  - load_sub_devices: initial\n");
		writer->steps++;
	}
	for (const struct chakra_phase *phase = writer->writing->plan->first; phase;
		phase = phase->next) {
		uint32_t queue = chakra_queue_of(phase);

		if (overlaps && phase->after)
			put_event(writer, "wait_event", phase->after->number, queue);
		put_phase(writer, phase);
		if (overlaps && phase->awaited)
			put_event(writer, "record_event", phase->number, queue);
	}
	if (writer->pending || writer->steps == 0)
		put_finish(writer);
}

/* Returns how many rows of cores collectives need. A node has other numbers of links and workers
 * than the default only if meshsim has written it. */
static uint32_t rows_of_collectives(const struct writer *writer)
{
	uint32_t columns = writer->writing->grid.columns, most = 1, rows;

	for (uint32_t i = 0; i < writer->trace->count; i++)
		for (uint32_t k = 0; k < writer->trace->ranks[i].count; k++) {
			const char *keys = writer->trace->ranks[i].nodes[k].keys;
			const char *links = strstr(keys, "links: ");
			const char *workers = strstr(keys, "workers: ");
			uint32_t lanes = links ? (uint32_t)strtoul(links + 7, NULL, 10) : 1;

			lanes *= workers ? (uint32_t)strtoul(workers + 9, NULL, 10)
					 : COLLECTIVE_WORKERS_MAX / 2;
			lanes = lanes < BOUND_TABLE_WORDS ? lanes : BOUND_TABLE_WORDS;
			most = lanes > most ? lanes : most;
		}
	rows = (2 * most + columns - 1) / columns;
	return rows < writer->writing->grid.rows ? rows : writer->writing->grid.rows - 1u;
}

static void put_runtime(const struct writer *writer, struct text *out)
{
	const struct chakra_writing *writing = writer->writing;
	uint32_t rows = rows_of_collectives(writer);

	text_printf(out, "\nruntime: {mesh: {shape: [%u, %u]}", writing->shape.rows,
		writing->shape.columns);
	if (writing->plan->overlaps)
		text_printf(out,
			", command_queues: 2, sub_devices: {\n"
			"  communicate: {cores: [%u, %u]}, compute: {cores: [%u, %u], offset: [0, "
			"%u]}}",
			writing->grid.columns, rows, writing->grid.columns,
			writing->grid.rows - rows, rows);
	text_append(out, "}\nworkload:\n");
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
	put_runtime(writer, out);
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
