/* `meshsim export`: writes the workload of a scenario, or of a run in a result file, in the format
 * of another program. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/read/result.h"
#include "base/file/file.h"
#include "base/output.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/tools/options/option.h"
#include "chakra_plan.h"

struct options {
	const char *path, *output;
	bool chakra;
	uint32_t run;
};

static const struct option_row option_table[] = {
	{"chakra", 0, NULL, "as a Chakra execution trace, a file for each device", OPTION_FLAG,
		.offset = offsetof(struct options, chakra)},
	{"output", 'o', "FOLDER", "write to this folder, which is made if it is not there",
		OPTION_TEXT, .offset = offsetof(struct options, output)},
	{"run", 0, "RUN", "number of the run of a sweep; 0 by default", OPTION_COUNT,
		.offset = offsetof(struct options, run), .least = 0, .most = SCENARIO_RUNS_MAX,
		.fallback = 0},
	{NULL, 0, "SCENARIO.yaml|FILE.h5", NULL, OPTION_TEXT,
		.offset = offsetof(struct options, path), .missing = "no file given",
		.extra = "one file at a time"},
	{0},
};

static bool command_export_check(void *given, struct text *why)
{
	const struct options *options = given;

	if (!options->chakra)
		text_append(why, "no format given: --chakra");
	else if (!options->output)
		text_append(why, "no folder given: -o FOLDER");
	return why->length == 0;
}

static bool is_trace(const char *head, size_t length)
{
	return chakra_takes(head, length);
}

static const struct output_kind trace_output_kind = {"a file of a Chakra trace", false, is_trace};

static bool make_folder(const char *path)
{
	struct stat status;

	if (mkdir(path, 0777) == 0 ||
		(errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
		return true;
	fprintf(stderr, "meshsim: %s: cannot make the folder: %s\n", path, strerror(errno));
	return false;
}

static bool write_trace(const struct chakra_trace *trace, const char *folder)
{
	bool good = make_folder(folder);

	for (uint32_t i = 0; i < trace->count && good; i++) {
		struct text path = {0}, bytes = {0};

		text_printf(&path, "%s/%s.%" PRIu32 ".et", folder, trace->name, i);
		chakra_write_rank(&trace->ranks[i], &bytes);
		good = output_write_or_say(text_string(&path), &trace_output_kind, &bytes);
		text_fini(&path);
		text_fini(&bytes);
	}
	return good;
}

static void command_export_notes(const char *notes)
{
	for (size_t length; *notes; notes += length + (notes[length] == '\n')) {
		length = strcspn(notes, "\n");
		fprintf(stderr, "note: %.*s\n", (int)length, notes);
	}
}

/* Writes the scenario of one run of a result file to the file `path`. */
static bool take_scenario(const struct options *options, const char *path, struct diag *diag)
{
	struct location whole = {diag_source(diag, options->path, NULL, 0), 0, 0};
	struct arena arena = {0};
	struct text why = {0}, scenario = {0};
	struct result *result = result_open(options->path, &why);
	char name[64];
	bool good = false;

	snprintf(name, sizeof name, "/runs/%06" PRIu32 "/scenario", options->run);
	if (result)
		text_append(&scenario, result_document(result, name, &arena));
	if (!result)
		diag_error(diag, whole, "%s", text_string(&why));
	else if (scenario.length == 0)
		diag_error(diag, whole, "no run %" PRIu32, options->run);
	else if (!(good = file_write(path, 0666, &scenario)))
		diag_error(diag, whole, "cannot copy its scenario: %s", strerror(errno));
	result_close(result);
	arena_fini(&arena);
	text_fini(&why);
	text_fini(&scenario);
	return good;
}

static int export(const struct options *options, const char *path, uint32_t run, struct diag *diag)
{
	const struct load_options load = {.platform_directory = platform_directory()};
	struct scenario_file *file = scenario_open(path, &load, diag);
	struct text notes = {0};
	struct run_plan plan;
	struct arena arena = {0};
	int code = EXIT_BAD_INPUT;

	if (file && run >= scenario_run_count(file))
		diag_error(diag, (struct location){diag_source(diag, path, NULL, 0), 0, 0},
			"run %" PRIu32 " of %" PRIu32, run, scenario_run_count(file));
	else if (file && run_plan_open(file, run, diag, &plan)) {
		struct chakra_trace *trace = chakra_export_make(&plan, &arena, diag, &notes);

		if (trace && write_trace(trace, options->output)) {
			command_export_notes(text_string(&notes));
			code = EXIT_GOOD;
		}
		run_plan_close(&plan);
	}
	scenario_close(file);
	text_fini(&notes);
	arena_fini(&arena);
	return code;
}

static int command_export_run(const void *given)
{
	const struct options *options = given;
	struct diag *diag = diag_new();
	size_t length = strlen(options->path);
	struct scratch *scratch = NULL;
	int code = EXIT_BAD_INPUT;

	if (length > 3 && strcmp(options->path + length - 3, ".h5") == 0) {
		char path[SCRATCH_PATH_BYTES + 32];

		scratch = scratch_open("export");
		if (scratch) {
			snprintf(path, sizeof path, "%s/scenario.yaml", scratch_path(scratch));
			if (take_scenario(options, path, diag))
				code = export(options, path, 0, diag);
		}
	} else {
		code = export(options, options->path, options->run, diag);
	}
	diag_print(diag, stderr);
	diag_free(diag);
	scratch_close(scratch);
	return code;
}

const struct command_work command_export = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_export_check,
	.run = command_export_run,
};
