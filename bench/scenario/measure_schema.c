/* The schema of the keys under `measure`. They select, for example, the operations that are
 * measured, the metric in which runs are compared, and the number of seeds. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "bench/scenario/scenario.h"
#include "scenario_private.h"

static const char *const metrics[] = {"completion", "interval", "bandwidth", "throughput",
	"makespan", "host_cpu", "round",
#define X(NAME, name, from, what, ...) name,
#include "analysis/metrics/metric.def"
#undef X
	NULL};
static const char *const statistics[] = {
	"p50", "p90", "p99", "p99_9", "p99.9", "max", "mean", NULL};
static const char *const figures[] = {"p99", "mean", "throughput", "makespan", "host_cpu", NULL};

/* The metrics with an index from FIGURES_FIRST to FIGURES_END - 1 are single figures of a run,
 * which have no percentiles. All other metrics have percentiles, including `completion`, which has
 * index 0. */
enum { FIGURES_FIRST = 1, FIGURES_END = 6 };

static bool is_metric(const char *text)
{
	const char *dot = strchr(text, '.');
	size_t length = dot ? (size_t)(dot - text) : strlen(text);

	for (int i = 0; metrics[i]; i++) {
		if (strlen(metrics[i]) != length || strncmp(metrics[i], text, length) != 0)
			continue;
		if (!dot)
			return true;
		for (int s = 0; statistics[s]; s++)
			if (strcmp(statistics[s], dot + 1) == 0)
				return i < FIGURES_FIRST || i >= FIGURES_END;
	}
	return false;
}

static bool is_figure(const char *text)
{
	for (int i = 0; figures[i]; i++)
		if (strcmp(figures[i], text) == 0)
			return true;
	return false;
}

static void measure_schema_refuse(const struct schema_context *context,
	const struct tree_node *node, const char *what, const char *const *names,
	const char *const *more)
{
	const char *text = node->kind == TREE_SCALAR ? node->text : "";
	const char *dot = strchr(text, '.');
	struct nearest nearest;

	/* "completion.p99" where only figures are allowed: suggest the figure "p99" */
	nearest_start(&nearest, !more && dot && is_metric(text) ? dot + 1 : text);
	for (int i = 0; names[i]; i++)
		nearest_offer(&nearest, names[i]);
	for (int i = 0; more && more[i]; i++)
		nearest_offer(&nearest, more[i]);
	diag_error(context->diag, node->where, "no %s '%s'%s%s%s", what, text,
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
}

static void bind_metric(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	(void)field;
	if (node->kind == TREE_SCALAR && is_metric(node->text))
		*(const char **)member = node->text;
	else
		measure_schema_refuse(context, node, "metric", metrics, NULL);
}

/* Checks the list [METRIC or FIGURE, FIGURE...]. Stores only its length, because the analysis reads
 * the names again from the result file. */
static void bind_objective(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	(void)field;
	if (node->kind != TREE_SEQUENCE || node->count == 0) {
		diag_error(context->diag, node->where,
			"an objective is a list: a metric, and figures that may contradict it");
		return;
	}
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_node *item = node->items[i];
		bool scalar = item->kind == TREE_SCALAR;

		if (scalar && (is_figure(item->text) || (i == 0 && is_metric(item->text))))
			continue;
		measure_schema_refuse(context, item, i ? "figure" : "metric or figure", figures,
			i ? NULL : metrics);
	}
	*(uint32_t *)member = node->count;
}

/* "1 %", "0.5" */
static void bind_precision(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	const char *text = node->kind == TREE_SCALAR ? node->text : "";
	double percent = 0;
	const char *end = number_read_real_until(text, " %", &percent);

	(void)field;
	end = end ? end + strspn(end, " ") : NULL;
	if (!end || (strcmp(end, "") != 0 && strcmp(end, "%") != 0) || !(percent > 0) ||
		percent > 100)
		diag_error(context->diag, node->where,
			"a precision is a part of a margin in percent, as 1 %%");
	else
		*(double *)member = percent / 100;
}

/* A list of numbers and names; step_names.c checks that they exist. */
static void bind_operations(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	(void)field;
	if (node->kind == TREE_SEQUENCE && node->count > 0)
		*(const struct tree_node **)member = node;
	else
		diag_error(context->diag, node->where,
			"operations are a list: numbers, names of steps, or kinds");
}

static const struct schema_field trace_fields[] = {
	SCHEMA_CUSTOM(struct trace_keys, operations, "operations", bind_operations,
		.help = "these: by number, from 1, by the name of their step, or by kind",
		.json = "{\"type\": \"array\", \"items\": {\"type\": [\"string\", "
			"\"integer\"]}, \"minItems\": 1}"),
	SCHEMA_INT(struct trace_keys, slowest, "slowest", .max = TRACE_OPERATIONS_MAX,
		.fallback = "0", .help = "so many of the longest latency; warm-up does not count"),
};
static const struct schema trace_schema = SCHEMA("trace", struct trace_keys, trace_fields,
	.help = "operations that are recorded over time, for `timeline` and `report`: what their "
		"chips, processors, links and threads did and how full queues were, at most 256 "
		"operations of a run; the run is made twice. Simulated runs only");

/* The names are in the order of enum log_level. */
static const char *const level_names[] = {"debug", "info", "warning", "error", "none", NULL};

static const struct schema_field log_fields[] = {
#define X(name, word, what)                                                                        \
	SCHEMA_ENUM(struct log_keys, word, #word, level_names, .fallback = "none", .help = what),
#include "lists/log.def"
#undef X
	SCHEMA_INT(struct log_keys, lines, "lines", .min = 1, .max = 1000000, .fallback = "10000",
		.help = "lines that the result file keeps, the first ones; others are counted"),
};
static const struct schema log_schema = SCHEMA("log", struct log_keys, log_fields,
	.help = "what the runtime logs, each type from this level on; costs no simulated time. "
		"`show` prints the lines of a run");

static const struct schema_field measure_fields[] = {
	SCHEMA_INT(struct measure_keys, warmup, "warmup", .max = SCENARIO_OPERATIONS_MAX,
		.fallback = "0", .help = "first iterations of repeated steps that do not count"),
	SCHEMA_BOOL(struct measure_keys, verify, "verify", .fallback = "true",
		.help = "compare read data and the L1 of some workers with what must be there; "
			"refuses races between command queues"),
	SCHEMA_INT(struct measure_keys, verify_cores, "verify_cores", .min = 1, .max = 100000,
		.fallback = "16", .help = "workers compared per program, drawn from the seed"),
	SCHEMA_CUSTOM(struct measure_keys, metric, "metric", bind_metric,
		.help = "what questions are answered on, with .p50, .p99 and so on; left out: what "
			"the workload makes meaningful",
		.json = "{\"type\": \"string\"}"),
	SCHEMA_CUSTOM(struct measure_keys, objective_count, "objective", bind_objective,
		.help = "the metric, and the figures that may contradict it (p99, mean, "
			"throughput, "
			"makespan, host_cpu); left out: all of them",
		.json = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
			"\"minItems\": 1}"),
	SCHEMA_MAP(struct measure_keys, trace, "trace", &trace_schema),
	SCHEMA_INT(struct measure_keys, prints, "prints", .max = 1000000, .fallback = "1000",
		.help = "values printed by kernels that the result file keeps, the first ones; "
			"others are counted"),
	SCHEMA_BOOL(struct measure_keys, kernels, "kernels", .fallback = "false",
		.help = "every core prints when the kernels of a launch start and end, as the "
			"device profiler of hardware notes it; takes no simulated time. Not those "
			"of other hosts"),
	SCHEMA_MAP(struct measure_keys, log, "log", &log_schema),
	SCHEMA_INT(struct measure_keys, seeds, "seeds", .min = 1, .max = SCENARIO_SEEDS_MAX,
		.fallback = "1",
		.help = "runs of each point, with seeds from `seed` on; with `precision` the most"),
	SCHEMA_CUSTOM(struct measure_keys, precision, "precision", bind_precision,
		.help = "adds seeds until the interval of each question's margin is at most this "
			"wide to either side, in percent, or there are `seeds` of them",
		.json = "{\"type\": [\"string\", \"number\"]}"),
};
const struct schema measure_schema =
	SCHEMA("measure", struct measure_keys, measure_fields, .help = "what counts");

void log_keys_least(const struct log_keys *keys, enum log_level least[LOG_TYPE_COUNT])
{
#define X(name, word, what) least[LOG_##name] = (enum log_level)keys->word;
#include "lists/log.def"
#undef X
}
