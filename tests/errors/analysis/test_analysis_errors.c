/* label: full
 * Tests that foreign and incomplete result files are rejected with the expected message and exit
 * code. If random bytes of a file are changed, the file is either shown or rejected, but reading it
 * never crashes. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hdf5.h>

#include "analysis/show.h"
#include "base/hash.h"
#include "base/stream.h"
#include "bench/results/hdf5_write.h"
#include "shell.h"
#include "toy_results.h"

/* Shows `path`, with standard error captured. */
static int show(const char *path, char *message, size_t size)
{
	FILE *out = fopen("/dev/null", "w"), *caught = tmpfile();
	int saved = dup(STDERR_FILENO), code;

	assert_non_null(out);
	assert_non_null(caught);
	fflush(stderr);
	dup2(fileno(caught), STDERR_FILENO);
	code = analysis_show(path, SHOW_TEXT, false, out);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(caught);
	message[fread(message, 1, size - 1, caught)] = '\0';
	fclose(caught);
	fclose(out);
	return code;
}

/* Runs `show` on the file `name` of the test's folder. The file must be rejected with exactly the
 * message `expected`. Removes the file. */
static void assert_refused(const char *name, const char *expected)
{
	char path[400], whole[512], message[512];

	snprintf(path, sizeof(path), "%s", test_path(name));
	snprintf(whole, sizeof(whole), "meshsim: %s: %s\n", path, expected);
	assert_int_equal(show(path, message, sizeof(message)), 2);
	assert_string_equal(message, whole);
	unlink(path);
}

TEST(a_missing_file_is_named)
{
	assert_refused("none.h5", "cannot read: No such file or directory");
}

TEST(another_kind_of_file_is_refused)
{
	FILE *file = fopen(test_path("text.h5"), "w");

	fputs("run,latency\n", file);
	fclose(file);
	assert_refused("text.h5", "not a result file of meshsim: not HDF5");
	fclose(fopen(test_path("empty.h5"), "w"));
	assert_refused("empty.h5", "not a result file of meshsim: not HDF5");
}

static void put_number(hid_t object, const char *name, uint64_t value)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t attribute =
		H5Acreate2(object, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(H5Awrite(attribute, H5T_NATIVE_UINT64, &value) >= 0);
	H5Aclose(attribute);
	H5Sclose(space);
}

/* Creates a file of the HDF5 format version that results have. */
static hid_t new_file(const char *name)
{
	return hdf5_create(test_path(name));
}

TEST(another_programs_hdf5_is_refused)
{
	H5Fclose(H5Fcreate(test_path("other.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
	assert_refused("other.h5", "an HDF5 file, but not a result file of meshsim");
	H5Fclose(new_file("other.h5"));
	assert_refused("other.h5", "an HDF5 file, but not a result file of meshsim");
}

/* Sets the layout version of a file of the folder to `layout`, closes the file and seals it. */
static void seal_file(hid_t file, const char *name, uint64_t layout)
{
	put_number(file, "layout_version", layout);
	H5Fclose(file);
	assert_int_equal(seal_append(test_path(name), 1), STATUS_OK);
}

TEST(other_layouts_are_refused_by_name)
{
	hid_t file = new_file("oldest.h5");

	put_number(file, "layout_version", 1); /* files of layout 1 have no seal */
	H5Fclose(file);
	assert_refused(
		"oldest.h5", "written by layout version 1, this reads 10: run its scenario again");
	seal_file(new_file("older.h5"), "older.h5", 2);
	assert_refused(
		"older.h5", "written by layout version 2, this reads 10: run its scenario again");
	seal_file(new_file("newer.h5"), "newer.h5", 11);
	assert_refused("newer.h5",
		"written by layout version 11, this reads 10: read it with a newer meshsim");
}

TEST(a_part_is_refused)
{
	hid_t file = new_file("part.h5");

	H5Gclose(H5Gcreate2(file, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	seal_file(file, "part.h5", 10);
	assert_refused("part.h5", "one run's part of an unfinished file; finish it with --resume");
}

TEST(a_file_without_summary_is_damaged)
{
	hid_t file;
	hsize_t rows = 3;
	hid_t space = H5Screate_simple(1, &rows, NULL);

	seal_file(new_file("bare.h5"), "bare.h5", 10);
	assert_refused("bare.h5", "damaged: it has no summary");
	file = new_file("plain.h5");
	H5Dclose(H5Dcreate2(
		file, "summary", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	H5Sclose(space);
	seal_file(file, "plain.h5", 10);
	assert_refused("plain.h5", "damaged: cannot read '/summary'");
}

static void write_without_second_run(void)
{
	hid_t file;

	toy_results_write(test_path("lack.h5"), shell_folder, 2);
	file = H5Fopen(test_path("lack.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
	assert_true(H5Ldelete(file, "runs/000001", H5P_DEFAULT) >= 0);
	H5Fclose(file);
}

TEST(a_file_that_another_program_changed_is_refused)
{
	write_without_second_run();
	assert_refused(
		"lack.h5", "damaged, cut off, or changed by another program: it lost its seal");
}

TEST(a_file_that_lacks_a_run_is_damaged)
{
	write_without_second_run();
	assert_int_equal(seal_append(test_path("lack.h5"), 1), STATUS_OK);
	assert_refused("lack.h5", "damaged: it has no '/runs/000001'");
}

TEST(a_file_that_is_cut_off_is_refused)
{
	struct stat status;

	toy_results_write(test_path("cut.h5"), shell_folder, 2);
	assert_int_equal(stat(test_path("cut.h5"), &status), 0);
	assert_int_equal(truncate(test_path("cut.h5"), status.st_size / 2), 0);
	assert_refused("cut.h5", "damaged or cut off: HDF5 cannot open it");
}

/* Returns the bytes of a good file; the caller frees them. */
static char *good_file(size_t *size)
{
	struct stat status;
	FILE *file;
	char *bytes;

	toy_results_write(test_path("good.h5"), shell_folder, 1);
	assert_int_equal(stat(test_path("good.h5"), &status), 0);
	*size = (size_t)status.st_size;
	bytes = malloc(*size);
	assert_non_null(bytes);
	file = fopen(test_path("good.h5"), "r");
	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	unlink(test_path("good.h5"));
	return bytes;
}

/* The files are sealed after they were damaged, so that the seal does not reveal the damage. */
TEST(damaged_bytes_are_shown_or_refused)
{
	enum { CASES = 150, BYTES = 3 };
	struct stream stream;
	int refused = 0, crashed = 0;
	size_t size;
	char *good = good_file(&size), *bad = malloc(size);

	stream_init(&stream, 1, "damage");
	for (int i = 0; i < CASES; i++) {
		char message[512];
		FILE *file = fopen(test_path("damaged.h5"), "w");
		int code;
		memcpy(bad, good, size);
		for (int j = 0; j < BYTES; j++)
			bad[stream_below(&stream, size)] = (char)stream_below(&stream, 256);
		fwrite(bad, 1, size, file);
		fclose(file);
		assert_int_equal(seal_append(test_path("damaged.h5"), 1), STATUS_OK);
		code = show(test_path("damaged.h5"), message, sizeof(message));
		if (code != 0 && code != 2)
			print_error("case %d: exit code %d: %s\n", i, code, message);
		assert_true(code == 0 || code == 2);
		assert_int_equal(code == 2, message[0] != '\0');
		refused += code == 2;
		crashed += strstr(message, "crashed") != NULL;
	}
	unlink(test_path("damaged.h5"));
	print_message("%d of %d refused\n", refused, CASES);
	assert_int_equal(crashed, 0);
	assert_true(refused > 0);
	free(good);
	free(bad);
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
