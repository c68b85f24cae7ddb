/* label: full
 * Tests the folder FILE.partial, which holds a file (a part) for each completed run of a sweep. The
 * folder must be kept if the sweep ends early. Its parts may be used again only by --resume of the
 * same scenario. At the end of the sweep, the folder must be removed. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "bench/run/part_folder.h"
#include "shell.h"

enum { RUN = 17 }; /* identity of a run */

static char target[sizeof shell_folder + 16];

static int make_target(void **state)
{
	if (shell_folder_make(state) != 0)
		return -1;
	snprintf(target, sizeof target, "%s/out.h5", shell_folder);
	return 0;
}

static struct part_folder *open_good(uint64_t hash, bool resume)
{
	struct part_folder *folder = NULL;
	struct text why;

	text_init(&why);
	assert_int_equal(part_folder_open(target, hash, 3, resume, &why, &folder), STATUS_OK);
	assert_string_equal(text_string(&why), "");
	text_fini(&why);
	return folder;
}

static void write_part(struct part_folder *folder, uint32_t run)
{
	FILE *file = fopen(part_folder_part(folder, run), "w");

	assert_non_null(file);
	fputs("part", file);
	fclose(file);
	assert_int_equal(seal_append(part_folder_part(folder, run), RUN), STATUS_OK);
}

TEST(parts_are_taken_up_by_resume_and_dropped_without)
{
	struct host_figures figures = {1.5, 0.25, 4096};
	struct part_folder *folder = open_good(1, false);

	assert_int_equal(part_folder_has(folder, 3, RUN), STATUS_NOT_FOUND);
	write_part(folder, 3);
	part_folder_keep_figures(folder, 3, &figures);
	part_folder_close(folder, false);
	folder = open_good(1, true);
	assert_int_equal(part_folder_has(folder, 3, RUN), STATUS_OK);
	assert_true(part_folder_figures(folder, 3).wall_s == 1.5);
	assert_int_equal(part_folder_figures(folder, 3).peak_bytes, 4096);
	assert_int_equal(part_folder_figures(folder, 4).peak_bytes, 0);
	part_folder_close(folder, false);
	folder = open_good(1, false);
	assert_int_equal(part_folder_has(folder, 3, RUN), STATUS_NOT_FOUND);
	part_folder_close(folder, true);
	assert_false(part_folder_exists(target));
}

static void refuse(
	const char *path, uint64_t hash, bool resume, enum status status, const char *message)
{
	struct part_folder *folder = NULL;
	struct text why;

	text_init(&why);
	assert_int_equal(part_folder_open(path, hash, 3, resume, &why, &folder), status);
	if (!strstr(text_string(&why), message))
		fail_msg("'%s' does not contain '%s'", text_string(&why), message);
	assert_null(folder);
	text_fini(&why);
}

TEST(another_scenario_is_not_resumed)
{
	struct part_folder *folder = open_good(1, false);

	write_part(folder, 0);
	part_folder_close(folder, false);
	refuse(target, 2, true, STATUS_INVALID, "holds runs of another scenario");
	folder = open_good(1, true); /* the failed attempt has not changed it */
	assert_int_equal(part_folder_has(folder, 0, RUN), STATUS_OK);
	part_folder_close(folder, true);
}

TEST(two_writers_exclude_each_other)
{
	struct part_folder *folder = open_good(1, false);

	refuse(target, 1, false, STATUS_EXISTS, "in use by another meshsim");
	part_folder_close(folder, true);
}

TEST(what_cannot_be_written_is_refused_with_its_reason)
{
	char path[sizeof target + 64];

	refuse(shell_folder, 1, false, STATUS_IO, "it is a directory");
	snprintf(path, sizeof path, "%s/none/out.h5", shell_folder);
	refuse(path, 1, false, STATUS_IO, "No such file or directory");
	refuse("/proc/out.h5", 1, false, STATUS_IO, "cannot write /proc/out.h5: ");
}

static void change_byte(const char *path, long at)
{
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	fseek(file, at, SEEK_SET);
	fputc('?', file);
	fclose(file);
}

TEST(damaged_parts_and_those_of_other_runs_are_none)
{
	struct part_folder *folder = open_good(1, false);

	write_part(folder, 3);
	assert_int_equal(part_folder_has(folder, 3, RUN + 1), STATUS_INVALID);
	change_byte(part_folder_part(folder, 3), 2);
	assert_int_equal(part_folder_has(folder, 3, RUN), STATUS_INVALID);
	part_folder_close(folder, true);
}

TEST(damaged_figures_of_the_host_are_none)
{
	struct host_figures figures = {1.5, 0.25, 4096};
	struct part_folder *folder = open_good(1, false);
	char path[sizeof target + 64], other[sizeof target + 64];

	part_folder_keep_figures(folder, 3, &figures);
	snprintf(path, sizeof path, "%s.partial/000003.host", target);
	snprintf(other, sizeof other, "%s.partial/000004.host", target);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(part_folder_figures(folder, 4).peak_bytes, 0);
	change_byte(path, 2);
	assert_int_equal(part_folder_figures(folder, 3).peak_bytes, 0);
	part_folder_close(folder, true);
}

TEST(a_directory_of_others_is_left_alone)
{
	char path[sizeof target + 64], file[sizeof target + 128];

	snprintf(path, sizeof path, "%s.partial", target);
	snprintf(file, sizeof file, "%s/merged.h5", path);
	assert_int_equal(mkdir(path, 0777), 0);
	fclose(fopen(file, "w"));
	refuse(target, 1, false, STATUS_IO, "is no folder of meshsim");
	assert_int_equal(access(file, F_OK), 0);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(symlink(shell_folder, path), 0);
	refuse(target, 1, false, STATUS_IO, "is no folder of meshsim: it is a symbolic link");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("nowhere", path), 0);
	refuse(target, 1, true, STATUS_IO, "is no folder of meshsim: it is a symbolic link");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	refuse(target, 1, false, STATUS_IO, "is no folder of meshsim: it is a pipe");
	assert_int_equal(unlink(path), 0);
	fclose(fopen(path, "w"));
	refuse(target, 1, false, STATUS_IO, "is no folder of meshsim: it is a file");
	assert_int_equal(unlink(path), 0);
}

static mode_t rights(const char *path)
{
	struct stat info;

	assert_int_equal(stat(path, &info), 0);
	return info.st_mode & 0777;
}

TEST(other_users_cannot_enter_the_folder)
{
	char path[sizeof target + 64];
	struct part_folder *folder;

	snprintf(path, sizeof path, "%s.partial", target);
	folder = open_good(1, false);
	assert_int_equal(rights(path), 0700);
	write_part(folder, 0);
	part_folder_close(folder, false);
	assert_int_equal(chmod(path, 0777), 0); /* earlier versions created it with this mode */
	folder = open_good(1, true);
	assert_int_equal(rights(path), 0700);
	assert_int_equal(part_folder_has(folder, 0, RUN), STATUS_OK);
	part_folder_close(folder, true);
}

/* Creates a file with contents beside the target, and writes its path to `path`. */
static void put_precious(char *path, size_t size)
{
	FILE *file;

	snprintf(path, size, "%s.precious", target);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("precious", file);
	fclose(file);
}

static void assert_precious(const char *path)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(text, sizeof text, file));
	fclose(file);
	assert_string_equal(text, "precious");
}

TEST(a_state_that_is_a_link_is_refused_and_not_written)
{
	char path[sizeof target + 64], precious[sizeof target + 64];

	part_folder_close(open_good(1, false), false);
	put_precious(precious, sizeof precious);
	snprintf(path, sizeof path, "%s.partial/state", target);
	for (int hard = 0; hard < 2; hard++) {
		assert_int_equal(unlink(path), 0);
		assert_int_equal(hard ? link(precious, path) : symlink(precious, path), 0);
		refuse(target, 1, true, STATUS_IO,
			hard ? "/state: it is a file with another name elsewhere"
			     : "/state: it is a symbolic link");
		assert_precious(precious);
	}
	assert_int_equal(unlink(path), 0);
	part_folder_close(open_good(1, false), true);
}

TEST(links_at_the_names_of_a_run_are_neither_read_nor_written)
{
	struct host_figures figures = {1.5, 0.25, 4096};
	struct part_folder *folder = open_good(1, false);
	char host[sizeof target + 64], other[sizeof target + 64], precious[sizeof target + 64];

	put_precious(precious, sizeof precious);
	snprintf(host, sizeof host, "%s.partial/000003.host", target);
	snprintf(other, sizeof other, "%s.host", target);
	for (int hard = 0; hard < 2; hard++) {
		assert_int_equal(hard ? link(precious, host) : symlink(precious, host), 0);
		part_folder_keep_figures(folder, 3, &figures);
		assert_precious(precious);
		assert_int_equal(part_folder_figures(folder, 3).peak_bytes, 4096);
		assert_int_equal(unlink(host), 0);
	}
	part_folder_keep_figures(folder, 3, &figures);
	assert_int_equal(rename(host, other), 0);
	assert_int_equal(symlink(other, host), 0);
	assert_int_equal(part_folder_figures(folder, 3).peak_bytes, 0);
	write_part(folder, 0);
	snprintf(other, sizeof other, "%s.partial/000001.h5", target);
	assert_int_equal(symlink(part_folder_part(folder, 0), other), 0);
	assert_int_equal(part_folder_has(folder, 0, RUN), STATUS_OK);
	assert_int_equal(part_folder_has(folder, 1, RUN), STATUS_INVALID);
	part_folder_close(folder, true);
}

TEST(what_belongs_to_another_user_is_not_taken)
{
	char path[sizeof target + 64], part[sizeof target + 64];
	struct part_folder *folder;

	if (geteuid() != 0)
		skip(); /* only root can give files away */
	folder = open_good(1, false);
	write_part(folder, 0);
	snprintf(part, sizeof part, "%s", part_folder_part(folder, 0));
	assert_int_equal(part_folder_has(folder, 0, RUN), STATUS_OK);
	assert_int_equal(chown(part, 12345, 12345), 0);
	assert_int_equal(part_folder_has(folder, 0, RUN), STATUS_INVALID);
	part_folder_close(folder, false);
	snprintf(path, sizeof path, "%s.partial", target);
	assert_int_equal(chown(path, 12345, 12345), 0);
	refuse(target, 1, true, STATUS_IO,
		"out.h5.partial is no folder of meshsim: it belongs to another user");
	assert_int_equal(access(part, F_OK), 0);
	assert_int_equal(chown(path, 0, 0), 0);
	part_folder_close(open_good(1, false), true);
}

TEST(files_of_others_stay)
{
	static const char *const names[] = {"notes.txt", "000001.html", "000001.hosts",
		"000001.h5.bak", "00001.h5", "merged.h5.old", "000001", "h5"};
	struct part_folder *folder;
	char foreign[sizeof target + 64];
	FILE *file;

	folder = open_good(1, false);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(foreign, sizeof foreign, "%s.partial/%s", target, names[i]);
		file = fopen(foreign, "w");
		assert_non_null(file);
		fclose(file);
	}
	part_folder_close(folder, true);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(foreign, sizeof foreign, "%s.partial/%s", target, names[i]);
		if (access(foreign, F_OK) != 0)
			fail_msg("%s is gone", foreign);
	}
}

/* Opens and closes the folder in a loop. While this process has the folder open, it must be able to
 * write parts, and no other process may have opened the folder. Returns the exit code of the
 * process: 0 if both hold each time. */
static int take_turns(const char *owner)
{
	enum { TURNS = 500 };

	for (int turn = 0; turn < TURNS;) {
		struct part_folder *folder = NULL;
		struct text why = {0};
		enum status status = part_folder_open(target, 1, 3, false, &why, &folder);
		int mark, part;

		text_fini(&why);
		if (status == STATUS_EXISTS)
			continue;
		if (status != STATUS_OK)
			return 1;
		mark = open(owner, O_WRONLY | O_CREAT | O_EXCL, 0666);
		part = open(part_folder_part(folder, 0), O_WRONLY | O_CREAT, 0666);
		if (mark < 0 || part < 0 || unlink(owner) != 0)
			return mark < 0 ? 2 : 3;
		close(mark);
		close(part);
		part_folder_close(folder, true);
		turn++;
	}
	return 0;
}

TEST(writers_that_start_and_end_at_once_exclude_each_other)
{
	enum { WRITERS = 3 };
	char owner[sizeof target + 16];
	pid_t writers[WRITERS];

	snprintf(owner, sizeof owner, "%s.owner", target);
	for (int i = 0; i < WRITERS; i++) {
		writers[i] = fork();
		if (writers[i] == 0)
			_exit(take_turns(owner));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status = -1;

		assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
		assert_int_equal(status, 0);
	}
	assert_false(part_folder_exists(target));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_taken_up_by_resume_and_dropped_without),
		cmocka_unit_test(another_scenario_is_not_resumed),
		cmocka_unit_test(two_writers_exclude_each_other),
		cmocka_unit_test(writers_that_start_and_end_at_once_exclude_each_other),
		cmocka_unit_test(what_cannot_be_written_is_refused_with_its_reason),
		cmocka_unit_test(damaged_parts_and_those_of_other_runs_are_none),
		cmocka_unit_test(damaged_figures_of_the_host_are_none),
		cmocka_unit_test(a_directory_of_others_is_left_alone),
		cmocka_unit_test(other_users_cannot_enter_the_folder),
		cmocka_unit_test(a_state_that_is_a_link_is_refused_and_not_written),
		cmocka_unit_test(links_at_the_names_of_a_run_are_neither_read_nor_written),
		cmocka_unit_test(what_belongs_to_another_user_is_not_taken),
		cmocka_unit_test(files_of_others_stay), /* leaves the folder behind */
	};

	return cmocka_run_group_tests(tests, make_target, shell_folder_remove);
}
