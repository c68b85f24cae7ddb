/* Tests that scratch folders are removed on close. If a process is killed, the next process must
 * remove its folder. */
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/run/runner.h"

static char base[] = "/tmp/test-scratch-XXXXXX";

/* Counts the entries of the folder that contains scratch folders. */
static int entries(void)
{
	DIR *directory = opendir(base);
	int count = 0;

	assert_non_null(directory);
	for (struct dirent *entry; (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

static void leave_file(const struct scratch *scratch)
{
	char path[SCRATCH_PATH_BYTES + 16];
	FILE *file;

	snprintf(path, sizeof path, "%s/left", scratch_path(scratch));
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
}

TEST(a_closed_folder_is_gone_with_what_was_in_it)
{
	struct scratch *scratch = scratch_open("test");
	struct stat info;

	assert_non_null(scratch);
	assert_int_equal(stat(scratch_path(scratch), &info), 0);
	assert_int_equal(info.st_mode & 077, 0);
	leave_file(scratch);
	assert_int_equal(entries(), 1);
	scratch_close(scratch);
	assert_int_equal(entries(), 0);
}

TEST(the_next_process_removes_what_a_killed_one_left)
{
	struct scratch *scratch;
	pid_t child = fork();
	int status;

	if (child == 0) {
		leave_file(scratch_open("killed"));
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(entries(), 1);
	scratch = scratch_open("test");
	assert_non_null(scratch);
	assert_int_equal(entries(), 1);
	assert_non_null(strstr(scratch_path(scratch), "meshsim-test-"));
	scratch_close(scratch);
	assert_int_equal(entries(), 0);
}

TEST(folders_in_use_and_those_of_others_stay)
{
	struct scratch *first = scratch_open("first"), *second = scratch_open("second");
	char other[sizeof base + 32];

	assert_non_null(first);
	assert_non_null(second);
	assert_int_equal(entries(), 2);
	snprintf(other, sizeof other, "%s/meshsim-notes-abcdef", base);
	assert_int_equal(mkdir(other, 0700), 0);
	scratch_close(first);
	first = scratch_open("first");
	assert_int_equal(entries(), 3);
	scratch_close(first);
	scratch_close(second);
	assert_int_equal(rmdir(other), 0);
	assert_int_equal(entries(), 0);
}

int main(void)
{
	int failed;

	if (!mkdtemp(base) || setenv("TMPDIR", base, 1) != 0)
		return 1;
	failed = TEST_RUN(NULL, NULL);
	rmdir(base);
	return failed;
}
