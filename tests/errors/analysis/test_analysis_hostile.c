/* Tests that names in a forged result file are never printed unescaped. Every command that reads
 * results escapes text that could control a terminal, a log, a page or a test report. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check.h"
#include "analysis/compare.h"
#include "analysis/explain.h"
#include "analysis/report.h"
#include "analysis/show.h"
#include "analysis/timeline.h"
#include "base/text.h"
#include "bench/results/hdf5_write.h"
#include "forged.h"
#include "planted.h"
#include "shell.h"

/* A name that contains a log command, a terminal escape, bidirectional controls, Markdown
 * characters, XML tags and their ends, and a command to a CI runner. */
#define HOSTILE                                                                                    \
	"a\n::error::b \x1b[31mc \xe2\x80\xae"                                                     \
	"d\xe2\x80\x8e|`e` <script>f</script> ]]> & \"'"                                           \
	" ::warning::g ##[error]h\xef\xbf\xbe%0A::error::i\xff"

/* This text follows a newline in a name. A name must be printed on one line. */
#define SECOND_LINE "second-line"

enum { OUTPUT_BYTES = 1 << 22 };

static char *output;

static void put(hid_t object, const char *name)
{
	if (H5Aexists(object, name) > 0)
		H5Adelete(object, name);
	hdf5_set_text(object, name, HOSTILE);
}

static void put_all(hid_t file, const char *object, const struct forgery *forgery)
{
	static const char *const root[] = {"scenario_name", "scenario_description", "git_commit",
		"meshsim_version", "build", "simgrid_version", "hdf5_version"};
	static const char *const host[] = {"created", "command_line", "scenario_file", "machine"};
	hid_t group = H5Gopen2(file, "/host", H5P_DEFAULT);

	(void)object;
	(void)forgery;
	for (size_t i = 0; i < sizeof root / sizeof *root; i++)
		put(file, root[i]);
	H5Adelete(file, "scenario_name");
	hdf5_set_text(file, "scenario_name", "n\n" SECOND_LINE " " HOSTILE);
	for (size_t i = 0; i < sizeof host / sizeof *host; i++)
		put(group, host[i]);
	H5Gclose(group);
	for (int run = 0; run < 5; run++) {
		char name[32];

		snprintf(name, sizeof name, "/runs/%06d", run);
		group = H5Gopen2(file, name, H5P_DEFAULT);
		put(group, "message");
		put(group, "simgrid_configuration");
		H5Gclose(group);
	}
}

static int make(void **state)
{
	static const struct planted_charge charges[] = {{"a\n::error::b|<c>\x1b[1m`d`", 900000}};
	/* Texts of a summary are limited to 15 bytes. */
	static const char *const designs[] = {
		"a\n::error::b", "\x1b[31m##[c", "\xe2\x80\xae|`e`<f>", "]]>&\"'\xff", "good"};
	static const char platform[] =
		"name: toy\nchip: {\"noc|<hop>`\": {value: 1, unit: cycles}}\n";
	static const struct forgery forgery = {.name = "hostile", .forge = put_all, .object = "/"};
	struct planted_run runs[5];

	if (shell_folder_enter(state) != 0)
		return -1;
	output = malloc(OUTPUT_BYTES);
	for (int i = 0; i < 5; i++)
		runs[i] = (struct planted_run){.design = designs[i],
			.size = 1,
			.seed = 1,
			.copy = 1000000 + 2000000 * i,
			.dispatch = 1000000,
			.platform = platform,
			.status = i == 3 ? "st\n::x|<s>" : NULL,
			.charges = charges,
			.charge_count = 1};
	planted_write("good.h5", shell_folder, runs, 5);
	forged_write("good.h5", "/runs/000000", &forgery, "forged.h5");
	runs[4].copy *= 2;
	planted_write("more.h5", shell_folder, runs, 5);
	forged_write("more.h5", "/runs/000000", &forgery, "other.h5");
	return output ? 0 : -1;
}

static int unmake(void **state)
{
	free(output);
	return shell_folder_remove(state);
}

/* Reads the rest of `stream` into `output`. */
static void read_back(FILE *stream)
{
	rewind(stream);
	output[fread(output, 1, OUTPUT_BYTES - 1, stream)] = '\0';
	fclose(stream);
}

static void read_file(const char *path)
{
	FILE *stream = fopen(path, "r");

	assert_non_null(stream);
	read_back(stream);
}

static uint32_t bad;

static void say(const char *what, const char *problem, const char *at)
{
	size_t before = at - output > 60 ? 60 : (size_t)(at - output);

	print_error("%s: %s: ...%.160s\n", what, problem, at - before);
	bad++;
}

/* Checks that there are no control characters. */
static void check_characters(const char *what)
{
	size_t left = strlen(output);

	for (const char *at = output; left;) {
		uint32_t point;
		unsigned size = utf8_decode(at, left, &point);

		if (size == 0 || (text_is_control(point) && point != '\n')) {
			say(what, "a control character", at);
			return;
		}
		at += size;
		left -= size;
	}
}

/* Checks that no line is a command to GitHub's log, and that none begins within a name. */
static void check_lines(const char *what)
{
	const char *mark = strstr(output, "##[");

	if (mark)
		say(what, "a command", mark);
	for (const char *line = output; line; line = strchr(line, '\n')) {
		line += strspn(line, " \n");
		if (strncmp(line, "::", 2) == 0) {
			say(what, "a line that is a command", line);
			return;
		}
		if (strncmp(line, SECOND_LINE, strlen(SECOND_LINE)) == 0) {
			say(what, "a name of two lines", line);
			return;
		}
	}
}

static void check_lacks(const char *what, const char *part)
{
	const char *found = strstr(output, part);

	if (found)
		say(what, part, found);
}

/* Checks a command that ended with `code`; `output` holds its output. */
static void check_terminal(const char *what, int code, int expected)
{
	if (code != expected || !output[0])
		say(what, "exit code", output);
	check_characters(what);
	check_lines(what);
}

#define RUN(call) (out = tmpfile(), code = (call), read_back(out), code)

TEST(terminals_get_no_raw_name)
{
	static const struct explain_options explain = {.chosen = true, .runs = {0, 4}};
	static const struct compare_options compare = {.wide = true};
	static const struct compare_options pair = {.second = "other.h5"};
	FILE *out;
	int code;

	bad = 0;
	check_terminal("show", RUN(analysis_show("forged.h5", SHOW_TEXT, true, out)), 0);
	check_terminal("run", RUN(analysis_show("forged.h5", SHOW_BRIEF, true, out)), 0);
	check_terminal("explain", RUN(analysis_explain("forged.h5", &explain, out)), 0);
	check_terminal("compare", RUN(analysis_compare("forged.h5", &compare, NULL, out)), 0);
	check_terminal("two files", RUN(analysis_compare("forged.h5", &pair, NULL, out)), 0);
	assert_int_equal(bad, 0);
}

TEST(json_has_no_raw_name)
{
	static const struct explain_options explain = {
		.chosen = true, .runs = {0, 4}, .json = true};
	static const struct compare_options compare = {.json = true};
	FILE *out;
	int code;

	bad = 0;
	check_terminal("show", RUN(analysis_show("forged.h5", SHOW_JSON, true, out)), 0);
	check_lacks("show", "<script");
	check_terminal("explain", RUN(analysis_explain("forged.h5", &explain, out)), 0);
	check_lacks("explain", "<c>");
	check_terminal("compare", RUN(analysis_compare("forged.h5", &compare, NULL, out)), 0);
	check_terminal("a trace", RUN(analysis_timeline("forged.h5", 0, "x.json", out)), 0);
	check_lacks("a trace", "<script");
	assert_int_equal(bad, 0);
}

/* In XML, `&` must begin an entity, and all tags must be ours. */
static void check_xml(const char *what)
{
	for (const char *at = strchr(output, '&'); at; at = strchr(at + 1, '&'))
		if (strncmp(at, "&lt;", 4) != 0 && strncmp(at, "&gt;", 4) != 0 &&
			strncmp(at, "&amp;", 5) != 0 && strncmp(at, "&quot;", 6) != 0 &&
			strncmp(at, "&#39;", 5) != 0)
			say(what, "no entity", at);
	for (const char *at = strchr(output, '<'); at; at = strchr(at + 1, '<')) {
		const char *tag = at + 1 + (at[1] == '/' || at[1] == '?');

		if (strncmp(tag, "test", 4) != 0 && strncmp(tag, "failure", 7) != 0 &&
			strncmp(tag, "xml ", 4) != 0)
			say(what, "a tag", at);
	}
	check_lacks(what, "]]>");
	check_lacks(what, "\xef\xbf\xbe");
}

/* Table rows must have their columns, and all tags must be ours. */
static void check_markdown(const char *what)
{
	for (const char *line = output; *line;) {
		size_t length = strcspn(line, "\n");
		uint32_t bars = 0;

		for (size_t i = 0; i < length; i++)
			bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
		if (line[0] == '|' && bars != 8)
			say(what, "a row with other columns", line);
		line += length + (line[length] == '\n');
	}
	for (const char *at = strchr(output, '<'); at; at = strchr(at + 1, '<')) {
		const char *tag = at + 1 + (at[1] == '/');

		if ((at == output || at[-1] != '\\') && strncmp(tag, "details", 7) != 0 &&
			strncmp(tag, "summary", 7) != 0)
			say(what, "a tag", at);
	}
}

TEST(the_gate_prints_no_raw_name)
{
	static const char *const files[] = {"forged.h5"};
	static const char *const baseline[] = {"b.yaml"}, *const folder[] = {"."};
	struct check_options options = {.baselines = baseline, .baseline_count = 1, .update = true};
	FILE *out;
	int code;

	bad = 0;
	check_terminal("update", RUN(analysis_check(files, 1, &options, out)), 0);
	read_file("b.yaml");
	check_characters("baseline");
	assert_int_equal(shell("sed -i 's/: \\([1-9]\\)\\([0-9]\\{4,\\}\\)/: 1\\2/; s/hop\\(.*\\) "
			       "1 /hop\\1 3 /' "
			       "'%s/b.yaml'",
				 shell_folder),
		0);
	options = (struct check_options){
		.baselines = baseline, .baseline_count = 1, .exact = true, .junit = "junit.xml"};
	check_terminal("text", RUN(analysis_check(files, 1, &options, out)), 1);
	read_file("junit.xml");
	check_characters("JUnit");
	check_xml("JUnit");
	options.junit = NULL;
	options.form = CHECK_MARKDOWN;
	check_terminal("Markdown", RUN(analysis_check(files, 1, &options, out)), 1);
	check_markdown("Markdown");
	options.form = CHECK_JSON;
	check_terminal("JSON", RUN(analysis_check(files, 1, &options, out)), 1);
	check_lacks("JSON", "<script");
	options = (struct check_options){.baselines = folder, .baseline_count = 1, .update = true};
	check_terminal("a folder", RUN(analysis_check(files, 1, &options, out)), 0);
	assert_int_equal(bad, 0);
}

/* Pages contain our own scripts; names may appear only in their JSON and title. */
TEST(pages_have_no_raw_name)
{
	static const struct report_options report = {.writer_version = "1", .writer_commit = "2"};
	static const struct history_options history = {.folder = ".", .output = "history.html"};

	bad = 0;
	assert_int_equal(analysis_report("forged.h5", &report, NULL, "report.html"), 0);
	read_file("report.html");
	check_lacks("report", "<script>f");
	check_lacks("report", "\x1b");
	check_lacks("report", "\xe2\x80\xae");
	if (!strstr(output, "; base-uri 'none'; form-action 'none'\">"))
		say("report", "no base-uri and form-action", output);
	assert_int_equal(analysis_history(&history), 0);
	read_file("history.html");
	check_lacks("history", "<script>f");
	check_lacks("history", "\x1b");
	check_lacks("history", "\xe2\x80\xae");
	assert_int_equal(bad, 0);
}

TEST_MAIN(make, unmake)
