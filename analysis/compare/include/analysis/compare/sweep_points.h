/* The points of a sweep. A point stands for all runs whose swept keys have the same values; these
 * runs differ only in their seeds. A point contains the figures of its runs. */
#ifndef ANALYSIS_COMPARE_SWEEP_POINTS_H
#define ANALYSIS_COMPARE_SWEEP_POINTS_H

#include "analysis/operations/charges.h"
#include "analysis/operations/measure.h"
#include "analysis/read/summary.h"

enum figure {
#define X(NAME, key, words, more) FIGURE_##NAME,
#include "analysis/compare/figure.def"
#undef X
	FIGURE_COUNT
};

/* These functions return texts for a figure: figure_key() its name in JSON ("p99"), figure_words()
 * its name in sentences ("host CPU"), and figure_more() the word for a larger value ("higher"). */
const char *figure_key(enum figure figure);
const char *figure_words(enum figure figure);
const char *figure_more(enum figure figure);

/* One run of a point. All figures are costs, so less is better. A figure of 0 is unknown. */
struct point_run {
	uint64_t seed;
	double figures[FIGURE_COUNT];
	double variances[FIGURE_COUNT]; /* variance of a tail's logarithm, from the operations */
	double cpu_of_run;		/* host CPU of the whole run / number of operations, ps */
};

struct point_stages {
	bool known;
	double time[STAGE_COUNT]; /* mean time per operation, ps */
};

struct sweep_point {
	const char **keys;	 /* texts, in the order of the swept columns */
	struct summary *summary; /* summary of the file that holds the point's runs */
	uint64_t row;		 /* row of the point's first run in the summary */
	const char *machine;	 /* name of the platform */
	uint32_t seeds;
	bool good; /* true: all runs of the point are ok and have samples */
	const char *status;
	bool failed;		/* true: a run ended with a hazard, a stall, a limit or an error */
	bool exact;		/* the runs have no noise, so more seeds give the same times */
	bool native;		/* true: the runs were measured on a machine, not simulated */
	struct point_run *runs; /* [seeds] */
	struct sorted samples;	/* samples of the metric, from all seeds */
	bool saturated;		/* open loop: operations complete more slowly than they arrive */
	uint32_t needed;	/* operations needed for a steady state; 0: there is one */
	struct point_stages stages;
	struct charges charges; /* charges of the operations of `stages` */
	double throughput;	/* operations per simulated second, mean over seeds */
	double bandwidth;	/* bytes per simulated second; only for transfers */
	double bytes;		/* mean number of bytes per operation */
	double fair;		/* if sizes differ, 1 MiB / bytes per operation; else 1 */
	bool shares_run;	/* true: other work takes part of a run */
	double host_cpu;	/* time of host threads on cores per operation, with spinning, ps */
	uint64_t operations;	/* number of measured operations of the subject in all runs */
	uint32_t made;		/* number of operations of the first run, with warm-up */
};

struct sweep_points {
	struct sweep_point *at;
	uint32_t count;
	/* see struct sweep_subject */
	const char *kind, *label;
	bool iteration, of_loop, together, unlike, parted, of_loops;
	const struct sweep_within *within;
	const char *span_anchor;
	const struct sweep_whole *whole;
	const struct sweep_within *around;
	const struct sweep_run *run;
	const char *step_kind;
	enum measure_mode mode;
	enum metric metric;	    /* chosen by the user, or implied by the mode */
	enum figure figure;	    /* FIGURE_METRIC, or a figure that the user chose instead */
	uint32_t which;		    /* the statistic of the metric, see statistics.h */
	bool witness[FIGURE_COUNT]; /* true: the figure may contradict the metric */
	uint32_t in_flight;	    /* largest number of operations in flight in any run */
	uint32_t seeds;		    /* largest number of seeds of a point */
	bool open;		    /* true: operations arrive at a rate */
	bool shares_run;	    /* true: other work takes part of a run */
	bool cpu_of_runs;	    /* true: host CPU is known only for whole runs */
	bool by_byte;		    /* transfer sizes differ: stages and host CPU are per MiB */
	bool unmeasured;	    /* true: no run has samples of the metric */
	const char *why;	    /* reason for this metric: a sentence without its full stop */
	const struct model_errors *errors; /* errors of the model that made the runs */
};

/* The user's choice of metric, as texts; NULL where the user did not choose. */
struct sweep_wish {
	const char *metric;    /* such as "latency", "latency.p99", "round.mean", "interval" */
	const char *objective; /* figures that count beside the metric, separated by commas */
	const char *from;      /* source of the wish: SWEEP_WISH_OPTION or "measure.metric" */
};

#define SWEEP_WISH_OPTION "--metric"

/* A subject: what questions are about. */
struct sweep_subject {
	const char *kind;  /* kind of the operations, "KIND"; or a step, "KIND/NAME" */
	const char *label; /* `kind`, or the name of the iteration or repeat */
	bool iteration;	   /* one round of the loop that begins with `kind` (sweep_iteration.h) */
	bool of_loop;	   /* true: its time is the time of a whole loop */
	bool together;	   /* true: the step is in flight together with other steps */
	bool unlike;	   /* a step whose time begins at a replay in some runs, but not in all */
	bool parted; /* true: the subject is a loop that cannot be timed as a whole (sweep_loops.h),
		      * and whose steps are called by several threads in some runs only */
	/* If the subject is a repeat in a loop that also has other steps: the steps of this repeat;
	 * otherwise NULL. One execution of the repeat is a span. Each round of a span begins with
	 * the step `span_anchor`. If `span_anchor` is NULL, a span is one round. */
	const struct sweep_within *within;
	const char *span_anchor;
	/* A loop that is timed as a whole (sweep_loops.h), by the steps of this kind; or NULL. */
	const struct sweep_whole *whole;
	const char *step_kind;
	/* If the subject is the rounds of a loop, the steps of its outermost repeat; or NULL. */
	const struct sweep_within *around;
	bool of_loops; /* the workload has loops */
	/* The run, or a stretch of it, which is judged by its makespan (sweep_runs.h); or NULL. */
	const struct sweep_run *run;
};

/* SWEEP_ITERATION is the name of the subject that is an iteration. If a workload has several loops,
 * the name is SWEEP_ITERATION_OF, followed by the name of the loop. */
#define SWEEP_ITERATION	   "iteration"
#define SWEEP_ITERATION_OF SWEEP_ITERATION " of "

/* SWEEP_RUN is the name of the subject that is the whole run. The name of a part of the run
 * (sweep_runs.h) is SWEEP_RUN_OF, followed by the name of the part's first step. */
#define SWEEP_RUN    "run"
#define SWEEP_RUN_OF SWEEP_RUN " of "

/* Reads all runs as points, with the figures of one subject. Returns false, with a sentence in
 * `why`, if the metric does not exist, if nothing was measured, or if the file is damaged. */
bool sweep_points_read(struct summary *summary, const struct sweep_subject *subject,
	const struct sweep_wish *wish, struct arena *arena, struct sweep_points *points,
	struct text *why);

/* A file whose points are read, and the keys that distinguish them. */
struct sweep_source {
	struct summary *summary;
	const char *const *names; /* keys to use; NULL: the swept columns of the file */
	uint32_t count;
	const char *file; /* value of the key SWEEP_FILE: which file */
};

/* Name of the artificial key whose value is the file. */
#define SWEEP_FILE "file"

/* Like sweep_points_read(), for several files of one scenario. All files get the same metric. */
bool sweep_points_read_all(const struct sweep_source *sources, uint32_t count,
	const struct sweep_subject *subject, const struct sweep_wish *wish, struct arena *arena,
	struct sweep_points *points, struct text *why);

/* Reads a file with a single run, such as a rerun, as a point. The metric and the mode of
 * measurement are those of the points `like`. */
bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why);

/* Returns the cost of a point, in ps: the geometric mean over its seeds, or the median over
 * repetitions of a native run. */
double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point);

/* True if tables may show the host CPU of these points. This is so in three cases: the host CPU of
 * the measured operations is known; the measured operations are all the work of their runs; or the
 * user chose host CPU as the metric. Otherwise, host CPU is known only for whole runs, for example
 * if a native run has other steps than the measured one. Then only the margin of the host CPU is
 * printed, with the words "over the whole run". */
bool sweep_has_host_cpu(const struct sweep_points *points);

/* True if the figures of the metric are known. They are unknown if several operations are in
 * flight, but too few were made to reach a steady state: another run would then have other
 * intervals. */
bool sweep_point_is_steady(const struct sweep_point *point);

/* Returns the host CPU of a point for comparison with other points, in ps per operation, or in ps
 * per MiB if the sizes of transfers differ. */
double sweep_point_cpu(const struct sweep_point *point);

/* The operations that the user chose; NULL: any operations. */
struct sweep_choice {
	const char *kind, *step, *program;
	bool metric; /* true: the user chose a metric, so no iteration is a subject */
};

/* Lists the subjects of a file: the things about which questions are asked. If `choice` names no
 * subject, the default kind of operation is the subject; if several steps have this kind, each of
 * these steps is a subject. If this kind moves data, the other kinds that do in its loops are
 * subjects, too, unless the choice has a metric. If a loop calls these steps, one iteration of the
 * loop is a subject, too, in two cases: the loop has several steps of this kind, or its only step
 * of this kind is called while work of another kind is in flight. The iteration comes before its
 * steps in the list. If there is no loop, the whole run takes the place of the iteration. `choice`
 * may name other subjects: SWEEP_ITERATION selects all iterations, and SWEEP_RUN the whole run.
 * Returns the number of subjects; if there are none, returns 0, with a sentence in `why`. */
uint32_t sweep_subjects(struct summary *summary, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject **subjects, struct text *why);

/* Returns the share by which the second point costs more than the first in a figure, with the 95 %
 * interval. If both points have several seeds in common, the interval is computed from the
 * differences between runs with the same seed; for native runs, see sweep_repetitions(). If there
 * is one seed, it is computed from the operations of the run. A single native run of each design
 * decides nothing: runs of one design differ from each other, and the operations of one run do not
 * show by how much. */
struct margin sweep_margin(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure);

/* Native runs that were repeated are compared by their medians (docs/verdicts.md).
 * sweep_is_repeated() returns true if there are enough runs of a point for this
 * (NATIVE_RUNS_LEAST). sweep_repetitions_value() returns the median of the metric over these runs,
 * in ps. sweep_repetitions() compares two such points, and sets the ratio and the interval of
 * *margin. If a rank test of the runs gives a smaller chance than margin->chance, it stores this
 * smaller chance. But if the interval contains 0, the chance is at least 5 %. If one of the points
 * has too few runs, it changes nothing and returns false. */
bool sweep_is_repeated(const struct sweep_point *point);
double sweep_repetitions_value(const struct sweep_point *point);
bool sweep_repetitions(const struct sweep_point *first, const struct sweep_point *second,
	enum figure figure, struct margin *margin);

/* A point with fewer samples than this decides nothing, unless it is exact. */
enum { MARGIN_SAMPLES_LEAST = 3 };

/* Returns true if more seeds would make the intervals of a point much narrower: its runs have
 * noise, and it has two or more seeds, but only a few. */
bool seeds_are_few(const struct sweep_point *point);

/* Swept keys: their names, whether they are conditions, and their values as numbers. */

/* Name of the swept key at `index`, such as "runtime.forward.path". */
const char *swept_key(const struct summary *summary, uint32_t index);

/* Returns true if a key is a condition, such as the workload, the platform, the model or the shape
 * of a mesh. All other keys are design choices. */
bool key_is_condition(const char *name);

/* Sets *number to the number in the text, or to the product of a list of numbers: 12 for "12", 64
 * for "[8, 8]". Returns false if the text is neither a number nor such a list. */
bool key_number(const char *text, double *number);

/* Sets the metric of the points, and the figures that may contradict the metric. If `wish` does not
 * name the metric or the figures, uses the rule of docs/verdicts.md for the mode of measurement
 * `rule`. Returns false, with a sentence in `why`, if a metric or figure does not exist. */
bool sweep_metric_choose(struct sweep_points *points, const struct sweep_wish *wish,
	enum measure_mode rule, struct arena *arena, struct text *why);

/* sweep_key_count() returns how many keys the points of a source have. sweep_key_texts() returns
 * the values of these keys for the run in row `row` of the source's summary. The texts are in
 * `arena`; the text of a key that the run does not have is "-". */
uint32_t sweep_key_count(const struct sweep_source *source);
const char **sweep_key_texts(const struct sweep_source *source, uint64_t row, struct arena *arena);

/* A run in a file, and where its figures are stored. */
struct sweep_run_of {
	struct summary *summary;
	const char *group;
	struct arena *scratch; /* for figures */
	struct arena *arena;   /* for charges */
};

/* True if more than a tenth of a run is work that does not belong to the subject: operations that
 * are called before the subject's first call or after the subject's last end. Time in which several
 * such operations are in flight counts once. */
bool sweep_shares_run(const struct operations *operations, const struct sweep_points *points);

/* Measures one run, and sets *made to the number of the subject's operations. Adds the times that
 * the run was charged for each cost to *charges. Sets charges->known to false if the run has no
 * such times. Returns false, with a sentence in `why`, if the charges cannot be read. */
bool sweep_measure(const struct operations *operations, const struct sweep_points *points,
	const struct sweep_run_of *of, struct measured *measured, uint32_t *made,
	struct charges *charges, struct text *why);

#endif
