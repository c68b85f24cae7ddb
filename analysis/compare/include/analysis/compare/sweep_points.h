/* The points of a sweep. A point stands for all runs whose swept keys have the same values; these
 * runs differ only in their seeds. It has those figures of the runs that comparisons need. */
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

/* figure_key() returns the name of a figure in JSON ("p99"). The function after it returns the name
 * in sentences ("host CPU"), and the next one the word for more of the figure ("higher"). */
const char *figure_key(enum figure figure);
const char *figure_words(enum figure figure);
const char *figure_more(enum figure figure);

/* One run of a point. All figures are costs: less is better. 0: the run has no such figure. */
struct point_run {
	uint64_t seed;
	double figures[FIGURE_COUNT];
	double variances[FIGURE_COUNT]; /* variance of a tail's logarithm, from the operations */
	double cpu_of_run;		/* host CPU of the whole run, by operation; ps */
};

struct point_stages {
	bool known;
	double time[STAGE_COUNT]; /* mean per operation, ps */
};

struct sweep_point {
	const char **keys;	 /* texts, in the order of the swept columns */
	struct summary *summary; /* summary of the file that holds the point's runs */
	uint64_t row;		 /* row of its first run */
	const char *machine;	 /* the name of its platform */
	uint32_t seeds;
	bool good; /* all its runs are ok and have samples */
	const char *status;
	bool failed;		/* a run ended by a hazard, a stall or the like */
	bool exact;		/* its runs have no noise, so one is as good as many */
	bool native;		/* its times are of a machine, which drifts from run to run */
	struct point_run *runs; /* [seeds] */
	struct sorted samples;	/* samples of the metric, of all seeds */
	bool saturated;		/* an open loop offers more than it completes */
	uint32_t needed;	/* operations that would give a steady state; 0: there is one */
	struct point_stages stages;
	struct charges charges; /* charges of the same operations */
	double throughput;	/* operations per simulated second, mean over seeds */
	double bandwidth;	/* of transfers, bytes per simulated second */
	double bytes;		/* mean per operation */
	double fair;		/* 1; if sizes differ, the factor from an operation to 1 MiB */
	bool shares_run;	/* other work takes part of a run */
	double host_cpu;	/* time on cores per operation, spinning included; ps */
	uint64_t operations;	/* measured operations of the subject in all runs */
	uint32_t made;		/* operations of the first run, warm-up included */
};

struct sweep_points {
	struct sweep_point *at;
	uint32_t count;
	/* see struct sweep_subject */
	const char *kind, *label;
	bool iteration, of_loop, together, unlike, parted;
	const struct sweep_within *within;
	const char *span_anchor;
	enum measure_mode mode;
	enum metric metric;	    /* asked for by the user, or implied by the mode */
	enum figure figure;	    /* FIGURE_METRIC, or a figure that the user chose instead */
	uint32_t which;		    /* statistic: see statistics.h */
	bool witness[FIGURE_COUNT]; /* figures that may contradict the metric */
	uint32_t in_flight;	    /* most operations in flight in any run */
	uint32_t seeds;		    /* largest number of seeds of a point */
	bool open;		    /* operations arrive at a rate */
	bool shares_run;	    /* other work takes part of a run */
	bool cpu_of_runs;	    /* host CPU is known of whole runs only */
	bool by_byte;		    /* transfer sizes differ: stages and host CPU are per MiB */
	bool unmeasured;	    /* no run has samples of the metric, or can have any */
	const char *why;	    /* reason for this metric: a sentence without its full stop */
	const struct model_errors *errors; /* errors of the model that made the runs */
};

/* The user's choice of metric, as texts; NULL where the user did not choose. */
struct sweep_wish {
	const char *metric;    /* "latency", "latency.p99", "round.mean", "interval" */
	const char *objective; /* figures that count beside the metric, separated by commas */
	const char *from;      /* source of the wish: SWEEP_WISH_OPTION, "measure.metric" */
};

#define SWEEP_WISH_OPTION "--metric"

/* A thing that questions are about. */
struct sweep_subject {
	const char *kind;  /* the operations: "KIND", or "KIND/NAME" of a step */
	const char *label; /* `kind`, or the name of the iteration or repeat */
	bool iteration;	   /* one round of `kind` (sweep_iteration.h) */
	bool of_loop;	   /* its time is that of a loop as a whole */
	bool together;	   /* a step of the iteration that is in flight together with others */
	bool unlike;	   /* a step whose time begins at a replay in some runs only */
	bool parted;	   /* a loop whose steps are called by several threads in some runs only */
	/* The steps of a repeat that stands among others, whose spans are the subject; or NULL. Its
	 * rounds begin with the step `span_anchor`; NULL: each span is one. */
	const struct sweep_within *within;
	const char *span_anchor;
};

/* Name of the iteration. If a workload has several loops, the name of each begins with the second
 * text. */
#define SWEEP_ITERATION	   "iteration"
#define SWEEP_ITERATION_OF SWEEP_ITERATION " of "

/* Reads all runs, for one subject, as points. Returns false, with a sentence in `why`, if the
 * metric does not exist, nothing was measured, or the file is damaged. */
bool sweep_points_read(struct summary *summary, const struct sweep_subject *subject,
	const struct sweep_wish *wish, struct arena *arena, struct sweep_points *points,
	struct text *why);

/* A file whose points are read, and the keys that tell them apart. */
struct sweep_source {
	struct summary *summary;
	const char *const *names; /* keys to use; NULL: the swept columns of the file */
	uint32_t count;
	const char *file; /* value of the key SWEEP_FILE */
};

/* Name of the artificial key whose value is the file. */
#define SWEEP_FILE "file"

/* Like sweep_points_read(), for several files of one scenario. One metric is chosen for all
 * files. */
bool sweep_points_read_all(const struct sweep_source *sources, uint32_t count,
	const struct sweep_subject *subject, const struct sweep_wish *wish, struct arena *arena,
	struct sweep_points *points, struct text *why);

/* Reads a file with a single run, such as a rerun, as a point. Uses the same metric and mode of
 * measurement as for the points of `like`. */
bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why);

/* The cost of a point: the geometric mean over its seeds, in ps. */
double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point);

/* True if host CPU is that of the points' own operations, or the user asks for it as the metric. If
 * it is known of whole runs only, as natively, of one step or loop among other work only its margin
 * is told, as one of the runs. */
bool sweep_has_host_cpu(const struct sweep_points *points);

/* Host CPU of a point as it is compared: ps per operation, or per MiB if sizes differ. */
double sweep_point_cpu(const struct sweep_point *point);

/* What the user asks about; NULL: any. */
struct sweep_choice {
	const char *kind, *step, *program;
	bool metric; /* the user chose a metric, so the rounds of the iteration are not meant */
};

/* Lists the subjects of a file, which are the things that questions are about. The subject is the
 * default kind of operation; if several steps have this kind, each of these steps is a subject. The
 * first subjects are the iterations that hold several of them, or one that is called while other
 * work is in flight. A choice selects other subjects; the step SWEEP_ITERATION is all iterations.
 * Returns the number of subjects. If there are none, returns 0, with a sentence in `why`. */
uint32_t sweep_subjects(struct summary *summary, const struct sweep_choice *choice,
	struct arena *arena, struct sweep_subject **subjects, struct text *why);

/* Returns by which share the second point costs more than the first in a figure, with the 95 %
 * interval. If both points have several seeds in common, the interval is computed from the
 * differences between runs with the same seed. If there is one seed, it is computed from the
 * operations of the run. Single native runs decide nothing: two processes of one design may differ
 * as a whole, and the operations of one process do not show by how much. */
struct margin sweep_margin(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure);

/* Returns true if intervals between the seeds of a point are wide only because there are so few. */
bool seeds_are_few(const struct sweep_point *point);

/* Swept keys: their names, whether they are conditions, and their values as numbers. */

/* Name of the swept key at `index`, such as "runtime.forward.path". */
const char *swept_key(const struct summary *summary, uint32_t index);

/* Returns true if a key is a condition (workload, platform, model, mesh shape) and not a choice of
 * a design. */
bool key_is_condition(const char *name);

/* Sets *number to the number in the text, or to the product of a list of numbers: 12 for "12", 64
 * for "[8, 8]". Returns false if the text is neither. */
bool key_number(const char *text, double *number);

/* Sets the metric of the points, and the figures that may contradict the metric, as `wish` asks.
 * Parts that `wish` leaves open follow the rule of docs/verdicts.md for the mode `rule`. Returns
 * false, with a sentence in `why`, if a metric or figure does not exist. */
bool sweep_metric_choose(struct sweep_points *points, const struct sweep_wish *wish,
	enum measure_mode rule, struct arena *arena, struct text *why);

/* sweep_key_count() returns the number of keys that identify the points of a source.
 * sweep_key_texts() returns the values that these keys have in the run at a row of the summary. The
 * texts are in `arena`; a key that the run does not have gets the text "-". */
uint32_t sweep_key_count(const struct sweep_source *source);
const char **sweep_key_texts(const struct sweep_source *source, uint64_t row, struct arena *arena);

#endif
