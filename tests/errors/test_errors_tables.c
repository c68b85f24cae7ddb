/* label: full  timeout: 300  needs: simgrid
 * Tests result files with a valid seal and one damaged table. Every reader of the table rejects the
 * file and names both file and table; it never prints results with exit code 0. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "shell.h"
#include "strip_host.h"

enum { TABLES_MAX = 64, SEAL_BYTES = 32 };

static char tables[TABLES_MAX][64];
static int table_count;

static herr_t add_table(hid_t file, const char *name, const H5O_info_t *info, void *unused)
{
	hid_t set, type;

	(void)unused;
	if (info->type != H5O_TYPE_DATASET || strncmp(name, "runs/000001", 11) == 0)
		return 0;
	set = H5Dopen2(file, name, H5P_DEFAULT);
	type = H5Dget_type(set);
	if (H5Tget_class(type) == H5T_COMPOUND && table_count < TABLES_MAX)
		snprintf(tables[table_count++], sizeof tables[0], "/%s", name);
	H5Tclose(type);
	H5Dclose(set);
	return 0;
}

/* Makes a result of two runs, and lists its tables. If both runs have a table of some name, only
 * the table of the first run is listed. */
static int make_result(void **state)
{
	static const char scenario[] = "meshsim: 1\nname: tables\nplatform: n150\nworkload:\n"
				       "  - repeat: 4\n    do: [{enqueue_workload: {}}, finish]\n"
				       "sweep:\n  runtime.completion: [table, per-device]\n";
	FILE *file;
	hid_t result;

	if (shell_folder_enter(state) != 0)
		return -1;
	file = fopen("tables.yaml", "w");
	fputs(scenario, file);
	fclose(file);
	if (shell("\"$MESHSIM_BINARY\" run tables.yaml -o good.h5 >/dev/null") != 0 ||
		shell("\"$MESHSIM_BINARY\" check good.h5 --baseline b.yaml --update >/dev/null"))
		return -1;
	result = H5Fopen("good.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
	H5Ovisit(result, H5_INDEX_NAME, H5_ITER_INC, add_table, NULL);
	H5Fclose(result);
	return table_count > 10 && table_count < TABLES_MAX ? 0 : -1;
}

/* Copies the good file to x.h5 with a column of numbers in place of a table, and seals it. */
static void damage(const char *table)
{
	const hsize_t rows = 3;
	uint64_t identity;
	hid_t file, space, set;

	assert_int_equal(seal_read("good.h5", &identity), STATUS_OK);
	shell("head -c -%d good.h5 >x.h5", SEAL_BYTES);
	file = H5Fopen("x.h5", H5F_ACC_RDWR, H5P_DEFAULT);
	assert_true(file >= 0);
	assert_true(H5Ldelete(file, table, H5P_DEFAULT) >= 0);
	space = H5Screate_simple(1, &rows, NULL);
	set = H5Dcreate2(
		file, table, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(set >= 0);
	H5Dclose(set);
	H5Sclose(space);
	H5Fclose(file);
	assert_int_equal(seal_append("x.h5", identity), STATUS_OK);
}

/* Answers are written to x.out. */
static const char *const questions[] = {
	"\"$MESHSIM_BINARY\" show %s >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" show %s --json >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" check %s --baseline b.yaml >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" compare %s --json >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" explain %s 0 1 --json >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" report %s --no-errors --model -o - >x.out 2>x.err",
	"\"$MESHSIM_BINARY\" timeline %s 0 -o - >x.out 2>x.err",
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

static bool names_file_and_table(const char *table)
{
	struct text said = {0};
	bool good = file_read("x.err", FILE_BYTES_MAX, &said, NULL) &&
		    strstr(text_string(&said), "x.h5") && strstr(text_string(&said), table);

	text_fini(&said);
	return good;
}

TEST(a_damaged_table_is_an_error_that_names_file_and_table)
{
	uint32_t refused[TABLES_MAX] = {0}, bad = 0;
	char answer[32];

	shell("cp good.h5 x.h5");
	for (int q = 0; q < QUESTIONS; q++) {
		assert_int_equal(shell(questions[q], "x.h5"), 0);
		shell("mv x.out answer-%d", q);
	}
	for (int t = 0; t < table_count; t++) {
		damage(tables[t]);
		for (int q = 0; q < QUESTIONS; q++) {
			int code = shell(questions[q], "x.h5");

			snprintf(answer, sizeof answer, "answer-%d", q);
			if (code == 2 && names_file_and_table(tables[t])) {
				refused[t]++;
			} else if (code != 0 || !same_bytes("x.out", answer)) {
				print_error(
					"%s, %s: exit code %d\n", tables[t], questions[q], code);
				bad++;
			}
		}
		if (refused[t] == 0)
			print_message("%s: nobody reads it\n", tables[t]);
	}
	assert_int_equal(bad, 0);
}

TEST_MAIN(make_result, shell_folder_remove)
