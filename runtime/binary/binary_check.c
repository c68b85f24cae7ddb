/* Checks what FlatBuffers cannot check in a model binary: ranges of numbers, indices, and the order
 * in which tensors are written and read (model_binary.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "binary_private.h"
#include "memory/placement.h"

/* Where the current value of a tensor comes from, during a pass over the programs. */
enum held { HELD_NOTHING, HELD_CONSTANT, HELD_BY_PROGRAM };

struct binary_check {
	const struct model_binary *binary;
	struct text *why;
	uint8_t *held; /* [tensor] enum held */
};

#define REJECT(check, ...) refuse((check)->why, STATUS_INVALID, __VA_ARGS__)

static bool is_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (name[i] < 0x20 || name[i] > 0x7e)
			return false;
	return length > 0 && length <= MODEL_BINARY_NAME_BYTES_MAX;
}

uint64_t model_tensor_elements(const struct model_tensor *tensor)
{
	uint64_t elements = 1;

	for (uint32_t i = 0; i < tensor->rank; i++)
		elements *= tensor->shape[i];
	return elements;
}

const struct model_values *model_values_of(
	const struct model_values *values, uint32_t count, uint32_t tensor)
{
	for (uint32_t i = 0; i < count; i++)
		if (values[i].tensor == tensor)
			return &values[i];
	return NULL;
}

const char *model_split_name(enum model_split split)
{
	static const char *const names[] = {"whole", "rows", "columns", "heads", "partial"};

	return names[split];
}

/* Returns the number of the dimension that a split divides, where 0 is the innermost; -1 if it
 * divides none. */
static int split_dimension(enum model_split split)
{
	static const int dimensions[] = {-1, 1, 0, 2, -1};

	return dimensions[split];
}

static enum status check_tensor(const struct binary_check *check, uint32_t number)
{
	const struct model_tensor *tensor = &check->binary->tensors[number];
	const struct model_system *system = &check->binary->system;
	uint32_t devices = (uint32_t)system->mesh.rows * system->mesh.columns, divided;
	uint64_t elements = 1;

	if (!is_name(tensor->name))
		return REJECT(check, "tensor %u has no proper name", number);
	if (tensor->rank == 0 || tensor->rank > MODEL_BINARY_RANK_MAX)
		return REJECT(check, "tensor '%s' has %u dimensions, but allowed are 1 to %d",
			tensor->name, tensor->rank, MODEL_BINARY_RANK_MAX);
	for (uint32_t i = 0; i < tensor->rank; i++) {
		if (tensor->shape[i] == 0 || tensor->shape[i] > MODEL_BINARY_ELEMENTS_MAX)
			return REJECT(check, "tensor '%s' has an extent of %u", tensor->name,
				tensor->shape[i]);
		elements *= tensor->shape[i];
		if (elements > MODEL_BINARY_ELEMENTS_MAX)
			return REJECT(check, "tensor '%s' has more than %d elements", tensor->name,
				MODEL_BINARY_ELEMENTS_MAX);
	}
	if (tensor->element >= ELEMENT_COUNT)
		return REJECT(check, "tensor '%s' has an unknown type of elements", tensor->name);
	if (tensor->arrangement >= BUFFER_LAYOUT_COUNT || tensor->split >= MODEL_SPLIT_COUNT)
		return REJECT(check, "tensor '%s' has an unknown layout", tensor->name);
	if (split_dimension(tensor->split) < 0)
		return STATUS_OK;
	if ((uint32_t)split_dimension(tensor->split) >= tensor->rank)
		return REJECT(check, "tensor '%s' has no dimension for split '%s'", tensor->name,
			model_split_name(tensor->split));
	divided = tensor->shape[tensor->rank - 1 - (uint32_t)split_dimension(tensor->split)];
	if (divided % devices != 0)
		return REJECT(check, "tensor '%s': %u %s do not divide among %u devices",
			tensor->name, divided, model_split_name(tensor->split), devices);
	return STATUS_OK;
}

/* Checks that all tensors of a list exist. */
static enum status check_list(const struct binary_check *check, const char *of, const char *what,
	const uint32_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] >= check->binary->tensor_count)
			return REJECT(check, "%s '%s' names tensor %u, but there are %u", what, of,
				list[i], check->binary->tensor_count);
	return STATUS_OK;
}

/* Checks a list of inputs or outputs. The host can neither write nor read tensors of split
 * MODEL_PARTIAL; only operations can. */
static enum status check_given(
	const struct binary_check *check, const char *of, const uint32_t *list, uint32_t count)
{
	enum status status = check_list(check, of, "program", list, count);

	for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
		if (check->binary->tensors[list[i]].split == MODEL_PARTIAL)
			status = REJECT(check,
				"tensor '%s' of program '%s' has split partial, which the host "
				"cannot write or read",
				check->binary->tensors[list[i]].name, of);
	return status;
}

/* Checks that the rectangles of a cost's programs fit into the mesh, side by side and row by row.
 */
static enum status check_slots(
	const struct binary_check *check, const struct model_operation *operation)
{
	const struct model_cost *cost = operation->cost;
	const struct model_system *system = &check->binary->system;
	uint32_t beside, rows;

	if (cost->slots == 0)
		return STATUS_OK;
	beside = cost->slot_columns > 0 ? system->mesh.columns / cost->slot_columns : 0;
	rows = beside > 0 ? (cost->slots + beside - 1) / beside * cost->slot_rows : 0;
	if (cost->slots > MODEL_BINARY_SLOTS_MAX || cost->slot_rows == 0 || rows == 0 ||
		rows > system->mesh.rows)
		return REJECT(check, "operation '%s': %u programs on %u x %u devices each",
			operation->name, cost->slots, cost->slot_rows, cost->slot_columns);
	return STATUS_OK;
}

static enum status check_cost(const struct binary_check *check, const struct model_program *program,
	const struct model_operation *operation)
{
	const struct model_cost *cost = operation->cost;

	if (program->constant)
		return REJECT(check,
			"program '%s' computes constants, but operation '%s' computes no values",
			program->name, operation->name);
	if (operation->port_count > 1 || operation->slice_count > 0 || operation->conversion)
		return REJECT(check,
			"operation '%s' computes no values, but has %u tensors, a slice or a "
			"conversion",
			operation->name, operation->port_count);
	if (cost->cycles == 0 || cost->cycles > MODEL_BINARY_CYCLES_MAX || cost->kernel_bytes == 0)
		return REJECT(check, "operation '%s' has kernels of %llu cycles and %u bytes",
			operation->name, (unsigned long long)cost->cycles, cost->kernel_bytes);
	if (!is_name(cost->bound))
		return REJECT(
			check, "operation '%s' has no resource that bounds it", operation->name);
	return check_slots(check, operation);
}

/* Checks the number of ports of an operation without a cost, and what a collective may have. */
static enum status check_computing(
	const struct binary_check *check, const struct model_operation *operation)
{
	if (operation->port_count < 2 || operation->port_count > MODEL_BINARY_PORTS_MAX)
		return REJECT(check, "operation '%s' has %u tensors, but allowed are 2 to %d",
			operation->name, operation->port_count, MODEL_BINARY_PORTS_MAX);
	if (operation->links > MODEL_BINARY_LINKS_MAX)
		return REJECT(check, "operation '%s' has %u links, but allowed are 0 to %d",
			operation->name, operation->links, MODEL_BINARY_LINKS_MAX);
	return STATUS_OK;
}

static enum status check_operation(const struct binary_check *check,
	const struct model_program *program, const struct model_operation *operation)
{
	const struct model_tensor *tensors = check->binary->tensors;
	enum status status;
	uint32_t written;

	if (!is_name(operation->name) || !is_name(operation->kind))
		return REJECT(
			check, "an operation of program '%s' has no proper name", program->name);
	status = operation->cost ? check_cost(check, program, operation)
				 : check_computing(check, operation);
	if (status != STATUS_OK)
		return status;
	if (operation->slice_count != 0 && operation->slice_count != 4)
		return REJECT(check, "operation '%s' has a slice of %u numbers", operation->name,
			operation->slice_count);
	if (operation->cores > MODEL_BINARY_CORES_MAX)
		return REJECT(
			check, "operation '%s' has %u cores", operation->name, operation->cores);
	status = check_list(
		check, operation->name, "operation", operation->ports, operation->port_count);
	if (status != STATUS_OK || operation->port_count == 0)
		return status;
	written = operation->ports[operation->port_count - 1];
	for (uint32_t i = 0; i + 1 < operation->port_count; i++)
		if (check->held[operation->ports[i]] == HELD_NOTHING)
			return REJECT(check,
				"operation '%s' reads tensor '%s', which nothing before has "
				"written",
				operation->name, tensors[operation->ports[i]].name);
	if (check->held[written] != HELD_NOTHING)
		return REJECT(check, "operation '%s' writes tensor '%s' a second time",
			operation->name, tensors[written].name);
	check->held[written] = HELD_BY_PROGRAM;
	return STATUS_OK;
}

/* Checks a program, operation by operation. Afterwards, only constants have values. */
static enum status binary_check_program(const struct binary_check *check, uint32_t number)
{
	const struct model_program *program = &check->binary->programs[number];
	const struct model_tensor *tensors = check->binary->tensors;
	enum status status;

	if (!is_name(program->name))
		return REJECT(check, "program %u has no proper name", number);
	if (program->operation_count == 0 || program->output_count == 0)
		return REJECT(check, "program '%s' has no operations or no outputs", program->name);
	status = check_given(check, program->name, program->inputs, program->input_count);
	if (status == STATUS_OK)
		status = check_given(check, program->name, program->outputs, program->output_count);
	if (status == STATUS_OK && program->constant && program->input_count > 0)
		return REJECT(
			check, "program '%s' computes constants, but has inputs", program->name);
	for (uint32_t i = 0; i < program->input_count && status == STATUS_OK; i++) {
		if (check->held[program->inputs[i]] != HELD_NOTHING)
			return REJECT(check, "input '%s' of program '%s' has a value already",
				tensors[program->inputs[i]].name, program->name);
		check->held[program->inputs[i]] = HELD_BY_PROGRAM;
	}
	for (uint32_t i = 0; i < program->operation_count && status == STATUS_OK; i++)
		status = check_operation(check, program, &program->operations[i]);
	if (status != STATUS_OK)
		return status;
	for (uint32_t i = 0; i < program->output_count; i++) {
		uint32_t output = program->outputs[i];

		if (check->held[output] == HELD_NOTHING)
			return REJECT(check, "output '%s' of program '%s' is never written",
				tensors[output].name, program->name);
		if (program->constant)
			check->held[output] = HELD_CONSTANT;
	}
	for (uint32_t i = 0; i < check->binary->tensor_count; i++)
		if (check->held[i] == HELD_BY_PROGRAM)
			check->held[i] = HELD_NOTHING;
	return STATUS_OK;
}

static enum status check_values(const struct binary_check *check, const char *what,
	const struct model_values *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct model_values *values = &list[i];
		const struct model_tensor *tensor;

		if (values->tensor >= check->binary->tensor_count)
			return REJECT(check, "%s %u is of tensor %u, but there are %u", what, i,
				values->tensor, check->binary->tensor_count);
		tensor = &check->binary->tensors[values->tensor];
		if (tensor->split == MODEL_PARTIAL)
			return REJECT(check, "%s of tensor '%s', whose split is partial", what,
				tensor->name);
		if (model_values_of(list, i, values->tensor))
			return REJECT(check, "%s of tensor '%s' occurs twice", what, tensor->name);
		if (values->count != model_tensor_elements(tensor))
			return REJECT(check, "%s of tensor '%s': %llu values for %llu elements",
				what, tensor->name, (unsigned long long)values->count,
				(unsigned long long)model_tensor_elements(tensor));
		if (!(values->tolerance >= 0) || !isfinite(values->tolerance))
			return REJECT(check, "%s of tensor '%s' has a tolerance of %g", what,
				tensor->name, (double)values->tolerance);
	}
	return STATUS_OK;
}

static enum status check_system(const struct binary_check *check)
{
	const struct model_system *system = &check->binary->system;

	if (system->mesh.rows == 0 || system->mesh.columns == 0 || system->worker_rows == 0 ||
		system->worker_columns == 0 || system->dram_banks == 0)
		return REJECT(check, "its machine has no devices, workers or DRAM");
	if (system->hash != binary_system_hash(system))
		return REJECT(check, "the description of its machine contradicts its hash");
	if (!is_name(system->platform) || !is_name(check->binary->name))
		return REJECT(check, "it has no proper name, or its platform has none");
	return STATUS_OK;
}

static enum status check_counts(const struct binary_check *check)
{
	const struct model_binary *binary = check->binary;
	uint64_t operations = 0;

	for (uint32_t i = 0; i < binary->program_count; i++)
		operations += binary->programs[i].operation_count;
	if (binary->tensor_count > MODEL_BINARY_TENSORS_MAX ||
		binary->program_count > MODEL_BINARY_PROGRAMS_MAX ||
		operations > MODEL_BINARY_OPERATIONS_MAX || binary->program_count == 0 ||
		binary->constant_count > binary->tensor_count ||
		binary->golden_count > binary->tensor_count)
		return REJECT(check,
			"%u tensors, %u programs, %llu operations, %u constants, %u "
			"golden values are too many or none",
			binary->tensor_count, binary->program_count, (unsigned long long)operations,
			binary->constant_count, binary->golden_count);
	return STATUS_OK;
}

enum status model_binary_check(const struct model_binary *binary, struct text *why)
{
	struct binary_check check = {.binary = binary, .why = why};
	enum status status = check_system(&check);

	if (status == STATUS_OK)
		status = check_counts(&check);
	for (uint32_t i = 0; i < binary->tensor_count && status == STATUS_OK; i++)
		status = check_tensor(&check, i);
	if (status == STATUS_OK)
		status =
			check_values(&check, "constant", binary->constants, binary->constant_count);
	if (status == STATUS_OK)
		status = check_values(&check, "golden value", binary->golden, binary->golden_count);
	if (status != STATUS_OK)
		return status;
	check.held = allocate(binary->tensor_count + 1, 1);
	for (uint32_t i = 0; i < binary->constant_count; i++)
		check.held[binary->constants[i].tensor] = HELD_CONSTANT;
	for (uint32_t i = 0; i < binary->program_count && status == STATUS_OK; i++)
		status = binary_check_program(&check, i);
	free(check.held);
	return status;
}
