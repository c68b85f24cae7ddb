/* Tests the causes that `meshsim check` names when results differ from their baselines. The test
 * chooses the contents of the result files. A changed constant is named as a cause before a changed
 * stage, and the causes cover all files. label: full */
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

/* Makes a baseline of each file, or compares each file with its baseline. Returns the printed text;
 * the caller frees it. */
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

/* Makes baselines of `count` good results. Then changes the dispatch time and the platform, and
 * returns the causes that are printed for the changed results; the caller frees them. */
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
	end = strstr(text, "\n\n");
	assert_non_null(end);
	end[1] = '\0';
	return text;
}

static const struct {
	const char *what;
	uint32_t files;
	int64_t dispatch; /* additional ps */
	const char *platform, *causes;
} cases[] = {
	{"a constant that moved is named before its stage", 1, 1000, PLATFORM("61", "30", "1.2"),
		"causes\n"
		"  firmware.dispatch_go +1 cycles (60 to 61 cycles): 9 figures in 1 run\n"
		"    dispatch +1.000 ns an operation: 9 figures in 1 run\n"},
	{"figures of all files count for one constant", 2, 1000, PLATFORM("61", "30", "1.2"),
		"causes\n  firmware.dispatch_go +1 cycles (60 to 61 cycles): 18 figures in 2 runs "
		"of 2 scenarios\n    dispatch +1.000 ns an operation: 18 figures in 2 runs of 2 "
		"scenarios\n"},
	{"of several constants the one that moves the stage most has it", 1, 7000,
		PLATFORM("61", "36", "1.2"),
		"causes\n"
		"  firmware.dispatch_wait +6 cycles (30 to 36 cycles): 9 figures in 1 run\n"
		"    dispatch +7.000 ns an operation: 9 figures in 1 run\n"
		"  firmware.dispatch_go +1 cycles (60 to 61 cycles): no figure\n"},
	{"a constant that is never charged explains nothing", 1, 1000, PLATFORM("60", "30", "12"),
		"causes\n"
		"  host.switch +10.8 us (1.2 to 12 us): no figure\n"
		"  dispatch +1.000 ns an operation: 9 figures in 1 run\n"},
	{"without a constant that moved the stage stands alone", 1, 1000,
		PLATFORM("60", "30", "1.2"),
		"causes\n  dispatch +1.000 ns an operation: 9 figures in 1 run\n"},
};

TEST(constants_that_moved_come_first_over_all_files)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = causes_of(cases[i].files, cases[i].dispatch, cases[i].platform);
		if (strcmp(text, cases[i].causes) != 0)
			fail_msg("%s:\n%s", cases[i].what, text);
		free(text);
	}
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
	assert_non_null(strstr(text, "causes\n  dispatch +1.000 ns an operation: 9 figures in 1 "
				     "run\n  stages only: the baseline holds no constants"));
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
