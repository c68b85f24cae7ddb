/* `meshsim check --wall`, see analysis/check.h: what the simulator costs, by ranks. Refuses
 * verdicts on few repetitions, and on times of two machines or builds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check.h"
#include "analysis/read/probe.h"
#include "analysis/read/summary.h"
#include "base/diag.h"
#include "base/ensure.h"
#include "base/output.h"
#include "base/tree.h"
#include "rank_test.h"

enum { EXIT_NO_BASELINE = 3, FORMAT = 1 };
#define LEVEL 0.01

/* Repetitions of one scenario. */
struct wall {
	const char *scenario, *machine, *build;
	double *seconds;
	uint32_t count;
};

struct work {
	const char *file;
	struct arena *arena;
	struct wall *wall;
};

/* CPU seconds of all runs of a file. */
static bool read_file(void *context, struct text *why)
{
	struct work *work = context;
	struct data_table runs;
	struct view view;
	double seconds = 0;
	bool good;

	if (!view_open(&view, work->file, why))
		return false;
	good = result_table(view.result, "/host/runs", &runs, why) == STATUS_OK;
	if (good)
		seconds = view_sum(&runs, "cpu_s");
	if (good && !(seconds > 0)) {
		text_append(why, "it does not say what CPU time it took");
		good = false;
	}
	struct wall *wall = work->wall;
	const char *scenario = result_text(view.result, "/", "scenario_name");
	const char *machine = result_text(view.result, "/host", "machine");
	const char *build = result_text(view.result, "/", "build");
	if (good && wall->count == 0) {
		wall->scenario = arena_string(work->arena, scenario);
		wall->machine = arena_string(work->arena, machine);
		wall->build = arena_string(work->arena, build);
	} else if (good &&
		   (strcmp(wall->scenario, scenario) != 0 || strcmp(wall->machine, machine) != 0 ||
			   strcmp(wall->build, build) != 0)) {
		text_append(why, "of another scenario, machine or build than the files before it");
		good = false;
	}
	if (good)
		wall->seconds[wall->count++] = seconds;
	view_close(&view);
	return good;
}

static int read_files(
	struct wall *wall, const char *const *files, uint32_t file_count, struct arena *arena)
{
	wall->seconds = arena_array(arena, file_count, sizeof(*wall->seconds));
	for (uint32_t i = 0; i < file_count; i++) {
		struct work work = {files[i], arena, wall};
		struct text why;
		int code = guard_read(files[i], read_file, &work);
		if (code != EXIT_GOOD)
			return code;
		text_init(&why);
		ensure(read_file(&work, &why), "%s: %s", files[i], text_string(&why));
		text_fini(&why);
	}
	if (file_count >= WALL_LEAST)
		return EXIT_GOOD;
	fprintf(stderr, "meshsim: %u repetition%s: wall-clock times need %d or more\n", file_count,
		file_count == 1 ? "" : "s", WALL_LEAST);
	return EXIT_BAD_INPUT;
}

static bool read_list(
	struct wall *wall, const struct tree_node *list, struct arena *arena, struct diag *diag)
{
	wall->seconds = arena_array(arena, list->count, sizeof(*wall->seconds));
	for (uint32_t i = 0; i < list->count; i++) {
		const struct tree_node *item = list->items[i];
		if (item->kind != TREE_SCALAR || tree_real(item, &wall->seconds[i]) != STATUS_OK ||
			!(wall->seconds[i] > 0))
			diag_error(diag, item->where, "a time must be a positive number");
	}
	wall->count = list->count;
	if (wall->count < WALL_LEAST)
		diag_error(diag, list->where, "%u repetitions: wall-clock times need %d or more",
			wall->count, WALL_LEAST);
	return diag_errors(diag) == 0;
}

/* Texts are copied to `arena`. */
static bool read_baseline(
	struct wall *wall, const char *path, struct arena *arena, struct diag *diag)
{
	struct tree *tree = tree_read_file(path, diag);
	const char *const keys[] = {"scenario", "machine", "build"};
	const char **const texts[] = {&wall->scenario, &wall->machine, &wall->build};
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
		good = read_list(wall, node, arena, diag);
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

static int update(const struct wall *wall, const char *path, FILE *out)
{
	struct text text;
	bool good;

	text_init(&text);
	text_append(&text, "# CPU seconds of repeated runs of one scenario on one machine, for "
			   "`meshsim check --wall`\nwall_baseline: 1\nscenario: ");
	text_append_json(&text, wall->scenario);
	text_append(&text, "\nmachine: ");
	text_append_json(&text, wall->machine);
	text_append(&text, "\nbuild: ");
	text_append_json(&text, wall->build);
	text_append(&text, "\ncpu_s: [");
	for (uint32_t i = 0; i < wall->count; i++)
		text_printf(&text, "%s%.6f", i ? ", " : "", wall->seconds[i]);
	text_append(&text, "]\n");
	good = output_write_or_say(path, &wall_output, &text);
	text_fini(&text);
	if (good)
		fprintf(out, "%s: baseline of %u repetitions written\n", path, wall->count);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int judge(const struct wall *old, const struct wall *new, double percent, FILE *out)
{
	struct ranks ranks = ranks_compare(old->seconds, old->count, new->seconds, new->count);
	double ratio = ranks.median[1] / ranks.median[0] - 1;
	bool slower = ranks.greater < LEVEL && ratio * 100 > percent;
	bool faster = ranks.less < LEVEL && -ratio * 100 > percent;

	fprintf(out,
		"%s: CPU time, median %.3f s of %u runs, was %.3f s of %u (%+.1f %%)\n"
		"  Mann-Whitney U %.1f, p(slower) %.2g, p(faster) %.2g; a new run is slower than "
		"an "
		"old one with %.0f %% (50 %%: no difference)\n  %s\n",
		new->scenario, ranks.median[1], new->count, ranks.median[0], old->count,
		100 * ratio, ranks.u, ranks.greater, ranks.less, 100 * ranks.effect,
		slower	 ? "slower"
		: faster ? "faster: consider a new baseline"
			 : "no difference that these repetitions prove");
	return slower ? EXIT_REFUSED : EXIT_GOOD;
}

static int compare(
	const struct wall *new, const struct wall_options *options, struct arena *arena, FILE *out)
{
	struct diag *diag = diag_new();
	struct wall old = {.count = 0};
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
		code = judge(&old, new, options->percent, out);
	}
	diag_free(diag);
	return code;
}

int analysis_check_wall(const char *const *files, uint32_t file_count,
	const struct wall_options *options, FILE *out)
{
	struct wall wall = {.count = 0};
	struct arena arena;
	int code;

	arena_init(&arena);
	code = read_files(&wall, files, file_count, &arena);
	if (code == EXIT_GOOD)
		code = options->update ? update(&wall, options->baseline, out)
				       : compare(&wall, options, &arena, out);
	arena_fini(&arena);
	return code;
}
