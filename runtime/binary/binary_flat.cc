/* Converts model binaries to FlatBuffers buffers and back (binary_private.h). No other file of this
 * folder uses the FlatBuffers library. */
#include <cstring>
#include <vector>

#include "binary_generated.h"
extern "C" {
#include "binary_private.h"
}

namespace
{
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::String;
using flatbuffers::Vector;

enum {
	CHECKSUM_AT = 8, /* position of the checksum in mb::Seal */
	DEPTH_MAX = 6,
	/* Every operation, tensor, program and list of values is a table. Files of newer versions
	 * may have further tables, so twice as many are allowed. */
	TABLES_MAX = 2 * (3 * MODEL_BINARY_OPERATIONS_MAX + 4 * MODEL_BINARY_TENSORS_MAX),
};

/* ---- reading ---- */

const char *text_of(const String *string)
{
	return string ? string->c_str() : "";
}

enum element element_of(const String *name)
{
	for (unsigned i = 0; i < ELEMENT_COUNT; i++)
		if (std::strcmp(text_of(name), element_name(static_cast<enum element>(i))) == 0)
			return static_cast<enum element>(i);
	return ELEMENT_COUNT;
}

/* Copies a list of numbers. Sets *count to its length, which is 0 if the list is missing. */
const uint32_t *numbers_of(const Vector<uint32_t> *list, struct arena *arena, uint32_t *count)
{
	*count = list ? list->size() : 0;
	auto numbers = static_cast<uint32_t *>(arena_array(arena, *count, sizeof(uint32_t)));

	for (uint32_t i = 0; i < *count; i++)
		numbers[i] = list->Get(i);
	return numbers;
}

/* Copies at most `room` numbers of the list to `to`, and returns the length of the list. */
uint32_t numbers_into(const Vector<uint32_t> *list, uint32_t *to, uint32_t room)
{
	uint32_t count = list ? list->size() : 0;

	for (uint32_t i = 0; i < count && i < room; i++)
		to[i] = list->Get(i);
	return count;
}

template <typename Table, typename Row>
const Row *rows_of(const Vector<Offset<Table>> *list, struct arena *arena, uint32_t *count,
	void (*unpack)(const Table *table, struct arena *arena, Row *row))
{
	*count = list ? list->size() : 0;
	auto rows = static_cast<Row *>(arena_array(arena, *count, sizeof(Row)));

	for (uint32_t i = 0; i < *count; i++)
		unpack(list->Get(i), arena, &rows[i]);
	return rows;
}

void unpack_tensor(const mb::Tensor *from, struct arena *, struct model_tensor *to)
{
	to->name = text_of(from->name());
	to->rank = numbers_into(from->shape(), to->shape, MODEL_BINARY_RANK_MAX);
	to->element = element_of(from->element());
	to->in_rows = from->in_rows();
	to->in_l1 = from->memory() == 1;
	to->arrangement = from->arrangement();
	to->split = static_cast<enum model_split>(from->split());
}

const struct model_cost *cost_of(const mb::Cost *from, struct arena *arena)
{
	if (!from)
		return nullptr;
	auto cost = static_cast<struct model_cost *>(arena_alloc(arena, sizeof(struct model_cost)));

	cost->cycles = from->cycles();
	cost->ns = from->ns();
	cost->kernel_bytes = from->kernel_bytes();
	cost->slots = from->slots();
	cost->slot_rows = from->slot_rows();
	cost->slot_columns = from->slot_columns();
	cost->bound = text_of(from->bound());
	cost->matrix_cycles = from->matrix_cycles();
	cost->vector_cycles = from->vector_cycles();
	cost->dram_bytes = from->dram_bytes();
	cost->noc_bytes = from->noc_bytes();
	cost->link_bytes = from->link_bytes();
	return cost;
}

void unpack_operation(const mb::Operation *from, struct arena *arena, struct model_operation *to)
{
	to->name = text_of(from->name());
	to->kind = text_of(from->kind());
	to->port_count = numbers_into(from->ports(), to->ports, MODEL_BINARY_PORTS_MAX);
	to->slice_count = numbers_into(from->slice(), to->slice, 4);
	to->cores = from->cores();
	to->conversion = from->conversion();
	to->line = from->line();
	to->ring = from->ring();
	to->links = from->links();
	to->cost = cost_of(from->cost(), arena);
}

void unpack_program(const mb::Program *from, struct arena *arena, struct model_program *to)
{
	to->name = text_of(from->name());
	to->constant = from->constant();
	to->inputs = numbers_of(from->inputs(), arena, &to->input_count);
	to->outputs = numbers_of(from->outputs(), arena, &to->output_count);
	to->operations = rows_of(from->operations(), arena, &to->operation_count, unpack_operation);
}

void unpack_values(const mb::Values *from, struct arena *, struct model_values *to)
{
	to->tensor = from->tensor();
	to->tolerance = from->tolerance();
	to->count = from->values() ? from->values()->size() : 0;
	to->values = from->values() ? from->values()->data() : nullptr;
}

void unpack_system(const mb::System *from, struct model_system *to)
{
	to->platform = from ? text_of(from->platform()) : "";
	if (!from)
		return;
	to->mesh.rows = from->rows();
	to->mesh.columns = from->columns();
	to->worker_rows = from->worker_rows();
	to->worker_columns = from->worker_columns();
	to->dram_banks = from->dram_banks();
	to->l1_bytes = from->l1_bytes();
	to->dram_bank_bytes = from->dram_bank_bytes();
	to->hash = from->hash();
}

/* ---- writing ---- */

struct Packing {
	FlatBufferBuilder builder;

	Offset<String> text(const char *string)
	{
		return builder.CreateString(string ? string : "");
	}
	Offset<Vector<uint32_t>> numbers(const uint32_t *list, uint32_t count)
	{
		return builder.CreateVector(list, count);
	}
	template <typename Table, typename Row>
	Offset<Vector<Offset<Table>>> rows(
		const Row *from, uint32_t count, Offset<Table> (*pack)(Packing &, const Row *))
	{
		std::vector<Offset<Table>> offsets;

		for (uint32_t i = 0; i < count; i++)
			offsets.push_back(pack(*this, &from[i]));
		return builder.CreateVector(offsets);
	}
};

Offset<mb::Tensor> pack_tensor(Packing &packing, const struct model_tensor *from)
{
	auto name = packing.text(from->name), element = packing.text(element_name(from->element));
	auto shape = packing.numbers(from->shape, from->rank);

	return mb::CreateTensor(packing.builder, name, shape, element, from->in_rows, from->in_l1,
		static_cast<uint8_t>(from->arrangement), static_cast<uint8_t>(from->split));
}

/* Returns a null offset for an operation without a cost: the file then has no such table. */
Offset<mb::Cost> pack_cost(Packing &packing, const struct model_cost *from)
{
	if (!from)
		return 0;
	auto bound = packing.text(from->bound);

	return mb::CreateCost(packing.builder, from->cycles, from->ns, from->kernel_bytes,
		from->slots, from->slot_rows, from->slot_columns, bound, from->matrix_cycles,
		from->vector_cycles, from->dram_bytes, from->noc_bytes, from->link_bytes);
}

Offset<mb::Operation> pack_operation(Packing &packing, const struct model_operation *from)
{
	auto name = packing.text(from->name), kind = packing.text(from->kind);
	auto ports = packing.numbers(from->ports, from->port_count);
	auto slice = packing.numbers(from->slice, from->slice_count);
	auto cost = pack_cost(packing, from->cost);

	return mb::CreateOperation(packing.builder, name, kind, ports, slice, from->cores,
		from->conversion, from->line, from->ring, from->links, cost);
}

Offset<mb::Program> pack_program(Packing &packing, const struct model_program *from)
{
	auto name = packing.text(from->name);
	auto inputs = packing.numbers(from->inputs, from->input_count);
	auto outputs = packing.numbers(from->outputs, from->output_count);
	auto operations = packing.rows(from->operations, from->operation_count, pack_operation);

	return mb::CreateProgram(
		packing.builder, name, from->constant, inputs, outputs, operations);
}

Offset<mb::Values> pack_values(Packing &packing, const struct model_values *from)
{
	auto values = packing.builder.CreateVector(from->values, from->count);

	return mb::CreateValues(packing.builder, from->tensor, values, from->tolerance);
}

Offset<mb::System> pack_system(Packing &packing, const struct model_system *from)
{
	auto platform = packing.text(from->platform);

	return mb::CreateSystem(packing.builder, platform, from->mesh.rows, from->mesh.columns,
		from->worker_rows, from->worker_columns, from->dram_banks, from->l1_bytes,
		from->dram_bank_bytes, from->hash);
}
} // namespace

bool model_binary_available(void)
{
	return true;
}

bool binary_flat_head(const uint8_t *bytes, size_t count, struct binary_head *head)
{
	flatbuffers::Verifier verifier(bytes, count, DEPTH_MAX, TABLES_MAX);
	const flatbuffers::Table *root;
	const mb::Seal *seal;

	if (count < 2 * sizeof(flatbuffers::uoffset_t) + sizeof(mb::Seal) ||
		verifier.VerifyOffset(0) == 0)
		return false;
	root = flatbuffers::GetRoot<flatbuffers::Table>(bytes);
	if (!root->VerifyTableStart(verifier) ||
		!root->VerifyField<mb::Seal>(verifier, mb::Binary::VT_SEAL, alignof(mb::Seal)))
		return false;
	seal = root->GetStruct<const mb::Seal *>(mb::Binary::VT_SEAL);
	if (!seal)
		return false;
	head->major = seal->major();
	head->minor = seal->minor();
	head->checksum = seal->checksum();
	head->checksum_at =
		static_cast<size_t>(reinterpret_cast<const uint8_t *>(seal) - bytes) + CHECKSUM_AT;
	return true;
}

bool binary_flat_verify(const uint8_t *bytes, size_t count)
{
	flatbuffers::Verifier verifier(bytes, count, DEPTH_MAX, TABLES_MAX);

	return mb::VerifyBinaryBuffer(verifier);
}

void binary_flat_unpack(const uint8_t *bytes, struct arena *arena, struct model_binary *binary)
{
	const mb::Binary *from = mb::GetBinary(bytes);
	const mb::Debug *debug = from->debug();

	*binary = model_binary{};
	binary->name = text_of(from->name());
	binary->maker = text_of(from->maker());
	binary->major = from->seal()->major();
	binary->minor = from->seal()->minor();
	binary->patch = from->seal()->patch();
	unpack_system(from->system(), &binary->system);
	binary->tensors = rows_of(from->tensors(), arena, &binary->tensor_count, unpack_tensor);
	binary->programs = rows_of(from->programs(), arena, &binary->program_count, unpack_program);
	binary->constants =
		rows_of(from->constants(), arena, &binary->constant_count, unpack_values);
	binary->golden = rows_of(from->golden(), arena, &binary->golden_count, unpack_values);
	binary->file = debug ? text_of(debug->file()) : "";
	binary->source = debug ? text_of(debug->source()) : "";
}

void binary_flat_pack(const struct model_binary *binary, struct text *out)
{
	Packing packing;
	mb::Seal seal(MODEL_BINARY_MAJOR, MODEL_BINARY_MINOR, MODEL_BINARY_PATCH, 0, 0);
	auto name = packing.text(binary->name), maker = packing.text("meshsim");
	auto system = pack_system(packing, &binary->system);
	auto tensors = packing.rows(binary->tensors, binary->tensor_count, pack_tensor);
	auto programs = packing.rows(binary->programs, binary->program_count, pack_program);
	auto constants = packing.rows(binary->constants, binary->constant_count, pack_values);
	auto golden = packing.rows(binary->golden, binary->golden_count, pack_values);
	auto file = packing.text(binary->file), source = packing.text(binary->source);
	auto debug = mb::CreateDebug(packing.builder, file, source);

	mb::FinishBinaryBuffer(
		packing.builder, mb::CreateBinary(packing.builder, &seal, name, maker, system,
					 tensors, programs, constants, golden, debug));
	text_append_bytes(out, packing.builder.GetBufferPointer(), packing.builder.GetSize());
}
