/* Reads sweep points (sweep_points.h). A sweep may have a thousand runs, so the operations of each
 * run are freed before the next run is read. */
#include "analysis/compare/sweep_points.h"

#include <string.h>

#include "base/table/order.h"
#include "base/tree.h"

static bool sweep_points_same_keys(const char *const *a, const char *const *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* Returns the point of the run at `row`. Adds the point if it is new. */
static struct sweep_point *point_of(struct sweep_points *points, const struct sweep_source *source,
	uint64_t row, struct arena *arena)
{
	uint32_t count = sweep_key_count(source);
	const char **keys = sweep_key_texts(source, row, arena);
	struct sweep_point *point;

	for (uint32_t i = 0; i < points->count; i++)
		if (sweep_points_same_keys(points->at[i].keys, keys, count))
			return &points->at[i];
	point = &points->at[points->count++];
	*point = (struct sweep_point){.keys = keys,
		.summary = source->summary,
		.row = row,
		.fair = 1,
		.good = true,
		.status = "ok"};
	point->charges.known = true;
	point->stages.known = true;
	return point;
}

static void add_samples(struct sweep_point *point, const struct sorted *more, struct arena *arena)
{
	uint32_t before = point->samples.count;
	int64_t *values = arena_array(arena, before + more->count, sizeof(*values));

	if (before)
		memcpy(values, point->samples.at, before * sizeof(*values));
	if (more->count)
		memcpy(values + before, more->at, more->count * sizeof(*values));
	if (before)
		sort_integers(values, before + more->count);
	point->samples = (struct sorted){values, before + more->count};
}

/* Adds the stages of a run to the mean stages of its point, weighted by the number of samples. */
static void sweep_points_add_stages(struct sweep_point *point, const struct measured *measured)
{
	double before = point->samples.count, all = before + measured->values.count;

	point->stages.known &= measured->has_stages;
	for (int s = 0; all > 0 && s < STAGE_COUNT; s++)
		point->stages.time[s] = (point->stages.time[s] * before +
						measured->stages[s] * measured->values.count) /
					all;
}

/* Percentiles above this one, in per mille, are tails. */
enum { TAIL = 900 };

/* Adds the figures of a run to its point. */
static void add_run_figures(struct sweep_point *point, const struct sweep_points *points,
	const struct measured *measured, const struct point_run *run, struct arena *arena)
{
	struct point_run *runs = arena_array(arena, point->seeds + 1, sizeof(*runs));
	struct point_run *new = &runs[point->seeds];

	if (point->seeds)
		memcpy(runs, point->runs, point->seeds * sizeof(*runs));
	*new = *run;
	if (measured->values.count) {
		new->figures[FIGURE_METRIC] = statistic(&measured->values, points->which);
		new->figures[FIGURE_P99] = statistic(&measured->values, 990);
		new->figures[FIGURE_MEAN] = statistic(&measured->values, STATISTIC_MEAN);
		if (points->which > TAIL)
			new->variances[FIGURE_METRIC] =
				statistic_variance(&measured->values, points->which);
		new->variances[FIGURE_P99] = statistic_variance(&measured->values, 990);
	}
	new->figures[FIGURE_THROUGHPUT] = measured->interval;
	new->figures[FIGURE_MAKESPAN] = measured->makespan > 0 ? (double)measured->makespan : 0;
	if (points->figure != FIGURE_METRIC) {
		new->figures[FIGURE_METRIC] = new->figures[points->figure];
		new->variances[FIGURE_METRIC] = new->variances[points->figure];
	}
	point->runs = runs;
}

/* Updates the means over seeds, which tables show. */
static void add_means(struct sweep_point *point, const struct sweep_points *points,
	const struct measured *measured, double host_cpu)
{
	double seeds = point->seeds, metric = point->runs[point->seeds].figures[FIGURE_METRIC];
	double throughput = measured->interval > 0 ? 1e12 / measured->interval : 0;
	double bandwidth =
		points->mode == MEASURE_TRANSFER && metric > 0 ? MEASURE_BYTES * 1e12 / metric : 0;

	point->operations += measured->operations;
	if (measured->operations)
		point->bytes = (double)measured->bytes / measured->operations;
	point->throughput = (point->throughput * seeds + throughput) / (seeds + 1);
	point->bandwidth = (point->bandwidth * seeds + bandwidth) / (seeds + 1);
	point->host_cpu = (point->host_cpu * seeds + host_cpu) / (seeds + 1);
	if (measured->needed > point->needed)
		point->needed = measured->needed;
}

static void add_measured(struct sweep_point *point, struct summary *summary, uint64_t row,
	uint32_t made, struct sweep_points *points, const struct measured *measured,
	struct arena *arena)
{
	double busy = dataset_real_of(&summary->dataset, "host_busy", row);
	struct point_run run = {
		.seed = (uint64_t)dataset_integer(&summary->dataset, summary->seed, row)};

	points->cpu_of_runs |= measured->host_cpu < 0;
	run.cpu_of_run = made ? busy / made : 0;
	run.figures[FIGURE_HOST_CPU] = points->cpu_of_runs ? run.cpu_of_run : measured->host_cpu;
	if (point->seeds == 0)
		point->made = made;
	sweep_points_add_stages(point, measured);
	add_run_figures(point, points, measured, &run, arena);
	add_means(point, points, measured, run.figures[FIGURE_HOST_CPU]);
	add_samples(point, &measured->values, arena);
	point->seeds++;
	point->saturated |= measured->saturated;
	points->open |= measured->offered > 0;
	if (measured->in_flight > points->in_flight)
		points->in_flight = measured->in_flight;
	if (point->seeds > points->seeds)
		points->seeds = point->seeds;
}

/* True if a map below a node has the key with this value. */
static bool tree_has(const struct tree_node *node, const char *key, const char *value)
{
	bool found = false;

	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count && !found; i++)
		found = tree_has(node->items[i], key, value);
	for (uint32_t i = 0; node->kind == TREE_MAP && i < node->count && !found; i++) {
		const struct tree_node *child = node->pairs[i].value;

		found = (child->kind == TREE_SCALAR && strcmp(node->pairs[i].key, key) == 0 &&
				strcmp(child->text, value) == 0) ||
			tree_has(child, key, value);
	}
	return found;
}

/* True if nothing in the run depends on its seed: its noise is off, and no arrivals are drawn. */
static bool is_exact(struct summary *summary, uint64_t row)
{
	struct arena scratch = {0};
	const char *text = result_document(summary->result,
		arena_printf(&scratch, "%s/scenario", summary_group(summary, row)), &scratch);
	struct diag *diag = diag_new();
	struct tree *tree = text ? tree_read_text("scenario", text, strlen(text), diag) : NULL;
	const struct tree_node *noise = tree ? tree_find(tree_root(tree), "model.noise") : NULL;
	bool exact = noise && noise->kind == TREE_SCALAR &&
		     (strcmp(noise->text, "off") == 0 || strcmp(noise->text, "none") == 0 ||
			     strcmp(noise->text, "false") == 0);
	exact = exact && !tree_has(tree_root(tree), "arrivals", "poisson");

	tree_free(tree);
	diag_free(diag);
	arena_fini(&scratch);
	return exact;
}

/* Returns the name of a run's platform. It is found by searching the text of the platform for a
 * line that begins with the key `name`. */
static const char *read_machine(struct summary *summary, uint64_t row, struct arena *arena)
{
	static const char key[] = "name: ";
	struct arena scratch = {0};
	const char *text = result_document(summary->result,
		arena_printf(&scratch, "%s/platform", summary_group(summary, row)), &scratch);
	const char *name = "";

	while (text && *text && strncmp(text, key, sizeof key - 1) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	if (text && *text) {
		text += sizeof key - 1;
		name = arena_copy(arena, text, strcspn(text, "\n"));
	}
	arena_fini(&scratch);
	return name;
}

/* Reads the operations of a run that ended well. */
static bool sweep_points_add_operations(struct sweep_point *point, struct summary *summary,
	uint64_t row, struct sweep_points *points, struct arena *arena, struct text *why)
{
	const struct operations *operations =
		operations_of(summary, summary_group(summary, row), true, why);
	struct arena scratch;
	const struct sweep_run_of of = {summary, summary_group(summary, row), &scratch, arena};
	struct measured measured;
	uint32_t made = 0;
	bool good = operations != NULL;

	arena_init(&scratch);
	if (good) {
		point->shares_run |= sweep_shares_run(operations, points);
		points->shares_run |= point->shares_run;
		good = sweep_measure(
			operations, points, &of, &measured, &made, &point->charges, why);
		if (point->seeds == 0) {
			point->native = summary_is_native(summary);
			point->exact = !point->native && is_exact(summary, row);
			point->machine = read_machine(summary, row, arena);
		}
		add_measured(point, summary, row, made, points, &measured, arena);
		if (point->samples.count == 0) {
			point->good = false;
			point->status = measured.needed && measured.operations ? "no steady state"
									       : "no samples";
		}
	}
	arena_fini(&scratch);
	return good;
}

/* Adds a run to its point. */
static bool sweep_points_add_run(struct sweep_point *point, struct summary *summary, uint64_t row,
	struct sweep_points *points, struct arena *arena, struct text *why)
{
	const char *status = dataset_text(&summary->dataset, summary->status, row);

	if (strcmp(status, "ok") == 0)
		return sweep_points_add_operations(point, summary, row, points, arena, why);
	point->good = false;
	point->failed |=
		strcmp(status, "lost") != 0; /* a run that was killed from outside is no failure */
	point->status = status;
	return true;
}

/* Sets *mode to the mode (analysis/operations/measure.h) in which all runs are measured. If some
 * run has the mode MEASURE_FLIGHT or MEASURE_OPEN, this is the mode; otherwise it is the mode of
 * the first run. Considers only runs that ended well, and sets *any to true if there are any. If
 * some run has more than *in_flight operations in flight, sets *in_flight to the largest number.
 * Returns false, with a sentence in `why`, if a run cannot be read. */
static bool find_mode(struct summary *summary, const struct sweep_subject *subject, bool *any,
	enum measure_mode *mode, uint32_t *in_flight, struct text *why)
{
	bool good = true;

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		const char *status = dataset_text(&summary->dataset, summary->status, row);
		const struct operations *operations;
		struct measured measured;
		struct arena scratch;
		if (strcmp(status, "ok") != 0)
			continue;
		arena_init(&scratch);
		operations = operations_of(summary, summary_group(summary, row), false, why);
		good = operations != NULL;
		if (good) {
			enum measure_mode found =
				subject->iteration
					? measure_mode_of_rounds(operations, subject->kind)
					: measure_mode_of(operations, subject->kind);
			if (!*any || found == MEASURE_FLIGHT || found == MEASURE_OPEN)
				*mode = found;
			*any = true;
			measure_take(operations, subject->kind, found, METRIC_COMPLETION, &scratch,
				&measured);
			if (measured.in_flight > *in_flight)
				*in_flight = measured.in_flight;
		}
		arena_fini(&scratch);
	}
	return good;
}

static bool read_source(struct sweep_points *points, const struct sweep_source *source,
	struct arena *arena, bool *any, struct text *why)
{
	struct summary *summary = source->summary;

	for (uint64_t row = 0; row < summary->dataset.row_count; row++) {
		struct sweep_point *point = point_of(points, source, row, arena);
		if (!sweep_points_add_run(point, summary, row, points, arena, why))
			return false;
		*any |= point->good;
	}
	return true;
}

/* The CPU time of the host for the measured operations may be unknown in some run. Then uses for
 * all runs the CPU time of the whole run, divided by the number of its operations. So only figures
 * of the same kind are compared. */
static void compare_by_run(struct sweep_points *points)
{
	for (uint32_t i = 0; points->cpu_of_runs && i < points->count; i++) {
		struct sweep_point *point = &points->at[i];

		point->host_cpu = 0;
		for (uint32_t r = 0; r < point->seeds; r++) {
			struct point_run *run = &point->runs[r];

			run->figures[FIGURE_HOST_CPU] = run->cpu_of_run;
			if (points->figure == FIGURE_HOST_CPU)
				run->figures[FIGURE_METRIC] = run->cpu_of_run;
			point->host_cpu += run->cpu_of_run / point->seeds;
		}
	}
}

/* If transfers have different sizes, converts host CPU and stages to times per MiB. All other times
 * are per MiB already. Makespan and throughput are then not allowed to contradict the metric,
 * because they would compare different amounts of data. */
static void compare_by_byte(struct sweep_points *points)
{
	double bytes = 0;

	for (uint32_t i = 0; i < points->count; i++) {
		const struct sweep_point *point = &points->at[i];
		if (!point->good || point->bytes <= 0)
			continue;
		points->by_byte |= bytes > 0 && point->bytes != bytes;
		bytes = point->bytes;
	}
	points->by_byte &= points->mode == MEASURE_TRANSFER;
	if (!points->by_byte)
		return;
	points->witness[FIGURE_MAKESPAN] = points->witness[FIGURE_THROUGHPUT] = false;
	for (uint32_t i = 0; i < points->count; i++) {
		struct sweep_point *point = &points->at[i];
		if (!point->good || point->bytes <= 0)
			continue;
		point->fair = MEASURE_BYTES / point->bytes;
		for (int s = 0; s < STAGE_COUNT; s++)
			point->stages.time[s] *= point->fair;
		for (uint32_t r = 0; r < point->seeds; r++)
			point->runs[r].figures[FIGURE_HOST_CPU] *= point->fair;
	}
}

bool sweep_points_read_all(const struct sweep_source *sources, uint32_t count,
	const struct sweep_subject *subject, const struct sweep_wish *wish, struct arena *arena,
	struct sweep_points *points, struct text *why)
{
	enum measure_mode rule = MEASURE_EACH;
	uint32_t in_flight = 0;
	uint64_t rows = 0;
	bool any = false;

	memset(points, 0, sizeof(*points));
	for (uint32_t i = 0; i < count; i++) {
		if (!find_mode(sources[i].summary, subject, &any, &rule, &in_flight, why))
			return false;
		rows += sources[i].summary->dataset.row_count;
	}
	points->at = arena_array(arena, rows, sizeof(*points->at));
	points->kind = subject->kind;
	points->label = subject->label;
	points->iteration = subject->iteration;
	points->of_loop = subject->of_loop;
	points->together = subject->together;
	points->within = subject->within;
	points->span_anchor = subject->span_anchor;
	points->whole = subject->whole;
	points->around = subject->around;
	points->run = subject->run;
	points->of_loops = subject->of_loops;
	points->step_kind = subject->step_kind;
	points->in_flight = in_flight;
	if (!sweep_metric_choose(points, wish, rule, arena, why))
		return false;
	/* intervals between ends do not depend on where the time of an operation begins */
	points->parted = subject->parted;
	points->unlike = subject->unlike && points->mode != MEASURE_FLIGHT;
	any = false;
	for (uint32_t i = 0; i < count; i++)
		if (!read_source(points, &sources[i], arena, &any, why))
			return false;
	points->unmeasured = !any;
	if (!any)
		text_printf(why, "no run has measured operations of kind %s", points->kind);
	compare_by_run(points);
	compare_by_byte(points);
	return any;
}

bool sweep_points_read(struct summary *summary, const struct sweep_subject *subject,
	const struct sweep_wish *wish, struct arena *arena, struct sweep_points *points,
	struct text *why)
{
	const struct sweep_source source = {.summary = summary};

	return sweep_points_read_all(&source, 1, subject, wish, arena, points, why);
}

bool sweep_point_read(struct summary *summary, const struct sweep_points *like, struct arena *arena,
	struct sweep_point *point, struct text *why)
{
	struct sweep_points points = *like;

	*point = (struct sweep_point){.summary = summary, .good = true, .fair = 1, .status = "ok"};
	point->charges.known = true;
	point->stages.known = true;
	return summary->dataset.row_count == 1 &&
	       sweep_points_add_run(point, summary, 0, &points, arena, why);
}
