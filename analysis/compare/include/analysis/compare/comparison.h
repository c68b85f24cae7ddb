/* A comparison of the points of a sweep: the questions, their answers, and the facts behind each
 * verdict. */
#ifndef ANALYSIS_COMPARE_COMPARISON_H
#define ANALYSIS_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "analysis/compare/question.h"
#include "base/json.h"
#include "base/arena.h"

/* Costs are the constants whose unit is a time, cycles or a bandwidth; sizes, counts and ratios are
 * not costs. The costs of a run's effective platform are divided into these groups
 * (constant.def). */
enum constant_group {
#define X(NAME, name, patterns) CONSTANTS_##NAME,
#include "analysis/compare/constant.def"
#undef X
	CONSTANT_GROUPS
};

struct constant {
	const char *path; /* below the platform: "host.wake_hot" */
	double value;
	const char *unit, *kind; /* "us", "assumed" */
	enum constant_group group;
	double spread; /* of repeated measurements, as a share; 0: unknown */
	double effect; /* relative change of a margin that it causes */
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

/* The words of a kind, and true if platforms have constants of it in these words. */
const char *constant_kind_words(enum constant_kind kind);
bool constant_kind_is_given(enum constant_kind kind);

/* How uncertain a cost of a kind is. An unknown kind is as uncertain as the widest. */
double constant_factor(const char *words);

/* Returns the costs of an effective platform, given as YAML. Leaves out constants without a group.
 * If the text is not YAML, the result is empty. */
struct constants constants_read(const char *platform, struct arena *arena);

/* The constant at a path, or NULL. */
const struct constant *constant_at(const struct constants *constants, const char *path);

/* The change of a rerun that multiplies a constant. Texts live in `arena`. */
struct compare_change constant_change(
	const struct constant *constant, double factor, struct arena *arena);

/* Returns true if the constant was not measured on the hardware that it describes. This holds for
 * assumed and fitted constants, for libraries that were measured only on a loopback, and for codecs
 * that were measured on only one machine. */
bool constant_is_guess(const struct constant *constant);

/* The points and questions of one subject: a kind of operation, or one of its steps. */
struct compared {
	struct sweep_points points;
	struct questions questions;
};

enum { PAIR_DIFFERENCES_MAX = 256, PAIR_ALONE_MAX = 256, PAIR_COMPARED_MAX = 64 };

struct pair_difference {
	const char *what, *first, *second; /* "platform.host.switch.value", "1.2", "2.2" */
};

struct pair_alone {
	int file;
	const char *what; /* "run 3 at completion=table", "step finish" */
};

/* Two files of one scenario that are compared. In this case the `summary` of the comparison has no
 * runs; it has only the swept keys of both files. */
struct file_pair {
	const char *files[2], *labels[2];
	struct summary summaries[2];
	const char **names; /* keys of the points; the last is SWEEP_FILE */
	uint32_t name_count;
	struct pair_difference differences[PAIR_DIFFERENCES_MAX];
	uint32_t difference_count;
	bool more; /* there may be differences that were not looked for */
	struct pair_alone alone[PAIR_ALONE_MAX];
	uint32_t alone_count;	  /* number of all; only PAIR_ALONE_MAX are kept */
	uint32_t compared;	  /* pairs of runs whose scenarios were compared */
	const char *platforms[2]; /* the two that were compared last */
};

struct comparison {
	struct summary summary;
	struct file_pair *pair; /* NULL: one file */
	struct arena arena;
	struct compared *subjects;
	uint32_t subject_count;
	struct model_errors errors;
	const struct compare_options *options;
	const struct compare_rerun_ops *rerun_ops;
	const char *file;	 /* its path as the user gave it; NULL: unknown */
	bool only_best;		 /* read only the subjects that have best points */
	struct bests *bests;	 /* [subject_count] (best.h); NULL: not looked for yet */
	uint32_t columns;	 /* width of running text */
	uint32_t answer_columns; /* width of the best points */
	uint32_t table_columns;	 /* width of tables */
};

/* Reads the points of the open summary into the arena. False with a sentence in `why`. */
bool compare_read(struct comparison *comparison, struct text *why);

/* Opens and reads the two files of the pair. Returns false on failure; the sentence in `why` is to
 * be printed after the name of the first file. */
bool compare_read_pair(struct comparison *comparison, struct text *why);
void compare_close_pair(struct comparison *comparison);

/* Returns the metric and the objective that the options ask for. If --metric is not given, takes
 * them from the scenario of the first run. */
struct sweep_wish compare_wish(struct comparison *comparison, struct summary *summary);

/* Replaces an error that no step has the name that was asked for, if a repeat, trace or step has
 * one that is near. */
void compare_suggest_step(struct comparison *comparison, struct summary *summary, struct text *why);

/* Returns what the options ask about, with a metric of this wish. */
struct sweep_choice compare_choice(
	const struct compare_options *options, const struct sweep_wish *wish);

/* Returns true if a subject is a step that is in flight together with others or with itself, and
 * their iteration is a subject, too. There are no questions about such a step, since its time
 * depends on when the steps before it were called, or is that of the whole iteration. The same
 * holds for a repeat among other steps that begins while work of these is in flight. */
bool compare_is_part(const struct comparison *comparison, const struct sweep_points *points);

/* Finds and answers the questions. Depending on the options, also narrows crossovers and tests
 * verdicts under other costs. Returns false, with a sentence in `why`, if there is nothing to
 * compare. */
bool compare_answer(struct comparison *comparison, struct text *why);

/* Looks at the focus, which is the context in which the verdict of a question is explained. Sets
 * pair[0] to the point of the winner, and pair[1] to the point of the second-best option. Returns
 * false if the question is undecided. */
bool compare_pair(const struct question *question, const struct sweep_point *pair[2]);

/* Effective scenario and platform, as YAML, of a point's first run. */
const char *compare_scenario(struct comparison *comparison, const struct sweep_point *point);
const char *compare_platform(struct comparison *comparison, const struct sweep_point *point);

/* compare_stage() returns the difference of a stage, the second point minus the first, in ps.
 * compare_mechanism() returns the stage with the largest positive difference. It returns
 * STAGE_COUNT if the stages are unknown, or if the sum of all stages is not larger in the second
 * point. In the second case, the stages of one operation do not explain the verdict. */
double compare_stage(const struct sweep_point *const pair[2], int stage);
enum stage compare_mechanism(const struct sweep_point *const pair[2]);

/* Returns the stage with the largest difference, apart from stage `first`. Only differences with
 * the sign of the difference of `first` count, or with the opposite sign if `against` is set.
 * Returns STAGE_COUNT if no such difference is larger than a twentieth of the difference of
 * `first`. */
enum stage compare_next(const struct sweep_point *const pair[2], enum stage first, bool against);

/* Finds the options of the focus that no other option beats in both the metric and host CPU. Writes
 * their indices to `options`, and returns their number. */
uint32_t compare_front(const struct question *question, uint32_t *options);

/* Computes, to first order, by which share the time of each point of the pair grows if a constant
 * is multiplied by `factor`. Adds these two shares to more[0] and more[1]. */
void compare_charge(const struct sweep_point *const pair[2], const struct constant *constant,
	double factor, double more[2]);

/* The margin of the second over the first if their times grow by the relative growths in `more`. */
double compare_margin(const struct question *question, const struct sweep_point *const pair[2],
	const double more[2]);

/* Returns by which share, to first order, the margin changes if a constant changes by 30 %. Both
 * directions are computed, and the larger change is returned. Returns 0 if the constant was never
 * charged, or if the question is about host CPU. */
double compare_effect(const struct question *question, const struct sweep_point *const pair[2],
	const struct constant *constant);

/* Returns the guessed constants on which a verdict depends (constant_is_guess()). The constant that
 * moves the margin most comes first. If there were reruns, effects are taken from them. If there
 * were none, effects are computed to first order. */
struct constants compare_rests(struct comparison *comparison, const struct question *question);

/* The same for the margin between two points, without regard to an outcome. */
struct constants compare_guesses(struct comparison *comparison, const struct question *question,
	const struct sweep_point *const pair[2]);

/* Runs the designs of a question with other costs and other network models, and writes the result
 * to question->robust. If the verdict does not hold in all of these runs, sets the outcome of the
 * question to fragile. */
void compare_robust(struct comparison *comparison, struct question *question);

/* Prints the margin under each perturbation that compare_robust() tried; nothing if none was. */
void compare_cases_text(struct comparison *comparison, const struct question *question, FILE *out);

/* Writes the member "cases" of "robust". */
void compare_cases_json(struct json *json, const struct question *question, struct arena *arena);

/* Narrows a question's crossovers by additional runs. */
void compare_refine(struct comparison *comparison, struct question *question);

/* Sets *value to the result of a rerun, in the metric of `points`, and removes the result file of
 * the rerun. Returns false, with the reason in rerun->why, if the rerun failed or did not measure
 * this metric. */
bool compare_measure(const struct sweep_points *points, struct compare_rerun *rerun, double *value);

/* compare_host() writes to `parts` how long the host threads computed, spun and switched. The parts
 * sum to the host CPU of the point, and are in proportion to those of its whole first run. Returns
 * false if they are unknown, or if other work takes part of the run. */
enum host_part { HOST_COMPUTING, HOST_SPINNING, HOST_SWITCHING, HOST_PARTS };
const char *compare_host_words(enum host_part part);
bool compare_host(const struct sweep_point *point, double parts[HOST_PARTS]);

/* Returns the controller's part of the host CPU of a point, in its unit. It is that of the whole
 * first run, in proportion. Only a machine of several hosts has a controller; for a machine of one
 * host the result is 0. */
double compare_controller_cpu(const struct sweep_point *point);

/* Writes to `more` the differences of the host parts, the second point minus the first. Returns
 * false if the question is not about host CPU, or if the parts are unknown. */
bool compare_host_pair(const struct question *question, const struct sweep_point *const pair[2],
	double more[HOST_PARTS]);

/* The host part with the largest difference. */
enum host_part compare_host_most(const double more[HOST_PARTS]);

/* The verdict as a sentence, allocated in `arena`. */
const char *compare_verdict(const struct question *question, struct arena *arena);

/* A contradiction as a sentence: "8 has 92 % more host CPU than 1"; of host CPU if the question is
 * about one of several steps, it ends with "over the whole run". */
const char *compare_side(const struct question *question, const struct context *focus,
	const struct contradiction *found, struct comparison *comparison);

/* Options that differ by less are equal: no more seeds tell them apart. */
#define COMPARE_EQUAL 1e-4

/* Says how runs of an option failed in a context: "ends with hazard at kind=slow". compare_ends()
 * says it for all contexts in which they did, or returns NULL if there are none. */
const char *compare_end(const struct context *context, uint32_t option, struct arena *arena);
const char *compare_ends(const struct question *question, uint32_t option, struct arena *arena);

/* Writes sentences about all contexts with another result than the focus to `texts`, at most
 * `most`: "8 wins by 2.1 to 4.0 % at KEY=VALUE or KEY=VALUE". Contexts that come out alike are in
 * one sentence. Returns their number. */
uint32_t compare_opposed(
	const struct question *question, const char **texts, uint32_t most, struct arena *arena);

/* True if nothing decides a context because its best option is saturated, and so are all that tie
 * with it: their times grow with the length of the run. */
bool compare_is_saturated(const struct context *context);

/* Why nothing can be compared: in no context there are good runs of two options. */
const char *compare_alone(const struct question *question, struct arena *arena);

/* The significant digits with which the values of points look different if they differ. */
int compare_value_digits(const struct sweep_points *points, const double *values, uint32_t count,
	struct arena *arena);

/* These functions return texts in `arena`. compare_time_text() returns a time, such as "62.79 us";
 * compare_value_text() the value of a point in the unit of the metric (GB/s for transfers);
 * compare_percent() a percentage, such as "220 %". compare_where() returns " at KEY=VALUE", or ""
 * if the question has only one context. */
const char *compare_time_text(double ps, struct arena *arena);
const char *compare_value_text(
	const struct sweep_points *points, double value, int digits, struct arena *arena);
const char *compare_percent(double part, struct arena *arena);

/* "41.6 % longer", or from 100 % on "11.8 times as long": `more` and `times` are the words. */
const char *compare_more(double ratio, const char *more, const char *times, struct arena *arena);

/* What is more of the figure that is compared: "41.6 % longer", "2.7 % more host CPU". With the
 * interval: "41.6 % longer (95 %: 40.0 to 43.1 %)". */
const char *compare_longer(const struct sweep_points *points, double ratio, struct arena *arena);
const char *compare_margin_words(
	const struct sweep_points *points, const struct margin *margin, struct arena *arena);

/* "11.8 times", for a ratio of 10.8. */
const char *compare_times(double ratio, struct arena *arena);
const char *compare_where(const struct context *context, struct arena *arena);

/* Prints one question in at most twelve lines. */
void compare_question(struct comparison *comparison, const struct question *question, FILE *out);

/* Print the differences between the two files of a pair, and the runs and steps that only one file
 * has. */
void compare_pair_text(struct comparison *comparison, FILE *out);
void compare_pair_json(struct comparison *comparison, struct json *json);

void compare_text(struct comparison *comparison, FILE *out);

/* Writes the document of --json as one JSON value. */
void compare_value(struct comparison *comparison, struct json *json);
void compare_json(struct comparison *comparison, FILE *out);

/* Notes the differences between the scenarios and platforms of two runs with the same keys. */
void pair_differ(struct comparison *comparison, const struct sweep_point *first,
	const struct sweep_point *second);

/* Notes the differences between the files: program, commit, build, SimGrid, world. */
void pair_differ_files(struct comparison *comparison);

#endif
