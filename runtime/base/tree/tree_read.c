/* Reads YAML into a located tree, from libyaml's events. Resolves anchors and merges. Keys and
 * bounds are checked while reading, so reading a hostile file stops at the first bound that the
 * file exceeds. Reading also stops at a syntax error; all other errors are collected. */
#include "base/tree/tree_node.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "tree_reader.h"

/* Copies the finished node into the arena. Returns NULL if the node exceeds a bound. */
static const struct tree_node *tree_read_finish(struct reader *reader, struct tree_node node)
{
	const char *problem = tree_measure(&node);
	struct tree_node *kept;

	if (problem) {
		reader_stop(reader, node.where, problem);
		return NULL;
	}
	kept = arena_alloc(reader->arena, sizeof(*kept));
	*kept = node;
	return kept;
}

/* Returns a null node, with which reading continues after an error. */
static const struct tree_node *nothing(struct reader *reader, struct location where)
{
	return tree_read_finish(
		reader, (struct tree_node){.kind = TREE_SCALAR, .text = "", .where = where});
}

/* Starts an anchor whose node is not read yet, and returns its index. `name` may already be the
 * name of an earlier anchor, because YAML allows anchors to be redefined. Returns SIZE_MAX if
 * `name` is NULL. */
static size_t open_anchor(struct reader *reader, const yaml_char_t *name)
{
	uint32_t *known;

	if (!name)
		return SIZE_MAX;
	known = names_find(&reader->anchor_names, (const char *)name);
	if (!known) {
		char *copy = arena_string(reader->arena, (const char *)name);

		if (reader->anchor_count == reader->anchor_capacity)
			reader->anchors = reader_grow(reader->anchors, &reader->anchor_capacity,
				sizeof(reader->anchors[0]));
		reader->anchors[reader->anchor_count] = (struct anchor){.name = copy};
		names_add(&reader->anchor_names, copy, (uint32_t)reader->anchor_count);
		return reader->anchor_count++;
	}
	reader->anchors[*known].node = NULL;
	return *known;
}

static void close_anchor(struct reader *reader, size_t anchor, const struct tree_node *node)
{
	if (anchor != SIZE_MAX)
		reader->anchors[anchor].node = node;
}

static const struct tree_node *read_alias(struct reader *reader, const yaml_event_t *event)
{
	struct location where = reader_at(reader, event->start_mark);
	const char *name = (const char *)event->data.alias.anchor;
	const uint32_t *known = names_find(&reader->anchor_names, name);

	if (!known)
		diag_error(reader->diag, where, "no anchor '&%s' before this alias", name);
	else if (!reader->anchors[*known].node)
		diag_error(reader->diag, where, "alias '*%s' stands inside its own anchor", name);
	else
		return reader->anchors[*known].node;
	return nothing(reader, where);
}

/* Checks the tag of a node. Sets *quoted to true for strings, to false for plain types. */
static void check_tag(struct reader *reader, const yaml_event_t *event, const yaml_char_t *tag,
	const char *const *allowed, bool *quoted)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	const char *name = (const char *)tag;

	if (!name)
		return;
	if (strcmp(name, "!") == 0) {
		*quoted = true;
		return;
	}
	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
		for (; *allowed; allowed++) {
			if (strcmp(name + sizeof(prefix) - 1, *allowed) == 0) {
				*quoted = strcmp(*allowed, "str") == 0;
				return;
			}
		}
	}
	diag_error(reader->diag, reader_at(reader, event->start_mark), "tag '%s' is not supported",
		name);
}

static const struct tree_node *read_scalar(struct reader *reader, const yaml_event_t *event)
{
	static const char *const tags[] = {"str", "int", "float", "bool", "null", NULL};
	const char *text = (const char *)event->data.scalar.value;
	size_t anchor = open_anchor(reader, event->data.scalar.anchor);
	struct tree_node node = {.kind = TREE_SCALAR,
		.quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE,
		.count = (uint32_t)event->data.scalar.length,
		.where = reader_at(reader, event->start_mark)};
	const struct tree_node *kept;

	check_tag(reader, event, event->data.scalar.tag, tags, &node.quoted);
	node.count = (uint32_t)tree_check_scalar(node.where, text, node.count, true, reader->diag);
	node.text = arena_copy(reader->arena, text, node.count);
	kept = tree_read_finish(reader, node);
	close_anchor(reader, anchor, kept);
	return kept;
}

static const struct tree_node *read_node(
	struct reader *reader, const yaml_event_t *event, unsigned depth);

/* Reads the next node of a collection. Returns false at the end of the collection, or when reading
 * has stopped. */
static bool read_next(
	struct reader *reader, unsigned depth, yaml_event_type_t end, const struct tree_node **out)
{
	yaml_event_t event;
	bool more;

	*out = NULL;
	if (reader->stopped || !reader_next(reader, &event))
		return false;
	more = event.type != end;
	if (more)
		*out = read_node(reader, &event, depth);
	yaml_event_delete(&event);
	return more && *out;
}

static const struct tree_node *read_sequence(
	struct reader *reader, const yaml_event_t *event, unsigned depth)
{
	static const char *const tags[] = {"seq", NULL};
	struct location where = reader_at(reader, event->start_mark);
	size_t anchor = open_anchor(reader, event->data.sequence_start.anchor);
	size_t first = reader->children.count, count;
	const struct tree_node **items, *item, *node;
	bool quoted;

	check_tag(reader, event, event->data.sequence_start.tag, tags, &quoted);
	while (read_next(reader, depth + 1, YAML_SEQUENCE_END_EVENT, &item))
		reader_push(reader, (struct tree_pair){.where = where, .value = item});
	if (reader->stopped)
		return NULL;
	count = reader->children.count - first;
	items = arena_array(reader->arena, count, sizeof(*items));
	for (size_t i = 0; i < count; i++)
		items[i] = reader->children.pairs[first + i].value;
	reader->children.count = first;
	node = tree_read_finish(reader, (struct tree_node){.kind = TREE_SEQUENCE,
						.where = where,
						.count = (uint32_t)count,
						.items = items});
	close_anchor(reader, anchor, node);
	return node;
}

/* Returns the key of a pair. If the event is not a valid key, reports an error and returns NULL. */
static const char *read_key(struct reader *reader, const yaml_event_t *event)
{
	struct location where = reader_at(reader, event->start_mark);
	const struct tree_node *key;
	const char *problem = NULL;

	if (event->type != YAML_SCALAR_EVENT)
		problem = "a key must be plain text, not a map, a list or an alias";
	else if (event->data.scalar.length > TREE_KEY_BYTES_MAX)
		problem = "key of more than 128 bytes";
	else if (event->data.scalar.length == 0)
		problem = "empty key";
	if (problem) {
		diag_error(reader->diag, where, "%s", problem);
		return NULL;
	}
	key = read_scalar(reader, event);
	return key ? key->text : NULL;
}

/* Reads one pair, and pushes it or stores it in *merged. Returns false at the end of the map. */
static bool read_pair(struct reader *reader, unsigned depth, struct tree_pair *merged)
{
	const struct tree_node *value;
	struct tree_pair pair;
	yaml_event_t event;
	bool more, is_merge;

	if (reader->stopped || !reader_next(reader, &event))
		return false;
	more = event.type != YAML_MAPPING_END_EVENT;
	pair.where = reader_at(reader, event.start_mark);
	is_merge = event.type == YAML_SCALAR_EVENT &&
		   event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		   strcmp((const char *)event.data.scalar.value, "<<") == 0;
	pair.key = more ? read_key(reader, &event) : NULL;
	/* A collection used as a key is read and dropped. */
	if (event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT)
		read_node(reader, &event, depth);
	yaml_event_delete(&event);
	if (!more || !read_next(reader, depth, YAML_NO_EVENT, &value))
		return false;
	pair.value = value;
	if (is_merge && merged->value)
		diag_error(reader->diag, pair.where, "key '<<' is there twice: give it a list");
	else if (is_merge)
		*merged = pair;
	else if (pair.key)
		reader_push(reader, pair);
	return true;
}

static const struct tree_node *tree_read_map(
	struct reader *reader, const yaml_event_t *event, unsigned depth)
{
	static const char *const tags[] = {"map", NULL};
	struct location where = reader_at(reader, event->start_mark);
	size_t anchor = open_anchor(reader, event->data.mapping_start.anchor);
	size_t first = reader->children.count, count;
	struct tree_pair merged = {0}, *pairs;
	const struct tree_node *node = NULL;
	struct names keys;
	bool quoted;

	names_init(&keys);
	check_tag(reader, event, event->data.mapping_start.tag, tags, &quoted);
	while (read_pair(reader, depth + 1, &merged))
		;
	if (reader->stopped)
		goto out;
	reader_check_keys(reader, first, &keys);
	if (merged.value)
		reader_merge(reader, &merged, &keys);
	if (reader->stopped)
		goto out;
	count = reader->children.count - first;
	pairs = arena_array(reader->arena, count, sizeof(*pairs));
	if (count)
		memcpy(pairs, reader->children.pairs + first, count * sizeof(*pairs));
	reader->children.count = first;
	node = tree_read_finish(reader, (struct tree_node){.kind = TREE_MAP,
						.where = where,
						.count = (uint32_t)count,
						.pairs = pairs});
	close_anchor(reader, anchor, node);
out:
	names_fini(&keys);
	return node;
}

/* Reads the node that starts with `event`. Returns NULL when reading has stopped. */
static const struct tree_node *read_node(
	struct reader *reader, const yaml_event_t *event, unsigned depth)
{
	if (depth > TREE_DEPTH_MAX) {
		reader_stop(reader, reader_at(reader, event->start_mark),
			"nested too deep: more than 64 levels");
		return NULL;
	}
	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return read_alias(reader, event);
	case YAML_SCALAR_EVENT:
		return read_scalar(reader, event);
	case YAML_SEQUENCE_START_EVENT:
		return read_sequence(reader, event, depth);
	case YAML_MAPPING_START_EVENT:
		return tree_read_map(reader, event, depth);
	default:
		ensure(false, "event %d", (int)event->type);
		return NULL;
	}
}

/* Skips events up to the first event of `type` or the end of the stream. Returns false if there is
 * no event of `type`. */
static bool skip_to(struct reader *reader, yaml_event_type_t type, struct location *where)
{
	for (;;) {
		yaml_event_t event;
		yaml_event_type_t found;

		if (!reader_next(reader, &event))
			return false;
		found = event.type;
		*where = reader_at(reader, event.start_mark);
		yaml_event_delete(&event);
		if (found == type || found == YAML_STREAM_END_EVENT)
			return found == type;
	}
}

static const struct tree_node *read_stream(struct reader *reader)
{
	struct location where = location_at(reader->source, 0, 0);
	const struct tree_node *root = NULL;

	if (!skip_to(reader, YAML_DOCUMENT_START_EVENT, &where)) {
		if (!reader->stopped)
			reader_stop(
				reader, location_at(reader->source, 0, 0), "nothing in it to read");
		return NULL;
	}
	if (!read_next(reader, 1, YAML_NO_EVENT, &root))
		return NULL;
	if (skip_to(reader, YAML_DOCUMENT_START_EVENT, &where))
		reader_stop(reader, where, "a second document starts here; one is expected");
	return root;
}

const struct tree_node *tree_read_yaml(const struct source *source, const char *text, size_t length,
	uint32_t shift, struct arena *arena, struct diag *diag)
{
	struct reader reader = {.source = source,
		.text = text,
		.length = length,
		.shift = shift,
		.arena = arena,
		.diag = diag};
	size_t errors = diag_errors(diag);
	const struct tree_node *root = NULL;

	if (!tree_check_text(source, text, length, shift, diag))
		return NULL;
	location_keep(arena, location_at(source, 0, 0));
	ensure_memory(yaml_parser_initialize(&reader.parser), "a file that is read");
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
	root = read_stream(&reader);
	yaml_parser_delete(&reader.parser);
	names_fini(&reader.anchor_names);
	free(reader.anchors);
	free(reader.children.pairs);
	return diag_errors(diag) == errors + reader.dropped ? root : NULL;
}
