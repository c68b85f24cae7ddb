/* Keeps the programs of operations (execution_private.h). If an operation's program is
 * kept, a later run only has to launch it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "execution_private.h"
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

static void make_key(const struct execution *execution, const struct model_operation *operation,
	const struct planned *planned, uint32_t slot, struct kept_key *key)
{
	memset(key, 0, sizeof *key);
	snprintf(key->kind, sizeof key->kind, "%s", operation->kind);
	memcpy(key->tiles, planned->shapes.tiles, sizeof key->tiles);
	memcpy(key->slice, operation->slice, sizeof key->slice);
	key->cores = operation->cores;
	key->ring = operation->ring;
	key->links = operation->links;
	if (operation->cost) {
		key->cycles = operation->cost->cycles;
		key->kernel_bytes = operation->cost->kernel_bytes;
		key->slots = operation->cost->slots;
		key->slot_rows = operation->cost->slot_rows;
		key->slot_columns = operation->cost->slot_columns;
		key->name = hash_bytes(operation->name, strlen(operation->name));
	} else {
		key->element = execution->placed[operation->ports[0]].view.tensor->element;
	}
	/* the kernels of a cost use no tensors */
	for (uint32_t i = 0; !operation->cost && i < operation->port_count; i++)
		key_port(key, &execution->placed[operation->ports[i]].placement,
			placed_address(execution, operation->ports[i], slot));
	if (planned->sums.page_count > 0)
		key_port(key, &planned->sums, kept_sums_address(execution, planned));
}

/* ---- making ---- */

static void kept_free(struct execution *execution, struct kept *kept)
{
	execution->ops->workload_free(execution->handle, kept->workload);
	for (uint32_t i = 0; i < kept->program_count; i++)
		execution->ops->program_free(execution->handle, kept->programs[i]);
	free(kept->programs);
	free(kept->devices);
	free(kept->ranges);
	free(kept);
}

/* Lays out the rectangles of devices of programs that run side by side. */
static struct device_range *slot_ranges(
	const struct execution *execution, const struct model_cost *cost)
{
	uint32_t beside = execution->ops->shape(execution->handle).columns / cost->slot_columns;
	struct device_range *ranges = allocate(cost->slots, sizeof *ranges);

	for (uint32_t i = 0; i < cost->slots; i++) {
		uint16_t row = (uint16_t)(i / beside * cost->slot_rows);
		uint16_t column = (uint16_t)(i % beside * cost->slot_columns);

		ranges[i] =
			(struct device_range){row, column, (uint16_t)(row + cost->slot_rows - 1),
				(uint16_t)(column + cost->slot_columns - 1)};
	}
	return ranges;
}

static enum status kept_make(struct execution *execution, const struct model_operation *operation,
	const struct planned *planned, uint32_t slot, struct text *why, struct kept **made)
{
	struct kept *kept = allocate(1, sizeof *kept);
	bool collective = !operation->cost && !planned->kind.row;
	uint32_t programs = collective ? execution->devices : 1;
	char name[MODEL_BINARY_NAME_BYTES_MAX * 2 + 16];
	enum status status;

	if (operation->cost && operation->cost->slots > 0) {
		programs = operation->cost->slots;
		kept->ranges = slot_ranges(execution, operation->cost);
	}
	kept->programs = allocate(programs, sizeof(struct program *));
	if (collective)
		kept->devices = allocate(programs, sizeof *kept->devices);
	snprintf(name, sizeof name, "%s/%s", operation->kind, operation->name);
	for (; kept->program_count < programs; kept->program_count++)
		kept->programs[kept->program_count] =
			execution->ops->program_new(execution->handle, name);
	kept->workload = execution->ops->workload_new(execution->handle);
	status = build_operation(execution, operation, planned, slot, why, kept);
	if (status != STATUS_OK) {
		kept_free(execution, kept);
		return status;
	}
	*made = kept;
	return STATUS_OK;
}

/* ---- keeping ---- */

static bool range_has(const struct device_range *range, uint32_t row, uint32_t column)
{
	return range->row0 <= row && row <= range->row1 && range->column0 <= column &&
	       column <= range->column1;
}

/* Returns the number of the program that a device runs, or NO_PROGRAM. */
static uint32_t program_on(
	const struct execution *execution, const struct kept *kept, uint32_t device)
{
	uint16_t columns = execution->ops->shape(execution->handle).columns;
	uint32_t which = 0;

	for (; kept->devices && kept->devices[which] != device; which++)
		;
	for (; kept->ranges && which < kept->program_count; which++)
		if (range_has(&kept->ranges[which], device / columns, device % columns))
			break;
	return which < kept->program_count ? which : NO_PROGRAM;
}

void kept_count_launches(
	const struct execution *execution, const struct kept *kept, uint64_t *launches)
{
	for (uint32_t device = 0; device < execution->devices; device++) {
		uint32_t which = program_on(execution, kept, device);

		for (uint32_t core = 0; which != NO_PROGRAM && core < execution->cores; core++)
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
