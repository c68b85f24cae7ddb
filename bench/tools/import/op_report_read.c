/* Reads the operations of a profiler's report, line by line (bench/tools/import/op_report.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "op_report_private.h"

enum {
	SLOTS = 1 << 19, /* slots of the hash table; over twice the most operations */
	ERRORS_MAX = 20, /* reading stops after this many errors */
	SIGNPOSTS_SAID = 12
};

static const uint64_t kernel_ns_max = 1000000000, time_max = UINT64_C(1) << 62,
		      pause_ns_max = UINT64_C(1) << 50;

struct reading {
	struct op_report *report;
	struct op_columns columns;
	struct table_lines lines;
	struct arena *arena;
	struct diag *diag;
	const char *from, *to;
	bool begun, ended;
	const char *mark;      /* the last signpost, if no operation followed it */
	struct text signposts; /* names of some signposts, for messages */
	uint32_t signpost_count;
	uint32_t *slots; /* index of a program plus 1, by its hash */
	uint32_t entries_capacity, programs_capacity;
	struct text scratch;
};

static const struct table_cell *cell_of(const struct reading *reading, enum op_column column)
{
	return op_cell(&reading->columns, &reading->lines, column);
}

static uint64_t number_of(struct reading *reading, enum op_column column, uint64_t most)
{
	return op_number(&reading->columns, &reading->lines, column, most, reading->diag);
}

static bool has(const struct reading *reading, enum op_column column)
{
	return reading->columns.place[column] != UINT32_MAX;
}

/* ---- programs ---- */

static uint64_t hash_cell(const struct reading *reading, enum op_column column, uint64_t hash)
{
	const struct table_cell *cell = cell_of(reading, column);

	return hash_more(hash, cell->text, cell->length + 1u);
}

/* Returns the hash of the current line's program. If the report has no hashes of kernels,
 * operations with the same name, cores and tensors count as the same program. */
static uint64_t program_hash(struct reading *reading)
{
	uint64_t hash = hash_cell(reading, COLUMN_CODE, HASH_EMPTY);

	hash = hash_cell(reading, COLUMN_CORES, hash);
	hash = hash_cell(reading, COLUMN_COMPUTE_HASH, hash);
	hash = hash_cell(reading, COLUMN_MOVEMENT_HASH, hash);
	hash = hash_cell(reading, COLUMN_PROGRAM_HASH, hash);
	if (reading->report->lacks & OP_LACKS_HASHES) {
		text_clear(&reading->scratch);
		op_tensors(&reading->columns, &reading->lines, &reading->scratch);
		hash = hash_more(hash, text_string(&reading->scratch), reading->scratch.length);
	}
	return hash;
}

static void report_make_program(struct reading *reading, struct op_program *program, uint64_t hash)
{
	uint64_t cores = number_of(reading, COLUMN_CORES, UINT16_MAX);

	text_clear(&reading->scratch);
	op_tensors(&reading->columns, &reading->lines, &reading->scratch);
	*program = (struct op_program){
		.code = text_plain(cell_of(reading, COLUMN_CODE)->text, false, reading->arena),
		.tensors = text_plain(text_string(&reading->scratch), false, reading->arena),
		.hash = hash,
		.cores = cores == OP_ABSENT ? 1 : (uint32_t)cores};
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		uint64_t bytes = number_of(reading, (enum op_column)(COLUMN_BYTES + i), 1 << 20);

		program->bytes[i] = bytes == OP_ABSENT ? 0 : (uint32_t)bytes;
	}
}

static uint32_t find_program(struct reading *reading)
{
	struct op_report *report = reading->report;
	uint64_t hash = program_hash(reading);
	uint32_t slot = (uint32_t)(hash_mix(hash) % SLOTS);

	for (; reading->slots[slot] > 0; slot = (slot + 1) % SLOTS)
		if (report->programs[reading->slots[slot] - 1].hash == hash)
			return reading->slots[slot] - 1;
	if (report->program_count == reading->programs_capacity) {
		reading->programs_capacity = 2 * reading->programs_capacity + 64;
		report->programs = allocate_more(
			report->programs, reading->programs_capacity, sizeof *report->programs);
	}
	report_make_program(reading, &report->programs[report->program_count], hash);
	reading->slots[slot] = ++report->program_count;
	return report->program_count - 1;
}

/* ---- operations ---- */

static bool is_there(const struct reading *reading, enum op_column column)
{
	return cell_of(reading, column)->length > 0;
}

/* Recognizes a Blackhole by its clock, which has more than one cycle per ns. */
static void see_clock(struct reading *reading)
{
	uint64_t start = number_of(reading, COLUMN_FW_START, time_max);
	uint64_t end = number_of(reading, COLUMN_FW_END, time_max);
	uint64_t ns = number_of(reading, COLUMN_FW_NS, time_max);

	if (start != OP_ABSENT && end != OP_ABSENT && ns != OP_ABSENT && end > start && ns > 1000)
		reading->report->blackhole |= 10 * (end - start) > 12 * ns;
}

static void see_machine(struct reading *reading, const struct op_entry *entry)
{
	struct op_report *report = reading->report;
	uint64_t worker_cores = number_of(reading, COLUMN_AVAILABLE, UINT16_MAX);
	uint64_t ethernet = number_of(reading, COLUMN_ETHERNET, UINT32_MAX);

	if (worker_cores != OP_ABSENT && worker_cores > report->worker_cores)
		report->worker_cores = (uint32_t)worker_cores;
	if (is_there(reading, COLUMN_ARCH))
		report->blackhole |=
			strstr(cell_of(reading, COLUMN_ARCH)->text, "blackhole") != NULL;
	else if (report->count < 100)
		see_clock(reading);
	if (ethernet != OP_ABSENT && ethernet > 0)
		report->lacks |= OP_LACKS_ETHERNET;
	if (entry->device >= report->device_count)
		report->device_count = entry->device + 1;
}

static uint64_t report_kernel_of(struct reading *reading)
{
	enum op_column column = is_there(reading, COLUMN_KERNEL) ? COLUMN_KERNEL : COLUMN_FW_NS;
	uint64_t kernel_ns = number_of(reading, column, kernel_ns_max);

	if (!is_there(reading, column))
		diag_error(reading->diag,
			table_lines_where(&reading->lines, cell_of(reading, COLUMN_KERNEL)),
			"an operation without a time of its kernels");
	return kernel_ns;
}

/* Negative times in the report are wrong, and are not compared. */
static uint64_t measured_of(struct reading *reading, enum op_column column)
{
	return cell_of(reading, column)->text[0] == '-' ? OP_ABSENT
							: number_of(reading, column, time_max);
}

static void check_pause(struct reading *reading, const struct op_entry *entry)
{
	uint64_t first = reading->report->entries[0].host_start_ns, start = entry->host_start_ns;

	if (first != OP_ABSENT && start != OP_ABSENT && start > first &&
		start - first > pause_ns_max)
		diag_error(reading->diag,
			table_lines_where(&reading->lines, cell_of(reading, COLUMN_HOST_START)),
			"HOST START TS is days after the first operation");
}

static void add_operation(struct reading *reading)
{
	struct op_report *report = reading->report;
	uint64_t device = number_of(reading, COLUMN_DEVICE, OP_REPORT_DEVICES_MAX - 1);
	struct op_entry *entry;

	if (report->count == OP_REPORT_OPERATIONS_MAX) {
		diag_error(reading->diag, table_lines_where(&reading->lines, NULL),
			"more than %d operations: choose a part with --from and --to",
			OP_REPORT_OPERATIONS_MAX);
		reading->ended = true;
		return;
	}
	if (report->count == reading->entries_capacity) {
		reading->entries_capacity = 2 * reading->entries_capacity + 1024;
		report->entries = allocate_more(
			report->entries, reading->entries_capacity, sizeof *report->entries);
	}
	entry = &report->entries[report->count];
	*entry = (struct op_entry){.device = device == OP_ABSENT ? 0 : (uint32_t)device,
		.line = reading->lines.line,
		.kernel_ns = report_kernel_of(reading),
		.host_start_ns = number_of(reading, COLUMN_HOST_START, time_max),
		.shortest_ns = number_of(reading, COLUMN_SHORTEST, kernel_ns_max),
		.longest_ns = number_of(reading, COLUMN_LONGEST, kernel_ns_max),
		.trace = number_of(reading, COLUMN_TRACE, time_max),
		.session = number_of(reading, COLUMN_SESSION, time_max),
		.measured_gap_ns = measured_of(reading, COLUMN_GAP),
		.measured_skew_ns = measured_of(reading, COLUMN_SKEW),
		.mark = reading->mark};
	reading->mark = NULL;
	entry->program = find_program(reading);
	see_machine(reading, entry);
	report->count++;
	check_pause(reading, entry);
}

/* ---- signposts ---- */

static void take_signpost(struct reading *reading)
{
	const char *name = text_plain(cell_of(reading, COLUMN_CODE)->text, false, reading->arena);

	if (reading->signpost_count++ < SIGNPOSTS_SAID)
		text_printf(
			&reading->signposts, "%s'%s'", reading->signposts.length ? ", " : "", name);
	if (!reading->begun)
		reading->begun = strcmp(name, reading->from) == 0;
	else if (reading->to && strcmp(name, reading->to) == 0)
		reading->ended = true;
	reading->mark = name;
}

static void check_signposts(const struct reading *reading, const struct table_lines *lines)
{
	const char *lost = !reading->begun ? reading->from : reading->to;

	if (reading->begun && (!reading->to || reading->ended))
		return;
	diag_error(reading->diag, location_at(lines->source, 0, 0),
		"no signpost '%s'%s; the report has %s%s", lost,
		reading->begun && reading->from ? " behind the first" : "",
		reading->signpost_count > 0 ? text_string(&reading->signposts) : "none",
		reading->signpost_count > SIGNPOSTS_SAID ? ", ..." : "");
}

/* ---- lines ---- */

static void take_row(struct reading *reading)
{
	const char *type = cell_of(reading, COLUMN_TYPE)->text;

	if (reading->lines.count != reading->columns.width) {
		diag_error(reading->diag, table_lines_where(&reading->lines, NULL),
			"%u cells, but the first line names %u columns: is the file cut off?",
			reading->lines.count, reading->columns.width);
		reading->ended = true;
	} else if (strcmp(type, "signpost") == 0) {
		take_signpost(reading);
	} else if (reading->begun &&
		   (strcmp(type, "tt_dnn_device") == 0 || !has(reading, COLUMN_TYPE))) {
		add_operation(reading);
	}
}

static void see_lacks(struct reading *reading)
{
	unsigned *lacks = &reading->report->lacks;

	if (!has(reading, COLUMN_COMPUTE_HASH) && !has(reading, COLUMN_MOVEMENT_HASH) &&
		!has(reading, COLUMN_PROGRAM_HASH))
		*lacks |= OP_LACKS_HASHES;
	*lacks |= has(reading, COLUMN_BYTES) ? 0 : OP_LACKS_SIZES;
	*lacks |= has(reading, COLUMN_HOST_START) ? 0 : OP_LACKS_HOST;
	*lacks |= has(reading, COLUMN_ARCH) ? 0 : OP_LACKS_ARCH;
	*lacks |= has(reading, COLUMN_DEVICE) ? 0 : OP_LACKS_DEVICE;
	*lacks |= has(reading, COLUMN_TRACE) ? 0 : OP_LACKS_TRACES;
}

static void see_core_times(struct op_report *report)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->entries[i].shortest_ns != OP_ABSENT &&
			report->entries[i].longest_ns != OP_ABSENT)
			return;
	report->lacks |= OP_LACKS_CORES_TIMES;
}

static void read_rows(struct reading *reading)
{
	size_t errors = diag_errors(reading->diag);

	if (!table_lines_next(&reading->lines)) {
		if (diag_errors(reading->diag) == errors)
			diag_error(reading->diag, table_lines_where(&reading->lines, NULL),
				"the file is empty");
		return;
	}
	if (!op_columns_find(&reading->columns, &reading->lines, reading->arena, reading->diag))
		return;
	see_lacks(reading);
	while (!reading->ended && diag_errors(reading->diag) < errors + ERRORS_MAX &&
		table_lines_next(&reading->lines))
		take_row(reading);
	if (diag_errors(reading->diag) > errors)
		return;
	check_signposts(reading, &reading->lines);
	if (diag_errors(reading->diag) == errors && reading->report->count == 0)
		diag_error(reading->diag, table_lines_where(&reading->lines, NULL),
			"no operation on a device (OP TYPE tt_dnn_device)");
	see_core_times(reading->report);
}

/* Moves an array that was allocated to the arena. */
static void *kept(struct arena *arena, void *array, size_t count, size_t size)
{
	void *copy = arena_array(arena, count + 1, size);

	if (count > 0)
		memcpy(copy, array, count * size);
	free(array);
	return copy;
}

static struct op_report *read_file(FILE *file, const char *name, const char *from, const char *to,
	struct arena *arena, struct diag *diag)
{
	struct op_report *report = arena_alloc(arena, sizeof *report);
	struct reading reading = {.report = report,
		.arena = arena,
		.diag = diag,
		.from = from,
		.to = to,
		.begun = !from,
		.slots = allocate(SLOTS, sizeof *reading.slots)};
	size_t errors = diag_errors(diag);

	memset(report, 0, sizeof *report);
	table_lines_init(
		&reading.lines, file, name, OP_REPORT_LINE_MAX, OP_REPORT_COLUMNS_MAX, diag);
	read_rows(&reading);
	table_lines_fini(&reading.lines);
	text_fini(&reading.signposts);
	text_fini(&reading.scratch);
	free(reading.slots);
	report->entries = kept(arena, report->entries, report->count, sizeof *report->entries);
	report->programs =
		kept(arena, report->programs, report->program_count, sizeof *report->programs);
	return diag_errors(diag) == errors ? report : NULL;
}

struct op_report *op_report_read(
	const char *path, const char *from, const char *to, struct arena *arena, struct diag *diag)
{
	struct text why = {0};
	int descriptor = file_open_input(path, &why);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
	struct op_report *report = NULL;

	if (file)
		report = read_file(file, path, from, to, arena, diag);
	else
		diag_error(diag, location_at(diag_source(diag, path, NULL, 0), 0, 0),
			"cannot read: %s", why.length > 0 ? text_string(&why) : "no memory");
	if (file)
		fclose(file);
	else if (descriptor >= 0)
		close(descriptor);
	text_fini(&why);
	return report;
}

struct op_report *op_report_read_text(const char *name, const char *text, size_t length,
	const char *from, const char *to, struct arena *arena, struct diag *diag)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
	struct op_report *report;

	if (!file)
		return NULL;
	report = read_file(file, name, from, to, arena, diag);
	fclose(file);
	return report;
}
