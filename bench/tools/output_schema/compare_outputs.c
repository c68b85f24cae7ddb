/* The JSON that `compare` prints (see output_schema.h). Times are in ps. */
#include "shapes.h"

/* The metrics that `compare` and `explain` may choose. The first of them are not in metric.def. */
const char output_metric_choices[] = "interval transfer throughput makespan host_cpu round "
				     "completion"
#define X(NAME, metric, from, what, ...) " " metric
#include "analysis/metrics/metric.def"
#undef X
	;

static const struct shape points[] = {
	TEXT("subject", .help = "kind of operation, or KIND/NAME of one of its steps"),
	INTEGER("run"),
	TEXT("status"),
	INTEGER("seeds", .help = "runs that differ in the seed alone"),
	KEYS,
	INTEGER("operations", .help = "samples"),
	NUMBER("value", .optional = true,
		.help = "of metric and statistic; absent if it failed or has no steady state"),
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
	NUMBER("host_cpu", .optional = true, .help = "ps by operation; not of single steps"),
	NUMBER("controller_cpu", .optional = true,
		.help = "of it the controller's; only of machines of several hosts"),
};

static const struct shape ranking[] = {
	TEXT("option"),
	TEXT("label", .help = "with the best of what else it has"),
	INTEGER("run"),
	NUMBER("value", .nullable = true, .help = "null: no steady state"),
	NUMBER("margin", .nullable = true, .help = "by what part of the best it is larger"),
	NUMBER("low", .nullable = true, .help = "of the 95 % interval; null: there is none"),
	NUMBER("high", .nullable = true),
	TEXT("interval", .choices = "seeds run none",
		.help = "between seeds, within the run of one, or none: one seed, one figure"),
	BOOL("tied", .help = "not decidedly worse than the best"),
	TEXT("words", .help = "by how much it takes longer, with the interval; empty for the best"),
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
	INTEGER("rows", .help = "figures that the error is of; 0: unknown"),
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
	TEXT("kind", .help = "assumed, fitted, or measured on a loopback or on one machine"),
	NUMBER("effect", .nullable = true,
		.help = "by what part of itself 30 % of it moves the margin; null: not tried"),
	TEXT("words", .help = "the same; empty: not tried"),
};

static const struct shape cases[] = {
	TEXT("with", .help = "what was changed"),
	BOOL("single", .help = "one constant of a group, and not counted in `tried`"),
	NUMBER("margin", .nullable = true, .help = "negative: the rival is ahead; null: no run"),
	TEXT("rival", .nullable = true, .help = "the option that is next"),
	TEXT("failure", .nullable = true, .help = "what could not run, and why"),
	TEXT("words"),
};

static const struct shape chances[] = {
	TEXT("option"),
	TEXT("label"),
	NUMBER("chance", .help = "probability that it is the best"),
};

static const struct shape joint_costs[] = {
	TEXT("constant", .help = "path below the platform"),
	TEXT("kind"),
	NUMBER("factor", .help = "nine of ten draws are within it"),
	NUMBER("first", .help = "share of the variance by itself: first-order Sobol index"),
	NUMBER("total", .help = "with its interactions: total Sobol index"),
};

static const struct shape together[] = {
	TEXT("groups", .list = true, .help = "of costs, the first six"),
	INTEGER("count"),
	TEXT("rival", .help = "the option that they put ahead"),
	NUMBER("margin", .help = "to first order"),
	NUMBER("measured", .nullable = true, .help = "of a rerun; null: there was none"),
};

static const struct shape joint[] = {
	TEXT("basis", .help = "first order, confirmed, corrected or reruns"),
	INTEGER("draws", .help = "to first order"),
	INTEGER("reruns", .help = "draws that were rerun"),
	INTEGER("failed", .help = "could not run"),
	INTEGER("runs"),
	TEXT("failure", .nullable = true, .help = "the first that could not run, and why"),
	NUMBER("error", .nullable = true, .help = "of the first order, in parts of the time"),
	NUMBER("precision", .nullable = true, .help = "half of the 95 % interval of the chance"),
	{.name = "options", .list = true, SHAPE_INNER(chances)},
	NUMBER("low", .help = "5 % of the draws have a smaller margin over the second option"),
	NUMBER("middle"),
	NUMBER("high"),
	{.name = "costs",
		.list = true,
		.help = "that the margin varies with, to first order",
		SHAPE_INNER(joint_costs)},
	{.name = "together",
		.nullable = true,
		.help = "groups of costs that reverse the verdict at 30 %; null: none do",
		SHAPE_INNER(together)},
};

static const struct shape robust[] = {
	INTEGER("held"),
	INTEGER("tried"),
	INTEGER("failed", .help = "could not run"),
	INTEGER("untried", .help = "cases that would have taken too long"),
	INTEGER("runs"),
	TEXT("breaks", .list = true, .help = "what breaks the verdict"),
	TEXT("failures", .list = true, .help = "what could not run, and why"),
	{.name = "cases", .list = true, .help = "each perturbation", SHAPE_INNER(cases)},
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
	BOOL("same", .help = "the designs take the same time"),
	BOOL("idle", .help = "the designs take the same time: swept keys have no effect"),
	BOOL("breaks", .help = "the margin vanishes, or the rival wins"),
	BOOL("equal", .help = "the designs are not told apart as they stand, so none of them wins"),
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
	TEXT("subject", .help = "the kind, step or loop that it is best for"),
	TEXT("context", .help = "of conditions, such as the platform"),
	INTEGER("run"),
	NUMBER("value", .help = "of the metric"),
	INTEGER("next", .nullable = true, .help = "the second best run; null: there is one point"),
	NUMBER("margin", .nullable = true, .help = "by what part the next one takes longer"),
	BOOL("decided"),
	TEXT("rests_on", .nullable = true, .help = "the guess that moves the margin most"),
	INTEGER("guesses", .help = "constants that it rests on"),
	{.name = "choices",
		.list = true,
		.help = "unswept choices that the margin rests on",
		SHAPE_INNER(choices)},
	TEXT("words"),
};

static const struct shape items[] = {
	TEXT("item", .help = "mechanism, joint, rests on and so on"),
	TEXT("parts", .list = true),
};

static const struct shape questions[] = {
	TEXT("question"),
	TEXT("subject", .help = "kind of operation, or KIND/NAME of one of its steps"),
	TEXT("metric", .choices = output_metric_choices),
	TEXT("reason", .help = "why this metric"),
	INTEGER("seeds", .help = "most of any point; 1: intervals are within the run"),
	TEXT("outcome", .choices = "wins depends trade-off undecided fragile conditional"),
	TEXT("leader", .nullable = true, .help = "the best in the focus"),
	TEXT("winner", .nullable = true),
	TEXT("verdict", .help = "as a sentence"),
	TEXT("focus", .help = "context that the rest is about"),
	{.name = "contexts", .list = true, SHAPE_INNER(contexts)},
	{.name = "items",
		.list = true,
		.help = "all that the text output says, in its words, not shortened",
		SHAPE_INNER(items)},
	{.name = "sides", .list = true, .help = "what contradicts", SHAPE_INNER(sides)},
	{.name = "ends", .list = true, .help = "options that fail in a context", SHAPE_INNER(ends)},
	{.name = "model_error",
		.nullable = true,
		.help = "why a margin that is no chance decides nothing; null: it does, or is",
		SHAPE_INNER(model_error)},
	{.name = "model_owed",
		.nullable = true,
		.help = "error of the model that could move the margin of a sole winner most",
		SHAPE_INNER(model_error)},
	{.name = "mechanism", .nullable = true, SHAPE_INNER(mechanism)},
	{.name = "crossovers", .list = true, SHAPE_INNER(crossovers)},
	TEXT("hint", .nullable = true, .help = "where more seeds may show that the verdict flips"),
	{.name = "front",
		.list = true,
		.help = "options that no other one beats in time and in host CPU",
		SHAPE_INNER(front)},
	{.name = "choices",
		.list = true,
		.help = "unswept choices that the margin rests on",
		SHAPE_INNER(choices)},
	{.name = "rests_on", .list = true, SHAPE_INNER(rests)},
	{.name = "robust", .nullable = true, .help = "null: not tried", SHAPE_INNER(robust)},
	{.name = "joint", .nullable = true, .help = "all costs uncertain", SHAPE_INNER(joint)},
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

static const struct shape trust_platforms[] = {
	TEXT("platform"),
	INTEGER("measured", .help = "constants"),
	INTEGER("fitted"),
	INTEGER("published"),
	INTEGER("assumed"),
	INTEGER("figures", .help = "measured on this machine, in the error table"),
	TEXT("words"),
};

static const struct shape trust[] = {
	{.name = "platforms", .list = true, SHAPE_INNER(trust_platforms)},
	TEXT("errors", .help = "validated, of the families that decide the best point"),
};

static const struct shape advice[] = {
	TEXT("why"),
	TEXT("command", .help = "repeats the one that made the file"),
};

static const struct shape compare_members[] = {
	{.name = "pair",
		.optional = true,
		.help = "of two files, which are the options of each question",
		SHAPE_INNER(two_files)},
	TEXT("kind", .help = "of operation"),
	TEXT("metric", .choices = output_metric_choices),
	TEXT("reason", .help = "why this metric"),
	TEXT("statistic"),
	NUMBER("tie_band", .help = "a smaller margin decides nothing"),
	{.name = "points", .list = true, SHAPE_INNER(points)},
	{.name = "best", .list = true, .help = "one of each loop and context", SHAPE_INNER(best)},
	{.name = "trust", .help = "in the constants, and in the model", SHAPE_INNER(trust)},
	{.name = "questions", .list = true, SHAPE_INNER(questions)},
	TEXT("also_measured", .list = true, .help = "kinds of operation without a question"),
	{.name = "advice", .list = true, .help = "what to try next", SHAPE_INNER(advice)},
};

static const struct shape compare = {.name = "compare",
	.help = "meshsim compare --json; times in ps",
	SHAPE_INNER(compare_members)};

const struct shape *const compare_outputs[] = {&compare, NULL};
