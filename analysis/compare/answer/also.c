/* Lists the kinds of operations that a file has measured but that have no question (best.h). */
#include <string.h>

#include "analysis/compare/best.h"
#include "analysis/print/wrap.h"

enum { ALSO_MAX = 8, CALLS_LEAST = 2 };

/* True if a subject is about this kind of operation. */
static bool is_asked(const struct comparison *comparison, const char *kind)
{
	size_t length = strlen(kind);
	bool asked = false;

	for (uint32_t i = 0; i < comparison->subject_count && !asked; i++) {
		const struct sweep_points *points = &comparison->subjects[i].points;
		bool of_step = points->iteration && points->step_kind;
		const char *of = of_step ? points->step_kind : points->kind;

		asked = strncmp(of, kind, length) == 0 && (of[length] == '\0' || of[length] == '/');
	}
	return asked;
}

/* Returns true if some run has at least CALLS_LEAST operations of this kind, and if these
 * operations launch workloads or move data. */
static bool does_work(const struct summary *summary, const struct summary_kind *kind)
{
	bool does = false;

	for (uint64_t row = 0; row < summary->dataset.row_count && !does; row++)
		does = kind->count && kind->bandwidth && summary_is_ok(summary, row) &&
		       dataset_integer(&summary->dataset, kind->count, row) >= CALLS_LEAST &&
		       (strcmp(kind->name, "enqueue_workload") == 0 ||
			       dataset_real(&summary->dataset, kind->bandwidth, row) > 0);
	return does;
}

/* Lists the kinds of operations that do work but have no question. Returns their number, at most
 * ALSO_MAX. The number is 0 if two files are compared, or if the user chose a kind, a step or a
 * program. */
static uint32_t also_measured(const struct comparison *comparison, const char *kinds[ALSO_MAX])
{
	const struct compare_options *options = comparison->options;
	const struct summary *summary = &comparison->summary;
	uint32_t count = 0;

	if (comparison->pair || options->kind || options->step || options->program)
		return 0;
	for (uint32_t i = 0; i < summary->kind_count && count < ALSO_MAX; i++) {
		const struct summary_kind *kind = &summary->kinds[i];

		if (!strchr(kind->name, '/') && !is_asked(comparison, kind->name) &&
			does_work(summary, kind))
			kinds[count++] = kind->name;
	}
	return count;
}

void also_print(struct comparison *comparison, FILE *out)
{
	struct arena *arena = &comparison->arena;
	const char *kinds[ALSO_MAX], *list = "";
	uint32_t count = also_measured(comparison, kinds);

	for (uint32_t i = 0; i < count; i++)
		list = arena_printf(arena, "%s%s%s", list,
			i == 0		 ? ""
			: i + 1 == count ? " and "
					 : ", ",
			kinds[i]);
	if (count > 0)
		wrap_hang(
			arena_printf(arena, "also measured: %s (meshsim compare %s --kind=%s)",
				list,
				advice_word(comparison->file ? comparison->file : "FILE.h5", arena),
				count == 1 ? kinds[0] : "KIND"),
			0, 6, comparison->answer_columns, "", out);
}

void also_json(struct comparison *comparison, struct json *json)
{
	const char *kinds[ALSO_MAX];
	uint32_t count = also_measured(comparison, kinds);

	json_array_of(json, "also_measured");
	for (uint32_t i = 0; i < count; i++)
		json_string(json, kinds[i]);
	json_array_end(json);
}
