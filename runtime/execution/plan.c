/* Places tensors before anything runs (execution_private.h). Makes buffers for each constant, input
 * and output. Assigns all other tensors to places in one range of memory, the pool, in which
 * tensors share places if they are not needed at the same time. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "execution_private.h"
#include "programs/collective.h"

enum { SIDE = 32, POOL_ALIGN = 64, PAGE = 64 };

/* The pool is planned in an address range of this size, which is larger than any memory. After
 * planning, only as much memory is allocated as the plan uses. */
#define POOL_RANGE ((uint64_t)1 << 32)

static uint32_t divide_up(uint32_t value, uint32_t by)
{
	return (value + by - 1) / by;
}

/* Returns the configuration of the buffer for a device's part of a tensor. */
static struct buffer_config plan_config(
	const struct execution *execution, const struct placed *placed)
{
	const struct chip_geometry *geometry = execution->ops->geometry(execution->handle);
	const struct model_tensor *tensor = placed->view.tensor;
	uint32_t columns = geometry->worker_columns, rows = geometry->worker_rows;
	uint32_t all = tensor->in_l1 ? columns * rows : geometry->dram_bank_count;
	struct buffer_config config = {.type = tensor->in_l1 ? BUFFER_L1 : BUFFER_DRAM,
		.layout = (enum buffer_layout)tensor->arrangement,
		.page_bytes = tensor_view_page_bytes(&placed->view)};
	struct shard_parameters *shard = &config.shard;

	shard->pages_high = placed->shape.heads * placed->shape.rows;
	shard->pages_wide = placed->shape.columns;
	if (tensor->in_rows) {
		shard->pages_high = (uint32_t)(placed->view.elements / placed->view.extents[0]);
		shard->pages_wide = 1;
	}
	shard->cores = (struct worker_rect){
		.column1 = (uint8_t)(columns - 1), .row1 = (uint8_t)(rows - 1)};
	shard->round_robin = true;
	shard->shard_pages_high = shard->pages_high;
	shard->shard_pages_wide = shard->pages_wide;
	if (config.layout == LAYOUT_HEIGHT_SHARDED)
		shard->shard_pages_high = divide_up(shard->pages_high, all);
	else if (config.layout == LAYOUT_WIDTH_SHARDED)
		shard->shard_pages_wide = divide_up(shard->pages_wide, all);
	else if (config.layout == LAYOUT_BLOCK_SHARDED) {
		shard->shard_pages_high = divide_up(shard->pages_high, tensor->in_l1 ? rows : 1);
		shard->shard_pages_wide =
			divide_up(shard->pages_wide, tensor->in_l1 ? columns : all);
	}
	return config;
}

/* Makes a buffer with a part on every device. If `whole` is set, all devices have the same data;
 * otherwise each device has its own part. */
static enum status make_buffer(const struct execution *execution,
	const struct buffer_config *config, uint64_t part_bytes, bool whole, struct text *why,
	struct handle_buffer **buffer)
{
	uint32_t parts = whole ? 1 : execution->devices;
	struct mesh_layout layout = {.size_bytes = part_bytes * parts,
		.sharded = !whole,
		.global_height = parts,
		.global_width = 1,
		.shard_height = 1,
		.shard_width = 1};

	return execution->ops->buffer_new(execution->handle, &layout, config, why, buffer);
}

/* Gets the placement that the runtime computes for a buffer of `bytes` bytes with the same data on
 * all devices. Makes a buffer for this purpose, and frees it again. */
static enum status plan_placement(const struct execution *execution,
	const struct buffer_config *config, uint64_t bytes, struct text *why,
	struct placement *placement)
{
	struct handle_buffer *buffer;
	enum status status = make_buffer(execution, config, bytes, true, why, &buffer);

	if (status != STATUS_OK)
		return status;
	*placement = *execution->ops->buffer_placement(buffer);
	execution->ops->buffer_free(buffer);
	return STATUS_OK;
}

/* ---- tensors ---- */

static void mark_lasting(struct execution *execution, const uint32_t *tensors, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		execution->placed[tensors[i]].lasting = true;
}

/* Makes the buffers of a constant, an input or an output of the model. If `moves` is set, makes one
 * buffer for each of execution->slots, otherwise only one. */
static enum status place_lasting(
	struct execution *execution, struct placed *placed, bool moves, struct text *why)
{
	struct buffer_config config = plan_config(execution, placed);
	bool whole = placed->view.tensor->split == MODEL_WHOLE;
	enum status status = STATUS_OK;

	for (uint32_t slot = 0; slot < (moves ? execution->slots : 1) && status == STATUS_OK;
		slot++) {
		status = make_buffer(execution, &config, placed->view.layout.shard_bytes, whole,
			why, &placed->buffers[slot]);
		if (status != STATUS_OK)
			break;
		placed->addresses[slot] = execution->ops->buffer_address(placed->buffers[slot]);
		placed->placement = *execution->ops->buffer_placement(placed->buffers[slot]);
	}
	if (!moves)
		placed->addresses[1] = placed->addresses[0];
	return status;
}

/* Returns true if the tensor is an input of a program. Also returns true if it is an output of a
 * program without the flag `constant`, unless the binary contains its values. Such a tensor has a
 * buffer for each slot. */
static bool is_moved(const struct model_binary *binary, uint32_t tensor)
{
	for (uint32_t i = 0; i < binary->program_count; i++) {
		const struct model_program *program = &binary->programs[i];

		for (uint32_t k = 0; k < program->input_count; k++)
			if (program->inputs[k] == tensor)
				return true;
		for (uint32_t k = 0; k < program->output_count; k++)
			if (program->outputs[k] == tensor && !program->constant)
				return !model_values_of(
					binary->constants, binary->constant_count, tensor);
	}
	return false;
}

static enum status place_tensor(struct execution *execution, uint32_t number, struct text *why)
{
	const struct model_tensor *tensor = &execution->binary->tensors[number];
	struct placed *placed = &execution->placed[number];
	struct buffer_config config;
	enum status status = tensor_view_init(&placed->view, tensor, execution->devices, why);

	if (status == STATUS_OK)
		status = tensor_tile_shape(tensor, execution->devices, &placed->shape, why);
	if (status != STATUS_OK)
		return status;
	if (placed->lasting)
		return place_lasting(execution, placed, is_moved(execution->binary, number), why);
	config = plan_config(execution, placed);
	return plan_placement(
		execution, &config, placed->view.layout.shard_bytes, why, &placed->placement);
}

/* ---- operations ---- */

/* Plans the buffer in which a collective stores partial sums. Does nothing if the collective needs
 * no such buffer. */
static enum status plan_sums(const struct execution *execution,
	const struct model_operation *operation, struct planned *planned, struct text *why)
{
	const struct placed *from = &execution->placed[operation->ports[0]];
	struct collective_config config = {.op = planned->kind.op,
		.device_count = execution->devices,
		.ring = operation->ring,
		.links = operation->links ? operation->links : 1,
		.pages = from->placement.page_count};
	struct buffer_config buffer = {.type = BUFFER_DRAM,
		.layout = LAYOUT_INTERLEAVED,
		.page_bytes = from->placement.config.page_bytes};
	uint64_t pages = collective_sums_pages(&config);

	if (pages == 0)
		return STATUS_OK;
	return plan_placement(execution, &buffer, pages * buffer.page_bytes, why, &planned->sums);
}

static enum status plan_operation(struct execution *execution,
	const struct model_operation *operation, struct planned *planned, struct text *why)
{
	uint32_t written = operation->port_count - 1;
	const struct tile_shape_of *to = &execution->placed[operation->ports[written]].shape;
	const struct tile_shape_of *inferred = &planned->shapes.shapes[written];
	enum status status;

	if (!execution_kind_find(operation->kind, &planned->kind))
		return refuse(why, STATUS_UNSUPPORTED, "operation '%s' is of the unknown kind '%s'",
			operation->name, operation->kind);
	if (operation_port_count(&planned->kind) != operation->port_count)
		return refuse(why, STATUS_INVALID,
			"operation '%s' has %u tensors, but '%s' takes %u", operation->name,
			operation->port_count, operation->kind,
			operation_port_count(&planned->kind));
	status = execution_kind_check(&planned->kind, execution->binary->system.mesh.rows,
		execution->binary->system.mesh.columns, why);
	if (status != STATUS_OK)
		return refuse(why, status, " (operation '%s')", operation->name);
	planned->shapes.devices = execution->devices;
	memcpy(planned->shapes.slice, operation->slice, sizeof operation->slice);
	for (uint32_t i = 0; i < written; i++)
		planned->shapes.shapes[i] = execution->placed[operation->ports[i]].shape;
	status = operation_shapes_infer(&planned->kind, &planned->shapes, why);
	if (status == STATUS_OK && inferred->heads * inferred->rows * inferred->columns !=
					   to->heads * to->rows * to->columns)
		return refuse(why, STATUS_INVALID,
			"operation '%s' writes %u tiles, but its tensor has %u", operation->name,
			inferred->heads * inferred->rows * inferred->columns,
			to->heads * to->rows * to->columns);
	if (status == STATUS_OK && !planned->kind.row)
		status = plan_sums(execution, operation, planned, why);
	return status;
}

/* ---- the pool ---- */

/* Returns an array: for each tensor, the number plus 1 of the last operation of the program that
 * reads or writes it; 0 if none does. */
static uint32_t *last_uses(const struct execution *execution, const struct model_program *program)
{
	uint32_t *last = allocate(execution->binary->tensor_count + 1, sizeof *last);

	for (uint32_t i = 0; i < program->operation_count; i++)
		for (uint32_t k = 0; k < program->operations[i].port_count; k++)
			last[program->operations[i].ports[k]] = i + 1;
	return last;
}

/* Takes a place in the pool, and updates the size that the pool must have. */
static enum status pool_take(struct pool *pool, struct allocator *allocator,
	const struct placement *placement, struct text *why, uint64_t *address)
{
	uint64_t bytes = placement_slot_bytes(placement);
	enum status status = allocator_take(allocator, bytes, true, address, why);

	if (status != STATUS_OK)
		return status;
	pool->sum += bytes;
	if (*address + bytes > pool->high)
		pool->high = *address + bytes;
	return STATUS_OK;
}

/* Frees the places of tensors in the pool that no operation after operation `number` uses. */
static void pool_give_back(struct execution *execution, const struct model_operation *operation,
	const uint32_t *last, uint32_t number, struct allocator *const allocators[2])
{
	for (uint32_t k = 0; k < operation->port_count; k++) {
		const struct placed *placed = &execution->placed[operation->ports[k]];
		bool again = false;

		for (uint32_t before = 0; before < k; before++)
			again |= operation->ports[before] == operation->ports[k];
		if (!placed->lasting && !again && last[operation->ports[k]] == number + 1)
			allocator_release(
				allocators[placed->view.tensor->in_l1], placed->pool_address);
	}
}

/* Returns the tensor that an operation writes, or NULL if it writes none. */
static struct placed *operation_writes(
	struct execution *execution, const struct model_operation *operation)
{
	return operation->port_count > 0
		       ? &execution->placed[operation->ports[operation->port_count - 1]]
		       : NULL;
}

static enum status pool_plan_program(struct execution *execution, uint32_t number, struct text *why)
{
	const struct model_program *program = &execution->binary->programs[number];
	struct allocator *allocators[2] = {
		allocator_new("tensor pool in DRAM", 0, POOL_RANGE, POOL_ALIGN),
		allocator_new("tensor pool in L1", 0, POOL_RANGE, POOL_ALIGN)};
	uint32_t *last = last_uses(execution, program);
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < program->operation_count && status == STATUS_OK; i++) {
		const struct model_operation *operation = &program->operations[i];
		struct planned *planned = &execution->planned[number][i];
		struct placed *to = operation_writes(execution, operation);
		bool l1 = to && to->view.tensor->in_l1;

		if (to && !to->lasting)
			status = pool_take(&execution->pools[l1], allocators[l1], &to->placement,
				why, &to->pool_address);
		if (status == STATUS_OK && planned->sums.page_count > 0) {
			status = pool_take(&execution->pools[0], allocators[0], &planned->sums, why,
				&planned->sums_address);
			if (status == STATUS_OK)
				allocator_release(allocators[0], planned->sums_address);
		}
		if (status == STATUS_OK)
			pool_give_back(execution, operation, last, i, allocators);
	}
	for (int i = 0; i < 2; i++) {
		uint64_t peak = allocator_usage(allocators[i]).peak_used_bytes;

		if (peak > execution->pools[i].peak)
			execution->pools[i].peak = peak;
		allocator_free(allocators[i]);
	}
	free(last);
	return status;
}

/* Allocates the memory of a pool: `high` bytes of every bank or worker. */
static enum status pool_allocate(struct execution *execution, struct pool *pool, struct text *why)
{
	const struct chip_geometry *geometry = execution->ops->geometry(execution->handle);
	struct buffer_config config = {.type = pool->l1 ? BUFFER_L1 : BUFFER_DRAM,
		.layout = LAYOUT_INTERLEAVED,
		.page_bytes = PAGE};
	enum status status;

	pool->slots = pool->l1 ? (uint32_t)geometry->worker_columns * geometry->worker_rows
			       : geometry->dram_bank_count;
	pool->high = (pool->high + PAGE - 1) / PAGE * PAGE;
	if (pool->high == 0)
		return STATUS_OK;
	status =
		make_buffer(execution, &config, pool->high * pool->slots, true, why, &pool->buffer);
	if (status == STATUS_OK)
		pool->address = execution->ops->buffer_address(pool->buffer);
	return status;
}

uint32_t placed_address(const struct execution *execution, uint32_t tensor, uint32_t slot)
{
	const struct placed *placed = &execution->placed[tensor];

	if (placed->lasting)
		return placed->addresses[slot];
	return execution->pools[placed->view.tensor->in_l1].address +
	       (uint32_t)placed->pool_address;
}

static void fill_figures(struct execution *execution)
{
	struct execution_figures *figures = &execution->figures;

	for (int i = 0; i < 2; i++) {
		const struct pool *pool = &execution->pools[i];

		figures->pool_bytes += pool->high * pool->slots;
		figures->pool_peak_bytes += pool->peak * pool->slots;
		figures->pool_tensor_bytes += pool->sum * pool->slots;
	}
	if (figures->pool_bytes > 0)
		figures->fragmentation =
			1 - (double)figures->pool_peak_bytes / (double)figures->pool_bytes;
}

enum status plan_tensors(struct execution *execution, struct text *why)
{
	const struct model_binary *binary = execution->binary;
	enum status status = STATUS_OK;

	execution->placed = allocate(binary->tensor_count + 1, sizeof *execution->placed);
	execution->planned = allocate(binary->program_count, sizeof(struct planned *));
	execution->pools[1].l1 = true;
	for (uint32_t i = 0; i < binary->constant_count; i++)
		execution->placed[binary->constants[i].tensor].lasting = true;
	for (uint32_t i = 0; i < binary->program_count; i++) {
		mark_lasting(
			execution, binary->programs[i].inputs, binary->programs[i].input_count);
		mark_lasting(
			execution, binary->programs[i].outputs, binary->programs[i].output_count);
	}
	for (uint32_t i = 0; i < binary->tensor_count && status == STATUS_OK; i++)
		status = place_tensor(execution, i, why);
	for (uint32_t i = 0; i < binary->program_count && status == STATUS_OK; i++) {
		const struct model_program *program = &binary->programs[i];

		execution->planned[i] = allocate(program->operation_count, sizeof(struct planned));
		for (uint32_t k = 0; k < program->operation_count && status == STATUS_OK; k++)
			if (!program->operations[k].cost)
				status = plan_operation(execution, &program->operations[k],
					&execution->planned[i][k], why);
		if (status == STATUS_OK)
			status = pool_plan_program(execution, i, why);
	}
	for (int i = 0; i < 2 && status == STATUS_OK; i++)
		status = pool_allocate(execution, &execution->pools[i], why);
	if (status == STATUS_OK)
		fill_figures(execution);
	return status;
}

void plan_free(struct execution *execution)
{
	for (uint32_t i = 0; execution->placed && i < execution->binary->tensor_count; i++) {
		for (uint32_t slot = 0; slot < EXECUTION_SLOTS_MAX; slot++)
			execution->ops->buffer_free(execution->placed[i].buffers[slot]);
		free(execution->placed[i].bytes);
	}
	for (uint32_t i = 0; execution->planned && i < execution->binary->program_count; i++)
		free(execution->planned[i]);
	for (int i = 0; i < 2; i++)
		execution->ops->buffer_free(execution->pools[i].buffer);
	free(execution->placed);
	free(execution->planned);
}
