/* Makes additional runs (see rerun.h). Each run has its own scenario file, which contains the whole
 * platform. So a run needs no files of the machine on which the result file was made. */
#include "bench/tools/rerun/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/tree.h"
#include "bench/record/recorder.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "chip/sim_device.h"
#include "simgrid/library.h"

enum { PATH_BYTES = 512 };

struct rerun_folder {
	struct scratch *scratch;
	const char *platform_directory, *command_line;
	uint32_t jobs, made;
	struct progress progress;
};

/* Writes the scenario of a run as YAML, with the changed keys. Returns false if the changed
 * scenario is not valid or cannot be written. */
static bool rerun_write_scenario(const struct compare_rerun *rerun, const char *path)
{
	struct diag *diag = diag_new();
	struct tree *tree =
		tree_read_text("scenario", rerun->scenario, strlen(rerun->scenario), diag);
	struct tree *platform = rerun->platform ? tree_read_text("platform", rerun->platform,
							  strlen(rerun->platform), diag)
						: NULL;
	struct location nowhere = {NULL, 0, 0};
	struct text text;
	bool good;

	text_init(&text);
	good = tree && (platform || !rerun->platform);
	if (good && platform)
		good = tree_put(tree, "platform", nowhere, tree_root(platform), diag);
	for (uint32_t i = 0; good && i < rerun->change_count; i++)
		good = tree_set(
			tree, rerun->changes[i].path, rerun->changes[i].value, "change", diag);
	if (good) {
		tree_write(tree_root(tree), &text);
		good = file_write(path, 0600, &text);
	}
	diag_print(diag, stderr);
	text_fini(&text);
	tree_free(platform);
	tree_free(tree);
	diag_free(diag);
	return good;
}

struct batch {
	struct rerun_folder *folder;
	struct compare_rerun *reruns;
	uint32_t first; /* number of the first run */
};

static void name_file(const struct batch *batch, uint32_t number, const char *end, char *path)
{
	snprintf(path, PATH_BYTES, "%s/%u.%s", scratch_path(batch->folder->scratch),
		batch->first + number, end);
}

/* Executes one run in a child process. */
static void rerun_work(void *context, uint32_t number)
{
	const struct batch *batch = context;
	struct load_options load = {.platform_directory = batch->folder->platform_directory};
	struct run_request request = {.jobs = 1, .command_line = batch->folder->command_line};
	const struct compare_rerun *rerun = &batch->reruns[number];
	const struct path_wish wish = {rerun->path_step, rerun->path_kind, rerun->path_latency};
	struct diag *diag = diag_new();
	char scenario[PATH_BYTES], result[PATH_BYTES];
	int code = EXIT_BAD_INPUT;

	if (wish.step || wish.kind)
		request.paths = &wish;

	name_file(batch, number, "yaml", scenario);
	name_file(batch, number, "h5", result);
	if (rerun_write_scenario(rerun, scenario))
		request.file = scenario_open(scenario, &load, diag);
	request.output = result;
	if (request.file)
		code = runner_run(&request, NULL);
	if (!request.file || code == EXIT_GOOD)
		diag_print(diag, stderr); /* errors, or warnings for list_idle() */
	fflush(stderr);
	_Exit(code);
}

/* Copies as much of `text` as fits, without cutting UTF-8 characters. */
static void copy_text(char *to, size_t size, const char *text)
{
	size_t length = strnlen(text, size);

	if (length == size)
		for (length--; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
			length--;
	memcpy(to, text, length);
	to[length] = '\0';
}

/* Sets rerun->why for a run that failed. Libraries may also print lines, so takes the first error
 * in the output. Leaves out its line and column, because they refer to a temporary file. If there
 * is no error, takes the message about the run, without the run's number, which is always 0. If
 * there is no such message, takes the first line of the output. If there is no output, says how the
 * process ended. */
static void explain(struct compare_rerun *rerun, const struct child_end *end)
{
	static const char number[] = "meshsim: run 0: ", error[] = ": error: ";
	const char *why = text_string(&end->output), *found = strstr(why, error);
	char line[2 * sizeof(rerun->why)];

	if (found)
		why = found + strlen(error);
	else if ((found = strstr(why, number)) != NULL)
		why = found + strlen(number);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(why, "\n"), why);
	if (line[0])
		copy_text(rerun->why, sizeof(rerun->why), line);
	else if (end->signal > 0)
		snprintf(rerun->why, sizeof(rerun->why), "killed by signal %d", end->signal);
	else
		snprintf(rerun->why, sizeof(rerun->why), "ended with %d", end->code);
}

/* Sets rerun->idle from the warnings of a run: "...: warning: KEY has no effect ...". Keys for
 * which there is no room are left out. */
static void list_idle(struct compare_rerun *rerun, const char *output)
{
	static const char before[] = ": warning: ", behind[] = " has no effect ";
	size_t used = 1;

	copy_text(rerun->idle, sizeof(rerun->idle), " ");
	while ((output = strstr(output, before)) != NULL) {
		size_t length;

		output += strlen(before);
		length = strcspn(output, " ");
		if (strncmp(output + length, behind, strlen(behind)) != 0 ||
			used + length + 2 > sizeof(rerun->idle))
			continue;
		snprintf(rerun->idle + used, length + 2, "%s", output);
		used += length + 1;
	}
}

static bool rerun_ended(void *context, const struct child_end *end)
{
	struct batch *batch = context;
	struct compare_rerun *rerun = &batch->reruns[end->number];

	rerun->good = end->code == EXIT_GOOD;
	if (!rerun->good)
		explain(rerun, end);
	else
		list_idle(rerun, text_string(&end->output));
	name_file(batch, end->number, "h5", rerun->result);
	if (end->code == EXIT_BUG || end->code > 128) {
		progress_hide(&batch->folder->progress);
		fputs(text_string(&end->output), stderr);
	}
	progress_step(&batch->folder->progress);
	return true;
}

static const struct children_ops children = {.work = rerun_work, .ended = rerun_ended};

static void rerun_run_all(void *context, struct compare_rerun *reruns, uint32_t count)
{
	struct rerun_folder *folder = context;
	struct batch batch = {folder, reruns, folder->made};
	uint32_t *numbers = allocate(count ? count : 1, sizeof(*numbers));

	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = i;
		reruns[i].good = false;
		snprintf(reruns[i].why, sizeof(reruns[i].why), "it could not be started");
	}
	folder->made += count;
	simgrid_library_load();
	progress_start(&folder->progress, "rerun", folder->made, batch.first);
	children_run(&children, &batch, numbers, count, folder->jobs);
	progress_hide(&folder->progress);
	free(numbers);
}

bool rerun_open(struct rerun *rerun, const char *command_line, uint32_t jobs)
{
	struct rerun_folder *folder;

	*rerun = (struct rerun){.table = {.networks = &sim_network_registry,
					.slowness = sim_network_slowness,
					.run = rerun_run_all}};
	if (!platform_directory_check())
		return false;
	folder = allocate(1, sizeof *folder);
	*folder = (struct rerun_folder){.scratch = scratch_open("runs"),
		.platform_directory = platform_directory(),
		.command_line = command_line,
		.jobs = jobs};
	rerun->folder = folder;
	rerun->table.context = folder;
	rerun->rerun_ops = &rerun->table;
	return folder->scratch != NULL;
}

bool rerun_start(struct rerun *rerun, const struct compare_options *compare, uint32_t jobs)
{
	*rerun = (struct rerun){.table = {.networks = &sim_network_registry,
					.slowness = sim_network_slowness,
					.run = rerun_run_all}};
	return (!compare->robust && !compare->refine) || rerun_open(rerun, "meshsim compare", jobs);
}

void rerun_stop(struct rerun *rerun)
{
	if (rerun->folder)
		scratch_close(rerun->folder->scratch);
	free(rerun->folder);
}
