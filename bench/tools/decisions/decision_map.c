/* Finds the experiment for each row of a file of decisions. The words of a row select a subject
 * (subjects.def) and set the parameters of its experiment (words.def). If the tables do not cover a
 * row, the row gets the reason, and is not simulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "decision.h"

enum where { ANY, OPTION, METRIC };

static const struct subject subjects[] = {
#define X(family, kinds, needs, metrics, system, choices, loads)                                   \
	{#family, kinds, needs, metrics, system, choices, loads},
#include "subjects.def"
};

static const struct {
	const char *phrases, *reason;
} refusals[] = {
#define REFUSE(phrases, reason) {phrases, reason},
#include "subjects.def"
};

static const struct word {
	const char *families;
	enum where where;
	const char *phrase, *settings;
} words[] = {
#define X(families, where, phrase, settings) {families, where, phrase, settings},
#include "words.def"
#undef X
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool decision_one_of(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t next = strcspn(list, "|");

		if (next == length && strncmp(list, word, length) == 0)
			return true;
		list += next + (list[next] == '|');
	}
	return false;
}

/* ---- parameters ---- */

struct mapping {
	struct arena *arena;
	struct decision_row *row;
	struct reference_row *run;
	const char *system, *load, *metric;
};

static void set(struct mapping *mapping, const char *key, const char *value)
{
	struct reference_row *run = mapping->run;

	if (strcmp(key, "@system") == 0) {
		mapping->system = mapping->system ? mapping->system : value;
	} else if (strcmp(key, "@load") == 0) {
		mapping->load = mapping->load ? mapping->load : value;
	} else if (strcmp(key, "@metric") == 0) {
		mapping->metric = mapping->metric ? mapping->metric : value;
	} else if (!reference_param(run, key) && run->param_count < REFERENCE_PARAMS_MAX) {
		run->params[run->param_count++] =
			(struct reference_param){key, value, mapping->row->where};
	}
}

/* Applies settings such as "key=value;key=%". */
static void map_apply(struct mapping *mapping, const char *settings, const char *number)
{
	char *rest = arena_string(mapping->arena, settings), *part;

	if (*settings == '!') {
		mapping->row->reason = mapping->row->reason ? mapping->row->reason : settings + 1;
		return;
	}
	while ((part = strsep(&rest, ";")) != NULL) {
		char *value = strchr(part, '='), *hole;

		*value++ = '\0';
		hole = strchr(value, '%');
		set(mapping, part,
			hole ? arena_printf(mapping->arena, "%.*s%s%s", (int)(hole - value), value,
				       number, hole + 1)
			     : value);
	}
}

static void read_words(struct mapping *mapping, const char *text, enum where where)
{
	char number[NUMBER_BYTES];

	for (size_t i = 0; i < COUNT(words); i++)
		if ((words[i].where == where || (words[i].where == ANY && where != METRIC)) &&
			(words[i].families[0] == '*' || decision_one_of(words[i].families,
								mapping->row->subject->family)) &&
			phrase_find(words[i].phrase, text, number))
			map_apply(mapping, words[i].settings, number);
}

/* Returns the row's values of these keys, as text. */
static const char *values_of(struct mapping *mapping, const char *keys)
{
	struct text text;
	const char *result;

	text_init(&text);
	for (const char *at = keys; *at;) {
		size_t length = strcspn(at, "|");
		char key[64];
		const char *value;

		snprintf(key, sizeof key, "%.*s", (int)length, at);
		value = strcmp(key, "@load") == 0 ? mapping->load
						  : reference_text(mapping->run, key, NULL);
		if (value)
			text_printf(&text, "%s%s%s%s", text.length ? ", " : "",
				key[0] == '@' ? "" : key, key[0] == '@' ? "" : "=", value);
		at += length + (at[length] == '|');
	}
	result = arena_string(mapping->arena, text_string(&text));
	text_fini(&text);
	return result;
}

/* Gives values to required parameters of an experiment that the words of the row have not set:
 * usually the first allowed value. */
static void add_required(struct mapping *mapping, const struct experiment *experiment)
{
	for (const struct experiment_param *param = experiment->params; param->key; param++) {
		size_t length = strcspn(param->values, "|");

		if (param->fallback || reference_param(mapping->run, param->key))
			continue;
		if (strcmp(param->key, "kernel_bytes") == 0)
			set(mapping, param->key, "256");
		else if (strstr(param->key, "bytes"))
			set(mapping, param->key, "4096");
		else if (strcmp(param->key, "trace") == 0)
			set(mapping, param->key, "no");
		else if (param->values[0] == '#')
			set(mapping, param->key, "0");
		else
			set(mapping, param->key, arena_copy(mapping->arena, param->values, length));
	}
}

static int decision_map_compare(const void *a, const void *b)
{
	const struct reference_param *one = a, *other = b;
	int order = strcmp(one->key, other->key);

	return order ? order : strcmp(one->value, other->value);
}

static void finish_params(struct mapping *mapping)
{
	struct reference_row *run = mapping->run;
	struct text text;

	qsort(run->params, run->param_count, sizeof *run->params, decision_map_compare);
	text_init(&text);
	for (uint32_t i = 0; i < run->param_count; i++)
		text_printf(
			&text, "%s%s=%s", i ? ";" : "", run->params[i].key, run->params[i].value);
	run->params_text = arena_string(mapping->arena, text_string(&text));
	text_fini(&text);
}

/* ---- rows ---- */

/* Returns the number of an experiment. If no earlier row has the same experiment, adds it. */
static uint32_t add_run(struct decisions *decisions, const struct reference_row *run)
{
	struct reference *runs = &decisions->runs;

	for (uint32_t i = 0; i < runs->count; i++)
		if (strcmp(runs->rows[i].family, run->family) == 0 &&
			strcmp(runs->rows[i].system, run->system) == 0 &&
			strcmp(runs->rows[i].metric, run->metric) == 0 &&
			strcmp(runs->rows[i].params_text, run->params_text) == 0)
			return i;
	runs->rows[runs->count] = *run;
	return runs->count++;
}

/* Returns the metric that the words of the row select. If no metric was selected, returns the row's
 * own metric if the experiment has it, and otherwise the first metric of the experiment. */
static const char *metric_of(const struct mapping *mapping, const struct experiment *experiment)
{
	if (mapping->metric)
		return mapping->metric;
	if (decision_one_of(experiment->metrics, mapping->row->metric))
		return mapping->row->metric;
	return arena_copy(mapping->arena, experiment->metrics, strcspn(experiment->metrics, "|"));
}

/* Checks the parameters like those of a reference row. Keeps the first error as the reason. */
static bool check(struct mapping *mapping)
{
	struct diag *diag = diag_new();
	bool good;

	experiment_check(mapping->run, diag);
	good = diag_errors(diag) == 0;
	diag_free(diag);
	if (!good)
		mapping->row->reason = arena_printf(mapping->arena, "%s has no such experiment: %s",
			mapping->run->family, mapping->run->params_text);
	return good;
}

static void map_run(struct decisions *decisions, struct mapping *mapping)
{
	struct decision_row *row = mapping->row;
	const struct experiment *experiment = decision_experiment(row->subject->family);
	struct reference_row *run = mapping->run;

	read_words(mapping, row->scenario, ANY);
	read_words(mapping, row->base, ANY);
	read_words(mapping, row->system, ANY);
	read_words(mapping, row->metric, METRIC);
	if (row->reason)
		return;
	add_required(mapping, experiment);
	finish_params(mapping);
	run->metric = metric_of(mapping, experiment);
	run->unit = experiment->unit;
	run->source = run->spread = "";
	run->value = row->value;
	run->where = row->where;
	run->system = mapping->system && decision_one_of(experiment->systems, mapping->system)
			      ? mapping->system
			      : row->subject->system;
	if (!decision_one_of(experiment->systems, run->system))
		run->system = arena_copy(
			mapping->arena, experiment->systems, strcspn(experiment->systems, "|"));
	row->simulated = run->system;
	row->load = values_of(mapping, row->subject->loads);
	if (experiment_find(run->family) != experiment || check(mapping))
		row->run = add_run(decisions, run);
}

/* Returns true if the words of the row's option have set a parameter that is in the subject's
 * `choices`, or have given a reason why the row is not simulated. */
static bool is_understood(const struct mapping *mapping)
{
	for (uint32_t i = 0; i < mapping->run->param_count; i++)
		if (decision_one_of(mapping->row->subject->choices, mapping->run->params[i].key))
			return true;
	return mapping->row->reason != NULL;
}

/* Finds the first subject (subjects.def) whose `kinds` and `needs` fit the row, and for which
 * words.def has the words of the row's option. Sets the parameters that words.def gives for these
 * words. */
static bool map_subject(struct mapping *mapping, const char *text)
{
	struct decision_row *row = mapping->row;
	const char *reason =
		arena_printf(mapping->arena, "no scenario of kind '%s' has these words", row->kind);

	for (size_t i = 0; i < COUNT(subjects); i++) {
		if (!decision_one_of(subjects[i].kinds, row->kind) ||
			!phrase_find_all(subjects[i].needs, text))
			continue;
		row->subject = &subjects[i];
		*mapping->run = (struct reference_row){.family = subjects[i].family};
		mapping->system = mapping->load = mapping->metric = NULL;
		read_words(mapping, row->option, OPTION);
		if (is_understood(mapping))
			return true;
		reason = arena_printf(mapping->arena, "%s has no words for the option '%s'",
			subjects[i].family, row->option);
	}
	row->subject = NULL;
	row->reason = reason;
	return false;
}

static void map_row(struct decisions *decisions, struct decision_row *row)
{
	struct reference_row run = {0};
	struct mapping mapping = {.arena = decisions->arena, .row = row, .run = &run};
	char number[NUMBER_BYTES];
	const char *text = arena_printf(decisions->arena, "%s; %s; %s; %s", row->scenario,
		row->base, row->option, row->system);

	row->load = "";
	for (size_t i = 0; i < COUNT(refusals); i++)
		if (phrase_find(refusals[i].phrases, text, number)) {
			row->reason = refusals[i].reason;
			return;
		}
	if (row->verdict == VERDICT_NONE && !measure_find(row->unit, row->metric, &row->measure)) {
		row->reason = arena_printf(decisions->arena,
			"neither '%s' nor the unit '%s' says whether more is better", row->metric,
			row->unit);
		return;
	}
	if (!map_subject(&mapping, text))
		return;
	if (!phrase_find(row->subject->metrics, row->metric, number))
		row->reason = arena_printf(decisions->arena, "%s gives no figure for '%s'",
			row->subject->family, row->metric);
	else
		map_run(decisions, &mapping);
}

/* ---- verdicts ---- */

static bool same(const struct decision_row *a, const struct decision_row *b)
{
	return strcmp(a->id, b->id) == 0 && strcmp(a->scenario, b->scenario) == 0;
}

/* Returns a copy of the verdict `row`, with the scenario and the metric of another row, `of`. A
 * verdict that applies to several scenarios is copied once for each of them. */
static struct decision_row verdict_about(
	const struct decision_row *row, const struct decision_row *of)
{
	struct decision_row copy = *row;

	copy.scenario = of->scenario;
	copy.base = of->base;
	copy.metric = of->metric;
	copy.unit = of->unit;
	return copy;
}

static uint32_t add_verdicts(const struct decisions *decisions, const struct decision_row *row,
	bool own_only, struct decision_row *rows, uint32_t count)
{
	uint32_t first = count;

	for (uint32_t i = 0; i < decisions->row_count; i++) {
		const struct decision_row *of = &decisions->rows[i];
		bool known = false;

		if (of->verdict != VERDICT_NONE || strcmp(of->id, row->id) != 0 ||
			(own_only && !same(of, row)))
			continue;
		for (uint32_t j = first; j < count; j++)
			known |= same(&rows[j], of) && strcmp(rows[j].metric, of->metric) == 0;
		if (!known)
			rows[count++] = verdict_about(row, of);
	}
	return count;
}

static void spread_verdicts(struct decisions *decisions)
{
	uint32_t most = decisions->row_count, count = 0;
	struct decision_row *rows;

	for (uint32_t i = 0; i < decisions->row_count; i++)
		if (decisions->rows[i].verdict != VERDICT_NONE)
			most += decisions->row_count;
	rows = arena_array(decisions->arena, most, sizeof *rows);
	for (uint32_t i = 0; i < decisions->row_count; i++) {
		const struct decision_row *row = &decisions->rows[i];
		uint32_t before = count;

		if (row->verdict != VERDICT_NONE)
			count = add_verdicts(decisions, row, true, rows, count);
		if (row->verdict != VERDICT_NONE && count == before)
			count = add_verdicts(decisions, row, false, rows, count);
		if (count == before)
			rows[count++] = *row;
	}
	decisions->rows = rows;
	decisions->row_count = count;
}

void decision_map(struct decisions *decisions)
{
	spread_verdicts(decisions);
	decisions->runs.rows =
		arena_array(decisions->arena, decisions->row_count, sizeof *decisions->runs.rows);
	for (uint32_t i = 0; i < decisions->row_count; i++)
		map_row(decisions, &decisions->rows[i]);
}
