/* The summary table of a result file, which has a row for each run. Its columns are sorted into
 * swept keys, totals, and the metrics of each kind of operation. */
#ifndef ANALYSIS_READ_SUMMARY_H
#define ANALYSIS_READ_SUMMARY_H

#include "analysis/read/result.h"

enum { SUMMARY_KINDS_MAX = 64, SUMMARY_METRICS_MAX = 16, SUMMARY_PERCENTILES = 5 };

/* Columns of one metric of one kind of operation: p50, p90, p99, p99_9, max. */
struct summary_metric {
	const char *name;
	const struct dataset_column *percentiles[SUMMARY_PERCENTILES];
};

/* "p50", "p90", "p99", "p99.9", "max". */
extern const char *const summary_percentile_names[SUMMARY_PERCENTILES];

struct summary_kind {
	const char *name; /* "KIND"; or a step, "KIND/NAME" */
	const struct dataset_column *count, *throughput, *bandwidth;
	uint32_t step_count; /* number of its steps that have entries of their own, "KIND/NAME" */
	const struct summary_kind *whole; /* the kind of the step; NULL: this is not a step */
	struct summary_metric metrics[SUMMARY_METRICS_MAX];
	uint32_t metric_count;
};

struct summary {
	struct result *result;
	struct dataset dataset;
	const struct dataset_column *run, *status, *seed;
	bool all_ok;			   /* true: the status of every run is "ok" */
	uint32_t swept_first, swept_count; /* index and number of the swept columns */
	uint32_t total_first, total_count;
	struct summary_kind kinds[SUMMARY_KINDS_MAX];
	uint32_t kind_count;
	struct arena kept_arena; /* memory of `kept` */
	void *kept;
};

/* Opens `path` and sorts the columns of its summary into groups. If a run does not have a swept
 * key, the value of this key is the text "-". Returns false, with a sentence in `why`, if the file
 * cannot be read. */
bool summary_open(struct summary *summary, const char *path, struct text *why);

/* Callers must call this function after reading. Returns true if everything that was read so far is
 * undamaged. Otherwise returns false with a sentence in `why`. The check is needed because texts
 * and numbers that cannot be read are returned as empty, without an error. */
bool summary_whole(const struct summary *summary, struct text *why);

void summary_close(struct summary *summary);

/* True if the status of this row's run is "ok". */
bool summary_is_ok(const struct summary *summary, uint64_t row);

/* Prints a warning on standard error if the run in row `row` did not end well. Without the warning,
 * the output for this run would look like the output for a good run. */
void summary_say_end(struct summary *summary, uint64_t row);

/* Returns true if the times in the file were measured on a machine that executed the runs, and not
 * simulated. */
bool summary_is_native(const struct summary *summary);

/* Returns a short name for a swept key: the last components of its dotted name. It has as few
 * components as possible, but no other swept key or total may have a name with this end. */
const char *summary_short_name(const struct summary *summary, uint32_t index);

/* True if `part` is the dotted name `name`, or one or more of its components. */
bool name_has_part(const char *name, const char *part);

/* The path of the group of the run at `row`, such as "/runs/000003". The text is in the memory of
 * the result. */
const char *summary_group(struct summary *summary, uint64_t row);

/* The functions below check that two result files can be compared: they must be different files,
 * undamaged, and results of the same scenario. */

/* Reads the second file in a child process. The child's error messages contain the name of this
 * file. Returns 0 if the file can be read. If not, prints a message on standard error and returns
 * an exit code. */
int pair_probe(const char *second);

/* Returns true if the two paths lead to different files. If they lead to the same file, returns
 * false with a sentence in `why`, which the caller prints after the name of the first file. */
bool pair_allowed(const char *const files[2], struct text *why);

/* Returns true if both files are results of the same scenario. If not, returns false with a
 * sentence in `why`, which the caller prints after the name of the first file. */
bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why);

#endif
