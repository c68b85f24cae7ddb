/* `meshsim explain --json`: writes the document that analysis/explain.h describes. Times are whole
 * picoseconds, without rounding. */
#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "explain_private.h"

static void explain_json_write_stage(struct json *json, const struct path_pair *path, int stage)
{
	char name[32];
	size_t length = strlen(stage_name((enum stage)stage));

	for (size_t i = 0; i <= length && i < sizeof(name); i++)
		name[i] = (char)tolower(stage_name((enum stage)stage)[i]);
	json_object(json);
	json_text(json, "stage", name);
	json_text(json, "label", stage_label((enum stage)stage));
	json_array_of(json, "value");
	json_integer(json, path->split[0].time[stage]);
	json_integer(json, path->split[1].time[stage]);
	json_array_end(json);
	if (path->count[0] == path->count[1]) {
		json_integer_of(json, "difference",
			path->split[1].time[stage] - path->split[0].time[stage]);
	}
	json_object_end(json);
}

static void write_path(struct json *json, const struct explanation *explanation, int which)
{
	const struct path_pair *path = &explanation->paths[which];

	json_object_of(json, explain_path_names[which]);
	json_array_of(json, "value");
	json_integer(json, path->value[0]);
	json_integer(json, path->value[1]);
	json_array_end(json);
	json_array_of(json, "count");
	json_unsigned(json, path->count[0]);
	json_unsigned(json, path->count[1]);
	json_array_end(json);
	if (path->count[0] == path->count[1]) {
		json_integer_of(json, "difference", path->value[1] - path->value[0]);
	}
	json_array_of(json, "stages");
	for (int s = 0; explanation->has_stages && s < STAGE_COUNT; s++)
		if (path->split[0].time[s] != 0 || path->split[1].time[s] != 0)
			explain_json_write_stage(json, path, s);
	json_array_end(json);
	json_object_end(json);
}

static void write_pair(struct json *json, const char *key, double first, double second)
{
	json_array_of(json, key);
	json_real(json, first);
	json_real(json, second);
	json_array_end(json);
}

static void write_loads(struct json *json, const char *key, const struct loads *loads, bool queues)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < loads->count; i++) {
		const struct load *load = &loads->at[i];
		json_object(json);
		json_text(json, "name", load->name);
		if (queues) {
			write_pair(json, "high_water", (double)load->high_water[0],
				(double)load->high_water[1]);
			write_pair(json, "capacity", (double)load->capacity[0],
				(double)load->capacity[1]);
			write_pair(json, "blocked_time", load->blocked[0], load->blocked[1]);
		} else {
			write_pair(json, "busy", load->busy[0], load->busy[1]);
		}
		json_object_end(json);
	}
	json_array_end(json);
}

static void explain_json_write_run(struct json *json, struct explanation *explanation, int which)
{
	struct summary *summary = explanation->summaries[which];
	uint64_t row = explanation->rows[which];

	json_object(json);
	json_integer_of(json, "run", dataset_integer(&summary->dataset, summary->run, row));
	json_text(json, "status", dataset_text(&summary->dataset, summary->status, row));
	json_unsigned_of(json, "count", explanation->samples[which].count);
	json_text(json, "keys", explain_keys(summary, row, &explanation->arena));
	json_object_end(json);
}

static void write_charged(struct json *json, const struct explanation *explanation)
{
	json_array_of(json, "constants");
	for (uint32_t i = 0; i < explanation->charged_count; i++) {
		const struct charged *charged = &explanation->charged[i];
		json_object(json);
		json_text(json, "name", charged->name);
		write_pair(json, "value", charged->time[0], charged->time[1]);
		json_real_of(json, "difference", charged->time[1] - charged->time[0]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_matched(struct json *json, struct explanation *explanation)
{
	json_array_of(json, "matched");
	for (uint32_t i = 0; i < explanation->matched_count; i++) {
		const struct matched *matched = &explanation->matched[i];
		json_object(json);
		json_text(json, "keys",
			explain_keys(
				explanation->summaries[0], matched->rows[0], &explanation->arena));
		json_array_of(json, "runs");
		for (int f = 0; f < 2; f++)
			json_integer(json, explain_run(explanation, f, matched->rows[f]));
		json_array_end(json);
		write_pair(json, "value", matched->value[0], matched->value[1]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_conclusion(struct json *json, struct explanation *explanation)
{
	const struct path_pair *path = &explanation->paths[PATH_ASKED];

	json_object_of(json, "conclusion");
	json_text(json, "sentence", explain_sentence(explanation));
	write_pair(json, "value", (double)path->value[0], (double)path->value[1]);
	if (!explanation->single && explanation->seeds > 0) {
		json_unsigned_of(json, "seeds", explanation->seeds);
		json_real_of(json, "margin", explanation->margin);
	}
	json_array_of(json, "parts");
	for (int p = 0; explanation->has_stages && p < PART_COUNT; p++) {
		const struct explain_part *part = &explanation->parts[p];
		if (part->stages == 0)
			continue;
		json_object(json);
		json_text(json, "part", part->key);
		json_text(json, "label", part->words);
		write_pair(json, "value", (double)part->time[0], (double)part->time[1]);
		json_real_of(json, "difference", (double)(part->time[1] - part->time[0]));
		json_text(json, "largest", stage_label(part->largest));
		json_object_end(json);
	}
	json_array_end(json);
	if (explanation->skew[0] >= 0 && explanation->skew[1] >= 0)
		write_pair(json, "last_chip_after", (double)explanation->skew[0],
			(double)explanation->skew[1]);
	json_object_end(json);
}

void explain_json(struct explanation *explanation, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "kind", explanation->kind);
	json_text(&json, "metric", explain_metric_name(&explanation->asked));
	json_text(&json, "unit", "ps");
	json_array_of(&json, "runs");
	explain_json_write_run(&json, explanation, 0);
	explain_json_write_run(&json, explanation, 1);
	json_array_end(&json);
	write_conclusion(&json, explanation);
	json_object_of(&json, "paths");
	for (int p = 0; explanation->asked.mode == MEASURE_ASKED && p < PATH_ASKED; p++)
		write_path(&json, explanation, p);
	if (strcmp(explain_statistic(&explanation->asked), explain_path_names[PATH_P50]) != 0)
		write_path(&json, explanation, PATH_ASKED);
	json_object_end(&json);
	write_charged(&json, explanation);
	if (explanation->files[0])
		write_matched(&json, explanation);
	write_loads(&json, "links", &explanation->links, false);
	write_loads(&json, "cores", &explanation->cores, false);
	write_loads(&json, "queues", &explanation->queues, true);
	json_array_of(&json, "not_apart");
	for (const char *const *item = explain_not_apart(explanation); *item; item++)
		json_string(&json, *item);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}
