/* `meshsim check` (analysis/check.h). Reads results and their baselines, and prints the differences
 * or writes new baselines. */
#include "analysis/check.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/read/result.h"
#include "base/ensure.h"
#include "base/output.h"
#include "check_private.h"

/* A result file that is being checked. `part` is the section of the output about this file. */
struct work {
	const char *file;
	struct check_part *part;
	struct arena arena;
	struct summary summary;
	struct baseline baseline;
	bool open;
};

static bool read_result(void *context, struct text *why)
{
	struct work *work = context;

	arena_init(&work->arena);
	return summary_open(&work->summary, work->file, why) &&
	       measurements_read(&work->summary, &work->arena, &work->part->measured, why) &&
	       summary_whole(&work->summary, why);
}

static bool is_baseline(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "baseline:");
}

static bool is_junit(const char *head, size_t length)
{
	(void)length;
	return strncmp(head, "<?xml ", strlen("<?xml ")) == 0 &&
	       strstr(head, "<testsuite name=\"meshsim check ") != NULL;
}

/* Kinds of files that `check` writes. They must not go to standard output, because the comparison
 * is printed there. */
static const struct output_kind baseline_output = {"baseline of meshsim", false, is_baseline};
static const struct output_kind junit_output = {"JUnit file of meshsim", false, is_junit};

/* Replaces '/' in a scenario name, because names in older files may contain it. */
static const char *without_slashes(struct arena *arena, const char *name)
{
	char *copy = arena_string(arena, name);

	for (char *at = copy; *at; at++)
		if (*at == '/')
			*at = '_';
	return copy;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns the path of a baseline: `given`, or, if `given` is a folder, the file in this folder that
 * is named after the scenario. */
static const char *baseline_path(struct work *work, const char *given)
{
	if (is_folder(given))
		return arena_printf(&work->arena, "%s/%s.yaml", given,
			without_slashes(&work->arena, work->part->measured.scenario));
	return given;
}

/* Combines the tolerances of the old baseline with those in the options. If both have a tolerance
 * for the same metric, the one in the options is used. Sets *merged to the resulting list, and
 * returns its length. */
static uint32_t check_merge(struct arena *arena, const struct baseline *old,
	const struct check_options *options, struct check_tolerance **merged)
{
	uint32_t count = old->tolerance_count;

	*merged = arena_array(arena, count + options->tolerance_count, sizeof(**merged));
	for (uint32_t i = 0; i < count; i++)
		(*merged)[i] = old->tolerances[i];
	for (uint32_t i = 0; i < options->tolerance_count; i++) {
		uint32_t at = 0;
		while (at < count &&
			strcmp((*merged)[at].metric, options->tolerances[i].metric) != 0)
			at++;
		(*merged)[at] = options->tolerances[i];
		count += at == count;
	}
	return count;
}

static bool has_bytes(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_size > 0;
}

/* Writes a new baseline. If there is an old baseline, its tolerances are copied. A file that is not
 * a readable baseline is never overwritten. Returns an exit code. */
static int check_update(struct work *work, const struct check_options *options, FILE *out)
{
	const char *path = work->part->path;
	struct baseline old = {.tree = NULL};
	struct check_tolerance *tolerances;
	uint32_t count;
	struct diag *diag = diag_new();
	struct text text;
	int code = EXIT_BAD_INPUT;

	text_init(&text);
	if (!output_check_or_say(path, &baseline_output))
		goto out;
	if (has_bytes(path) && !baseline_open(&old, path, &work->arena, diag)) {
		diag_print(diag, stderr);
		fprintf(stderr, "meshsim: %s: not overwritten; remove it first\n", path);
		goto out;
	}
	count = check_merge(&work->arena, &old, options, &tolerances);
	if (!tolerances_fit(&work->part->measured, tolerances, count, &text)) {
		fprintf(stderr, "meshsim: %s: %s\n", work->file, text_string(&text));
		goto out;
	}
	baseline_write(&work->part->measured, tolerances, count, &text);
	if (text.length > TREE_BYTES_MAX) {
		fprintf(stderr, "meshsim: %s: %u runs are too many for a baseline\n", path,
			work->part->measured.run_count);
		goto out;
	}
	if (!output_write_or_say(path, &baseline_output, &text))
		goto out;
	fprintf(out, "%s: baseline of %u run%s written\n", path, work->part->measured.run_count,
		work->part->measured.run_count == 1 ? "" : "s");
	code = EXIT_GOOD;
out:
	text_fini(&text);
	baseline_close(&old);
	diag_free(diag);
	return code;
}

static int print_gate(
	const struct check_print *print, const struct check_options *options, FILE *out)
{
	struct text text;
	bool good = true;

	switch (options->form) {
	case CHECK_TEXT:
		check_text(print, out);
		break;
	case CHECK_MARKDOWN:
		check_markdown(print, out);
		break;
	case CHECK_JSON:
		check_json(print, out);
		break;
	}
	if (options->junit) {
		text_init(&text);
		check_junit(print, &text);
		good = output_write_or_say(options->junit, &junit_output, &text);
		text_fini(&text);
	}
	if (!good)
		return EXIT_BAD_INPUT;
	for (uint32_t p = 0; p < print->count; p++)
		for (uint32_t i = 0; i < print->parts[p].changes.count; i++)
			if (check_fails(print, &print->parts[p].changes.at[i]))
				return EXIT_REFUSED;
	return EXIT_GOOD;
}

/* Compares a result with its baseline. Returns EXIT_GOOD if the comparison was possible, even if
 * figures differ. Returns another exit code if it was not possible. */
static int check_compare(struct work *work, const struct check_options *options, const char *given)
{
	struct check_part *part = work->part;
	struct diag *diag = diag_new();
	struct text why;
	int code = EXIT_BAD_INPUT;

	text_init(&why);
	if (access(part->path, F_OK) != 0 && errno == ENOENT) {
		fprintf(stderr,
			"meshsim: %s: no baseline; take one: meshsim check %s --baseline %s "
			"--update\n",
			part->path, part->file, given);
		code = EXIT_NO_BASELINE;
	} else if (!baseline_open(&work->baseline, part->path, &work->arena, diag)) {
		diag_print(diag, stderr);
	} else if (!changes_find(&part->changes, &part->measured, &work->baseline,
			   options->tolerances, options->tolerance_count, &work->arena, &why)) {
		fprintf(stderr, "meshsim: %s: %s\n", part->file, text_string(&why));
	} else {
		code = EXIT_GOOD;
	}
	text_fini(&why);
	diag_free(diag);
	return code;
}

/* Reads a result file. Then compares it with its baseline, or writes its baseline. */
static int check_take(
	struct work *work, const struct check_options *options, const char *given, FILE *out)
{
	struct text why;
	int code = probe_file(work->file, read_result, work);

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	ensure(read_result(work, &why), "%s: %s", work->file, text_string(&why));
	text_fini(&why);
	work->open = true;
	work->part->path = baseline_path(work, given);
	return options->update ? check_update(work, options, out)
			       : check_compare(work, options, given);
}

static void finish(struct work *work)
{
	if (!work->open)
		return;
	baseline_close(&work->baseline);
	summary_close(&work->summary);
	arena_fini(&work->arena);
}

int analysis_check(
	const char *const *files, uint32_t count, const struct check_options *options, FILE *out)
{
	struct arena arena;
	struct work *works;
	struct check_part *parts;
	int worst = EXIT_GOOD;
	uint32_t good = 0;

	if (options->junit && !output_check_or_say(options->junit, &junit_output))
		return EXIT_BAD_INPUT;
	arena_init(&arena);
	works = arena_array(&arena, count, sizeof(*works));
	/* one for each file that can be compared */
	parts = arena_array(&arena, count, sizeof(*parts));
	for (uint32_t i = 0; i < count; i++) {
		int code;
		works[i].file = files[i];
		works[i].part = &parts[good];
		*works[i].part = (struct check_part){.file = files[i]};
		code = check_take(&works[i], options,
			options->baselines[options->baseline_count == 1 ? 0 : i], out);
		worst = code > worst ? code : worst;
		good += code == EXIT_GOOD;
	}
	if (good > 0 && !options->update) {
		struct check_print print = {parts, good, &arena, options->exact, options->rows};
		int code = print_gate(&print, options, out);
		worst = code > worst ? code : worst;
	}
	for (uint32_t i = 0; i < count; i++)
		finish(&works[i]);
	arena_fini(&arena);
	return worst;
}
