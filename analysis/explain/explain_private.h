/* Two runs read and split for `meshsim explain`, and the writers that print them. */
#ifndef ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H
#define ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H

#include "analysis/explain.h"
#include "analysis/operations/samples.h"
#include "analysis/read/run_tables.h"

enum { PATH_P50, PATH_P99, PATH_MEAN, PATH_COUNT, LOADS_SHOWN = 8 };

extern const char *const explain_path_names[PATH_COUNT];

/* One path of both runs. Of the mean, sums over `count` operations. */
struct path_pair {
	int64_t value[2];
	uint32_t count[2];
	struct split split[2];
};

/* A link, core or queue of both runs; 0 where one has none of that name. */
struct load {
	const char *name;
	double busy[2];
	int64_t high_water[2], capacity[2];
	double blocked[2];
};

struct loads {
	struct load *at; /* the largest difference, or the deepest, first */
	uint32_t count;
};

/* A constant that the ways of both runs were charged for; ps by operation. */
struct charged {
	const char *name;
	double time[2];
};

/* Runs of two files with the same keys and seed, and their medians. */
struct matched {
	uint64_t rows[2];
	double value[2];
};

struct explanation {
	struct summary opened[2];
	struct summary *summaries[2]; /* of either run: the same one, if there is one file */
	const char *files[2];	      /* NULL: one file */
	struct matched *matched;
	uint32_t matched_count;
	struct charged *charged; /* the largest difference first */
	uint32_t charged_count;
	struct arena arena;
	uint64_t rows[2]; /* of the summary */
	struct operations operations[2];
	struct samples samples[2];
	const char *kind;
	enum metric metric;
	bool has_stages;
	struct path_pair paths[PATH_COUNT];
	struct loads links, cores, queues;
};

/* What is asked for, and where the answer goes. */
struct explain_request {
	const char *file;
	const struct explain_options *options;
	struct explanation *explanation;
};

/* Reads all that is asked for of a struct explain_request. False with a sentence in `why`. */
bool explanation_read(void *request, struct text *why);

/* Closes what it opened. */
void explanation_close(struct explanation *explanation);

/* Fills `paths` from what was read. */
void explanation_split(struct explanation *explanation);

/* Rows with the same keys and seed in both files; chooses the one whose median differs most. False
 * with a sentence in `why`: there is none. */
bool explain_match(
	struct explanation *explanation, const struct explain_options *options, struct text *why);

/* Fills `charged`. False with a sentence in `why`. */
bool explain_charges(struct explanation *explanation, struct text *why);

/* Fills links, cores and queues. False with a sentence in `why`. */
bool explain_loads(struct explanation *explanation, struct text *why);

void explain_text(const struct explanation *explanation, bool color, FILE *out);
void explain_json(struct explanation *explanation, FILE *out);

/* "runtime.completion=table, ..." of a row; in `arena`. */
const char *explain_keys(const struct summary *summary, uint64_t row, struct arena *arena);

/* The number of the run of a row. */
int64_t explain_run(const struct explanation *explanation, int which, uint64_t row);

/* Stages whose parts are not told apart, ends with NULL: none where the runs recorded causes, some
 * where the time between marks is all there is (native runs). */
const char *const *explain_not_apart(const struct explanation *explanation);

#endif
