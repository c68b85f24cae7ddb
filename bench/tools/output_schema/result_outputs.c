/* The JSON that show, explain and check print (see output_schema.h). Times are in ps. */
#include "shapes.h"

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
	{.name = "saved",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.optional = true,
		.help = "what steps saved (key `save`): the run's table saved_NAME has the values"},
	{.name = "log",
		.kind = SHAPE_OBJECT,
		.open = true,
		.list = true,
		.optional = true,
		.help = "log lines of the runtime, as many as measure.log.lines"},
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
	ROWS("models"),
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
	{.name = "p50",
		.optional = true,
		.help = "not of interval and bandwidth",
		SHAPE_INNER(path)},
	{.name = "p99", .optional = true, SHAPE_INNER(path)},
	{.name = "mean", .optional = true, .help = "sums over all operations", SHAPE_INNER(path)},
	{.name = "asked",
		.optional = true,
		.help = "the statistic that was asked for, if it is not p50",
		SHAPE_INNER(path)},
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

static const struct shape parts[] = {
	TEXT("part", .choices = "enqueue host_wait messages pcie prefetch fabric dispatch kernels "
				"completion other"),
	TEXT("label"),
	NUMBER("value", .list = true, .length = 2),
	NUMBER("difference"),
	TEXT("largest", .help = "label of the largest stage"),
};

static const struct shape conclusion[] = {
	TEXT("sentence"),
	NUMBER("value", .list = true, .length = 2, .help = "the median, or as asked for"),
	INTEGER("seeds", .optional = true, .help = "that both designs have"),
	NUMBER("margin", .optional = true,
		.help = "of the second run's design over the first's, over these seeds; as "
			"compare's"),
	{.name = "parts",
		.list = true,
		.help = "the largest first; their values sum to the whole",
		SHAPE_INNER(parts)},
	NUMBER("last_chip_after", .list = true, .length = 2, .optional = true,
		.help = "median from the start of the first chip to that of the last"),
};

static const struct shape explain_members[] = {
	TEXT("kind", .help = "of operation"),
	TEXT("metric", .choices = output_metric_choices),
	TEXT("unit", .choices = "ps"),
	{.name = "runs", .list = true, .length = 2, SHAPE_INNER(explain_runs)},
	{.name = "conclusion", SHAPE_INNER(conclusion)},
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

const struct shape *const result_outputs[] = {&show, &explain, &check, NULL};
