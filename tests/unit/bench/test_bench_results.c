/* label: full
 * Tests result files. Equal rows give files with equal bytes, except in /host. A failed write
 * leaves the old file intact. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/results/hdf5_write.h"
#include "bench/results/table.h"
#include "bench/results/results.h"
#include "shell.h"

/* Returns a record of `count` operations, whose values depend on `salt`. The rows of the record are
 * valid until the next call. */
static struct run_record make_record(uint32_t count, int64_t salt)
{
	static struct op_row ops[2000];
	static struct metric_row metric = {
		.kind = "finish", .metric = "latency", .count = 3, .p50 = 7, .max = 9};
	static struct kind_row kind = {.kind = "finish", .operations = 3, .throughput = 1.5};
	struct run_record record = {.seed = 5,
		.scenario_hash = 77,
		.status = RUN_STATUS_OK,
		.message = "",
		.world = "sim",
		.simgrid_configuration = "a:b\n",
		.scenario = "name: x\n",
		.platform = "name: y\n"};

	memset(ops, 0, sizeof ops);
	for (uint32_t i = 0; i < count; i++) {
		ops[i].operation = i + 1;
		snprintf(ops[i].kind, sizeof ops[i].kind, "finish");
		for (uint32_t m = 0; m < MARK_POINT_COUNT; m++)
			ops[i].marks[m] = (struct op_mark){i * 1000 + salt, i * 1000 + m, 1};
	}
	record.totals.events = 12345;
	record.ops = ops;
	record.op_count = count;
	record_table(&record, results_metrics(), &metric, 1);
	record_table(&record, results_kinds(), &kind, 1);
	record_table(&record, results_links(), NULL, 0);
	return record;
}

static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	char *bytes = malloc(1 << 22);

	assert_non_null(file);
	assert_non_null(bytes);
	*length = fread(bytes, 1, 1 << 22, file);
	fclose(file);
	return bytes;
}

static bool same_files(const char *a, const char *b)
{
	size_t a_length, b_length;
	char *a_bytes = read_file(a, &a_length), *b_bytes = read_file(b, &b_length);
	bool same = a_length == b_length && memcmp(a_bytes, b_bytes, a_length) == 0;

	free(a_bytes);
	free(b_bytes);
	return same;
}

static enum status merge(const char *target, const char *created, const char *part)
{
	static const struct column columns[] = {{"run", "1", COLUMN_U32, 0, 4}};
	uint32_t run = 0;
	struct merge_head head = {.scenario_name = "x",
		.world = "sim",
		.swept_keys = "",
		.scenario_hash = 42,
		.created = created,
		.command_line = "meshsim run x",
		.summary = {"summary", columns, 1, 4, &run, 1},
		.host_runs = {"runs", columns, 1, 4, &run, 1}};
	struct merge_run runs[1] = {{.part = part}};

	return results_merge(target, test_path("temporary.h5"), &head, runs, 1);
}

TEST(a_part_reads_back)
{
	struct run_record record = make_record(100, 1);
	struct part_summary summary;

	record.identity = 3;
	assert_int_equal(results_write_part(test_path("a.h5"), &record), STATUS_OK);
	assert_int_equal(results_read_part(test_path("a.h5"), 3, &summary), STATUS_OK);
	assert_int_equal(summary.seed, 5);
	assert_int_equal(summary.scenario_hash, 77);
	assert_string_equal(summary.status, "ok");
	assert_int_equal(summary.totals.events, 12345);
	assert_int_equal(summary.metric_count, 1);
	assert_string_equal(summary.metrics[0].metric, "latency");
	assert_int_equal(summary.metrics[0].max, 9);
	assert_int_equal(summary.kind_count, 1);
	assert_true(summary.kinds[0].throughput == 1.5);
	part_summary_fini(&summary);
	assert_int_equal(results_read_part(test_path("a.h5"), 4, &summary), STATUS_INVALID);
	assert_int_equal(results_read_part(test_path("none.h5"), 3, &summary), STATUS_NOT_FOUND);
}

TEST(equal_rows_give_equal_bytes_and_others_do_not)
{
	struct run_record record = make_record(2000, 1);

	assert_int_equal(results_write_part(test_path("b.h5"), &record), STATUS_OK);
	sleep(1); /* a second later: the file must not contain the time */
	record = make_record(2000, 1);
	assert_int_equal(results_write_part(test_path("c.h5"), &record), STATUS_OK);
	assert_true(same_files(test_path("b.h5"), test_path("c.h5")));
	record = make_record(2000, 2);
	assert_int_equal(results_write_part(test_path("c.h5"), &record), STATUS_OK);
	assert_false(same_files(test_path("b.h5"), test_path("c.h5")));
	assert_int_equal(merge(test_path("d.h5"), "now", test_path("b.h5")), STATUS_OK);
	assert_int_equal(merge(test_path("e.h5"), "now", test_path("b.h5")), STATUS_OK);
	assert_true(same_files(test_path("d.h5"), test_path("e.h5")));
}

TEST(a_failed_merge_leaves_the_old_file_whole)
{
	struct run_record record = make_record(10, 1);
	uint64_t hash = 0;
	size_t length, after;
	char *old;

	assert_int_equal(results_write_part(test_path("f.h5"), &record), STATUS_OK);
	assert_int_equal(merge(test_path("g.h5"), "then", test_path("f.h5")), STATUS_OK);
	old = read_file(test_path("g.h5"), &length);
	assert_int_equal(merge(test_path("g.h5"), "now", test_path("none.h5")), STATUS_IO);
	free(old);
	old = read_file(test_path("g.h5"), &after);
	assert_int_equal(length, after);
	free(old);
	assert_int_equal(results_read_hash(test_path("g.h5"), &hash), STATUS_OK);
	assert_int_equal(hash, 42);
	assert_int_not_equal(access(test_path("temporary.h5"), F_OK), 0);
}

/* Names and values of a table in a file, as other programs read them. */
TEST(names_are_identifiers_and_missing_times_are_nan)
{
	struct row {
		int64_t times[2];
		uint64_t numbers[4];
	} rows[2] = {{{7, -1}, {1, 2, 3, 4}}, {{-1, INT64_C(1) << 53}, {5, 6, 7, 8}}};
	static const struct column columns[] = {{"a.b", "ps", COLUMN_TIME, 0, 8},
		{"a_b", "ps", COLUMN_TIME, 8, 8}, {"from", "1", COLUMN_U64, 16, 8},
		{"9x y", "1", COLUMN_U64, 24, 8}, {"plain", "1", COLUMN_U64, 32, 8},
		{"a-b", "1", COLUMN_U64, 40, 8}};
	static const char *const expected[] = {"a_b", "a_b_2", "from_", "_9x_y", "plain", "a_b_3"};
	const struct table table = {"t", columns, 6, sizeof *rows, rows, 2};
	struct h5_file *part;
	hid_t file, set, type;
	double seen[2];
	void *back;
	uint32_t count;

	file = hdf5_create(test_path("names.h5"));
	assert_true(hdf5_table(file, &table) >= 0);
	set = H5Dopen2(file, "t", H5P_DEFAULT);
	type = H5Dget_type(set);
	for (unsigned i = 0; i < 6; i++) {
		char *name = H5Tget_member_name(type, i), key[32];

		assert_string_equal(name, expected[i]);
		snprintf(key, sizeof key, "key:%s", name);
		assert_int_equal(H5Aexists(set, key) > 0, strcmp(name, columns[i].name) != 0);
		H5free_memory(name);
	}
	H5Tclose(type);
	type = H5Tcreate(H5T_COMPOUND, sizeof *seen);
	H5Tinsert(type, "a_b", 0, H5T_NATIVE_DOUBLE);
	assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, seen) >= 0);
	assert_true(seen[0] == 7 && isnan(seen[1]));
	H5Tclose(type);
	H5Dclose(set);
	H5Fclose(file);
	part = part_open(test_path("names.h5"));
	assert_non_null(part);
	assert_true(part_table(part, "", &table, &back, &count));
	assert_int_equal(count, 2);
	assert_memory_equal(back, rows, sizeof rows);
	free(back);
	h5_close(part);
}

TEST(columns_that_fit_can_be_written_and_ten_more_cannot)
{
	enum { WIDE = 1024, LENGTH = 100 };
	static struct column columns[WIDE];
	static char names[WIDE][LENGTH + 1];
	struct table table = {"wide", columns, WIDE, 8 * WIDE, NULL, 0};
	hid_t file;

	for (uint32_t i = 0; i < WIDE; i++) {
		snprintf(names[i], sizeof names[i], "n%0*u", LENGTH - 1, i);
		columns[i] = (struct column){names[i], "ps", COLUMN_TIME, 8 * i, 8};
	}
	table.column_count = table_fits(&table);
	assert_in_range(table.column_count, 500, 600);
	file = hdf5_create(test_path("wide.h5"));
	assert_true(hdf5_table(file, &table) >= 0);
	table.name = "too_wide";
	table.column_count += 10; /* the size of a member's place is rounded up in table_fits() */
	assert_true(hdf5_table(file, &table) < 0);
	H5Fclose(file);
}

TEST(random_bytes_are_no_part)
{
	struct part_summary summary;
	uint64_t hash;
	FILE *file = fopen(test_path("h.h5"), "w");

	fputs("\x89HDF\r\n\x1a\nrubbish", file);
	fclose(file);
	assert_int_equal(results_read_part(test_path("h.h5"), 0, &summary), STATUS_INVALID);
	assert_int_equal(results_read_hash(test_path("h.h5"), &hash), STATUS_INVALID);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
