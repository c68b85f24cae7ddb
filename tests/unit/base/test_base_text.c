/* Tests growing texts, JSON and hashes, which all files that write output use. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"

TEST(a_text_grows_and_stays_ended)
{
	struct text text = {0};

	assert_string_equal(text_string(&text), "");
	for (int i = 0; i < 1000; i++)
		text_printf(&text, "%03d,", i);
	assert_int_equal(text.length, 4000);
	assert_int_equal(strlen(text_string(&text)), 4000);
	assert_memory_equal(text_string(&text) + 3996, "999,", 5);
	text_clear(&text);
	assert_string_equal(text_string(&text), "");
	text_append_bytes(&text, "", 0);
	text_append_char(&text, 'x');
	assert_string_equal(text_string(&text), "x");
	text_fini(&text);
}

TEST(json_strings_are_escaped_for_html_and_terminals)
{
	struct text text = {0};

	text_append_json(&text, "a\"b\\c\n\t\x01</script>\x7f é \xff \xe2\x80\xa8");
	assert_string_equal(text_string(&text),
		"\"a\\\"b\\\\c\\n\\t\\u0001\\u003c/script>\\u007f é \\ufffd \\u2028\"");
	text_fini(&text);
}

TEST(a_json_document_is_indented_with_commas_in_place)
{
	struct text text = {0};
	struct json json;

	json_start(&json, &text);
	json_object(&json);
	json_array_of(&json, "runs");
	json_integer(&json, -3);
	json_unsigned(&json, UINT64_MAX);
	json_object(&json);
	json_object_end(&json);
	json_array_end(&json);
	json_bool_of(&json, "ok", true);
	json_key(&json, "none");
	json_null(&json);
	json_key(&json, "raw");
	json_raw(&json, "[1]");
	json_object_end(&json);
	json_end(&json);
	assert_string_equal(text_string(&text), "{\n  \"runs\": [\n    -3,\n"
						"    18446744073709551615,\n    {}\n  ],\n"
						"  \"ok\": true,\n  \"none\": null,\n"
						"  \"raw\": [1]\n}\n");
	text_fini(&text);
}

TEST(a_json_number_reads_back_as_the_same_double)
{
	static const struct {
		double value;
		const char *spelling;
	} cases[] = {{0.1, "0.1"}, {1e300, "1e+300"}, {1.0 / 3.0, "0.3333333333333333"},
		{-2.5, "-2.5"}, {5e-324, "4.94065645841247e-324"}, {HUGE_VAL, "null"},
		{NAN, "null"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text text = {0};
		struct json json;

		json_start(&json, &text);
		json_real(&json, cases[i].value);
		assert_string_equal(text_string(&text), cases[i].spelling);
		text_fini(&text);
	}
}

TEST(no_control_character_or_mark_of_direction_is_plain)
{
	static const struct {
		const char *text, *plain, *lines;
	} cases[] = {
		{"caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9 \xe2\x82\xac",
			"caf\xc3\xa9 \xe2\x82\xac"},
		{"a\nb", "a?b", "a\nb"},
		{"\x1b[31m", "?[31m", "?[31m"},
		{"\x7f\xc2\x9b", "??", "??"},
		{"\xd8\x9c", "?", "?"},					/* U+061C */
		{"\xe2\x80\x8e\xe2\x80\x8f", "??", "??"},		/* U+200E, U+200F */
		{"\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6", "???", "???"}, /* U+2028, U+202E, U+2066 */
		{"\xff", "?", "?"},
	};
	struct arena arena = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(text_plain(cases[i].text, false, &arena), cases[i].plain);
		assert_string_equal(text_plain(cases[i].text, true, &arena), cases[i].lines);
		assert_int_equal(text_is_plain(cases[i].text), i == 0);
	}
	arena_fini(&arena);
}

TEST(commands_of_a_log_are_not_plain_where_a_line_may_begin)
{
	static const char *const cases[][2] = {
		{"::error::a", "?:error::a"},
		{"a ::error::b", "a ?:error::b"},
		{"a::b", "a::b"},
		/* GitHub skips every Unicode blank at the start of a line */
		{"\u00a0::error::c", "\u00a0?:error::c"},
		{"\u3000\u2003::error::d", "\u3000\u2003?:error::d"},
		{"a ##[error]b", "a ?#[error]b"},
		{"## [x]", "## [x]"},
	};
	struct arena arena = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(text_plain(cases[i][0], true, &arena), cases[i][1]);
	assert_string_equal(text_plain("a\n  ::error::b", true, &arena), "a\n  ?:error::b");
	arena_fini(&arena);
}

TEST(each_kind_of_output_gets_its_own_escapes)
{
	static const struct {
		const char *text, *xml, *markdown, *code;
	} cases[] = {
		{"chip 0", "chip 0", "chip 0", "`chip 0`"},
		{"a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;", "a\\<b\\>\\&\"'", "`a<b>&\"'`"},
		{"]]>", "]]&gt;", "\\]\\]\\>", "`]]>`"},
		{"a|`b`", "a|`b`", "a\\|\\`b\\`", "`` a|`b` ``"},
		{"``", "``", "\\`\\`", "``` `` ```"},
		{"a\nb\x1b\xff", "a\nb??", "a?b??", "`a?b??`"},
		{"\xe2\x80\xae\xef\xbf\xbe", "??", "?\xef\xbf\xbe", "`?\xef\xbf\xbe`"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text xml = {0}, markdown = {0}, code = {0};

		text_append_xml(&xml, cases[i].text);
		text_append_markdown(&markdown, cases[i].text);
		text_append_markdown_code(&code, cases[i].text);
		assert_string_equal(text_string(&xml), cases[i].xml);
		assert_string_equal(text_string(&markdown), cases[i].markdown);
		assert_string_equal(text_string(&code), cases[i].code);
		text_fini(&xml);
		text_fini(&markdown);
		text_fini(&code);
	}
}

TEST(hashes_are_those_of_fnv_and_continue)
{
	/* Published test vectors of FNV-1a, 64 bits. */
	assert_true(hash_more(HASH_EMPTY, "", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(hash_more(HASH_EMPTY, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(hash_more(HASH_EMPTY, "foobar", 6) == UINT64_C(0x85944171f73967e8));
	assert_true(hash_more(hash_more(HASH_EMPTY, "foo", 3), "bar", 3) ==
		    hash_more(HASH_EMPTY, "foobar", 6));
	assert_true(hash_string("foobar") == hash_bytes("foobar", 6));
	assert_true(hash_string("foobar") != hash_string("foobas"));
}

TEST_MAIN(NULL, NULL)
