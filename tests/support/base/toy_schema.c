/* The tables of the toy scenario, and one additional check: of an offset beyond the shape. */
#include "toy_schema.h"

#include <string.h>

static const char *const path_names[] = {
	[TOY_UNICAST] = "unicast", [TOY_BROADCAST] = "broadcast", NULL};

static const struct schema_field forward_fields[] = {
	SCHEMA_ENUM(struct toy_forward, path, "path", path_names, .fallback = "unicast",
		.help = "how commands reach the chips"),
	SCHEMA_INT(struct toy_forward, initiators, "initiators", .min = 1, .max = 1024,
		.fallback = "1", .help = "multicast initiators",
		SCHEMA_WHERE(struct toy_forward, initiators_where)),
};
static const struct schema forward_schema =
	SCHEMA("forward", struct toy_forward, forward_fields, .help = "forward path");

static const struct schema_field noise_fields[] = {
	SCHEMA_REAL(struct toy_noise, sigma, "sigma", .required = true, .real_max = 2.0),
	SCHEMA_INT(struct toy_noise, shift, "shift", .min = -100, .max = 100, .unit = "ns",
		.help = "added to every cost"),
};
static const struct schema noise_schema = SCHEMA("noise", struct toy_noise, noise_fields);

static const struct schema_field link_fields[] = {
	SCHEMA_CONSTANT(
		struct toy_link, latency, "latency", "ns", .required = true, .help = "of one hop"),
	SCHEMA_INT(struct toy_link, lanes, "lanes", .fallback = "4"),
};
static const struct schema link_schema =
	SCHEMA("link", struct toy_link, link_fields, SCHEMA_WHERE(struct toy_link, where));

static const struct schema_field link_item = SCHEMA_ITEM_MAP(struct toy_link, &link_schema);
static const struct schema_field axis_item =
	SCHEMA_NODE(struct toy_axis, values, NULL, SCHEMA_WHERE(struct toy_axis, where));
static const struct schema_field dimension = SCHEMA_ITEM_INT(uint32_t, .min = 1, .max = 32);
static const struct schema_field coordinate = SCHEMA_ITEM_INT(uint16_t);

static const struct schema_variants toy_steps;
static const struct schema_field step_item = SCHEMA_ITEM_VARIANT(struct toy_step, &toy_steps);

static const struct schema_field repeat_siblings[] = {
	SCHEMA_LIST(struct toy_step, repeat.steps, repeat.count, "do", &step_item, .min = 1,
		.max = 1000, .required = true, .help = "what to repeat"),
};

struct toy_write {
	uint64_t bytes;
	const char *buffer;
};

static const struct schema_field write_fields[] = {
	SCHEMA_INT(struct toy_write, bytes, "bytes", .min = 4, .max = INT64_C(1) << 40, .unit = "B",
		.required = true),
	SCHEMA_STRING(struct toy_write, buffer, "buffer", .fallback = "1"),
};
static const struct schema write_schema = SCHEMA("write_buffer", struct toy_write, write_fields);

struct toy_finish {
	uint32_t queue;
};

static const struct schema_field finish_fields[] = {
	SCHEMA_INT(struct toy_finish, queue, "queue"),
};
static const struct schema finish_schema = SCHEMA("finish", struct toy_finish, finish_fields);

static const struct schema_variant step_variants[] = {
	[TOY_REPEAT] = {.field = SCHEMA_INT(struct toy_step, repeat.times, "repeat", .min = 1,
				.max = 1000000, .help = "times"),
		SCHEMA_SIBLINGS(repeat_siblings)},
	[TOY_WRITE] = {.field = SCHEMA_MAP(struct toy_step, write, "write_buffer", &write_schema)},
	[TOY_FINISH] = {.field = SCHEMA_MAP(struct toy_step, finish, "finish", &finish_schema)},
};

static const struct schema_field step_common[] = {
	SCHEMA_BOOL(struct toy_step, traced, "traced", .fallback = "false"),
};

static const struct schema_variants toy_steps = {.name = "step",
	.help = "one step of the workload",
	.size = sizeof(struct toy_step),
	.tag_offset = offsetof(struct toy_step, kind),
	SCHEMA_WHERE(struct toy_step, where),
	.variants = step_variants,
	.variant_count = sizeof(step_variants) / sizeof(step_variants[0]),
	.common = step_common,
	.common_count = 1};

static void bind_cores(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	static const struct schema_field number =
		SCHEMA_ITEM_INT(int, .name = "cores", .max = 5120);

	(void)field;
	if (node->kind == TREE_SCALAR && strcmp(node->text, "all") == 0)
		*(int *)member = -1;
	else
		schema_bind_value(&number, node, member, context);
}

static const char *transport_at(size_t index)
{
	static const char *const rows[] = {"tcp", "zeromq", "nng"};

	return index < sizeof(rows) / sizeof(rows[0]) ? rows[index] : NULL;
}

static const struct schema_field toy_fields[] = {
	SCHEMA_STRING(struct toy, name, "name", .required = true, .help = "name of the \"run\""),
	SCHEMA_STRING(struct toy, comment, "comment", .allow_empty = true, .allow_null = true),
	SCHEMA_INT(struct toy, seed, "seed", .fallback = "1"),
	SCHEMA_BOOL(struct toy, verify, "verify", .fallback = "true"),
	SCHEMA_REAL(struct toy, load, "load", .fallback = "0.5"),
	SCHEMA_ARRAY(struct toy, shape, "shape", &dimension, .fallback = "[8, 8]"),
	SCHEMA_ARRAY(struct toy, offset, "offset", &coordinate, .min = 1, .max = 3,
		.fallback = "[0, 0]", SCHEMA_COUNT(struct toy, offset_count)),
	SCHEMA_MAP(struct toy, forward, "forward", &forward_schema),
	SCHEMA_MAP_PTR(struct toy, noise, "noise", &noise_schema),
	SCHEMA_CONSTANT(struct toy, clock, "clock", "Hz"),
	SCHEMA_DICT(struct toy, links, link_count, "links", &link_item, struct toy_link, name),
	SCHEMA_DICT(struct toy, sweep, sweep_count, "sweep", &axis_item, struct toy_axis, key),
	SCHEMA_LIST(struct toy, workload, step_count, "workload", &step_item),
	SCHEMA_NODE(
		struct toy, platform, "platform", .json = "{\"type\": [\"string\", \"object\"]}"),
	SCHEMA_CUSTOM(struct toy, cores, "cores", bind_cores, .fallback = "all"),
	SCHEMA_REGISTRY(struct toy, transport, "transport", transport_at, .fallback = "zeromq"),
};

static void check_toy(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct toy *toy = object;

	for (uint32_t i = 0; i < toy->offset_count && i < 2; i++) {
		if (toy->offset[i] >= toy->shape[i])
			diag_error(context->diag, tree_where(node, "offset"),
				"offset %u lies outside a shape of %u", (unsigned)toy->offset[i],
				(unsigned)toy->shape[i]);
	}
}

const struct schema toy_schema =
	SCHEMA("toy", struct toy, toy_fields, .help = "a toy scenario", .check = check_toy);
