/* Finds the reads whose data are written again by later write_buffer steps, to another buffer of
 * the same mesh or of another mesh (spec 3.7, step 6). Such a read must block, because the host has
 * its data only after the read has returned. */
#include <string.h>

#include "base/nearest.h"
#include "bench/scenario/step_layout.h"
#include "check.h"

struct check_source {
	struct check_source *next;
	struct step *read;
	const struct write_step *buffer; /* the step that made the buffer that `read` reads */
};

void check_offer_source(struct check *check, struct step *read, const struct write_step *write)
{
	struct check_source *source;

	if (!read->read.blocking || read->read.shard_count > 0 || read->read.pages_count > 0)
		return;
	source = arena_alloc(check->arena, sizeof *source);
	*source = (struct check_source){check->sources, read, write};
	check->sources = source;
}

/* Returns the number of the mesh that `from_mesh` names, or UINT32_MAX after an error. */
static uint32_t step_source_mesh(const struct check *check, const struct step *step)
{
	const struct scenario *scenario = check->run->scenario;
	const char *name = step->write.from_mesh;
	struct nearest nearest;

	if (!name)
		return step->mesh;
	nearest_start(&nearest, name);
	for (uint32_t i = 0; i < scenario_mesh_count(scenario); i++) {
		const char *other = scenario_mesh(scenario, i)->name;

		if (other && strcmp(other, name) == 0)
			return i;
		if (other)
			nearest_offer(&nearest, other);
	}
	diag_error(check->diag, step->write.from_mesh_where,
		nearest.best ? "unknown mesh '%s', did you mean '%s'?" : "unknown mesh '%s'", name,
		nearest.best);
	return UINT32_MAX;
}

/* Returns NULL if a write can take its data from a read. Otherwise returns the reason: another key
 * of the write excludes it, the write is in a trace, or the run has several meshes and each has its
 * own client thread. */
static const char *contradiction(const struct check *check, const struct write_step *write)
{
	if (write->pinned)
		return "pinned: the data are where the read has put them";
	if (write->stored)
		return "stored: the data are on the host";
	if (write->values != STEP_BITS)
		return "values: the data are those of the read";
	if (write->shard_count > 0)
		return "shard: the data are of a whole buffer";
	if (check->trace)
		return "a trace: it has the data of its capture";
	if (check->run->scenario->runtime.host.clients == CLIENTS_PER_MESH &&
		scenario_mesh_count(check->run->scenario) > 1)
		return "runtime.host.clients: per-mesh: no thread waits for the read of another";
	return NULL;
}

static void check_data(
	const struct check *check, struct step *step, const struct check_source *source, bool first)
{
	struct write_step *write = &step->write;
	uint64_t limit = check->run->scenario->model.elide_above_bytes;

	if (write->bytes == 0 && first)
		write->bytes = source->buffer->bytes;
	if (write->bytes > 0 && write->bytes != source->buffer->bytes)
		diag_error(check->diag, write->from_where,
			"from: buffer '%s' has %llu bytes, and '%s' %llu", write->from,
			(unsigned long long)source->buffer->bytes, write->buffer,
			(unsigned long long)write->bytes);
	if (limit > 0 && source->buffer->bytes > limit)
		diag_error(check->diag, write->from_where,
			"from: data of more than model.elide_above_bytes: %llu are not simulated",
			(unsigned long long)limit);
}

void check_source(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct write_step *write = &step->write;
	const struct write_step *first = check_find_buffer(check, write->buffer);
	struct check_source *source = check->sources;
	const struct buffer_name *from;
	const char *why = contradiction(check, write);
	uint32_t mesh;

	if (!write->from) {
		if (write->from_mesh)
			diag_error(check->diag, tree_where(keys, "from_mesh"),
				"from_mesh without from");
		return;
	}
	mesh = step_source_mesh(check, step);
	if (mesh == UINT32_MAX)
		return;
	if (why) {
		diag_error(check->diag, write->from_where, "from beside %s", why);
		return;
	}
	from = check_buffer_name(check, mesh, write->from);
	if (from && from->bad)
		return;
	while (source && !(source->read->mesh == mesh &&
				 strcmp(source->read->read.buffer, write->from) == 0))
		source = source->next;
	if (!source) {
		diag_error(check->diag, write->from_where,
			"from: no step before this one reads all of buffer '%s' of that mesh with "
			"blocking: true, so its data are not there yet",
			write->from);
		return;
	}
	if (first && write->bytes == 0)
		write->bytes = first->bytes;
	check_data(check, step, source, !first);
	source->read->read.is_source = true;
	write->source = source->read;
}
