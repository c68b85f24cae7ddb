/* The figures of each run of a result file, in the form in which `check` compares them. Runs of two
 * files are matched by their keys. */
#ifndef ANALYSIS_CHECK_MEASUREMENTS_H
#define ANALYSIS_CHECK_MEASUREMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/operations/charges.h"
#include "analysis/operations/path.h"
#include "base/arena.h"

/* A constant of a run's platform, in the form in which `check` compares it: its path, value and
 * unit. Shapes, lists and sources are not constants. */
struct measured_constant {
	const char *path; /* path below the platform, such as "chip.noc_hop" */
	/* value and unit: "10 cycles"; NULL: only other runs have the constant */
	const char *value;
};

struct measured_constants {
	struct measured_constant *at; /* constants, sorted by path */
	uint32_t count;
};

/* Reads the constants of an effective platform into `arena`. If the text is not YAML, the result is
 * empty. */
struct measured_constants measured_constants_read(const char *platform, struct arena *arena);

/* Sorts constants by path. */
void measured_constants_sort(struct measured_constants *constants);

/* Returns the value at a path, or NULL. */
const char *measured_constant(const struct measured_constants *constants, const char *path);

/* A constant whose values differ between two runs. */
struct constant_move {
	const char *path;
	const char *old, *new; /* NULL: the run does not have the constant */
};

struct constant_moves {
	struct constant_move *at; /* moves, sorted by path */
	uint32_t count;
};

/* Finds the constants whose values differ. The list is in `arena`. */
struct constant_moves constant_moves_find(const struct measured_constants *old,
	const struct measured_constants *new, struct arena *arena);

/* A move as text, "350 -> 351 ns", allocated in `arena`. */
const char *constant_move_text(const struct constant_move *move, struct arena *arena);

/* Returns by which share the change of the constant makes the time longer that is charged for it.
 * 0.1 means 10 % longer; a negative share means shorter. Returns 1 if the share cannot be computed.
 */
double constant_move_growth(const struct constant_move *move);

/* Returns the stage to which the time of the constant at `path` is charged. If `path` is the noise
 * of a cost, returns the stage of the cost. For constants that are never charged, such as clocks
 * and sizes, returns STAGE_COUNT. */
enum stage constant_stage(const char *path);

/* Sums of stages over the measured operations of one kind, for one metric. */
struct stage_sums {
	const char *name; /* such as "enqueue_workload.latency" */
	uint64_t count;
	int64_t time[STAGE_COUNT];
};

struct measurement {
	const char *name; /* such as "simulated" or "enqueue_workload.latency.p50" */
	const char *unit; /* "" if unknown */
	bool is_real;
	int64_t integer;
	double real;
};

struct measured_key {
	const char *name, *value;
};

struct measured_run {
	struct measured_key *keys; /* the seed, then the swept keys that the run has */
	uint32_t key_count;
	const char *label; /* the swept keys as a text */
	const char *where; /* keys without the seed, short: "initiators=8"; "": there are none */
	const char *status;
	struct measurement *measurements; /* empty unless the status is "ok" */
	uint32_t measurement_count;
	struct stage_sums *sums;
	uint32_t sums_count;
	const struct measured_constants *constants; /* NULL: the baseline has none */
	/* charges of all operations; unknown in baselines */
	struct charges charges;
};

struct measured_runs {
	const char *scenario;
	struct measured_run *runs;
	uint32_t run_count;
};

/* Reads all figures of an open result file into `arena`. Returns false, with a sentence in `why`,
 * if the file is damaged, or if its times were measured on a machine and not simulated. */
bool measurements_read(struct summary *summary, struct arena *arena, struct measured_runs *measured,
	struct text *why);

/* The keys as a text, "runtime.completion=table ...", allocated in `arena`. */
const char *measured_label(const struct measured_run *run, bool with_seed, struct arena *arena);

/* Returns a text with all keys of a run except the seed, and with their values: "key=value,
 * key=value". The name of each key is shortened as far as it still differs from the names of the
 * other keys. Returns "" if there are no keys. */
const char *measured_where(const struct measured_run *run, struct arena *arena);

/* Returns the times of stages (struct stage_sums) that explain a measurement, such as
 * "enqueue_workload.latency.p50". Usually these are the times with the same kind and metric. If
 * there are none, takes those of another metric of the kind: "reach" for a skew, otherwise "round"
 * or else "latency". Returns NULL if these are missing, too, or if the measurement is a total of
 * the whole run. */
const struct stage_sums *measured_sums(const struct measured_run *run, const char *measurement);

/* Returns the sums with this name, or NULL. */
const struct stage_sums *measured_sums_named(const struct measured_run *run, const char *name);

/* Returns the value as a real number. */
double measurement_value(const struct measurement *measurement);

/* Returns the measurement with this name, or NULL. */
const struct measurement *measurement_named(const struct measured_run *run, const char *name);

/* Writes the name of a stage as files spell it, such as "build". */
void stage_key(enum stage stage, char *out, uint32_t size);

#endif
