/* Shared declarations of the files of `meshsim explain`: two runs whose times are split into
 * stages, and the functions that print the result. */
#ifndef ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H
#define ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H

#include "analysis/explain.h"
#include "analysis/operations/run.h"
#include "analysis/read/run_tables.h"

/* PATH_ASKED is the path that the conclusion is about. */
enum { PATH_P50, PATH_P99, PATH_MEAN, PATH_ASKED, PATH_COUNT, LOADS_SHOWN = 8, PART_COUNT = 10 };

extern const char *const explain_path_names[PATH_COUNT];

/* The figure that is explained. In the mode MEASURE_ASKED it is the statistic `which` of a metric.
 * In the other modes it is the mean interval between completions, the mean time per MEASURE_BYTES,
 * or the makespan of the run. */
struct explained {
	enum measure_mode mode;
	enum metric metric;
	uint32_t which;
};

/* One path of both runs. For PATH_MEAN, the values and stages are sums over `count` operations. */
struct path_pair {
	int64_t value[2];
	uint32_t count[2];
	struct split split[2];
};

/* A link, core or queue, with its figures in both runs. If a run has no link, core or queue with
 * this name, its figures for that run are 0. */
struct load {
	const char *name;
	double busy[2];
	int64_t high_water[2], capacity[2];
	double blocked[2];
};

struct loads {
	struct load *at; /* the largest difference first; queues: the deepest first */
	uint32_t count;
};

/* A table row that stands for several loads. Their names differ only in numbers, and their figures
 * differ little (explain_fold.c). The row has the means of their busy and blocked times, and the
 * largest depth of a queue. */
struct folded_load {
	struct load load; /* its name has ranges: "PCIe from chip 64-71" */
	uint32_t count;
};

struct folded_loads {
	struct folded_load *at;
	uint32_t count;
	uint32_t rows; /* number of rows before folding */
};

/* A part of the machine, such as the host's enqueue: the sum of some stages of the median path. */
struct explain_part {
	const char *key, *words;
	int64_t time[2];
	double weight; /* time of a single run, or difference of two runs, ps */
	uint32_t stages;
	enum stage largest;
	bool one_stage; /* true: the stage `largest` has almost all of the weight */
};

/* A constant, and the time on critical paths that was charged for it: in ps per operation, for each
 * of the two runs. */
struct charged {
	const char *name;
	double time[2];
};

/* Two runs, one of each file, with the same keys and seed, and their medians. */
struct matched {
	uint64_t rows[2];
	double value[2];
};

struct explanation {
	struct summary opened[2];
	struct summary *summaries[2]; /* [run]: summary of the file of the run */
	const char *files[2];	      /* [run]: path of the file; NULL: there is one file */
	struct matched *matched;
	uint32_t matched_count;
	struct charged *charged; /* charged constants, the largest difference first */
	uint32_t charged_count;
	struct arena arena;
	uint64_t rows[2]; /* [run]: row of the run in its summary */
	struct operations operations[2];
	struct samples samples[2];
	bool single; /* true: a single run is explained, so both sides are equal */
	const char *kind;
	struct explained asked;
	struct measured measured[2]; /* used unless the mode is MEASURE_ASKED */
	double value[2];	     /* the figure that is explained, ps */
	uint32_t seeds;		     /* number of pairs with the keys of the two runs; 0: none */
	double margin;		     /* margin of the second over the first run, over these pairs */
	bool has_stages;	     /* true: PATH_ASKED has stages */
	struct path_pair paths[PATH_COUNT];
	struct loads links, cores, queues;
	struct explain_part parts[PART_COUNT]; /* parts of the machine, the largest weight first */
	int64_t skew[2];		       /* [run]: median, ps; -1: none */
};

/* A request, and where its answer goes. */
struct explain_request {
	const char *file;
	const struct explain_options *options;
	struct explanation *explanation;
};

/* Reads everything that is needed to answer `request`, a struct explain_request. Returns false,
 * with a sentence in `why`, if something cannot be read or does not exist. */
bool explanation_read(void *request, struct text *why);

/* Closes the files and frees the memory of explanation_read(). */
void explanation_close(struct explanation *explanation);

/* Sets *asked to the figure that `text` names. The text is a metric, followed by .p50 (the
 * default), .p90, .p99, .p99_9, .max or .mean; or it is "interval", "bandwidth" or "makespan".
 * Returns false if there is no such figure. */
bool explain_ask(struct explained *asked, const char *text);

/* These functions return texts for a figure. explain_statistic() returns its statistic ("p50"),
 * explain_statistic_words() the words for it in a sentence ("at the median"), and
 * explain_metric_name() the name of its metric. */
const char *explain_statistic(const struct explained *asked);
const char *explain_statistic_words(const struct explained *asked);
const char *explain_metric_name(const struct explained *asked);

/* Measures the makespan of a run; in `arena`. */
struct run_makespan explain_makespan(
	const char *kind, const struct operations *operations, struct arena *arena);

/* The figure of some operations in ps; 0 if they do not have it. */
double explain_value(const struct explained *asked, const char *kind,
	const struct operations *operations, struct arena *arena);

/* Fills one side of the path PATH_ASKED, which is the path of the explained figure. The caller must
 * have filled the other paths. Returns false if the figure cannot be split into stages. */
bool explain_take(struct explanation *explanation, int side);

/* Fills `seeds` and `margin` from further runs of the two explained designs. A run of the first
 * design and a run of the second form a pair if they have the same seed. Apart from the seed, their
 * keys must be those of the explained runs. The margin is the geometric mean of the ratios of all
 * pairs, minus 1. Returns false, with a sentence in `why`, if a run cannot be read. */
bool explain_seeds(struct explanation *explanation, struct text *why);

/* Fills `paths` and `has_stages` from the operations that were read. */
void explanation_split(struct explanation *explanation);

/* Lists in `matched` the pairs of runs that have the same keys and the same seed in both files, and
 * chooses the pair whose medians differ most. If the user chose the runs, uses these instead.
 * Returns false, with a sentence in `why`, if there is neither a pair nor a choice of the user. */
bool explain_match(
	struct explanation *explanation, const struct explain_options *options, struct text *why);

/* Fills `charged`. Returns false, with a sentence in `why`, on failure. */
bool explain_charges(struct explanation *explanation, struct text *why);

/* Fills links, cores and queues. Returns false, with a sentence in `why`, on failure. */
bool explain_loads(struct explanation *explanation, struct text *why);

/* Fills `parts` and `skew`. explanation_split() must have been called. */
void explain_conclude(struct explanation *explanation);

/* The conclusion as a sentence, in the arena of the explanation. */
const char *explain_sentence(struct explanation *explanation);

/* A time in ps as text with four digits, "28.93 us". */
const char *explain_time(double time, bool with_sign, struct arena *arena);

/* Folds similar loads into one row each. Rows are in the order of their first loads. */
struct folded_loads explain_fold(const struct loads *loads, struct arena *arena);

/* Prints the conclusion and the table of stages; with `all`, all other tables, too. */
void explain_text(struct explanation *explanation, bool all, bool color, FILE *out);
void explain_json(struct explanation *explanation, FILE *out);

/* The keys of a row, "runtime.completion=table, ...", allocated in `arena`. */
const char *explain_keys(const struct summary *summary, uint64_t row, struct arena *arena);

/* The number of the run of a row. */
int64_t explain_run(const struct explanation *explanation, int which, uint64_t row);

/* Returns sentences about stages that contain several activities whose times are not known
 * separately. There are such stages if a run has recorded no causes, for example a native run,
 * because only the times between marks are then known. The list ends with NULL, and is empty if all
 * runs recorded causes. */
const char *const *explain_not_apart(const struct explanation *explanation);

#endif
