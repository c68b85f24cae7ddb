/* Checks of programs whose kernels act, that is, execute instructions. (Filler kernels only take
 * time.) The data of their buffers must be simulated, and not elided. A buffer that a program
 * writes must belong to only one port of the program. Keys for filler kernels must not be given. */
#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/step_layout.h"
#include "check.h"
#include "programs/library.h"

bool program_acts(const struct program_keys *program)
{
	return program->library > 0 || program->kernel_count > 0;
}

bool steps_act(const struct step *steps, uint32_t count)
{
	bool act = false;

	for (uint32_t i = 0; i < count && !act; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const struct program_keys *programs = NULL;
		uint32_t programs_left = 0;

		if (body)
			act = steps_act(body->steps, body->step_count);
		else if (steps[i].kind == STEP_RUN_MODEL)
			act = true;
		else if (steps[i].kind == STEP_ENQUEUE_WORKLOAD)
			programs = step_programs(&steps[i], &programs_left);
		while (programs_left > 0 && !act)
			act = program_acts(&programs[--programs_left]);
	}
	return act;
}

static const struct library_row *row_of(const struct program_keys *program)
{
	return library_row(program->library - 1);
}

static const struct port_keys *find_port(const struct program_keys *program, const char *name)
{
	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (strcmp(program->buffers[i].port, name) == 0)
			return &program->buffers[i];
	return NULL;
}

bool program_writes(const struct program_keys *program, const struct port_keys *port)
{
	const struct library_row *row;

	if (program->library == 0)
		return true; /* kernels in the file may write any buffer of the program */
	row = row_of(program);
	return row->ports[library_port_find(row, port->port)].written;
}

/* ---- keys of filler ---- */

static void step_acting_check_lonely(
	const struct check *check, const struct tree_node *keys, const struct program_keys *program)
{
	static const char *const filler[] = {"processors", "ethernet_cores", "kernel_bytes",
		"kernel_groups", "runtime_args", "common_runtime_args", "arguments",
		"arguments_per", "pages", "run_ns", "imbalance", "processor_bytes",
		"circular_buffer_groups", "circular_buffers", "circular_buffer_bytes",
		"circular_buffer_pages", "semaphores", NULL};
	enum { OF_TEXTS = 13 }; /* programs with kernels in the file may have these keys */

	for (int i = 0; filler[i] && (program->library > 0 || i < OF_TEXTS); i++)
		if (!program_key_is_default(keys, filler[i]))
			diag_error(check->diag, tree_where(keys, filler[i]),
				program->library > 0 ? "%s beside library: %s, which brings its own"
						     : "%s beside kernels that act: it is filler's",
				filler[i], program->library > 0 ? row_of(program)->name : "");
}

/* ---- buffers ---- */

static void refuse_port(
	const struct check *check, const struct library_row *row, const struct port_keys *port)
{
	struct nearest nearest;

	nearest_start(&nearest, port->port);
	for (uint32_t i = 0; i < row->port_count; i++)
		nearest_offer(&nearest, row->ports[i].name);
	diag_error(check->diag, port->where,
		nearest.best ? "program '%s' of the library has no buffer '%s', did you mean '%s'?"
			     : "program '%s' of the library has no buffer '%s'",
		row->name, port->port, nearest.best);
}

static void check_ports(
	const struct check *check, const struct program_keys *program, struct location where)
{
	const struct library_row *row = row_of(program);

	for (uint32_t i = 0; i < program->buffer_count; i++)
		if (library_port_find(row, program->buffers[i].port) < 0)
			refuse_port(check, row, &program->buffers[i]);
	for (uint32_t i = 0; i < row->port_count; i++)
		if (!find_port(program, row->ports[i].name))
			diag_error(check->diag, where,
				"library: %s takes a buffer '%s' (%s): name it under `buffers`",
				row->name, row->ports[i].name, row->ports[i].what);
}

/* Checks that a buffer which a program writes is not the buffer of another port. */
static void check_written(const struct check *check, const struct program_keys *program)
{
	const struct library_row *row = row_of(program);

	for (uint32_t i = 0; i < row->port_count; i++) {
		const struct port_keys *written = find_port(program, row->ports[i].name);

		for (uint32_t k = 0; k < program->buffer_count && written; k++) {
			const struct port_keys *other = &program->buffers[k];

			if (!row->ports[i].written || other == written ||
				strcmp(other->buffer, written->buffer) != 0)
				continue;
			diag_error(check->diag, written->where,
				"buffer '%s' is written as '%s', and cannot be '%s' at once",
				written->buffer, written->port, other->port);
		}
	}
}

static void check_buffer(const struct check *check, const struct port_keys *port)
{
	const struct write_step *write = check_want_buffer(check, port->buffer, port->where);
	uint64_t limit = check->run->scenario->model.elide_above_bytes, bytes;

	if (!write || !write->bytes)
		return;
	check_used(check, port->buffer, port->where);
	bytes = write->bytes / step_buffer_parts(write, check->config->shape);
	if (write->memory == BUFFER_SYSTEM)
		diag_error(check->diag, port->where,
			"buffer '%s' lies in system memory, which kernels do not reach",
			port->buffer);
	else if (limit > 0 && bytes > limit)
		diag_error(check->diag, port->where,
			"kernels act on buffer '%s', but of its %llu bytes per device none are "
			"simulated (model.elide_above_bytes)",
			port->buffer, (unsigned long long)bytes);
}

/* A key that some programs need. `value` describes its value in messages. */
struct parameter {
	const char *name, *value;
	bool needed, given;
};

static void check_parameter(const struct check *check, const struct tree_node *keys,
	const struct program_keys *program, struct location where, struct parameter parameter)
{
	if (parameter.given && !parameter.needed)
		diag_error(check->diag, tree_where(keys, parameter.name),
			"%s of program '%s', which takes none", parameter.name, program->program);
	if (parameter.needed && !parameter.given)
		diag_error(check->diag, where, "library: %s takes %s: %s", row_of(program)->name,
			parameter.name, parameter.value);
}

/* Checks that a program of the library has all its parameters, and no others. */
static void check_parameters(const struct check *check, const struct tree_node *keys,
	const struct program_keys *program, struct location where)
{
	unsigned parameters = program->library > 0 ? row_of(program)->parameters : 0;
	uint32_t wanted = parameters & LIBRARY_INNER ? 3 : parameters & LIBRARY_TILES ? 2 : 0;

	if (!(parameters & LIBRARY_ELEMENT) && !program_key_is_default(keys, "element"))
		diag_error(check->diag, tree_where(keys, "element"),
			"element of program '%s', which computes nothing", program->program);
	check_parameter(check, keys, program, where,
		(struct parameter){"slice", "[first row, first column, rows, columns]",
			parameters & LIBRARY_SLICE, program->slice_count > 0});
	check_parameter(check, keys, program, where,
		(struct parameter){"image", "{size: [height, width], kernel: [height, width]}",
			parameters & LIBRARY_IMAGE, program->image != NULL});
	if (program->image && program->image->size_count == 0)
		diag_error(check->diag, program->image_where,
			"image: missing key 'size', since no tensor of images says it");
	if (program->tiles_count == wanted)
		return;
	if (wanted > 0)
		diag_error(check->diag, program->tiles_count ? tree_where(keys, "tiles") : where,
			"library: %s takes tiles: [rows, columns%s]", row_of(program)->name,
			wanted == 3 ? ", inner" : "");
	else
		diag_error(check->diag, tree_where(keys, "tiles"),
			"tiles of program '%s', which takes none", program->program);
}

static void step_acting_check_program(const struct check *check, const struct tree_node *keys,
	const struct program_keys *program, struct location where)
{
	check_parameters(check, keys, program, where);
	if (!program_acts(program)) {
		if (program->buffer_count > 0)
			diag_error(check->diag, tree_where(keys, "buffers"),
				"buffers of a program of filler: say which of the library it is "
				"(`library`)");
		return;
	}
	if (program->library > 0 && program->kernel_count > 0)
		diag_error(check->diag, tree_where(keys, "kernels"),
			"kernels beside library: %s, which brings its own", row_of(program)->name);
	step_acting_check_lonely(check, keys, program);
	if (program->library > 0) {
		check_ports(check, program, where);
		check_written(check, program);
	} else {
		check_kernel_texts(check, program);
	}
	for (uint32_t i = 0; i < program->buffer_count; i++)
		check_buffer(check, &program->buffers[i]);
}

void check_acting(const struct check *check, const struct tree_node *keys, const struct step *step)
{
	const struct tree_node *items = keys ? tree_get(keys, "programs") : NULL;
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; i < count; i++) {
		struct location where = programs[i].library_where;

		if (!where.line)
			where = programs[i].where.line ? programs[i].where : step->where;
		step_acting_check_program(
			check, items ? items->items[i] : keys, &programs[i], where);
	}
}

/* Reports an error if a program uses a buffer in the L1 of another sub-device. A write or read of
 * this buffer would not wait for the program, because it waits only for programs of the sub-device
 * to which the buffer belongs. */
static void check_local(
	const struct check *check, const struct program_keys *program, const struct port_keys *port)
{
	const struct runtime_keys *keys = &check->run->scenario->runtime;
	uint32_t of = check_find_buffer(check, port->buffer)->sub_device_number;
	uint32_t own = program->sub_device_number;

	if (of > 0 && own > 0 && own != of)
		diag_error(check->diag, port->where,
			"buffer '%s' lies in the L1 of sub-device '%s', and program '%s' is of "
			"'%s': no other may use it",
			port->buffer, sub_device_at(keys, of)->name, program->program,
			sub_device_at(keys, own)->name);
}

void check_local_buffers(const struct check *check, const struct step *step)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < programs[i].buffer_count; k++)
			check_local(check, &programs[i], &programs[i].buffers[k]);
}
