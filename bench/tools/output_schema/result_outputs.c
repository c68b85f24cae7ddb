/* The JSON that show, compare, explain and check print (see output_schema.h). Times are in ps. */
#include "shapes.h"

#define KEYS TEXT("keys", .by_name = true, .help = "swept keys and their values")

/* The metrics that compare and explain may choose. The first ones are not in metric.def. */
static const char metric_choices[] = "interval transfer throughput makespan host_cpu round "
				     "completion"
#define X(NAME, metric, from, what, ...) " " metric
#include "analysis/metrics/metric.def"
#undef X
	;

/* ---- show ---- */

static const struct shape percentiles[] = {
	INTEGER("p50"), INTEGER("p90"), INTEGER("p99"), INTEGER("p99.9"), INTEGER("max")};

static const struct shape kind[] = {
	INTEGER("count", .help = "measured operations"),
	NUMBER("throughput", .help = "operations per simulated second; 0: fewer than two"),
	NUMBER("bandwidth", .help = "payload, B/s; 0: none", .optional = true),
	{.name = "completion",
		.optional = true,
		.help = "call until the host knew of the end",
		SHAPE_INNER(percentiles)},
	{.name = "round",
		.optional = true,
		.help = "call to the next call of the same step",
		SHAPE_INNER(percentiles)},
#define X(NAME, metric, from, what, ...)                                                           \
	{.name = metric, .optional = true, .help = what, SHAPE_INNER(percentiles)},
#include "analysis/metrics/metric.def"
#undef X
};

#define ROWS(n)                                                                                    \
	{                                                                                          \
		.name = n, .kind = SHAPE_OBJECT, .open = true, .list = true, .optional = true,     \
		.help = "of files of one run: a row each, all columns"                             \
	}
#define LARGEST(n, h)                                                                              \
	{                                                                                          \
		.name = n, .kind = SHAPE_OBJECT, .open = true, .nullable = true, .help = h         \
	}

static const struct shape show_run[] = {
	INTEGER("run"),
	TEXT("status", .help = "ok, or how it ended"),
	TEXT("message"),
	INTEGER("seed"),
	{.name = "keys", .kind = SHAPE_SCALAR, .by_name = true, .help = "swept keys"},
	{.name = "operations", .by_name = true, .help = "by kind", SHAPE_INNER(kind)},
	{.name = "host",
		.kind = SHAPE_NUMBER,
		.by_name = true,
		.help = "sums over the host's threads, and their number"},
	LARGEST("busiest_link", "by utilization"),
	LARGEST("busiest_stage", "by busy time"),
	LARGEST("longest_blocked_stage", "by blocked time"),
	LARGEST("fullest_queue", "by blocked time"),
	{.name = "left",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.help = "objects of steps that were not released before a mesh was closed"},
	{.name = "watcher",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.help = "what cores were at when the run came to no end; else empty"},
	{.name = "prints",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.help = "what kernels printed, as many as measure.prints"},
	{.name = "opening",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.optional = true,
		.help = "time in which the hosts of a native run joined, in ps"},
	ROWS("threads"),
	ROWS("work"),
	ROWS("stages"),
	ROWS("links"),
	ROWS("queues"),
	ROWS("memory"),
};

static const struct shape show_members[] = {
	INTEGER("layout_version"),
	TEXT("scenario_name"),
	TEXT("scenario_description"),
	TEXT("world", .choices = "sim native"),
	TEXT("meshsim_version"),
	TEXT("git_commit"),
	TEXT("build"),
	TEXT("simgrid_version"),
	TEXT("hdf5_version"),
	TEXT("units", .by_name = true, .help = "of every column of the summary"),
	{.name = "runs",
		.list = true,
		.open = true,
		.help = "with all totals of the summary",
		SHAPE_INNER(show_run)},
};

static const struct shape show = {.name = "show",
	.help = "meshsim show --json, meshsim run --json; times in ps",
	SHAPE_INNER(show_members)};

/* ---- compare ---- */

static const struct shape points[] = {
	TEXT("subject", .help = "kind of operation, or KIND/NAME of one of its steps"),
	INTEGER("run"),
	TEXT("status"),
	INTEGER("seeds", .help = "runs that differ in the seed alone"),
	KEYS,
	INTEGER("operations", .help = "samples"),
	NUMBER("value", .optional = true, .help = "of metric and statistic; absent if it failed"),
	NUMBER("p50", .optional = true),
	NUMBER("p90", .optional = true),
	NUMBER("p99", .optional = true),
	NUMBER("mean", .optional = true),
	NUMBER("throughput", .optional = true, .help = "1/s"),
	NUMBER("bandwidth", .optional = true, .help = "of transfers, B/s"),
	NUMBER("makespan", .optional = true, .help = "first call to last completion"),
	BOOL("saturated", .optional = true,
		.help = "more arrives than goes; only of arrivals at a rate"),
	INTEGER("needed", .optional = true,
		.help = "operations that would show a steady state; this many did not"),
	NUMBER("host_cpu", .optional = true, .help = "ps by operation"),
	NUMBER("controller_cpu", .optional = true,
		.help = "of it the controller's; only of machines of several hosts"),
};

static const struct shape ranking[] = {
	TEXT("option"),
	TEXT("label", .help = "with the best of what else it has"),
	INTEGER("run"),
	NUMBER("value"),
	NUMBER("margin", .help = "by what part of the best it is larger"),
	NUMBER("low", .nullable = true, .help = "of the 95 % interval; null: there is none"),
	NUMBER("high", .nullable = true),
	TEXT("interval", .choices = "seeds run none",
		.help = "between seeds, within the run of one, or none: one seed, one figure"),
	BOOL("tied", .help = "not decidedly worse than the best"),
	BOOL("few", .help = "a percentile of too few operations: decides nothing"),
};

static const struct shape contexts[] = {
	TEXT("context"),
	KEYS,
	{.name = "ranking", .list = true, .help = "the best first", SHAPE_INNER(ranking)},
};

static const struct shape model_error[] = {
	TEXT("family", .help = "of measured figures"),
	TEXT("machine", .help = "whose error it is"),
	TEXT("basis",
		.help = "own: figures of the machine, kept out of the fit; other machines: it was "
			"never measured, and figures of each machine are predicted from the "
			"others; family: of any machine, in files without errors by machine"),
	NUMBER("error", .help = "nine of ten figures are off by less"),
	NUMBER("part", .help = "of the time that differs in constants of the family"),
	NUMBER("most", .help = "error times part: a margin below decides nothing"),
};

static const struct shape mechanism_stages[] = {TEXT("stage"), NUMBER("difference")};

static const struct shape mechanism[] = {
	INTEGER("first", .help = "run of the winner"),
	INTEGER("second", .help = "run of the next"),
	TEXT("stage", .help = "with the largest difference"),
	{.name = "stages", .list = true, SHAPE_INNER(mechanism_stages)},
};

static const struct shape crossovers[] = {
	TEXT("key"),
	TEXT("context"),
	TEXT("below", .help = "option that wins below"),
	TEXT("above"),
	NUMBER("at"),
	NUMBER("low", .help = "it lies between"),
	NUMBER("high"),
	BOOL("refined", .help = "narrowed by runs; else interpolated"),
	TEXT("saturated", .nullable = true,
		.help = "option that falls behind at an end: not refined, `at` is only the middle"),
};

static const struct shape front[] = {
	TEXT("option"), NUMBER("value"), NUMBER("host_cpu", .help = "ps by operation")};

static const struct shape rests[] = {
	TEXT("constant", .help = "path below the platform"),
	NUMBER("value"),
	TEXT("unit"),
	TEXT("kind", .choices = "assumed fitted"),
	NUMBER("effect", .nullable = true,
		.help = "by what part of itself 30 % of it moves the margin; null: not tried"),
};

static const struct shape robust[] = {
	INTEGER("held"),
	INTEGER("tried"),
	INTEGER("failed", .help = "could not run"),
	INTEGER("runs"),
	TEXT("breaks", .list = true, .help = "what breaks the verdict"),
	TEXT("failures", .list = true, .help = "what could not run, and why"),
};

static const struct shape sides[] = {
	TEXT("option", .help = "the option that costs less"),
	TEXT("figure", .choices = "p99 mean throughput makespan host_cpu"),
	NUMBER("margin", .help = "by what part of that the other costs more"),
	NUMBER("low", .nullable = true, .help = "of the 95 % interval; null: there is none"),
	NUMBER("high", .nullable = true),
	TEXT("interval", .choices = "seeds run none",
		.help = "between seeds, within the run of one, or none: one seed, one figure"),
	BOOL("sure", .help = "or it may be chance"),
	TEXT("words"),
};

static const struct shape trials[] = {
	TEXT("value"),
	NUMBER("margin", .nullable = true, .help = "of the winner; null: a design could not run"),
	TEXT("rival", .nullable = true, .help = "the closest of the others"),
	BOOL("same", .help = "the designs do not differ: swept keys have no effect"),
	BOOL("breaks", .help = "the margin vanishes, or the rival wins"),
	TEXT("why", .nullable = true, .help = "why a design could not run"),
};

static const struct shape choices[] = {
	TEXT("key"),
	TEXT("value", .help = "in force"),
	NUMBER("part", .help = "of the margin that its stages make up"),
	TEXT("others", .list = true, .help = "other values"),
	{.name = "trials", .list = true, .help = "of --robust", SHAPE_INNER(trials)},
};

static const struct shape ends[] = {
	TEXT("option", .help = "its runs failed"),
	TEXT("context"),
	INTEGER("run"),
	TEXT("status"),
	TEXT("words"),
};

static const struct shape best[] = {
	TEXT("context", .help = "of conditions, such as the platform"),
	INTEGER("run"),
	NUMBER("value", .help = "of the metric"),
	INTEGER("next", .nullable = true, .help = "the second best run; null: there is one point"),
	NUMBER("margin", .nullable = true, .help = "by what part the next one takes longer"),
	BOOL("decided"),
	TEXT("rests_on", .nullable = true, .help = "the guess that moves the margin most"),
	{.name = "choices",
		.list = true,
		.help = "unswept choices that the margin rests on",
		SHAPE_INNER(choices)},
	TEXT("words"),
};

static const struct shape questions[] = {
	TEXT("question"),
	TEXT("subject", .help = "kind of operation, or KIND/NAME of one of its steps"),
	TEXT("metric", .choices = metric_choices),
	TEXT("reason", .help = "why this metric"),
	INTEGER("seeds", .help = "most of any point; 1: intervals are within the run"),
	TEXT("outcome", .choices = "wins depends trade-off undecided fragile conditional"),
	TEXT("leader", .nullable = true, .help = "the best in the focus"),
	TEXT("winner", .nullable = true),
	TEXT("verdict", .help = "as a sentence"),
	TEXT("focus", .help = "context that the rest is about"),
	{.name = "contexts", .list = true, SHAPE_INNER(contexts)},
	{.name = "sides", .list = true, .help = "what contradicts", SHAPE_INNER(sides)},
	{.name = "ends", .list = true, .help = "options that fail in a context", SHAPE_INNER(ends)},
	{.name = "model_error",
		.nullable = true,
		.help = "why a margin that is no chance decides nothing; null: it does, or is",
		SHAPE_INNER(model_error)},
	{.name = "mechanism", .nullable = true, SHAPE_INNER(mechanism)},
	{.name = "crossovers", .list = true, SHAPE_INNER(crossovers)},
	TEXT("hint", .nullable = true, .help = "where more seeds may show that the verdict flips"),
	{.name = "front", .list = true, .help = "what no option beats in both", SHAPE_INNER(front)},
	{.name = "choices",
		.list = true,
		.help = "unswept choices that the margin rests on",
		SHAPE_INNER(choices)},
	{.name = "rests_on", .list = true, SHAPE_INNER(rests)},
	{.name = "robust", .nullable = true, .help = "null: not tried", SHAPE_INNER(robust)},
};

static const struct shape differences[] = {
	TEXT("what", .help = "program, or a key of the scenario or of the platform"),
	TEXT("first", .help = "-: it has none"),
	TEXT("second"),
};

static const struct shape alone[] = {TEXT("file"), TEXT("what", .help = "a run or a step")};

static const struct shape two_files[] = {
	TEXT("files", .list = true, .length = 2),
	{.name = "differences", .list = true, .help = "beside figures", SHAPE_INNER(differences)},
	BOOL("more", .help = "there may be others"),
	{.name = "alone", .list = true, .help = "what one file has", SHAPE_INNER(alone)},
};

static const struct shape compare_members[] = {
	{.name = "pair",
		.optional = true,
		.help = "of two files, which are the options of each question",
		SHAPE_INNER(two_files)},
	TEXT("kind", .help = "of operation"),
	TEXT("metric", .choices = metric_choices),
	TEXT("reason", .help = "why this metric"),
	TEXT("statistic"),
	NUMBER("tie_band", .help = "a smaller margin decides nothing"),
	{.name = "points", .list = true, SHAPE_INNER(points)},
	{.name = "best", .list = true, .help = "one of each context", SHAPE_INNER(best)},
	{.name = "questions", .list = true, SHAPE_INNER(questions)},
};

static const struct shape compare = {.name = "compare",
	.help = "meshsim compare --json; times in ps",
	SHAPE_INNER(compare_members)};

/* ---- explain ---- */

static const struct shape explain_runs[] = {
	INTEGER("run"), TEXT("status"), INTEGER("count"), TEXT("keys")};

static const struct shape explain_stages[] = {
	TEXT("stage"),
	TEXT("label"),
	INTEGER("value", .list = true, .length = 2),
	INTEGER("difference", .optional = true),
};

static const struct shape path[] = {
	INTEGER("value", .list = true, .length = 2, .help = "whole times"),
	INTEGER("count", .list = true, .length = 2, .help = "operations that went into each"),
	INTEGER("difference", .optional = true, .help = "absent where counts differ"),
	{.name = "stages",
		.list = true,
		.help = "their values sum to the whole",
		SHAPE_INNER(explain_stages)},
};

static const struct shape paths[] = {
	{.name = "p50", SHAPE_INNER(path)},
	{.name = "p99", SHAPE_INNER(path)},
	{.name = "mean", .help = "sums over all operations", SHAPE_INNER(path)},
};

static const struct shape loads[] = {TEXT("name"), NUMBER("busy", .list = true, .length = 2)};

static const struct shape queues[] = {
	TEXT("name"),
	NUMBER("high_water", .list = true, .length = 2),
	NUMBER("capacity", .list = true, .length = 2),
	NUMBER("blocked_time", .list = true, .length = 2),
};

static const struct shape charged[] = {
	TEXT("name", .help = "of a constant"),
	NUMBER("value", .list = true, .length = 2, .help = "by operation"),
	NUMBER("difference"),
};

static const struct shape matched[] = {
	TEXT("keys"),
	INTEGER("runs", .list = true, .length = 2),
	NUMBER("value", .list = true, .length = 2, .help = "medians"),
};

static const struct shape explain_members[] = {
	TEXT("kind", .help = "of operation"),
	TEXT("metric", .choices = metric_choices),
	TEXT("unit", .choices = "ps"),
	{.name = "runs", .list = true, .length = 2, SHAPE_INNER(explain_runs)},
	{.name = "paths", SHAPE_INNER(paths)},
	{.name = "constants",
		.list = true,
		.help = "on the way of an operation, the largest differences first",
		SHAPE_INNER(charged)},
	{.name = "matched",
		.list = true,
		.optional = true,
		.help = "of two files: runs with the same keys and seed",
		SHAPE_INNER(matched)},
	{.name = "links",
		.list = true,
		.help = "the largest differences first",
		SHAPE_INNER(loads)},
	{.name = "cores", .list = true, SHAPE_INNER(loads)},
	{.name = "queues",
		.list = true,
		.help = "those that blocked longest first",
		SHAPE_INNER(queues)},
	TEXT("not_apart", .list = true,
		.help = "what a stage holds together where no causes were recorded"),
};

static const struct shape explain = {.name = "explain",
	.help = "meshsim explain --json; pairs are first and second run",
	SHAPE_INNER(explain_members)};

/* ---- check ---- */

static const struct shape counts[] = {INTEGER("worse"), INTEGER("better"), INTEGER("tolerated")};

static const struct shape moves[] = {TEXT("stage"), TEXT("label"), NUMBER("old"), NUMBER("new")};

static const struct shape cause_stages[] = {TEXT("stage"), TEXT("label"), NUMBER("old"),
	NUMBER("new"), INTEGER("figures"), INTEGER("runs"), INTEGER("scenarios")};

static const struct shape causes[] = {
	TEXT("constant", .nullable = true, .help = "null: stages that no constant moved"),
	TEXT("old", .nullable = true, .help = "value and unit"),
	TEXT("new", .nullable = true),
	INTEGER("figures", .help = "that it explains"),
	INTEGER("runs"),
	INTEGER("scenarios"),
	INTEGER("worse"),
	INTEGER("better"),
	TEXT("basis", .choices = "charged waits only", .nullable = true,
		.help = "how the constant is tied to the figures; null: it explains none"),
	NUMBER("first_order", .nullable = true,
		.help = "by which share it prolongs critical paths to first order"),
	{.name = "stages", .list = true, SHAPE_INNER(cause_stages)},
};

static const struct shape checked_files[] = {
	TEXT("file"),
	TEXT("scenario"),
	TEXT("baseline"),
	INTEGER("runs"),
	INTEGER("figures"),
	{.name = "counts", SHAPE_INNER(counts)},
};

static const struct shape changes[] = {
	TEXT("scenario"),
	TEXT("verdict", .choices = "worse better tolerated"),
	TEXT("what", .choices = "figure status missing extra"),
	KEYS,
	TEXT("metric", .nullable = true, .help = "null: the whole run"),
	TEXT("unit", .nullable = true),
	{.name = "old", .kind = SHAPE_SCALAR, .nullable = true},
	{.name = "new", .kind = SHAPE_SCALAR, .nullable = true},
	NUMBER("change", .nullable = true, .help = "ratio"),
	{.name = "stages",
		.list = true,
		.help = "the largest first; means of an operation",
		SHAPE_INNER(moves)},
};

static const struct shape check_members[] = {
	TEXT("scenario", .nullable = true, .help = "null: several files"),
	TEXT("baseline", .nullable = true),
	INTEGER("runs"),
	INTEGER("figures"),
	{.name = "counts", SHAPE_INNER(counts)},
	{.name = "files", .list = true, SHAPE_INNER(checked_files)},
	{.name = "causes", .list = true, SHAPE_INNER(causes)},
	{.name = "changes", .list = true, SHAPE_INNER(changes)},
};

static const struct shape check = {
	.name = "check", .help = "meshsim check --json; times in ps", SHAPE_INNER(check_members)};

const struct shape *const result_outputs[] = {&show, &compare, &explain, &check, NULL};
