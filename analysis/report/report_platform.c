/* Writes, for a report, the constants of the effective platforms: all constants of the first
 * platform, and those constants of each other platform that differ from the first. Every YAML map
 * with a value and a kind is a constant. */
#include <string.h>

#include "base/tree.h"
#include "report_private.h"

enum { PLATFORMS_MAX = 24, LISTED_MAX = 4096 };

struct listed {
	const char *path, *value, *unit, *kind, *source;
};

struct list {
	struct listed at[LISTED_MAX];
	uint32_t count;
	const char *measured_on; /* platforms that its figures were measured on; "": unknown */
};

static const char *member(const struct tree_node *map, const char *key, struct arena *arena)
{
	const struct tree_node *node = tree_get(map, key);
	struct text text;
	const char *copy;

	if (!node)
		return "";
	if (node->kind == TREE_SCALAR)
		return arena_string(arena, node->text);
	text_init(&text);
	tree_write_json(node, &text);
	copy = arena_string(arena, text_string(&text));
	text_fini(&text);
	return copy;
}

static void report_platform_collect(
	struct list *list, const struct tree_node *node, const char *path, struct arena *arena)
{
	if (node->kind != TREE_MAP)
		return;
	if (tree_get(node, "value") && tree_get(node, "kind")) {
		if (list->count < LISTED_MAX)
			list->at[list->count++] = (struct listed){path,
				member(node, "value", arena), member(node, "unit", arena),
				member(node, "kind", arena), member(node, "source", arena)};
		return;
	}
	for (uint32_t i = 0; i < node->count; i++)
		report_platform_collect(list, node->pairs[i].value,
			arena_printf(arena, "%s%s%s", path, path[0] ? "." : "", node->pairs[i].key),
			arena);
}

/* Returns the name of a platform, and fills `list` with its constants. */
static const char *read_platform(const char *platform, struct list *list, struct arena *arena)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("platform", platform, strlen(platform), diag);
	const char *name = "";

	list->count = 0;
	list->measured_on = "";
	if (tree) {
		report_platform_collect(list, tree_root(tree), "", arena);
		name = member(tree_root(tree), "name", arena);
		list->measured_on = member(tree_root(tree), "measured_on", arena);
	}
	tree_free(tree);
	diag_free(diag);
	return name;
}

static bool is_same(const struct listed *a, const struct list *list, uint32_t index)
{
	const struct listed *b = &list->at[index];

	return index < list->count && strcmp(a->path, b->path) == 0 &&
	       strcmp(a->value, b->value) == 0 && strcmp(a->kind, b->kind) == 0;
}

/* Writes the constants of `list`. If `first` is not NULL, writes only those that differ from the
 * constant with the same index in `first`. */
static void report_platform_write_constants(
	struct json *json, const struct list *list, const struct list *first)
{
	json_array_of(json, "constants");
	for (uint32_t i = 0; i < list->count; i++) {
		const struct listed *listed = &list->at[i];
		if (first && is_same(listed, first, i))
			continue;
		json_array(json);
		json_string(json, listed->path);
		json_string(json, listed->value);
		json_string(json, listed->unit);
		json_string(json, listed->kind);
		json_string(json, listed->source);
		json_array_end(json);
	}
	json_array_end(json);
}

/* Writes, for each run, the index of its platform in `shared`, and adds new platforms to `shared`.
 * At most PLATFORMS_MAX different platforms are stored; the index of any further platform is -1. */
static void share_platforms(struct report *report, struct report_shared *shared, struct json *json)
{
	struct summary *summary = &report->comparison.summary;

	json_array_of(json, "platform_of");
	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		struct arena scratch = {0};
		const char *platform = result_document(summary->result,
			arena_printf(&scratch, "%s/platform", summary_group(summary, row)),
			&scratch);
		bool full = shared->count == PLATFORMS_MAX;
		uint32_t index = 0;
		while (full && index < shared->count && strcmp(shared->at[index], platform) != 0)
			index++;
		if (!full)
			index = report_share(shared, platform, &report->comparison.arena);
		json_integer(json, index < shared->count ? (int64_t)index : -1);
		arena_fini(&scratch);
	}
	json_array_end(json);
}

void report_platforms(struct report *report, struct json *json)
{
	struct arena *arena = &report->comparison.arena;
	struct list *first = arena_alloc(arena, sizeof(*first));
	struct list *list = arena_alloc(arena, sizeof(*list));
	struct report_shared shared = {NULL, 0};

	share_platforms(report, &shared, json);
	json_array_of(json, "platforms");
	for (uint32_t i = 0; i < shared.count; i++) {
		const char *name = read_platform(shared.at[i], i ? list : first, arena);
		json_object(json);
		json_text(json, "name", name);
		json_text(json, "measured_on", i ? list->measured_on : first->measured_on);
		report_platform_write_constants(json, i ? list : first, i ? first : NULL);
		json_object_end(json);
	}
	json_array_end(json);
}
