/* Tests schema tables. They bind trees to structs, fill in defaults, find constants, and are
 * printed as JSON Schema. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "toy_schema.h"
#include "tree_equal.h"

struct fixture {
	struct diag *diag;
	struct arena arena;
	struct tree *tree;
	struct toy toy;
};

static struct fixture fixture;

static int start(void **state)
{
	(void)state;
	fixture = (struct fixture){.diag = diag_new()};
	return 0;
}

static int stop(void **state)
{
	(void)state;
	tree_free(fixture.tree);
	arena_fini(&fixture.arena);
	diag_free(fixture.diag);
	return 0;
}

/* Reads and binds `text`, which must be valid. */
static const struct toy *bind(const char *text)
{
	bool good;

	fixture.tree = tree_read_text("toy.yaml", text, strlen(text), fixture.diag);
	good = fixture.tree && schema_bind(&toy_schema, tree_root(fixture.tree), &fixture.toy,
				       &fixture.arena, fixture.diag);
	if (!good)
		diag_print(fixture.diag, stderr);
	assert_true(good);
	return &fixture.toy;
}

TEST(every_kind_of_field_is_bound)
{
	const struct toy *toy = bind("name: t\n"
				     "comment: ''\n"
				     "seed: 9223372036854775807\n"
				     "verify: false\n"
				     "load: 1e-3\n"
				     "shape: [4, 8]\n"
				     "offset: [3, 1, 2]\n"
				     "forward: {path: broadcast, initiators: 4}\n"
				     "noise: {sigma: 0.25, shift: -7}\n"
				     "cores: 120\n"
				     "transport: nng\n"
				     "platform: {chips: 4}\n");

	assert_string_equal(toy->name, "t");
	assert_string_equal(toy->comment, "");
	assert_true(toy->seed == INT64_MAX);
	assert_false(toy->verify);
	assert_true(toy->load == 1e-3);
	assert_int_equal(toy->shape[0], 4);
	assert_int_equal(toy->shape[1], 8);
	assert_int_equal(toy->offset_count, 3);
	assert_int_equal(toy->offset[2], 2);
	assert_int_equal(toy->forward.path, TOY_BROADCAST);
	assert_int_equal(toy->forward.initiators, 4);
	assert_true(toy->noise->sigma == 0.25);
	assert_int_equal(toy->noise->shift, -7);
	assert_int_equal(toy->cores, 120);
	assert_int_equal(toy->transport, 2);
	assert_string_equal(tree_get(toy->platform, "chips")->text, "4");
}

TEST(missing_keys_get_their_fallbacks)
{
	const struct toy *toy = bind("name: t\ncomment:\nforward:\n");

	assert_null(toy->comment);
	assert_int_equal(toy->seed, 1);
	assert_true(toy->verify);
	assert_true(toy->load == 0.5);
	assert_int_equal(toy->shape[1], 8);
	assert_int_equal(toy->offset_count, 2);
	assert_int_equal(toy->forward.initiators, 1);
	assert_int_equal(toy->cores, -1);
	assert_int_equal(toy->transport, 1);
	assert_null(toy->noise);
	assert_null(toy->platform);
	assert_null(toy->clock.source);
	assert_int_equal(toy->step_count, 0);
}

TEST(places_are_kept_for_late_failures)
{
	const struct toy *toy = bind("name: t\nforward:\n  initiators: 2\nworkload:\n  - finish\n"
				     "links:\n  a: {latency: {value: 1, unit: ns, source: s, "
				     "kind: assumed}}\n");
	char cite[LOCATION_CITE_BYTES];

	assert_string_equal(
		location_cite(toy->forward.initiators_where, cite, sizeof(cite)), "toy.yaml:3");
	assert_int_equal(toy->forward.initiators_where.column, 15);
	assert_int_equal(toy->workload[0].where.line, 5);
	assert_int_equal(toy->links[0].where.line, 7);
	assert_int_equal(toy->links[0].latency.where.column, 16);
}

TEST(a_fallback_has_no_place)
{
	const struct toy *toy = bind("name: t\n");
	char cite[LOCATION_CITE_BYTES];

	assert_string_equal(
		location_cite(toy->forward.initiators_where, cite, sizeof(cite)), "default");
}

TEST(steps_are_tagged_and_nest)
{
	const struct toy *toy = bind("name: t\n"
				     "workload:\n"
				     "  - repeat: 100\n"
				     "    do:\n"
				     "      - write_buffer: {bytes: 8192}\n"
				     "        traced: true\n"
				     "      - repeat: 2\n"
				     "        do: [finish, finish: , finish: {queue: 1}]\n"
				     "  - finish: {}\n");
	const struct toy_step *outer = &toy->workload[0], *inner = &outer->repeat.steps[1];

	assert_int_equal(toy->step_count, 2);
	assert_int_equal(outer->kind, TOY_REPEAT);
	assert_int_equal(outer->repeat.times, 100);
	assert_int_equal(outer->repeat.count, 2);
	assert_false(outer->traced);
	assert_int_equal(outer->repeat.steps[0].kind, TOY_WRITE);
	assert_int_equal(outer->repeat.steps[0].write.bytes, 8192);
	assert_string_equal(outer->repeat.steps[0].write.buffer, "1");
	assert_true(outer->repeat.steps[0].traced);
	assert_int_equal(inner->repeat.count, 3);
	assert_int_equal(inner->repeat.steps[0].kind, TOY_FINISH);
	assert_int_equal(inner->repeat.steps[2].finish.queue, 1);
	assert_int_equal(toy->workload[1].kind, TOY_FINISH);
}

static const char *const links_text =
	"name: t\n"
	"clock: {value: 1e9, unit: Hz, source: data sheet, kind: published}\n"
	"links:\n"
	"  pcie: {latency: {value: 400, unit: ns, source: bench, kind: measured, note: idle}}\n"
	"  eth: {latency: {value: 800, unit: ns, source: guess, kind: assumed}, lanes: 8}\n";

TEST(constants_carry_unit_source_and_kind)
{
	const struct toy *toy = bind(links_text);

	assert_int_equal(toy->link_count, 2);
	assert_string_equal(toy->links[0].name, "pcie");
	assert_true(toy->links[0].latency.value == 400.0);
	assert_string_equal(toy->links[0].latency.unit, "ns");
	assert_string_equal(toy->links[0].latency.note, "idle");
	assert_int_equal(toy->links[0].latency.kind, CONSTANT_MEASURED);
	assert_int_equal(toy->links[0].lanes, 4);
	assert_string_equal(toy->links[1].name, "eth");
	assert_string_equal(toy->links[1].latency.source, "guess");
	assert_null(toy->links[1].latency.note);
	assert_string_equal(constant_kind_name(toy->links[1].latency.kind), "assumed");
}

TEST(free_keys_keep_their_nodes)
{
	const struct toy *toy =
		bind("name: t\nsweep:\n  forward.initiators: [1, 2, 4]\n  seed: [1]\n");

	assert_int_equal(toy->sweep_count, 2);
	assert_string_equal(toy->sweep[0].key, "forward.initiators");
	assert_int_equal(toy->sweep[0].values->count, 3);
	assert_int_equal(toy->sweep[1].where.line, 4);
}

TEST(the_effective_form_holds_every_fallback_and_binds_to_the_same)
{
	struct text text = {0};
	const struct tree_node *complete;

	bind("comment: ~\nworkload:\n- finish\n- repeat: 2\n  do: [write_buffer: {bytes: "
	     "4}]\nname: t\n");
	complete = schema_complete(&toy_schema, tree_root(fixture.tree), &fixture.arena);
	tree_write(complete, &text);
	assert_string_equal(text_string(&text), "name: t\n"
						"seed: 1\n"
						"verify: true\n"
						"load: 0.5\n"
						"shape: [8, 8]\n"
						"offset: [0, 0]\n"
						"forward:\n"
						"  path: unicast\n"
						"  initiators: 1\n"
						"workload:\n"
						"  - finish: {}\n"
						"    traced: false\n"
						"  - repeat: 2\n"
						"    do:\n"
						"      - write_buffer:\n"
						"          bytes: 4\n"
						"          buffer: \"1\"\n"
						"        traced: false\n"
						"    traced: false\n"
						"cores: all\n"
						"transport: zeromq\n");
	assert_true(tree_equal(complete, schema_complete(&toy_schema, complete, &fixture.arena)));
	tree_free(fixture.tree);
	fixture.tree = NULL;
	assert_int_equal(bind(text_string(&text))->step_count, 2);
	text_fini(&text);
}

/* Returns the value at `path` of the JSON Schema, which is also YAML. */
static const char *json_at(const char *path)
{
	const struct tree_node *node = tree_find(tree_root(fixture.tree), path);

	if (!node)
		print_error("nothing at '%s'\n", path);
	assert_non_null(node);
	return node->text;
}

TEST(the_json_schema_says_what_the_table_says)
{
	static const char *const expected[][2] = {
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$ref", "#/$defs/toy"},
		{"$defs.toy.properties.name.type", "string"},
		{"$defs.toy.properties.name.description", "name of the \"run\""},
		{"$defs.toy.properties.seed.default", "1"},
		{"$defs.toy.properties.seed.maximum", "9223372036854775807"},
		{"$defs.toy.properties.shape.minItems", "2"},
		{"$defs.toy.properties.shape.items.maximum", "32"},
		{"$defs.toy.properties.offset.minItems", "1"},
		{"$defs.toy.properties.offset.default.1", "0"},
		{"$defs.toy.properties.comment.anyOf.0.type", "null"},
		{"$defs.toy.properties.transport.enum.2", "nng"},
		{"$defs.toy.properties.platform.allOf.0.type.0", "string"},
		{"$defs.toy.properties.workload.items.$ref", "#/$defs/step"},
		{"$defs.forward.properties.path.enum.1", "broadcast"},
		{"$defs.forward.type.1", "null"},
		{"$defs.noise.type", "object"},
		{"$defs.noise.properties.sigma.maximum", "2"},
		{"$defs.noise.properties.shift.description", "added to every cost [ns]"},
		{"$defs.link.properties.latency.properties.unit.const", "ns"},
		{"$defs.constant.properties.kind.enum.0", "published"},
		{"$defs.step.oneOf.0.properties.do.items.$ref", "#/$defs/step"},
		{"$defs.step.oneOf.0.required.1", "do"},
		{"$defs.step.oneOf.3.enum.0", "finish"},
		{"$defs.toy.additionalProperties", "false"},
	};
	struct text text = {0};
	const struct tree_node *required;

	schema_append_json(&toy_schema, &text);
	fixture.tree = tree_read_text("schema", text_string(&text), text.length, fixture.diag);
	if (!fixture.tree)
		diag_print(fixture.diag, stderr);
	assert_non_null(fixture.tree);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		assert_string_equal(json_at(expected[i][0]), expected[i][1]);
	required = tree_find(tree_root(fixture.tree), "$defs.toy.required");
	assert_int_equal(required->count, 1);
	assert_string_equal(required->items[0]->text, "name");
	text_fini(&text);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(every_kind_of_field_is_bound),
		IN_FOLDER(missing_keys_get_their_fallbacks),
		IN_FOLDER(places_are_kept_for_late_failures),
		IN_FOLDER(a_fallback_has_no_place),
		IN_FOLDER(steps_are_tagged_and_nest),
		IN_FOLDER(constants_carry_unit_source_and_kind),
		IN_FOLDER(free_keys_keep_their_nodes),
		IN_FOLDER(the_effective_form_holds_every_fallback_and_binds_to_the_same),
		IN_FOLDER(the_json_schema_says_what_the_table_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
