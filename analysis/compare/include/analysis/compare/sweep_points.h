/* The points of a sweep: runs with the same swept keys and different seeds, reduced to what
 * comparisons need. */
#ifndef ANALYSIS_COMPARE_SWEEP_POINTS_H
#define ANALYSIS_COMPARE_SWEEP_POINTS_H

#include "analysis/operations/model_error.h"
#include "analysis/operations/charges.h"
#include "analysis/operations/measure.h"

enum figure {
#define X(NAME, key, words, more) FIGURE_##NAME,
#include "analysis/compare/figure.def"
#undef X
	FIGURE_COUNT
};

/* "p99", in JSON; "host CPU", in sentences; "higher": how more of it is called. */
const char *figure_key(enum figure figure);
const char *figure_words(enum figure figure);
const char *figure_more(enum figure figure);

/* One run of a point: its figures, costs all of them; 0: it has none. */
struct point_run {
	uint64_t seed;
	double figures[FIGURE_COUNT];
	double variances[FIGURE_COUNT]; /* of the logarithms of tails: by the run's operations alone
					 */
};

struct point_stages {
	bool known;
	double time[STAGE_COUNT]; /* mean of an operation, ps */
};

struct sweep_point {
	const char **keys; /* texts, in the order of the swept columns */
	struct summary *summary; /* of the file that holds its runs */
	uint64_t row;	   /* of the first of its runs */
	uint32_t seeds;
	bool good; /* all its runs are ok and have samples */
	const char *status;
	bool exact;		/* its runs have no noise: one says as much as many */
	struct point_run *runs; /* [seeds] */
	struct sorted samples;	/* of the metric, of all seeds */
	bool saturated;		/* an open loop offers it more than it does */
	uint32_t needed;	/* operations that it lacks for a steady state; 0: none */
	struct point_stages stages;
	struct charges charges; /* of the same operations */
	double throughput;   /* operations per simulated second, mean over seeds */
	double bandwidth;    /* of transfers, bytes per simulated second */
	double bytes;	     /* of an operation, mean */
	double fair;	     /* 1, or where sizes differ what makes 1 MiB of an operation */
	double host_cpu;     /* time on cores, spinning included, by operations; ps */
	uint64_t operations; /* of the subject, all that the runs made and that count */
	uint32_t made;	     /* of the first run, warm-up included */
};

struct sweep_points {
	struct sweep_point *at;
	uint32_t count;
	const char *kind; /* "KIND", or "KIND/NAME" of a step */
	enum measure_mode mode;
	enum metric metric;	    /* of MEASURE_ASKED; of the others the one behind the mode */
	enum figure figure;	    /* METRIC, or the figure that was asked for in place of it */
	uint32_t which;		    /* statistic */
	bool witness[FIGURE_COUNT]; /* what may contradict */
	uint32_t in_flight;	    /* most in flight in any run */
	uint32_t seeds;		    /* most of any point */
	bool open;		    /* arrivals at a rate */
	bool by_byte;		    /* transfers of several sizes: stages and host CPU of 1 MiB */
	const char *why;	    /* this metric: a sentence without its full stop */
	const struct model_errors *errors; /* of the model that made the runs */
};

/* What a question is to be answered on, as texts; NULL: nobody said. */
struct sweep_wish {
	const char *metric;    /* "latency", "latency.p99", "round.mean", "interval" */
	const char *objective; /* figures that count beside it, separated by commas */
	const char *from;      /* who asked: "--metric", "measure.metric" */
};

/* Reads all runs for one subject. False with a sentence in `why`: no such metric, nothing was
 * measured, or the file is damaged. */
bool sweep_points_read(struct summary *summary, const char *kind, const struct sweep_wish *wish,
	struct arena *arena, struct sweep_points *points, struct text *why);

/* A file whose points are read, and the keys that tell them apart. */
struct sweep_source {
	struct summary *summary;
	const char *const *names; /* NULL: its swept columns; else these, as its runs have them */
	uint32_t count;
	const char *file; /* the text of the key SWEEP_FILE */
};

/* The key that tells files apart. */
#define SWEEP_FILE "file"

/* The same of several files of one scenario: the metric is chosen for all of them together. */
bool sweep_points_read_all(const struct sweep_source *sources, uint32_t count, const char *kind,
	const struct sweep_wish *wish, struct arena *arena, struct sweep_points *points,
	struct text *why);

/* One run of another file, as points of `like` are: for runs made on the way. */
bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why);

/* The cost of a point: of one seed, or the geometric mean over them; ps. */
double sweep_point_value(const struct sweep_points *points, const struct sweep_point *point);

/* Host CPU of a point as it is compared: by operation, or by MiB where sizes differ; ps. */
double sweep_point_cpu(const struct sweep_point *point);

/* The subjects of a file: the kind that questions are about unless told otherwise, or each of its
 * steps, if it has several. `kind`, `step` and `program` choose among them; NULL: any. Count; 0
 * with a sentence in `why`. */
uint32_t sweep_subjects(struct summary *summary, const char *kind, const char *step,
	const char *program, struct arena *arena, const char ***subjects, struct text *why);

/* By how much the second point costs more than the first in a figure, and the bounds of the 95 %
 * interval: between seeds that both have, paired; with one seed within the run. */
struct margin sweep_margin(const struct sweep_points *points, const struct sweep_point *first,
	const struct sweep_point *second, enum figure figure);

#endif
