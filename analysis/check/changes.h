/* Baselines, and the differences between the measurements of a result and of a baseline. */
#ifndef ANALYSIS_CHECK_CHANGES_H
#define ANALYSIS_CHECK_CHANGES_H

#include "analysis/check.h"
#include "base/diag.h"
#include "base/tree.h"
#include "measurements.h"

/* Reading and writing baselines, the YAML files that analysis/check.h describes. */
struct baseline {
	struct measured_runs measured;
	struct check_tolerance *tolerances;
	uint32_t tolerance_count;
	struct tree *tree; /* owner of all texts */
};

/* Reads a baseline. Numbers and lists are allocated in `arena`; texts are valid until
 * baseline_close(). If the file has errors, adds them to `diag` with line and column, and returns
 * false. */
bool baseline_open(
	struct baseline *baseline, const char *path, struct arena *arena, struct diag *diag);

void baseline_close(struct baseline *baseline);

/* Appends a baseline that holds the figures in `measured` and the given tolerances. */
void baseline_write(const struct measured_runs *measured, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct text *out);

enum verdict { VERDICT_WORSE, VERDICT_BETTER, VERDICT_TOLERATED, VERDICT_COUNT };

extern const char *const verdict_names[VERDICT_COUNT];

enum difference {
	DIFFERENCE_FIGURE,  /* the value of a measurement differs */
	DIFFERENCE_STATUS,  /* the status of the run differs */
	DIFFERENCE_MISSING, /* a run or measurement that only the baseline has */
	DIFFERENCE_EXTRA,   /* a run or measurement that only the result has */
	DIFFERENCE_COUNT
};

extern const char *const difference_names[DIFFERENCE_COUNT];

/* A stage's mean time per operation, ps. */
struct stage_move {
	enum stage stage;
	double old, new;
};

struct change {
	enum verdict verdict;
	enum difference difference;
	/* a run of the result, or of the baseline if the result does not have the run */
	const struct measured_run *run;
	/* constants that differ between the two runs; NULL: unknown */
	const struct constant_moves *constants;
	const char *metric; /* name of the figure; NULL: the change is about the whole run */
	const char *unit;
	const struct measurement *old, *new; /* NULL: there is no such measurement */
	const char *old_status, *new_status;
	/* stages that moved in the direction of the verdict, the largest first */
	struct stage_move *moves;
	uint32_t move_count;
};

struct changes {
	const char *scenario;
	uint32_t run_count, measurement_count; /* numbers of runs and measurements of the result */
	struct change *at; /* in the order of runs and measurements; missing runs come last */
	uint32_t count;
	uint32_t counts[VERDICT_COUNT];
};

/* Compares a result with a baseline, and lists the changes in `arena`. The list refers to the
 * measurements of the result and of the baseline, so both must be valid as long as the list is
 * used. Returns false, with a sentence in `why`, if a tolerance matches no measurement, or if the
 * baseline belongs to another scenario. */
bool changes_find(struct changes *changes, const struct measured_runs *result,
	const struct baseline *baseline, const struct check_tolerance *tolerances,
	uint32_t tolerance_count, struct arena *arena, struct text *why);

/* Returns true if each tolerance matches a measurement. If not, returns false with a sentence in
 * `why`. */
bool tolerances_fit(const struct measured_runs *result, const struct check_tolerance *tolerances,
	uint32_t count, struct text *why);

/* Returns a name or value with escapes for Markdown, in the arena. */
const char *change_markdown(const char *text, struct arena *arena);

/* Returns the relative change, new / old - 1; 0 if a value is missing or the old value is 0. */
double change_ratio(const struct change *change);

/* Returns the values before and after a change in the same unit, such as "35.6 -> 37.1 us", with
 * enough digits to show the change. For a status, returns "ok -> stalled". If one of the two values
 * is missing, returns only the value that is there. */
const char *change_pair(const struct change *change, struct arena *arena);

/* Returns the size of the relative change, such as 0.01 for -1 %; 1 if there is no ratio. */
double change_size(const struct change *change);

/* True if a time or a rate has changed. Such changes are listed before changes of counts, such as
 * the number of thread switches: counts matter to users only because of the time that they cost. */
bool change_is_felt(const struct change *change);

/* A difference of times in ps as text, "+2.52 ns". */
const char *change_time(double time, struct arena *arena);

/* The change as text, "+1.000 ns"; "-" if a value is missing. */
const char *change_text(const struct change *change, struct arena *arena);

/* The relative change as text, "+0.002 %", or "-". */
const char *change_percent(const struct change *change, struct arena *arena);

/* Returns the move of a stage as text, such as "dispatch +1.000 ns", in the arena. */
const char *stage_move_text(const struct stage_move *move, struct arena *arena);

/* Returns the stage that moved most, such as "go, wait for workers +1.000 ns", or "-". */
const char *change_stage(const struct change *change, struct arena *arena);

/* Returns the name of the figure that changed, or "status" if the status of the run changed. If
 * only the result or only the baseline has the run or the figure, the text says so, as in "run
 * missing". */
const char *change_metric(const struct change *change, struct arena *arena);

/* Texts of the columns "old" and "new": a status or a value with its unit. */
const char *change_old(const struct change *change, struct arena *arena);
const char *change_new(const struct change *change, struct arena *arena);

#endif
