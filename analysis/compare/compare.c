/* `meshsim compare` (analysis/compare.h). Reads a sweep, answers its questions, and prints the
 * answers. */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "analysis/compare/joint.h"
#include "analysis/print/wrap.h"
#include "analysis/read/summary.h"
#include "analysis/read/result.h"
#include "base/allocate.h"

struct work {
	const char *file;
	struct comparison *comparison;
};

/* Reads the points of the sweep. Leaves out steps that have no figures because they ran only once
 * and the host never waited for them. */
bool compare_read(struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;
	struct summary *summary = &comparison->summary;
	struct sweep_wish wish = compare_wish(comparison, summary);
	struct sweep_choice choice = compare_choice(options, &wish);
	struct sweep_subject *subjects;
	uint32_t count = sweep_subjects(summary, &choice, &comparison->arena, &subjects, why);
	bool loops = false;

	if (count == 0 && options->step)
		compare_suggest_step(comparison, summary, why);
	comparison->subject_count = 0;
	comparison->subjects =
		arena_array(&comparison->arena, count + 1, sizeof(*comparison->subjects));
	model_errors_read(&comparison->errors, summary->result, &comparison->arena);
	for (uint32_t i = 0; i < count; i++)
		loops |= subjects[i].of_loop;
	for (uint32_t i = 0; i < count; i++) {
		struct compared *subject = &comparison->subjects[comparison->subject_count];
		bool good;
		if (comparison->only_best && comparison->subject_count > 0 && loops &&
			!subjects[i].of_loop)
			continue;
		good = sweep_points_read(
			summary, &subjects[i], &wish, &comparison->arena, &subject->points, why);
		if (!good && !subject->points.unmeasured)
			return false;
		subject->points.errors = &comparison->errors;
		comparison->subject_count += good;
	}
	if (comparison->subject_count > 0)
		text_clear(why);
	return comparison->subject_count > 0;
}

static bool compare_read_points(struct work *work, struct text *why)
{
	const char *metric = work->comparison->options->metric;
	const char *nearest = metric ? metric_nearest(metric, true) : NULL;

	if (nearest) {
		text_printf(why, "no metric '%s', did you mean '%s'?", metric, nearest);
		return false;
	}
	arena_init(&work->comparison->arena);
	if (work->comparison->pair)
		return compare_read_pair(work->comparison, why);
	return summary_open(&work->comparison->summary, work->file, why) &&
	       compare_read(work->comparison, why);
}

/* Returns false, with a sentence in `why`, if a file turned out to be damaged while it was read. */
static bool is_whole(struct comparison *comparison, struct text *why)
{
	const char *damage = result_damage(comparison->summary.result);

	if (!damage && comparison->pair)
		damage = result_damage(comparison->pair->summaries[1].result);
	if (damage)
		text_append(why, damage);
	return damage == NULL;
}

/* Returns false, with a sentence in `why`, if --refine or --robust is set and the times in the file
 * were measured on a machine. These options add simulated runs, which must not be mixed with
 * measured ones. */
static bool may_rerun(const struct comparison *comparison, struct text *why)
{
	const struct compare_options *options = comparison->options;

	if (!comparison->summary.result || !(options->refine || options->robust) ||
		!summary_is_native(&comparison->summary))
		return true;
	text_append(why, "of the native world: --refine and --robust would put runs of the model "
			 "beside those of a machine");
	return false;
}

/* Reads everything that is needed for the answer. It is called in a child process, so that a
 * damaged file which crashes the reader ends only the child. */
static bool read_all(void *context, struct text *why)
{
	struct work *work = context;
	struct comparison *comparison = work->comparison;

	if (!compare_read_points(work, why) || !may_rerun(comparison, why))
		return false;
	const struct sweep_points *points = &comparison->subjects[0].points;
	for (uint32_t i = 0; i < points->count; i++) {
		struct arena scratch = {0};
		double host[HOST_PARTS];
		compare_scenario(&points->at[i], &scratch);
		compare_platform(&points->at[i], &scratch);
		compare_host(&points->at[i], host);
		arena_fini(&scratch);
	}
	return is_whole(comparison, why);
}

bool compare_answer(struct comparison *comparison, struct text *why)
{
	static const char *const file_key = SWEEP_FILE;
	const struct compare_options *options = comparison->options;

	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		struct compared *subject = &comparison->subjects[s];
		if (compare_is_part(comparison, &subject->points))
			continue;
		if (!questions_find(&comparison->summary, &subject->points,
			    comparison->pair ? &file_key : options->by,
			    comparison->pair ? 1 : options->by_count, &comparison->arena,
			    &subject->questions, why))
			return false;
	}
	afford_begin(comparison);
	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		struct compared *subject = &comparison->subjects[s];
		for (uint32_t i = 0; i < subject->questions.count; i++) {
			struct question *question = &subject->questions.at[i];
			if (comparison->pair)
				question->label = arena_printf(&comparison->arena, "%s or %s",
					comparison->pair->labels[0], comparison->pair->labels[1]);
			if (options->refine && comparison->rerun_ops)
				compare_refine(comparison, question);
			choices_find(comparison, question);
			compare_joint(comparison, question);
			if (options->robust && comparison->rerun_ops) {
				afford_question(comparison);
				compare_robust(comparison, question);
				choices_try(comparison, question);
				compare_joint_rerun(comparison, question);
			}
		}
	}
	return true;
}

/* Answers all questions and prints them. */
static bool answer(void *context, FILE *out, struct text *why)
{
	struct work *work = context;
	struct comparison *comparison = work->comparison;

	if (!compare_read_points(work, why) || !compare_answer(comparison, why))
		return false;
	if (comparison->options->json)
		compare_json(comparison, out);
	else
		compare_text(comparison, out);
	return is_whole(comparison, why);
}

/* Writes the answer in this process and not in a child process, because --refine and --robust start
 * further runs. Before that, a child process reads the whole file, so that a damaged file cannot
 * crash this process. */
static int answer_here(struct work *work, FILE *out)
{
	struct comparison *comparison = work->comparison;
	int code = probe_file(work->file, read_all, work);
	struct text why;

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	if (!answer(work, out, &why)) {
		fprintf(stderr, "meshsim: %s: %s\n", work->file, text_string(&why));
		code = EXIT_BAD_INPUT;
	}
	text_fini(&why);
	summary_close(&comparison->summary);
	arena_fini(&comparison->arena);
	return code;
}

static int compare_pair_of(struct work *work, const struct compare_options *options, FILE *out)
{
	struct file_pair *pair = allocate(1, sizeof(*pair));
	int code = EXIT_BAD_INPUT;

	pair->files[0] = work->file;
	pair->files[1] = options->second;
	work->comparison->pair = pair;
	if (options->refine || options->robust || options->by_count > 0)
		fprintf(stderr,
			"meshsim: two files are one question, and runs in between would not "
			"be of the programs that made them: no --by, --refine, --robust\n");
	else
		code = pair_probe(options->second);
	if (code == EXIT_GOOD)
		code = probe_answer(work->file, answer, work, out);
	free(pair);
	return code;
}

int analysis_compare(const char *file, const struct compare_options *options,
	const struct compare_rerun_ops *rerun_ops, FILE *out)
{
	struct comparison comparison = {.options = options,
		.file = file,
		.rerun_ops = rerun_ops,
		.columns = answer_columns(out),
		.answer_columns = options->wide ? table_columns(true, out) : answer_columns(out),
		.table_columns = options->wide	    ? UINT32_MAX
				 : is_terminal(out) ? terminal_columns(out)
						    : answer_columns(out)};
	struct work work = {file, &comparison};

	if (options->second)
		return compare_pair_of(&work, options, out);
	if (rerun_ops && (options->refine || options->robust))
		return answer_here(&work, out);
	return probe_answer(file, answer, &work, out);
}
