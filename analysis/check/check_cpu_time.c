/* `meshsim check --wall` (analysis/check.h). Compares the simulator's own CPU time with a baseline
 * by a rank test. Reports an error if there are too few repetitions, or if the times come from
 * different machines or builds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check.h"
#include "analysis/print/value_text.h"
#include "analysis/read/result.h"
#include "analysis/read/summary.h"
#include "base/diag.h"
#include "base/ensure.h"
#include "base/output.h"
#include "base/tree.h"
#include "check_private.h"

enum { FORMAT = 1 };
#define LEVEL 0.01

/* CPU times of repeated runs of one scenario. */
struct cpu_times {
	const char *scenario, *machine, *build;
	double *seconds;
	uint32_t count;
};

struct work {
	const char *file;
	struct arena *arena;
	struct cpu_times *times;
};

/* Adds the CPU time of all runs of a file, in seconds. Returns false, with a sentence in `why`, if
 * it is unknown, or if the files before had another scenario, machine or build. */
static bool read_file(void *context, struct text *why)
{
	struct work *work = context;
	struct dataset runs;
	struct summary summary;
	double seconds = 0;
	bool good;

	if (!summary_open(&summary, work->file, why))
		return false;
	good = result_table(summary.result, "/host/runs", &runs, why) == STATUS_OK;
	if (good)
		seconds = dataset_sum(&runs, "cpu_s");
	if (good && !(seconds > 0)) {
		text_append(why, "it does not say what CPU time it took");
		good = false;
	}
	struct cpu_times *times = work->times;
	const char *scenario = result_text(summary.result, "/", "scenario_name");
	const char *machine = result_text(summary.result, "/host", "machine");
	const char *build = result_text(summary.result, "/", "build");
	good = good && summary_whole(&summary, why);
	if (good && times->count == 0) {
		times->scenario = arena_string(work->arena, scenario);
		times->machine = arena_string(work->arena, machine);
		times->build = arena_string(work->arena, build);
	} else if (good && (strcmp(times->scenario, scenario) != 0 ||
				   strcmp(times->machine, machine) != 0 ||
				   strcmp(times->build, build) != 0)) {
		text_append(why, "of another scenario, machine or build than the files before it");
		good = false;
	}
	if (good)
		times->seconds[times->count++] = seconds;
	summary_close(&summary);
	return good;
}

static int read_files(
	struct cpu_times *times, const char *const *files, uint32_t file_count, struct arena *arena)
{
	times->seconds = arena_array(arena, file_count, sizeof(*times->seconds));
	for (uint32_t i = 0; i < file_count; i++) {
		struct work work = {files[i], arena, times};
		struct text why;
		int code = probe_file(files[i], read_file, &work);
		if (code != EXIT_GOOD)
			return code;
		text_init(&why);
		ensure(read_file(&work, &why), "%s: %s", files[i], text_string(&why));
		text_fini(&why);
	}
	if (file_count >= REPETITIONS_LEAST)
		return EXIT_GOOD;
	fprintf(stderr, "meshsim: %u repetition%s: wall-clock times need %d or more\n", file_count,
		file_count == 1 ? "" : "s", REPETITIONS_LEAST);
	return EXIT_BAD_INPUT;
}

static bool read_list(struct cpu_times *times, const struct tree_node *list, struct arena *arena,
	struct diag *diag)
{
	times->seconds = arena_array(arena, list->count, sizeof(*times->seconds));
	for (uint32_t i = 0; i < list->count; i++) {
		const struct tree_node *item = list->items[i];
		if (item->kind != TREE_SCALAR || tree_real(item, &times->seconds[i]) != STATUS_OK ||
			!(times->seconds[i] > 0))
			diag_error(diag, item->where, "a time must be a positive number");
	}
	times->count = list->count;
	if (times->count < REPETITIONS_LEAST)
		diag_error(diag, list->where, "%u repetitions: wall-clock times need %d or more",
			times->count, REPETITIONS_LEAST);
	return diag_errors(diag) == 0;
}

/* Reads a baseline of CPU times. Texts are copied to `arena`. */
static bool read_baseline(
	struct cpu_times *times, const char *path, struct arena *arena, struct diag *diag)
{
	struct tree *tree = tree_read_file(path, diag);
	const char *const keys[] = {"scenario", "machine", "build"};
	const char **const texts[] = {&times->scenario, &times->machine, &times->build};
	const struct tree_node *root, *node;
	int64_t version = 0;
	bool good = false;

	if (!tree)
		return false;
	root = tree_root(tree);
	node = root->kind == TREE_MAP ? tree_get(root, "wall_baseline") : NULL;
	if (!node || node->kind != TREE_SCALAR || tree_integer(node, &version) != STATUS_OK ||
		version != FORMAT) {
		diag_error(diag, root->where, "this is no baseline of wall-clock times");
		goto out;
	}
	for (int i = 0; i < 3; i++) {
		node = tree_get(root, keys[i]);
		if (!node || node->kind != TREE_SCALAR)
			diag_error(diag, root->where, "no text '%s' in this baseline", keys[i]);
		else
			*texts[i] = arena_string(arena, node->text);
	}
	node = tree_get(root, "cpu_s");
	if (!node || node->kind != TREE_SEQUENCE)
		diag_error(diag, root->where, "no list 'cpu_s' in this baseline");
	else
		good = read_list(times, node, arena, diag);
out:
	tree_free(tree);
	return good && diag_errors(diag) == 0;
}

static bool is_baseline(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "wall_baseline:");
}

static const struct output_kind wall_output = {
	"baseline of wall-clock times of meshsim", false, is_baseline};

static int check_cpu_time_update(const struct cpu_times *times, const char *path, FILE *out)
{
	struct text text;
	bool good;

	text_init(&text);
	text_append(&text, "# CPU seconds of repeated runs of one scenario on one machine, for "
			   "`meshsim check --wall`\nwall_baseline: 1\nscenario: ");
	text_append_json(&text, times->scenario);
	text_append(&text, "\nmachine: ");
	text_append_json(&text, times->machine);
	text_append(&text, "\nbuild: ");
	text_append_json(&text, times->build);
	text_append(&text, "\ncpu_s: [");
	for (uint32_t i = 0; i < times->count; i++)
		text_printf(&text, "%s%.6f", i ? ", " : "", times->seconds[i]);
	text_append(&text, "]\n");
	good = output_write_or_say(path, &wall_output, &text);
	text_fini(&text);
	if (good)
		fprintf(out, "%s: baseline of %u repetitions written\n", path, times->count);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int check_cpu_time_judge(const struct cpu_times *old, const struct cpu_times *new,
	double percent, struct arena *arena, FILE *out)
{
	struct rank_test ranks = rank_test(old->seconds, old->count, new->seconds, new->count);
	double ratio = ranks.median[1] / ranks.median[0] - 1;
	bool slower = ranks.greater < LEVEL && ratio * 100 > percent;
	bool faster = ranks.less < LEVEL && -ratio * 100 > percent;

	fprintf(out,
		"%s: CPU time, median %.3f s of %u runs, was %.3f s of %u (%s)\n"
		"  Mann-Whitney U %.1f, p(slower) %.2g, p(faster) %.2g; a new run is slower than "
		"an "
		"old one with %.0f %% (50 %%: no difference)\n  %s\n",
		new->scenario, ranks.median[1], new->count, ranks.median[0], old->count,
		ratio_change(ratio, arena), ranks.u, ranks.greater, ranks.less, 100 * ranks.effect,
		slower	 ? "slower"
		: faster ? "faster: consider a new baseline"
			 : "no difference that these repetitions prove");
	return slower ? EXIT_REFUSED : EXIT_GOOD;
}

static int check_cpu_time_compare(const struct cpu_times *new,
	const struct cpu_time_options *options, struct arena *arena, FILE *out)
{
	struct diag *diag = diag_new();
	struct cpu_times old = {.count = 0};
	int code = EXIT_BAD_INPUT;

	if (access(options->baseline, F_OK) != 0) {
		fprintf(stderr, "meshsim: %s: no baseline; take one with --update\n",
			options->baseline);
		code = EXIT_NO_BASELINE;
	} else if (!read_baseline(&old, options->baseline, arena, diag)) {
		diag_print(diag, stderr);
	} else if (strcmp(old.scenario, new->scenario) != 0 ||
		   strcmp(old.machine, new->machine) != 0 || strcmp(old.build, new->build) != 0) {
		fprintf(stderr,
			"meshsim: %s: of another scenario, machine or build; their times cannot "
			"be compared\n",
			options->baseline);
	} else {
		code = check_cpu_time_judge(&old, new, options->percent, arena, out);
	}
	diag_free(diag);
	return code;
}

int analysis_check_cpu_time(const char *const *files, uint32_t file_count,
	const struct cpu_time_options *options, FILE *out)
{
	struct cpu_times times = {.count = 0};
	struct arena arena;
	int code;

	arena_init(&arena);
	code = read_files(&times, files, file_count, &arena);
	if (code == EXIT_GOOD)
		code = options->update ? check_cpu_time_update(&times, options->baseline, out)
				       : check_cpu_time_compare(&times, options, &arena, out);
	arena_fini(&arena);
	return code;
}
