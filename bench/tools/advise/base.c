/* Makes the base of `meshsim advise`: a scenario without a sweep, whose workload is a loop
 * (advise.h). If most steps of the workload are in loops, keeps these loops. Otherwise the whole
 * workload becomes the body of one loop, for example if it was imported from a profiler's report.
 * Long pauses between its calls are shortened, because the application compiled programs during
 * these pauses. */
#include <stdlib.h>
#include <string.h>

#include "advise.h"

/* If the time between two calls is longer than this many times the median, it is a pause that does
 * not belong to an iteration. It is then shortened to the median. */
enum { PAUSE_FACTOR = 10 };

/* Number of iterations at the start that are not measured: the first, and also the second, because
 * if two iterations may be in flight at once, the second one waits for no earlier one. With two
 * queues, the third and the fourth run of a model capture traces, one for each set of buffers. */
enum { WARMUP = 2, MODEL_WARMUP = 4 };

/* Returns true if some step runs a model binary. */
static bool has_model(const struct tree_node *steps)
{
	bool found = advise_runs_model(steps);

	for (uint32_t i = 0; i < steps->count && !found; i++)
		found = node_body(steps->items[i]) && has_model(node_body(steps->items[i]));
	return found;
}

static const struct tree_node *base_scalar_of(
	const struct tree_node *step, const char *kind, const char *key)
{
	const struct tree_node *keys = node_keys(step, kind);

	return keys ? tree_get(keys, key) : NULL;
}

static uint64_t until_of(const struct tree_node *step)
{
	return node_number(base_scalar_of(step, "think", "until_ns"), 0);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the median distance between the times of `think` steps; 0 if there are too few. */
static uint64_t median_pace(const struct tree_node *steps)
{
	uint64_t *paces = calloc(steps->count + 1u, sizeof *paces), last = 0, median = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; paces && i < steps->count; i++) {
		uint64_t until = until_of(steps->items[i]);

		if (until > last)
			paces[count++] = until - last;
		last = until > 0 ? until : last;
	}
	if (count > 2) {
		qsort(paces, count, sizeof *paces, by_value);
		median = paces[count / 2];
	}
	free(paces);
	return median;
}

/* Shortens the pauses between the calls of a report, and says how many there were. */
static const struct tree_node *without_pauses(
	struct advise_base *base, const struct tree_node *steps)
{
	struct node_list list = {.arena = &base->arena};
	uint64_t pace = median_pace(steps), last = 0, shift = 0, paused = 0;
	uint32_t pauses = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];
		uint64_t until = until_of(step);

		if (until > last && pace > 0) {
			if (until - last > PAUSE_FACTOR * pace) {
				paused += until - last - pace;
				shift += until - last - pace;
				pauses++;
			}
			last = until;
			step = node_read(&base->arena,
				arena_printf(&base->arena, "{think: {until_ns: %llu}}",
					(unsigned long long)(until - shift)));
		}
		node_list_add(&list, step);
	}
	if (pauses > 0)
		text_printf(&base->notes,
			"%u pauses of the application, %.3g s in all, became as long as the median "
			"(%.3g us): a model that runs again compiles nothing\n",
			pauses, 1e-9 * (double)paused, 1e-3 * (double)pace);
	return node_list_end(&list);
}

static uint64_t base_size(const struct tree_node *steps)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *body = node_body(steps->items[i]);

		size += body ? base_size(body) * node_number(tree_get(steps->items[i], "repeat"), 1)
			     : 1;
	}
	return size;
}

/* True if at least half of the steps are in loops of their own. */
static bool has_loop(const struct tree_node *steps)
{
	uint64_t inside = 0;

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *body = node_body(steps->items[i]);

		if (body)
			inside += base_size(body) *
				  node_number(tree_get(steps->items[i], "repeat"), 1);
	}
	return 2 * inside >= base_size(steps);
}

/* Kinds of steps that may mark the start of an iteration, the preferred ones first. The rewrite
 * `trace` puts none of them into a trace, so the host calls them in every iteration of every
 * design. */
static const char *const marking[] = {"write_buffer", "write_tensor", "read_buffer", "read_tensor",
	"finish", "record_event", "collective"};

static uint32_t find_marking(const struct tree_node *steps, const char **kind)
{
	for (size_t k = 0; k < sizeof marking / sizeof *marking; k++)
		for (uint32_t i = 0; i < steps->count; i++)
			if (node_is(steps->items[i], marking[k])) {
				*kind = marking[k];
				return i;
			}
	return UINT32_MAX;
}

/* Adds two steps at the end: one records an event, and in the other the host waits for it. */
static const struct tree_node *with_end(struct advise_base *base, const struct tree_node *steps)
{
	struct node_list list = {.arena = &base->arena};

	for (uint32_t i = 0; i < steps->count; i++)
		node_list_add(&list, steps->items[i]);
	node_list_add(
		&list, node_read(&base->arena,
			       "{as: end, record_event: {event: advise_end, to_host: true}}"));
	node_list_add(
		&list, node_read(&base->arena, "{wait_event: {event: advise_end, host: true}}"));
	return node_list_end(&list);
}

/* Gives the step that marks an iteration a name, and keeps the name. */
static const struct tree_node *mark_iteration(
	struct advise_base *base, const struct tree_node *steps)
{
	struct node_list list = {.arena = &base->arena};
	const char *kind = NULL, *name;
	uint32_t at = find_marking(steps, &kind);
	const struct tree_node *step;

	if (advise_runs_model(steps)) { /* a run records one event for the host */
		if (!base->mark.step)
			base->mark.kind = "record_event";
		return steps;
	}
	if (at == UINT32_MAX) {
		steps = with_end(base, steps);
		at = find_marking(steps, &kind);
	}
	step = steps->items[at];
	if (step->kind == TREE_SCALAR)
		step = node_read(&base->arena, arena_printf(&base->arena, "{%s: {}}", kind));
	name = arena_string(&base->arena, node_get(step, "as", "request"));
	step = node_with(&base->arena, step, "as", node_text(&base->arena, name));
	if (!base->mark.step && !base->mark.kind)
		base->mark.step = name;
	for (uint32_t i = 0; i < steps->count; i++)
		node_list_add(&list, i == at ? step : steps->items[i]);
	return node_list_end(&list);
}

static const struct tree_node *loop_of(
	struct advise_base *base, const struct tree_node *loop, uint32_t rounds)
{
	const struct tree_node *times = node_text(
		&base->arena, arena_printf(&base->arena, "%u", base->warmup + rounds + 1));
	const struct tree_node *body = advise_models_once(base, tree_get(loop, "do"));

	body = body ? mark_iteration(base, body) : NULL;
	if (!body)
		return NULL;
	loop = node_without(&base->arena, loop, "rate_per_s");
	loop = node_without(&base->arena, loop, "arrivals");
	loop = node_with(&base->arena, loop, "repeat", times);
	return node_with(&base->arena, loop, "do", body);
}

static const struct tree_node *loops_of(
	struct advise_base *base, const struct tree_node *steps, uint32_t rounds)
{
	struct node_list list = {.arena = &base->arena};

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];

		if (node_body(step) && tree_get(step, "rate_per_s"))
			text_append(&base->notes, "requests follow each other without a pause, in "
						  "place of their rate\n");
		step = node_body(step) ? loop_of(base, step, rounds) : step;
		if (!step)
			return NULL;
		node_list_add(&list, step);
	}
	return node_list_end(&list);
}

static const struct tree_node *iteration_of(
	struct advise_base *base, const struct tree_node *steps, uint32_t rounds)
{
	struct node_list list = {.arena = &base->arena};
	const struct tree_node *loop = node_read(&base->arena, "{repeat: 1, do: []}");

	steps = without_pauses(base, steps);
	loop = steps ? loop_of(base, node_with(&base->arena, loop, "do", steps), rounds) : NULL;
	if (!loop)
		return NULL;
	node_list_add(&list, loop);
	return node_list_end(&list);
}

bool advise_base_loop(
	struct advise_base *base, const struct advise_request *request, struct diag *diag)
{
	struct location nowhere = {NULL, 0, 0};
	const struct tree_node *root = tree_root(base->tree);
	const struct tree_node *steps = tree_get(root, "workload");
	const char *measure;

	if (!steps || steps->kind != TREE_SEQUENCE || steps->count == 0) {
		diag_error(diag, location_at(diag_source(diag, request->path, NULL, 0), 0, 0),
			"a list of steps is needed under 'workload'");
		return false;
	}
	base->warmup = has_model(steps) ? MODEL_WARMUP : WARMUP;
	measure = arena_printf(&base->arena,
		"{warmup: %u, seeds: %u, metric: round.mean, objective: [host_cpu]}", base->warmup,
		request->seeds);
	steps = has_loop(steps) ? loops_of(base, steps, request->rounds)
				: iteration_of(base, steps, request->rounds);
	if (!steps) {
		diag_error(diag, location_at(diag_source(diag, request->path, NULL, 0), 0, 0),
			"too many steps to be repeated");
		return false;
	}
	tree_remove(base->tree, "sweep");
	return tree_put(base->tree, "workload", nowhere, steps, diag) &&
	       tree_set(base->tree, "measure", measure, "advise", diag);
}

/* Sets the keys of --set. */
static bool base_set(
	struct advise_base *base, const struct advise_request *request, struct diag *diag)
{
	bool good = true;

	for (uint32_t i = 0; i < request->set_count; i++) {
		const char *set = request->sets[i], *sign = strchr(set, '=');
		const char *path =
			sign ? arena_copy(&base->arena, set, (size_t)(sign - set)) : NULL;

		if (sign)
			good &= tree_set(base->tree, path, sign + 1, "--set", diag);
		else
			diag_error(diag,
				location_at(diag_source(diag, "--set", set, strlen(set)), 1, 1),
				"no value: --set KEY=VALUE");
		good &= sign != NULL;
	}
	return good;
}

bool advise_base_read(
	const struct advise_request *request, struct advise_base *base, struct diag *diag)
{
	struct text scenario = {0};
	bool good;

	*base = (struct advise_base){0};
	good = advise_input(request, &scenario, &base->notes, diag);
	if (good)
		base->tree = tree_read_text(
			request->path, text_string(&scenario), scenario.length, diag);
	good = base->tree && base_set(base, request, diag) && advise_base_loop(base, request, diag);
	if (good) {
		const struct tree_node *root = tree_root(base->tree);
		const struct tree_node *platform = tree_get(root, "platform");

		base->name = arena_string(&base->arena, node_get(root, "name", request->path));
		base->machine = arena_string(
			&base->arena, platform && platform->kind == TREE_MAP
					      ? node_get(platform, "name", "a platform of its own")
					      : node_get(root, "platform", ""));
	}
	text_fini(&scenario);
	return good;
}

void advise_base_fini(struct advise_base *base)
{
	tree_free(base->tree);
	arena_fini(&base->arena);
	text_fini(&base->notes);
}
