/* Writes the calls of a report as a scenario (op_report_private.h). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "bench/scenario/scenario.h"
#include "op_report_private.h"

enum { NAME_BYTES = 40 };

enum { SLOTS = 1 << 19 };

/* The calls of one identity. */
struct used {
	uint64_t identity;
	uint32_t calls;
	bool made; /* an earlier step has the keys of its programs */
};

struct op_writer {
	const struct op_report *report;
	const struct op_writing *writing;
	struct text *out;
	struct arena *arena;
	struct used *used; /* SLOTS of them, by identity */
	uint64_t first_ns; /* host start of the first call; OP_ABSENT: not recorded */
	uint64_t until_ns; /* latest time until which a `think` step has waited so far */
	uint32_t steps;
	bool counting;		/* counts the calls of each identity */
	uint32_t replays_apart; /* replays that differ from their capture */
};

/* Appends the letters, digits, hyphens and underscores of `from`, at most NAME_BYTES of them;
 * "operation" if there are none. */
static void put_name(struct text *out, const char *from)
{
	size_t count = 0;

	for (; *from && count < NAME_BYTES; from++)
		if (isalnum((unsigned char)*from) || *from == '-' || *from == '_') {
			text_append_char(out, *from);
			count++;
		}
	if (count == 0)
		text_append(out, "operation");
}

/* Appends the name of an operation without the words that all operation names have. */
static void put_code(struct text *out, const char *code, struct arena *arena)
{
	char *copy = arena_printf(arena, "%s", code), *end = strstr(copy, "DeviceOperation");

	if (end && end > copy)
		*end = '\0';
	put_name(out, copy);
}

static void put_identity(struct op_writer *writer, const struct op_call *call)
{
	text_append(writer->out, "identity: ");
	put_code(writer->out, writer->report->programs[call->entry->program].code, writer->arena);
	text_printf(writer->out, "-%08" PRIx32, (uint32_t)(call->identity ^ call->identity >> 32));
}

static struct used *used_find(struct op_writer *writer, uint64_t identity)
{
	uint32_t slot = (uint32_t)(hash_mix(identity) % SLOTS);

	while (writer->used[slot].calls > 0 && writer->used[slot].identity != identity)
		slot = (slot + 1) % SLOTS;
	writer->used[slot].identity = identity;
	return &writer->used[slot];
}

/* ---- head ---- */

static void put_scenario_name(struct text *out, const char *path)
{
	const char *base = strrchr(path, '/');
	char copy[NAME_BYTES + 1] = "";

	base = base ? base + 1 : path;
	strncat(copy, base, NAME_BYTES);
	copy[strcspn(copy, ".")] = '\0';
	for (char *at = copy; *at; at++)
		*at = *at == '_' ? '-' : (char)tolower((unsigned char)*at);
	put_name(out, copy);
}

static void put_comment(struct text *out, const char *lines)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");

		text_append(out, "#   ");
		text_append_bytes(out, lines, length);
		text_append(out, "\n");
		lines += length + (lines[length] == '\n');
	}
}

static void report_put_head(struct op_writer *writer)
{
	const struct op_writing *writing = writer->writing;
	struct text *out = writer->out;

	text_append(out, "# Written by `meshsim import` from a profiler's report:\n");
	put_comment(out, writing->assumptions);
	text_append(out, "meshsim: 1\nname: ");
	put_scenario_name(out, writing->request->path);
	text_append(out, "\nplatform: ");
	text_append_json(out, writing->machine);
	text_append(out, "\n");
	if (writer->report->device_count == 1)
		text_append(out, "runtime: {mesh: {shape: [1, 1]}");
	else
		text_printf(out, "runtime: {mesh: {shape: [%u, %u]}", writing->shape.rows,
			writing->shape.columns);
	text_printf(out, "%s}\n", writing->ethernet ? ", dispatch_cores: ethernet" : "");
	text_append(out, "workload:\n");
}

/* ---- steps ---- */

static void put_processors(struct text *out, const struct op_program *program)
{
	static const char *const names[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};
	const char *comma = "";

	text_append(out, ", processors: [");
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (program->bytes[i] > 0) {
			text_printf(out, "%s%s", comma, names[i]);
			comma = ", ";
		}
	text_append(out, "], processor_bytes: {");
	comma = "";
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (program->bytes[i] > 0) {
			text_printf(out, "%s%s: %u", comma, names[i],
				program->bytes[i] < 16 ? 16 : program->bytes[i]);
			comma = ", ";
		}
	text_append(out, "}");
}

static void put_program(struct op_writer *writer, const struct op_program *program)
{
	const struct import_request *request = writer->writing->request;
	struct text *out = writer->out;
	bool known = false;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		known |= program->bytes[i] > 0;
	text_append(out, "program: ");
	put_code(out, program->code, writer->arena);
	text_printf(out, ", cores: %u", program->cores > 0 ? program->cores : 1);
	if (known)
		put_processors(out, program);
	else
		text_append(out, ", processors: all");
	text_printf(out, ", runtime_args: %u",
		request->program_args ? request->program_args[program - writer->report->programs]
				      : request->runtime_args);
}

/* Returns how much shorter the shortest core runs than the longest, in thousandths. */
static uint32_t imbalance_of(const struct op_writer *writer, const struct op_entry *entry)
{
	uint64_t shortest = entry->shortest_ns, longest = entry->longest_ns;

	if (writer->report->programs[entry->program].cores <= 1)
		return 0;
	if (shortest == OP_ABSENT || longest == OP_ABSENT || longest == 0 || shortest > longest)
		return 10 * writer->writing->request->imbalance_percent;
	return (uint32_t)(1000 - 1000 * shortest / longest);
}

static void put_place(struct op_writer *writer, uint32_t device)
{
	text_printf(writer->out, ", devices: {shape: [1, 1], offset: [%u, %u]}",
		device / writer->writing->shape.columns, device % writer->writing->shape.columns);
}

static void put_time(struct op_writer *writer, const struct op_entry *entry, uint64_t kernel_ns)
{
	uint32_t imbalance = imbalance_of(writer, entry);

	text_printf(writer->out, "run_ns: %" PRIu64, kernel_ns);
	if (imbalance > 0)
		text_printf(writer->out, ", imbalance: 0.%03u", imbalance > 999 ? 999 : imbalance);
}

/* Writes a program for each device. */
static void put_each(struct op_writer *writer, const struct op_call *call)
{
	text_append(writer->out, "programs: [");
	for (uint32_t d = 0; d < writer->report->device_count; d++) {
		const struct op_entry *entry = call->each[d];

		text_printf(writer->out, "%s\n      {", d > 0 ? "," : "");
		put_program(writer, &writer->report->programs[entry->program]);
		put_place(writer, d);
		text_append(writer->out, ", ");
		put_time(writer, entry, entry->kernel_ns);
		text_append(writer->out, "}");
	}
	text_append(writer->out, "]");
}

static void put_call(struct op_writer *writer, const struct op_call *call, const char *indent)
{
	const struct op_program *program = &writer->report->programs[call->entry->program];
	struct used *used = used_find(writer, call->identity);
	const char *comma = "";

	used->calls += writer->counting;
	text_printf(writer->out, "%s- enqueue_workload: {", indent);
	if (used->calls > 1) {
		put_identity(writer, call);
		comma = ", ";
	}
	text_append(writer->out, comma);
	if (!used->made && call->each) {
		put_each(writer, call);
	} else {
		if (!used->made)
			put_program(writer, program);
		if (!used->made && !call->whole)
			put_place(writer, call->entry->device);
		text_append(writer->out, used->made ? "" : ", ");
		put_time(writer, call->entry, call->kernel_ns);
	}
	text_append(writer->out, "}");
	if (!used->made && program->tensors[0])
		text_printf(writer->out, " # %s", program->tensors);
	text_append(writer->out, "\n");
	used->made = true;
	writer->steps++;
}

/* Writes a step in which the host waits until the time of its next call. Writes no step if this
 * time is unknown, or if an earlier call has the same or a later time, for example in another
 * thread. The call then follows at once. */
static void put_think(struct op_writer *writer, const struct op_call *call)
{
	uint64_t start = call->host_start_ns;

	if (start == OP_ABSENT)
		return;
	if (writer->first_ns == OP_ABSENT)
		writer->first_ns = start;
	if (start <= writer->first_ns + writer->until_ns)
		return;
	writer->until_ns = start - writer->first_ns;
	text_printf(writer->out, "  - think: {until_ns: %" PRIu64 "}\n", writer->until_ns);
	writer->steps++;
}

/* ---- traces ---- */

/* Returns the number of calls of the same replay, beginning with the first. */
static uint32_t replay_length(const struct op_calls *calls, uint32_t at)
{
	const struct op_entry *first = calls->at[at].entry;
	uint32_t count = 1;

	while (at + count < calls->count && calls->at[at + count].entry->trace == first->trace &&
		calls->at[at + count].entry->session == first->session)
		count++;
	return count;
}

/* A trace that was already written: its calls, and its number among traces with the same id. */
struct written_trace {
	struct written_trace *next;
	uint64_t trace;
	uint32_t first, count, number;
};

static bool are_equal(const struct op_calls *calls, uint32_t a, uint32_t b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (calls->at[a + i].entry->program != calls->at[b + i].entry->program)
			return false;
	return true;
}

static void put_capture(
	struct op_writer *writer, const struct op_calls *calls, const struct written_trace *trace)
{
	text_printf(writer->out, "  - trace: 1\n    name: trace-%" PRIu64 "-%u\n    do:\n",
		trace->trace, trace->number);
	for (uint32_t i = 0; i < trace->count; i++)
		put_call(writer, &calls->at[trace->first + i], "      ");
	writer->steps++;
}

/* Writes a step that replays a trace. If an earlier replay had the same operations, uses its trace;
 * otherwise, also writes the capture of a new trace. */
static void put_replay(struct op_writer *writer, const struct op_calls *calls, uint32_t at,
	uint32_t count, struct written_trace **traces)
{
	uint64_t id = calls->at[at].entry->trace;
	struct written_trace *trace;
	uint32_t number = 0;

	put_think(writer, &calls->at[at]);
	for (trace = *traces; trace; trace = trace->next) {
		if (trace->trace != id)
			continue;
		number++;
		if (trace->count == count && are_equal(calls, trace->first, at, count))
			break;
	}
	if (trace) {
		text_printf(writer->out, "  - replay_trace: {trace: trace-%" PRIu64 "-%u}\n", id,
			trace->number);
		writer->replays_apart++;
		writer->steps++;
		return;
	}
	trace = arena_alloc(writer->arena, sizeof *trace);
	*trace = (struct written_trace){*traces, id, at, count, number};
	*traces = trace;
	put_capture(writer, calls, trace);
}

static void put_steps(struct op_writer *writer, const struct op_calls *calls)
{
	struct written_trace *traces = NULL;
	uint32_t count;

	for (uint32_t at = 0; at < calls->count; at += count) {
		const struct op_call *call = &calls->at[at];

		count = 1;
		if (call->entry->mark)
			text_printf(writer->out, "  # signpost %s\n", call->entry->mark);
		if (call->entry->trace != OP_ABSENT) {
			count = replay_length(calls, at);
			put_replay(writer, calls, at, count, &traces);
			continue;
		}
		put_think(writer, call);
		put_call(writer, call, "  ");
	}
	text_append(writer->out, "  - finish\n");
	writer->steps++;
}

/* Writes all steps once to nowhere. Only calls that are written count: a replay is one step. */
static void count_uses(struct op_writer *writer, const struct op_calls *calls)
{
	const struct op_writer before = *writer;
	struct text nowhere = {0};

	writer->out = &nowhere;
	writer->counting = true;
	put_steps(writer, calls);
	text_fini(&nowhere);
	*writer = before;
	for (uint32_t i = 0; i < SLOTS; i++)
		writer->used[i].made = false;
}

void op_report_write(const struct op_report *report, const struct op_calls *calls,
	const struct op_writing *writing, struct text *scenario, struct text *notes)
{
	struct arena arena;
	struct op_writer writer = {.report = report,
		.writing = writing,
		.out = scenario,
		.arena = &arena,
		.used = allocate(SLOTS, sizeof(struct used)),
		.first_ns = OP_ABSENT};

	arena_init(&arena);
	count_uses(&writer, calls);
	report_put_head(&writer);
	put_steps(&writer, calls);
	if (writer.replays_apart > 0)
		text_printf(notes,
			"%u replays take the times of the capture, since a trace keeps them\n",
			writer.replays_apart);
	if (writer.steps > SCENARIO_STEPS_MAX)
		text_printf(notes,
			"%u steps, but a scenario has at most %d: choose a part with --from and "
			"--to\n",
			writer.steps, SCENARIO_STEPS_MAX);
	free(writer.used);
	arena_fini(&arena);
}
