/* Makes and keeps the programs of operations (execution_private.h). If an operation's program is
 * kept, a later run only has to launch it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "execution_private.h"
#include "programs/collective.h"
#include "world/world.h"

/* ---- keys ---- */

static void key_port(struct kept_key *key, const struct placement *placement, uint32_t address)
{
	key->ports[key->count++] = (struct kept_port){.address = address,
		.page_bytes = placement->config.page_bytes,
		.pages = placement->page_count,
		.type = placement->config.type,
		.arrangement = placement->config.layout,
		.shard_high = placement->config.shard.shard_pages_high,
		.shard_wide = placement->config.shard.shard_pages_wide};
}

static uint32_t sums_address(const struct execution *execution, const struct planned *planned)
{
	return execution->pools[0].address + (uint32_t)planned->sums_address;
}

static void make_key(const struct execution *execution, const struct model_operation *operation,
	const struct planned *planned, uint32_t slot, struct kept_key *key)
{
	memset(key, 0, sizeof *key);
	snprintf(key->kind, sizeof key->kind, "%s", operation->kind);
	memcpy(key->tiles, planned->shapes.tiles, sizeof key->tiles);
	memcpy(key->slice, operation->slice, sizeof key->slice);
	key->cores = operation->cores;
	key->element = execution->placed[operation->ports[0]].view.tensor->element;
	for (uint32_t i = 0; i < operation->port_count; i++)
		key_port(key, &execution->placed[operation->ports[i]].placement,
			placed_address(execution, operation->ports[i], slot));
	if (planned->sums.page_count > 0)
		key_port(key, &planned->sums, sums_address(execution, planned));
}

/* ---- making ---- */

static void kept_free(struct execution *execution, struct kept *kept)
{
	execution->ops->workload_free(execution->handle, kept->workload);
	for (uint32_t i = 0; i < kept->program_count; i++)
		execution->ops->program_free(execution->handle, kept->programs[i]);
	free(kept->programs);
	free(kept->devices);
	free(kept);
}

static struct library_buffer port_buffer(
	const struct execution *execution, uint32_t tensor, uint32_t slot)
{
	return (struct library_buffer){
		&execution->placed[tensor].placement, placed_address(execution, tensor, slot)};
}

static enum status build_row(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept)
{
	struct library_use use = {
		.element = execution->placed[operation->ports[0]].view.tensor->element};
	enum status status;

	if (operation->cores > 0)
		use.cores = (struct cores){.kind = CORES_COUNT, .count = operation->cores};
	memcpy(use.tiles, planned->shapes.tiles, sizeof use.tiles);
	memcpy(use.slice, operation->slice, sizeof use.slice);
	for (uint32_t i = 0; i < operation->port_count; i++)
		use.buffers[i] = port_buffer(execution, operation->ports[i], slot);
	status = planned->kind.row->build(kept->programs[0], &use, why);
	return status == STATUS_OK
		       ? workload_add(kept->workload, kept->programs[0], DEVICES_UNBOUND, why)
		       : status;
}

static enum status build_collective(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept)
{
	enum { LINKS_MAX = 4 };
	struct mesh_shape shape = execution->ops->shape(execution->handle);
	uint32_t links = program_links(kept->programs[0]);
	struct collective_config config = {.op = planned->kind.op,
		.element = execution->placed[operation->ports[0]].view.tensor->element,
		.devices = kept->devices,
		.device_count = execution->devices,
		.links = links < 1	     ? 1
			 : links > LINKS_MAX ? LINKS_MAX
					     : links,
		.pages = execution->placed[operation->ports[0]].placement.page_count,
		.input = port_buffer(execution, operation->ports[0], slot),
		.output = port_buffer(execution, operation->ports[1], slot)};
	enum status status = collective_order(shape, false, kept->devices, why);

	if (planned->sums.page_count > 0)
		config.sums =
			(struct library_buffer){&planned->sums, sums_address(execution, planned)};
	if (status == STATUS_OK)
		status = collective_build(kept->programs, &config, why);
	for (uint32_t i = 0; i < kept->program_count && status == STATUS_OK; i++) {
		uint16_t row = (uint16_t)(kept->devices[i] / shape.columns);
		uint16_t column = (uint16_t)(kept->devices[i] % shape.columns);

		status = workload_add(kept->workload, kept->programs[i],
			(struct device_range){row, column, row, column}, why);
	}
	return status;
}

static enum status kept_make(struct execution *execution, const struct model_operation *operation,
	const struct planned *planned, uint32_t slot, struct text *why, struct kept **made)
{
	struct kept *kept = allocate(1, sizeof *kept);
	uint32_t programs = planned->kind.row ? 1 : execution->devices;
	char name[MODEL_BINARY_NAME_BYTES_MAX * 2 + 16];
	enum status status;

	kept->programs = allocate(programs, sizeof(struct program *));
	if (!planned->kind.row)
		kept->devices = allocate(programs, sizeof *kept->devices);
	snprintf(name, sizeof name, "%s/%s", operation->kind, operation->name);
	for (; kept->program_count < programs; kept->program_count++)
		kept->programs[kept->program_count] =
			execution->ops->program_new(execution->handle, name);
	kept->workload = execution->ops->workload_new(execution->handle);
	status = planned->kind.row
			 ? build_row(execution, operation, planned, slot, why, kept)
			 : build_collective(execution, operation, planned, slot, why, kept);
	if (status != STATUS_OK) {
		kept_free(execution, kept);
		return status;
	}
	*made = kept;
	return STATUS_OK;
}

/* ---- keeping ---- */

void kept_count_launches(
	const struct execution *execution, const struct kept *kept, uint64_t *launches)
{
	for (uint32_t device = 0; device < execution->devices; device++) {
		uint32_t which = 0;

		while (kept->devices && kept->devices[which] != device)
			which++;
		for (uint32_t core = 0; core < execution->cores; core++)
			if (program_uses_worker(kept->programs[which], core))
				launches[device * execution->cores + core] += kept->launches;
	}
}

/* Among the programs that no trace uses, frees the one that was used longest ago. Launches of this
 * program may be in progress, so first waits until queue 0 is finished. Returns false if traces use
 * all programs. */
static bool kept_evict(struct execution *execution)
{
	struct kept **oldest = NULL;
	struct kept *kept;

	for (struct kept **link = &execution->kept; *link; link = &(*link)->next)
		if ((*link)->traced == 0 && (!oldest || (*link)->used < (*oldest)->used))
			oldest = link;
	if (!oldest)
		return false;
	(void)execution->ops->finish(execution->handle, 0, 0, DEADLINE_NEVER);
	kept = *oldest;
	*oldest = kept->next;
	kept_count_launches(execution, kept, execution->gone);
	kept_free(execution, kept);
	execution->kept_count--;
	execution->figures.program_evictions++;
	return true;
}

enum status kept_find(struct execution *execution, uint32_t program, uint32_t operation,
	uint32_t slot, bool capturing, struct text *why, struct kept **kept)
{
	const struct model_operation *of =
		&execution->binary->programs[program].operations[operation];
	const struct planned *planned = &execution->planned[program][operation];
	struct kept_key key;
	enum status status;

	world->work(WORK_CACHE_LOOKUP, 1);
	make_key(execution, of, planned, slot, &key);
	for (*kept = execution->kept; *kept; *kept = (*kept)->next)
		if (memcmp(&(*kept)->key, &key, sizeof key) == 0) {
			execution->figures.program_hits++;
			(*kept)->used = ++execution->launch;
			return STATUS_OK;
		}
	if (capturing)
		return refuse(why, STATUS_INVALID,
			"a trace may not allocate, but the program of operation '%s' is not kept: "
			"keep more than %u programs",
			of->name, execution->config.programs);
	if (execution->kept_count >= execution->config.programs && !kept_evict(execution))
		return refuse(why, STATUS_NO_SPACE,
			"all %u programs that are kept belong to traces, so operation '%s' has no "
			"place: keep more",
			execution->config.programs, of->name);
	status = kept_make(execution, of, planned, slot, why, kept);
	if (status != STATUS_OK)
		return status;
	execution->figures.program_misses++;
	(*kept)->key = key;
	(*kept)->used = ++execution->launch;
	(*kept)->next = execution->kept;
	execution->kept = *kept;
	execution->kept_count++;
	return STATUS_OK;
}

void kept_free_all(struct execution *execution)
{
	while (execution->kept) {
		struct kept *kept = execution->kept;

		execution->kept = kept->next;
		kept_free(execution, kept);
	}
}
