/* Writes the file of one rank of a Chakra trace, with protobuf-c (bench/tools/import/chakra.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/tools/import/chakra.h"
#include "chakra.pb-c.h"

enum { ATTRIBUTES_MAX = 12, VARINT_BYTES = 10 };

/* The attributes of a message that is being written, as structs of the library. Their strings
 * belong to the caller. */
struct writing {
	Chakra__Attribute attributes[ATTRIBUTES_MAX], *pointers[ATTRIBUTES_MAX];
	size_t count;
};

/* Removes const: the members of the library's structs are not const, but packing only reads the
 * strings. */
static char *borrowed(const char *from)
{
	char *pointer;

	memcpy(&pointer, &from, sizeof pointer);
	return pointer;
}

static Chakra__Attribute *add(struct writing *writing, const char *name)
{
	Chakra__Attribute *attribute = &writing->attributes[writing->count];

	chakra__attribute__init(attribute);
	attribute->name = borrowed(name);
	writing->pointers[writing->count++] = attribute;
	return attribute;
}

static void add_bool(struct writing *writing, const char *name, bool value)
{
	Chakra__Attribute *attribute = add(writing, name);

	attribute->value_case = CHAKRA__ATTRIBUTE__VALUE_BOOL_VALUE;
	attribute->bool_value = value;
}

static void add_int64(struct writing *writing, const char *name, uint64_t value)
{
	Chakra__Attribute *attribute = add(writing, name);

	attribute->value_case = CHAKRA__ATTRIBUTE__VALUE_INT64_VALUE;
	attribute->int64_value = (int64_t)value;
}

static void add_int32(struct writing *writing, const char *name, uint32_t value)
{
	Chakra__Attribute *attribute = add(writing, name);

	attribute->value_case = CHAKRA__ATTRIBUTE__VALUE_INT32_VALUE;
	attribute->int32_value = (int32_t)value;
}

static void add_uint32(struct writing *writing, const char *name, uint32_t value)
{
	Chakra__Attribute *attribute = add(writing, name);

	attribute->value_case = CHAKRA__ATTRIBUTE__VALUE_UINT32_VALUE;
	attribute->uint32_value = value;
}

static void add_string(struct writing *writing, const char *name, const char *value)
{
	Chakra__Attribute *attribute = add(writing, name);

	attribute->value_case = CHAKRA__ATTRIBUTE__VALUE_STRING_VALUE;
	attribute->string_value = borrowed(value);
}

/* Appends the length of a message, and then the message. */
static void put_message(struct text *out, const ProtobufCMessage *message)
{
	size_t size = protobuf_c_message_get_packed_size(message), count = 0, left = size;
	uint8_t *bytes = allocate(size + VARINT_BYTES, 1);

	do {
		bytes[count++] = (uint8_t)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
		left >>= 7;
	} while (left > 0);
	(void)protobuf_c_message_pack(message, bytes + count);
	text_append_bytes(out, bytes, count + size);
	free(bytes);
}

static void add_attributes(struct writing *writing, const struct chakra_node *node)
{
	bool sends = node->type == CHAKRA_SEND;

	add_bool(writing, "is_cpu_op", node->on_cpu);
	if (node->type == CHAKRA_COLLECTIVE) {
		add_int64(writing, "comm_type", node->comm);
		if (node->comm == CHAKRA_BROADCAST)
			add_int32(writing, "root", node->root);
	}
	if (node->type >= CHAKRA_SEND || node->bytes > 0)
		add_int64(writing, "comm_size", node->bytes);
	if (sends || node->type == CHAKRA_RECEIVE) {
		add_int32(writing, sends ? "comm_dst" : "comm_src", node->peer);
		add_uint32(writing, "comm_tag", node->tag);
	}
	if ((node->type == CHAKRA_COMPUTE || node->type == CHAKRA_COLLECTIVE) && node->tag > 0)
		add_uint32(writing, "meshsim_program", node->tag);
	if (node->operations > 0)
		add_int64(writing, "num_ops", node->operations);
	if (node->tensor_bytes > 0)
		add_int64(writing, "tensor_size", node->tensor_bytes);
	if (node->duration_ns % 1000 > 0)
		add_int64(writing, "duration_ns", node->duration_ns);
	if (node->place > 0)
		add_uint32(writing, "meshsim_place", node->place);
	if (node->group[0])
		add_string(writing, "pg_name", node->group);
	if (node->keys[0])
		add_string(writing, "meshsim_keys", node->keys);
}

static void put_node(
	const struct chakra_rank *rank, const struct chakra_node *node, struct text *out)
{
	uint64_t *needs = allocate(node->need_count, sizeof *needs);
	struct writing writing = {.count = 0};
	Chakra__Node message = CHAKRA__NODE__INIT;

	for (uint32_t i = 0; i < node->need_count; i++)
		needs[i] = rank->nodes[node->needs[i]].id;
	add_attributes(&writing, node);
	message.id = node->id;
	message.name = borrowed(node->name);
	message.type = node->type;
	message.n_data_dependencies = node->need_count;
	message.data_dependencies = needs;
	message.duration_us = node->duration_ns / 1000;
	message.n_attributes = writing.count;
	message.attributes = writing.pointers;
	put_message(out, &message.base);
	free(needs);
}

void chakra_write_rank(const struct chakra_rank *rank, struct text *out)
{
	Chakra__GlobalMetadata metadata = CHAKRA__GLOBAL_METADATA__INIT;
	struct writing writing = {.count = 0};

	if (rank->platform && rank->platform[0])
		add_string(&writing, "meshsim_platform", rank->platform);
	if (rank->rows > 0) {
		add_uint32(&writing, "meshsim_rows", rank->rows);
		add_uint32(&writing, "meshsim_columns", rank->columns);
		add_bool(&writing, "meshsim_ring", rank->ring);
	}
	metadata.version = borrowed("0.0.4");
	metadata.n_attributes = writing.count;
	metadata.attributes = writing.pointers;
	put_message(out, &metadata.base);
	for (uint32_t i = 0; i < rank->count; i++)
		put_node(rank, &rank->nodes[i], out);
}
