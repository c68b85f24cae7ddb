/* FILE.partial: parts survive, are taken up by --resume of the same scenario only, and go away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench/run/partial.h"

static char directory[64], target[128];

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/meshsim-partial-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	snprintf(target, sizeof target, "%s/out.h5", directory);
	return 0;
}

static int remove_directory(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", directory);
	return system(command);
}

static struct partial *open_good(uint64_t hash, bool resume)
{
	struct partial *partial = NULL;
	struct text why;

	text_init(&why);
	assert_int_equal(partial_open(target, hash, resume, &why, &partial), STATUS_OK);
	assert_string_equal(text_string(&why), "");
	text_fini(&why);
	return partial;
}

static void write_part(struct partial *partial, uint32_t run)
{
	FILE *file = fopen(partial_part(partial, run), "w");

	assert_non_null(file);
	fputs("part", file);
	fclose(file);
}

static void parts_are_taken_up_by_resume_and_dropped_without(void **state)
{
	struct host_figures figures = {1.5, 0.25, 4096};
	struct partial *partial = open_good(1, false);

	(void)state;
	assert_false(partial_has(partial, 3));
	write_part(partial, 3);
	partial_keep_figures(partial, 3, &figures);
	partial_close(partial, false);
	partial = open_good(1, true);
	assert_true(partial_has(partial, 3));
	assert_true(partial_figures(partial, 3).wall_s == 1.5);
	assert_int_equal(partial_figures(partial, 3).peak_bytes, 4096);
	assert_int_equal(partial_figures(partial, 4).peak_bytes, 0);
	partial_close(partial, false);
	partial = open_good(1, false);
	assert_false(partial_has(partial, 3));
	partial_close(partial, true);
	assert_false(partial_exists(target));
}

static void refuse(
	const char *path, uint64_t hash, bool resume, enum status status, const char *message)
{
	struct partial *partial = NULL;
	struct text why;

	text_init(&why);
	assert_int_equal(partial_open(path, hash, resume, &why, &partial), status);
	if (!strstr(text_string(&why), message))
		fail_msg("'%s' does not contain '%s'", text_string(&why), message);
	assert_null(partial);
	text_fini(&why);
}

static void another_scenario_is_not_resumed(void **state)
{
	struct partial *partial = open_good(1, false);

	(void)state;
	write_part(partial, 0);
	partial_close(partial, false);
	refuse(target, 2, true, STATUS_INVALID, "holds runs of another scenario");
	partial = open_good(1, true); /* and was left as it was */
	assert_true(partial_has(partial, 0));
	partial_close(partial, true);
}

static void two_writers_exclude_each_other(void **state)
{
	struct partial *partial = open_good(1, false);

	(void)state;
	refuse(target, 1, false, STATUS_EXISTS, "in use by another meshsim");
	partial_close(partial, true);
}

static void what_cannot_be_written_is_refused_with_its_reason(void **state)
{
	char path[192];

	(void)state;
	refuse(directory, 1, false, STATUS_IO, "it is a directory");
	snprintf(path, sizeof path, "%s/none/out.h5", directory);
	refuse(path, 1, false, STATUS_IO, "No such file or directory");
	refuse("/proc/out.h5", 1, false, STATUS_IO, "cannot write /proc/out.h5: ");
}

static void files_of_others_stay(void **state)
{
	struct partial *partial;
	char foreign[192];
	FILE *file;

	(void)state;
	partial = open_good(1, false);
	snprintf(foreign, sizeof foreign, "%s.partial/notes.txt", target);
	file = fopen(foreign, "w");
	assert_non_null(file);
	fclose(file);
	partial_close(partial, true);
	assert_int_equal(access(foreign, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_taken_up_by_resume_and_dropped_without),
		cmocka_unit_test(another_scenario_is_not_resumed),
		cmocka_unit_test(two_writers_exclude_each_other),
		cmocka_unit_test(what_cannot_be_written_is_refused_with_its_reason),
		cmocka_unit_test(files_of_others_stay),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
