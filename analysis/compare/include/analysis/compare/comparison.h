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

/* The cost constants of a run's effective platform, and their groups (constant.def). A constant is
 * a cost if its unit is time, cycles or bandwidth; sizes, counts and ratios are not costs. */
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
	double effect; /* relative change of a margin that it causes */
};

struct constants {
	struct constant *at;
	uint32_t count;
};

const char *constant_group_name(enum constant_group group);

/* Reads the costs of an effective platform. Constants without a group are left out. If the text is
 * not YAML, the result is empty. */
struct constants constants_read(const char *platform, struct arena *arena);

/* The constant at a path, or NULL. */
const struct constant *constant_at(const struct constants *constants, const char *path);

/* Returns true if the constant was not measured on the hardware that it describes. Such a constant
 * is assumed or fitted; or a library was measured only on a loopback, or a codec on only one
 * machine. */
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

/* Two files of one scenario. If a comparison has a pair, its `summary` has no runs; it only holds
 * the swept keys of both files. */
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
	uint32_t columns;	/* width of running text */
	uint32_t table_columns; /* width of tables */
};

/* Reads the points of the open summary into the arena. False with a sentence in `why`. */
bool compare_read(struct comparison *comparison, struct text *why);

/* Opens and reads the two files of the pair. Returns false with a sentence in `why`, to be printed
 * after the name of the first file. */
bool compare_read_pair(struct comparison *comparison, struct text *why);
void compare_close_pair(struct comparison *comparison);

/* Returns the metric and objective that the options ask for. Without --metric, they come from the
 * scenario of the first run. */
struct sweep_wish compare_wish(struct comparison *comparison, struct summary *summary);

/* Finds and answers the questions; refines crossovers and tests verdicts if the options ask for it.
 * Returns false with a sentence in `why` if there is nothing to compare. */
bool compare_answer(struct comparison *comparison, struct text *why);

/* Sets `pair` to the points of the winner and the runner-up in the focus of a question. Returns
 * false if the question is undecided. */
bool compare_pair(const struct question *question, const struct sweep_point *pair[2]);

/* Effective scenario and platform, as YAML, of a point's first run. */
const char *compare_scenario(struct comparison *comparison, const struct sweep_point *point);
const char *compare_platform(struct comparison *comparison, const struct sweep_point *point);

/* compare_stage() returns the difference of a stage, second minus first, in ps. compare_mechanism()
 * returns the stage with the largest positive difference. It returns STAGE_COUNT if stages are
 * unknown, or if all stages together do not take longer in the second. In the latter case the
 * stages of one operation do not explain the verdict. */
double compare_stage(const struct sweep_point *const pair[2], int stage);
enum stage compare_mechanism(const struct sweep_point *const pair[2]);

/* Returns the stage, other than `first`, that has the largest difference in the same direction as
 * `first`. If `against` is true, it looks in the opposite direction. Returns STAGE_COUNT if no such
 * difference is larger than a twentieth of the difference of `first`. */
enum stage compare_next(const struct sweep_point *const pair[2], enum stage first, bool against);

/* Fills `options` with the options that no other option of the focus beats in both the metric and
 * host CPU. Returns their number. */
uint32_t compare_front(const struct question *question, uint32_t *options);

/* Computes by how much, to first order, the time of each point of the pair grows if a constant is
 * multiplied by `factor`. Adds the relative growths to `more`. */
void compare_charge(const struct sweep_point *const pair[2], const struct constant *constant,
	double factor, double more[2]);

/* The margin of the second over the first if their times grow by the relative growths in `more`. */
double compare_margin(const struct question *question, const struct sweep_point *const pair[2],
	const double more[2]);

/* Returns the relative change of the margin, to first order, if a constant changes by -30 % or +30
 * %; the larger of the two changes counts. Returns 0 if the constant was never charged, or if the
 * question is about host CPU. */
double compare_effect(const struct question *question, const struct sweep_point *const pair[2],
	const struct constant *constant);

/* Returns the guessed constants that a verdict rests on. The constants that move the margin
 * farthest come first. Their effects come from reruns if there were any; otherwise they are
 * computed to first order. */
struct constants compare_rests(struct comparison *comparison, const struct question *question);

/* Tests a verdict with other costs and networks. Fills `robustness`, and sets the outcome to
 * fragile if the verdict does not always hold. */
void compare_robust(struct comparison *comparison, struct question *question);

/* Narrows a question's crossovers by additional runs. */
void compare_refine(struct comparison *comparison, struct question *question);

/* Reads the value of a rerun, in the metric of `points`, and removes its result file. Returns
 * false, with the reason in rerun->why, if the run failed or has no such value. */
bool compare_measure(const struct sweep_points *points, struct compare_rerun *rerun, double *value);

/* Fills `parts` with the times of the host threads in the point's first run. The unit is ps per
 * operation, or ps per MiB if sizes differ. Returns false if the times are unknown. */
enum host_part { HOST_COMPUTING, HOST_SPINNING, HOST_SWITCHING, HOST_PARTS };
const char *compare_host_words(enum host_part part);
bool compare_host(const struct sweep_point *point, double parts[HOST_PARTS]);

/* Returns the time that the controller spent on its cores, summed over host parts, in the unit of
 * compare_host(). Returns 0 if the machine has one host, since only machines of several hosts have
 * a controller. */
double compare_controller_cpu(const struct sweep_point *point);

/* Computes the differences of the host parts, second minus first. Returns false if the question is
 * not about host CPU, or if the parts are unknown. */
bool compare_host_pair(const struct question *question, const struct sweep_point *const pair[2],
	double more[HOST_PARTS]);

/* The host part with the largest difference. */
enum host_part compare_host_most(const double more[HOST_PARTS]);

/* The verdict as a sentence, allocated in `arena`. */
const char *compare_verdict(const struct question *question, struct arena *arena);

/* A contradiction as a sentence: "8 has 92 % more host CPU than 1". */
const char *compare_side(const struct context *focus, const struct contradiction *found,
	struct comparison *comparison);

/* These functions return texts in `arena`. compare_time_text() writes a time, such as "62.79 us";
 * compare_value_text() a point's value in the unit of the metric (GB/s for transfers);
 * compare_percent() a percentage, such as "220 %". compare_where() returns " at KEY=VALUE", or ""
 * if there is only one context. */
const char *compare_time_text(double ps, struct arena *arena);
const char *compare_value_text(
	const struct sweep_points *points, double value, struct arena *arena);
const char *compare_percent(double part, struct arena *arena);
const char *compare_where(const struct context *context, struct arena *arena);

/* Prints one question in at most nine lines. */
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
