/* label: full
 * Tests the causes that `meshsim check` names when results differ from their baselines. The test
 * writes the result files itself (planted.h). If both a constant and a stage changed, the constant
 * is named as the cause. The causes explain the differences of all files. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check.h"
#include "planted.h"
#include "shell.h"

static const char *const files[] = {"a.h5", "b.h5"}, *const baselines[] = {"a.yaml", "b.yaml"};

/* A platform with these values. */
#define PLATFORM(go, wait, copy)                                                                   \
	"name: planted\nfirmware:\n  dispatch_go: {value: " go ", unit: cycles, kind: assumed}\n"  \
	"  dispatch_wait: {value: " wait ", unit: cycles, kind: assumed}\n"                        \
	"host: {switch: {value: " copy ", unit: us, kind: assumed}}\n"

static const struct planted_charge charges[] = {
	{"firmware.dispatch_go", 60000}, {"firmware.dispatch_wait", 30000}};

static const struct planted_run good = {.design = "table",
	.size = 8,
	.seed = 1,
	.copy = 2000000,
	.dispatch = 3000000,
	.platform = PLATFORM("60", "30", "1.2"),
	.charges = charges,
	.charge_count = 2};

/* If `update` is set, makes a baseline of each file; otherwise compares each file with its
 * baseline. Returns the printed text, which the caller must free. */
static char *check(const struct planted_run *runs, uint32_t count, bool update, int expected)
{
	const struct check_options options = {
		.baselines = baselines, .baseline_count = count, .update = update};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (uint32_t i = 0; i < count; i++)
		planted_write(files[i], ".", &runs[i], 1);
	assert_int_equal(analysis_check(files, count, &options, out), expected);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Replaces the breaks of lines that are wrapped by single blanks. */
static void unwrap(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		bool blank = *from == ' ' || *from == '\n';
		if (!blank || to == text || to[-1] != ' ')
			*to++ = blank ? ' ' : *from;
	}
	*to = '\0';
}

/* Makes baselines of `count` good results. Then changes the dispatch time and the platform of the
 * results. Returns the causes that are printed for the changed results; the caller frees the text.
 */
static char *causes_of(uint32_t count, int64_t dispatch, const char *platform)
{
	struct planted_run runs[] = {good, good};
	char *text, *end;

	free(check(runs, count, true, 0));
	for (uint32_t i = 0; i < count; i++) {
		runs[i].dispatch += dispatch;
		runs[i].platform = platform;
	}
	text = check(runs, count, false, 1);
	end = strstr(text, "intended?");
	assert_non_null(end);
	*end = '\0';
	unwrap(text);
	return text;
}

static const struct {
	const char *what;
	uint32_t files;
	int64_t dispatch; /* additional ps */
	const char *platform;
	const char *causes[3]; /* texts that the output contains, in this order */
	const char *lacks;
} cases[] = {
	{"a constant that moved is named before its stage", 1, 1000, PLATFORM("61", "30", "1.2"),
		{"firmware.dispatch_go 60 -> 61 cycles makes 9 of 10 figures worse by ",
			", through dispatch (+1 ns an operation); worst: "},
		"no changed constant"},
	{"figures of all files count for one constant", 2, 1000, PLATFORM("61", "30", "1.2"),
		{"firmware.dispatch_go 60 -> 61 cycles makes 18 of 20 figures worse by ",
			"in 2 of 2 scenarios, through dispatch (+1 ns an operation); worst: "
			"planted "},
		NULL},
	{"of several constants the one that moves the stage most has it", 1, 7000,
		PLATFORM("61", "36", "1.2"),
		{"firmware.dispatch_wait 30 -> 36 cycles makes 9 of 10 figures worse by ",
			"through dispatch (+7 ns an operation)",
			"firmware.dispatch_go 60 -> 61 cycles explains no changed figure: to first "
			"order it moves critical paths by +0."},
		NULL},
	{"a constant that is never charged explains nothing", 1, 1000, PLATFORM("60", "30", "12"),
		{"9 of 10 figures worse by ",
			"; to first order no changed constant explains them; worst: ",
			"host.switch 1.2 -> 12 us explains no changed figure: no critical path is "
			"charged for it"},
		"host.switch 1.2 -> 12 us makes"},
	{"a constant that got faster does not make dispatch slower", 1, 7000,
		PLATFORM("30", "36", "1.2"),
		{"firmware.dispatch_wait 30 -> 36 cycles makes 9 of 10 figures worse by ",
			"firmware.dispatch_go 60 -> 30 cycles explains no changed figure: to first "
			"order it moves critical paths by -"},
		NULL},
	{"without a constant that moved the stage stands alone", 1, 1000,
		PLATFORM("60", "30", "1.2"),
		{"9 of 10 figures worse by ",
			", through dispatch (+1 ns an operation); no constant changed; worst: "},
		"firmware.dispatch_go"},
};

TEST(constants_that_moved_come_first_over_all_files)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = causes_of(cases[i].files, cases[i].dispatch, cases[i].platform);
		const char *at = text;
		for (int c = 0; c < 3 && cases[i].causes[c]; c++) {
			at = strstr(at, cases[i].causes[c]);
			if (!at)
				fail_msg("%s: no '%s' in\n%s", cases[i].what, cases[i].causes[c],
					text);
		}
		if (cases[i].lacks && strstr(text, cases[i].lacks))
			fail_msg("%s: '%s' in\n%s", cases[i].what, cases[i].lacks, text);
		free(text);
	}
}

/* A run for each seed; the third seed does not change. */
TEST(seeds_are_one_row_with_an_interval)
{
	struct planted_run runs[] = {good, good, good};
	struct check_options options = {
		.baselines = baselines, .baseline_count = 1, .update = true};
	char *text = NULL;
	size_t size;
	FILE *out;

	for (int pass = 0; pass < 2; pass++) {
		out = open_memstream(&text, &size);
		for (uint32_t i = 0; i < 3; i++) {
			runs[i].seed = i + 1;
			runs[i].dispatch += pass == 0 || i == 2 ? 0 : 600000;
		}
		planted_write(files[0], ".", runs, 3);
		analysis_check(files, 1, &options, out);
		fclose(out);
		options.update = false;
		if (pass == 0)
			free(text);
	}
	unwrap(text);
	/* 600 ns more in two of three seeds */
	if (!strstr(text, "(95 % over 3 seeds: -") || strstr(text, "seed="))
		fail_msg("seeds are not one row:\n%s", text);
	free(text);
	options.rows = true;
	out = open_memstream(&text, &size);
	analysis_check(files, 1, &options, out);
	fclose(out);
	unwrap(text);
	if (!strstr(text, "seed=1") || !strstr(text, "seed=2") || strstr(text, "seed=3"))
		fail_msg("--rows does not list the seeds that changed:\n%s", text);
	free(text);
}

/* Baselines as older programs wrote them. */
TEST(a_baseline_without_constants_reads_and_says_so)
{
	struct planted_run run = good;
	char *text;

	free(check(&run, 1, true, 0));
	assert_int_equal(system("sed -i '/^constants:/,/^runs:/{/^runs:/!d}' a.yaml"), 0);
	free(check(&run, 1, false, 0));
	run.dispatch += 1000;
	run.platform = PLATFORM("61", "30", "1.2");
	text = check(&run, 1, false, 1);
	unwrap(text);
	if (!strstr(text,
		    ", through dispatch (+1 ns an operation); the baseline holds no constants, a "
		    "new one (--update) will; worst: "))
		fail_msg("no stage:\n%s", text);
	free(text);
}

/* One file has no baseline; the other is still compared. */
TEST(the_worst_code_of_several_files_counts)
{
	struct planted_run runs[] = {good, good};
	char *text;

	free(check(runs, 2, true, 0));
	assert_int_equal(unlink("a.yaml"), 0);
	runs[1].dispatch += 1000;
	text = check(runs, 2, false, 3);
	assert_non_null(strstr(text, "planted: 9 worse, 0 better"));
	free(text);
}

TEST_MAIN(shell_folder_enter, shell_folder_remove)
