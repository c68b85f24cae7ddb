/* What `meshsim advise` reads from result files: how long the devices are idle and why, whether a
 * changed design is better by the rules of `meshsim compare`, and which design choices a scenario
 * has. The caller makes the runs. Each file has the runs of one point of a scenario. Functions with
 * a parameter `mark` need operations of which each iteration of a loop has one. Times are
 * in ps. All texts are in the arena that the caller passes. */
#ifndef ANALYSIS_ADVISE_H
#define ANALYSIS_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/operations/gaps.h"
#include "base/arena.h"
#include "base/text.h"

/* The launches of one step. */
struct advise_step {
	const char *name;
	uint64_t launches;
	double kernel, idle;   /* mean time of kernels, and mean idle time before kernels */
	enum idle_cause cause; /* cause of the largest part of `idle` */
};

struct advise_idle {
	double whole;		   /* time from the first launch's end to that of the last */
	double idle[IDLE_CAUSES];  /* idle time within `whole`, by cause */
	uint64_t launches;	   /* number of launches in this time */
	uint64_t bound;		   /* launches with more idle than kernel time */
	struct advise_step *steps; /* the most idle time first */
	uint32_t step_count;
	const char *scenario, *platform; /* the effective documents as YAML */
};

/* Reads the idle times of the first run of a file. Warm-up is left out. Returns false, with a
 * sentence in `why`, if the file cannot be read or has no launches. */
bool advise_idle_read(
	const char *file, struct arena *arena, struct advise_idle *idle, struct text *why);

enum advise_outcome {
	ADVISE_GAINS,
	ADVISE_LOSES,
	ADVISE_EQUAL,	 /* the difference is too small to matter */
	ADVISE_UNDECIDED /* chance or the error of the model may explain the difference */
};

/* The name of an outcome, such as "gains". */
const char *advise_outcome_name(enum advise_outcome outcome);

/* Compares a changed design with the original design. */
struct advise_verdict {
	enum advise_outcome outcome;
	double before, after;	/* mean time of an iteration */
	double gain, low, high; /* share by which iterations per second grow; its 95 % interval */
	bool has_interval;
	double chance;	       /* probability that the change is better; -1: unknown */
	const char *rests_on;  /* guessed constants that move the margin; "": none */
	const char *mechanism; /* the stage that makes the difference; "": unknown */
	const char *doubt;     /* text if the model's error may explain the difference; or "" */
};

/* The operations by which iterations are timed: each iteration has one of them. They are those of a
 * step, or, if `step` is NULL, those of a kind. */
struct advise_mark {
	const char *step, *kind;
};

/* Compares the runs of `file` with those of `before`, by the mean time of an iteration of the loop
 * that has the operations of `mark`. Returns false, with a sentence in `why`, if they cannot be
 * compared. */
bool advise_judge(const char *before, const char *file, const struct advise_mark *mark,
	struct arena *arena, struct advise_verdict *verdict, struct text *why);

/* Another value of a design choice, such as runtime.completion=aggregator. */
struct advise_choice {
	const char *key, *value;
};

/* Lists the other values of all choices in lists/choice.def that have an effect in a scenario.
 * `scenario` and `platform` are effective documents. Returns their number. */
uint32_t advise_choices(const char *scenario, const char *platform, struct arena *arena,
	struct advise_choice **choices);

#endif
