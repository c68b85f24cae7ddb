/* Sizes of phases, and the steps of operations (model_private.h). */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/nearest.h"

/* ---- sizes ---- */

/* Returns the value of a size that a phase gives in place of the model's, or NULL. */
static const struct expression *phase_size(const struct phase_keys *phase, const char *name)
{
	for (uint32_t i = 0; phase && i < phase->size_count; i++)
		if (strcmp(phase->sizes[i].name, name) == 0)
			return &phase->sizes[i].value;
	return NULL;
}

static void compute_sizes(struct writer *writer, const struct phase_keys *phase)
{
	const struct model_keys_file *keys = writer->keys;

	writer->sizes.count = 0;
	for (uint32_t i = 0; i < keys->size_count; i++) {
		const struct expression *own = phase_size(phase, keys->sizes[i].name);
		uint64_t value = expression_value(own ? own : &keys->sizes[i].value, &writer->sizes,
			EXPRESSION_VALUE_MAX, writer->diag);

		writer->sizes.at[writer->sizes.count++] =
			(struct size_value){keys->sizes[i].name, value};
	}
}

/* Reports sizes of a phase that the model does not have. */
static void check_phase(struct writer *writer, const struct phase_keys *phase)
{
	for (uint32_t i = 0; i < phase->size_count; i++) {
		struct nearest nearest;
		bool known = false;

		nearest_start(&nearest, phase->sizes[i].name);
		for (uint32_t j = 0; j < writer->keys->size_count; j++) {
			known |= strcmp(writer->keys->sizes[j].name, phase->sizes[i].name) == 0;
			nearest_offer(&nearest, writer->keys->sizes[j].name);
		}
		if (!known)
			diag_error(writer->diag, phase->sizes[i].value.where,
				"phase '%s': the model has no size '%s'%s%s%s", phase->name,
				phase->sizes[i].name, nearest.best ? ", did you mean '" : "",
				nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
	}
}

void writer_init(struct writer *writer, const struct model *model,
	const struct roofline_machine *machine, struct diag *diag, struct text *out)
{
	*writer = (struct writer){
		.keys = &model->keys, .machine = machine, .diag = diag, .out = out, .groups = 1};
	writer->sizes.at = allocate(MODEL_SIZES_MAX, sizeof *writer->sizes.at);
	compute_sizes(writer, NULL);
	for (uint32_t i = 0; i < model->keys.phase_count; i++)
		check_phase(writer, &model->keys.phases[i]);
}

void writer_fini(struct writer *writer)
{
	free(writer->sizes.at);
}

void writer_set_phase(struct writer *writer, const struct phase_keys *phase)
{
	compute_sizes(writer, phase);
	if (writer->keys->phase_count > 1)
		snprintf(writer->prefix, sizeof writer->prefix, "%s-", phase->name);
}

/* ---- memory ---- */

void writer_keep_largest(struct writer *writer)
{
	const struct footprint *held = &writer->held, *most = &writer->most;

	if (held->weights + held->cache > most->weights + most->cache)
		writer->most = *held;
}

void writer_check_memory(struct writer *writer)
{
	const double gib = 1073741824.0;
	double held = writer->most.weights + writer->most.cache;

	if (held > (double)writer->machine->dram_bytes)
		diag_error(writer->diag,
			writer->keys->placement.where.line ? writer->keys->placement.where
							   : writer->keys->name_where,
			"a device holds %.1f GiB of weights and %.1f GiB of keys and values, but "
			"has %.1f GiB of DRAM",
			writer->most.weights / gib, writer->most.cache / gib,
			(double)writer->machine->dram_bytes / gib);
}

/* ---- operations ---- */

/* Writes the keys of a program behind its opening bracket. */
static void write_program(
	struct writer *writer, const struct operation_work *work, const char *devices, uint64_t ns)
{
	char cores[32] = "";

	if (work->cores < writer->machine->cores)
		snprintf(cores, sizeof cores, ", cores: %u", work->cores);
	text_printf(writer->out, "program: %s%s%s%s, kernel_bytes: %u, run_ns: %llu",
		writer->prefix, work->name, devices, cores, work->kernel_bytes,
		(unsigned long long)ns);
}

/* Writes a program for each rectangle of devices of an expert. */
static void write_experts(struct writer *writer, const struct experts_keys *keys,
	const struct operation_work *work, uint64_t ns)
{
	uint32_t beside = writer->keys->placement.tensor[1] / keys->devices[1];

	text_append(writer->out, "programs: [");
	for (uint32_t slot = 0; slot < work->slots; slot++) {
		char devices[128];

		snprintf(devices, sizeof devices,
			"-%u, devices: {shape: [%u, %u], offset: [%u, %u]}", slot, keys->devices[0],
			keys->devices[1], slot / beside * keys->devices[0],
			slot % beside * keys->devices[1]);
		text_printf(writer->out, "%s\n%*s{", slot ? "," : "", (int)writer->indent + 4, "");
		write_program(writer, work, devices, ns);
		text_append_char(writer->out, '}');
	}
	text_append_char(writer->out, ']');
}

static void write_collective(struct writer *writer, const struct collective_keys *keys,
	const struct operation_work *work)
{
	enum { PAGE = 2048 };
	uint32_t devices =
		(uint32_t)writer->keys->placement.tensor[0] * writer->keys->placement.tensor[1];
	uint64_t piece = (uint64_t)PAGE * devices;
	uint64_t bytes = (work->collective_bytes + piece - 1) / piece * piece;

	if (writer->keys->trace)
		diag_error(writer->diag, keys->where,
			"collective '%s': a trace has no collectives; say `collectives: time`",
			keys->name);
	text_printf(writer->out,
		"%*s- {as: %s%s, collective: {op: %s, topology: %s, links: %u, size_bytes: "
		"%llu}}\n",
		(int)writer->indent, "", writer->prefix, work->name,
		model_collective_names[keys->op], model_topology_names[keys->topology],
		work->roofline.links, (unsigned long long)bytes);
}

uint64_t writer_time(struct writer *writer, const struct operation *operation,
	const struct operation_work *work, uint64_t times, enum roofline_bound *longest)
{
	enum { RUN_NS_MAX = 1000000000 };
	double bounds[ROOFLINE_BOUNDS];
	uint64_t ns = roofline_time_ns(writer->machine, &work->roofline, bounds, longest);

	writer->held.weights += work->weight_bytes * (double)times;
	writer->held.cache += work->cache_bytes * (double)times;
	if (ns > RUN_NS_MAX)
		diag_error(writer->diag, operation->where,
			"operation '%s' takes %.1f s by its roofline, but a kernel runs at most 1 "
			"s: divide it over more devices, or into parts",
			work->name, bounds[*longest] / 1e9);
	return ns;
}

static void write_operation(
	struct writer *writer, const struct operation *operation, uint64_t times)
{
	const struct placement_keys *placement = &writer->keys->placement;
	bool collective = operation->kind == OPERATION_COLLECTIVE;
	struct operation_work work;
	enum roofline_bound longest;
	uint64_t ns;

	operation_work(
		operation, &writer->sizes, placement->tensor, writer->machine, writer->diag, &work);
	if (collective && placement->tensor[0] * placement->tensor[1] == 1)
		return;
	if (collective && writer->keys->collectives == COLLECTIVES_STEPS) {
		write_collective(writer, &operation->collective, &work);
		return;
	}
	ns = writer_time(writer, operation, &work, times, &longest);
	text_printf(writer->out, "%*s- {as: %s%s, enqueue_workload: {", (int)writer->indent, "",
		writer->prefix, work.name);
	if (operation->kind == OPERATION_EXPERTS)
		write_experts(writer, &operation->experts, &work, ns);
	else
		write_program(writer, &work, "", ns);
	text_printf(writer->out, "}} # %s\n", roofline_bound_name(longest));
}

void write_operations(struct writer *writer, const struct operations *operations, uint64_t times)
{
	for (uint32_t i = 0; i < operations->count; i++)
		write_operation(writer, &operations->at[i], times);
}
