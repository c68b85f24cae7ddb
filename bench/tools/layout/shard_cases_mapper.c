/* Test cases for mesh mappers (layout/mapper.h). A case is a map such as {shape: [4, 3, 32, 32],
 * dims: [null, 0], expect: ok, global: [384, 32], shard: [96, 0], orientation: ROW_MAJOR,
 * device_shape: [1, 3, 32, 32]}. If the mapper must be rejected, the case has `expect: throw
 * (why)`. */
#include <string.h>

#include "parts.h"

struct mapper_case {
	struct mapper_tensor tensor;
	struct mapper_mesh mesh;
	bool both; /* the case gives `dims` instead of `dim` */
	bool any;  /* the case allows packing of elements */
	int32_t dims[2];
};

static bool shard_cases_mapper_read_dim(
	struct shard_cases *cases, const struct tree_node *node, int32_t *dim)
{
	int64_t value;

	*dim = MAPPER_REPLICATE;
	if (tree_is_null(node) || (node->kind == TREE_SCALAR && strcmp(node->text, "None") == 0))
		return true;
	if (node->kind != TREE_SCALAR || tree_integer(node, &value) != STATUS_OK || value < -1000 ||
		value > 1000) {
		diag_error(cases->diag, node->where, "expected a dimension or null");
		return false;
	}
	*dim = (int32_t)value;
	return true;
}

static bool read_shape(struct shard_cases *cases, const struct tree_node *item, const char *key,
	struct layout_shape *shape)
{
	const struct tree_node *node = tree_get(item, key);

	if (!node || node->kind != TREE_SEQUENCE) {
		diag_error(cases->diag, item->where, "expected %s, a list", key);
		return false;
	}
	/* if the rank is above LAYOUT_RANK_MAX, the mapper rejects it */
	shape->rank = node->count;
	for (uint32_t i = 0; i < node->count && i < LAYOUT_RANK_MAX; i++)
		if (!cases_number(cases, node->items[i], UINT64_MAX >> 1, &shape->size[i]))
			return false;
	return true;
}

static const char *shape_key(const struct tree_node *item)
{
	if (tree_get(item, "tensor"))
		return "tensor";
	return tree_get(item, "tensor_shape") ? "tensor_shape" : "shape";
}

static bool read_case(
	struct shard_cases *cases, const struct tree_node *item, struct mapper_case *given)
{
	const struct tree_node *dims = tree_get(item, "dims"), *dim = tree_get(item, "dim");
	const char *packing = cases_text(item, "packing");
	uint32_t datum = 4;

	*given = (struct mapper_case){.both = dims != NULL};
	if (!cases_mesh(cases, item, &given->mesh) ||
		!read_shape(cases, item, shape_key(item), &given->tensor.shape) ||
		!cases_element_bytes(cases, item, &datum))
		return false;
	given->any = packing && strcmp(packing, "true") == 0;
	given->tensor.element_bytes = datum;
	if (dims && dims->kind == TREE_SEQUENCE && dims->count == 2)
		return shard_cases_mapper_read_dim(cases, dims->items[0], &given->dims[0]) &&
		       shard_cases_mapper_read_dim(cases, dims->items[1], &given->dims[1]);
	if (!dims && dim)
		return shard_cases_mapper_read_dim(cases, dim, &given->dims[0]);
	diag_error(cases->diag, item->where, "expected dim, or dims of two");
	return false;
}

static enum mapper_refusal shard_cases_mapper_lower(
	const struct mapper_case *given, struct mapper_lowering *lowering, struct text *why)
{
	if (given->both)
		return given->any ? mapper_shard_2d_any(&given->tensor, &given->mesh, given->dims,
					    lowering, why)
				  : mapper_shard_2d(&given->tensor, &given->mesh, given->dims,
					    lowering, why);
	return given->any
		       ? mapper_shard_any(
				 &given->tensor, &given->mesh, given->dims[0], lowering, why)
		       : mapper_shard(&given->tensor, &given->mesh, given->dims[0], lowering, why);
}

/* Compares the pair of numbers that the case expects under the key `key` with the pair `high`,
 * `wide` of the configuration. If they differ, appends the pair of the configuration to
 * `differs`. */
static void compare_pair(struct shard_cases *cases, const struct tree_node *item, const char *key,
	uint64_t high, uint64_t wide, struct text *differs)
{
	uint64_t stated[2];

	if (!tree_get(item, key) || !cases_extents(cases, item, key, stated, 2))
		return;
	if (stated[0] != high || stated[1] != wide)
		text_printf(differs, "%s%s %llux%llu", differs->length ? ", " : "", key,
			(unsigned long long)high, (unsigned long long)wide);
}

static void compare_shape(struct shard_cases *cases, const struct tree_node *item,
	const struct layout_shape *device, struct text *differs)
{
	struct layout_shape stated;
	bool same;

	if (!tree_get(item, "device_shape") || !read_shape(cases, item, "device_shape", &stated))
		return;
	same = stated.rank == device->rank;
	for (uint32_t d = 0; same && d < device->rank; d++)
		same = stated.size[d] == device->size[d];
	if (same)
		return;
	text_printf(differs, "%sdevice_shape ", differs->length ? ", " : "");
	layout_shape_print(device, "x", differs);
}

static void shard_cases_mapper_compare(struct shard_cases *cases, const struct tree_node *item,
	const char *label, const char *expected, const struct mapper_lowering *lowering)
{
	const struct mesh_layout *config = &lowering->config;
	enum orientation orientation;
	struct text differs = {0};

	compare_pair(cases, item, "global", config->global_height, config->global_width, &differs);
	compare_pair(cases, item, "shard", config->shard_height, config->shard_width, &differs);
	compare_shape(cases, item, &lowering->device, &differs);
	if (tree_get(item, "orientation") &&
		cases_orientation(cases, tree_get(item, "orientation"), &orientation) &&
		orientation != config->orientation)
		text_printf(&differs, "%s%s", differs.length ? ", " : "",
			config->orientation == ORIENTATION_ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR");
	if (differs.length)
		cases_add(cases, item, OUTCOME_DIFFERS, label, expected, text_string(&differs));
	else
		cases_add_verdict(cases, item, label, expected, false, "");
	text_fini(&differs);
}

/* True if the case expects a rejection for a reason other than `refusal`. */
static bool names_other(const char *expected, enum mapper_refusal refusal)
{
	for (int i = MAPPER_NONE + 1; i < MAPPER_REFUSAL_COUNT; i++) {
		char named[64];

		snprintf(named, sizeof named, "(%s)", mapper_refusal_name((enum mapper_refusal)i));
		if (i != (int)refusal && strstr(expected, named))
			return true;
	}
	return false;
}

void cases_mapper(struct shard_cases *cases, const struct tree_node *section)
{
	static const char *const keys[] = {"shape", "tensor", "tensor_shape", "mapper", "dim",
		"dims", "packing", "datum_B", "expect", "global", "shard", "orientation",
		"device_shape", NULL};
	uint32_t count = cases_in(cases, section);

	for (uint32_t i = 0; i < count; i++) {
		const struct tree_node *item = section->items[i];
		const struct tree_node *stated = tree_get(item, "expect");
		const char *expected = cases_text(item, "expect");
		struct mapper_lowering lowering;
		enum mapper_refusal refusal;
		struct mapper_case given;
		struct text why = {0}, label = {0};

		if (!cases_known_keys(cases, item, keys) || !read_case(cases, item, &given))
			continue;
		if (given.tensor.shape.rank <= LAYOUT_RANK_MAX)
			layout_shape_print(&given.tensor.shape, "x", &label);
		refusal = shard_cases_mapper_lower(&given, &lowering, &why);
		if (refusal == MAPPER_NONE)
			shard_cases_mapper_compare(cases,
				stated && stated->kind == TREE_MAP ? stated : item,
				text_string(&label), expected ? expected : "ok", &lowering);
		else if (expected && names_other(expected, refusal))
			cases_add(cases, item, OUTCOME_DIFFERS, text_string(&label), expected,
				arena_printf(&cases->arena, "refused: %s",
					mapper_refusal_name(refusal)));
		else
			cases_add_verdict(cases, item, text_string(&label),
				expected ? expected : "ok", true,
				arena_printf(&cases->arena, "%s: %s", mapper_refusal_name(refusal),
					text_string(&why)));
		text_fini(&why);
		text_fini(&label);
	}
}
