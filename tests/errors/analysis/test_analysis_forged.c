/* label: full  timeout: 300
 * Tests forged result files, which have a valid seal, but contents that meshsim never writes. Each
 * must be rejected as damaged. The reader must not crash, block, or print contents of another file.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "analysis/show.h"
#include "bench/results/results.h"
#include "forged.h"
#include "h5/reader.h"
#include "shell.h"
#include "toy_results.h"

enum { OUTPUT_BYTES = 1 << 16, SECONDS_MOST = 20 };

static int make(void **state)
{
	if (shell_folder_enter(state) != 0)
		return -1;
	forged_secrets();
	toy_results_write("good.h5", shell_folder, 2);
	return 0;
}

/* Shows `path`; captures standard output and error in `output`. */
static int show(const char *path, enum show_form form, char *output)
{
	FILE *out = tmpfile();
	int saved = dup(STDERR_FILENO), code;
	size_t length;

	assert_non_null(out);
	fflush(stderr);
	dup2(fileno(out), STDERR_FILENO);
	alarm(SECONDS_MOST);
	code = analysis_show(path, form, false, out);
	alarm(0);
	fflush(stderr);
	fflush(out);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(out);
	length = fread(output, 1, OUTPUT_BYTES - 1, out);
	output[length] = '\0';
	fclose(out);
	return code;
}

TEST(every_forgery_is_refused_as_damaged)
{
	static const enum show_form forms[] = {SHOW_TEXT, SHOW_JSON};
	static char output[OUTPUT_BYTES];
	uint32_t bad = 0;

	for (unsigned i = 0; i < forgery_count; i++) {
		bool refused = false;

		forged_write("good.h5", "/runs/000000", &forgeries[i], "forged.h5");
		for (int form = 0; form < 2; form++) {
			int code = show("forged.h5", forms[form], output);
			bool good =
				code == 0 ||
				(code == 2 && strstr(output, "forged.h5: damaged: cannot read"));

			refused |= code == 2;
			if (!good || strstr(output, FORGED_SECRET)) {
				print_error("%s: exit code %d: %.300s\n", forgeries[i].name, code,
					output);
				bad++;
			}
		}
		if (!refused) {
			print_error("%s: shown, expected to be refused\n", forgeries[i].name);
			bad++;
		}
	}
	assert_int_equal(bad, 0);
}

/* Checks the whole file, including parts that no command reads. The same check is made before
 * parts are merged. */
TEST(a_check_of_the_whole_file_finds_every_forgery)
{
	uint32_t bad = 0;

	for (unsigned i = 0; i < forgery_count; i++) {
		FILE *stream;
		struct h5_file *file;
		enum status status;

		forged_write("good.h5", "/runs/000000", &forgeries[i], "forged.h5");
		stream = fopen("forged.h5", "rb");
		assert_non_null(stream);
		assert_int_equal(h5_open(dup(fileno(stream)), &file), STATUS_OK);
		fclose(stream);
		status = h5_check(file, "/");
		if (status != (forgeries[i].is_ours ? STATUS_OK : STATUS_INVALID)) {
			print_error("%s: %s\n", forgeries[i].name, status_name(status));
			bad++;
		}
		h5_close(file);
	}
	assert_int_equal(bad, 0);
}

static struct run_record small_part(void)
{
	static const struct link_row links[] = {{.name = "chip 0 to 1", .kind = "fabric"}};
	static const struct thread_row threads[] = {{.name = "main"}};
	struct run_record record = {.seed = 7,
		.scenario_hash = TOY_HASH,
		.identity = 5,
		.status = "ok",
		.message = "",
		.world = "sim",
		.simgrid_configuration = "",
		.scenario = "meshsim: 1\n",
		.platform = "name: toy\n"};

	record.tables[0] = results_links();
	record.tables[0].rows = links;
	record.tables[0].row_count = 1;
	record.tables[1] = results_threads();
	record.tables[1].rows = threads;
	record.tables[1].row_count = 1;
	record.table_count = 2;
	return record;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

TEST(forged_parts_are_not_merged)
{
	static const struct column columns[] = {{"run", "1", COLUMN_U32, 0, 4}};
	static char output[OUTPUT_BYTES];
	const uint32_t number = 0;
	struct run_record record = small_part();
	struct merge_head head = {.scenario_name = "forged",
		.world = "sim",
		.swept_keys = "",
		.summary = {"summary", columns, 1, 4, &number, 1},
		.host_runs = {"runs", columns, 1, 4, &number, 1}};
	uint32_t bad = 0;

	assert_int_equal(results_write_part("good.part", &record), STATUS_OK);
	for (unsigned i = 0; i < forgery_count; i++) {
		struct merge_run run = {.part = "forged.part"};
		struct part_summary summary;
		enum status status;

		forged_write("good.part", "/run", &forgeries[i], "forged.part");
		alarm(SECONDS_MOST);
		status = results_read_part("forged.part", 5, &summary);
		if (status == STATUS_OK) {
			part_summary_fini(&summary);
			status = results_merge("merged.h5", "merged.new", &head, &run, 1);
		}
		alarm(0);
		if (forgeries[i].is_ours && status == STATUS_OK)
			assert_int_equal(show("merged.h5", SHOW_JSON, output), 2);
		else if (status == STATUS_OK || exists("merged.h5") || exists("merged.new")) {
			print_error("%s: merged\n", forgeries[i].name);
			bad++;
		}
		unlink("merged.h5");
	}
	assert_int_equal(bad, 0);
}

static void assert_named(const char *path, const char *expected)
{
	static char output[OUTPUT_BYTES];
	char whole[512];

	snprintf(whole, sizeof whole, "meshsim: %s: %s\n", path, expected);
	assert_int_equal(show(path, SHOW_TEXT, output), 2);
	assert_string_equal(output, whole);
}

TEST(pipes_sockets_and_devices_are_named_and_not_waited_for)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket.h5"};
	int made = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(mkfifo("pipe.h5", 0600), 0);
	assert_int_equal(bind(made, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(mkdir("folder.h5", 0700), 0);
	assert_named("pipe.h5", "cannot read: it is a pipe");
	assert_named("socket.h5", "cannot read: it is a socket");
	assert_named("/dev/null", "cannot read: it is a device");
	assert_named("folder.h5", "cannot read: it is a directory");
	close(made);
}

TEST_MAIN(make, shell_folder_remove)
