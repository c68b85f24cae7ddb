/* A comparison of the points of a sweep: the questions, their answers, and the data from which the
 * verdict on each question is made. */
#ifndef ANALYSIS_COMPARE_COMPARISON_H
#define ANALYSIS_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "analysis/compare/question.h"
#include "base/json.h"
#include "base/arena.h"

/* The groups of costs (constant.def). A cost is a constant of a run's effective platform that is a
 * time, a number of cycles or a bandwidth. Sizes, counts and ratios are not costs. */
enum constant_group {
#define X(NAME, name, patterns) CONSTANTS_##NAME,
#include "analysis/compare/constant.def"
#undef X
	CONSTANT_GROUPS
};

struct constant {
	const char *path; /* path below the platform, such as "host.wake_hot" */
	double value;
	const char *unit, *kind; /* unit of the value, such as "us"; kind, such as "assumed" */
	enum constant_group group;
	double spread; /* spread of repeated measurements, as a share; 0: unknown */
	double effect; /* relative change of the margin if the constant changes by 30 % */
};

struct constants {
	struct constant *at;
	uint32_t count;
};

const char *constant_group_name(enum constant_group group);

/* How the value of a constant was found (constant_kind.def). */
enum constant_kind {
#define X(NAME, words, given, guess, factor, reason) CONSTANT_##NAME,
#include "analysis/compare/constant_kind.def"
#undef X
	CONSTANT_KINDS
};

/* constant_kind_words() returns the name of a kind, such as "assumed". constant_kind_is_given()
 * returns true if platform files use this name as the kind of constants. All other kinds are
 * derived from the text of a constant's source. */
const char *constant_kind_words(enum constant_kind kind);
bool constant_kind_is_given(enum constant_kind kind);

/* Returns the factor of the kind of constants with the name `words` (constant_kind.def). Nine of
 * ten draws of a cost are within this factor of the cost's value. An unknown kind has the largest
 * factor. */
double constant_factor(const char *words);

/* Returns the costs of an effective platform, given as YAML. Constants without a group, and
 * costs of 0, are left out. If the text is not YAML, the result is empty. */
struct constants constants_read(const char *platform, struct arena *arena);

/* Like constants_read(), with costs of 0. */
struct constants constants_read_all(const char *platform, struct arena *arena);

/* The constant at a path, or NULL. */
const struct constant *constant_at(const struct constants *constants, const char *path);

/* Returns the change of a scenario key that multiplies a constant by `factor` in a rerun. The texts
 * of the change are in `arena`. */
struct compare_change constant_change(
	const struct constant *constant, double factor, struct arena *arena);

/* Returns true if the constant was not measured on the hardware that it describes. This is so if it
 * is assumed or fitted. It is also so for constants of a library that was measured only on a
 * loopback, and of a codec that was measured on only one machine. */
bool constant_is_guess(const struct constant *constant);

/* The points and questions of one subject: a kind of operation, or one of its steps. */
struct compared {
	struct sweep_points points;
	struct questions questions;
};

enum { PAIR_DIFFERENCES_MAX = 256, PAIR_ALONE_MAX = 256, PAIR_COMPARED_MAX = 64 };

struct pair_difference {
	const char *what, *first, *second; /* such as "platform.host.switch.value", "1.2", "2.2" */
};

struct pair_alone {
	int file;
	const char *what; /* such as "run 3 at completion=table" or "step finish" */
};

/* Two files of one scenario that are compared. `summary` in struct comparison then has no runs,
 * only the swept keys of both files. */
struct file_pair {
	const char *files[2], *labels[2];
	struct summary summaries[2];
	const char **names; /* names of the points' keys; the last is SWEEP_FILE */
	uint32_t name_count;
	struct pair_difference differences[PAIR_DIFFERENCES_MAX];
	uint32_t difference_count;
	bool more; /* true: there may be further differences, which were not looked for */
	struct pair_alone alone[PAIR_ALONE_MAX];
	uint32_t alone_count;	  /* number of those that were found; `alone` has only the first
				   * PAIR_ALONE_MAX */
	uint32_t compared;	  /* number of pairs of runs whose scenarios were compared */
	const char *platforms[2]; /* the two platforms that were compared last */
};

/* The reruns of --robust, by what they change: groups of costs, the network, single costs, unswept
 * choices, all costs together. */
enum afford_kind {
	AFFORD_COSTS,
	AFFORD_NETWORK,
	AFFORD_SINGLE,
	AFFORD_CHOICES,
	AFFORD_DRAWS,
	AFFORD_COUNT
};

/* The work that --robust may still spend, in events of the engine. */
struct afford {
	double left, question; /* on later questions, and on the present one */
	uint32_t questions;    /* number of later questions */
};

struct comparison {
	struct summary summary;
	struct file_pair *pair; /* the two files; NULL: there is one file */
	struct arena arena;
	struct compared *subjects;
	uint32_t subject_count;
	struct model_errors errors;
	const struct compare_options *options;
	const struct compare_rerun_ops *rerun_ops;
	const char *file;	 /* path of the file, as the user gave it; NULL: unknown */
	bool only_best;		 /* read only subjects that have best points */
	struct afford afford;	 /* for --robust */
	struct bests *bests;	 /* [subject_count]: best points (best.h); NULL: not computed yet */
	uint32_t columns;	 /* width of running text, in columns */
	uint32_t answer_columns; /* width of the best points, in columns */
	uint32_t table_columns;	 /* width of tables, in columns */
};

/* Reads the points of the open summary into the arena of the comparison. Returns false, with a
 * sentence in `why`, on failure. */
bool compare_read(struct comparison *comparison, struct text *why);

/* Opens and reads the two files of the pair. Returns false on failure; the caller must print the
 * sentence in `why` after the name of the first file. */
bool compare_read_pair(struct comparison *comparison, struct text *why);
void compare_close_pair(struct comparison *comparison);

/* Returns the metric and the objective that the user chose in the options. If --metric is not
 * given, takes both from the scenario of the first run. */
struct sweep_wish compare_wish(struct comparison *comparison, struct summary *summary);

/* Called after an error which says that no step has the name that the user gave. If the name of a
 * repeat, trace or step is similar, replaces `why` with a sentence that suggests this name. */
void compare_suggest_step(struct comparison *comparison, struct summary *summary, struct text *why);

/* Returns the operations that the user chose in the options. The result also says whether the user
 * chose a metric, which `wish` shows. */
struct sweep_choice compare_choice(
	const struct compare_options *options, const struct sweep_wish *wish);

/* Returns true if no questions are asked about a subject, because its times in different runs
 * cannot be compared. There are four kinds of such subjects:
 *   1. A step of an iteration that is in flight together with other steps, or with itself.
 *   2. A repeat among other steps that begins while work of these steps is in flight.
 *   3. A step whose time begins at a replay in some runs only (`unlike`).
 *   4. A loop whose steps are called by several threads in some runs only (`parted`). */
bool compare_is_part(const struct comparison *comparison, const struct sweep_points *points);

/* Finds and answers the questions. If the options ask for it, also runs designs again, to find
 * crossovers more exactly and to test verdicts with other costs. Returns false, with a sentence in
 * `why`, if there is nothing to compare. */
bool compare_answer(struct comparison *comparison, struct text *why);

/* Finds the two points that the verdict of a question compares. Both are in the focus, which is the
 * context in which the verdict is explained. pair[0] is the point of the winner, and pair[1] the
 * point of the second-best option. Returns false if the question is undecided. */
bool compare_pair(const struct question *question, const struct sweep_point *pair[2]);

/* Both functions return a document of a point's first run, as YAML in `arena`: the effective
 * scenario or the effective platform. */
const char *compare_scenario(const struct sweep_point *point, struct arena *arena);
const char *compare_platform(const struct sweep_point *point, struct arena *arena);

/* compare_stage() returns how much longer a stage takes in the second point than in the first, in
 * ps.
 *
 * compare_mechanism() returns the stage with the largest positive difference. It returns
 * STAGE_COUNT if the times of the stages are unknown. It also returns STAGE_COUNT if their sum is
 * not larger in the second point, because then they do not explain why the first point is better.
 */
double compare_stage(const struct sweep_point *const pair[2], int stage);
enum stage compare_mechanism(const struct sweep_point *const pair[2]);

/* `first` must be a stage with a positive difference. Finds the other stage with the largest
 * difference: the most negative one if `against` is set, otherwise the most positive one. Returns
 * STAGE_COUNT if its size is at most a twentieth of the difference of `first`. */
enum stage compare_next(const struct sweep_point *const pair[2], enum stage first, bool against);

/* Finds the options of the focus that no other option beats in both the metric and host CPU. Writes
 * the indices of these options to `options`, and returns how many there are. */
uint32_t compare_front(const struct question *question, uint32_t *options);

/* Estimates to first order how much longer each point of the pair takes if a constant is multiplied
 * by `factor`, as a share of the time of the point. Adds the two shares to more[0] and more[1]. */
void compare_charge(const struct sweep_point *const pair[2], const struct constant *constant,
	double factor, double more[2]);

/* Returns the margin that the second point would have over the first if both took longer: the first
 * by the fraction more[0] of its time, the second by the fraction more[1]. */
double compare_margin(const struct question *question, const struct sweep_point *const pair[2],
	const double more[2]);

/* Returns, to first order, the relative change of the margin if a constant becomes 30 % larger or
 * smaller, whichever changes the margin more. Returns 0 if the constant was never charged, or if
 * the question is about host CPU. */
double compare_effect(const struct question *question, const struct sweep_point *const pair[2],
	const struct constant *constant);

/* Returns the guessed constants on which a verdict depends (constant_is_guess()). The constant with
 * the largest effect on the margin comes first. The effect of a constant is taken from its reruns;
 * if there were none, it is computed to first order. */
struct constants compare_rests(struct comparison *comparison, const struct question *question);

/* Returns the guessed constants that affect the margin between the two points of `pair`, in the
 * order of compare_rests(). Call it whatever the outcome of the question is. */
struct constants compare_guesses(struct comparison *comparison, const struct question *question,
	const struct sweep_point *const pair[2]);

/* afford_begin() starts the account of the work of --robust, once all questions are known.
 * afford_question() is called before the reruns of each question.
 *
 * afford() returns how many of `wanted` sets of reruns may be made, and takes their work off the
 * account. A set runs each of the `count` points once. `slowness` is how many times as long as the
 * runs of the file these reruns take. */
void afford_begin(struct comparison *comparison);
void afford_question(struct comparison *comparison);
uint32_t afford(struct comparison *comparison, enum afford_kind kind,
	const struct sweep_point *const *points, uint32_t count, uint32_t wanted, double slowness);

/* Runs the designs of a question again with other costs and with other network models, and writes
 * the result to question->robust. If the verdict does not hold in all of these runs, sets the
 * outcome of the question to fragile. */
void compare_robust(struct comparison *comparison, struct question *question);

/* Prints a table with one row for each change that compare_robust() tried: the change, and the
 * margin with this change. Prints nothing if no change could be tried. */
void compare_cases_text(struct comparison *comparison, const struct question *question, FILE *out);

/* Writes the member "cases" of "robust". */
void compare_cases_json(struct json *json, const struct question *question, struct arena *arena);

/* Narrows a question's crossovers by additional runs. */
void compare_refine(struct comparison *comparison, struct question *question);

/* Sets *value to the result of a rerun, in the metric of `points`, and removes the result file of
 * the rerun. Returns false, with the reason in rerun->why, if the rerun failed or did not measure
 * this metric. */
bool compare_measure(const struct sweep_points *points, struct compare_rerun *rerun, double *value);

/* compare_host() divides the host CPU of a point into the times for which host threads computed,
 * spun and switched, and writes these times to `parts`. The proportions are those of the whole
 * first run. Returns false if these times are unknown, or if more than a tenth of the run is other
 * work (sweep_shares_run()). */
enum host_part { HOST_COMPUTING, HOST_SPINNING, HOST_SWITCHING, HOST_PARTS };
const char *compare_host_words(enum host_part part);
bool compare_host(const struct sweep_point *point, double parts[HOST_PARTS]);

/* Returns how much of the host CPU of a point the controller used, in the unit of the host CPU:
 * the point's host CPU, times the controller's share of all host CPU of the first run. Returns 0 if
 * the times are unknown, or if there is no controller, because the machine has only one host. */
double compare_controller_cpu(const struct sweep_point *point);

/* Sets `more` to the differences of the times of compare_host() between two points: the second
 * point minus the first. Returns false if the question is not about host CPU, or if the times are
 * unknown. */
bool compare_host_pair(const struct question *question, const struct sweep_point *const pair[2],
	double more[HOST_PARTS]);

/* Returns the host part with the largest difference. */
enum host_part compare_host_most(const double more[HOST_PARTS]);

/* Returns the verdict as a sentence, in `arena`. */
const char *compare_verdict(const struct question *question, struct arena *arena);

/* Returns a contradiction as a sentence: "8 has 92 % more host CPU than 1". If the question is
 * about a part of the runs, but host CPU is known only for whole runs, adds "over the whole run".
 */
const char *compare_side(const struct question *question, const struct context *focus,
	const struct contradiction *found, struct comparison *comparison);

/* Two options count as equal if their values differ by less than this share, because more seeds
 * would not show a difference either. */
#define COMPARE_EQUAL 1e-4

/* compare_end() returns a text that says how the runs of an option failed in one context: "ends
 * with hazard at kind=slow". compare_ends() joins these texts for the first contexts in which runs
 * of the option failed, and adds the number of other such contexts. It returns NULL if there are
 * none. */
const char *compare_end(const struct context *context, uint32_t option, struct arena *arena);
const char *compare_ends(const struct question *question, uint32_t option, struct arena *arena);

/* Writes sentences to `texts`, at most `most`, about the contexts whose result differs from the
 * result of the focus: "8 wins by 2.1 to 4.0 % at KEY=VALUE or KEY=VALUE". Contexts with the same
 * result share a sentence. Returns the number of sentences. */
uint32_t compare_opposed(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* Returns the range of margins `least` to `most` as text: "by 2.1 to 4.0 %". If both are written
 * alike, the text has one of them. */
const char *compare_by(double least, double most, struct arena *arena);

/* True if a context is undecided because its best options are saturated: operations arrive faster
 * than these options complete them, so their times grow with the length of the run. */
bool compare_is_saturated(const struct context *context);

/* Says why nothing can be compared: no context has good runs of two options. */
const char *compare_alone(const struct question *question, struct arena *arena);

/* Returns the number of significant digits that the texts of points' values need, so that different
 * values have different texts. */
int compare_value_digits(const struct sweep_points *points, const double *values, uint32_t count,
	struct arena *arena);

/* These functions return texts in `arena`. compare_time_text() returns a time, such as "62.79 us";
 * compare_value_text() the value of a point in the unit of the metric (GB/s for transfers);
 * compare_percent() a percentage, such as "220 %". */
const char *compare_time_text(double ps, struct arena *arena);
const char *compare_value_text(
	const struct sweep_points *points, double value, int digits, struct arena *arena);
const char *compare_percent(double part, struct arena *arena);

/* Returns "41.6 % longer" for the ratio 0.416, where `more` is "longer". From 100 % on, returns
 * "11.8 times as long" (for the ratio 10.8), where `times` is "as long". */
const char *compare_more(double ratio, const char *more, const char *times, struct arena *arena);

/* compare_longer() returns a text that says by how much the compared figure is larger: "41.6 %
 * longer", "2.7 % more host CPU". compare_margin_words() adds the interval: "41.6 % longer (95 %:
 * 40.0 to 43.1 %)". */
const char *compare_longer(const struct sweep_points *points, double ratio, struct arena *arena);
const char *compare_margin_words(
	const struct sweep_points *points, const struct margin *margin, struct arena *arena);

/* Returns a factor, such as "11.8 times" for a ratio of 10.8. */
const char *compare_times(double ratio, struct arena *arena);
const char *compare_where(const struct context *context, struct arena *arena);

/* Prints one question, usually in at most twelve lines (compare_verdict.c). */
void compare_question(struct comparison *comparison, const struct question *question, FILE *out);

/* Both functions print the differences between the two files of a pair, and the runs and steps that
 * only one of the files has: as text, or as JSON. */
void compare_pair_text(struct comparison *comparison, FILE *out);
void compare_pair_json(struct comparison *comparison, struct json *json);

void compare_text(struct comparison *comparison, FILE *out);

/* Writes the document of --json as one JSON value. */
void compare_value(struct comparison *comparison, struct json *json);
void compare_json(struct comparison *comparison, FILE *out);

/* Records the differences between the scenarios and platforms of two runs with the same keys. */
void pair_differ(struct comparison *comparison, const struct sweep_point *first,
	const struct sweep_point *second);

/* Records the differences between the files: program, commit, build, SimGrid, world. */
void pair_differ_files(struct comparison *comparison);

#endif
