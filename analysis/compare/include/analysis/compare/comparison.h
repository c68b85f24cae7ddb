/* A comparison of the points of a sweep: its questions with their answers, and the facts behind
 * each verdict. */
#ifndef ANALYSIS_COMPARE_COMPARISON_H
#define ANALYSIS_COMPARE_COMPARISON_H

#include "analysis/compare.h"
#include "analysis/compare/constants.h"
#include "analysis/compare/question.h"
#include "base/json.h"

/* What is compared of one subject: a kind of operation, or one of its steps. */
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

/* Two files of one scenario: `summary` of the comparison is then a view of the keys of both. */
struct file_pair {
	const char *files[2], *labels[2];
	struct summary summaries[2];
	const char **names; /* keys of the points; the last is SWEEP_FILE */
	uint32_t name_count;
	struct pair_difference differences[PAIR_DIFFERENCES_MAX];
	uint32_t difference_count;
	bool more; /* differences than were looked for, maybe */
	struct pair_alone alone[PAIR_ALONE_MAX];
	uint32_t alone_count;	  /* of all, of which so many are kept */
	uint32_t compared;	  /* pairs of runs whose scenarios were compared */
	const char *platforms[2]; /* that were compared last */
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
	uint32_t columns; /* of running text */
	uint32_t table_columns;
};

/* Reads the points of the open summary into the arena. False with a sentence in `why`. */
bool compare_read(struct comparison *comparison, struct text *why);

/* Opens and reads the two files of the pair. False with a sentence in `why` about the first. */
bool compare_read_pair(struct comparison *comparison, struct text *why);
void compare_close_pair(struct comparison *comparison);

/* What decides, as options or the scenario of a file's first run say. */
struct sweep_wish compare_wish(struct comparison *comparison, struct summary *summary);

/* Makes and answers the questions, has them refined and tried as the options ask. False with a
 * sentence in `why`: there is nothing to ask. */
bool compare_answer(struct comparison *comparison, struct text *why);

/* Winner and runner-up in the focus of a question; false if there is no winner. */
bool compare_pair(const struct question *question, const struct sweep_point *pair[2]);

/* Effective texts of a point's first run. */
const char *compare_scenario(struct comparison *comparison, const struct sweep_point *point);
const char *compare_platform(struct comparison *comparison, const struct sweep_point *point);

/* Difference of a stage, second less first, and the stage with the largest of those that go the
 * way of the whole. STAGE_COUNT if stages are not known, or where an operation of the second takes
 * no longer than one of the first: then it is not one operation that explains who wins. */
double compare_stage(const struct sweep_point *const pair[2], int stage);
enum stage compare_mechanism(const struct sweep_point *const pair[2]);

/* The stage with the next largest difference beside `first`, or the largest that goes against the
 * whole; STAGE_COUNT if that is below a twentieth of the stage `first`. */
enum stage compare_next(const struct sweep_point *const pair[2], enum stage first, bool against);

/* Options that no other option of the focus beats in time and in host CPU; their count. */
uint32_t compare_front(const struct question *question, uint32_t *options);

/* By what part of itself each of the pair takes longer, to first order, if a constant is
 * multiplied: added to `more`. */
void compare_charge(const struct sweep_point *const pair[2], const struct constant *constant,
	double factor, double more[2]);

/* The margin of the second over the first, if they take longer by such parts. */
double compare_margin(const struct question *question, const struct sweep_point *const pair[2],
	const double more[2]);

/* The part of the margin that a constant moves at -30 % or +30 %, to first order; 0 if it was never
 * charged. */
double compare_effect(const struct question *question, const struct sweep_point *const pair[2],
	const struct constant *constant);

/* Guessed constants that were charged and that the verdict rests on: those that move the margin
 * most come first, as tried, or else to first order. */
struct constants compare_rests(struct comparison *comparison, const struct question *question);

/* Tries a verdict with other costs and networks: fills `robust`, and turns `wins` to `fragile`. */
void compare_robust(struct comparison *comparison, struct question *question);

/* Narrows a question's crossovers by runs in between. */
void compare_refine(struct comparison *comparison, struct question *question);

/* Value of a run that was made, in the metric of `points`; false if it is not good. */
bool compare_measure(const struct sweep_points *points, struct compare_rerun *rerun, double *value);

/* What the threads of a point's first run did by operation, of HOST_PARTS; ps. */
enum host_part { HOST_COMPUTING, HOST_SPINNING, HOST_SWITCHING, HOST_PARTS };
const char *compare_host_words(enum host_part part);
bool compare_host(const struct sweep_point *point, double parts[HOST_PARTS]);

/* Time that the controller of several hosts was on its cores, as compare_host() has it, in ps by
 * operation; 0: the machine has one host. */
double compare_controller_cpu(const struct sweep_point *point);

/* What the second did more than the first, where the question is about host CPU; false elsewhere,
 * or if it is not known. */
bool compare_host_pair(const struct question *question, const struct sweep_point *const pair[2],
	double more[HOST_PARTS]);

/* The largest of them. */
enum host_part compare_host_most(const double more[HOST_PARTS]);

/* The verdict as a sentence; in `arena`. */
const char *compare_verdict(const struct question *question, struct arena *arena);

/* What contradicts it, as a sentence: "8 has 92 % more host CPU than 1". */
const char *compare_side(const struct context *focus, const struct contradiction *found,
	struct comparison *comparison);

/* "62.79 us"; a point's value in the unit of the metric, GB/s of transfers; "220 %"; " at
 * KEY=VALUE" or "". In `arena`. */
const char *compare_time_text(double ps, struct arena *arena);
const char *compare_value_text(
	const struct sweep_points *points, double value, struct arena *arena);
const char *compare_percent(double part, struct arena *arena);
const char *compare_where(const struct context *context, struct arena *arena);

/* Prints one question, in under ten lines. */
void compare_question(struct comparison *comparison, const struct question *question, FILE *out);

/* What differs between the two files of a pair, and what only one has. */
void compare_pair_text(struct comparison *comparison, FILE *out);
void compare_pair_json(struct comparison *comparison, struct json *json);

void compare_text(struct comparison *comparison, FILE *out);

/* The document of --json as one value. */
void compare_value(struct comparison *comparison, struct json *json);
void compare_json(struct comparison *comparison, FILE *out);

#endif
