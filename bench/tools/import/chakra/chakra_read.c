/* Reads the file of one rank of a Chakra trace, with protobuf-c (bench/tools/import/chakra.h). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/import/chakra.h"
#include "chakra.pb-c.h"

/* Largest amount of memory that the library may allocate for one message. */
enum { UNPACKED_MAX = 256 << 20 };
enum { RANK_NEEDS_MAX = 4 << 20 }; /* dependencies of all nodes together */

static const uint64_t bytes_most = UINT64_C(1) << 40;
static const uint64_t operations_most = UINT64_C(1) << 60;
static const uint64_t duration_most_us = 1000000;

struct reader {
	struct arena *arena;
	struct diag *diag;
	struct location where;
	const uint8_t *bytes;
	size_t length, at;
	size_t unpacked_bytes; /* bytes that the library has allocated for the current message */
	size_t needs;	       /* dependencies of the nodes so far */
};

/* ---- memory of the library ---- */

static void *unpacked_alloc(void *context, size_t size)
{
	struct reader *reader = context;

	if (size > UNPACKED_MAX - reader->unpacked_bytes)
		return NULL;
	reader->unpacked_bytes += size;
	return allocate(size > 0 ? size : 1, 1);
}

static void unpacked_free(void *context, void *memory)
{
	(void)context;
	free(memory);
}

/* ---- frames ---- */

/* Reads a varint. Returns false if the bytes end too early, or if the number has more than 64 bits.
 */
static bool take_varint(const uint8_t *bytes, size_t length, size_t *at, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && *at < length; shift += 7) {
		uint8_t byte = bytes[(*at)++];

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

bool chakra_takes(const void *head, size_t length)
{
	const uint8_t *bytes = head;
	size_t at = 0, end;
	uint64_t size, field;

	if (!take_varint(bytes, length, &at, &size) || size > CHAKRA_MESSAGE_MAX)
		return false;
	if (size == 0)
		return at < length && bytes[at] > 0; /* metadata may be empty; nodes are not */
	end = at + size;
	while (at < end && at < length) {
		if (!take_varint(bytes, length, &at, &field) || (field != 0x0a && field != 0x12) ||
			!take_varint(bytes, length, &at, &size) || size > end - at)
			return at >= length;
		at += size;
	}
	return true;
}

/* Finds the bytes of the next message, and moves behind it. Returns false at the end of the file,
 * or after an error. */
static bool take_message(
	struct reader *reader, uint32_t number, const uint8_t **bytes, size_t *count)
{
	size_t start = reader->at;
	uint64_t size;

	if (start == reader->length)
		return false;
	if (!take_varint(reader->bytes, reader->length, &reader->at, &size)) {
		diag_error(reader->diag, reader->where,
			"byte %zu: message %" PRIu32 " begins with no length", start, number);
	} else if (size > CHAKRA_MESSAGE_MAX) {
		diag_error(reader->diag, reader->where,
			"byte %zu: message %" PRIu32 " of %" PRIu64 " B, at most %d are possible",
			start, number, size, CHAKRA_MESSAGE_MAX);
	} else if (size > reader->length - reader->at) {
		diag_error(reader->diag, reader->where,
			"byte %zu: message %" PRIu32 " of %" PRIu64 " B, but the file ends %zu B "
			"behind its length: it is cut",
			start, number, size, reader->length - reader->at);
	} else {
		*bytes = reader->bytes + reader->at;
		*count = size;
		reader->at += size;
		return true;
	}
	return false;
}

/* ---- nodes ---- */

/* Copies a name. Leaves out all characters that are not letters, digits, hyphens or underscores,
 * and all after the first CHAKRA_NAME_MAX. */
static const char *plain_name(struct reader *reader, const char *from)
{
	char copy[CHAKRA_NAME_MAX + 1];
	size_t count = 0;

	for (; *from && count < CHAKRA_NAME_MAX; from++)
		if (isalnum((unsigned char)*from) || *from == '-' || *from == '_')
			copy[count++] = *from;
	return arena_copy(reader->arena, copy, count);
}

static void node_error(struct reader *reader, uint64_t id, const char *name, const char *what)
{
	diag_error(reader->diag, reader->where, "node %" PRIu64 ": %s %s", id, name, what);
}

/* Reads the whole number of an attribute, which may have any type of whole numbers. Returns false,
 * with an error, if the attribute is no whole number, is negative, or exceeds `most`. */
static bool attribute_number(struct reader *reader, uint64_t id, const Chakra__Attribute *attribute,
	uint64_t most, uint64_t *number)
{
	int64_t value = 0;

	switch (attribute->value_case) {
	case CHAKRA__ATTRIBUTE__VALUE_UINT64_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_FIXED64_VALUE:
		*number = attribute->uint64_value;
		break;
	case CHAKRA__ATTRIBUTE__VALUE_UINT32_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_FIXED32_VALUE:
		*number = attribute->uint32_value;
		break;
	case CHAKRA__ATTRIBUTE__VALUE_INT64_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_SINT64_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_SFIXED64_VALUE:
		value = attribute->int64_value;
		*number = (uint64_t)value;
		break;
	case CHAKRA__ATTRIBUTE__VALUE_INT32_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_SINT32_VALUE:
	case CHAKRA__ATTRIBUTE__VALUE_SFIXED32_VALUE:
		value = attribute->int32_value;
		*number = (uint64_t)value;
		break;
	case CHAKRA__ATTRIBUTE__VALUE_BOOL_VALUE:
		*number = attribute->bool_value != 0;
		break;
	default:
		node_error(reader, id, attribute->name, "is no whole number");
		return false;
	}
	if (value >= 0 && *number <= most)
		return true;
	diag_error(reader->diag, reader->where,
		"node %" PRIu64 ": %s of %s%" PRIu64 ", expected 0 to %" PRIu64, id,
		attribute->name, value < 0 ? "-" : "", value < 0 ? 0 - (uint64_t)value : *number,
		most);
	return false;
}

/* The attributes that are numbers: X(name, largest value, member of struct chakra_node) */
#define NUMBERS                                                                                    \
	X("is_cpu_op", 1, on_cpu)                                                                  \
	X("comm_type", UINT32_MAX, comm)                                                           \
	X("comm_size", bytes_most, bytes)                                                          \
	X("comm_dst", CHAKRA_RANKS_MAX - 1, peer)                                                  \
	X("comm_src", CHAKRA_RANKS_MAX - 1, peer)                                                  \
	X("comm_tag", UINT32_MAX, tag)                                                             \
	X("root", CHAKRA_RANKS_MAX - 1, root)                                                      \
	X("num_ops", operations_most, operations)                                                  \
	X("tensor_size", bytes_most, tensor_bytes)                                                 \
	X("meshsim_program", UINT32_MAX, tag)                                                      \
	X("meshsim_place", CHAKRA_RANKS_MAX, place)                                                \
	X("duration_ns", 1000 * duration_most_us, duration_ns)

/* Takes an attribute that names the group of a collective, by a string or by a number, or says
 * which dimensions of the network it uses. Others are ignored. */
static bool take_group_name(
	struct reader *reader, const Chakra__Attribute *attribute, struct chakra_node *node)
{
	bool is_dims = strcmp(attribute->name, "involved_dim") == 0 &&
		       attribute->value_case == CHAKRA__ATTRIBUTE__VALUE_BOOL_LIST;
	uint64_t number;

	for (size_t i = 0; is_dims && i < attribute->bool_list->n_values; i++)
		node->some_dims |= !attribute->bool_list->values[i];
	if (strcmp(attribute->name, "pg_name") != 0 && strcmp(attribute->name, "comm_group") != 0)
		return true;
	if (attribute->value_case == CHAKRA__ATTRIBUTE__VALUE_STRING_VALUE) {
		node->group = plain_name(reader, attribute->string_value);
		return true;
	}
	if (!attribute_number(reader, node->id, attribute, UINT64_MAX, &number))
		return false;
	node->group = arena_printf(reader->arena, "%" PRIu64, number);
	return true;
}

static bool take_attribute(
	struct reader *reader, const Chakra__Attribute *attribute, struct chakra_node *node)
{
	uint64_t number;

#define X(name_, most, member)                                                                     \
	if (strcmp(attribute->name, name_) == 0) {                                                 \
		if (!attribute_number(reader, node->id, attribute, most, &number))                 \
			return false;                                                              \
		node->member = (__typeof__(node->member))number;                                   \
	}
	NUMBERS
#undef X
	if (strcmp(attribute->name, "meshsim_keys") == 0 &&
		attribute->value_case == CHAKRA__ATTRIBUTE__VALUE_STRING_VALUE)
		node->keys = arena_string(reader->arena, attribute->string_value);
	return take_group_name(reader, attribute, node);
}

static bool check_kind(struct reader *reader, const struct chakra_node *node)
{
	if (node->type == 0 || node->type >= CHAKRA_TYPES) {
		diag_error(reader->diag, reader->where,
			"node %" PRIu64 ": type %u is not known, which go from 1 (metadata) to 7 "
			"(collective)",
			node->id, node->type);
		return false;
	}
	if (node->type == CHAKRA_COLLECTIVE && node->comm >= CHAKRA_COMMS) {
		diag_error(reader->diag, reader->where,
			"node %" PRIu64
			": comm_type %u is not known, which go from 0 (all-reduce) to "
			"9 (barrier)",
			node->id, node->comm);
		return false;
	}
	return true;
}

/* Converts a node. Sets *needs to an array with the ids of the nodes on which it depends. resolve()
 * later converts these ids to indices. */
static bool take_node(
	struct reader *reader, const Chakra__Node *from, struct chakra_node *node, uint64_t **needs)
{
	size_t count = from->n_control_dependencies + from->n_data_dependencies;
	bool good = true;

	*node = (struct chakra_node){.id = from->id,
		.type = from->type,
		.name = plain_name(reader, from->name),
		.group = "",
		.keys = "",
		.need_count = (uint32_t)count};
	reader->needs += count;
	if (reader->needs > RANK_NEEDS_MAX)
		diag_error(
			reader->diag, reader->where, "more than %d dependencies", RANK_NEEDS_MAX);
	if (reader->needs > RANK_NEEDS_MAX || count > CHAKRA_NEEDS_MAX ||
		from->duration_us > duration_most_us) {
		if (count > CHAKRA_NEEDS_MAX)
			diag_error(reader->diag, reader->where,
				"node %" PRIu64 ": %zu dependencies, at most %d are possible",
				node->id, count, CHAKRA_NEEDS_MAX);
		else if (from->duration_us > duration_most_us)
			diag_error(reader->diag, reader->where,
				"node %" PRIu64 ": duration of %" PRIu64
				" us, a kernel runs at most "
				"%" PRIu64,
				node->id, from->duration_us, duration_most_us);
		return false;
	}
	node->duration_ns = 1000 * from->duration_us;
	*needs = arena_array(reader->arena, count, sizeof **needs);
	if (from->n_control_dependencies > 0)
		memcpy(*needs, from->control_dependencies,
			from->n_control_dependencies * sizeof **needs);
	if (from->n_data_dependencies > 0)
		memcpy(*needs + from->n_control_dependencies, from->data_dependencies,
			from->n_data_dependencies * sizeof **needs);
	for (size_t i = 0; i < from->n_attributes && good; i++)
		good = take_attribute(reader, from->attributes[i], node);
	return good && check_kind(reader, node);
}

/* ---- dependencies ---- */

struct entry {
	uint64_t id;
	uint32_t index;
};

static int by_id(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

static bool check_circle(struct reader *reader, const struct chakra_rank *rank)
{
	uint32_t *order = allocate(rank->count, sizeof *order);
	uint32_t count = chakra_order(rank, order);
	bool *ordered = allocate(rank->count, sizeof *ordered);

	for (uint32_t i = 0; i < count; i++)
		ordered[order[i]] = true;
	for (uint32_t i = 0; i < rank->count && count < rank->count; i++)
		if (!ordered[i]) {
			diag_error(reader->diag, reader->where,
				"node %" PRIu64 ": its dependencies form a circle, or lead to one",
				rank->nodes[i].id);
			break;
		}
	free(order);
	free(ordered);
	return count == rank->count;
}

static bool resolve_node(struct reader *reader, struct chakra_node *node, const uint64_t *needs,
	const struct entry *entries, uint32_t count)
{
	node->needs = arena_array(reader->arena, node->need_count, sizeof *node->needs);
	for (uint32_t i = 0; i < node->need_count; i++) {
		struct entry key = {needs[i], 0};
		const struct entry *found = bsearch(&key, entries, count, sizeof key, by_id);

		if (!found) {
			diag_error(reader->diag, reader->where,
				"node %" PRIu64 ": it depends on node %" PRIu64
				", which the file does not have",
				node->id, needs[i]);
			return false;
		}
		node->needs[i] = found->index;
	}
	return true;
}

static bool resolve(struct reader *reader, struct chakra_rank *rank, uint64_t *const *needs)
{
	struct entry *entries = allocate(rank->count, sizeof *entries);
	bool good = true;

	for (uint32_t i = 0; i < rank->count; i++)
		entries[i] = (struct entry){rank->nodes[i].id, i};
	qsort(entries, rank->count, sizeof *entries, by_id);
	for (uint32_t i = 1; i < rank->count && good; i++)
		if (entries[i].id == entries[i - 1].id) {
			diag_error(reader->diag, reader->where, "node %" PRIu64 ": there are two",
				entries[i].id);
			good = false;
		}
	for (uint32_t i = 0; i < rank->count && good; i++)
		good = resolve_node(reader, &rank->nodes[i], needs[i], entries, rank->count);
	free(entries);
	return good && check_circle(reader, rank);
}

/* ---- a file ---- */

/* Reads what meshsim has written about the machine. A platform that is not a plain name, such as a
 * path, is ignored, because the trace's author may not be trustworthy. */
static void take_machine(
	struct reader *reader, const Chakra__GlobalMetadata *metadata, struct chakra_rank *rank)
{
	for (size_t i = 0; i < metadata->n_attributes; i++) {
		const Chakra__Attribute *of = metadata->attributes[i];

		if (of->value_case == CHAKRA__ATTRIBUTE__VALUE_STRING_VALUE &&
			strcmp(of->name, "meshsim_platform") == 0) {
			const char *plain = plain_name(reader, of->string_value);

			rank->platform = strcmp(plain, of->string_value) == 0 ? plain : "";
		}
		if (of->value_case == CHAKRA__ATTRIBUTE__VALUE_UINT32_VALUE &&
			strcmp(of->name, "meshsim_rows") == 0)
			rank->rows = of->uint32_value;
		if (of->value_case == CHAKRA__ATTRIBUTE__VALUE_UINT32_VALUE &&
			strcmp(of->name, "meshsim_columns") == 0)
			rank->columns = of->uint32_value;
		if (of->value_case == CHAKRA__ATTRIBUTE__VALUE_BOOL_VALUE &&
			strcmp(of->name, "meshsim_ring") == 0)
			rank->ring = of->bool_value;
	}
}

static bool read_metadata(
	struct reader *reader, ProtobufCAllocator *memory, struct chakra_rank *rank)
{
	const uint8_t *bytes;
	size_t count;
	Chakra__GlobalMetadata *metadata;

	if (!chakra_takes(reader->bytes, reader->length)) {
		diag_error(reader->diag, reader->where,
			"no Chakra trace: it does not begin with a message of metadata");
		return false;
	}
	if (!take_message(reader, 0, &bytes, &count))
		return false;
	metadata = chakra__global_metadata__unpack(memory, count, bytes);
	if (!metadata)
		diag_error(reader->diag, reader->where, "its metadata are damaged");
	else
		take_machine(reader, metadata, rank);
	chakra__global_metadata__free_unpacked(metadata, memory);
	return metadata != NULL;
}

static bool read_node(struct reader *reader, ProtobufCAllocator *memory, struct chakra_rank *rank,
	uint64_t **needs)
{
	const uint8_t *bytes;
	size_t count;
	Chakra__Node *node;
	bool good = false;

	if (!take_message(reader, rank->count + 1, &bytes, &count))
		return false;
	reader->unpacked_bytes = 0;
	node = chakra__node__unpack(memory, count, bytes);
	if (!node)
		diag_error(reader->diag, reader->where,
			"byte %zu: message %u is no node, or is damaged",
			(size_t)(bytes - reader->bytes), rank->count + 1);
	else
		good = take_node(reader, node, &rank->nodes[rank->count], needs);
	chakra__node__free_unpacked(node, memory);
	rank->count += good;
	return good;
}

bool chakra_read_rank(const char *name, const void *bytes, size_t length, struct arena *arena,
	struct diag *diag, struct chakra_rank *rank)
{
	struct reader reader = {.arena = arena,
		.diag = diag,
		.where = location_at(diag_source(diag, name, NULL, 0), 0, 0),
		.bytes = bytes,
		.length = length};
	ProtobufCAllocator memory = {unpacked_alloc, unpacked_free, &reader};
	size_t before = diag_errors(diag);
	uint32_t most = 0;
	uint64_t **needs = NULL;

	*rank = (struct chakra_rank){.where = reader.where, .platform = ""};
	if (!read_metadata(&reader, &memory, rank))
		return false;
	do {
		if (rank->count == most) {
			most = most > 0 ? 2 * most : 64;
			rank->nodes = allocate_more(rank->nodes, most, sizeof *rank->nodes);
			needs = allocate_more(needs, most, sizeof(uint64_t *));
		}
		if (rank->count == CHAKRA_NODES_MAX)
			diag_error(diag, reader.where, "more than %d nodes", CHAKRA_NODES_MAX);
	} while (rank->count < CHAKRA_NODES_MAX &&
		 read_node(&reader, &memory, rank, &needs[rank->count]));
	if (rank->count == 0 && diag_errors(diag) == before)
		diag_error(diag, reader.where, "a trace without nodes");
	if (diag_errors(diag) == before)
		(void)resolve(&reader, rank, needs);
	if (rank->count > 0) {
		struct chakra_node *kept = arena_array(arena, rank->count, sizeof *kept);

		memcpy(kept, rank->nodes, rank->count * sizeof *kept);
		free(rank->nodes);
		rank->nodes = kept;
	} else {
		free(rank->nodes);
	}
	free(needs);
	return diag_errors(diag) == before;
}
